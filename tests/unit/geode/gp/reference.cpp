/*
 * The independent model of the Geode LX's graphics processor must match
 * tests/data/geode_vectors.txt.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "model.hpp"

namespace pixmill::test {
namespace {

class GeodeReferenceVectors : public testing::TestWithParam<GeodeVector> {};

TEST_P(GeodeReferenceVectors, Hold) {
    play(GetParam(), [](uint32_t vram_size) { return std::make_unique<GeodeModel>(vram_size); });
}

INSTANTIATE_TEST_SUITE_P(Geode, GeodeReferenceVectors, testing::ValuesIn(read_geode_vectors()),
                         [](const auto& info) {
                             return info.param.name.substr(0, info.param.name.find(' '));
                         });

TEST(GeodeReference, AllVectorsAreThere) {
    EXPECT_EQ(read_geode_vectors().size(), 63u + 1 + 4 + 1); /* several for 25, 30, 52 */
}

} // namespace
} // namespace pixmill::test
