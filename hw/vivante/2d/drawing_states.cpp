// SPDX-License-Identifier: GPL-2.0-or-later
//
// Decodes a draw's primitive, and handles states that have an effect when written (rnndb
// state_2d.xml; etna_viv doc/2d.md).
#include <algorithm>
#include <cstring>

#include "engine_2d.hpp"
#include "fields.hpp"
#include "vivante/core.hpp"
#include "vivante/fe/commands.hpp"

namespace pixmill::vivante {

using render::Stretch;

namespace {

enum Command : uint32_t { clear = 0, line = 1, bit_blt = 2, stretch_blt = 4, multi_source_blt = 8 };

} // namespace

// ---- Writes ------------------------------------------------------------------

void Engine2d::write_state(uint32_t address, uint32_t value) {
    uint32_t& cell = s_.state[address / 4];
    const StateRow* known = find_de_state(address);
    cell = known ? known->merge(cell, value) : value;
    if (address == DE_VR_CONFIG && !(value & de::vr_config::start.field.protection()) &&
        core_.chip.pipe_2d())
        filter();
    if (address == DE_PATTERN_CONFIG)
        configure_brush(cell);
}

/// Handles PATTERN_CONFIG.INIT_TRIGGER: 0 and 1 change the configuration, 2 loads the brush with
/// the previous configuration, and 3 does both.
void Engine2d::configure_brush(uint32_t config) {
    constexpr uint32_t init_pattern = 2;
    const uint32_t trigger = de::pattern_config::init_trigger(config);
    if (trigger != init_pattern)
        s_.de_brush_config = config;
    if (trigger < init_pattern)
        return;
    s_.de_brush_low = state(DE_PATTERN_LOW);
    s_.de_brush_high = state(DE_PATTERN_HIGH);
    s_.de_brush_bg = state(DE_PATTERN_BG_COLOR);
    s_.de_brush_fg = state(DE_PATTERN_FG_COLOR);
    const uint32_t code = brush_format(core_.chip, s_.de_brush_config);
    const PixelFormat& format = pixel_format(core_.chip, code);
    const uint32_t bytes = code == format_index8 ? 1 : format.rgb ? format.rgb->bytes() : 0;
    if (de::pattern_config::type(s_.de_brush_config) && bytes)
        load_brush(bytes);
}

/// Loads 64 contiguous pixels at PATTERN_ADDRESS. Pixels that cannot be read are 0. On a fault, the
/// engine stalls as it does in a draw.
void Engine2d::load_brush(uint32_t bytes) {
    std::memset(s_.de_brush_pixel, 0, sizeof s_.de_brush_pixel);
    const Mmu mmu = core_.mmu(Client::pe);
    memory_.begin(mmu);
    const uint32_t base = state(DE_PATTERN_ADDRESS),
                   swap = swap_of(de::pattern_config::endian_control(s_.de_brush_config));
    bool faulted = false;
    for (uint32_t i = 0; i < 64 * bytes && !faulted; i++) {
        const HostSpan span = memory_.map((base + i) ^ swap, 1, Access::read);
        if (span.mapping == Mapping::host)
            s_.de_brush_pixel[i / bytes] |= uint32_t(*span.host) << 8 * (i % bytes);
        faulted = span.mapping == Mapping::fault;
    }
    core_.raise(Client::pe, memory_.take_errors(), faulted);
    if (!faulted)
        return;
    s_.de_draw_rects = s_.de_draw_index = s_.de_draw_row = s_.de_draw_column = 0;
    s_.de_draw_active = 1;
    core_.freeze(Client::pe);
}

// ---- Decoding ----------------------------------------------------------------

bool Engine2d::decode(DrawSetup& setup) {
    const DrawStates states{s_, core_.chip, core_.host};
    setup.shape = Shape::rectangles;
    setup.stream = false;
    setup.bytes_per_pixel = 1;
    setup.operation.line.reset();
    if (!gl::pipe_select::pipe(state(GL_PIPE_SELECT))) {
        core_.host.guest_error(Cause::draw_2d_in_3d, 0, "2D draw while PIPE_SELECT is 3D, ignored");
        return false;
    }
    if (s_.de_draw_filter) {
        render::Rect window;
        if (!decode_video_rasterizer(states, setup, window))
            return false;
        s_.de_draw_rect[0] = states[DE_VR_TARGET_WINDOW_LOW];
        s_.de_draw_rect[1] = states[DE_VR_TARGET_WINDOW_HIGH];
        return true;
    }
    setup.operation.stage_count = 1;
    const uint32_t command = states[de::dest_config::command];
    switch (command) {
    case clear:
        return decode_destination(states, setup) && decode_clear(states, setup);
    case line:
        setup.primitive = "LINE";
        setup.shape = Shape::lines;
        return decode_blit(states, setup, Stretch::none);
    case bit_blt:
        setup.primitive = "BIT_BLT";
        return decode_blit(states, setup, Stretch::none);
    case stretch_blt:
        setup.primitive = "STRETCH_BLT";
        return decode_blit(states, setup,
                           states[de::dest_config::gdi_stre] ? Stretch::gdi : Stretch::nearest);
    case multi_source_blt:
        return decode_multi_source(states, setup);
    default: // 3 is internal, VR_CONFIG starts 5 to 7, and others are undefined
        core_.host.guest_error(Cause::draw_command, command, "DRAW_2D with COMMAND %u, ignored",
                               command);
        return false;
    }
}

bool Engine2d::decode_blit(const DrawStates& states, DrawSetup& setup, Stretch stretch) {
    SourceSetup& place = setup.source[0];
    place = {};
    place.x.stretch = place.y.stretch = stretch;
    place.x.size = states[de::src_size::x];
    place.y.size = states[de::src_size::y];
    if (!decode_destination(states, setup))
        return false;
    decode_stage(states, setup, 0);
    const render::Stage& stage = setup.operation.stages[0];
    if (render::needs_pattern(stage) || stage.pattern_mask)
        decode_brush(states, setup);
    pass_yuv_through(setup);
    return true;
}

/// Composes sources on top of each other. Each source is read at the coordinates of the destination
/// plus the source's origin (gcbv in BLTsville adjusts the sources' addresses to match).
bool Engine2d::decode_multi_source(const DrawStates& states, DrawSetup& setup) {
    setup.primitive = "MULTI_SOURCE_BLT";
    const bool v1 = states[de::walker_config::disable_multi_src_v2];
    if (core_.chip.multi_source_ex2() && !v1) {
        core_.host.unimplemented(Cause::draw_source_rectangles, 0,
                                 "2D: MULTI_SOURCE_BLT with a rectangle for each source "
                                 "(WALKER_CONFIG)");
        return false;
    }
    const uint32_t sources = states[de::multi_source::max_source] + 1;
    if (sources > states.max_sources())
        core_.host.guest_error(Cause::draw_sources, sources, "%u sources, the core has %u", sources,
                               states.max_sources());
    const uint32_t used = std::min(sources, states.max_sources());
    // Every pixel must be written, even with a single source, so use at least two stages.
    setup.operation.stage_count = std::max(used, 2u);
    reset_stage(setup.operation.stages[1]);
    setup.operation.stages[1].rop = render::keep_destination;
    if (!decode_destination(states, setup))
        return false;
    for (unsigned n = 0; n < used; n++) {
        setup.source[n] = {};
        decode_stage(states, setup, n);
        setup.source[n].relative = true;
    }
    setup.stream = false;
    decode_brush(states, setup);
    return true;
}

/// Decodes a CLEAR. It ignores ROP, pattern, source and transparency, but not blending: viv2d and
/// weston draw translucent colors with CLEAR.
bool Engine2d::decode_clear(const DrawStates& states, DrawSetup& setup) {
    setup.primitive = "CLEAR";
    render::Stage& stage = setup.operation.stages[0];
    reset_stage(stage);
    stage.rop = render::copy_pattern;
    render::Pattern& pattern = setup.operation.pattern;
    pattern.solid = true;
    pattern.packed = false;
    pattern.mask = ~uint64_t(0);
    pattern.color[0] = states[DE_CLEAR_PIXEL_VALUE32];
    if (!core_.chip.pe20())
        return decode_byte_clear(states, setup);
    decode_blend(states, setup, 0);
    stage.blend_pattern = stage.blend.has_value();
    return true;
}

/// Decodes a CLEAR of PE 1.0, which repeats eight bytes in memory. Each byte has a write enable.
bool Engine2d::decode_byte_clear(const DrawStates& states, DrawSetup& setup) {
    render::Operation& op = setup.operation;
    render::SurfaceDesc& d = op.destination;
    const uint32_t enabled = states[de::clear_byte_mask::value];
    const uint64_t value =
        uint64_t(states[DE_CLEAR_PIXEL_VALUE_HIGH]) << 32 | states[DE_CLEAR_PIXEL_VALUE_LOW];
    op.dither.enabled = false;
    if (op.planar || d.tiling != render::Tiling::linear || d.swap) {
        core_.host.unimplemented(Cause::draw_clear, 0,
                                 "2D: CLEAR of PE 1.0 on this kind of surface");
        return false;
    }
    // Draw each byte as a pixel: byte (x, y) is at base + y * stride + x.
    setup.bytes_per_pixel = d.format.bytes();
    d.format = render::plain_format(1, "bytes");
    d.format.blue = {0, 8};
    op.stages[0].pattern_mask = true;
    op.pattern.solid = false;
    op.pattern.packed = true;
    op.pattern.mask = 0;
    for (uint32_t y = 0; y < 8; y++)
        for (uint32_t x = 0; x < 8; x++) {
            const uint32_t at = (uint32_t(d.base) + y * d.stride + x) & 7;
            op.pattern.color[8 * y + x] = uint32_t(value >> 8 * at & 0xFF);
            op.pattern.mask |= uint64_t(enabled >> at & 1) << (8 * y + x);
        }
    return true;
}

} // namespace pixmill::vivante
