#include "control/catalog.hpp"

#include "control/fixed.hpp"
#include "control/halving.hpp"

namespace rubato {

namespace {

using Made = std::unique_ptr<StepController>;

Made fixed(const Options&, double h) { return std::make_unique<FixedStep>(h); }

std::vector<OptionSpec> halving_options()
{
    const HalvingOptions fallback;
    return {
        {.name = "max_halvings",
            .type = OptionType::integer,
            .fallback = fallback.max_halvings,
            .summary = "how often the step may be halved before the run gives up",
            .least = 0,
            .most = 40},
        {.name = "recover_after",
            .type = OptionType::integer,
            .fallback = fallback.recover_after,
            .summary = "accepted steps before a halving is taken back",
            .least = 1},
    };
}

Made halving(const Options& o, double h)
{
    return std::make_unique<HalvingStep>(
        h, HalvingOptions{.max_halvings = o.integer("max_halvings"), .recover_after = o.integer("recover_after")});
}

} // namespace

const std::vector<StepControllerEntry>& step_controller_catalog()
{
    static const std::vector<StepControllerEntry> entries = {
        {"fixed", "every step has the same length; a failure ends the run", {}, fixed},
        {"halving", "halves the step on failure, doubles it back later", halving_options(), halving},
    };
    return entries;
}

} // namespace rubato
