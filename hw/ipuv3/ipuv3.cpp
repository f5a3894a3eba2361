// SPDX-License-Identifier: GPL-2.0-or-later
//
// Implements the C ABI of include/pixmill/ipuv3.h.
#include "pixmill/ipuv3.h"

#include "common/core_class.hpp"
#include "ipu.hpp"

namespace pixmill::ipuv3 {
namespace {

#define CONFIG(member) PIXMILL_FIELD(PixmillIpuv3Config, member)
#define COUNTER(name, member) PIXMILL_NAMED_FIELD(name, PixmillIpuv3Counters, member)
#define STATE(member) PIXMILL_FIELD(PixmillIpuv3State, member)

constexpr uint32_t most_refresh_hz = 1000;
constexpr uint32_t int_nfb4eof_23 = 128 + 23;

struct Instance : PixmillCore {
    using Config = PixmillIpuv3Config;
    using Counters = PixmillIpuv3Counters;
    using State = PixmillIpuv3State;
    static constexpr const char* name = "ipuv3";
    static constexpr uint32_t window = PIXMILL_IPUV3_WINDOW;
    static constexpr PixmillField config_fields[] = {
        CONFIG(refresh_hz),
        CONFIG(max_width),
        CONFIG(max_height),
        {},
    };
    static constexpr const char* lines[] = {"sync", "error", nullptr};
    /// Names of the faults, in the order of PixmillIpuv3Fault.
    static constexpr const char* faults[] = {"lost-frame", "underrun", nullptr};
    static constexpr PixmillField counter_fields[] = {
        COUNTER("frames", frames), COUNTER("flips", flips),           COUNTER("rows", rows),
        COUNTER("bytes", bytes),   COUNTER("interrupts", interrupts), {},
    };
    static constexpr PixmillField state_fields[] = {
        STATE(due_ns),       STATE(cm),          STATE(idmac),
        STATE(ic),           STATE(irt),         STATE(csi),
        STATE(di),           STATE(smfc),        STATE(dc),
        STATE(dmfc),         STATE(vdi),         STATE(cpmem),
        STATE(lut),          STATE(srm),         STATE(tpm),
        STATE(dc_template),  STATE(shown),       STATE(shown_enabled),
        STATE(shown_second), STATE(shown_alpha), STATE(dp),
        STATE(dp_pending),   STATE(irq_levels),  {},
    };
    static constexpr size_t state_levels = offsetof(PixmillIpuv3State, irq_levels);
    static constexpr int state_version = 1;

    Ipu ipu;

    Instance(const Config& config, const PixmillHost& host) : ipu(config, host) {}

    static Instance* make(const Config* config, const PixmillHost& host) {
        const Config used = config ? *config : Config{};
        if (used.refresh_hz > most_refresh_hz || used.max_width > PIXMILL_IPUV3_MAX_WIDTH ||
            used.max_height > PIXMILL_IPUV3_MAX_HEIGHT)
            return nullptr;
        return new Instance(used, host);
    }

    void reset() { ipu.power_on(); }

    PixmillResult read(uint32_t offset, uint32_t size, uint32_t& value) {
        return ipu.read(offset, size, value);
    }
    PixmillResult write(uint32_t offset, uint32_t size, uint32_t value) {
        return ipu.write(offset, size, value);
    }
    uint32_t peek(uint32_t offset) const { return ipu.peek(offset); }

    bool register_at(size_t index, PixmillRegister& out) const {
        for (const Bank& bank : all_banks()) {
            if (index < bank.rows.size()) {
                const Register& reg = bank.rows[index];
                out = {bank.base + reg.offset,
                       reg.name,
                       reg.alias,
                       reg.access,
                       reg.reset,
                       reg.mask,
                       reg.note};
                return true;
            }
            index -= bank.rows.size();
        }
        return false;
    }

    PixmillRun run(uint32_t) {
        const int64_t next = ipu.run();
        return {next == INT64_MAX ? PIXMILL_RUN_IDLE : PIXMILL_RUN_WAIT, next};
    }

    Counters counters() const { return ipu.counters; }

    void inject(uint32_t fault) {
        if (fault == PIXMILL_IPUV3_FAULT_LOST_FRAME)
            ipu.lose_frame = true;
        else if (fault == PIXMILL_IPUV3_FAULT_UNDERRUN)
            ipu.raise(int_nfb4eof_23);
    }

    void save(State& out) const { out = ipu.s; }
    PixmillResult load(const State& in) {
        ipu.load(in);
        return PIXMILL_OK;
    }
};

Ipu& ipu_of(PixmillCore* core) {
    return static_cast<Instance*>(core)->ipu;
}
const Ipu& ipu_of(const PixmillCore* core) {
    return static_cast<const Instance*>(core)->ipu;
}

} // namespace
} // namespace pixmill::ipuv3

using pixmill::ipuv3::ipu_of;

extern "C" {

constexpr PixmillCoreClass pixmill_ipuv3 = pixmill::core_class<pixmill::ipuv3::Instance>();

void pixmill_ipuv3_scanout(const PixmillCore* core, uint32_t di, PixmillIpuv3Scanout* out) {
    ipu_of(core).scan(di, *out);
}

void pixmill_ipuv3_rows(PixmillCore* core, uint32_t di, uint32_t begin, uint32_t end, void* pixels,
                        size_t pitch) {
    ipu_of(core).draw(di, begin, end, static_cast<std::byte*>(pixels), pitch);
}

void pixmill_ipuv3_timing(const PixmillCore* core, uint32_t di, PixmillIpuv3Timing* out) {
    *out = ipu_of(core).timing(di);
}

} // extern "C"
