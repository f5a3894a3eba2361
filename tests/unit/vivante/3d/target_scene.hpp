/*
 * Streams that Mesa's etnaviv driver writes for a GC2000: draws of triangles to a target of
 * 128x128 pixels in two halves, one for each pipe, and a copy to linear memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_UNIT_VIVANTE_3D_TARGET_SCENE_HPP
#define PIXMILL_TESTS_UNIT_VIVANTE_3D_TARGET_SCENE_HPP

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "../machine.hpp"

namespace pixmill::test {

inline constexpr uint32_t kColor = 0x40000, kDepth = 0x80000, kStatus = 0xC0000, kLinear = 0x100000;
inline constexpr uint32_t kVertices = 0x8000, kQuery = 0xA000;
inline constexpr uint32_t kHalf = 0x8000; /* offset of the second pipe's half of the pixels */
inline constexpr uint32_t kSide = 128, kStride = 4 * kSide;

inline uint32_t bits(float value) {
    return std::bit_cast<uint32_t>(value);
}

/* Fills the whole target with the resolve engine: 128x128 pixels in supertiles of two pipes. */
inline Stream fill(uint32_t value, uint32_t bytes = 0xFFFF) {
    return Stream()
        .state(0x1604, 0x4606)
        .state(0x160C, 0)
        .state(0x1614, 0xC0000000 | kStride * 4)
        .state(0x16E0, kColor)
        .state(0x16E4, kColor + kHalf)
        .state(0x1700, 0)
        .state(0x1704, kSide / 2 << 16)
        .state(0x1620, kSide / 2 << 16 | kSide)
        .state(0x163C, 0x10000 | bytes)
        .state(0x1640, value)
        .state(0x1600, 0xBEEBBEEB);
}

/* Copies the target to linear memory at kLinear, like glReadPixels(). */
inline Stream read_back(uint32_t status = 0) {
    return Stream()
        .state(0x1654, status)
        .state(0x1604, 0x0686)
        .state(0x160C, 0xC0000000 | kStride * 4)
        .state(0x1614, kStride)
        .state(0x16C0, kColor)
        .state(0x16C4, kColor + kHalf)
        .state(0x16E0, kLinear)
        .state(0x1700, 0)
        .state(0x1704, kSide / 2 << 16)
        .state(0x1620, kSide / 2 << 16 | kSide)
        .state(0x163C, 0)
        .state(0x1600, 0xBEEBBEEB);
}

/* Returns states to draw triangles to the target. The only varying is a color. */
inline Stream base() {
    Stream s;
    s.state(0x384C, 0).state(0x0A2C, 0x34000001).state(0x0A88, 0);
    s.state(0x0600, 0x0C003008).state(0x0604, 0x1C0C4008); /* FLOAT x 3, FLOAT x 4 */
    s.state(0x3818, 0xF0).state(0x0648, 0).state(0x0680, kVertices).state(0x06A0, 28);
    s.state(0x0804, 2).state(0x0808, 0x102).state(0x080C, 2);
    for (const auto& [at, value] : {std::pair{0x0A00u, 64.0f},
                                    {0x0A04u, 64.0f},
                                    {0x0A08u, 1.0f},
                                    {0x0A0Cu, 64.0f},
                                    {0x0A10u, 64.0f},
                                    {0x0A14u, 0.0f},
                                    {0x0A18u, 0.5f},
                                    {0x0A1Cu, 0.5f},
                                    {0x0A38u, 0.5f}})
        s.state(at, bits(value));
    s.state(0x0A28, 0x11).state(0x0A30, 0x100).state(0x0A34, 0x412000).state(0x0A40, 0x2F1);
    for (const auto& [at, value] : {std::pair{0x0C00u, 0.0f},
                                    {0x0C04u, 0.0f},
                                    {0x0C08u, 128.06f},
                                    {0x0C0Cu, 128.06f},
                                    {0x0C10u, 0.0f},
                                    {0x0C14u, 0.0f}})
        s.state(at, bits(value));
    s.state(0x0E00, 1).state(0x0E08, 0x30).state(0x3820, 4).state(0x3828, 0);
    s.state(0x1004, 0x01010101).state(0x1008, 0x1F02).state(0x1010, 2);
    s.state(0x1400, 0x01000700).state(0x1418, 0).state(0x141C, 0).state(0x1420, 0);
    s.state(0x1428, 0).state(0x142C, 0x00110F06).state(0x1434, kStride);
    s.state(0x1460, kColor).state(0x1464, kColor + kHalf).state(0x14A4, 0xE406C);
    s.state(0x1654, 0);
    s.state(0x0810, 0x00000100).state(0x0820, 0x00000100);
    s.state(0x085C, 0).state(0x101C, 0x01000100);
    for (uint32_t k = 0; k < 4; k++) /* both programs are one NOP */
        s.state(0xC000 + 4 * k, 0).state(0xD000 + 4 * k, 0);
    return s;
}

inline Stream draw(uint32_t primitives, uint32_t start = 0) {
    return Stream().raw({0x28000000, 4, start, primitives});
}

struct Corner {
    float x, y;
    float r, g, b, a;
};

inline void put_vertices(Machine& m, const std::vector<Corner>& corners, float z = 0) {
    uint32_t at = kVertices;
    for (const Corner& c : corners)
        for (const float value : {c.x, c.y, z, c.r, c.g, c.b, c.a}) {
            m.ram.set_word(at, bits(value));
            at += 4;
        }
}

/* A red triangle that covers the lower left half of the target. Rows are numbered from the top. */
inline const std::vector<Corner> kLowerLeft = {
    {-1, -1, 1, 0, 0, 1}, {-1, 1, 1, 0, 0, 1}, {1, 1, 1, 0, 0, 1}};

inline uint32_t pixel(Machine& m, uint32_t x, uint32_t y) {
    return m.ram.word(kLinear + y * kStride + 4 * x);
}

inline Machine machine() {
    return Machine("gc2000-imx6q");
}

} // namespace pixmill::test

#endif
