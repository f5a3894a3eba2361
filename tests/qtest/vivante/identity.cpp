/*
 * The identity words of each model, from tests/data/vivante_identity.tsv.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "../rig.hpp"
#include "../tables.hpp"

namespace pixmill::qtest {
namespace {

const Table& table() {
    static const Table table = read_table("vivante_identity.tsv");
    return table;
}

std::vector<std::string> models() {
    std::vector<std::string> names;
    for (const auto& row : table().rows) {
        names.push_back(row[0]);
    }
    return names;
}

const std::vector<std::string>& row_of(const std::string& model) {
    return *std::find_if(table().rows.begin(), table().rows.end(),
                         [&](const auto& row) { return row[0] == model; });
}

bool is_value(const std::string& cell) {
    return cell != "?" && cell != "abort";
}

/* Succeeds if @value is one of the alternatives in @cell ("a|b"). */
testing::AssertionResult is_one_of(uint32_t value, const std::string& cell) {
    std::istringstream alternatives(cell);
    for (std::string one; std::getline(alternatives, one, '|');) {
        if (value == std::stoul(one, nullptr, 16)) {
            return testing::AssertionSuccess();
        }
    }
    return testing::AssertionFailure() << std::hex << value << " is not " << cell;
}

void expect_identity(Rig& rig, const std::string& model) {
    const std::vector<std::string>& row = row_of(model);
    for (size_t column = 2; column < row.size(); ++column) {
        const auto offset = static_cast<uint32_t>(std::stoul(table().columns[column], nullptr, 0));
        if (is_value(row[column])) {
            EXPECT_TRUE(is_one_of(rig.read(offset), row[column])) << table().columns[column];
        }
    }
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

class Identity : public testing::TestWithParam<std::string> {};

TEST_P(Identity, WordsAreThoseOfTheChip) {
    Rig rig(GetParam().c_str());
    expect_identity(rig, GetParam());
}

TEST_P(Identity, WordsIgnoreWritesAndSurviveASoftReset) {
    Rig rig(GetParam().c_str());
    const std::vector<std::string>& row = row_of(GetParam());
    for (size_t column = 2; column < row.size(); ++column) {
        if (is_value(row[column])) {
            const auto offset =
                static_cast<uint32_t>(std::stoul(table().columns[column], nullptr, 0));
            rig.write(offset, ~rig.read(offset));
        }
    }
    rig.gc().driver_reset();
    expect_identity(rig, GetParam());
}

/* etnaviv_hw_reset() waits for IDLE_2D and IDLE_3D on every core, whatever pipes it has. */
TEST_P(Identity, IsIdleAfterPowerOnAndAfterASoftReset) {
    Rig rig(GetParam().c_str());
    const std::string& idle = row_of(GetParam())[1];
    for (int i = 0; i < 2; ++i) {
        if (is_value(idle)) {
            EXPECT_TRUE(is_one_of(rig.read(reg::kIdle), idle));
        }
        EXPECT_EQ(rig.read(reg::kClockControl), 0x00070100u);
        EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
        rig.gc().driver_reset();
    }
}

/*
 * The feature is MINOR_FEATURES1 bit 28; without it etnaviv programs page-table registers instead.
 */
TEST_P(Identity, HasAnMmuV2RegisterBlockOnlyIfItSaysSo) {
    if (GetParam().starts_with("gc355")) {
        GTEST_SKIP() << "it is not public which MMU a GC355 has";
    }
    Rig rig(GetParam().c_str());
    const bool v2 = (rig.read(reg::kMinorFeature1) & 1u << 28) != 0;
    rig.write(reg::kMmuControl, 1);
    EXPECT_EQ(rig.read(reg::kMmuControl), v2 ? 1u : 0u);
    rig.write(reg::kMmuException0, 0x12345678);
    EXPECT_EQ(rig.read(reg::kMmuException0), v2 ? 0x12345678u : 0u);
}

INSTANTIATE_TEST_SUITE_P(Model, Identity, testing::ValuesIn(models()), test_name);

TEST(IdentityAlias, Gc2000IsTheOneOfTheImx6Quad) {
    Rig rig("gc2000");
    expect_identity(rig, "gc2000-imx6q");
}

TEST(IdentityAlias, Gc355IsTheOneOfTheImx6Quad) {
    Rig rig("gc355");
    expect_identity(rig, "gc355-imx6q");
}

/* Expects that QEMU exits with an error that names @culprit. */
void expect_refusal(const RigOptions& options, const std::string& culprit) {
    try {
        Rig rig(options);
        ADD_FAILURE() << "QEMU has started";
    } catch (const QemuError& error) {
        EXPECT_NE(std::string(error.what()).find(culprit), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("QEMU: exit 1"), std::string::npos)
            << error.what();
    }
}

TEST(Properties, AnUnknownModelIsRefusedByName) {
    expect_refusal({.model = "gc9999"}, "gc9999");
}

TEST(Properties, AnUnknownWorkerIsRefusedByName) {
    for (const char* name : {"worker", "engine"}) {
        expect_refusal({.properties = {name + std::string("=sometimes")}}, "sometimes");
    }
}

} // namespace
} // namespace pixmill::qtest
