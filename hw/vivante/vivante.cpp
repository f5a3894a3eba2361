// SPDX-License-Identifier: GPL-2.0-or-later
//
// Implements the C ABI of include/pixmill/vivante.h.
#include "pixmill/vivante.h"

#include "common/core_class.hpp"
#include "core.hpp"
#include "prices.hpp"
#include "registers.hpp"
#include "state_fields.hpp"

namespace pixmill::vivante {
namespace {

bool sensible_quirks(const PixmillVivanteConfig& config) {
    return !(config.quirks_on & config.quirks_off) &&
           !((config.quirks_on | config.quirks_off) & ~uint32_t(PIXMILL_VIVANTE_QUIRKS));
}

bool whole_access(uint32_t offset, uint32_t size) {
    return (size == 1 || size == 2 || size == 4) && offset % size == 0;
}

#define CONFIG(member) PIXMILL_FIELD(PixmillVivanteConfig, member)
#define COUNTER(name, member) PIXMILL_NAMED_FIELD(name, PixmillVivanteCounters, member)

struct Instance : PixmillCore {
    using Config = PixmillVivanteConfig;
    using Counters = PixmillVivanteCounters;
    using State = PixmillVivanteState;
    static constexpr const char* name = "vivante";
    static constexpr uint32_t window = PIXMILL_VIVANTE_WINDOW;
    static constexpr PixmillField config_fields[] = {
        CONFIG(model),       CONFIG(core_clock_hz),  CONFIG(poll_min_ns),
        CONFIG(poll_max_ns), CONFIG(render_threads), CONFIG(render_share),
        CONFIG(quirks_on),   CONFIG(quirks_off),     {},
    };
    static Core& of(PixmillCore* core) { return static_cast<Instance*>(core)->core; }
    static constexpr PixmillCall calls[] = {
        {"barrier", [](PixmillCore* c, uint64_t*) { of(c).fe.barrier(); }, false},
        {"arm", [](PixmillCore* c, uint64_t* words) { words[0] = of(c).arm(injection_of(words)); },
         false},
        {},
    };
    static constexpr uint32_t arm_call = 1;
    static constexpr const char* lines[] = {"irq", nullptr};
    /// Names of the faults, in the order of PixmillVivanteFault.
    static constexpr const char* faults[] = {
        "mmu-fault", "bus-error",    "lost-irq",           "hang",
        "late-irq",  "double-irq",   "foreign-irq",        "early-idle",
        "late-idle", "posted-write", "reset-fails",        "busy-after-reset",
        "stall",     "fused-off",    "stale-translations", nullptr};
    static constexpr auto& fault_kinds = vivante::fault_kinds;
    static constexpr PixmillField counter_fields[] = {
        COUNTER("command-words", command_words),
        COUNTER("draws", draws),
        COUNTER("rectangles", rectangles),
        COUNTER("pixels", pixels),
        COUNTER("events", events),
        COUNTER("mmu-faults", mmu_faults),
        COUNTER("bus-errors", bus_errors),
        COUNTER("polls", polls),
        {},
    };
    static constexpr auto& state_fields = vivante::state_fields;
    static constexpr size_t state_levels = offsetof(PixmillVivanteState, intr_level);
    static constexpr int state_version = 8;

    Core core;

    Instance(const Chip& chip, const Config& config, const PixmillHost& host)
        : core(chip, config, host) {}

    static Instance* make(const Config* config, const PixmillHost& host) {
        const Chip* chip = config && config->model ? find_chip(config->model) : nullptr;
        if (!chip || config->render_threads > PIXMILL_VIVANTE_MAX_RENDER_THREADS ||
            config->jit >= PIXMILL_VIVANTE_JIT_COUNT || !sensible_quirks(*config))
            return nullptr;
        return new Instance(*chip, *config, host);
    }

    void reset() { core.power_on(); }

    PixmillResult read(uint32_t offset, uint32_t size, uint32_t& value) {
        return whole_access(offset, size) ? core.hi.read(offset, size, &value)
                                          : PIXMILL_ERROR_ARGUMENT;
    }
    PixmillResult write(uint32_t offset, uint32_t size, uint32_t value) {
        return whole_access(offset, size) ? core.hi.write(offset, size, value)
                                          : PIXMILL_ERROR_ARGUMENT;
    }
    uint32_t peek(uint32_t offset) const {
        // Read handlers are not const, because the same table serves writes, but they have no side
        // effects.
        return const_cast<Core&>(core).hi.peek(offset);
    }

    bool register_at(size_t index, PixmillRegister& out) const {
        const Chip& chip = core.chip;
        for (const Register& reg : registers(chip)) {
            if (!has_register(chip, reg) || index-- != 0)
                continue;
            out = {reg.offset,
                   reg.name,
                   reg.alias,
                   reg.access,
                   reset_value(chip, reg),
                   write_mask(chip, reg),
                   reg.note};
            return true;
        }
        return false;
    }

    PixmillRun run(uint32_t budget_words) {
        if (core.injector.armed()) [[unlikely]]
            core.injector.exchange_accesses();
        core.interrupts.run_timers();
        const PixmillRun next = core.fe.run(budget_words);
        const int64_t timer = core.interrupts.timer();
        if (!timer || next.action == PIXMILL_RUN_AGAIN || next.action == PIXMILL_RUN_DRAW)
            return next;
        const bool sooner = next.action == PIXMILL_RUN_IDLE || timer < next.when_ns;
        return {PIXMILL_RUN_WAIT, sooner ? timer : next.when_ns};
    }
    uint64_t draw(uint64_t budget_bytes) {
        uint64_t longest = 0;
        for (Engine* engine : core.engines)
            longest = std::max(longest, engine->render(budget_bytes));
        return longest;
    }
    void interrupt() {
        for (Engine* engine : core.engines)
            engine->interrupt();
    }
    bool draining() const { return core.engines.draining(); }
    uint64_t work_ns() const {
        uint64_t ns = duration_ns({.words = core.counters.command_words}, price_fe);
        for (const Engine* engine : core.engines)
            ns += engine->work_ns();
        return ns;
    }

    Counters counters() const { return core.counters; }

    void inject(uint32_t fault) { core.injector.arm_once(fault); }

    void save(State& out) { core.save(out); }
    PixmillResult load(const State& in) { return core.load(in); }
};

} // namespace
} // namespace pixmill::vivante

extern "C" {

constexpr PixmillCoreClass pixmill_vivante = pixmill::core_class<pixmill::vivante::Instance>();

const char* pixmill_vivante_model(size_t index) {
    return pixmill::vivante::model_name(index);
}

void pixmill_vivante_barrier(PixmillCore* core) {
    pixmill::call_with(core, pixmill::vivante::Instance::calls, 0, {});
}

bool pixmill_vivante_standby(const PixmillCore* core) {
    using namespace pixmill::vivante;
    return gp_out0_hold(static_cast<const Instance*>(core)->core.s.reg[GP_OUT0 / 4]);
}

} // extern "C"
