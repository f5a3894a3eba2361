/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "fake_host.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace pixmill::test {
namespace {

constexpr uint64_t kAlign = 64; /* host and guest addresses are equal modulo this */
constexpr uint64_t kRedZone = 64;
constexpr uint8_t kCanary = 0xC5;

uint64_t round_up(uint64_t value, uint64_t to) {
    return (value + to - 1) / to * to;
}

} // namespace

/* ---- FakeMemory --------------------------------------------------------- */

void FakeMemory::Region::allocate() {
    slot = kAlign + round_up(grain + 2 * kAlign, kAlign) + kRedZone;
    const size_t bytes = pieces() * slot + kAlign;
    store = Store(take_zeros(bytes), {bytes});
    for (uint64_t i = 0; i < pieces(); i++) {
        const uint64_t first = base + i * grain;
        const uint64_t count = std::min(grain, size - i * grain);
        for (uint8_t* zone : {at(first) - kRedZone, at(first) + count}) {
            std::memset(zone, kCanary, kRedZone);
            ASAN_POISON_MEMORY_REGION(zone, kRedZone);
        }
    }
}

uint8_t* FakeMemory::Region::at(uint64_t addr) const {
    const uint64_t piece = (addr - base) / grain;
    const uint64_t first = base + piece * grain;
    const auto raw = reinterpret_cast<uintptr_t>(store.get());
    const uintptr_t aligned = round_up(raw, kAlign);
    return reinterpret_cast<uint8_t*>(aligned + piece * slot + kAlign + first % kAlign + skew) +
           (addr - first);
}

uint64_t FakeMemory::Region::contiguous(uint64_t addr) const {
    const uint64_t left_in_piece = grain - (addr - base) % grain;
    return std::min(left_in_piece, end() - addr);
}

void FakeMemory::add(uint64_t base, uint64_t size, bool writable) {
    Region region{base, size, writable, grain_ ? grain_ : size, 0, skew_, {}};
    region.allocate();
    regions_.push_back(std::move(region));
}

const FakeMemory::Region* FakeMemory::find(uint64_t addr) const {
    for (const Region& region : regions_) {
        if (addr >= region.base && addr - region.base < region.size)
            return &region;
    }
    return nullptr;
}

uint64_t FakeMemory::hole(uint64_t addr) const {
    uint64_t next = UINT64_MAX;
    for (const Region& region : regions_) {
        if (region.base > addr)
            next = std::min(next, region.base);
    }
    for (const Alias& alias : aliases_) {
        if (alias.base > addr)
            next = std::min(next, alias.base);
    }
    const uint64_t len = next - addr;
    return grain_ ? std::min(len, grain_) : len;
}

void* FakeMemory::map(uint64_t addr, uint64_t* len, bool write) const {
    for (const Alias& alias : aliases_) {
        const uint64_t skip = addr - alias.base;
        if (skip >= alias.size)
            continue;
        void* result = map(alias.to + skip, len, write);
        *len = std::min(*len, alias.size - skip);
        return result;
    }
    const Region* region = find(addr);
    if (!region) {
        *len = hole(addr);
        return nullptr;
    }
    *len = region->contiguous(addr);
    return write && !region->writable ? nullptr : region->at(addr);
}

void FakeMemory::put(uint64_t addr, const void* bytes, uint64_t len) {
    const auto* from = static_cast<const uint8_t*>(bytes);
    while (len) {
        const Region* region = find(addr);
        if (!region)
            std::abort(); /* the test wrote where there is no memory */
        const uint64_t count = std::min(len, region->contiguous(addr));
        std::memcpy(region->at(addr), from, count);
        addr += count;
        from += count;
        len -= count;
    }
}

void FakeMemory::get(uint64_t addr, void* bytes, uint64_t len) const {
    auto* to = static_cast<uint8_t*>(bytes);
    while (len) {
        const Region* region = find(addr);
        if (!region)
            std::abort(); /* the test read where there is no memory */
        const uint64_t count = std::min(len, region->contiguous(addr));
        std::memcpy(to, region->at(addr), count);
        addr += count;
        to += count;
        len -= count;
    }
}

uint64_t FakeMemory::equal_bytes(uint64_t addr, const uint8_t* bytes, uint64_t len) const {
    uint8_t part[4096];
    uint64_t equal = 0;
    while (equal < len) {
        const uint64_t count = std::min<uint64_t>(len - equal, sizeof part);
        get(addr + equal, part, count);
        if (std::memcmp(part, bytes + equal, count) != 0)
            return equal + (std::mismatch(part, part + count, bytes + equal).first - part);
        equal += count;
    }
    return equal;
}

void FakeMemory::fill(uint64_t addr, uint8_t byte, uint64_t len) {
    const std::vector<uint8_t> bytes(len, byte);
    put(addr, bytes.data(), len);
}

uint8_t FakeMemory::byte(uint64_t addr) const {
    uint8_t value = 0;
    get(addr, &value, 1);
    return value;
}

uint16_t FakeMemory::half(uint64_t addr) const {
    return static_cast<uint16_t>(byte(addr) | byte(addr + 1) << 8);
}

uint32_t FakeMemory::word(uint64_t addr) const {
    return half(addr) | static_cast<uint32_t>(half(addr + 2)) << 16;
}

void FakeMemory::set_half(uint64_t addr, uint16_t value) {
    const uint8_t bytes[] = {static_cast<uint8_t>(value), static_cast<uint8_t>(value >> 8)};
    put(addr, bytes, 2);
}

void FakeMemory::set_word(uint64_t addr, uint32_t value) {
    set_half(addr, static_cast<uint16_t>(value));
    set_half(addr + 2, static_cast<uint16_t>(value >> 16));
}

void FakeMemory::set_words(uint64_t addr, const Words& words) {
    for (uint32_t value : words) {
        set_word(addr, value);
        addr += 4;
    }
}

Words FakeMemory::words(uint64_t addr, size_t count) const {
    Words result;
    for (size_t i = 0; i < count; i++)
        result.push_back(word(addr + 4 * i));
    return result;
}

Bytes FakeMemory::snapshot() const {
    Bytes result;
    for (const Region& region : regions_) {
        const size_t start = result.size();
        result.resize(start + region.size);
        get(region.base, result.data() + start, region.size);
    }
    return result;
}

std::vector<Range> FakeMemory::ranges() const {
    std::vector<Range> result;
    for (const Region& region : regions_)
        result.push_back({region.base, region.size});
    return result;
}

bool FakeMemory::canaries_intact() const {
    const auto intact = [](const uint8_t* from, const uint8_t* to) {
        return std::all_of(from, to, [](uint8_t b) { return b == kCanary; });
    };
    for (const Region& region : regions_) {
        for (uint64_t i = 0; i < region.pieces(); i++) {
            const uint8_t* piece = region.at(region.base + i * region.grain);
#ifdef PIXMILL_TEST_ASAN /* reports accesses to red zones, except to the 8 bytes in which a piece  \
                            begins */
            if (!intact(piece - reinterpret_cast<uintptr_t>(piece) % 8, piece))
                return false;
#else
            const uint8_t* end = piece + std::min(region.grain, region.size - i * region.grain);
            if (!intact(piece - kRedZone, piece) || !intact(end, end + kRedZone))
                return false;
#endif
        }
    }
    return true;
}

void FakeMemory::relocate() {
    for (Region& region : regions_) {
        Bytes bytes(region.size);
        get(region.base, bytes.data(), region.size);
        auto old = std::move(region.store);
        region.allocate();
        put(region.base, bytes.data(), region.size);
    }
}

/* ---- FakeHost ----------------------------------------------------------- */

constinit thread_local bool FakeHost::in_draw = false;
constinit thread_local bool FakeHost::recording = false;

namespace {
struct Recording {
    Recording() { FakeHost::recording = true; }
    ~Recording() { FakeHost::recording = false; }
};
} // namespace

FakeHost::FakeHost() {
    abi_.api_version = PIXMILL_API_VERSION;
    abi_.user = this;
    abi_.map = map;
    abi_.dirty = mark;
    abi_.set_irq = set_irq;
    abi_.clock_ns = clock;
    abi_.request_run = request_run;
    abi_.log = log;
    abi_.trace = trace;
    abi_.trace_mask = &trace_mask;
}

void* FakeHost::map(void* user, uint64_t addr, uint64_t* len, bool write) {
    auto* self = static_cast<FakeHost*>(user);
    self->maps++;
    if (self->entries == 0)
        self->violate("map() outside an entry point");
    if (self->on_map)
        self->on_map(addr);
    void* result = self->ram.map(addr, len, write);
    if (result && write && self->record_ranges) {
        const Recording recording;
        const std::lock_guard lock(self->mutex_);
        self->write_maps_.push_back({addr, *len});
    }
    return result;
}

void FakeHost::mark(void* user, uint64_t addr, uint64_t len) {
    auto* self = static_cast<FakeHost*>(user);
    if (self->entries == 0)
        self->violate("dirty() outside an entry point");
    if (len == 0 || addr + len < addr)
        self->violate("dirty() of an empty or wrapping range");
    if (!self->record_ranges)
        return;
    const Recording recording;
    const std::lock_guard lock(self->mutex_);
    self->dirty_.push_back({addr, len});
}

void FakeHost::set_irq(void* user, uint32_t line, bool level) {
    auto* self = static_cast<FakeHost*>(user);
    if (in_draw)
        self->violate("set_irq() inside draw()");
    std::atomic<bool>* const lines[] = {&self->irq, &self->error_irq, &self->freeze};
    if (line >= std::size(lines))
        return self->violate("set_irq() of a line that is not there");
    if (lines[line]->exchange(level) == level)
        self->violate("set_irq() without a change");
    if (line)
        return;
    self->irq_changes++;
    if (self->on_irq)
        self->on_irq(self->on_irq_arg, level);
}

int64_t FakeHost::clock(void* user) {
    return static_cast<FakeHost*>(user)->now;
}

void FakeHost::request_run(void* user) {
    auto* self = static_cast<FakeHost*>(user);
    if (in_draw)
        self->violate("request_run() inside draw()");
    self->run_requested = true;
}

void FakeHost::log(void* user, PixmillLog kind, const char* text) {
    auto* self = static_cast<FakeHost*>(user);
    if (!text || !*text || std::strchr(text, '\n')) {
        self->violate("log() text is not one line");
        return;
    }
    const Recording recording;
    const std::lock_guard lock(self->mutex_);
    self->logs_.push_back({kind, text});
}

void FakeHost::trace(void* user, PixmillTrace event, uint64_t a, uint64_t b, const char* text) {
    auto* self = static_cast<FakeHost*>(user);
    if (event >= PIXMILL_TRACE_COUNT || !(self->trace_mask >> event & 1))
        self->violate("trace() of an event that is not enabled");
    if (!text)
        self->violate("trace() without a text");
    const Recording recording;
    const std::lock_guard lock(self->mutex_);
    self->traces_.push_back({event, a, b, text ? text : ""});
}

void FakeHost::note_access(void* user, PixmillTransfer transfer, uint64_t addr, uint64_t len) {
    auto* self = static_cast<FakeHost*>(user);
    if (self->entries == 0)
        self->violate("accessed() outside an entry point");
    if (len == 0 || addr + len < addr)
        self->violate("accessed() of an empty or wrapping range");
    const Recording recording;
    const std::lock_guard lock(self->mutex_);
    self->accesses_.push_back({transfer, {addr, len}, self->job_});
}

void FakeHost::note_job(void* user, PixmillJob what, uint32_t number) {
    auto* self = static_cast<FakeHost*>(user);
    if (self->entries == 0 || in_draw)
        self->violate("job() outside an entry point or inside draw()");
    const Recording recording;
    const std::lock_guard lock(self->mutex_);
    self->jobs_.push_back({what, number});
    if (what == PIXMILL_JOB_RUNS)
        self->job_ = number;
}

std::vector<LogLine> FakeHost::logs() const {
    const std::lock_guard lock(mutex_);
    return logs_;
}

std::vector<TraceLine> FakeHost::traces() const {
    const std::lock_guard lock(mutex_);
    return traces_;
}

std::vector<Range> FakeHost::dirty() const {
    const std::lock_guard lock(mutex_);
    return dirty_;
}

std::vector<Range> FakeHost::write_maps() const {
    const std::lock_guard lock(mutex_);
    return write_maps_;
}

std::vector<Transfer> FakeHost::accesses() const {
    const std::lock_guard lock(mutex_);
    return accesses_;
}

std::vector<JobEvent> FakeHost::jobs() const {
    const std::lock_guard lock(mutex_);
    return jobs_;
}

std::vector<std::string> FakeHost::violations() const {
    const std::lock_guard lock(mutex_);
    return violations_;
}

void FakeHost::clear_logs() {
    const std::lock_guard lock(mutex_);
    logs_.clear();
}

void FakeHost::clear_traces() {
    const std::lock_guard lock(mutex_);
    traces_.clear();
}

void FakeHost::clear_ranges() {
    const std::lock_guard lock(mutex_);
    dirty_.clear();
    write_maps_.clear();
}

void FakeHost::violate(const std::string& what) {
    const Recording recording;
    const std::lock_guard lock(mutex_);
    if (violations_.size() < 16)
        violations_.push_back(what);
}

} // namespace pixmill::test
