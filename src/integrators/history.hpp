#pragma once

#include "dynamics/integrator.hpp"

#include <initializer_list>
#include <vector>

namespace rubato {

/// A part of what a method remembers from step to step. Attempts may prepare what it will be; it moves only here.
class Remembered {
public:
    virtual ~Remembered() = default;
    virtual void accept(const State& before) = 0; ///< the step from `before` that was proposed last was accepted
    virtual void jumped(const Vector& /*dv*/, const Vector& /*da*/) { } ///< as Integrator::jumped
    virtual void restart() = 0; ///< as before a first step
    virtual void serialize(Archive& archive) = 0;
};

/// A method with history. Its constructor lists the parts, in the order in which they are saved, and all that is to be
/// done with history is made from this table: a part that is listed cannot be forgotten by one of the four.
class RememberingIntegrator : public Integrator {
public:
    RememberingIntegrator(const RememberingIntegrator&) = delete; // the table refers to members
    RememberingIntegrator& operator=(const RememberingIntegrator&) = delete;

    void accept(const State& before, const State&) final
    {
        for (Remembered* part : parts_) part->accept(before);
    }
    void jumped(const Vector& dv, const Vector& da) final
    {
        for (Remembered* part : parts_) part->jumped(dv, da);
    }
    void restart() final
    {
        for (Remembered* part : parts_) part->restart();
    }
    void serialize(Archive& archive) final
    {
        for (Remembered* part : parts_) part->serialize(archive);
    }

protected:
    RememberingIntegrator() = default;
    void remember(std::initializer_list<Remembered*> parts) { parts_ = parts; } ///< members, called by the constructor

private:
    std::vector<Remembered*> parts_;
};

} // namespace rubato
