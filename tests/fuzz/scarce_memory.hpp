/*
 * A fuzzed core's memory, which can end: what operator new and pixman's images ask for.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_FUZZ_SCARCE_MEMORY_HPP
#define PIXMILL_TESTS_FUZZ_SCARCE_MEMORY_HPP

#include <cstdint>

namespace pixmill::fuzz {

constexpr int64_t kEndlessMemory = INT64_MAX;

/* Only so many requests of cores are granted from now on. */
void grant_memory(int64_t requests);

/* Some have been refused since then. */
bool memory_ended();

/* Requests from now on, of any thread, are those of a core, or not. */
void count_memory(bool of_core);

/* For those who give memory: whether this request is refused. */
bool memory_refused();

} // namespace pixmill::fuzz

#endif
