// Test fixture: draws of a GC7000UL to a target of 64x64 pixels.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "gc3000.hpp"

namespace pixmill::test {

/// The same target and vertices, with the states and programs of HALTI5.
class Gc7000ul : public Gc3000 {
protected:
    Gc7000ul() : Gc3000(vivante_gc7000ul) {
        burst(0x17800, {0x00000008, 0x00100008});
        burst(0x17A80, {0x00000010, 0x00000820});
        load(0x08C0, 0x100);
        load(0x08E0, 0x100);
        load(0x0A90, 4);
        load(0x1080, 4);
        load(0x3888, 0x7F7F7F00);
        load(0x38C0, 0);
        load(0x142C, 0x00112F06);
        in_memory(vertex_code, {{}});
        in_memory(pixel_code, {{}});
    }

    void code(uint32_t address, std::initializer_list<shader::Instruction> instructions) override {
        in_memory(address, instructions);
    }

    uint32_t new_pixel(uint32_t x, uint32_t y) const {
        return word(
            vivante_3d::address_of({vivante_3d::Layout::supertiled_new, {color}, 0x100, 4}, x, y));
    }

    static constexpr uint32_t vertex_program = 0x60000, pixel_program = 0x61000;

private:
    void in_memory(uint32_t stage, std::initializer_list<shader::Instruction> instructions) {
        const bool pixels = stage == pixel_code;
        uint32_t address = pixels ? pixel_program : vertex_program;
        load(pixels ? 0x1028 : 0x086C, address);
        load(pixels ? 0x087C : 0x0874, 0);
        load(pixels ? 0x1090 : 0x08BC, static_cast<uint32_t>(instructions.size()));
        for (const shader::Instruction& instruction : instructions)
            for (const uint32_t word : shader::encode(instruction)) {
                put(address, word);
                address += 4;
            }
    }
};

} // namespace pixmill::test
