/*
 * Synopsys DesignWare HDMI transmitter with its PHY, as in the i.MX6 Quad.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Registers, reset values and interrupts: Freescale's i.MX6 Platform SDK,
 * sdk/include/mx6dq/registers/regshdmi.h.  Identification, order of accesses,
 * what is polled: linux drivers/gpu/drm/bridge/synopsys/dw-hdmi.c and .h.
 *
 * The transmitter has no influence on the picture, except that it shows one or
 * not.  It claims to have no audio.  Its own I2C master for DDC is not wired to
 * the monitor, so every transfer ends without an acknowledge; boards use an I2C
 * controller of the SoC.  Not modeled: HDCP, audio, and CEC devices that could
 * answer.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/bitops.h"
#include "qemu/log.h"
#include "qemu/module.h"
#include "hw/pixmill/compat.h"
#include "hw/pixmill/trace.h"
#include "migration/vmstate.h"
#include "dw-hdmi.h"
#include "mmio-ops.h"

#define DDC_ADDRESS 0x50
#define REFRESH_MHZ 60000 /* the EDID's unit: 1/1000 Hz */
/*
 * Smaller modes of QEMU's generator have no vertical sync.  Larger ones exceed
 * what the transmitter can send (HDMI 1.4: 340 MHz).
 */
#define MIN_SIDE 200
#define MAX_SIDE 2048

/* ---- Registers ---------------------------------------------------------- */

enum {
    DESIGN_ID = 0x0000,
    REVISION_ID = 0x0001,
    PRODUCT_ID0 = 0x0002,
    PRODUCT_ID1 = 0x0003,
    CONFIG0_ID = 0x0004,
    CONFIG1_ID = 0x0005,
    CONFIG2_ID = 0x0006,

    IH_FC_STAT0 = 0x0100,
    IH_PHY_STAT0 = 0x0104,
    IH_I2CM_STAT0 = 0x0105,
    IH_CEC_STAT0 = 0x0106,
    IH_I2CMPHY_STAT0 = 0x0108,
    IH_STATS = 10,
    IH_MUTE_FC_STAT0 = 0x0180,
    IH_MUTE = 0x01FF,

    PHY_CONF0 = 0x3000,
    PHY_STAT0 = 0x3004,
    PHY_INT0 = 0x3005,
    PHY_MASK0 = 0x3006,
    PHY_POL0 = 0x3007,
    PHY_I2CM_SLAVE = 0x3020,
    PHY_I2CM_ADDRESS = 0x3021,
    PHY_I2CM_DATAO_1 = 0x3022, /* DATAO_0 follows */
    PHY_I2CM_DATAI_1 = 0x3024, /* DATAI_0 follows */
    PHY_I2CM_OPERATION = 0x3026,
    PHY_I2CM_SOFTRSTZ = 0x302A,

    MC_SWRSTZREQ = 0x4002,
    MC_PHYRSTZ = 0x4005,

    CEC_CTRL = 0x7D00,
    CEC_TX_CNT = 0x7D07,
    CEC_TX_DATA0 = 0x7D10,

    I2CM_OPERATION = 0x7E04,
    I2CM_SOFTRSTZ = 0x7E09,
};

/* Bits of IH_MUTE, and of the IH_ registers of the I2C masters and of CEC. */
#define IH_MUTE_ALL BIT(0)
#define IH_I2C_ERROR BIT(0)
#define IH_I2C_DONE BIT(1)
#define IH_CEC_DONE BIT(0)
#define IH_CEC_NACK BIT(2)

#define PHY_CONF0_TXPWRON BIT(3)
#define PHY_CONF0_PDDQ BIT(4) /* power down */

/* Bits of PHY_STAT0, _INT0, _MASK0 and _POL0. */
#define PHY_TX_PHY_LOCK BIT(0)
#define PHY_HPD BIT(1)
#define PHY_RX_SENSE 0xF0
#define PHY_EVENTS (PHY_TX_PHY_LOCK | PHY_HPD | PHY_RX_SENSE)

/* The reset input of PHYs of the second generation is active high (linux). */
#define MC_PHYRSTZ_RESET BIT(0)

/* Bits of the operation registers of both I2C masters. */
#define I2C_READ BIT(0)
#define I2C_READ_EXT BIT(1) /* DDC only */
#define I2C_WRITE BIT(4)

#define PHY_I2C_ADDRESS 0x69

#define CEC_CTRL_SEND BIT(0)
#define CEC_TX_CNT_FIELD 0x1F
#define CEC_BROADCAST 0xF

/* ---- Map ---------------------------------------------------------------- */

typedef enum DwHdmiKind {
    ABSENT,
    CONSTANT,    /* reads the reset value; writes are ignored */
    STORED,
    WRITE_1_CLEARS,
    STATUS,      /* the device sets it; writes are ignored */
    WRITE_ONLY,  /* reads 0 */
} DwHdmiKind;

/*
 * Ranges in ascending order.  The header of the SDK calls some of the frame
 * composer's status registers writable; the model treats all of them alike.
 */
static const struct {
    uint16_t first, last;
    DwHdmiKind kind;
} dw_hdmi_ranges[] = {
    { 0x0000, 0x0007, CONSTANT },       /* identification */
    { 0x0100, 0x0109, WRITE_1_CLEARS }, /* IH_*_STAT0 */
    { 0x0180, 0x0189, STORED },         /* IH_MUTE_*_STAT0 */
    { 0x01FF, 0x01FF, STORED },         /* IH_MUTE */
    { 0x0200, 0x0207, STORED },         /* TX: video sampler */
    { 0x0800, 0x0800, CONSTANT },       /* VP: video packetizer */
    { 0x0801, 0x0804, STORED },
    { 0x0805, 0x0806, CONSTANT },
    { 0x0807, 0x0808, STORED },
    { 0x1000, 0x102A, STORED },         /* FC: frame composer */
    { 0x1030, 0x1063, STORED },
    { 0x1064, 0x1064, CONSTANT },
    { 0x1073, 0x1075, STORED },
    { 0x1082, 0x10B5, STORED },
    { 0x10B6, 0x10B6, WRITE_ONLY },
    { 0x10B7, 0x10BF, STORED },
    { 0x10D0, 0x10D1, CONSTANT },       /* FC_STAT0, FC_INT0 */
    { 0x10D2, 0x10D3, STORED },
    { 0x10D4, 0x10D5, CONSTANT },
    { 0x10D6, 0x10D7, STORED },
    { 0x10D8, 0x10D9, CONSTANT },
    { 0x10DA, 0x10DB, STORED },
    { 0x10E0, 0x10E0, STORED },
    { 0x1100, 0x1100, CONSTANT },
    { 0x1101, 0x1101, STORED },
    { 0x1102, 0x1102, WRITE_ONLY },
    { 0x1103, 0x1120, STORED },
    { 0x1200, 0x121B, STORED },
    { 0x3000, 0x3002, STORED },         /* PHY */
    { 0x3003, 0x3003, CONSTANT },
    { 0x3004, 0x3005, STATUS },
    { 0x3006, 0x3007, STORED },
    { 0x3020, 0x3023, STORED },         /* I2C master of the PHY */
    { 0x3024, 0x3025, STATUS },
    { 0x3026, 0x3026, WRITE_ONLY },
    { 0x3027, 0x3029, STORED },
    { 0x302A, 0x302A, CONSTANT },       /* releases its reset at once */
    { 0x302B, 0x3032, STORED },
    { 0x3200, 0x3205, STORED },         /* AUD */
    { 0x3600, 0x360B, STORED },         /* AHB_DMA */
    { 0x360C, 0x3613, CONSTANT },
    { 0x3614, 0x3616, STORED },
    { 0x3617, 0x3618, CONSTANT },
    { 0x3619, 0x361A, STORED },
    { 0x4001, 0x4001, STORED },         /* MC: main controller */
    { 0x4002, 0x4002, CONSTANT },       /* releases its resets at once */
    { 0x4004, 0x4005, STORED },
    { 0x4006, 0x4006, CONSTANT },
    { 0x4007, 0x4007, STORED },
    { 0x4100, 0x4119, STORED },         /* CSC */
    { 0x5000, 0x5001, STORED },         /* A: HDCP */
    { 0x5002, 0x5005, CONSTANT },
    { 0x5006, 0x5006, WRITE_ONLY },
    { 0x5007, 0x5007, CONSTANT },
    { 0x5008, 0x500A, STORED },
    { 0x5014, 0x5015, CONSTANT },
    { 0x5016, 0x5016, STORED },
    { 0x7800, 0x7804, CONSTANT },
    { 0x7805, 0x780D, STORED },
    { 0x7D00, 0x7D00, STORED },         /* CEC */
    { 0x7D01, 0x7D01, CONSTANT },
    { 0x7D02, 0x7D03, STORED },
    { 0x7D04, 0x7D04, CONSTANT },
    { 0x7D05, 0x7D07, STORED },
    { 0x7D08, 0x7D08, CONSTANT },
    { 0x7D10, 0x7D1F, STORED },
    { 0x7D20, 0x7D2F, CONSTANT },
    { 0x7D30, 0x7D31, STORED },
    { 0x7E00, 0x7E02, STORED },         /* I2CM: DDC */
    { 0x7E03, 0x7E03, CONSTANT },
    { 0x7E04, 0x7E04, WRITE_ONLY },
    { 0x7E05, 0x7E08, STORED },
    { 0x7E09, 0x7E09, CONSTANT },       /* releases its reset at once */
    { 0x7E0A, 0x7E12, STORED },
    { 0x7F00, 0x7F00, STORED },         /* BASE_POINTER_ADDR */
};

/*
 * All other registers are 0 after reset.  Linux logs the identification on
 * silicon as "v1.30a with HDCP (DWC HDMI 3D TX PHY)".  CONFIG0 has HDCP, CEC,
 * CSC, HDMI 1.4 and PREP, without I2S and S/PDIF; CONFIG3 has no audio DMA.
 */
static const struct {
    uint16_t offset;
    uint8_t value;
} dw_hdmi_resets[] = {
    { DESIGN_ID, 0x13 },    { REVISION_ID, 0x0A }, { PRODUCT_ID0, 0xA0 },
    { PRODUCT_ID1, 0xC1 },  { CONFIG0_ID, 0x8F },  { CONFIG1_ID, 0x01 },
    { CONFIG2_ID, 0xF2 },   { IH_MUTE, 0x03 },     { 0x0200, 0x01 },
    { 0x0804, 0x46 },       { 0x0808, 0xFF },      { 0x1000, 0x70 },
    { 0x102A, 0x1B },       { 0x1073, 0x0F },      { 0x1074, 0x03 },
    { 0x10B7, 0x0F },       { 0x10D2, 0x25 },      { 0x10D3, 0xFF },
    { 0x10D7, 0xFF },       { 0x10DB, 0x03 },      { 0x10E0, 0x10 },
    { 0x1103, 0x10 },       { PHY_CONF0, 0x06 },   { PHY_POL0, 0xF3 },
    { 0x3027, 0x08 },       { 0x3028, 0x88 },      { 0x3029, 0x0B },
    { PHY_I2CM_SOFTRSTZ, 0x01 },
    { 0x302C, 0x6C },       { 0x302E, 0x7F },      { 0x3030, 0x11 },
    { 0x3032, 0x24 },       { MC_SWRSTZREQ, 0xFF }, { 0x4101, 0x01 },
    { 0x4102, 0x20 },       { 0x410C, 0x20 },      { 0x4116, 0x20 },
    { 0x5001, 0x01 },       { 0x500A, 0x08 },      { CEC_CTRL, 0x02 },
    { 0x7D03, 0x7F },       { 0x7D06, 0x80 },      { 0x7D31, 0xFF },
    { 0x7E05, 0x08 },       { 0x7E06, 0x88 },      { 0x7E07, 0x0B },
    { I2CM_SOFTRSTZ, 0x01 },
    { 0x7E0C, 0x6C },       { 0x7E0E, 0x7F },      { 0x7E10, 0x11 },
    { 0x7E12, 0x24 },
};

static DwHdmiKind dw_hdmi_kind(hwaddr addr)
{
    for (int i = 0; i < ARRAY_SIZE(dw_hdmi_ranges); i++) {
        if (addr <= dw_hdmi_ranges[i].last) {
            return addr >= dw_hdmi_ranges[i].first ? dw_hdmi_ranges[i].kind :
                   ABSENT;
        }
    }
    return ABSENT;
}

/* ---- PHY and interrupts ------------------------------------------------- */

/*
 * The PLL locks at once.  Hot plug and receiver sense need no power: drivers
 * wait for a monitor before they switch the PHY on.
 */
static uint8_t dw_hdmi_phy_status(const DwHdmiState *s)
{
    uint8_t power = s->reg[PHY_CONF0] & (PHY_CONF0_TXPWRON | PHY_CONF0_PDDQ);
    bool in_reset = s->reg[MC_PHYRSTZ] & MC_PHYRSTZ_RESET;

    return (power == PHY_CONF0_TXPWRON && !in_reset ? PHY_TX_PHY_LOCK : 0) |
           (s->connected ? PHY_HPD | PHY_RX_SENSE : 0);
}

/* PHY_INT0: an event is pending while its status equals its polarity. */
static uint8_t dw_hdmi_phy_events(const DwHdmiState *s)
{
    return ~(dw_hdmi_phy_status(s) ^ s->reg[PHY_POL0]) & ~s->reg[PHY_MASK0] &
           PHY_EVENTS;
}

/* The bits of the sticky register have another order. */
static uint8_t dw_hdmi_sticky_bits(uint8_t events)
{
    return extract32(events, 1, 1) | extract32(events, 0, 1) << 1 |
           extract32(events, 4, 4) << 2;
}

static bool dw_hdmi_is_active(const DwHdmiState *s)
{
    return s->connected && dw_hdmi_phy_status(s) & PHY_TX_PHY_LOCK;
}

static void dw_hdmi_update_irq(DwHdmiState *s)
{
    uint8_t pending = 0;

    for (int i = 0; i < IH_STATS; i++) {
        pending |= s->reg[IH_FC_STAT0 + i] & ~s->reg[IH_MUTE_FC_STAT0 + i];
    }
    qemu_set_irq(s->irq, pending && !(s->reg[IH_MUTE] & IH_MUTE_ALL));
}

/*
 * A pending event of the PHY sets its sticky bit again after the guest has
 * cleared it.  Linux therefore changes the polarity first.
 */
static void dw_hdmi_update(DwHdmiState *s)
{
    s->reg[IH_PHY_STAT0] |= dw_hdmi_sticky_bits(dw_hdmi_phy_events(s));
    dw_hdmi_update_irq(s);
    qemu_set_irq(s->active, dw_hdmi_is_active(s));
}

/* ---- Operations --------------------------------------------------------- */

/*
 * Linux masks the interrupts in PHY_I2CM_INT and PHY_I2CM_CTLINT and polls the
 * sticky bits, so the model ignores these masks.
 */
static void dw_hdmi_phy_i2c(DwHdmiState *s, uint8_t operation)
{
    uint16_t *phy = &s->phy[s->reg[PHY_I2CM_ADDRESS]];
    bool answers = s->reg[PHY_I2CM_SLAVE] == PHY_I2C_ADDRESS &&
                   !(s->reg[MC_PHYRSTZ] & MC_PHYRSTZ_RESET);

    if (!(operation & (I2C_READ | I2C_WRITE))) {
        return;
    }
    if (!answers) {
        s->reg[IH_I2CMPHY_STAT0] |= IH_I2C_ERROR;
        return;
    }
    if (operation & I2C_READ) {
        s->reg[PHY_I2CM_DATAI_1] = *phy >> 8;
        s->reg[PHY_I2CM_DATAI_1 + 1] = *phy;
    } else {
        *phy = s->reg[PHY_I2CM_DATAO_1] << 8 | s->reg[PHY_I2CM_DATAO_1 + 1];
    }
    s->reg[IH_I2CMPHY_STAT0] |= IH_I2C_DONE;
    trace_pixmill_dw_hdmi_phy(s->reg[PHY_I2CM_ADDRESS], *phy,
                              !(operation & I2C_READ));
}

static void dw_hdmi_ddc(DwHdmiState *s, uint8_t operation)
{
    if (operation & (I2C_READ | I2C_READ_EXT | I2C_WRITE)) {
        s->reg[IH_I2CM_STAT0] |= IH_I2C_ERROR;
    }
}

/*
 * Nobody else is on the CEC line: a broadcast succeeds, and a message to a
 * device is not acknowledged.
 */
static void dw_hdmi_cec_control(DwHdmiState *s)
{
    bool broadcast = (s->reg[CEC_TX_DATA0] & 0xF) == CEC_BROADCAST;

    if (s->reg[CEC_CTRL] & CEC_CTRL_SEND) {
        s->reg[CEC_CTRL] &= ~CEC_CTRL_SEND;
        if (s->reg[CEC_TX_CNT] & CEC_TX_CNT_FIELD) {
            s->reg[IH_CEC_STAT0] |= broadcast ? IH_CEC_DONE : IH_CEC_NACK;
        }
    }
}

static void dw_hdmi_phy_reset(DwHdmiState *s)
{
    if (s->reg[MC_PHYRSTZ] & MC_PHYRSTZ_RESET) {
        memset(s->phy, 0, sizeof(s->phy));
    }
}

/* ---- Accesses ----------------------------------------------------------- */

static uint64_t dw_hdmi_read(void *opaque, hwaddr addr, unsigned size)
{
    DwHdmiState *s = opaque;
    DwHdmiKind kind = dw_hdmi_kind(addr);
    uint8_t value = 0;

    if (kind == ABSENT) {
        qemu_log_mask(LOG_GUEST_ERROR, TYPE_DW_HDMI ": read of offset 0x%04"
                      HWADDR_PRIx ", which is not a register\n", addr);
    } else if (addr == PHY_STAT0) {
        value = dw_hdmi_phy_status(s);
    } else if (addr == PHY_INT0) {
        value = dw_hdmi_phy_events(s);
    } else if (kind != WRITE_ONLY) {
        value = s->reg[addr];
    }
    trace_pixmill_dw_hdmi_read(addr, value);
    return value;
}

static void dw_hdmi_store(DwHdmiState *s, hwaddr addr, uint8_t value)
{
    s->reg[addr] = value;
    switch (addr) {
    case MC_PHYRSTZ:
        dw_hdmi_phy_reset(s);
        break;
    case CEC_CTRL:
        dw_hdmi_cec_control(s);
        break;
    }
}

static void dw_hdmi_write(void *opaque, hwaddr addr, uint64_t data,
                          unsigned size)
{
    DwHdmiState *s = opaque;
    uint8_t value = data;

    trace_pixmill_dw_hdmi_write(addr, value);
    switch (dw_hdmi_kind(addr)) {
    case ABSENT:
        qemu_log_mask(LOG_GUEST_ERROR, TYPE_DW_HDMI ": write of 0x%02x to "
                      "offset 0x%04" HWADDR_PRIx ", which is not a register\n",
                      value, addr);
        return;
    case CONSTANT:
    case STATUS:
        return;
    case STORED:
        dw_hdmi_store(s, addr, value);
        break;
    case WRITE_1_CLEARS:
        s->reg[addr] &= ~value;
        break;
    case WRITE_ONLY:
        if (addr == PHY_I2CM_OPERATION) {
            dw_hdmi_phy_i2c(s, value);
        } else if (addr == I2CM_OPERATION) {
            dw_hdmi_ddc(s, value);
        }
        break;
    }
    dw_hdmi_update(s);
}

/* A wider access acts on each of its bytes. */
static const MemoryRegionOps dw_hdmi_ops = {
    .read = dw_hdmi_read,
    .write = dw_hdmi_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 4 },
    .impl = { .min_access_size = 1, .max_access_size = 1 },
};

/* ---- Monitor ------------------------------------------------------------ */

static int dw_hdmi_monitor_event(I2CSlave *i2c, enum i2c_event event)
{
    I2CSlaveClass *ddc =
        I2C_SLAVE_CLASS(object_class_by_name(TYPE_I2CDDC));
    DwHdmiMonitor *monitor = DW_HDMI_MONITOR(i2c);
    bool starts = event == I2C_START_SEND || event == I2C_START_RECV;

    if (starts && !(monitor->hdmi && monitor->hdmi->connected)) {
        return -1; /* no acknowledge */
    }
    return ddc->event(i2c, event);
}

static void dw_hdmi_monitor_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);

    dc->desc = "HDMI monitor on a DDC bus";
    dc->user_creatable = false; /* belongs to a transmitter */
    I2C_SLAVE_CLASS(oc)->event = dw_hdmi_monitor_event;
}

/*
 * QEMU's slave generates its EDID before its properties are set, so the EDID
 * is generated again.
 */
bool dw_hdmi_attach_monitor(DwHdmiState *s, I2CBus *bus, Error **errp)
{
    I2CSlave *slave = i2c_slave_new(TYPE_DW_HDMI_MONITOR, DDC_ADDRESS);
    I2CDDCState *ddc = I2CDDC(slave);

    DW_HDMI_MONITOR(slave)->hdmi = s;
    ddc->edid_info = (qemu_edid_info) {
        .prefx = s->xres,
        .prefy = s->yres,
        .refresh_rate = REFRESH_MHZ,
    };
    memset(ddc->edid_blob, 0, sizeof(ddc->edid_blob));
    qemu_edid_generate(ddc->edid_blob, sizeof(ddc->edid_blob),
                       &ddc->edid_info);
    return i2c_slave_realize_and_unref(slave, bus, errp);
}

/* ---- Life cycle --------------------------------------------------------- */

static bool dw_hdmi_get_connected(Object *obj, Error **errp)
{
    return DW_HDMI(obj)->connected;
}

static void dw_hdmi_set_connected(Object *obj, bool value, Error **errp)
{
    DwHdmiState *s = DW_HDMI(obj);

    s->connected = value;
    if (DEVICE(s)->realized) {
        dw_hdmi_update(s);
    }
}

static void dw_hdmi_reset_enter(Object *obj, ResetType type)
{
    DwHdmiState *s = DW_HDMI(obj);

    memset(s->reg, 0, sizeof(s->reg));
    memset(s->phy, 0, sizeof(s->phy));
    for (int i = 0; i < ARRAY_SIZE(dw_hdmi_resets); i++) {
        s->reg[dw_hdmi_resets[i].offset] = dw_hdmi_resets[i].value;
    }
}

static void dw_hdmi_reset_hold(Object *obj, ResetType type)
{
    dw_hdmi_update(DW_HDMI(obj));
}

static uint8_t dw_hdmi_reset_value(hwaddr addr)
{
    for (int i = 0; i < ARRAY_SIZE(dw_hdmi_resets); i++) {
        if (dw_hdmi_resets[i].offset == addr) {
            return dw_hdmi_resets[i].value;
        }
    }
    return 0;
}

/* Gives registers that the guest cannot write their only value. */
static int dw_hdmi_post_load(void *opaque, int version_id)
{
    DwHdmiState *s = opaque;

    for (hwaddr addr = 0; addr < DW_HDMI_REGISTERS; addr++) {
        DwHdmiKind kind = dw_hdmi_kind(addr);

        if (kind != STORED && kind != WRITE_1_CLEARS && kind != STATUS) {
            s->reg[addr] = dw_hdmi_reset_value(addr);
        }
    }
    dw_hdmi_phy_reset(s);
    dw_hdmi_update(s);
    return 0;
}

static const VMStateDescription vmstate_dw_hdmi = {
    .name = TYPE_DW_HDMI,
    .version_id = 1,
    .minimum_version_id = 1,
    .post_load = dw_hdmi_post_load,
    .fields = (const VMStateField[]) {
        /* The guest has read these in the EDID. */
        VMSTATE_UINT32_EQUAL(xres, DwHdmiState,
                             "property xres differs from the saved value"),
        VMSTATE_UINT32_EQUAL(yres, DwHdmiState,
                             "property yres differs from the saved value"),
        VMSTATE_BOOL(connected, DwHdmiState),
        VMSTATE_UINT8_ARRAY(reg, DwHdmiState, DW_HDMI_REGISTERS),
        VMSTATE_UINT16_ARRAY(phy, DwHdmiState, DW_HDMI_PHY_REGISTERS),
        VMSTATE_END_OF_LIST()
    },
};

static void dw_hdmi_realize(DeviceState *dev, Error **errp)
{
    DwHdmiState *s = DW_HDMI(dev);
    const struct {
        const char *name;
        uint32_t value;
    } sides[] = { { "xres", s->xres }, { "yres", s->yres } };

    for (int i = 0; i < ARRAY_SIZE(sides); i++) {
        if (sides[i].value < MIN_SIDE || sides[i].value > MAX_SIDE) {
            error_setg(errp, TYPE_DW_HDMI ": %s must be %d to %d pixels, not %"
                       PRIu32, sides[i].name, MIN_SIDE, MAX_SIDE,
                       sides[i].value);
            return;
        }
    }
}

static void dw_hdmi_init(Object *obj)
{
    DwHdmiState *s = DW_HDMI(obj);

    s->connected = true;
    memory_region_init_io(&s->mmio, obj, &dw_hdmi_ops, s, TYPE_DW_HDMI,
                          DW_HDMI_WINDOW);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->mmio);
    sysbus_init_irq(SYS_BUS_DEVICE(obj), &s->irq);
    qdev_init_gpio_out_named(DEVICE(obj), &s->active, DW_HDMI_ACTIVE, 1);
}

static const Property dw_hdmi_properties[] = {
    DEFINE_PROP_UINT32("xres", DwHdmiState, xres, 1280),
    DEFINE_PROP_UINT32("yres", DwHdmiState, yres, 800),
};

static void dw_hdmi_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);
    ResettableClass *rc = RESETTABLE_CLASS(oc);

    dc->desc = "DesignWare HDMI transmitter";
    dc->realize = dw_hdmi_realize;
    dc->vmsd = &vmstate_dw_hdmi;
    device_class_set_props(dc, dw_hdmi_properties);
    object_class_property_add_bool(oc, "connected", dw_hdmi_get_connected,
                                   dw_hdmi_set_connected);
    object_class_property_set_description(oc, "connected",
        "a monitor is plugged; changing it raises the hot-plug interrupt");
    set_bit(DEVICE_CATEGORY_DISPLAY, dc->categories);
    rc->phases.enter = dw_hdmi_reset_enter;
    rc->phases.hold = dw_hdmi_reset_hold;
}

static const TypeInfo dw_hdmi_types[] = {
    {
        .name = TYPE_DW_HDMI,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(DwHdmiState),
        .instance_init = dw_hdmi_init,
        .class_init = dw_hdmi_class_init,
    },
    {
        .name = TYPE_DW_HDMI_MONITOR,
        .parent = TYPE_I2CDDC,
        .instance_size = sizeof(DwHdmiMonitor),
        .class_init = dw_hdmi_monitor_class_init,
    },
};

DEFINE_TYPES(dw_hdmi_types)
