// SPDX-License-Identifier: GPL-2.0-or-later
#include "host_interface.hpp"

#include "common/index.hpp"
#include "core.hpp"
#include "registers.hpp"
#include "vivante/memory/fields.hpp"

namespace pixmill::vivante {

uint32_t HostInterface::value_of(const Register& reg) {
    if (reg.access == PIXMILL_ACCESS_WO)
        return 0;
    return reg.read ? reg.read(*this, reg.offset) : core_.s.reg[reg.offset / 4];
}

uint32_t HostInterface::peek(uint32_t offset) {
    const Register* reg = find_register(core_.chip, offset);
    return reg && !core_.injector.is_next(PIXMILL_VIVANTE_FAULT_FUSED_OFF)
               ? misread(offset, value_of(*reg), false)
               : 0;
}

PixmillResult HostInterface::read(uint32_t offset, uint32_t size, uint32_t* value) {
    *value = 0;
    const uint32_t word = word_offset(offset);
    if (core_.injector.occurs(PIXMILL_VIVANTE_FAULT_FUSED_OFF))
        return PIXMILL_OK;
    if (core_.chip.aborts_product_id() && (word == CHIP_PRODUCT_ID || word == CHIP_ECO_ID))
        return PIXMILL_ERROR_BUS;
    const Register* reg = find_register(core_.chip, word);
    if (!reg) {
        core_.host.unimplemented(Cause::unknown_register, word, "read of register 0x%03x", word);
        return PIXMILL_OK;
    }
    if (size < 4) {
        core_.host.guest_error(Cause::narrow_access, word, "%u-byte read of %s (0x%03x)", size,
                               reg->name, word);
        *value = value_of(*reg) >> 8 * (offset & 3) & ((1u << 8 * size) - 1);
        return PIXMILL_OK;
    }
    core_.fe.catch_up(word);
    if (reg->read == read_profile)
        core_.profile.note_read(word, core_.engines.find(Pipe::pipe_3d));
    *value = misread(word, value_of(*reg), true);
    if (core_.host.watches()) [[unlikely]]
        core_.fe.seen(word, *value);
    if (core_.s.posted) [[unlikely]]
        land();
    if (reg->access == PIXMILL_ACCESS_RC) {
        if (word == INTR_ACKNOWLEDGE)
            core_.interrupts.acknowledge();
        core_.s.reg[word / 4] = 0;
    }
    core_.interrupts.update_line();
    core_.fe.touch();
    core_.host.trace(PIXMILL_TRACE_REG_READ, word, *value, reg->name);
    return PIXMILL_OK;
}

namespace {
/// Registers that linux etnaviv accesses with gpu_write_power(), and CLOCK_CONTROL.
bool is_posted(uint32_t offset) {
    return offset == CLOCK_CONTROL || offset == POWER_CONTROLS || offset == MODULE_CONTROLS ||
           offset == PULSE_EATER;
}
} // namespace

PixmillResult HostInterface::write(uint32_t offset, uint32_t size, uint32_t value) {
    const uint32_t word = word_offset(offset);
    if (core_.injector.occurs(PIXMILL_VIVANTE_FAULT_FUSED_OFF))
        return PIXMILL_OK;
    const Register* reg = find_register(core_.chip, word);
    if (!reg) {
        core_.host.unimplemented(Cause::unknown_register, word, "write of register 0x%03x = 0x%08x",
                                 word, value);
        return PIXMILL_OK;
    }
    if (size < 4) {
        core_.host.guest_error(Cause::narrow_access, word, "%u-byte write of %s (0x%03x) dropped",
                               size, reg->name, word);
        return PIXMILL_OK;
    }
    core_.host.trace(PIXMILL_TRACE_REG_WRITE, word, value, reg->name);
    if (reg->access == PIXMILL_ACCESS_RO || reg->access == PIXMILL_ACCESS_RC) {
        core_.host.guest_error(Cause::write_read_only, word, "write of read-only %s (0x%03x)",
                               reg->name, word);
        return PIXMILL_OK;
    }
    if (core_.s.posted && is_posted(word)) [[unlikely]]
        land(); // posted writes stay in order
    if (can_post(word, value) && core_.injector.occurs(PIXMILL_VIVANTE_FAULT_POSTED)) {
        core_.s.posted = 1;
        core_.s.posted_register = word;
        core_.s.posted_value = value;
        return PIXMILL_OK;
    }
    store(*reg, value);
    core_.interrupts.update_line();
    core_.fe.touch();
    return PIXMILL_OK;
}

void HostInterface::store(const Register& reg, uint32_t value) {
    uint32_t& stored = core_.s.reg[reg.offset / 4];
    before_ = stored;
    const uint32_t mask = write_mask(core_.chip, reg);
    if (reg.access == PIXMILL_ACCESS_RW)
        stored = (stored & ~mask) | (value & mask);
    if (reg.write)
        reg.write(*this, reg.offset, value & (mask ? mask : ~0u));
}

// ---- Injected faults -----------------------------------------------------

/// Lets the posted write take effect.
void HostInterface::land() {
    core_.s.posted = 0;
    if (const Register* reg = find_register(core_.chip, core_.s.posted_register))
        store(*reg, core_.s.posted_value);
}

bool HostInterface::can_post(uint32_t offset, uint32_t value) {
    return is_posted(offset) && !(offset == CLOCK_CONTROL && clock_soft_reset(value));
}

/// Returns the value that the guest reads instead of `value`, if an injected fault changes it.
/// `counts` is true if this is a read of the guest, and thus an opportunity.
uint32_t HostInterface::misread(uint32_t offset, uint32_t value, bool counts) {
    if (!core_.injector.armed() || offset != IDLE_STATE) [[likely]]
        return value;
    const uint32_t idle = core_.chip.idle_mask();
    const bool works = value != idle;
    const PixmillVivanteFault fault =
        works ? PIXMILL_VIVANTE_FAULT_EARLY_IDLE : PIXMILL_VIVANTE_FAULT_LATE_IDLE;
    if (!(counts ? core_.injector.occurs(fault) : core_.injector.is_next(fault)))
        return value;
    return works ? idle : idle & ~module_fe.mask();
}

namespace {
/// True if a soft reset affects the register at `offset`. Undocumented; on a VG core, it resets
/// only the interrupt enable (VD18), because Linux and VGLite write CMDBUF_ADDRESS before each
/// start.
bool in_reset_domain(const Chip& chip, uint32_t offset) {
    return chip.pipe_vg() ? offset == INTR_ENBL : offset != CLOCK_CONTROL;
}
} // namespace

void HostInterface::reset(bool everything) {
    for (const Register& reg : registers(core_.chip)) {
        if (!everything && !in_reset_domain(core_.chip, reg.offset))
            continue;
        core_.s.reg[reg.offset / 4] =
            has_register(core_.chip, reg) && reg.access != PIXMILL_ACCESS_WO
                ? reset_value(core_.chip, reg)
                : 0;
    }
}

bool HostInterface::in_soft_reset() const {
    return clock_soft_reset(core_.s.reg[CLOCK_CONTROL / 4]);
}

// ---- Clock, reset, idle --------------------------------------------------

uint32_t HostInterface::read_clock_control(HostInterface& hi, uint32_t) {
    // The idle bits are 0 while the front end runs, because a busy Dove GC600 reads 0x100.
    const uint32_t stored = hi.core_.s.reg[CLOCK_CONTROL / 4] & ~clock_idle.mask();
    return stored | (hi.core_.fe.is_idle() && !hi.core_.engines.busy() ? clock_idle.mask() : 0);
}

void HostInterface::write_clock_control(HostInterface& hi, uint32_t, uint32_t value) {
    if (clock_fscale_load(value))
        hi.core_.time.set_divider(clock_fscale(value));
    // A VG core can be started while SOFT_RESET is held, so each write resets it again.
    const bool was_in_reset = clock_soft_reset(hi.before_) && !hi.core_.chip.pipe_vg();
    if (clock_soft_reset(value) && !was_in_reset)
        hi.core_.soft_reset("soft");
    hi.core_.fe.clocked();
}

uint32_t HostInterface::read_idle_state(HostInterface& hi, uint32_t) {
    const uint32_t idle = hi.core_.chip.idle_mask();
    if (hi.in_soft_reset() && !hi.core_.chip.pipe_vg())
        return idle;
    return idle & ~module_fe.put(!hi.core_.fe.stopped()) & ~hi.core_.engines.busy_modules() &
           ~hi.core_.s.stuck_modules;
}

void HostInterface::write_ahb_control(HostInterface& hi, uint32_t offset, uint32_t value) {
    if (!ahb_reset(value))
        return;
    hi.core_.soft_reset("AHB");
    hi.core_.s.reg[offset / 4] = ahb_nonsec_access.only(value);
}

// ---- Interrupts ----------------------------------------------------------

uint32_t HostInterface::read_interrupts(HostInterface& hi, uint32_t) {
    return hi.core_.s.intr_pending;
}

// ---- Counters ------------------------------------------------------------

uint32_t HostInterface::read_memory_counter(HostInterface& hi, uint32_t offset) {
    const PixmillVivanteState& s = hi.core_.s;
    // Only pixel pipe 0 is modeled. The others read as 0, because linux etnaviv_perfmon.c adds up
    // all pipes.
    if (clock_pixel_pipe(s.reg[CLOCK_CONTROL / 4]))
        return 0;
    // Bursts are not modeled, so the counters of data, requests and last beats all count 8-byte
    // beats.
    const bool writes = offset == PROFILE_WRITE_BYTES8 ||
                        (offset >= PROFILE_WRITE_BURSTS && offset <= PROFILE_WRITE_LASTS);
    return uint32_t((writes ? s.write_bytes : s.read_bytes) / 8);
}

void HostInterface::write_memory_counter_reset(HostInterface& hi, uint32_t, uint32_t value) {
    PixmillVivanteState& s = hi.core_.s;
    s.memory_counters_frozen = value != 0;
    if (value)
        s.read_bytes = s.write_bytes = 0;
}

namespace {
Timebase::Counter counter_at(uint32_t offset) {
    return offset == PROFILE_TOTAL_CYCLES  ? Timebase::total
           : offset == PROFILE_IDLE_CYCLES ? Timebase::idle
                                           : Timebase::debug;
}
} // namespace

uint32_t HostInterface::read_cycles(HostInterface& hi, uint32_t offset) {
    return hi.core_.time.read(counter_at(offset));
}

void HostInterface::write_cycles(HostInterface& hi, uint32_t offset, uint32_t value) {
    const Timebase::Counter counter = counter_at(offset);
    hi.core_.time.set(counter, counter == Timebase::total ? 0 : value);
    if (counter == Timebase::total)
        hi.core_.time.set(Timebase::idle, 0);
}

uint32_t HostInterface::read_profile(HostInterface& hi, uint32_t offset) {
    if (clock_pixel_pipe(hi.core_.s.reg[CLOCK_CONTROL / 4]))
        return 0;
    return hi.core_.profile.read(offset);
}

void HostInterface::write_profile_config(HostInterface& hi, uint32_t offset, uint32_t value) {
    hi.core_.profile.configure(offset, hi.before_, value);
}

// ---- MMU, front end, others ----------------------------------------------

void HostInterface::write_one_shot(HostInterface& hi, uint32_t offset, uint32_t) {
    hi.core_.s.reg[offset / 4] |= mmu_enable.only(hi.before_);
}

void HostInterface::write_composition(HostInterface& hi, uint32_t offset, uint32_t) {
    hi.core_.host.unimplemented(Cause::unmodeled_register, offset,
                                "START_COMPOSITION: composition engine");
}

void HostInterface::write_command_address(HostInterface& hi, uint32_t, uint32_t value) {
    hi.core_.fe.set_address(value);
}

void HostInterface::write_command_control(HostInterface& hi, uint32_t, uint32_t value) {
    hi.core_.fe.control(value);
}

uint32_t HostInterface::read_front_end(HostInterface& hi, uint32_t offset) {
    return hi.core_.fe.status(offset);
}

} // namespace pixmill::vivante
