// Events of a core or of the master bank, and the EVENT_TIMER of a core. Other sources of events
// are invalidates, the host (writes to EVENT_STATUS) and fault injection.
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

/// A bit of EVENT_STATUS (word 0), EVENT_STATUS2 (word 1) or PDS_CACHE_STATUS (word 2).
struct Event : Field {
    unsigned word;
    uint32_t unit; ///< SOFT_RESET bit of the unit that raises the event; 0 if unknown

    constexpr Event(const char* name_, unsigned word_, uint8_t bit)
        : Field{name_, bit}, word(word_), unit(0) {}
    constexpr Event(const char* name_, unsigned word_, uint8_t bit, const Field& unit_)
        : Field{name_, bit}, word(word_), unit(unit_.mask()) {}
};

inline constexpr unsigned event_words = 3;

/// Source of names and bits: TI's chip support library. Units are deduced from the names.
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
    {"DSC_INV3", 2, 4, soft_reset::pds},
    {"DSC_INV1", 2, 2, soft_reset::pds},
    {"DSC_INV0", 2, 1, soft_reset::pds},
    {"CSC_INV", 2, 0, soft_reset::pds},
};

/// Returns the defined bits of a status word, which are also those of its enable and clear
/// registers.
constexpr uint32_t event_bits(unsigned word) {
    uint32_t bits = 0;
    for (const Event& event : event_table)
        bits |= event.word == word ? event.mask() : 0;
    return bits;
}

/// Returns nullptr if no event is called `name`.
constexpr const Event* find_event(std::string_view name) {
    for (const Event& event : event_table)
        if (event.name == name)
            return &event;
    return nullptr;
}

/// Status, enable and clear registers of events. The banks of the cores and of the master have the
/// same ones.
class Events {
public:
    /// `words` are the registers of the bank. `lose_next` injects a fault: the next event is
    /// dropped.
    Events(Host& host, PixmillSgxCounters& counters, std::span<uint32_t> words, bool& lose_next)
        : host_(host), counters_(counters), words_(words), lose_next_(lose_next) {}

    void raise(const Event& event);
    bool pending(const Event& event) const;
    /// Handles a write of `bits` to the clear register at `offset`.
    void clear(uint32_t offset, uint32_t bits);
    /// Clears the events of `units`, which enter reset.
    void clear_units(uint32_t units);
    /// Raises MASTER_INTERRUPT if an enabled event is pending. Returns true if the bank requests an
    /// interrupt.
    bool settle();

private:
    uint32_t& status(unsigned word) const;
    uint32_t enabled(unsigned word) const;

    Host& host_;
    PixmillSgxCounters& counters_;
    std::span<uint32_t> words_;
    bool& lose_next_;
};

/// EVENT_TIMER of a core: counts core clocks down to 0, raises TIMER and restarts.
class EventTimer {
public:
    /// `due_ns` is the time at which the timer next expires, or -1 if the timer is off.
    EventTimer(Host& host, Events& events, std::span<const uint32_t> words, int64_t& due_ns,
               uint32_t core_clock_hz)
        : host_(host), events_(events), words_(words), due_ns_(due_ns),
          core_clock_hz_(core_clock_hz) {}

    /// Called after a write to EVENT_TIMER.
    void start();
    /// Called before a write clears `bits` of EVENT_STATUS.
    void acknowledge(uint32_t bits);
    /// Raises TIMER if it is due. Returns the time at which to call again, or INT64_MAX for never.
    int64_t run();
    /// Restores the expiry time from an untrusted value.
    void load(int64_t when_ns);

private:
    int64_t period_ns() const; ///< 0 if the timer is off
    void skip_to_future();

    Host& host_;
    Events& events_;
    std::span<const uint32_t> words_; ///< registers of the core's bank
    int64_t& due_ns_;
    uint32_t core_clock_hz_;
};

} // namespace pixmill::sgx
