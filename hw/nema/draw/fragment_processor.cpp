// SPDX-License-Identifier: GPL-2.0-or-later
#include "fragment_processor.hpp"

#include <algorithm>
#include <cmath>

#include "nema/rows/runs.hpp"

namespace pixmill::nema {

namespace {

struct Position {
    int32_t x, y;
};

/// Converts a coordinate to a texel, clamped as in texture reads.
int32_t texel_of(double coordinate) {
    constexpr double end = 1 << 24;
    return int32_t(std::floor(std::clamp(coordinate, -end, end)));
}

int32_t walked(const Walked& by, int32_t from) {
    return int32_t(std::floor(std::ldexp(from, -int(by.halvings)) + by.offset));
}

} // namespace

void FragmentProcessor::load(const FragmentSource& source) {
    if (loaded_ && source == source_)
        return;
    loaded_ = false; // in case allocation fails below
    source_ = source;
    program_.compile(source_);
    const auto& constants = program_.constants;
    rows_.resize((FragmentProgram::working_rows + constants.size()) * pitch);
    for (size_t i = 0; i < constants.size(); i++)
        std::fill_n(row(uint16_t(FragmentProgram::working_rows + i)), pitch, constants[i]);
    loaded_ = true;
}

/// Calls read(first, count) for each run of pixels that read a texel. If the surface is in host
/// memory, calls it once for all pixels, which is faster; reads of contiguous memory are not
/// reported.
template<class Read>
void FragmentProcessor::read_unskipped(const Step& step, const TextureMap& texture, uint32_t count,
                                       Read read) {
    if (step.c == program_.no_kill || texture.in_memory())
        return read(0u, count);
    const ConstRow skip = row(step.c);
    each_run(
        count, [&](uint32_t i) { return !skip[i]; }, read);
}

void FragmentProcessor::read_texture(const Step& step, const Pixels& at,
                                     const Coordinates& coordinates, TextureMap& texture) {
    read_unskipped(step, texture, at.count, [&](uint32_t first, uint32_t count) {
        uint32_t* const to = row(step.out) + first;
        if (step.interpolated)
            texture.sample(coordinates, at.x + int32_t(first), at.y, to, count);
        else
            texture.sample(&tx_[first], &ty_[first], to, count);
    });
}

/// Reads runs of texels at once if the walked coordinates are integers, else one texel at a time.
void FragmentProcessor::read_screen(const Step& step, const Pixels& at, TextureMap& texture) {
    const Walked& wx = step.walked_x;
    const int32_t y = walked(step.walked_y, at.y);
    read_unskipped(step, texture, at.count, [&](uint32_t first, uint32_t count) {
        const uint32_t run = wx.whole() ? count : 1;
        for (uint32_t i = first; i < first + count; i += run)
            texture.fetch(walked(wx, at.x + int32_t(i)), y, row(step.out) + i, run);
    });
}

/// Sets the texture coordinates from T1, whose halves are unsigned numbers with four fraction bits.
void FragmentProcessor::take_t1(const Step& step, uint32_t count) {
    const ConstRow t1 = row(step.a), keep = row(step.c);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t argb = t1[i];
        const uint32_t x = (argb >> 16 & 0xFF) | (argb & 0xFF00);
        const uint32_t y = (argb & 0xFF) | (argb >> 16 & 0xFF00);
        tx_[i] = keep[i] ? tx_[i] : x / 16.0;
        ty_[i] = keep[i] ? ty_[i] : y / 16.0;
    }
}

void FragmentProcessor::walk(unsigned step, uint32_t count) {
    constexpr struct {
        double add_x, add_y, scale_x, scale_y;
    } steps[8] = {{0, 0, 1, 1},  {1, 0, 1, 1},  {0, 1, 1, 1},   {-1, 0, 1, 1},
                  {0, -1, 1, 1}, {-3, 1, 1, 1}, {0, 0, .5, .5}, {0, 0, .5, 1}};
    const auto s = steps[step];
    for (uint32_t i = 0; i < count; i++) {
        tx_[i] = (tx_[i] + s.add_x) * s.scale_x;
        ty_[i] = (ty_[i] + s.add_y) * s.scale_y;
    }
}

ConstRow FragmentProcessor::killed(const Step& step) {
    return step.kill == program_.no_kill ? nullptr : row(step.kill);
}

/// Writes pixels one by one, because several of them may have the same position.
template<class PositionOf>
void FragmentProcessor::write_scattered(const Step& step, const Pixels& at, RenderOutput& output,
                                        PositionOf position_of) {
    const ConstRow kill = killed(step);
    for (uint32_t i = 0; i < at.count; i++) {
        const Position to = position_of(i);
        if (!kill || !kill[i])
            output.write(to.x, to.y, 1, row(step.a) + i, nullptr,
                         at.coverage ? at.coverage + i : nullptr);
    }
}

void FragmentProcessor::run(int32_t x, int32_t y, uint32_t count, const Gradient* gradient,
                            const uint8_t* coverage, const Coordinates& coordinates,
                            FragmentSurfaces& surfaces) {
    const Pixels at{x, y, count, coverage};
    const auto writable = [&](const Step& step) { return surfaces.takes(step.image); };
    if (gradient)
        kernels_.gradient(*gradient, row(FragmentProgram::color_row), count);
    for (const Step& step : program_.steps) {
        TextureMap& texture = surfaces.textures[step.image];
        RenderOutput& output = surfaces.outputs[step.image];
        switch (step.kind) {
        case Step::Kind::compute:
            kernels_.op[size_t(step.op)](row(step.out), row(step.a), row(step.b), row(step.c),
                                         count);
            break;
        case Step::Kind::read_texture:
            read_texture(step, at, coordinates, texture);
            if (texture.faulted())
                return;
            break;
        case Step::Kind::read_screen:
            read_screen(step, at, texture);
            if (texture.faulted())
                return;
            break;
        case Step::Kind::interpolate:
            coordinates.row(x, y, tx_.data(), ty_.data(), count);
            break;
        case Step::Kind::take_t1:
            take_t1(step, count);
            break;
        case Step::Kind::walk:
            walk(step.walk, count);
            break;
        case Step::Kind::write_screen:
            if (writable(step))
                output.write(x, y, count, row(step.a), killed(step), coverage);
            break;
        case Step::Kind::write_walked:
            if (writable(step))
                write_scattered(step, at, output, [&](uint32_t i) {
                    return Position{walked(step.walked_x, x + int32_t(i)),
                                    walked(step.walked_y, y)};
                });
            break;
        case Step::Kind::write_texture:
            if (writable(step))
                write_scattered(step, at, output, [&](uint32_t i) {
                    return Position{texel_of(tx_[i]), texel_of(ty_[i])};
                });
            break;
        }
        if (surfaces.flushes && writable(step))
            (void)output.target().flush(); // Target::faulted() reports the error
    }
}

} // namespace pixmill::nema
