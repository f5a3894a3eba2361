// SPDX-License-Identifier: GPL-2.0-or-later
#include "chip.hpp"

#include <iterator>

namespace pixmill::vivante {
namespace {

// Sources. GC320 of the AM57xx: TI AM57xx TRM, BB2D register manual. i.MX6, Dove, JZ4770: the
// register dumps in etna_viv tools/data/gpus.json. GC400 r4652, GC520, GC7000 r620x: linux
// etnaviv_hwdb.c. GC1000: etnaviv debugfs of an LS7A1000 (etnaviv list, June 2023). GC620: the hwdb
// entry posted to the etnaviv list. Others: the vendor database in Mesa's src/etnaviv/hwdb.
//
// For cores that are known only from a database, the spec words encode its decoded values. An
// unknown date or time is 0, which triggers no quirk in Linux.
//
// Sources of the quirks: yuv_order was measured on both revisions of the i.MX6 (xf86-video-armada,
// "etnaviv: fix XV resize for UYVY source format", December 2016). The quirks of the GC2000 are
// inferred from Mesa's tests on the i.MX6Q (docs/hardware/vivante-3d.md, "What silicon does
// otherwise").
constexpr uint32_t gc2000_id = 0x14010000;
constexpr uint32_t yuv_order = PIXMILL_VIVANTE_QUIRK_YUV_ORDER;
constexpr uint32_t gc2000_quirks = PIXMILL_VIVANTE_QUIRK_SOLID_TRIANGLES |
                                   PIXMILL_VIVANTE_QUIRK_SHARED_STENCIL_MASKS |
                                   PIXMILL_VIVANTE_QUIRK_LARGE_POINTS;

// clang-format off
constexpr Chip chips[] = {
    // Columns: name, identity, model, revision, date, time, customer, product, eco, features, minor
    // features 0-6, minor features 7 and 10, specs 1-4, quirks
    {"gc320-am57xx", gc2000_id, 0x320, 0x5301, 0x20111103, 0x00140300, 0, 0, 0,
     0xe02cfeca, {0xc9399eff, 0xfe1fb2db, 0x1aff4080, 0, 0, 0, 0},
     0, 0, {0, 0, 0, 0}},
    {"gc320-imx6", gc2000_id, 0x320, 0x5007, 0, 0, 0, 0, 0,
     0xe02c7eca, {0xc1399eff, 0x020fb2db, 0, 0, 0, 0, 0},
     0, 0, {0xa4410a61, 0x01000008, 0, 0}, yuv_order},
    {"gc320-imx6qp", gc2000_id, 0x320, 0x5303, 0, 0, 0, 0, 0,
     0xe02c7eca, {0xe9399eff, 0xfe1fb2db, 0xceff0080, 0x10000005, 0, 0, 0},
     0, 0, {0, 0, 0, 0}, yuv_order},
    {"gc320-imx8mm", gc2000_id, 0x320, 0x5341, 0, 0, 0, 0x3202, 0,
     0xe02c7eca, {0xe9399eff, 0xfe1fb2db, 0xcedf0080, 0x10000005, 0, 0x00020080, 0},
     0, 0, {0, 0, 0, 0}},
    {"gc355-imx6q", gc2000_id, 0x355, 0x1215, 0, 0, 0, 0, 0,
     0x1e2c7cc8, {0x0024207f, 0, 0x00010104, 0, 0, 0, 0},
     0, 0, {0, 0, 0, 0}},
    {"gc355-imx6qp", gc2000_id, 0x355, 0x1216, 0, 0, 0, 0, 0,
     0x1e2c7cc8, {0x0024207f, 0, 0x01010104, 0, 0, 0, 0},
     0, 0, {0, 0, 0, 0}},
    // Source of the identity: vg_lite_options.h of gpu-vglite, which compares it with the
    // registers. Features are those of the i.MX6, because those of these two cores are not public
    // (VD1).
    {"gc355-rt1170", gc2000_id, 0x355, 0x1216, 0, 0, 0, 0, 0,
     0x1e2c7cc8, {0x0024207f, 0, 0x01010104, 0, 0, 0, 0},
     0, 0, {0, 0, 0, 0}},
    {"gc255-rt595", gc2000_id, 0x255, 0x1311, 0, 0, 0x40a, 0, 1,
     0x1e2c7cc8, {0x0024207f, 0, 0, 0, 0, 0, 0},
     0, 0, {0, 0, 0, 0}},
    {"gc2000-imx6q", gc2000_id, 0x2000, 0x5108, 0, 0, 0, 0, 0,
     0xe0296cad, {0xc9799eff, 0x2efbf2d9, 0, 0, 0, 0, 0},
     0, 0, {0x94410a68, 0x00a80000, 0, 0}, gc2000_quirks},
    {"gc880-imx6dl", gc2000_id, 0x880, 0x5106, 0, 0, 0, 0, 0,
     0xe02864ad, {0xc9f99eff, 0xeefbf2d9, 0x021002a4, 0, 0, 0, 0},
     0, 0, {0x92108868, 0x01000000, 0, 0}},
    // The i.MX6QP identifies itself as a GC2000 with an impossible revision (linux
    // etnaviv_hw_identify).
    {"gc3000-imx6qp", gc2000_id, 0x2000, 0xffff5450, 0, 0, 0, 0, 0,
     0xe0287cad, {0xc9799efb, 0xfefbfadb, 0xeb9d4bbf, 0xedffdced, 0x930d2f47, 0x10000133, 0},
     0, 0, {0xa4410a60, 0x01400000, 0x00000100, 0x00010000}},
    {"gc600-dove", gc2000_id, 0x600, 0x0019, 0, 0, 0, 0, 0,
     0x00087ecd, {0x00000007, 0, 0, 0, 0, 0, 0},
     0, 0, {0, 0, 0, 0}},
    {"gc860-jz4770", gc2000_id, 0x860, 0x4621, 0, 0, 0, 0, 0,
     0xe0286ecd, {0xcbf99fff, 0x0003b219, 0, 0, 0, 0, 0},
     0, 0, {0, 0, 0, 0}},
    {"gc400-imx6sx", gc2000_id, 0x400, 0x4645, 0, 0, 0, 0, 0,
     0xa0a8e6ed, {0xe1299fff, 0xae13b219, 0xca110000, 0x08000001, 0x00000002, 0, 0},
     0, 0, {0x72108764, 0x02400000, 0, 0}},
    {"gc400-stm32mp1", gc2000_id, 0x400, 0x4652, 0, 0, 0x0100, 0x70001, 0,
     0xa0e9e004, {0xe1299fff, 0xbe13b219, 0xce110010, 0x08000001, 0x00020102, 0x00120000, 0},
     0, 0, {0xa2108764, 0x01400000, 0x00000080, 0}},
    {"gc600-imx8mm", gc2000_id, 0x600, 0x4653, 0, 0, 0, 0x70005, 0,
     0xa0e9e4ad, {0xe1299fff, 0xbe13b219, 0xca110010, 0x08000001, 0x00020102, 0x00020000, 0},
     0, 0, {0x92108864, 0x01400000, 0x00000080, 0}},
    {"gc620-th1520", gc2000_id, 0x620, 0x5552, 0, 0, 0x020b, 0x6200, 0,
     0x001b4a40, {0xa0600080, 0x18050000, 0x04f30000, 0x00060005, 0x20629000, 0x0003380c, 0},
     0x00001000, 0x00004000, {0, 0, 0, 0}},
    {"gc1000-ls7a1000", gc2000_id, 0x1000, 0x5037, 0, 0, 0, 0, 0,
     0xe0286eed, {0xe9799eff, 0xbe13b2d9, 0xca114080, 0x0e0100a1, 0, 0, 0},
     0, 0, {0x92208964, 0x02400000, 0, 0}},
    {"gc7000-imx8mq", gc2000_id, 0x7000, 0x6214, 0, 0, 0x0030, 0x70002, 0,
     0xe0287cad, {0xc1799eff, 0xfefbfad9, 0xeb9d4fbf, 0xedfffced, 0xdb0dafc7, 0xbb5ac333, 0xfc8ee200},
     0x03fbfa6f, 0x90044250, {0xa4410a60, 0x01400000, 0x00000100, 0x00010000}},
    {"gc7000-r6202", gc2000_id, 0x7000, 0x6202, 0, 0, 0, 0x70003, 0,
     0xe0287cad, {0xc1489eff, 0xfefbfad9, 0xeb9d4fbf, 0xedfffced, 0xdb0dafc7, 0x3b5ac333, 0xfccee201},
     0x03fffa6f, 0x00004040, {0xa2210968, 0x01400000, 0x00000100, 0}},
    {"gc7000-imx8mn", gc2000_id, 0x7000, 0x6203, 0, 0, 0x4, 0x70003, 0,
     0xe0287c8d, {0xc1589eff, 0xfefbfad9, 0xeb9d4fbf, 0xedfffced, 0xdb0dafc7, 0x3b5ac333, 0xfcce6000},
     0xfffbfa6f, 0x00004040, {0xa2210960, 0x01400000, 0x00000100, 0x00010000}},
    {"gc7000-imx8mp", gc2000_id, 0x7000, 0x6204, 0, 0, 0x11, 0x70003, 0,
     0xe0287c8d, {0xc1589eff, 0xfefbfad9, 0xeb9d4fbf, 0xedfffced, 0xdb0dafc7, 0x3b5ac333, 0xfcce6000},
     0xfffbfa6f, 0x00004060, {0xa2210960, 0x01400000, 0x00000100, 0x00010000}},
    {"gc520-imx8mp", gc2000_id, 0x520, 0x5341, 0, 0, 0x0204, 0x5202, 0,
     0xe02c7eca, {0xe9399eff, 0xfe1fb2db, 0xcedf0080, 0x10800005, 0x20000000, 0x00020880, 0},
     0x00001000, 0, {0, 0, 0, 0}},
};
// clang-format on

struct Alias {
    std::string_view name, chip;
};

constexpr Alias aliases[] = {{"gc2000", "gc2000-imx6q"}, {"gc355", "gc355-imx6q"}};

} // namespace

const Chip* find_chip(std::string_view name) {
    for (const Alias& alias : aliases)
        if (alias.name == name)
            name = alias.chip;
    for (const Chip& chip : chips)
        if (chip.name == name)
            return &chip;
    return nullptr;
}

const char* model_name(size_t index) {
    if (index < std::size(chips))
        return chips[index].name;
    index -= std::size(chips);
    return index < std::size(aliases) ? aliases[index].name.data() : nullptr;
}

} // namespace pixmill::vivante
