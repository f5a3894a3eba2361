// SPDX-License-Identifier: GPL-2.0-or-later
#include "recorder.hpp"

#include <algorithm>
#include <cstdio>
#include <new>
#include <utility>

#include "store.hpp"
#include "tap.hpp"

namespace pixmill {

using namespace capture;

namespace {

constexpr uint64_t draw_step = uint64_t(1) << 20; ///< work between two checks for interrupt()

uint32_t offset_in_page(const std::byte* host) {
    return uint32_t(uintptr_t(host) % page_bytes);
}

} // namespace

constinit thread_local Recorder::Inside Recorder::inside_now_;

// ---- Callbacks -----------------------------------------------------------------

struct Recorder::Callbacks {
    static Recorder& of(void* user) { return *static_cast<Recorder*>(user); }
    /// Returns null outside an entry point that is being recorded, for example in peek().
    static Entry* entry(const Recorder& recorder) {
        return inside_now_.recorder == &recorder ? inside_now_.entry : nullptr;
    }

    static void* map(void* user, uint64_t address, uint64_t* length, bool write) {
        return of(user).map(address, length, write);
    }
    static void dirty(void* user, uint64_t address, uint64_t length) {
        of(user).dirty(address, length);
    }
    static void set_irq(void* user, uint32_t line, bool level) {
        Recorder& recorder = of(user);
        if (Entry* now = entry(recorder))
            recorder.guarded([&] { now->levels.push_back({line, level}); });
        recorder.real_.set_irq(recorder.real_.user, line, level);
    }
    static int64_t clock_ns(void* user) {
        const Recorder& recorder = of(user);
        const Entry* now = entry(recorder);
        return now ? now->time : recorder.real_.clock_ns(recorder.real_.user);
    }
    static void request_run(void* user) {
        Recorder& recorder = of(user);
        if (Entry* now = entry(recorder))
            now->flags |= Flags::asked;
        recorder.real_.request_run(recorder.real_.user);
    }
    static void log(void* user, PixmillLog kind, const char* text) {
        const PixmillHost& real = of(user).real_;
        real.log(real.user, kind, text);
    }
    static void trace(void* user, PixmillTrace event, uint64_t a, uint64_t b, const char* text) {
        const PixmillHost& real = of(user).real_;
        real.trace(real.user, event, a, b, text);
    }
    static void accessed(void* user, PixmillTransfer transfer, uint64_t address, uint64_t length) {
        const PixmillHost& real = of(user).real_;
        real.accessed(real.user, transfer, address, length);
    }
    static void job(void* user, PixmillJob what, uint32_t number) {
        const PixmillHost& real = of(user).real_;
        real.job(real.user, what, number);
    }
};

template<class Work>
void Recorder::guarded(Work work) {
    try {
        work();
    } catch (const std::bad_alloc&) {
        fail("the host is out of memory");
    }
}

/// Logs `why` once. The core keeps using the recorder until none of the core's entry points is
/// running.
void Recorder::fail(const char* why) {
    if (failed_.exchange(true))
        return;
    char text[128];
    (void)snprintf(text, sizeof text, "the capture ends: %s", why);
    real_.log(real_.user, PIXMILL_LOG_HOST_ERROR, text);
}

// ---- Lifetime ------------------------------------------------------------------

Recorder::Recorder(const PixmillCoreClass& table, PixmillCore& core, Tap& tap,
                   const PixmillSink& sink)
    : table_(table), core_(core), tap_(tap), real_(tap.real), out_(sink) {}

Recorder::~Recorder() = default;

void Recorder::begin_capture(const void* state) {
    Bytes head;
    put_text(head, table_.name);
    put(head, uint64_t(table_.state_version));
    put(head, tap_.config);
    put(head, tap_.kept.size());
    for (const Tap::Kept& kept : tap_.kept) {
        put(head, kept.number);
        for (const uint64_t word : kept.words)
            put(head, word);
    }
    put(head, zigzag(real_.clock_ns(real_.user)));
    put_fields(head, table_.state_fields, state);
    out_.begin();
    out_.write(head);
    check_output();
}

void Recorder::attach() {
    PixmillHost& host = tap_.host;
    host.user = this;
    host.map = Callbacks::map;
    host.dirty = Callbacks::dirty;
    host.set_irq = Callbacks::set_irq;
    host.clock_ns = Callbacks::clock_ns;
    host.request_run = Callbacks::request_run;
    host.log = Callbacks::log;
    host.trace = Callbacks::trace;
    host.accessed = real_.accessed ? Callbacks::accessed : nullptr;
    host.job = Callbacks::job;
    core_.recorder.store(this, std::memory_order_relaxed);
}

void Recorder::detach() {
    if (core_.recorder.exchange(nullptr, std::memory_order_relaxed))
        tap_.host = real_;
}

void Recorder::stop() {
    guarded([&] {
        Bytes state(table_.state_size);
        table_.save(&core_, state.data());
    });
    const std::lock_guard lock(mutex_);
    detach();
    if (failed_)
        return;
    const std::byte end[] = {std::byte(Op::end)};
    out_.write(end);
    out_.flush();
    check_output();
}

void Recorder::check_output() {
    if (out_.failed())
        fail("cannot write to it");
}

// ---- Entry points ----------------------------------------------------------------

Recorder::Entry* Recorder::begin(Op op, const std::array<uint64_t, most_words>& in) {
    const std::lock_guard lock(mutex_);
    if (failed_ && !inside_)
        detach();
    if (!core_.recorder.load(std::memory_order_relaxed))
        return nullptr;
    if (inside_++ == 0)
        epoch_++;
    const bool draw = op == Op::draw;
    Entry& entry = draw ? drawing_ : serial_;
    entry.op = op;
    entry.number = ++entries_;
    entry.flags = draws_ ? Flags::overlapped : 0;
    entry.time = real_.clock_ns(real_.user);
    entry.in = in;
    entry.out = {};
    entry.levels.clear();
    entry.written.clear();
    entry.state.clear();
    draws_ |= draw;
    outer_[draw] = std::exchange(inside_now_, {this, &entry});
    if (op == Op::run)
        tap_.interrupted.store(false, std::memory_order_relaxed);
    return &entry;
}

void Recorder::end(Entry& entry) {
    const std::lock_guard lock(mutex_);
    const bool draw = &entry == &drawing_;
    inside_now_ = outer_[draw];
    inside_--;
    for (PageHash& page : entry.written)
        page.hash = hash_of(pages_[page.page].reported);
    if (draw)
        draws_ = false;
    if (!failed_)
        guarded([&] { draw ? finish_draw(entry) : finish(entry); });
    check_output();
}

void Recorder::finish(Entry& entry) {
    if (draws_)
        held_.push_back(entry);
    else
        emit(entry);
}

/// The output of a canceled draw depends on when the draw noticed the cancellation, so a replay
/// takes the output from the capture.
void Recorder::finish_draw(Entry& entry) {
    std::vector<PageHash> left;
    if (table_.draining(&core_)) {
        entry.flags |= Flags::cancelled;
        left.swap(entry.written);
    }
    emit(entry);
    for (const PageHash& page : left)
        put_page(pending_, page.page, 0, pages_[page.page].reported);
    for (const Entry& held : held_)
        emit(held);
    held_.clear();
}

void Recorder::emit(const Entry& entry) {
    out_.write(pending_);
    pending_.clear();
    scratch_.clear();
    put_entry(scratch_, entry);
    out_.write(scratch_);
}

void Recorder::loads(Entry& entry, const void* state) {
    guarded([&] { put_fields(entry.state, table_.state_fields, state); });
}

void Recorder::saved(Entry& entry, const void* state) {
    entry.out = {hash_fields(table_.state_fields, state)};
}

void Recorder::draw(uint64_t budget, void (*step)(PixmillCore* core, uint64_t budget)) {
    while (budget && !tap_.interrupted.load(std::memory_order_relaxed)) {
        const uint64_t now = std::min(budget, draw_step);
        Entry* entry = begin(Op::draw, {now});
        if (!entry) {
            step(&core_, budget);
            return;
        }
        step(&core_, now);
        end(*entry);
        budget -= now;
    }
}

// ---- Memory --------------------------------------------------------------------

uint32_t Recorder::page_at(const std::byte* host) {
    const auto key = uintptr_t(host) / page_bytes;
    if (const auto known = numbers_.find(key); known != numbers_.end())
        return known->second;
    uint32_t number = Place::nothing;
    if (pages_.count() < most_pages)
        guarded([&] { number = numbers_.emplace(key, pages_.add()).first->second; });
    else
        fail("too many pages of guest memory");
    return number;
}

void* Recorder::map(uint64_t address, uint64_t* length, bool write) {
    const std::lock_guard lock(mutex_);
    auto* host = static_cast<std::byte*>(real_.map(real_.user, address, length, write));
    if (!host) {
        note_place({address, *length, Place::nothing, 0}, write);
        return nullptr;
    }
    // Places are found by guest page, and each refers to one host page, so a place crosses neither
    // kind of page boundary.
    const uint32_t offset = offset_in_page(host);
    *length = std::min({*length, uint64_t{page_bytes} - offset, page_bytes - address % page_bytes});
    const uint32_t number = page_at(host);
    if (number == Place::nothing)
        return host;
    refresh(number, offset, offset + uint32_t(*length), host);
    pages_[number].address = address - offset;
    note_place({address, *length, number, offset}, write);
    return pages_[number].bytes + offset;
}

/// Compares each byte with guest memory once per epoch, so that the core sees a stable copy.
void Recorder::refresh(uint32_t number, uint32_t begin, uint32_t end, const std::byte* host) {
    Page& page = pages_[number];
    if (page.epoch != epoch_)
        page.fresh.clear();
    page.epoch = epoch_;
    for (uint32_t at = begin; at < end;) {
        Page::Range next{end, end}; // next range already compared in this epoch
        for (const Page::Range& range : page.fresh)
            if (range.end > at && range.begin < next.begin)
                next = range;
        if (next.begin > at)
            compare(number, at, next.begin, host + (at - begin));
        at = next.end;
    }
    std::erase_if(page.fresh, [&](const Page::Range& range) {
        return range.begin >= begin && range.end <= end;
    });
    guarded([&] { page.fresh.push_back({begin, end}); });
}

void Recorder::compare(uint32_t number, uint32_t begin, uint32_t end, const std::byte* host) {
    Page& page = pages_[number];
    std::byte now[page_bytes];
    const std::span seen(now, end - begin);
    std::memcpy(now, host, seen.size()); // copied once, because the guest may be writing
    const std::byte* const had = page.bytes + begin;
    if (std::memcmp(now, had, seen.size()) == 0)
        return;
    const auto first =
        size_t(std::ranges::mismatch(seen, std::span(had, seen.size())).in1 - seen.begin());
    size_t last = seen.size();
    while (now[last - 1] == had[last - 1])
        last--;
    const auto changed = seen.subspan(first, last - first);
    page.set(begin + uint32_t(first), changed);
    if (!failed_)
        guarded([&] { put_page(pending_, number, begin + uint32_t(first), changed); });
}

/// Records a place unless the known places already imply it.
void Recorder::note_place(Place place, bool write) {
    const Place* known = places_.find(place.address, write);
    if (failed_ || (known && *known == place))
        return;
    if (known) {
        Place rest = *known;
        const uint64_t skipped = place.address - known->address;
        rest.address += skipped;
        rest.length -= skipped;
        rest.offset += known->page == Place::nothing ? 0 : uint32_t(skipped);
        if (rest == place)
            return;
    }
    guarded([&] {
        places_.add(place, write);
        put_place(pending_, place, write);
    });
}

/// Stores only the bytes that the core changed, because the guest may be writing to the bytes in
/// between.
void Recorder::dirty(uint64_t address, uint64_t length) {
    {
        const std::lock_guard lock(mutex_);
        for (uint64_t at = address, left = length; left;) {
            uint64_t run = 0;
            auto* host = static_cast<std::byte*>(real_.map(real_.user, at, &run, true));
            run = std::min(run, left);
            if (host) {
                run = std::min<uint64_t>(run, page_bytes - offset_in_page(host));
                mark_dirty(host, uint32_t(run));
            }
            at += run;
            left -= run;
        }
    }
    real_.dirty(real_.user, address, length);
}

void Recorder::mark_dirty(std::byte* host, uint32_t length) {
    const auto known = numbers_.find(uintptr_t(host) / page_bytes);
    if (known == numbers_.end())
        return;
    const uint32_t begin = offset_in_page(host);
    Page& page = pages_[known->second];
    store_changes(host, page.bytes + begin, page.reported + begin, length);
    page.mark_dirty(begin, begin + length);
    Entry* entry = Callbacks::entry(*this);
    if (!entry || page.entry == entry->number)
        return;
    page.entry = entry->number;
    guarded([&] { entry->written.push_back({known->second, 0}); });
}

} // namespace pixmill
