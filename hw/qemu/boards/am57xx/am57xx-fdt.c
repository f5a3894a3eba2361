/*
 * Device tree of the machine "am57xx", and additions to a user's tree.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The root node is deliberately not compatible with any of TI's names.  Any of
 * them would make Linux run mach-omap2, which needs PRCM, control module and
 * clock nodes.  Without mach-omap2, the crossbar, ti-sysc and etnaviv still
 * work, and fixed clocks suffice.  QEMU's loader adds the psci and memory
 * nodes.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "hw/cpu/a15mpcore.h"
#include "system/device_tree.h"
#include "hw/pixmill/parts/virtio-nodes.h"
#include <libfdt.h>
#include "am57xx.h"

/* Values of cells in "interrupts", as defined by the GIC's binding. */
enum { SPI, PPI };
#define LEVEL_HIGH 4
#define LEVEL_LOW 8
#define CPU_MASK(cpus) (((1 << (cpus)) - 1) << 8)

#define SOC "/soc"

/* @strings: an array, as in "first\0second" */
#define set_strings(fdt, node, name, strings) \
    qemu_fdt_setprop(fdt, node, name, strings, sizeof(strings))

typedef struct Tree {
    void *fdt;
    uint32_t gic; /* phandles */
    uint32_t wugen;
    uint32_t crossbar;
} Tree;

/* Adds "PARENT/NAME@ADDRESS" and returns its path, which the caller frees. */
static char *add_node(void *fdt, const char *parent, const char *name,
                      hwaddr address)
{
    char *node = g_strdup_printf("%s/%s@%" PRIx64, parent, name, address);

    qemu_fdt_add_subnode(fdt, node);
    return node;
}

static void set_flag(void *fdt, const char *node, const char *name)
{
    qemu_fdt_setprop(fdt, node, name, NULL, 0);
}

/* Gives the children of a bus one address cell and one size cell. */
static void set_cell_counts(void *fdt, const char *node)
{
    qemu_fdt_setprop_cell(fdt, node, "#address-cells", 1);
    qemu_fdt_setprop_cell(fdt, node, "#size-cells", 1);
}

static void set_interrupt_controller(void *fdt, const char *node,
                                     uint32_t phandle, uint32_t parent)
{
    set_flag(fdt, node, "interrupt-controller");
    qemu_fdt_setprop_cell(fdt, node, "#interrupt-cells", 3);
    qemu_fdt_setprop_cell(fdt, node, "interrupt-parent", parent);
    qemu_fdt_setprop_cell(fdt, node, "phandle", phandle);
}

/* ---- CPUs --------------------------------------------------------------- */

static void add_cpus(Tree *t, unsigned cpus)
{
    qemu_fdt_add_subnode(t->fdt, "/cpus");
    qemu_fdt_setprop_cell(t->fdt, "/cpus", "#address-cells", 1);
    qemu_fdt_setprop_cell(t->fdt, "/cpus", "#size-cells", 0);
    /* libfdt inserts new nodes first, so add the last CPU first. */
    for (int i = cpus - 1; i >= 0; i--) {
        g_autofree char *node = add_node(t->fdt, "/cpus", "cpu", i);

        qemu_fdt_setprop_string(t->fdt, node, "device_type", "cpu");
        qemu_fdt_setprop_string(t->fdt, node, "compatible", "arm,cortex-a15");
        qemu_fdt_setprop_cell(t->fdt, node, "reg", i);
        qemu_fdt_setprop_string(t->fdt, node, "enable-method", "psci");
    }
}

static void add_gic(Tree *t)
{
    g_autofree char *node = add_node(t->fdt, "", "interrupt-controller",
                                     MPU_GIC_DISTRIBUTOR);

    qemu_fdt_setprop_string(t->fdt, node, "compatible", "arm,cortex-a15-gic");
    qemu_fdt_setprop_cells(t->fdt, node, "reg", MPU_GIC_DISTRIBUTOR, 0x1000,
                           MPU_GIC_CPU, 0x2000);
    /*
     * The GIC is its own interrupt parent.  The parent of the root is the
     * crossbar, which needs the GIC.
     */
    set_interrupt_controller(t->fdt, node, t->gic, t->gic);
}

static void add_timer(Tree *t, unsigned cpus)
{
    uint32_t flags = CPU_MASK(cpus) | LEVEL_LOW;

    qemu_fdt_add_subnode(t->fdt, "/timer");
    qemu_fdt_setprop_string(t->fdt, "/timer", "compatible", "arm,armv7-timer");
    qemu_fdt_setprop_cell(t->fdt, "/timer", "interrupt-parent", t->gic);
    /* secure, non-secure, virtual, hypervisor */
    qemu_fdt_setprop_cells(t->fdt, "/timer", "interrupts",
                           PPI, 13, flags, PPI, 14, flags,
                           PPI, 11, flags, PPI, 10, flags);
}

/* ---- SoC ---------------------------------------------------------------- */

static void add_wugen(Tree *t)
{
    const Am57xxBlock *block = &am57xx_map[AM57XX_WUGEN];
    g_autofree char *node = add_node(t->fdt, SOC, "interrupt-controller",
                                     block->base);

    set_strings(t->fdt, node, "compatible",
                "ti,omap5-wugen-mpu\0ti,omap4-wugen-mpu");
    qemu_fdt_setprop_cells(t->fdt, node, "reg", block->base, block->size);
    set_interrupt_controller(t->fdt, node, t->wugen, t->gic);
}

static void add_crossbar(Tree *t)
{
    const Am57xxBlock *block = &am57xx_map[AM57XX_CROSSBAR];
    g_autofree char *node = add_node(t->fdt, SOC, "crossbar", block->base);

    qemu_fdt_setprop_string(t->fdt, node, "compatible", "ti,irq-crossbar");
    qemu_fdt_setprop_cells(t->fdt, node, "reg", block->base, block->size);
    set_interrupt_controller(t->fdt, node, t->crossbar, t->wugen);
    qemu_fdt_setprop_cell(t->fdt, node, "ti,max-irqs", AM57XX_SPIS);
    qemu_fdt_setprop_cell(t->fdt, node, "ti,max-crossbar-sources", 400);
    qemu_fdt_setprop_cell(t->fdt, node, "ti,reg-size", 2);
    /* Lines that have no register, or whose register has no effect. */
    qemu_fdt_setprop_cells(t->fdt, node, "ti,irqs-reserved",
                           0, 1, 2, 3, 5, 6, 131, 132);
    qemu_fdt_setprop_cells(t->fdt, node, "ti,irqs-skip", 10, 133, 139, 140);
    qemu_fdt_setprop_cell(t->fdt, node, "ti,irqs-safe-map", 0);
}

static void add_uart(Tree *t, int index)
{
    const Am57xxBlock *block = &am57xx_map[am57xx_uarts[index]];
    g_autofree char *node = add_node(t->fdt, SOC, "serial", block->base);
    g_autofree char *alias = g_strdup_printf("serial%d", index);

    qemu_fdt_setprop_string(t->fdt, node, "compatible", "ns16550a");
    qemu_fdt_setprop_cells(t->fdt, node, "reg", block->base, 0x100);
    qemu_fdt_setprop_cell(t->fdt, node, "reg-shift", 2);
    qemu_fdt_setprop_cell(t->fdt, node, "reg-io-width", 4);
    qemu_fdt_setprop_cell(t->fdt, node, "clock-frequency",
                          FUNC_48M_HZ);
    qemu_fdt_setprop_cells(t->fdt, node, "interrupts",
                           SPI, block->source, LEVEL_HIGH);
    qemu_fdt_setprop_string(t->fdt, "/aliases", alias, node);
}

static VirtioTransports virtio_transports(void)
{
    const Am57xxBlock *first = &am57xx_map[AM57XX_VIRTIO];

    return (VirtioTransports) {
        .base = first->base,
        .size = first->size,
        .count = AM57XX_VIRTIO_TRANSPORTS,
        .spi = first->source,
    };
}

/* ---- Accelerators ------------------------------------------------------- */

static uint32_t add_fixed_clock(Tree *t, const char *name, uint32_t hz)
{
    uint32_t phandle = qemu_fdt_alloc_phandle(t->fdt);
    g_autofree char *node = g_strdup_printf("/%s", name);

    qemu_fdt_add_subnode(t->fdt, node);
    qemu_fdt_setprop_string(t->fdt, node, "compatible", "fixed-clock");
    qemu_fdt_setprop_cell(t->fdt, node, "#clock-cells", 0);
    qemu_fdt_setprop_cell(t->fdt, node, "clock-frequency", hz);
    qemu_fdt_setprop_cell(t->fdt, node, "phandle", phandle);
    return phandle;
}

static void set_clock(Tree *t, const char *node, uint32_t clock,
                      const char *name)
{
    qemu_fdt_setprop_cell(t->fdt, node, "clocks", clock);
    qemu_fdt_setprop_string(t->fdt, node, "clock-names", name);
}

/* See the linux binding bus/ti-sysc.yaml. */
static void set_module_registers(Tree *t, const char *node, hwaddr base,
                                 const Am57xxAccelerator *accelerator)
{
    if (!accelerator->sysc) {
        qemu_fdt_setprop_cells(t->fdt, node, "reg", base + accelerator->rev, 4);
        qemu_fdt_setprop_string(t->fdt, node, "reg-names", "rev");
        return;
    }
    qemu_fdt_setprop_cells(t->fdt, node, "reg", base + accelerator->rev, 4,
                           base + accelerator->sysc, 4);
    set_strings(t->fdt, node, "reg-names", "rev\0sysc");
    /* Idle modes: 0 force, 1 no, 2 smart, 3 smart with wake-up. */
    qemu_fdt_setprop_cells(t->fdt, node, "ti,sysc-midle", 0, 1, 2);
    qemu_fdt_setprop_cells(t->fdt, node, "ti,sysc-sidle", 0, 1, 2, 3);
}

static size_t strings_size(const char *strings)
{
    const char *end = strings;

    while (*end) {
        end += strlen(end) + 1;
    }
    return end - strings;
}

static void add_accelerator(Tree *t, const Am57xxAccelerator *accelerator)
{
    const Am57xxBlock *block = &am57xx_map[accelerator->block];
    g_autofree char *module = add_node(t->fdt, SOC, "target-module",
                                       block->base);
    g_autofree char *child = add_node(t->fdt, module, "gpu", 0);
    uint32_t clock = add_fixed_clock(t, accelerator->clock_node,
                                     accelerator->clock_hz);

    set_strings(t->fdt, module, "compatible", "ti,sysc-omap4\0ti,sysc");
    set_module_registers(t, module, block->base, accelerator);
    set_clock(t, module, clock, "fck");
    set_cell_counts(t->fdt, module);
    qemu_fdt_setprop_cells(t->fdt, module, "ranges", 0, block->base,
                           MAX(block->size, 0x1000));

    qemu_fdt_setprop(t->fdt, child, "compatible", accelerator->compatible,
                     strings_size(accelerator->compatible));
    qemu_fdt_setprop_cells(t->fdt, child, "reg", 0, accelerator->node_size);
    qemu_fdt_setprop_cells(t->fdt, child, "interrupts",
                           SPI, block->source, LEVEL_HIGH);
    if (accelerator->clock_name) {
        set_clock(t, child, clock, accelerator->clock_name);
    }
}

/* ---- The whole tree ----------------------------------------------------- */

static void add_root(Tree *t)
{
    qemu_fdt_setprop_string(t->fdt, "/", "model",
                            "QEMU AM57xx graphics machine");
    qemu_fdt_setprop_string(t->fdt, "/", "compatible", "qemu,am57xx-gfx");
    qemu_fdt_setprop_cell(t->fdt, "/", "interrupt-parent", t->crossbar);
    set_cell_counts(t->fdt, "/");
    qemu_fdt_add_subnode(t->fdt, "/aliases");
    qemu_fdt_add_subnode(t->fdt, "/chosen");
    qemu_fdt_setprop_string(t->fdt, "/chosen", "stdout-path",
                            "serial0:115200n8");
}

static void add_soc(Tree *t)
{
    const VirtioTransports virtio = virtio_transports();

    qemu_fdt_add_subnode(t->fdt, SOC);
    qemu_fdt_setprop_string(t->fdt, SOC, "compatible", "simple-bus");
    set_cell_counts(t->fdt, SOC);
    set_flag(t->fdt, SOC, "ranges");

    for (int i = am57xx_accelerator_count - 1; i >= 0; i--) {
        add_accelerator(t, &am57xx_accelerators[i]);
    }
    virtio_nodes_add(&virtio, t->fdt, SOC, 1, 1, t->crossbar);
    for (int i = AM57XX_UARTS - 1; i >= 0; i--) {
        add_uart(t, i);
    }
    add_crossbar(t);
    add_wugen(t);
}

/* See the linux binding display/simple-framebuffer.yaml. */
static void add_framebuffer(void *fdt, const Am57xxMachineState *s,
                            uint32_t address_cells, uint32_t size_cells)
{
    const Am57xxFramebuffer *fb = &s->framebuffer;
    g_autofree char *node = add_node(fdt, "", "framebuffer", fb->base);

    qemu_fdt_setprop_string(fdt, node, "compatible", "simple-framebuffer");
    qemu_fdt_setprop_sized_cells(fdt, node, "reg", address_cells, fb->base,
                                 size_cells,
                                 (uint64_t)fb->stride * fb->height);
    qemu_fdt_setprop_cell(fdt, node, "width", fb->width);
    qemu_fdt_setprop_cell(fdt, node, "height", fb->height);
    qemu_fdt_setprop_cell(fdt, node, "stride", fb->stride);
    qemu_fdt_setprop_string(fdt, node, "format", s->framebuffer_format);
}

void *am57xx_create_dtb(const struct arm_boot_info *info, int *size)
{
    Am57xxMachineState *s = container_of(info, Am57xxMachineState, boot);
    unsigned cpus = MACHINE(s)->smp.cpus;
    Tree t = { .fdt = create_device_tree(size) };

    t.gic = qemu_fdt_alloc_phandle(t.fdt);
    t.wugen = qemu_fdt_alloc_phandle(t.fdt);
    t.crossbar = qemu_fdt_alloc_phandle(t.fdt);
    add_root(&t);
    add_soc(&t);
    add_timer(&t, cpus);
    add_gic(&t);
    add_cpus(&t, cpus);
    return t.fdt;
}

/* ---- Additions to a user's tree ----------------------------------------- */

/*
 * Debian's kernels have a driver for "ti,omap4-uart" (omap-serial), but none
 * for "ti,dra742-uart" (8250_omap), which the boards' trees use.
 */
static void add_uart_compatibles(void *fdt)
{
    static const char stock[] = "ti,dra742-uart", added[] = "ti,omap4-uart";

    for (int node = fdt_node_offset_by_compatible(fdt, -1, stock); node >= 0;
         node = fdt_node_offset_by_compatible(fdt, node, stock)) {
        if (fdt_node_check_compatible(fdt, node, added) != 0 &&
            fdt_appendprop(fdt, node, "compatible", added, sizeof(added))) {
            error_report("no room to add \"%s\" to the device tree", added);
            exit(1);
        }
    }
}

void am57xx_modify_dtb(const struct arm_boot_info *info, void *fdt)
{
    Am57xxMachineState *s = container_of(info, Am57xxMachineState, boot);
    const VirtioTransports virtio = virtio_transports();

    if (s->framebuffer.width) {
        add_framebuffer(fdt, s,
                        qemu_fdt_getprop_cell(fdt, "/", "#address-cells", NULL,
                                              &error_fatal),
                        qemu_fdt_getprop_cell(fdt, "/", "#size-cells", NULL,
                                              &error_fatal));
    }
    if (!info->dtb_filename) {
        return; /* the generated tree needs no additions */
    }
    if (s->virtio_nodes) {
        virtio_nodes_add_to(&virtio, fdt, "ti,irq-crossbar");
    }
    if (s->uart_compat) {
        add_uart_compatibles(fdt);
    }
}
