/*
 * Registers of a TI SoC that only start-up code uses: clocks, power, resets,
 * control modules, and the OCP registers of modules that are not modeled.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qemu/log.h"
#include "migration/vmstate.h"
#include "hw/pixmill/compat.h"
#include "hw/pixmill/trace.h"
#include "mmio-ops.h"
#include "ti-soc-registers.h"
#include "ti-sysc.h"

#define TI_PAGE_SIZE 0x1000

/*
 * A page of registers.  Offsets in the rules of its bank are physical
 * addresses.
 */
struct TIRegisterPage {
    RegisterBank bank;
};

/* ---- Pages -------------------------------------------------------------- */

static int ti_soc_registers_compare(const void *a, const void *b)
{
    const uint32_t *key = a;
    const TIRegisterPage *page = b;

    return *key < page->bank.first ? -1 : *key > page->bank.first;
}

/* Returns the page that contains @address, or NULL. */
static TIRegisterPage *ti_soc_registers_page(TISocRegistersState *s,
                                             uint32_t address)
{
    uint32_t base = address & ~(TI_PAGE_SIZE - 1);

    return s->num_pages ? bsearch(&base, s->pages, s->num_pages,
                                  sizeof(*s->pages), ti_soc_registers_compare)
                        : NULL;
}

static TIRegisterPage *ti_soc_registers_make_page(TISocRegistersState *s,
                                                  uint32_t address)
{
    TIRegisterPage *page = ti_soc_registers_page(s, address);
    uint32_t at = 0;

    assert(!DEVICE(s)->realized);
    assert(address - TI_SOC_REGISTERS_BASE < TI_SOC_REGISTERS_SIZE);
    if (page) {
        return page;
    }
    while (at < s->num_pages && s->pages[at].bank.first < address) {
        at++;
    }
    s->pages = g_renew(TIRegisterPage, s->pages, s->num_pages + 1);
    page = &s->pages[at];
    memmove(page + 1, page, (s->num_pages - at) * sizeof(*page));
    s->num_pages++;
    register_bank_init(&page->bank, address & ~(TI_PAGE_SIZE - 1), TI_PAGE_SIZE,
                       s->map->rules, &s->standby);
    return page;
}

void ti_soc_registers_set_map(TISocRegistersState *s, const TISocMap *map)
{
    s->map = map;
    for (const TISocWindow *window = map->windows; window->size; window++) {
        for (uint32_t offset = 0; offset < window->size;
             offset += TI_PAGE_SIZE) {
            ti_soc_registers_make_page(s, window->address + offset);
        }
    }
}

/* ---- Accesses of any width ---------------------------------------------- */

static uint64_t ti_soc_registers_read(void *opaque, hwaddr offset,
                                      unsigned size)
{
    TISocRegistersState *s = opaque;
    uint32_t address = TI_SOC_REGISTERS_BASE + offset;
    TIRegisterPage *page = ti_soc_registers_page(s, address);
    uint32_t value;

    if (!page) {
        qemu_log_mask(LOG_UNIMP, TYPE_TI_SOC_REGISTERS ": read of %u bytes at "
                      "0x%08" PRIx32 ", where nothing is modeled\n", size,
                      address);
        return 0;
    }
    value = register_bank_read(&page->bank, address, size);
    trace_pixmill_soc_registers_read(address, size, value);
    return value;
}

static void ti_soc_registers_write(void *opaque, hwaddr offset, uint64_t value,
                                   unsigned size)
{
    TISocRegistersState *s = opaque;
    uint32_t address = TI_SOC_REGISTERS_BASE + offset;
    TIRegisterPage *page = ti_soc_registers_page(s, address);

    if (!page) {
        qemu_log_mask(LOG_UNIMP, TYPE_TI_SOC_REGISTERS ": write of 0x%" PRIx64
                      " to 0x%08" PRIx32 ", where nothing is modeled\n", value,
                      address);
        return;
    }
    trace_pixmill_soc_registers_write(address, size, value);
    register_bank_write(&page->bank, address, value, size);
}

static const MemoryRegionOps ti_soc_registers_ops =
    PIXMILL_MMIO_OPS(ti_soc_registers_read, ti_soc_registers_write, 1, 8);

static void ti_soc_registers_set_standby(void *opaque, int n, int level)
{
    TISocRegistersState *s = opaque;

    trace_pixmill_soc_registers_standby(n, level);
    s->standby = deposit32(s->standby, n, 1, !!level);
}

/* ---- Modules of the device tree ----------------------------------------- */

static bool ti_soc_registers_has(uint64_t address)
{
    return address >= TI_SOC_REGISTERS_BASE &&
           address - TI_SOC_REGISTERS_BASE < TI_SOC_REGISTERS_SIZE &&
           address % 4 == 0;
}

/*
 * TI's boards need about 130 pages; a malicious tree could ask for any number.
 */
#define MAX_PAGES 1024

static void ti_soc_registers_set_module(TISocRegistersState *s,
                                        uint64_t address, uint32_t reset,
                                        uint32_t writable)
{
    if (!ti_soc_registers_has(address)) {
        return;
    }
    if (s->num_pages == MAX_PAGES && !ti_soc_registers_page(s, address)) {
        warn_report_once(TYPE_TI_SOC_REGISTERS ": the device tree has modules "
                         "in more than %d pages; some are left out", MAX_PAGES);
        return;
    }
    register_bank_set(&ti_soc_registers_make_page(s, address)->bank, address,
                      reset, writable);
}

static void ti_soc_registers_add_module(void *opaque, const TISysc *module)
{
    TISocRegistersState *s = opaque;

    trace_pixmill_soc_registers_module(module->name, module->rev, module->sysc,
                                       module->syss);
    ti_soc_registers_set_module(s, module->rev, 0, 0);
    /* A soft reset completes before the guest can read it. */
    ti_soc_registers_set_module(s, module->sysc, 0, ~module->soft_reset);
    ti_soc_registers_set_module(s, module->syss, TI_SYSS_RESET_DONE, 0);
}

void ti_soc_registers_add_modules(TISocRegistersState *s, const void *fdt)
{
    ti_sysc_for_each(fdt, ti_soc_registers_add_module, s);
}

/* ---- Migration ---------------------------------------------------------- */

static const VMStateDescription vmstate_ti_soc_registers_page = {
    .name = TYPE_TI_SOC_REGISTERS "/page",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32_EQUAL(bank.first, TIRegisterPage,
                             "the machines' device trees differ"),
        VMSTATE_REGISTER_BANK(bank, TIRegisterPage),
        VMSTATE_END_OF_LIST()
    },
};

/* Drops bits that the guest could not have written. */
static int ti_soc_registers_post_load(void *opaque, int version_id)
{
    TISocRegistersState *s = opaque;

    for (uint32_t n = 0; n < s->num_pages; n++) {
        register_bank_post_load(&s->pages[n].bank);
    }
    return 0;
}

static const VMStateDescription vmstate_ti_soc_registers = {
    .name = TYPE_TI_SOC_REGISTERS,
    .version_id = 1,
    .minimum_version_id = 1,
    .post_load = ti_soc_registers_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32(standby, TISocRegistersState),
        VMSTATE_UINT32_EQUAL(num_pages, TISocRegistersState,
                             "the machines' device trees differ"),
        VMSTATE_STRUCT_VARRAY_POINTER_UINT32(pages, TISocRegistersState,
                                             num_pages,
                                             vmstate_ti_soc_registers_page,
                                             TIRegisterPage),
        VMSTATE_END_OF_LIST()
    },
};

/* ---- Life cycle --------------------------------------------------------- */

static void ti_soc_registers_reset_enter(Object *obj, ResetType type)
{
    TISocRegistersState *s = TI_SOC_REGISTERS(obj);

    for (uint32_t n = 0; n < s->num_pages; n++) {
        register_bank_reset(&s->pages[n].bank);
    }
}

static void ti_soc_registers_realize(DeviceState *dev, Error **errp)
{
    TISocRegistersState *s = TI_SOC_REGISTERS(dev);

    qdev_init_gpio_in_named(dev, ti_soc_registers_set_standby, "standby",
                            s->map->standby_inputs);
}

static void ti_soc_registers_init(Object *obj)
{
    TISocRegistersState *s = TI_SOC_REGISTERS(obj);

    memory_region_init_io(&s->mmio, obj, &ti_soc_registers_ops, s,
                          TYPE_TI_SOC_REGISTERS, TI_SOC_REGISTERS_SIZE);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->mmio);
}

static void ti_soc_registers_finalize(Object *obj)
{
    TISocRegistersState *s = TI_SOC_REGISTERS(obj);

    for (uint32_t n = 0; n < s->num_pages; n++) {
        register_bank_destroy(&s->pages[n].bank);
    }
    g_free(s->pages);
}

static void ti_soc_registers_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);

    dc->desc = "Clock, power, control and OCP registers of a TI SoC";
    dc->realize = ti_soc_registers_realize;
    dc->vmsd = &vmstate_ti_soc_registers;
    set_bit(DEVICE_CATEGORY_MISC, dc->categories);
    RESETTABLE_CLASS(oc)->phases.enter = ti_soc_registers_reset_enter;
}

static const TypeInfo ti_soc_registers_types[] = {
    {
        .name = TYPE_TI_SOC_REGISTERS,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(TISocRegistersState),
        .instance_init = ti_soc_registers_init,
        .instance_finalize = ti_soc_registers_finalize,
        .class_init = ti_soc_registers_class_init,
    },
};

DEFINE_TYPES(ti_soc_registers_types)
