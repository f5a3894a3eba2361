// Command list processor (CLP): executes (register, value) pairs from guest memory.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "common/memory/physical_memory.hpp"
#include "pixmill/nema.h"
#include "trigger.hpp"

namespace pixmill::nema {

class Core;

/// Values of PixmillNemaState.clp_run.
enum class ClpRun : uint32_t {
    idle,
    running,
    breaking,      ///< running; stops after the next pair
    at_breakpoint, ///< until 0 is written to BREAKPOINT
    hung,          ///< injected fault
    count,
};

/// Executes the list of CMD_SIZE words at CMD_ADDR; both registers advance. Calling lists are on
/// the stack.
class CommandListProcessor {
public:
    explicit CommandListProcessor(Core& core);

    /// Executes about `budget_words` words. Stops early at a draw, which must complete first, or at
    /// a pair that must wait for an interrupt handler.
    void run(uint32_t budget_words);

    /// True if the last run() stopped at a pair that interrupts while a handler is still running.
    bool waits() const { return waits_; }

    /// True if there are pairs to execute, now or after the draw in flight.
    bool runs() const;
    bool idle() const;
    /// True if it is reading pairs from memory.
    bool fetches() const;
    /// True if a DRAW_CMD write by the host must wait.
    bool stalls_host() const { return runs() || state() == ClpRun::hung; }
    uint32_t status() const; ///< value of CMD_STAT

    // Called after the register has been written.
    void size_written();
    void ring_written(bool by_list);
    void breakpoint_written(bool by_list);
    void gp_flags_written(bool by_list);
    void reset(); ///< on a write of CMD_STAT

    void hang_next() { hang_next_ = true; }
    void power_on();

private:
    ClpRun state() const;
    void set_state(ClpRun state);
    void begin_list();
    void start();
    void stop();

    void step();
    bool list_ended() const;
    bool at_ring_stop() const;
    bool at_end() const { return list_ended() || at_ring_stop(); }
    void end();
    void execute(uint64_t address, const uint32_t pair[2]);
    void write(uint32_t word, uint32_t value);
    void note_foreign(const uint32_t pair[2]);
    void hold();
    void jump(uint32_t words);
    void call(uint32_t words);
    bool pop();
    void trace(uint64_t address, const uint32_t pair[2]) const;

    uint32_t& address() const;
    uint32_t& left() const;

    Core& core_;
    PixmillNemaState& s_;
    PhysicalMemory bus_;
    // Start addresses of the list and of its callers; unknown in a loaded state.
    std::optional<uint32_t> begin_;
    std::array<std::optional<uint32_t>, PIXMILL_NEMA_STACK> callers_;
    Trigger last_; ///< the last pair, or the access that started the list
    bool waits_ = false;
    bool hang_next_ = false; ///< injected fault
};

} // namespace pixmill::nema
