/*
 * Registers of the i.MX RT1170 that start-up code writes and polls: clocks,
 * power, resets, pins.  Switching a part off has no effect, except that the GPU
 * logs accesses while its clock gate is shut.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_IMXRT1170_REGISTERS_H
#define HW_PIXMILL_IMXRT1170_REGISTERS_H

#include "hw/pixmill/parts/register-bank.h"

/* The last block has no name. */
extern const RegisterBlock imxrt1170_blocks[];

#endif
