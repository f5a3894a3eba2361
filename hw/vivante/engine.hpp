// Interface of a drawing engine to the rest of the core.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "pixmill/vivante.h"

namespace pixmill::vivante {

/// Drawing engines, numbered as in PIPE_SELECT.
enum class Pipe : uint8_t { pipe_3d, pipe_2d };

/// Interface of all engines. The front end loads states, and the host interface polls busy(). The
/// front end executes nothing while an engine is busy, so at most one engine of a core works at a
/// time. Each kind of front end starts draws in a different way.
class Engine {
public:
    /// Describes the engine to the rest of the core.
    struct Slot {
        uint32_t modules; ///< IDLE_STATE bits that are 0 while the engine works
        uint32_t clients; ///< mask of the engine's memory controller clients: one bit per Client
    };
    const Slot slot;

    explicit Engine(const Slot& in) : slot(in) {}
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;
    virtual ~Engine() = default;

    /// Writes a state that belongs to the engine.
    virtual void write_state(uint32_t address, uint32_t value) = 0;

    // ---- Work ------------------------------------------------------------------

    /// True from the draw command until all pixels are in memory.
    virtual bool busy() const = 0;
    /// Returns the subset of slot.modules that the current draw keeps busy.
    virtual uint32_t modules() const { return slot.modules; }
    /// Processes the results of render(): updates counters, reports faults and ends finished draws.
    virtual void collect() = 0;
    /// Resets the engine. A render() call that is running notices the reset and stops.
    virtual void reset() = 0;

    // ---- Migration -------------------------------------------------------------

    /// True if `state`, which is untrusted, is possible for this engine.
    virtual bool is_valid(const PixmillVivanteState& state) const = 0;
    /// Recomputes derived data after a state was loaded, and clears bits that no core has. Returns
    /// false if the draw in progress is inconsistent. Throws std::bad_alloc if a host allocation
    /// fails.
    virtual bool restore() = 0;
    /// Clears data of finished draws in a copy of the state.
    virtual void scrub(PixmillVivanteState& copy) const = 0;

    // ---- Without the lock: see pixmill/core.h ------------------------------------

    /// Draws. Returns the largest amount of work done between two checks for interrupt().
    virtual uint64_t render(uint64_t budget_bytes) = 0;
    virtual void interrupt() = 0;
    virtual bool draining() const = 0;

    /// Returns the guest time for all render() calls so far, in nanoseconds. Must not be called
    /// during render().
    virtual uint64_t work_ns() const = 0;
};

/// An engine that PIPE_SELECT selects, on cores with FE 1.0 and an MMU. A draw command consists of
/// a header and operands.
class PipeEngine : public Engine {
public:
    const Pipe pipe;

    PipeEngine(Pipe which, const Slot& in) : Engine(in), pipe(which) {}

    /// Called at the end of each LOAD_STATE. Starts the draw that a state has triggered, if any.
    virtual void end_load() = 0;
    /// Receives the qword with index `index` after the header of a draw command.
    virtual void operand(uint32_t header, uint32_t index, const uint32_t word[2]) = 0;
    /// Prepares a draw for render(). Called after the last operand. `header` is the first qword of
    /// the command.
    virtual void draw(const uint32_t header[2]) = 0;
};

} // namespace pixmill::vivante
