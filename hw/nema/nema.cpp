// SPDX-License-Identifier: GPL-2.0-or-later
//
// The C ABI of include/pixmill/nema.h.
#include "pixmill/nema.h"

#include "common/guard.hpp"
#include "core.hpp"
#include "registers.hpp"

using pixmill::nema::Core;

struct PixmillNema {
    Core core;
    PixmillNema(const PixmillNemaConfig& config, const PixmillHost& host) : core(config, host) {}
};

namespace {

bool complete(const PixmillHost& h) {
    return h.map && h.dirty && h.set_irq && h.clock_ns && h.request_run && h.log && h.trace;
}

bool inside(uint32_t offset, uint32_t size) {
    return offset < PIXMILL_NEMA_WINDOW && (size == 1 || size == 2 || size == 4);
}

} // namespace

extern "C" {

PixmillResult pixmill_nema_create(const PixmillNemaConfig* config, const PixmillHost* host,
                                  PixmillNema** out) {
    if (!host || !out)
        return PIXMILL_ERROR_ARGUMENT;
    *out = nullptr;
    if (host->api_version != PIXMILL_API_VERSION)
        return PIXMILL_ERROR_VERSION;
    if (!complete(*host))
        return PIXMILL_ERROR_ARGUMENT;
    const PixmillNemaConfig zero{};
    return pixmill::guarded(PIXMILL_ERROR_MEMORY, [&] {
        *out = new PixmillNema(config ? *config : zero, *host);
        return PIXMILL_OK;
    });
}

void pixmill_nema_destroy(PixmillNema* nema) {
    delete nema;
}

void pixmill_nema_reset(PixmillNema* nema) {
    nema->core.power_on();
}

PixmillResult pixmill_nema_mmio_read(PixmillNema* nema, uint32_t offset, uint32_t size,
                                     uint32_t* value) {
    *value = 0;
    return inside(offset, size) ? nema->core.read(offset, size, *value) : PIXMILL_ERROR_ARGUMENT;
}

PixmillResult pixmill_nema_mmio_write(PixmillNema* nema, uint32_t offset, uint32_t size,
                                      uint32_t value) {
    return inside(offset, size) ? nema->core.write(offset, size, value) : PIXMILL_ERROR_ARGUMENT;
}

uint32_t pixmill_nema_peek(const PixmillNema* nema, uint32_t offset) {
    return pixmill::nema::peek_register(nema->core, offset & ~3u);
}

PixmillRun pixmill_nema_run(PixmillNema* nema, uint32_t budget_words) {
    return nema->core.run(budget_words);
}

void pixmill_nema_draw(PixmillNema* nema, uint64_t budget_bytes) {
    nema->core.drawing.draw(budget_bytes);
}

void pixmill_nema_interrupt(PixmillNema* nema) {
    nema->core.drawing.interrupt();
}

bool pixmill_nema_draining(const PixmillNema* nema) {
    return nema->core.drawing.draining();
}

bool pixmill_nema_register(const PixmillNema* nema, size_t index, PixmillRegister* out) {
    const auto table = pixmill::nema::registers();
    if (index >= table.size())
        return false;
    const pixmill::nema::Register& reg = table[index];
    *out = {reg.offset, reg.name, reg.alias, reg.access, reset_value(nema->core.config, reg),
            reg.mask,   reg.note};
    return true;
}

void pixmill_nema_counters(const PixmillNema* nema, PixmillNemaCounters* out) {
    *out = nema->core.counters;
}

void pixmill_nema_inject(PixmillNema* nema, PixmillNemaFault fault) {
    Core& core = nema->core;
    switch (fault) {
    case PIXMILL_NEMA_FAULT_BUS:
        core.fail_next_access = true;
        break;
    case PIXMILL_NEMA_FAULT_LOST_IRQ:
        core.interrupts.lose_next();
        break;
    case PIXMILL_NEMA_FAULT_HANG:
        core.clp.hang_next();
        break;
    }
}

void pixmill_nema_save(PixmillNema* nema, PixmillNemaState* out) {
    nema->core.save(*out);
}

PixmillResult pixmill_nema_load(PixmillNema* nema, const PixmillNemaState* in) {
    return nema->core.load(*in);
}

} // extern "C"
