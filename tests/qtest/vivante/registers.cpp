/*
 * All registers of the AM57xx TRM, chapter 13.4, and storage registers that only rnndb lists.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "../register_sweep.hpp"
#include "../rig.hpp"
#include "../tables.hpp"

namespace pixmill::qtest {
namespace {

uint32_t storage_number(const std::string& text) {
    return static_cast<uint32_t>(std::stoul(text, nullptr, 0));
}

/* Registers with side effects have separate tests and are left out of the sweep. */
bool has_side_effects(const Register& r) {
    return r.expect == "runs" || r.expect == "once" || r.offset == reg::kClockControl;
}

TEST(RegisterData, FieldsCoverTheirRegisterAndComposeItsResetValue) {
    for (const Register& r : bb2d_registers()) {
        EXPECT_EQ(r.wrong_fields(), "");
    }
}

TEST(RegisterData, HasEveryRegisterOfTheSummaryTable) {
    EXPECT_EQ(bb2d_registers().size(), 78u); /* AM57xx TRM table 13-5 */
}

TEST(Bb2dRegisters, HoldTheirDatasheetValuesAfterPowerOn) {
    Rig rig;
    expect_reset_values(rig, bb2d_registers());
}

TEST(Bb2dRegisters, KeepReadOnlyBitsWhateverIsWritten) {
    Rig rig;
    for (const Register& r : bb2d_registers()) {
        if (has_side_effects(r)) {
            continue;
        }
        /* do not start the front end */
        const uint32_t harmless = r.offset == reg::kFeControl ? ~kFeEnable : 0xFFFFFFFF;
        uint32_t changed = 0;
        for (const uint32_t value : {0u, 0xFFFFFFFFu, ~r.reset, 0x55555555u, 0xAAAAAAAAu}) {
            rig.write(r.offset, value & harmless);
            changed |= (rig.read(r.offset) ^ r.reset_value()) & r.constant_mask();
        }
        EXPECT_EQ(changed, 0u) << title(r) << ": read-only bits (TRM) changed";
        rig.write(r.offset, r.reset);
    }
}

TEST(Bb2dRegisters, StoreEveryWritableBitOnItsOwn) {
    Rig rig;
    for (const Register& r : bb2d_registers()) {
        if (has_side_effects(r)) {
            continue;
        }
        std::vector<uint32_t> values{0, 0xFFFFFFFF, 0x55555555, 0xAAAAAAAA};
        for (unsigned bit = 0; bit < 32; ++bit) {
            values.push_back(1u << bit);
            values.push_back(~(1u << bit));
        }
        uint32_t lost = 0;
        for (const uint32_t value : r.storage_mask() != 0 ? values : Words{}) {
            rig.write(r.offset, value);
            lost |= (rig.read(r.offset) ^ value) & r.storage_mask();
        }
        EXPECT_EQ(lost, 0u) << title(r) << ": read-write bits (TRM) were lost";
        rig.write(r.offset, r.reset);
    }
    expect_reset_values(rig, bb2d_registers());
}

/* AM57xx TRM table 13-6; idle bits are live and read 1 on an idle core. */
TEST(Bb2dRegisters, ClockControlStoresItsWritableBitsAndShowsAllPipesIdle) {
    Rig rig;
    constexpr uint32_t kWritable = 0x0FF81FFF;
    constexpr uint32_t kPipesIdle = 0x00070000;
    for (unsigned bit = 0; bit < 32; ++bit) {
        for (const uint32_t value : {1u << bit, ~(1u << bit)}) {
            rig.write(reg::kClockControl, value);
            EXPECT_EQ(rig.read(reg::kClockControl), (value & kWritable) | kPipesIdle)
                << std::hex << value;
        }
    }
}

TEST(Bb2dRegisters, ReturnToTheirDatasheetValuesOnSystemReset) {
    Rig rig;
    const std::vector<Register> registers = bb2d_registers();
    for (const Register& r : registers) {
        rig.write(r.offset, ~r.reset & ~(kFeEnable));
    }
    rig.qemu().system_reset();
    expect_reset_values(rig, registers);
}

/*
 * Linux expects all registers that it does not rewrite after a soft reset to have their power-on
 * values.
 */
TEST(Bb2dRegisters, ReturnToTheirDatasheetValuesOnSoftReset) {
    Rig rig;
    const std::vector<Register> registers = bb2d_registers();
    const auto kept_or_unknown = [](const Register& r) {
        return r.offset == reg::kClockControl || (r.offset >= 0x64 && r.offset <= 0x70);
    };
    for (const Register& r : registers) {
        if (!kept_or_unknown(r)) {
            rig.write(r.offset, ~r.reset & ~(kFeEnable));
        }
    }
    rig.gc().driver_reset();
    for (const Register& r : registers) {
        if (!kept_or_unknown(r)) {
            EXPECT_EQ(rig.read(r.offset) & r.reset_mask(), r.reset_value()) << title(r);
        }
    }
}

TEST(Bb2dRegisters, AnyOffsetOfTheWindowMayBeReadAndWritten) {
    Rig rig;
    for (uint32_t offset = 0; offset < 0x4000; offset += 4) {
        static_cast<void>(rig.read(offset));
    }
    for (uint32_t offset = 0; offset < 0x4000; offset += 4) {
        rig.write(offset, 0xFFFFFFFF);
    }
    rig.qemu().system_reset();
    expect_reset_values(rig, bb2d_registers());
}

class StorageRegisters : public testing::TestWithParam<const char*> {};

TEST_P(StorageRegisters, OfRnndbStoreWhatIsWritten) {
    const std::string mmu = GetParam();
    Rig rig(mmu == "v1" ? "gc320-imx6" : "gc320-am57xx");
    for (const auto& row : read_table("vivante_storage.tsv").rows) {
        if (row.at(2) != "all" && row[2] != mmu) {
            continue;
        }
        const uint32_t offset = storage_number(row[0]);
        const uint32_t reset = storage_number(row.at(3));
        const uint32_t mask = storage_number(row.at(4));
        EXPECT_EQ(rig.read(offset), reset) << row[1];
        for (unsigned bit = 0; bit < 32; ++bit) {
            rig.write(offset, 1u << bit);
            EXPECT_EQ(rig.read(offset) & mask, (1u << bit) & mask) << row[1] << " bit " << bit;
        }
        rig.write(offset, 0xFFFFFFFF);
        EXPECT_EQ(rig.read(offset) & mask, mask) << row[1];
    }
}

INSTANTIATE_TEST_SUITE_P(Mmu, StorageRegisters, testing::Values("v1", "v2"),
                         [](const auto& p) { return std::string(p.param); });

} // namespace
} // namespace pixmill::qtest
