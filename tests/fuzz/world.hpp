/*
 * The environment of a fuzzed core: guest memory between guard pages, a host that checks the rules
 * of host.h, and the input reader. frame.hpp runs a core in it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_FUZZ_WORLD_HPP
#define PIXMILL_TESTS_FUZZ_WORLD_HPP

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <span>

#include "pixmill/core.h"

namespace pixmill::fuzz {

inline void require(bool holds, const char* what) {
    if (holds)
        return;
    std::fprintf(stderr, "rule broken: %s\n", what);
    std::abort();
}

/* ---- Landmarks -------------------------------------------------------------- */

/*
 * A point that the seeds (make_corpus.py) must reach, and a part of the text that the core or the
 * fuzzer logs there.  With PIXMILL_LANDMARKS in the environment, a fuzzer exits with status 1 if
 * none of its inputs reaches the point.
 */
struct Landmark {
    const char* name;
    const char* said;
    bool reached = false;
};

std::span<Landmark> landmarks(); /* this fuzzer's landmarks */

inline bool looking = false; /* true if landmarks are recorded */

[[gnu::format(printf, 1, 2)]] inline void say(const char* format, ...) {
    if (!looking)
        return;
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    (void)std::vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    for (Landmark& landmark : landmarks())
        landmark.reached |= std::strstr(line, landmark.said) != nullptr;
}

inline void report_landmarks() {
    bool all = true;
    for (const Landmark& landmark : landmarks()) {
        std::fprintf(stderr, "%s %s\n", landmark.reached ? "reached    " : "NOT REACHED",
                     landmark.name);
        all &= landmark.reached;
    }
    if (!all)
        _exit(1);
}

/* ---- Guest memory ------------------------------------------------------- */

constexpr uint64_t kPage = 4096;

/* Host pages with an inaccessible page before and after them and, if split, between them. */
class Region {
public:
    /*
     * @run is the length that map() returns: all pages, one page, or part of a page.  With a page
     * or less, the pages are split.  The length need not be a multiple of a word.
     */
    Region(uint64_t base, uint64_t pages, uint64_t run, bool writable)
        : base_(base), pages_(pages), run_(run), stride_(run <= kPage ? 2 * kPage : kPage),
          writable_(writable) {
        const uint64_t size = (pages * 2 + 2) * kPage;
        void* raw = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        require(raw != MAP_FAILED, "mmap");
        host_ = static_cast<uint8_t*>(raw) + kPage;
        protect(PROT_READ | PROT_WRITE);
        clear();
        if (!writable)
            protect(PROT_READ);
    }

    bool has(uint64_t addr) const { return addr - base_ < pages_ * kPage; }
    bool writable() const { return writable_; }
    uint64_t base() const { return base_; }

    uint8_t* at(uint64_t addr) const {
        const uint64_t offset = addr - base_;
        return host_ + offset / kPage * stride_ + offset % kPage;
    }

    uint64_t contiguous(uint64_t addr) const {
        const uint64_t offset = addr - base_;
        if (run_ > kPage)
            return pages_ * kPage - offset;
        const uint64_t in_page = offset % kPage;
        return std::min(run_ - in_page % run_, kPage - in_page);
    }

    void clear() { fill(std::array<uint8_t, kPage>{}); }

    void fill(const std::array<uint8_t, kPage>& page) {
        for (uint64_t i = 0; i < pages_ && writable_; i++)
            std::memcpy(host_ + i * stride_, page.data(), kPage);
    }

private:
    void protect(int rights) {
        for (uint64_t i = 0; i < pages_; i++)
            require(mprotect(host_ + i * stride_, kPage, rights) == 0, "mprotect");
    }

    uint64_t base_, pages_, run_, stride_;
    bool writable_;
    uint8_t* host_ = nullptr;
};

class Memory {
public:
    static constexpr uint32_t kSlots = 256; /* pages that the input can place */

    const Region* find(uint64_t addr) const {
        for (const Region& region : regions_) {
            if (region.has(addr))
                return &region;
        }
        return nullptr;
    }

    void* map(uint64_t addr, uint64_t* len, bool write) const {
        if (const Placed* placed = find_placed(addr)) {
            *len = kPage - addr % kPage;
            return slots_.at(placed->slot_of(addr) * kPage + addr % kPage);
        }
        const Region* region = find(addr);
        if (region) {
            *len = region->contiguous(addr);
            return write && !region->writable() ? nullptr : region->at(addr);
        }
        uint64_t next = UINT64_MAX;
        for (const Region& other : regions_) {
            if (other.base() > addr && other.base() < next)
                next = other.base();
        }
        for (uint32_t i = 0; i < placed_count_; i++) {
            const uint64_t base = placed_[i].page * kPage;
            if (base > addr && base < next)
                next = base;
        }
        *len = next - addr;
        return nullptr;
    }

    void set_word(uint64_t addr, uint32_t value) const {
        const Region* region = find(addr & ~3ull);
        if (region && region->writable())
            std::memcpy(region->at(addr & ~3ull), &value, 4);
    }

    /*
     * Maps the next @count slots at @page, where they hide other memory.  A slot is mapped only
     * once.
     */
    void place(uint64_t page, uint32_t count) {
        for (uint32_t i = 0; i < placed_count_; i++) {
            if (placed_[i].page < page + count && page < placed_[i].page + placed_[i].count)
                return;
        }
        if (placed_count_ == std::size(placed_) || count > kSlots - slots_used_)
            return;
        placed_[placed_count_++] = {page, count, slots_used_};
        slots_used_ += count;
    }
    void set_slot_word(uint32_t slot, uint32_t word, uint32_t value) const {
        std::memcpy(slots_.at(slot % kSlots * kPage + word * 4 % kPage), &value, 4);
    }
    bool has_placed(uint64_t addr) const { return find_placed(addr) != nullptr; }

    void clear() {
        for (Region& region : regions_)
            region.clear();
        if (placed_count_)
            slots_.clear();
        placed_count_ = slots_used_ = 0;
    }

    /* Fills memory with runs of a few values, so that color keys match some pixels. */
    void paint() {
        static const std::array<uint8_t, kPage> page = [] {
            static constexpr uint32_t values[] = {0,          0xFF112233, 0x00000001, 0x80FF4020,
                                                  0x12345678, 0xFFFFFFFF, 0x01010101, 0x7F102030};
            std::array<uint8_t, kPage> made{};
            uint32_t random = 1, left = 0, value = 0;
            for (size_t at = 0; at < made.size(); at += sizeof value, left--) {
                if (!left) {
                    random = random * 1664525 + 1013904223;
                    value = values[random >> 29];
                    left = 1 + (random >> 20) % 24;
                }
                std::memcpy(made.data() + at, &value, sizeof value);
            }
            return made;
        }();
        for (Region& region : regions_)
            region.fill(page);
    }

private:
    struct Placed {
        uint64_t page;
        uint32_t count, slot;

        bool has(uint64_t addr) const { return addr / kPage - page < count; }
        uint64_t slot_of(uint64_t addr) const { return slot + (addr / kPage - page); }
    };
    const Placed* find_placed(uint64_t addr) const {
        for (uint32_t i = 0; i < placed_count_; i++) {
            if (placed_[i].has(addr))
                return &placed_[i];
        }
        return nullptr;
    }

    Placed placed_[kSlots]{};
    uint32_t placed_count_ = 0, slots_used_ = 0;
    Region slots_{0, kSlots, kPage, true};
    Region regions_[5] = {
        {0x00000000, 48, 48 * kPage, true}, {0x00100000, 16, kPage, true},
        {0x00200000, 2, kPage, false},      {0x80000000, 8, kPage / 4 - 2, true},
        {0x190000000, 4, kPage, true},
    };
};

inline Memory& memory() {
    static Memory instance;
    return instance;
}

/* ---- The host ------------------------------------------------------------ */

struct World {
    const char* const* lines; /* names of the core's lines */
    int64_t now = 0;
    uint32_t levels = 0; /* one bit per line */
    bool in_draw = false;
    bool inside = false; /* during a call of the core */
    uint32_t trace_mask = 0;
    uint64_t cut = 0;         /* end of the last mapping if it splits an aligned qword */
    const char* state = "";   /* state of the front end or list processor */
    const char* command = ""; /* last command in this state */

    explicit World(const char* const* names) : lines(names) { trace(false); }
    bool line(uint32_t number) const { return levels >> number & 1; }
    void trace(bool on) { trace_mask = on || looking ? (1u << PIXMILL_TRACE_COUNT) - 1 : 0; }
};

/* Returns the number of names before the nullptr. */
inline uint32_t count_of(const char* const* names) {
    uint32_t count = 0;
    while (names[count])
        count++;
    return count;
}

inline World& world_of(void* user) {
    return *static_cast<World*>(user);
}

inline void* host_map(void* user, uint64_t addr, uint64_t* len, bool write) {
    World& world = world_of(user);
    require(world.inside, "map() outside an entry point");
    void* host = memory().map(addr, len, write);
    if (host && addr == world.cut)
        say("words over two runs");
    world.cut = host && !write && !world.in_draw && addr % 8 && *len < 8 ? addr + *len : 0;
    return host;
}

inline void host_dirty(void* user, uint64_t addr, uint64_t len) {
    require(world_of(user).inside, "dirty() outside an entry point");
    require(len > 0 && addr + len > addr, "dirty() of an empty or wrapping range");
    if (world_of(user).in_draw)
        say("drawn");
    else
        say("store of %u", static_cast<unsigned>(len));
    for (uint64_t at = addr; at < addr + len;) {
        if (memory().has_placed(at)) {
            at += kPage - at % kPage;
            continue;
        }
        const Region* region = memory().find(at);
        require(region && region->writable(), "dirty() outside writable memory");
        at += region->contiguous(at);
    }
}

inline void host_set_irq(void* user, uint32_t line, bool level) {
    World& world = world_of(user);
    require(!world.in_draw, "set_irq() inside draw()");
    require(line < count_of(world.lines), "set_irq() of a line that is not there");
    require(world.line(line) != level, "set_irq() without a change");
    world.levels ^= 1u << line;
    if (level)
        say("line %s", world.lines[line]);
}

inline int64_t host_clock(void* user) {
    return world_of(user).now;
}

inline void host_request_run(void* user) {
    require(!world_of(user).in_draw, "request_run() inside draw()");
}

inline void host_log(void*, PixmillLog, const char* text) {
    require(text && *text && !std::strchr(text, '\n'), "log() text is not one line");
    say("log %s", text);
}

inline void host_trace(void* user, PixmillTrace event, uint64_t a, uint64_t b, const char* text) {
    static constexpr const char* names[] = {"read", "write",     "command",   "state",
                                            "draw", "mmu_fault", "bus_error", "event",
                                            "irq",  "reset",     "fe_state"};
    static_assert(std::size(names) == PIXMILL_TRACE_COUNT);
    World& world = world_of(user);
    require(event < PIXMILL_TRACE_COUNT && (world.trace_mask >> event & 1),
            "trace() of an event that is not enabled");
    require(text != nullptr, "trace() without a text");
    say("%s %s %llx", names[event], text, static_cast<unsigned long long>(b));
    if (event == PIXMILL_TRACE_COMMAND) {
        say("%s behind %s", text, world.command);
        world.command = text;
    } else if (event == PIXMILL_TRACE_FE_STATE) {
        say("%s behind %s", text, world.state);
        world.state = text;
        world.command = "";
    } else if (event == PIXMILL_TRACE_DRAW && a > 64 * 64) {
        say("many pixels");
    }
}

inline PixmillHost host_of(World& world) {
    return {PIXMILL_API_VERSION, &world,   host_map,   host_dirty,        host_set_irq, host_clock,
            host_request_run,    host_log, host_trace, &world.trace_mask, nullptr,      nullptr};
}

/* ---- The fuzzer ----------------------------------------------------------- */

} // namespace pixmill::fuzz

extern "C" [[gnu::used]] inline int LLVMFuzzerInitialize(int*, char***) {
    if (std::getenv("PIXMILL_LANDMARKS")) {
        pixmill::fuzz::looking = true;
        (void)pixmill::fuzz::landmarks(); /* constructed first: must outlive the report */
        (void)std::atexit(pixmill::fuzz::report_landmarks);
    }
    return 0;
}

namespace pixmill::fuzz {

/* ---- The input ------------------------------------------------------------ */

class Input {
public:
    Input(const uint8_t* data, size_t size) : at_(data), end_(data + size) {}
    bool empty() const { return at_ >= end_; }

    uint8_t byte() { return empty() ? 0 : *at_++; }
    uint16_t half() {
        const uint8_t low = byte();
        return static_cast<uint16_t>(low | byte() << 8);
    }
    uint32_t word() {
        const uint16_t low = half();
        return low | static_cast<uint32_t>(half()) << 16;
    }

    /* Returns a word, which is often one of the known values. */
    uint32_t value() {
        static const uint32_t known[] = {0,          1,          0xFFFFFFFF, 0x80000000, 0x7FFFFFFF,
                                         0x10000,    0x10002,    0x00000018, 0x0030CCCC, 0x00305A5A,
                                         0x06000040, 0x04000000, 0x00002006, 0x00000006, 0x701,
                                         0x40,       0x0F0F0F0F, 0x81100,    0x80100,    0x100};
        const uint8_t choice = byte();
        return choice < std::size(known) ? known[choice] : choice < 128 ? byte() : word();
    }

    uint64_t address() {
        static const uint64_t bases[] = {0,          0x100000,    0x200000,
                                         0x80000000, 0x190000000, 0xFFFFF000};
        return bases[byte() % std::size(bases)] + half();
    }

    uint32_t offset() {
        static const uint16_t known[] = {0x00,  0x04,  0x10,  0x14,  0x18C, 0x190, 0x388, 0x394,
                                         0x3A4, 0x3A8, 0x400, 0x408, 0x418, 0x428, 0x438, 0x470,
                                         0x654, 0x658, 0x664, 0x78,  0x7C,  0x3C};
        const uint8_t choice = byte();
        return choice < std::size(known) ? known[choice] : choice < 200 ? half() & 0xFFF : word();
    }

private:
    const uint8_t* at_;
    const uint8_t* end_;
};

} // namespace pixmill::fuzz

#endif
