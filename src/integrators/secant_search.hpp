#pragma once

#include <cmath>
#include <limits>

namespace rubato {

/// Looks for p >= 0 with e(p) = 0, e growing: the secant method, kept inside what is known of the root's whereabouts.
class SecantSearch {
public:
    explicit SecantSearch(double slope) ///< a first guess of de/dp
        : slope_(slope)
    {
    }

    /// Where to look next after e was found at p; NaN where the search has nothing more to offer.
    double after(double p, double e)
    {
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        if (p == 0 && e > 0) return none; // no p is small enough
        (e > 0 ? high_ : low_) = p;
        const double width = high_ - low_;
        // Neither the bracket nor the error shrinks as it should: the curve has a step here.
        const bool slow = low_ >= 0 && width > 0.5 * width_ && std::abs(e) > 0.25 * std::abs(e_old_);
        if (p_old_ >= 0) slope_ = (e - e_old_) / (p - p_old_);
        width_ = width;
        p_old_ = p;
        e_old_ = e;
        const double secant = p - e / slope_;
        if (!std::isfinite(secant)) return none; // e does not depend on p
        if (slow && high_ < infinity) return 0.5 * (low_ + high_);
        if (secant <= low_ || secant >= high_) return low_ < 0 ? 0 : high_ < infinity ? 0.5 * (low_ + high_) : none;
        if (secant <= 0) return 0;
        return high_ < infinity ? secant : std::fmin(secant, 4 * (1 + p)); // no leaps into the dark
    }

private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();
    double slope_;
    double low_ = -1, high_ = infinity; // e(low) <= 0 < e(high), where known; low < 0: not known
    double width_ = infinity; // high - low one point before
    double p_old_ = -1, e_old_ = 0; // p < 0: none yet
};

} // namespace rubato
