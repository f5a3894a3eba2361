// A drawing engine as the rest of the core sees it.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "pixmill/vivante.h"

namespace pixmill::vivante {

/// What draws, by its number in PIPE_SELECT.
enum class Pipe : uint8_t { pipe_3d, pipe_2d };

/// What all engines do. Front ends bring states, the host interface looks whether the engine works.
/// A front end executes nothing while it does, so that at most one engine of a core has work. How a
/// draw begins, each kind of front end knows of its engines.
class Engine {
public:
    /// How the core knows the engine.
    struct Slot {
        uint32_t modules; ///< bits of IDLE_STATE that are 0 while it works
        uint32_t clients; ///< of the memory controller: a bit for each Client
    };
    const Slot slot;

    explicit Engine(const Slot& in) : slot(in) {}
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;
    virtual ~Engine() = default;

    /// A state that the engine owns is loaded.
    virtual void write_state(uint32_t address, uint32_t value) = 0;

    // ---- Work ------------------------------------------------------------------

    /// From the draw command until the last pixel is in memory.
    virtual bool busy() const = 0;
    /// Of slot.modules, those that this work keeps from being idle.
    virtual uint32_t modules() const { return slot.modules; }
    /// Accounts for what render() has done: counters, faults, the end of the work.
    virtual void collect() = 0;
    /// Reset of the core. A render() may be running: it notices.
    virtual void reset() = 0;

    // ---- Migration -------------------------------------------------------------

    /// Whether the engine could be in `state`, which is not trusted.
    virtual bool plausible(const PixmillVivanteState& state) const = 0;
    /// Re-creates what is derived from a loaded state, of which it drops bits that no core has.
    /// False if the work that is in flight does not fit; std::bad_alloc where there is no memory
    /// for it.
    virtual bool restore() = 0;
    /// Clears in a copy of the state what is left of work that is over.
    virtual void tidy(PixmillVivanteState& copy) const = 0;

    /// For tests.
    virtual void inject_bus_error() = 0;

    // ---- Beside the lock: see pixmill/core.h -------------------------------------

    /// Returns the most work between two looks at requests.
    virtual uint64_t render(uint64_t budget_bytes) = 0;
    virtual void interrupt() = 0;
    virtual bool draining() const = 0;
};

/// An engine that PIPE_SELECT selects, of cores with FE 1.0 and an MMU: draws are commands with a
/// header and operands.
class PipeEngine : public Engine {
public:
    const Pipe pipe;

    PipeEngine(Pipe which, const Slot& in) : Engine(in), pipe(which) {}

    /// After the last word of any LOAD_STATE: what a state has started begins.
    virtual void end_load() = 0;
    /// Qword `index` after the header of a draw command.
    virtual void operand(uint32_t header, uint32_t index, const uint32_t word[2]) = 0;
    /// The draw command, whose first qword is `header`, when all its operands are there. Prepares
    /// the work that render() does.
    virtual void draw(const uint32_t header[2]) = 0;

    /// For tests.
    virtual void inject_fault() = 0;
};

} // namespace pixmill::vivante
