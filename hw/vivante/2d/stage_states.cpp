// SPDX-License-Identifier: GPL-2.0-or-later
//
// Decodes pixel operations: transparency, color keys, and the operands in use (rnndb state_2d.xml:
// PE_TRANSPARENCY, SRC_CONFIG.TRANSPARENCY, *_COLOR_KEY*).
#include "draw_setup.hpp"

namespace pixmill::vivante {

using render::ColorKey;
using render::Format;
using render::Rop3;
using render::Source;
using render::Stage;

namespace {

/// Values of PE_TRANSPARENCY.USE_*_OVERRIDE.
enum Override : uint32_t { by_rop, force_use, force_no_use };

struct Transparency {
    uint32_t source = 0, pattern = 0, destination = 0;
    uint32_t use_source = 0, use_pattern = 0, use_destination = 0;
    bool dfb_color_key = false;
};
enum Mode : uint32_t { opaque, mask, key };

Transparency transparency(const DrawStates& states, unsigned n) {
    return {.source = states.source(n, de::pe_transparency::source),
            .pattern = states.source(n, de::pe_transparency::pattern),
            .destination = states.source(n, de::pe_transparency::destination),
            .use_source = states.source(n, de::pe_transparency::use_src_override),
            .use_pattern = states.source(n, de::pe_transparency::use_pat_override),
            .use_destination = states.source(n, de::pe_transparency::use_dst_override),
            .dfb_color_key = bool(states.source(n, de::pe_transparency::dfb_color_key))};
}

bool is_mono(const Source& source) {
    return source.kind == Source::Kind::mono || source.kind == Source::Kind::stream;
}

/// Y, U and V in the order of render::yuv_pixel().
constexpr Format yuv_format{"", 32, {}, {16, 8}, {8, 8}, {0, 8}, {}};

/// Returns the fields of a source's raw pixels that are compared with a color key.
Format key_format(const Source& source) {
    switch (source.kind) {
    case Source::Kind::index8:
        return {"", 8, {}, {}, {}, {0, 8}, {}};
    case Source::Kind::yuv:
        return yuv_format;
    default:
        return source.surface[0].format;
    }
}

/// Returns a color key in the format of its surface. U and V are compared as stored in memory,
/// regardless of UV_SWIZZLE.
uint32_t key_word(uint32_t word, bool uv_swapped) {
    return uv_swapped ? (word & 0xFFFF0000) | (word & 0xFF) << 8 | (word >> 8 & 0xFF) : word;
}

uint32_t source_key_word(const DrawStates& states, const Source& source, unsigned n,
                         uint32_t address) {
    const bool swapped =
        source.kind == Source::Kind::yuv && states.source(n, de::pe_control::uv_swizzle);
    return key_word(states.source(n, address), swapped);
}

uint32_t destination_key_word(const DrawStates& states, const render::Operation& op,
                              uint32_t address) {
    const bool swapped =
        op.to_yuv() && states.chip.dest_config_ex() && states[de::dest_config_ex::uv_swizzle];
    return key_word(states[address], swapped);
}

uint8_t transparent_bit(const DrawStates& states, unsigned n) {
    return uint8_t(states.source(n, de::src_config::mono_transparency));
}

bool from_stream(const DrawStates& states, unsigned n) {
    return states.source(n, de::src_config::location);
}

void pe20_transparency(const DrawStates& states, DrawSetup& setup, unsigned n,
                       const Transparency& t) {
    Stage& stage = setup.operation.stages[n];
    const bool usable = t.use_source != force_no_use;
    const bool bits = stage.source.kind == Source::Kind::stream || usable;
    if (is_mono(stage.source) && bits && (t.source == mask || t.source == key))
        stage.transparent_bit = transparent_bit(states, n);
    else if (t.source == key && usable && stage.source.kind != Source::Kind::none)
        stage.source_key = ColorKey(
            key_format(stage.source), source_key_word(states, stage.source, n, DE_SRC_COLOR_BG),
            source_key_word(states, stage.source, n, DE_SRC_COLOR_KEY_HIGH));
    if (t.source == mask && !is_mono(stage.source) && from_stream(states, n) && n == 0)
        stage.mask.emplace();
    stage.pattern_mask = t.pattern == mask;
    const render::Operation& op = setup.operation;
    if (t.destination == key && t.use_destination != force_no_use)
        stage.destination_key = ColorKey(op.to_yuv() ? yuv_format : op.destination.format,
                                         destination_key_word(states, op, DE_DEST_COLOR_KEY),
                                         destination_key_word(states, op, DE_DEST_COLOR_KEY_HIGH));
}

/// Decodes SRC_CONFIG.TRANSPARENCY.
void pe10_transparency(const DrawStates& states, DrawSetup& setup, unsigned n) {
    enum : uint32_t { by_pattern, transparent, masked_mask, masked_pattern };
    Stage& stage = setup.operation.stages[n];
    const Source& source = stage.source;
    const uint32_t mode = states.source(n, de::src_config::transparency);
    if (mode == by_pattern || mode == masked_pattern)
        stage.pattern_mask = true;
    if (mode == masked_mask && source.kind == Source::Kind::stream)
        stage.transparent_bit = 0;
    else if (mode == masked_mask && from_stream(states, n))
        stage.mask.emplace();
    if (mode != transparent)
        return;
    if (is_mono(source)) {
        stage.transparent_bit = transparent_bit(states, n);
    } else if (source.kind != Source::Kind::none) {
        // Compare the whole word, including the unused X bits.
        const uint32_t bits = source.kind == Source::Kind::yuv ? 24 : key_format(source).bits;
        const uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
        const uint32_t value = source_key_word(states, source, n, DE_SRC_COLOR_BG) & mask;
        stage.source_key.emplace().fields[0] = {mask, value, value};
    }
}

} // namespace

/// Resets members one by one, because `stage = {}` would copy the filter tables.
void reset_stage(Stage& stage) {
    stage.source.kind = Source::Kind::none;
    stage.source.bits = {};
    stage.source.filter.reset();
    stage.source_key.reset();
    stage.destination_key.reset();
    stage.mask.reset();
    stage.transparent_bit.reset();
    stage.transparent_rop.reset();
    stage.blend.reset();
    stage.pattern_mask = stage.blend_pattern = stage.source_forced = stage.destination_zero = false;
}

void pass_yuv_through(DrawSetup& setup) {
    render::Operation& op = setup.operation;
    const Stage& stage = op.stages[0];
    // A source that the ROP codes use counts as used, even if overrides of other operands remove it
    // from the result.
    const bool used = stage.source_forced || render::needs_source(stage);
    if (!op.to_yuv() || op.stage_count > 1 || stage.source.kind != Source::Kind::yuv || !used)
        return;
    op.planar->convert = false;
    for (uint32_t& color : op.pattern.color)
        color = render::convert(op.planar->matrix, color);
}

void decode_stage(const DrawStates& states, DrawSetup& setup, unsigned n) {
    Stage& stage = setup.operation.stages[n];
    reset_stage(stage);
    const bool pe20 = states.chip.pe20();
    const Transparency t = pe20 ? transparency(states, n) : Transparency{};
    RopCodes rop = decode_rop(states, setup, n);
    const auto used_by = [&](uint32_t override, bool (*uses)(Rop3)) {
        return override == force_use ||
               (override != force_no_use &&
                (uses(rop.foreground) || (rop.is_rop4 && uses(rop.background))));
    };
    const bool pattern = used_by(t.use_pattern, render::uses_pattern);
    const bool source = used_by(t.use_source, render::uses_source);
    for (Rop3* code : {&rop.foreground, &rop.background}) {
        if (t.use_source == force_no_use)
            *code = render::without(*code, 2);
        if (t.use_pattern == force_no_use)
            *code = render::without(*code, 4);
        if (t.use_destination == force_no_use)
            *code = render::without(*code, 1);
    }
    decode_blend(states, setup, n);
    // Decode the source of a stream even if it is unused, because the stream contains its bits.
    if (t.use_source != force_no_use || from_stream(states, n))
        decode_source(states, setup, n);
    if (pe20)
        pe20_transparency(states, setup, n, t);
    else
        pe10_transparency(states, setup, n);

    stage.rop = rop.foreground;
    // With a color key, the source is an operand even if the ROP codes do not use it.
    const bool keyed = t.source == key && t.use_source != force_no_use;
    const bool used = source || keyed || stage.source_key;
    stage.source_forced = used;
    stage.destination_zero = t.use_destination == force_no_use;
    if (stage.blend && !used) { // blend the brush if the ROP uses it, else nothing
        stage.blend_pattern = pattern;
        if (!pattern && !stage.transparent_bit)
            stage.source.kind = Source::Kind::none;
        setup.mono[n] = {}; // the source's bits may still select transparent pixels
    }
    // If both bits have the same color, do not read memory, because line drawing leaves the address
    // undefined (etna_viv attic/test2d/line2d.c). A stream without words reads as 0.
    if (stage.source.kind == Source::Kind::mono && !stage.transparent_bit &&
        setup.mono[n][0] == setup.mono[n][1])
        stage.source.kind = Source::Kind::stream;
    if (rop.is_rop4 && !stage.blend && !t.dfb_color_key &&
        rop.background != render::keep_destination)
        stage.transparent_rop = rop.background;
}

} // namespace pixmill::vivante
