// The events of one core, and EVENT_TIMER. All other events must be injected.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "common/host.hpp"
#include "fields.hpp"
#include "pixmill/sgx.h"

namespace pixmill::sgx {

/// A bit of EVENT_STATUS (word 0) or EVENT_STATUS2 (word 1).
struct Event : Field {
    unsigned word;
    uint32_t unit; ///< SOFT_RESET bit of the unit that raises it; 0 if unknown

    constexpr Event(const char* name_, unsigned word_, uint8_t bit)
        : Field{name_, bit}, word(word_), unit(0) {}
    constexpr Event(const char* name_, unsigned word_, uint8_t bit, const Field& unit_)
        : Field{name_, bit}, word(word_), unit(unit_.mask()) {}
};

/// Names and bits: sgx544defs.h. Units are deduced from the names.
inline constexpr Event event_table[] = {
    {"MASTER_INTERRUPT", 0, 31},
    {"TIMER", 0, 29},
    {"TA_DPM_FAULT", 0, 28, soft_reset::dpm},
    {"TCU_INVALCOMPLETE", 0, 26, soft_reset::tcu_l2},
    {"DPM_OUT_OF_MEMORY_ZLS", 0, 25, soft_reset::dpm},
    {"DPM_TA_MEM_FREE", 0, 24, soft_reset::dpm},
    {"ISP_END_TILE", 0, 23, soft_reset::isp},
    {"DPM_INITEND", 0, 22, soft_reset::dpm},
    {"OTPM_LOADED", 0, 21},
    {"OTPM_INV", 0, 20},
    {"OTPM_FLUSHED", 0, 19},
    {"PIXELBE_END_RENDER", 0, 18, soft_reset::pbe},
    {"BREAKPOINT", 0, 15, soft_reset::use},
    {"SW_EVENT", 0, 14, soft_reset::use},
    {"TA_FINISHED", 0, 13, soft_reset::ta},
    {"TA_TERMINATE", 0, 12, soft_reset::ta},
    {"TPC_CLEAR", 0, 11, soft_reset::te},
    {"TPC_FLUSH", 0, 10, soft_reset::te},
    {"DPM_CONTROL_CLEAR", 0, 9, soft_reset::dpm},
    {"DPM_CONTROL_LOAD", 0, 8, soft_reset::dpm},
    {"DPM_CONTROL_STORE", 0, 7, soft_reset::dpm},
    {"DPM_STATE_CLEAR", 0, 6, soft_reset::dpm},
    {"DPM_STATE_LOAD", 0, 5, soft_reset::dpm},
    {"DPM_STATE_STORE", 0, 4, soft_reset::dpm},
    {"DPM_REACHED_MEM_THRESH", 0, 3, soft_reset::dpm},
    {"DPM_OUT_OF_MEMORY_GBL", 0, 2, soft_reset::dpm},
    {"DPM_OUT_OF_MEMORY_MT", 0, 1, soft_reset::dpm},
    {"DPM_3D_MEM_FREE", 0, 0, soft_reset::dpm},
    {"DATA_BREAKPOINT_UNTRAPPED", 1, 11, soft_reset::use},
    {"DATA_BREAKPOINT_TRAPPED", 1, 10, soft_reset::use},
    {"MTE_CONTEXT_DRAINED", 1, 9, soft_reset::mte},
    {"ISP2_ZLS_CSW_FINISHED", 1, 8, soft_reset::isp2},
    {"DCU_INVALCOMPLETE", 1, 7, soft_reset::dcu_l2},
    {"MTE_STATE_FLUSHED", 1, 6, soft_reset::mte},
    {"TE_RGNHDR_INIT_COMPLETE", 1, 5, soft_reset::te},
    {"TRIG_TA", 1, 4},
    {"TRIG_3D", 1, 3},
    {"TRIG_DL", 1, 2},
    {"DPM_3D_FREE_LOAD", 1, 1, soft_reset::dpm},
    {"DPM_TA_FREE_LOAD", 1, 0, soft_reset::dpm},
};

/// Defined bits of EVENT_STATUS (0) or EVENT_STATUS2 (1) and of their enable and clear registers.
constexpr uint32_t event_bits(unsigned word) {
    uint32_t bits = 0;
    for (const Event& event : event_table)
        bits |= event.word == word ? event.mask() : 0;
    return bits;
}

/// Returns nullptr if there is no event `name`.
constexpr const Event* find_event(std::string_view name) {
    for (const Event& event : event_table)
        if (event.name == name)
            return &event;
    return nullptr;
}

class Events {
public:
    Events(Host& host, PixmillSgxCounters& counters, std::span<uint32_t> words, int64_t& timer_ns,
           uint32_t core_clock_hz, bool& lose_next)
        : host_(host), counters_(counters), words_(words), timer_ns_(timer_ns),
          core_clock_hz_(core_clock_hz), lose_next_(lose_next) {}

    void raise(const Event& event);
    /// Handles a write of `bits` to the clear register of `word`.
    void clear(unsigned word, uint32_t bits);
    /// Clears the events of units that enter reset.
    void clear_units(uint32_t units);
    /// Raises MASTER_INTERRUPT if it is due. Returns true if an enabled event is pending.
    bool settle();

    /// Called after a write to EVENT_TIMER.
    void start_timer();
    /// Raises TIMER if it is due. Returns the time of the next call, INT64_MAX for never.
    int64_t run_timer();
    /// Loads an untrusted expiry time.
    void load_timer(int64_t when_ns);

private:
    uint32_t& status(unsigned word) const;
    uint32_t enabled(unsigned word) const;
    int64_t period_ns() const; ///< 0: the timer is off
    void skip_to_future();

    Host& host_;
    PixmillSgxCounters& counters_;
    std::span<uint32_t> words_; ///< words of the core's bank
    int64_t& timer_ns_;
    uint32_t core_clock_hz_;
    bool& lose_next_; ///< fault injection: drop the next event
};

} // namespace pixmill::sgx
