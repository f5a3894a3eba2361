/*
 * Graphics cores of the chips that machine `sabrelite` can have.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Source: addresses from linux imx6qdl.dtsi and imx6q.dtsi; identities from linux
 * drivers/gpu/drm/etnaviv/etnaviv_gpu.c and the register dumps in etna_viv tools/data/gpus.json.
 */
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>

#include "../rig.hpp"

namespace pixmill::qtest {
namespace {

constexpr std::array<uint64_t, 3> kCores = {0x00130000, 0x00134000, 0x02204000};

struct Identity {
    uint32_t model, revision;
};

struct Chip {
    const char* properties;
    std::array<Identity, 3> cores;
};

class SabreliteCores : public testing::TestWithParam<Chip> {};

TEST_P(SabreliteCores, AreThoseOfTheChip) {
    Qemu qemu({.machine = std::string("sabrelite") + GetParam().properties});
    for (size_t i = 0; i < kCores.size(); ++i) {
        Gc core(qemu, kCores[i]);
        EXPECT_EQ(core.read(reg::kChipModel), GetParam().cores[i].model) << i;
        EXPECT_EQ(core.read(reg::kChipRevision), GetParam().cores[i].revision) << i;
    }
}

constexpr std::array<Identity, 3> kImx6q = {{{0x2000, 0x5108}, {0x320, 0x5007}, {0x355, 0x1215}}};

INSTANTIATE_TEST_SUITE_P(
    All, SabreliteCores,
    testing::Values(Chip{"", kImx6q}, Chip{",chip=imx6q", kImx6q},
                    Chip{",chip=imx6qp",
                         {{{0x2000, 0xFFFF5450}, {0x320, 0x5303}, {0x355, 0x1216}}}},
                    Chip{",chip=imx6dl", {{{0x880, 0x5106}, {0x320, 0x5007}, {0x355, 0x1215}}}}));

/*
 * etnaviv refuses cores with different MMUs (bit 28 of minor features 1: MMU version 2). The minor
 * features 1 of the VG core are 0 on all chips, so that this word does not tell which MMU it has.
 */
TEST(SabreliteChip, HasOneKindOfMmu) {
    constexpr uint32_t kMinorFeatures1 = 0x74, kMmu2 = 1u << 28;
    for (const auto& [chip, mmu2] : {std::pair{"imx6q", 0u}, {"imx6qp", kMmu2}, {"imx6dl", 0u}}) {
        Qemu qemu({.machine = std::string("sabrelite,chip=") + chip});
        for (const uint64_t base : {kCores[0], kCores[1]}) {
            EXPECT_EQ(Gc(qemu, base).read(kMinorFeatures1) & kMmu2, mmu2) << chip;
        }
    }
}

TEST(SabreliteChip, UnknownIsRefused) {
    try {
        Qemu qemu({.machine = "sabrelite,chip=imx6sx"});
        ADD_FAILURE() << "QEMU has started";
    } catch (const QemuError& error) {
        EXPECT_NE(std::string(error.what()).find("chip: imx6q, imx6qp or imx6dl, not 'imx6sx'"),
                  std::string::npos)
            << error.what();
    }
}

} // namespace
} // namespace pixmill::qtest
