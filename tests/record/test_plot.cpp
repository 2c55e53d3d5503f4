#include "base/errors.hpp"
#include "fixture.hpp"
#include "record/occurrences.hpp"
#include "record/plot.hpp"
#include "record/stats.hpp"

#include <limits>

namespace rubato::test {

namespace {

/// Number of elements of an XML document if it is well formed (as far as SVG without comments needs), else -1.
int elements(const std::string& xml)
{
    std::vector<std::string> open;
    int count = 0;
    bool rooted = false;
    for (std::size_t i = 0; i < xml.size();) {
        if (xml[i] != '<') {
            if (xml[i] == '>') return -1;
            if (xml[i] == '&') {
                const std::string entity = xml.substr(i, xml.find(';', i) - i + 1);
                if (entity != "&amp;" && entity != "&lt;" && entity != "&gt;" && entity != "&quot;") return -1;
            }
            if (open.empty() && xml[i] != '\n') return -1;
            ++i;
            continue;
        }
        const std::size_t end = xml.find('>', i);
        if (end == std::string::npos) return -1;
        std::string tag = xml.substr(i + 1, end - i - 1);
        i = end + 1;
        if (tag.find('<') != std::string::npos || std::count(tag.begin(), tag.end(), '"') % 2 != 0) return -1;
        if (tag[0] == '/') {
            if (open.empty() || open.back() != tag.substr(1)) return -1;
            open.pop_back();
            continue;
        }
        if (open.empty() && rooted) return -1;
        rooted = true;
        ++count;
        const bool closed = tag.back() == '/';
        if (!closed) open.push_back(tag.substr(0, tag.find(' ')));
    }
    return open.empty() ? count : -1;
}

LinePlot wave(std::size_t n, double amplitude, double duration)
{
    LinePlot plot{
        .title = "A & B <at> \"noon\"",
        .x_axis = {"time", "s"},
        .y_axis = {"energy", "J"},
        .x = {},
        .series = {{.name = "total", .values = {}, .color = "#222222"}},
    };
    for (std::size_t i = 0; i < n; ++i) {
        plot.x.push_back(duration * static_cast<double>(i) / static_cast<double>(n - 1));
        plot.series[0].values.push_back(amplitude * std::sin(20 * plot.x.back() / duration));
    }
    return plot;
}

} // namespace

TEST(WellFormed, TheCheckItselfFindsMistakes)
{
    EXPECT_EQ(elements("<a><b/>text &amp;</a>\n"), 2);
    for (const char* bad : {"<a><b></a>", "<a>&</a>", "<a></a><b/>", "<a b=\"></a>", "<a>", "text"}) {
        EXPECT_EQ(elements(bad), -1) << bad;
    }
}

TEST(Svg, IsWellFormedWithAnyTitleAndLabelsItsAxes)
{
    const std::string text = svg(wave(100, 2, 10));
    EXPECT_GT(elements(text), 20);
    EXPECT_NE(text.find(">A &amp; B &lt;at&gt; &quot;noon&quot;<"), std::string::npos);
    EXPECT_NE(text.find(">time [s]<"), std::string::npos);
    EXPECT_NE(text.find(">energy [J]<"), std::string::npos);
    EXPECT_NE(text.find(">total<"), std::string::npos);
    for (const char* tick : {">-2<", ">-1<", ">0<", ">1<", ">2<", ">10<"})
        EXPECT_NE(text.find(tick), std::string::npos) << tick;
}

TEST(Svg, HasOtherColoursInTheDarkForAllThatIsNotAColouredCurve)
{
    LinePlot plot = wave(20, 1, 1);
    plot.series.push_back(curve(6, "the black one", plot.series.front().values));
    plot.series.back().dots = 2;
    const std::string text = svg(plot);
    const std::size_t begin = text.find("@media (prefers-color-scheme: dark)"), end = text.find("</style>");
    ASSERT_TRUE(begin < end && end != std::string::npos);
    const std::string dark = text.substr(begin, end - begin), drawn = text.substr(end);
    for (const char* name : {"rb-paper", "rb-grid", "rb-axis"}) {
        EXPECT_NE(dark.find(std::string(".") + name), std::string::npos) << name;
        EXPECT_NE(drawn.find(std::string("class=\"") + name), std::string::npos) << name;
    }
    for (const char* kind : {"stroke", "fill"}) {
        const std::string black = std::string(kind) + "=\"#222222\"";
        EXPECT_NE(dark.find("[" + black + "]"), std::string::npos) << kind;
        EXPECT_NE(drawn.find(black), std::string::npos) << kind;
    }
}

TEST(Svg, ChoosesAUnitThatSuitsTheNumbers)
{
    EXPECT_NE(svg(wave(100, 2e6, 10)).find("energy [MJ]"), std::string::npos);
    EXPECT_NE(svg(wave(100, 2e-3, 10)).find("energy [mJ]"), std::string::npos);
    EXPECT_NE(svg(wave(100, 2e30, 10)).find("energy [1e30 J]"), std::string::npos);
    EXPECT_NE(svg(wave(100, 2, 5e-3)).find("time [ms]"), std::string::npos);
    EXPECT_NE(svg(wave(100, 2, 5e3)).find("time [s]"), std::string::npos);
}

TEST(Svg, ThinsLongSeriesButKeepsTheirPeaks)
{
    LinePlot plot = wave(200000, 1, 10);
    plot.series[0].values[123456] = 50; // one sample
    const std::string text = svg(plot);
    EXPECT_LT(text.size(), 100000u);
    EXPECT_GT(elements(text), 20);
    const auto highest = [](const std::string& document) { // smallest vertical coordinate of the curve [px]
        double least = 1e9;
        std::string path = document.substr(document.find("d=\"") + 3);
        path = path.substr(0, path.find('"'));
        for (const std::string& point : split(path, 'L')) {
            const auto numbers = split(point, ' ');
            if (numbers.size() == 2) least = std::min(least, std::stod(numbers[1]));
        }
        return least;
    };
    EXPECT_NEAR(highest(text), 78, 0.5) << "the peak reaches the top of the plot";
}

TEST(Svg, LeavesAGapWhereNumbersAreMissing)
{
    LinePlot plot = wave(100, 2, 10);
    EXPECT_EQ(occurrences(svg(plot), "h0"), 1u);
    plot.series[0].values[50] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(occurrences(svg(plot), "h0"), 2u) << "two pieces";
    LinePlot longer = wave(100000, 2, 10);
    longer.series[0].values[50000] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(occurrences(svg(longer), "h0"), 2u) << "two pieces";
}

TEST(Svg, CopesWithNothingOnePointConstantsAndHugeNumbers)
{
    LinePlot empty = wave(2, 1, 1);
    empty.x.clear();
    empty.series[0].values.clear();
    LinePlot one = wave(2, 1, 1);
    one.x = {3};
    one.series[0].values = {4};
    LinePlot zero = wave(50, 0, 1);
    LinePlot huge = wave(50, 1.7e308, 1);
    LinePlot tiny = wave(50, 5e-324, 1);
    for (const LinePlot& plot : {empty, one, zero, huge, tiny}) {
        const std::string text = svg(plot);
        EXPECT_GT(elements(text), 5);
        EXPECT_EQ(text.find("nan"), std::string::npos);
        EXPECT_EQ(text.find("inf"), std::string::npos);
    }
}

namespace {

/// The points of the n-th curve [px].
std::vector<std::pair<double, double>> points(const std::string& document, int n)
{
    std::size_t at = 0;
    for (int i = 0; i <= n; ++i) at = document.find("<path d=\"", at) + 9;
    std::string path = document.substr(at, document.find('"', at) - at);
    std::vector<std::pair<double, double>> found;
    std::replace(path.begin(), path.end(), 'M', 'L');
    for (std::string point : split(path.substr(1), 'L')) {
        const auto numbers = split(point.substr(0, point.find('h')), ' ');
        found.emplace_back(std::stod(numbers[0]), std::stod(numbers[1]));
    }
    return found;
}

LinePlot powers(const std::vector<double>& x, double exponent)
{
    LinePlot plot{.title = "powers",
        .x_axis = {.quantity = "step", .unit = "s", .logarithmic = true},
        .y_axis = {.quantity = "error", .unit = "m", .logarithmic = true},
        .x = x};
    std::vector<double> y;
    for (const double value : x) y.push_back(std::pow(value, exponent));
    plot.series.push_back(curve(0, "power", y));
    return plot;
}

} // namespace

TEST(Svg, DrawsAPowerAsAStraightLineOnLogarithmicAxes)
{
    const std::string text = svg(powers({1e-4, 1e-3, 1e-2, 1e-1, 1}, 2));
    EXPECT_GT(elements(text), 20);
    const auto p = points(text, 0);
    ASSERT_EQ(p.size(), 5u);
    for (std::size_t i = 1; i < 5; ++i) {
        EXPECT_NEAR(p[i].first - p[i - 1].first, (856 - 76) / 4.0, 0.02);
        EXPECT_NEAR(p[i - 1].second - p[i].second, (422 - 78) / 4.0, 0.02);
    }
    for (const char* tick : {">1e-4<", ">0.001<", ">0.1<", ">1<", ">1e-8<", ">step [s]<", ">error [m]<"}) {
        EXPECT_NE(text.find(tick), std::string::npos) << tick;
    }
}

TEST(Svg, HasNoPlaceOnALogarithmicAxisForWhatIsNotPositive)
{
    LinePlot plot = powers({1e-2, 1e-1, 1, 10, 100}, 1);
    plot.series[0].values[2] = 0;
    const std::string text = svg(plot);
    EXPECT_EQ(occurrences(text, "h0"), 2u) << "two pieces";
    EXPECT_EQ(points(text, 0).size(), 4u);
    plot.series[0].values.assign(5, -1.0);
    EXPECT_EQ(svg(plot).find("<path"), std::string::npos);
    EXPECT_GT(elements(svg(plot)), 5);
}

TEST(Svg, DrawsCurvesThatHaveTheirOwnX)
{
    LinePlot plot{.title = "two", .x_axis = {.quantity = "x"}, .y_axis = {.quantity = "y"}};
    Series first = curve(0, "short", {0, 1}), second = curve(1, "long", {1, 0, 1});
    first.x = {0, 5};
    second.x = {2, 4, 10};
    plot.series = {first, second};
    const std::string text = svg(plot);
    const auto p = points(text, 0), q = points(text, 1);
    ASSERT_EQ(p.size(), 2u);
    ASSERT_EQ(q.size(), 3u);
    EXPECT_NEAR(p[0].first, 76, 0.01);
    EXPECT_NEAR(p[1].first, 76 + 0.5 * 780, 0.01);
    EXPECT_NEAR(q[0].first, 76 + 0.2 * 780, 0.01);
    EXPECT_NEAR(q[2].first, 856, 0.01);
    EXPECT_NE(text.find(">x<"), std::string::npos) << "no brackets without a unit";
}

TEST(Svg, CutsCurvesOffAtTheLimitsOfAnAxis)
{
    LinePlot plot = wave(100, 1e12, 10);
    plot.y_axis = {.quantity = "trace", .least = -2, .most = 2};
    const std::string text = svg(plot);
    EXPECT_NE(text.find(">-2<"), std::string::npos);
    EXPECT_NE(text.find(">2<"), std::string::npos);
    EXPECT_EQ(text.find(">1e+12<"), std::string::npos);
    EXPECT_NE(text.find("overflow=\"hidden\""), std::string::npos);
    for (const auto& [x, y] : points(text, 0)) EXPECT_LT(std::abs(y), 1e4);
}

TEST(Svg, GivesALongLegendMoreRowsAndItsPictureMoreHeight)
{
    LinePlot plot = wave(10, 1, 1);
    const std::string one = svg(plot);
    for (std::size_t i = 1; i < 14; ++i) plot.series.push_back(curve(i, "implicit-midpoint", plot.series[0].values));
    const std::string many = svg(plot);
    EXPECT_NE(one.find("height=\"480\""), std::string::npos);
    EXPECT_EQ(many.find("height=\"480\""), std::string::npos);
    for (std::size_t at = many.find("<text x=\""); at != std::string::npos; at = many.find("<text x=\"", at + 1)) {
        EXPECT_LE(std::stod(many.substr(at + 9)), 856);
    }
}

TEST(Svg, PutsADotAtEveryPointThatIsToHaveOne)
{
    LinePlot plot = powers({1e-2, 1e-1, 1}, 1);
    EXPECT_EQ(occurrences(svg(plot), "<circle"), 0u);
    plot.series[0].dots = 3;
    EXPECT_EQ(occurrences(svg(plot), "<circle"), 4u) << "one of them in the legend";
    EXPECT_EQ(occurrences(svg(plot), "<path"), 1u);
    plot.series[0].width = 0;
    EXPECT_EQ(occurrences(svg(plot), "<circle"), 4u);
    EXPECT_EQ(occurrences(svg(plot), "<path"), 0u) << "dots alone";
}

TEST(EnergyPlot, ShowsTheEnergiesThatThereAre)
{
    Folder folder;
    StatsWriter stats(folder / "stats.csv");
    stats.begin();
    Moment moment;
    moment.potential.other = 0;
    moment.ledger.dissipated = 0;
    moment.ledger.injected = 0;
    for (int i = 0; i <= 10; ++i) {
        moment.ledger.dissipated = 0.1 * i;
        stats.step(moment.record(i, 0.1 * i, 0.1));
    }
    stats.close();
    const LinePlot plot = energy_plot(folder / "stats.csv", "title");
    std::vector<std::string> names;
    for (const Series& series : plot.series) names.push_back(series.name);
    EXPECT_EQ(names, (std::vector<std::string>{"balance", "kinetic", "elastic", "gravity", "total"}));
    EXPECT_EQ(plot.x.size(), 11u);
    EXPECT_DOUBLE_EQ(plot.series[0].values[10], plot.series[4].values[0] - 1.0);

    write_energy_plot(folder.path(), "title");
    EXPECT_GT(elements(contents(folder / "energy.svg")), 20);
}

TEST(EnergyPlot, ShowsTheTargetDashedWhereThereIsOne)
{
    Folder folder;
    StatsWriter stats(folder / "stats.csv", false, true);
    stats.begin();
    Moment moment;
    for (int i = 0; i <= 10; ++i) {
        moment.ledger.target = 7 - 0.1 * i;
        stats.step(moment.record(i, 0.1 * i, 0.1));
    }
    stats.close();
    const LinePlot plot = energy_plot(folder / "stats.csv", "title");
    EXPECT_EQ(plot.series.back().name, "target");
    EXPECT_TRUE(plot.series.back().dashed);
    EXPECT_DOUBLE_EQ(plot.series.back().values[10], 6);
}

TEST(EnergyPlot, RefusesWhatIsNoStatsFile)
{
    Folder folder;
    put(folder / "stats.csv", "a,b\n1,2\n");
    EXPECT_THROW(write_energy_plot(folder.path(), "title"), InputError);
    EXPECT_FALSE(std::filesystem::exists(folder / "energy.svg"));
}

} // namespace rubato::test
