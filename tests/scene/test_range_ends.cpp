#include "scene/build.hpp"
#include "scene/format.hpp"
#include "scene/sample.hpp"

#include <fmt/format.h>

#include <algorithm>

/// The ends of every range are numbers that one can compute with.
namespace rubato {

namespace {

/// A number of a scene, by its path.
struct NumberOfScene {
    std::string path;
    OptionSpec spec;
};

void collect(const Block& block, const ObjectFamily& family, std::vector<NumberOfScene>& all)
{
    const ObjectSpec& spec = family.spec_of(block);
    for (const OptionSpec& option : spec.options) {
        if (option.type == OptionType::real || option.type == OptionType::vec3)
            all.push_back({block.place_of(option.name).key, option});
    }
    for (const PartSpec& part : spec.parts) {
        for (const Block& below : block.list(part.name)) collect(below, part.family(), all);
    }
}

std::string written_number(const OptionSpec& spec, double n)
{
    return spec.type == OptionType::vec3 ? fmt::format("[{0:.17g}, {0:.17g}, {0:.17g}]", n) : fmt::format("{:.17g}", n);
}

constexpr std::size_t shares = 8; // each a test of its own: some of the runs are long

class RangeEnds : public testing::TestWithParam<std::size_t> { };

} // namespace

TEST_P(RangeEnds, AreAcceptedAndLeadToNoNumberThatIsNotFinite)
{
    std::vector<NumberOfScene> numbers;
    collect(scene_in(full_scene).root, scene_family(), numbers);
    int asked = 0, ran = 0;
    for (std::size_t i = GetParam(); i < numbers.size(); i += shares) {
        const NumberOfScene& number = numbers[i];
        const NumberRange range = number_range(number.spec);
        for (const double end : {range.least, range.most}) {
            if (end == range.least ? range.least_open : range.most_open) continue;
            SCOPED_TRACE(fmt::format("{} = {:g}", number.path, end));
            ++asked;
            std::vector<Override> overrides{{"solver.max_iterations", "20", "--set"},
                {"time.controller", "fixed", "--set"}, {number.path, written_number(number.spec, end), "--end"}};
            const auto mistakes = mistakes_of([&] {
                const Scene scene = scene_in(full_scene, overrides);
                BuiltScene ready = built(scene, GroundSearch::never);
                Simulation simulation = ready.simulation();
                const RunResult result = simulation.run(std::min(ready.duration, 2 * ready.step));
                EXPECT_TRUE(result.finished || !result.why.empty());
                EXPECT_TRUE(simulation.state().finite());
                ++ran;
            });
            // A number of its range may still not go together with others: bodies in obstacles, a radius beyond the
            // body.
            for (const Mistake& mistake : mistakes) {
                EXPECT_EQ(mistake.message.find("must be " + allowed(number.spec)), std::string::npos) << mistake.text();
            }
        }
    }
    EXPECT_GT(asked, 15);
    EXPECT_GT(ran, 10);
}

INSTANTIATE_TEST_SUITE_P(Share, RangeEnds, testing::Range(std::size_t{0}, shares));

} // namespace rubato
