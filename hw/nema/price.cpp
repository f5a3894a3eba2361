// SPDX-License-Identifier: GPL-2.0-or-later
#include "price.hpp"

#include <algorithm>
#include <bit>

#include "target.hpp"

namespace pixmill::nema {

namespace {

/// Of a step for one pixel, by Step::Kind.
constexpr uint64_t step_cost[] = {2, 40, 20, 10, 8, 4, 12, 200, 200};
/// What a compressed pixel costs beside its step, if it is in one row with others or not.
constexpr uint64_t codec_cost = 300, scattered_codec_cost = 16 * codec_cost;

/// Pixels of a row that are drawn without looking up: microseconds, of a long program 1 ms.
constexpr uint32_t program_chunk = row_pixels, long_chunk = 32;
constexpr uint64_t long_program = 400; ///< cost of a pixel
/// Accesses to memory, each of which may be to another mapping of the host, that are made without
/// looking up; the fewest pixels have twice as many at most.
constexpr uint32_t chunk_accesses = 4096, shortest_chunk = 16;

uint64_t compression_cost(const Step& step, const Texture& surface) {
    const Format* const format = find_format(surface.format);
    if (step.kind < Step::Kind::write_screen || !format || format->kind != Format::Kind::tsc)
        return 0;
    return step.kind == Step::Kind::write_screen ? codec_cost : scattered_codec_cost;
}

/// Of one pixel, at most.
uint32_t accesses_of(const Step& step, const Texture& surface) {
    switch (step.kind) {
    case Step::Kind::read_texture:
        return texture_mode::bilinear(surface.mode) ? 4 : 1;
    case Step::Kind::read_screen:
        return 1;
    case Step::Kind::write_screen:
    case Step::Kind::write_walked:
    case Step::Kind::write_texture:
        return 2; // the destination is read, too
    default:
        return 0;
    }
}

} // namespace

Price::Price(const std::vector<Step>& steps, const std::array<Texture, images>& surface) {
    for (const Step& step : steps) {
        pixel += step_cost[size_t(step.kind)] + compression_cost(step, surface[step.image]);
        accesses += accesses_of(step, surface[step.image]);
    }
}

Price Price::in_memory() {
    Price price;
    price.pixel = 4;
    return price;
}

uint32_t Price::chunk(uint32_t band) const {
    const uint32_t longest = pixel > long_program ? long_chunk : program_chunk;
    const uint32_t allowed = chunk_accesses / std::max(accesses * band, 1u);
    return std::clamp(std::bit_floor(allowed), shortest_chunk, longest);
}

uint32_t Price::rows(uint32_t width) const {
    return chunk_accesses / std::max(accesses * width, 1u);
}

} // namespace pixmill::nema
