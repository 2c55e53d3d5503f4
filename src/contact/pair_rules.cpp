#include "contact/pair_rules.hpp"

#include <algorithm>
#include <map>

namespace rubato {

PairRules::PairRules(std::size_t parts, PairRule everywhere)
    : class_of_(parts, 0)
    , size_{parts}
    , between_{{everywhere}}
    , within_{everywhere}
{
}

std::vector<std::size_t> PairRules::classes_of(const std::vector<Index>& parts)
{
    std::map<std::size_t, std::vector<Index>> found; // of each class, those of its parts that are meant
    for (const Index part : parts) found[class_of(part)].push_back(part);
    std::vector<std::size_t> all;
    for (auto& [old, members] : found) {
        std::sort(members.begin(), members.end());
        members.erase(std::unique(members.begin(), members.end()), members.end());
        if (members.size() == size_[old]) {
            all.push_back(old);
            continue;
        }
        // The members leave their class for a new one, to which all rules of the old one still apply.
        const std::size_t made = classes();
        for (const Index part : members) class_of_[static_cast<std::size_t>(part)] = static_cast<Index>(made);
        size_[old] -= members.size();
        size_.push_back(members.size());
        for (std::vector<PairRule>& row : between_) {
            const PairRule rule = row[old];
            row.push_back(rule);
        }
        const std::vector<PairRule> row = between_[old];
        between_.push_back(row);
        const PairRule rule = within_[old];
        within_.push_back(rule);
        all.push_back(made);
    }
    return all;
}

void PairRules::change(const std::vector<Index>& as, const std::vector<Index>& bs, const Change& change)
{
    classes_of(as); // the second list may split the classes of the first
    const std::vector<std::size_t> second = classes_of(bs), first = classes_of(as);
    for (const std::size_t i : first) {
        for (const std::size_t j : second) {
            change(between_[i][j]);
            between_[j][i] = between_[i][j];
            if (i == j) change(within_[i]);
        }
    }
}

void PairRules::change_within(const Change& change)
{
    for (PairRule& rule : within_) change(rule);
}

void PairRules::set(Index a, Index b, PairRule rule)
{
    change({a}, {b}, [&](PairRule& now) { now = rule; });
}

} // namespace rubato
