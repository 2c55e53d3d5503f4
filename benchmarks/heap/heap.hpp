#pragma once

/// Counts what a program asks of the heap. A program that links this has its malloc and free replaced.
///
/// The sanitizers bring an allocator of their own; under them nothing is counted, and `counts()` says so.
namespace rubato::heap {

bool counts();

/// Requests so far, from any thread, that did not come from inside the factorisation library.
long requests();

/// Bytes in use now, and the most that were at any time since `forget_most` [byte]. Blocks are as large as the
/// allocator made them, which is a little more than was asked for.
long held();
long most_held();
void forget_most();

} // namespace rubato::heap
