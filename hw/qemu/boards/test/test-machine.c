/*
 * A machine for register-level tests: RAM in three places and some devices.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 *   0x00000000   64 MiB  RAM
 *   0x10000000  256 MiB  RAM
 *   0x40000000  512 MiB  ti-soc-registers, /machine/registers, below all else
 *   0x48020000  256      omap-uart, /machine/uart3, first serial port
 *   0x4AE04000  64       ti-counter32k, /machine/counter32k
 *                        ti-dm-timer, /machine/timer1 to timer16, where the
 *                        AM57xx has them
 *   0x4A0027A0  ... 0x4A002B77
 *                        ti-irq-crossbar, the banks of the AM57xx as
 *                        /machine/crossbar/mpu, ipu1, ...
 *   0x4B000000   32 B    ti-irq-crossbar-bank, /machine/small-crossbar/words
 *   0x4B000100    8 B    ti-irq-crossbar-bank, /machine/small-crossbar/bytes
 *   0x4C000000    4 KiB  nema-gfx, /machine/nema, interrupts unconnected
 *   0x4D000000   16 B    pixmill-toy, /machine/toy, interrupt unconnected
 *   0x5E000000   16 KiB  geode-gp, /machine/geode-gp, interrupt unconnected
 *   0x5E004000   48 B    ... its MSRs
 *   0x5E008000   48 KiB  geode-display, /machine/geode-display, on the same
 *                        VRAM: DC, VP and VIP; interrupt unconnected
 *   0x5E014000    4 B    ... VSA's ports
 *   0x5F000000    2 MiB  VRAM of both; at 0x01000000 for geode-gp itself
 *   0x56000000   32 MiB  sgx544, /machine/pixmill-sgx, interrupt unconnected
 *   0x5A000000    4 MiB  imx.ipuv3h, /machine/ipu, interrupts unconnected; its
 *                        DIs are shown by the screens ipu-di0 and ipu-di1
 *   0x59000000   16 KiB  vivante-gc, /machine/pixmill-gc, interrupt
 *                        unconnected, standby in the registers'
 *                        CM_DSS_BB2D_CLKCTRL
 *   0x80000000    1 GiB  RAM, which the property x-high-ram removes
 *
 * The small crossbar has 32 sources and two banks: eight lines with 32-bit
 * registers, and eight lines with 8-bit registers, of which 6 bits exist, with
 * a reset map and no register for line 2.  Crossbars are unconnected.
 *
 * The guest does not get the device tree given with -dtb, which only lists
 * modules.
 *
 * The CPU exists because qtest accesses memory through one.  It can also run
 * test code (-kernel, -device loader) for accesses that qtest cannot make.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "qemu/units.h"
#include "hw/arm/boot.h"
#include "system/system.h"
#include "target/arm/cpu-qom.h"
#include "target/arm/cpu.h"
#include "hw/pixmill/compat.h"
#include "hw/pixmill/boards/am57xx/am57xx-crossbar.h"
#include "hw/pixmill/boards/am57xx/am57xx-map.h"
#include "hw/pixmill/boards/am57xx/am57xx-soc.h"
#include "hw/pixmill/cores/geode-display.h"
#include "hw/pixmill/cores/geode-gp.h"
#include "hw/pixmill/cores/nema.h"
#include "hw/pixmill/parts/imx6-ipu.h"
#include "hw/pixmill/parts/omap-uart.h"
#include "hw/pixmill/cores/sgx544.h"
#include "hw/pixmill/cores/vivante.h"

#define TYPE_PIXMILL_TEST_MACHINE MACHINE_TYPE_NAME("pixmill-test")
OBJECT_DECLARE_SIMPLE_TYPE(PixmillTestMachineState, PIXMILL_TEST_MACHINE)

#define NEMA_ADDR 0x4C000000
#define TOY_ADDR 0x4D000000
#define GEODE_GP_ADDR 0x5E000000
#define GEODE_GP_MSR_ADDR 0x5E004000
#define GEODE_GP_VRAM_ADDR 0x5F000000
#define GEODE_DISPLAY_ADDR 0x5E008000
#define GEODE_VSA_ADDR 0x5E014000
#define IPU_ADDR 0x5A000000

static const struct {
    const char *name;
    hwaddr addr;
    uint64_t size;
} test_machine_ram[] = {
    { "pixmill-test.ram0", 0x00000000, 64 * MiB },
    { "pixmill-test.ram1", 0x10000000, 256 * MiB },
    { "pixmill-test.ram2", 0x80000000, 1 * GiB },
};

#define HIGH_RAM 2 /* index in the list */
#define RAM_SIZE ((64 + 256 + 1024) * MiB)

struct PixmillTestMachineState {
    MachineState parent_obj;

    char *model;
    MemoryRegion ram[ARRAY_SIZE(test_machine_ram)];
    bool lacks_high_ram;
    struct arm_boot_info boot;
};

static void test_machine_add_bank(DeviceState *crossbar, const char *name,
                                  uint8_t reg_size, hwaddr addr)
{
    static const uint32_t without_register[] = { 2 };
    static const uint32_t reset_map[] = { 31, 1, 7, 7, 0, 30, 16 };
    DeviceState *bank = ti_irq_crossbar_new_bank(crossbar, name);

    qdev_prop_set_uint32(bank, "num-lines", 8);
    qdev_prop_set_uint8(bank, "reg-size", reg_size);
    if (reg_size == 1) {
        qdev_prop_set_uint32(bank, "select-mask", 0x3F);
        ti_irq_crossbar_set_array(bank, "lines-without-register",
                                  without_register,
                                  ARRAY_SIZE(without_register));
        ti_irq_crossbar_set_array(bank, "reset-map", reset_map,
                                  ARRAY_SIZE(reset_map));
    }
    sysbus_realize_and_unref(SYS_BUS_DEVICE(bank), &error_fatal);
    sysbus_mmio_map(SYS_BUS_DEVICE(bank), 0, addr);
}

static void test_machine_add_small_crossbar(MachineState *machine)
{
    DeviceState *crossbar = qdev_new(TYPE_TI_IRQ_CROSSBAR);

    object_property_add_child(OBJECT(machine), "small-crossbar",
                              OBJECT(crossbar));
    qdev_prop_set_uint32(crossbar, "num-sources", 32);
    sysbus_realize_and_unref(SYS_BUS_DEVICE(crossbar), &error_fatal);
    test_machine_add_bank(crossbar, "words", 4, 0x4B000000);
    test_machine_add_bank(crossbar, "bytes", 1, 0x4B000100);
}

/* Adds @dev, and maps its first region, the registers, at @addr. */
static void test_machine_add(MachineState *machine, DeviceState *dev,
                             const char *name, hwaddr addr)
{
    object_property_add_child(OBJECT(machine), name, OBJECT(dev));
    sysbus_realize_and_unref(SYS_BUS_DEVICE(dev), &error_fatal);
    sysbus_mmio_map(SYS_BUS_DEVICE(dev), 0, addr);
}

/* Adds the graphics processor, and the display that shows its VRAM. */
static void test_machine_add_geode(MachineState *machine)
{
    DeviceState *gp = qdev_new(TYPE_GEODE_GP);
    DeviceState *display = qdev_new(TYPE_GEODE_DISPLAY);
    SysBusDevice *of_gp = SYS_BUS_DEVICE(gp);

    test_machine_add(machine, gp, "geode-gp", GEODE_GP_ADDR);
    sysbus_mmio_map(of_gp, GEODE_GP_MMIO_MSRS, GEODE_GP_MSR_ADDR);
    sysbus_mmio_map(of_gp, GEODE_GP_MMIO_VRAM, GEODE_GP_VRAM_ADDR);
    object_property_set_link(
        OBJECT(display), "vram",
        OBJECT(sysbus_mmio_get_region(of_gp, GEODE_GP_MMIO_VRAM)),
        &error_fatal);
    test_machine_add(machine, display, "geode-display", GEODE_DISPLAY_ADDR);
    for (int i = 1; i < GEODE_DISPLAY_BLOCKS; i++) {
        sysbus_mmio_map(SYS_BUS_DEVICE(display), i,
                        GEODE_DISPLAY_ADDR + i * PIXMILL_GEODE_BLOCK_BYTES);
    }
    memory_region_add_subregion(get_system_memory(), GEODE_VSA_ADDR,
                                &GEODE_DISPLAY(display)->vsa_ports);
}

static void test_machine_add_ipu(MachineState *machine)
{
    static const char *const screens[IMX_IPU_DIS] = { "ipu-di0", "ipu-di1" };
    DeviceState *ipu = qdev_new(TYPE_IMX_IPUV3H);

    test_machine_add(machine, ipu, "ipu", IPU_ADDR);
    for (int i = 0; i < IMX_IPU_DIS; i++) {
        imx_ipu_screen_show(imx_ipu_screen_create(screens[i], &error_fatal),
                            IMX_IPUV3H(ipu), i);
    }
}

static void test_machine_create_soc(MachineState *machine, DeviceState *gc)
{
    DeviceState *registers = am57xx_soc_create(OBJECT(machine), NULL,
                                               machine->dtb);
    DeviceState *uart;

    qdev_connect_gpio_out_named(gc, "standby", 0,
                                qdev_get_gpio_in_named(registers, "standby",
                                                       0));
    uart = qdev_new(TYPE_OMAP_UART);
    qdev_prop_set_chr(uart, "chardev", serial_hd(0));
    test_machine_add(machine, uart, "uart3", UART3_BASE);
}

static void test_machine_init(MachineState *machine)
{
    PixmillTestMachineState *s = PIXMILL_TEST_MACHINE(machine);
    DeviceState *dev;
    Object *cpu;
    hwaddr offset = 0;

    if (machine->ram_size != RAM_SIZE) {
        error_report("pixmill-test has %d MiB of RAM, no more and no less",
                     (int)(RAM_SIZE / MiB));
        exit(1);
    }
    for (int i = 0; i < ARRAY_SIZE(test_machine_ram); i++) {
        memory_region_init_alias(&s->ram[i], OBJECT(machine),
                                 test_machine_ram[i].name, machine->ram, offset,
                                 test_machine_ram[i].size);
        memory_region_add_subregion(get_system_memory(),
                                    test_machine_ram[i].addr, &s->ram[i]);
        offset += test_machine_ram[i].size;
    }

    cpu = object_new(machine->cpu_type);
    object_property_add_child(OBJECT(machine), "cpu", cpu);
    qdev_realize(DEVICE(cpu), NULL, &error_fatal);
    object_unref(cpu);

    dev = qdev_new(TYPE_VIVANTE_GC);
    qdev_prop_set_string(dev, "model", s->model);
    test_machine_add(machine, dev, "pixmill-gc", BB2D_BASE);
    test_machine_create_soc(machine, dev);

    am57xx_crossbar_create(OBJECT(machine));
    test_machine_add_small_crossbar(machine);

    test_machine_add(machine, qdev_new(TYPE_SGX544), "pixmill-sgx", GPU_BASE);
    test_machine_add(machine, qdev_new(TYPE_NEMA_GFX), "nema", NEMA_ADDR);
    test_machine_add(machine, qdev_new("pixmill-toy"), "toy", TOY_ADDR);

    test_machine_add_geode(machine);
    test_machine_add_ipu(machine);

    s->boot = (struct arm_boot_info) {
        .loader_start = test_machine_ram[HIGH_RAM].addr,
        .ram_size = test_machine_ram[HIGH_RAM].size,
        .board_id = -1,
        .skip_dtb_autoload = true,
    };
    arm_load_kernel(ARM_CPU(cpu), machine, &s->boot);
}

static char *test_machine_get_model(Object *obj, Error **errp)
{
    return g_strdup(PIXMILL_TEST_MACHINE(obj)->model);
}

static void test_machine_set_model(Object *obj, const char *value, Error **errp)
{
    PixmillTestMachineState *s = PIXMILL_TEST_MACHINE(obj);

    g_free(s->model);
    s->model = g_strdup(value);
}

static bool test_machine_get_high_ram(Object *obj, Error **errp)
{
    return !PIXMILL_TEST_MACHINE(obj)->lacks_high_ram;
}

/* For tests of DMA to memory that vanishes; the setting does not migrate. */
static void test_machine_set_high_ram(Object *obj, bool value, Error **errp)
{
    PixmillTestMachineState *s = PIXMILL_TEST_MACHINE(obj);

    if (!phase_check(PHASE_MACHINE_READY)) {
        error_setg(errp, "x-high-ram can only be set with qom-set");
        return;
    }
    s->lacks_high_ram = !value;
    memory_region_set_enabled(&s->ram[HIGH_RAM], value);
}

static void test_machine_instance_init(Object *obj)
{
    PIXMILL_TEST_MACHINE(obj)->model = g_strdup("gc320-am57xx");
}

static void test_machine_finalize(Object *obj)
{
    g_free(PIXMILL_TEST_MACHINE(obj)->model);
}

static void test_machine_class_init(ObjectClass *oc, PixmillClassData *data)
{
    MachineClass *mc = MACHINE_CLASS(oc);

    mc->desc = "Pixmill test bench (Cortex-A9, Vivante GC, SGX544, "
               "NEMA|GFX, Geode LX, IPUv3H, crossbars)";
    mc->init = test_machine_init;
    mc->max_cpus = 1;
    mc->default_cpu_type = ARM_CPU_TYPE_NAME("cortex-a9");
    mc->default_ram_id = "pixmill-test.ram";
    mc->default_ram_size = RAM_SIZE;
    mc->no_parallel = 1;
    mc->no_floppy = 1;
    mc->no_cdrom = 1;

    object_class_property_add_str(oc, "model", test_machine_get_model,
                                  test_machine_set_model);
    object_class_property_set_description(oc, "model",
                                          "model of the vivante-gc");
    object_class_property_add_bool(oc, "x-high-ram", test_machine_get_high_ram,
                                   test_machine_set_high_ram);
    object_class_property_set_description(oc, "x-high-ram",
                                          "RAM at 0x80000000 is mapped");
}

static const TypeInfo test_machine_types[] = {
    {
        .name = TYPE_PIXMILL_TEST_MACHINE,
        .parent = TYPE_MACHINE,
        .interfaces = arm_machine_interfaces,
        .instance_size = sizeof(PixmillTestMachineState),
        .instance_init = test_machine_instance_init,
        .instance_finalize = test_machine_finalize,
        .class_init = test_machine_class_init,
    },
};

DEFINE_TYPES(test_machine_types)
