// Texture coordinates, wrapping and filtering of the NEMA|GFX.
//
// Coordinates are doubles that must be computed in exactly this order, so this file is compiled
// without fused multiply-add (-ffp-contract=off).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <cmath>

#include "parts.hpp"

namespace reference::nema {

namespace {

enum ModeBit : uint32_t {
    mode_bilinear = 0x01,
    mode_unit = 0x20, ///< coordinates range from 0 to 1
    mode_left_handed = 0x40,
};

enum Wrap : uint32_t { clamp, repeat, border, mirror };

int64_t modulo(int64_t value, int64_t by) {
    const int64_t rest = value % by;
    return rest < 0 ? rest + by : rest;
}

/// Returns a surface's side in pixels. A size of 0 counts as 1.
int extent(int size) {
    return std::max(size, 1);
}

/// Applies the wrap mode to a texel index. Returns nothing outside the texture in border mode.
std::optional<int64_t> wrapped(int64_t index, int size, uint32_t mode) {
    const int64_t n = extent(size);
    switch (bits(mode, 3, 2)) {
    case clamp:
        return std::clamp<int64_t>(index, 0, n - 1);
    case repeat:
        return modulo(index, n);
    case border:
        return index >= 0 && index < n ? std::optional(index) : std::nullopt;
    default: {
        const int64_t in_pair = modulo(index, 2 * n);
        return in_pair < n ? in_pair : 2 * n - 1 - in_pair;
    }
    }
}

Color bilinear(Bus& bus, const Surface& surface, const Color& alpha_color, double tx, double ty) {
    const auto qx = static_cast<int64_t>(std::floor((tx - 0.5) * 16));
    const auto qy = static_cast<int64_t>(std::floor((ty - 0.5) * 16));
    const int fx = static_cast<int>(qx & 15);
    const int fy = static_cast<int>(qy & 15);
    std::array<int, 4> sum{128, 128, 128, 128};
    for (int j = 0; j < 2; j++) {
        for (int i = 0; i < 2; i++) {
            const Color texel =
                sample_pixel(bus, surface, alpha_color, (qx >> 4) + i, (qy >> 4) + j);
            const int weight = (i ? fx : 16 - fx) * (j ? fy : 16 - fy);
            for (size_t c = 0; c < 4; c++)
                sum[c] += texel[c] * weight;
        }
    }
    /* TEX_COLOR is never filtered, not even with the black outside the texture */
    if (is_alpha_only(surface.format))
        return {alpha_color[red], alpha_color[green], alpha_color[blue], sum[alpha] >> 8};
    return {sum[red] >> 8, sum[green] >> 8, sum[blue] >> 8, sum[alpha] >> 8};
}

} // namespace

Coordinate Matrix::at(int x, int y) const {
    if (bypass)
        return {double(x), double(y)};
    const double px = x + (corner ? 0.0 : 0.5);
    const double py = y + (corner ? 0.0 : 0.5);
    const auto row = [&](size_t i) { return ((m[i][0] * px) + (m[i][1] * py)) + m[i][2]; };
    Coordinate t{row(0), row(1)};
    const bool affine = m[2][0] == 0 && m[2][1] == 0 && m[2][2] == 1;
    if (!no_perspective && !affine) {
        const double w = row(2);
        if (w == 0 || !std::isfinite(w))
            return {};
        t = {t.x / w, t.y / w};
    }
    return std::isfinite(t.x) && std::isfinite(t.y) ? t : Coordinate{};
}

Color sample_pixel(Bus& bus, const Surface& surface, const Color& alpha_color, int64_t x,
                   int64_t y) {
    const auto ix = wrapped(x, surface.width, surface.mode);
    const auto iy = wrapped(y, surface.height, surface.mode);
    if (!ix || !iy)
        return {0, 0, 0, 0};
    return load_pixel(bus, surface, alpha_color, *ix, *iy);
}

Color sample_texture(Bus& bus, const Surface& surface, const Color& alpha_color,
                     Coordinate coordinate) {
    double tx = coordinate.x;
    double ty = coordinate.y;
    const int height = extent(surface.height);
    if (surface.mode & mode_unit) {
        tx *= extent(surface.width);
        ty *= height;
    }
    if (surface.mode & mode_left_handed)
        ty = height - ty;
    constexpr double limit = 1 << 24;
    tx = std::clamp(tx, -limit, limit);
    ty = std::clamp(ty, -limit, limit);
    if (surface.mode & mode_bilinear)
        return bilinear(bus, surface, alpha_color, tx, ty);
    return sample_pixel(bus, surface, alpha_color, static_cast<int64_t>(std::floor(tx)),
                        static_cast<int64_t>(std::floor(ty)));
}

} // namespace reference::nema
