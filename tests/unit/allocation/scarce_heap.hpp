/*
 * A heap that can refuse the allocations of cores. A program that links it uses it as its heap.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_UNIT_SCARCE_HEAP_HPP
#define PIXMILL_TESTS_UNIT_SCARCE_HEAP_HPP

#include <functional>

#include "../fake_host.hpp"
#include "pixmill/core.h"

namespace pixmill::test {

/* The allocations to refuse: one allocation, or one and all later ones. */
struct Refusal {
    uint64_t first = UINT64_MAX; /* index of the allocation */
    bool all_behind = false;
};

/*
 * While an instance exists, the allocations of the core on @host are counted, in any thread, and
 * refused according to @refusal. The allocations of the test and of the host's callbacks are
 * exempt. Only one instance may exist.
 */
class ScarceHeap {
public:
    explicit ScarceHeap(const FakeHost& host, const Refusal& refusal = {});
    ~ScarceHeap();
    ScarceHeap(const ScarceHeap&) = delete;
    ScarceHeap& operator=(const ScarceHeap&) = delete;

    uint64_t requests() const;
    uint64_t outside_draw() const; /* number of requests outside draw() */
    uint64_t refused() const;
};

/*
 * Calls @attempt repeatedly. A first series refuses the first allocation, then the second, and so
 * on. A second series also refuses all allocations after that one. @attempt returns the number of
 * refusals; 0 ends a series. Returns the number of attempts with refusals.
 */
uint64_t at_every_request(const std::function<uint64_t(const Refusal&)>& attempt);

/*
 * Creates a core of @table with @config while allocations are refused. Checks that a failure
 * returns no core and leaks no memory.
 */
void expect_creation_or_nothing(const PixmillCoreClass& table, const void* config);

/* Returns the number of allocated blocks in the program. */
int64_t live_blocks();

} // namespace pixmill::test

#endif
