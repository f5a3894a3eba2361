/*
 * Simulates memory exhaustion for fuzzed cores: requests to operator new and pixman's images can be
 * refused.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_FUZZ_SCARCE_MEMORY_HPP
#define PIXMILL_TESTS_FUZZ_SCARCE_MEMORY_HPP

#include <cstdint>

namespace pixmill::fuzz {

constexpr int64_t kEndlessMemory = INT64_MAX;

/* Grants the next @requests requests of cores and refuses all later ones. */
void grant_memory(int64_t requests);

/* True if a request has been refused since then. */
bool memory_ended();

/* Sets whether requests from now on, of any thread, count as a core's. */
void count_memory(bool of_core);

/* For allocators: counts a request and returns true if it must be refused. */
bool memory_refused();

} // namespace pixmill::fuzz

#endif
