// SPDX-License-Identifier: GPL-2.0-or-later
#include "channel.hpp"

#include "log.hpp"

namespace pixmill::ipuv3 {
namespace {

using Words = std::span<const uint32_t, PIXMILL_IPUV3_PARAMETERS>;

/// A field of a channel's parameters: `width` bits from bit `bit` of word 0 or 1.
struct Parameter {
    uint32_t word, bit, width;

    uint32_t operator()(Words words) const {
        const uint32_t first = word * 5 + bit / 32;
        const bool straddles = bit % 32 + width > 32;
        const uint64_t high = straddles ? words[first + 1] : 0;
        return uint32_t((high << 32 | words[first]) >> bit % 32 & ((uint64_t(1) << width) - 1));
    }
};

// linux ipu-cpmem.c
constexpr Parameter ubo{0, 46, 22}, vbo{0, 68, 22}, bpp{0, 107, 3}, scan_order{0, 113, 1},
    rotation{0, 119, 3}, fw{0, 125, 13}, fh{0, 138, 12};
constexpr Parameter eba[] = {{1, 0, 29}, {1, 29, 29}};
constexpr Parameter ilo{1, 58, 20}, pfs{1, 85, 4}, alu{1, 89, 1}, sly{1, 102, 14}, sluv{1, 128, 14};
constexpr Parameter wid[] = {{1, 116, 3}, {1, 119, 3}, {1, 122, 3}, {1, 125, 3}};
constexpr Parameter ofs[] = {{1, 128, 5}, {1, 133, 5}, {1, 138, 5}, {1, 143, 5}};

constexpr uint32_t address_unit = 8; ///< of EBA, UBO, VBO and ILO

/// Bits per pixel by BPP. 0: undocumented, or not an arrangement of RGB that the model shows.
constexpr uint8_t rgb_bits[8] = {32, 24, 0, 16, 0, 8, 0, 0};

/// Layouts by PFS (linux ipu-cpmem.c). 5 and 6 are indices and generic data, which displays do not
/// show.
constexpr Layout layouts[16] = {
    Layout::planar_444,     Layout::planar_422, Layout::planar_420, Layout::semiplanar_422,
    Layout::semiplanar_420, Layout::none,       Layout::none,       Layout::rgb,
    Layout::yuyv,           Layout::none,       Layout::uyvy,
};
constexpr uint32_t pfs_generic = 6, bpp_8 = 5;

/// Returns component `i`. Its position counts from the most significant bit of the pixel. A
/// component that does not fit in the pixel is absent.
render::Channel component(Words words, uint32_t i, uint32_t bits) {
    const uint32_t width = wid[i](words) + 1, position = ofs[i](words);
    if (position + width > bits)
        return {};
    return {uint8_t(bits - position - width), uint8_t(width)};
}

render::Format format_of(Words words) {
    const uint32_t bits = rgb_bits[bpp(words)];
    render::Format format;
    format.bits = uint8_t(bits);
    format.red = component(words, 0, bits);
    format.green = component(words, 1, bits);
    format.blue = component(words, 2, bits);
    format.alpha = component(words, 3, bits);
    return format;
}

/// Returns the layout, or Layout::none if the combination of fields is undocumented.
Layout layout_of(Words words) {
    const uint32_t bits = bpp(words);
    if (bits > bpp_8)
        return Layout::none;
    if (pfs(words) == pfs_generic && bits == bpp_8)
        return Layout::alpha;
    const Layout layout = layouts[pfs(words)];
    if (layout == Layout::rgb && !rgb_bits[bits])
        return Layout::none;
    // The place of the second field's chroma is unknown.
    const bool one_area = layout == Layout::rgb || layout == Layout::yuyv || layout == Layout::uyvy;
    return scan_order(words) && !one_area ? Layout::none : layout;
}

/// Sign-extends ILO.
int64_t signed_ilo(Words words) {
    const auto value = int64_t(ilo(words));
    return (value ^ 0x80000) - 0x80000;
}

} // namespace

uint32_t Plane::areas() const {
    switch (layout) {
    case Layout::none:
        return 0;
    case Layout::planar_444:
    case Layout::planar_422:
    case Layout::planar_420:
        return 3;
    case Layout::semiplanar_422:
    case Layout::semiplanar_420:
        return 2;
    default:
        return 1;
    }
}

uint32_t Plane::row_bytes(uint32_t area, uint32_t count) const {
    if (area) {
        const uint32_t samples = (count + (1 << chroma_x_shift()) - 1) >> chroma_x_shift();
        return semiplanar() ? 2 * samples : samples;
    }
    switch (layout) {
    case Layout::rgb:
        return count * format.bytes();
    case Layout::yuyv:
    case Layout::uyvy:
        return (count + 1) / 2 * 4;
    default:
        return count;
    }
}

uint64_t Plane::address(uint32_t area, uint32_t y) const {
    if (area)
        return (area == 1 ? u : v) + uint64_t(y >> chroma_y_shift()) * chroma_pitch;
    if (!interlaced)
        return base + uint64_t(y) * pitch;
    return base + uint64_t(y / 2) * pitch + uint64_t(y % 2 ? odd_row : 0);
}

Plane plane_of(Words words, bool second, uint32_t channel, Host& host) {
    Plane plane;
    plane.enabled = true;
    plane.layout = layout_of(words);
    plane.width = fw(words) + 1;
    plane.height = fh(words) + 1;
    plane.base = uint64_t(eba[second](words)) * address_unit;
    plane.pitch = sly(words) + 1;
    if (plane.layout == Layout::rgb)
        plane.format = format_of(words);
    if (plane.areas() > 1) {
        plane.u = plane.base + uint64_t(ubo(words)) * address_unit;
        plane.v = plane.base + uint64_t(vbo(words)) * address_unit;
        plane.chroma_pitch = sluv(words) + 1;
    }
    plane.interlaced = scan_order(words);
    if (plane.interlaced)
        plane.odd_row = signed_ilo(words) * address_unit;
    const uint32_t kind = pfs(words) << 3 | bpp(words);
    if (plane.layout == Layout::none)
        host.guest_error(Cause::format, channel << 8 | kind,
                         "channel %u shows black: PFS %u, BPP %u, SO %u", channel, pfs(words),
                         bpp(words), scan_order(words));
    if (rotation(words))
        host.unimplemented(Cause::direction, channel, "channel %u: a display that mirrors or turns",
                           channel);
    return plane;
}

bool has_separate_alpha(Words words) {
    return alu(words);
}

} // namespace pixmill::ipuv3
