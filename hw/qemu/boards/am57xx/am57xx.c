/*
 * Machine "am57xx": the part of a TI AM57xx that Linux needs to drive the
 * SoC's graphics accelerators.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Addresses and interrupt sources: AM572x TRM (SPRUHZ6), memory mapping and
 * interrupt controllers; linux arch/arm/boot/dts/ti/omap/dra7*.dtsi.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/cutils.h"
#include "qemu/error-report.h"
#include "qemu/units.h"
#include "hw/cpu/a15mpcore.h"
#include "system/device_tree.h"
#include "system/system.h"
#include "target/arm/cpu.h"
#include "hw/pixmill/compat.h"
#include "am57xx.h"
#include "am57xx-crossbar.h"
#include "am57xx-soc.h"
#include "hw/pixmill/parts/omap-uart.h"
#include "hw/pixmill/cores/sgx544.h"
#include "hw/pixmill/parts/simple-framebuffer.h"
#include "hw/pixmill/cores/vivante.h"

/* ---- Memory map --------------------------------------------------------- */

/*
 * The virtio-mmio transports are in a hole of the AM57xx map.  They use the
 * crossbar inputs 122 to 129, to which the SoC connects nothing.
 */
const Am57xxBlock am57xx_map[AM57XX_BLOCKS] = {
    [AM57XX_OCMC_RAM1] = { OCMC_RAM1_BASE, 512 * KiB, -1 },
    [AM57XX_UART3]     = { UART3_BASE, 0x400, 69 },
    [AM57XX_UART1]     = { UART1_BASE, 0x400, 67 },
    [AM57XX_UART2]     = { UART2_BASE, 0x400, 68 },
    [AM57XX_UART4]     = { UART4_BASE, 0x400, 65 },
    [AM57XX_MPU]       = { MPU_BASE, 32 * KiB, -1 },
    [AM57XX_WUGEN]     = { MPU_WUGEN_BASE, 4 * KiB, -1 },
    [AM57XX_CROSSBAR]  = { CTRL_MODULE_CORE_BASE + CTRL_CORE_MPU_IRQ,
                           0x130, -1 },
    [AM57XX_VIRTIO]    = { VIRTIO_BASE, 0x200, 122 }, /* per transport */
    [AM57XX_GPU]       = { GPU_BASE, 32 * MiB, 16 },
    [AM57XX_BB2D]      = { BB2D_BASE, 2 * KiB, 120 },
    [AM57XX_SDRAM]     = { SDRAM_BASE, 2 * GiB, -1 },
};

const Am57xxBlockId am57xx_uarts[AM57XX_UARTS] = {
    AM57XX_UART3, AM57XX_UART1, AM57XX_UART2, AM57XX_UART4,
};

/* ---- Accelerators ------------------------------------------------------- */

static void configure_bb2d(DeviceState *dev)
{
    qdev_prop_set_string(dev, "model", "gc320-am57xx");
    if (!VIVANTE_GC(dev)->core_clock_hz) {
        /* -global vivante-gc.core-clock-hz was not given. */
        qdev_prop_set_uint32(dev, "core-clock-hz", BB2D_CLK_HZ);
    }
}

static void configure_gpu(DeviceState *dev)
{
    if (!SGX544(dev)->core_clock_hz) {
        /* -global sgx544.core-clock-hz was not given. */
        qdev_prop_set_uint32(dev, "core-clock-hz", GPU_CLK_HZ);
    }
}

/* To add an accelerator of the SoC, add a row here and one in am57xx_map. */
const Am57xxAccelerator am57xx_accelerators[] = {
    {
        .block = AM57XX_BB2D,
        .child = "pixmill-bb2d",
        .type = TYPE_VIVANTE_GC,
        .configure = configure_bb2d,
        .clock_hz = BB2D_CLK_HZ,
        .clock_node = "clock-bb2d",
        .rev = 0x20, /* Vivante's chip ID; TI defines no REVISION */
        .node_size = 0x700,
        .compatible = "vivante,gc\0",
        .clock_name = "core",
    },
    {
        .block = AM57XX_GPU,
        .child = "pixmill-gpu",
        .type = TYPE_SGX544,
        .configure = configure_gpu,
        .clock_hz = GPU_CLK_HZ,
        .clock_node = "clock-gpu",
        .rev = 0xFE00,
        .sysc = 0xFE10,
        .node_size = 0x10000,
        .compatible = "ti,am5728-gpu\0img,powervr-sgx544\0",
    },
};

const size_t am57xx_accelerator_count = ARRAY_SIZE(am57xx_accelerators);

/* ---- Devices ------------------------------------------------------------ */

static qemu_irq am57xx_source(Am57xxMachineState *s, int source)
{
    return qdev_get_gpio_in_named(s->crossbar, "source", source);
}

static void am57xx_create_cpus(Am57xxMachineState *s)
{
    MachineState *machine = MACHINE(s);

    for (unsigned i = 0; i < machine->smp.cpus; i++) {
        Object *cpu = object_new(machine->cpu_type);

        object_property_add_child(OBJECT(s), "cpu[*]", cpu);
        /*
         * Linux starts in SVC mode: it then needs neither a HYP stub nor TI's
         * monitor, and every SMC is a PSCI call.
         */
        object_property_set_bool(cpu, "has_el3", false, &error_abort);
        object_property_set_bool(cpu, "has_el2", false, &error_abort);
        object_property_set_int(cpu, "reset-cbar", am57xx_map[AM57XX_MPU].base,
                                &error_abort);
        qdev_realize(DEVICE(cpu), NULL, &error_fatal);
        object_unref(cpu);
    }
}

/* The A15's private region: the GIC, and the timers' interrupts to it. */
static void am57xx_create_mpu(Am57xxMachineState *s)
{
    static const int outputs[] = { /* outputs of a15mpcore_priv, per CPU */
        ARM_CPU_IRQ, ARM_CPU_FIQ, ARM_CPU_VIRQ, ARM_CPU_VFIQ,
    };
    unsigned cpus = MACHINE(s)->smp.cpus;
    SysBusDevice *sbd;

    s->mpu = qdev_new(TYPE_A15MPCORE_PRIV);
    sbd = SYS_BUS_DEVICE(s->mpu);
    object_property_add_child(OBJECT(s), "mpu", OBJECT(s->mpu));
    qdev_prop_set_uint32(s->mpu, "num-cpu", cpus);
    qdev_prop_set_uint32(s->mpu, "num-irq", AM57XX_SPIS + GIC_INTERNAL);
    sysbus_realize_and_unref(sbd, &error_fatal);
    sysbus_mmio_map(sbd, 0, am57xx_map[AM57XX_MPU].base);
    for (unsigned i = 0; i < cpus; i++) {
        for (int kind = 0; kind < ARRAY_SIZE(outputs); kind++) {
            sysbus_connect_irq(sbd, kind * cpus + i,
                               qdev_get_gpio_in(DEVICE(qemu_get_cpu(i)),
                                                outputs[kind]));
        }
    }
}

/* Lines of the bank "mpu" are SPIs; the other banks are unconnected. */
static void am57xx_create_crossbar(Am57xxMachineState *s)
{
    DeviceState *bank;

    s->crossbar = am57xx_crossbar_create(OBJECT(s));
    bank = ti_irq_crossbar_bank(s->crossbar, "mpu");
    for (int spi = 0; spi < AM57XX_SPIS; spi++) {
        qdev_connect_gpio_out_named(bank, "line", spi,
                                    qdev_get_gpio_in(s->mpu, spi));
    }
}

static void am57xx_create_uarts(Am57xxMachineState *s)
{
    for (int i = 0; i < AM57XX_UARTS; i++) {
        const Am57xxBlock *uart = &am57xx_map[am57xx_uarts[i]];
        DeviceState *dev = qdev_new(TYPE_OMAP_UART);
        SysBusDevice *sbd = SYS_BUS_DEVICE(dev);

        object_property_add_child(OBJECT(s), "uart[*]", OBJECT(dev));
        qdev_prop_set_chr(dev, "chardev", serial_hd(i));
        sysbus_realize_and_unref(sbd, &error_fatal);
        sysbus_mmio_map(sbd, 0, uart->base);
        sysbus_connect_irq(sbd, 0, am57xx_source(s, uart->source));
    }
}

static void am57xx_create_virtio(Am57xxMachineState *s)
{
    const Am57xxBlock *first = &am57xx_map[AM57XX_VIRTIO];

    for (int i = 0; i < AM57XX_VIRTIO_TRANSPORTS; i++) {
        sysbus_create_simple("virtio-mmio", first->base + i * first->size,
                             am57xx_source(s, first->source + i));
    }
}

/* Maps the part of a device's register window that the SoC decodes. */
static void am57xx_map_window(Am57xxMachineState *s, SysBusDevice *sbd,
                              const Am57xxAccelerator *accelerator)
{
    const Am57xxBlock *block = &am57xx_map[accelerator->block];
    MemoryRegion *window = &s->windows[accelerator->block];

    memory_region_init_alias(window, OBJECT(s), accelerator->child,
                             sysbus_mmio_get_region(sbd, 0), 0, block->size);
    memory_region_add_subregion(get_system_memory(), block->base, window);
}

static void am57xx_create_accelerators(Am57xxMachineState *s)
{
    for (size_t i = 0; i < am57xx_accelerator_count; i++) {
        const Am57xxAccelerator *accelerator = &am57xx_accelerators[i];
        DeviceState *dev = qdev_new(accelerator->type);
        SysBusDevice *sbd = SYS_BUS_DEVICE(dev);
        int source = am57xx_map[accelerator->block].source;

        object_property_add_child(OBJECT(s), accelerator->child, OBJECT(dev));
        accelerator->configure(dev);
        sysbus_realize_and_unref(sbd, &error_fatal);
        am57xx_map_window(s, sbd, accelerator);
        sysbus_connect_irq(sbd, 0, am57xx_source(s, source));
    }
}

/*
 * The SoC always has timers, clocks and similar parts, although the generated
 * tree does not list them.
 */
static void am57xx_create_soc(Am57xxMachineState *s)
{
    DeviceState *registers = am57xx_soc_create(OBJECT(s), s->crossbar,
                                               MACHINE(s)->dtb);
    DeviceState *bb2d = DEVICE(object_resolve_path_component(OBJECT(s),
                                                             "pixmill-bb2d"));

    qdev_connect_gpio_out_named(bb2d, "standby", 0,
                                qdev_get_gpio_in_named(registers, "standby",
                                                       0));
}

/* ---- Framebuffer -------------------------------------------------------- */

static bool parse_size(const char *text, uint32_t *width, uint32_t *height)
{
    const char *end;

    return qemu_strtoui(text, &end, 10, width) >= 0 && *end == 'x' &&
           qemu_strtoui(end + 1, NULL, 10, height) >= 0;
}

/*
 * The framebuffer is at the top of SDRAM, because devices can write only to
 * RAM.  The kernel is told that memory ends below the framebuffer.
 */
static void am57xx_place_framebuffer(Am57xxMachineState *s)
{
    const uint64_t unit = 2 * MiB; /* linux arm aligns the end of memory */
    uint64_t ram = MACHINE(s)->ram_size, reserved;
    Am57xxFramebuffer *fb = &s->framebuffer;

    if (!s->framebuffer_size) {
        return;
    }
    if (!parse_size(s->framebuffer_size, &fb->width, &fb->height)) {
        error_report("framebuffer takes WIDTHxHEIGHT, such as 1024x768, not "
                     "'%s'", s->framebuffer_size);
        exit(1);
    }
    fb->stride = simple_framebuffer_stride(fb->width, fb->height,
                                           s->framebuffer_format, &error_fatal);
    reserved = ROUND_UP((uint64_t)fb->stride * fb->height, unit);
    if (reserved > ram / 2) {
        error_report("a framebuffer of %s takes %" PRIu64 " MiB, more than "
                     "half of the memory", s->framebuffer_size, reserved / MiB);
        exit(1);
    }
    fb->base = am57xx_map[AM57XX_SDRAM].base + ROUND_DOWN(ram, unit) - reserved;
}

static void am57xx_create_framebuffer(Am57xxMachineState *s)
{
    Am57xxFramebuffer *fb = &s->framebuffer;
    DeviceState *dev;

    if (!fb->width) {
        return;
    }
    dev = qdev_new(TYPE_SIMPLE_FRAMEBUFFER);
    object_property_add_child(OBJECT(s), "pixmill-framebuffer", OBJECT(dev));
    object_property_set_link(OBJECT(dev), "memory", OBJECT(MACHINE(s)->ram),
                             &error_abort);
    qdev_prop_set_uint64(dev, "offset",
                         fb->base - am57xx_map[AM57XX_SDRAM].base);
    qdev_prop_set_uint32(dev, "width", fb->width);
    qdev_prop_set_uint32(dev, "height", fb->height);
    qdev_prop_set_string(dev, "format", s->framebuffer_format);
    sysbus_realize_and_unref(SYS_BUS_DEVICE(dev), &error_fatal);
}

/* ---- Machine ------------------------------------------------------------ */

static void am57xx_create_memory(Am57xxMachineState *s)
{
    MachineState *machine = MACHINE(s);
    const Am57xxBlock *ocmc = &am57xx_map[AM57XX_OCMC_RAM1];
    const Am57xxBlock *sdram = &am57xx_map[AM57XX_SDRAM];

    if (machine->ram_size > sdram->size) {
        error_report("am57xx has %" PRIu64 " MiB of memory at most",
                     sdram->size / MiB);
        exit(1);
    }
    memory_region_add_subregion(get_system_memory(), sdram->base, machine->ram);
    memory_region_init_ram(&s->ocmc_ram1, NULL, "am57xx.ocmc-ram1",
                           ocmc->size, &error_fatal);
    memory_region_add_subregion(get_system_memory(), ocmc->base, &s->ocmc_ram1);
}

static void am57xx_load_kernel(Am57xxMachineState *s)
{
    hwaddr start = am57xx_map[AM57XX_SDRAM].base;

    s->boot = (struct arm_boot_info) {
        .loader_start = start,
        .ram_size = s->framebuffer.width ? s->framebuffer.base - start
                                         : MACHINE(s)->ram_size,
        .board_id = -1,
        .psci_conduit = QEMU_PSCI_CONDUIT_SMC,
        .get_dtb = am57xx_create_dtb,
        .modify_dtb = am57xx_modify_dtb,
    };
    arm_load_kernel(ARM_CPU(first_cpu), MACHINE(s), &s->boot);
}

static void am57xx_init(MachineState *machine)
{
    Am57xxMachineState *s = AM57XX_MACHINE(machine);

    am57xx_create_memory(s);
    am57xx_place_framebuffer(s);
    am57xx_create_cpus(s);
    am57xx_create_mpu(s);
    am57xx_create_crossbar(s);
    am57xx_create_uarts(s);
    am57xx_create_virtio(s);
    am57xx_create_accelerators(s);
    am57xx_create_soc(s);
    am57xx_create_framebuffer(s);
    am57xx_load_kernel(s);
}

/* ---- Properties --------------------------------------------------------- */

static bool am57xx_get_virtio_nodes(Object *obj, Error **errp)
{
    return AM57XX_MACHINE(obj)->virtio_nodes;
}

static void am57xx_set_virtio_nodes(Object *obj, bool value, Error **errp)
{
    AM57XX_MACHINE(obj)->virtio_nodes = value;
}

static bool am57xx_get_uart_compat(Object *obj, Error **errp)
{
    return AM57XX_MACHINE(obj)->uart_compat;
}

static void am57xx_set_uart_compat(Object *obj, bool value, Error **errp)
{
    AM57XX_MACHINE(obj)->uart_compat = value;
}

static char *am57xx_get_framebuffer(Object *obj, Error **errp)
{
    return g_strdup(AM57XX_MACHINE(obj)->framebuffer_size);
}

static void am57xx_set_framebuffer(Object *obj, const char *value, Error **errp)
{
    Am57xxMachineState *s = AM57XX_MACHINE(obj);

    g_free(s->framebuffer_size);
    s->framebuffer_size = strcmp(value, "off") ? g_strdup(value) : NULL;
}

static char *am57xx_get_framebuffer_format(Object *obj, Error **errp)
{
    return g_strdup(AM57XX_MACHINE(obj)->framebuffer_format);
}

static void am57xx_set_framebuffer_format(Object *obj, const char *value,
                                          Error **errp)
{
    ERRP_GUARD();
    Am57xxMachineState *s = AM57XX_MACHINE(obj);

    if (!simple_framebuffer_has_format(value, errp)) {
        error_prepend(errp, "framebuffer-format: ");
        return;
    }
    g_free(s->framebuffer_format);
    s->framebuffer_format = g_strdup(value);
}

static void am57xx_add_properties(ObjectClass *oc)
{
    object_class_property_add_bool(oc, "virtio-nodes", am57xx_get_virtio_nodes,
                                   am57xx_set_virtio_nodes);
    object_class_property_set_description(oc, "virtio-nodes",
        "add the virtio-mmio transports to the loaded -dtb (default on)");
    object_class_property_add_bool(oc, "uart-compat", am57xx_get_uart_compat,
                                   am57xx_set_uart_compat);
    object_class_property_set_description(oc, "uart-compat",
        "add \"ti,omap4-uart\", for which Debian's kernels have a driver, to "
        "the UARTs of the loaded -dtb (default on)");
    object_class_property_add_str(oc, "framebuffer", am57xx_get_framebuffer,
                                  am57xx_set_framebuffer);
    object_class_property_set_description(oc, "framebuffer",
        "WIDTHxHEIGHT: show the top of RAM as a simple-framebuffer, and add it "
        "to the device tree (default off)");
    object_class_property_add_str(oc, "framebuffer-format",
                                  am57xx_get_framebuffer_format,
                                  am57xx_set_framebuffer_format);
    object_class_property_set_description(oc, "framebuffer-format",
        "x8r8g8b8 (default) or r5g6b5");
}

static void am57xx_instance_init(Object *obj)
{
    Am57xxMachineState *s = AM57XX_MACHINE(obj);

    s->virtio_nodes = true;
    s->uart_compat = true;
    s->framebuffer_format = g_strdup("x8r8g8b8");
}

static void am57xx_instance_finalize(Object *obj)
{
    Am57xxMachineState *s = AM57XX_MACHINE(obj);

    g_free(s->framebuffer_size);
    g_free(s->framebuffer_format);
}

static void am57xx_class_init(ObjectClass *oc, PixmillClassData *data)
{
    static const char *const cpu_types[] = {
        ARM_CPU_TYPE_NAME("cortex-a15"),
        NULL
    };
    MachineClass *mc = MACHINE_CLASS(oc);

    mc->desc = "TI AM57xx graphics subsystems (Cortex-A15)";
    mc->init = am57xx_init;
    mc->max_cpus = AM57XX_MAX_CPUS;
    mc->default_cpu_type = cpu_types[0];
    mc->valid_cpu_types = cpu_types;
    mc->default_ram_id = "am57xx.sdram";
    mc->default_ram_size = 1 * GiB;
    mc->no_parallel = 1;
    mc->no_floppy = 1;
    mc->no_cdrom = 1;
    am57xx_add_properties(oc);
}

static const TypeInfo am57xx_types[] = {
    {
        .name = TYPE_AM57XX_MACHINE,
        .parent = TYPE_MACHINE,
        .interfaces = arm_machine_interfaces,
        .instance_size = sizeof(Am57xxMachineState),
        .instance_init = am57xx_instance_init,
        .instance_finalize = am57xx_instance_finalize,
        .class_init = am57xx_class_init,
    },
};

DEFINE_TYPES(am57xx_types)
