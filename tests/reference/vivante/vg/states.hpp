// States of the VG core: addresses as in STATE commands, and fields. The names are not official,
// because VGLite has only numbers and rnndb state_vg.xml only offsets.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace pixmill::reference::vivante_vg {

enum StateAddress : uint32_t {
    VG_CONTROL = 0xA00,
    VG_ORIGIN = 0xA01, // VD32: ignored
    COLOR = 0xA02,
    RADIAL_XX = 0xA03,
    GRADIENT_CONSTANT = 0xA04, // u of a pattern
    RADIAL_CONSTANT = 0xA05,   // v of a pattern
    GRADIENT_X = 0xA06,
    RADIAL_X = 0xA07,
    GRADIENT_Y = 0xA08,
    RADIAL_Y = 0xA09,
    RADIAL_YY = 0xA0A,
    RADIAL_XY = 0xA0B,
    TRANSFORM_RED = 0xA0C, // followed by green, blue and alpha

    TARGET_CONFIG = 0xA10,
    TARGET_ADDRESS = 0xA11,
    TARGET_STRIDE = 0xA12,
    TARGET_CLIP = 0xA13,
    MASK_ADDRESS = 0xA14,
    MASK_STRIDE = 0xA15,
    SCISSOR_ADDRESS = 0xA16,
    SCISSOR_STRIDE = 0xA17,

    IMAGE_CONSTANT = 0xA18, // u, v, w
    FLUSH = 0xA1B,          // VD62: no effect; drawing reaches memory immediately
    IMAGE_X = 0xA1C,        // change of u, v, w per pixel in x
    IMAGE_Y = 0xA20,        // change of u, v, w per pixel in y

    // The states of the paint; each is followed by the same state of the image.
    SOURCE_CONFIG = 0xA24,
    FILL_COLOR = 0xA26,
    SOURCE_ADDRESS = 0xA28,
    SOURCE_STRIDE = 0xA2A,
    SOURCE_ORIGIN = 0xA2C,
    SOURCE_SIZE = 0xA2E,

    TESSELLATION_CONFIG = 0xA34,
    WINDOW_ORIGIN = 0xA39,
    WINDOW_SIZE = 0xA3A,
    PATH_SCALE = 0xA3B,
    PATH_BIAS = 0xA3C,
    PATH_MATRIX = 0xA40, // two rows of three elements

    DITHER_LOW = 0xA5A,
    DITHER_HIGH = 0xA5B,
    KEY_LOW = 0xA90,  // four keys
    KEY_HIGH = 0xA94, // four keys
    CLUT_1 = 0xA98,
    CLUT_2 = 0xA9C,
    CLUT_4 = 0xAA0,
    CLUT_8 = 0xB00,

    EVENT = 0xE01,
};

constexpr uint32_t bits(uint32_t word, unsigned high, unsigned low) {
    return static_cast<uint32_t>((uint64_t{word} >> low) & ((uint64_t{1} << (high - low + 1)) - 1));
}
constexpr bool bit(uint32_t word, unsigned number) {
    return word >> number & 1;
}

/// Two 16-bit numbers, the first in the low half.
struct Pair {
    uint32_t x, y;
};

class States {
public:
    States() { reset(); }

    void reset();
    /// Drops writes to nonexistent cells.
    void set(uint32_t address, uint32_t value);

    uint32_t operator[](uint32_t address) const {
        return address < cells_.size() ? cells_[address] : 0;
    }
    double real(uint32_t address) const { return std::bit_cast<float>((*this)[address]); }
    Pair pair(uint32_t address) const {
        return {bits((*this)[address], 15, 0), bits((*this)[address], 31, 16)};
    }

private:
    std::array<uint32_t, 0x1000> cells_{};
};

} // namespace pixmill::reference::vivante_vg
