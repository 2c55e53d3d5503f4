#pragma once

#include "contact/contact.hpp"
#include "contact/nearby_pairs.hpp"
#include "contact/pair_shape.hpp"

namespace rubato {

/// Two primitives closer than dhat.
struct ContactPair {
    PairKind kind;
    int corners; ///< how many nodes it has
    std::array<Index, 4> node; ///< node numbers, as the kind orders them
    Nearest at;
    double weight; ///< area that it stands for [m^2]; 0: another piece of the same flat face is nearer
    double offset; ///< sum of the radii: the gap is |at.gap| - offset [m]
    double mollifier_eps; ///< of edge pairs that are nearly parallel [m^4]; 0: not mollified
    Index part_a, part_b;
    Index flat_face = -1; ///< that the triangle is a piece of; -1: none
    double area = 0; ///< weight of the nearest piece [m^2]

    double distance() const { return std::sqrt(at.d2) - offset; } ///< [m]
};

/// A point closer than dhat to a half-space.
struct PlaneContact {
    Index node;
    Index half_space;
    double weight; ///< [m^2]
    double distance; ///< [m]
    Index part;
};

/// What is close, for any configuration: the search for pairs, shared by the barrier and friction.
///
/// The last answer is kept, since value, gradient and Hessian at one place are often asked
/// for one after the other; where only some nodes have moved since, only their pairs are looked at.
class ContactSet {
public:
    ContactSet(CollisionSurface surface, PairRules rules, double dhat, const Vector& X);

    ContactSet(const ContactSet&) = delete; // the broad phase refers to its neighbours
    ContactSet& operator=(const ContactSet&) = delete;

    /// Brings pairs() and planes() up to date for x.
    void update(const Vector& x);
    const std::vector<ContactPair>& pairs() const { return pairs_; }
    const std::vector<PlaneContact>& planes() const { return planes_; }
    Touching touching() const; ///< at the last update

    /// The part of the way from x to x + p that keeps everything apart; more than 1 for all of it.
    double max_step(const Vector& x, const Vector& p);

    const CollisionSurface& surface() const { return surface_; }
    const PairRules& rules() const { return rules_; }
    double dhat() const { return dhat_; }

private:
    bool carry_over();
    void list_moved(const Vector& x, bool all);
    void list_pairs();
    void choose_pieces();
    void list_planes(const Vector& x);
    ContactPair described(const CandidatePair& candidate, const PairShape& shape, const Nearest& at) const;
    bool list_on_the_way(const Vector& x, const Vector& p, double from, double to, std::size_t most);
    double plane_step(const Vector& x, const Vector& p) const;

    CollisionSurface surface_;
    PairRules rules_;
    double dhat_;
    NearbyPairs nearby_; // the candidates
    Vector x_now_; // of the last update
    std::vector<Nearest> nearest_; // of each candidate, where its boxes were close when it was last looked at
    std::vector<Index> place_, places_before_; // of each candidate in pairs_; negative: not close
    std::vector<ContactPair> pairs_, pairs_before_;
    std::vector<PlaneContact> planes_;
    std::vector<char> node_moved_, is_close_; // work of update: by node; by entry of moved_
    std::vector<Index> moved_; // candidates that are to be looked at
    std::vector<PairShape> on_the_way_; // work of max_step
    Vector begin_, leg_; // of a piece of the way
    std::vector<double> times_; // of impact, for each of them
};

} // namespace rubato
