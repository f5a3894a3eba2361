// CLP: executes lists of pairs (register, value) from guest memory.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/memory/physical_memory.hpp"
#include "pixmill/nema.h"

namespace pixmill::nema {

class Core;

/// PixmillNemaState.clp_run.
enum class ClpRun : uint32_t {
    idle,
    running,
    breaking,      ///< running, and stops behind the next pair
    at_breakpoint, ///< until BREAKPOINT is written as 0
    hung,          ///< injected
    count,
};

/// The list that it fetches is what CMD_ADDR and CMD_SIZE say, which advance; lists that have
/// called it are on the stack.
class CommandListProcessor {
public:
    explicit CommandListProcessor(Core& core);

    /// Executes about `budget_words` words, up to a draw that has to be waited for, or a pair
    /// that waits().
    void run(uint32_t budget_words);

    /// As the last run has seen it: the next pair interrupts, and has to wait for a handler.
    bool waits() const { return waits_; }

    /// There is something to execute, now or when the draw in flight is done.
    bool runs() const;
    bool idle() const;
    /// It reads pairs from memory.
    bool fetches() const;
    /// The host's next draw has to wait.
    bool stalls_host() const { return runs() || state() == ClpRun::hung; }
    uint32_t status() const; ///< CMD_STAT

    // Registers have been written.
    void size_written();
    void ring_written(bool by_list);
    void breakpoint_written(bool by_list);
    void gp_flags_written(bool by_list);
    void reset(); ///< CMD_STAT

    void hang_next() { hang_next_ = true; }
    void power_on();

private:
    ClpRun state() const;
    void set_state(ClpRun state);
    void start();
    void stop();

    void step();
    bool list_ended() const;
    bool at_ring_stop() const;
    bool at_end() const { return list_ended() || at_ring_stop(); }
    void end();
    void execute(uint64_t address, const uint32_t pair[2]);
    void write(uint32_t word, uint32_t value);
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
    bool waits_ = false;
    bool hang_next_ = false; ///< injection
};

} // namespace pixmill::nema
