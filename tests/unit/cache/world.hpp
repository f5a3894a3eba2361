// A processor with a data cache, a GPU and a display, for tests of the checker.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "pixmill/cache_check.h"

namespace pixmill::test {

/// A report, from the JSON text.
struct Report {
    std::string rule, level, master, access, note;
    uint32_t pc = 0, lr = 0, store_pc = 0, job = 0, first = 0, last = 0;
    uint64_t count = 0;
    bool likely = false;
    size_t ranges = 0;
};

/// Attributes of an MPU region: bits of RASR.
namespace attr {
constexpr uint32_t uncached = 1u << 19, through = 2u << 16, back = 1u << 19 | 3u << 16;
constexpr uint32_t shareable = 1u << 18;
} // namespace attr

/// 256 KiB of RAM at 0x80000000 and, if there is an alias, at 0x90000000. Each access has a PC of
/// the caller's choice.
class CacheWorld {
public:
    static constexpr uint32_t ram_base = 0x80000000, alias_base = 0x90000000, ram_size = 256 * 1024;

    struct Options {
        bool act = false, speculates = false, alias = false, begins_enabled = true;
        uint32_t attributes = attr::back, size = 32 * 1024, seed = 1;
    };

    explicit CacheWorld(const Options& options);
    CacheWorld() : CacheWorld(Options()) {}
    ~CacheWorld() { pixmill_cache_check_destroy(check); }
    CacheWorld(const CacheWorld&) = delete;
    CacheWorld& operator=(const CacheWorld&) = delete;

    // The processor.
    void store(uint32_t pc, uint32_t address, uint32_t length, uint8_t value);
    uint8_t load(uint32_t pc, uint32_t address, uint32_t length = 1);
    void clean(uint32_t address, uint32_t length) { operate(PIXMILL_CACHE_CLEAN, address, length); }
    void invalidate(uint32_t address, uint32_t length) {
        operate(PIXMILL_CACHE_INVALIDATE, address, length);
    }
    void clean_invalidate(uint32_t address, uint32_t length) {
        operate(PIXMILL_CACHE_CLEAN_INVALIDATE, address, length);
    }
    void operate(PixmillCacheOperation operation, uint32_t address, uint32_t length);
    /// CMSIS's sweep over all sets and the first `ways` ways.
    void sweep(PixmillCacheOperation operation, uint32_t ways = PIXMILL_CACHE_WAYS);
    void enable(bool enabled);
    void apply() { pixmill_cache_check_control(check, &control); }
    void set_region(uint32_t number, uint32_t address, uint32_t log_size, uint32_t attributes,
                    uint32_t disabled_subregions = 0);

    // The masters.
    uint8_t read(uint32_t address, uint32_t length, PixmillTransfer kind = PIXMILL_TRANSFER_READ);
    void write(uint32_t address, uint32_t length, uint8_t value);
    void scan_out(uint32_t address, uint32_t length);
    void submit() { pixmill_cache_check_submit(check, gpu, ++job, submit_pc); }
    void wait() { pixmill_cache_check_seen(check, gpu, job); }
    /// The byte as masters see it.
    uint8_t& memory(uint32_t address);

    /// All reports except those of `redundant` and `missing-barrier`, which are off by default.
    std::vector<Report> reports(bool all = false) const;
    /// The names of their rules, in order, with a blank between.
    std::string rules(bool all = false) const;
    Report only() const;
    /// The number of mistakes that found no room.
    uint32_t dropped() const;

    static constexpr uint32_t operate_pc = 0x5000, submit_pc = 0x6000;

    PixmillCacheCheck* check = nullptr;
    PixmillCacheControl control{};
    uint32_t gpu = 0, display = 0, job = 0;
    uint64_t changed = 0; ///< bytes that the model has changed
    std::vector<uint8_t> ram;

private:
    uint8_t* host(uint32_t address) { return &ram[address % alias_base % ram_base]; }
    std::string json() const;
    uint32_t size_;
};

} // namespace pixmill::test
