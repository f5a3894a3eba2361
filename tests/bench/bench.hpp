// Helpers of all benchmarks: naming, and contiguous and scattered memory.
//
// Benchmarks are named WHAT/WHO. Those with the same WHAT do the same work on the same bytes. WHO
// is `pixmill` or a yardstick: `memset`, `memcpy`, `pixman`, or `loops` (pixmill without pixman).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <benchmark/benchmark.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "common/memory/memory.hpp"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#define CALLGRIND_DUMP_STATS_AT(name)
#endif

namespace pixmill::bench {

/// The amount of work per iteration, in bytes or items. Pictures set both; their items are pixels.
struct Amount {
    uint64_t bytes = 0, items = 0;
};

/// Has callgrind count only the instructions of one call of `work` (scripts/bench --instructions).
/// Without callgrind, just calls `work`.
inline void count(const std::string& name, const std::function<void()>& work) {
    CALLGRIND_START_INSTRUMENTATION;
    work();
    CALLGRIND_STOP_INSTRUMENTATION;
    CALLGRIND_DUMP_STATS_AT(name.c_str());
}

/// Measures `work`, which handles `amount`. Fails if `done` is false after the last iteration.
inline void add(const std::string& name, Amount amount, std::function<void()> work,
                std::function<bool()> done) {
    auto* const registered =
        benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
            work(); // keeps lazy initialization out of the measurement
            count(name, work);
            for (auto _ : state) {
                work();
                benchmark::ClobberMemory();
            }
            if (amount.bytes)
                state.SetBytesProcessed(int64_t(state.iterations() * amount.bytes));
            if (amount.items)
                state.SetItemsProcessed(int64_t(state.iterations() * amount.items));
            if (!done())
                state.SkipWithError("the work was not done");
        });
    if (name.find("/two_threads/") != std::string::npos)
        registered->UseRealTime(); // the default is CPU time of the first thread
}

/// Returns a check that `work` changes the byte. It tries two initial values, since a blend may
/// preserve one of them.
inline std::function<bool()> changes(std::byte* byte, std::function<void()> work) {
    return [=] {
        return std::ranges::any_of(std::array{std::byte(0), std::byte(0x80)}, [=](std::byte value) {
            *byte = value;
            work();
            return *byte != value;
        });
    };
}

/// Memory whose pages are all populated, as huge pages if available; QEMU requests huge pages for
/// guest RAM too (system/physmem.c, ram_block_add()).
class Pool {
public:
    static constexpr size_t page = 4096;

    explicit Pool(size_t size) {
        constexpr size_t huge = 2 << 20;
        size = (size + huge - 1) / huge * huge;
        bytes_.reset(static_cast<std::byte*>(std::aligned_alloc(huge, size)));
        if (!bytes_)
            throw std::bad_alloc();
        (void)madvise(bytes_.get(), size, MADV_HUGEPAGE); // failure is harmless
        std::memset(bytes_.get(), 1, size);
    }
    std::byte* data() { return bytes_.get(); }

private:
    struct Free {
        void operator()(std::byte* bytes) const { std::free(bytes); }
    };
    std::unique_ptr<std::byte, Free> bytes_;
};

/// Contiguous guest memory that starts at address 0.
class ContiguousMemory final : public Memory {
public:
    explicit ContiguousMemory(std::byte* host) : host_(host) {}
    HostSpan map(uint64_t address, uint64_t length, Access) override {
        return {Mapping::host, 0, host_ + address, length};
    }
    std::byte* map_contiguous(uint64_t address, uint64_t, Access) override {
        return host_ + address;
    }
    void mark_dirty(uint64_t, uint64_t length) override { benchmark::DoNotOptimize(length); }
    void mark_dirty_rows(uint64_t, uint64_t length, uint32_t, uint32_t) override {
        benchmark::DoNotOptimize(length);
    }

private:
    std::byte* host_;
};

/// Guest memory mapped through a page table with its pages in random order.
class ScatteredMemory final : public Memory {
public:
    ScatteredMemory(std::byte* host, size_t size) : host_(host), table_(size / Pool::page) {
        for (size_t i = 0; i < table_.size(); i++)
            table_[i] = i;
        std::shuffle(table_.begin(), table_.end(), std::mt19937(1)); // same order in every run
    }
    HostSpan map(uint64_t address, uint64_t length, Access) override {
        const uint64_t offset = address % Pool::page;
        uint64_t page = address / Pool::page;
        std::byte* host = host_ + table_[page] * Pool::page + offset;
        uint64_t run = Pool::page - offset;
        while (run < length && table_[page + 1] == table_[page] + 1) {
            page++;
            run += Pool::page;
        }
        const bool all = run >= length || page + 1 == table_.size();
        return {Mapping::host, 0, host, std::min(run, length),
                all ? nullptr : host_ + table_[page + 1] * Pool::page};
    }
    size_t map_pages(uint64_t address, std::span<std::byte*> hosts, Access) override {
        const uint64_t first = address / Pool::page;
        const size_t count = std::min<uint64_t>(hosts.size(), table_.size() - first);
        for (size_t i = 0; i < count; i++)
            hosts[i] = host_ + table_[first + i] * Pool::page;
        return count;
    }
    void mark_dirty(uint64_t, uint64_t length) override { benchmark::DoNotOptimize(length); }

private:
    std::byte* host_;
    std::vector<size_t> table_;
};

} // namespace pixmill::bench
