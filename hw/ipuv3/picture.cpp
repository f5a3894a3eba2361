// SPDX-License-Identifier: GPL-2.0-or-later
#include "picture.hpp"

#include <algorithm>

#include "fields.hpp"
#include "offsets.hpp"

namespace pixmill::ipuv3 {
namespace {

uint32_t dp_word(const PixmillIpuv3State& s, uint32_t offset) {
    return s.dp[offset / 4];
}

bool has(uint32_t channels, Channel channel) {
    return channels >> channel & 1;
}

Plane shown_plane(const PixmillIpuv3State& s, Channel channel, Host& host) {
    if (!has(s.shown_enabled, channel))
        return {};
    return plane_of(s.shown[channel], has(s.shown_second, channel), places[channel].number, host);
}

/// Returns the plane that holds the alpha of `channel`, and sets `separate` if there is one. The
/// plane is disabled if its channel is off.
Plane alpha_of(const PixmillIpuv3State& s, Channel channel, bool& separate, Host& host) {
    separate = has(s.shown_alpha, channel) && has_separate_alpha(s.shown[channel]);
    return separate ? shown_plane(s, places[channel].alpha, host) : Plane{};
}

ConversionWords conversion_of(const PixmillIpuv3State& s) {
    ConversionWords words;
    for (uint32_t i = 0; i < words.size(); i++)
        words[i] = dp_word(s, DP_CSC_A_0 + 4 * i);
    return words;
}

void place(Overlay& overlay, const Base& base, uint32_t position) {
    overlay.left = fg_pos::x(position);
    overlay.top = fg_pos::y(position);
    const auto inside = [](uint32_t begin, uint32_t size, uint32_t limit) {
        return begin < limit ? std::min(size, limit - begin) : 0;
    };
    overlay.columns = inside(overlay.left, overlay.plane.width, base.width);
    overlay.rows = inside(overlay.top, overlay.plane.height, base.height);
    if (!overlay.columns || !overlay.rows)
        overlay = {};
}

/// Returns the overlay if the DP shows it. GWSEL, GWAM and the rest have no effect without it.
Overlay overlay_of(const PixmillIpuv3State& s, const Base& base, Host& host) {
    const uint32_t config = dp_word(s, DP_COM_CONF), window = dp_word(s, DP_GRAPH_WIND_CTRL);
    Overlay overlay;
    if (!com_conf::fg_en(config) || !has(s.shown_enabled, fg_sync))
        return {};
    overlay.plane = shown_plane(s, fg_sync, host);
    place(overlay, base, dp_word(s, DP_FG_POS));
    if (!overlay.shown())
        return {};
    overlay.overlay_decides = com_conf::gwsel(config);
    overlay.global_alpha = com_conf::gwam(config);
    overlay.alpha_value = overlay.global_alpha ? uint8_t(graph_wind_ctrl::gwav(window)) : 0;
    overlay.keyed = com_conf::gwcke(config);
    overlay.key = overlay.keyed ? graph_wind_ctrl::key(window) : 0;
    const uint32_t conversion = com_conf::csc_def(config);
    overlay.converts = conversion == com_conf::foreground || conversion == com_conf::combined;
    if (overlay.converts)
        overlay.conversion = conversion_of(s);
    return overlay;
}

/// Returns the picture of the DP's synchronous flow.
void combine(Picture& picture, const PixmillIpuv3State& s, Host& host) {
    Base& base = picture.base;
    base.plane = shown_plane(s, bg_sync, host);
    const uint32_t conversion = com_conf::csc_def(dp_word(s, DP_COM_CONF));
    base.converts = conversion == com_conf::background || conversion == com_conf::combined;
    base.converts_after = conversion == com_conf::combined;
    if (base.converts)
        base.conversion = conversion_of(s);
    picture.overlay = overlay_of(s, base, host);
    if (!picture.overlay.uses_alpha())
        return;
    Overlay& overlay = picture.overlay;
    const Channel decides = overlay.overlay_decides ? fg_sync : bg_sync;
    bool separate;
    const Plane alpha = alpha_of(s, decides, separate, host);
    if (!separate)
        return;
    Plane& to = overlay.overlay_decides ? overlay.alpha : base.alpha;
    to = alpha;
    if (!alpha.enabled || alpha.layout != Layout::alpha) {
        to = {};
        overlay.global_alpha = true;
        overlay.alpha_value = 0xFF;
    }
}

/// Adds the rows of area `area` of `plane`: those with index `first`, `first` + `every`, ...
void add_rows(PixmillIpuv3Scanout& out, const Plane& plane, uint32_t area, uint32_t first,
              uint32_t every, uint32_t columns, uint32_t height, uint32_t top) {
    const uint32_t shift = area ? plane.chroma_y_shift() : 0;
    const uint64_t start = plane.address(area, first);
    const uint32_t length = plane.row_bytes(area, columns);
    constexpr uint64_t most_address = uint64_t(1) << 40; // a row before address 0 is far beyond
    if (first >= height || out.sources == PIXMILL_IPUV3_SOURCES || start >= most_address)
        return;
    const uint32_t step = every << shift;
    out.source[out.sources++] = {start,
                                 length,
                                 area ? plane.chroma_pitch : plane.pitch,
                                 (height - first + step - 1) / step,
                                 top + first,
                                 step,
                                 uint32_t(1) << shift};
}

void add_plane(PixmillIpuv3Scanout& out, const Plane& plane, uint32_t columns, uint32_t height,
               uint32_t top) {
    if (!plane.enabled)
        return;
    columns = std::min(columns, plane.width);
    height = std::min(height, plane.height);
    if (plane.interlaced) { // one area only
        add_rows(out, plane, 0, 0, 2, columns, height, top);
        add_rows(out, plane, 0, 1, 2, columns, height, top);
        return;
    }
    for (uint32_t area = 0; area < plane.areas(); area++)
        add_rows(out, plane, area, 0, 1, columns, height, top);
}

} // namespace

Picture picture_of(const PixmillIpuv3State& s, uint32_t di, uint32_t width, uint32_t height,
                   Host& host) {
    Picture picture;
    picture.base.running = true;
    picture.base.width = width;
    picture.base.height = height;
    if (di == 0)
        combine(picture, s, host);
    else
        picture.base.plane = shown_plane(s, dc_sync, host);
    return picture;
}

void list_sources(const Picture& picture, PixmillIpuv3Scanout& out) {
    const Base& base = picture.base;
    const Overlay& overlay = picture.overlay;
    out.sources = 0;
    add_plane(out, base.plane, base.width, base.height, 0);
    add_plane(out, base.alpha, base.width, base.height, 0);
    if (!overlay.shown())
        return;
    add_plane(out, overlay.plane, overlay.columns, overlay.rows, overlay.top);
    add_plane(out, overlay.alpha, overlay.columns, overlay.rows, overlay.top);
}

} // namespace pixmill::ipuv3
