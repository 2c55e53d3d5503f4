#pragma once

#include "base/archive.hpp"
#include "base/options.hpp"
#include "dynamics/observer.hpp"
#include "record/fingerprint.hpp"
#include "record/target_error.hpp"
#include "record/target_watch.hpp"
#include "simulation/simulation.hpp"

#include <array>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace rubato {

/// What a run is, for summary.json and for people.
struct RunDescription {
    std::string scene; ///< its name
    std::string program_version; ///< e.g. "0.1.0"
    std::string integrator; ///< catalog name
    Options integrator_options;
    double h = 0; ///< step length asked for [s]
    double end_time = 0; ///< [s]
    int threads = 1;
    long nodes = 0, tets = 0;
    double weight = 0; ///< of all bodies [N]; 0 without gravity
    bool has_contact = false; ///< whether anything can touch
    bool aims_at_target = false; ///< whether the integrator steers the total energy
    std::vector<std::string> notes = {}; ///< what the user was told when the run began
    std::optional<double> ground = {}; ///< energy of the scene at rest [J], where it is known
    std::string ground_kind = "given"; ///< what that is
};

/// Adds up a run and writes summary.json. Counts go on over a resume.
class RunSummary : public Observer {
public:
    explicit RunSummary(RunDescription description);

    void step(const StepRecord& record) override;

    /// summary.json as text. `files`: what the run wrote, relative to its directory; `frames`: how many frames;
    /// `marks`: files of which it keeps the checksum, besides its own.
    std::string text(const RunResult& result, const std::vector<std::string>& files, long frames,
        const std::vector<FileMark>& marks = {}) const;
    /// Writes DIR/summary.json in one piece. Throws WriteError.
    void write(const std::filesystem::path& run_directory, const RunResult& result,
        const std::vector<std::string>& files, long frames, const std::vector<FileMark>& marks = {}) const;

    double wall() const { return wall_before_ + wall_now_; } ///< wall-clock time, all resumptions together [s]
    PhaseTimes phases() const; ///< where that time went
    long local_iterations() const { return local_; } ///< Newton iterations on a part of the nodes
    long linear_iterations() const { return linear_; }
    bool has_contact() const { return description_.has_contact; }
    double largest_drift() const { return largest_drift_; } ///< max |total - balance| [J]
    double start_energy() const; ///< largest of the total energy and its parts at the start, in size [J]
    double injected() const { return ledger_.injected; } ///< [J]
    long newton() const { return newton_; } ///< Newton iterations so far
    double end_energy() const { return end_.total(); } ///< total energy at the last step [J]
    const TargetError& target_error() const { return target_error_; }
    const TargetWatch& target_watch() const { return target_watch_; }
    /// The energy at stake: how far total energy or target were above the ground level at the start, or the target
    /// since if that is more [J]. Nothing where the level is not known, or no measure.
    std::optional<double> energy_above_ground() const;

    void serialize(Archive& archive);

private:
    /// Energies of one moment [J].
    struct Energies {
        double kinetic = 0;
        EnergyParts potential;
        double total() const { return kinetic + potential.total(); }
        void serialize(Archive& archive);
    };
    /// The corrections alpha that an energy-controlling method took.
    struct Alphas {
        long count = 0;
        double sum = 0;
        double least = std::numeric_limits<double>::infinity(), most = -least;
        void add(double alpha);
        void serialize(Archive& archive);
    };
    /// What touched.
    struct Touches {
        long steps = 0; ///< in which anything did
        long most = 0; ///< contacts in a step
        double contacts = 0, candidates = 0; ///< of all steps together
        double least_distance = std::numeric_limits<double>::infinity(); ///< [m]
        void add(const Touching& touching);
        void serialize(Archive& archive);
    };
    static constexpr std::size_t reasons = 12; ///< number of StopReasons

    RunDescription description_;
    long steps_ = 0, newton_ = 0, newton_most_ = 0, local_ = 0, linear_ = 0;
    long not_finite_ = 0; ///< accepted steps whose energy overflowed
    std::array<long, reasons> stopped_{}; ///< steps by the reason their solve stopped
    Energies start_, end_;
    EnergyLedger ledger_;
    double first_target_ = 0; ///< [J]
    double highest_target_ = 0; ///< [J]
    TargetError target_error_;
    TargetWatch target_watch_;
    Alphas alphas_;
    double time_ = 0; ///< simulated [s]
    double largest_drift_ = 0; ///< [J]
    double shortest_ = 0, longest_ = 0; ///< step lengths [s]
    Vec3 linear_momentum_ = Vec3::Zero(), angular_momentum_ = Vec3::Zero();
    double wall_before_ = 0; ///< of the parts of the run before the last resume [s]
    double wall_now_ = 0; ///< [s]
    PhaseTimes phases_before_, phases_now_;
    Touches touches_;
};

} // namespace rubato
