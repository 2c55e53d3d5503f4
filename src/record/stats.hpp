#pragma once

#include "base/archive.hpp"
#include "dynamics/observer.hpp"
#include "record/fingerprint.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>

namespace rubato {

/// The header line of stats.csv, without the line end. Columns are only ever added.
inline constexpr std::string_view stats_header
    = "step,time,h,kinetic,elastic,gravity,contact,other,total,target,alpha,dissipated,injected,newton,linear,"
      "contacts,min_distance,px,py,pz,lx,ly,lz,residual,wall";

/// Writes stats.csv: one row per accepted step and one for the start. A cell is empty where a quantity does not apply
/// or is not finite. Numbers are the shortest text that reads back to the same bits, so equal runs give equal bytes
/// (the wall column aside). A row allocates nothing.
class StatsWriter : public Observer {
public:
    /// `has_contact`: whether the system has contact potentials; otherwise the contact column stays empty.
    /// `has_target`: whether the integrator aims at a target energy; otherwise that column stays empty.
    explicit StatsWriter(std::filesystem::path file, bool has_contact = false, bool has_target = false);
    ~StatsWriter() override;
    StatsWriter(const StatsWriter&) = delete;
    StatsWriter& operator=(const StatsWriter&) = delete;

    void begin(); ///< starts a new file (an old one is overwritten) with the header line
    void begin(const std::filesystem::path& elsewhere); ///< likewise; that file is then renamed to the one of the rows
    void step(const StepRecord& record) override;
    void flush(); ///< hands buffered rows to the operating system
    void close(); ///< flushes and closes; throws WriteError if the last rows cannot be written

    std::uint64_t bytes() const { return written_ + filled_; } ///< length of the file once flushed

    std::uint64_t checksum() const { return checksum_; } ///< fingerprint of the file once flushed

    /// Saving: flushes to the disk and stores length and checksum. Loading: touches nothing; a file that is missing,
    /// shorter, or begins otherwise than it did is an InputError. Then comes reopen().
    void serialize(Archive& archive);
    void reopen(); ///< cuts the file to the length that was loaded and goes on there

private:
    void append(std::string_view text);

    static constexpr double flush_interval = 1; ///< [s] of wall-clock time
    static constexpr std::size_t row_limit = 1024; ///< more than 25 numbers of at most 24 characters

    std::filesystem::path file_;
    bool has_contact_, has_target_;
    int descriptor_ = -1;
    std::uint64_t written_ = 0; ///< bytes handed to the operating system
    std::size_t filled_ = 0; ///< bytes waiting in buffer_
    std::uint64_t checksum_ = fingerprint(""); ///< of all rows so far, those in buffer_ too
    double last_flush_ = 0; ///< in the time of StepRecord::wall [s]
    std::array<char, 1 << 16> buffer_;
};

} // namespace rubato
