#pragma once

namespace rubato {

/// Four doubles at once, at any address of a double; the compiler makes of it what the processor has.
typedef double Four __attribute__((vector_size(32), aligned(8)));

} // namespace rubato
