// Command streams for the GC355's front end 2.0, including paths.
//
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Commands and states: docs/hardware/vivante-vg.md. The encodings are taken from the words that
// NXP's VGLite library sends.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "path.hpp"

namespace vg {

class Stream {
public:
    /// `address` is the GPU address of `words`.
    Stream(std::span<uint32_t> words, uint32_t address) : words_(words), address_(address) {}

    uint32_t address() const { return address_; }
    uint32_t qwords() const { return uint32_t(used_ / 2); }
    void clear() { used_ = 0; }

    void state(uint32_t address, std::integral auto value) {
        put(0x30010000 | address, uint32_t(value));
    }
    void state(uint32_t address, float value) { state(address, std::bit_cast<uint32_t>(value)); }

    void rectangle(uint32_t x, uint32_t y, uint32_t width, uint32_t height) {
        put(0x40000001, 0);
        put(y << 16 | x, height << 16 | width);
    }

    /// Adds the path as one DATA command with 32-bit operands.
    void path(const Path& path) {
        const std::span<const uint32_t> data = path.words();
        put(0x40000000 | uint32_t(data.size() / 2 + 1), 0);
        for (const uint32_t word_of_data : data)
            word(word_of_data);
        word(Path::END);
        if (used_ % 2)
            word(Path::END);
    }

    /// Adds SEMAPHORE and STALL for the pixel engine, then END with an event.
    void end(uint32_t event) {
        put(0x10000007, 0);
        put(0x20000007, 0);
        put(event, 0);
    }

private:
    void put(uint32_t first, uint32_t second) {
        word(first);
        word(second);
    }
    void word(uint32_t value) {
        if (used_ >= words_.size())
            __builtin_trap(); // out of memory: the scene is too large
        words_[used_++] = value;
    }

    std::span<uint32_t> words_;
    uint32_t address_;
    size_t used_ = 0;
};

} // namespace vg
