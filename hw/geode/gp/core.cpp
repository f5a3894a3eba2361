// SPDX-License-Identifier: GPL-2.0-or-later
#include "core.hpp"

#include <algorithm>

#include "common/guard.hpp"
#include "common/index.hpp"
#include "fields.hpp"
#include "offsets.hpp"
#include "registers.hpp"

namespace pixmill::geode {
namespace {

constexpr uint32_t default_held_pixels = 64u << 20;
constexpr int64_t longest_frame_ns = 1'000'000'000;
/// Value of GLD_CAP: device 03D4h. The revision is unknown, and drivers ignore it.
constexpr uint64_t device_id = 0x0003D400;
/// Drivers place the command buffer this many bytes before the end of the frame buffer (cim_gp.c,
/// lx_driver.c).
constexpr uint32_t driver_ring = 0x200000;

/// Writable bits of the MSRs.
constexpr uint64_t msr_mask[PIXMILL_GEODE_GP_MSRS] = {
    0, ~uint64_t{0}, ~uint64_t{0}, ~uint64_t(0x30000), ~(uint64_t{1} << 32), ~uint64_t{0},
};

PixmillGeodeGpConfig with_defaults(PixmillGeodeGpConfig config) {
    if (!config.held_pixels)
        config.held_pixels = default_held_pixels;
    return config;
}

} // namespace

Core::Core(const PixmillGeodeGpConfig& config_, const PixmillHost& host_)
    : config(with_defaults(config_)), host(host_), interrupts(host, s, counters), operations(*this),
      ring(*this) {
    power_on();
}

void Core::power_on() {
    host.trace(PIXMILL_TRACE_RESET, 0, 0, "power-on");
    host.forget();
    clear();
    interrupts.update_line();
}

/// Restores the power-on state of everything except the interrupt line.
void Core::clear() {
    std::ranges::fill(s.msr, 0);
    s.msr[GLD_CAP] = device_id;
    s.config_written = 0;
    s.frame_ns = s.blank_ns = 0;
    std::ranges::fill(s.lut, 0);
    fail_next_access = false;
    operations.reset();
    clear_gp();
}

void Core::clear_gp() {
    reset_registers(*this);
    s.ce_settled = s.underflow = s.completed = 0;
    s.held_pixels = 0;
    ring.reset();
    interrupts.reset();
}

void Core::reset_gp() {
    host.trace(PIXMILL_TRACE_RESET, 0, 0, "RESET");
    operations.drop();
    clear_gp();
}

// ---- Status --------------------------------------------------------------------

bool Core::ring_empty() const {
    return s.reg[CMD_READ / 4] == s.reg[CMD_WRITE / 4];
}

// According to 33234H, 6.4.2.14, CE is clear after reset although the pointers are equal. lxfb
// polls until CE is set, without writing the pointers, so in the model CE depends on the pointers
// from the next access on.
uint32_t Core::status() const {
    return blt_status::underflow.put(s.underflow) |
           blt_status::expects_data.put(operations.starves()) |
           blt_status::ring_empty.put(s.ce_settled && ring_empty()) |
           blt_status::fifo_half_empty.mask() | blt_status::pending.put(operations.pending()) |
           blt_status::interrupt.put(interrupts.pending()) |
           blt_status::busy.put(operations.busy());
}

// ---- Accesses --------------------------------------------------------------------

PixmillResult Core::read(uint32_t offset, uint32_t size, uint32_t& value) {
    value = read_register(*this, word_offset(offset));
    if (host.tracing(PIXMILL_TRACE_REG_READ))
        host.trace(PIXMILL_TRACE_REG_READ, offset, value, register_name(offset));
    value = value >> 8 * (offset & 3) & low_bytes(size);
    return PIXMILL_OK;
}

/// True if a write has to wait because the bus holds another write, or because the operation being
/// drawn cannot take it yet. Both conditions end without a further access.
bool Core::stalls(uint32_t offset) const {
    const uint32_t reg = register_offset(offset);
    if (reg == BLT_STATUS)
        return false;
    if (holding())
        return true;
    switch (reg) {
    case BLT_MODE:
    case VECTOR_MODE:
        return operations.draining() || (operations.works() && operations.pending());
    case HST_SRC:
        return operations.works() && operations.takes(Port::hst_src);
    case CH3_HSRC:
        return operations.works() && operations.takes(Port::ch3_hsrc);
    default:
        return operations.draining();
    }
}

PixmillResult Core::write(uint32_t offset, uint32_t size, uint32_t value) {
    if (stalls(offset))
        return PIXMILL_ERROR_BUSY;
    if (host.tracing(PIXMILL_TRACE_REG_WRITE))
        host.trace(PIXMILL_TRACE_REG_WRITE, offset, value, register_name(offset));
    const bool worked = works();
    const uint32_t shift = 8 * (offset & 3), byte_mask = low_bytes(size);
    write_register(*this, word_offset(offset), value << shift, byte_mask << shift);
    update_line();
    if (!worked && works()) {
        s.held_pixels = config.held_pixels;
        host.request_run();
    }
    return PIXMILL_OK;
}

/// Releases the bus if all work is done. Work that starts later without a write does not hold the
/// bus.
void Core::release_bus() {
    if (!works())
        s.held_pixels = 0;
}

/// Raises the idle interrupt if due, and updates the line. Called at the end of an entry point.
void Core::update_line() {
    const bool idle = !operations.busy() && ring_empty();
    if (idle && s.completed) {
        s.completed = 0;
        interrupts.raise(int_cntrl::idle, int_cntrl::mask_idle);
    }
    interrupts.update_line();
}

PixmillRun Core::run(uint32_t budget_words) {
    const uint64_t before = spent();
    operations.collect();
    operations.check_vblank();
    if (!operations.works())
        ring.run(budget_words);
    operations.prepare();
    s.held_pixels -= uint32_t(std::min<uint64_t>(s.held_pixels, spent() - before));
    release_bus();
    update_line();
    if (operations.works())
        return {PIXMILL_RUN_DRAW, 0};
    if (ring.works())
        return {PIXMILL_RUN_AGAIN, 0};
    return {s.throttle_ns ? PIXMILL_RUN_WAIT : PIXMILL_RUN_IDLE, s.throttle_ns};
}

// ---- MSRs, frame buffer, timing ------------------------------------------------------

uint64_t Core::read_msr(uint32_t index) const {
    return index < PIXMILL_GEODE_GP_MSRS ? s.msr[index] : 0;
}

void Core::write_msr(uint32_t index, uint64_t value) {
    if (index >= PIXMILL_GEODE_GP_MSRS)
        return;
    s.msr[index] = (s.msr[index] & ~msr_mask[index]) | (value & msr_mask[index]);
    s.config_written |= index == GLD_CONFIG;
}

void Core::set_frame_buffer(uint32_t base, uint32_t size) {
    frame_buffer_base_ = base;
    frame_buffer_size_ = size;
}

/// Returns the address of pointer 0 of the command buffer.
uint32_t Core::command_base() const {
    if (s.config_written || !config.cbase_auto)
        return gld_config::cbase(uint32_t(s.msr[GLD_CONFIG])) << 20;
    const uint32_t bottom = s.reg[CMD_BOT / 4];
    const bool of_driver =
        bottom && bottom <= frame_buffer_size_ && frame_buffer_size_ >= driver_ring;
    return frame_buffer_base_ + (of_driver ? frame_buffer_size_ - driver_ring : 0);
}

void Core::set_timing(int64_t blank_ns, int64_t frame_ns) {
    const bool runs = frame_ns > 0 && frame_ns <= longest_frame_ns && blank_ns >= 0;
    s.frame_ns = runs ? frame_ns : 0;
    s.blank_ns = runs ? blank_ns % frame_ns : 0;
    if (runs)
        return;
    operations.release();
    update_line();
    if (works())
        host.request_run();
}

// ---- Migration -------------------------------------------------------------------------

void Core::save(PixmillGeodeGpState& out) {
    operations.collect();
    release_bus();
    out = s;
}

PixmillResult Core::load(const PixmillGeodeGpState& in) {
    clear();
    const PixmillResult result = guarded(
        PIXMILL_ERROR_MEMORY, [&] { return accept(in) ? PIXMILL_OK : PIXMILL_ERROR_STATE; });
    if (result != PIXMILL_OK)
        clear();
    s.irq_level = in.irq_level & 1;
    if (works() || s.throttle_ns || !interrupts.settled())
        host.request_run();
    return result;
}

bool Core::accept(const PixmillGeodeGpState& in) {
    const auto is_flag = [](uint32_t word) { return word <= 1; };
    const bool flags = is_flag(in.config_written) && is_flag(in.ce_settled) &&
                       is_flag(in.underflow) && is_flag(in.completed) && is_flag(in.irq_level) &&
                       is_flag(in.data_wraps) && is_flag(in.data_awaited) && is_flag(in.by_render);
    const bool timing = in.frame_ns >= 0 && in.frame_ns <= longest_frame_ns && in.blank_ns >= 0 &&
                        in.blank_ns < std::max<int64_t>(in.frame_ns, 1) && in.throttle_ns >= 0 &&
                        (in.frame_ns || !in.throttle_ns); // no blanks: no operation waits for one
    if (!flags || !timing || in.msr[GLD_CAP] != device_id || in.held_pixels > config.held_pixels)
        return false;
    s = in;
    for (uint32_t i = GLD_CONFIG; i < PIXMILL_GEODE_GP_MSRS; i++)
        s.msr[i] &= msr_mask[i];
    accept_registers(s.reg);
    if (!ring.is_valid() || !operations.restore())
        return false;
    release_bus();
    return true;
}

} // namespace pixmill::geode
