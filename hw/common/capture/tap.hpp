// Where a capture is connected to a core: every core has one.
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

/// What a core needs to be captured at any time.
struct Tap {
    /// `config` has these fields; null: all zero.
    Tap(const PixmillHost& given, const PixmillField* fields, const void* config);
    ~Tap();
    Tap(const Tap&) = delete;
    Tap& operator=(const Tap&) = delete;

    /// A call whose effect is no part of the state.
    struct Kept {
        uint32_t number;
        std::array<uint64_t, PIXMILL_CALL_WORDS> words;
    };
    void keep(uint32_t number, const uint64_t* words);

    const PixmillHost real; ///< as create() got it
    PixmillHost host;       ///< that the core calls: `real`, or the recorder
    capture::Bytes config;  ///< its fields
    std::vector<Kept> kept;
    std::unique_ptr<Recorder> owner;
    std::atomic<bool> interrupted = false; ///< interrupt(), while there is a recorder
};

} // namespace pixmill

/// What each family's core derives from, so that C can hold a pointer to it.
struct PixmillCore {
    std::atomic<pixmill::Recorder*> recorder = nullptr; ///< while it is captured
    std::unique_ptr<pixmill::Tap> tap;
    /// Work, the most of one step of draw(); counters() may look meanwhile.
    std::atomic<uint64_t> draw_step = 0;
};

namespace pixmill {

/// An entry point of a core, for as long as it runs: told to its recorder, if there is one.
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

    // What has come out.
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

/// draw() of a core with a recorder.
using DrawStep = void (*)(PixmillCore* core, uint64_t budget);
void draw_recorded(Recorder& recorder, uint64_t budget, DrawStep step);

/// Makes a call of a family, as PixmillCoreClass.call() does; results are in the words.
using CallWords = std::array<uint64_t, PIXMILL_CALL_WORDS>;
void make_call(PixmillCore* core, const PixmillCall* calls, uint32_t number, uint64_t* words);
inline CallWords call_with(PixmillCore* core, const PixmillCall* calls, uint32_t number,
                           CallWords words) {
    make_call(core, calls, number, words.data());
    return words;
}

} // namespace pixmill
