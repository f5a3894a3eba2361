// The model of a data cache and of the masters beside it.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "attributes.hpp"
#include "reports.hpp"
#include "zeroed.hpp"

namespace pixmill::cache {

using Operation = PixmillCacheOperation;

constexpr uint32_t mask_of(uint32_t first, uint32_t count) {
    return uint32_t((uint64_t(1) << count) - 1) << first;
}

/// State of a line at one address of the processor. All zeros: not in the cache.
struct Line {
    enum : uint8_t {
        held = 1 << 0,      ///< an access has filled the line, and nothing has invalidated it
        unfilled = 1 << 1,  ///< `foreign` was written while the line was not held
        differs = 1 << 2,   ///< `foreign` has changed values
        resident = 1 << 3,  ///< in the cache of the real size
        scanned = 1 << 4,   ///< a display has read the dirty bytes once
        elsewhere = 1 << 5, ///< the same memory has been cleaned at another address
    };
    static constexpr unsigned way_shift = 6; ///< the upper bits of `flags` are the way, if resident

    uint32_t dirty;   ///< mask of bytes that were stored and not written back
    uint32_t foreign; ///< mask of bytes that a master has written since the line was filled
    uint32_t output;  ///< mask of bytes that a master, and not the processor, has written last
    uint32_t pc;      ///< of the last store to the dirty bytes
    uint8_t flags;
    uint8_t cleaned;     ///< mask of the ways that have been cleaned since the last store
    uint8_t invalidated; ///< mask of the ways that have been invalidated since the line was filled
    bool used;           ///< a job that uses the line may be unfinished
};

/// The last store to a line of memory, and the last job that used it.
struct Use {
    uint32_t pc;      ///< of the last store
    uint32_t epoch;   ///< number of submissions before it
    uint32_t barrier; ///< number of barriers before it
    uint32_t stored;  ///< mask of the bytes stored in this epoch
    uint32_t job;
    uint32_t reads, writes; ///< masks of the bytes that the job has used
    uint8_t master;
    uint8_t access;
};

class Checker {
public:
    /// `config` must be valid.
    explicit Checker(const PixmillCacheConfig& config);

    static bool valid(const PixmillCacheConfig& config);

    void reset();
    void control(const PixmillCacheControl& control);

    void load(uint32_t pc, uint32_t address, uint32_t length);
    void store(uint32_t pc, uint32_t address, uint32_t length);
    // Do the same if this is the most frequent case, quickly, and return false otherwise.
    bool load_hit(uint32_t address, uint32_t length);
    bool store_hit(uint32_t pc, uint32_t address, uint32_t length);
    void operate(Operation operation, uint32_t pc, uint32_t lr, uint32_t address);
    void operate_way(Operation operation, uint32_t pc, uint32_t lr, uint32_t value);
    void barrier() { barriers_++; }

    int add_master(const char* name);
    void access(uint32_t master, PixmillTransfer access, uint64_t address, uint64_t length,
                uint32_t job, uint32_t draw);
    void submit(uint32_t master, uint32_t job, uint32_t pc);
    void seen(uint32_t master, uint32_t job);
    uint8_t* memory(uint8_t* ram);

    std::string json() const;

private:
    static constexpr uint32_t line_bytes = PIXMILL_CACHE_LINE, ways = PIXMILL_CACHE_WAYS;
    static constexpr uint32_t page_bytes = 1024, page_lines = page_bytes / line_bytes;
    static constexpr uint32_t piece_bytes = 1 << 20;
    static constexpr uint32_t all_ways = (1u << ways) - 1;
    static constexpr size_t most_jobs = 4096; ///< of a master that may be unfinished
    // Values of Window.attributes beside those of Attribute.
    static constexpr uint8_t mixed = 3, unknown = 4;

    struct Memory {
        uint8_t* ram; ///< as the processor sees it
        uint32_t size;
        Zeroed<uint8_t> copy; ///< as masters see it
        Zeroed<Use> uses;
        std::vector<size_t> windows;
    };
    /// A region.
    struct Window {
        uint32_t begin, size;
        size_t memory;
        Zeroed<Line> lines;
        std::vector<uint8_t> attributes; ///< of each page: an Attribute, mixed or unknown
        std::vector<bool> listed;        ///< pages that are in listed_
        bool aliased = false;            ///< the memory has other windows
    };
    /// A line of a window.
    struct Place {
        Window& window;
        uint32_t index;
        Line& line() const { return window.lines[index]; }
        uint32_t address() const { return window.begin + index * line_bytes; }
    };
    /// A page or a line of a window.
    struct Item {
        uint32_t window, number;
    };
    struct Submission {
        uint32_t epoch, barrier, pc;
    };
    struct Master {
        std::string name;
        uint32_t seen = 0;                  ///< last job that the processor knows to be done
        uint32_t submitted = 0;             ///< last job that has been started
        std::deque<Submission> submissions; ///< of the jobs after `seen`
    };
    struct MasterAccess {
        uint8_t master;
        PixmillTransfer kind;
        uint32_t job, draw;
    };
    /// An operation and where it is.
    struct Op {
        Operation operation;
        uint32_t pc, lr;
    };

    void copy_memory();

    // Addresses.
    void index_windows();
    Window* find(uint32_t address) {
        Window* const end = windows_.data() + windows_.size();
        for (Window* w = windows_.data() + first_window_[address / piece_bytes]; w != end; w++)
            if (address - w->begin < w->size)
                return w;
        return nullptr;
    }
    Attribute attribute(const Place& place) {
        if (!control_.enabled)
            return Attribute::none;
        const uint8_t known = place.window.attributes[place.index / page_lines];
        return known < mixed ? Attribute(known) : find_attribute(place);
    }
    Attribute find_attribute(const Place& place);
    /// True if the cache has the line, no job and no other address concerns it, and the access is
    /// inside it.
    bool hits(const Place& place, uint32_t offset, uint32_t length) {
        constexpr uint8_t in_cache = Line::held | Line::resident;
        const Line& line = place.line();
        return (line.flags & in_cache) == in_cache && !line.foreign && !line.used &&
               !place.window.aliased && length <= line_bytes - offset % line_bytes;
    }
    uint8_t learn(Window& window, uint32_t page);
    uint8_t* cpu_bytes(const Place& place);
    uint8_t* memory_bytes(const Place& place);
    Use& use_of(const Place& place) { return memories_[place.window.memory].uses[place.index]; }
    bool differ(const Place& place, uint32_t bytes);
    template<class Function>
    void each_line(Window& window, uint32_t address, uint32_t length, Function function);
    template<class Function>
    void each_other(const Place& place, Function function);

    // Copies between the two views of memory.
    void write_back(const Place& place, uint32_t bytes);
    void write_back_line(const Place& place);
    void write_back_unknown(const Place& place);
    void refill(const Place& place, uint32_t bytes);

    // The processor.
    void load_line(const Place& place, uint32_t bytes, uint32_t pc);
    void store_line(const Place& place, uint32_t bytes, uint32_t pc);
    void fill(const Place& place, uint32_t bytes, uint32_t pc);
    void store_back(const Place& place, uint32_t bytes, uint32_t pc);
    void note_store(const Place& place, uint32_t bytes, uint32_t pc) {
        Use& use = use_of(place);
        use.stored = use.epoch == epoch_ ? use.stored | bytes : bytes;
        use.epoch = epoch_;
        use.barrier = barriers_;
        use.pc = pc;
        place.line().output &= ~bytes;
    }
    static void make_dirty(Line& line, uint32_t bytes, uint32_t pc) {
        line.dirty |= bytes;
        line.pc = pc;
        line.cleaned = 0;
        line.flags &= uint8_t(~(Line::scanned | Line::elsewhere));
    }
    [[gnu::cold]] void report_stale(const Place& place, uint32_t bytes, uint32_t pc);
    [[gnu::cold]] void report_stale_store(const Place& place, uint32_t bytes, uint32_t pc);
    [[gnu::cold]] void check_uncached(const Place& place, uint32_t bytes, uint32_t pc, bool store);
    [[gnu::cold]] void check_aliases(const Place& place, uint32_t bytes, uint32_t pc);
    void list(const Place& place);
    void unlist(std::vector<Item>& pages);

    // The cache of the real size.
    bool in_use(uint32_t set, uint32_t way);
    uint32_t choose_way(uint32_t set);
    void allocate(const Place& place);
    void evict(const Place& place);

    // Maintenance.
    void clean(const Place& place, const Op& op);
    void invalidate(const Place& place, const Op& op);
    void lose(const Place& place, const Op& op);
    void operate_line(const Place& place, const Op& op);
    void operate_line_way(const Place& place, const Op& op, uint32_t way);
    void no_effect(const Op& op, uint32_t address);

    // Masters.
    void read_line(const Place& place, uint32_t bytes, const MasterAccess& access);
    void write_line(const Place& place, uint32_t bytes, const MasterAccess& access);
    void settle_write(const Place& place, uint32_t bytes);
    void use(const Place& place, uint32_t bytes, const MasterAccess& access);
    bool busy(const Use& use) const;
    void check_busy(const Place& place, uint32_t bytes, uint32_t pc, bool store);

    void report(const Place& place, Finding finding);
    void report_shared(const Place& place, uint32_t bytes, uint32_t output, const Finding& finding);

    const uint32_t sets_; ///< 0 without a cache
    const bool act_, speculates_;
    void (*const changed_)(void*, uint32_t, uint32_t);
    void* const user_;

    std::vector<Memory> memories_;
    std::vector<Window> windows_;
    std::array<uint8_t, (uint64_t(1) << 32) / piece_bytes> first_window_; ///< see index_windows()
    PixmillCacheControl control_{};
    bool was_enabled_ = false; ///< the cache has been on since reset
    /// Pages with lines that are held; the index is that of the page's sets.
    std::vector<std::vector<Item>> listed_;
    std::vector<Item> tags_; ///< lines; the index is set * ways + way
    uint32_t random_;

    std::vector<Master> masters_;
    uint32_t epoch_ = 1;    ///< 1 + number of submissions
    uint32_t barriers_ = 1; ///< 1 + number of barriers
    Reports reports_;
};

inline bool Checker::load_hit(uint32_t address, uint32_t length) {
    Window* const window = find(address);
    if (!window)
        return true;
    const uint32_t offset = address - window->begin;
    const Place place{*window, offset / line_bytes};
    return hits(place, offset, length) && attribute(place) != Attribute::none;
}

inline bool Checker::store_hit(uint32_t pc, uint32_t address, uint32_t length) {
    Window* const window = find(address);
    if (!window)
        return true;
    const uint32_t offset = address - window->begin;
    const Place place{*window, offset / line_bytes};
    if (!hits(place, offset, length) || attribute(place) != Attribute::back)
        return false;
    const uint32_t bytes = mask_of(offset % line_bytes, length);
    make_dirty(place.line(), bytes, pc);
    note_store(place, bytes, pc);
    return true;
}

} // namespace pixmill::cache
