#pragma once

#include <vector>

namespace rubato {

/// How the size of a force changes over time: a factor.
class ForceProfile {
public:
    virtual ~ForceProfile() = default;
    virtual double at(double t) const = 0; ///< at time t [s]
    virtual double integral(double from, double to) const = 0; ///< over time [s]
    /// Whether a few samples tell what the factor does between the two times: it is smooth there, and slow.
    virtual bool smooth(double from, double to) const = 0;
};

/// 1 from `begin` to `end` [s], else 0.
class Pulse final : public ForceProfile {
public:
    Pulse(double begin, double end)
        : begin_(begin)
        , end_(end)
    {
    }
    double at(double t) const override { return t >= begin_ && t <= end_ ? 1 : 0; }
    double integral(double from, double to) const override;
    bool smooth(double from, double to) const override;

private:
    double begin_, end_;
};

/// sin(omega t + phase), omega [rad/s].
class Sine final : public ForceProfile {
public:
    explicit Sine(double omega, double phase = 0)
        : omega_(omega)
        , phase_(phase)
    {
    }
    double at(double t) const override;
    double integral(double from, double to) const override;
    bool smooth(double from, double to) const override;

private:
    double omega_, phase_;
};

/// Factors at ascending times [s], joined by straight lines; the first before, the last after.
class PiecewiseLinear final : public ForceProfile {
public:
    PiecewiseLinear(std::vector<double> times, std::vector<double> factors);
    double at(double t) const override;
    double integral(double from, double to) const override;
    bool smooth(double from, double to) const override;

private:
    double sum_until(double t) const; ///< integral from the first time, negative before it

    std::vector<double> times_, factors_;
    std::vector<double> sums_; // integral from the first time to each
};

} // namespace rubato
