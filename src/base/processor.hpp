#pragma once

/// RUBATO_FOR_EVERY_PROCESSOR before a function: one code for every x86-64, and better ones that are chosen when the
/// program starts. Not under a sanitizer: the choice is made before its runtime is there.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define RUBATO_FOR_EVERY_PROCESSOR __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define RUBATO_FOR_EVERY_PROCESSOR
#endif
