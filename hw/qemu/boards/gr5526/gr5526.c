/*
 * Goodix GR5526: Cortex-M4F, memories, timers, UARTs, NEMA|GFX, display.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Addresses and interrupts: GR5526 datasheet, "GPU"; Goodix GR5526.SDK
 * gr5526xx.h, app_graphics_gpu.h, app_graphics_dc.h and its linker script.
 *
 * There is no boot ROM: it would only jump to the application in flash, which
 * the reset of the CPU does here.  There is no bit-band region either, because
 * the SDK uses the bit-band alias of the peripherals for the GPU.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/cutils.h"
#include "qemu/error-report.h"
#include "qemu/units.h"
#include "hw/misc/unimp.h"
#include "migration/vmstate.h"
#include "system/system.h"
#include "hw/pixmill/compat.h"
#include "hw/pixmill/parts/mmio-ops.h"
#include "gr5526.h"
#include "hw/pixmill/parts/register-bank.h"

#define SYSCLK_HZ 96000000
#define NUM_IRQS 66

#define FLASH_BASE 0x00200000
#define FLASH_SIZE (8 * MiB)
#define SRAM_BASE 0x20000000
#define SRAM_ALIAS 0x30000000
#define SRAM_SIZE (512 * KiB)
#define PSRAM_BASE 0x20080000
#define PSRAM_ALIAS 0x30080000
#define PSRAM_SIZE (8 * MiB)

#define PERIPHERALS_BASE 0x40000000
#define PERIPHERALS_ALIAS 0xA0000000
#define PERIPHERALS_SIZE (64 * MiB)

/* The following are offsets from the start of the peripherals. */
#define TIMER_BASE(n) (0x00000 + 0x1000 * (n))
#define DUAL_TIMER_BASE 0x02000
#define WATCHDOG_BASE 0x08000
#define UART_BASE(n) (0x0C500 + 0x100 * (n))
#define GPU_BASE 0x28000         /* in the datasheet */
#define GPU_SDK_BASE 0x03FF0000  /* in the SDK */
#define DISPLAY_BASE 0x03FF4000
#define TEST_EXIT_BASE 0x03FFF000 /* for tests; not on silicon */

#define IRQ_WATCHDOG 0
#define IRQ_TIMER(n) (8 + (n))
#define IRQ_DUAL_TIMER 10
#define IRQ_DISPLAY 43
#define IRQ_GPU 51
#define IRQ_GPU_ERROR 64

static const int uart_irqs[GR5526_UARTS] = { 12, 13, 52, 53, 54, 55 };

/* Devices that are not modeled.  -d unimp names those that firmware uses. */
static const struct {
    const char *name;
    uint32_t base;
    uint32_t size;
} missing[] = {
    { "peripherals", 0, PERIPHERALS_SIZE }, /* everything else */
    { "USB", 0x09000, 0x1000 },
    { "AON", 0x0A000, 0x500 },
    { "SLP_TIMER", 0x0A500, 0x100 },
    { "RTC0", 0x0A600, 0x80 },
    { "RTC1", 0x0A680, 0x80 },
    { "AON_WDT", 0x0A700, 0x100 },
    { "PMU", 0x0A800, 0x100 },
    { "RF", 0x0A900, 0x700 },
    { "SPIM", 0x0C000, 0x100 },
    { "SPIS", 0x0C100, 0x200 },
    { "I2C0", 0x0C300, 0x100 },
    { "I2C1", 0x0C400, 0x100 },
    { "PWM0", 0x0CB00, 0x100 },
    { "PWM1", 0x0CC00, 0x400 },
    { "XQSPI", 0x0D000, 0x1000 },
    { "CLK_CAL", 0x0E400, 0x400 },
    { "DDVS", 0x0E800, 0x600 },
    { "I2S_S", 0x0F000, 0x200 },
    { "I2S_M", 0x0F200, 0x500 },
    { "PDM", 0x0F700, 0x100 },
    { "GPADC", 0x0F800, 0x200 },
    { "I2C2", 0x0FA00, 0x100 },
    { "I2C3", 0x0FB00, 0x100 },
    { "I2C4", 0x0FC00, 0x100 },
    { "I2C5", 0x0FD00, 0x100 },
    { "GPIO0", 0x10000, 0x1000 },
    { "GPIO1", 0x11000, 0x1000 },
    { "GPIO2", 0x12000, 0x1000 },
    { "PKC", 0x14000, 0x1000 },
    { "AES", 0x15000, 0x800 },
    { "HMAC", 0x15800, 0x800 },
    { "EFUSE", 0x16400, 0x400 },
    { "RNG", 0x17800, 0x800 },
    { "DMA0", 0x19000, 0x1000 },
    { "DMA1", 0x1A000, 0x1000 },
    { "DMA2", 0x1B000, 0x1000 },
    { "QSPI0", 0x21000, 0x1000 },
    { "QSPI1", 0x22000, 0x1000 },
    { "QSPI2", 0x23000, 0x1000 },
    { "OSPI0", 0x24000, 0x1000 },
    { "DSPI", 0x2E000, 0x1000 },
};

/* ---- Memory ------------------------------------------------------------- */

static void gr5526_add_alias(Gr5526MachineState *s, MemoryRegion *alias,
                             const char *name, MemoryRegion *of, hwaddr base)
{
    memory_region_init_alias(alias, OBJECT(s), name, of, 0,
                             memory_region_size(of));
    memory_region_add_subregion(get_system_memory(), base, alias);
}

static void gr5526_create_memory(Gr5526MachineState *s)
{
    MemoryRegion *system = get_system_memory();
    MemoryRegion *psram = MACHINE(s)->ram;

    memory_region_init_rom(&s->flash, NULL, "gr5526.flash", FLASH_SIZE,
                           &error_fatal);
    memory_region_add_subregion(system, FLASH_BASE, &s->flash);
    memory_region_init_ram(&s->sram, NULL, "gr5526.sram", SRAM_SIZE,
                           &error_fatal);
    memory_region_add_subregion(system, SRAM_BASE, &s->sram);
    memory_region_add_subregion(system, PSRAM_BASE, psram);
    gr5526_add_alias(s, &s->sram_alias, "gr5526.sram.alias", &s->sram,
                     SRAM_ALIAS);
    gr5526_add_alias(s, &s->psram_alias, "gr5526.psram.alias", psram,
                     PSRAM_ALIAS);

    memory_region_init(&s->peripherals, OBJECT(s), "gr5526.peripherals",
                       PERIPHERALS_SIZE);
    memory_region_add_subregion(system, PERIPHERALS_BASE, &s->peripherals);
    gr5526_add_alias(s, &s->peripherals_alias, "gr5526.peripherals.alias",
                     &s->peripherals, PERIPHERALS_ALIAS);
}

static void gr5526_create_missing(Gr5526MachineState *s)
{
    for (int i = 0; i < ARRAY_SIZE(missing); i++) {
        g_autofree char *name = g_strdup_printf("gr5526.%s", missing[i].name);
        DeviceState *dev = qdev_new(TYPE_UNIMPLEMENTED_DEVICE);
        SysBusDevice *sbd = SYS_BUS_DEVICE(dev);

        qdev_prop_set_string(dev, "name", name);
        qdev_prop_set_uint64(dev, "size", missing[i].size);
        sysbus_realize_and_unref(sbd, &error_fatal);
        memory_region_add_subregion_overlap(&s->peripherals, missing[i].base,
                                            sysbus_mmio_get_region(sbd, 0),
                                            i ? -1000 : -2000);
    }
    create_unimplemented_device("gr5526.QSPI0-XIP", 0xC0000000, 64 * MiB);
    create_unimplemented_device("gr5526.QSPI1-XIP", 0xC4000000, 64 * MiB);
    create_unimplemented_device("gr5526.QSPI2-XIP", 0xC8000000, 64 * MiB);
}

/* ---- Devices ------------------------------------------------------------ */

static void gr5526_create_cpu(Gr5526MachineState *s)
{
    DeviceState *armv7m;

    s->sysclk = clock_new(OBJECT(s), "SYSCLK");
    clock_set_hz(s->sysclk, SYSCLK_HZ);

    object_initialize_child(OBJECT(s), "armv7m", &s->armv7m, TYPE_ARMV7M);
    armv7m = DEVICE(&s->armv7m);
    qdev_prop_set_uint32(armv7m, "num-irq", NUM_IRQS);
    qdev_prop_set_uint8(armv7m, "num-prio-bits", 8);
    qdev_prop_set_string(armv7m, "cpu-type", MACHINE(s)->cpu_type);
    qdev_connect_clock_in(armv7m, "cpuclk", s->sysclk);
    object_property_set_link(OBJECT(armv7m), "memory",
                             OBJECT(get_system_memory()), &error_abort);
    sysbus_realize(SYS_BUS_DEVICE(armv7m), &error_fatal);
    cortex_m_caches_create(OBJECT(s), &s->armv7m, &s->caches);
}

static qemu_irq gr5526_irq(Gr5526MachineState *s, int number)
{
    return qdev_get_gpio_in(DEVICE(&s->armv7m), number);
}

static void gr5526_map(Gr5526MachineState *s, void *device, uint32_t offset)
{
    memory_region_add_subregion(&s->peripherals, offset,
                                sysbus_mmio_get_region(SYS_BUS_DEVICE(device),
                                                       0));
}

static void gr5526_realize(Gr5526MachineState *s, void *device, uint32_t offset,
                           int irq)
{
    sysbus_realize(SYS_BUS_DEVICE(device), &error_fatal);
    gr5526_map(s, device, offset);
    if (irq >= 0) {
        sysbus_connect_irq(SYS_BUS_DEVICE(device), 0, gr5526_irq(s, irq));
    }
}

static void gr5526_create_timers(Gr5526MachineState *s)
{
    for (int i = 0; i < GR5526_TIMERS; i++) {
        object_initialize_child(OBJECT(s), "timer[*]", &s->timer[i],
                                TYPE_CMSDK_APB_TIMER);
        qdev_connect_clock_in(DEVICE(&s->timer[i]), "pclk", s->sysclk);
        gr5526_realize(s, &s->timer[i], TIMER_BASE(i), IRQ_TIMER(i));
    }
    object_initialize_child(OBJECT(s), "dual-timer", &s->dual_timer,
                            TYPE_CMSDK_APB_DUALTIMER);
    qdev_connect_clock_in(DEVICE(&s->dual_timer), "TIMCLK", s->sysclk);
    gr5526_realize(s, &s->dual_timer, DUAL_TIMER_BASE, IRQ_DUAL_TIMER);

    object_initialize_child(OBJECT(s), "watchdog", &s->watchdog,
                            TYPE_CMSDK_APB_WATCHDOG);
    qdev_connect_clock_in(DEVICE(&s->watchdog), "WDOGCLK", s->sysclk);
    gr5526_realize(s, &s->watchdog, WATCHDOG_BASE, IRQ_WATCHDOG);
}

static void gr5526_create_uarts(Gr5526MachineState *s)
{
    for (int i = 0; i < GR5526_UARTS; i++) {
        object_initialize_child(OBJECT(s), "uart[*]", &s->uart[i],
                                TYPE_DW_UART);
        qdev_prop_set_chr(DEVICE(&s->uart[i]), "chardev", serial_hd(i));
        gr5526_realize(s, &s->uart[i], UART_BASE(i), uart_irqs[i]);
    }
}

/* Clock gates and similar registers that have no effect. */
static const RegisterBlock gr5526_blocks[] = {
    { "mcu-sub", 0x0E000, 0x400 },
    { "mcu-ret", 0x0EE00, 0x200 },
};

static void gr5526_create_registers(Gr5526MachineState *s)
{
    for (int i = 0; i < ARRAY_SIZE(gr5526_blocks); i++) {
        gr5526_map(s, register_block_create(OBJECT(s), &gr5526_blocks[i]),
                   gr5526_blocks[i].base);
    }
}

static void gr5526_create_gpu(Gr5526MachineState *s)
{
    SysBusDevice *gpu;

    object_initialize_child(OBJECT(s), "gpu", &s->gpu, TYPE_NEMA_GFX);
    gpu = SYS_BUS_DEVICE(&s->gpu);
    sysbus_realize(gpu, &error_fatal);
    sysbus_connect_irq(gpu, 0, gr5526_irq(s, IRQ_GPU));
    sysbus_connect_irq(gpu, 1, gr5526_irq(s, IRQ_GPU_ERROR));
    if (s->gpu_base) {
        sysbus_mmio_map_overlap(gpu, 0, s->gpu_base, 1);
        return;
    }
    gr5526_map(s, gpu, GPU_BASE);
    memory_region_init_alias(&s->gpu_alias, OBJECT(s), "gr5526.gpu.alias",
                             sysbus_mmio_get_region(gpu, 0), 0,
                             PIXMILL_NEMA_WINDOW);
    memory_region_add_subregion(&s->peripherals, GPU_SDK_BASE, &s->gpu_alias);
}

/* Parses ADDRESS:WIDTHxHEIGHT:FORMAT. */
static bool gr5526_parse_framebuffer(const char *text, uint64_t *address,
                                     unsigned *width, unsigned *height,
                                     const char **format)
{
    return !qemu_strtou64(text, &text, 0, address) && *text++ == ':' &&
           *address <= UINT32_MAX &&
           !qemu_strtoui(text, &text, 10, width) && *text++ == 'x' && *width &&
           !qemu_strtoui(text, &text, 10, height) && *text++ == ':' &&
           *(*format = text);
}

static void gr5526_create_display(Gr5526MachineState *s)
{
    DeviceState *dev;
    const char *format;
    uint64_t address;
    unsigned width, height;

    object_initialize_child(OBJECT(s), "display", &s->display,
                            TYPE_GR5526_DISPLAY);
    dev = DEVICE(&s->display);
    object_property_set_link(OBJECT(dev), "gpu", OBJECT(&s->gpu), &error_abort);
    if (s->framebuffer) {
        if (!gr5526_parse_framebuffer(s->framebuffer, &address, &width, &height,
                                      &format)) {
            error_report("framebuffer is ADDRESS:WIDTHxHEIGHT:FORMAT, e.g. "
                         "0x20080000:454x454:rgb565, not '%s'", s->framebuffer);
            exit(1);
        }
        qdev_prop_set_uint32(dev, "address", address);
        qdev_prop_set_uint32(dev, "width", width);
        qdev_prop_set_uint32(dev, "height", height);
        qdev_prop_set_string(dev, "format", format);
    }
    gr5526_realize(s, dev, DISPLAY_BASE, IRQ_DISPLAY);
}

/* ---- Test exit ---------------------------------------------------------- */

static uint64_t gr5526_test_exit_read(void *opaque, hwaddr addr, unsigned size)
{
    return 0;
}

static void gr5526_test_exit_write(void *opaque, hwaddr addr, uint64_t value,
                                   unsigned size)
{
    qemu_system_shutdown_request_with_code(SHUTDOWN_CAUSE_GUEST_SHUTDOWN,
                                           value & 0xFF);
}

static const MemoryRegionOps gr5526_test_exit_ops =
    PIXMILL_MMIO_OPS(gr5526_test_exit_read, gr5526_test_exit_write, 4, 4);

static void gr5526_create_test_exit(Gr5526MachineState *s)
{
    memory_region_init_io(&s->test_exit, OBJECT(s), &gr5526_test_exit_ops, s,
                          "gr5526.test-exit", 4);
    memory_region_add_subregion(&s->peripherals, TEST_EXIT_BASE, &s->test_exit);
}

/* ---- Machine ------------------------------------------------------------ */

static const PixmillFirmwareRange gr5526_stacks[] = {
    { SRAM_BASE, SRAM_SIZE + PSRAM_SIZE },
    { SRAM_ALIAS, SRAM_SIZE + PSRAM_SIZE },
    { }
};

/* Machine properties that the guest can see, which must match. */
static const VMStateDescription vmstate_gr5526 = {
    .name = "gr5526",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        PIXMILL_SAME("gpu-base", Gr5526MachineState, gpu_base),
        VMSTATE_END_OF_LIST()
    },
};

static void gr5526_reset(MachineState *machine, ResetType type)
{
    pixmill_firmware_reset(&GR5526_MACHINE(machine)->firmware, type);
}

static void gr5526_init(MachineState *machine)
{
    Gr5526MachineState *s = GR5526_MACHINE(machine);

    if (machine->ram_size != PSRAM_SIZE) {
        error_report("gr5526 has %d MiB of PSRAM, no more and no less",
                     (int)(PSRAM_SIZE / MiB));
        exit(1);
    }
    if (s->gpu_base % PIXMILL_NEMA_WINDOW || s->gpu_base > UINT32_MAX) {
        error_report("gpu-base is a multiple of 0x%x below 4 GiB",
                     PIXMILL_NEMA_WINDOW);
        exit(1);
    }
    if (s->firmware.vector_table % PIXMILL_VECTORS_ALIGN) {
        error_report("vector-table is a multiple of %d", PIXMILL_VECTORS_ALIGN);
        exit(1);
    }
    vmstate_register(NULL, 0, &vmstate_gr5526, s);
    gr5526_create_memory(s);
    gr5526_create_cpu(s);
    gr5526_create_missing(s);
    gr5526_create_timers(s);
    gr5526_create_uarts(s);
    gr5526_create_registers(s);
    gr5526_create_gpu(s);
    gr5526_create_display(s);
    gr5526_create_test_exit(s);
    s->firmware.stacks = gr5526_stacks;
    s->firmware.flash_base = FLASH_BASE;
    s->firmware.flash_size = FLASH_SIZE;
    pixmill_firmware_load(&s->firmware, &s->armv7m, machine->kernel_filename);
}

static char *gr5526_get_framebuffer(Object *obj, Error **errp)
{
    return g_strdup(GR5526_MACHINE(obj)->framebuffer);
}

static void gr5526_set_framebuffer(Object *obj, const char *value, Error **errp)
{
    Gr5526MachineState *s = GR5526_MACHINE(obj);

    g_free(s->framebuffer);
    s->framebuffer = g_strdup(value);
}

static void gr5526_instance_init(Object *obj)
{
    Gr5526MachineState *s = GR5526_MACHINE(obj);

    cortex_m_caches_add_properties(obj, &s->caches);
    object_property_add_uint64_ptr(obj, "gpu-base", &s->gpu_base,
                                   OBJ_PROP_FLAG_READWRITE);
    object_property_set_description(obj, "gpu-base",
        "address of the GPU's registers (default: the GR5526's)");
    object_property_add_uint32_ptr(obj, "vector-table",
                                   &s->firmware.vector_table,
                                   OBJ_PROP_FLAG_READWRITE);
    object_property_set_description(obj, "vector-table",
        "address of the vector table (default: the first in the image)");
}

static void gr5526_finalize(Object *obj)
{
    g_free(GR5526_MACHINE(obj)->framebuffer);
}

static void gr5526_class_init(ObjectClass *oc, PixmillClassData *data)
{
    /*
     * The first type is that of the SoC.  LVGL archives exist for the others.
     */
    static const char *const cpu_types[] = {
        ARM_CPU_TYPE_NAME("cortex-m4"),
        ARM_CPU_TYPE_NAME("cortex-m7"),
        ARM_CPU_TYPE_NAME("cortex-m33"),
        ARM_CPU_TYPE_NAME("cortex-m55"),
        NULL
    };
    MachineClass *mc = MACHINE_CLASS(oc);

    mc->desc = "Goodix GR5526 (Cortex-M4F, NEMA|GFX)";
    mc->init = gr5526_init;
    mc->reset = gr5526_reset;
    mc->max_cpus = 1;
    mc->default_cpu_type = cpu_types[0];
    mc->valid_cpu_types = cpu_types;
    mc->default_ram_id = "gr5526.psram";
    mc->default_ram_size = PSRAM_SIZE;
    mc->no_parallel = 1;
    mc->no_floppy = 1;
    mc->no_cdrom = 1;

    object_class_property_add_str(oc, "framebuffer", gr5526_get_framebuffer,
                                  gr5526_set_framebuffer);
    object_class_property_set_description(oc, "framebuffer",
        "ADDRESS:WIDTHxHEIGHT:FORMAT: surface to show while layer 0 of the "
        "display is off (default: the GPU's last target)");
}

static const TypeInfo gr5526_types[] = {
    {
        .name = TYPE_GR5526_MACHINE,
        .parent = TYPE_MACHINE,
        .interfaces = arm_machine_interfaces,
        .instance_size = sizeof(Gr5526MachineState),
        .instance_init = gr5526_instance_init,
        .instance_finalize = gr5526_finalize,
        .class_init = gr5526_class_init,
    },
};

DEFINE_TYPES(gr5526_types)
