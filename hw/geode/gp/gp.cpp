// SPDX-License-Identifier: GPL-2.0-or-later
//
// Implements the C ABI of include/pixmill/geode.h.
#include "common/core_class.hpp"
#include "common/work.hpp"
#include "core.hpp"
#include "pixmill/geode.h"
#include "registers.hpp"

namespace pixmill::geode {
namespace {

/// True if the access is within one 32-bit register.
bool inside(uint32_t offset, uint32_t size) {
    return offset < PIXMILL_GEODE_GP_WINDOW && (size == 1 || size == 2 || size == 4) &&
           offset % 4 + size <= 4;
}

/// Picoseconds: see docs/develop/timing.md.
constexpr Work price{.words = 10000, .pixels = 5000};

#define COUNTER(name, member) PIXMILL_NAMED_FIELD(name, PixmillGeodeGpCounters, member)
#define STATE(member) PIXMILL_FIELD(PixmillGeodeGpState, member)

struct Instance : PixmillCore {
    using Config = PixmillGeodeGpConfig;
    using Counters = PixmillGeodeGpCounters;
    using State = PixmillGeodeGpState;
    static constexpr const char* name = "geode-gp";
    static constexpr uint32_t window = PIXMILL_GEODE_GP_WINDOW;
    static constexpr PixmillField config_fields[] = {
        PIXMILL_FIELD(PixmillGeodeGpConfig, cbase_auto),
        PIXMILL_FIELD(PixmillGeodeGpConfig, held_pixels),
        {},
    };
    static Core& of(PixmillCore* core) { return static_cast<Instance*>(core)->core; }
    enum Call { WRITE_MSR, SET_FRAME_BUFFER, SET_TIMING };
    static constexpr PixmillCall calls[] = {
        {"write-msr", [](PixmillCore* c, uint64_t* w) { of(c).write_msr(uint32_t(w[0]), w[1]); },
         false},
        {"set-frame-buffer",
         [](PixmillCore* c, uint64_t* w) {
             of(c).set_frame_buffer(uint32_t(w[0]), uint32_t(w[1]));
         },
         true},
        {"set-timing",
         [](PixmillCore* c, uint64_t* w) { of(c).set_timing(int64_t(w[0]), int64_t(w[1])); },
         false},
        {},
    };
    static constexpr const char* lines[] = {"irq", nullptr};
    /// Names of the faults, in the order of PixmillGeodeGpFault.
    static constexpr const char* faults[] = {"bus-error", "lost-irq", nullptr};
    static constexpr PixmillField counter_fields[] = {
        COUNTER("command-words", command_words),
        COUNTER("blts", blts),
        COUNTER("vectors", vectors),
        COUNTER("pixels", pixels),
        COUNTER("host-words", host_words),
        COUNTER("bus-errors", bus_errors),
        COUNTER("interrupts", interrupts),
        {},
    };
    static constexpr PixmillField state_fields[] = {
        STATE(msr),
        STATE(frame_ns),
        STATE(blank_ns),
        STATE(throttle_ns),
        STATE(config_written),
        STATE(reg),
        STATE(lut),
        STATE(ce_settled),
        STATE(underflow),
        STATE(completed),
        STATE(irq_level),
        STATE(ring_budget),
        STATE(data_awaited),
        STATE(data_left),
        STATE(data_type),
        STATE(data_taken),
        STATE(data_wraps),
        STATE(held_pixels),
        STATE(operation),
        STATE(operation_reg),
        STATE(operation_lut),
        STATE(by_render),
        STATE(done_row),
        STATE(done_column),
        STATE(queue_count),
        STATE(queue_taken),
        STATE(queue),
        {},
    };
    static constexpr size_t state_levels = offsetof(PixmillGeodeGpState, irq_level);
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
    bool holding() const { return core.holding(); }
    uint32_t peek(uint32_t offset) const { return peek_register(core, offset); }

    bool register_at(size_t index, PixmillRegister& out) const {
        const auto table = registers();
        if (index >= table.size())
            return false;
        const Register& reg = table[index];
        out = {reg.offset, reg.name, reg.alias, reg.access, reg.reset, reg.mask, reg.note};
        return true;
    }

    PixmillRun run(uint32_t budget_words) { return core.run(budget_words); }
    uint64_t draw(uint64_t budget_bytes) { return core.operations.draw(budget_bytes); }
    void interrupt() { core.operations.interrupt(); }
    bool draining() const { return core.operations.draining(); }
    uint64_t work_ns() const {
        const uint64_t words = core.counters.command_words + core.counters.host_words;
        return duration_ns({.words = words, .pixels = core.operations.pixels()}, price);
    }

    Counters counters() const { return core.counters; }

    void inject(uint32_t fault) {
        switch (fault) {
        case PIXMILL_GEODE_GP_FAULT_BUS:
            core.fail_next_access = true;
            break;
        case PIXMILL_GEODE_GP_FAULT_LOST_IRQ:
            core.interrupts.lose_next();
            break;
        default:
            break;
        }
    }

    void save(State& out) { core.save(out); }
    PixmillResult load(const State& in) { return core.load(in); }
};

} // namespace
} // namespace pixmill::geode

using pixmill::call_with;
using pixmill::geode::Instance;

extern "C" constexpr PixmillCoreClass pixmill_geode_gp =
    pixmill::core_class<pixmill::geode::Instance>();

uint64_t pixmill_geode_gp_read_msr(const PixmillCore* core, uint32_t index) {
    return static_cast<const Instance*>(core)->core.read_msr(index);
}

void pixmill_geode_gp_write_msr(PixmillCore* core, uint32_t index, uint64_t value) {
    call_with(core, Instance::calls, Instance::WRITE_MSR, {index, value});
}

void pixmill_geode_gp_set_frame_buffer(PixmillCore* core, uint32_t base, uint32_t size) {
    call_with(core, Instance::calls, Instance::SET_FRAME_BUFFER, {base, size});
}

void pixmill_geode_gp_set_timing(PixmillCore* core, int64_t blank_ns, int64_t frame_ns) {
    call_with(core, Instance::calls, Instance::SET_TIMING,
              {uint64_t(blank_ns), uint64_t(frame_ns)});
}
