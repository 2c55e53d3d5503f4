#pragma once

#include <cstdint>

/// Eight numbers at once: what one vector register of the widest processors holds, and two or four of the others.
///
/// Code that computes with Lanes is compiled once for each kind of processor (src/potentials/isa) in a namespace of
/// that kind's name, RUBATO_ISA, so that the linker can never take a function with wide instructions for one that runs
/// everywhere. For the same reason such code uses nothing but what is in that namespace or is a template over its
/// types. All operations are those of IEEE 754 lane by lane and no product is fused with a sum, so every kind of
/// processor gives the same bits, and what a lane gives does not depend on the others.
#ifndef RUBATO_ISA
#define RUBATO_ISA isa_baseline
#endif

namespace rubato {
inline namespace RUBATO_ISA {

inline constexpr int lane_count = 8;
inline constexpr unsigned all_bits = 0xff; ///< one for each lane

#define RUBATO_INLINE [[gnu::always_inline]] inline

struct LaneMask {
    typedef std::int64_t Bits __attribute__((vector_size(64)));
    Bits bits; ///< all of a lane's are set where it is true

    RUBATO_INLINE friend LaneMask operator&(LaneMask a, LaneMask b) { return {a.bits & b.bits}; }
    RUBATO_INLINE friend LaneMask operator|(LaneMask a, LaneMask b) { return {a.bits | b.bits}; }
    RUBATO_INLINE friend LaneMask operator~(LaneMask a) { return {~a.bits}; }
    RUBATO_INLINE LaneMask& operator&=(LaneMask b) { return *this = *this & b; }
};

/// A type of its own for each kind of processor, so that templates over it are, too.
struct Lanes {
    typedef double Numbers __attribute__((vector_size(64)));
    Numbers at;

    Lanes() = default;
    RUBATO_INLINE Lanes(const Numbers& numbers)
        : at(numbers)
    {
    }
    RUBATO_INLINE explicit Lanes(double x)
        : at(Numbers{} + x)
    {
    }
    RUBATO_INLINE friend Lanes operator+(Lanes a, Lanes b) { return a.at + b.at; }
    RUBATO_INLINE friend Lanes operator+(Lanes a, double b) { return a.at + b; }
    RUBATO_INLINE friend Lanes operator+(double a, Lanes b) { return a + b.at; }
    RUBATO_INLINE friend Lanes operator-(Lanes a, Lanes b) { return a.at - b.at; }
    RUBATO_INLINE friend Lanes operator-(Lanes a, double b) { return a.at - b; }
    RUBATO_INLINE friend Lanes operator-(double a, Lanes b) { return a - b.at; }
    RUBATO_INLINE friend Lanes operator-(Lanes a) { return -a.at; }
    RUBATO_INLINE friend Lanes operator*(Lanes a, Lanes b) { return a.at * b.at; }
    RUBATO_INLINE friend Lanes operator*(Lanes a, double b) { return a.at * b; }
    RUBATO_INLINE friend Lanes operator*(double a, Lanes b) { return a * b.at; }
    RUBATO_INLINE friend Lanes operator/(Lanes a, Lanes b) { return a.at / b.at; }
    RUBATO_INLINE friend Lanes operator/(Lanes a, double b) { return a.at / b; }
    RUBATO_INLINE friend Lanes operator/(double a, Lanes b) { return a / b.at; }
    RUBATO_INLINE Lanes& operator+=(Lanes b) { return *this = *this + b; }
    RUBATO_INLINE Lanes& operator-=(Lanes b) { return *this = *this - b; }
    RUBATO_INLINE friend LaneMask operator<(Lanes a, Lanes b) { return {a.at < b.at}; }
    RUBATO_INLINE friend LaneMask operator<(Lanes a, double b) { return {a.at < b}; }
    RUBATO_INLINE friend LaneMask operator>(Lanes a, Lanes b) { return {a.at > b.at}; }
    RUBATO_INLINE friend LaneMask operator>(Lanes a, double b) { return {a.at > b}; }
};
static_assert(sizeof(Lanes) == lane_count * sizeof(double));

/// a where the mask is set, b elsewhere.
RUBATO_INLINE Lanes select(LaneMask mask, Lanes a, Lanes b) { return mask.bits ? a.at : b.at; }

/// One bit for each lane.
RUBATO_INLINE unsigned bits_of(LaneMask mask)
{
    // The compiler does not see that this is one instruction, or a few.
#if defined(__AVX512DQ__)
    typedef long long Eight __attribute__((vector_size(64)));
    return __builtin_ia32_cvtq2mask512(reinterpret_cast<Eight>(mask.bits));
#elif defined(__SSE2__)
    typedef double Two __attribute__((vector_size(16)));
    Two halves[lane_count / 2];
    __builtin_memcpy(halves, &mask.bits, sizeof halves);
    unsigned bits = 0;
    for (int i = 0; i < lane_count / 2; ++i)
        bits |= static_cast<unsigned>(__builtin_ia32_movmskpd(halves[i])) << (2 * i);
    return bits;
#else
    unsigned bits = 0;
    for (int i = 0; i < lane_count; ++i) bits |= (mask.bits[i] != 0 ? 1u : 0u) << i;
    return bits;
#endif
}
RUBATO_INLINE bool any(LaneMask mask) { return bits_of(mask) != 0; }

RUBATO_INLINE Lanes sqrt(Lanes x)
{
    for (int i = 0; i < lane_count; ++i) x.at[i] = __builtin_sqrt(x.at[i]);
    return x;
}

RUBATO_INLINE LaneMask::Bits pattern(Lanes x) { return reinterpret_cast<LaneMask::Bits>(x.at); }
RUBATO_INLINE Lanes number(const LaneMask::Bits& pattern) { return reinterpret_cast<Lanes::Numbers>(pattern); }
inline constexpr std::int64_t without_sign = 0x7fffffffffffffff;

RUBATO_INLINE Lanes abs(Lanes x) { return number(pattern(x) & without_sign); }

/// The size of a with the sign of b.
RUBATO_INLINE Lanes copysign(Lanes a, Lanes b)
{
    return number((pattern(a) & without_sign) | (pattern(b) & ~without_sign));
}

RUBATO_INLINE Lanes max(Lanes a, Lanes b) { return select(a > b, a, b); }
RUBATO_INLINE Lanes min(Lanes a, Lanes b) { return select(a < b, a, b); }

/// 1/3 + r2/5 + r2^2/7 + … for 0 <= r2 <= 1/9, so that artanh r = r + r^3 times this. Terms beyond are below 1e-17. In
/// halves of halves (Estrin's scheme): one term after the other, each would wait for the last.
RUBATO_INLINE Lanes artanh_tail(Lanes r2)
{
    const Lanes r4 = r2 * r2, r8 = r4 * r4, r16 = r8 * r8;
    const auto two = [&](int odd) { return 1.0 / odd + r2 * (1.0 / (odd + 2)); };
    const auto four = [&](int odd) { return two(odd) + r4 * two(odd + 4); };
    const auto eight = [&](int odd) { return four(odd) + r8 * four(odd + 8); };
    return eight(3) + r16 * (eight(19) + r16 * (1.0 / 35));
}

/// log(1 + x) for -1/2 < x < 1, to full relative precision near 0.
RUBATO_INLINE Lanes log1p_near(Lanes x)
{
    const Lanes r = x / (2 + x);
    const Lanes r2 = r * r;
    return 2 * r + 2 * r * r2 * artanh_tail(r2);
}

/// x - log(1 + x), likewise (math/log1p.hpp).
RUBATO_INLINE Lanes x_minus_log1p_near(Lanes x)
{
    const Lanes r = x / (2 + x);
    const Lanes r2 = r * r;
    return r * (x - 2 * r2 * artanh_tail(r2));
}

/// log x for positive normal numbers: x = 2^k m with m between sqrt(1/2) and sqrt(2).
RUBATO_INLINE Lanes log(Lanes x)
{
    constexpr std::int64_t root_half = 0x3fe6a09e667f3bcd;
    const LaneMask::Bits bits = pattern(x) - root_half;
    const LaneMask::Bits k = bits >> 52; // arithmetic: rounds down
    const Lanes m = number((bits & 0x000fffffffffffff) + root_half);
    constexpr double ln2_high = 0x1.62e42fefa3800p-1, ln2_low = 0x1.ef35793c76730p-45;
    const Lanes count = __builtin_convertvector(k, Lanes::Numbers);
    return count * ln2_high + (log1p_near(m - 1) + count * ln2_low);
}

} // namespace RUBATO_ISA
} // namespace rubato
