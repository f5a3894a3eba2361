// SPDX-License-Identifier: GPL-2.0-or-later
#include "events.hpp"

#include <algorithm>
#include <iterator>

#include "offsets.hpp"

namespace pixmill::sgx {
namespace {

constexpr const Event& master_interrupt = *find_event("MASTER_INTERRUPT");
constexpr const Event& timer = *find_event("TIMER");

/// Offsets of the registers for one word of events.
constexpr struct {
    uint32_t status, enable, clear;
} registers[] = {
    {EVENT_STATUS, EVENT_HOST_ENABLE, EVENT_HOST_CLEAR},
    {EVENT_STATUS2, EVENT_HOST_ENABLE2, EVENT_HOST_CLEAR2},
    {PDS_CACHE_STATUS, PDS_CACHE_HOST_ENABLE, PDS_CACHE_HOST_CLEAR},
};
static_assert(std::size(registers) == event_words);

} // namespace

uint32_t& Events::status(unsigned word) const {
    return words_[registers[word].status / 4];
}

uint32_t Events::enabled(unsigned word) const {
    return status(word) & words_[registers[word].enable / 4];
}

void Events::raise(const Event& event) {
    if (lose_next_) {
        lose_next_ = false;
        return;
    }
    status(event.word) |= event.mask();
    counters_.events++;
    host_.trace(PIXMILL_TRACE_EVENT, event.mask(), status(event.word), event.name);
}

bool Events::pending(const Event& event) const {
    return event(status(event.word));
}

void Events::clear(uint32_t offset, uint32_t bits) {
    for (const auto& word : registers) {
        if (word.clear == offset)
            words_[word.status / 4] &= ~bits;
    }
}

void Events::clear_units(uint32_t units) {
    for (const Event& event : event_table) {
        if (event.unit & units)
            status(event.word) &= ~event.mask();
    }
}

// MASTER_INTERRUPT reports that another enabled event is pending. It must be cleared explicitly:
// Linux drivers write its bit and SW_EVENT to EVENT_HOST_CLEAR. Its bit in EVENT_HOST_ENABLE is the
// global enable: while it is 0, no event interrupts (TI's chip support library).
bool Events::settle() {
    uint32_t others = enabled(0) & ~master_interrupt.mask();
    for (unsigned word = 1; word < event_words; word++)
        others |= enabled(word);
    if (others)
        status(0) |= master_interrupt.mask();
    return master_interrupt(enabled(0));
}

// ---- EVENT_TIMER -----------------------------------------------------------

int64_t EventTimer::period_ns() const {
    const uint32_t setting = words_[EVENT_TIMER / 4];
    const uint64_t clocks = event_timer::enable(setting) ? event_timer::value(setting) : 0;
    return clocks ? std::max<int64_t>(1, int64_t(clocks * 1000000000u / core_clock_hz_)) : 0;
}

void EventTimer::start() {
    const int64_t period = period_ns();
    due_ns_ = period ? host_.now() + period : -1;
    host_.request_run();
}

void EventTimer::skip_to_future() {
    const int64_t now = host_.now(), period = period_ns();
    if (due_ns_ <= now)
        due_ns_ += ((now - due_ns_) / period + 1) * period;
}

void EventTimer::acknowledge(uint32_t bits) {
    if (!timer(bits) || !events_.pending(timer) || due_ns_ < 0)
        return;
    skip_to_future();
    host_.request_run();
}

// No wakeup is needed while TIMER is pending, however short the period: acknowledge() restarts the
// timer.
int64_t EventTimer::run() {
    if (due_ns_ >= 0 && due_ns_ <= host_.now() && !events_.pending(timer)) {
        events_.raise(timer);
        skip_to_future();
    }
    return due_ns_ < 0 || events_.pending(timer) ? INT64_MAX : due_ns_;
}

void EventTimer::load(int64_t when_ns) {
    const int64_t period = period_ns(), now = host_.now();
    due_ns_ = period ? std::clamp(when_ns, now > period ? now - period : 0, now + period) : -1;
    if (period)
        host_.request_run();
}

} // namespace pixmill::sgx
