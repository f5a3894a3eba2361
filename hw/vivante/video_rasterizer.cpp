// SPDX-License-Identifier: GPL-2.0-or-later
//
// VR: the filter blits that a write of VR_CONFIG starts (rnndb state_2d.xml: VR_*, FILTER_KERNEL).
#include <cstring>

#include "draw_setup.hpp"
#include "offsets.hpp"

namespace pixmill::vivante {

using render::Filter;
using render::Rect;

namespace {

enum Start : uint32_t { horizontal_blit, vertical_blit, one_pass_blit };

Rect rect(const DrawStates& states, uint32_t low, uint32_t high) {
    return {low_half(states[low]), high_half(states[low]), low_half(states[high]),
            high_half(states[high])};
}

/// Coefficients are half-words, low one first.
Filter::Table kernel(const DrawStates& states, uint32_t address) {
    Filter::Table table;
    for (size_t i = 0; i < table.size(); i++)
        table[i] = int16_t(states[address + uint32_t(i / 2) * 4] >> 16 * (i & 1));
    return table;
}

/// The pixels that taps are clamped to; an empty box is the one at its top left.
Rect image(const DrawStates& states) {
    const Rect box = rect(states, DE_VR_SOURCE_IMAGE_LOW, DE_VR_SOURCE_IMAGE_HIGH);
    if (!box.empty())
        return box;
    states.host.guest_error(Cause::draw_filter, 0,
                            "filter blit of an empty source image, as one pixel");
    return {box.left, box.top, box.left + 1, box.top + 1};
}

Filter filter(const DrawStates& states, uint32_t start) {
    Filter f;
    f.horizontal = start != vertical_blit;
    f.vertical = start != horizontal_blit;
    f.origin_x = int32_t(states[DE_VR_SOURCE_ORIGIN_LOW]);
    f.origin_y = int32_t(states[DE_VR_SOURCE_ORIGIN_HIGH]);
    // Clients program the other direction's step to 0 or to 1.0: it is not looked at.
    if (f.horizontal)
        f.factor_x = states[DE_STRETCH_FACTOR_LOW];
    if (f.vertical)
        f.factor_y = states[DE_STRETCH_FACTOR_HIGH];
    const bool both = start == one_pass_blit;
    if (f.horizontal)
        f.horizontal_table = kernel(states, both ? DE_HORI_FILTER_KERNEL : DE_FILTER_KERNEL);
    if (f.vertical)
        f.vertical_table = kernel(states, both ? DE_VERTI_FILTER_KERNEL : DE_FILTER_KERNEL);
    f.image = image(states);
    return f;
}

} // namespace

bool decode_video_rasterizer(const DrawStates& states, DrawSetup& setup, Rect& window) {
    const uint32_t start = states[DE_VR_CONFIG] & 3;
    if (start > one_pass_blit) {
        states.host.guest_error(Cause::draw_filter, start, "VR_CONFIG.START %u, ignored", start);
        return false;
    }
    constexpr const char* names[] = {"HOR_FILTER_BLT", "VER_FILTER_BLT", "ONE_PASS_FILTER_BLT"};
    setup.primitive = names[start];
    setup.shape = Shape::window;
    setup.operation.stage_count = 1;
    setup.source[0] = {};
    if (!decode_destination(states, setup))
        return false;
    setup.clip = {0, 0, INT32_MAX, INT32_MAX}; // armada leaves the clip's states on a single pixel
    decode_stage(states, setup, 0);
    decode_brush(states, setup);
    pass_yuv_through(setup);
    window = rect(states, DE_VR_TARGET_WINDOW_LOW, DE_VR_TARGET_WINDOW_HIGH);
    render::Stage& stage = setup.operation.stages[0];
    render::Source& source = stage.source;
    stage.mask.reset(); // no stream comes with a kick
    const bool bits =
        source.kind == render::Source::Kind::mono || source.kind == render::Source::Kind::stream;
    if (bits) { // no pixels to filter
        source.kind = render::Source::Kind::none;
        stage.transparent_bit.reset();
    }
    if (source.kind == render::Source::Kind::index8) // a filtered colour is no index that is a key
        stage.source_key.reset();
    if (source.kind != render::Source::Kind::none) {
        source.filter = filter(states, start);
        source.filter->surface = place(setup.source[0].orientation);
    }
    return true;
}

} // namespace pixmill::vivante
