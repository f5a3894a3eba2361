// SPDX-License-Identifier: GPL-2.0-or-later
#include "seeds.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <memory>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cores.hpp"
#include "reader.hpp"
#include "replay.hpp"

namespace pixmill::tools::seeds {

namespace {

using namespace capture;

constexpr size_t most_steps = 3000;       ///< bytes; the rest of an input is for the state
constexpr size_t most_of_page = 640;      ///< bytes of a page that holds commands or a table
constexpr size_t most_of_picture = 128;   ///< bytes of a page that a draw reads first
constexpr size_t dull = 256;              ///< bytes of steps to discard if they add nothing new
constexpr uint32_t longest_work = 31;     ///< maximum calls of run() and draw() per step
constexpr uint32_t most_work = 500;       ///< maximum calls of run() and draw() in a row
constexpr size_t most_kept = 8;           ///< maximum calls that precede the state
constexpr int64_t worth_a_step = 100'000; ///< nanoseconds; a longer gap becomes a step

/// Encodes little-endian numbers.
class Encoded {
public:
    template<class... Values>
    Encoded(Step step, Values... values) : text_(1, char(step)) {
        (put(values), ...);
    }
    void put(uint8_t value) { text_ += char(value); }
    void put(uint16_t value) {
        put(uint8_t(value));
        put(uint8_t(value >> 8));
    }
    void put(uint32_t value) {
        put(uint16_t(value));
        put(uint16_t(value >> 16));
    }
    operator const std::string&() const { return text_; }

private:
    std::string text_;
};

uint32_t word_at(const std::byte* bytes) {
    uint32_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

/// Encodes the words of a page, starting at word `first` and wrapping around. Skips zeros, because
/// the fuzzer's pages start out empty.
std::string contents(uint8_t slot, const std::byte* page, uint32_t first, size_t most) {
    constexpr uint32_t all = page_bytes / 4, least_fill = 4, most_words = 255;
    const auto at = [&](uint32_t i) { return word_at(page + (first + i) % all * 4); };
    const auto alike = [&](uint32_t i) {
        uint32_t count = 1;
        while (i + count < all && at(i + count) == at(i))
            count++;
        return count;
    };
    std::string text;
    for (uint32_t i = 0; i < all && text.size() < most;) {
        const auto where = uint16_t((first + i) % all);
        const uint32_t same = alike(i);
        if (at(i) == 0 || same >= least_fill) {
            if (at(i))
                text += Encoded(fill, slot, where, uint16_t(same), at(i));
            i += same;
            continue;
        }
        uint32_t count = 0;
        while (i + count < all && count < most_words && at(i + count) &&
               alike(i + count) < least_fill)
            count++;
        count = std::min(count, uint32_t(most / 4));
        Encoded some(words, slot, where, uint8_t(count));
        for (uint32_t n = 0; n < count; n++)
            some.put(at(i + n));
        text += some;
        i += count;
    }
    return text;
}

/// Encodes the words in which one state differs from another.
std::string changes(const PixmillField* fields, const std::byte* now, const std::byte* before,
                    size_t most) {
    constexpr uint32_t longest = 63; // words
    std::string text;
    for (const PixmillField* field = fields; field->name; field++) {
        const size_t end = field->offset + field->count * (field->type == PIXMILL_U32 ? 4u : 8u);
        for (size_t at = field->offset; at < end; at += 4) {
            if (word_at(now + at) == word_at(before + at))
                continue;
            uint32_t count = 1;
            while (count < longest && at + 4 * size_t(count) < end &&
                   word_at(now + at + 4 * size_t(count)) !=
                       word_at(before + at + 4 * size_t(count)))
                count++;
            Encoded some(state, uint32_t(at), uint8_t(4 * count));
            for (uint32_t n = 0; n < count; n++)
                some.put(word_at(now + at + 4 * size_t(n)));
            if (text.size() + std::string(some).size() > most)
                return text;
            text += some;
            at += 4 * size_t(count - 1);
        }
    }
    return text;
}

/// Returns the state of a core after power-on. Its host has no memory.
std::vector<std::byte> power_on(const PixmillCoreClass& table, const Head& head) {
    static uint32_t no_traces = 0;
    static const PixmillHost host{
        .api_version = PIXMILL_API_VERSION,
        .user = nullptr,
        .map = [](void*, uint64_t, uint64_t*, bool) -> void* { return nullptr; },
        .dirty = [](void*, uint64_t, uint64_t) {},
        .set_irq = [](void*, uint32_t, bool) {},
        .clock_ns = [](void*) { return int64_t(0); },
        .request_run = [](void*) {},
        .log = [](void*, PixmillLog, const char*) {},
        .trace = [](void*, PixmillTrace, uint64_t, uint64_t, const char*) {},
        .trace_mask = &no_traces,
        .accessed = nullptr,
        .job = nullptr};
    std::vector<std::byte> config(table.config_size), made(table.state_size);
    head.config.fill(table.config_fields, config.data());
    PixmillCore* made_core = nullptr;
    if (table.create(config.data(), &host, &made_core) != PIXMILL_OK)
        throw BadCapture("the core refuses the capture's configuration");
    const std::unique_ptr<PixmillCore, void (*)(PixmillCore*)> core(made_core, table.destroy);
    table.save(core.get(), made.data());
    return made;
}

/// Returns the first bytes of each input of the core's fuzzer.
std::string beginning(const Head& head) {
    std::string text(1, char(captured));
    const auto model = std::ranges::find(head.config.all, "model", &Fields::Field::name);
    if (model == head.config.all.end() || !model->text)
        return text;
    for (size_t i = 0; const char* name = pixmill_vivante_model(i); i++)
        if (*model->text == name)
            return text + char(i);
    return text;
}

class Maker {
public:
    Maker(const Head& head, const Keep& keep)
        : head_(head), keep_(keep), replay_(core_classes, head, watcher()),
          power_on_(power_on(replay_.table(), head)), state_(power_on_.size()) {
        for (const Head::Kept& kept : head.kept)
            kept_[kept.number] = kept.words;
        begin();
    }

    void play(const Record& record) {
        replay_.play(record);
        if (record.entry.op == Op::page)
            tell_change(record);
        if (record.is_entry())
            played(record.entry);
    }
    void end() {
        tell_work();
        if (news_ && seeds_ < most_seeds)
            keep();
        begin();
    }

private:
    Watcher watcher() {
        Watcher watcher;
        watcher.trace = [this](PixmillTrace event, uint64_t a, uint64_t b, const char* text) {
            look(event, a, b, text);
        };
        watcher.mapped = [this](const Place& place, bool write) { meet_page(place, write); };
        return watcher;
    }

    /// Notes whether a trace event is new. A value with a different bit length or different low
    /// bits in a register or state is also new, because it may be a mode or a size.
    void look(PixmillTrace event, uint64_t a, uint64_t b, std::string_view text) {
        if (event == PIXMILL_TRACE_REG_READ)
            return;
        uint64_t kind = hash_word(hash_start, event);
        kind = hash_word(kind, std::hash<std::string_view>()(text));
        if (event == PIXMILL_TRACE_REG_WRITE || event == PIXMILL_TRACE_STATE)
            kind = hash_word(hash_word(kind, a), uint64_t(std::bit_width(b)) << 4 | (b & 0xF));
        news_ |= known_.insert(kind).second;
    }

    void begin() {
        steps_.clear();
        met_.clear();
        slots_.clear();
        bases_.clear();
        last_.clear();
        work_ = 0;
        news_ = false;
        begun_ = false;
        kept_then_ = kept_;
        replay_.table().save(replay_.core(), state_.data());
        if (action_ == PIXMILL_RUN_DRAW) // resume the draw that save() stopped
            (void)replay_.table().run(replay_.core(), 0);
    }

    struct Slot {
        uint8_t number;
        bool told = false; ///< its contents have been encoded in the steps
    };
    /// A page that the current call was the first to map.
    struct Met {
        std::vector<std::byte> bytes; ///< contents when it was mapped; empty: not read
        uint32_t first = 0;           ///< index of the first word accessed
    };

    /// Notes that the core maps part of a host page. Steps refer to guest pages instead.
    void meet_page(const Place& place, bool write) {
        bases_[place.page] = place.address - place.offset;
        const uint64_t number = place.address / page_bytes;
        const auto known = slots_.find(number);
        if (known != slots_.end() && (write || known->second.told))
            return;
        Met& met = met_[number];
        if (write || !met.bytes.empty())
            return;
        met.first = uint32_t(place.address % page_bytes / 4);
        met.bytes.resize(page_bytes);
        for (uint64_t at = 0; at < page_bytes;) {
            uint64_t length = 0;
            const void* from = replay_.at(number * page_bytes + at, &length);
            length = std::min(length, page_bytes - at);
            if (from)
                std::memcpy(&met.bytes[at], from, length);
            at += length;
        }
    }

    /// Adds steps for new pages. Consecutive pages get consecutive slots.
    void tell_pages(bool drawing) {
        for (auto page = met_.begin(); page != met_.end();) {
            const uint64_t first = page->first;
            uint8_t count = 0;
            while (page != met_.end() && page->first == first + count && count < UINT8_MAX &&
                   slots_.size() < slots && !slots_.contains(page->first)) {
                slots_.emplace(first + count, Slot{uint8_t(slots_.size())});
                count++;
                ++page;
            }
            if (count)
                steps_ += Encoded(place, uint32_t(first), uint8_t(first >> 32), count);
            else
                ++page;
        }
        for (const auto& [number, met] : met_) {
            const auto slot = slots_.find(number);
            if (slot == slots_.end() || met.bytes.empty())
                continue;
            slot->second.told = true;
            steps_ += contents(slot->second.number, met.bytes.data(), met.first,
                               drawing ? most_of_picture : most_of_page);
        }
        met_.clear();
    }

    /// Adds steps for a guest write to pages that the core has read.
    void tell_change(const Record& record) {
        constexpr size_t most = 64; // words
        const auto base = bases_.find(record.page);
        if (base == bases_.end())
            return;
        const uint64_t begin = base->second + record.begin;
        const size_t count = begin % 4 ? 0 : std::min(record.bytes.size() / 4, most);
        std::string told;
        for (size_t n = 0; n < count;) {
            const uint64_t at = begin + 4 * n;
            const size_t here = std::min(count - n, size_t(page_bytes - at % page_bytes) / 4);
            const auto found = slots_.find(at / page_bytes);
            if (found != slots_.end() && found->second.told) {
                Encoded some(words, found->second.number, uint16_t(at % page_bytes / 4),
                             uint8_t(here));
                for (size_t i = n; i < n + here; i++)
                    some.put(word_at(record.bytes.data() + 4 * i));
                told += some;
            }
            n += here;
        }
        if (told.empty())
            return;
        tell_work();
        steps_ += told;
    }

    void tell_work() {
        for (work_ = std::min(work_, most_work); work_;) {
            const uint32_t count = std::min(work_, longest_work);
            steps_ += Encoded(work, uint8_t(count));
            work_ -= count;
        }
    }

    void played(const Entry& entry) {
        if (!std::exchange(begun_, true))
            begin_ = time_ = entry.time;
        tell_pages(entry.op == Op::draw);
        tell(entry);
        if (entry.op == Op::call && replay_.table().calls[entry.in[0]].kept)
            std::copy_n(&entry.in[1], PIXMILL_CALL_WORDS, kept_[entry.in[0]].begin());
        if (entry.op == Op::run)
            action_ = PixmillRunAction(entry.out[0]);
        const bool rests =
            entry.op == Op::run && (action_ == PIXMILL_RUN_IDLE || action_ == PIXMILL_RUN_WAIT);
        if (entry.op == Op::load || full() || (rests && (news_ || steps_.size() >= dull)))
            end();
    }

    bool full() const { return steps_.size() >= most_steps; }

    void tell(const Entry& entry) {
        if (entry.op == Op::run || entry.op == Op::draw) {
            work_++;
            return;
        }
        const std::string step = step_of(entry);
        if (step.empty() || (entry.op == Op::read && step == last_))
            return;
        tell_work();
        if (entry.time - time_ >= worth_a_step)
            steps_ += Encoded(clock, uint32_t(std::min<int64_t>(entry.time - time_, UINT32_MAX)),
                              uint8_t(0));
        steps_ += last_ = step;
        time_ = std::max(time_, entry.time);
    }

    static std::string step_of(const Entry& entry) {
        const bool plain =
            entry.in[0] % 4 == 0 && entry.in[1] == 4 && entry.in[0] >> 2 <= UINT16_MAX;
        const auto at = uint16_t(entry.in[0] >> 2);
        switch (entry.op) {
        case Op::write: // the guest repeats a write that stalls
            return plain && entry.out[0] != PIXMILL_ERROR_BUSY
                       ? Encoded(write, at, uint32_t(entry.in[2]))
                       : std::string();
        case Op::read:
            return plain ? Encoded(read, at) : std::string();
        case Op::reset:
            return Encoded(reset);
        case Op::call:
            return Encoded(call, uint8_t(entry.in[0]), uint32_t(entry.in[1]),
                           uint32_t(entry.in[2]));
        default:
            return {};
        }
    }

    void keep() {
        std::string seed = beginning(head_);
        seed += Encoded(clock, uint32_t(begin_ >> 9), uint8_t(9));
        size_t left = most_kept;
        for (const auto& [number, words] : kept_then_)
            if (left && left--)
                seed += Encoded(call, uint8_t(number), uint32_t(words[0]), uint32_t(words[1]));
        steps_.resize(std::min(steps_.size(), most_bytes - seed.size() - 1));
        const size_t most = most_bytes - seed.size() - steps_.size() - 1;
        seed += changes(replay_.table().state_fields, state_.data(), power_on_.data(), most);
        seed += Encoded(load);
        keep_(seed + steps_);
        seeds_++;
    }

    const Head& head_;
    const Keep& keep_;

    // Data collected from one idle point to the next.
    std::string steps_;
    std::map<uint64_t, Slot> slots_;     ///< by guest page number
    std::map<uint64_t, Met> met_;        ///< pages of the current call, by guest page number
    std::map<uint32_t, uint64_t> bases_; ///< guest addresses of host pages
    /// The last call of each kind, by number, whose effect the state does not include: now, and at
    /// the first idle point.
    std::map<uint64_t, std::array<uint64_t, PIXMILL_CALL_WORDS>> kept_, kept_then_;
    std::string last_;
    uint32_t work_ = 0;
    PixmillRunAction action_ = PIXMILL_RUN_IDLE; ///< result of the last run()
    bool news_ = false, begun_ = false;
    int64_t begin_ = 0, time_ = 0;

    std::unordered_set<uint64_t> known_;
    size_t seeds_ = 0;
    Replay replay_;
    const std::vector<std::byte> power_on_;
    std::vector<std::byte> state_; ///< state at the first idle point
};

} // namespace

std::string make(std::istream& capture, const Keep& keep) {
    Reader reader(capture);
    Maker maker(reader.head(), keep);
    try {
        for (Record record; reader.next(record);)
            maker.play(record);
    } catch (const CutCapture&) {
    }
    maker.end();
    return reader.head().core;
}

} // namespace pixmill::tools::seeds
