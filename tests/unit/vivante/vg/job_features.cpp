// The features of random jobs, with functions that detect and remove each feature.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "random_job.hpp"

#include <algorithm>

namespace pixmill::test {
namespace {

constexpr uint32_t one = 0x3F800000;

/* A field: bits `high` to `low` of a state. */
struct Field {
    uint32_t address;
    unsigned high, low;

    constexpr uint32_t mask() const { return ((2u << (high - low)) - 1) << low; }
};
constexpr Field primitive{0xA00, 1, 0}, scissor{0xA00, 4, 4}, blend{0xA00, 11, 8},
    image_mode{0xA00, 14, 12}, culling{0xA00, 15, 15}, transform{0xA00, 16, 16},
    mask{0xA00, 20, 20}, paint_type{0xA00, 25, 24}, not_multiplied{0xA00, 28, 28};
constexpr Field target_format{0xA10, 3, 0}, target_swizzle{0xA10, 5, 4}, as_stored{0xA10, 8, 8},
    divided{0xA10, 9, 9}, gamma_curve{0xA10, 13, 12}, first_row_up{0xA10, 16, 16},
    target_tiled{0xA12, 28, 28};
constexpr Field quality{0xA34, 1, 0}, even_odd{0xA34, 4, 4}, data_type{0xA34, 21, 20};

uint32_t state(const VgDraw& draw, uint32_t address) {
    const auto found = draw.states.find(address);
    return found == draw.states.end() ? 0 : found->second;
}
uint32_t get(const VgDraw& draw, Field field) {
    return (state(draw, field.address) & field.mask()) >> field.low;
}
void put(VgDraw& draw, Field field, uint32_t value) {
    uint32_t& word = draw.states[field.address];
    word = (word & ~field.mask()) | value << field.low;
}

bool is_path(const VgDraw& draw) {
    return get(draw, primitive) >= 2;
}
bool is_rectangle(const VgDraw& draw) {
    return !is_path(draw) && !draw.rectangles.empty();
}
bool is_called(const VgDraw& draw) {
    return draw.is_called;
}
void drop(VgDraw& draw) {
    draw.path.clear();
    draw.rectangles.clear();
}

/* True if the draw reads source @set, which is 0 for the paint and 1 for the image. */
bool uses_source(const VgDraw& draw, uint32_t set) {
    const uint32_t mode = get(draw, image_mode);
    return set ? mode != 0 : get(draw, paint_type) != 0 && (mode == 0 || mode == 2 || mode == 3);
}
/* Returns the field of source @set that corresponds to the paint's @field. */
Field of_set(Field field, uint32_t set) {
    field.address += set;
    return field;
}
constexpr Field source_format{0xA24, 3, 0}, source_swizzle{0xA24, 5, 4},
    fetched_as_stored{0xA24, 8, 8}, extended{0xA24, 11, 9}, tiling{0xA24, 13, 12},
    index_order{0xA24, 14, 14}, filter{0xA24, 17, 16}, not_divided{0xA24, 24, 24},
    source_tiled{0xA2A, 28, 28};

/* ---- Kinds of features, with functions that detect and remove them -------------------------- */

template<auto holds>
bool in_a_draw(const VgJob& job) {
    return std::any_of(job.draws.begin(), job.draws.end(), holds);
}
template<auto holds, auto change>
void change_draws(VgJob& job) {
    for (VgDraw& draw : job.draws)
        if (holds(draw))
            change(draw);
}

template<auto holds, auto change>
constexpr VgFeature of_draws(const char* name) {
    return {name, in_a_draw<holds>, change_draws<holds, change>};
}

/* Feature: a field has `value`. Removing the feature sets it to `otherwise`. */
template<Field field, uint32_t value>
bool is_set(const VgDraw& draw) {
    return get(draw, field) == value;
}
template<Field field, uint32_t value>
void set_to(VgDraw& draw) {
    put(draw, field, value);
}
template<Field field, uint32_t value, uint32_t otherwise>
constexpr VgFeature of_field(const char* name) {
    return of_draws<is_set<field, value>, set_to<field, otherwise>>(name);
}

/* Feature: a field has `value` in a draw of a path. */
template<Field field, uint32_t value>
bool is_set_of_path(const VgDraw& draw) {
    return is_path(draw) && get(draw, field) == value;
}
template<Field field, uint32_t value, uint32_t otherwise>
constexpr VgFeature of_paths(const char* name) {
    return of_draws<is_set_of_path<field, value>, set_to<field, otherwise>>(name);
}

/* Feature: a source that the draw reads has a property. */
template<auto has>
bool in_a_source(const VgDraw& draw) {
    return (uses_source(draw, 0) && has(draw, 0)) || (uses_source(draw, 1) && has(draw, 1));
}
template<auto has, auto change>
void change_sources(VgDraw& draw) {
    for (const uint32_t set : {0u, 1u})
        if (uses_source(draw, set) && has(draw, set))
            change(draw, set);
}
template<auto has, auto change>
constexpr VgFeature of_any_source(const char* name) {
    return of_draws<in_a_source<has>, change_sources<has, change>>(name);
}

template<Field field, uint32_t value>
bool source_is(const VgDraw& draw, uint32_t set) {
    return get(draw, of_set(field, set)) == value;
}
template<Field field, uint32_t value>
void set_source(VgDraw& draw, uint32_t set) {
    put(draw, of_set(field, set), value);
}
template<Field field, uint32_t value, uint32_t otherwise>
constexpr VgFeature of_sources(const char* name) {
    return of_any_source<source_is<field, value>, set_source<field, otherwise>>(name);
}

/* Feature: a source has this format. Removing the feature sets the format to BGRA8888. */
template<uint32_t format, uint32_t extension>
bool has_format(const VgDraw& draw, uint32_t set) {
    return get(draw, of_set(extended, set)) == extension &&
           (extension || get(draw, of_set(source_format, set)) == format);
}
void make_usual_format(VgDraw& draw, uint32_t set) {
    put(draw, of_set(extended, set), 0);
    put(draw, of_set(source_format, set), 7);
}
template<uint32_t format, uint32_t extension>
constexpr VgFeature of_format(const char* name) {
    return of_any_source<has_format<format, extension>, make_usual_format>(name);
}

/* Feature: a state of a source is nonzero. Removing the feature sets it to 0. */
template<uint32_t address>
bool has_state(const VgDraw& draw, uint32_t set) {
    return state(draw, address + set) != 0;
}
template<uint32_t address>
void clear_state(VgDraw& draw, uint32_t set) {
    draw.states[address + set] = 0;
}
template<uint32_t address>
constexpr VgFeature of_source_state(const char* name) {
    return of_any_source<has_state<address>, clear_state<address>>(name);
}

/* Feature: a path has such segments. They become `otherwise`, or are removed if it is left_out. */
constexpr uint8_t left_out = 10;
template<uint8_t first, uint8_t last>
bool is_one(const VgSegment& segment) {
    return segment.opcode >= first && segment.opcode <= last;
}
template<uint8_t first, uint8_t last>
bool has_one(const VgDraw& draw) {
    return std::any_of(draw.path.begin(), draw.path.end(), is_one<first, last>);
}
template<uint8_t first, uint8_t last, uint8_t otherwise>
void replace(VgDraw& draw) {
    if (otherwise == left_out)
        std::erase_if(draw.path, is_one<first, last>);
    for (VgSegment& segment : draw.path)
        if (is_one<first, last>(segment))
            segment.opcode = otherwise;
}
template<uint8_t first, uint8_t last, uint8_t otherwise>
constexpr VgFeature of_segments(const char* name) {
    return of_draws<has_one<first, last>, replace<first, last, otherwise>>(name);
}

bool has_relative(const VgDraw& draw) {
    return std::any_of(draw.path.begin(), draw.path.end(), [](const VgSegment& segment) {
        return segment.opcode > 2 && segment.opcode < 10 && segment.opcode & 1;
    });
}
void make_absolute(VgDraw& draw) {
    for (VgSegment& segment : draw.path)
        if (segment.opcode > 2 && segment.opcode < 10)
            segment.opcode &= static_cast<uint8_t>(~1u);
}

bool has_subpaths(const VgDraw& draw) {
    return std::count_if(draw.path.begin(), draw.path.end(),
                         [](const VgSegment& segment) { return (segment.opcode & ~1u) == 2; }) > 1;
}
void join_subpaths(VgDraw& draw) {
    for (size_t i = 1; i < draw.path.size(); i++)
        if ((draw.path[i].opcode & ~1u) == 2)
            draw.path[i].opcode += 2;
}

bool has_window(const VgDraw& draw) {
    return is_path(draw) && state(draw, 0xA3A) != 0x01000100;
}
void widen_window(VgDraw& draw) {
    draw.states[0xA39] = 0;
    draw.states[0xA3A] = 0x01000100;
}

bool has_matrix(const VgDraw& draw) {
    return is_path(draw) && (state(draw, 0xA41) | state(draw, 0xA43)) != 0;
}
void straighten(VgDraw& draw) {
    draw.states[0xA41] = draw.states[0xA43] = 0;
}

bool has_scale(const VgDraw& draw) {
    return is_path(draw) && (state(draw, 0xA3B) != one || state(draw, 0xA3C) != 0);
}
void unscale(VgDraw& draw) {
    draw.states[0xA3B] = one;
    draw.states[0xA3C] = 0;
}

bool has_perspective(const VgDraw& draw) {
    return get(draw, image_mode) && (state(draw, 0xA1E) | state(draw, 0xA22)) != 0;
}
void flatten(VgDraw& draw) {
    draw.states[0xA1E] = draw.states[0xA22] = 0;
}

bool has_key(const VgDraw& draw) {
    return ((state(draw, 0xA90) | state(draw, 0xA91) | state(draw, 0xA92) | state(draw, 0xA93)) >>
                24 &
            1) != 0;
}
void drop_keys(VgDraw& draw) {
    for (uint32_t key = 0xA90; key < 0xA94; key++)
        draw.states[key] = 0;
}

bool is_clipped(const VgDraw& draw) {
    return state(draw, 0xA13) != draw.full_size;
}
void unclip(VgDraw& draw) {
    draw.states[0xA13] = draw.full_size;
}

bool is_nowhere(const VgDraw& draw) {
    return state(draw, 0xA11) != draw.usual_target;
}
void bring_back(VgDraw& draw) {
    draw.states[0xA11] = draw.usual_target;
}

bool is_dithered(const VgDraw& draw) {
    return state(draw, 0xA5A) != 0xFFFFFFFF;
}
void undither(VgDraw& draw) {
    draw.states[0xA5A] = draw.states[0xA5B] = 0xFFFFFFFF;
}

bool is_wild(const VgDraw& draw) {
    return !draw.tame.empty();
}
void make_tame(VgDraw& draw) {
    for (const auto& [address, value] : draw.tame)
        draw.states[address] = value;
}

bool is_divided(const VgDraw& draw) {
    return !get(draw, as_stored) && get(draw, divided);
}
void do_not_divide(VgDraw& draw) {
    put(draw, divided, 0);
}

template<uint32_t type>
constexpr VgFeature of_data(const char* name) {
    return of_draws<is_set_of_path<data_type, type>, drop>(name);
}

const std::vector<VgFeature> features{
    of_draws<is_rectangle, drop>("rectangle"),
    of_draws<is_path, drop>("path"),
    of_data<0>("s8"),
    of_data<1>("s16"),
    of_data<2>("s32"),
    of_data<3>("fp32"),
    of_draws<has_relative, make_absolute>("relative"),
    of_segments<6, 7, 4>("quad"),
    of_segments<8, 9, 4>("cubic"),
    of_segments<1, 1, left_out>("close"),
    of_segments<10, 255, left_out>("bad_opcode"),
    of_draws<has_subpaths, join_subpaths>("subpaths"),
    of_paths<even_odd, 1, 0>("even_odd"),
    of_paths<quality, 1, 0>("medium"),
    of_paths<quality, 2, 0>("upper"),
    of_paths<quality, 3, 0>("high"),
    of_draws<has_window, widen_window>("window"),
    of_draws<has_matrix, straighten>("matrix"),
    of_draws<has_scale, unscale>("path_scale"),
    of_draws<is_clipped, unclip>("clip"),

    of_field<target_format, 0, 3>("target_a8"),
    of_field<target_format, 1, 3>("target_565"),
    of_field<target_format, 2, 3>("target_x888"),
    of_field<target_format, 4, 3>("target_4444"),
    of_field<target_format, 5, 3>("target_5551"),
    of_field<target_format, 6, 3>("target_l8"),
    of_field<target_format, 7, 3>("target_2222"),
    of_field<target_swizzle, 1, 0>("target_abgr"),
    of_field<target_swizzle, 2, 0>("target_rgba"),
    of_field<target_swizzle, 3, 0>("target_argb"),
    of_field<target_tiled, 1, 0>("target_tiled"),
    of_field<first_row_up, 0, 1>("bottom_up"),
    of_draws<is_nowhere, bring_back>("target_nowhere"),

    of_field<blend, 1, 0>("src_over"),
    of_field<blend, 2, 0>("dst_over"),
    of_field<blend, 3, 0>("src_in"),
    of_field<blend, 4, 0>("dst_in"),
    of_field<blend, 5, 0>("multiply"),
    of_field<blend, 6, 0>("screen"),
    of_field<blend, 7, 0>("darken"),
    of_field<blend, 8, 0>("lighten"),
    of_field<blend, 9, 0>("additive"),
    of_field<blend, 10, 0>("subtract"),
    of_field<not_multiplied, 0, 1>("source_multiplied"),
    of_field<as_stored, 0, 1>("target_multiplied"),
    of_draws<is_divided, do_not_divide>("target_divided"),

    of_field<image_mode, 1, 0>("normal_image"),
    of_field<image_mode, 2, 1>("multiply_image"),
    of_field<image_mode, 3, 1>("stencil_image"),
    of_field<image_mode, 4, 0>("filter_image"),
    of_format<0, 0>("source_l8"),
    of_format<1, 0>("source_a4"),
    of_format<2, 0>("source_a8"),
    of_format<3, 0>("source_4444"),
    of_format<4, 0>("source_5551"),
    of_format<5, 0>("source_565"),
    of_format<6, 0>("source_x888"),
    of_format<0, 1>("source_index1"),
    of_format<0, 2>("source_index2"),
    of_format<0, 3>("source_index4"),
    of_format<0, 4>("source_index8"),
    of_format<0, 5>("source_2222"),
    of_sources<source_swizzle, 1, 0>("source_abgr"),
    of_sources<source_swizzle, 2, 0>("source_rgba"),
    of_sources<source_swizzle, 3, 0>("source_argb"),
    of_sources<index_order, 1, 0>("index_order"),
    of_sources<source_tiled, 1, 0>("source_tiled"),
    of_sources<tiling, 1, 0>("pad"),
    of_sources<tiling, 2, 0>("repeat"),
    of_sources<tiling, 3, 0>("reflect"),
    of_source_state<0xA26>("fill_color"),
    of_source_state<0xA2C>("source_origin"),
    of_sources<filter, 1, 0>("linear_filter"),
    of_sources<filter, 2, 0>("bilinear_filter"),
    of_sources<fetched_as_stored, 0, 1>("texel_multiplied"),
    of_sources<not_divided, 0, 1>("texel_divided"),
    of_draws<has_perspective, flatten>("perspective"),
    of_field<culling, 1, 0>("border_culling"),

    of_field<paint_type, 1, 0>("linear_paint"),
    of_field<paint_type, 2, 0>("radial_paint"),
    of_field<paint_type, 3, 0>("pattern_paint"),

    of_field<transform, 1, 0>("color_transform"),
    of_field<mask, 1, 0>("mask"),
    of_field<scissor, 1, 0>("scissor_bitmap"),
    of_draws<has_key, drop_keys>("color_key"),
    of_draws<is_dithered, undither>("dither"),
    of_field<gamma_curve, 1, 0>("gamma_to_linear"),
    of_field<gamma_curve, 2, 0>("gamma_to_srgb"),
    of_draws<is_wild, make_tame>("wild_numbers"),

    {"event", [](const VgJob& job) { return job.has_event; },
     [](VgJob& job) { job.has_event = false; }},
    {"bad_ending", [](const VgJob& job) { return job.ending != VgEnding::end; },
     [](VgJob& job) { job.ending = VgEnding::end; }},
    {"call", in_a_draw<is_called>, nullptr},
    {"fetch", [](const VgJob& job) { return job.is_fetched; }, nullptr},
    {"padding", [](const VgJob& job) { return job.has_padding; }, nullptr},
    {"bursts", [](const VgJob& job) { return job.has_bursts; }, nullptr},
    {"gc255", [](const VgJob& job) { return job.chip == "gc255-rt595"; }, nullptr},
};

} // namespace

const std::vector<VgFeature>& vg_features() {
    return features;
}

} // namespace pixmill::test
