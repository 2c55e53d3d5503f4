#pragma once

#include "base/types.hpp"

#include <functional>
#include <vector>

namespace rubato {

/// What holds between two parts.
struct PairRule {
    bool touch = true; ///< false: they pass through each other
    double friction = 0; ///< Coulomb's coefficient
};

/// The rules for all pairs of parts. Parts that no rule tells apart form a class, and a rule is kept for each pair of
/// classes: a scene of thousands of copies has a few classes, and a table of all pairs of parts would fill the memory.
class PairRules {
public:
    explicit PairRules(std::size_t parts, PairRule everywhere = {});

    PairRule at(Index a, Index b) const
    {
        const std::size_t i = place(class_of_, a), j = place(class_of_, b);
        return a == b ? within_[i] : between_[i][j];
    }

    /// Of one pair of parts, in both orders.
    void set(Index a, Index b, PairRule rule);
    /// Of every pair of one part of `as` and one of `bs`, in both orders; parts in both meet themselves too.
    using Change = std::function<void(PairRule&)>;
    void change(const std::vector<Index>& as, const std::vector<Index>& bs, const Change& change);
    /// Of every part with itself.
    void change_within(const Change& change);

    // For whoever looks at all of them.
    std::size_t classes() const { return within_.size(); }
    std::size_t class_of(Index part) const { return place(class_of_, part); }
    const PairRule& between(std::size_t i, std::size_t j) const { return between_[i][j]; } ///< different parts
    const PairRule& within(std::size_t i) const { return within_[i]; } ///< a part with itself

private:
    static std::size_t place(const std::vector<Index>& of, Index part)
    {
        return static_cast<std::size_t>(of[static_cast<std::size_t>(part)]);
    }
    /// The classes of some parts, split so that they hold no others.
    std::vector<std::size_t> classes_of(const std::vector<Index>& parts);

    std::vector<Index> class_of_; ///< by part
    std::vector<std::size_t> size_; ///< by class: its parts
    std::vector<std::vector<PairRule>> between_; ///< by two classes, in both orders
    std::vector<PairRule> within_; ///< by class
};

} // namespace rubato
