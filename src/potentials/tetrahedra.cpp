#include "potentials/tetrahedra.hpp"

#include "materials/all.hpp"
#include "math/roots.hpp"
#include "potentials/element_scatter.hpp"
#include "potentials/stressed.hpp"

#include <Eigen/LU>

#include <cassert>
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

TetrahedraTable::TetrahedraTable(std::vector<Tet> elements, const Vector& X)
    : tets(std::move(elements))
{
    Dm_inv.reserve(tets.size());
    volume.reserve(tets.size());
    for (const Tet& t : tets) {
        Mat3 Dm;
        for (int k = 0; k < 3; ++k) Dm.col(k) = node(X, t[static_cast<std::size_t>(k) + 1]) - node(X, t[0]);
        const double det = Dm.determinant();
        assert(det > 0 && "rest tetrahedra have positive volume");
        Dm_inv.push_back(Dm.inverse());
        volume.push_back(det / 6);
    }
}

void add_lumped_mass(const TetrahedraTable& table, double density, Vector& nodal_mass)
{
    for (std::size_t e = 0; e < table.tets.size(); ++e) {
        for (const Index i : table.tets[e]) nodal_mass[i] += 0.25 * density * table.volume[e];
    }
}

namespace {

template <class Material>
class Tetrahedra final : public Potential, public Stressed {
public:
    Tetrahedra(const Material& material, TetrahedraTable table)
        : material_(material)
        , Dm_inv_(std::move(table.Dm_inv))
        , volume_(std::move(table.volume))
        , scatter_(std::move(table.tets))
    {
        caps_.resize(volume_.size());
    }

    std::string_view name() const override { return Material::name; }
    EnergyKind kind() const override { return EnergyKind::elastic; }
    Invariance invariance() const override { return {.translation = true, .rotation = true}; }
    void pattern(BlockPattern& pattern) const override { scatter_.pattern(pattern); }

    void add(const Vector& x, double /*t*/, Assembly& out) override
    {
        const Projected projected = out.projected;
        const double lift = out.lift;
        scatter_.run(out, [&](Index e, Vec12* g, Mat12* H) {
            const auto k = static_cast<std::size_t>(e);
            const Mat3& B = Dm_inv_[k];
            const Mat3 F = edges(x, e) * B;
            if (g == nullptr && H == nullptr) return volume_[k] * energy_density(material_, F);
            Mat3 P = Mat3::Zero();
            double Psi;
            if (H != nullptr) {
                Mat9 dPdF = Mat9::Zero();
                Psi = density_stress_stiffness(material_, F, P, dPdF, projected.at(scatter_.nodes(e)), lift);
                stiffness(B, volume_[k], dPdF, *H);
            } else {
                Psi = density_and_stress(material_, F, P);
            }
            if (g != nullptr) {
                const Mat3 forces = volume_[k] * P * B.transpose(); // columns: nodes 1, 2, 3
                g->template segment<3>(0) = -(forces.col(0) + forces.col(1) + forces.col(2));
                for (int a = 0; a < 3; ++a) g->template segment<3>(3 * (a + 1)) = forces.col(a);
            }
            return volume_[k] * Psi;
        });
    }

    /// Barrier materials: det(F + a dF) is a cubic in a; the step is capped at its smallest positive root.
    double max_step(const Vector& x, const Vector& p) const override
    {
        if constexpr (!Material::is_barrier) return std::numeric_limits<double>::infinity();
        parallel_for(scatter_.size(), [&](Index e) {
            const auto k = static_cast<std::size_t>(e);
            const Mat3 F = edges(x, e) * Dm_inv_[k];
            const Mat3 ways = edges(p, e);
            if (ways.isZero(0) && F.determinant() > 0) { // mostly outside the region that a solve is about
                caps_[k] = std::numeric_limits<double>::infinity();
                return;
            }
            const Mat3 G = ways * Dm_inv_[k];
            const auto triple = [](const auto& a, const auto& b, const auto& c) { return a.dot(b.cross(c)); };
            const Vec3 f0 = F.col(0), f1 = F.col(1), f2 = F.col(2);
            const Vec3 g0 = G.col(0), g1 = G.col(1), g2 = G.col(2);
            const double c0 = triple(f0, f1, f2);
            const double c1 = triple(g0, f1, f2) + triple(f0, g1, f2) + triple(f0, f1, g2);
            const double c2 = triple(f0, g1, g2) + triple(g0, f1, g2) + triple(g0, g1, f2);
            const double c3 = triple(g0, g1, g2);
            caps_[k] = c0 > 0 ? smallest_positive_root(c3, c2, c1, c0, 1.0) : 0.0;
        });
        double cap = std::numeric_limits<double>::infinity();
        for (const double c : caps_) cap = std::min(cap, c);
        return cap;
    }

    void add_stress(const Vector& x, Vector& weighted, Vector& volume) const override
    {
        // Elements in parallel, then sums in a fixed order: the result does not depend on the number of threads.
        std::vector<double> stress(volume_.size());
        parallel_for(scatter_.size(), [&](Index e) {
            const auto k = static_cast<std::size_t>(e);
            const Mat3 F = edges(x, e) * Dm_inv_[k];
            const double J = F.determinant();
            Mat3 P = Mat3::Zero();
            stress[k] = J > 0 && std::isfinite(density_and_stress(material_, F, P)) ? von_mises(P, F, J) : -1;
        });
        for (Index e = 0; e < scatter_.size(); ++e) {
            const auto k = static_cast<std::size_t>(e);
            if (stress[k] < 0) continue;
            for (const Index i : scatter_.nodes(e)) {
                weighted[i] += volume_[k] * stress[k];
                volume[i] += volume_[k];
            }
        }
    }

private:
    Mat3 edges(const Vector& x, Index e) const
    {
        const auto& n = scatter_.nodes(e);
        Mat3 Ds;
        const Vec3 x0 = node(x, n[0]);
        for (int k = 0; k < 3; ++k) Ds.col(k) = node(x, n[static_cast<std::size_t>(k) + 1]) - x0;
        return Ds;
    }

    static void stiffness(const Mat3& B, double volume, const Mat9& dPdF, Mat12& H)
    {
        Eigen::Matrix<double, 4, 3> b; // rows b_0 .. b_3
        b.bottomRows<3>() = B;
        b.row(0) = -B.colwise().sum();
        // half_k(b) = volume sum_l D_kl b_b[l], then (a, b) = sum_k b_a[k] half_k(b), for a <= b
        for (int j = 0; j < 4; ++j) {
            std::array<Mat3, 3> half;
            for (int k = 0; k < 3; ++k) {
                half[static_cast<std::size_t>(k)] = volume
                    * (b(j, 0) * dPdF.block<3, 3>(3 * k, 0) + b(j, 1) * dPdF.block<3, 3>(3 * k, 3)
                        + b(j, 2) * dPdF.block<3, 3>(3 * k, 6));
            }
            for (int i = 0; i <= j; ++i) {
                H.block<3, 3>(3 * i, 3 * j) = b(i, 0) * half[0] + b(i, 1) * half[1] + b(i, 2) * half[2];
            }
        }
    }

    Material material_;
    std::vector<Mat3> Dm_inv_;
    std::vector<double> volume_;
    ElementScatter<4> scatter_;
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
                [](const Options& options, TetrahedraTable table) -> std::unique_ptr<Potential> {
                    const Lame lame = Lame::from_young_poisson(options.real("young"), options.real("poisson"));
                    return std::make_unique<Tetrahedra<Material>>(Material(lame), std::move(table));
                }});
        });
        return entries;
    }();
    return catalog;
}

} // namespace rubato
