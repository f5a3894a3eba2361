// The events of one core, and EVENT_TIMER, the only one that the hardware raises by itself.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "common/host.hpp"
#include "offsets.hpp"
#include "pixmill/sgx.h"

namespace pixmill::sgx {

struct Event {
    const char* name;
    unsigned word; ///< 0: EVENT_STATUS, 1: EVENT_STATUS2
    uint32_t bit;
    uint32_t unit; ///< SOFT_RESET bit of the unit that raises it, 0: not known
};

/// Names and bits: sgx544defs.h. Which unit raises what follows from the names only.
inline constexpr Event event_table[] = {
    {"MASTER_INTERRUPT", 0, 1u << 31, 0},
    {"TIMER", 0, 1u << 29, 0},
    {"TA_DPM_FAULT", 0, 1u << 28, reset_dpm},
    {"TCU_INVALCOMPLETE", 0, 1u << 26, reset_tcu_l2},
    {"DPM_OUT_OF_MEMORY_ZLS", 0, 1u << 25, reset_dpm},
    {"DPM_TA_MEM_FREE", 0, 1u << 24, reset_dpm},
    {"ISP_END_TILE", 0, 1u << 23, reset_isp},
    {"DPM_INITEND", 0, 1u << 22, reset_dpm},
    {"OTPM_LOADED", 0, 1u << 21, 0},
    {"OTPM_INV", 0, 1u << 20, 0},
    {"OTPM_FLUSHED", 0, 1u << 19, 0},
    {"PIXELBE_END_RENDER", 0, 1u << 18, reset_pbe},
    {"BREAKPOINT", 0, 1u << 15, reset_use},
    {"SW_EVENT", 0, 1u << 14, reset_use},
    {"TA_FINISHED", 0, 1u << 13, reset_ta},
    {"TA_TERMINATE", 0, 1u << 12, reset_ta},
    {"TPC_CLEAR", 0, 1u << 11, reset_te},
    {"TPC_FLUSH", 0, 1u << 10, reset_te},
    {"DPM_CONTROL_CLEAR", 0, 1u << 9, reset_dpm},
    {"DPM_CONTROL_LOAD", 0, 1u << 8, reset_dpm},
    {"DPM_CONTROL_STORE", 0, 1u << 7, reset_dpm},
    {"DPM_STATE_CLEAR", 0, 1u << 6, reset_dpm},
    {"DPM_STATE_LOAD", 0, 1u << 5, reset_dpm},
    {"DPM_STATE_STORE", 0, 1u << 4, reset_dpm},
    {"DPM_REACHED_MEM_THRESH", 0, 1u << 3, reset_dpm},
    {"DPM_OUT_OF_MEMORY_GBL", 0, 1u << 2, reset_dpm},
    {"DPM_OUT_OF_MEMORY_MT", 0, 1u << 1, reset_dpm},
    {"DPM_3D_MEM_FREE", 0, 1u << 0, reset_dpm},
    {"DATA_BREAKPOINT_UNTRAPPED", 1, 1u << 11, reset_use},
    {"DATA_BREAKPOINT_TRAPPED", 1, 1u << 10, reset_use},
    {"MTE_CONTEXT_DRAINED", 1, 1u << 9, reset_mte},
    {"ISP2_ZLS_CSW_FINISHED", 1, 1u << 8, reset_isp2},
    {"DCU_INVALCOMPLETE", 1, 1u << 7, reset_dcu_l2},
    {"MTE_STATE_FLUSHED", 1, 1u << 6, reset_mte},
    {"TE_RGNHDR_INIT_COMPLETE", 1, 1u << 5, reset_te},
    {"TRIG_TA", 1, 1u << 4, 0},
    {"TRIG_3D", 1, 1u << 3, 0},
    {"TRIG_DL", 1, 1u << 2, 0},
    {"DPM_3D_FREE_LOAD", 1, 1u << 1, reset_dpm},
    {"DPM_TA_FREE_LOAD", 1, 1u << 0, reset_dpm},
};

/// Bits of EVENT_STATUS (0) or EVENT_STATUS2 (1) and of their enable and clear registers.
constexpr uint32_t event_bits(unsigned word) {
    uint32_t bits = 0;
    for (const Event& event : event_table)
        bits |= event.word == word ? event.bit : 0;
    return bits;
}

/// nullptr if there is none of that name.
const Event* find_event(const char* name);

class Events {
public:
    Events(Host& host, PixmillSgxCounters& counters, std::span<uint32_t> words, int64_t& timer_ns,
           uint32_t core_clock_hz, bool& lose_next)
        : host_(host), counters_(counters), words_(words), timer_ns_(timer_ns),
          core_clock_hz_(core_clock_hz), lose_next_(lose_next) {}

    void raise(const Event& event);
    /// The host has written `bits` to the clear register of `word`.
    void clear(unsigned word, uint32_t bits);
    /// Units whose SOFT_RESET bit has risen drop what they have raised.
    void clear_units(uint32_t units);
    /// Raises MASTER_INTERRUPT if it is due; whether an enabled event is pending.
    bool settle();

    /// EVENT_TIMER has been written.
    void start_timer();
    /// Raises TIMER if it is due; when to come back.
    int64_t run_timer();
    /// Of an untrusted state.
    void load_timer(int64_t when_ns);

private:
    uint32_t& status(unsigned word) const;
    uint32_t enabled(unsigned word) const;
    int64_t period_ns() const; ///< 0: the timer does not run
    void skip_to_future();

    Host& host_;
    PixmillSgxCounters& counters_;
    std::span<uint32_t> words_; ///< of the core's bank
    int64_t& timer_ns_;
    uint32_t core_clock_hz_;
    bool& lose_next_; ///< injection: the next event gets lost
};

} // namespace pixmill::sgx
