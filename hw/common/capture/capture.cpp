// SPDX-License-Identifier: GPL-2.0-or-later
//
// Implements the C ABI of include/pixmill/capture.h, and the hooks through which a core calls its
// recorder.
#include "pixmill/capture.h"

#include <algorithm>

#include "common/guard.hpp"
#include "recorder.hpp"
#include "tap.hpp"

namespace pixmill {

using namespace capture;

// ---- Tap -----------------------------------------------------------------------

Tap::Tap(const PixmillHost& given, const PixmillField* fields, const void* with)
    : real(given), host(given) {
    constexpr size_t most_kept = 8; // fixed, because keep() must not allocate
    kept.reserve(most_kept);
    put_fields(config, fields, with);
}

Tap::~Tap() = default;

void Tap::keep(uint32_t number, const uint64_t* words) {
    const auto known = std::ranges::find(kept, number, &Kept::number);
    Kept& kept_call = known != kept.end() ? *known : kept.emplace_back();
    kept_call.number = number;
    std::copy_n(words, kept_call.words.size(), kept_call.words.begin());
}

// ---- Entry points ----------------------------------------------------------------

void Recorded::begin(Op op, const std::array<uint64_t, most_words>& in) {
    entry_ = recorder_->begin(op, in);
}

void Recorded::end() {
    recorder_->end(*entry_);
}

void Recorded::note(const PixmillRun& run) {
    const int64_t when = run.action == PIXMILL_RUN_WAIT ? run.when_ns - entry_->time : 0;
    entry_->out = {uint64_t(run.action), zigzag(when)};
}

void Recorded::note(const uint64_t* words) {
    std::copy_n(words, PIXMILL_CALL_WORDS, entry_->out.begin());
}

void Recorded::loads(const void* state) {
    if (entry_)
        recorder_->loads(*entry_, state);
}

void Recorded::saved(const void* state) {
    if (entry_)
        recorder_->saved(*entry_, state);
}

void draw_recorded(Recorder& recorder, uint64_t budget, DrawStep step) {
    recorder.draw(budget, step);
}

void make_call(PixmillCore* core, const PixmillCall* calls, uint32_t number, uint64_t* words) {
    Recorded recorded(core, Op::call, number, words[0], words[1], words[2], words[3], words[4]);
    if (calls[number].kept)
        core->tap->keep(number, words);
    calls[number].make(core, words);
    recorded.result(words);
}

namespace {

PixmillResult start(const PixmillCoreClass& table, PixmillCore& core, const PixmillSink& sink) {
    Bytes state(table.state_size);
    table.save(&core, state.data());
    auto recorder = std::make_unique<Recorder>(table, core, *core.tap, sink);
    recorder->begin_capture(state.data());
    const PixmillResult result = table.load(&core, state.data());
    for (Tap::Kept kept : core.tap->kept)
        table.calls[kept.number].make(&core, kept.words.data());
    if (result != PIXMILL_OK)
        return result;
    core.tap->owner = std::move(recorder);
    core.tap->owner->attach();
    return PIXMILL_OK;
}

} // namespace
} // namespace pixmill

extern "C" {

PixmillResult pixmill_capture_start(const PixmillCoreClass* table, PixmillCore* core,
                                    const PixmillSink* sink) {
    if (!table || !core || !sink || !sink->write || core->recorder.load())
        return PIXMILL_ERROR_ARGUMENT;
    return pixmill::guarded(PIXMILL_ERROR_MEMORY,
                            [&] { return pixmill::start(*table, *core, *sink); });
}

void pixmill_capture_stop(PixmillCore* core) {
    if (core && core->tap->owner) {
        core->tap->owner->stop();
        core->tap->owner.reset();
    }
}

bool pixmill_capture_runs(const PixmillCore* core) {
    return core->recorder.load() && !core->tap->owner->failed();
}

} // extern "C"
