// Filter blits of the Vivante 2D engine, which its video rasterizer executes.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "draw.hpp"

#include <algorithm>

namespace reference::vivante {

namespace {

constexpr uint32_t start_horizontal = 0;
constexpr uint32_t start_vertical = 1;
constexpr uint32_t start_one_pass = 2;

constexpr unsigned taps = 9;
constexpr uint32_t middle_phase = 16;
constexpr uint32_t rop_copy = 0xcc;

/// Returns a signed coefficient with 14 fraction bits. Only the phases up to the middle are stored;
/// the others mirror them (gcbv and nano2D compute such tables).
int64_t coefficient(const Registers& registers, uint32_t table, uint32_t phase, unsigned tap) {
    const bool mirrored = phase > middle_phase;
    const uint32_t stored_row = mirrored ? 32 - phase : phase;
    const uint32_t index = stored_row * taps + (mirrored ? taps - 1 - tap : tap);
    const uint32_t word = registers.get(table + 4 * (index / 2));
    return index % 2 == 0 ? low_half(word) : high_half(word);
}

/// Returns the number of taps on each side of the middle: half of the tap count in VR_CONFIG_EX.
unsigned reach(const Registers& registers, bool horizontal) {
    const uint32_t ex = registers.get(vr_config_ex);
    const bool own = horizontal && bits(ex, 13, 13) != 0;
    const uint32_t count = own ? bits(ex, 18, 15) : bits(ex, 7, 4);
    const bool defined = count == 1 || count == 3 || count == 5 || count == 7;
    return registers.features().filter_taps && defined ? count / 2 : 4;
}

/// Applies up to nine taps along one axis. `fetch` returns the channels of the pixel at a
/// coordinate.
template<typename Fetch>
uint32_t filter(const Registers& registers, uint32_t table, const FilterAxis& axis, int index,
                Fetch fetch) {
    const bool one_pass = table != filter_kernel;
    const unsigned used = one_pass ? reach(registers, table == hori_filter_kernel) : 4;
    const int64_t position = axis.position(index);
    const uint32_t phase = static_cast<uint32_t>((position >> 11) & 31);
    const int64_t center = position >> 16;
    std::array<int64_t, 4> sums{};
    for (unsigned tap = 4 - used; tap <= 4 + used; ++tap) {
        const int64_t place = std::clamp<int64_t>(center - 4 + tap, axis.low, axis.high - 1);
        const uint32_t pixel = fetch(static_cast<int>(place));
        const int64_t weight = coefficient(registers, table, phase, tap);
        for (unsigned i = 0; i < 4; ++i)
            sums[i] += weight * channel(pixel, i);
    }
    uint32_t result = 0;
    for (unsigned i = 0; i < 4; ++i)
        result |= to_channel(clamp8((sums[i] + 0x2000) >> 14), i);
    return result;
}

/// The i.MX6 cores write zeros when a filter blit changes the order of packed YUV (armada).
bool is_lost(const Features& features, const Surface& from, const Surface& to) {
    const bool to_uyvy = from.format == format_yuy2 && to.format == format_uyvy;
    const bool to_yuy2 = from.format == format_uyvy && to.format == format_yuy2;
    return features.yuv_order_fault && to.split.planes == 0 && (to_uyvy || to_yuy2);
}

FilterAxis axis_of(uint32_t origin, uint32_t factor, int low, int high) {
    return {static_cast<int32_t>(origin), bits(factor, 30, 0), low, high};
}

} // namespace

int FilterAxis::unscaled(int index) const {
    return static_cast<int>(std::clamp<int64_t>((origin >> 16) + index, low, high - 1));
}

void Painter::filter_blit(uint32_t start) {
    if (start > start_one_pass)
        return;
    // A filter blit ignores the ROP and the command, because armada and gcbv leave arbitrary values
    // in them, and the clip, which armada sets to a single pixel.
    Source source = source_;
    source.rop = {rop_copy, rop_copy, false};
    if (source.transparency.source == SourceTest::stream) // filter blits have no stream bits
        source.transparency.source = SourceTest::none;
    begin(source);
    raw_ = false;
    const uint32_t image_low = registers_.get(vr_source_image_low);
    const uint32_t image_high = registers_.get(vr_source_image_high);
    FilterAxis x_axis =
        axis_of(registers_.get(vr_source_origin_low), registers_.get(stretch_factor_low),
                low_half(image_low), low_half(image_high));
    FilterAxis y_axis =
        axis_of(registers_.get(vr_source_origin_high), registers_.get(stretch_factor_high),
                high_half(image_low), high_half(image_high));
    if (x_axis.low >= x_axis.high || y_axis.low >= y_axis.high) { // empty: use top left pixel
        x_axis.high = x_axis.low + 1;
        y_axis.high = y_axis.low + 1;
    }
    const uint32_t top_left = registers_.get(vr_target_window_low);
    const uint32_t bottom_right = registers_.get(vr_target_window_high);
    const bool lost = is_lost(registers_.features(), source.surface, destination_);
    const Rectangle window{low_half(top_left), high_half(top_left), low_half(bottom_right),
                           high_half(bottom_right)};
    for (int y = window.top; y < window.bottom; ++y) {
        for (int x = window.left; x < window.right; ++x) {
            if (!in_destination_row({x, y}))
                continue;
            Sample pixel;
            if (usage_.source && !lost) {
                const Point index = blit_offset(source, window, {x, y});
                pixel = filter_sample(source, filtered(source, start, x_axis, y_axis, index));
            }
            draw_pixel(source, {x, y}, pixel);
        }
    }
    chroma_.flush(memory_, destination_);
}

/// Filter blits ignore the clip, so the destination's row length limits their writes.
bool Painter::in_destination_row(Point at) const {
    const Point physical = to_physical(destination_, at);
    if (at.x < 0 || at.y < 0 || physical.x < 0 || physical.y < 0)
        return false;
    const uint32_t stride = destination_.planes[0].stride;
    if (destination_.split.planes != 0) {
        const uint32_t sample =
            static_cast<uint32_t>(physical.x) >> (has_only_chroma(destination_, 0) ? 1 : 0);
        return stride == 0 || (sample + 1) * destination_.split.bytes[0] <= stride;
    }
    const uint32_t offset =
        static_cast<uint32_t>(physical.x) * bytes_per_pixel(destination_.format);
    return stride == 0 || offset < stride;
}

uint32_t Painter::filter_tap(const Source& source, Point at) {
    const Point physical = to_physical(source.surface, at);
    return source_value(source, fetch(memory_, source.surface, physical));
}

/// Returns the filtered channels of one target pixel: Y, U, V for a YUV source.
uint32_t Painter::filtered(const Source& source, uint32_t start, const FilterAxis& x,
                           const FilterAxis& y, Point index) {
    if (start == start_horizontal) {
        const int row = y.unscaled(index.y);
        return filter(registers_, filter_kernel, x, index.x, [&](int column) {
            return filter_tap(source, {column, row});
        });
    }
    if (start == start_vertical) {
        const int column = x.unscaled(index.x);
        return filter(registers_, filter_kernel, y, index.y, [&](int row) {
            return filter_tap(source, {column, row});
        });
    }
    return filter(registers_, hori_filter_kernel, x, index.x, [&](int column) {
        return filter(registers_, verti_filter_kernel, y, index.y, [&](int row) {
            return filter_tap(source, {column, row});
        });
    });
}

/// Converts a filtered value to a source pixel. Color keys compare the value in the source format.
Sample Painter::filter_sample(const Source& source, uint32_t value) const {
    const uint32_t format = source.surface.format;
    // Coefficients whose sum is not one would make opaque formats translucent.
    if (bytes_per_pixel(format) != 0 && !has_alpha(format))
        value |= 0xff000000;
    Sample result;
    result.value = working_value(source, value);
    result.has_raw = format != format_index8 && bytes_per_pixel(format) != 0;
    if (result.has_raw) {
        const bool exchanged = is_yuv(format) && source.surface.chroma_exchanged;
        result.raw = pack(source.layout, exchanged ? exchange_chroma(value) : value);
    }
    return result;
}

} // namespace reference::vivante
