/*
 * The identification registers of each chip. Sources: AM57xx TRM 13.4; etna_viv
 * tools/data/gpus.json; Mesa src/etnaviv/hwdb; linux etnaviv_hwdb.c and etnaviv_gpu.c (quirks);
 * logs of real boards for GC1000 r5037.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "machine.hpp"

namespace pixmill::test {
namespace {

/* Two values, both accepted, if the sources disagree. */
struct Either {
    uint32_t a;
    uint32_t b;
    Either(uint32_t value) : a(value), b(value) {}
    Either(uint32_t first, uint32_t second) : a(first), b(second) {}
    bool holds(uint32_t value) const { return value == a || value == b; }
};

struct Chip {
    const char* name;
    uint32_t model;
    uint32_t revision;
    Either customer;
    uint32_t product;
    Either eco;
    uint32_t features;
    uint32_t minor[6];
    Either specs[4];
    uint32_t idle;
};

constexpr uint32_t k8 = 0xFF; /* IDLE_STATE of cores with only the first eight modules */

// clang-format off
const Chip kChips[] = {
    {"gc320-am57xx", 0x320, 0x5301, 0, 0, 0, 0xE02CFECA,
     {0xC9399EFF, 0xFE1FB2DB, 0x1AFF4080, 0, 0, 0},
     {0, 0, 0, 0}, kIdleAll},
    {"gc320-imx6", 0x320, 0x5007, 0, 0, 0, 0xE02C7ECA,
     {0xC1399EFF, 0x020FB2DB, 0, 0, 0, 0},
     {0xA4410A61, 0x01000008, 0, 0}, kIdleAll},
    {"gc320-imx6qp", 0x320, 0x5303, 0, 0, 0, 0xE02C7ECA,
     {0xE9399EFF, 0xFE1FB2DB, 0xCEFF0080, 0x10000005, 0, 0},
     {{0, 0x92108861}, 0, 0, 0}, kIdleAll},
    {"gc320-imx8mm", 0x320, 0x5341, 0, 0x3202, 0, 0xE02C7ECA,
     {0xE9399EFF, 0xFE1FB2DB, 0xCEDF0080, 0x10000005, 0, 0x00020080},
     {{0, 0x92108861}, 0, 0, 0}, kIdleAll},
    {"gc355-imx6q", 0x355, 0x1215, 0, 0, 0, 0x1E2C7CC8,
     {0x0024207F, 0, 0x00010104, 0, 0, 0},
     {0, 0, 0, 0}, kIdleAll},
    {"gc355-imx6qp", 0x355, 0x1216, 0, 0, 0, 0x1E2C7CC8,
     {0x0024207F, 0, 0x01010104, 0, 0, 0},
     {0, 0, 0, 0}, kIdleAll},
    {"gc355-rt1170", 0x355, 0x1216, 0, 0, 0, 0x1E2C7CC8,
     {0x0024207F, 0, 0x01010104, 0, 0, 0},
     {0, 0, 0, 0}, kIdleAll},
    {"gc255-rt595", 0x255, 0x1311, 0x40A, 0, 1, 0x1E2C7CC8,
     {0x0024207F, 0, 0, 0, 0, 0},
     {0, 0, 0, 0}, kIdleAll},
    {"gc2000-imx6q", 0x2000, 0x5108, 0, 0, 0, 0xE0296CAD,
     {0xC9799EFF, 0x2EFBF2D9, 0, 0, 0, 0},
     {0x94410A68, 0x00A80000, 0, 0}, kIdleAll},
    {"gc880-imx6dl", 0x880, 0x5106, 0, 0, 0, 0xE02864AD,
     {0xC9F99EFF, 0xEEFBF2D9, 0x021002A4, 0, 0, 0},
     {0x92108868, 0x01000000, 0, 0}, kIdleAll},
    /* This core reports 0x2000 rFFFF5450, which the kernel treats as 0x3000 r5450. */
    {"gc3000-imx6qp", 0x2000, 0xFFFF5450, 0, 0, 0, 0xE0287CAD,
     {0xC9799EFB, 0xFEFBFADB, 0xEB9D4BBF, 0xEDFFDCED, 0x930D2F47, 0x10000133},
     {0xA4410A60, 0x01400000, 0x100, 0x10000}, kIdleAll},
    {"gc600-dove", 0x600, 0x0019, 0, 0, 0, 0x00087ECD,
     {7, 0, 0, 0, 0, 0},
     {0, 0, 0, 0}, k8},
    {"gc860-jz4770", 0x860, 0x4621, 0, 0, 0, 0xE0286ECD,
     {0xCBF99FFF, 0x0003B219, 0, 0, 0, 0},
     {0, 0, 0, 0}, kIdleAll},
    {"gc400-imx6sx", 0x400, 0x4645, 0, 0, 0, 0xA0A8E6ED,
     {0xE1299FFF, 0xAE13B219, 0xCA110000, 0x08000001, 0x00000002, 0},
     {0x72108764, 0x02400000, 0, 0}, kIdleAll},
    {"gc400-stm32mp1", 0x400, 0x4652, 0x100, 0x70001, 0, 0xA0E9E004,
     {0xE1299FFF, 0xBE13B219, 0xCE110010, 0x08000001, 0x00020102, 0x00120000},
     {0xA2108764, 0x01400000, 0x80, 0}, kIdleAll},
    {"gc600-imx8mm", 0x600, 0x4653, {0, 0x102}, 0x70005, 0, 0xA0E9E4AD,
     {0xE1299FFF, 0xBE13B219, 0xCA110010, 0x08000001, 0x00020102, 0x00020000},
     {0x92108864, 0x01400000, 0x80, 0}, kIdleAll},
    {"gc620-th1520", 0x620, 0x5552, 0x20B, 0x6200, 0, 0x001B4A40,
     {0xA0600080, 0x18050000, 0x04F30000, 0x00060005, 0x20629000, 0x0003380C},
     {{0, 0x92108861}, 0, 0, 0}, kIdleAll},
    {"gc1000-ls7a1000", 0x1000, 0x5037, 0, 0, 0, 0xE0286EED,
     {0xE9799EFF, 0xBE13B2D9, 0xCA114080, 0x0E0100A1, 0, 0},
     {0x92208964, 0x02400000, {0, 0x80}, 0}, kIdleAll},
    {"gc7000-imx8mq", 0x7000, 0x6214, 0x30, 0x70002, {0, 1}, 0xE0287CAD,
     {0xC1799EFF, 0xFEFBFAD9, 0xEB9D4FBF, 0xEDFFFCED, 0xDB0DAFC7, 0xBB5AC333},
     {0xA4410A60, 0x01400000, 0x100, 0x10000}, kIdleAll},
    {"gc7000-r6202", 0x7000, 0x6202, 0, 0x70003, 0, 0xE0287CAD,
     {0xC1489EFF, 0xFEFBFAD9, 0xEB9D4FBF, 0xEDFFFCED, 0xDB0DAFC7, 0x3B5AC333},
     {0xA2210968, 0x01400000, 0x100, 0}, kIdleAll},
    {"gc7000-imx8mn", 0x7000, 0x6203, 4, 0x70003, 0, 0xE0287C8D,
     {0xC1589EFF, 0xFEFBFAD9, 0xEB9D4FBF, 0xEDFFFCED, 0xDB0DAFC7, 0x3B5AC333},
     {0xA2210960, 0x01400000, 0x100, 0x10000}, kIdleAll},
    {"gc7000-imx8mp", 0x7000, 0x6204, 0x11, 0x70003, 0, 0xE0287C8D,
     {0xC1589EFF, 0xFEFBFAD9, 0xEB9D4FBF, 0xEDFFFCED, 0xDB0DAFC7, 0x3B5AC333},
     {0xA2210960, 0x01400000, 0x100, 0x10000}, kIdleAll},
    {"gc520-imx8mp", 0x520, 0x5341, 0x204, 0x5202, 0, 0xE02C7ECA,
     {0xE9399EFF, 0xFE1FB2DB, 0xCEDF0080, 0x10800005, 0x20000000, 0x00020880},
     {{0, 0x92108861}, 0, 0, 0}, kIdleAll},
};
// clang-format on

class VivanteIdentity : public testing::TestWithParam<Chip> {};

TEST_P(VivanteIdentity, IdentificationWords) {
    const Chip& chip = GetParam();
    Machine m(chip.name);
    EXPECT_EQ(m.get(reg::kChipIdentity), 0x14010000u); /* FAMILY 1 would mean GC500 */
    EXPECT_EQ(m.get(reg::kModel), chip.model);
    EXPECT_EQ(m.get(reg::kRevision), chip.revision);
    EXPECT_TRUE(chip.customer.holds(m.get(reg::kCustomer))) << std::hex << m.get(reg::kCustomer);
    if (std::strcmp(chip.name, "gc600-dove") == 0)
        return; /* the next reads cause a bus error, see below */
    EXPECT_EQ(m.get(reg::kProduct), chip.product);
    EXPECT_TRUE(chip.eco.holds(m.get(reg::kEco))) << std::hex << m.get(reg::kEco);
}

TEST_P(VivanteIdentity, FeatureWords) {
    const Chip& chip = GetParam();
    Machine m(chip.name);
    m.allow_logs(); /* cores without MORE_MINOR_FEATURES lack some registers */
    EXPECT_EQ(m.get(reg::kFeature), chip.features);
    const uint32_t offsets[] = {reg::kMinor0, reg::kMinor1, reg::kMinor2,
                                reg::kMinor3, reg::kMinor4, reg::kMinor5};
    for (size_t i = 0; i < std::size(offsets); i++)
        EXPECT_EQ(m.get(offsets[i]), chip.minor[i]) << "minor" << i;
}

TEST_P(VivanteIdentity, SpecsWords) {
    const Chip& chip = GetParam();
    Machine m(chip.name);
    m.allow_logs();
    const uint32_t offsets[] = {reg::kSpecs, reg::kSpecs2, reg::kSpecs3, reg::kSpecs4};
    for (size_t i = 0; i < std::size(offsets); i++) {
        const uint32_t value = m.get(offsets[i]);
        EXPECT_TRUE(chip.specs[i].holds(value)) << "specs" << i + 1 << " " << std::hex << value;
    }
}

TEST_P(VivanteIdentity, StoppedCoreIsIdle) {
    Machine m(GetParam().name);
    EXPECT_EQ(m.get(reg::kIdle), GetParam().idle);
    EXPECT_EQ(m.get(reg::kClock), 0x00070100u);
    m.soft_reset();
    EXPECT_EQ(m.get(reg::kIdle), GetParam().idle);
    /* linux etnaviv_hw_reset() needs bits 16 and 17 even if there is no 3D or 2D pipe. */
    EXPECT_EQ(m.get(reg::kClock), 0x00070100u);
}

TEST_P(VivanteIdentity, LoopingFrontEndIsTheOnlyBusyModule) {
    const Chip& chip = GetParam();
    if (chip.features >> 26 & 1) /* PIPE_VG has a different front end */
        return;
    Machine m(chip.name);
    m.put_stream(0x2000, Stream().wait(200).link(2, 0x2000));
    m.start(0x2000, 2);
    m.go();
    EXPECT_EQ(m.get(reg::kIdle), chip.idle & ~1u);
    EXPECT_EQ(m.get(reg::kClock) & 0x70000, 0u); /* 0 while the FE is busy (Dove log) */
}

TEST_P(VivanteIdentity, EventReachesTheLine) {
    const Chip& chip = GetParam();
    if (chip.features >> 26 & 1)
        return;
    Machine m(chip.name);
    m.set(reg::kIntrEnable, ~0u);
    m.run_stream(Stream().event(kEventFromPe | 7));
    EXPECT_TRUE(m.host.irq);
    EXPECT_EQ(m.get(reg::kIntrAck), 0x80u);
    EXPECT_EQ(m.get(reg::kIdle), chip.idle);
}

TEST_P(VivanteIdentity, StateGuardNamesModelAndRevision) {
    const Chip& chip = GetParam();
    Machine m(chip.name);
    EXPECT_EQ(m.save()->model, chip.model << 16 | (chip.revision & 0xFFFF));
}

INSTANTIATE_TEST_SUITE_P(Chips, VivanteIdentity, testing::ValuesIn(kChips), [](const auto& chip) {
    std::string name = chip.param.name;
    for (char& c : name)
        c = c == '-' ? '_' : c;
    return name;
});

TEST(VivanteModels, EveryChipIsListedOnce) {
    std::multiset<std::string> names;
    for (size_t i = 0; pixmill_vivante_model(i); i++)
        names.insert(pixmill_vivante_model(i));
    for (const Chip& chip : kChips)
        EXPECT_EQ(names.count(chip.name), 1u) << chip.name;
    EXPECT_EQ(pixmill_vivante_model(names.size()), nullptr);
    EXPECT_EQ(pixmill_vivante_model(SIZE_MAX), nullptr);
}

TEST(VivanteModels, EveryListedNameCreatesACore) {
    for (size_t i = 0; pixmill_vivante_model(i); i++)
        Machine m(pixmill_vivante_model(i));
}

TEST(VivanteModels, ShortNamesMeanTheIMx6QCores) {
    Machine gc2000("gc2000");
    EXPECT_EQ(gc2000.get(reg::kModel), 0x2000u);
    EXPECT_EQ(gc2000.get(reg::kRevision), 0x5108u);
    Machine gc355("gc355");
    EXPECT_EQ(gc355.get(reg::kModel), 0x355u);
    EXPECT_EQ(gc355.get(reg::kRevision), 0x1215u);
}

TEST(VivanteModels, Am57xxDateAndTimeAreTheManuals) {
    Machine m("gc320-am57xx");
    EXPECT_EQ(m.get(reg::kDate), 0x20111103u);
    EXPECT_EQ(m.get(reg::kTime), 0x00140300u);
}

/* linux etnaviv_gpu.c selects quirks by these dates, so no chip may have one by accident. */
TEST(VivanteModels, UnknownDatesTriggerNoKernelQuirk) {
    for (const Chip& chip : kChips) {
        Machine m(chip.name);
        EXPECT_NE(m.get(reg::kTime), 0x02062400u) << chip.name;
        EXPECT_NE(m.get(reg::kDate), 0x20140511u) << chip.name;
        EXPECT_NE(m.get(reg::kDate), 0x20120617u) << chip.name;
    }
}

/* linux etnaviv_gpu.c: "GC600 r0x19: bus fault on reading product and eco id" */
TEST(VivanteModels, DoveGc600AbortsOnProductAndEcoId) {
    Machine m("gc600-dove");
    for (uint32_t offset : {reg::kProduct, reg::kEco}) {
        uint32_t value = 0x12345678;
        EXPECT_EQ(m.try_get(offset, 4, &value), PIXMILL_ERROR_BUS);
        EXPECT_EQ(value, 0u);
        (void)m.peek(offset);
    }
    m.allow_logs();
    EXPECT_EQ(m.get(reg::kModel), 0x600u);
}

/* ---- Creation ----------------------------------------------------------- */

PixmillResult create(const char* model, const PixmillHost* host, PixmillCore** out) {
    const PixmillVivanteConfig config{model, 0, 0, 0, 0, 0, 0, 0, 0};
    return pixmill_vivante.create(&config, host, out);
}

TEST(VivanteCreate, RefusesAnotherApiVersion) {
    FakeHost host;
    PixmillCore* gc = nullptr;
    host.abi()->api_version = PIXMILL_API_VERSION + 1;
    EXPECT_EQ(create("gc2000", host.abi(), &gc), PIXMILL_ERROR_VERSION);
    host.abi()->api_version = 0;
    EXPECT_EQ(create("gc2000", host.abi(), &gc), PIXMILL_ERROR_VERSION);
}

TEST(VivanteCreate, RefusesTooManyThreads) {
    FakeHost host;
    for (const uint32_t threads : {0u, 1u, 16u, 17u, UINT32_MAX}) {
        PixmillCore* gc = nullptr;
        const PixmillVivanteConfig config{"gc2000", 0, 0, 0, threads, 0, 0, 0, 0};
        EXPECT_EQ(pixmill_vivante.create(&config, host.abi(), &gc),
                  threads <= 16 ? PIXMILL_OK : PIXMILL_ERROR_ARGUMENT)
            << threads;
        pixmill_vivante.destroy(gc);
    }
}

TEST(VivanteCreate, RefusesUnknownWaysToCompile) {
    FakeHost host;
    for (const uint32_t jit : {0u, 1u, 2u, 3u, UINT32_MAX}) {
        PixmillCore* gc = nullptr;
        const PixmillVivanteConfig config{"gc2000", 0, 0, 0, 0, 0, 0, 0, jit};
        EXPECT_EQ(pixmill_vivante.create(&config, host.abi(), &gc),
                  jit <= 2 ? PIXMILL_OK : PIXMILL_ERROR_ARGUMENT)
            << jit;
        pixmill_vivante.destroy(gc);
    }
}

TEST(VivanteCreate, RefusesUnknownQuirksAndThoseBothOnAndOff) {
    FakeHost host;
    const struct {
        uint32_t on, off;
        PixmillResult result;
    } rows[] = {
        {0, 0, PIXMILL_OK},
        {PIXMILL_VIVANTE_QUIRKS, 0, PIXMILL_OK},
        {0, PIXMILL_VIVANTE_QUIRKS, PIXMILL_OK},
        {PIXMILL_VIVANTE_QUIRK_YUV_ORDER, PIXMILL_VIVANTE_QUIRK_SOLID_TRIANGLES, PIXMILL_OK},
        {PIXMILL_VIVANTE_QUIRK_YUV_ORDER, PIXMILL_VIVANTE_QUIRK_YUV_ORDER, PIXMILL_ERROR_ARGUMENT},
        {PIXMILL_VIVANTE_QUIRKS + 1, 0, PIXMILL_ERROR_ARGUMENT},
        {0, 1u << 31, PIXMILL_ERROR_ARGUMENT}};
    for (const auto& row : rows) {
        PixmillCore* gc = nullptr;
        const PixmillVivanteConfig config{"gc320-imx6", 0, 0, 0, 0, 0, row.on, row.off, 0};
        EXPECT_EQ(pixmill_vivante.create(&config, host.abi(), &gc), row.result)
            << row.on << " " << row.off;
        pixmill_vivante.destroy(gc);
    }
}

TEST(VivanteCreate, RefusesUnknownModelsAndNullPointers) {
    FakeHost host;
    PixmillCore* gc = nullptr;
    const PixmillVivanteConfig config{"gc2000", 0, 0, 0, 0, 0, 0, 0, 0};
    for (const char* name : {"", "gc", "gc9999", "GC2000", "gc2000 "})
        EXPECT_EQ(create(name, host.abi(), &gc), PIXMILL_ERROR_ARGUMENT) << name;
    EXPECT_EQ(create(nullptr, host.abi(), &gc), PIXMILL_ERROR_ARGUMENT);
    EXPECT_EQ(create("gc2000", nullptr, &gc), PIXMILL_ERROR_ARGUMENT);
    EXPECT_EQ(create("gc2000", host.abi(), nullptr), PIXMILL_ERROR_ARGUMENT);
    EXPECT_EQ(pixmill_vivante.create(nullptr, host.abi(), &gc), PIXMILL_ERROR_ARGUMENT);
    EXPECT_EQ(pixmill_vivante.create(&config, host.abi(), &gc), PIXMILL_OK);
    pixmill_vivante.destroy(gc);
}

TEST(VivanteCreate, RefusesMissingCallbacks) {
    for (int missing = 0; missing < 7; missing++) {
        FakeHost host;
        PixmillHost abi = *host.abi();
        switch (missing) {
        case 0:
            abi.map = nullptr;
            break;
        case 1:
            abi.dirty = nullptr;
            break;
        case 2:
            abi.set_irq = nullptr;
            break;
        case 3:
            abi.clock_ns = nullptr;
            break;
        case 4:
            abi.request_run = nullptr;
            break;
        case 5:
            abi.log = nullptr;
            break;
        default:
            abi.trace = nullptr;
            break;
        }
        PixmillCore* gc = nullptr;
        EXPECT_EQ(create("gc2000", &abi, &gc), PIXMILL_ERROR_ARGUMENT) << missing;
    }
}

TEST(VivanteCreate, CopiesItsArguments) {
    FakeHost host;
    auto abi = std::make_unique<PixmillHost>(*host.abi());
    std::string name = "gc320-imx6";
    PixmillCore* gc = nullptr;
    ASSERT_EQ(create(name.c_str(), abi.get(), &gc), PIXMILL_OK);
    name = "overwritten";
    abi.reset();
    host.entries++;
    uint32_t value = 0;
    EXPECT_EQ(pixmill_vivante.read(gc, reg::kModel, 4, &value), PIXMILL_OK);
    EXPECT_EQ(value, 0x320u);
    pixmill_vivante.destroy(gc);
    host.entries--;
    EXPECT_TRUE(host.violations().empty());
}

TEST(VivanteCreate, WorksWithoutATraceMask) {
    FakeHost host;
    host.abi()->trace_mask = nullptr;
    PixmillCore* gc = nullptr;
    ASSERT_EQ(create("gc320-imx6", host.abi(), &gc), PIXMILL_OK);
    host.entries++;
    uint32_t value = 0;
    EXPECT_EQ(pixmill_vivante.read(gc, reg::kModel, 4, &value), PIXMILL_OK);
    pixmill_vivante.destroy(gc);
    host.entries--;
    EXPECT_TRUE(host.traces().empty());
}

TEST(VivanteCreate, TwoCoresAreIndependent) {
    Machine a("gc320-imx6");
    Machine b("gc320-imx6");
    a.set(reg::kIntrEnable, ~0u);
    a.run_stream(Stream().event(kEventFromFe | 1).state(state::kVsFirst, 5));
    EXPECT_TRUE(a.host.irq);
    EXPECT_FALSE(b.host.irq);
    EXPECT_EQ(b.get(reg::kIntrAck), 0u);
    EXPECT_EQ(b.get(reg::kIntrEnable), 0u);
    EXPECT_EQ(b.state(state::kVsFirst), 0u);
}

} // namespace
} // namespace pixmill::test
