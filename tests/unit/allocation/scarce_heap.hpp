/*
 * A heap that refuses allocations of cores. Linking it replaces the program's
 * heap.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_UNIT_SCARCE_HEAP_HPP
#define PIXMILL_TESTS_UNIT_SCARCE_HEAP_HPP

#include <functional>

#include "../fake_host.hpp"
#include "pixmill/core.h"

namespace pixmill::test {

/* The allocations to refuse: one, or that one and all after it. */
struct Refusal {
    uint64_t first = UINT64_MAX; /* counted from 0 */
    bool all_behind = false;
};

/*
 * While it exists, allocations by the core on @host are counted (on any thread) and refused as
 * @refusal says. Allocations by the test and by the host's callbacks are exempt. Only one instance
 * may exist.
 */
class ScarceHeap {
public:
    explicit ScarceHeap(const FakeHost& host, const Refusal& refusal = {});
    ~ScarceHeap();
    ScarceHeap(const ScarceHeap&) = delete;
    ScarceHeap& operator=(const ScarceHeap&) = delete;

    uint64_t requests() const;
    uint64_t outside_draw() const; /* number of those outside of draw() */
    uint64_t refused() const;
};

/*
 * Calls @attempt repeatedly: refusing the first allocation, then the second, and so on; then
 * refusing the first and all after it, and so on. @attempt returns the number of refusals; 0 ends a
 * series. Returns the number of attempts with refusals.
 */
uint64_t at_every_request(const std::function<uint64_t(const Refusal&)>& attempt);

/*
 * Creates a core of @table with @config. Checks that a failure returns no core and leaks
 * nothing.
 */
void expect_creation_or_nothing(const PixmillCoreClass& table, const void* config);

/* Number of allocated blocks in the program. */
int64_t live_blocks();

} // namespace pixmill::test

#endif
