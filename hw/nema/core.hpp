// A NEMA|GFX core: its blocks and the state that they share.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <atomic>
#include <cstdint>

#include "command_list_processor.hpp"
#include "interrupts.hpp"
#include "log.hpp"
#include "nema/draw/drawing_engine.hpp"
#include "pixmill/nema.h"

namespace pixmill::nema {

/// Pairs that a list may take before it counts as endless, from one trigger to the next.
constexpr uint32_t max_pairs = 1u << 24;

class Core {
public:
    Core(const PixmillNemaConfig& config_, const PixmillHost& host_);
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;

    const PixmillNemaConfig config;
    Host host;
    PixmillNemaState s{};
    PixmillNemaCounters counters{};
    std::atomic<bool> fail_next_access = false; ///< injection; draw() looks at it, too

    Interrupts interrupts;
    DrawingEngine drawing;
    CommandListProcessor clp;

    void power_on();

    PixmillResult read(uint32_t offset, uint32_t size, uint32_t& value);
    PixmillResult write(uint32_t offset, uint32_t size, uint32_t value);
    PixmillRun run(uint32_t budget_words);

    /// STAT.
    uint32_t busy_units() const;
    /// An access of `client` at `address` hit no memory.
    void bus_error(const char* client, uint32_t address, bool write);
    /// The guest has written what only cores with vector graphics draw; `what` is that, in words.
    void lacks_vectors(uint32_t offset, uint32_t value, const char* what);
    /// The host has no memory for a draw that would have written from `address` on: none of
    /// that arrives.
    void out_of_memory(const char* client, uint32_t address);
    /// The processor has done what no handler does before it has cleared the interrupt.
    void handler_is_over();
    /// What a pair of a list waits for may have happened.
    void look_again();
    /// What a list's address is once its low bits are gone.
    uint32_t list_address(uint32_t value);

    void save(PixmillNemaState& out);
    /// Takes over an untrusted state. STATE if no core could be in it, MEMORY: see nema.h.
    PixmillResult load(const PixmillNemaState& in);

private:
    void clear();
    bool accept(const PixmillNemaState& in);
    void raise_bus_error(const char* client, uint32_t address, bool write);
    void note_narrow(const char* access, uint32_t offset, uint32_t size);
};

} // namespace pixmill::nema
