// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sources: Cortex-M7 TRM (DDI 0489F), 5.2 (the cache may fill and evict lines at any time) and
// table 3-1 (operations); CMSIS cachel1_armv7.h (fields of the operations by set and way).
//
// The model writes back whole lines. Hardware may write back less.
#include "checker.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

namespace pixmill::cache {

namespace {

constexpr bool cleans(Operation operation) {
    return operation & PIXMILL_CACHE_CLEAN;
}
constexpr bool invalidates(Operation operation) {
    return operation & PIXMILL_CACHE_INVALIDATE;
}

/// Copies the bytes of a line that `mask` names.
void copy_bytes(uint8_t* to, const uint8_t* from, uint32_t mask) {
    for (uint32_t left = mask; left;) {
        const auto first = uint32_t(std::countr_zero(left));
        const auto count = uint32_t(std::countr_one(left >> first));
        std::memcpy(to + first, from + first, count);
        left &= ~mask_of(first, count);
    }
}

} // namespace

// ---- Life cycle --------------------------------------------------------------

bool Checker::valid(const PixmillCacheConfig& config) {
    const uint32_t size = config.size;
    const bool size_is_valid =
        !size || (std::has_single_bit(size) && size >= 4096 && size <= 65536);
    const auto fits = [](const PixmillCacheRegion& r) {
        return r.ram && r.size && r.address % page_bytes == 0 && r.size % page_bytes == 0 &&
               uint64_t(r.address) + r.size <= uint64_t(1) << 32;
    };
    if (config.api_version != PIXMILL_API_VERSION || !size_is_valid || !config.region_count ||
        config.region_count > PIXMILL_CACHE_MAX_REGIONS || (config.act && !config.changed))
        return false;
    const std::span regions(config.regions, config.region_count);
    const auto unlike = [&](const PixmillCacheRegion& r) { // the same memory of another size
        return std::ranges::any_of(regions, [&](const PixmillCacheRegion& other) {
            return r.ram == other.ram && r.size != other.size;
        });
    };
    return std::ranges::all_of(regions, fits) && std::ranges::none_of(regions, unlike);
}

Checker::Checker(const PixmillCacheConfig& config)
    : sets_(config.size / line_bytes / ways), act_(config.act), speculates_(config.speculates),
      changed_(config.changed), user_(config.user), listed_(std::max(sets_ / page_lines, 1u)),
      tags_(size_t(sets_) * ways), random_(config.seed ? config.seed : 1) {
    for (uint32_t i = 0; i < config.region_count; i++) {
        const PixmillCacheRegion& region = config.regions[i];
        const auto known = std::ranges::find(memories_, region.ram, &Memory::ram);
        const auto number = size_t(known - memories_.begin());
        if (known == memories_.end())
            memories_.push_back({region.ram,
                                 region.size,
                                 Zeroed<uint8_t>(region.size),
                                 Zeroed<Use>(region.size / line_bytes),
                                 {}});
        memories_[number].windows.push_back(windows_.size());
        windows_.push_back({region.address, region.size, number,
                            Zeroed<Line>(region.size / line_bytes),
                            std::vector<uint8_t>(region.size / page_bytes),
                            std::vector<bool>(region.size / page_bytes), false});
    }
    for (Window& window : windows_)
        window.aliased = memories_[window.memory].windows.size() > 1;
    index_windows();
    reset();
}

/// Both views of memory become equal.
void Checker::copy_memory() {
    for (Memory& memory : memories_)
        std::memcpy(memory.copy.data(), memory.ram, memory.size);
}

void Checker::reset() {
    copy_memory();
    for (Memory& memory : memories_)
        memory.uses = Zeroed<Use>(memory.size / line_bytes);
    for (Window& window : windows_) {
        window.lines = Zeroed<Line>(window.size / line_bytes);
        window.listed.assign(window.listed.size(), false);
    }
    for (std::vector<Item>& pages : listed_)
        pages.clear();
    for (Master& master : masters_) {
        master.seen = master.submitted;
        master.submissions.clear();
    }
    was_enabled_ = false;
    control({});
}

void Checker::control(const PixmillCacheControl& control) {
    control_ = control;
    control_.enabled = control.enabled && sets_;
    if (control_.enabled && !was_enabled_)
        copy_memory(); // stores of semihosting and of debuggers are unknown
    was_enabled_ |= control_.enabled;
    for (Window& window : windows_)
        std::ranges::fill(window.attributes, unknown);
}

// ---- Addresses ---------------------------------------------------------------

/// Lets find() begin with the first window of each `piece_bytes` of the address space.
void Checker::index_windows() {
    first_window_.fill(uint8_t(windows_.size()));
    for (size_t i = windows_.size(); i--;) {
        const uint64_t end = uint64_t(windows_[i].begin) + windows_[i].size;
        for (uint64_t at = windows_[i].begin / piece_bytes; at * piece_bytes < end; at++)
            first_window_[at] = uint8_t(i);
    }
}

/// Calls `function` with each line of a range in a window, and the mask of the bytes in it.
template<class Function>
void Checker::each_line(Window& window, uint32_t address, uint32_t length, Function function) {
    uint32_t offset = address - window.begin;
    if (length <= line_bytes - offset % line_bytes) [[likely]]
        return function(Place{window, offset / line_bytes}, mask_of(offset % line_bytes, length));
    length = std::min(length, window.size - offset);
    while (length) {
        const uint32_t first = offset % line_bytes, count = std::min(length, line_bytes - first);
        function(Place{window, offset / line_bytes}, mask_of(first, count));
        offset += count;
        length -= count;
    }
}

/// Calls `function` with the lines of the same memory at other addresses.
template<class Function>
void Checker::each_other(const Place& place, Function function) {
    if (!place.window.aliased)
        return;
    for (const size_t i : memories_[place.window.memory].windows)
        if (&windows_[i] != &place.window)
            function(Place{windows_[i], place.index});
}

Attribute Checker::find_attribute(const Place& place) {
    const uint32_t page = place.index / page_lines;
    uint8_t known = place.window.attributes[page];
    if (known == unknown)
        known = learn(place.window, page);
    return known == mixed ? attribute_of(control_, place.address()) : Attribute(known);
}

/// Determines the attribute of a page. MPU regions may be as small as a line.
uint8_t Checker::learn(Window& window, uint32_t page) {
    const uint32_t begin = window.begin + page * page_bytes;
    auto attribute = uint8_t(attribute_of(control_, begin));
    for (uint32_t i = 1; i < page_lines; i++)
        if (uint8_t(attribute_of(control_, begin + i * line_bytes)) != attribute)
            attribute = mixed;
    return window.attributes[page] = attribute;
}

uint8_t* Checker::cpu_bytes(const Place& place) {
    return memories_[place.window.memory].ram + size_t(place.index) * line_bytes;
}

uint8_t* Checker::memory_bytes(const Place& place) {
    return memories_[place.window.memory].copy.data() + size_t(place.index) * line_bytes;
}

/// True if the processor and memory have different values in any of the bytes.
bool Checker::differ(const Place& place, uint32_t bytes) {
    const uint8_t *const cpu = cpu_bytes(place), *const memory = memory_bytes(place);
    for (uint32_t left = bytes; left; left &= left - 1)
        if (const int i = std::countr_zero(left); cpu[i] != memory[i])
            return true;
    return false;
}

// ---- Views of memory ---------------------------------------------------------

/// Memory gets what the processor sees.
void Checker::write_back(const Place& place, uint32_t bytes) {
    copy_bytes(memory_bytes(place), cpu_bytes(place), bytes);
}

/// The processor sees what is in memory. In a model that does not act, masters write what the
/// processor sees, so the opposite copy makes both equal.
void Checker::refill(const Place& place, uint32_t bytes) {
    if (!act_)
        return write_back(place, bytes);
    if (!differ(place, bytes))
        return;
    copy_bytes(cpu_bytes(place), memory_bytes(place), bytes);
    changed_(user_, place.address(), line_bytes);
}

// ---- The processor -----------------------------------------------------------

void Checker::load(uint32_t pc, uint32_t address, uint32_t length) {
    if (Window* const window = find(address))
        each_line(*window, address, length,
                  [&](const Place& place, uint32_t bytes) { load_line(place, bytes, pc); });
}

void Checker::store(uint32_t pc, uint32_t address, uint32_t length) {
    if (Window* const window = find(address))
        each_line(*window, address, length,
                  [&](const Place& place, uint32_t bytes) { store_line(place, bytes, pc); });
}

void Checker::load_line(const Place& place, uint32_t bytes, uint32_t pc) {
    Line& line = place.line();
    if (line.used) [[unlikely]]
        check_busy(place, bytes, pc, false);
    if (attribute(place) == Attribute::none) {
        if (line.dirty & bytes) [[unlikely]]
            check_uncached(place, bytes, pc, false);
        return;
    }
    if (!(line.flags & Line::held))
        fill(place, bytes, pc);
    else if (line.foreign & bytes) [[unlikely]]
        report_stale(place, bytes, pc);
    if (!(line.flags & Line::resident))
        allocate(place);
}

void Checker::store_line(const Place& place, uint32_t bytes, uint32_t pc) {
    Line& line = place.line();
    if (line.used) [[unlikely]]
        check_busy(place, bytes, pc, true);
    if (place.window.aliased) [[unlikely]]
        check_aliases(place, bytes, pc);
    switch (attribute(place)) {
    case Attribute::none:
        if (line.flags & Line::held) [[unlikely]]
            check_uncached(place, bytes, pc, true);
        write_back(place, bytes);
        break;
    case Attribute::through:
        line.foreign &= ~bytes;
        write_back(place, bytes);
        break;
    case Attribute::back:
        store_back(place, bytes, pc);
        break;
    }
    note_store(place, bytes, pc);
}

/// Reads a line into the cache because of an access to `bytes`.
void Checker::fill(const Place& place, uint32_t bytes, uint32_t pc) {
    Line& line = place.line();
    if (speculates_ && line.flags & Line::unfilled && line.foreign & bytes)
        report(place, {.rule = Rule::cpu_may_prefetch_stale,
                       .pc = pc,
                       .bytes = line.foreign & bytes,
                       .visible = true,
                       .likely = false});
    line.foreign = 0;
    line.cleaned = line.invalidated = 0;
    line.flags = Line::held;
    list(place);
}

void Checker::store_back(const Place& place, uint32_t bytes, uint32_t pc) {
    Line& line = place.line();
    if (!(line.flags & Line::held))
        fill(place, 0, pc);
    line.foreign &= ~bytes;
    if (line.foreign) [[unlikely]]
        report_stale_store(place, bytes, pc);
    make_dirty(line, bytes, pc);
    if (!(line.flags & Line::resident))
        allocate(place);
}

void Checker::report_stale(const Place& place, uint32_t bytes, uint32_t pc) {
    const Line& line = place.line();
    report(place, {.rule = Rule::cpu_reads_stale,
                   .pc = pc,
                   .bytes = line.foreign & bytes,
                   .visible = bool(line.flags & Line::differs)});
}

void Checker::report_stale_store(const Place& place, uint32_t bytes, uint32_t pc) {
    const Line& line = place.line();
    const Finding finding{.rule = Rule::stale_line_stored,
                          .pc = pc,
                          .bytes = line.foreign,
                          .visible = bool(line.flags & Line::differs)};
    report(place, finding);
    report_shared(place, line.dirty | bytes, line.output & ~bytes, finding);
}

/// Reports an access that misses the bytes that the cache holds.
void Checker::check_uncached(const Place& place, uint32_t bytes, uint32_t pc, bool store) {
    const Line& line = place.line();
    if (!control_.enabled && !(line.dirty & bytes))
        return;
    report(place, {.rule = control_.enabled ? Rule::mixed_attributes : Rule::disabled_dirty,
                   .pc = pc,
                   .bytes = store ? bytes : line.dirty & bytes,
                   .visible = true,
                   .store_pc = line.dirty ? line.pc : 0});
}

/// Reports a store to memory of which the cache holds a line at another address.
void Checker::check_aliases(const Place& place, uint32_t bytes, uint32_t pc) {
    each_other(place, [&](const Place& other) {
        const Line& line = other.line();
        if (line.flags & Line::held && control_.enabled)
            report(other, {.rule = Rule::mixed_attributes,
                           .pc = pc,
                           .bytes = bytes,
                           .visible = true,
                           .store_pc = line.dirty ? line.pc : 0,
                           .note = "the cache holds the same memory at another address"});
    });
}

/// Notes that a page has a line that is held.
void Checker::list(const Place& place) {
    const uint32_t page = place.index / page_lines;
    if (place.window.listed[page])
        return;
    place.window.listed[page] = true;
    listed_[place.address() / page_bytes % listed_.size()].push_back(
        {uint32_t(&place.window - windows_.data()), page});
}

/// Drops pages that have no line that is held.
void Checker::unlist(std::vector<Item>& pages) {
    std::erase_if(pages, [&](const Item& page) {
        Window& window = windows_[page.window];
        for (uint32_t i = 0; i < page_lines; i++)
            if (window.lines[page.number * page_lines + i].flags & Line::held)
                return false;
        window.listed[page.number] = false;
        return true;
    });
}

// ---- The cache of the real size ----------------------------------------------

/// True if a way of a set holds the line that its tag names.
bool Checker::in_use(uint32_t set, uint32_t way) {
    const Item& tag = tags_[set * ways + way];
    const uint8_t flags = windows_[tag.window].lines[tag.number].flags;
    const uint32_t address = windows_[tag.window].begin + tag.number * line_bytes;
    return flags & Line::resident && flags >> Line::way_shift == way &&
           address / line_bytes % sets_ == set;
}

/// Returns a way that is free, or a random one.
uint32_t Checker::choose_way(uint32_t set) {
    for (uint32_t way = 0; way < ways; way++)
        if (!in_use(set, way))
            return way;
    random_ ^= random_ << 13;
    random_ ^= random_ >> 17;
    random_ ^= random_ << 5;
    return random_ % ways;
}

/// Gives the line a place, and evicts the line that is there.
void Checker::allocate(const Place& place) {
    const uint32_t set = place.address() / line_bytes % sets_, way = choose_way(set);
    Item& tag = tags_[set * ways + way];
    if (in_use(set, way))
        evict({windows_[tag.window], tag.number});
    tag = {uint32_t(&place.window - windows_.data()), place.index};
    Line& line = place.line();
    line.flags = uint8_t((line.flags & mask_of(0, Line::way_shift)) | Line::resident |
                         way << Line::way_shift);
}

/// In a model that only reports, the line stays in the cache of unlimited size.
void Checker::evict(const Place& place) {
    Line& line = place.line();
    line.flags &= uint8_t(~Line::resident);
    if (!act_)
        return;
    if (line.dirty)
        write_back_line(place);
    refill(place, line.foreign);
    line.foreign = 0;
    line.flags = 0;
}

// ---- Maintenance -------------------------------------------------------------

void Checker::operate(Operation operation, uint32_t pc, uint32_t lr, uint32_t address) {
    const Op op{operation, pc, lr};
    address -= address % line_bytes;
    Window* const window = find(address);
    if (!window)
        return no_effect(op, address);
    const Place place{*window, (address - window->begin) / line_bytes};
    if (!(place.line().flags & Line::held) && attribute(place) == Attribute::none)
        return no_effect(op, address);
    operate_line(place, op);
}

void Checker::operate_line(const Place& place, const Op& op) {
    if (cleans(op.operation)) {
        each_other(place, [&](const Place& other) {
            if (other.line().dirty)
                other.line().flags |= Line::elsewhere;
        });
        clean(place, op);
    }
    if (invalidates(op.operation))
        invalidate(place, op);
}

void Checker::operate_way(Operation operation, uint32_t pc, uint32_t lr, uint32_t value) {
    const Op op{operation, pc, lr};
    if (!control_.enabled && !was_enabled_) {
        if (cleans(operation)) // software invalidates the cache before it enables it
            no_effect(op, 0);
        return;
    }
    const uint32_t set = value / line_bytes % sets_, way = value >> 30;
    std::vector<Item>& pages = listed_[set / page_lines];
    for (const Item& page : pages)
        operate_line_way({windows_[page.window], page.number * page_lines + set % page_lines}, op,
                         way);
    if (set % page_lines == 0)
        unlist(pages);
}

/// The way that holds a line is unknown, so the line is cleaned when all ways of its set are, and
/// may be lost when one is invalidated.
void Checker::operate_line_way(const Place& place, const Op& op, uint32_t way) {
    Line& line = place.line();
    if (!(line.flags & Line::held))
        return;
    if (cleans(op.operation)) {
        line.cleaned |= uint8_t(1 << way);
        if (line.cleaned == all_ways)
            clean(place, op);
    } else if (line.dirty) {
        lose(place, op);
    }
    if (!invalidates(op.operation))
        return;
    line.invalidated |= uint8_t(1 << way);
    if (line.invalidated == all_ways && !line.dirty)
        invalidate(place, op);
}

void Checker::clean(const Place& place, const Op& op) {
    if (!place.line().dirty)
        report(place, {.rule = Rule::redundant, .pc = op.pc, .bytes = ~0u, .lr = op.lr});
    write_back_line(place);
}

void Checker::write_back_line(const Place& place) {
    Line& line = place.line();
    line.cleaned = 0;
    if (!line.dirty)
        return write_back_unknown(place);
    write_back(place, ~0u);
    line.dirty = line.foreign = 0;
    line.flags &= uint8_t(~(Line::differs | Line::scanned | Line::elsewhere));
}

/// Bytes that differ without a known store, at any address, have a store that was not reported,
/// such as that of an exception, or one of a job that has not been reported yet.
void Checker::write_back_unknown(const Place& place) {
    if (std::ranges::any_of(masters_, [](const Master& m) { return m.seen < m.submitted; }))
        return;
    uint32_t known = place.line().foreign;
    each_other(place, [&](const Place& other) { known |= other.line().dirty; });
    write_back(place, ~known);
}

void Checker::invalidate(const Place& place, const Op& op) {
    Line& line = place.line();
    if (line.dirty)
        lose(place, op);
    refill(place, line.foreign); // a master's other bytes may be those of an unreported job
    line.foreign = 0;
    line.flags = 0;
    line.cleaned = line.invalidated = 0;
}

/// Discards the dirty bytes of a line.
void Checker::lose(const Place& place, const Op& op) {
    Line& line = place.line();
    const Finding finding{.rule = Rule::lost_cpu_data,
                          .pc = op.pc,
                          .bytes = line.dirty,
                          .visible = differ(place, line.dirty),
                          .store_pc = line.pc,
                          .lr = op.lr};
    report(place, finding);
    report_shared(place, line.dirty, line.output, finding);
    refill(place, line.dirty);
    line.dirty = 0;
}

void Checker::no_effect(const Op& op, uint32_t address) {
    reports_.add({.rule = Rule::no_effect,
                  .pc = op.pc,
                  .address = address,
                  .bytes = ~0u,
                  .lr = op.lr,
                  .note = control_.enabled ? "the memory is not cached" : "the cache is off"});
}

// ---- Masters -----------------------------------------------------------------

int Checker::add_master(const char* name) {
    if (masters_.size() == PIXMILL_CACHE_MAX_MASTERS)
        return -1;
    masters_.push_back({.name = name, .submissions = {}});
    return int(masters_.size()) - 1;
}

void Checker::access(uint32_t master, PixmillTransfer kind, uint64_t address, uint64_t length,
                     uint32_t job, uint32_t draw) {
    const MasterAccess access{uint8_t(master), kind, job, draw};
    for (Window& window : windows_) {
        const uint64_t begin = std::max<uint64_t>(address, window.begin);
        const uint64_t end = std::min(length > UINT64_MAX - address ? UINT64_MAX : address + length,
                                      uint64_t(window.begin) + window.size);
        if (begin >= end)
            continue;
        each_line(window, uint32_t(begin), uint32_t(end - begin),
                  [&](const Place& place, uint32_t bytes) {
                      use(place, bytes, access);
                      const bool writes = kind == PIXMILL_TRANSFER_WRITE;
                      const auto visit = [&](const Place& line) {
                          writes ? write_line(line, bytes, access) : read_line(line, bytes, access);
                      };
                      visit(place);
                      each_other(place, visit);
                      if (writes)
                          settle_write(place, bytes);
                  });
    }
}

void Checker::read_line(const Place& place, uint32_t bytes, const MasterAccess& access) {
    Line& line = place.line();
    const uint32_t missed = line.dirty & bytes;
    if (!missed)
        return;
    // A picture that the processor is drawing is dirty most of the time.
    if (access.kind == PIXMILL_TRANSFER_SCAN_OUT && !(line.flags & Line::scanned)) {
        line.flags |= Line::scanned;
        return;
    }
    report(place, {.rule = Rule::gpu_reads_dirty,
                   .pc = line.pc,
                   .bytes = missed,
                   .visible = differ(place, missed),
                   .master = access.master,
                   .access = access.kind,
                   .job = access.job,
                   .draw = access.draw,
                   .note = line.flags & Line::elsewhere ? "cleaned by another address"
                           : line.cleaned               ? "cleaned in part"
                                                        : nullptr});
}

void Checker::write_line(const Place& place, uint32_t bytes, const MasterAccess& access) {
    Line& line = place.line();
    const bool changes = differ(place, bytes);
    if (line.dirty) {
        const Finding finding{.rule = Rule::dirty_under_output,
                              .pc = line.pc,
                              .bytes = bytes,
                              .visible = changes,
                              .master = access.master,
                              .access = access.kind,
                              .job = access.job,
                              .draw = access.draw};
        report(place, finding);
        report_shared(place, line.dirty, bytes, finding);
    }
    line.output |= bytes;
    if (!(line.flags & Line::held) && attribute(place) == Attribute::none)
        return;
    line.foreign |= bytes;
    if (!(line.flags & Line::held))
        line.flags |= Line::unfilled;
    if (changes)
        line.flags |= Line::differs;
}

/// Shows the processor what a master has written, or memory, in a model that does not act.
void Checker::settle_write(const Place& place, uint32_t bytes) {
    bool held = place.line().flags & Line::held;
    each_other(place, [&](const Place& other) { held |= bool(other.line().flags & Line::held); });
    if (!act_)
        write_back(place, bytes);
    else if (!held)
        refill(place, bytes);
}

uint8_t* Checker::memory(uint8_t* ram) {
    for (Memory& memory : memories_)
        if (act_ && size_t(ram - memory.ram) < memory.size)
            return memory.copy.data() + (ram - memory.ram);
    return ram;
}

// ---- Jobs --------------------------------------------------------------------

void Checker::submit(uint32_t number, uint32_t job, uint32_t pc) {
    Master& master = masters_[number];
    if (job <= master.submitted)
        return;
    epoch_++;
    while (master.submitted < job) {
        master.submissions.push_back({epoch_, barriers_, pc}); // may throw
        master.submitted++;
        if (master.submissions.size() > most_jobs)
            seen(number, master.seen + 1); // software that never asks must not use up memory
    }
}

void Checker::seen(uint32_t number, uint32_t job) {
    Master& master = masters_[number];
    while (master.seen < std::min(job, master.submitted)) {
        master.seen++;
        master.submissions.pop_front();
    }
}

bool Checker::busy(const Use& use) const {
    return use.job && use.job > masters_[use.master].seen;
}

/// Checks and notes that a job has used bytes of a line.
void Checker::use(const Place& place, uint32_t bytes, const MasterAccess& access) {
    const Master& master = masters_[access.master];
    if (access.job <= master.seen || access.job > master.submitted)
        return;
    const Submission& submission = master.submissions[access.job - master.seen - 1];
    Use& use = use_of(place);
    const bool writes = access.kind == PIXMILL_TRANSFER_WRITE;
    const Finding finding{.rule = Rule::cpu_writes_busy,
                          .pc = use.pc,
                          .bytes = use.stored & bytes,
                          .visible = true,
                          .master = access.master,
                          .access = access.kind,
                          .job = access.job,
                          .draw = access.draw};
    if (finding.bytes && use.epoch >= submission.epoch) {
        report(place, finding);
    } else if (finding.bytes && use.barrier == submission.barrier && !writes) {
        Finding unordered = finding;
        unordered.rule = Rule::missing_barrier;
        unordered.store_pc = submission.pc;
        report(place, unordered);
    }
    if (use.job != access.job || use.master != access.master)
        use.reads = use.writes = 0;
    use.job = access.job;
    use.master = access.master;
    use.access = uint8_t(access.kind);
    (writes ? use.writes : use.reads) |= bytes;
    place.line().used = true;
    each_other(place, [](const Place& other) { other.line().used = true; });
}

/// Reports an access of the processor to bytes that a job may still use.
void Checker::check_busy(const Place& place, uint32_t bytes, uint32_t pc, bool store) {
    const Use& use = use_of(place);
    const uint32_t used = (store ? use.reads | use.writes : use.writes) & bytes;
    place.line().used = busy(use);
    if (!used || !place.line().used)
        return;
    report(place, {.rule = store ? Rule::cpu_writes_busy : Rule::cpu_reads_busy,
                   .pc = pc,
                   .bytes = used,
                   .visible = true,
                   .master = use.master,
                   .access = PixmillTransfer(use.access),
                   .job = use.job});
}

// ---- Reports -----------------------------------------------------------------

/// Completes and adds a finding about a line.
void Checker::report(const Place& place, Finding finding) {
    finding.address = place.address();
    if (needs_line(finding.rule))
        finding.likely = finding.likely && place.line().flags & Line::resident;
    finding.cpu = cpu_bytes(place);
    finding.memory = memory_bytes(place);
    reports_.add(finding);
}

/// Reports the cause of `finding` if the line has bytes of the processor only, and bytes of a
/// master only.
void Checker::report_shared(const Place& place, uint32_t bytes, uint32_t output,
                            const Finding& finding) {
    if (!output || bytes & output)
        return;
    Finding shared = finding;
    shared.rule = Rule::shared_line;
    shared.bytes = bytes;
    report(place, shared);
}

std::string Checker::json() const {
    std::string text = "{\"version\": 1, \"mode\": \"";
    text += act_ ? "act" : "report";
    text += "\", \"dropped\": " + std::to_string(reports_.dropped()) + ", \"groups\": ";
    std::vector<std::string> names;
    for (const Master& master : masters_)
        names.push_back(master.name);
    reports_.write(text, names);
    return text + "}\n";
}

} // namespace pixmill::cache
