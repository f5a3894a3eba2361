// The fragment processor: runs a program for pixels of a row.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <vector>

#include "fragment_program.hpp"
#include "render_output.hpp"
#include "texture_map.hpp"

namespace pixmill::nema {

/// What a program reads and writes.
struct FragmentSurfaces {
    std::array<TextureMap, images> textures;
    std::array<RenderOutput, images> outputs;
    uint8_t writable = 0; ///< bit n: outputs[n] takes pixels
    bool flushes = false; ///< what is written is for other outputs to see at once
};

class FragmentProcessor {
public:
    explicit FragmentProcessor(const RowKernels& kernels) : kernels_(kernels) {}

    /// Prepares for `program`, which stays where it is.
    void load(const FragmentProgram& program);

    /// Runs it for up to row_pixels pixels from (x, y) on. Each step is taken for all pixels
    /// before the next one. `gradient`: null if colours are constant.
    void run(int32_t x, int32_t y, uint32_t count, const Gradient* gradient,
             const uint8_t* coverage, const Coordinates& coordinates, FragmentSurfaces& surfaces);

private:
    static constexpr size_t pitch = row_pixels + 8; ///< kernels and rows that begin later

    struct Pixels {
        int32_t x, y;
        uint32_t count;
        const uint8_t* coverage;
    };
    uint32_t* row(uint16_t index) { return rows_.data() + index * pitch; }
    void read_screen(const Step& step, const Pixels& at, TextureMap& texture);
    void take_t1(const Step& step, uint32_t count);
    void walk(unsigned step, uint32_t count);
    template<class PositionOf>
    void write_scattered(const Step& step, const Pixels& at, RenderOutput& output,
                         PositionOf position_of);
    ConstRow killed(const Step& step);

    const RowKernels& kernels_;
    const FragmentProgram* program_ = nullptr;
    std::vector<uint32_t> rows_;
    std::array<double, row_pixels> tx_, ty_;
};

} // namespace pixmill::nema
