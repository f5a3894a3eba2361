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
    at_breakpoint, ///< stopped until 0 is written to BREAKPOINT
    hung,          ///< by an injected fault
    count,
};

/// Executes the list of CMD_SIZE words at CMD_ADDR, and updates both registers after each pair. A
/// stack holds the lists that called the current one.
class CommandListProcessor {
public:
    explicit CommandListProcessor(Core& core);

    /// Executes about `budget_words` words. Stops early after a pair that starts a draw, or before
    /// a pair that must wait for an interrupt handler.
    void run(uint32_t budget_words);

    /// True if the last run() stopped before a pair that would raise an interrupt while the handler
    /// of the previous interrupt is running.
    bool waits() const { return waits_; }

    /// True if there are pairs to execute, now or after the draw in flight.
    bool runs() const;
    bool idle() const;
    /// True if the processor is reading pairs from memory.
    bool fetches() const;
    /// True if a DRAW_CMD write by the host must wait.
    bool stalls_host() const { return runs() || state() == ClpRun::hung; }
    uint32_t status() const; ///< value of CMD_STAT

    // Called after a write to the named register.
    void size_written();
    void ring_written(bool by_list);
    void breakpoint_written(bool by_list);
    void gp_flags_written(bool by_list);
    void reset(); ///< called on a write to CMD_STAT

    void hang_next() { hang_next_ = true; }
    void power_on();

private:
    ClpRun state() const;
    void set_state(ClpRun state);
    void note_job();
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
    // Start addresses of the list and of its callers; unknown after load().
    std::optional<uint32_t> begin_;
    std::array<std::optional<uint32_t>, PIXMILL_NEMA_STACK> callers_;
    Trigger last_; ///< last pair executed, or the access that started the list
    bool waits_ = false;
    bool hang_next_ = false; ///< injected fault
};

} // namespace pixmill::nema
