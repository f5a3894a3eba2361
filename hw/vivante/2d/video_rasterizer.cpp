// SPDX-License-Identifier: GPL-2.0-or-later
//
// Decodes filter blits, which a write to VR_CONFIG starts (rnndb state_2d.xml: VR_*,
// FILTER_KERNEL).
#include <cstring>

#include "draw_setup.hpp"

namespace pixmill::vivante {

using render::Filter;
using render::Rect;

namespace {

enum Start : uint32_t { horizontal_blit, vertical_blit, one_pass_blit };

Rect rect(const DrawStates& states, uint32_t low, uint32_t high) {
    return {low_half(states[low]), high_half(states[low]), low_half(states[high]),
            high_half(states[high])};
}

/// Loads a filter table. Each word has two coefficients, the first one in the low half.
Filter::Table kernel(const DrawStates& states, uint32_t address) {
    Filter::Table table;
    for (size_t i = 0; i < table.size(); i++)
        table[i] = half(states[address + uint32_t(i / 2) * 4], i & 1);
    return table;
}

/// Number of taps of the one-pass filter in each direction, from VR_CONFIG_EX, which only some
/// cores have.
struct TapCounts {
    uint32_t horizontal, vertical;
};
TapCounts tap_counts(const DrawStates& states) {
    if (!states.chip.filter_taps())
        return {0, 0};
    const uint32_t vertical = states[de::vr_config_ex::filter_tap];
    const bool own_horizontal = states[de::vr_config_ex::enable_horizontal_filter_tap];
    return {own_horizontal ? states[de::vr_config_ex::horizontal_filter_tap] : vertical, vertical};
}

/// Clears all but the middle `count` taps of each phase. If `count` is not 1, 3, 5 or 7, keeps all
/// nine.
void keep_middle(Filter::Table& table, uint32_t count) {
    const unsigned outer = (Filter::taps - count) / 2;
    if (count % 2 == 0 || count > Filter::taps)
        return;
    for (size_t i = 0; i < table.size(); i++)
        if (i % Filter::taps < outer || i % Filter::taps >= Filter::taps - outer)
            table[i] = 0;
}

/// True if a quirk prevents the core from converting between orders of packed YUV
/// (xf86-video-armada). Logs this once.
bool loses_yuv_order(const DrawStates& states) {
    const uint32_t from = source_format(states.chip, states[DE_SRC_CONFIG]);
    const uint32_t to = states[de::dest_config::format];
    const bool split = states.chip.yuv_conversion() && states[de::deyuv_conversion::enable];
    const bool changes =
        (from == format_yuy2 && to == format_uyvy) || (from == format_uyvy && to == format_yuy2);
    if (!states.chip.has_quirk(PIXMILL_VIVANTE_QUIRK_YUV_ORDER) || split || !changes)
        return false;
    states.host.guest_error(Cause::filter_yuv_order, 0,
                            "filter blit between UYVY and YUY2 writes zeros on this core");
    return true;
}

/// Returns the rectangle to which taps are clamped. An empty one is replaced by its top left pixel.
Rect image(const DrawStates& states) {
    const Rect box = rect(states, DE_VR_SOURCE_IMAGE_LOW, DE_VR_SOURCE_IMAGE_HIGH);
    if (!box.empty())
        return box;
    states.host.guest_error(Cause::filter_image, 0,
                            "filter blit of an empty source image, treated as one pixel");
    return {box.left, box.top, box.left + 1, box.top + 1};
}

Filter filter(const DrawStates& states, uint32_t start) {
    Filter f;
    f.horizontal = start != vertical_blit;
    f.vertical = start != horizontal_blit;
    f.origin_x = int32_t(states[DE_VR_SOURCE_ORIGIN_LOW]);
    f.origin_y = int32_t(states[DE_VR_SOURCE_ORIGIN_HIGH]);
    // Leave the step of an unfiltered direction at its default. Clients set it to 0 or 1.0.
    if (f.horizontal)
        f.factor_x = states[DE_STRETCH_FACTOR_LOW];
    if (f.vertical)
        f.factor_y = states[DE_STRETCH_FACTOR_HIGH];
    const bool both = start == one_pass_blit;
    if (f.horizontal)
        f.horizontal_table = kernel(states, both ? DE_HORI_FILTER_KERNEL : DE_FILTER_KERNEL);
    if (f.vertical)
        f.vertical_table = kernel(states, both ? DE_VERTI_FILTER_KERNEL : DE_FILTER_KERNEL);
    if (both) {
        const TapCounts counts = tap_counts(states);
        keep_middle(f.horizontal_table, counts.horizontal);
        keep_middle(f.vertical_table, counts.vertical);
    }
    f.image = image(states);
    return f;
}

} // namespace

bool decode_video_rasterizer(const DrawStates& states, DrawSetup& setup, Rect& window) {
    const uint32_t start = states[de::vr_config::start];
    if (start > one_pass_blit) {
        states.host.guest_error(Cause::filter_start, start, "VR_CONFIG.START %u, ignored", start);
        return false;
    }
    constexpr const char* names[] = {"HOR_FILTER_BLT", "VER_FILTER_BLT", "ONE_PASS_FILTER_BLT"};
    setup.primitive = names[start];
    setup.shape = Shape::window;
    setup.operation.stage_count = 1;
    setup.source[0] = {};
    if (!decode_destination(states, setup))
        return false;
    setup.clip = {0, 0, INT32_MAX, INT32_MAX}; // armada leaves one pixel in the clip states
    decode_stage(states, setup, 0);
    decode_brush(states, setup);
    pass_yuv_through(setup);
    window = rect(states, DE_VR_TARGET_WINDOW_LOW, DE_VR_TARGET_WINDOW_HIGH);
    render::Stage& stage = setup.operation.stages[0];
    render::Source& source = stage.source;
    stage.mask.reset(); // VR_CONFIG has no stream
    const bool bits =
        source.kind == render::Source::Kind::mono || source.kind == render::Source::Kind::stream;
    if (bits) { // bits cannot be filtered
        source.kind = render::Source::Kind::none;
        stage.transparent_bit.reset();
    }
    if (loses_yuv_order(states)) {
        source.kind = render::Source::Kind::none; // Y, U and V read as 0
        stage.source_key.reset();
    }
    if (source.kind == render::Source::Kind::index8) // a filtered color cannot match an index
        stage.source_key.reset();
    if (source.kind != render::Source::Kind::none) {
        source.filter = filter(states, start);
        source.filter->surface = place(setup.source[0].orientation);
    }
    return true;
}

} // namespace pixmill::vivante
