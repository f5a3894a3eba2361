// SPDX-License-Identifier: GPL-2.0-or-later
#include "events.hpp"

#include <algorithm>
#include <iterator>

#include "offsets.hpp"

namespace pixmill::sgx {
namespace {

constexpr const Event& master_interrupt = *find_event("MASTER_INTERRUPT");
constexpr const Event& timer = *find_event("TIMER");

constexpr uint32_t status_offset[] = {EVENT_STATUS, EVENT_STATUS2};
constexpr uint32_t enable_offset[] = {EVENT_HOST_ENABLE, EVENT_HOST_ENABLE2};

} // namespace

uint32_t& Events::status(unsigned word) const {
    return words_[status_offset[word] / 4];
}

uint32_t Events::enabled(unsigned word) const {
    return status(word) & words_[enable_offset[word] / 4];
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

void Events::clear(unsigned word, uint32_t bits) {
    const bool ticked = word == 0 && timer(status(0) & bits);
    status(word) &= ~bits;
    if (!ticked || timer_ns_ < 0)
        return;
    skip_to_future();
    host_.request_run();
}

void Events::clear_units(uint32_t units) {
    for (const Event& event : event_table) {
        if (event.unit & units)
            status(event.word) &= ~event.mask();
    }
}

// MASTER_INTERRUPT says that another enabled event is pending, and is cleared explicitly: Linux
// drivers write it to EVENT_HOST_CLEAR together with SW_EVENT. Its bit of EVENT_HOST_ENABLE is the
// global enable: while it is 0 nothing interrupts (TI's chip support library).
bool Events::settle() {
    if ((enabled(0) & ~master_interrupt.mask()) || enabled(1))
        status(0) |= master_interrupt.mask();
    return master_interrupt(enabled(0));
}

// ---- EVENT_TIMER -----------------------------------------------------------

// The unit of VALUE is undocumented; the model uses core clocks.
int64_t Events::period_ns() const {
    const uint32_t setting = words_[EVENT_TIMER / 4];
    const uint64_t clocks = event_timer::enable(setting) ? event_timer::value(setting) : 0;
    return clocks ? std::max<int64_t>(1, int64_t(clocks * 1000000000u / core_clock_hz_)) : 0;
}

void Events::start_timer() {
    const int64_t period = period_ns();
    timer_ns_ = period ? host_.now() + period : -1;
    host_.request_run();
}

void Events::skip_to_future() {
    const int64_t now = host_.now(), period = period_ns();
    if (timer_ns_ <= now)
        timer_ns_ += ((now - timer_ns_) / period + 1) * period;
}

// While TIMER is pending the timer need not wake up, whatever its period: clear() restarts it.
int64_t Events::run_timer() {
    if (timer_ns_ >= 0 && timer_ns_ <= host_.now() && !timer(status(0))) {
        raise(timer);
        skip_to_future();
    }
    return timer_ns_ < 0 || timer(status(0)) ? INT64_MAX : timer_ns_;
}

void Events::load_timer(int64_t when_ns) {
    const int64_t period = period_ns(), now = host_.now();
    timer_ns_ = period ? std::clamp(when_ns, now > period ? now - period : 0, now + period) : -1;
    if (period)
        host_.request_run();
}

} // namespace pixmill::sgx
