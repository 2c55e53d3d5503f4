#pragma once

#include "base/archive.hpp"
#include "base/types.hpp"

#include <fmt/format.h>

#include <string>

namespace rubato {

/// A vector that one accepted step hands to the next: history, which moves only in `accept` and is saved.
class RememberedVector {
public:
    /// `method` and `letter` name it in the archive; `what` says in one word what it is.
    RememberedVector(const std::string& method, const std::string& letter, std::string what)
        : known_name_(method + ".known")
        , name_(method + "." + letter)
        , what_(std::move(what))
    {
    }
    bool known() const { return known_; } ///< false in a first step
    Vector& value() { return value_; } ///< of the last accepted step, if known
    Vector& next() { return next_; } ///< of the proposed one, for which the method writes it
    const Vector& next() const { return next_; }

    /// The proposed step was accepted; `written`: next() was.
    void accept(bool written = true)
    {
        if (written) value_.swap(next_);
        known_ = written;
    }
    /// What is remembered has changed since, by this much; empty: it has not.
    void jumped(const Vector& change)
    {
        if (known_ && change.size() != 0) value_ += change;
    }
    void forget() { known_ = false; }
    void serialize(Archive& archive)
    {
        archive(known_name_, known_);
        archive(name_, value_);
        // The archive knows the size of the system; a history without the vector it speaks of is left to check here.
        if (archive.loading() && known_ && value_.size() == 0) {
            throw Archive::Mismatch(fmt::format("holds a history without its {}", what_));
        }
    }

private:
    std::string known_name_, name_, what_;
    bool known_ = false;
    Vector value_, next_;
};

} // namespace rubato
