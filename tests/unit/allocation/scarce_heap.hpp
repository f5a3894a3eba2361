/*
 * A heap that refuses what cores ask for. Linking it replaces the program's heap.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_UNIT_SCARCE_HEAP_HPP
#define PIXMILL_TESTS_UNIT_SCARCE_HEAP_HPP

#include <functional>

#include "../fake_host.hpp"
#include "pixmill/core.h"

namespace pixmill::test {

/* Which requests are refused: one, or that one and all behind it. */
struct Refusal {
    uint64_t first = UINT64_MAX; /* counted from 0 */
    bool all_behind = false;
};

/*
 * As long as it lives, requests of a core on @host are counted, whatever thread they come from, and
 * refused as @refusal says. Those of the test and of the host's callbacks are neither. One at a
 * time.
 */
class ScarceHeap {
public:
    explicit ScarceHeap(const FakeHost& host, const Refusal& refusal = {});
    ~ScarceHeap();
    ScarceHeap(const ScarceHeap&) = delete;
    ScarceHeap& operator=(const ScarceHeap&) = delete;

    uint64_t requests() const;
    uint64_t outside_draw() const; /* of them, those of entry points but draw() */
    uint64_t refused() const;
};

/*
 * Calls @attempt without each request of what it does, and without all from that one on, until
 * there is none left. It returns how many were refused; this, how many attempts had any.
 */
uint64_t at_every_request(const std::function<uint64_t(const Refusal&)>& attempt);

/* A core of @table is created of @config, or there is no memory and nothing is left behind. */
void expect_creation_or_nothing(const PixmillCoreClass& table, const void* config);

/* Blocks of the program that have not been freed. */
int64_t live_blocks();

} // namespace pixmill::test

#endif
