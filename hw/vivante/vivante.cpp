// SPDX-License-Identifier: GPL-2.0-or-later
//
// The C ABI of include/pixmill/vivante.h.
#include "pixmill/vivante.h"

#include <algorithm>

#include "common/guard.hpp"
#include "core.hpp"
#include "registers.hpp"

using pixmill::vivante::Chip;
using pixmill::vivante::Core;
using pixmill::vivante::Engine;

struct PixmillVivante {
    Core core;
    PixmillVivante(const Chip& chip, const PixmillVivanteConfig& config, const PixmillHost& host)
        : core(chip, config, host) {}
};

namespace {

bool complete(const PixmillHost& h) {
    return h.map && h.dirty && h.set_irq && h.clock_ns && h.request_run && h.log && h.trace;
}

bool sensible_quirks(const PixmillVivanteConfig& config) {
    return !(config.quirks_on & config.quirks_off) &&
           !((config.quirks_on | config.quirks_off) & ~uint32_t(PIXMILL_QUIRKS));
}

bool whole_access(uint32_t offset, uint32_t size) {
    return (size == 1 || size == 2 || size == 4) && offset % size == 0;
}

} // namespace

extern "C" {

const char* pixmill_vivante_model(size_t index) {
    return pixmill::vivante::model_name(index);
}

PixmillResult pixmill_vivante_create(const PixmillVivanteConfig* config, const PixmillHost* host,
                                     PixmillVivante** out) {
    if (!config || !config->model || !host || !out)
        return PIXMILL_ERROR_ARGUMENT;
    *out = nullptr;
    if (host->api_version != PIXMILL_API_VERSION)
        return PIXMILL_ERROR_VERSION;
    const Chip* chip = pixmill::vivante::find_chip(config->model);
    if (!chip || !complete(*host) || config->render_threads > PIXMILL_MAX_RENDER_THREADS ||
        !sensible_quirks(*config))
        return PIXMILL_ERROR_ARGUMENT;
    return pixmill::guarded(PIXMILL_ERROR_MEMORY, [&] {
        *out = new PixmillVivante(*chip, *config, *host);
        return PIXMILL_OK;
    });
}

void pixmill_vivante_destroy(PixmillVivante* gc) {
    delete gc;
}

void pixmill_vivante_reset(PixmillVivante* gc) {
    gc->core.power_on();
}

PixmillResult pixmill_vivante_mmio_read(PixmillVivante* gc, uint32_t offset, uint32_t size,
                                        uint32_t* value) {
    *value = 0;
    return whole_access(offset, size) ? gc->core.hi.read(offset, size, value)
                                      : PIXMILL_ERROR_ARGUMENT;
}

PixmillResult pixmill_vivante_mmio_write(PixmillVivante* gc, uint32_t offset, uint32_t size,
                                         uint32_t value) {
    return whole_access(offset, size) ? gc->core.hi.write(offset, size, value)
                                      : PIXMILL_ERROR_ARGUMENT;
}

uint32_t pixmill_vivante_peek(const PixmillVivante* gc, uint32_t offset) {
    // Reading handlers are not const because one table serves reads and writes; they change
    // nothing.
    return const_cast<PixmillVivante*>(gc)->core.hi.peek(offset);
}

PixmillRun pixmill_vivante_run(PixmillVivante* gc, uint32_t budget_words) {
    return gc->core.fe.run(budget_words);
}

void pixmill_vivante_draw(PixmillVivante* gc, uint64_t budget_bytes) {
    for (Engine* engine : gc->core.engines)
        engine->render(budget_bytes);
}

void pixmill_vivante_interrupt(PixmillVivante* gc) {
    for (Engine* engine : gc->core.engines)
        engine->interrupt();
}

void pixmill_vivante_barrier(PixmillVivante* gc) {
    gc->core.fe.barrier();
}

bool pixmill_vivante_draining(const PixmillVivante* gc) {
    return std::ranges::any_of(gc->core.engines, &Engine::draining);
}

bool pixmill_vivante_standby(const PixmillVivante* gc) {
    return gc->core.s.reg[pixmill::vivante::GP_OUT0 / 4] & pixmill::vivante::gp_out0_hold;
}

bool pixmill_vivante_register(const PixmillVivante* gc, size_t index, PixmillRegister* out) {
    const Chip& chip = gc->core.chip;
    for (const pixmill::vivante::Register& reg : pixmill::vivante::registers()) {
        if (!has_register(chip, reg) || index-- != 0)
            continue;
        *out = {reg.offset,
                reg.name,
                reg.alias,
                reg.access,
                reset_value(chip, reg),
                write_mask(chip, reg),
                reg.note};
        return true;
    }
    return false;
}

void pixmill_vivante_counters(const PixmillVivante* gc, PixmillVivanteCounters* out) {
    *out = gc->core.counters;
}

void pixmill_vivante_inject(PixmillVivante* gc, PixmillVivanteFault fault) {
    switch (fault) {
    case PIXMILL_FAULT_MMU:
        for (Engine* engine : gc->core.engines)
            engine->inject_fault();
        break;
    case PIXMILL_FAULT_BUS:
        for (Engine* engine : gc->core.engines)
            engine->inject_bus_error();
        break;
    case PIXMILL_FAULT_LOST_IRQ:
        gc->core.fe.lose_next_event();
        break;
    case PIXMILL_FAULT_HANG:
        gc->core.fe.hang_next();
        break;
    }
}

void pixmill_vivante_save(PixmillVivante* gc, PixmillVivanteState* out) {
    gc->core.save(*out);
}

PixmillResult pixmill_vivante_load(PixmillVivante* gc, const PixmillVivanteState* in) {
    return gc->core.load(*in) ? PIXMILL_OK : PIXMILL_ERROR_STATE;
}

} // extern "C"
