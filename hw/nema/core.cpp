// SPDX-License-Identifier: GPL-2.0-or-later
#include "core.hpp"

#include <algorithm>
#include <iterator>

#include "common/guard.hpp"
#include "common/index.hpp"
#include "offsets.hpp"
#include "registers.hpp"

namespace pixmill::nema {
namespace {

PixmillNemaConfig with_defaults(PixmillNemaConfig config) {
    if (!config.config)
        config.config = 0x74030105;
    if (!config.config_h)
        config.config_h = 0x000000E3;
    return config;
}

} // namespace

Core::Core(const PixmillNemaConfig& config_, const PixmillHost& host_)
    : config(with_defaults(config_)), host(host_), interrupts(host, s, counters), drawing(*this),
      clp(*this) {
    power_on();
}

void Core::power_on() {
    host.trace(PIXMILL_TRACE_RESET, 0, 0, "power-on");
    host.forget();
    clear();
    interrupts.update_lines();
}

/// Resets everything except the interrupt lines to the power-on state.
void Core::clear() {
    s.config = config.config;
    s.config_h = config.config_h;
    reset_registers(*this);
    std::ranges::fill(s.imem, 0);
    s.dirty_min = 0xFFFFFFFF;
    s.dirty_max = 0;
    s.draw_row = 0;
    fail_next_access = false;
    drawing.reset();
    clp.power_on();
    interrupts.reset();
}

// ---- Accesses --------------------------------------------------------------

void Core::note_narrow(const char* access, uint32_t offset, uint32_t size) {
    if (size != 4 || offset % 4 != 0)
        host.guest_error(Cause::narrow_access, offset,
                         "%u-byte %s at 0x%03x taken for one of the whole word", size, access,
                         offset);
}

PixmillResult Core::read(uint32_t offset, uint32_t size, uint32_t& value) {
    trigger = &host_trigger;
    note_narrow("read", offset, size);
    const uint32_t word = word_offset(offset);
    value = read_register(*this, word);
    note_seen(word);
    if (word == CMD_LIST_ID) {
        interrupts.list_id_read();
        resume_clp();
    }
    if (host.tracing(PIXMILL_TRACE_REG_READ))
        host.trace(PIXMILL_TRACE_REG_READ, word, value, register_name(word));
    if (size < 4) // the core returns the whole word; the bus master selects byte lanes
        value >>= 8 * (offset & 3);
    return PIXMILL_OK;
}

/// Reports which jobs a read of a register shows to be done.
void Core::note_seen(uint32_t offset) {
    if (offset == CMD_LIST_ID)
        jobs.seen(list_id_job);
    else if ((offset == STAT || offset == CMD_STAT) && !busy_units())
        jobs.seen_all();
}

PixmillResult Core::write(uint32_t offset, uint32_t size, uint32_t value) {
    trigger = &host_trigger;
    const uint32_t word = word_offset(offset);
    if (word == DRAW_CMD && (drawing.occupied() || clp.stalls_host())) {
        handler_is_over();
        return PIXMILL_ERROR_BUSY;
    }
    note_narrow("write", offset, size);
    if (host.tracing(PIXMILL_TRACE_REG_WRITE))
        host.trace(PIXMILL_TRACE_REG_WRITE, word, value, register_name(word));
    if (word == DRAW_CMD) { // nothing else runs
        jobs.finish_all();
        jobs.start();
    }
    write_register(*this, word, value, false);
    interrupts.update_lines();
    return PIXMILL_OK;
}

void Core::handler_is_over() {
    interrupts.end_handling();
    resume_clp();
}

void Core::resume_clp() {
    if (clp.waits())
        host.request_run();
}

PixmillRun Core::run(uint32_t budget_words) {
    drawing.collect();
    clp.run(budget_words);
    interrupts.update_lines();
    if (drawing.busy())
        return {PIXMILL_RUN_DRAW, 0};
    if (clp.waits())
        return {PIXMILL_RUN_WAIT, interrupts.handled_until()};
    return {clp.runs() ? PIXMILL_RUN_AGAIN : PIXMILL_RUN_IDLE, 0};
}

uint32_t Core::busy_units() const {
    constexpr uint32_t lists = stat::bus.mask() | stat::list_bus.mask();
    constexpr uint32_t draws = stat::bus.mask() | mask_of(stat::drawing);
    const uint32_t units = stat::list_processor.put(!clp.idle()) | (clp.fetches() ? lists : 0) |
                           (drawing.busy() ? draws : 0);
    return units | stat::system.put(units != 0);
}

// ---- Errors --------------------------------------------------------------------

void Core::raise_bus_error(const char* client, uint32_t address, bool write) {
    counters.bus_errors++;
    interrupts.raise_error(sys_int::bus_error.mask());
    host.trace(PIXMILL_TRACE_BUS_ERROR, address, write, client);
}

void Core::bus_error(const char* client, uint32_t address, bool write) {
    raise_bus_error(client, address, write);
    host.no_memory(Cause::bus_error, client, address, write);
}

void Core::lacks_vectors(uint32_t offset, uint32_t value, const char* what) {
    const char* const name = register_name(offset);
    if (cfg_h::vectors(config.config_h))
        host.unimplemented(Cause::vector_graphics, offset,
                           "%s = 0x%08x, %s: vector graphics draw nothing", name, value, what);
    else
        host.guest_error(
            Cause::vector_graphics, offset,
            "%s = 0x%08x, %s: only cores with vector graphics draw it (bit 9 of CFG_H)", name,
            value, what);
}

void Core::out_of_memory(const char* client, uint32_t address) {
    raise_bus_error(client, address, true);
    host.out_of_memory(client, "a bus error and a draw without pixels");
}

uint32_t Core::list_address(uint32_t value) {
    if (value % 8)
        host.guest_error(Cause::list_address, 0, "CMD_ADDR = 0x%08x is no multiple of 8", value);
    return cmd_addr::address.only(value);
}

// ---- Migration -------------------------------------------------------------

namespace {

bool is_valid(const PixmillNemaState& in) {
    const bool idle = in.clp_run == uint32_t(ClpRun::idle);
    return in.clp_run < uint32_t(ClpRun::count) && in.clp_next % 8 == 0 && in.clp_unlimited <= 1 &&
           in.clp_held_by <= 0xF && in.clp_depth <= PIXMILL_NEMA_STACK &&
           in.clp_budget <= max_pairs &&
           (!idle || (in.clp_depth == 0 && in.clp_held_by == 0 && in.clp_unlimited == 0)) &&
           in.irq_source_a <= 1 && in.irq_source_b <= 1 && in.irq_levels <= irq_line_mask &&
           in.irq_seen <= max_irq_seen && in.draw_active <= 1 &&
           (!in.draw_active ||
            (in.clp_run != uint32_t(ClpRun::hung) && primitive_name(in.draw_reg[DRAW_CMD / 4])));
}

} // namespace

void Core::save(PixmillNemaState& out) {
    drawing.collect();
    out = s;
    if (drawing.busy())
        return;
    // The operands of a completed draw are not part of the state.
    out.draw_row = 0;
    std::ranges::fill(out.draw_reg, 0);
    std::ranges::fill(out.draw_imem, 0);
}

PixmillResult Core::load(const PixmillNemaState& in) {
    clear();
    const PixmillResult result = guarded(
        PIXMILL_ERROR_MEMORY, [&] { return accept(in) ? PIXMILL_OK : PIXMILL_ERROR_STATE; });
    if (result != PIXMILL_OK)
        clear();
    s.irq_levels = in.irq_levels & irq_line_mask;
    if (drawing.busy() || clp.runs() || !interrupts.settled())
        host.request_run();
    return result;
}

bool Core::accept(const PixmillNemaState& in) {
    if (in.config != s.config || in.config_h != s.config_h || !is_valid(in))
        return false;
    s = in;
    accept_registers(config, s.reg);
    accept_registers(config, s.draw_reg);
    for (uint32_t& address : s.clp_stack_address)
        address &= ~7u;
    s.clp_held_by &= s.reg[GP_FLAGS / 4];
    return drawing.restore();
}

} // namespace pixmill::nema
