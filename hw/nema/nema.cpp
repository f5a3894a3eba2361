// SPDX-License-Identifier: GPL-2.0-or-later
//
// Implements the C ABI of include/pixmill/nema.h.
#include "pixmill/nema.h"

#include "common/core_class.hpp"
#include "common/index.hpp"
#include "common/work.hpp"
#include "core.hpp"
#include "offsets.hpp"
#include "registers.hpp"

namespace pixmill::nema {
namespace {

bool inside(uint32_t offset, uint32_t size) {
    return offset < PIXMILL_NEMA_WINDOW && (size == 1 || size == 2 || size == 4);
}

/// Picoseconds: see docs/develop/timing.md.
constexpr Work price{.words = 10000, .pixels = 10000};

#define COUNTER(name, member) PIXMILL_NAMED_FIELD(name, PixmillNemaCounters, member)
#define STATE(member) PIXMILL_FIELD(PixmillNemaState, member)

struct Instance : PixmillCore {
    using Config = PixmillNemaConfig;
    using Counters = PixmillNemaCounters;
    using State = PixmillNemaState;
    static constexpr const char* name = "nema";
    static constexpr uint32_t window = PIXMILL_NEMA_WINDOW;
    static constexpr PixmillField config_fields[] = {
        PIXMILL_FIELD(PixmillNemaConfig, config),
        PIXMILL_FIELD(PixmillNemaConfig, config_h),
        {},
    };
    static constexpr const char* lines[] = {"completion", "error", "freeze", nullptr};
    /// Names of the faults, in the order of PixmillNemaFault.
    static constexpr const char* faults[] = {"bus-error", "lost-irq", "hang", nullptr};
    static constexpr PixmillField counter_fields[] = {
        COUNTER("command-words", command_words),
        COUNTER("lists", lists),
        COUNTER("primitives", primitives),
        COUNTER("pixels", pixels),
        COUNTER("bus-errors", bus_errors),
        COUNTER("interrupts", interrupts),
        {},
    };
    static constexpr PixmillField state_fields[] = {
        STATE(config),         STATE(config_h),    STATE(reg),          STATE(imem),
        STATE(dirty_min),      STATE(dirty_max),   STATE(clp_run),      STATE(clp_next),
        STATE(clp_unlimited),  STATE(clp_held_by), STATE(clp_depth),    STATE(clp_stack_address),
        STATE(clp_stack_left), STATE(clp_budget),  STATE(irq_source_a), STATE(irq_source_b),
        STATE(irq_levels),     STATE(irq_seen),    STATE(irq_seen_us),  STATE(draw_active),
        STATE(draw_reg),       STATE(draw_imem),   STATE(draw_row),     {},
    };
    static constexpr size_t state_levels = offsetof(PixmillNemaState, irq_levels);
    static constexpr int state_version = 3;

    Core core;

    Instance(const Config& config, const PixmillHost& host) : core(config, host) {}

    static Instance* make(const Config* config, const PixmillHost& host) {
        return new Instance(config ? *config : Config{}, host);
    }

    void reset() { core.power_on(); }

    PixmillResult read(uint32_t offset, uint32_t size, uint32_t& value) {
        return inside(offset, size) ? core.read(offset, size, value) : PIXMILL_ERROR_ARGUMENT;
    }
    PixmillResult write(uint32_t offset, uint32_t size, uint32_t value) {
        return inside(offset, size) ? core.write(offset, size, value) : PIXMILL_ERROR_ARGUMENT;
    }
    uint32_t peek(uint32_t offset) const { return peek_register(core, word_offset(offset)); }

    bool register_at(size_t index, PixmillRegister& out) const {
        const auto table = registers();
        if (index >= table.size())
            return false;
        const Register& reg = table[index];
        out = {reg.offset, reg.name, reg.alias, reg.access, reset_value(core.config, reg),
               reg.mask,   reg.note};
        return true;
    }

    PixmillRun run(uint32_t budget_words) { return core.run(budget_words); }
    uint64_t draw(uint64_t budget_bytes) { return core.drawing.draw(budget_bytes); }
    void interrupt() { core.drawing.interrupt(); }
    bool draining() const { return core.drawing.draining(); }
    uint64_t work_ns() const {
        const uint64_t words = core.counters.command_words;
        return duration_ns({.words = words, .pixels = core.drawing.pixels()}, price);
    }

    Counters counters() const { return core.counters; }

    void inject(uint32_t fault) {
        switch (fault) {
        case PIXMILL_NEMA_FAULT_BUS:
            core.fail_next_access = true;
            break;
        case PIXMILL_NEMA_FAULT_LOST_IRQ:
            core.interrupts.lose_next();
            break;
        case PIXMILL_NEMA_FAULT_HANG:
            core.clp.hang_next();
            break;
        default:
            break;
        }
    }

    void save(State& out) { core.save(out); }
    PixmillResult load(const State& in) { return core.load(in); }
};

} // namespace
} // namespace pixmill::nema

extern "C" {

constexpr PixmillCoreClass pixmill_nema = pixmill::core_class<pixmill::nema::Instance>();

bool pixmill_nema_target(const PixmillCore* in, PixmillNemaTarget* target) {
    using namespace pixmill::nema;
    const Core& core = static_cast<const Instance*>(in)->core;
    if (!core.counters.primitives || peek_register(core, STAT))
        return false;
    *target = {peek_register(core, TEX0_BASE), peek_register(core, TEX0_FSTRIDE),
               peek_register(core, TEX0_RESXY)};
    return true;
}

} // extern "C"
