// A Vivante core: its blocks and the state that they share.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "chip.hpp"
#include "engines.hpp"
#include "host.hpp"
#include "host_interface.hpp"
#include "injector.hpp"
#include "interrupts.hpp"
#include "profile.hpp"
#include "timebase.hpp"
#include "vivante/fe/front_end.hpp"
#include "vivante/fe/front_end_20.hpp"
#include "vivante/memory/tlb.hpp"

namespace pixmill::vivante {

class Core {
public:
    Core(const Chip& chip_, const PixmillVivanteConfig& config, const PixmillHost& host_);
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;

    const Chip chip; ///< after applying the quirks from the configuration
    Host host;
    PixmillVivanteState s;
    PixmillVivanteCounters counters{};

    Injector injector;
    Tlb tlb;
    Interrupts interrupts;
    Timebase time;
    Profile profile;
    Engines engines;
    FrontEnd& fe;
    HostInterface hi;

    /// Reset the core. Power-on resets everything; CLOCK_CONTROL.SOFT_RESET keeps CLOCK_CONTROL.
    void power_on();
    void soft_reset(const char* kind);

    /// Injects a fault: see PixmillCoreClass.arm().
    PixmillResult arm(const PixmillInjection& how);

    /// Returns the translation for a client, as the registers are now.
    Mmu mmu(Client client) {
        Mmu now = Mmu::read(chip, s, client);
        if (injector.occurs(PIXMILL_VIVANTE_FAULT_STALE)) [[unlikely]]
            now.tlb = &tlb;
        return now;
    }

    /// Returns the last command of front end 2.0, for log messages.
    const LogContext& last_command() const { return fe_20_; }

    /// Logs that a first-level entry has a page size that does not exist in the MMU's mode.
    void reserved_page_size();
    /// Reports a bus error: `client` accessed `address`, which has no memory.
    void bus_error(Client client, uint64_t address, bool write);
    /// Reports that a host allocation failed, so that `client` dropped a whole rectangle. `address`
    /// is the base address of its surface.
    void out_of_memory(Client client, uint64_t address);
    /// Reports that `client` faulted at `address`. The access stalls forever.
    void mmu_fault(Client client, uint32_t address, Fault fault);
    /// Reports all errors of an engine's memory accesses. `faulted` is true if an access stalls
    /// forever.
    void raise(Client client, const AccessErrors& errors, bool faulted);
    void freeze(Client client) { s.mmu_frozen |= client_bit(client); }
    /// True if an access of an engine stalls forever.
    bool stalled() const { return s.mmu_frozen & engines.clients(); }

    void save(PixmillVivanteState& out);
    /// Loads an untrusted state. Returns PIXMILL_ERROR_STATE if no core can be in this state, or
    /// PIXMILL_ERROR_MEMORY if a host allocation failed. After an error the core is in its power-on
    /// state.
    PixmillResult load(const PixmillVivanteState& in);

private:
    FrontEnd10 fe_10_; ///< `fe` refers to one of these two
    FrontEnd20 fe_20_;

    void clear();
    void reset_blocks();
    bool accept(const PixmillVivanteState& in);
    bool restore_engines();
    void raise_bus_error(Client client, uint64_t address, bool write);
};

} // namespace pixmill::vivante
