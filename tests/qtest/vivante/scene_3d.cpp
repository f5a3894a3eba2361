/*
 * Addresses and fields of states are from rnndb state_3d.xml and state.xml; their order is that of
 * Mesa's etnaviv_emit.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "scene_3d.hpp"

#include <bit>

namespace pixmill::qtest::scene_3d {

namespace {

constexpr uint32_t kStride = 4 * kSide;
constexpr uint32_t kSecondPipe = kTargetBytes / 2; /* offset of the second pipe's half */
constexpr uint32_t kMultiSupertiled = 0xC0000000;  /* RS_*_STRIDE: MULTI, TILING */
constexpr uint32_t kHalves = kSide / 2 << 16 | kSide;
constexpr uint32_t kVertexProgram = 0xC000, kPixelProgram = 0xD000; /* in instruction memory */
constexpr uint32_t kVertexUniforms = 0x5000, kPixelUniforms = 0x7000;

uint32_t bits(float value) {
    return std::bit_cast<uint32_t>(value);
}

/* Sets up an RS job on the target. */
Commands job(uint32_t config, uint32_t clear_control) {
    return Commands{}
        .load(0x1604, config)
        .load(0x1700, Words{0, kSide / 2 << 16}) /* first row of each pipe */
        .load(0x1620, kHalves)
        .load(0x163C, clear_control);
}

Commands kick() {
    return Commands{}.load(0x1600, 0xBEEBBEEB);
}

/* Returns a program that counts in t2.x up to u0.y and does nothing else. */
Commands count(uint32_t program, uint32_t uniforms, uint32_t range, uint32_t first, float limit) {
    return Commands{}
        .load(uniforms, Words{bits(1), bits(limit)})
        .load(program, Words{0x00821001, 0x00002800, 0x01C80000, 0x20000008,  /* add t2.x, u0.x */
                             0x00000096, 0x00002800, 0x00AA0040, 0x00000002}) /* branch.lt u0.y */
        .load(range, (first + 1) << 16 | first);
}

} // namespace

const std::vector<Corner>& lower_left() {
    static const std::vector<Corner> corners = {
        {-1, -1, 1, 0, 0, 1}, {-1, 1, 1, 0, 0, 1}, {1, 1, 1, 0, 0, 1}};
    return corners;
}

const std::vector<Corner>& overlapping() {
    static const std::vector<Corner> corners = {
        {-0.9f, -0.8f, 1, 0, 0, 0.4f},    {0.9f, -0.7f, 0, 1, 0, 0.6f}, {0, 0.9f, 0, 0, 1, 0.5f},
        {-0.5f, 0.8f, 1, 1, 0, 0.3f},     {0.7f, 0.6f, 0, 1, 1, 0.7f},  {0.1f, -1, 1, 0, 1, 0.2f},
        {-1, -0.1f, 0.2f, 0.4f, 0.6f, 1}, {1, 0, 0.9f, 0.8f, 0.1f, 0},  {0.2f, 1, 0, 0, 0, 0.5f}};
    return corners;
}

void put_corners(Qemu& qemu, const Places& at, const std::vector<Corner>& corners) {
    Words words;
    for (const Corner& c : corners) {
        for (const float value : {c.x, c.y, 0.0f, c.r, c.g, c.b, c.a}) {
            words.push_back(bits(value));
        }
    }
    qemu.write_words(at.vertices, words);
}

void put_indices(Qemu& qemu, const Places& at, unsigned corners, uint32_t count) {
    Bytes indices(size_t{3} * count);
    for (size_t i = 0; i < indices.size(); ++i) {
        indices[i] = static_cast<uint8_t>(i % corners);
    }
    qemu.write(at.indices, indices);
}

Commands fill(const Places& at, uint32_t value) {
    return job(0x4606, 0x1FFFF) /* A8R8G8B8, tiled; writes all bytes */
        .load(0x1614, kMultiSupertiled | kStride * 4)
        .load(0x16E0, Words{at.color, at.color + kSecondPipe})
        .load(0x1640, value)
        .append(kick());
}

Commands clear_status(const Places& at) {
    constexpr uint32_t kTileBytes = 64, kBitsOfTile = 2, kCleared = 0x55555555;
    constexpr uint32_t kStatusBytes = kTargetBytes / kTileBytes * kBitsOfTile / 8;
    constexpr uint32_t kRowBytes = 64;
    return Commands{}
        .load(0x1604, 0x4606)
        .load(0x1614, kRowBytes * 4) /* a tiled surface, 16 pixels wide */
        .load(0x16E0, at.status)
        .load(0x1700, Words{0, 2 << 16})
        .load(0x1620, kStatusBytes / kRowBytes / 2 << 16 | kRowBytes / 4)
        .load(0x163C, 0x1FFFF)
        .load(0x1640, kCleared)
        .append(kick());
}

Commands use_status(const Places& at, uint32_t color) {
    return Commands{}.load(0x1654, 2).load(0x1658, Words{at.status, at.color, color});
}

Commands resolve(const Places& at) {
    return job(0x0686, 0) /* A8R8G8B8 to A8R8G8B8, tiled source */
        .load(0x160C, kMultiSupertiled | kStride * 4)
        .load(0x1614, kStride)
        .load(0x16C0, Words{at.color, at.color + kSecondPipe})
        .load(0x16E0, at.rows)
        .append(kick());
}

Commands states(const Places& at) {
    Commands s;
    s.load(0x384C, 0).load(0x0A2C, 0x34000001).load(0x0A88, 0);
    s.load(0x0600, Words{0x0C003008, 0x1C0C4008}); /* 3 and 4 floats */
    s.load(0x3818, 0xF0).load(0x0648, 0).load(0x0680, at.vertices).load(0x06A0, 28);
    s.load(0x0804, Words{2, 0x102, 2});
    s.load(0x0A00,
           Words{bits(64), bits(64), bits(1), bits(64), bits(64), bits(0), bits(0.5f), bits(0.5f)});
    s.load(0x0A38, bits(0.5f)).load(0x0A28, 0x11).load(0x0A30, 0x100).load(0x0A34, 0x412000);
    s.load(0x0A40, 0x2F1);
    s.load(0x0C00, Words{bits(0), bits(0), bits(kSide + 0.06f), bits(kSide + 0.06f), 0, 0});
    s.load(0x0E00, 1).load(0x0E08, 0x30).load(0x3820, 4).load(0x3828, 0);
    s.load(0x1004, Words{0x01010101, 0x1F02}).load(0x1010, 2);
    s.load(0x1400, 0x01000700).load(0x1418, Words{0, 0, 0});
    s.load(0x1428, Words{0, 0x00110F06}).load(0x1434, kStride);
    s.load(0x1460, Words{at.color, at.color + kSecondPipe}).load(0x14A4, 0xE406C);
    s.load(0x1654, 0).load(0x0810, 0x00000100).load(0x0820, 0x00000100);
    s.load(kVertexProgram, Words(4)).load(0x085C, 0);
    s.load(kPixelProgram, Words(4)).load(0x101C, 0x01000100);
    return s;
}

Commands blended() {
    return Commands{}.load(0x1428, Words{0x00000541, 0x00100F06});
}

Commands count_in_pixels(float limit) {
    return count(kPixelProgram, kPixelUniforms, 0x101C, 0x100, limit);
}

Commands count_in_vertices(float limit) {
    return count(kVertexProgram, kVertexUniforms, 0x085C, 0, limit);
}

Commands never_end() { /* a branch to itself */
    return Commands{}.load(kPixelProgram, Words{0x16, 0, 0, 0});
}

Commands draw(uint32_t triangles) {
    return Commands{0x28000000, 4, 0, triangles};
}

Commands draw_indexed(const Places& at, uint32_t triangles) {
    return Commands{}
        .load(0x0644, Words{at.indices, 0})
        .raw({0x30000000, 4, 0, triangles, 0, kPad});
}

} // namespace pixmill::qtest::scene_3d
