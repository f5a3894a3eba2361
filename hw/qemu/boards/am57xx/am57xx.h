/*
 * Machine "am57xx": the part of a TI AM57xx that Linux needs to drive the
 * SoC's graphics accelerators.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_AM57XX_H
#define HW_PIXMILL_AM57XX_H

#include "hw/arm/boot.h"
#include "hw/pixmill/compat.h"
#include "am57xx-map.h"

#define TYPE_AM57XX_MACHINE MACHINE_TYPE_NAME("am57xx")
OBJECT_DECLARE_SIMPLE_TYPE(Am57xxMachineState, AM57XX_MACHINE)

#define AM57XX_MAX_CPUS 2
#define AM57XX_SPIS 160 /* AM57xx TRM, MPU_IRQ_0 to 159: GIC IDs 32 to 191 */
#define AM57XX_UARTS 4
#define AM57XX_VIRTIO_TRANSPORTS 8

/* ---- Memory map --------------------------------------------------------- */

typedef enum Am57xxBlockId {
    AM57XX_OCMC_RAM1,
    AM57XX_UART3, /* the console of TI's boards */
    AM57XX_UART1,
    AM57XX_UART2,
    AM57XX_UART4,
    AM57XX_MPU,
    AM57XX_WUGEN,
    AM57XX_CROSSBAR,
    AM57XX_VIRTIO,
    AM57XX_GPU,
    AM57XX_BB2D,
    AM57XX_SDRAM,
    AM57XX_BLOCKS
} Am57xxBlockId;

typedef struct Am57xxBlock {
    hwaddr base;
    uint64_t size; /* maximum size for SDRAM */
    int source;    /* crossbar input for its interrupt; -1: none */
} Am57xxBlock;

extern const Am57xxBlock am57xx_map[AM57XX_BLOCKS];

/* UARTs in the order of QEMU's -serial options. */
extern const Am57xxBlockId am57xx_uarts[AM57XX_UARTS];

/* ---- Accelerators ------------------------------------------------------- */

/* A device, and the ti,sysc module around it in the device tree. */
typedef struct Am57xxAccelerator {
    Am57xxBlockId block;
    const char *child; /* QOM: /machine/CHILD */
    const char *type;
    void (*configure)(DeviceState *dev); /* sets properties before realize */

    uint32_t clock_hz;      /* functional clock */
    const char *clock_node; /* node of that clock */
    uint32_t rev;           /* offset of the module's REVISION */
    uint32_t sysc;          /* offset of its SYSCONFIG; 0: none */
    uint32_t node_size;     /* size in "reg" of the child */
    const char *compatible; /* of the child: strings, then an empty one */
    const char *clock_name; /* of the child; NULL: only on the module */
} Am57xxAccelerator;

extern const Am57xxAccelerator am57xx_accelerators[];
extern const size_t am57xx_accelerator_count;

/* ---- Machine ------------------------------------------------------------ */

typedef struct Am57xxFramebuffer {
    uint32_t width; /* 0: no framebuffer */
    uint32_t height;
    uint32_t stride;
    hwaddr base;
} Am57xxFramebuffer;

struct Am57xxMachineState {
    MachineState parent_obj;

    /* Properties. */
    bool virtio_nodes;
    bool uart_compat;
    char *framebuffer_size; /* "WIDTHxHEIGHT" or NULL */
    char *framebuffer_format;

    DeviceState *mpu; /* GIC and timers */
    DeviceState *crossbar;
    MemoryRegion ocmc_ram1;
    MemoryRegion windows[AM57XX_BLOCKS]; /* windows of accelerators */
    Am57xxFramebuffer framebuffer;
    struct arm_boot_info boot;
};

/* Implement arm_boot_info.get_dtb and .modify_dtb. */
void *am57xx_create_dtb(const struct arm_boot_info *info, int *size);
void am57xx_modify_dtb(const struct arm_boot_info *info, void *fdt);

#endif
