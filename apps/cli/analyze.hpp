#pragma once

#include "commands.hpp"
#include "integrators/catalog.hpp"
#include "lab/convergence.hpp"
#include "record/plot.hpp"

#include <filesystem>
#include <string>
#include <vector>

/// What the analyze commands share.
namespace rubato::cli {

void add_analyze_stability(CLI::App& analyze, int& status);
void add_analyze_spectrum(CLI::App& analyze, int& status);
void add_analyze_convergence(CLI::App& analyze, int& status);

/// An integrator with options, as the command line names it.
struct ChosenMethod {
    std::string title; ///< as given, e.g. newmark:beta=0.3:gamma=0.6
    const IntegratorEntry* entry = nullptr;
    Options options;

    std::string json() const; ///< as a scene writes it
};

/// "all", or names separated by commas, each with options behind colons. Throws InputError with every mistake; `option`
/// is what messages name.
std::vector<ChosenMethod> chosen_methods(const std::string& list, const char* option);

/// A positive number, also as a fraction: 0.01, 1e-2, 1/100; in the range of its unit, as in scenes. Throws InputError.
double positive_number(const std::string& text, const char* option, const char* unit);

/// Makes the directory. Throws InputError if there can be none.
void make_directory(const std::filesystem::path& directory);

std::string cell(double value); ///< of a CSV: 17 digits, empty for what is not finite
std::string joined(const std::vector<std::string>& cells); ///< a line of a CSV

/// A line that is redrawn in place on a terminal; nothing elsewhere.
class Notice {
public:
    Notice();
    ~Notice(); ///< wipes the line
    Notice(const Notice&) = delete;
    Notice& operator=(const Notice&) = delete;
    void say(const std::string& text);

private:
    bool terminal_;
    std::size_t width_ = 0;
};

/// One problem on which convergence is measured, a scene or one of the lab's.
class ConvergenceSubject {
public:
    virtual ~ConvergenceSubject() = default;
    virtual std::string title() const = 0;
    virtual double duration() const = 0; ///< [s]
    virtual double first_step() const = 0; ///< [s]
    virtual const char* usual_methods() const = 0; ///< when none are asked for
    virtual const char* usual_reference() const = 0; ///< a method; empty: the closed form
    virtual int reference_fineness() const = 0; ///< steps of the reference in the shortest one compared with it
    virtual bool damped() const = 0;
    virtual Vector exact() const = 0; ///< positions at the end by the closed form [m]; only without usual_reference
    virtual Vector end_with(const ChosenMethod& method, double h) = 0; ///< by a run; throws std::runtime_error
};

/// `lab:NAME`, or a scene by name or path.
std::unique_ptr<ConvergenceSubject> convergence_subject(const SceneArguments& arguments);

} // namespace rubato::cli
