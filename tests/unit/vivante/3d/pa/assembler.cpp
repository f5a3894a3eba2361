// Assembly of vertices into primitives. Types: rnndb cmdstream.xml. Order, winding and provoking
// vertices: OpenGL 3.2, 2.6.1 and table 2.12.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "vivante/3d/pa/assembler.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pixmill::vivante {
namespace {

constexpr uint32_t restart = 0xFFFFFFFF;

std::string describe(std::span<const Corners> all) {
    std::string text;
    for (const Corners& corners : all) {
        text += text.empty() ? "" : " ";
        for (unsigned i = 0; i < corners.count; i++)
            text += std::to_string(corners.vertex[i]) + (i == corners.provoking ? "*" : "") +
                    (i + 1u < corners.count ? "," : "");
    }
    return text;
}

/// Feeds indices until the assembler is done. Sets `left` to the number of unused indices.
std::string play(Assembler& assembler, std::span<const uint32_t> indices, size_t* left = nullptr) {
    std::vector<Corners> all;
    size_t i = 0;
    for (; i < indices.size() && !assembler.done(); i++) {
        const auto made = indices[i] == restart ? assembler.restart() : assembler.take(indices[i]);
        all.insert(all.end(), made.begin(), made.end());
    }
    if (left)
        *left = indices.size() - i;
    return describe(all);
}

struct Case {
    uint32_t type, primitives;
    const char *first, *last; ///< results if the first or last vertex provokes
};

TEST(Assembler, OrdersVerticesAndMarksTheProvokingOne) {
    constexpr uint32_t indices[] = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
    constexpr Case cases[] = {
        {1, 3, "10* 11* 12*", "10* 11* 12*"},
        {2, 2, "10*,11 12*,13", "10,11* 12,13*"},
        {3, 3, "10*,11 11*,12 12*,13", "10,11* 11,12* 12,13*"},
        {4, 2, "10*,11,12 13*,14,15", "10,11,12* 13,14,15*"},
        {5, 4, "10*,11,12 12,11*,13 12*,13,14 14,13*,15",
         "10,11,12* 12,11,13* 12,13,14* 14,13,15*"},
        {6, 3, "10,11*,12 10,12*,13 10,13*,14", "10,11,12* 10,12,13* 10,13,14*"},
        {7, 3, "10*,11 11*,12 12*,10", "10,11* 11,12* 12,10*"},
        {8, 2, "10*,11,12 10*,12,13 14*,15,16 14*,16,17",
         "10,11,13* 11,12,13* 14,15,17* 15,16,17*"},
    };
    constexpr size_t taken[] = {0, 3, 4, 4, 6, 6, 5, 3, 8};
    for (const Case& c : cases)
        for (const bool last : {false, true}) {
            Assembler assembler(c.type, c.primitives, last, false);
            size_t left = 0;
            EXPECT_EQ(play(assembler, indices, &left), last ? c.last : c.first) << c.type;
            EXPECT_EQ(std::size(indices) - left, taken[c.type]) << c.type;
            EXPECT_EQ(assembler.place().taken, taken[c.type]);
        }
}

TEST(Assembler, DrawsNothingOfNothing) {
    for (uint32_t type = 0; type < 12; type++)
        EXPECT_TRUE(Assembler(type, 0, true, true).done()) << type;
    for (const uint32_t type : {0u, 9u, 15u, 255u, 0xFFFFFFFFu})
        EXPECT_TRUE(Assembler(type, 5, true, false).done()) << type;
    constexpr uint32_t one[] = {3};
    Assembler loop(7, 1, true, false);
    EXPECT_EQ(play(loop, one), "");
    EXPECT_TRUE(loop.done());
}

TEST(Assembler, RestartsStripsFansAndLoops) {
    constexpr uint32_t indices[] = {0, 1, 2, restart, 3, 4, restart, restart, 5, 6, 7, 8};
    constexpr Case cases[] = {
        // Mesa includes the restarts in the number of primitives.
        {3, 11, "0*,1 1*,2 3*,4 5*,6 6*,7 7*,8", "0,1* 1,2* 3,4* 5,6* 6,7* 7,8*"},
        {5, 10, "0*,1,2 5*,6,7 7,6*,8", "0,1,2* 5,6,7* 7,6,8*"},
        {6, 10, "0,1*,2 5,6*,7 5,7*,8", "0,1,2* 5,6,7* 5,7,8*"},
        {7, 12, "0*,1 1*,2 2*,0 3*,4 4*,3 5*,6 6*,7 7*,8 8*,5",
         "0,1* 1,2* 2,0* 3,4* 4,3* 5,6* 6,7* 7,8* 8,5*"},
    };
    for (const Case& c : cases)
        for (const bool last : {false, true}) {
            Assembler assembler(c.type, c.primitives, last, true);
            size_t left = 1;
            EXPECT_EQ(play(assembler, indices, &left), last ? c.last : c.first) << c.type;
            EXPECT_EQ(left, 0u);
            EXPECT_TRUE(assembler.done());
        }
}

TEST(Assembler, RestartsDropWhatIsBegunOfAList) {
    constexpr uint32_t indices[] = {0, 1, restart, 2, 3, 4, 5, restart, 6, 7, 8, 9, 10, 11};
    // Four triangles with two restarts read at most 14 indices, which complete only three.
    Assembler triangles(4, 4, true, true);
    size_t left = 1;
    EXPECT_EQ(play(triangles, indices, &left), "2,3,4* 6,7,8* 9,10,11*");
    EXPECT_EQ(left, 0u);
    EXPECT_TRUE(triangles.done());
    // Two triangles read at most 8 indices, which complete only one.
    Assembler two(4, 2, true, true);
    EXPECT_EQ(play(two, std::span(indices).first(8)), "2,3,4*");
    EXPECT_TRUE(two.done()); // after 2 * 3 + 2 indices
    Assembler lines(2, 3, true, true);
    EXPECT_EQ(play(lines, indices, &left), "0,1* 2,3* 4,5*");
    EXPECT_EQ(left, 7u);
    Assembler quads(8, 1, true, true);
    EXPECT_EQ(play(quads, indices, &left), "2,3,5* 3,4,5*");
    EXPECT_EQ(left, 7u);
    Assembler points(1, 3, true, true);
    EXPECT_EQ(play(points, indices, &left), "0* 1*");
}

TEST(Assembler, ContinuesWhereItStopped) {
    constexpr uint32_t indices[] = {0, 1, 2, restart, 3, 4, 5, 6, 7, restart, 8, 9, 10, 11};
    for (uint32_t type = 1; type <= 8; type++) {
        const uint32_t primitives = type <= 2 ? 6 : type == 4 ? 4 : type == 8 ? 3 : 12;
        Assembler whole(type, primitives, true, true);
        const std::string expected = play(whole, indices);
        for (size_t cut = 0; cut <= whole.place().taken; cut++) {
            Assembler before(type, primitives, true, true), after(type, primitives, true, true);
            std::string text = play(before, std::span(indices).first(cut));
            after.resume(before.place());
            const std::string rest = play(after, std::span(indices).subspan(after.place().taken));
            text += (text.empty() || rest.empty() ? "" : " ") + rest;
            EXPECT_EQ(text, expected) << type << " cut at " << cut;
        }
    }
}

/// Draws `vertices` consecutive vertices for each instance, with the assembler's place after each.
std::string play_instances(Assembler assembler) {
    std::vector<Corners> all;
    while (!assembler.done()) {
        assembler.advance();
        // Resuming at each vertex must make no difference.
        const Assembler::Place place = assembler.place();
        assembler.resume(place);
        const auto made = assembler.take(uint32_t(10 * place.instance + place.taken));
        all.insert(all.end(), made.begin(), made.end());
    }
    return describe(all);
}

TEST(Assembler, BeginsAnewWithEachInstance) {
    EXPECT_EQ(play_instances(Assembler::instanced(4, 6, 1, true)), "0,1,2* 3,4,5*");
    EXPECT_EQ(play_instances(Assembler::instanced(5, 5, 2, true)),
              "0,1,2* 2,1,3* 2,3,4* 10,11,12* 12,11,13* 12,13,14*");
    EXPECT_EQ(play_instances(Assembler::instanced(4, 5, 2, true)), "0,1,2* 10,11,12*");
    EXPECT_EQ(play_instances(Assembler::instanced(7, 3, 2, true)),
              "0,1* 1,2* 2,0* 10,11* 11,12* 12,10*");
    EXPECT_EQ(play_instances(Assembler::instanced(1, 1, 3, true)), "0* 10* 20*");
    EXPECT_EQ(play_instances(Assembler::instanced(4, 2, 3, true)), "");
    EXPECT_EQ(play_instances(Assembler::instanced(4, 0, 0xFFFFFF, true)), "");
    EXPECT_EQ(play_instances(Assembler::instanced(9, 3, 0xFFFFFF, true)), "");
    EXPECT_EQ(play_instances(Assembler::instanced(0, 3, 0xFFFFFF, true)), "");
}

TEST(Assembler, RestartsWithinAnInstance) {
    // 0 1 FFFF 2 3 4 as a strip
    Assembler strip = Assembler::instanced(5, 6, 1, true);
    constexpr uint32_t indices[] = {0, 1, restart, 2, 3, 4};
    EXPECT_EQ(play(strip, indices), "2,3,4*");
    EXPECT_TRUE(strip.done());
}

TEST(Assembler, CountsInMoreThan32Bits) {
    Assembler quads(8, 0xFFFFFFFF, true, false);
    Assembler::Place place;
    place.taken = place.run = 0x3FFFFFFFBull; // only one vertex is left
    place.recent = {3, 2, 1, 0};
    quads.resume(place);
    EXPECT_FALSE(quads.done());
    EXPECT_EQ(describe(quads.take(4)), "1,2,4* 2,3,4*");
    EXPECT_TRUE(quads.done());
}

} // namespace
} // namespace pixmill::vivante
