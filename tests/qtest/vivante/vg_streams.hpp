/*
 * Registers and streams of the VG core, whose front end has its own command set.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Source: NXP MCUXpresso SDK: vg_lite_hw.h (registers), vg_lite.c (states and commands).
 */
#pragma once

#include <array>
#include <cstdint>

#include "commands.hpp"

namespace pixmill::qtest::vg {

/* CMDBUF_ADDRESS and CMDBUF_SIZE; a write of the size, in qwords, starts the stream. */
constexpr uint32_t kAddress = 0x500, kSize = 0x504;

/* The first word of END contains the event's ID. */
constexpr uint32_t kEnd = 0x00000000, kData = 0x40000000;
/* SEMAPHORE and STALL for the tessellator, then for the pixel engine. */
constexpr std::array<uint32_t, 4> kWaits{0x10000007, 0x20000007, 0x10000010, 0x20000010};

constexpr uint32_t kControl = 0xA00, kColor = 0xA02, kEvent = 0xE01;

/* Returns a load of one state. */
inline Words state(uint32_t address, uint32_t value) {
    return {0x30010000 | address, value};
}

/* Returns states for a linear BGRA8888 target. */
inline Words target(uint32_t address, uint32_t width, uint32_t height) {
    return {0x30010A10, 0x00010303, 0x30010A11, address,
            0x30010A12, width * 4,  0x30010A13, height << 16 | width};
}

/* Returns states for paths: signed bytes as data, best quality, and the drawing window. */
inline Words path_window(uint32_t width, uint32_t height) {
    return {0x30010A34, 0x01000003, 0x30010A39, 0, 0x30010A3A, height << 16 | width};
}

} // namespace pixmill::qtest::vg
