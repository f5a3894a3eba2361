// Records a capture. Sits between a core and its host.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <atomic>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "block_writer.hpp"
#include "format.hpp"
#include "pages.hpp"
#include "pixmill/capture.h"

namespace pixmill {

struct Tap;

/// Records the entry points of a core. Entry points other than draw() are serialized, so at most
/// two run at a time. The records of entry points that run during a draw are held back and written
/// after the draw's record. Reordering them is safe because a draw works on copies of registers:
/// only a cancellation can affect it.
class Recorder {
public:
    using Entry = capture::Entry;

    Recorder(const PixmillCoreClass& table, PixmillCore& core, Tap& tap, const PixmillSink& sink);
    ~Recorder();
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    /// Writes the file header; `state` is the core's state at the start.
    void begin_capture(const void* state);
    void attach();
    /// Saves the core's final state, with which the replay compares its own, and ends the capture.
    void stop();
    bool failed() const { return failed_.load(std::memory_order_relaxed); }

    // ---- Entry points ----

    /// Returns null if the capture has ended.
    Entry* begin(capture::Op op, const std::array<uint64_t, capture::most_words>& in);
    void end(Entry& entry);
    void loads(Entry& entry, const void* state);
    void saved(Entry& entry, const void* state);
    /// Draws in steps until the budget is used or interrupt() is called.
    void draw(uint64_t budget, void (*step)(PixmillCore* core, uint64_t budget));

private:
    /// Host callbacks that the core calls during a capture.
    struct Callbacks;
    /// The entry point that a thread is executing.
    struct Inside {
        const Recorder* recorder = nullptr;
        Entry* entry = nullptr;
    };

    void* map(uint64_t address, uint64_t* length, bool write);
    void dirty(uint64_t address, uint64_t length);
    /// Returns the number of the page at `host`. Adds the page if it is new. Returns Place::nothing
    /// if the page limit is reached or the host is out of memory.
    uint32_t page_at(const std::byte* host);
    void refresh(uint32_t number, uint32_t begin, uint32_t end, const std::byte* host);
    void compare(uint32_t number, uint32_t begin, uint32_t end, const std::byte* host);
    void note_place(capture::Place place, bool write);
    void mark_dirty(std::byte* host, uint32_t length);

    void finish(Entry& entry);
    void finish_draw(Entry& entry);
    void emit(const Entry& entry);
    void fail(const char* why);
    void check_output();
    void detach();
    template<class Work>
    void guarded(Work work);

    const PixmillCoreClass& table_;
    PixmillCore& core_;
    Tap& tap_;
    const PixmillHost real_;
    capture::BlockWriter out_;

    std::mutex mutex_; ///< protects the members below
    capture::Pages pages_;
    capture::Places places_;
    std::unordered_map<uintptr_t, uint32_t> numbers_; ///< page numbers by host address

    Entry serial_, drawing_;
    std::array<Inside, 2> outer_; ///< saved inside_now_ of the threads in serial_ and drawing_
    bool draws_ = false;          ///< drawing_ is in progress
    unsigned inside_ = 0;         ///< number of entry points in progress
    uint64_t entries_ = 0;        ///< number of entry points so far
    uint64_t epoch_ = 0;          ///< incremented when an entry point starts while no other runs
    capture::Bytes pending_;      ///< memory records for the entry points in progress
    std::vector<Entry> held_;     ///< entries to write after the draw
    capture::Bytes scratch_;
    std::atomic<bool> failed_ = false;

    static thread_local Inside inside_now_;
};

} // namespace pixmill
