// Test fixture: draws of a GC3000 to a target of 64x64 pixels.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "rig.hpp"

namespace pixmill::test {

/// Vertices have a position and one varying, which is the color of target 0.
class Gc3000 : public Rig {
protected:
    explicit Gc3000(const Vivante3d::Features& features = vivante_gc3000) : Rig(features) {
        load(0x0A2C, 0x34000001);
        load(0x0A88, 0);
        burst(0x0600, {0x10000008, 0x20100088});
        load(0x14600, vertices);
        load(0x14640, 32);
        burst(0x0804, {2, 0x102});
        load(0x0810, 0x100);
        load(0x0820, 0x100);
        load(0x085C, 0);
        const uint32_t half = bits_of(32);
        burst(0x0A00, {half, half, bits_of(1), half, half, 0});
        load(0x0A28, 0x11);
        burst(0x0A30, {0x100, 0x412000});
        load(0x0A40, 0x2F1);
        burst(0x0C00, {0, 0, half + 0x00800000, half + 0x00800000, 0, 0, 0}); // 64
        load(0x0E08, 0x30);
        load(0x1004, 0x01010101);
        load(0x1010, 2);
        load(0x101C, 0x01000100);
        load(0x1400, 0x01000700);
        burst(0x1418, {0, 0, 0, 0, 0, 0x00110F06});
        load(0x1434, 0x100);
        burst(0x1460, {color, color});
        load(0x14A4, 0x000E426C);
        load(0x3818, 0xF0);
        load(0x3820, 4);
    }

    /// Uploads a program to `vertex_code` or `pixel_code`.
    virtual void code(uint32_t address, std::initializer_list<shader::Instruction> instructions) {
        const auto last = static_cast<uint32_t>(instructions.size() - 1);
        program(address, instructions);
        if (address == pixel_code)
            load(0x101C, 0x01000100 + (last << 16));
        else
            load(0x085C, last << 16);
    }

    /// Stores the four vertices of a strip that covers these pixels of the target.
    void rectangle(float left, float top, float right, float bottom, const Vector& varying) {
        const auto at = [](float pixel) { return pixel / 32 - 1; };
        uint32_t address = vertices;
        for (const float y : {top, bottom})
            for (const float x : {left, right}) {
                put_floats(address,
                           {at(x), at(y), 0, 1, varying[0], varying[1], varying[2], varying[3]});
                address += 32;
            }
    }
    /// Makes bits in u0 the output of the pixel shader.
    void output_words(const vivante_3d::Register& words) {
        for (uint32_t c = 0; c < 4; c++)
            load(0x30000 + 4 * c, words[c]);
        code(pixel_code, {{.opcode = shader::MOV,
                           .destination = 1,
                           .sources = {shader::Operand{}, {}, shader::u(0)}}});
    }
    void output_color(const Vector& color_of_pixels) {
        output_words(std::bit_cast<vivante_3d::Register>(color_of_pixels));
    }
    void draw() { engine_.draw({.type = 5, .vertices = 4}); }

    /// Returns a pixel of the supertiled target.
    uint32_t pixel(uint32_t x, uint32_t y) const {
        return word(
            vivante_3d::address_of({vivante_3d::Layout::supertiled, {color}, 0x100, 4}, x, y));
    }

    static constexpr uint32_t color = 0x100000, vertices = 0x1E0000;
    static constexpr uint32_t vertex_code = 0xC000, pixel_code = 0xD000;
};

} // namespace pixmill::test
