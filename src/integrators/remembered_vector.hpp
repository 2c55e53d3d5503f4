#pragma once

#include "integrators/history.hpp"

#include <fmt/format.h>

#include <string>

namespace rubato {

/// A vector that one accepted step hands to the next.
class RememberedVector : public Remembered {
public:
    enum class Kind { velocity, acceleration, force };

    /// Its names in the archive, of the flag whether it is known and of itself.
    RememberedVector(std::string known_name, std::string name, Kind kind)
        : known_name_(std::move(known_name))
        , name_(std::move(name))
        , kind_(kind)
    {
    }
    /// One that is known whenever `other` is, which is saved before it.
    RememberedVector(const RememberedVector& other, std::string name, Kind kind)
        : other_(&other)
        , name_(std::move(name))
        , kind_(kind)
    {
    }
    bool known() const { return known_; } ///< false in a first step
    const Vector& value() const { return value_; } ///< of the last accepted step, if known
    /// Of the proposed step, for which the method writes it; what is not written is not known after it.
    Vector& next()
    {
        written_ = true;
        return next_;
    }

    void accept(const State&) override
    {
        if (written_) value_.swap(next_);
        known_ = written_;
        written_ = false;
    }
    void jumped(const Vector& dv, const Vector& da) override
    {
        if (kind_ == Kind::force) return;
        const Vector& change = kind_ == Kind::velocity ? dv : da;
        if (known_ && change.size() != 0) value_ += change;
    }
    void restart() override { known_ = false; }
    void serialize(Archive& archive) override
    {
        if (other_ == nullptr)
            archive(known_name_, known_);
        else if (archive.loading())
            known_ = other_->known();
        archive(name_, value_);
        // The archive knows the size of the system; a history without the vector it speaks of is left to check here.
        if (archive.loading() && known_ && value_.size() == 0) {
            throw Archive::Mismatch(fmt::format("holds a history without '{}'", name_));
        }
    }

private:
    const RememberedVector* other_ = nullptr;
    std::string known_name_, name_;
    Kind kind_;
    bool known_ = false, written_ = false;
    Vector value_, next_;
};

} // namespace rubato
