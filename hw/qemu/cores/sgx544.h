/*
 * PowerVR SGX544-MP2 as a QEMU device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One window of 32 MiB (sysbus MMIO 0), one level-triggered interrupt, active
 * high (sysbus IRQ 0), and DMA for page walks.  The core behind
 * include/pixmill/sgx.h implements the registers.
 */
#ifndef HW_PIXMILL_SGX544_H
#define HW_PIXMILL_SGX544_H

#include "hw/pixmill/compat.h"
#include "shell.h"
#include "subprojects/pixmill/include/pixmill/sgx.h"

#define TYPE_SGX544 "sgx544"
OBJECT_DECLARE_SIMPLE_TYPE(SGX544State, SGX544)

struct SGX544State {
    SysBusDevice parent_obj;

    PixmillShell shell;
    char *walk_result; /* result of the last x-walk */

    uint32_t core_id;
    uint32_t core_revision;
    uint32_t core_clock_hz;
    bool header_bypass;
    char *fake_microkernel;
    bool answers; /* set by fake_microkernel */
    uint64_t fake_microkernel_address;
};

#endif
