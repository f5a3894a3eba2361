// The render output unit of the NEMA|GFX.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "parts.hpp"

namespace reference::nema {

namespace {

constexpr uint32_t reg_tex_color = 0x01C;
constexpr uint32_t reg_blend_mode = 0x1D0;
constexpr uint32_t reg_key = 0x1D4;
constexpr uint32_t reg_const_color = 0x1D8;

constexpr uint32_t blend_key_equal = 1u << 31;   ///< draw only where the destination equals the key
constexpr uint32_t blend_key_differs = 1u << 25; ///< draw only where the destination differs

} // namespace

Output::Output(const Registers& registers, Bus& bus, Dirty& dirty)
    : reg_(registers), bus_(bus), dirty_(dirty) {}

Tile& Output::tile(const Surface& surface, int64_t x, int64_t y) {
    const uint32_t address = block_address(surface, x, y);
    const auto [found, is_new] = tiles_.try_emplace({address, surface.format});
    if (is_new) {
        Block block{};
        bus_.read(address, {block.data(), block_bytes(surface.format)});
        found->second = decode_block(surface.format, block);
    }
    return found->second;
}

Color Output::destination(const Surface& surface, int64_t x, int64_t y) {
    const auto drawn = is_tsc(surface.format)
                           ? tiles_.find({block_address(surface, x, y), surface.format})
                           : tiles_.end();
    if (drawn != tiles_.end())
        return drawn->second[static_cast<size_t>(y % 4 * 4 + x % 4)];
    return load_pixel(bus_, surface, color_of(reg_[reg_tex_color]), x, y, true);
}

bool Output::passes_keys(const Color& destination) const {
    const Color key = color_of(reg_[reg_key]);
    const bool equal = std::equal(&destination[red], &destination[alpha], &key[red]);
    const uint32_t mode = reg_[reg_blend_mode];
    return !(mode & blend_key_equal && !equal) && !(mode & blend_key_differs && equal);
}

int Output::factor(uint32_t code, Channel channel, const Color& source,
                   const Color& destination) const {
    const Color constant = color_of(reg_[reg_const_color]);
    const auto straight = [&]() -> int {
        switch (code & ~1u) {
        case 0x2:
            return source[channel];
        case 0x4:
            return source[alpha];
        case 0x6:
            return destination[alpha];
        default:
            return destination[channel];
        }
    };
    switch (code) {
    case 0x0:
        return 0;
    case 0x1:
        return 255;
    case 0xA:
        return constant[channel];
    case 0xB:
        return constant[alpha];
    case 0xC:
    case 0xD:
    case 0xE:
    case 0xF:
        return 0; /* undocumented; the model uses 0 */
    default:
        return code & 1 ? 255 - straight() : straight();
    }
}

Color Output::blend(const Color& source, const Color& destination) const {
    const uint32_t mode = reg_[reg_blend_mode];
    Color result;
    for (const Channel c : {red, green, blue, alpha}) {
        const int sf = factor(bits(mode, 3, 0), c, source, destination);
        const int df = factor(bits(mode, 11, 8), c, source, destination);
        result[c] = std::min(255, (source[c] * sf + destination[c] * df + 127) / 255);
    }
    return result;
}

void Output::write(uint32_t number, int64_t x, int64_t y, const Color& source, int coverage) {
    const Surface surface = reg_.surface(number);
    if (!surface.has(x, y) || !is_destination(surface.format))
        return;
    const Color old = destination(surface, x, y);
    if (!passes_keys(old))
        return;
    Color color = blend(source, old);
    for (size_t c = 0; c < 4; c++)
        color[c] = (old[c] * (255 - coverage) + color[c] * coverage + 127) / 255;
    if (is_tsc(surface.format)) {
        if (surface.format != format_tsc6a)
            color[alpha] = 255;
        tile(surface, x, y)[static_cast<size_t>(y % 4 * 4 + x % 4)] = color;
    } else {
        store_pixel(bus_, surface, x, y, color);
    }
    /* pixels outside memory count as dirty too */
    dirty_.add(static_cast<uint32_t>(x), static_cast<uint32_t>(y));
}

void Output::finish() {
    for (const auto& [key, tile] : tiles_) {
        const auto [address, format] = key;
        const Block block = encode_block(format, tile);
        bus_.write(address, {block.data(), block_bytes(format)});
    }
    tiles_.clear();
}

} // namespace reference::nema
