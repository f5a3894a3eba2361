// Injected faults: hardware that misbehaves on request.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/injection.hpp"
#include "common/memory/access_faults.hpp"
#include "host.hpp"
#include "pixmill/vivante.h"

namespace pixmill::vivante {

struct Chip;

namespace inject_unit {
/// Index of a fault's unit in its row of fault_kinds.
enum HangUnit : uint32_t { command, draw };
} // namespace inject_unit

constexpr int64_t milliseconds(int64_t count) {
    return count * 1000000;
}

/// Rows by PixmillVivanteFault.
inline constexpr PixmillFaultKind fault_kinds[PIXMILL_VIVANTE_FAULTS] = {
    {"access", false, 0},                  // mmu-fault
    {"access", false, 0},                  // bus-error
    {"event", false, 0},                   // lost-irq
    {"command draw", false, 0},            // hang
    {"event", false, milliseconds(20)},    // late-irq
    {"event", false, milliseconds(1)},     // double-irq
    {"interrupt", false, 100000},          // foreign-irq
    {"read", false, 0},                    // early-idle
    {"read", false, 0},                    // late-idle
    {"write", false, 0},                   // posted-write
    {"reset", false, 0},                   // reset-fails
    {"reset", false, 0},                   // busy-after-reset
    {"command", false, milliseconds(100)}, // stall
    {"access", true, 0},                   // fused-off
    {"", true, 0},                         // stale-translations
};

/// Counts the opportunities of each injected fault, and decides when it occurs.
class Injector {
public:
    Injector(const Chip& chip, Host& host, PixmillVivanteState& state)
        : chip_(chip), host_(host), s_(state) {}

    /// Counts of the engines' accesses, which draw() updates without the lock.
    AccessFaults accesses;

    PixmillResult arm(const PixmillInjection& how);
    /// Injects a fault at its next opportunity, once.
    void arm_once(uint32_t fault);

    /// True if any fault is injected. Blocks check this first, where time matters.
    bool armed() const { return armed_; }
    /// Counts an opportunity of `fault` in `unit`. Returns true if the fault occurs.
    [[nodiscard]] bool occurs(PixmillVivanteFault fault, uint32_t unit = 0) {
        return armed_ && s_.inject_left[fault] && count(fault, unit);
    }
    /// True if `fault` occurs at the next opportunity.
    [[nodiscard]] bool is_next(PixmillVivanteFault fault) const {
        return s_.inject_left[fault] == 1 && host_.now() >= s_.inject_after_ns[fault];
    }
    int64_t end_of(PixmillVivanteFault fault) const {
        return host_.now() + s_.inject_length_ns[fault];
    }

    /// Called while no draw runs. Takes over what the engines have counted, and lets them count
    /// faults whose time has come.
    void exchange_accesses();

    // Migration.
    static bool is_valid(const PixmillVivanteState& state);
    void disarm();
    void restore();

private:
    bool count(PixmillVivanteFault fault, uint32_t unit);
    void occurred(uint32_t fault);
    void update();

    const Chip& chip_;
    Host& host_;
    PixmillVivanteState& s_;
    bool armed_ = false;
    bool counting_[AccessFaults::kinds]{}; ///< `accesses` has the count
};

} // namespace pixmill::vivante
