// Replays a capture on a core, and reports differences.
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

/// Callbacks during a replay. Any of them may be empty.
struct Watcher {
    std::function<void(const std::string& text)> difference;
    /// A result that may legitimately differ, because it depends on the progress of an overlapping
    /// draw.
    std::function<void(const std::string& text)> uncertain;
    std::function<void(PixmillTrace event, uint64_t a, uint64_t b, const char* text)> trace;
    std::function<void(PixmillLog kind, const char* text)> log;
    /// Called when the core maps memory that is in the capture.
    std::function<void(const capture::Place& place, bool write)> mapped;
    /// Called after each call of a core function.
    std::function<void(const Record& record)> after;
};

class Replay {
public:
    using Clock = std::chrono::steady_clock;

    /// Creates a core of one of `classes` in the capture's initial state. Throws BadCapture.
    Replay(std::span<const PixmillCoreClass* const> classes, const Head& head, Watcher watcher);
    ~Replay();
    Replay(const Replay&) = delete;
    Replay& operator=(const Replay&) = delete;

    /// Throws BadCapture if the record cannot be from this core.
    void play(const Record& record);

    const PixmillCoreClass& table() const { return table_; }
    PixmillCore* core() const { return core_.get(); }
    /// Copies guest memory as it is at the current record. Returns false if the capture has no data
    /// for it.
    bool read(uint64_t address, void* to, uint64_t length) const;
    /// Returns a pointer to guest memory as it is at the current record, like PixmillHost.map().
    void* at(uint64_t address, uint64_t* length) const;

    /// Returns the core's results in the last entry point, in the capture's format.
    const capture::Entry& outcome() const { return outcome_; }
    /// Memory that the core tried to map in the last entry point, but that the capture lacks.
    /// Treated as a hole in the address space.
    struct Unknown {
        capture::Place place;
        bool write;
    };
    const std::vector<Unknown>& unknown() const { return unknown_; }

    uint64_t entries() const { return entries_; }
    uint64_t differences() const { return differences_; }
    uint64_t uncertain() const { return uncertain_; }
    /// Returns the number of draws that the core has traced.
    uint64_t draws() const { return draws_; }
    /// Return the time spent in the core and the number of calls, per kind of call.
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

    // State of the current entry point.
    const capture::Entry* now_ = nullptr;
    int64_t time_ = 0;
    bool asked_ = false;
    std::vector<capture::Level> levels_;
    std::vector<uint32_t> changed_, writable_; ///< page numbers
    capture::Entry outcome_;
    std::vector<Unknown> unknown_;

    uint64_t entries_ = 0, differences_ = 0, uncertain_ = 0, draws_ = 0;
    std::array<Clock::duration, capture::op_count> times_{};
    std::array<uint64_t, capture::op_count> calls_{};

    /// The last member, so that it is destroyed first: destroy() may still call back.
    std::unique_ptr<PixmillCore, void (*)(PixmillCore*)> core_;
};

} // namespace pixmill::tools
