// The states of the 2D engine and their fields: each stands here once, and masks, masked writes,
// decoders and the page of docs/hardware/registers follow.
//
// Names: rnndb state_2d.xml; what that does not have, gcreg.h of the Vivante 2D HAL and, of newer
// cores, of nano2D. Which bits a write changes: gcreg.h.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string_view>

#include "states.hpp"
#include "vivante/offsets.hpp"

namespace pixmill::vivante {

namespace de_table {

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
constexpr uint32_t ones = 0xFFFFFFFF;

// clang-format off
inline constexpr StateRow rows[] = {
    {DE_SRC_ADDRESS, "SRC_ADDRESS", {address}},
    {DE_SRC_STRIDE, "SRC_STRIDE", {stride}},
    {DE_SRC_ROTATION_CONFIG, "SRC_ROTATION_CONFIG", {width, rotation}},
    {DE_SRC_CONFIG, "SRC_CONFIG", {
        {"PE10_SOURCE_FORMAT", 3, 0}, {"TRANSPARENCY", 5, 4}, {"SRC_RELATIVE", 6}, {"TILED", 7},
        {"LOCATION", 8}, {"TILE_MODE", 10, 9}, {"PACK", 13, 12}, {"ENDIAN_CONTROL_EX", 14},
        {"MONO_TRANSPARENCY", 15}, {"COLOR_CONVERT", 16}, {"DEC400_TILE_MODE", 19, 17},
        {"SWIZZLE", 21, 20}, {"DE_GAMMA", 23}, {"SOURCE_FORMAT", 28, 24},
        {"DISABLE420_L2_CACHE", 29}, {"ENDIAN_CONTROL", 31, 30}}},
    {DE_SRC_ORIGIN, "SRC_ORIGIN", {x, y}},
    {DE_SRC_SIZE, "SRC_SIZE", {x, y}},
    {DE_SRC_COLOR_BG, "SRC_COLOR_BG"},
    {DE_SRC_COLOR_FG, "SRC_COLOR_FG"},
    {DE_STRETCH_FACTOR_LOW, "STRETCH_FACTOR_LOW", {{"X", 30, 0}}},
    {DE_STRETCH_FACTOR_HIGH, "STRETCH_FACTOR_HIGH", {{"Y", 30, 0}}},
    {DE_DEST_ADDRESS, "DEST_ADDRESS", {address}},
    {DE_DEST_STRIDE, "DEST_STRIDE", {stride}},
    {DE_DEST_ROTATION_CONFIG, "DEST_ROTATION_CONFIG", {width, rotation}},
    {DE_DEST_CONFIG, "DEST_CONFIG", {
        {"FORMAT", 4, 0}, {"DEC400_TILE_MODE", 7, 5}, {"TILED", 8}, {"TILE_MODE", 10, 9},
        {"GAMMA", 11}, {"COMMAND", 15, 12}, {"SWIZZLE", 17, 16}, {"ENDIAN_CONTROL_EX", 19},
        {"ENDIAN_CONTROL", 21, 20}, {"GDI_STRE", 24}, {"INTER_TILE_PER_FIX", 25},
        {"MINOR_TILED", 26}}},
    {DE_PATTERN_ADDRESS, "PATTERN_ADDRESS", {address}},
    {DE_PATTERN_CONFIG, "PATTERN_CONFIG", {
        {"FORMAT", 3, 0}, {"TYPE", 4}, {"COLOR_CONVERT", 5}, {"INIT_TRIGGER", 7, 6},
        {"SWIZZLE", 9, 8}, {"ORIGIN_X", 18, 16}, {"ORIGIN_Y", 22, 20}, {"PATTERN_FORMAT", 28, 24},
        {"ENDIAN_CONTROL_EX", 29}, {"ENDIAN_CONTROL", 31, 30}}},
    {DE_PATTERN_LOW, "PATTERN_LOW"},
    {DE_PATTERN_HIGH, "PATTERN_HIGH"},
    {DE_PATTERN_MASK_LOW, "PATTERN_MASK_LOW", {}, ones},
    {DE_PATTERN_MASK_HIGH, "PATTERN_MASK_HIGH", {}, ones},
    {DE_PATTERN_BG_COLOR, "PATTERN_BG_COLOR"},
    {DE_PATTERN_FG_COLOR, "PATTERN_FG_COLOR"},
    {DE_FILTER_BLIT, "FILTER_BLIT", {
        {"KERNEL_SIZE", 3, 0}, {"IGNORE_BOTTOM_EDGE", 4}, {"IGNORE_RIGHT_EDGE", 5},
        {"IGNORE_TOP_EDGE", 6}, {"IGNORE_LEFT_EDGE", 7}}},
    {DE_ROP, "ROP", {{"ROP_FG", 7, 0}, {"ROP_BG", 15, 8}, {"TYPE", 21, 20}}},
    {DE_CLIP_TOP_LEFT, "CLIP_TOP_LEFT", {clip_x, clip_y}},
    {DE_CLIP_BOTTOM_RIGHT, "CLIP_BOTTOM_RIGHT", {clip_x, clip_y}},
    {DE_CLEAR_BYTE_MASK, "CLEAR_BYTE_MASK", {{"VALUE", 7, 0}}},
    {DE_CONFIG, "CONFIG", {
        {"MIRROR_BLT_ENABLE", 0}, {"MIRROR_BLT_MODE", 5, 4}, {"SOURCE_SELECT", 18, 16},
        {"DESTINATION_SELECT", 21, 20}}},
    {DE_CLEAR_PIXEL_VALUE_LOW, "CLEAR_PIXEL_VALUE_LOW"},
    {DE_CLEAR_PIXEL_VALUE_HIGH, "CLEAR_PIXEL_VALUE_HIGH"},
    {DE_SRC_ORIGIN_FRACTION, "SRC_ORIGIN_FRACTION", {x, y}},
    {DE_ALPHA_CONTROL, "ALPHA_CONTROL", {
        {"ENABLE", 0}, {"PE10_GLOBAL_SRC_ALPHA", 23, 16}, {"PE10_GLOBAL_DST_ALPHA", 31, 24}}},
    {DE_ALPHA_MODES, "ALPHA_MODES", {
        {"SRC_ALPHA_MODE", 0}, {"DST_ALPHA_MODE", 4}, {"GLOBAL_SRC_ALPHA_MODE", 9, 8},
        {"GLOBAL_DST_ALPHA_MODE", 13, 12}, {"PE10_SRC_COLOR_MULTIPLY", 16},
        {"PE10_DST_COLOR_MULTIPLY", 20}, {"SRC_BLENDING_MODE", 26, 24}, {"SRC_ALPHA_FACTOR", 27},
        {"DST_BLENDING_MODE", 30, 28}, {"DST_ALPHA_FACTOR", 31}}},
    {DE_UPLANE_ADDRESS, "UPLANE_ADDRESS", {address}},
    {DE_UPLANE_STRIDE, "UPLANE_STRIDE", {stride}},
    {DE_VPLANE_ADDRESS, "VPLANE_ADDRESS", {address}},
    {DE_VPLANE_STRIDE, "VPLANE_STRIDE", {stride}},
    {DE_VR_CONFIG, "VR_CONFIG", {{"START", 1, 0, 3}}},
    {DE_VR_SOURCE_IMAGE_LOW, "VR_SOURCE_IMAGE_LOW", {left, top}},
    {DE_VR_SOURCE_IMAGE_HIGH, "VR_SOURCE_IMAGE_HIGH", {right, bottom}},
    {DE_VR_SOURCE_ORIGIN_LOW, "VR_SOURCE_ORIGIN_LOW", {{"X", 31, 0}}},
    {DE_VR_SOURCE_ORIGIN_HIGH, "VR_SOURCE_ORIGIN_HIGH", {{"Y", 31, 0}}},
    {DE_VR_TARGET_WINDOW_LOW, "VR_TARGET_WINDOW_LOW", {left, top}},
    {DE_VR_TARGET_WINDOW_HIGH, "VR_TARGET_WINDOW_HIGH", {right, bottom}},
    {DE_PE_CONFIG, "PE_CONFIG", {{"DESTINATION_FETCH", 1, 0, 3}}},
    {DE_DEST_ROTATION_HEIGHT, "DEST_ROTATION_HEIGHT", {{"HEIGHT", 15, 0}}},
    {DE_SRC_ROTATION_HEIGHT, "SRC_ROTATION_HEIGHT", {{"HEIGHT", 15, 0}}},
    {DE_ROT_ANGLE, "ROT_ANGLE", {
        {"SRC", 2, 0, 8}, {"DST", 5, 3, 9}, {"SRC_MIRROR", 13, 12, 15}, {"DST_MIRROR", 17, 16, 19},
        {"SRC_FLIP", 21, 20, 22}, {"DST_FLIP", 24, 23, 25}}},
    {DE_CLEAR_PIXEL_VALUE32, "CLEAR_PIXEL_VALUE32", {alpha, red, green, blue}},
    {DE_DEST_COLOR_KEY, "DEST_COLOR_KEY"},
    {DE_GLOBAL_SRC_COLOR, "GLOBAL_SRC_COLOR", {alpha, red, green, blue}},
    {DE_GLOBAL_DEST_COLOR, "GLOBAL_DEST_COLOR", {alpha, red, green, blue}},
    {DE_COLOR_MULTIPLY_MODES, "COLOR_MULTIPLY_MODES", {
        {"SRC_PREMULTIPLY", 0}, {"DST_PREMULTIPLY", 4}, {"SRC_GLOBAL_PREMULTIPLY", 9, 8},
        {"DST_DEMULTIPLY", 20}, {"DST_DEMULTIPLY_ZERO", 21}}},
    {DE_PE_TRANSPARENCY, "PE_TRANSPARENCY", {
        {"SOURCE", 1, 0, 12}, {"PATTERN", 5, 4, 12}, {"DESTINATION", 9, 8, 12},
        {"USE_SRC_OVERRIDE", 17, 16, 28}, {"USE_PAT_OVERRIDE", 21, 20, 28},
        {"USE_DST_OVERRIDE", 25, 24, 28}, {"DFB_COLOR_KEY", 29, 29, 31}}},
    {DE_PE_CONTROL, "PE_CONTROL", {
        {"YUV", 1, 0, 3}, {"UV_SWIZZLE", 4, 4, 7}, {"YUVRGB", 8, 8, 11}, {"YUV_CLAMP", 12, 12, 15},
        {"GRAY_YUVRGB", 16, 16, 19}}},
    {DE_SRC_COLOR_KEY_HIGH, "SRC_COLOR_KEY_HIGH"},
    {DE_DEST_COLOR_KEY_HIGH, "DEST_COLOR_KEY_HIGH"},
    {DE_VR_CONFIG_EX, "VR_CONFIG_EX", {
        {"VERTICAL_LINE_WIDTH", 1, 0, 3}, {"FILTER_TAP", 7, 4, 8}, {"DISABLE_QUAD_OPF", 9, 9, 10},
        {"DISABLE_DUAL_PIPE_OPF", 11, 11, 12}, {"ENABLE_HORIZONTAL_FILTER_TAP", 13, 13, 14},
        {"HORIZONTAL_FILTER_TAP", 18, 15, 19}}},
    {DE_PE_DITHER_LOW, "PE_DITHER_LOW", {
        {"PIXEL_X0_Y0", 3, 0}, {"PIXEL_X1_Y0", 7, 4}, {"PIXEL_X2_Y0", 11, 8},
        {"PIXEL_X3_Y0", 15, 12}, {"PIXEL_X0_Y1", 19, 16}, {"PIXEL_X1_Y1", 23, 20},
        {"PIXEL_X2_Y1", 27, 24}, {"PIXEL_X3_Y1", 31, 28}}, ones},
    {DE_PE_DITHER_HIGH, "PE_DITHER_HIGH", {
        {"PIXEL_X0_Y2", 3, 0}, {"PIXEL_X1_Y2", 7, 4}, {"PIXEL_X2_Y2", 11, 8},
        {"PIXEL_X3_Y2", 15, 12}, {"PIXEL_X0_Y3", 19, 16}, {"PIXEL_X1_Y3", 23, 20},
        {"PIXEL_X2_Y3", 27, 24}, {"PIXEL_X3_Y3", 31, 28}}, ones},
    {DE_BW_CONFIG, "BW_CONFIG", {
        {"BLOCK_CONFIG", 0, 0, 3}, {"BLOCK_WALK_DIRECTION", 4, 4, 7},
        {"TILE_WALK_DIRECTION", 8, 8, 11}, {"PIXEL_WALK_DIRECTION", 12, 12, 15},
        {"LINEAR_ROTATION_OPT", 16, 16, 19}}},
    {DE_BW_BLOCK_SIZE, "BW_BLOCK_SIZE", {width, height}},
    {DE_BW_TILE_SIZE, "BW_TILE_SIZE", {width, height}},
    {DE_BW_BLOCK_MASK, "BW_BLOCK_MASK", {{"HORIZONTAL", 15, 0}, {"VERTICAL", 31, 16}}},
    {DE_SRC_EX_CONFIG, "SRC_EX_CONFIG", {
        {"MULTI_TILED", 0}, {"SUPER_TILED", 3}, {"MINOR_TILED", 8}, {"CACHE_MODE", 12},
        {"DC_COMPRESSION", 13, 13, 14}, {"DC_COMPRESSION_ENABLE_ALPHA", 15, 15, 16}}},
    {DE_SRC_EX_ADDRESS, "SRC_EX_ADDRESS", {address}},
    {DE_MULTI_SOURCE, "DE_MULTI_SOURCE", {
        {"MAX_SOURCE", 2, 0}, {"HORIZONTAL_BLOCK", 10, 8}, {"VERTICAL_BLOCK", 18, 16}}},
    {DE_DEYUV_CONVERSION, "DEYUV_CONVERSION", {
        {"ENABLE", 1, 0}, {"PLANE1_COUNT", 3, 2}, {"PLANE2_COUNT", 5, 4}, {"PLANE3_COUNT", 7, 6},
        {"PLANE1_SWIZZLE_B", 9, 8}, {"PLANE1_SWIZZLE_G", 11, 10}, {"PLANE1_SWIZZLE_R", 13, 12},
        {"PLANE1_SWIZZLE_A", 15, 14}, {"PLANE2_SWIZZLE_B", 17, 16}, {"PLANE2_SWIZZLE_G", 19, 18},
        {"PLANE2_SWIZZLE_R", 21, 20}, {"PLANE2_SWIZZLE_A", 23, 22}, {"PLANE3_SWIZZLE_B", 25, 24},
        {"PLANE3_SWIZZLE_G", 27, 26}, {"PLANE3_SWIZZLE_R", 29, 28}, {"PLANE3_SWIZZLE_A", 31, 30}}},
    {DE_PLANE2_ADDRESS, "PLANE2_ADDRESS", {address}},
    {DE_PLANE2_STRIDE, "PLANE2_STRIDE", {stride}},
    {DE_PLANE3_ADDRESS, "PLANE3_ADDRESS", {address}},
    {DE_PLANE3_STRIDE, "PLANE3_STRIDE", {stride}},
    {DE_STALL_DE, "STALL_DE", {{"ENABLE", 0}}},
    // Newer cores.
    {DE_BLOCK_SIZE, "BLOCK_SIZE", {{"WIDTH_BIT_CNT", 15, 0}, {"HEIGHT_BIT_CNT", 31, 16}}},
    {DE_GENERAL_CONFIG, "GENERAL_CONFIG", {
        {"SUPERTILE_VERSION", 1, 0, 3}, {"BY_PASS_DC_COMPRESSION", 4, 4, 5},
        {"DISABLE_MULTI_SRC_V1DOT5", 6, 6, 7}, {"ADDRESS_OVER_LAP", 8, 8, 9},
        {"PE_CACHE_MODE", 13, 12, 11}, {"PE_SRC_CACHE_MODE", 16, 15, 14},
        {"PE_CACHE_MODE2", 20, 18, 17}, {"PE_SRC_CACHE_MODE2", 26, 24, 23}}, 0x12},
    {DE_DEST_CONFIG_EX, "DEST_CONFIG_EX", {
        {"YUV", 1, 0, 3}, {"UV_SWIZZLE", 4, 4, 7}, {"YUV_CLAMP", 12, 12, 15},
        {"DC_COMPRESSION", 16, 16, 17}, {"DC_COMPRESSION_ENABLE_ALPHA", 18, 18, 19},
        {"EXTRA_FORMAT", 23, 20}, {"CONVERSION_CONFIG", 25, 24}, {"ROUNDING_TO_NEAREST", 26},
        {"NORMALIZATION", 28}, {"NORMALIZATION_WORK_MODE", 30, 29}, {"RGB_TO_YUV", 31}},
        0x04000000},
    {DE_PATTERN_COLOR0, "PATTERN_COLOR0"},
    {DE_PATTERN_COLOR1, "PATTERN_COLOR1"},
    {DE_PATTERN_COLOR2, "PATTERN_COLOR2"},
    {DE_PATTERN_COLOR3, "PATTERN_COLOR3"},
    {DE_YUV2RGB_COEF0, "YUV2RGB_COEF0"},
    {DE_YUV2RGB_COEF1, "YUV2RGB_COEF1"},
    {DE_YUV2RGB_COEF2, "YUV2RGB_COEF2"},
    {DE_YUV2RGB_COEF3, "YUV2RGB_COEF3"},
    {DE_YUV2RGB_COEF4, "YUV2RGB_COEF4"},
    {DE_YUV2RGB_COEF_D0, "YUV2RGB_COEF_D0", {coefficient}},
    {DE_YUV2RGB_COEF_D1, "YUV2RGB_COEF_D1", {coefficient}},
    {DE_YUV2RGB_COEF_D2, "YUV2RGB_COEF_D2", {coefficient}},
    {DE_RGB2YUV_COEF0, "RGB2YUV_COEF0"},
    {DE_RGB2YUV_COEF1, "RGB2YUV_COEF1"},
    {DE_RGB2YUV_COEF2, "RGB2YUV_COEF2"},
    {DE_RGB2YUV_COEF3, "RGB2YUV_COEF3"},
    {DE_RGB2YUV_COEF4, "RGB2YUV_COEF4"},
    {DE_RGB2YUV_COEF_D0, "RGB2YUV_COEF_D0", {coefficient}},
    {DE_RGB2YUV_COEF_D1, "RGB2YUV_COEF_D1", {coefficient}},
    {DE_RGB2YUV_COEF_D2, "RGB2YUV_COEF_D2", {coefficient}},
    {DE_WALKER_CONFIG, "WALKER_CONFIG", {
        {"DISABLE_MULTI_SRC_V2", 0, 0, 1}, {"HORIZONTAL_ALIGN", 3, 2, 4}}},
    {DE_DST_TILE_STATUS_ADDRESS, "DST_TILE_STATUS_ADDRESS", {address}},
    {DE_REORDER_CONTROL, "REORDER_CONTROL", {{"COUNTER", 5, 0, 6}}, 0x1C},
    {DE_COMPRESSION_DST_CONFIG, "3RD_PARTY_COMPRESSION_DST_CONFIG", {
        {"TPC", 0, 0, 1}, {"BY_PASS_TPC", 2, 2, 3}, {"FORMAT", 8, 4, 9}}},
    {DE_COMPRESSION_DST_HEADER_ADDRESS, "3RD_PARTY_COMPRESSION_DST_HEADER_ADDRESS", {address}},
    {DE_COMPRESSION_DST_PAYLOAD_ADDRESS, "3RD_PARTY_COMPRESSION_DST_PAYLOAD_ADDRESS", {address}},
    {DE_DST_TILE_STATUS_CLEAR, "DST_TILE_STATUS_CLEAR"},
    {DE_DST_TILE_STATUS_CONFIG, "DST_TILE_STATUS_CONFIG", {
        {"CONTROL", 1, 0}, {"FORMAT", 7, 4}, {"MSAA_COMPRESSION", 18}, {"TILE_MAJOR_TYPE", 19},
        {"COMPRESSION_SIZE", 20}}},
    {DE_DST_PLANE0_ALIGN_CONFIG, "DST_PLANE0_ALIGN_CONFIG", {stride_width}},
    {DE_DST_PLANE1_ALIGN_CONFIG, "DST_PLANE1_ALIGN_CONFIG", {stride_width}},
};
// clang-format on

} // namespace de_table

/// A field by name: `DeField{DE_ROP, "TYPE"}`. A name that the table does not have fails to
/// compile; what is left at run time is a shift and a mask.
struct DeField {
    Field field; // first: clang 14 writes a constant wrongly behind a gap in its struct
    uint32_t address;

    consteval DeField(uint32_t state, std::string_view name)
        : field(find(state, name)), address(state) {}

    constexpr uint32_t operator()(uint32_t word) const { return field(word); }

private:
    static consteval Field find(uint32_t address, std::string_view name) {
        for (const StateRow& state : de_table::rows)
            for (const Field& bits : state.fields())
                if (state.address == address && bits.name == name)
                    return bits;
        throw "no such field";
    }
};

// Those that are decoded, by the names of their states.
namespace de {

namespace src_rotation_config {
inline constexpr DeField width{DE_SRC_ROTATION_CONFIG, "WIDTH"},
    rotation{DE_SRC_ROTATION_CONFIG, "ROTATION"};
} // namespace src_rotation_config

namespace src_config {
inline constexpr DeField pe10_source_format{DE_SRC_CONFIG, "PE10_SOURCE_FORMAT"},
    transparency{DE_SRC_CONFIG, "TRANSPARENCY"}, src_relative{DE_SRC_CONFIG, "SRC_RELATIVE"},
    tiled{DE_SRC_CONFIG, "TILED"}, location{DE_SRC_CONFIG, "LOCATION"},
    tile_mode{DE_SRC_CONFIG, "TILE_MODE"}, pack{DE_SRC_CONFIG, "PACK"},
    endian_control_ex{DE_SRC_CONFIG, "ENDIAN_CONTROL_EX"},
    mono_transparency{DE_SRC_CONFIG, "MONO_TRANSPARENCY"},
    color_convert{DE_SRC_CONFIG, "COLOR_CONVERT"}, swizzle{DE_SRC_CONFIG, "SWIZZLE"},
    de_gamma{DE_SRC_CONFIG, "DE_GAMMA"}, source_format{DE_SRC_CONFIG, "SOURCE_FORMAT"},
    endian_control{DE_SRC_CONFIG, "ENDIAN_CONTROL"};
} // namespace src_config

namespace src_size {
inline constexpr DeField x{DE_SRC_SIZE, "X"}, y{DE_SRC_SIZE, "Y"};
} // namespace src_size

namespace dest_rotation_config {
inline constexpr DeField width{DE_DEST_ROTATION_CONFIG, "WIDTH"},
    rotation{DE_DEST_ROTATION_CONFIG, "ROTATION"};
} // namespace dest_rotation_config

namespace dest_config {
inline constexpr DeField format{DE_DEST_CONFIG, "FORMAT"}, tiled{DE_DEST_CONFIG, "TILED"},
    tile_mode{DE_DEST_CONFIG, "TILE_MODE"}, gamma{DE_DEST_CONFIG, "GAMMA"},
    command{DE_DEST_CONFIG, "COMMAND"}, swizzle{DE_DEST_CONFIG, "SWIZZLE"},
    endian_control_ex{DE_DEST_CONFIG, "ENDIAN_CONTROL_EX"},
    endian_control{DE_DEST_CONFIG, "ENDIAN_CONTROL"}, gdi_stre{DE_DEST_CONFIG, "GDI_STRE"},
    minor_tiled{DE_DEST_CONFIG, "MINOR_TILED"};
} // namespace dest_config

namespace pattern_config {
inline constexpr DeField format{DE_PATTERN_CONFIG, "FORMAT"}, type{DE_PATTERN_CONFIG, "TYPE"},
    color_convert{DE_PATTERN_CONFIG, "COLOR_CONVERT"},
    init_trigger{DE_PATTERN_CONFIG, "INIT_TRIGGER"}, swizzle{DE_PATTERN_CONFIG, "SWIZZLE"},
    origin_x{DE_PATTERN_CONFIG, "ORIGIN_X"}, origin_y{DE_PATTERN_CONFIG, "ORIGIN_Y"},
    pattern_format{DE_PATTERN_CONFIG, "PATTERN_FORMAT"},
    endian_control{DE_PATTERN_CONFIG, "ENDIAN_CONTROL"};
} // namespace pattern_config

namespace rop {
inline constexpr DeField rop_fg{DE_ROP, "ROP_FG"}, rop_bg{DE_ROP, "ROP_BG"}, type{DE_ROP, "TYPE"};
} // namespace rop

namespace clear_byte_mask {
inline constexpr DeField value{DE_CLEAR_BYTE_MASK, "VALUE"};
} // namespace clear_byte_mask

namespace config {
inline constexpr DeField mirror_blt_enable{DE_CONFIG, "MIRROR_BLT_ENABLE"},
    mirror_blt_mode{DE_CONFIG, "MIRROR_BLT_MODE"};
} // namespace config

namespace alpha_control {
inline constexpr DeField enable{DE_ALPHA_CONTROL, "ENABLE"},
    pe10_global_src_alpha{DE_ALPHA_CONTROL, "PE10_GLOBAL_SRC_ALPHA"},
    pe10_global_dst_alpha{DE_ALPHA_CONTROL, "PE10_GLOBAL_DST_ALPHA"};
} // namespace alpha_control

namespace alpha_modes {
inline constexpr DeField src_alpha_mode{DE_ALPHA_MODES, "SRC_ALPHA_MODE"},
    dst_alpha_mode{DE_ALPHA_MODES, "DST_ALPHA_MODE"},
    global_src_alpha_mode{DE_ALPHA_MODES, "GLOBAL_SRC_ALPHA_MODE"},
    global_dst_alpha_mode{DE_ALPHA_MODES, "GLOBAL_DST_ALPHA_MODE"},
    pe10_src_color_multiply{DE_ALPHA_MODES, "PE10_SRC_COLOR_MULTIPLY"},
    pe10_dst_color_multiply{DE_ALPHA_MODES, "PE10_DST_COLOR_MULTIPLY"},
    src_blending_mode{DE_ALPHA_MODES, "SRC_BLENDING_MODE"},
    src_alpha_factor{DE_ALPHA_MODES, "SRC_ALPHA_FACTOR"},
    dst_blending_mode{DE_ALPHA_MODES, "DST_BLENDING_MODE"},
    dst_alpha_factor{DE_ALPHA_MODES, "DST_ALPHA_FACTOR"};
} // namespace alpha_modes

namespace vr_config {
inline constexpr DeField start{DE_VR_CONFIG, "START"};
} // namespace vr_config

namespace rot_angle {
inline constexpr DeField src{DE_ROT_ANGLE, "SRC"}, dst{DE_ROT_ANGLE, "DST"},
    src_mirror{DE_ROT_ANGLE, "SRC_MIRROR"}, dst_mirror{DE_ROT_ANGLE, "DST_MIRROR"},
    src_flip{DE_ROT_ANGLE, "SRC_FLIP"}, dst_flip{DE_ROT_ANGLE, "DST_FLIP"};
} // namespace rot_angle

namespace global_src_color {
inline constexpr DeField alpha{DE_GLOBAL_SRC_COLOR, "ALPHA"};
} // namespace global_src_color

namespace color_multiply_modes {
inline constexpr DeField src_premultiply{DE_COLOR_MULTIPLY_MODES, "SRC_PREMULTIPLY"},
    dst_premultiply{DE_COLOR_MULTIPLY_MODES, "DST_PREMULTIPLY"},
    src_global_premultiply{DE_COLOR_MULTIPLY_MODES, "SRC_GLOBAL_PREMULTIPLY"},
    dst_demultiply{DE_COLOR_MULTIPLY_MODES, "DST_DEMULTIPLY"},
    dst_demultiply_zero{DE_COLOR_MULTIPLY_MODES, "DST_DEMULTIPLY_ZERO"};
} // namespace color_multiply_modes

namespace pe_transparency {
inline constexpr DeField source{DE_PE_TRANSPARENCY, "SOURCE"},
    pattern{DE_PE_TRANSPARENCY, "PATTERN"}, destination{DE_PE_TRANSPARENCY, "DESTINATION"},
    use_src_override{DE_PE_TRANSPARENCY, "USE_SRC_OVERRIDE"},
    use_pat_override{DE_PE_TRANSPARENCY, "USE_PAT_OVERRIDE"},
    use_dst_override{DE_PE_TRANSPARENCY, "USE_DST_OVERRIDE"},
    dfb_color_key{DE_PE_TRANSPARENCY, "DFB_COLOR_KEY"};
} // namespace pe_transparency

namespace pe_control {
inline constexpr DeField yuv{DE_PE_CONTROL, "YUV"}, uv_swizzle{DE_PE_CONTROL, "UV_SWIZZLE"},
    yuv_clamp{DE_PE_CONTROL, "YUV_CLAMP"}, gray_yuvrgb{DE_PE_CONTROL, "GRAY_YUVRGB"};
} // namespace pe_control

namespace vr_config_ex {
inline constexpr DeField filter_tap{DE_VR_CONFIG_EX, "FILTER_TAP"},
    enable_horizontal_filter_tap{DE_VR_CONFIG_EX, "ENABLE_HORIZONTAL_FILTER_TAP"},
    horizontal_filter_tap{DE_VR_CONFIG_EX, "HORIZONTAL_FILTER_TAP"};
} // namespace vr_config_ex

namespace src_ex_config {
inline constexpr DeField multi_tiled{DE_SRC_EX_CONFIG, "MULTI_TILED"},
    super_tiled{DE_SRC_EX_CONFIG, "SUPER_TILED"}, minor_tiled{DE_SRC_EX_CONFIG, "MINOR_TILED"},
    dc_compression{DE_SRC_EX_CONFIG, "DC_COMPRESSION"};
} // namespace src_ex_config

namespace multi_source {
inline constexpr DeField max_source{DE_MULTI_SOURCE, "MAX_SOURCE"};
} // namespace multi_source

namespace deyuv_conversion {
inline constexpr DeField enable{DE_DEYUV_CONVERSION, "ENABLE"},
    plane1_count{DE_DEYUV_CONVERSION, "PLANE1_COUNT"},
    plane2_count{DE_DEYUV_CONVERSION, "PLANE2_COUNT"},
    plane3_count{DE_DEYUV_CONVERSION, "PLANE3_COUNT"},
    plane1_swizzle_b{DE_DEYUV_CONVERSION, "PLANE1_SWIZZLE_B"},
    plane1_swizzle_g{DE_DEYUV_CONVERSION, "PLANE1_SWIZZLE_G"},
    plane1_swizzle_r{DE_DEYUV_CONVERSION, "PLANE1_SWIZZLE_R"},
    plane1_swizzle_a{DE_DEYUV_CONVERSION, "PLANE1_SWIZZLE_A"},
    plane2_swizzle_b{DE_DEYUV_CONVERSION, "PLANE2_SWIZZLE_B"},
    plane2_swizzle_g{DE_DEYUV_CONVERSION, "PLANE2_SWIZZLE_G"},
    plane2_swizzle_r{DE_DEYUV_CONVERSION, "PLANE2_SWIZZLE_R"},
    plane2_swizzle_a{DE_DEYUV_CONVERSION, "PLANE2_SWIZZLE_A"},
    plane3_swizzle_b{DE_DEYUV_CONVERSION, "PLANE3_SWIZZLE_B"},
    plane3_swizzle_g{DE_DEYUV_CONVERSION, "PLANE3_SWIZZLE_G"},
    plane3_swizzle_r{DE_DEYUV_CONVERSION, "PLANE3_SWIZZLE_R"},
    plane3_swizzle_a{DE_DEYUV_CONVERSION, "PLANE3_SWIZZLE_A"};
} // namespace deyuv_conversion

namespace general_config {
inline constexpr DeField supertile_version{DE_GENERAL_CONFIG, "SUPERTILE_VERSION"};
} // namespace general_config

namespace dest_config_ex {
inline constexpr DeField yuv{DE_DEST_CONFIG_EX, "YUV"}, uv_swizzle{DE_DEST_CONFIG_EX, "UV_SWIZZLE"},
    dc_compression{DE_DEST_CONFIG_EX, "DC_COMPRESSION"},
    conversion_config{DE_DEST_CONFIG_EX, "CONVERSION_CONFIG"},
    normalization{DE_DEST_CONFIG_EX, "NORMALIZATION"};
} // namespace dest_config_ex

namespace walker_config {
inline constexpr DeField disable_multi_src_v2{DE_WALKER_CONFIG, "DISABLE_MULTI_SRC_V2"};
} // namespace walker_config

} // namespace de

} // namespace pixmill::vivante
