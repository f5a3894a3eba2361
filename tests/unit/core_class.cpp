/*
 * Tests the contract of all cores through their class tables. A new core needs a row in kCores.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "common/draw_step.hpp"
#include "fake_host.hpp"
#include "pixmill/geode.h"
#include "pixmill/geode_display.h"
#include "pixmill/ipuv3.h"
#include "pixmill/nema.h"
#include "pixmill/sgx.h"
#include "pixmill/vivante.h"
#include "tests/toy/toy.h"

namespace pixmill::test {
namespace {

constexpr PixmillVivanteConfig kGc320{"gc320-am57xx", 0, 0, 0, 1, 0, 0, 0, 0};

struct Row {
    const char* name;
    const PixmillCoreClass* table;
    const void* config;
};

// clang-format off
constexpr Row kCores[] = {
    {"Vivante", &pixmill_vivante, &kGc320},
    {"Nema", &pixmill_nema, nullptr},
    {"Sgx", &pixmill_sgx, nullptr},
    {"GeodeGp", &pixmill_geode_gp, nullptr},
    {"GeodeDisplay", &pixmill_geode_display, nullptr},
    {"Ipuv3", &pixmill_ipuv3, nullptr},
    {"Toy", &pixmill_toy, nullptr},
};
// clang-format on

class CoreClass : public testing::TestWithParam<Row> {
protected:
    /* A core with a fake host. */
    struct Made {
        explicit Made(const Row& row) : table(*row.table) {
            host.ram.add(0, 0x10000);
            EXPECT_EQ(table.create(row.config, host.abi(), &core), PIXMILL_OK);
            host.entries++;
        }
        ~Made() {
            table.destroy(core);
            EXPECT_EQ(host.violations(), std::vector<std::string>{});
        }
        Made(const Made&) = delete;
        Made& operator=(const Made&) = delete;

        std::vector<uint8_t> save() const {
            std::vector<uint8_t> state(table.state_size);
            table.save(core, state.data());
            return state;
        }
        /* Writes every register and does some of the work that the writes start. */
        void stir() const {
            PixmillRegister reg{};
            for (size_t i = 0; table.register_at(core, i, &reg); i++)
                (void)table.write(core, reg.offset, 4, 0x40 + static_cast<uint32_t>(i));
            for (int i = 0; i < 8 && table.run(core, 64).action == PIXMILL_RUN_DRAW; i++)
                table.draw(core, 64);
        }

        const PixmillCoreClass& table;
        FakeHost host;
        PixmillCore* core = nullptr;
    };
};

TEST_P(CoreClass, RefusesAHostOfAnotherVersionOrWithGaps) {
    FakeHost host;
    PixmillCore* core = nullptr;
    host.abi()->api_version--;
    EXPECT_EQ(GetParam().table->create(GetParam().config, host.abi(), &core),
              PIXMILL_ERROR_VERSION);
    host.abi()->api_version++;
    host.abi()->clock_ns = nullptr;
    EXPECT_EQ(GetParam().table->create(GetParam().config, host.abi(), &core),
              PIXMILL_ERROR_ARGUMENT);
    EXPECT_EQ(core, nullptr);
    GetParam().table->destroy(nullptr);
}

TEST_P(CoreClass, ListsRegistersInItsWindow) {
    const Made made(GetParam());
    PixmillRegister reg{};
    uint64_t end = 0;
    size_t count = 0;
    for (; made.table.register_at(made.core, count, &reg); count++) {
        EXPECT_GE(reg.offset, end) << reg.name;
        end = uint64_t{reg.offset} + 4;
    }
    EXPECT_GE(count, 4u);
    EXPECT_LE(end, made.table.window);
}

/* counters_draw_step must locate the counter of the longest step of any draw(). */
TEST_P(CoreClass, CountsItsLongestDrawStep) {
    const Made made(GetParam());
    const PixmillCoreClass& table = made.table;
    if (!table.draw) {
        EXPECT_EQ(table.counters_draw_step, 0u);
        return;
    }
    ASSERT_LE(table.counters_draw_step + sizeof(uint64_t), table.counters_size);
    for (const PixmillField* field = table.counter_fields; field->name; field++)
        EXPECT_NE(field->offset, table.counters_draw_step) << field->name;
    const auto longest = [&] {
        std::vector<uint8_t> counters(table.counters_size);
        table.counters(made.core, counters.data());
        uint64_t work = 0;
        std::memcpy(&work, counters.data() + table.counters_draw_step, sizeof work);
        return work;
    };
    EXPECT_EQ(longest(), 0u);
    made.stir();
    EXPECT_LE(longest(), PIXMILL_MOST_DRAW_STEP);
    note_draw_step(*made.core, table.name, PIXMILL_MOST_DRAW_STEP);
    note_draw_step(*made.core, table.name, 1);
    EXPECT_EQ(longest(), PIXMILL_MOST_DRAW_STEP);
}

TEST_P(CoreClass, TellsTheTimeOfItsWorkIfItDraws) {
    const Made made(GetParam());
    const PixmillCoreClass& table = made.table;
    ASSERT_EQ(table.work_ns != nullptr, table.draw != nullptr);
    if (!table.work_ns)
        return;
    EXPECT_EQ(table.work_ns(made.core), 0u);
    table.run(made.core, 64);
    EXPECT_EQ(table.work_ns(made.core), 0u) << "nothing to do";
}

/* note_draw_step() must check the limit in all builds except release builds. */
TEST(DrawStep, MustNotBeLong) {
    FakeHost host;
    PixmillCore* core = nullptr;
    ASSERT_EQ(pixmill_toy.create(nullptr, host.abi(), &core), PIXMILL_OK);
    EXPECT_DEATH(note_draw_step(*core, "toy", PIXMILL_MOST_DRAW_STEP + 1),
                 "a draw of toy did 10000001 bytes of work");
    pixmill_toy.destroy(core);
}

TEST_P(CoreClass, ContinuesFromASavedState) {
    const Made from(GetParam());
    const Made to(GetParam());
    const std::vector<uint8_t> fresh = from.save();
    from.stir();
    const std::vector<uint8_t> state = from.save();
    EXPECT_NE(state, fresh);
    EXPECT_EQ(to.table.load(to.core, state.data()), PIXMILL_OK);
    EXPECT_EQ(to.save(), state);
}

TEST_P(CoreClass, LosesAllWithAReset) {
    const Made fresh(GetParam());
    const Made made(GetParam());
    made.stir();
    made.table.reset(made.core);
    EXPECT_FALSE(made.host.irq || made.host.error_irq || made.host.freeze);
    EXPECT_EQ(made.save(), fresh.save());
}

TEST_P(CoreClass, SavesTheLevelsOfItsLines) {
    const Made made(GetParam());
    made.stir();
    const std::vector<uint8_t> state = made.save();
    uint32_t levels = 0;
    std::memcpy(&levels, state.data() + made.table.state_levels, sizeof levels);
    EXPECT_EQ(levels, made.host.irq | made.host.error_irq << 1 | made.host.freeze << 2);
}

INSTANTIATE_TEST_SUITE_P(Of, CoreClass, testing::ValuesIn(kCores),
                         [](const auto& core) { return core.param.name; });

} // namespace
} // namespace pixmill::test
