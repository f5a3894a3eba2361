/*
 * The ISA bridge function of the AMD CS5536, the companion chip of a Geode LX.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * BARs and GPIO registers: AMD Geode CS5536 Companion Device Data Book
 * (33238G), "GPIO subsystem register descriptions"; linux
 * include/linux/cs5535.h, drivers/mfd/cs5535-mfd.c.
 */
#include "qemu/osdep.h"
#include "qemu/module.h"
#include "hw/display/i2c-ddc.h"
#include "hw/pci/pci_device.h"
#include "migration/vmstate.h"
#include "hw/pixmill/compat.h"
#include "cs5536.h"
#include "mmio-ops.h"

/* ---- Blocks with and without storage ------------------------------------- */

static uint64_t cs5536_store_read(void *opaque, hwaddr addr, unsigned size)
{
    return ldn_le_p(opaque + addr, size);
}

static void cs5536_store_write(void *opaque, hwaddr addr, uint64_t value,
                               unsigned size)
{
    stn_le_p(opaque + addr, size, value);
}

static const MemoryRegionOps cs5536_store_ops =
    PIXMILL_BYTE_OPS(cs5536_store_read, cs5536_store_write);

static uint64_t cs5536_zero_read(void *opaque, hwaddr addr, unsigned size)
{
    return 0;
}

static void cs5536_zero_write(void *opaque, hwaddr addr, uint64_t value,
                              unsigned size)
{
}

static const MemoryRegionOps cs5536_zero_ops =
    PIXMILL_BYTE_OPS(cs5536_zero_read, cs5536_zero_write);

/* ---- GPIO and the I2C bus on it ------------------------------------------ */

#define PIN(pin) (1u << (pin))

/*
 * Drives the lines of the I2C bus from the pins.  If both pins change at once,
 * data changes while the clock is low, so that this is neither a START nor a
 * STOP.
 */
static void cs5536_drive_i2c(CS5536State *s)
{
    uint32_t pins = pixmill_cs5536_gpio_pins(&s->gpio);
    bool scl = pins & PIN(PIXMILL_CS5536_GPIO_SCL);

    if (!scl) {
        bitbang_i2c_set(&s->i2c, BITBANG_I2C_SCL, 0);
    }
    bitbang_i2c_set(&s->i2c, BITBANG_I2C_SDA,
                    !!(pins & PIN(PIXMILL_CS5536_GPIO_SDA)));
    if (scl) {
        bitbang_i2c_set(&s->i2c, BITBANG_I2C_SCL, 1);
    }
}

static uint64_t cs5536_gpio_read(void *opaque, hwaddr addr, unsigned size)
{
    CS5536State *s = opaque;
    uint32_t others = s->i2c.device_out ? UINT32_MAX :
                      ~PIN(PIXMILL_CS5536_GPIO_SDA);

    return pixmill_cs5536_gpio_read(&s->gpio, addr, size, others);
}

static void cs5536_gpio_write(void *opaque, hwaddr addr, uint64_t value,
                              unsigned size)
{
    CS5536State *s = opaque;

    pixmill_cs5536_gpio_write(&s->gpio, addr, size, value);
    cs5536_drive_i2c(s);
}

static const MemoryRegionOps cs5536_gpio_ops =
    PIXMILL_BYTE_OPS(cs5536_gpio_read, cs5536_gpio_write);

/* ---- Migration ----------------------------------------------------------- */

static const VMStateDescription vmstate_cs5536_i2c = {
    .name = "cs5536-i2c",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32(state, bitbang_i2c_interface),
        VMSTATE_INT32(last_data, bitbang_i2c_interface),
        VMSTATE_INT32(last_clock, bitbang_i2c_interface),
        VMSTATE_INT32(device_out, bitbang_i2c_interface),
        VMSTATE_UINT8(buffer, bitbang_i2c_interface),
        VMSTATE_INT32(current_addr, bitbang_i2c_interface),
        VMSTATE_END_OF_LIST()
    },
};

/* Validates the stream, which is not trusted. */
static int cs5536_post_load(void *opaque, int version_id)
{
    CS5536State *s = opaque;
    const bitbang_i2c_interface *i2c = &s->i2c;
    bool levels = (i2c->last_data | i2c->last_clock | i2c->device_out) & ~1;

    return levels || i2c->state > SENT_NACK || i2c->current_addr < -1 ||
           i2c->current_addr > UINT8_MAX ? -EINVAL : 0;
}

static const VMStateDescription vmstate_cs5536 = {
    .name = TYPE_CS5536,
    .version_id = 1,
    .minimum_version_id = 1,
    .post_load = cs5536_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_PCI_DEVICE(parent_obj, CS5536State),
        VMSTATE_STRUCT(i2c, CS5536State, 1, vmstate_cs5536_i2c,
                       bitbang_i2c_interface),
        VMSTATE_UINT32_ARRAY(gpio.reg, CS5536State,
                             PIXMILL_CS5536_GPIO_BYTES / 4),
        VMSTATE_UINT8_ARRAY(smb, CS5536State, sizeof_field(CS5536State, smb)),
        VMSTATE_UINT8_ARRAY(irq, CS5536State, sizeof_field(CS5536State, irq)),
        VMSTATE_UINT8_ARRAY(acpi, CS5536State, sizeof_field(CS5536State, acpi)),
        VMSTATE_END_OF_LIST()
    },
};

/* ---- Life cycle ---------------------------------------------------------- */

static void cs5536_reset_hold(Object *obj, ResetType type)
{
    CS5536State *s = CS5536(obj);
    I2CBus *bus = s->i2c.bus;

    s->gpio = (PixmillCs5536Gpio) { 0 };
    memset(s->smb, 0, sizeof(s->smb));
    memset(s->irq, 0, sizeof(s->irq));
    memset(s->acpi, 0, sizeof(s->acpi));
    i2c_end_transfer(bus); /* or its target would answer the next transfer */
    s->i2c = (bitbang_i2c_interface) { .current_addr = -1 };
    bitbang_i2c_init(&s->i2c, bus);
}

/*
 * Blocks in the order of their BARs.  If BAR 0 is not 8 bytes, Linux moves the
 * first three BARs (drivers/pci/quirks.c, quirk_cs5536_vsa).
 */
static const struct {
    const char *name;
    uint32_t size;
    const MemoryRegionOps *ops;
    size_t opaque; /* offset in CS5536State, passed to the operations */
} cs5536_blocks[CS5536_BARS] = {
    { "cs5536-smb", 8, &cs5536_store_ops, offsetof(CS5536State, smb) },
    { "cs5536-gpio", PIXMILL_CS5536_GPIO_BYTES, &cs5536_gpio_ops },
    { "cs5536-mfgpt", 64, &cs5536_zero_ops },
    { "cs5536-irq", 32, &cs5536_store_ops, offsetof(CS5536State, irq) },
    { "cs5536-pms", 128, &cs5536_zero_ops },
    { "cs5536-acpi", 64, &cs5536_store_ops, offsetof(CS5536State, acpi) },
};

static void cs5536_realize(PCIDevice *pci, Error **errp)
{
    CS5536State *s = CS5536(pci);
    I2CBus *bus = i2c_init_bus(DEVICE(s), "ddc");
    I2CSlave *monitor = i2c_slave_new(TYPE_I2CDDC, 0x50);

    for (int i = 0; i < CS5536_BARS; i++) {
        memory_region_init_io(&s->bar[i], OBJECT(s), cs5536_blocks[i].ops,
                              (void *)s + cs5536_blocks[i].opaque,
                              cs5536_blocks[i].name, cs5536_blocks[i].size);
        pci_register_bar(pci, i, PCI_BASE_ADDRESS_SPACE_IO, &s->bar[i]);
    }
    bitbang_i2c_init(&s->i2c, bus);
    i2c_slave_realize_and_unref(monitor, bus, errp);
}

static void cs5536_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);
    PCIDeviceClass *pc = PCI_DEVICE_CLASS(oc);

    dc->desc = "AMD CS5536 companion: GPIO with a monitor's DDC";
    set_bit(DEVICE_CATEGORY_BRIDGE, dc->categories);
    dc->vmsd = &vmstate_cs5536;
    dc->hotpluggable = false;
    RESETTABLE_CLASS(oc)->phases.hold = cs5536_reset_hold;
    pc->realize = cs5536_realize;
    pc->vendor_id = PCI_VENDOR_ID_AMD;
    pc->device_id = 0x2090;
    pc->class_id = PCI_CLASS_BRIDGE_ISA;
}

static const TypeInfo cs5536_types[] = {
    {
        .name = TYPE_CS5536,
        .parent = TYPE_PCI_DEVICE,
        .instance_size = sizeof(CS5536State),
        .class_init = cs5536_class_init,
        .interfaces = (InterfaceInfo[]) {
            { INTERFACE_CONVENTIONAL_PCI_DEVICE },
            { }
        },
    },
};

DEFINE_TYPES(cs5536_types)
