/*
 * Vertex fetch (FE) and primitive assembly (PA) in the reference: attributes, primitives, viewport
 * and clipping.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "rig.hpp"

#include <limits>

namespace pixmill::test {
namespace {

using namespace vivante_3d;

/* ---- Attributes --------------------------------------------------------------------------- */

struct ElementCase {
    const char* name;
    uint32_t element;
    std::array<uint32_t, 3> data;
    Vector result;
};

const ElementCase elements[] = {
    {"V1", 0x0C003088, {0x3F800000, 0x40000000, 0x40400000}, {1, 2, 3, 1}},
    {"V2", 0x04004081, {0x33FF8000}, {0, 128 / 255.0f, 1, 0.2f}},
    {"V3", 0x04002082, {0x0100FFFF}, {-1, 256, 0, 1}},
    {"V4", 0x04006082, {0x7FFF8000}, {-1, 1, 0, 1}},
    {"V5", 0x0400108B, {0x00018000}, {1.5f, 0, 0, 1}},
    {"V6", 0x04004087, {0xC00FFC00}, {0, 1, 0, 1}},
    {"V7", 0x04002089, {0xC0003C00}, {1, -2, 0, 1}},
    {"byte", 0x04000080, {0x807F01FF}, {-1, 1, 127, -128}},
    {"normalized byte", 0x04004080, {0x80817F00}, {0, 1, -1, -1}},
    {"normalized int", 0x04005084, {0x80000000}, {-1, 0, 0, 1}},
    {"unsigned int", 0x04001085, {0xFFFFFFFF}, {4294967296.0f, 0, 0, 1}},
    {"unnormalized 2_10_10_10", 0x04000086, {0x400003FF}, {-1, 0, 0, 1}},
};

class Vivante3dReferenceVertices : public Parts {};

TEST_F(Vivante3dReferenceVertices, ElementsBecomeFourFloats) {
    for (const ElementCase& c : elements) {
        SCOPED_TRACE(c.name);
        load(0x0600, c.element);
        load(0x0680, 0x1000);
        load(0x06A0, 16);
        for (uint32_t i = 0; i < 3; i++)
            put(0x1000 + 16 * 2 + 4 * i, c.data[i]);
        expect_near(attribute(engine_, 0, {2}), c.result, 0);
    }
}

/* Vertex fetch from HALTI2: integers, scales and streams with a divisor. */
class Vivante3dReferenceStreams : public Parts {
protected:
    Vivante3dReferenceStreams() : Parts(vivante_gc3000) {
        load(0x14600, 0x1000);
        load(0x14640, 16);
    }
    Register fetched(uint32_t element, VertexNumber number = {}) {
        load(0x0600, element);
        return std::bit_cast<Register>(attribute(engine_, 0, number));
    }
};

TEST_F(Vivante3dReferenceStreams, HV1OneStreamHasPositionsAndColors) {
    put(0x1000 + 16 + 12, 0xFF0000FF);
    load(0x0600, 0x0C003008);
    load(0x0604, 0x100C4081);
    expect_near(attribute(engine_, 1, {1}), {1, 0, 0, 1}, 0);
}

TEST_F(Vivante3dReferenceStreams, HV2AndHV3BytesRemainIntegers) {
    load(0x14604, 0x2000);
    load(0x14644, 4);
    put(0x2000, 0x01FF7F80);
    EXPECT_EQ(fetched(0x0400010E), (Register{0x80, 0x7F, 0xFF, 1}));
    EXPECT_EQ(fetched(0x0400410E), (Register{0xFFFFFF80, 0x7F, 0xFFFFFFFF, 1}));
}

TEST_F(Vivante3dReferenceStreams, HV4ShortsAndTheScale) {
    load(0x14608, 0x3000);
    put(0x3004, 0x0003FFFE);
    load(0x0780, 1);
    EXPECT_EQ(fetched(0x0404620F), (Register{0xFFFFFFFE, 3, 0, 1}));
    EXPECT_EQ(fetched(0x0404220F), (Register{0x0000FFFE, 3, 0, 1}));
}

TEST_F(Vivante3dReferenceStreams, HV5WordsKeepTheirBits) {
    for (uint32_t c = 0; c < 4; c++)
        put(0x1000 + 4 * c, 0x80000001 + c);
    EXPECT_EQ(fetched(0x10000008), (Register{0x80000001, 0x80000002, 0x80000003, 0x80000004}));
}

TEST_F(Vivante3dReferenceStreams, HV6RedAndBlueAreExchanged) {
    put(0x1000, 0xC00FFC00);
    load(0x0600, 0x0400400D);
    expect_near(attribute(engine_, 0, {}), {0, 1, 0, 1}, 0);
    put(0x1000, 0x000003FF);
    expect_near(attribute(engine_, 0, {}), {0, 0, 1, 0}, 0);
    load(0x0600, 0x0400400C); // signed: -1 / 511
    expect_near(attribute(engine_, 0, {}), {0, 0, -1 / 511.0f, 0}, 0);
}

TEST_F(Vivante3dReferenceStreams, HV7TheScaleIsAMissingW) {
    EXPECT_EQ(fetched(0x0C003008)[3], 0x3F800000u);
    load(0x0780, 0x12345678);
    EXPECT_EQ(fetched(0x0C003008)[3], 0x12345678u);
}

TEST_F(Vivante3dReferenceStreams, HV8ADivisorCountsInstances) {
    load(0x14680, 3);
    put(0x1000 + 32, 77);
    EXPECT_EQ(fetched(0x04001008, {1, 7})[0], 77u);
    load(0x14680, 0);
    EXPECT_EQ(fetched(0x04001008, {2, 7})[0], 77u);
}

TEST_F(Vivante3dReferenceStreams, StreamsHaveWideStrides) {
    load(0x1463C, 0x4000); // stream 15
    load(0x1467C, 0x801);
    put(0x4000 + 0x801, 77);
    EXPECT_EQ(fetched(0x04001F08, {1, 0})[0], 77u);
}

TEST_F(Vivante3dReferenceStreams, HV9NumbersFollowTheElements) {
    load(0x0600, 0x10000008);
    load(0x0604, 0x10000008);
    load(0x0808, 0x80000103);
    load(0x0820, 0x00040100); // the numbers are in t4
    load(0x0810, 0x00000400); // and in varying 0
    load(0x0804, 2);
    load(0x0A30, 0x100);
    const auto numbers = [this] {
        const Vertex vertex = shade(engine_, vertex_program(engine_), {6, 2}).value();
        return std::bit_cast<Register>(vertex.varyings[0]);
    };
    EXPECT_EQ(numbers(), (Register{6, 2, 0, 0}));
    load(0x0808, 0x00000103); // without ID_ENABLE, this is a third attribute
    EXPECT_EQ(numbers(), (Register{0, 0, 0, 0x3F800000}));
}

TEST_F(Vivante3dReferenceVertices, OnlyTheLastBurstsElementsAreActive) {
    for (uint32_t i = 0; i < 16; i++)
        load(0x0600 + 4 * i, 0);
    EXPECT_EQ(engine_.states.vertex_elements(), 16u);
    load(0x0600, 8);
    load(0x0604, 8);
    EXPECT_EQ(engine_.states.vertex_elements(), 2u);
    load(0x0644, 8);
    load(0x0608, 8);
    EXPECT_EQ(engine_.states.vertex_elements(), 2u);
}

TEST_F(Vivante3dReferenceVertices, HalfFloats) {
    EXPECT_EQ(from_half(0x3555), 0x1.554p-2f);
    EXPECT_EQ(from_half(0x0001), 0x1p-24f);
    EXPECT_EQ(from_half(0x8400), -0x1p-14f);
    EXPECT_EQ(from_half(0x7BFF), 65504.0f);
    EXPECT_EQ(from_half(0x7C00), std::numeric_limits<float>::infinity());
}

TEST_F(Vivante3dReferenceVertices, HalfFloatsAreRoundedToEven) {
    EXPECT_EQ(to_half(1), 0x3C00);
    EXPECT_EQ(to_half(-2), 0xC000);
    EXPECT_EQ(to_half(65519), 0x7BFF);
    EXPECT_EQ(to_half(65520), 0x7C00);
    EXPECT_EQ(to_half(0x1p-25f), 0);
    EXPECT_EQ(to_half(0x1.8p-24f), 2);
    EXPECT_EQ(to_half(0x1p-24f), 1);
    EXPECT_EQ(to_half(0x1.ff8p-15f), 0x03FF); // the greatest denormal
    EXPECT_EQ(to_half(0x1.ffcp-15f), 0x0400); // and halfway to 2^-14
    EXPECT_EQ(to_half(std::numeric_limits<float>::quiet_NaN()) & 0x7FFF, 0x7E00);
}

/* ---- Primitives --------------------------------------------------------------------------- */

using Numbers = std::vector<std::vector<uint32_t>>;

class Vivante3dReferencePrimitives : public Parts {
protected:
    /// Returns the vertices of each primitive, followed by the provoking vertex.
    Numbers of(const DrawCommand& command) {
        Numbers numbers;
        for (Primitive& primitive : assemble(engine_, command)) {
            primitive.vertices.push_back(primitive.provoking);
            numbers.push_back(primitive.vertices);
        }
        return numbers;
    }
    void indices(std::initializer_list<uint8_t> values, bool restart) {
        load(0x0644, 0x1000);
        load(0x0648, restart ? 0x100 : 0);
        load(0x0674, 0xFFFFFFFF); // compared with the width of an index
        uint32_t address = 0x1000;
        for (const uint8_t value : values)
            memory_.write(address++, value);
    }
};

TEST_F(Vivante3dReferencePrimitives, LastVertexProvokes) {
    load(0x0A28, 0x11);
    EXPECT_EQ(of({1, 5, 2}), (Numbers{{5, 5}, {6, 6}}));
    EXPECT_EQ(of({2, 0, 2}), (Numbers{{0, 1, 1}, {2, 3, 3}}));
    EXPECT_EQ(of({3, 0, 2}), (Numbers{{0, 1, 1}, {1, 2, 2}}));
    EXPECT_EQ(of({4, 3, 2}), (Numbers{{3, 4, 5, 5}, {6, 7, 8, 8}}));
    EXPECT_EQ(of({5, 0, 3}), (Numbers{{0, 1, 2, 2}, {2, 1, 3, 3}, {2, 3, 4, 4}}));
    EXPECT_EQ(of({6, 0, 2}), (Numbers{{0, 1, 2, 2}, {0, 2, 3, 3}}));
    EXPECT_EQ(of({7, 0, 3}), (Numbers{{0, 1, 1}, {1, 2, 2}, {2, 0, 0}}));
    EXPECT_EQ(of({8, 0, 1}), (Numbers{{0, 1, 3, 3}, {1, 2, 3, 3}}));
    EXPECT_EQ(of({9, 0, 1}), Numbers{});
    EXPECT_EQ(of({4, 0, 0}), Numbers{});
}

TEST_F(Vivante3dReferencePrimitives, FirstVertexProvokes) {
    load(0x0A28, 0x10);
    EXPECT_EQ(of({3, 0, 2}), (Numbers{{0, 1, 0}, {1, 2, 1}}));
    EXPECT_EQ(of({4, 0, 1}), (Numbers{{0, 1, 2, 0}}));
    EXPECT_EQ(of({5, 0, 2}), (Numbers{{0, 1, 2, 0}, {2, 1, 3, 1}}));
    EXPECT_EQ(of({6, 0, 2}), (Numbers{{0, 1, 2, 1}, {0, 2, 3, 2}}));
}

TEST_F(Vivante3dReferencePrimitives, IndicesAndTheirOffset) {
    load(0x0A28, 0x11);
    indices({9, 7, 5, 3}, false);
    EXPECT_EQ(of({4, 1, 1, true, 10}), (Numbers{{17, 15, 13, 13}}));
    load(0x0648, 1);
    EXPECT_EQ(of({1, 1, 1, true, -1}), (Numbers{{0x0304, 0x0304}}));
}

/* DRAW_INSTANCED counts vertices; incomplete primitives are dropped. */
TEST_F(Vivante3dReferencePrimitives, AListOfVertices) {
    load(0x0A28, 0x11);
    EXPECT_EQ(of({.type = 4, .start = 4, .vertices = 8}), (Numbers{{4, 5, 6, 6}, {7, 8, 9, 9}}));
    EXPECT_EQ(of({.type = 3, .vertices = 3}), (Numbers{{0, 1, 1}, {1, 2, 2}}));
    EXPECT_EQ(of({.type = 7, .vertices = 3}), (Numbers{{0, 1, 1}, {1, 2, 2}, {2, 0, 0}}));
    EXPECT_EQ(of({.type = 5, .vertices = 2}), Numbers{});
    EXPECT_EQ(of({.type = 0, .vertices = 2}), Numbers{});
}

TEST_F(Vivante3dReferencePrimitives, HC5RestartsBetweenCountedIndices) {
    load(0x0A28, 0x11);
    load(0x0644, 0x1000);
    load(0x0648, 0x101);
    load(0x0674, 0xFFFF);
    put(0x1000, 0x00010000);
    put(0x1004, 0x0002FFFF);
    put(0x1008, 0x00040003);
    EXPECT_EQ(of({.type = 5, .indexed = true, .vertices = 6}), (Numbers{{2, 3, 4, 4}}));
    EXPECT_EQ(of({.type = 4, .indexed = true, .offset = 10, .vertices = 6}),
              (Numbers{{12, 13, 14, 14}}));
}

TEST_F(Vivante3dReferencePrimitives, RestartEndsRunsAndPartialPrimitives) {
    load(0x0A28, 0x11);
    indices({0, 1, 2, 255, 3, 4, 5, 6}, true);
    // The driver counts a strip of 8 indices as 6 primitives.
    EXPECT_EQ(of({5, 0, 6, true}), (Numbers{{0, 1, 2, 2}, {3, 4, 5, 5}, {5, 4, 6, 6}}));
    EXPECT_EQ(of({3, 0, 7, true}),
              (Numbers{{0, 1, 1}, {1, 2, 2}, {3, 4, 4}, {4, 5, 5}, {5, 6, 6}}));
    // The driver counts a list of 7 indices as 2 triangles. At most 8 indices are read.
    indices({0, 1, 255, 2, 3, 4, 5}, true);
    EXPECT_EQ(of({4, 0, 2, true}), (Numbers{{2, 3, 4, 4}}));
}

/* ---- Viewport and clipping ---------------------------------------------------------------- */

class Vivante3dReferenceViewport : public Parts {
protected:
    Vivante3dReferenceViewport() {
        const float scale_and_offset[6] = {128, -128, 1, 128, 128, 0};
        for (uint32_t i = 0; i < 6; i++)
            load(0x0A00 + 4 * i, bits_of(scale_and_offset[i]));
        load(0x0A28, 0x11);
        load(0x0A2C, 0x34000001);
        // The only attribute, in t0, is the position.
        load(0x0600, 0x10000088);
        load(0x0680, 0x1000);
        load(0x0808, 0x101);
        load(0x0804, 1);
    }
    Vertex vertex(const Vector& clip) {
        for (uint32_t c = 0; c < 4; c++)
            put(0x1000 + 4 * c, bits_of(clip[c]));
        return shade(engine_, vertex_program(engine_), {}).value();
    }
    void expect_window(const Vector& clip, int32_t x, int32_t y, float z) {
        const WindowVertex window = to_window(engine_.states, vertex(clip)).value();
        EXPECT_EQ(window.x, 256 * x);
        EXPECT_EQ(window.y, 256 * y);
        EXPECT_EQ(window.z, z);
    }
    static Vertex at(const Vector& position) {
        Vertex result;
        result.position = position;
        return result;
    }
};

TEST_F(Vivante3dReferenceViewport, P1FixedPoint) {
    EXPECT_EQ(from_fixed_point(0xFF800000), bits_of(-128.0f));
    EXPECT_EQ(from_fixed_point(0x00201119), bits_of(32.0f + 0x1119 / 65536.0f));
}

TEST_F(Vivante3dReferenceViewport, P2ToP4WindowCoordinates) {
    expect_window({0, 0, 0, 1}, 128, 128, 0.5f);
    expect_window({1, 1, 1, 2}, 192, 64, 0.75f);
    expect_window({-1, 1, -1, 1}, 0, 0, 0);
}

TEST_F(Vivante3dReferenceViewport, ZIsNotConvertedWithTheBypass) {
    load(0x0A88, 1u << 30);
    expect_window({0, 0, 0.25f, 1}, 128, 128, 0.25f);
}

TEST_F(Vivante3dReferenceViewport, CentersAtIntegersMoveByHalfAPixel) {
    load(0x0A28, 0x01);
    EXPECT_EQ(to_window(engine_.states, vertex({0, 0, 0, 1})).value().x, 128 * 256 + 128);
}

TEST_F(Vivante3dReferenceViewport, PositionsSnapToNearestEven) {
    // Window x is 128 + 128 x. 1/512 and 3/512 of a pixel are halfway between two positions.
    EXPECT_EQ(to_window(engine_.states, at({0x1p-16f, 0, 0, 1})).value().x, 128 * 256);
    EXPECT_EQ(to_window(engine_.states, at({3 * 0x1p-16f, 0, 0, 1})).value().x, 128 * 256 + 2);
}

TEST_F(Vivante3dReferenceViewport, AnEdgeIsCutFromTheInside) {
    // z' goes from 0.5 to -0.5, so the line is cut in the middle, starting from either end.
    const Vertex inside = at({0, 0, 0.5f, 1}), outside = at({1, 0, -0.5f, 1});
    for (const auto& line :
         {clip_line(engine_.states, inside, outside), clip_line(engine_.states, outside, inside)}) {
        ASSERT_EQ(line.size(), 2u);
        const Vertex& cut = line[0].position == inside.position ? line[1] : line[0];
        EXPECT_EQ(cut.position, (Vector{0.5f, 0, 0, 1}));
    }
    EXPECT_TRUE(clip_line(engine_.states, outside, outside).empty());
}

TEST_F(Vivante3dReferenceViewport, ATriangleLosesACorner) {
    const auto polygon = clip_polygon(
        engine_.states, {at({0, 0, 0.5f, 1}), at({1, 0, -0.5f, 1}), at({0, 1, 0.5f, 1})});
    ASSERT_EQ(polygon.size(), 4u);
    EXPECT_EQ(polygon[0].position, (Vector{0, 0, 0.5f, 1}));
    EXPECT_EQ(polygon[1].position, (Vector{0.5f, 0, 0, 1}));
    EXPECT_EQ(polygon[2].position, (Vector{0.5f, 0.5f, 0, 1}));
    EXPECT_EQ(polygon[3].position, (Vector{0, 1, 0.5f, 1}));
}

TEST_F(Vivante3dReferenceViewport, TheGuardBandKeepsCoordinatesIn24Bits) {
    const auto polygon = clip_polygon(
        engine_.states, {at({0, 0, 0.5f, 1}), at({1000, 0, 0.5f, 1}), at({0, 1, 0.5f, 1})});
    ASSERT_EQ(polygon.size(), 4u);
    for (const Vertex& vertex : polygon)
        EXPECT_LE(to_window(engine_.states, vertex).value().x, 32767 * 256);
    EXPECT_EQ(to_window(engine_.states, polygon[1]).value().x, 32767 * 256);
}

TEST_F(Vivante3dReferenceViewport, PointsAreDroppedOnlyByDepth) {
    EXPECT_TRUE(point_is_visible(engine_.states, at({1, -1, 0, 1})));
    EXPECT_TRUE(point_is_visible(engine_.states, at({1.01f, 0, 0, 1})));
    EXPECT_TRUE(point_is_visible(engine_.states, at({0, -1.01f, 0, 1})));
    EXPECT_FALSE(point_is_visible(engine_.states, at({0, 0, -0.01f, 1})));
    EXPECT_FALSE(point_is_visible(engine_.states, at({0, 0, 1.01f, 1})));
    EXPECT_FALSE(point_is_visible(engine_.states, at({0, 0, 0, 0x1p-24f})));
}

} // namespace
} // namespace pixmill::test
