/*
 * The independent model of the Geode LX's graphics processor does what
 * tests/data/geode_vectors.txt says.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "../../reference/geode/geode.hpp"
#include "vectors.hpp"

namespace pixmill::test {
namespace {

class Model final : public GeodeGp {
public:
    explicit Model(uint32_t vram_size) : vram_(vram_size) {}

    void write(uint32_t offset, uint32_t size, uint32_t value) override {
        gp_.write(offset, size, value);
    }
    uint32_t read(uint32_t offset, uint32_t size) override { return gp_.read(offset, size); }
    void write_msr(uint32_t number, uint64_t value) override { gp_.write_msr(number, value); }
    uint64_t read_msr(uint32_t number) override { return gp_.read_msr(number); }
    std::span<uint8_t> vram() override { return vram_; }
    bool interrupt() override { return gp_.interrupt(); }

private:
    std::vector<uint8_t> vram_;
    reference::GeodeReference gp_{vram_, geode_vram_base};
};

class GeodeReferenceVectors : public testing::TestWithParam<GeodeVector> {};

TEST_P(GeodeReferenceVectors, Hold) {
    play(GetParam(), [](uint32_t vram_size) { return std::make_unique<Model>(vram_size); });
}

INSTANTIATE_TEST_SUITE_P(Geode, GeodeReferenceVectors, testing::ValuesIn(read_geode_vectors()),
                         [](const auto& info) {
                             return info.param.name.substr(0, info.param.name.find(' '));
                         });

TEST(GeodeReference, AllVectorsAreThere) {
    EXPECT_EQ(read_geode_vectors().size(), 63u + 1 + 4 + 1); /* 25, 30 and 52 have parts */
}

} // namespace
} // namespace pixmill::test
