// The video window: pictures that the display controller fetches, and the video processor scales
// and puts into its own.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "picture.hpp"
#include "render/kernels/kernels.hpp"

namespace pixmill::geode_display {

/// Databook 6.7.2.1: as many pixels as a line buffer has room for.
constexpr uint32_t most_video_columns = 1920;

/// What decides, pixel by pixel, between graphics and video.
enum class Key : uint8_t { none, graphics, video };

struct Video {
    bool planar = false, rgb = false; ///< else packed YUV
    uint8_t order = 0;                ///< VID_FMT: of bytes
    bool hd = false;
    bool gamma = false;
    bool filtered = false, phases_128 = false;
    uint32_t coefficients = 0; ///< Screen::coefficients() where it is filtered
    Key key = Key::none;

    int32_t left = 0, top = 0;       ///< of the window, perhaps outside of the screen
    uint32_t begin = 0, end = 0;     ///< columns on the screen
    Rows rows;                       ///< on the screen
    uint32_t step_x = 0, step_y = 0; ///< of the source for one pixel, 65536ths
    uint32_t first = 0;              ///< column of the source that is leftmost in the window
    uint32_t width = 0, height = 0;  ///< of the source
    uint32_t planes = 0;             ///< 0: it is not visible
    uint64_t start[3] = {};
    uint64_t pitch[3] = {};

    uint32_t key_color = 0, key_mask = 0;
    uint32_t key_left = 0, key_right = 0, key_top = 0, key_bottom = 0; ///< where graphics have one

    bool operator==(const Video&) const = default;

    uint32_t row_bytes(uint32_t plane) const {
        return planar ? (plane ? width / 2 : width) : 2 * width;
    }
    uint32_t plane_rows(uint32_t plane) const { return plane ? (height + 1) / 2 : height; }
    PixmillGeodeBytes source(uint32_t plane) const;
};

Video video_of(const Display& display, const Picture& picture);

/// Lines of video, decoded, scaled and converted. Its memory is fixed.
class VideoScaler {
public:
    /// Of what is drawn next; `coefficients` are the video processor's.
    void begin(const Video& video, const std::byte* vram, const uint32_t (&coefficients)[1024]);

    /// Columns begin to end of the screen's row `y`: x8r8g8b8. Lasts until the next call.
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
    uint32_t loaded_ = 0; ///< Video::coefficients of the taps
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

/// Puts `pixels`, a row of the scaler's, where they show; their X bits become 0, which tells them
/// from graphics.
void mix_video(const Video& video, uint32_t y, uint32_t key_bits, const uint32_t* pixels,
               uint32_t* row);

} // namespace pixmill::geode_display
