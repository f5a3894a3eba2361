// States of the 2D engine and their fields. Masks, masked writes, decoders and the page in
// docs/hardware/registers are derived from these definitions.
//
// Sources of names: rnndb state_2d.xml; for names that it lacks, gcreg.h of the Vivante 2D HAL and,
// for the newest cores, nano2D. Source of the writable bits: gcreg.h.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "states.hpp"
#include "vivante/offsets.hpp"

namespace pixmill::vivante {

/// A field of the 2D state at `address`.
struct DeField {
    Field field; // must be first: clang 14 miscompiles constants after padding in a struct
    uint32_t address;

    constexpr uint32_t operator()(uint32_t word) const { return field(word); }
};

/// Defines the fields of the state at `address`.
struct FieldsOf {
    uint32_t address;

    consteval DeField operator()(Field field) const { return {field, address}; }
};

namespace de {

/// Fields that several states have.
namespace common {
constexpr Field x{"X", 15, 0}, y{"Y", 31, 16};
constexpr Field clip_x{"X", 14, 0}, clip_y{"Y", 30, 16};
constexpr Field left{"LEFT", 15, 0}, top{"TOP", 31, 16};
constexpr Field right{"RIGHT", 15, 0}, bottom{"BOTTOM", 31, 16};
constexpr Field width{"WIDTH", 15, 0}, height{"HEIGHT", 31, 16};
constexpr Field address{"ADDRESS", 31, 2}, stride{"STRIDE", 17, 2};
constexpr Field rotation{"ROTATION", 16};
constexpr Field alpha{"ALPHA", 31, 24}, red{"RED", 23, 16}, green{"GREEN", 15, 8};
constexpr Field blue{"BLUE", 7, 0};
constexpr Field coefficient{"COEFFICIENT", 24, 0}, stride_width{"STRIDE_WIDTH", 16, 0};
} // namespace common

// Fields that are decoded, with a namespace for each state. Other fields appear only in the rows
// below.

namespace src_rotation_config {
inline constexpr FieldsOf of{DE_SRC_ROTATION_CONFIG};
inline constexpr DeField width = of(common::width);
inline constexpr DeField rotation = of(common::rotation);
} // namespace src_rotation_config

namespace src_config {
inline constexpr FieldsOf of{DE_SRC_CONFIG};
inline constexpr DeField pe10_source_format = of({"PE10_SOURCE_FORMAT", 3, 0});
inline constexpr DeField transparency = of({"TRANSPARENCY", 5, 4});
inline constexpr DeField src_relative = of({"SRC_RELATIVE", 6});
inline constexpr DeField tiled = of({"TILED", 7});
inline constexpr DeField location = of({"LOCATION", 8});
inline constexpr DeField tile_mode = of({"TILE_MODE", 10, 9});
inline constexpr DeField pack = of({"PACK", 13, 12});
inline constexpr DeField endian_control_ex = of({"ENDIAN_CONTROL_EX", 14});
inline constexpr DeField mono_transparency = of({"MONO_TRANSPARENCY", 15});
inline constexpr DeField color_convert = of({"COLOR_CONVERT", 16});
inline constexpr DeField swizzle = of({"SWIZZLE", 21, 20});
inline constexpr DeField de_gamma = of({"DE_GAMMA", 23});
inline constexpr DeField source_format = of({"SOURCE_FORMAT", 28, 24});
inline constexpr DeField endian_control = of({"ENDIAN_CONTROL", 31, 30});
} // namespace src_config

namespace src_size {
inline constexpr FieldsOf of{DE_SRC_SIZE};
inline constexpr DeField x = of(common::x);
inline constexpr DeField y = of(common::y);
} // namespace src_size

namespace dest_rotation_config {
inline constexpr FieldsOf of{DE_DEST_ROTATION_CONFIG};
inline constexpr DeField width = of(common::width);
inline constexpr DeField rotation = of(common::rotation);
} // namespace dest_rotation_config

namespace dest_config {
inline constexpr FieldsOf of{DE_DEST_CONFIG};
inline constexpr DeField format = of({"FORMAT", 4, 0});
inline constexpr DeField tiled = of({"TILED", 8});
inline constexpr DeField tile_mode = of({"TILE_MODE", 10, 9});
inline constexpr DeField gamma = of({"GAMMA", 11});
inline constexpr DeField command = of({"COMMAND", 15, 12});
inline constexpr DeField swizzle = of({"SWIZZLE", 17, 16});
inline constexpr DeField endian_control_ex = of({"ENDIAN_CONTROL_EX", 19});
inline constexpr DeField endian_control = of({"ENDIAN_CONTROL", 21, 20});
inline constexpr DeField gdi_stre = of({"GDI_STRE", 24});
inline constexpr DeField minor_tiled = of({"MINOR_TILED", 26});
} // namespace dest_config

namespace pattern_config {
inline constexpr FieldsOf of{DE_PATTERN_CONFIG};
inline constexpr DeField format = of({"FORMAT", 3, 0});
inline constexpr DeField type = of({"TYPE", 4});
inline constexpr DeField color_convert = of({"COLOR_CONVERT", 5});
inline constexpr DeField init_trigger = of({"INIT_TRIGGER", 7, 6});
inline constexpr DeField swizzle = of({"SWIZZLE", 9, 8});
inline constexpr DeField origin_x = of({"ORIGIN_X", 18, 16});
inline constexpr DeField origin_y = of({"ORIGIN_Y", 22, 20});
inline constexpr DeField pattern_format = of({"PATTERN_FORMAT", 28, 24});
inline constexpr DeField endian_control = of({"ENDIAN_CONTROL", 31, 30});
} // namespace pattern_config

namespace rop {
inline constexpr FieldsOf of{DE_ROP};
inline constexpr DeField rop_fg = of({"ROP_FG", 7, 0});
inline constexpr DeField rop_bg = of({"ROP_BG", 15, 8});
inline constexpr DeField type = of({"TYPE", 21, 20});
} // namespace rop

namespace clear_byte_mask {
inline constexpr FieldsOf of{DE_CLEAR_BYTE_MASK};
inline constexpr DeField value = of({"VALUE", 7, 0});
} // namespace clear_byte_mask

namespace config {
inline constexpr FieldsOf of{DE_CONFIG};
inline constexpr DeField mirror_blt_enable = of({"MIRROR_BLT_ENABLE", 0});
inline constexpr DeField mirror_blt_mode = of({"MIRROR_BLT_MODE", 5, 4});
} // namespace config

namespace alpha_control {
inline constexpr FieldsOf of{DE_ALPHA_CONTROL};
inline constexpr DeField enable = of({"ENABLE", 0});
inline constexpr DeField pe10_global_src_alpha = of({"PE10_GLOBAL_SRC_ALPHA", 23, 16});
inline constexpr DeField pe10_global_dst_alpha = of({"PE10_GLOBAL_DST_ALPHA", 31, 24});
} // namespace alpha_control

namespace alpha_modes {
inline constexpr FieldsOf of{DE_ALPHA_MODES};
inline constexpr DeField src_alpha_mode = of({"SRC_ALPHA_MODE", 0});
inline constexpr DeField dst_alpha_mode = of({"DST_ALPHA_MODE", 4});
inline constexpr DeField global_src_alpha_mode = of({"GLOBAL_SRC_ALPHA_MODE", 9, 8});
inline constexpr DeField global_dst_alpha_mode = of({"GLOBAL_DST_ALPHA_MODE", 13, 12});
inline constexpr DeField pe10_src_color_multiply = of({"PE10_SRC_COLOR_MULTIPLY", 16});
inline constexpr DeField pe10_dst_color_multiply = of({"PE10_DST_COLOR_MULTIPLY", 20});
inline constexpr DeField src_blending_mode = of({"SRC_BLENDING_MODE", 26, 24});
inline constexpr DeField src_alpha_factor = of({"SRC_ALPHA_FACTOR", 27});
inline constexpr DeField dst_blending_mode = of({"DST_BLENDING_MODE", 30, 28});
inline constexpr DeField dst_alpha_factor = of({"DST_ALPHA_FACTOR", 31});
} // namespace alpha_modes

namespace vr_config {
inline constexpr FieldsOf of{DE_VR_CONFIG};
inline constexpr DeField start = of({"START", 1, 0, 3});
} // namespace vr_config

namespace rot_angle {
inline constexpr FieldsOf of{DE_ROT_ANGLE};
inline constexpr DeField src = of({"SRC", 2, 0, 8});
inline constexpr DeField dst = of({"DST", 5, 3, 9});
inline constexpr DeField src_mirror = of({"SRC_MIRROR", 13, 12, 15});
inline constexpr DeField dst_mirror = of({"DST_MIRROR", 17, 16, 19});
inline constexpr DeField src_flip = of({"SRC_FLIP", 21, 20, 22});
inline constexpr DeField dst_flip = of({"DST_FLIP", 24, 23, 25});
} // namespace rot_angle

namespace global_src_color {
inline constexpr FieldsOf of{DE_GLOBAL_SRC_COLOR};
inline constexpr DeField alpha = of(common::alpha);
} // namespace global_src_color

namespace color_multiply_modes {
inline constexpr FieldsOf of{DE_COLOR_MULTIPLY_MODES};
inline constexpr DeField src_premultiply = of({"SRC_PREMULTIPLY", 0});
inline constexpr DeField dst_premultiply = of({"DST_PREMULTIPLY", 4});
inline constexpr DeField src_global_premultiply = of({"SRC_GLOBAL_PREMULTIPLY", 9, 8});
inline constexpr DeField dst_demultiply = of({"DST_DEMULTIPLY", 20});
inline constexpr DeField dst_demultiply_zero = of({"DST_DEMULTIPLY_ZERO", 21});
} // namespace color_multiply_modes

namespace pe_transparency {
inline constexpr FieldsOf of{DE_PE_TRANSPARENCY};
inline constexpr DeField source = of({"SOURCE", 1, 0, 12});
inline constexpr DeField pattern = of({"PATTERN", 5, 4, 12});
inline constexpr DeField destination = of({"DESTINATION", 9, 8, 12});
inline constexpr DeField use_src_override = of({"USE_SRC_OVERRIDE", 17, 16, 28});
inline constexpr DeField use_pat_override = of({"USE_PAT_OVERRIDE", 21, 20, 28});
inline constexpr DeField use_dst_override = of({"USE_DST_OVERRIDE", 25, 24, 28});
inline constexpr DeField dfb_color_key = of({"DFB_COLOR_KEY", 29, 29, 31});
} // namespace pe_transparency

namespace pe_control {
inline constexpr FieldsOf of{DE_PE_CONTROL};
inline constexpr DeField yuv = of({"YUV", 1, 0, 3});
inline constexpr DeField uv_swizzle = of({"UV_SWIZZLE", 4, 4, 7});
inline constexpr DeField yuv_clamp = of({"YUV_CLAMP", 12, 12, 15});
inline constexpr DeField gray_yuvrgb = of({"GRAY_YUVRGB", 16, 16, 19});
} // namespace pe_control

namespace vr_config_ex {
inline constexpr FieldsOf of{DE_VR_CONFIG_EX};
inline constexpr DeField filter_tap = of({"FILTER_TAP", 7, 4, 8});
inline constexpr DeField enable_horizontal_filter_tap =
    of({"ENABLE_HORIZONTAL_FILTER_TAP", 13, 13, 14});
inline constexpr DeField horizontal_filter_tap = of({"HORIZONTAL_FILTER_TAP", 18, 15, 19});
} // namespace vr_config_ex

namespace src_ex_config {
inline constexpr FieldsOf of{DE_SRC_EX_CONFIG};
inline constexpr DeField multi_tiled = of({"MULTI_TILED", 0});
inline constexpr DeField super_tiled = of({"SUPER_TILED", 3});
inline constexpr DeField minor_tiled = of({"MINOR_TILED", 8});
inline constexpr DeField dc_compression = of({"DC_COMPRESSION", 13, 13, 14});
} // namespace src_ex_config

namespace multi_source {
inline constexpr FieldsOf of{DE_MULTI_SOURCE};
inline constexpr DeField max_source = of({"MAX_SOURCE", 2, 0});
} // namespace multi_source

namespace deyuv_conversion {
inline constexpr FieldsOf of{DE_DEYUV_CONVERSION};
inline constexpr DeField enable = of({"ENABLE", 1, 0});
inline constexpr DeField plane1_count = of({"PLANE1_COUNT", 3, 2});
inline constexpr DeField plane2_count = of({"PLANE2_COUNT", 5, 4});
inline constexpr DeField plane3_count = of({"PLANE3_COUNT", 7, 6});
inline constexpr DeField plane1_swizzle_b = of({"PLANE1_SWIZZLE_B", 9, 8});
inline constexpr DeField plane1_swizzle_g = of({"PLANE1_SWIZZLE_G", 11, 10});
inline constexpr DeField plane1_swizzle_r = of({"PLANE1_SWIZZLE_R", 13, 12});
inline constexpr DeField plane1_swizzle_a = of({"PLANE1_SWIZZLE_A", 15, 14});
inline constexpr DeField plane2_swizzle_b = of({"PLANE2_SWIZZLE_B", 17, 16});
inline constexpr DeField plane2_swizzle_g = of({"PLANE2_SWIZZLE_G", 19, 18});
inline constexpr DeField plane2_swizzle_r = of({"PLANE2_SWIZZLE_R", 21, 20});
inline constexpr DeField plane2_swizzle_a = of({"PLANE2_SWIZZLE_A", 23, 22});
inline constexpr DeField plane3_swizzle_b = of({"PLANE3_SWIZZLE_B", 25, 24});
inline constexpr DeField plane3_swizzle_g = of({"PLANE3_SWIZZLE_G", 27, 26});
inline constexpr DeField plane3_swizzle_r = of({"PLANE3_SWIZZLE_R", 29, 28});
inline constexpr DeField plane3_swizzle_a = of({"PLANE3_SWIZZLE_A", 31, 30});
} // namespace deyuv_conversion

namespace general_config {
inline constexpr FieldsOf of{DE_GENERAL_CONFIG};
inline constexpr DeField supertile_version = of({"SUPERTILE_VERSION", 1, 0, 3});
} // namespace general_config

namespace dest_config_ex {
inline constexpr FieldsOf of{DE_DEST_CONFIG_EX};
inline constexpr DeField yuv = of({"YUV", 1, 0, 3});
inline constexpr DeField uv_swizzle = of({"UV_SWIZZLE", 4, 4, 7});
inline constexpr DeField dc_compression = of({"DC_COMPRESSION", 16, 16, 17});
inline constexpr DeField conversion_config = of({"CONVERSION_CONFIG", 25, 24});
inline constexpr DeField normalization = of({"NORMALIZATION", 28});
} // namespace dest_config_ex

namespace walker_config {
inline constexpr FieldsOf of{DE_WALKER_CONFIG};
inline constexpr DeField disable_multi_src_v2 = of({"DISABLE_MULTI_SRC_V2", 0, 0, 1});
} // namespace walker_config

namespace table {

using namespace common;

/// Returns `field` for the row of the state at `address`. Compilation fails if the field belongs to
/// a different state.
consteval Field in_row(uint32_t address, const DeField& field) {
    if (field.address != address)
        throw "a field of another state";
    return field.field;
}
consteval Field in_row(uint32_t, const Field& field) {
    return field;
}

/// Returns a state's row with its reset value and all of its fields.
template<uint32_t reset = 0, class... Fields>
consteval StateRow row(uint32_t address, const char* name, const Fields&... fields) {
    return {address, name, {in_row(address, fields)...}, reset};
}

constexpr uint32_t ones = 0xFFFFFFFF;

// clang-format off
inline constexpr StateRow rows[] = {
    row(DE_SRC_ADDRESS, "SRC_ADDRESS", address),
    row(DE_SRC_STRIDE, "SRC_STRIDE", stride),
    row(DE_SRC_ROTATION_CONFIG, "SRC_ROTATION_CONFIG", src_rotation_config::width,
        src_rotation_config::rotation),
    row(DE_SRC_CONFIG, "SRC_CONFIG", src_config::pe10_source_format, src_config::transparency,
        src_config::src_relative, src_config::tiled, src_config::location, src_config::tile_mode,
        src_config::pack, src_config::endian_control_ex, src_config::mono_transparency,
        src_config::color_convert, Field{"DEC400_TILE_MODE", 19, 17}, src_config::swizzle,
        src_config::de_gamma, src_config::source_format, Field{"DISABLE420_L2_CACHE", 29},
        src_config::endian_control),
    row(DE_SRC_ORIGIN, "SRC_ORIGIN", x, y),
    row(DE_SRC_SIZE, "SRC_SIZE", src_size::x, src_size::y),
    row(DE_SRC_COLOR_BG, "SRC_COLOR_BG"),
    row(DE_SRC_COLOR_FG, "SRC_COLOR_FG"),
    row(DE_STRETCH_FACTOR_LOW, "STRETCH_FACTOR_LOW", Field{"X", 30, 0}),
    row(DE_STRETCH_FACTOR_HIGH, "STRETCH_FACTOR_HIGH", Field{"Y", 30, 0}),
    row(DE_DEST_ADDRESS, "DEST_ADDRESS", address),
    row(DE_DEST_STRIDE, "DEST_STRIDE", stride),
    row(DE_DEST_ROTATION_CONFIG, "DEST_ROTATION_CONFIG", dest_rotation_config::width,
        dest_rotation_config::rotation),
    row(DE_DEST_CONFIG, "DEST_CONFIG", dest_config::format, Field{"DEC400_TILE_MODE", 7, 5},
        dest_config::tiled, dest_config::tile_mode, dest_config::gamma, dest_config::command,
        dest_config::swizzle, dest_config::endian_control_ex, dest_config::endian_control,
        dest_config::gdi_stre, Field{"INTER_TILE_PER_FIX", 25}, dest_config::minor_tiled),
    row(DE_PATTERN_ADDRESS, "PATTERN_ADDRESS", address),
    row(DE_PATTERN_CONFIG, "PATTERN_CONFIG", pattern_config::format, pattern_config::type,
        pattern_config::color_convert, pattern_config::init_trigger, pattern_config::swizzle,
        pattern_config::origin_x, pattern_config::origin_y, pattern_config::pattern_format,
        Field{"ENDIAN_CONTROL_EX", 29}, pattern_config::endian_control),
    row(DE_PATTERN_LOW, "PATTERN_LOW"),
    row(DE_PATTERN_HIGH, "PATTERN_HIGH"),
    row<ones>(DE_PATTERN_MASK_LOW, "PATTERN_MASK_LOW"),
    row<ones>(DE_PATTERN_MASK_HIGH, "PATTERN_MASK_HIGH"),
    row(DE_PATTERN_BG_COLOR, "PATTERN_BG_COLOR"),
    row(DE_PATTERN_FG_COLOR, "PATTERN_FG_COLOR"),
    row(DE_FILTER_BLIT, "FILTER_BLIT", Field{"KERNEL_SIZE", 3, 0}, Field{"IGNORE_BOTTOM_EDGE", 4},
        Field{"IGNORE_RIGHT_EDGE", 5}, Field{"IGNORE_TOP_EDGE", 6}, Field{"IGNORE_LEFT_EDGE", 7}),
    row(DE_ROP, "ROP", rop::rop_fg, rop::rop_bg, rop::type),
    row(DE_CLIP_TOP_LEFT, "CLIP_TOP_LEFT", clip_x, clip_y),
    row(DE_CLIP_BOTTOM_RIGHT, "CLIP_BOTTOM_RIGHT", clip_x, clip_y),
    row(DE_CLEAR_BYTE_MASK, "CLEAR_BYTE_MASK", clear_byte_mask::value),
    row(DE_CONFIG, "CONFIG", config::mirror_blt_enable, config::mirror_blt_mode,
        Field{"SOURCE_SELECT", 18, 16}, Field{"DESTINATION_SELECT", 21, 20}),
    row(DE_CLEAR_PIXEL_VALUE_LOW, "CLEAR_PIXEL_VALUE_LOW"),
    row(DE_CLEAR_PIXEL_VALUE_HIGH, "CLEAR_PIXEL_VALUE_HIGH"),
    row(DE_SRC_ORIGIN_FRACTION, "SRC_ORIGIN_FRACTION", x, y),
    row(DE_ALPHA_CONTROL, "ALPHA_CONTROL", alpha_control::enable,
        alpha_control::pe10_global_src_alpha, alpha_control::pe10_global_dst_alpha),
    row(DE_ALPHA_MODES, "ALPHA_MODES", alpha_modes::src_alpha_mode, alpha_modes::dst_alpha_mode,
        alpha_modes::global_src_alpha_mode, alpha_modes::global_dst_alpha_mode,
        alpha_modes::pe10_src_color_multiply, alpha_modes::pe10_dst_color_multiply,
        alpha_modes::src_blending_mode, alpha_modes::src_alpha_factor,
        alpha_modes::dst_blending_mode, alpha_modes::dst_alpha_factor),
    row(DE_UPLANE_ADDRESS, "UPLANE_ADDRESS", address),
    row(DE_UPLANE_STRIDE, "UPLANE_STRIDE", stride),
    row(DE_VPLANE_ADDRESS, "VPLANE_ADDRESS", address),
    row(DE_VPLANE_STRIDE, "VPLANE_STRIDE", stride),
    row(DE_VR_CONFIG, "VR_CONFIG", vr_config::start),
    row(DE_VR_SOURCE_IMAGE_LOW, "VR_SOURCE_IMAGE_LOW", left, top),
    row(DE_VR_SOURCE_IMAGE_HIGH, "VR_SOURCE_IMAGE_HIGH", right, bottom),
    row(DE_VR_SOURCE_ORIGIN_LOW, "VR_SOURCE_ORIGIN_LOW", Field{"X", 31, 0}),
    row(DE_VR_SOURCE_ORIGIN_HIGH, "VR_SOURCE_ORIGIN_HIGH", Field{"Y", 31, 0}),
    row(DE_VR_TARGET_WINDOW_LOW, "VR_TARGET_WINDOW_LOW", left, top),
    row(DE_VR_TARGET_WINDOW_HIGH, "VR_TARGET_WINDOW_HIGH", right, bottom),
    row(DE_PE_CONFIG, "PE_CONFIG", Field{"DESTINATION_FETCH", 1, 0, 3}),
    row(DE_DEST_ROTATION_HEIGHT, "DEST_ROTATION_HEIGHT", Field{"HEIGHT", 15, 0}),
    row(DE_SRC_ROTATION_HEIGHT, "SRC_ROTATION_HEIGHT", Field{"HEIGHT", 15, 0}),
    row(DE_ROT_ANGLE, "ROT_ANGLE", rot_angle::src, rot_angle::dst, rot_angle::src_mirror,
        rot_angle::dst_mirror, rot_angle::src_flip, rot_angle::dst_flip),
    row(DE_CLEAR_PIXEL_VALUE32, "CLEAR_PIXEL_VALUE32", alpha, red, green, blue),
    row(DE_DEST_COLOR_KEY, "DEST_COLOR_KEY"),
    row(DE_GLOBAL_SRC_COLOR, "GLOBAL_SRC_COLOR", global_src_color::alpha, red, green, blue),
    row(DE_GLOBAL_DEST_COLOR, "GLOBAL_DEST_COLOR", alpha, red, green, blue),
    row(DE_COLOR_MULTIPLY_MODES, "COLOR_MULTIPLY_MODES", color_multiply_modes::src_premultiply,
        color_multiply_modes::dst_premultiply, color_multiply_modes::src_global_premultiply,
        color_multiply_modes::dst_demultiply, color_multiply_modes::dst_demultiply_zero),
    row(DE_PE_TRANSPARENCY, "PE_TRANSPARENCY", pe_transparency::source, pe_transparency::pattern,
        pe_transparency::destination, pe_transparency::use_src_override,
        pe_transparency::use_pat_override, pe_transparency::use_dst_override,
        pe_transparency::dfb_color_key),
    row(DE_PE_CONTROL, "PE_CONTROL", pe_control::yuv, pe_control::uv_swizzle,
        Field{"YUVRGB", 8, 8, 11}, pe_control::yuv_clamp, pe_control::gray_yuvrgb),
    row(DE_SRC_COLOR_KEY_HIGH, "SRC_COLOR_KEY_HIGH"),
    row(DE_DEST_COLOR_KEY_HIGH, "DEST_COLOR_KEY_HIGH"),
    row(DE_VR_CONFIG_EX, "VR_CONFIG_EX", Field{"VERTICAL_LINE_WIDTH", 1, 0, 3},
        vr_config_ex::filter_tap, Field{"DISABLE_QUAD_OPF", 9, 9, 10},
        Field{"DISABLE_DUAL_PIPE_OPF", 11, 11, 12}, vr_config_ex::enable_horizontal_filter_tap,
        vr_config_ex::horizontal_filter_tap),
    row<ones>(DE_PE_DITHER_LOW, "PE_DITHER_LOW", Field{"PIXEL_X0_Y0", 3, 0},
        Field{"PIXEL_X1_Y0", 7, 4}, Field{"PIXEL_X2_Y0", 11, 8}, Field{"PIXEL_X3_Y0", 15, 12},
        Field{"PIXEL_X0_Y1", 19, 16}, Field{"PIXEL_X1_Y1", 23, 20}, Field{"PIXEL_X2_Y1", 27, 24},
        Field{"PIXEL_X3_Y1", 31, 28}),
    row<ones>(DE_PE_DITHER_HIGH, "PE_DITHER_HIGH", Field{"PIXEL_X0_Y2", 3, 0},
        Field{"PIXEL_X1_Y2", 7, 4}, Field{"PIXEL_X2_Y2", 11, 8}, Field{"PIXEL_X3_Y2", 15, 12},
        Field{"PIXEL_X0_Y3", 19, 16}, Field{"PIXEL_X1_Y3", 23, 20}, Field{"PIXEL_X2_Y3", 27, 24},
        Field{"PIXEL_X3_Y3", 31, 28}),
    row(DE_BW_CONFIG, "BW_CONFIG", Field{"BLOCK_CONFIG", 0, 0, 3},
        Field{"BLOCK_WALK_DIRECTION", 4, 4, 7}, Field{"TILE_WALK_DIRECTION", 8, 8, 11},
        Field{"PIXEL_WALK_DIRECTION", 12, 12, 15}, Field{"LINEAR_ROTATION_OPT", 16, 16, 19}),
    row(DE_BW_BLOCK_SIZE, "BW_BLOCK_SIZE", width, height),
    row(DE_BW_TILE_SIZE, "BW_TILE_SIZE", width, height),
    row(DE_BW_BLOCK_MASK, "BW_BLOCK_MASK", Field{"HORIZONTAL", 15, 0}, Field{"VERTICAL", 31, 16}),
    row(DE_SRC_EX_CONFIG, "SRC_EX_CONFIG", src_ex_config::multi_tiled, src_ex_config::super_tiled,
        src_ex_config::minor_tiled, Field{"CACHE_MODE", 12}, src_ex_config::dc_compression,
        Field{"DC_COMPRESSION_ENABLE_ALPHA", 15, 15, 16}),
    row(DE_SRC_EX_ADDRESS, "SRC_EX_ADDRESS", address),
    row(DE_MULTI_SOURCE, "DE_MULTI_SOURCE", multi_source::max_source,
        Field{"HORIZONTAL_BLOCK", 10, 8}, Field{"VERTICAL_BLOCK", 18, 16}),
    row(DE_DEYUV_CONVERSION, "DEYUV_CONVERSION", deyuv_conversion::enable,
        deyuv_conversion::plane1_count, deyuv_conversion::plane2_count,
        deyuv_conversion::plane3_count, deyuv_conversion::plane1_swizzle_b,
        deyuv_conversion::plane1_swizzle_g, deyuv_conversion::plane1_swizzle_r,
        deyuv_conversion::plane1_swizzle_a, deyuv_conversion::plane2_swizzle_b,
        deyuv_conversion::plane2_swizzle_g, deyuv_conversion::plane2_swizzle_r,
        deyuv_conversion::plane2_swizzle_a, deyuv_conversion::plane3_swizzle_b,
        deyuv_conversion::plane3_swizzle_g, deyuv_conversion::plane3_swizzle_r,
        deyuv_conversion::plane3_swizzle_a),
    row(DE_PLANE2_ADDRESS, "PLANE2_ADDRESS", address),
    row(DE_PLANE2_STRIDE, "PLANE2_STRIDE", stride),
    row(DE_PLANE3_ADDRESS, "PLANE3_ADDRESS", address),
    row(DE_PLANE3_STRIDE, "PLANE3_STRIDE", stride),
    row(DE_STALL_DE, "STALL_DE", Field{"ENABLE", 0}),
    // Newer cores.
    row(DE_BLOCK_SIZE, "BLOCK_SIZE", Field{"WIDTH_BIT_CNT", 15, 0},
        Field{"HEIGHT_BIT_CNT", 31, 16}),
    row<0x12>(DE_GENERAL_CONFIG, "GENERAL_CONFIG", general_config::supertile_version,
        Field{"BY_PASS_DC_COMPRESSION", 4, 4, 5}, Field{"DISABLE_MULTI_SRC_V1DOT5", 6, 6, 7},
        Field{"ADDRESS_OVER_LAP", 8, 8, 9}, Field{"PE_CACHE_MODE", 13, 12, 11},
        Field{"PE_SRC_CACHE_MODE", 16, 15, 14}, Field{"PE_CACHE_MODE2", 20, 18, 17},
        Field{"PE_SRC_CACHE_MODE2", 26, 24, 23}),
    row<0x04000000>(DE_DEST_CONFIG_EX, "DEST_CONFIG_EX", dest_config_ex::yuv,
        dest_config_ex::uv_swizzle, Field{"YUV_CLAMP", 12, 12, 15}, dest_config_ex::dc_compression,
        Field{"DC_COMPRESSION_ENABLE_ALPHA", 18, 18, 19}, Field{"EXTRA_FORMAT", 23, 20},
        dest_config_ex::conversion_config, Field{"ROUNDING_TO_NEAREST", 26},
        dest_config_ex::normalization, Field{"NORMALIZATION_WORK_MODE", 30, 29},
        Field{"RGB_TO_YUV", 31}),
    row(DE_PATTERN_COLOR0, "PATTERN_COLOR0"),
    row(DE_PATTERN_COLOR1, "PATTERN_COLOR1"),
    row(DE_PATTERN_COLOR2, "PATTERN_COLOR2"),
    row(DE_PATTERN_COLOR3, "PATTERN_COLOR3"),
    row(DE_YUV2RGB_COEF0, "YUV2RGB_COEF0"),
    row(DE_YUV2RGB_COEF1, "YUV2RGB_COEF1"),
    row(DE_YUV2RGB_COEF2, "YUV2RGB_COEF2"),
    row(DE_YUV2RGB_COEF3, "YUV2RGB_COEF3"),
    row(DE_YUV2RGB_COEF4, "YUV2RGB_COEF4"),
    row(DE_YUV2RGB_COEF_D0, "YUV2RGB_COEF_D0", coefficient),
    row(DE_YUV2RGB_COEF_D1, "YUV2RGB_COEF_D1", coefficient),
    row(DE_YUV2RGB_COEF_D2, "YUV2RGB_COEF_D2", coefficient),
    row(DE_RGB2YUV_COEF0, "RGB2YUV_COEF0"),
    row(DE_RGB2YUV_COEF1, "RGB2YUV_COEF1"),
    row(DE_RGB2YUV_COEF2, "RGB2YUV_COEF2"),
    row(DE_RGB2YUV_COEF3, "RGB2YUV_COEF3"),
    row(DE_RGB2YUV_COEF4, "RGB2YUV_COEF4"),
    row(DE_RGB2YUV_COEF_D0, "RGB2YUV_COEF_D0", coefficient),
    row(DE_RGB2YUV_COEF_D1, "RGB2YUV_COEF_D1", coefficient),
    row(DE_RGB2YUV_COEF_D2, "RGB2YUV_COEF_D2", coefficient),
    row(DE_WALKER_CONFIG, "WALKER_CONFIG", walker_config::disable_multi_src_v2,
        Field{"HORIZONTAL_ALIGN", 3, 2, 4}),
    row(DE_DST_TILE_STATUS_ADDRESS, "DST_TILE_STATUS_ADDRESS", address),
    row<0x1C>(DE_REORDER_CONTROL, "REORDER_CONTROL", Field{"COUNTER", 5, 0, 6}),
    row(DE_COMPRESSION_DST_CONFIG, "3RD_PARTY_COMPRESSION_DST_CONFIG", Field{"TPC", 0, 0, 1},
        Field{"BY_PASS_TPC", 2, 2, 3}, Field{"FORMAT", 8, 4, 9}),
    row(DE_COMPRESSION_DST_HEADER_ADDRESS, "3RD_PARTY_COMPRESSION_DST_HEADER_ADDRESS", address),
    row(DE_COMPRESSION_DST_PAYLOAD_ADDRESS, "3RD_PARTY_COMPRESSION_DST_PAYLOAD_ADDRESS", address),
    row(DE_DST_TILE_STATUS_CLEAR, "DST_TILE_STATUS_CLEAR"),
    row(DE_DST_TILE_STATUS_CONFIG, "DST_TILE_STATUS_CONFIG", Field{"CONTROL", 1, 0},
        Field{"FORMAT", 7, 4}, Field{"MSAA_COMPRESSION", 18}, Field{"TILE_MAJOR_TYPE", 19},
        Field{"COMPRESSION_SIZE", 20}),
    row(DE_DST_PLANE0_ALIGN_CONFIG, "DST_PLANE0_ALIGN_CONFIG", stride_width),
    row(DE_DST_PLANE1_ALIGN_CONFIG, "DST_PLANE1_ALIGN_CONFIG", stride_width),
};
// clang-format on

} // namespace table
} // namespace de

} // namespace pixmill::vivante
