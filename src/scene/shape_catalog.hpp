#pragma once

#include "base/options.hpp"

#include <functional>
#include <string>
#include <vector>

/// What a body is like when the run starts: displaced from its rest shape, and moving.
namespace rubato {

/// The positions of a body's nodes at the moment a rule is made for them [m], and its centre of mass.
struct BodyPose {
    const std::vector<Vec3>& x;
    Vec3 center_of_mass;

    /// Least and greatest x . axis over the nodes.
    std::pair<double, double> extent(const Vec3& axis) const;
    Vec3 box_center() const; ///< of the bounding box
};

/// Called once for each node, in the order of the mesh.
using PointRule = std::function<Vec3(const Vec3& x)>;

/// One line of the catalog of initial deformations (the rule gives the new position of a point [m]) or of initial
/// velocities (the velocity at a point [m/s]).
struct PointRuleEntry {
    std::string name, summary;
    std::vector<OptionSpec> options;
    /// Throws InputError when the options do not fit together.
    std::function<PointRule(const Options&, const BodyPose&)> make;
};

const std::vector<PointRuleEntry>& deformation_catalog();
const std::vector<PointRuleEntry>& velocity_catalog();

inline double radians(double degrees) { return degrees * 3.14159265358979323846 / 180; }

} // namespace rubato
