/*
 * Parts of 2D command streams (rnndb state_2d), and the surfaces of the tests.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_UNIT_VIVANTE_BLIT_HPP
#define PIXMILL_TESTS_UNIT_VIVANTE_BLIT_HPP

#include "../machine.hpp"

namespace pixmill::test {

constexpr uint32_t kSrcAt = 0x040000;
constexpr uint32_t kDstAt = 0x100000;

enum Format : uint32_t {
    kX4R4G4B4,
    kA4R4G4B4,
    kX1R5G5B5,
    kA1R5G5B5,
    kR5G6B5,
    kX8R8G8B8,
    kA8R8G8B8,
    kYuy2,
    kUyvy,
    kIndex8,
    kMonochrome,
    kYv12 = 0xF,
    kA8 = 0x10,
    kNv12 = 0x11,
    kNv16 = 0x12,
};

enum Command : uint32_t {
    kCommandClear = 0x0000,
    kCommandLine = 0x1000,
    kCommandBlit = 0x2000,
    kCommandStretch = 0x4000,
    kCommandMultiSource = 0x8000,
};

constexpr uint32_t kSrcRelative = 0x40;

/* Returns a DEST_CONFIG. */
constexpr uint32_t dest_config(uint32_t format, uint32_t command, uint32_t swizzle = 0) {
    return format | command | swizzle << 16;
}

/*
 * Returns a SRC_CONFIG with the format in the PE 2.0 field and also, as clients do,
 * in the 4-bit field of PE 1.0.
 */
constexpr uint32_t src_config(uint32_t format, uint32_t swizzle = 0) {
    return format << 24 | (format & 0xF) | swizzle << 20;
}

/* Returns a ROP4 with the same code for foreground and background. */
constexpr uint32_t rop4(uint32_t code) {
    return 0x00300000 | code << 8 | code;
}

constexpr uint32_t bytes_per_pixel(uint32_t format) {
    if (format == kA8)
        return 1;
    return format == kX8R8G8B8 || format == kA8R8G8B8 ? 4 : 2;
}

inline Stream select_2d() {
    return Stream().state(state::kPipeSelect, 1);
}

inline Stream clip(int left, int top, int right, int bottom) {
    return Stream().states(state::kClipTopLeft, {pack_xy(left, top), pack_xy(right, bottom)});
}

inline Stream dest(uint32_t addr, uint32_t stride, uint32_t config) {
    return Stream().states(state::kDestAddress, {addr, stride, 0, config});
}

inline Stream source(uint32_t addr, uint32_t stride, uint32_t config, int x = 0, int y = 0) {
    return Stream().states(state::kSrcAddress, {addr, stride, 0, config, pack_xy(x, y)});
}

/* Sets up linear A8R8G8B8 surfaces of w x h pixels at kSrcAt and kDstAt, and ROP copy. */
inline Stream base_block(int w, int h, uint32_t command) {
    const auto stride = static_cast<uint32_t>(4 * w);
    return select_2d()
        .state(state::kSrcAddress, kSrcAt)
        .state(state::kSrcStride, stride)
        .state(state::kSrcConfig, 0x06000000)
        .state(state::kDestAddress, kDstAt)
        .state(state::kDestStride, stride)
        .state(state::kDestConfig, kA8R8G8B8 | command)
        .state(state::kRop, 0x0030CCCC)
        .add(clip(0, 0, w, h));
}

/* Writes one A8R8G8B8 pixel to @addr. */
inline Stream poke_pixel(uint32_t addr, uint32_t argb) {
    return select_2d()
        .add(dest(addr, 64, dest_config(kA8R8G8B8, kCommandClear)))
        .add(clip(0, 0, 1, 1))
        .state(state::kRop, rop4(0xCC))
        .state(state::kClear32, argb)
        .draw({0, 0, 1, 1});
}

/* Copies one A8R8G8B8 pixel from @from to @to. */
inline Stream copy_pixel(uint32_t from, uint32_t to) {
    return select_2d()
        .add(source(from, 64, src_config(kA8R8G8B8)))
        .add(dest(to, 64, dest_config(kA8R8G8B8, kCommandBlit)))
        .add(clip(0, 0, 1, 1))
        .state(state::kRop, rop4(0xCC))
        .draw({0, 0, 1, 1});
}

} // namespace pixmill::test

#endif
