// SPDX-License-Identifier: GPL-2.0-or-later
//
// Implements the C ABI of include/pixmill/geode_display.h, except for the GPIO functions.
#include "pixmill/geode_display.h"

#include "common/core_class.hpp"
#include "display.hpp"

namespace pixmill::geode_display {
namespace {

/// Stores the description of register `index` of `block` in `out`. `base` is the offset of the
/// block. If the block has too few registers, subtracts their number from `index` and returns
/// false.
template<class Block>
bool take_row(const Block& block, uint32_t base, size_t& index, PixmillRegister& out) {
    const std::span<const Register<Block>> table = block.registers();
    if (index >= table.size()) {
        index -= table.size();
        return false;
    }
    const Register<Block>& reg = table[index];
    out = {base + reg.offset, reg.name, reg.alias, reg.access, reg.reset, reg.mask, reg.note};
    return true;
}

#define CONFIG(member) PIXMILL_FIELD(PixmillGeodeDisplayConfig, member)
#define COUNTER(name, member) PIXMILL_NAMED_FIELD(name, PixmillGeodeDisplayCounters, member)
#define STATE(member) PIXMILL_FIELD(PixmillGeodeDisplayState, member)

struct Instance : PixmillCore {
    using Config = PixmillGeodeDisplayConfig;
    using Counters = PixmillGeodeDisplayCounters;
    using State = PixmillGeodeDisplayState;
    static constexpr const char* name = "geode-display";
    static constexpr uint32_t window = 3 * PIXMILL_GEODE_BLOCK_BYTES;
    static constexpr PixmillField config_fields[] = {
        CONFIG(vram_mib), CONFIG(output), CONFIG(panel), CONFIG(no_vsa), {},
    };
    static Display& of(PixmillCore* core) { return static_cast<Instance*>(core)->display; }
    enum Call { WRMSR, VSA_WRITE };
    static constexpr PixmillCall calls[] = {
        {"wrmsr", [](PixmillCore* c, uint64_t* w) { w[0] = of(c).write_msr(uint32_t(w[0]), w[1]); },
         false},
        {"vsa-write",
         [](PixmillCore* c, uint64_t* w) {
             of(c).vsa.write(uint32_t(w[0]), uint32_t(w[1]), uint32_t(w[2]));
         },
         false},
        {},
    };
    static constexpr const char* lines[] = {"irq", nullptr};
    /// Names of the faults, in the order of PixmillGeodeDisplayFault.
    static constexpr const char* faults[] = {"vsync-loss", nullptr};
    static constexpr PixmillField counter_fields[] = {
        COUNTER("locked-writes", locked_writes),
        COUNTER("rows", rows),
        COUNTER("interrupts", interrupts),
        {},
    };
    static constexpr PixmillField state_fields[] = {
        STATE(msr),          STATE(line_ns),   STATE(vram_mib),
        STATE(dc),           STATE(vp),        STATE(vip),
        STATE(palette),      STATE(gamma),     STATE(graphics_filter),
        STATE(video_filter), STATE(vsa),       STATE(vsa_index),
        STATE(vsa_unlocked), STATE(irq_level), {},
    };
    static constexpr size_t state_levels = offsetof(PixmillGeodeDisplayState, irq_level);
    static constexpr int state_version = 1;

    Display display;

    Instance(const Config& config, const PixmillHost& host) : display(config, host) {}

    static Instance* make(const Config* config, const PixmillHost& host) {
        const Config used = config ? *config : Config{};
        if (used.vram_mib % 2 != 0 || used.vram_mib > 254 || used.output > 7 || used.panel > 7)
            return nullptr;
        return new Instance(used, host);
    }

    void reset() { display.power_on(); }

    PixmillResult read(uint32_t offset, uint32_t size, uint32_t& value) {
        return display.read(offset, size, value);
    }
    PixmillResult write(uint32_t offset, uint32_t size, uint32_t value) {
        return display.write(offset, size, value);
    }
    uint32_t peek(uint32_t offset) const { return display.peek(offset); }

    bool register_at(size_t index, PixmillRegister& out) const {
        return take_row(display.dc, PIXMILL_GEODE_DC, index, out) ||
               take_row(display.vp, PIXMILL_GEODE_VP, index, out) ||
               take_row(display.vip, PIXMILL_GEODE_VIP, index, out);
    }

    PixmillRun run(uint32_t) {
        const int64_t next = display.run();
        return {next == INT64_MAX ? PIXMILL_RUN_IDLE : PIXMILL_RUN_WAIT, next};
    }

    Counters counters() const { return display.counters; }

    void inject(uint32_t fault) {
        if (fault != PIXMILL_GEODE_FAULT_VSYNC_LOSS)
            return;
        display.dc.lose_vsync();
        display.update_line();
    }

    void save(State& out) const { out = display.s; }
    PixmillResult load(const State& in) {
        return display.load(in) ? PIXMILL_OK : PIXMILL_ERROR_STATE;
    }
};

Display& display_of(PixmillCore* core) {
    return static_cast<Instance*>(core)->display;
}
const Display& display_of(const PixmillCore* core) {
    return static_cast<const Instance*>(core)->display;
}

} // namespace
} // namespace pixmill::geode_display

using pixmill::geode_display::display_of;
using pixmill::geode_display::Instance;

extern "C" {

constexpr PixmillCoreClass pixmill_geode_display =
    pixmill::core_class<pixmill::geode_display::Instance>();

bool pixmill_geode_display_scanout(PixmillCore* core, uint64_t vram_size,
                                   PixmillGeodeScanout* out) {
    display_of(core).screen.scan(vram_size, *out);
    return out->visible;
}

void pixmill_geode_display_rows(PixmillCore* core, const void* vram, uint64_t vram_size,
                                uint32_t begin, uint32_t end, void* pixels, size_t pitch) {
    display_of(core).screen.draw(static_cast<const std::byte*>(vram), vram_size, begin, end,
                                 static_cast<std::byte*>(pixels), pitch);
}

void pixmill_geode_display_beam(const PixmillCore* core, PixmillGeodeBeam* out) {
    const auto& display = display_of(core);
    const auto timing = display.dc.timing();
    const int64_t now = display.host.now();
    const uint32_t line = timing.line_at(now);
    *out = {timing.running, line >= timing.active, line, timing.frame_ns,
            timing.next(timing.active, now)};
}

bool pixmill_geode_display_rdmsr(const PixmillCore* core, uint32_t msr, uint64_t* value) {
    return display_of(core).msrs.read(msr, *value);
}

bool pixmill_geode_display_wrmsr(PixmillCore* core, uint32_t msr, uint64_t value) {
    return pixmill::call_with(core, Instance::calls, Instance::WRMSR, {msr, value})[0];
}

uint32_t pixmill_geode_vsa_read(const PixmillCore* core, uint32_t offset, uint32_t size) {
    return display_of(core).vsa.read(offset, size);
}

void pixmill_geode_vsa_write(PixmillCore* core, uint32_t offset, uint32_t size, uint32_t value) {
    pixmill::call_with(core, Instance::calls, Instance::VSA_WRITE, {offset, size, value});
}

} // extern "C"
