// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <utility>

namespace pixmill::tools {

using namespace capture;

namespace {

const PixmillCoreClass& class_of(std::span<const PixmillCoreClass* const> classes,
                                 const Head& head) {
    const auto named = [&](const PixmillCoreClass* table) { return table->name == head.core; };
    const auto found = std::ranges::find_if(classes, named);
    if (found == classes.end())
        throw BadCapture("the capture is of an unknown core: " + head.core);
    const PixmillCoreClass& table = **found;
    if (head.state_version != uint64_t(table.state_version))
        throw BadCapture("the capture has version " + std::to_string(head.state_version) +
                         " of the core's state, not " + std::to_string(table.state_version));
    return table;
}

uint32_t count_of(const PixmillCall* calls) {
    uint32_t count = 0;
    while (calls[count].name)
        count++;
    return count;
}

/// Arguments of a call of table->call().
struct Call {
    uint32_t number;
    std::array<uint64_t, PIXMILL_CALL_WORDS> words;
};
Call call_of(const PixmillCoreClass& table, uint64_t number, const uint64_t* words) {
    if (number >= count_of(table.calls))
        throw BadCapture("the capture has a call that the core does not offer");
    Call call{uint32_t(number), {}};
    std::copy_n(words, call.words.size(), call.words.begin());
    return call;
}

constexpr const char* result_names[] = {"OK",    "VERSION", "ARGUMENT", "MEMORY",
                                        "STATE", "BUS",     "BUSY"};
constexpr const char* action_names[] = {"IDLE", "AGAIN", "WAIT", "DRAW"};

template<size_t n>
const char* name_in(const char* const (&names)[n], uint64_t number) {
    return number < n ? names[number] : "?";
}

/// Maximum number of unknown places recorded per entry point. A malicious file could have gigabytes
/// of them.
constexpr size_t most_unknown = 4096;

} // namespace

// ---- Host ----------------------------------------------------------------------

struct Replay::Callbacks {
    static Replay& of(void* user) { return *static_cast<Replay*>(user); }

    static void* map(void* user, uint64_t address, uint64_t* length, bool write) {
        Replay& replay = of(user);
        const Place* place = replay.places_.find(address, write);
        if (!place) {
            if (replay.unknown_.size() == most_unknown) {
                *length = UINT64_MAX - address;
                return nullptr;
            }
            replay.differs("maps 0x%" PRIx64 " to %s, unlike the capture", address,
                           write ? "write" : "read");
            *length = replay.places_.gap(address, write);
            const Place none{address, *length, Place::nothing, 0};
            replay.unknown_.push_back({none, write});
            replay.places_.add(none, write);
            return nullptr;
        }
        const uint64_t skipped = address - place->address;
        *length = place->length - skipped;
        if (place->page == Place::nothing)
            return nullptr;
        Page& page = replay.pages_[place->page];
        page.address = place->address - place->offset;
        if (write)
            replay.writable_.push_back(place->page);
        if (replay.watcher_.mapped)
            replay.watcher_.mapped(
                {address, *length, place->page, uint32_t(place->offset + skipped)}, write);
        return page.bytes + place->offset + skipped;
    }
    /// Marks the mapped pages of a range. A dirty range includes gaps between rows, which have not
    /// been mapped.
    static void dirty(void* user, uint64_t address, uint64_t length) {
        Replay& replay = of(user);
        while (length) {
            const Place* place = replay.places_.find(address, true);
            const uint64_t skipped = place ? address - place->address : 0;
            const uint64_t run = std::min(
                place ? place->length - skipped : replay.places_.gap(address, true), length);
            if (place && place->page != Place::nothing) {
                const auto begin = uint32_t(place->offset + skipped);
                if (replay.pages_[place->page].mark_dirty(begin, begin + uint32_t(run)))
                    replay.changed_.push_back(place->page);
            }
            address += run;
            length -= run;
        }
    }
    static void set_irq(void* user, uint32_t line, bool level) {
        of(user).levels_.push_back({line, level});
    }
    static int64_t clock_ns(void* user) { return of(user).time_; }
    static void request_run(void* user) { of(user).asked_ = true; }
    static void log(void* user, PixmillLog kind, const char* text) {
        if (of(user).watcher_.log)
            of(user).watcher_.log(kind, text);
    }
    static void trace(void* user, PixmillTrace event, uint64_t a, uint64_t b, const char* text) {
        Replay& replay = of(user);
        replay.draws_ += event == PIXMILL_TRACE_DRAW;
        if (replay.watcher_.trace)
            replay.watcher_.trace(event, a, b, text);
    }
};

void* Replay::at(uint64_t address, uint64_t* length) const {
    const Place* place = places_.find(address, true);
    if (!place || place->page == Place::nothing)
        place = places_.find(address, false);
    if (!place || place->page == Place::nothing) {
        *length = std::min(places_.gap(address, true), places_.gap(address, false));
        return nullptr;
    }
    const uint64_t skipped = address - place->address;
    *length = place->length - skipped;
    return const_cast<std::byte*>(pages_[place->page].bytes) + place->offset + skipped;
}

bool Replay::read(uint64_t address, void* to, uint64_t length) const {
    for (auto* bytes = static_cast<std::byte*>(to); length;) {
        uint64_t run = 0;
        const void* const from = at(address, &run);
        if (!from)
            return false;
        run = std::min(run, length);
        std::memcpy(bytes, from, run);
        bytes += run;
        address += run;
        length -= run;
    }
    return true;
}

// ---- Life cycle ----------------------------------------------------------------

Replay::Replay(std::span<const PixmillCoreClass* const> classes, const Head& head, Watcher watcher)
    : table_(class_of(classes, head)), watcher_(std::move(watcher)),
      core_(nullptr, table_.destroy) {
    host_ = {.api_version = PIXMILL_API_VERSION,
             .user = this,
             .map = Callbacks::map,
             .dirty = Callbacks::dirty,
             .set_irq = Callbacks::set_irq,
             .clock_ns = Callbacks::clock_ns,
             .request_run = Callbacks::request_run,
             .log = Callbacks::log,
             .trace = Callbacks::trace,
             .trace_mask = &trace_mask_,
             .accessed = nullptr,
             .job = nullptr};
    trace_mask_ = watcher_.trace ? (1u << PIXMILL_TRACE_COUNT) - 1 : 1u << PIXMILL_TRACE_DRAW;
    start(head);
}

Replay::~Replay() = default;

void Replay::start(const Head& head) {
    Bytes config(table_.config_size);
    head.config.fill(table_.config_fields, config.data());
    PixmillCore* core = nullptr;
    if (table_.create(config.data(), &host_, &core) != PIXMILL_OK)
        throw BadCapture("the core refuses the capture's configuration");
    core_.reset(core);
    time_ = head.time;
    std::array<uint64_t, most_words> out{};
    load(head.state, out);
    if (out[0] != PIXMILL_OK)
        throw BadCapture("the core refuses the capture's state");
    for (const Head::Kept& kept : head.kept) {
        Call call = call_of(table_, kept.number, kept.words.data());
        table_.call(core_.get(), call.number, call.words.data());
    }
}

// ---- Records ---------------------------------------------------------------------

void Replay::play(const Record& record) {
    const Entry& entry = record.entry;
    if (entry.op == Op::page || entry.op == Op::map) {
        const uint32_t number = entry.op == Op::page ? record.page : record.place.page;
        while (number != Place::nothing && pages_.count() <= number)
            pages_.add();
        if (entry.op == Op::page)
            pages_[record.page].set(record.begin, record.bytes);
        else
            places_.add(record.place, record.write);
        return;
    }
    entries_++;
    now_ = &entry;
    time_ = entry.time;
    asked_ = false;
    levels_.clear();
    changed_.clear();
    writable_.clear();
    unknown_.clear();
    if (!(entry.flags & Flags::cancelled)) {
        std::array<uint64_t, most_words> out{};
        const Clock::time_point begin = Clock::now();
        make(record, out);
        times_[size_t(entry.op)] += Clock::now() - begin;
        calls_[size_t(entry.op)]++;
        note_outcome(record, out);
        compare(entry, out);
    }
    now_ = nullptr;
    if (watcher_.after)
        watcher_.after(record);
}

void Replay::make(const Record& record, std::array<uint64_t, most_words>& out) {
    const auto& in = record.entry.in;
    switch (record.entry.op) {
    case Op::read: {
        uint32_t value = 0;
        out[0] = table_.read(core_.get(), uint32_t(in[0]), uint32_t(in[1]), &value);
        out[1] = value;
        break;
    }
    case Op::write:
        out[0] = table_.write(core_.get(), uint32_t(in[0]), uint32_t(in[1]), uint32_t(in[2]));
        break;
    case Op::run: {
        const PixmillRun run = table_.run(core_.get(), uint32_t(in[0]));
        out[0] = run.action;
        out[1] = run.action == PIXMILL_RUN_WAIT ? zigzag(run.when_ns - time_) : 0;
        break;
    }
    case Op::draw:
        if (table_.draw)
            table_.draw(core_.get(), in[0]);
        break;
    case Op::reset:
        table_.reset(core_.get());
        break;
    case Op::inject:
        table_.inject(core_.get(), uint32_t(in[0]));
        break;
    case Op::call: {
        Call call = call_of(table_, in[0], &in[1]);
        table_.call(core_.get(), call.number, call.words.data());
        std::ranges::copy(call.words, out.begin());
        break;
    }
    case Op::load:
        load(record.state, out);
        break;
    case Op::save:
        save(out);
        break;
    default:
        break;
    }
}

void Replay::load(const Fields& fields, std::array<uint64_t, most_words>& out) {
    Bytes state(table_.state_size);
    fields.fill(table_.state_fields, state.data());
    out[0] = table_.load(core_.get(), state.data());
}

void Replay::save(std::array<uint64_t, most_words>& out) {
    Bytes state(table_.state_size);
    table_.save(core_.get(), state.data());
    out[0] = hash_fields(table_.state_fields, state.data());
}

/// Sets outcome_ to the core's results. Includes the pages that the core has changed, and those
/// that it wrote according to the capture.
void Replay::note_outcome(const Record& record, const std::array<uint64_t, most_words>& out) {
    outcome_ = record.entry;
    outcome_.out = out;
    outcome_.levels = levels_;
    outcome_.flags &= Flags::overlapped;
    outcome_.flags |= asked_ ? Flags::asked : 0;
    for (const uint32_t number : changed_)
        if (std::ranges::find(outcome_.written, number, &PageHash::page) == outcome_.written.end())
            outcome_.written.push_back({number, 0});
    for (PageHash& page : outcome_.written)
        page.hash = hash_of(pages_[page.page].reported);
    outcome_.state = record.state_raw;
}

// ---- Differences -----------------------------------------------------------------

std::string Replay::describe(const Entry& entry) const {
    std::string text = shape_of(entry.op).name;
    char word[32];
    for (size_t i = 0; i < shape_of(entry.op).in; i++) {
        (void)snprintf(word, sizeof word, " 0x%" PRIx64, entry.in[i]);
        text += word;
    }
    return text;
}

void Replay::differs(const char* format, ...) {
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    differences_++;
    if (watcher_.difference)
        watcher_.difference("call " + std::to_string(entries_) + ", behind " +
                            std::to_string(draws_) + " draws" +
                            (now_ ? ", " + describe(*now_) : "") + ": " + what);
}

void Replay::compare(const Entry& entry, const std::array<uint64_t, most_words>& out) {
    if (out != entry.out) {
        if (entry.op == Op::read && entry.flags & Flags::overlapped) {
            uncertain_++;
            if (watcher_.uncertain)
                watcher_.uncertain("call " + std::to_string(entries_) + ", " + describe(entry) +
                                   ": a draw was under way");
        } else if (entry.op == Op::run) {
            differs("ends with %s 0x%" PRIx64 ", not %s 0x%" PRIx64, name_in(action_names, out[0]),
                    out[1], name_in(action_names, entry.out[0]), entry.out[1]);
        } else if (entry.op == Op::save) {
            differs("saves a different state");
        } else if (entry.op == Op::call) {
            differs("returns different results");
        } else {
            differs("returns %s 0x%" PRIx64 ", not %s 0x%" PRIx64, name_in(result_names, out[0]),
                    out[1], name_in(result_names, entry.out[0]), entry.out[1]);
        }
    }
    if (asked_ != ((entry.flags & Flags::asked) != 0))
        differs(asked_ ? "asks to be run, unlike the capture" : "does not ask to be run");
    if (levels_ != entry.levels)
        differs("changes its lines %zu times, not %zu, or differently", levels_.size(),
                entry.levels.size());
    compare_memory(entry);
}

void Replay::compare_memory(const Entry& entry) {
    for (const PageHash& page : entry.written) {
        if (hash_of(pages_[page.page].reported) != page.hash)
            differs("leaves other bytes in the page at 0x%" PRIx64, pages_[page.page].address);
        std::erase(changed_, page.page);
    }
    std::ranges::sort(changed_);
    changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
    for (const uint32_t number : changed_)
        differs("changes the page at 0x%" PRIx64 ", unlike the capture", pages_[number].address);
    for (const uint32_t number : writable_) {
        Page& page = pages_[number];
        if (std::memcmp(page.bytes, page.reported, page_bytes) == 0)
            continue;
        differs("changes the page at 0x%" PRIx64 " and does not report it", page.address);
        page.mark_dirty(0, page_bytes);
    }
}

} // namespace pixmill::tools
