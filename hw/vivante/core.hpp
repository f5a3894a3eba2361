// A Vivante core: its blocks and the state that they share.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "chip.hpp"
#include "engines.hpp"
#include "host.hpp"
#include "host_interface.hpp"
#include "interrupts.hpp"
#include "profile.hpp"
#include "timebase.hpp"
#include "vivante/fe/front_end.hpp"
#include "vivante/fe/front_end_20.hpp"

namespace pixmill::vivante {

class Core {
public:
    Core(const Chip& chip_, const PixmillVivanteConfig& config, const PixmillHost& host_);
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;

    const Chip chip; ///< with the quirks that the configuration chooses
    Host host;
    PixmillVivanteState s;
    PixmillVivanteCounters counters{};

    Interrupts interrupts;
    Timebase time;
    Profile profile;
    Engines engines;
    FrontEnd& fe;
    HostInterface hi;

    /// What each of the reset inputs does: power-on resets everything,
    /// CLOCK_CONTROL.SOFT_RESET keeps CLOCK_CONTROL.
    void power_on();
    void soft_reset(const char* kind);

    /// A first-level entry names a page size that its mode does not have.
    void reserved_page_size();
    /// An access of `client` at `address` hit no memory.
    void bus_error(Client client, uint64_t address, bool write);
    /// The host has no memory for a rectangle that `client` would have written from `address` on:
    /// none of that arrives.
    void out_of_memory(Client client, uint64_t address);
    /// An access of `client` at `address` stalls forever.
    void mmu_fault(Client client, uint32_t address, Fault fault);
    /// All that has gone wrong at a port of an engine; `faulted`: an access stalls forever.
    void raise(Client client, const AccessErrors& errors, bool faulted);
    void freeze(Client client) { s.mmu_frozen |= client_bit(client); }
    /// An engine waits forever for a client that is frozen.
    bool stalled() const { return s.mmu_frozen & engines.clients(); }

    void save(PixmillVivanteState& out);
    /// Takes over an untrusted state. Errors: STATE if no core could be in it, MEMORY; the core is
    /// then in its power-on state.
    PixmillResult load(const PixmillVivanteState& in);

private:
    FrontEnd10 fe_10_; ///< one of the two is `fe`
    FrontEnd20 fe_20_;

    void clear();
    void reset_blocks();
    bool accept(const PixmillVivanteState& in);
    bool restore_engines();
    void raise_bus_error(Client client, uint64_t address, bool write);
};

} // namespace pixmill::vivante
