/*
 * NXP i.MX RT1170 (MIMXRT1176): Cortex-M7, memories, LPUARTs, timers, GC355,
 * display.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Addresses and interrupts: NXP MCUXpresso SDK, devices/RT/RT1170,
 * MIMXRT1176_cm7_COMMON.h and its linker scripts; Zephyr nxp_rt11xx.dtsi.
 *
 * There is no boot ROM: it would read the boot header in flash and jump to the
 * image that it names, which the reset of the CPU does here.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "qemu/units.h"
#include "hw/misc/unimp.h"
#include "system/system.h"
#include "hw/pixmill/compat.h"
#include "imxrt1170.h"

/*
 * Clock rates: DEFAULT_SYSTEM_CLOCK of system_MIMXRT1176_cm7.h, and
 * M7_SYSTICK_CLK_ROOT of the EVK's clock_config.c.
 */
#define CPU_HZ 996000000
#define SYSTICK_HZ 100000
#define CRYSTAL_HZ 24000000

#define NUM_IRQS 218
#define PRIORITY_BITS 4

/* FlexRAM has 512 KiB, which both TCMs share.  Here, each TCM has 512 KiB. */
#define ITCM_BASE 0x00000000
#define DTCM_BASE 0x20000000
#define TCM_SIZE (512 * KiB)
/*
 * The M4's OCRAM, OCRAM1, OCRAM2, the ECC regions of both, and FlexRAM's OCRAM,
 * without gaps.
 */
#define OCRAM_BASE 0x20200000
#define OCRAM_SIZE (1536 * KiB)
#define FLASH_BASE 0x30000000 /* FlexSPI1 */
#define FLASH_SIZE (64 * MiB)
#define SDRAM_BASE 0x80000000 /* SEMC */
#define SDRAM_SIZE (64 * MiB)

#define PERIPHERALS_BASE 0x40000000
#define PERIPHERALS_SIZE (48 * MiB)
#define LCDIFV2_BASE 0x40808000
#define GPU_BASE 0x41800000

#define IRQ_LPUART(n) (20 + (n))
#define IRQ_LCDIFV2 55
#define IRQ_GPU 60
#define IRQ_GPT(n) (119 + (n))

#define GPT_BASE(n) (0x400EC000 + 0x4000 * (n))

static const uint32_t lpuart_bases[IMXRT1170_LPUARTS] = {
    0x4007C000, 0x40080000, 0x40084000, 0x40088000, 0x4008C000, 0x40090000,
    0x40094000, 0x40098000, 0x4009C000, 0x400A0000, 0x40C24000, 0x40C28000,
};

/* Devices that are not modeled.  -d unimp names those that firmware uses. */
static const struct {
    const char *name;
    uint32_t base;
    uint32_t size;
} missing[] = {
    { "peripherals", PERIPHERALS_BASE, PERIPHERALS_SIZE }, /* everything else */
    { "EDMA", 0x40070000, 0x8000 },
    { "FLEXIO", 0x400AC000, 0x8000 },
    { "CAN", 0x400C4000, 0x8000 },
    { "PIT1", 0x400D8000, 0x4000 },
    { "LPI2C1-4", 0x40104000, 0x10000 },
    { "LPSPI1-4", 0x40114000, 0x10000 },
    { "CCM_OBS", 0x40150000, 0x4000 },
    { "QTMR", 0x4015C000, 0x10000 },
    { "PWM", 0x4018C000, 0x10000 },
    { "SAI", 0x40404000, 0xC000 },
    { "USDHC", 0x40418000, 0x8000 },
    { "ENET", 0x40420000, 0x8000 },
    { "USB", 0x4042C000, 0x10000 },
    { "ENET_QOS", 0x4043C000, 0x4000 },
    { "CAAM", 0x40440000, 0x100000 },
    { "CSI", 0x40800000, 0x4000 },
    { "LCDIF", 0x40804000, 0x4000 },
    { "MIPI_DSI", 0x4080C000, 0x4000 },
    { "MIPI_CSI", 0x40810000, 0x4000 },
    { "PXP", 0x40814000, 0x4000 },
    { "LPSPI5-6", 0x40C2C000, 0x8000 },
    { "LPI2C5-6", 0x40C34000, 0x8000 },
    { "MU", 0x40C48000, 0x4000 },
    { "PIT2", 0x40CB0000, 0x4000 },
};

/* ---- Memory ------------------------------------------------------------- */

static void imxrt1170_add_ram(MemoryRegion *mr, const char *name, hwaddr base,
                              uint64_t size)
{
    memory_region_init_ram(mr, NULL, name, size, &error_fatal);
    memory_region_add_subregion(get_system_memory(), base, mr);
}

static void imxrt1170_create_memory(Imxrt1170MachineState *s)
{
    MemoryRegion *system = get_system_memory();

    imxrt1170_add_ram(&s->itcm, "imxrt1170.itcm", ITCM_BASE, TCM_SIZE);
    imxrt1170_add_ram(&s->dtcm, "imxrt1170.dtcm", DTCM_BASE, TCM_SIZE);
    imxrt1170_add_ram(&s->ocram, "imxrt1170.ocram", OCRAM_BASE, OCRAM_SIZE);
    memory_region_init_rom(&s->flash, NULL, "imxrt1170.flash", FLASH_SIZE,
                           &error_fatal);
    memory_region_add_subregion(system, FLASH_BASE, &s->flash);
    memory_region_add_subregion(system, SDRAM_BASE, MACHINE(s)->ram);
}

static void imxrt1170_create_missing(void)
{
    for (int i = 0; i < ARRAY_SIZE(missing); i++) {
        g_autofree char *name = g_strdup_printf("imxrt1170.%s",
                                                missing[i].name);
        DeviceState *dev = qdev_new(TYPE_UNIMPLEMENTED_DEVICE);

        qdev_prop_set_string(dev, "name", name);
        qdev_prop_set_uint64(dev, "size", missing[i].size);
        sysbus_realize_and_unref(SYS_BUS_DEVICE(dev), &error_fatal);
        sysbus_mmio_map_overlap(SYS_BUS_DEVICE(dev), 0, missing[i].base,
                                i ? -1000 : -2000);
    }
}

/* ---- Devices ------------------------------------------------------------ */

static void imxrt1170_create_cpu(Imxrt1170MachineState *s)
{
    DeviceState *armv7m;

    s->cpuclk = clock_new(OBJECT(s), "CPUCLK");
    clock_set_hz(s->cpuclk, CPU_HZ);
    s->systick = clock_new(OBJECT(s), "SYSTICK");
    clock_set_hz(s->systick, SYSTICK_HZ);

    object_initialize_child(OBJECT(s), "armv7m", &s->armv7m, TYPE_ARMV7M);
    armv7m = DEVICE(&s->armv7m);
    qdev_prop_set_uint32(armv7m, "num-irq", NUM_IRQS);
    qdev_prop_set_uint8(armv7m, "num-prio-bits", PRIORITY_BITS);
    qdev_prop_set_string(armv7m, "cpu-type", MACHINE(s)->cpu_type);
    qdev_connect_clock_in(armv7m, "cpuclk", s->cpuclk);
    qdev_connect_clock_in(armv7m, "refclk", s->systick);
    object_property_set_link(OBJECT(armv7m), "memory",
                             OBJECT(get_system_memory()), &error_abort);
    sysbus_realize(SYS_BUS_DEVICE(armv7m), &error_fatal);
    cortex_m_caches_create(OBJECT(s), &s->armv7m, &s->caches);
}

static qemu_irq imxrt1170_irq(Imxrt1170MachineState *s, int number)
{
    return qdev_get_gpio_in(DEVICE(&s->armv7m), number);
}

static void imxrt1170_realize(Imxrt1170MachineState *s, void *device,
                              hwaddr base, int irq)
{
    sysbus_realize(SYS_BUS_DEVICE(device), &error_fatal);
    sysbus_mmio_map(SYS_BUS_DEVICE(device), 0, base);
    if (irq >= 0) {
        sysbus_connect_irq(SYS_BUS_DEVICE(device), 0, imxrt1170_irq(s, irq));
    }
}

/*
 * At reset, the GPTs' clock roots select the crystal.  The model of CCM does
 * not change that.
 */
static void imxrt1170_create_timers(Imxrt1170MachineState *s)
{
    object_initialize_child(OBJECT(s), "clocks", &s->clocks,
                            TYPE_IMXRT1170_CLOCKS);
    sysbus_realize(SYS_BUS_DEVICE(&s->clocks), &error_fatal);
    for (int i = 0; i < IMXRT1170_GPTS; i++) {
        object_initialize_child(OBJECT(s), "gpt[*]", &s->gpt[i], TYPE_IMX7_GPT);
        s->gpt[i].ccm = &s->clocks;
        imxrt1170_realize(s, &s->gpt[i], GPT_BASE(i), IRQ_GPT(i));
    }
}

static void imxrt1170_create_lpuarts(Imxrt1170MachineState *s)
{
    for (int i = 0; i < IMXRT1170_LPUARTS; i++) {
        object_initialize_child(OBJECT(s), "lpuart[*]", &s->lpuart[i],
                                TYPE_NXP_LPUART);
        qdev_prop_set_chr(DEVICE(&s->lpuart[i]), "chardev", serial_hd(i));
        imxrt1170_realize(s, &s->lpuart[i], lpuart_bases[i], IRQ_LPUART(i));
    }
}

static void imxrt1170_create_registers(Imxrt1170MachineState *s)
{
    for (const RegisterBlock *b = imxrt1170_blocks; b->name; b++) {
        SysBusDevice *block = register_block_create(OBJECT(s), b);

        sysbus_mmio_map(block, 0, b->base);
        if (b->gate) {
            s->gpu_gate = DEVICE(block);
        }
    }
}

static void imxrt1170_create_gpu(Imxrt1170MachineState *s)
{
    qemu_irq clock_off;

    object_initialize_child(OBJECT(s), "gpu", &s->gpu, TYPE_VIVANTE_GC);
    qdev_prop_set_string(DEVICE(&s->gpu), "model", "gc355-rt1170");
    imxrt1170_realize(s, &s->gpu, GPU_BASE, IRQ_GPU);
    clock_off = qdev_get_gpio_in_named(DEVICE(&s->gpu), VIVANTE_GC_CLOCK_OFF,
                                       0);
    qdev_connect_gpio_out_named(s->gpu_gate, REGISTER_BLOCK_GATE_SHUT, 0,
                                clock_off);
}

/*
 * Software decides which interrupt domain belongs to the M7, so the interrupts
 * of both domains are connected to it.
 */
static void imxrt1170_create_display(Imxrt1170MachineState *s)
{
    DeviceState *any;

    object_initialize_child(OBJECT(s), "display-irq", &s->display_irq,
                            TYPE_OR_IRQ);
    any = DEVICE(&s->display_irq);
    qdev_prop_set_uint16(any, "num-lines", LCDIFV2_DOMAINS);
    qdev_realize(any, NULL, &error_fatal);
    qdev_connect_gpio_out(any, 0, imxrt1170_irq(s, IRQ_LCDIFV2));

    object_initialize_child(OBJECT(s), "display", &s->display, TYPE_LCDIFV2);
    imxrt1170_realize(s, &s->display, LCDIFV2_BASE, -1);
    for (int i = 0; i < LCDIFV2_DOMAINS; i++) {
        sysbus_connect_irq(SYS_BUS_DEVICE(&s->display), i,
                           qdev_get_gpio_in(any, i));
    }
}

/* ---- Machine ------------------------------------------------------------ */

static const PixmillFirmwareRange imxrt1170_stacks[] = {
    { ITCM_BASE, TCM_SIZE },
    { DTCM_BASE, TCM_SIZE },
    { OCRAM_BASE, OCRAM_SIZE },
    { SDRAM_BASE, SDRAM_SIZE },
    { }
};

static void imxrt1170_init(MachineState *machine)
{
    Imxrt1170MachineState *s = IMXRT1170_MACHINE(machine);

    if (machine->ram_size != SDRAM_SIZE) {
        error_report("imxrt1170 has %d MiB of SDRAM, no more and no less",
                     (int)(SDRAM_SIZE / MiB));
        exit(1);
    }
    if (s->firmware.vector_table % PIXMILL_VECTORS_ALIGN) {
        error_report("vector-table is a multiple of %d", PIXMILL_VECTORS_ALIGN);
        exit(1);
    }
    imxrt1170_create_memory(s);
    imxrt1170_create_cpu(s);
    imxrt1170_create_missing();
    imxrt1170_create_registers(s);
    imxrt1170_create_timers(s);
    imxrt1170_create_lpuarts(s);
    imxrt1170_create_gpu(s);
    imxrt1170_create_display(s);
    s->firmware.stacks = imxrt1170_stacks;
    s->firmware.flash_base = FLASH_BASE;
    s->firmware.flash_size = FLASH_SIZE;
    pixmill_firmware_load(&s->firmware, &s->armv7m, machine->kernel_filename);
}

static void imxrt1170_reset(MachineState *machine, ResetType type)
{
    pixmill_firmware_reset(&IMXRT1170_MACHINE(machine)->firmware, type);
}

static void imxrt1170_instance_init(Object *obj)
{
    Imxrt1170MachineState *s = IMXRT1170_MACHINE(obj);

    /* NXP AN13204, table 3: software may switch the ECC of the caches off. */
    s->caches = (CortexMCachesConfig) {
        .itcm_size = TCM_SIZE,
        .dtcm_size = TCM_SIZE,
        .ecc = true,
    };
    cortex_m_caches_add_properties(obj, &s->caches);
    object_property_add_uint32_ptr(obj, "vector-table",
                                   &s->firmware.vector_table,
                                   OBJ_PROP_FLAG_READWRITE);
    object_property_set_description(obj, "vector-table",
        "address of the vector table (default: the first in the image)");
}

static void imxrt1170_class_init(ObjectClass *oc, PixmillClassData *data)
{
    static const char *const cpu_types[] = {
        ARM_CPU_TYPE_NAME("cortex-m7"),
        NULL
    };
    MachineClass *mc = MACHINE_CLASS(oc);

    mc->desc = "NXP i.MX RT1170 (Cortex-M7, GC355)";
    mc->init = imxrt1170_init;
    mc->reset = imxrt1170_reset;
    mc->max_cpus = 1;
    mc->default_cpu_type = cpu_types[0];
    mc->valid_cpu_types = cpu_types;
    mc->default_ram_id = "imxrt1170.sdram";
    mc->default_ram_size = SDRAM_SIZE;
    mc->no_parallel = 1;
    mc->no_floppy = 1;
    mc->no_cdrom = 1;
}

/* ---- Clocks of QEMU's GPT ----------------------------------------------- */

static uint32_t imxrt1170_clock_hz(IMXCCMState *s, IMXClk clock)
{
    switch (clock) {
    case CLK_IPG:
    case CLK_IPG_HIGH:
    case CLK_HIGH:
        return CRYSTAL_HZ;
    case CLK_32k:
        return CKIL_FREQ;
    default:
        return 0;
    }
}

static void imxrt1170_clocks_class_init(ObjectClass *oc, PixmillClassData *data)
{
    IMX_CCM_CLASS(oc)->get_clock_frequency = imxrt1170_clock_hz;
    DEVICE_CLASS(oc)->user_creatable = false;
}

static const TypeInfo imxrt1170_types[] = {
    {
        .name = TYPE_IMXRT1170_MACHINE,
        .parent = TYPE_MACHINE,
        .interfaces = arm_machine_interfaces,
        .instance_size = sizeof(Imxrt1170MachineState),
        .instance_init = imxrt1170_instance_init,
        .class_init = imxrt1170_class_init,
    },
    {
        .name = TYPE_IMXRT1170_CLOCKS,
        .parent = TYPE_IMX_CCM,
        .instance_size = sizeof(IMXCCMState),
        .class_init = imxrt1170_clocks_class_init,
    },
};

DEFINE_TYPES(imxrt1170_types)
