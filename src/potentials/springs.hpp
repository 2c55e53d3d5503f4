#pragma once

#include "dynamics/potential.hpp"
#include "dynamics/prescription.hpp"
#include "potentials/element_scatter.hpp"

#include <memory>
#include <vector>

namespace rubato {

struct Spring {
    Index a, b; ///< nodes
    double stiffness; ///< k [N/m]
    double rest_length; ///< L [m], >= 0
    int group = 0; ///< springs of one group are changed together
};

/// P = sum 1/2 k (|x_a - x_b| - L)^2
class Springs final : public Potential {
public:
    explicit Springs(std::vector<Spring> springs);
    std::string_view name() const override { return "springs"; }
    EnergyKind kind() const override { return EnergyKind::elastic; }
    Invariance invariance() const override { return {.translation = true, .rotation = true}; }
    void pattern(BlockPattern& pattern) const override;
    void add(const Vector& x, double t, Assembly& out) override;
    bool set(std::string_view parameter, double value) override; ///< stiffness[i]: of group i [N/m]

private:
    std::vector<Spring> springs_;
    ElementScatter<2> scatter_;
};

struct Attachment {
    Index node;
    double stiffness; ///< k [N/m]
    Vec3 X; ///< where the motion starts from [m]
    std::shared_ptr<const Motion> motion; ///< the point it is tied to
    int group = 0; ///< attachments of one group are changed together
};

/// P = sum 1/2 k |x_i - p_i(t)|^2, p_i a point that may move.
class Attachments final : public Potential {
public:
    explicit Attachments(std::vector<Attachment> attachments);
    std::string_view name() const override { return "attachments"; }
    EnergyKind kind() const override { return EnergyKind::other; }
    void pattern(BlockPattern&) const override { }
    void add(const Vector& x, double t, Assembly& out) override;
    bool set(std::string_view parameter, double value) override; ///< stiffness[i]: of group i [N/m]
    bool depends_on_time() const override { return moving_; }

private:
    std::vector<Attachment> attachments_;
    bool moving_ = false;
};

} // namespace rubato
