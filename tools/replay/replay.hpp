// Runs a core on a capture, and says where it does otherwise.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/capture/pages.hpp"
#include "reader.hpp"

namespace pixmill::tools {

/// What happens while a capture is replayed; all may be empty.
struct Watcher {
    std::function<void(const std::string& text)> difference;
    /// What may be otherwise: the draw that it overlaps had come further, or less far.
    std::function<void(const std::string& text)> uncertain;
    std::function<void(PixmillTrace event, uint64_t a, uint64_t b, const char* text)> trace;
    std::function<void(PixmillLog kind, const char* text)> log;
    /// The core maps what is there.
    std::function<void(const capture::Place& place, bool write)> mapped;
    /// Behind each entry point.
    std::function<void(const Record& record)> after;
};

class Replay {
public:
    using Clock = std::chrono::steady_clock;

    /// A core of one of `classes`, as the capture begins with it. Throws BadCapture.
    Replay(std::span<const PixmillCoreClass* const> classes, const Head& head, Watcher watcher);
    ~Replay();
    Replay(const Replay&) = delete;
    Replay& operator=(const Replay&) = delete;

    /// Throws BadCapture where a record cannot be of this core.
    void play(const Record& record);

    const PixmillCoreClass& table() const { return table_; }
    PixmillCore* core() const { return core_.get(); }
    /// Copies guest memory as the capture has it by now; false where it has none there.
    bool read(uint64_t address, void* to, uint64_t length) const;
    /// Where it lies, as PixmillHost.map().
    void* at(uint64_t address, uint64_t* length) const;

    /// What the core has done in the last entry point, as a capture has it.
    const capture::Entry& outcome() const { return outcome_; }
    /// Where it has looked for memory then that the capture knows nothing of: taken for none.
    struct Unknown {
        capture::Place place;
        bool write;
    };
    const std::vector<Unknown>& unknown() const { return unknown_; }

    uint64_t entries() const { return entries_; }
    uint64_t differences() const { return differences_; }
    uint64_t uncertain() const { return uncertain_; }
    /// That the core has begun.
    uint64_t draws() const { return draws_; }
    /// Time in the core, by what was called.
    Clock::duration time(capture::Op op) const { return times_[size_t(op)]; }
    uint64_t calls(capture::Op op) const { return calls_[size_t(op)]; }

private:
    struct Callbacks;

    void start(const Head& head);
    void make(const Record& record, std::array<uint64_t, capture::most_words>& out);
    void load(const Fields& fields, std::array<uint64_t, capture::most_words>& out);
    void save(std::array<uint64_t, capture::most_words>& out);
    void compare(const capture::Entry& entry, const std::array<uint64_t, capture::most_words>& out);
    void compare_memory(const capture::Entry& entry);
    void note_outcome(const Record& record, const std::array<uint64_t, capture::most_words>& out);
    void differs(const char* format, ...) __attribute__((format(printf, 2, 3)));
    std::string describe(const capture::Entry& entry) const;

    const PixmillCoreClass& table_;
    const Watcher watcher_;
    PixmillHost host_{};
    uint32_t trace_mask_ = 0;

    capture::Pages pages_;
    capture::Places places_;

    // The entry point under way.
    const capture::Entry* now_ = nullptr;
    int64_t time_ = 0;
    bool asked_ = false;
    std::vector<capture::Level> levels_;
    std::vector<uint32_t> changed_, writable_; ///< pages
    capture::Entry outcome_;
    std::vector<Unknown> unknown_;

    uint64_t entries_ = 0, differences_ = 0, uncertain_ = 0, draws_ = 0;
    std::array<Clock::duration, capture::op_count> times_{};
    std::array<uint64_t, capture::op_count> calls_{};

    /// Last, since what ends first may still call back.
    std::unique_ptr<PixmillCore, void (*)(PixmillCore*)> core_;
};

} // namespace pixmill::tools
