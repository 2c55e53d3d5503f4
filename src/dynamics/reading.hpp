#pragma once

#include "dynamics/state.hpp"

namespace rubato {

struct StepRequest;

/// Between the velocity v of the state and the velocity u that a method steps, where these are two.
class Reading {
public:
    virtual ~Reading() = default;

    /// A step starts, as `request` says: makes v, that of request.now, the u that is stepped.
    virtual void inner(const StepRequest& request, Vector& v) = 0;

    /// Makes end.v, which holds u at the end of the step, the v that is read there. A method that chooses u may ask
    /// again and again within a step, but for one end.t and end.x.
    virtual void read(const StepRequest& request, State& end) = 0;
};

} // namespace rubato
