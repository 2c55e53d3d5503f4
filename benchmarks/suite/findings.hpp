#pragma once

#include "figures/figure.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace rubato {

/// Where a part of the suite leaves its figures.
class Findings {
public:
    Findings(int repetitions, std::function<void(const std::string&)> progress)
        : repetitions_(repetitions)
        , progress_(std::move(progress))
    {
    }
    int repetitions() const { return repetitions_; } ///< of every figure that is measured
    void progress(const std::string& text) const { progress_(text); }

    void time(const std::string& table, const std::string& row, const std::string& column, const std::string& unit,
        std::vector<double> samples)
    {
        figures_.push_back({table, row, column, unit, Better::lower, std::move(samples), {}});
    }
    void rate(const std::string& table, const std::string& row, const std::string& column, const std::string& unit,
        std::vector<double> samples)
    {
        figures_.push_back({table, row, column, unit, Better::higher, std::move(samples), {}});
    }
    void fact(const std::string& table, const std::string& row, const std::string& column, double value,
        const std::string& unit = {})
    {
        figures_.push_back({table, row, column, unit, Better::neither, {value}, {}});
    }
    void text(const std::string& table, const std::string& row, const std::string& column, const std::string& text)
    {
        figures_.push_back({table, row, column, {}, Better::neither, {}, text});
    }
    const std::vector<Figure>& figures() const { return figures_; }

private:
    int repetitions_;
    std::function<void(const std::string&)> progress_;
    std::vector<Figure> figures_;
};

/// Every sample times a factor.
inline std::vector<double> scaled(std::vector<double> samples, double factor)
{
    for (double& sample : samples) sample *= factor;
    return samples;
}

/// amount/sample: rates from times.
inline std::vector<double> rates(double amount, std::vector<double> seconds)
{
    for (double& sample : seconds) sample = amount / sample;
    return seconds;
}

} // namespace rubato
