/*
 * Traces of a device core, as QEMU's trace events.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "shell.h"
#include "hw/pixmill/trace.h"

void pixmill_shell_trace(void *opaque, PixmillTrace event, uint64_t a,
                         uint64_t b, const char *text)
{
    PixmillShell *s = opaque;

    switch (event) {
    case PIXMILL_TRACE_REG_READ:
        trace_pixmill_core_reg_read(s->name, a, b, text);
        break;
    case PIXMILL_TRACE_REG_WRITE:
        trace_pixmill_core_reg_write(s->name, a, b, text);
        break;
    case PIXMILL_TRACE_COMMAND:
        trace_pixmill_core_command(s->name, a, b, text);
        break;
    case PIXMILL_TRACE_STATE:
        trace_pixmill_core_state(s->name, a, b, text);
        break;
    case PIXMILL_TRACE_DRAW:
        trace_pixmill_core_draw(s->name, a, b, text);
        break;
    case PIXMILL_TRACE_MMU_FAULT:
        trace_pixmill_core_mmu_fault(s->name, a, b, text);
        break;
    case PIXMILL_TRACE_BUS_ERROR:
        trace_pixmill_core_bus_error(s->name, a, b, text);
        break;
    case PIXMILL_TRACE_EVENT:
        trace_pixmill_core_event(s->name, a, b, text);
        break;
    case PIXMILL_TRACE_IRQ:
        trace_pixmill_core_irq(s->name, text, a, b);
        break;
    case PIXMILL_TRACE_RESET:
        trace_pixmill_core_reset(s->name, text);
        break;
    case PIXMILL_TRACE_FE_STATE:
        trace_pixmill_core_fe_state(s->name, a, text);
        break;
    case PIXMILL_TRACE_COUNT:
        break;
    }
}

/* The core checks the mask before it calls pixmill_shell_trace(). */
void pixmill_shell_update_trace_mask(PixmillShell *s)
{
#define EVENT(name) \
    (trace_event_get_state_backends(TRACE_PIXMILL_CORE_##name) ? \
     1U << PIXMILL_TRACE_##name : 0)
    uint32_t mask = EVENT(REG_READ) | EVENT(REG_WRITE) | EVENT(COMMAND) |
                    EVENT(STATE) | EVENT(DRAW) | EVENT(MMU_FAULT) |
                    EVENT(BUS_ERROR) | EVENT(EVENT) | EVENT(IRQ) |
                    EVENT(RESET) | EVENT(FE_STATE);
#undef EVENT

    if (mask != qatomic_read(&s->trace_mask)) {
        qatomic_set(&s->trace_mask, mask);
    }
}
