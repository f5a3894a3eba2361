// The connection between a core and its recorder. Every core has one.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include "format.hpp"
#include "pixmill/core.h"

namespace pixmill {

class Recorder;

/// Capture state that every core has, so that a capture can start at any time.
struct Tap {
    /// `fields` describes `config`. If `config` is null, all values are 0.
    Tap(const PixmillHost& given, const PixmillField* fields, const void* config);
    ~Tap();
    Tap(const Tap&) = delete;
    Tap& operator=(const Tap&) = delete;

    /// A call whose effect is not part of the saved state, so it is repeated after load().
    struct Kept {
        uint32_t number;
        std::array<uint64_t, PIXMILL_CALL_WORDS> words;
    };
    void keep(uint32_t number, const uint64_t* words);

    const PixmillHost real; ///< as passed to create()
    PixmillHost host;       ///< host callbacks that the core uses: `real`, or the recorder's
    capture::Bytes config;  ///< the encoded configuration
    std::vector<Kept> kept;
    std::unique_ptr<Recorder> owner;
    std::atomic<bool> interrupted = false; ///< interrupt() was called during a capture
};

} // namespace pixmill

/// Base of each family's core, so that C code can hold a pointer to it.
struct PixmillCore {
    std::atomic<pixmill::Recorder*> recorder = nullptr; ///< null unless a capture is in progress
    std::unique_ptr<pixmill::Tap> tap;
    /// Longest step of draw() so far, in bytes of work. counters() may read it during a draw.
    std::atomic<uint64_t> draw_step = 0;
};

namespace pixmill {

/// Spans one call of an entry point and reports it to the recorder, if there is one.
class Recorded {
public:
    template<class... Words>
    Recorded(PixmillCore* core, capture::Op op, Words... in)
        : recorder_(core->recorder.load(std::memory_order_relaxed)) {
        if (recorder_) [[unlikely]]
            begin(op, {uint64_t(in)...});
    }
    ~Recorded() {
        if (entry_) [[unlikely]]
            end();
    }
    Recorded(const Recorded&) = delete;
    Recorded& operator=(const Recorded&) = delete;

    // Record the results.
    PixmillResult result(PixmillResult result, uint32_t value = 0) {
        if (entry_) [[unlikely]]
            entry_->out = {uint64_t(result), value};
        return result;
    }
    PixmillRun result(const PixmillRun& run) {
        if (entry_) [[unlikely]]
            note(run);
        return run;
    }
    void result(const uint64_t* words) {
        if (entry_) [[unlikely]]
            note(words);
    }
    void loads(const void* state);
    void saved(const void* state);

private:
    void begin(capture::Op op, const std::array<uint64_t, capture::most_words>& in);
    void end();
    void note(const PixmillRun& run);
    void note(const uint64_t* words);

    Recorder* recorder_;
    capture::Entry* entry_ = nullptr;
};

/// Type of a core's draw(). draw_recorded() calls `step` repeatedly, in steps of limited work.
using DrawStep = void (*)(PixmillCore* core, uint64_t budget);
void draw_recorded(Recorder& recorder, uint64_t budget, DrawStep step);

/// Implements PixmillCoreClass.call(): makes call `number` with `words` as arguments, stores the
/// results in `words`, and records the call.
using CallWords = std::array<uint64_t, PIXMILL_CALL_WORDS>;
void make_call(PixmillCore* core, const PixmillCall* calls, uint32_t number, uint64_t* words);
inline CallWords call_with(PixmillCore* core, const PixmillCall* calls, uint32_t number,
                           CallWords words) {
    make_call(core, calls, number, words.data());
    return words;
}

} // namespace pixmill
