#pragma once

#include "potentials/isa/rank_one_projection.hpp"
#include "potentials/isa/svd3_lanes.hpp"
#include "potentials/tet_lanes.hpp"

/// Elastic energy of eight tetrahedra, its gradient and its Hessian (symbols as in tetrahedra.cpp):
///
///     F = Ds Dm_inv        b_a  rows of Dm_inv, shape gradients of nodes 1 to 3 [1/m]; node 0: b_0 = -(b_1 + b_2 +
///     b_3) gradient of node a:  volume P b_a
///
/// Blocks K_ab of the Hessian are computed for nodes 1 to 3, those of node 0 follow: the rows of K add up to zero. In
/// the frame of the singular vectors, F = U diag(sigma) V^T and c_a = V^T b_a,
///
///     K_ab = volume U M_ab U^T,   M_ab[r][r] = sum_j c_a[j] c_b[j] d_rj,    d_rr = scaling_rr, d_rj = same_k
///                                 M_ab[r][s] = scaling_rs c_a[r] c_b[s] + cross_k c_a[s] c_b[r]
///
/// with k the pair (r, s), same and cross half the sum and half the difference of its two modes
/// (docs/derivations/isotropic_stiffness.md); or, where a material has it, by its RankOneStiffness.
namespace rubato {
inline namespace RUBATO_ISA {

namespace tet_lanes_detail {

using Three = Triple<Lanes>;
using Nine = Square<Lanes>;

template <class M>
concept HasRankOneStiffness = requires(const M& m, const Nine& F, Nine& P, RankOneStiffness<Lanes>& k)
{
    m.Psi_and_stress(F, P, k);
};

RUBATO_INLINE Lanes loaded(const double* from)
{
    Lanes out;
    __builtin_memcpy(&out, from, sizeof out);
    return out;
}

RUBATO_INLINE Three gathered(const TetLanesIn& in, const double* from, int a)
{
    Three out;
    for (int l = 0; l < lane_count; ++l) {
        const double* x = from + 3 * static_cast<std::int64_t>(in.nodes[a][l]);
        out[0].at[l] = x[0];
        out[1].at[l] = x[1];
        out[2].at[l] = x[2];
    }
    return out;
}

/// Rows b_1, b_2, b_3.
struct ShapeGradients {
    Three b[3];
};

RUBATO_INLINE ShapeGradients shape_gradients(const TetLanesIn& in)
{
    ShapeGradients out;
    for (int a = 0; a < 3; ++a) {
        for (int c = 0; c < 3; ++c) out.b[a][c] = loaded(in.Dm_inv[3 * a + c]);
    }
    return out;
}

/// Of the positions, or of the ways that nodes go.
RUBATO_INLINE Nine gradient_of(const TetLanesIn& in, const double* x, const ShapeGradients& shape)
{
    const Three x0 = gathered(in, x, 0);
    const Three e1 = gathered(in, x, 1) - x0, e2 = gathered(in, x, 2) - x0, e3 = gathered(in, x, 3) - x0;
    Nine F;
    for (int c = 0; c < 3; ++c) F.col(c) = shape.b[0][c] * e1 + shape.b[1][c] * e2 + shape.b[2][c] * e3;
    return F;
}

template <int... from>
RUBATO_INLINE Lanes shuffled(const Lanes& a, const Lanes& b)
{
    return __builtin_shufflevector(a.at, b.at, from...);
}

/// Eight rows of eight lanes become eight columns: out[l * stride + i] = row[i][l].
RUBATO_INLINE void store_transposed(const Lanes* row, double* out, int stride)
{
    Lanes a[8], b[8];
    for (int i = 0; i < 4; ++i) { // pairs of rows, then of pairs, then of halves
        a[2 * i] = shuffled<0, 8, 2, 10, 4, 12, 6, 14>(row[2 * i], row[2 * i + 1]);
        a[2 * i + 1] = shuffled<1, 9, 3, 11, 5, 13, 7, 15>(row[2 * i], row[2 * i + 1]);
    }
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 2; ++k) {
            b[4 * i + k] = shuffled<0, 1, 8, 9, 4, 5, 12, 13>(a[4 * i + k], a[4 * i + 2 + k]);
            b[4 * i + 2 + k] = shuffled<2, 3, 10, 11, 6, 7, 14, 15>(a[4 * i + k], a[4 * i + 2 + k]);
        }
    }
    for (int k = 0; k < 4; ++k) {
        const Lanes low = shuffled<0, 1, 2, 3, 8, 9, 10, 11>(b[k], b[4 + k]);
        const Lanes high = shuffled<4, 5, 6, 7, 12, 13, 14, 15>(b[k], b[4 + k]);
        __builtin_memcpy(out + k * stride, &low, sizeof low);
        __builtin_memcpy(out + (k + 4) * stride, &high, sizeof high);
    }
}

RUBATO_INLINE void store_gradient(const Nine& P, const ShapeGradients& shape, const Lanes& volume, TetLanesOut& out)
{
    Lanes rows[16];
    const Three f1 = volume * (P * shape.b[0]), f2 = volume * (P * shape.b[1]), f3 = volume * (P * shape.b[2]);
    for (int c = 0; c < 3; ++c) {
        rows[c] = -(f1[c] + f2[c] + f3[c]);
        rows[3 + c] = f1[c];
        rows[6 + c] = f2[c];
        rows[9 + c] = f3[c];
        rows[12 + c] = rows[15] = Lanes(0);
    }
    store_transposed(rows, out.gradient, 16);
    store_transposed(rows + 8, out.gradient + 8, 16);
}

/// The six blocks between nodes 1, 2 and 3, and the four of node 0 that follow from them.
class Blocks {
public:
    /// K_ab, 1 <= a <= b <= 3
    RUBATO_INLINE Nine& at(int a, int b) { return between_[a - 1][b - 1]; }

    RUBATO_INLINE void store(TetLanesOut& out)
    {
        Lanes ninth[16];
        const auto put = [&](int block, const Nine& K) {
            Lanes rows[8];
            for (int k = 0; k < 8; ++k) rows[k] = K(k % 3, k / 3);
            store_transposed(rows, out.block[block], sizeof out.block / sizeof(double) / lane_count);
            ninth[block] = K(2, 2);
        };
        const Three zero = Three::Constant(0.0);
        Nine corner{{zero, zero, zero}}; // K_00 = -(K_01 + K_02 + K_03)
        for (int b = 1; b <= 3; ++b) {
            Nine row; // K_0b = -(K_1b + K_2b + K_3b)
            for (int c = 0; c < 3; ++c) {
                for (int r = 0; r < 3; ++r) {
                    row(r, c) = -(entry(1, b, r, c) + entry(2, b, r, c) + entry(3, b, r, c));
                    corner(r, c) -= row(r, c);
                }
            }
            put(b, row);
        }
        put(0, corner);
        put(4, at(1, 1));
        put(5, at(1, 2));
        put(6, at(1, 3));
        put(7, at(2, 2));
        put(8, at(2, 3));
        put(9, at(3, 3));
        for (int i = TetLanesOut::blocks_of_one; i < 16; ++i) ninth[i] = Lanes(0);
        store_transposed(ninth, out.ninth, 16);
        store_transposed(ninth + 8, out.ninth + 8, 16);
    }

private:
    RUBATO_INLINE const Lanes& entry(int a, int b, int r, int c)
    {
        return a <= b ? between_[a - 1][b - 1](r, c) : between_[b - 1][a - 1](c, r);
    }
    Nine between_[3][3]; // only the upper half
};

/// w_a = F^-T b_a of nodes 1 to 3
struct PushedGradients {
    Three w[3];
    RUBATO_INLINE PushedGradients(const RankOneStiffness<Lanes>& k, const ShapeGradients& shape)
    {
        for (int a = 0; a < 3; ++a) w[a] = k.F_inverse_T * shape.b[a];
    }
};

RUBATO_INLINE void set_rank_one(const RankOneStiffness<Lanes>& k, const PushedGradients& pushed,
    const ShapeGradients& shape, const Lanes& weight, Blocks& blocks)
{
    const Three* const w = pushed.w;
    const Lanes plain = weight * k.plain, crossed = weight * k.crossed, straight = weight * k.straight;
    for (int b = 0; b < 3; ++b) {
        const Three cw = crossed * w[b], sw = straight * w[b];
        for (int a = 0; a <= b; ++a) {
            Nine& K = blocks.at(a + 1, b + 1);
            for (int c = 0; c < 3; ++c) {
                for (int r = 0; r < 3; ++r) K(r, c) = cw[r] * w[a][c] + sw[c] * w[a][r];
            }
            const Lanes diagonal = plain * shape.b[a].dot(shape.b[b]);
            for (int c = 0; c < 3; ++c) K(c, c) += diagonal;
        }
    }
}

/// weight/2 [r_a]x N [r_b]x^T, with r_a = R b_a = S w_a.
RUBATO_INLINE void add_twists(const Symmetric3Lanes& missing, const Symmetric3Lanes& S, const PushedGradients& pushed,
    const Lanes& weight, Blocks& blocks)
{
    const Lanes half = 0.5 * weight;
    const Three d = half * missing.diagonal, o = half * missing.pair;
    const Three N[3] = {{d[0], o[2], o[1]}, {o[2], d[1], o[0]}, {o[1], o[0], d[2]}};
    Three r[3];
    for (int a = 0; a < 3; ++a) r[a] = symmetric_product(S, pushed.w[a]);
    for (int b = 0; b < 3; ++b) {
        for (int c = 0; c < 3; ++c) { // column c of N [r_b]x, and then of that times -[r_a]x
            const int i = (c + 1) % 3, j = (c + 2) % 3;
            const Three NX = r[b][j] * N[i] - r[b][i] * N[j];
            for (int a = 0; a <= b; ++a) {
                Three& column = blocks.at(a + 1, b + 1).col(c);
                column = column + NX.cross(r[a]);
            }
        }
    }
}

[[gnu::noinline]] inline void rank_one_blocks(
    const RankOneStiffness<Lanes>& k, const ShapeGradients& shape, const Lanes& weight, TetLanesOut& out)
{
    Blocks blocks;
    set_rank_one(k, PushedGradients(k, shape), shape, weight, blocks);
    blocks.store(out);
}

/// The same, positive semidefinite in the lanes of `where`; the mask tells in which lanes that could be done.
RUBATO_INLINE LaneMask projected_rank_one_blocks(const RankOneStiffness<Lanes>& k, LaneMask where,
    const ShapeGradients& shape, const Lanes& weight, TetLanesOut& out)
{
    const Stretch stretch = stretch_of(k, where);
    const Symmetric3Lanes missing = missing_twists(k, stretch, where);
    const PushedGradients pushed(k, shape);
    Blocks blocks;
    set_rank_one(k, pushed, shape, weight, blocks);
    add_twists(missing, stretch.S, pushed, weight, blocks);
    blocks.store(out);
    return stretch.sound & twists_are_all(k);
}

/// The nine eigenvalues of a stiffness, three of them those of `scaling`.
struct Modes {
    Pairwise<Three> scaling;
    Three symmetric, antisymmetric;
};

[[gnu::noinline]] inline void blocks_of_modes(
    const Svd3Lanes& svd, const Modes& modes, const ShapeGradients& shape, const Lanes& weight, TetLanesOut& out)
{
    Three c[3]; // V^T b_a
    for (int a = 0; a < 3; ++a) {
        for (int j = 0; j < 3; ++j) c[a][j] = svd.V.col(j).dot(shape.b[a]);
    }
    const Three same = 0.5 * weight * (modes.symmetric + modes.antisymmetric);
    const Three cross = 0.5 * weight * (modes.symmetric - modes.antisymmetric);
    const Three diagonal = weight * modes.scaling.diagonal, mixed = weight * modes.scaling.pair;
    Blocks blocks;
    for (int a = 0; a < 3; ++a) {
        for (int b = a; b < 3; ++b) {
            Nine M;
            const Three cc = c[a].cwiseProduct(c[b]);
            for (int r = 0; r < 3; ++r) {
                const int s = (r + 1) % 3, k = (r + 2) % 3; // pair k is (r, s), pair s is (k, r)
                M(r, r) = cc[r] * diagonal[r] + cc[s] * same[k] + cc[k] * same[s];
                M(r, s) = mixed[k] * (c[a][r] * c[b][s]) + cross[k] * (c[a][s] * c[b][r]);
                M(s, r) = mixed[k] * (c[a][s] * c[b][r]) + cross[k] * (c[a][r] * c[b][s]);
            }
            Nine UM;
            for (int s = 0; s < 3; ++s) UM.col(s) = svd.U * M.col(s);
            Nine& K = blocks.at(a + 1, b + 1);
            for (int col = 0; col < 3; ++col) { // K = UM U^T
                K.col(col) = svd.U(col, 0) * UM.col(0) + svd.U(col, 1) * UM.col(1) + svd.U(col, 2) * UM.col(2);
            }
        }
    }
    blocks.store(out);
}

/// Negative eigenvalues become zero in the lanes of `where`. The mask tells in which of them `scaling` was definite:
/// others are left to the code for single elements.
RUBATO_INLINE LaneMask project(Modes& modes, LaneMask where)
{
    for (int k = 0; k < 3; ++k) {
        modes.symmetric[k] = select(where & (modes.symmetric[k] < 0), Lanes(0), modes.symmetric[k]);
        modes.antisymmetric[k] = select(where & (modes.antisymmetric[k] < 0), Lanes(0), modes.antisymmetric[k]);
    }
    const Three& d = modes.scaling.diagonal;
    const Three& p = modes.scaling.pair; // (1, 2), (2, 0), (0, 1)
    const Lanes l10 = p[2] / d[0], l20 = p[1] / d[0];
    const Lanes pivot1 = d[1] - l10 * p[2], rest21 = p[0] - l20 * p[2];
    const Lanes pivot2 = d[2] - l20 * p[1] - rest21 * rest21 / pivot1;
    return ~where | ((d[0] > 0) & (pivot1 > 0) & (pivot2 > 0));
}

RUBATO_INLINE LaneMask mask_of(unsigned bits)
{
    LaneMask out;
    for (int l = 0; l < lane_count; ++l) out.bits[l] = (bits >> l & 1) != 0 ? -1 : 0;
    return out;
}

/// U diag(d) V^T
RUBATO_INLINE Nine recomposed(const Svd3Lanes& svd, const Three& d)
{
    const Three u0 = d[0] * svd.U.col(0), u1 = d[1] * svd.U.col(1), u2 = d[2] * svd.U.col(2);
    Nine out;
    for (int c = 0; c < 3; ++c) out.col(c) = svd.V(c, 0) * u0 + svd.V(c, 1) * u1 + svd.V(c, 2) * u2;
    return out;
}

/// Blocks by way of the singular values; the mask tells in which lanes they are right.
template <class M>
LaneMask blocks_by_svd(const M& material, const TetLanesIn& in, const Svd3Lanes& svd, const ShapeGradients& shape,
    const Lanes& weight, TetLanesOut& out)
{
    Modes modes{
        material.d2Psi(svd.sigma), material.symmetric_modes(svd.sigma), material.antisymmetric_modes(svd.sigma)};
    LaneMask right = svd.usual;
    if (in.projected != 0) right &= project(modes, mask_of(in.projected));
    blocks_of_modes(svd, modes, shape, weight, out);
    return right;
}

/// The same for the lanes of `which` alone.
template <class M>
[[gnu::noinline]] LaneMask blocks_by_svd_in(unsigned which, const M& material, const TetLanesIn& in, const Nine& F,
    const ShapeGradients& shape, const Lanes& weight, TetLanesOut& out)
{
    Svd3Lanes svd;
    svd3(F, svd);
    TetLanesOut all;
    const LaneMask right = blocks_by_svd(material, in, svd, shape, weight, all);
    for (unsigned rest = which; rest != 0; rest &= rest - 1) {
        const int first = TetParts::block(__builtin_ctz(rest), 0);
        constexpr std::size_t count = TetLanesOut::blocks_of_one;
        __builtin_memcpy(out.block[first], all.block[first], count * sizeof out.block[first]);
        __builtin_memcpy(out.ninth + first, all.ninth + first, count * sizeof(double));
    }
    return right | ~mask_of(which);
}

template <class M, bool with_gradient>
void evaluate(const M& material, const TetLanesIn& in, TetLanesOut& out)
{
    const ShapeGradients shape = shape_gradients(in);
    const Lanes volume = loaded(in.volume);
    const Lanes weight = in.hessian_weight * volume;
    const Nine F = gradient_of(in, in.x, shape);
    LaneMask usual;
    Lanes Psi;
    if constexpr (HasRankOneStiffness<M>) {
        Nine P;
        RankOneStiffness<Lanes> k;
        Psi = material.Psi_and_stress(F, P, k);
        usual = k.J > 0.25;
        if constexpr (with_gradient) {
            store_gradient(P, shape, volume, out);
            if (in.wants_hessian && in.projected == 0) {
                rank_one_blocks(k, shape, weight, out);
            } else if (in.wants_hessian) {
                const LaneMask done = projected_rank_one_blocks(k, mask_of(in.projected), shape, weight, out);
                const unsigned left = in.projected & bits_of(usual & ~done);
                if (left != 0) usual &= blocks_by_svd_in(left, material, in, F, shape, weight, out);
            }
        }
    } else {
        Svd3Lanes svd;
        svd3(F, svd);
        Psi = material.Psi(svd.sigma);
        usual = svd.usual;
        if constexpr (M::is_barrier) usual &= svd.sigma[2] > 0;
        if constexpr (with_gradient) {
            store_gradient(recomposed(svd, material.dPsi(svd.sigma)), shape, volume, out);
            if (in.wants_hessian) usual &= blocks_by_svd(material, in, svd, shape, weight, out);
        }
    }
    const Lanes value = volume * Psi;
    __builtin_memcpy(out.value, &value, sizeof value);
    out.unusual = ~bits_of(usual) & all_bits;
}

/// det(F + t dF) = c0 + c1 t + c2 t^2 + c3 t^3 has no root up to t = 1 if the others cannot make up for c0.
inline unsigned may_invert(const TetLanesIn& in, const double* p)
{
    const ShapeGradients shape = shape_gradients(in);
    const Nine F = gradient_of(in, in.x, shape), G = gradient_of(in, p, shape);
    const Three f12 = F.col(1).cross(F.col(2)), g12 = G.col(1).cross(G.col(2));
    const Three mixed = F.col(1).cross(G.col(2)) + G.col(1).cross(F.col(2));
    const Lanes c0 = F.col(0).dot(f12), c3 = G.col(0).dot(g12);
    const Lanes c1 = G.col(0).dot(f12) + F.col(0).dot(mixed), c2 = G.col(0).dot(mixed) + F.col(0).dot(g12);
    return ~bits_of(abs(c1) + abs(c2) + abs(c3) < 0.999 * c0) & all_bits;
}

inline void add_blocks(const TetLanesOut& from, const BatchSums::Batch& sums, double* matrix)
{
    const std::uint8_t* part = sums.parts;
    for (Index k = 0; k < sums.count; ++k) {
        double* const to = matrix + 9 * static_cast<std::ptrdiff_t>(sums.places[k]);
        Lanes sum = loaded(to);
        double ninth = to[8];
        for (bool more = true; more; ++part) {
            const int n = *part & BatchSums::number;
            sum += loaded(from.block[n]);
            ninth += from.ninth[n];
            more = (*part & BatchSums::last) == 0;
        }
        __builtin_memcpy(to, &sum, sizeof sum);
        to[8] = ninth;
    }
}

inline void add_gradient(const TetLanesOut& from, const BatchSums::Batch& sums, double weight, double* gradient)
{
    typedef double Four __attribute__((vector_size(32), aligned(8)));
    const std::uint8_t* part = sums.parts;
    for (Index k = 0; k < sums.count; ++k) {
        Four sum{}; // the fourth is not used
        for (bool more = true; more; ++part) {
            sum += *reinterpret_cast<const Four*>(from.gradient + (*part & BatchSums::number));
            more = (*part & BatchSums::last) == 0;
        }
        double* const to = gradient + 3 * static_cast<std::ptrdiff_t>(sums.places[k]);
        for (int c = 0; c < 3; ++c) to[c] += weight * sum[c];
    }
}

} // namespace tet_lanes_detail

template <class M>
inline constexpr TetLanes<M> lanes_of{&tet_lanes_detail::evaluate<M, false>, &tet_lanes_detail::evaluate<M, true>,
    &tet_lanes_detail::may_invert, &tet_lanes_detail::add_blocks, &tet_lanes_detail::add_gradient};

} // namespace RUBATO_ISA
} // namespace rubato
