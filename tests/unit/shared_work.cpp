/*
 * SharedWork must invite only as many threads as the cost of the work justifies.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <atomic>

#include "common/parallel/shared_work.hpp"

namespace pixmill::test {
namespace {

TEST(SharedWork, InvitesAsManyThreadsAsTheWorkIsWorth) {
    constexpr struct {
        uint64_t work;
        unsigned threads;
    } rows[] = {{0, 1}, {1, 1}, {100, 1}, {101, 2}, {300, 3}, {301, 4}, {1000, 4}, {~0ull, 4}};
    ThreadPool pool(3, ThreadPool::Wait::all);
    SharedWork shared(pool, 100);
    for (const auto& row : rows) {
        SCOPED_TRACE(row.work);
        std::atomic<unsigned> parts = 0;
        shared.run(row.work, [&](unsigned) { parts++; });
        EXPECT_EQ(parts, row.threads);
    }
}

} // namespace
} // namespace pixmill::test
