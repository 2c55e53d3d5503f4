#include "record/report_page.hpp"

#include "base/input_file.hpp"
#include "record/comparison.hpp"
#include "record/html.hpp"
#include "record/report_style.hpp"
#include "record/run_figures.hpp"
#include "record/small_frames.hpp"
#include "record/stats_table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace rubato {

namespace {

constexpr std::size_t most_stats_rows = 4000; ///< of a run in the page

std::string energy_share(const std::optional<double>& part)
{
    return part ? share_kept(*part, std::abs(*part) < 0.0995 ? 1 : 0) : std::string("&ndash;");
}

/// What that figure is of.
std::string energy_words(const RunFigures& run)
{
    if (energy_share(run.energy_left()) != "below") return "of its energy is left";
    return run.ground ? "the ground level of the scene" : "the zero of its energy";
}

std::string bounces_line(const RunFigures& run)
{
    if (!run.bounces) return "";
    if (run.bounces->tops.empty()) return "<p>it does not bounce</p>";
    std::string shares = run.bounces->shares();
    if (const std::size_t unit = shares.rfind(" %"); unit != std::string::npos) shares.replace(unit, 1, "&nbsp;");
    return fmt::format("<p>{} {} of the drop of {:.2g}&nbsp;m</p>",
        run.bounces->tops.size() == 1 ? "its bounce rises to" : "its bounces rise to", shares, run.bounces->drop);
}

std::string seconds(double s) { return s < 100 ? fmt::format("{:.2f} s", s) : fmt::format("{:.0f} s", s); }

/// From where the energies on the cards count, and why heights tell something else.
std::string cards_note(const std::vector<RunFigures>& figures)
{
    const bool alike = std::all_of(figures.begin(), figures.end(),
        [&](const RunFigures& run) { return run.counted_from() == figures.front().counted_from(); });
    std::string text = alike ? html_text(figures.front().counted_from()) : std::string();
    if (!text.empty()) {
        text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
        text += ". ";
    }
    if (std::any_of(figures.begin(), figures.end(), [](const RunFigures& run) { return run.bounces.has_value(); }))
        text += "Bounces are those of the centre of mass. Energy and height tell different things: what is kept may be "
                "vibration, too fast for the step to show.";
    return text.empty() ? text : fmt::format("<p class=\"small\">{}</p>\n", text);
}

/// Why the run is not what it was to be, and where its energy was not.
std::string warnings(const RunFigures& run)
{
    std::string html;
    const auto add
        = [&](const std::string& text) { html += fmt::format("<p class=\"warning\">{}</p>", html_text(text)); };
    if (run.status != "finished") add(run.status + (run.reason.empty() ? "" : ": " + run.reason));
    if (!run.away.empty()) add(run.away);
    return html;
}

/// One card for each run: how much of its energy it has left.
std::string cards(const ReportSection& section, const std::vector<RunFigures>& figures)
{
    std::string html = "<div class=\"cards\">\n";
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const RunFigures& run = figures[i];
        const std::optional<double> left = run.energy_left();
        html += fmt::format(
            R"(<div class="card" style="--run: {}"><h3>{}</h3><p class="figure">{}</p><p>{} after {:.4g} s</p>)"
            R"(<div class="bar"><div style="width: {:.1f}%"></div></div>{}<p class="small">{} steps of {:.4g} ms in {}; {:.2f} Newton iterations each</p>{}</div>)"
            "\n",
            run_color(i), html_text(section.runs[i].name), energy_share(left), energy_words(run), run.simulated,
            100 * std::clamp(left.value_or(0), 0.0, 1.0), bounces_line(run), run.steps, 1000 * run.step,
            seconds(run.wall), run.newton_per_step, warnings(run));
    }
    return html + "</div>\n" + cards_note(figures);
}

std::string table(const ReportSection& section, const std::vector<RunFigures>& figures)
{
    std::string html
        = "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr><th>run</th><th>step</th><th>steps</th><th>wall "
          "time</th>"
          "<th>per step</th><th>Newton per step</th><th>CG in all</th><th>energy at start</th>"
          "<th>at end</th><th>dissipated on purpose</th><th>most off its balance</th></tr></thead>\n<tbody>\n";
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const RunFigures& run = figures[i];
        html += fmt::format(
            "<tr><th scope=\"row\"><span class=\"dot\" style=\"background: {}\"></span>{}</th><td>{:.5g} "
            "s</td><td>{}</td><td>{}</td><td>{:.3g} ms</td><td>{:.2f}</td><td>{}</td><td>{:.4g} "
            "J</td><td>{:.4g} J</td><td>{:.3g} J</td><td>{:.3g} J</td></tr>\n",
            run_color(i), html_text(section.runs[i].name), run.step, run.steps, seconds(run.wall),
            1000 * run.wall / static_cast<double>(std::max(1L, run.steps)), run.newton_per_step,
            run.linear > 0 ? std::to_string(run.linear) : std::string("&ndash;"), run.start_energy, run.end_energy,
            run.dissipated, run.largest_drift);
    }
    html += "</tbody></table></div>\n";

    // Where the time went, as far as the runs know.
    if (std::any_of(figures.begin(), figures.end(), [](const RunFigures& run) { return run.phases.empty(); }))
        return html;
    html += "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr><th>wall time in</th>";
    for (const auto& [name, time] : figures.front().phases) {
        std::string words = name;
        std::replace(words.begin(), words.end(), '_', ' ');
        html += fmt::format("<th>{}</th>", html_text(words == "ccd" ? "CCD" : words));
    }
    html += "</tr></thead>\n<tbody>\n";
    for (std::size_t i = 0; i < figures.size(); ++i) {
        html += fmt::format("<tr><th scope=\"row\"><span class=\"dot\" style=\"background: {}\"></span>{}</th>",
            run_color(i), html_text(section.runs[i].name));
        for (const auto& [name, time] : figures[i].phases)
            html += fmt::format("<td>{:.3g} s <span class=\"small\">{:.0f} %</span></td>", time,
                figures[i].wall > 0 ? 100 * time / figures[i].wall : 0.0);
        html += "</tr>\n";
    }
    return html + "</tbody></table></div>\n";
}

/// stats.csv with so many rows as a page can show.
std::string thinned_stats(const std::filesystem::path& file)
{
    const std::string text = file_bytes(file);
    const auto rows = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    if (rows <= most_stats_rows) return text;
    const std::size_t every = rows / most_stats_rows + 1;
    std::string thin;
    std::size_t line = 0;
    for (std::size_t at = 0; at < text.size(); ++line) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
        if (line == 0 || (line - 1) % every == 0 || end == text.size()) thin.append(text, at, end - at);
        at = end;
    }
    return thin;
}

/// The viewer with everything it needs.
std::string moving_picture(const ReportSection& section, std::size_t number, std::uint64_t most_bytes)
{
    std::string html = fmt::format("<div class=\"viewer\" id=\"viewer-{}\"></div>\n", number);
    nlohmann::ordered_json runs = nlohmann::ordered_json::array();
    std::string left_out; // what the page has no room for
    for (std::size_t i = 0; i < section.runs.size(); ++i) {
        const ShownRun& run = section.runs[i];
        FrameReader reader(run.directory / "frames.rbt");
        const SmallFrames frames = small_frames(reader, most_bytes / section.runs.size());
        html += fmt::format(
            "<script type=\"text/plain\" id=\"frames-{}-{}\">{}</script>\n", number, i, base64(frames.bytes));
        if (frames.count < reader.count()) {
            left_out += fmt::format("{}{}: {} of {} frames", left_out.empty() ? "" : "; ", html_text(run.name),
                frames.count, reader.count());
        }
        html += fmt::format("<script type=\"text/plain\" id=\"stats-{}-{}\">{}</script>\n", number, i,
            html_text(thinned_stats(run.directory / "stats.csv")));
        runs.push_back(
            {{"name", run.name}, {"scene", run.scene}, {"integrator", run.integrator}, {"colour", run_color(i)}});
        if (const auto ground = run_figures(run.directory).ground) runs.back()["rest"] = *ground;
    }
    std::string names = runs.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
    for (std::size_t at = 0; (at = names.find('<', at)) != std::string::npos;) names.replace(at, 1, "\\u003c");
    if (!left_out.empty())
        html += fmt::format(
            "<p class=\"small\">So that the page stays small it moves in few pictures: {}. 'rubato view' "
            "shows all of them.</p>\n",
            left_out);
    return html + fmt::format("<script>showRuns({}, {});</script>\n", number, names);
}

std::string still_pictures(const ReportSection& section, const Image& moments)
{
    return fmt::format("<figure><img alt=\"moments of {}\" src=\"data:image/png;base64,{}\"><figcaption>Moments of {}."
                       "</figcaption></figure>\n",
        html_text(section.title), base64(png_bytes(moments)),
        section.runs.size() > 1 ? "all runs, side by side in their order, each in its colour" : "the run");
}

Image moments_of(const ReportSection& section, const std::vector<RunFigures>& figures)
{
    const FrameReader reader(section.runs.front().directory / "frames.rbt");
    RunPictureOptions options{.up = reader.header().up};
    // The run that bounces highest says when to look.
    std::size_t guide = 0;
    double end = 0;
    const auto height = [&](std::size_t i) { return figures[i].bounces ? figures[i].bounces->height() : -1.0; };
    for (std::size_t i = 0; i < figures.size(); ++i) {
        if (height(i) > height(guide)) guide = i;
        end = std::max(end, figures[i].simulated);
    }
    options.chosen = telling_moments(figures[guide].bounces, end, 6);
    for (TellingMoment& moment : options.chosen) {
        if (figures.size() > 1 && moment.words.starts_with("bounce")) moment.words += " of " + section.runs[guide].name;
    }
    options.picture.ground_height = reader.header().ground;
    if (section.runs.size() == 1) return run_picture(section.runs.front().directory, options);
    return compared_moments(section.runs, options);
}

/// Curves of a section; `suffix` keeps the names of files apart.
std::vector<ReportPlot> plots_of(
    const ReportSection& section, const std::vector<RunFigures>& figures, const std::string& suffix)
{
    std::vector<ReportPlot> plots;
    if (section.runs.size() == 1) {
        plots.push_back({"energy" + suffix, svg(energy_plot(section.runs[0].directory / "stats.csv", "Energy"))});
    } else {
        plots.push_back({"energy" + suffix, svg(compared_energies(section.runs, "Total energy"))});
    }
    if (figures.front().weight > 0) {
        plots.push_back(
            {"height" + suffix, svg(compared_heights(section.runs, figures.front().weight, "How high it flies"))});
    }
    plots.push_back({"newton" + suffix, svg(compared_iterations(section.runs, "Work"))});
    return plots;
}

std::string settings(const ReportSection& section)
{
    std::string html;
    for (const ShownRun& run : section.runs) {
        std::error_code ignored;
        if (!std::filesystem::exists(run.directory / "scene.json", ignored)) continue;
        html += fmt::format("<details><summary>scene.json of {}</summary><pre>{}</pre></details>\n",
            html_text(run.name), html_text(file_bytes(run.directory / "scene.json")));
    }
    return html;
}

} // namespace

std::string_view report_begin()
{
    const std::string_view page = report_style::page;
    return page.substr(0, page.find('{'));
}

Report report(const ReportOptions& options)
{
    Report out;
    std::string body, all_settings;
    bool moving = false;
    for (std::size_t s = 0; s < options.sections.size(); ++s) {
        const ReportSection& section = options.sections[s];
        std::vector<RunFigures> figures;
        for (const ShownRun& run : section.runs) figures.push_back(run_figures(run.directory));
        body += fmt::format("<section>\n<h2>{}</h2>\n<p>{}</p>\n", html_text(section.title), html_text(section.text));
        body += cards(section, figures);
        const bool frames
            = std::all_of(section.runs.begin(), section.runs.end(), [](const ShownRun& run) { return run.has_frames; });
        if (frames && section.moving) {
            if (!options.viewer_script.empty()) {
                body += moving_picture(section, s, options.most_bytes / options.sections.size());
                moving = true;
            }
            body += still_pictures(section, moments_of(section, figures));
        }
        const std::string suffix = s == 0 ? "" : fmt::format("-{}", s + 1);
        for (ReportPlot& plot : plots_of(section, figures, suffix)) {
            body += fmt::format("<figure class=\"plot\">{}</figure>\n", plot.svg);
            out.plots.push_back(std::move(plot));
        }
        body += table(section, figures) + "</section>\n";
        all_settings += settings(section);
    }
    out.html = fmt::format(report_style::page, fmt::arg("title", html_text(options.title)),
        fmt::arg("style", report_style::css),
        fmt::arg("viewer",
            moving
                ? "<script>" + options.viewer_script + "</script>\n<script>" + report_style::show_runs + "</script>\n"
                : ""),
        fmt::arg("body", body), fmt::arg("settings", all_settings));
    return out;
}

} // namespace rubato
