#include "potentials/tetrahedra.hpp"

#include "base/parallel.hpp"
#include "materials/all.hpp"
#include "math/roots.hpp"
#include "potentials/stressed.hpp"
#include "potentials/tet_lanes.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <cmath>

/// Elastic energy of linear tetrahedra:   P(x) = sum_e volume_e Psi(F_e)
///
///     Ds   deformed edges [x1-x0, x2-x0, x3-x0]         F = Ds Dm_inv   deformation gradient, constant in the element
///     b_a  gradient of node a's shape function [1/m]: rows of Dm_inv for a = 1..3, b_0 = -(b_1 + b_2 + b_3),
///          so that F = sum_a x_a b_a^T
///     P    first Piola stress dPsi/dF [Pa]              D_kl  3x3 blocks of dP/dF (columns k and l of P and F)
///
///     force on node a:   -volume P b_a
///     stiffness (a, b):   volume sum_kl b_a[k] D_kl b_b[l]
namespace rubato {

void add_lumped_mass(const TetBatches& tets, double density, Vector& nodal_mass)
{
    for (Index e = 0; e < tets.size; ++e) {
        for (const Index i : tets.nodes(e)) nodal_mass[i] += 0.25 * density * tets.volume(e);
    }
}

namespace {

template <class Material>
class Tetrahedra final : public Potential, public Stressed {
public:
    Tetrahedra(const Material& material, TetBatches tets)
        : material_(material)
        , tets_(std::move(tets))
        , listed_(tets_)
        , values_(static_cast<std::size_t>(tets_.batches.size()) * TetBatches::lanes, 0)
        , kernels_(tet_lanes<Material>())
    {
        caps_.resize(tets_.batches.size());
    }

    std::string_view name() const override { return Material::name; }
    EnergyKind kind() const override { return EnergyKind::elastic; }
    Invariance invariance() const override { return {.translation = true, .rotation = true}; }
    void pattern(BlockPattern& pattern) const override { tets_.pattern(pattern); }

    void add(const Vector& x, double /*t*/, Assembly& out) override
    {
        listed_.list(out.only);
        const BatchSums* slots = out.hessian != nullptr ? &slots_.in(tets_, *out.hessian) : nullptr;
        const auto cluster = [&](const TetBatches::Cluster& c) {
            for (Index b = c.first; b < c.last; ++b) add_batch(b, x, out, slots);
        };
        for (const std::vector<TetBatches::Cluster>& colour : tets_.colours) {
            parallel_for(
                static_cast<Index>(colour.size()), [&](Index k) { cluster(colour[static_cast<std::size_t>(k)]); }, 1);
        }
        if (out.value != nullptr) *out.value += out.value_weight * ordered_sum(values_);
    }

    /// Barrier materials: det(F + a dF) is a cubic in a; the step is capped at its smallest positive root.
    double max_step(const Vector& x, const Vector& p) const override
    {
        if constexpr (!Material::is_barrier) return std::numeric_limits<double>::infinity();
        parallel_for(
            static_cast<Index>(tets_.batches.size()),
            [&](Index b) {
                double cap = std::numeric_limits<double>::infinity();
                const Index last = std::min((b + 1) * TetBatches::lanes, tets_.size);
                fetch_batch(b + 1, x.data(), p.data());
                unsigned within = kernels_.may_invert(input(b, x), p.data());
                for (Index e = b * TetBatches::lanes; e < last; ++e, within >>= 1) {
                    if ((within & 1) != 0) cap = std::min(cap, cap_of(e, x, p));
                }
                caps_[static_cast<std::size_t>(b)] = cap;
            },
            16);
        double cap = std::numeric_limits<double>::infinity();
        for (const double c : caps_) cap = std::min(cap, c);
        return cap;
    }

    void add_stress(const Vector& x, Vector& weighted, Vector& volume) const override
    {
        // Elements in parallel, then sums in a fixed order: the result does not depend on the number of threads.
        std::vector<double> stress(static_cast<std::size_t>(tets_.size));
        parallel_for(tets_.size, [&](Index e) {
            const Mat3 F = edges(x, e) * tets_.Dm_inv(e);
            const double J = F.determinant();
            Mat3 P = Mat3::Zero();
            stress[static_cast<std::size_t>(e)]
                = J > 0 && std::isfinite(density_and_stress(material_, F, P)) ? von_mises(P, F, J) : -1;
        });
        for (Index e = 0; e < tets_.size; ++e) {
            const double s = stress[static_cast<std::size_t>(e)];
            if (s < 0) continue;
            for (const Index i : tets_.nodes(e)) {
                weighted[i] += tets_.volume(e) * s;
                volume[i] += tets_.volume(e);
            }
        }
    }

private:
    static constexpr Index most_slots = TetBatches::lanes * TetLanesOut::blocks_of_one; // of a batch

    Mat3 edges(const Vector& x, Index e) const
    {
        const std::array<Index, 4> n = tets_.nodes(e);
        Mat3 Ds;
        const Vec3 x0 = node(x, n[0]);
        for (int k = 0; k < 3; ++k) Ds.col(k) = node(x, n[static_cast<std::size_t>(k) + 1]) - x0;
        return Ds;
    }

    TetLanesIn input(Index b, const Vector& x) const
    {
        const TetBatches::Batch& batch = tets_.batches[static_cast<std::size_t>(b)];
        return {x.data(), batch.nodes, batch.Dm_inv, batch.volume, false, 0};
    }

    unsigned projected_lanes(Index b, const Projected& projected) const
    {
        if (projected.everywhere()) return 0xff;
        unsigned bits = 0;
        for (Index l = 0; l < TetBatches::lanes; ++l) {
            if (projected.at(tets_.nodes(b * TetBatches::lanes + l))) bits |= 1u << l;
        }
        return bits;
    }

    /// Asks for the blocks that a batch will add to, before it is evaluated: they lie here and there, and waiting for
    /// them would take as long as everything else. Inlined by force: GCC drops calls of functions that only prefetch.
    [[gnu::always_inline]] static void fetch_blocks(const BatchSums::Batch& slots, double* matrix)
    {
        for (Index k = 0; k < slots.count; ++k) {
            const double* const block = matrix + 9 * static_cast<std::ptrdiff_t>(slots.places[k]);
            __builtin_prefetch(block, 1);
            __builtin_prefetch(block + 8, 1); // mostly in the next line
        }
    }

    /// The same for the elements of a batch, and what its nodes have in some tables of three numbers for each.
    template <class... Tables>
    [[gnu::always_inline]] void fetch_batch(Index b, const Tables*... tables) const
    {
        if (b >= static_cast<Index>(tets_.batches.size())) return;
        const char* const batch = reinterpret_cast<const char*>(&tets_.batches[static_cast<std::size_t>(b)]);
        for (std::size_t at = 0; at < sizeof(TetBatches::Batch); at += 64) __builtin_prefetch(batch + at);
        const BatchSums::Batch nodes = tets_.forces[b];
        for (Index k = 0; k < nodes.count; ++k) {
            (__builtin_prefetch(tables + 3 * static_cast<std::ptrdiff_t>(nodes.places[k])), ...);
        }
    }

    void add_batch(Index b, const Vector& x, const Assembly& out, const BatchSums* all_slots)
    {
        const unsigned wanted = listed_.lanes_of(b);
        double* const values = &values_[static_cast<std::size_t>(b) * TetBatches::lanes];
        if (wanted == 0) {
            std::fill(values, values + TetBatches::lanes, 0.0);
            return;
        }
        const bool wants_gradient = out.gradient != nullptr, wants_hessian = all_slots != nullptr;
        wants_gradient ? fetch_batch(b + 1, x.data(), out.gradient->data()) : fetch_batch(b + 1, x.data());
        TetLanesIn in = input(b, x);
        BatchSums::Batch slots{};
        Index moved[most_slots];
        if (wants_hessian) {
            in.wants_hessian = true;
            in.projected = projected_lanes(b, out.projected);
            in.hessian_weight = out.hessian_weight;
            slots = (*all_slots)[b];
            for (Index k = 0; k < slots.count; ++k) moved[k] = out.hessian->from_root(slots.places[k]);
            slots.places = moved;
            fetch_blocks(slots, out.hessian->values());
        }
        TetLanesOut at;
        (wants_gradient || wants_hessian ? kernels_.gradient : kernels_.value)(material_, in, at);
        if (in.projected != 0 && out.lift > 0) at.unusual |= in.projected;
        for (unsigned rest = at.unusual & wanted; rest != 0; rest &= rest - 1) {
            evaluate_one(b, __builtin_ctz(rest), x, in, out.lift, at);
        }
        const unsigned missing = ~wanted & 0xff;
        std::copy(at.value, at.value + TetBatches::lanes, values);
        for (unsigned rest = missing; rest != 0; rest &= rest - 1) {
            const int l = __builtin_ctz(rest);
            values[l] = 0;
            if (wants_gradient) std::fill_n(at.gradient + TetParts::force(l, 0), 12, 0.0);
            if (wants_hessian) set_zero(at, l);
        }
        if (wants_gradient) {
            kernels_.add_gradient(at, tets_.forces[b], out.gradient_weight, out.gradient->data());
        }
        if (wants_hessian) kernels_.add_blocks(at, slots, out.hessian->values());
    }

    static void set_zero(TetLanesOut& at, int l)
    {
        const int first = TetParts::block(l, 0), end = TetParts::block(l + 1, 0);
        std::fill(at.block[first], at.block[end], 0.0);
        std::fill(at.ninth + first, at.ninth + end, 0.0);
    }

    /// What the vector code leaves over: one element, with all precision there is.
    void evaluate_one(Index b, Index l, const Vector& x, const TetLanesIn& in, double lift, TetLanesOut& at) const
    {
        const Index e = b * TetBatches::lanes + l;
        const Mat3 B = tets_.Dm_inv(e);
        const double volume = tets_.volume(e);
        const Mat3 F = edges(x, e) * B;
        Mat3 P = Mat3::Zero();
        if (in.wants_hessian) {
            Mat9 dPdF = Mat9::Zero();
            at.value[l] = volume * density_stress_stiffness(material_, F, P, dPdF, (in.projected >> l & 1) != 0, lift);
            stiffness(B, in.hessian_weight * volume, dPdF, l, at);
        } else {
            at.value[l] = volume * density_and_stress(material_, F, P);
        }
        const Mat3 forces = volume * P * B.transpose(); // columns: nodes 1, 2, 3
        Eigen::Map<Vec3>(at.gradient + TetParts::force(l, 0)) = -(forces.col(0) + forces.col(1) + forces.col(2));
        Eigen::Map<Mat3>(at.gradient + TetParts::force(l, 1)) = forces;
    }

    static void stiffness(const Mat3& B, double weight, const Mat9& dPdF, int element, TetLanesOut& at)
    {
        int block = 0;
        Eigen::Matrix<double, 4, 3> b; // rows b_0 .. b_3
        b.bottomRows<3>() = B;
        b.row(0) = -B.colwise().sum();
        for (int i = 0; i < 4; ++i) {
            for (int j = i; j < 4; ++j, ++block) {
                Mat3 K = Mat3::Zero();
                for (int k = 0; k < 3; ++k) {
                    for (int l = 0; l < 3; ++l) K += (weight * b(i, k) * b(j, l)) * dPdF.block<3, 3>(3 * k, 3 * l);
                }
                for (int k = 0; k < 9; ++k) at.entry(element, block, k) = K.data()[k];
            }
        }
    }

    double cap_of(Index e, const Vector& x, const Vector& p) const
    {
        const Mat3 F = edges(x, e) * tets_.Dm_inv(e);
        const Mat3 G = edges(p, e) * tets_.Dm_inv(e);
        const auto triple = [](const auto& a, const auto& b, const auto& c) { return a.dot(b.cross(c)); };
        const Vec3 f0 = F.col(0), f1 = F.col(1), f2 = F.col(2);
        const Vec3 g0 = G.col(0), g1 = G.col(1), g2 = G.col(2);
        const double c0 = triple(f0, f1, f2);
        const double c1 = triple(g0, f1, f2) + triple(f0, g1, f2) + triple(f0, f1, g2);
        const double c2 = triple(f0, g1, g2) + triple(g0, f1, g2) + triple(g0, g1, f2);
        const double c3 = triple(g0, g1, g2);
        return c0 > 0 ? smallest_positive_root(c3, c2, c1, c0, 1.0) : 0.0;
    }

    Material material_;
    TetBatches tets_;
    ListedBatches listed_;
    BatchSlots slots_;
    std::vector<double> values_; // one for each element; those that are not listed have none
    const TetLanes<Material>& kernels_;
    mutable std::vector<double> caps_; // work of max_step
};

const OptionSpec young{.name = "young",
    .type = OptionType::real,
    .unit = "Pa",
    .summary = "Young's modulus.",
    .least = 0,
    .least_open = true};
const OptionSpec poisson{.name = "poisson",
    .type = OptionType::real,
    .fallback = 0.3,
    .summary = "Poisson's ratio.",
    .least = -1,
    .most = 0.5,
    .least_open = true,
    .most_open = true};

} // namespace

const std::vector<MaterialEntry>& tetrahedra_catalog()
{
    static const std::vector<MaterialEntry> catalog = [] {
        std::vector<MaterialEntry> entries;
        for_each_material([&]<class Material>() {
            entries.push_back({Material::name, Material::summary, {young, poisson}, Material::is_barrier,
                [](const Options& options, TetBatches tets) -> std::unique_ptr<Potential> {
                    const Lame lame = Lame::from_young_poisson(options.real("young"), options.real("poisson"));
                    return std::make_unique<Tetrahedra<Material>>(Material(lame), std::move(tets));
                }});
        });
        return entries;
    }();
    return catalog;
}

} // namespace rubato
