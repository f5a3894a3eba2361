/*
 * Registers of a TI SoC that only software's start-up looks at: clocks, power,
 * resets, control modules, and the OCP registers of modules without a model.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/bitops.h"
#include "qemu/error-report.h"
#include "qemu/log.h"
#include "migration/vmstate.h"
#include "hw/pixmill/compat.h"
#include "hw/pixmill/trace.h"
#include "mmio-ops.h"
#include "ti-soc-registers.h"
#include "ti-sysc.h"

#define TI_PAGE_SIZE 0x1000
#define TI_PAGE_WORDS (TI_PAGE_SIZE / 4)

struct TIRegisterPage {
    uint32_t base;
    uint32_t word[TI_PAGE_WORDS];

    /* Not changed after realize. */
    uint32_t reset[TI_PAGE_WORDS];
    uint32_t writable[TI_PAGE_WORDS];
    uint8_t rule[TI_PAGE_WORDS];
};

/* ---- Pages -------------------------------------------------------------- */

static int ti_soc_registers_compare(const void *a, const void *b)
{
    const uint32_t *key = a;
    const TIRegisterPage *page = b;

    return *key < page->base ? -1 : *key > page->base;
}

/* The page of @address; NULL: there is none. */
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
    while (at < s->num_pages && s->pages[at].base < address) {
        at++;
    }
    s->pages = g_renew(TIRegisterPage, s->pages, s->num_pages + 1);
    page = &s->pages[at];
    memmove(page + 1, page, (s->num_pages - at) * sizeof(*page));
    s->num_pages++;
    memset(page, 0, sizeof(*page));
    memset(page->writable, 0xFF, sizeof(page->writable));
    page->base = address & ~(TI_PAGE_SIZE - 1);
    return page;
}

void ti_soc_registers_add_window(TISocRegistersState *s, uint32_t address,
                                 uint32_t size)
{
    for (uint32_t offset = 0; offset < size; offset += TI_PAGE_SIZE) {
        ti_soc_registers_make_page(s, address + offset);
    }
}

void ti_soc_registers_set(TISocRegistersState *s, uint32_t address,
                          uint32_t reset, uint32_t writable)
{
    TIRegisterPage *page = ti_soc_registers_make_page(s, address);
    uint32_t i = address % TI_PAGE_SIZE / 4;

    page->reset[i] = reset;
    page->writable[i] = writable;
}

void ti_soc_registers_add_standby(TISocRegistersState *s, uint32_t address)
{
    assert(s->num_standby < TI_SOC_REGISTERS_MAX_STANDBY);
    s->standby_address[s->num_standby++] = address;
}

/* ---- Rules -------------------------------------------------------------- */

#define CLKCTRL_MODULEMODE 0x3
#define CLKCTRL_IDLEST_DISABLED (3 << 16)
#define CLKCTRL_STBYST (1 << 18)
#define CLKCTRL_STATUS (CLKCTRL_IDLEST_DISABLED | CLKCTRL_STBYST)

#define DPLL_CLKMODE_LOCK 0x7
#define DPLL_IDLEST_LOCKED 0x1
#define DPLL_IDLEST_BYPASS 0x100

/* A module is where its clock control wants it to be, at once. */
static uint32_t ti_soc_registers_read_clkctrl(TISocRegistersState *s,
                                              TIRegisterPage *page, uint32_t i)
{
    uint32_t value = page->word[i] & ~CLKCTRL_STATUS;

    if (!(value & CLKCTRL_MODULEMODE)) {
        return value | CLKCTRL_IDLEST_DISABLED | CLKCTRL_STBYST;
    }
    for (uint32_t n = 0; n < s->num_standby; n++) {
        if (s->standby_address[n] == page->base + 4 * i &&
            s->standby & BIT(n)) {
            value |= CLKCTRL_STBYST;
        }
    }
    return value;
}

static uint32_t ti_soc_registers_read_idlest(TISocRegistersState *s,
                                             TIRegisterPage *page, uint32_t i)
{
    uint32_t mode = page->word[i - 1] & DPLL_CLKMODE_LOCK;

    return mode == DPLL_CLKMODE_LOCK ? DPLL_IDLEST_LOCKED : DPLL_IDLEST_BYPASS;
}

static void ti_soc_registers_write_rstctrl(TIRegisterPage *page, uint32_t i,
                                           uint32_t value, uint32_t lanes)
{
    uint32_t old = page->word[i];

    page->word[i] = (old & ~lanes) | (value & lanes);
    page->word[i + 1] |= old & ~page->word[i];
}

static void ti_soc_registers_write_rstst(TIRegisterPage *page, uint32_t i,
                                         uint32_t value, uint32_t lanes)
{
    page->word[i] &= ~(value & lanes);
}

/*
 * Without functions, a word reads as it is, and its writable bits are written.
 * @lanes are the writable bits that the access reaches.  Rules about the word
 * before or after count on it being in the same page.
 */
static const struct {
    uint32_t writable;
    bool before, after;
    uint32_t (*read)(TISocRegistersState *s, TIRegisterPage *page, uint32_t i);
    void (*write)(TIRegisterPage *page, uint32_t i, uint32_t value,
                  uint32_t lanes);
} ti_soc_registers_rules[] = {
    [TI_REGISTER_STORES] = { .writable = UINT32_MAX },
    [TI_REGISTER_CLKCTRL] = { .writable = ~(uint32_t)CLKCTRL_STATUS,
                              .read = ti_soc_registers_read_clkctrl },
    [TI_REGISTER_DPLL_IDLEST] = { .before = true,
                                  .read = ti_soc_registers_read_idlest },
    [TI_REGISTER_RSTCTRL] = { .writable = UINT32_MAX, .after = true,
                              .write = ti_soc_registers_write_rstctrl },
    [TI_REGISTER_RSTST] = { .writable = UINT32_MAX,
                            .write = ti_soc_registers_write_rstst },
};

void ti_soc_registers_set_rule(TISocRegistersState *s, uint32_t address,
                               uint32_t size, TIRegisterRule rule)
{
    for (uint32_t offset = 0; offset < size; offset += 4) {
        TIRegisterPage *page = ti_soc_registers_make_page(s, address + offset);
        uint32_t i = (address + offset) % TI_PAGE_SIZE / 4;

        assert(!ti_soc_registers_rules[rule].before || i > 0);
        assert(!ti_soc_registers_rules[rule].after || i + 1 < TI_PAGE_WORDS);
        page->rule[i] = rule;
        page->writable[i] = ti_soc_registers_rules[rule].writable;
    }
}

/* ---- Accesses of any width ---------------------------------------------- */

static uint64_t ti_soc_registers_read(void *opaque, hwaddr offset,
                                      unsigned size)
{
    TISocRegistersState *s = opaque;
    uint32_t address = TI_SOC_REGISTERS_BASE + offset;
    TIRegisterPage *page = ti_soc_registers_page(s, address);
    uint32_t i = address % TI_PAGE_SIZE / 4;
    uint32_t word;

    if (!page) {
        qemu_log_mask(LOG_UNIMP, TYPE_TI_SOC_REGISTERS ": read of %u bytes at "
                      "0x%08" PRIx32 ", where nothing is modelled\n", size,
                      address);
        return 0;
    }
    word = ti_soc_registers_rules[page->rule[i]].read ?
           ti_soc_registers_rules[page->rule[i]].read(s, page, i) :
           page->word[i];
    trace_pixmill_soc_registers_read(address, size, word);
    return extract32(word, address % 4 * 8, size * 8);
}

static void ti_soc_registers_write(void *opaque, hwaddr offset, uint64_t value,
                                   unsigned size)
{
    TISocRegistersState *s = opaque;
    uint32_t address = TI_SOC_REGISTERS_BASE + offset;
    TIRegisterPage *page = ti_soc_registers_page(s, address);
    uint32_t i = address % TI_PAGE_SIZE / 4;
    unsigned shift = address % 4 * 8;
    uint32_t lanes;

    if (!page) {
        qemu_log_mask(LOG_UNIMP, TYPE_TI_SOC_REGISTERS ": write of 0x%" PRIx64
                      " to 0x%08" PRIx32 ", where nothing is modelled\n", value,
                      address);
        return;
    }
    trace_pixmill_soc_registers_write(address, size, value);
    lanes = MAKE_64BIT_MASK(shift, size * 8) & page->writable[i];
    value <<= shift;
    if (ti_soc_registers_rules[page->rule[i]].write) {
        ti_soc_registers_rules[page->rule[i]].write(page, i, value, lanes);
    } else {
        page->word[i] = (page->word[i] & ~lanes) | (value & lanes);
    }
}

static const MemoryRegionOps ti_soc_registers_ops =
    PIXMILL_MMIO_OPS(ti_soc_registers_read, ti_soc_registers_write, 1, 8);

static void ti_soc_registers_set_standby(void *opaque, int n, int level)
{
    TISocRegistersState *s = opaque;

    trace_pixmill_soc_registers_standby(s->standby_address[n], level);
    s->standby = deposit32(s->standby, n, 1, !!level);
}

/* ---- Modules of the device tree ----------------------------------------- */

static bool ti_soc_registers_has(uint64_t address)
{
    return address >= TI_SOC_REGISTERS_BASE &&
           address - TI_SOC_REGISTERS_BASE < TI_SOC_REGISTERS_SIZE &&
           address % 4 == 0;
}

/* The trees of TI's boards need some 130: so many are made up for a tree. */
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
    ti_soc_registers_set(s, address, reset, writable);
}

static void ti_soc_registers_add_module(void *opaque, const TISysc *module)
{
    TISocRegistersState *s = opaque;

    trace_pixmill_soc_registers_module(module->name, module->rev, module->sysc,
                                       module->syss);
    ti_soc_registers_set_module(s, module->rev, 0, 0);
    /* A soft reset is done before anybody can look. */
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
        VMSTATE_UINT32_EQUAL(base, TIRegisterPage,
                             "the machines' device trees differ"),
        VMSTATE_UINT32_ARRAY(word, TIRegisterPage, TI_PAGE_WORDS),
        VMSTATE_END_OF_LIST()
    },
};

/* What the guest cannot write, a stream cannot, either. */
static int ti_soc_registers_post_load(void *opaque, int version_id)
{
    TISocRegistersState *s = opaque;

    for (uint32_t n = 0; n < s->num_pages; n++) {
        TIRegisterPage *page = &s->pages[n];

        for (int i = 0; i < TI_PAGE_WORDS; i++) {
            page->word[i] = (page->word[i] & page->writable[i]) |
                            (page->reset[i] & ~page->writable[i]);
        }
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
        memcpy(s->pages[n].word, s->pages[n].reset, sizeof(s->pages[n].word));
    }
}

static void ti_soc_registers_realize(DeviceState *dev, Error **errp)
{
    TISocRegistersState *s = TI_SOC_REGISTERS(dev);

    qdev_init_gpio_in_named(dev, ti_soc_registers_set_standby, "standby",
                            s->num_standby);
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
    g_free(TI_SOC_REGISTERS(obj)->pages);
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
