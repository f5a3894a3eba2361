/*
 * Surfaces in guest memory with guard bands, and the initial state of all 2D draws in these tests.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_QTEST_DRAWING_HPP
#define PIXMILL_TESTS_QTEST_DRAWING_HPP

#include <gtest/gtest.h>

#include <cstdint>

#include "../rig.hpp"
#include "commands.hpp"

namespace pixmill::qtest {

/* Values of DEST_CONFIG.FORMAT and SRC_CONFIG.SOURCE_FORMAT, from rnndb state_2d.xml. */
namespace format {
enum : uint32_t {
    kX4R4G4B4 = 0x00,
    kA4R4G4B4 = 0x01,
    kX1R5G5B5 = 0x02,
    kA1R5G5B5 = 0x03,
    kR5G6B5 = 0x04,
    kX8R8G8B8 = 0x05,
    kA8R8G8B8 = 0x06,
    kIndex8 = 0x09,
    kMonochrome = 0x0A,
    kA8 = 0x10,
};
}

/* DEST_CONFIG.COMMAND */
namespace command {
enum : uint32_t {
    kClear = 0x0000,
    kLine = 0x1000,
    kBitBlt = 0x2000,
    kStretchBlt = 0x4000,
    kMultiSource = 0x8000,
};
}

constexpr uint32_t kRelative = 0x40; /* SRC_CONFIG.SRC_RELATIVE */

constexpr uint32_t src_config(uint32_t format, uint32_t swizzle = 0) {
    return format << 24 | swizzle << 20;
}

constexpr uint32_t dest_config(uint32_t command, uint32_t format, uint32_t swizzle = 0) {
    return swizzle << 16 | command | format;
}

constexpr uint32_t point(int x, int y) {
    return (static_cast<uint32_t>(y) & 0xFFFF) << 16 | (static_cast<uint32_t>(x) & 0xFFFF);
}

/*
 * Selects the 2D pipe and sets up a source and a destination with @width x @height 32-bit pixels,
 * ROP4 copy, and a clip that covers the destination.
 */
Commands base_block(uint32_t width, uint32_t height, uint32_t command, uint32_t dest = kDest,
                    uint32_t source = kSource);

/* Enables the MMU v2 with only two pages: kStream at 0x1000 and kDest at 0x2000. */
void map_stream_and_dest(Rig& rig);

/* Bytes in guest memory between two guard bands. */
class Buffer {
public:
    /* @address must be 4-byte aligned and leave room for the guards on both sides. */
    Buffer(Rig& rig, uint32_t address, const Bytes& content);
    Buffer(Rig& rig, uint32_t address, const Words& content);

    [[nodiscard]] uint32_t address() const { return address_; }
    Bytes bytes();
    Words words();
    /* Succeeds if the content is @expected and the guards are intact. */
    testing::AssertionResult holds(const Words& expected);
    testing::AssertionResult holds(const Bytes& expected);
    /*
     * Succeeds if the buffer starts with @expected, the rest is still the initial content, and the
     * guards are intact.
     */
    testing::AssertionResult starts_with(const Words& expected);
    testing::AssertionResult starts_with(const Bytes& expected);
    testing::AssertionResult unchanged() { return holds(initial_); }

private:
    static constexpr uint32_t kGuard = 4096;
    static constexpr uint8_t kGuardByte = 0xA5;

    Rig& rig_;
    uint32_t address_;
    Bytes initial_;
};

Bytes bytes_of(const Words& words);
Bytes bytes_of_halves(const std::vector<uint16_t>& halves);

} // namespace pixmill::qtest

#endif
