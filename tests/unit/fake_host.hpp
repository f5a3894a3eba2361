/*
 * The host on which cores are tested. It has sparse fake memory, a clock that tests set, and a
 * record of every callback.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_UNIT_FAKE_HOST_HPP
#define PIXMILL_TESTS_UNIT_FAKE_HOST_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "pixmill/host.h"
#include "pixmill/vivante.h"
#include "recycled.hpp"

namespace pixmill::test {

using Words = std::vector<uint32_t>;

struct Range {
    uint64_t addr;
    uint64_t len;
    bool operator==(const Range&) const = default;
};

/*
 * Guest-physical memory with holes.
 *
 * With a grain of N bytes, every N bytes of a region are in a separate host buffer, between two
 * red zones. ASan or a canary detects a core that accesses more than map() granted.
 */
class FakeMemory {
public:
    /* Splits regions that are added later into host buffers of @bytes; 0 splits none. */
    void set_grain(uint64_t bytes) { grain_ = bytes; }
    /*
     * For regions that are added later, makes host addresses differ from guest addresses by @bytes
     * modulo 64.
     */
    void set_skew(uint64_t bytes) { skew_ = bytes; }
    void add(uint64_t base, uint64_t size, bool writable = true);
    /* Makes the memory at @to visible to devices at @base too. */
    void alias(uint64_t base, uint64_t size, uint64_t to) { aliases_.push_back({base, size, to}); }

    void* map(uint64_t addr, uint64_t* len, bool write) const;

    /* The test's own view, which ignores write protection. */
    bool has(uint64_t addr) const { return find(addr) != nullptr; }
    void put(uint64_t addr, const void* bytes, uint64_t len);
    void get(uint64_t addr, void* bytes, uint64_t len) const;
    /* Returns how many bytes from @addr on are equal to @bytes, at most @len. */
    uint64_t equal_bytes(uint64_t addr, const uint8_t* bytes, uint64_t len) const;
    void fill(uint64_t addr, uint8_t byte, uint64_t len);
    uint8_t byte(uint64_t addr) const;
    uint16_t half(uint64_t addr) const;
    uint32_t word(uint64_t addr) const;
    void set_byte(uint64_t addr, uint8_t value) { put(addr, &value, 1); }
    void set_half(uint64_t addr, uint16_t value);
    void set_word(uint64_t addr, uint32_t value);
    void set_words(uint64_t addr, const Words& words);
    Words words(uint64_t addr, size_t count) const;

    Bytes snapshot() const;
    std::vector<Range> ranges() const;
    bool canaries_intact() const;

    /* Moves all contents to new host memory and frees the old memory. */
    void relocate();

private:
    struct GiveBack {
        size_t bytes;
        void operator()(uint8_t* block) const { give_back(block, bytes); }
    };
    using Store = std::unique_ptr<uint8_t, GiveBack>;

    struct Region {
        uint64_t base;
        uint64_t size;
        bool writable;
        uint64_t grain; /* guest bytes per host buffer */
        uint64_t slot;  /* host bytes per buffer, red zone included */
        uint64_t skew;  /* host address minus guest address, modulo 64 */
        Store store;

        uint64_t end() const { return base + size; }
        uint64_t pieces() const { return (size + grain - 1) / grain; }
        uint8_t* at(uint64_t addr) const;
        uint64_t contiguous(uint64_t addr) const;
        void allocate();
    };

    struct Alias {
        uint64_t base, size, to;
    };

    const Region* find(uint64_t addr) const;
    uint64_t hole(uint64_t addr) const;

    std::vector<Region> regions_;
    std::vector<Alias> aliases_;
    uint64_t grain_ = 0;
    uint64_t skew_ = 0;
};

struct JobEvent {
    PixmillJob what;
    uint32_t number;
    bool operator==(const JobEvent&) const = default;
};

struct Transfer {
    PixmillTransfer transfer;
    Range range;
    uint32_t job;
};

struct LogLine {
    PixmillLog kind;
    std::string text;
};

struct TraceLine {
    PixmillTrace event;
    uint64_t a;
    uint64_t b;
    std::string text;
};

/* A PixmillHost that records all callbacks and checks the rules of host.h. */
class FakeHost {
public:
    FakeHost();
    FakeHost(const FakeHost&) = delete;
    FakeHost& operator=(const FakeHost&) = delete;

    /* Records what accessed() reports. Call before a core is created. */
    void watch() {
        abi_.accessed = note_access;
        abi_.job = note_job;
    }
    const PixmillHost* abi() const { return &abi_; }
    PixmillHost* abi() { return &abi_; }

    FakeMemory ram;
    std::atomic<int64_t> now{0};
    std::atomic<bool> run_requested{false};
    std::atomic<uint64_t> maps{0};
    std::atomic<bool> irq{false};       ///< line 0
    std::atomic<bool> error_irq{false}; ///< line 1
    std::atomic<bool> freeze{false};    ///< line 2
    std::atomic<uint32_t> irq_changes{0};
    uint32_t trace_mask = 0;
    bool record_ranges = false;                /* record the ranges of map() for writing and of
                                                  dirty() */
    std::function<void(uint64_t addr)> on_map; /* called by map() on the calling thread */

    /* Number of entry points being called; Machine counts them. */
    std::atomic<int> entries{0};
    static constinit thread_local bool in_draw;
    /* True during a callback that records, whose allocations are not those of the core. */
    static constinit thread_local bool recording;

    std::vector<LogLine> logs() const;
    std::vector<TraceLine> traces() const;
    std::vector<Range> dirty() const;
    std::vector<Range> write_maps() const;
    std::vector<Transfer> accesses() const;
    std::vector<JobEvent> jobs() const;
    std::vector<std::string> violations() const;
    void clear_logs();
    void clear_traces();
    void clear_ranges();
    void violate(const std::string& what);
    /* Called with the new level whenever the interrupt line changes. */
    void (*on_irq)(void* arg, bool level) = nullptr;
    void* on_irq_arg = nullptr;

private:
    static void* map(void* user, uint64_t addr, uint64_t* len, bool write);
    static void mark(void* user, uint64_t addr, uint64_t len);
    static void set_irq(void* user, uint32_t line, bool level);
    static int64_t clock(void* user);
    static void request_run(void* user);
    static void log(void* user, PixmillLog kind, const char* text);
    static void trace(void* user, PixmillTrace event, uint64_t a, uint64_t b, const char* text);
    static void note_job(void* user, PixmillJob what, uint32_t number);
    static void note_access(void* user, PixmillTransfer transfer, uint64_t addr, uint64_t len);

    PixmillHost abi_{};
    mutable std::mutex mutex_;
    std::vector<LogLine> logs_;
    std::vector<TraceLine> traces_;
    std::vector<Range> dirty_;
    std::vector<Range> write_maps_;
    std::vector<Transfer> accesses_;
    std::vector<JobEvent> jobs_;
    uint32_t job_ = 0; ///< the one that runs
    std::vector<std::string> violations_;
};

} // namespace pixmill::test

#endif
