/*
 * The graphics processor must match tests/data/geode_vectors.txt no matter how its work is split.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine.hpp"

namespace pixmill::test {
namespace {

class GeodeVectors : public testing::TestWithParam<GeodeVector> {};

TEST_P(GeodeVectors, Hold) {
    play(GetParam(), [](uint32_t vram_size) { return std::make_unique<GpMachine>(vram_size); });
}

TEST_P(GeodeVectors, HoldInSmallSlicesWithAMigrationBeforeEach) {
    play(GetParam(), [](uint32_t vram_size) {
        auto machine = std::make_unique<GpMachine>(vram_size);
        machine->migrates = true;
        machine->words = 1;
        machine->bytes = 1;
        return machine;
    });
}

INSTANTIATE_TEST_SUITE_P(Geode, GeodeVectors, testing::ValuesIn(read_geode_vectors()),
                         [](const auto& info) {
                             return info.param.name.substr(0, info.param.name.find(' '));
                         });

} // namespace
} // namespace pixmill::test
