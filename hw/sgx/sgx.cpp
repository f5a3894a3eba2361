// SPDX-License-Identifier: GPL-2.0-or-later
//
// Implements the C ABI of include/pixmill/sgx.h.
#include "pixmill/sgx.h"

#include <iterator>

#include "common/core_class.hpp"
#include "gpu.hpp"

namespace pixmill::sgx {
namespace {

/// Describes row `index` of `table`, whose block is at offset `base`. If the table has no such row,
/// subtracts its row count from `index` and returns false.
template<class Block>
bool take_row(std::span<const Register<Block>> table, const Block& block, uint32_t base,
              size_t& index, PixmillRegister& out) {
    if (index >= table.size()) {
        index -= table.size();
        return false;
    }
    const Register<Block>& reg = table[index];
    const bool identity = reg.access == PIXMILL_ACCESS_RO && reg.read && !reg.latch;
    const uint32_t reset = identity ? reg.read(block, reg.offset) : reg.reset;
    out = {base + reg.offset, reg.name, "", reg.access, reset, reg.mask, reg.note};
    return true;
}

#define CONFIG(member) PIXMILL_FIELD(PixmillSgxConfig, member)
#define COUNTER(name, member) PIXMILL_NAMED_FIELD(name, PixmillSgxCounters, member)
#define STATE(member) PIXMILL_FIELD(PixmillSgxState, member)

struct Instance : PixmillCore {
    using Config = PixmillSgxConfig;
    using Counters = PixmillSgxCounters;
    using State = PixmillSgxState;
    static constexpr const char* name = "sgx";
    static constexpr uint32_t window = PIXMILL_SGX_WINDOW;
    static constexpr PixmillField config_fields[] = {
        CONFIG(core_id),
        CONFIG(core_revision),
        CONFIG(core_clock_hz),
        CONFIG(trm_debug_config),
        CONFIG(fake_microkernel),
        CONFIG(init_status),
        {},
    };
    static Gpu& of(PixmillCore* core) { return static_cast<Instance*>(core)->gpu; }
    enum Call { WALK, RAISE };
    static constexpr PixmillCall calls[] = {
        {"walk",
         [](PixmillCore* c, uint64_t* w) {
             uint64_t physical = 0;
             w[0] = w[0] < PIXMILL_SGX_CORES && w[1] < PIXMILL_SGX_REQUESTERS
                        ? of(c).walk(uint32_t(w[0]), PixmillSgxRequester(w[1]), uint32_t(w[2]),
                                     w[3], physical)
                        : PIXMILL_SGX_WALK_STOPPED;
             w[1] = physical;
         },
         false},
        {"raise",
         [](PixmillCore* c, uint64_t* w) {
             if (w[0] >= PIXMILL_SGX_CORES || w[1] >= std::size(event_table))
                 return;
             of(c).cores[w[0]].events.raise(event_table[w[1]]);
             of(c).settle();
         },
         false},
        {},
    };
    static constexpr uint32_t bus_bytes = 8; ///< 64-bit accesses reach the core and fail there
    static constexpr const char* lines[] = {"irq", nullptr};
    /// Names of the faults, in the order of PixmillSgxFault.
    static constexpr const char* faults[] = {"bus-error-0", "bus-error-1", "lost-event",
                                             "lost-kick", nullptr};
    static constexpr PixmillField counter_fields[] = {
        COUNTER("kicks", kicks),
        COUNTER("events", events),
        COUNTER("mmu-faults", mmu_faults),
        COUNTER("bus-errors", bus_errors),
        COUNTER("bad-accesses", bad_accesses),
        {},
    };
    static constexpr PixmillField state_fields[] = {
        STATE(event_timer_ns), STATE(core_id),   STATE(core_revision),
        STATE(wrapper),        STATE(master),    STATE(core0),
        STATE(core1),          STATE(irq_level), {},
    };
    static constexpr size_t state_levels = offsetof(PixmillSgxState, irq_level);
    static constexpr int state_version = 2;

    Gpu gpu;

    Instance(const Config& config, const PixmillHost& host) : gpu(config, host) {}

    static Instance* make(const Config* config, const PixmillHost& host) {
        if (config && config->init_status % 4 != 0)
            return nullptr;
        return new Instance(config ? *config : Config{}, host);
    }

    void reset() { gpu.power_on(); }

    PixmillResult read(uint32_t offset, uint32_t size, uint32_t& value) {
        return gpu.read(offset, size, value);
    }
    PixmillResult write(uint32_t offset, uint32_t size, uint32_t value) {
        return gpu.write(offset, size, value);
    }
    uint32_t peek(uint32_t offset) const { return gpu.peek(offset); }

    bool register_at(size_t index, PixmillRegister& out) const {
        return take_row(CoreBank::registers(), gpu.cores[0], 0x0000, index, out) ||
               take_row(MasterBank::registers(), gpu.master, 0x4000, index, out) ||
               take_row(Wrapper::registers(), gpu.wrapper, Wrapper::base, index, out);
    }

    PixmillRun run(uint32_t) {
        const int64_t next = gpu.run();
        return {next == INT64_MAX ? PIXMILL_RUN_IDLE : PIXMILL_RUN_WAIT, next};
    }

    Counters counters() const { return gpu.counters; }

    void inject(uint32_t fault) {
        switch (fault) {
        case PIXMILL_SGX_FAULT_RESPONSE_0:
        case PIXMILL_SGX_FAULT_RESPONSE_1:
            gpu.counters.bus_errors++;
            gpu.wrapper.raise(event_response_error[fault]);
            gpu.settle();
            break;
        case PIXMILL_SGX_FAULT_LOST_EVENT:
            gpu.lose_event = true;
            break;
        case PIXMILL_SGX_FAULT_LOST_KICK:
            gpu.lose_kick = true;
            break;
        default:
            break;
        }
    }

    void save(State& out) const { out = gpu.s; }
    PixmillResult load(const State& in) { return gpu.load(in) ? PIXMILL_OK : PIXMILL_ERROR_STATE; }
};

} // namespace
} // namespace pixmill::sgx

using pixmill::call_with;
using pixmill::sgx::Instance;

extern "C" {

constexpr PixmillCoreClass pixmill_sgx = pixmill::core_class<pixmill::sgx::Instance>();

const char* pixmill_sgx_requester(size_t requester) {
    return pixmill::sgx::requester_name(requester);
}

PixmillSgxWalk pixmill_sgx_walk(PixmillCore* sgx, uint32_t core, PixmillSgxRequester requester,
                                uint32_t va, bool write, uint64_t* physical) {
    const auto words =
        call_with(sgx, Instance::calls, Instance::WALK, {core, uint64_t(requester), va, write});
    *physical = words[1];
    return PixmillSgxWalk(words[0]);
}

const char* pixmill_sgx_event(size_t index) {
    using pixmill::sgx::event_table;
    return index < std::size(event_table) ? event_table[index].name : nullptr;
}

PixmillResult pixmill_sgx_raise(PixmillCore* sgx, uint32_t core, const char* name) {
    const pixmill::sgx::Event* event = name ? pixmill::sgx::find_event(name) : nullptr;
    if (core >= PIXMILL_SGX_CORES || !event)
        return PIXMILL_ERROR_ARGUMENT;
    call_with(sgx, Instance::calls, Instance::RAISE,
              {core, uint64_t(event - pixmill::sgx::event_table)});
    return PIXMILL_OK;
}

} // extern "C"
