/*
 * Finds the modules in a TI device tree: nodes "ti,sysc".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_TI_SYSC_H
#define HW_PIXMILL_TI_SYSC_H

#define TI_SYSS_RESET_DONE 0x1
#define TI_SYSC_NO_REGISTER UINT64_MAX

typedef struct TISysc {
    const char *name;             /* name of the node */
    uint64_t rev, sysc, syss;     /* physical, or TI_SYSC_NO_REGISTER */
    uint32_t soft_reset;          /* bit in sysc, or 0 */
} TISysc;

/* Calls @fn for each module in the flattened device tree @fdt. */
void ti_sysc_for_each(const void *fdt,
                      void (*fn)(void *opaque, const TISysc *module),
                      void *opaque);

#endif
