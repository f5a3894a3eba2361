// SPDX-License-Identifier: GPL-2.0-or-later
#include "video.hpp"

#include <algorithm>

#include "display.hpp"
#include "fields.hpp"
#include "offsets.hpp"

namespace pixmill::geode_display {
namespace {

constexpr uint32_t one = 0x10000; // a step of 1.0

/// Video position of the screen's origin. Video positions count from the end of sync (databook
/// 6.8.3.3, 6.8.3.4; df_set_video_position() of the X driver).
struct Origin {
    int32_t x, y;
};

Origin origin(const uint32_t (&dc)[PIXMILL_GEODE_DC_WORDS]) {
    const auto back_porch = [&](const Field& second, uint32_t total, uint32_t sync) {
        return int32_t(second(dc[total / 4])) - int32_t(second(dc[sync / 4]));
    };
    return {back_porch(h_timing::second, DC_H_ACTIVE_TIMING, DC_H_SYNC_TIMING) - 14,
            back_porch(v_timing::second, DC_V_ACTIVE_TIMING, DC_V_SYNC_TIMING) + 1};
}

void place(Video& video, const Display& display, const Picture& picture) {
    const auto [x0, y0] = origin(display.s.dc);
    const uint32_t x = display.s.vp[VP_VX / 4], y = display.s.vp[VP_VY / 4];
    video.left = int32_t(video_x::start(x)) - x0;
    video.top = int32_t(video_y::start(y)) - y0;
    const auto on_screen = [](int32_t at, uint32_t size) {
        return uint32_t(std::clamp<int32_t>(at, 0, int32_t(size)));
    };
    video.begin = on_screen(video.left, picture.width);
    video.end = on_screen(int32_t(video_x::end(x)) - x0, picture.width);
    video.rows = {on_screen(video.top, picture.height),
                  on_screen(int32_t(video_y::end(y)) - y0, picture.height)};
}

// With VDSE, DELTA / 16384 source lines are skipped before the filter for each line that is kept
// (df_set_video_scale() of the X driver).
void scale(Video& video, const Display& display) {
    const uint32_t(&vp)[PIXMILL_GEODE_VP_WORDS] = display.s.vp;
    video.filtered = !vcfg::sc_byp(vp[VP_VCFG / 4]);
    video.coefficients = video.filtered ? display.screen.coefficients() : 0;
    video.phases_128 = scl::phases_128(vp[VP_SCL / 4]);
    video.step_x = video.filtered ? video_scale::step(vp[VP_VXS / 4]) : one;
    video.step_y = video.filtered ? video_scale::step(vp[VP_VYS / 4]) : one;
    if (scl::dhd(vp[VP_SCL / 4]))
        video.step_x *= 2;
    if (general_cfg::vdse(display.s.dc[DC_GENERAL_CFG / 4])) {
        const uint64_t fraction = vid_ds_delta::delta(display.s.dc[DC_VID_DS_DELTA / 4]);
        video.step_y += uint32_t(video.step_y * fraction >> 14);
    }
}

void locate(Video& video, const Display& display) {
    const uint32_t(&dc)[PIXMILL_GEODE_DC_WORDS] = display.s.dc;
    const uint32_t config = display.s.vp[VP_VCFG / 4], control = display.s.vp[VP_VDE / 4];
    video.order = uint8_t(vcfg::format(config));
    video.planar = vcfg::mode_420(config);
    video.rgb = vde::rgb(control) && !video.planar;
    video.hd = vde::hd_video(control);
    video.first = 4 * vcfg::init_read(config);
    const uint32_t bytes = 8 * line_size::video(dc[DC_LINE_SIZE / 4]);
    video.width = std::min(video.planar ? 2 * bytes : bytes / 2, most_video_columns);
    // The filter reads two lines after the last center.
    const int64_t last = int64_t(video.rows.end) - 1 - video.top;
    const uint64_t reached = (uint64_t(last) * video.step_y >> 16) + 3;
    const uint32_t lines = scl::lines(display.s.vp[VP_SCL / 4]);
    video.height = uint32_t(std::min<uint64_t>(reached, lines ? lines : reached));
    video.planes = video.planar ? 3 : 1;
    const uint32_t pitch = dc[DC_VID_YUV_PITCH / 4];
    for (uint32_t plane = 0; plane < video.planes; plane++) {
        video.start[plane] = dc[DC_VID_Y_ST_OFFSET / 4 + plane];
        video.pitch[plane] = 8 * (plane ? halves::high(pitch) : halves::low(pitch));
    }
}

// The graphics key is used only if the display controller enables it. If neither key is enabled,
// video covers the whole window (df_set_video_enable() of the X driver).
void set_key(Video& video, const Display& display) {
    const uint32_t(&dc)[PIXMILL_GEODE_DC_WORDS] = display.s.dc;
    const uint32_t key = dc[DC_CLR_KEY / 4], x = dc[DC_CLR_KEY_X / 4], y = dc[DC_CLR_KEY_Y / 4];
    if (dcfg::vg_ck(display.s.vp[VP_DCFG / 4])) {
        video.key = Key::video;
        video.key_color = display.s.vp[VP_VCK / 4];
        video.key_mask = display.s.vp[VP_VCM / 4];
    } else if (clr_key::enable(key)) {
        video.key = Key::graphics;
        video.key_color = clr_key::color(key);
        video.key_mask = dc[DC_CLR_KEY_MASK / 4];
        video.key_left = clr_key::start(x);
        video.key_right = clr_key::end(x);
        video.key_top = clr_key::start(y);
        video.key_bottom = clr_key::end(y);
    }
}

bool is_inside(const Video& video, uint64_t vram_size) {
    for (uint32_t plane = 0; plane < video.planes; plane++) {
        if (!in_vram(vram_size, video.start[plane], video.pitch[plane], video.plane_rows(plane),
                     video.row_bytes(plane)))
            return false;
    }
    return video.width != 0;
}

} // namespace

PixmillGeodeBytes Video::source(uint32_t plane) const {
    return {start[plane], pitch[plane] * (plane_rows(plane) - 1) + row_bytes(plane)};
}

Video video_of(const Display& display, const Picture& picture) {
    const bool enabled = picture.visible && general_cfg::vide(display.s.dc[DC_GENERAL_CFG / 4]) &&
                         vcfg::vid_en(display.s.vp[VP_VCFG / 4]);
    Video video;
    if (!enabled)
        return {};
    place(video, display, picture);
    if (video.begin >= video.end || video.rows.begin >= video.rows.end)
        return {};
    scale(video, display);
    locate(video, display);
    set_key(video, display);
    video.gamma = display.vp.gamma(true);
    return is_inside(video, picture.vram_size) ? video : Video{};
}

void mix_video(const Video& video, uint32_t y, uint32_t key_bits, const uint32_t* pixels,
               uint32_t* row) {
    const uint32_t mask = video.key_mask & (video.key == Key::graphics ? key_bits : 0xFFFFFF);
    uint32_t begin = video.begin, end = video.end;
    if (video.key == Key::graphics) {
        if (y < video.key_top || y >= video.key_bottom)
            return;
        begin = std::max(begin, video.key_left);
        end = std::min(end, video.key_right);
    }
    for (uint32_t x = begin; x < end; x++) {
        const uint32_t pixel = pixels[x - video.begin] & 0x00FFFFFF;
        const uint32_t compared = video.key == Key::video ? pixel : row[x];
        const bool matches = ((compared ^ video.key_color) & mask) == 0;
        if (video.key == Key::none || matches == (video.key == Key::graphics))
            row[x] = pixel;
    }
}

} // namespace pixmill::geode_display
