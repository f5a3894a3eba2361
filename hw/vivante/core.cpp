// SPDX-License-Identifier: GPL-2.0-or-later
#include "core.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "common/guard.hpp"
#include "registers.hpp"
#include "vivante/fe/commands.hpp"
#include "vivante/memory/fields.hpp"

namespace pixmill::vivante {

namespace {

Chip with_quirks(Chip chip, const PixmillVivanteConfig& config) {
    chip.quirks = (chip.quirks | config.quirks_on) & ~config.quirks_off;
    return chip;
}

} // namespace

Core::Core(const Chip& chip_, const PixmillVivanteConfig& config, const PixmillHost& host_)
    : chip(with_quirks(chip_, config)), host(host_), s{}, injector(chip, host, s),
      interrupts(host, s, injector),
      time(host, s, config.core_clock_hz ? config.core_clock_hz : 400000000), profile(s, host),
      engines(*this, chip, config), fe(chip.pipe_vg() ? static_cast<FrontEnd&>(fe_20_) : fe_10_),
      hi(*this), fe_10_(*this, config), fe_20_(*this) {
    power_on();
}

void Core::power_on() {
    host.trace(PIXMILL_TRACE_RESET, 0, 0, "power-on");
    host.forget();
    clear();
    interrupts.update_line();
}

/// Restores the power-on state, except for the interrupt line.
void Core::clear() {
    s.fscale = 64;
    s.vg_fe_next = 0; // not cleared by a soft reset
    s.foreign_ns = 0;
    s.posted = s.posted_register = s.posted_value = 0;
    hi.reset(true);
    reset_blocks();
    restore_engines(); // no work is in progress: draw() does not run during this call
}

bool Core::restore_engines() {
    return std::ranges::all_of(engines, &Engine::restore);
}

void Core::soft_reset(const char* kind) {
    if (injector.occurs(PIXMILL_VIVANTE_FAULT_RESET_FAILS))
        return;
    host.trace(PIXMILL_TRACE_RESET, 0, 0, kind);
    hi.reset(false);
    reset_blocks();
    if (injector.occurs(PIXMILL_VIVANTE_FAULT_RESET_BUSY))
        s.stuck_modules = (*engines.begin())->slot.modules;
    interrupts.update_line();
}

PixmillResult Core::arm(const PixmillInjection& how) {
    if (how.fault == PIXMILL_VIVANTE_FAULT_STALE)
        tlb.flush(Tlb::all);
    return injector.arm(how);
}

void Core::reset_blocks() {
    tlb.flush(Tlb::all);
    s.model = chip.model << 16 | (chip.revision & 0xFFFF);
    s.intr_pending = s.stuck_modules = 0;
    interrupts.drop_delayed();
    s.mmu_mode = s.mmu_mtlb = s.mmu_safe = s.mmu_safe_set = 0;
    s.mmu_extended = s.mmu_pta_index = s.mmu_frozen = 0;
    s.read_bytes = s.write_bytes = 0;
    s.memory_counters_frozen = 0;
    std::memset(s.state, 0, sizeof s.state);
    std::fill_n(s.state + STATE_GENERIC_ATTRIB_SCALE / 4, 16, 0x3F800000); // 1.0
    profile.reset();
    time.reset(); // a soft reset keeps the clock divider, which Linux loads just before it
    for (Engine* engine : engines)
        engine->reset();
    fe.reset();
}

void Core::reserved_page_size() {
    host.guest_error(Cause::mmu_entry, 0, "MTLB entry with a page size of mode 1");
}

void Core::raise_bus_error(Client client, uint64_t address, bool write) {
    uint32_t& status = s.reg[AXI_STATUS / 4];
    const bool reported = chip.pipe_vg() && status; // once per stream: see FrontEnd20::start()
    status |= (write ? axi_write_error : axi_read_error).mask();
    counters.bus_errors++;
    if (!reported)
        interrupts.raise(intr_axi_bus_error.mask());
    host.trace(PIXMILL_TRACE_BUS_ERROR, address, write, client_name(client));
}

void Core::out_of_memory(Client client, uint64_t address) {
    raise_bus_error(client, address, true);
    host.out_of_memory(client_name(client), "a bus error and a rectangle that is not drawn");
}

void Core::bus_error(Client client, uint64_t address, bool write) {
    raise_bus_error(client, address, write);
    host.no_memory(Cause::bus_error, client_name(client), address, write);
}

void Core::mmu_fault(Client client, uint32_t address, Fault fault) {
    // Undocumented; the model reports every fault for MMU 0. Logs of real cores show no other MMU.
    const bool secure = chip.secure() && mmu_enable(s.reg[MMU_SEC_CONTROL / 4]);
    s.reg[(secure ? MMU_SEC_STATUS : MMU_STATUS) / 4] = uint32_t(fault);
    s.reg[(secure ? MMU_SEC_EXCEPTION_ADDR : MMU_EXCEPTION_ADDR) / 4] = address;
    counters.mmu_faults++;
    interrupts.raise(intr_mmu_exception.mask());
    host.trace(PIXMILL_TRACE_MMU_FAULT, address, uint32_t(fault), client_name(client));
    host.guest_error(Cause::mmu_fault, address >> 12, "%s faults at 0x%08x, MMU status %u",
                     client_name(client), address, unsigned(fault));
}

void Core::raise(Client client, const AccessErrors& errors, bool faulted) {
    if (errors.reserved_entry)
        reserved_page_size();
    if (errors.read)
        bus_error(client, errors.read_address, false);
    if (errors.write)
        bus_error(client, errors.write_address, true);
    if (faulted)
        mmu_fault(client, uint32_t(errors.fault_address), Fault(errors.fault));
}

// ---- Migration -------------------------------------------------------------

namespace {

/// Restores the register bits that the guest can write. All other bits keep the chip's values.
void accept_registers(const Chip& chip, PixmillVivanteState& s, const PixmillVivanteState& in) {
    for (const Register& reg : registers(chip)) {
        if (!has_register(chip, reg) || reg.access == PIXMILL_ACCESS_WO)
            continue;
        const uint32_t i = reg.offset / 4;
        if (reg.access == PIXMILL_ACCESS_RW)
            s.reg[i] = (reset_value(chip, reg) & ~reg.mask) | (in.reg[i] & reg.mask);
    }
    s.reg[AXI_STATUS / 4] = in.reg[AXI_STATUS / 4] & mask_of(axi_status);
    s.reg[DRAW_START_STAMP / 4] = in.reg[DRAW_START_STAMP / 4];
    s.reg[DRAW_END_STAMP / 4] = in.reg[DRAW_END_STAMP / 4];
    if (chip.mmu_v2())
        s.reg[MMU_STATUS / 4] = mmu_exceptions.only(in.reg[MMU_STATUS / 4]);
    if (chip.secure())
        s.reg[MMU_SEC_STATUS / 4] = mmu_exceptions.only(in.reg[MMU_SEC_STATUS / 4]);
}

bool is_valid(const PixmillVivanteState& in) {
    return in.fe_run < uint32_t(FeRun::count) && in.fe_swap < 4 &&
           in.fe_link_depth <= PIXMILL_VIVANTE_LINK_STACK &&
           in.fe_link_read < PIXMILL_VIVANTE_LINK_STACK && in.fscale >= 1 && in.fscale <= 64 &&
           in.mmu_mode <= 1 && in.intr_level <= 1 && in.mmu_pta_index < pta_entries &&
           in.fe_address % 8 == 0 && in.fe_loop % 8 == 0 && in.fe_loop_end % 8 == 0 &&
           in.fe_latch % 8 == 0 && Injector::is_valid(in) && in.posted <= 1 &&
           (!in.posted || HostInterface::can_post(in.posted_register, in.posted_value));
}

} // namespace

void Core::save(PixmillVivanteState& out) {
    for (Engine* engine : engines)
        engine->collect();
    injector.exchange_accesses();
    tlb.save(s);
    out = s;
    for (const Engine* engine : engines)
        engine->scrub(out);
}

PixmillResult Core::load(const PixmillVivanteState& in) {
    clear();
    injector.disarm();
    const PixmillResult result = guarded(
        PIXMILL_ERROR_MEMORY, [&] { return accept(in) ? PIXMILL_OK : PIXMILL_ERROR_STATE; });
    if (result != PIXMILL_OK) {
        clear();
        injector.disarm(); // accept() may have armed those of `in`
        return result;
    }
    fe.restore();
    if (engines.busy() || !interrupts.settled() || interrupts.timer())
        host.request_run();
    return result;
}

bool Core::accept(const PixmillVivanteState& in) {
    const auto fits = [&in](const Engine* engine) { return engine->is_valid(in); };
    const uint32_t clients = client_bit(Client::fe) | engines.clients();
    if (in.model != s.model || in.mmu_frozen & ~clients || !is_valid(in) ||
        !std::ranges::all_of(engines, fits))
        return false;
    std::array<uint32_t, PIXMILL_VIVANTE_REG_WORDS> fresh;
    std::ranges::copy(s.reg, fresh.begin());
    s = in;
    std::ranges::copy(fresh, s.reg);
    accept_registers(chip, s, in);
    for (uint32_t& address : s.fe_link_address)
        address = fetch_address.only(address);
    // Clamp times to the present, because the migration stream is untrusted.
    const int64_t now = host.now();
    s.fe_deadline_ns = std::clamp(s.fe_deadline_ns, now - 1000000000, now + longest_fault_ns);
    s.late_events &= intr_events.mask();
    s.late_ns = s.late_events ? std::clamp<int64_t>(s.late_ns, 1, now + longest_fault_ns) : 0;
    s.foreign_ns = std::clamp<int64_t>(s.foreign_ns, 0, now + longest_fault_ns);
    s.stuck_modules &= chip.idle_mask();
    injector.restore();
    tlb.load(s);
    s.fe_activity_ns = std::clamp(s.fe_activity_ns, now - 1000000000, now);
    for (int64_t& base : s.cycle_base_ns)
        base = std::clamp<int64_t>(base, 0, now);
    s.busy_ns = std::clamp<int64_t>(s.busy_ns, 0, now);
    s.busy_since_ns = engines.busy() ? std::clamp<int64_t>(s.busy_since_ns, 0, now) : -1;
    return restore_engines();
}

} // namespace pixmill::vivante
