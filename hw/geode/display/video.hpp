// The video window. The display controller fetches frames, and the video processor scales them and
// mixes them with graphics.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "picture.hpp"
#include "render/kernels/kernels.hpp"

namespace pixmill::geode_display {

/// Capacity of a line buffer (databook 6.7.2.1).
constexpr uint32_t most_video_columns = 1920;

/// Color key that selects between graphics and video for each pixel.
enum class Key : uint8_t { none, graphics, video };

struct Video {
    bool planar = false, rgb = false; ///< if neither is set: packed YUV
    uint8_t order = 0;                ///< byte order, as in VID_FMT
    bool hd = false;
    bool gamma = false;
    bool filtered = false, phases_128 = false;
    uint32_t coefficients = 0; ///< Screen::coefficients(), if filtered
    Key key = Key::none;

    int32_t left = 0, top = 0;       ///< window position; may be outside the screen
    uint32_t begin = 0, end = 0;     ///< window columns on the screen
    Rows rows;                       ///< window rows on the screen
    uint32_t step_x = 0, step_y = 0; ///< source pixels per screen pixel, in 65536ths
    uint32_t first = 0;              ///< source column at the window's left edge
    uint32_t width = 0, height = 0;  ///< size of the source
    uint32_t planes = 0;             ///< number of planes; 0: not visible
    uint64_t start[3] = {};
    uint64_t pitch[3] = {};

    uint32_t key_color = 0, key_mask = 0;
    /// Screen area in which the graphics key applies.
    uint32_t key_left = 0, key_right = 0, key_top = 0, key_bottom = 0;

    bool operator==(const Video&) const = default;

    uint32_t row_bytes(uint32_t plane) const {
        return planar ? (plane ? width / 2 : width) : 2 * width;
    }
    uint32_t plane_rows(uint32_t plane) const { return plane ? (height + 1) / 2 : height; }
    PixmillGeodeBytes source(uint32_t plane) const;
};

Video video_of(const Display& display, const Picture& picture);

/// Decodes, scales and converts lines of video. Uses a fixed amount of memory.
class VideoScaler {
public:
    /// Prepares to draw `video`. `coefficients` holds the filter coefficients of the video
    /// processor.
    void begin(const Video& video, const std::byte* vram, const uint32_t (&coefficients)[1024]);

    /// Returns columns [begin, end) of screen row `y` as x8r8g8b8, valid until the next call.
    uint32_t* row(uint32_t y);

private:
    static constexpr uint32_t lines_kept = 4, margin = 9;

    struct Line {
        uint32_t y = UINT32_MAX;
        std::array<uint32_t, most_video_columns> pixels;
    };

    void place_columns();
    void load_taps(const uint32_t (&coefficients)[1024]);
    const uint32_t* line(int64_t y);
    void decode(uint32_t y, uint32_t* to);
    void decode_planar(uint32_t y, uint32_t* to);
    const std::byte* ordered(uint32_t plane, uint32_t y);

    Video video_;
    uint32_t loaded_ = 0; ///< Video::coefficients of the loaded taps
    bool loaded_128_ = false;
    const std::byte* vram_ = nullptr;
    std::array<render::FilterTaps, 256> horizontal_, vertical_;
    std::array<Line, lines_kept> lines_;
    std::array<uint32_t, most_video_columns + 2 * margin> padded_;
    std::array<std::array<std::byte, most_video_columns>, 3> bytes_;
    std::array<int32_t, PIXMILL_GEODE_MAX_WIDTH> first_;
    std::array<uint8_t, PIXMILL_GEODE_MAX_WIDTH> phase_;
    std::array<uint32_t, PIXMILL_GEODE_MAX_WIDTH> out_;
};

/// Mixes `pixels`, a row from the scaler, into `row`. Clears the X bits of the video pixels in
/// `row` to mark them.
void mix_video(const Video& video, uint32_t y, uint32_t key_bits, const uint32_t* pixels,
               uint32_t* row);

} // namespace pixmill::geode_display
