// SPDX-License-Identifier: GPL-2.0-or-later
#include "cost.hpp"

#include <algorithm>
#include <bit>

#include "target.hpp"

namespace pixmill::nema {

namespace {

/// Cost per pixel of each Step::Kind.
constexpr uint64_t step_cost[] = {2, 40, 20, 10, 8, 4, 12, 200, 200};
/// Extra cost of a compressed pixel: written as part of a row, or written alone.
constexpr uint64_t codec_cost = 300, scattered_codec_cost = 16 * codec_cost;
/// Cost factor of a step that is executed for a single pixel.
constexpr uint64_t alone_factor = 8;

/// Maximum widths of a chunk. long_chunk applies to programs that cost more than long_program.
constexpr uint32_t program_chunk = row_pixels, long_chunk = 32;
constexpr uint64_t long_program = 400; ///< cost per pixel
/// Limits of a chunk: the number of memory accesses, each of which may need a new host mapping, and
/// the total cost.
constexpr uint32_t chunk_accesses = 2048;
constexpr uint64_t chunk_work = 3 << 20;

bool compresses(const Step& step, const Texture& surface) {
    const Format* const format = find_format(surface.format);
    return step.kind >= Step::Kind::write_screen && format && format->kind == Format::Kind::tsc;
}

/// Returns the maximum number of memory accesses per pixel.
uint32_t accesses_of(const Step& step, const Texture& surface) {
    switch (step.kind) {
    case Step::Kind::read_texture:
        return texture_mode::bilinear(surface.mode) ? 4 : 1;
    case Step::Kind::read_screen:
        return 1;
    case Step::Kind::write_screen:
    case Step::Kind::write_walked:
    case Step::Kind::write_texture:
        return 2; // the destination is also read
    default:
        return 0;
    }
}

} // namespace

DrawCost::DrawCost(const std::vector<Step>& steps, const std::array<Texture, images>& surface) {
    for (const Step& step : steps) {
        const uint64_t cost = step_cost[size_t(step.kind)];
        const bool in_row = step.kind == Step::Kind::write_screen;
        pixel += cost;
        alone += cost * alone_factor;
        if (compresses(step, surface[step.image])) {
            pixel += in_row ? codec_cost : scattered_codec_cost;
            alone += scattered_codec_cost;
        }
        accesses += accesses_of(step, surface[step.image]);
    }
}

DrawCost DrawCost::in_memory() {
    DrawCost cost;
    cost.pixel = 4;
    cost.alone = cost.pixel * alone_factor;
    return cost;
}

uint32_t DrawCost::chunk(uint32_t band) const {
    const uint32_t longest = pixel > long_program ? long_chunk : program_chunk;
    const uint64_t column_cost = std::max<uint64_t>(std::max(pixel, alone) * band, 1);
    const auto affordable = uint32_t(std::min<uint64_t>(chunk_work / column_cost, longest));
    const uint32_t allowed = chunk_accesses / std::max(accesses * band, 1u);
    return std::clamp(std::bit_floor(std::min(allowed, affordable)), uint32_t(tsc_side), longest);
}

uint32_t DrawCost::rows(uint32_t width) const {
    return chunk_accesses / std::max(accesses * width, 1u);
}

} // namespace pixmill::nema
