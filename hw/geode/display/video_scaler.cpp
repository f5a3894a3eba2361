// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <cstring>

#include "video.hpp"

namespace pixmill::geode_display {
namespace {

constexpr uint32_t taps = 4;

/// Color matrices in 256ths (databook 6.7.4). A working value holds Y, U and V in this order.
constexpr render::ColorMatrix sd_matrix =
    render::yuv_to_rgb({298, 0, 409, 298, -100, -208, 298, 516, 0});
constexpr render::ColorMatrix hd_matrix =
    render::yuv_to_rgb({298, 0, 459, 298, -55, -136, 298, 541, 0});

/// Positions of a pixel pair's components in four bytes.
struct Packing {
    uint8_t y, u, v;
    bool second_first; ///< the second pixel's Y comes first
};
/// Packings, indexed by VID_FMT: UYVY, Y2YU, YUYV, YVYU.
constexpr Packing packings[] = {
    {1, 0, 2, false}, {0, 3, 1, true}, {0, 1, 3, false}, {0, 3, 1, false}};

/// Positions of pixels 0 to 3 in four bytes of a plane, indexed by VID_FMT (databook 6.7.2.1).
constexpr uint8_t plane_orders[][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 0, 3, 2}, {3, 0, 1, 2}};

/// Converts a register coefficient to 16384ths, which the kernels expect. Bit 15 is the sign, and
/// bits 14:0 are the magnitude in 4096ths (df_set_video_filter_coefficients() of the X driver).
constexpr int16_t coefficient(uint32_t half) {
    const int32_t magnitude = std::min<int32_t>(4 * int32_t(half & 0x7FFF), INT16_MAX);
    return int16_t(half & 0x8000 ? -magnitude : magnitude);
}

/// Decodes four taps from two words. The center is the second tap.
render::FilterTaps taps_of(const uint32_t* words) {
    render::FilterTaps result;
    for (uint32_t i = 0; i < taps; i++)
        result.set(i, coefficient(words[i / 2] >> 16 * (i % 2)));
    return result;
}

} // namespace

void VideoScaler::begin(const Video& video, const std::byte* vram,
                        const uint32_t (&coefficients)[1024]) {
    video_ = video;
    vram_ = vram;
    for (Line& line : lines_)
        line.y = UINT32_MAX;
    if (video.filtered)
        load_taps(coefficients);
    place_columns();
}

// With 128 phases, the first half of the coefficients is vertical and the second half horizontal.
// With 256 phases, both filters use all coefficients.
void VideoScaler::load_taps(const uint32_t (&coefficients)[1024]) {
    if (loaded_ == video_.coefficients && loaded_128_ == video_.phases_128)
        return;
    loaded_ = video_.coefficients;
    loaded_128_ = video_.phases_128;
    for (uint32_t phase = 0; phase < 256; phase++) {
        const uint32_t row = video_.phases_128 ? phase / 2 : phase;
        const uint32_t column = video_.phases_128 ? 128 + phase / 2 : phase;
        vertical_[phase] = taps_of(coefficients + 2 * row);
        horizontal_[phase] = taps_of(coefficients + 2 * column);
    }
}

void VideoScaler::place_columns() {
    uint64_t at = uint64_t(int64_t(video_.begin) - video_.left) * video_.step_x;
    for (uint32_t i = 0; i < video_.end - video_.begin; i++, at += video_.step_x) {
        const uint64_t center = std::min<uint64_t>(video_.first + (at >> 16), video_.width);
        first_[i] = int32_t(center) - 1 + int32_t(margin);
        phase_[i] = uint8_t(at >> 8);
    }
}

uint32_t* VideoScaler::row(uint32_t y) {
    const render::Kernels& kernels = render::kernels();
    const uint32_t count = video_.end - video_.begin, width = video_.width;
    const uint64_t at = uint64_t(int64_t(y) - video_.top) * video_.step_y;
    const auto center = int64_t(at >> 16);
    uint32_t* const pixels = padded_.data() + margin;
    if (video_.filtered) {
        const uint32_t* const last = line(center + 2); // also used for the unused taps
        const uint32_t* const nine[] = {
            line(center - 1), line(center), line(center + 1), last, last, last, last, last, last};
        kernels.filter_column(vertical_[at >> 8 & 0xFF], pixels, nine, width);
    } else {
        std::copy_n(line(center), width, pixels);
    }
    std::fill_n(padded_.data(), margin, pixels[0]);
    std::fill_n(pixels + width, margin, pixels[width - 1]);
    if (video_.filtered) {
        kernels.filter_row(horizontal_.data(), out_.data(), padded_.data(), first_.data(),
                           phase_.data(), count);
    } else {
        for (uint32_t i = 0; i < count; i++)
            out_[i] = padded_[size_t(first_[i]) + 1];
    }
    if (!video_.rgb)
        kernels.convert(video_.hd ? hd_matrix : sd_matrix, out_.data(), count);
    return out_.data();
}

/// Returns decoded line `y` of the source, or the nearest existing line. Caches the last four
/// lines.
const uint32_t* VideoScaler::line(int64_t y) {
    const auto inside = uint32_t(std::clamp<int64_t>(y, 0, int64_t(video_.height) - 1));
    Line& kept = lines_[inside % lines_kept];
    if (kept.y != inside) {
        kept.y = inside;
        decode(inside, kept.pixels.data());
    }
    return kept.pixels.data();
}

void VideoScaler::decode(uint32_t y, uint32_t* to) {
    if (video_.planar)
        return decode_planar(y, to);
    const render::Kernels& kernels = render::kernels();
    const std::byte* const from = vram_ + video_.start[0] + video_.pitch[0] * y;
    if (video_.rgb) {
        constexpr render::Format format = render::formats::r5g6b5;
        return kernels.unpack(format)(render::Codec(format), to, from, video_.width);
    }
    const Packing& packing = packings[video_.order];
    kernels.yuv_pairs[0](to, from + packing.y, from + packing.u, from + packing.v,
                         video_.width / 2);
    if (packing.second_first) {
        for (uint32_t i = 0; i + 1 < video_.width; i += 2)
            std::swap(to[i], to[i + 1]);
    }
}

void VideoScaler::decode_planar(uint32_t y, uint32_t* to) {
    render::kernels().yuv_pairs[2](to, ordered(0, y), ordered(1, y / 2), ordered(2, y / 2),
                                   video_.width / 2);
}

/// Returns line `y` of a plane, with the bytes in pixel order.
const std::byte* VideoScaler::ordered(uint32_t plane, uint32_t y) {
    const std::byte* const from = vram_ + video_.start[plane] + video_.pitch[plane] * y;
    if (video_.order == 0)
        return from;
    const uint8_t(&order)[4] = plane_orders[video_.order];
    std::byte* const to = bytes_[plane].data();
    for (uint32_t i = 0; i < video_.row_bytes(plane); i++)
        to[i] = from[(i & ~3u) + order[i % 4]];
    return to;
}

} // namespace pixmill::geode_display
