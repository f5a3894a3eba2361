// The fragment processor: runs a program for a row of pixels.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <vector>

#include "fragment_surfaces.hpp"

namespace pixmill::nema {

class FragmentProcessor {
public:
    explicit FragmentProcessor(const RowKernels& kernels) : kernels_(kernels) {}

    /// Compiles `source` unless it is already loaded.
    void load(const FragmentSource& source);
    const FragmentProgram& program() const { return program_; }

    /// Runs the program for up to row_pixels pixels, starting at (x, y). Executes each step for all
    /// pixels before the next step. `gradient` is null if colors are constant.
    void run(int32_t x, int32_t y, uint32_t count, const Gradient* gradient,
             const uint8_t* coverage, const Coordinates& coordinates, FragmentSurfaces& surfaces);

private:
    static constexpr size_t pitch = row_pixels + 8; ///< padded: kernels work on eight pixels

    struct Pixels {
        int32_t x, y;
        uint32_t count;
        const uint8_t* coverage;
    };
    uint32_t* row(uint16_t index) { return rows_.data() + index * pitch; }
    template<class Read>
    void read_unskipped(const Step& step, const TextureMap& texture, uint32_t count, Read read);
    void read_texture(const Step& step, const Pixels& at, const Coordinates& coordinates,
                      TextureMap& texture);
    void read_screen(const Step& step, const Pixels& at, TextureMap& texture);
    void take_t1(const Step& step, uint32_t count);
    void walk(unsigned step, uint32_t count);
    template<class PositionOf>
    void write_scattered(const Step& step, const Pixels& at, RenderOutput& output,
                         PositionOf position_of);
    ConstRow killed(const Step& step);

    const RowKernels& kernels_;
    bool loaded_ = false;
    FragmentSource source_;
    FragmentProgram program_;
    std::vector<uint32_t> rows_;
    std::array<double, row_pixels> tx_, ty_;
};

} // namespace pixmill::nema
