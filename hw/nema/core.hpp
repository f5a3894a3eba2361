// A NEMA|GFX core: its blocks and the state that they share.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <atomic>
#include <cstdint>

#include "command_list_processor.hpp"
#include "common/jobs.hpp"
#include "interrupts.hpp"
#include "log.hpp"
#include "nema/draw/drawing_engine.hpp"
#include "pixmill/nema.h"
#include "trigger.hpp"

namespace pixmill::nema {

/// A list that executes more pairs than this after one trigger is considered endless.
constexpr uint32_t max_pairs = 1u << 24;

class Core final : LogContext {
public:
    Core(const PixmillNemaConfig& config_, const PixmillHost& host_);
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;

    const PixmillNemaConfig config;
    Host host;
    PixmillNemaState s{};
    PixmillNemaCounters counters{};
    const Trigger* trigger = &unknown_trigger;  ///< cause of the current activity
    std::atomic<bool> fail_next_access = false; ///< injected fault; also read by draw()

    Jobs jobs{host};
    uint32_t list_id_job = 0; ///< job that has written CMD_LIST_ID last
    Interrupts interrupts;
    DrawingEngine drawing;
    CommandListProcessor clp;

    void power_on();

    PixmillResult read(uint32_t offset, uint32_t size, uint32_t& value);
    PixmillResult write(uint32_t offset, uint32_t size, uint32_t value);
    PixmillRun run(uint32_t budget_words);

    /// Value of STAT.
    uint32_t busy_units() const;
    /// Reports that `client` accessed `address`, where there is no memory.
    void bus_error(const char* client, uint32_t address, bool write);
    /// Logs a write that only a core with vector graphics supports; `what` describes it.
    void lacks_vectors(uint32_t offset, uint32_t value, const char* what);
    /// Reports that a draw to `address` writes nothing because the host is out of memory.
    void out_of_memory(const char* client, uint32_t address);
    /// Called on an access that interrupt handlers make only after they have cleared the interrupt.
    void handler_is_over();
    /// Requests a run if the list processor waits for an interrupt handler.
    void resume_clp();
    /// Returns the list address in `value`. Clears the low bits, and logs if any of them was set.
    uint32_t list_address(uint32_t value);

    void save(PixmillNemaState& out);
    /// Loads an untrusted state. Returns STATE if no core can reach that state, MEMORY if the host
    /// is out of memory.
    PixmillResult load(const PixmillNemaState& in);

private:
    void note_seen(uint32_t offset);

    const LogScope log_scope_{host, *this};

    void describe(char* text, size_t size) const override { trigger->describe(text, size); }
    void clear();
    bool accept(const PixmillNemaState& in);
    void raise_bus_error(const char* client, uint32_t address, bool write);
    void note_narrow(const char* access, uint32_t offset, uint32_t size);
};

} // namespace pixmill::nema
