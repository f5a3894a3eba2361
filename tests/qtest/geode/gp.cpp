/*
 * Plays tests/data/geode_vectors.txt on the Geode LX's graphics processor on the system bus, with
 * each worker, and with the machine saved and loaded while an operation waits for host data.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "gp_rig.hpp"

namespace pixmill::qtest {
namespace {

using namespace geode_gp;
using test::GeodeVector;

class GeodeGpVectors : public testing::TestWithParam<bool> {};

TEST_P(GeodeGpVectors, HoldOnTheSystemBus) {
    std::map<uint32_t, std::unique_ptr<GeodeGpRig>> rigs; /* keyed by VRAM size */
    const std::vector<GeodeVector> vectors = test::read_geode_vectors();
    ASSERT_GE(vectors.size(), 69u);
    for (const GeodeVector& vector : vectors) {
        auto& rig = rigs[vector.vram_size];
        if (rig) {
            rig->restart();
        } else {
            rig = std::make_unique<GeodeGpRig>(
                GeodeGpOptions{.vram_size = vector.vram_size, .threaded = GetParam()});
        }
        test::play(vector, *rig);
    }
}

INSTANTIATE_TEST_SUITE_P(On, GeodeGpVectors, testing::Bool(),
                         [](const auto& info) { return info.param ? "Threaded" : "Inline"; });

/* A graphics processor that is saved and loaded with its machine before each word of host data. */
class Traveller final : public test::GeodeGp {
public:
    explicit Traveller(GeodeGpRig& rig) : rig_(rig) {}

    void write(uint32_t offset, uint32_t size, uint32_t value) override {
        if (offset == kHstSrc || offset == kCh3Hsrc) {
            trips_while_starved_ += (rig_.read(kStatus) & kStarved) == kStarved;
            rig_.round_trip();
        }
        rig_.write(offset, size, value);
    }
    uint32_t read(uint32_t offset, uint32_t size) override { return rig_.read(offset, size); }
    void write_msr(uint32_t number, uint64_t value) override { rig_.write_msr(number, value); }
    uint64_t read_msr(uint32_t number) override { return rig_.read_msr(number); }
    std::span<uint8_t> vram() override { return rig_.vram(); }
    bool interrupt() override { return rig_.interrupt(); }

    [[nodiscard]] int trips_while_starved() const { return trips_while_starved_; }

private:
    GeodeGpRig& rig_;
    int trips_while_starved_ = 0;
};

bool has_host_data(const GeodeVector& vector) {
    for (const test::GeodeStatement& statement : vector.statements) {
        for (size_t i = 0; i < statement.numbers.size(); i += 2) {
            const uint32_t offset = statement.numbers[i];
            if (statement.verb == test::GeodeStatement::Verb::write &&
                (offset == kHstSrc || offset == kCh3Hsrc)) {
                return true;
            }
        }
    }
    return false;
}

TEST(GeodeGpMigration, ContinuesABltThatWaitsForHostData) {
    GeodeGpRig rig;
    int trips = 0;
    for (const GeodeVector& vector : test::read_geode_vectors()) {
        if (!has_host_data(vector)) {
            continue;
        }
        rig.restart();
        Traveller traveller(rig);
        test::play(vector, traveller);
        trips += traveller.trips_while_starved();
    }
    EXPECT_GE(trips, 6);
}

} // namespace
} // namespace pixmill::qtest
