// Interface of a drawing engine to the rest of the core.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "pixmill/vivante.h"

namespace pixmill::vivante {

/// Drawing engines, numbered as in PIPE_SELECT.
enum class Pipe : uint8_t { pipe_3d, pipe_2d };

/// Interface common to all engines. The front end loads states; the host interface polls busy().
/// The front end executes nothing while an engine is busy, so at most one engine of a core has
/// work. Starting a draw is specific to each kind of front end.
class Engine {
public:
    /// Identifies the engine to the rest of the core.
    struct Slot {
        uint32_t modules; ///< IDLE_STATE bits that are 0 while it works
        uint32_t clients; ///< its memory controller clients, one bit per Client
    };
    const Slot slot;

    explicit Engine(const Slot& in) : slot(in) {}
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;
    virtual ~Engine() = default;

    /// Writes a state that the engine owns.
    virtual void write_state(uint32_t address, uint32_t value) = 0;

    // ---- Work ------------------------------------------------------------------

    /// True from the draw command until the last pixel is in memory.
    virtual bool busy() const = 0;
    /// The subset of slot.modules that the current work keeps busy.
    virtual uint32_t modules() const { return slot.modules; }
    /// Accounts for what render() has done: counters, faults, end of work.
    virtual void collect() = 0;
    /// Resets the engine. If render() is running, it notices and stops.
    virtual void reset() = 0;

    // ---- Migration -------------------------------------------------------------

    /// True if the engine could be in `state`, which is untrusted.
    virtual bool is_valid(const PixmillVivanteState& state) const = 0;
    /// Rebuilds what is derived from a loaded state, and drops bits that no core has. Returns false
    /// if the work in flight is inconsistent; throws std::bad_alloc if there is no memory for it.
    virtual bool restore() = 0;
    /// Clears the remains of finished work in a copy of the state.
    virtual void scrub(PixmillVivanteState& copy) const = 0;

    /// For tests.
    virtual void inject_bus_error() = 0;

    // ---- Without the lock: see pixmill/core.h ------------------------------------

    /// Returns the most work done between two checks for interrupt().
    virtual uint64_t render(uint64_t budget_bytes) = 0;
    virtual void interrupt() = 0;
    virtual bool draining() const = 0;
};

/// An engine selected by PIPE_SELECT, on cores with FE 1.0 and an MMU. A draw is a command with a
/// header and operands.
class PipeEngine : public Engine {
public:
    const Pipe pipe;

    PipeEngine(Pipe which, const Slot& in) : Engine(in), pipe(which) {}

    /// Called after the last word of each LOAD_STATE. Starts the work that a state has triggered.
    virtual void end_load() = 0;
    /// Receives qword `index` after the header of a draw command.
    virtual void operand(uint32_t header, uint32_t index, const uint32_t word[2]) = 0;
    /// Called when all operands of the draw command have arrived; `header` is its first qword.
    /// Prepares the work for render().
    virtual void draw(const uint32_t header[2]) = 0;

    /// For tests.
    virtual void inject_fault() = 0;
};

} // namespace pixmill::vivante
