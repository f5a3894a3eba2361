/*
 * Simulates memory exhaustion for fuzzed cores.  Calls of operator new and the creation of pixman
 * images can be made to fail.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_FUZZ_SCARCE_MEMORY_HPP
#define PIXMILL_TESTS_FUZZ_SCARCE_MEMORY_HPP

#include <cstdint>

namespace pixmill::fuzz {

constexpr int64_t kEndlessMemory = INT64_MAX;

/* Grants the cores' next @requests requests and refuses all later ones. */
void grant_memory(int64_t requests);

/* True if a request has been refused since grant_memory(). */
bool memory_ended();

/* Sets whether later requests, in any thread, count as requests of a core. */
void count_memory(bool of_core);

/* For allocators: counts a request and returns true if it must be refused. */
bool memory_refused();

} // namespace pixmill::fuzz

#endif
