#pragma once

namespace rubato {

/// Marks the time that a thread spends inside the factorisation library, which manages its own memory: the test that
/// counts allocations of a step looks away meanwhile.
class FactorisationScope {
public:
    FactorisationScope() { ++depth(); }
    ~FactorisationScope() { --depth(); }
    FactorisationScope(const FactorisationScope&) = delete;
    FactorisationScope& operator=(const FactorisationScope&) = delete;

    static bool inside() { return depth() > 0; }

private:
    static int& depth()
    {
        thread_local int value = 0;
        return value;
    }
};

} // namespace rubato
