// Makes a capture: stands between a core and its host.
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

/// Entry points are serialised but for draw(), so there are two at most at a time. While a draw is
/// under way, what the others do is held back, to stand behind it: a draw works on copies of
/// registers, so nothing of that matters to it but that it may be cancelled.
class Recorder {
public:
    using Entry = capture::Entry;

    Recorder(const PixmillCoreClass& table, PixmillCore& core, Tap& tap, const PixmillSink& sink);
    ~Recorder();
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    /// Writes what a replay begins with; `state` is the core's.
    void begin_capture(const void* state);
    void attach();
    /// Has the core's state saved, to be compared, and ends.
    void stop();
    bool failed() const { return failed_.load(std::memory_order_relaxed); }

    // ---- Entry points ----

    /// Null: the capture is over.
    Entry* begin(capture::Op op, const std::array<uint64_t, capture::most_words>& in);
    void end(Entry& entry);
    void loads(Entry& entry, const void* state);
    void saved(Entry& entry, const void* state);
    /// In steps, as long as nobody interrupts.
    void draw(uint64_t budget, void (*step)(PixmillCore* core, uint64_t budget));

private:
    /// What the core calls in place of its host.
    struct Callbacks;
    /// What a thread is in.
    struct Inside {
        const Recorder* recorder = nullptr;
        Entry* entry = nullptr;
    };

    void* map(uint64_t address, uint64_t* length, bool write);
    void dirty(uint64_t address, uint64_t length);
    /// The number of the page at `host`; a new one where it has none. Not a number: no more pages.
    uint32_t page_at(const std::byte* host);
    void refresh(uint32_t number, uint32_t begin, uint32_t end, const std::byte* host);
    void compare(uint32_t number, uint32_t begin, uint32_t end, const std::byte* host);
    void note_place(capture::Place place, bool write);
    void tell(std::byte* host, uint32_t length);

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

    std::mutex mutex_; ///< of all that follows
    capture::Pages pages_;
    capture::Places places_;
    std::unordered_map<uintptr_t, uint32_t> numbers_; ///< of pages, by where they lie in the host

    Entry serial_, drawing_;
    std::array<Inside, 2> outer_; ///< what the threads of both were in before
    bool draws_ = false;          ///< drawing_ is under way
    unsigned inside_ = 0;         ///< entry points under way
    uint64_t entries_ = 0;        ///< so far
    uint64_t epoch_ = 0;          ///< a new one begins where an entry point is the only one
    capture::Bytes news_;         ///< of memory, for the entry points under way
    std::vector<Entry> held_;     ///< behind the draw
    capture::Bytes scratch_;
    std::atomic<bool> failed_ = false;

    static thread_local Inside inside_now_;
};

} // namespace pixmill
