#pragma once

#include "base/options.hpp"
#include "dynamics/prescription.hpp"
#include "potentials/profiles.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rubato {

struct Block;

/// One line of the motion catalog: paths for scripted nodes and for the points that attachments are tied to.
struct MotionEntry {
    std::string name, summary;
    std::vector<OptionSpec> options;
    /// Throws InputError when the options do not fit together.
    std::function<std::shared_ptr<const Motion>(const Options&)> make;
    /// The shortest time in which it goes somewhere and turns [s]: in longer steps that is not seen. Empty: never
    /// turns.
    std::function<double(const Options&)> turns_within = {};
};

const std::vector<MotionEntry>& motion_catalog();

/// The "motion" of a block; one without stays where it is.
std::shared_ptr<const Motion> motion_of(const Block& block);

/// One line of the profile catalog: how the size of a force changes over time.
struct ForceProfileEntry {
    std::string name, summary;
    std::vector<OptionSpec> options;
    /// Null means a constant 1. Throws InputError like MotionEntry::make.
    std::function<std::shared_ptr<const ForceProfile>(const Options&)> make;
    /// How long the shortest part of it lasts [s], of an oscillation a quarter of the period: in longer steps its mean
    /// acts. Empty: it never changes.
    std::function<double(const Options&)> length = {};
};

const std::vector<ForceProfileEntry>& force_profile_catalog();

} // namespace rubato
