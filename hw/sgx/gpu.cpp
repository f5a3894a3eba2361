// SPDX-License-Identifier: GPL-2.0-or-later
#include "gpu.hpp"

#include <algorithm>

#include "common/index.hpp"
#include "fields.hpp"
#include "offsets.hpp"

namespace pixmill::sgx {
namespace {

// Register n of core c is at n + (c + 2) * 0x4000 in the window (the vendor's SGX_MP_CORE_SELECT).
// Bank 0 is for single-core drivers: a write to it reaches both cores. The wrapper occupies the end
// of core 1's bank.
constexpr uint32_t bank_shift = 14, bank_mask = (1u << bank_shift) - 1;
enum Bank : uint32_t { bank_all = 0, bank_master = 1, bank_core0 = 2, banks = 4 };

constexpr uint32_t wrapper_end = Wrapper::base + 4 * PIXMILL_SGX_WRAPPER_WORDS;
static_assert(wrapper_end == banks << bank_shift);

bool in_wrapper(uint32_t offset) {
    return offset >= Wrapper::base && offset < wrapper_end;
}

PixmillSgxConfig with_defaults(PixmillSgxConfig config) {
    if (!config.core_id)
        config.core_id = PIXMILL_SGX_CORE_ID;
    if (!config.core_revision)
        config.core_revision = PIXMILL_SGX_CORE_REVISION;
    if (!config.core_clock_hz)
        config.core_clock_hz = 304742400; // the vendor's default for DRA7
    return config;
}

} // namespace

Gpu::Gpu(const PixmillSgxConfig& config_, const PixmillHost& host_)
    : config(with_defaults(config_)), user(host_.user), host(host_),
      wrapper(host, s.wrapper, config.trm_debug_config), cores{CoreBank(*this, 0, s.core0,
                                                                        s.event_timer_ns[0]),
                                                               CoreBank(*this, 1, s.core1,
                                                                        s.event_timer_ns[1])},
      master(*this, s.master) {
    power_on();
}

void Gpu::power_on() {
    host.trace(PIXMILL_TRACE_RESET, 0, 0, "power-on");
    host.forget();
    clear();
    settle();
}

/// Resets all state except the interrupt line.
void Gpu::clear() {
    s.core_id = config.core_id;
    s.core_revision = config.core_revision;
    wrapper.reset();
    master.reset();
    for (CoreBank& core : cores)
        core.reset();
}

// ---- Accesses --------------------------------------------------------------

const char* Gpu::name_of(uint32_t offset) const {
    if (in_wrapper(offset))
        return wrapper.name(offset - Wrapper::base);
    if (offset >= wrapper_end)
        return "beyond the banks";
    if (offset >> bank_shift == bank_master) {
        const Register<MasterBank>* reg = MasterBank::find(offset & bank_mask);
        return reg ? reg->name : "undocumented";
    }
    const Register<CoreBank>* reg = CoreBank::find(offset & bank_mask);
    return reg ? reg->name : "undocumented";
}

uint32_t Gpu::read_window(uint32_t offset) const {
    if (in_wrapper(offset))
        return wrapper.read(offset - Wrapper::base);
    const uint32_t bank = offset >> bank_shift, inside = offset & bank_mask;
    if (bank == bank_master)
        return master.read(inside);
    if (bank >= bank_core0)
        return cores[bank - bank_core0].read(inside);
    const Register<CoreBank>* reg = CoreBank::find(inside);
    const uint32_t others = reg && reg->shared ? cores[1].read(inside) : 0;
    return cores[0].read(inside) | others;
}

void Gpu::write_window(uint32_t offset, uint32_t value) {
    if (in_wrapper(offset))
        return wrapper.write(offset - Wrapper::base, value);
    const uint32_t bank = offset >> bank_shift, inside = offset & bank_mask;
    if (bank == bank_master)
        return master.write(inside, value, offset);
    if (bank >= bank_core0)
        return cores[bank - bank_core0].write(inside, value, offset);
    for (CoreBank& core : cores)
        core.write(inside, value, offset);
    // Undocumented; in the model, writes to some registers in bank 0 also reach the master bank,
    // because the vendor's driver sets page directories through bank 0 alone.
    const Register<CoreBank>* reg = CoreBank::find(inside);
    if (reg && reg->master)
        master.take(inside, value);
}

// AM57xx TRM 12.4: accesses narrower than 32 bits can corrupt registers, so they are guest errors.
// The slave port has an event and a status bit for such commands. Undocumented; the model sets them
// only for accesses to the wrapper's registers.
PixmillResult Gpu::refuse(uint32_t offset, uint32_t size, const char* access) {
    counters.bad_accesses++;
    host.guest_error(Cause::narrow_access, offset,
                     "%u-byte %s at 0x%07x: only aligned 32-bit accesses work", size, access,
                     offset);
    if (uint64_t(offset) + size > Wrapper::base && offset < wrapper_end)
        wrapper.refuse();
    settle();
    return PIXMILL_ERROR_BUS;
}

PixmillResult Gpu::read(uint32_t offset, uint32_t size, uint32_t& value) {
    value = 0;
    if (size != 4 || offset % 4 != 0)
        return refuse(offset, size, "read");
    if (offset < wrapper_end)
        value = read_window(offset);
    else
        host.unimplemented(Cause::beyond_window, offset, "read at undocumented offset 0x%07x",
                           offset);
    host.trace(PIXMILL_TRACE_REG_READ, offset, value, name_of(offset));
    return PIXMILL_OK;
}

PixmillResult Gpu::write(uint32_t offset, uint32_t size, uint32_t value) {
    if (size != 4 || offset % 4 != 0)
        return refuse(offset, size, "write");
    host.trace(PIXMILL_TRACE_REG_WRITE, offset, value, name_of(offset));
    if (offset < wrapper_end)
        write_window(offset, value);
    else
        host.unimplemented(Cause::beyond_window, offset,
                           "write at undocumented offset 0x%07x = 0x%08x", offset, value);
    settle();
    return PIXMILL_OK;
}

uint32_t Gpu::peek(uint32_t offset) const {
    return offset < wrapper_end ? read_window(word_offset(offset)) : 0;
}

PixmillSgxWalk Gpu::walk(uint32_t core, PixmillSgxRequester requester, uint32_t va, bool write,
                         uint64_t& physical) {
    physical = 0;
    const bool shared = of_master(requester);
    const bool held =
        shared ? master.held(master_soft_reset::bif) || master.held(master_soft_reset::ptla)
               : cores[core].held(soft_reset::bif.mask());
    if (held)
        return PIXMILL_SGX_WALK_STOPPED;
    Bif& bif = shared ? master.bif : cores[core].bif;
    const PixmillSgxWalk result = bif.walk(requester, va, write, physical);
    settle();
    return result;
}

int64_t Gpu::run() {
    int64_t next = INT64_MAX;
    for (CoreBank& core : cores)
        next = std::min(next, core.timer.run());
    settle();
    return next;
}

// ---- Interrupt -------------------------------------------------------------

void Gpu::settle() {
    bool core_level = master.events.settle();
    for (CoreBank& core : cores)
        core_level |= core.events.settle();
    const bool level = wrapper.settle(core_level);
    if (level == bool(s.irq_level))
        return;
    s.irq_level = level;
    host.trace(PIXMILL_TRACE_IRQ, level, wrapper.pending(), "");
    host.set_irq(0, level);
}

// ---- Migration -------------------------------------------------------------

bool Gpu::load(const PixmillSgxState& in) {
    clear();
    s.irq_level = in.irq_level != 0;
    const bool ours = in.core_id == s.core_id && in.core_revision == s.core_revision;
    if (ours) {
        wrapper.load(in.wrapper);
        master.load(in.master);
        cores[0].load(in.core0, in.event_timer_ns[0]);
        cores[1].load(in.core1, in.event_timer_ns[1]);
    }
    settle();
    return ours;
}

} // namespace pixmill::sgx
