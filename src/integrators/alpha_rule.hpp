#pragma once

#include "base/options.hpp"
#include "integrators/history.hpp"

#include <vector>

namespace rubato {

/// The error of the total energy as a function of alpha, when v' = w - alpha dv (000 eq. 15-16):
///
///     e(alpha) = square alpha^2 - slope alpha + offset,     square = 1/2 |dv|^2_M,  slope = <w, dv>_M,
///                                                           offset = P(x') + K(w) - target            [J]
struct EnergyParabola {
    double square = 0, slope = 0, offset = 0;
    double size = 0; ///< of the energies that `offset` is a difference of [J]: round-off is relative to it

    double at_one() const { return offset - slope + square; } ///< e(1) [J]
};

/// The alpha with e(alpha) = 0 that is nearer to 1; the vertex if there is none; 1 if alpha makes no difference.
double root_near_one(const EnergyParabola& e);

/// Chooses alpha: always 1 (the symplectic methods), or by a search for the energy target within a range.
///
/// A sparse rule searches only when e(1) has had the same sign in three steps in a row, this one included, and then
/// begins to count anew (000 sec. 5.6 (3)). The count is history: it moves in `accept`.
class AlphaRule final : public Remembered {
public:
    static AlphaRule always_one() { return AlphaRule(1, 1, Search::never); }
    static AlphaRule search(double least, double most) { return AlphaRule(least, most, Search::every_step); }
    static AlphaRule sparse(double least, double most) { return AlphaRule(least, most, Search::sparse); }

    static std::vector<OptionSpec> options(); ///< alpha_min, alpha_max
    static AlphaRule search(const Options& options)
    {
        return search(range_of(options).first, range_of(options).second);
    }
    static AlphaRule sparse(const Options& options)
    {
        return sparse(range_of(options).first, range_of(options).second);
    }

    bool searches() const { return search_ != Search::never; } ///< false: alpha is 1, whatever the energy
    double alpha(const EnergyParabola& e);
    /// The same for a step whose implicit method ends at next.x with the velocity w and dissipates this much; writes
    /// next.v = w - alpha dv.
    double found(const StepRequest& r, const Vector& w, const Vector& dv, const Dissipated& dissipated, State& next);

    void accept(const State&) override { run_ = pending_; }
    void restart() override { run_ = 0; }
    void serialize(Archive& archive) override;

private:
    enum class Search { never, every_step, sparse };
    AlphaRule(double least, double most, Search search)
        : least_(least)
        , most_(most)
        , search_(search)
    {
    }
    static std::pair<double, double> range_of(const Options& options); ///< throws InputError if it is empty

    double least_, most_;
    Search search_;
    int run_ = 0; // history: how many errors of one sign in a row; their sign is its sign
    int pending_ = 0; // becomes run_ when the step is accepted
};

} // namespace rubato
