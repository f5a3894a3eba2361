// Vertex batches, which have one lane for each vertex.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <random>
#include <vector>

#include "vivante/3d/fe/vertex_fetch.hpp"

namespace pixmill::vivante {
namespace {

TEST(VertexBatch, GivesAVertexOneLane) {
    VertexBatch batch;
    const uint32_t strip[] = {7, 8, 9, 9, 8, 10, 7, 0xFFFFFFFF, 7 + 128, 0};
    const unsigned lanes[] = {0, 1, 2, 2, 1, 3, 0, 4, 5, 6};
    for (size_t i = 0; i < std::size(strip); i++)
        EXPECT_EQ(batch.add(strip[i]), lanes[i]) << i;
    const uint32_t vertices[] = {7, 8, 9, 10, 0xFFFFFFFF, 135, 0};
    EXPECT_TRUE(std::ranges::equal(batch.vertices(), vertices));
    EXPECT_EQ(batch.room(), 57u);
}

TEST(VertexBatch, TakesKnownVerticesWhenItIsFull) {
    VertexBatch batch;
    for (uint32_t v = 0; v < 64; v++)
        EXPECT_EQ(batch.add(1000 * v), v);
    EXPECT_EQ(batch.room(), 0u);
    EXPECT_EQ(batch.add(1), VertexBatch::full);
    EXPECT_EQ(batch.add(63000), 63u);
    EXPECT_EQ(batch.add(1000), 1u);
    EXPECT_EQ(batch.add(5), VertexBatch::full);
    EXPECT_EQ(batch.size(), 64u);
}

TEST(VertexBatch, ForgetsWhenItIsCleared) {
    VertexBatch batch;
    batch.add(5);
    batch.add(6);
    batch.clear();
    EXPECT_EQ(batch.size(), 0u);
    EXPECT_EQ(batch.add(6), 0u);
    EXPECT_EQ(batch.add(5), 1u);
}

TEST(VertexBatch, ShadesAVertexOncePerInstance) {
    VertexBatch batch;
    batch.begin_instance(7);
    EXPECT_EQ(batch.add(5), 0u);
    EXPECT_EQ(batch.add(6), 1u);
    batch.begin_instance(8);
    EXPECT_EQ(batch.add(6), 2u);
    EXPECT_EQ(batch.add(6), 2u);
    EXPECT_EQ(batch.add(5), 3u);
    const uint32_t vertices[] = {5, 6, 6, 5}, instances[] = {7, 7, 8, 8};
    EXPECT_TRUE(std::ranges::equal(batch.vertices(), vertices));
    EXPECT_TRUE(std::ranges::equal(batch.instances(), instances));
    for (uint32_t v = 100; v < 160; v++)
        EXPECT_EQ(batch.add(v), v - 96);
    batch.begin_instance(9);
    EXPECT_EQ(batch.add(100), VertexBatch::full);
}

TEST(VertexBatch, AgreesWithAMap) {
    std::mt19937 random(3);
    VertexBatch batch;
    for (unsigned round = 0; round < 500; round++) {
        std::map<uint32_t, unsigned> map;
        batch.clear();
        const uint32_t stride = round % 3 ? 1 : 128, range = 1 + random() % 200;
        for (unsigned i = 0; i < 300; i++) {
            const uint32_t vertex = random() % range * stride;
            const auto known = map.find(vertex);
            const unsigned lane = batch.add(vertex);
            if (known != map.end()) {
                ASSERT_EQ(lane, known->second);
            } else if (map.size() == 64) {
                ASSERT_EQ(lane, VertexBatch::full);
            } else {
                ASSERT_EQ(lane, map.size());
                map[vertex] = lane;
            }
        }
    }
}

} // namespace
} // namespace pixmill::vivante
