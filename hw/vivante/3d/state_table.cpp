// SPDX-License-Identifier: GPL-2.0-or-later
//
// Names, addresses and fields: rnndb state.xml, state_3d.xml. Fields that a block decodes are
// defined in its states.hpp.
#include "state_table.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "vivante/3d/fe/states.hpp"
#include "vivante/3d/gl_states.hpp"
#include "vivante/3d/pa/states.hpp"
#include "vivante/3d/pe/states.hpp"
#include "vivante/3d/ra/states.hpp"
#include "vivante/3d/rs/states.hpp"
#include "vivante/3d/sh/states.hpp"
#include "vivante/3d/te/states.hpp"
#include "vivante/3d/ts/states.hpp"
#include "vivante/offsets.hpp"

namespace pixmill::vivante {

namespace {

constexpr auto real = StateRow::Holds::real, pointer = StateRow::Holds::address;

constexpr Field slot0{"REG0", 5, 0}, slot1{"REG1", 13, 8}, slot2{"REG2", 21, 16},
    slot3{"REG3", 29, 24};
constexpr Field temps{"NUM_TEMPS", 5, 0};

// clang-format off
constexpr StateRow rows[] = {
    // FE
    {FE_VERTEX_ELEMENT_CONFIG, most_elements, "FE_VERTEX_ELEMENT_CONFIG",
     {fe::vertex_element_config::type, fe::vertex_element_config::endian,
      fe::vertex_element_config::nonconsecutive, fe::vertex_element_config::stream,
      fe::vertex_element_config::num, fe::vertex_element_config::normalize, fe::vertex_element_config::start,
      fe::vertex_element_config::end}},
    {0x0640, 1, "FE_CMD_STREAM_BASE_ADDR", pointer},
    {FE_INDEX_STREAM_BASE_ADDR, 1, "FE_INDEX_STREAM_BASE_ADDR", pointer},
    {FE_INDEX_STREAM_CONTROL, 1, "FE_INDEX_STREAM_CONTROL",
     {fe::index_stream_control::type, fe::index_stream_control::primitive_restart}},
    {FE_VERTEX_STREAM_BASE_ADDR, 1, "FE_VERTEX_STREAM_BASE_ADDR", pointer},
    {FE_VERTEX_STREAM_CONTROL, 1, "FE_VERTEX_STREAM_CONTROL",
     {fe::vertex_stream_control::stride, fe::vertex_stream_control::divisor}},
    {0x0670, 1, "FE_AUTO_FLUSH"},
    {FE_PRIMITIVE_RESTART_INDEX, 1, "FE_PRIMITIVE_RESTART_INDEX"},
    {FE_VERTEX_STREAMS_BASE_ADDR, 8, "FE_VERTEX_STREAMS_BASE_ADDR", pointer},
    {FE_VERTEX_STREAMS_CONTROL, 8, "FE_VERTEX_STREAMS_CONTROL",
     {fe::vertex_stream_control::stride, fe::vertex_stream_control::divisor}},
    {FE_GENERIC_ATTRIB_SCALE, most_elements, "FE_GENERIC_ATTRIB_SCALE", real},
    {FE_HALTI5_ID_CONFIG, 1, "FE_HALTI5_ID_CONFIG",
     {fe::id_config::vertex_enable, fe::id_config::instance_enable, fe::id_config::vertex_reg,
      fe::id_config::instance_reg}},
    {0x07D0, 2, "HALTI5_UNK007D0"},
    {0x07D8, 1, "HALTI5_UNK007D8"},
    {0x07DC, 1, "DESC_START", pointer},
    {0x07E0, 1, "DESC_END", pointer},
    {0x07E4, 1, "DESC_AVAIL"},
    {0x07E8, 1, "FENCE_WAIT_DATA_LOW"},
    {0x07F4, 1, "FENCE_WAIT_DATA_HIGH"},
    {0x07F8, 1, "INDEX_STREAM_ROBUSTNESS"},

    // VS
    {VS_END_PC, 1, "VS_END_PC"},
    {VS_OUTPUT_COUNT, 1, "VS_OUTPUT_COUNT",
     {vs::output_count::count, vs::output_count::output16_reg, vs::output_count::output17_reg}},
    {VS_INPUT_COUNT, 1, "VS_INPUT_COUNT",
     {vs::input_count::count, Field{"UNK8", 12, 8}, vs::input_count::id_enable}},
    {0x080C, 1, "VS_TEMP_REGISTER_CONTROL", {temps}},
    {VS_OUTPUT, 4, "VS_OUTPUT", {slot0, slot1, slot2, slot3}},
    {VS_INPUT, 4, "VS_INPUT", {slot0, slot1, slot2, slot3}},
    {0x0830, 1, "VS_LOAD_BALANCING",
     {Field{"A", 7, 0}, Field{"B", 15, 8}, Field{"C", 23, 16}, Field{"D", 31, 24}}},
    {0x0834, 1, "VS_PERF_COUNTER"},
    {VS_START_PC, 1, "VS_START_PC"},
    {VS_RANGE, 1, "VS_RANGE", {sh::range::low, sh::range::high}},
    {0x0860, 1, "VS_UNIFORM_CACHE", {Field{"FLUSH", 0}, Field{"PS", 4}, Field{"RTNE", 12}}},
    {VS_UNIFORM_BASE, 1, "VS_UNIFORM_BASE"},
    {VS_ICACHE_CONTROL, 1, "VS_ICACHE_CONTROL",
     {vs::icache_control::enable, vs::icache_control::flush_vs, vs::icache_control::flush_ps}},
    {VS_INST_ADDR, 1, "VS_INST_ADDR", pointer},
    {0x0870, 1, "VS_HALTI5_OUTPUT_COUNT", {Field{"COUNT", 7, 0}, Field{"COUNT_TIMES_16", 18, 8}}},
    {VS_NEWRANGE_LOW, 1, "VS_NEWRANGE_LOW"},
    {0x0878, 1, "VS_NEWRANGE_HIGH"},
    {PS_NEWRANGE_LOW, 1, "PS_NEWRANGE_LOW"},
    {0x0880, 1, "PS_NEWRANGE_HIGH"},
    {0x088C, 1, "VS_ICACHE_PREFETCH"},
    {0x0890, 1, "VS_ICACHE_PREFETCH_INSTRUCTIONS"},
    {0x08A0, 1, "VS_HALTI5_UNK008A0"},
    {VS_SAMPLER_BASE, 1, "VS_SAMPLER_BASE"},
    {ICACHE_INVALIDATE, 1, "ICACHE_INVALIDATE"},
    {VS_HALTI5_RANGE_HIGH, 1, "VS_HALTI5_RANGE_HIGH"},
    {VS_HALTI5_INPUT, 8, "VS_HALTI5_INPUT", {slot0, slot1, slot2, slot3}},
    {VS_HALTI5_OUTPUT, 8, "VS_HALTI5_OUTPUT", {slot0, slot1, slot2, slot3}},

    // PA
    {PA_VIEWPORT_SCALE_X, 1, "PA_VIEWPORT_SCALE_X", real},
    {PA_VIEWPORT_SCALE_Y, 1, "PA_VIEWPORT_SCALE_Y", real},
    {PA_VIEWPORT_SCALE_Z, 1, "PA_VIEWPORT_SCALE_Z", real},
    {PA_VIEWPORT_OFFSET_X, 1, "PA_VIEWPORT_OFFSET_X", real},
    {PA_VIEWPORT_OFFSET_Y, 1, "PA_VIEWPORT_OFFSET_Y", real},
    {PA_VIEWPORT_OFFSET_Z, 1, "PA_VIEWPORT_OFFSET_Z", real},
    {PA_LINE_WIDTH, 1, "PA_LINE_WIDTH", real},
    {PA_POINT_SIZE, 1, "PA_POINT_SIZE", real},
    {PA_SYSTEM_MODE, 1, "PA_SYSTEM_MODE", {pa::system_mode::provoking_vertex_last, pa::system_mode::half_pixel_center}},
    {PA_W_CLIP_LIMIT, 1, "PA_W_CLIP_LIMIT", real},
    {PA_ATTRIBUTE_ELEMENT_COUNT, 1, "PA_ATTRIBUTE_ELEMENT_COUNT", {Field{"UNK0", 7, 0}, pa::attribute_element_count::count}},
    {PA_CONFIG, 1, "PA_CONFIG",
     {pa::config::point_size_enable, pa::config::point_sprite_enable, pa::config::cull_face_mode,
      pa::config::fill_mode, pa::config::shade_model, pa::config::wide_line}},
    {PA_WIDE_LINE_WIDTH0, 1, "PA_WIDE_LINE_WIDTH0", real},
    {0x0A3C, 1, "PA_WIDE_LINE_WIDTH1", real},
    {PA_SHADER_ATTRIBUTES, 16, "PA_SHADER_ATTRIBUTES",
     {pa::shader_attributes::bypass_flat, Field{"UNK4", 7, 4}, Field{"UNK8", 11, 8}}},
    {0x0A80, 1, "PA_VIEWPORT_UNK00A80"},
    {0x0A84, 1, "PA_VIEWPORT_UNK00A84", real},
    {PA_FLAGS, 1, "PA_FLAGS", {Field{"UNK24", 24}, pa::flags::zconvert_bypass}},
    {0x0A8C, 1, "PA_ZFARCLIPPING"},
    {PA_VARYING_NUM_COMPONENTS, 4, "PA_VARYING_NUM_COMPONENTS"},
    {0x0AA8, 1, "PA_VS_OUTPUT_COUNT"},

    // SE
    {SE_SCISSOR_LEFT, 1, "SE_SCISSOR_LEFT", real},
    {SE_SCISSOR_TOP, 1, "SE_SCISSOR_TOP", real},
    {SE_SCISSOR_RIGHT, 1, "SE_SCISSOR_RIGHT", real},
    {SE_SCISSOR_BOTTOM, 1, "SE_SCISSOR_BOTTOM", real},
    {SE_DEPTH_SCALE, 1, "SE_DEPTH_SCALE", real},
    {SE_DEPTH_BIAS, 1, "SE_DEPTH_BIAS", real},
    {SE_CONFIG, 1, "SE_CONFIG", {se::config::last_pixel_enable}},
    {0x0C20, 1, "SE_CLIP_RIGHT", real},
    {0x0C24, 1, "SE_CLIP_BOTTOM", real},

    // RA
    {0x0E00, 1, "RA_CONTROL", {Field{"UNK0", 0}, Field{"LAST_VARYING_2X", 1}}},
    {0x0E04, 1, "RA_MULTISAMPLE_UNK00E04"},
    {RA_EARLY_DEPTH, 1, "RA_EARLY_DEPTH",
     {ra::early_depth::test_enable, Field{"UNK4", 5, 4}, Field{"HDEPTH_DISABLE", 24},
      Field{"LATE_DEPTH_MSAA", 25}, Field{"FORWARD_W", 26}, ra::early_depth::write_disable}},
    {RA_MULTISAMPLE_UNK00E10, 4, "RA_MULTISAMPLE_UNK00E10"},
    {0x0E20, 1, "RA_HDEPTH_CONTROL", {Field{"UNK0", 0}, Field{"COMPARE", 14, 12}}},
    {RA_CENTROID_TABLE, 16, "RA_CENTROID_TABLE"},

    // PS
    {PS_END_PC, 1, "PS_END_PC"},
    {PS_OUTPUT_REG, 1, "PS_OUTPUT_REG",
     {Field{"RT0", 6, 0}, Field{"RT1", 14, 8}, Field{"RT2", 22, 16}, Field{"RT3", 30, 24}}},
    {PS_INPUT_COUNT, 1, "PS_INPUT_COUNT",
     {Field{"COUNT", 4, 0}, Field{"UNK8", 12, 8}, Field{"DUAL16", 16}}},
    {0x100C, 1, "PS_TEMP_REGISTER_CONTROL", {temps}},
    {PS_CONTROL, 1, "PS_CONTROL",
     {ps::control::bypass, ps::control::saturate_rt[0], ps::control::saturate_rt[1],
      ps::control::saturate_rt[2], ps::control::saturate_rt[3], ps::control::rt_count}},
    {0x1014, 1, "PS_PERF_COUNTER"},
    {PS_START_PC, 1, "PS_START_PC"},
    {PS_RANGE, 1, "PS_RANGE", {sh::range::low, sh::range::high}},
    {PS_UNIFORM_BASE, 1, "PS_UNIFORM_BASE"},
    {PS_INST_ADDR, 1, "PS_INST_ADDR", pointer},
    {PS_OUTPUT_REG2, 1, "PS_OUTPUT_REG2"},
    {PS_CONTROL_EXT, 1, "PS_CONTROL_EXT"},
    {0x103C, 1, "HALTI3_UNK0103C"},
    {0x1048, 1, "PS_ICACHE_PREFETCH"},
    {0x1054, 1, "PS_MSAA_CONFIG",
     {Field{"SAMPLE_MASK", 3, 0, 7}, Field{"SAMPLE_MASK_ENABLE", 8, 8, 11}, Field{"ALPHA_TO_COVERAGE", 12, 12, 15},
      Field{"SAMPLE_COVERAGE_INVERT", 16, 16, 19}, Field{"SAMPLE_COVERAGE_VALUE", 24, 20, 27},
      Field{"SAMPLE_COVERAGE", 28, 28, 31}}},
    {PS_SAMPLER_BASE, 1, "PS_SAMPLER_BASE"},
    {0x1060, 8, "ALPHA_TO_COVERAGE_DITHER"},
    {0x1080, 4, "PS_VARYING_NUM_COMPONENTS"},
    {PS_HALTI5_RANGE_HIGH, 1, "PS_HALTI5_RANGE_HIGH"},
    {0x1094, 1, "PS_ICACHE_COUNT"},

    // PE
    {PE_DEPTH_CONFIG, 1, "PE_DEPTH_CONFIG",
     {pe::depth_config::mode, pe::depth_config::format, pe::depth_config::func, pe::depth_config::write_enable,
      pe::depth_config::early_z, pe::depth_config::unk18, pe::depth_config::only_depth,
      pe::depth_config::disable_zs, pe::depth_config::super_tiled}},
    {PE_DEPTH_NEAR, 1, "PE_DEPTH_NEAR", real},
    {PE_DEPTH_FAR, 1, "PE_DEPTH_FAR", real},
    {PE_DEPTH_NORMALIZE, 1, "PE_DEPTH_NORMALIZE", real},
    {PE_DEPTH_ADDR, 1, "PE_DEPTH_ADDR", pointer},
    {PE_DEPTH_STRIDE, 1, "PE_DEPTH_STRIDE"},
    {PE_STENCIL_OP, 1, "PE_STENCIL_OP",
     {pe::stencil_op::func_front, pe::stencil_op::pass_front, pe::stencil_op::fail_front,
      pe::stencil_op::depth_fail_front, pe::stencil_op::func_back, pe::stencil_op::pass_back,
      pe::stencil_op::fail_back, pe::stencil_op::depth_fail_back}},
    {PE_STENCIL_CONFIG, 1, "PE_STENCIL_CONFIG",
     {pe::stencil_config::mode, pe::stencil_config::ref_front, pe::stencil_config::mask_front,
      pe::stencil_config::write_mask_front}},
    {PE_ALPHA_OP, 1, "PE_ALPHA_OP", {pe::alpha_op::alpha_test, pe::alpha_op::alpha_func, pe::alpha_op::alpha_ref}},
    {PE_ALPHA_BLEND_COLOR, 1, "PE_ALPHA_BLEND_COLOR",
     {pe::alpha_blend_color::b, pe::alpha_blend_color::g, pe::alpha_blend_color::r, pe::alpha_blend_color::a}},
    {PE_ALPHA_CONFIG, 1, "PE_ALPHA_CONFIG",
     {pe::alpha_config::blend_enable_color, pe::alpha_config::src_func_color,
      pe::alpha_config::dst_func_color, pe::alpha_config::eq_color, pe::alpha_config::blend_separate_alpha,
      pe::alpha_config::src_func_alpha, pe::alpha_config::dst_func_alpha, pe::alpha_config::eq_alpha}},
    {PE_COLOR_FORMAT, 1, "PE_COLOR_FORMAT",
     {pe::color_format::format, pe::color_format::components, pe::color_format::overwrite,
      pe::color_format::super_tiled, pe::color_format::format_ext}},
    {PE_COLOR_ADDR, 1, "PE_COLOR_ADDR", pointer},
    {PE_COLOR_STRIDE, 1, "PE_COLOR_STRIDE"},
    {PE_HDEPTH_CONTROL, 1, "PE_HDEPTH_CONTROL", {Field{"FORMAT", 3, 0}}},
    {0x1458, 1, "PE_HDEPTH_ADDR", pointer},
    {PE_PIPE_COLOR_ADDR, 8, "PE_PIPE_COLOR_ADDR", pointer},
    {PE_PIPE_DEPTH_ADDR, 8, "PE_PIPE_DEPTH_ADDR", pointer},
    {PE_STENCIL_CONFIG_EXT, 1, "PE_STENCIL_CONFIG_EXT",
     {pe::stencil_config_ext::ref_back, pe::stencil_config_ext::extra_alpha_ref}},
    {PE_LOGIC_OP, 1, "PE_LOGIC_OP",
     {pe::logic_op::op, pe::logic_op::dither_mode, pe::logic_op::single_buffer, pe::logic_op::srgb}},
    {PE_DITHER, 2, "PE_DITHER"},
    {PE_ALPHA_COLOR_EXT0, 2, "PE_ALPHA_COLOR_EXT"},
    {PE_STENCIL_CONFIG_EXT2, 1, "PE_STENCIL_CONFIG_EXT2",
     {pe::stencil_config_ext2::mask_back, pe::stencil_config_ext2::write_mask_back}},
    {PE_MEM_CONFIG, 1, "PE_MEM_CONFIG", {pe::mem_config::color_ts_mode, pe::mem_config::depth_ts_mode}},
    {0x14C0, 1, "PE_HALTI4_UNK014C0"},
    {PE_RT_ADDR_4_PIPE, 24, "PE_RT_ADDR_4_PIPE", pointer},
    {PE_RT_CONFIG_4, 3, "PE_RT_CONFIG_4",
     {pe::rt_config_4::stride, pe::rt_config_4::format, pe::rt_config_4::super_tiled}},

    // RS
    {RS_KICKER, 1, "RS_KICKER"},
    {RS_CONFIG, 1, "RS_CONFIG",
     {rs::config::source_format, rs::config::downsample_x, rs::config::downsample_y, rs::config::source_tiled, rs::config::dest_format,
      rs::config::dest_tiled, rs::config::swap_rb, rs::config::flip}},
    {RS_SOURCE_ADDR, 1, "RS_SOURCE_ADDR", pointer},
    {RS_SOURCE_STRIDE, 1, "RS_SOURCE_STRIDE", {rs::surface_stride::stride, rs::surface_stride::super_tiled_new, rs::surface_stride::ts_mode,
      rs::surface_stride::multi, rs::surface_stride::tiling}},
    {RS_DEST_ADDR, 1, "RS_DEST_ADDR", pointer},
    {RS_DEST_STRIDE, 1, "RS_DEST_STRIDE", {rs::surface_stride::stride, rs::surface_stride::super_tiled_new, rs::surface_stride::ts_mode,
      rs::surface_stride::multi, rs::surface_stride::tiling}},
    {RS_WINDOW_SIZE, 1, "RS_WINDOW_SIZE", {rs::window_size::width, rs::window_size::height}},
    {0x1630, 2, "RS_DITHER"},
    {RS_CLEAR_CONTROL, 1, "RS_CLEAR_CONTROL", {rs::clear_control::bits, rs::clear_control::mode}},
    {RS_FILL_VALUE, 4, "RS_FILL_VALUE"},

    // TS, and the remaining states of the RS
    {0x1650, 1, "TS_FLUSH_CACHE", {Field{"FLUSH", 0}}},
    {TS_MEM_CONFIG, 1, "TS_MEM_CONFIG",
     {ts::mem_config::depth_fast_clear, ts::mem_config::color_fast_clear, Field{"DEPTH_16BPP", 3},
      Field{"DEPTH_AUTO_DISABLE", 4}, Field{"COLOR_AUTO_DISABLE", 5}, Field{"DEPTH_COMPRESSION", 6},
      Field{"COLOR_COMPRESSION", 7}, Field{"COLOR_COMPRESSION_FORMAT", 11, 8},
      Field{"HDEPTH_AUTO_DISABLE", 13}, Field{"STENCIL_ENABLE", 14}, ts::mem_config::bpp64}},
    {TS_COLOR_STATUS_BASE, 1, "TS_COLOR_STATUS_BASE", pointer},
    {TS_COLOR_SURFACE_BASE, 1, "TS_COLOR_SURFACE_BASE", pointer},
    {TS_COLOR_CLEAR_VALUE, 1, "TS_COLOR_CLEAR_VALUE"},
    {TS_DEPTH_STATUS_BASE, 1, "TS_DEPTH_STATUS_BASE", pointer},
    {TS_DEPTH_SURFACE_BASE, 1, "TS_DEPTH_SURFACE_BASE", pointer},
    {TS_DEPTH_CLEAR_VALUE, 1, "TS_DEPTH_CLEAR_VALUE"},
    {0x1670, 1, "TS_DEPTH_AUTO_DISABLE_COUNT"},
    {0x1674, 1, "TS_COLOR_AUTO_DISABLE_COUNT"},
    {RS_EXTRA_CONFIG, 1, "RS_EXTRA_CONFIG",
     {rs::extra_config::aa, rs::extra_config::endian, rs::extra_config::ts_mode}},
    {0x16A4, 1, "TS_HDEPTH_STATUS_BASE", pointer},
    {0x16A8, 1, "TS_HDEPTH_CLEAR_VALUE"},
    {0x16AC, 1, "TS_HDEPTH_SIZE"},
    {RS_KICKER_INPLACE, 1, "RS_KICKER_INPLACE"},
    {RS_SINGLE_BUFFER, 1, "RS_SINGLE_BUFFER", {rs::single_buffer::enable, rs::single_buffer::one_sample}},
    {TS_COLOR_CLEAR_VALUE_EXT, 1, "TS_COLOR_CLEAR_VALUE_EXT"},
    {RS_PIPE_SOURCE_ADDR, 8, "RS_PIPE_SOURCE_ADDR", pointer},
    {RS_PIPE_DEST_ADDR, 8, "RS_PIPE_DEST_ADDR", pointer},
    {RS_PIPE_OFFSET, 8, "RS_PIPE_OFFSET", {rs::pipe_offset::x, rs::pipe_offset::y}},
    {TS_SAMPLER_CONFIG, 8, "TS_SAMPLER_CONFIG",
     {ts::sampler_config::enable, Field{"COMPRESSION", 1}, Field{"FORMAT", 7, 4}}},
    {TS_SAMPLER_STATUS_BASE, 8, "TS_SAMPLER_STATUS_BASE", pointer},
    {TS_SAMPLER_CLEAR_VALUE, 8, "TS_SAMPLER_CLEAR_VALUE"},
    {TS_SAMPLER_CLEAR_VALUE2, 8, "TS_SAMPLER_CLEAR_VALUE2"},
    {TS_RT_CONFIG, 8, "TS_RT_CONFIG", {ts::rt_config::enable, Field{"AUTO_DISABLE", 1}, Field{"COMPRESSION", 2},
      Field{"FORMAT", 6, 3}, Field{"64BPP", 7}}},
    {TS_RT_STATUS_BASE, 8, "TS_RT_STATUS_BASE", pointer},
    {TS_RT_SURFACE_BASE, 8, "TS_RT_SURFACE_BASE", pointer},
    {TS_RT_CLEAR_VALUE, 8, "TS_RT_CLEAR_VALUE"},
    {TS_RT_CLEAR_VALUE2, 8, "TS_RT_CLEAR_VALUE2"},
    {0x1A40, 8, "TS_RT_AUTO_DISABLE_COUNT"},
    {TS_SAMPLER_SURFACE_BASE, 8, "TS_SAMPLER_SURFACE_BASE", pointer},

    // TE
    {TE_SAMPLER_CONFIG0, te::te_bank.count, "TE_SAMPLER_CONFIG0",
     {te::config0::type, te::config0::uwrap, te::config0::vwrap, te::config0::min,
      te::config0::mip, te::config0::mag, te::config0::format, te::config0::round_uv,
      te::config0::addressing_mode, te::config0::endian, te::config0::anisotropy}},
    {TE_SAMPLER_SIZE, te::te_bank.count, "TE_SAMPLER_SIZE", {te::size::width, te::size::height}},
    {TE_SAMPLER_LOG_SIZE, te::te_bank.count, "TE_SAMPLER_LOG_SIZE",
     {te::log_size::width, te::log_size::height, te::log_size::astc, te::log_size::int_filter,
      te::log_size::srgb}},
    {TE_SAMPLER_LOD_CONFIG, te::te_bank.count, "TE_SAMPLER_LOD_CONFIG",
     {te::lod_config::bias_enable, te::lod_config::max, te::lod_config::min, te::lod_config::bias}},
    {TE_SAMPLER_3D_CONFIG, te::te_bank.count, "TE_SAMPLER_3D_CONFIG",
     {te::config_3d::depth, te::config_3d::log_depth, te::config_3d::wrap}},
    {TE_SAMPLER_CONFIG1, te::te_bank.count, "TE_SAMPLER_CONFIG1",
     {te::config1::format_ext, te::config1::swizzle_r, te::config1::swizzle_g,
      te::config1::swizzle_b, te::config1::swizzle_a, te::config1::ts_mode,
      te::config1::texture_array, te::config1::seamless_cube_map, te::config1::halign,
      te::config1::use_ts}},
    {TE_SAMPLER_LOD_ADDR, 16 * te::level_count, "TE_SAMPLER_LOD_ADDR", pointer},
    {TE_SAMPLER_LINEAR_STRIDE, 16 * te::level_count, "TE_SAMPLER_LINEAR_STRIDE"},

    // GL: the states that the 3D engine owns
    {GL_VERTEX_ELEMENT_CONFIG, 1, "GL_VERTEX_ELEMENT_CONFIG", {Field{"UNK0", 0}, Field{"REUSE", 4}}},
    {GL_MULTI_SAMPLE_CONFIG, 1, "GL_MULTI_SAMPLE_CONFIG",
     {gl::multi_sample_config::msaa_samples, gl::multi_sample_config::msaa_enables,
      gl::multi_sample_config::unk12, gl::multi_sample_config::unk16}},
    {GL_VARYING_TOTAL_COMPONENTS, 1, "GL_VARYING_TOTAL_COMPONENTS", {Field{"NUM", 7, 0}}},
    {GL_VARYING_NUM_COMPONENTS, 1, "GL_VARYING_NUM_COMPONENTS"},
    {GL_OCCLUSION_QUERY_ADDR, 1, "GL_OCCLUSION_QUERY_ADDR", pointer},
    {GL_VARYING_COMPONENT_USE0, 2, "GL_VARYING_COMPONENT_USE"},
    {GL_OCCLUSION_QUERY_CONTROL, 1, "GL_OCCLUSION_QUERY_CONTROL"},
    {GL_VARYING_NUM_COMPONENTS2, 1, "GL_VARYING_NUM_COMPONENTS2"},
    {GL_VARYING_COMPONENT_USE2, 1, "GL_VARYING_COMPONENT_USE2"},
    {GL_VARYING_COMPONENT_USE3, 1, "GL_VARYING_COMPONENT_USE3"},
    {GL_BUG_FIXES, 1, "GL_BUG_FIXES"},
    {GL_USC_CONTROL, 1, "GL_USC_CONTROL"},
    {GL_HALTI5_SH_SPECIALS, 1, "GL_HALTI5_SH_SPECIALS", {gl::sh_specials::vs_psize_out, gl::sh_specials::ps_pcoord_in}},
    {GL_HALTI5_SHADER_ATTRIBUTES, 16, "GL_HALTI5_SHADER_ATTRIBUTES"},

    // SH
    {VS_INST_MEM, 1024, "VS_INST_MEM"},
    {VS_UNIFORMS, 1024, "VS_UNIFORMS", real},
    {PS_INST_MEM, 1024, "PS_INST_MEM"},
    {PS_UNIFORMS, 1024, "PS_UNIFORMS", real},
    {SH_INST_MEM_MIRROR, 4096, "SH_INST_MEM_MIRROR"},
    {SH_INST_MEM, 2048, "SH_INST_MEM"},

    // NTE
    {NTE_SAMPLER_CONFIG0, te::nte_bank.count, "NTE_SAMPLER_CONFIG0",
     {te::config0::type, te::config0::uwrap, te::config0::vwrap, te::config0::min,
      te::config0::mip, te::config0::mag, te::config0::format, te::config0::round_uv,
      te::config0::addressing_mode, te::config0::endian, te::config0::anisotropy}},
    {NTE_SAMPLER_SIZE, te::nte_bank.count, "NTE_SAMPLER_SIZE", {te::size::width, te::size::height}},
    {NTE_SAMPLER_LOG_SIZE, te::nte_bank.count, "NTE_SAMPLER_LOG_SIZE",
     {te::log_size::width, te::log_size::height, te::log_size::astc, te::log_size::int_filter,
      te::log_size::srgb}},
    {NTE_SAMPLER_LOD_CONFIG, te::nte_bank.count, "NTE_SAMPLER_LOD_CONFIG",
     {te::lod_config::bias_enable, te::lod_config::max, te::lod_config::min, te::lod_config::bias}},
    {NTE_SAMPLER_LINEAR_STRIDE, te::nte_bank.count, "NTE_SAMPLER_LINEAR_STRIDE"},
    {NTE_SAMPLER_3D_CONFIG, te::nte_bank.count, "NTE_SAMPLER_3D_CONFIG",
     {te::config_3d::depth, te::config_3d::log_depth, te::config_3d::wrap}},
    {NTE_SAMPLER_CONFIG1, te::nte_bank.count, "NTE_SAMPLER_CONFIG1",
     {te::config1::format_ext, te::config1::swizzle_r, te::config1::swizzle_g,
      te::config1::swizzle_b, te::config1::swizzle_a, te::config1::ts_mode,
      te::config1::texture_array, te::config1::seamless_cube_map, te::config1::halign,
      te::config1::use_ts}},
    {NTE_SAMPLER_BASELOD, te::nte_bank.count, "NTE_SAMPLER_BASELOD",
     {te::base_lod::base, te::base_lod::max, te::base_lod::compare_enable, te::base_lod::compare_func,
      te::base_lod::enable}},
    {NTE_SAMPLER_LOD_ADDR, 16 * te::nte_bank.count, "NTE_SAMPLER_LOD_ADDR", pointer},

    // NFE
    {NFE_VERTEX_STREAMS_BASE_ADDR, most_streams, "NFE_VERTEX_STREAMS_BASE_ADDR", pointer},
    {NFE_VERTEX_STREAMS_CONTROL, most_streams, "NFE_VERTEX_STREAMS_CONTROL",
     {fe::nfe_vertex_stream_control::stride}},
    {NFE_VERTEX_STREAMS_VERTEX_DIVISOR, most_streams, "NFE_VERTEX_STREAMS_VERTEX_DIVISOR"},

    // PE: targets from 1 on
    {PE_RT_ADDR_8_PIPE, 56, "PE_RT_ADDR_8_PIPE", pointer},
    {PE_RT_CONFIG_8, 7, "PE_RT_CONFIG_8",
     {pe::rt_config_4::stride, pe::rt_config_4::format, pe::rt_config_4::super_tiled_new,
      pe::rt_config_4::super_tiled, pe::rt_config_4::srgb}},
    {PE_HALTI5_RT_COLORMASK, 7, "PE_HALTI5_RT_COLORMASK", {pe::rt_colormask::components, pe::rt_colormask::overwrite}},
    {0x14940, 7, "PE_HALTI5_RT_ALPHA_OP"},
    {PE_HALTI5_RT_ALPHA_CONFIG, 7, "PE_HALTI5_RT_ALPHA_CONFIG"},
    {PE_HALTI5_RT_ALPHA_COLOR_EXT0, 7, "PE_HALTI5_RT_ALPHA_COLOR_EXT0"},
    {PE_HALTI5_RT_ALPHA_COLOR_EXT1, 7, "PE_HALTI5_RT_ALPHA_COLOR_EXT1"},
    {0x149C0, 8, "PE_RT_ROBUSTNESS"},

    // NTE: descriptors
    {NTE_DESCRIPTOR_CONTROL, 1, "NTE_DESCRIPTOR_CONTROL", {te::descriptor_control::enable}},
    {NTE_DESCRIPTOR_FLUSH, 1, "NTE_DESCRIPTOR_FLUSH"},
    {NTE_DESCRIPTOR_INVALIDATE, 1, "NTE_DESCRIPTOR_INVALIDATE", {Field{"IDX", 8, 0}}},
    {SH_CONFIG, 1, "SH_CONFIG", {sh::config::rtne_rounding, sh::config::dual16}},
    {0x15604, 1, "VS_ICACHE_COUNT"},
    {NTE_DESCRIPTOR_ADDR, 128, "NTE_DESCRIPTOR_ADDR", pointer},
    {NTE_DESCRIPTOR_TX_CTRL, 128, "NTE_DESCRIPTOR_TX_CTRL",
     {te::tx_ctrl::ts_mode, te::tx_ctrl::ts_enable, te::tx_ctrl::ts_index, te::tx_ctrl::compression,
      te::tx_ctrl::tile_128b}},
    {NTE_DESCRIPTOR_SAMP_CTRL0, 128, "NTE_DESCRIPTOR_SAMP_CTRL0",
     {te::samp_ctrl0::uwrap, te::samp_ctrl0::vwrap, te::samp_ctrl0::wwrap, te::samp_ctrl0::min, te::samp_ctrl0::mip,
      te::samp_ctrl0::mag, te::samp_ctrl0::stencil_mode, te::samp_ctrl0::compare_enable, te::samp_ctrl0::compare_func,
      te::samp_ctrl0::int_filter}},
    {NTE_DESCRIPTOR_SAMP_CTRL1, 128, "NTE_DESCRIPTOR_SAMP_CTRL1", {te::samp_ctrl1::srgb}},
    {NTE_DESCRIPTOR_SAMP_LOD_MINMAX, 128, "NTE_DESCRIPTOR_SAMP_LOD_MINMAX",
     {te::samp_lod_minmax::max, te::samp_lod_minmax::min}},
    {NTE_DESCRIPTOR_SAMP_LOD_BIAS, 128, "NTE_DESCRIPTOR_SAMP_LOD_BIAS",
     {te::samp_lod_bias::bias, te::samp_lod_bias::enable}},
    {NTE_DESCRIPTOR_SAMP_ANISOTROPY, 128, "NTE_DESCRIPTOR_SAMP_ANISOTROPY"},

    // NFE: elements of HALTI5
    {NFE_GENERIC_ATTRIB_CONFIG0, 32, "NFE_GENERIC_ATTRIB_CONFIG0",
     {fe::vertex_element_config::type, fe::vertex_element_config::endian, fe::nfe_generic_attrib_config0::stream,
      fe::vertex_element_config::num, fe::vertex_element_config::normalize, fe::vertex_element_config::start}},
    {NFE_GENERIC_ATTRIB_SCALE, 32, "NFE_GENERIC_ATTRIB_SCALE", real},
    {NFE_GENERIC_ATTRIB_CONFIG1, 32, "NFE_GENERIC_ATTRIB_CONFIG1",
     {fe::nfe_generic_attrib_config1::end, fe::nfe_generic_attrib_config1::nonconsecutive}},

    // SH: uniforms
    {SH_UNIFORMS, 2048, "SH_UNIFORMS", real},
    {SH_UNIFORMS_MIRROR, 4096, "SH_UNIFORMS_MIRROR", real},
};
// clang-format on

constexpr bool in_order() {
    for (size_t i = 1; i < std::size(rows); i++)
        if (rows[i - 1].end() > rows[i].address)
            return false;
    return true;
}
static_assert(in_order(), "states overlap, or are not in their order");

/// Catches rows that lack a count and would thus use the constructor for 2D states, which drops
/// bits outside all fields.
constexpr bool keeps_all_bits(const StateRow& row) {
    uint32_t dropped = 0;
    for (const StateRow::Group& group : row.groups())
        dropped |= group.mask;
    return row.mask == ~dropped;
}
static_assert(std::ranges::all_of(rows, keeps_all_bits), "a row lacks its count");
static_assert(std::ranges::all_of(rows,
                                  [](const StateRow& row) {
                                      return row.groups().empty() || row.count == 1;
                                  }),
              "masked_rows knows the first word of a row only");

constexpr uint32_t last_masked = [] {
    uint32_t last = 0;
    for (const StateRow& row : rows)
        if (!row.groups().empty())
            last = row.address;
    return last;
}();

/// For each address: 1 + the index of its row if the state has mask bits, else 0.
constexpr auto masked_rows = [] {
    std::array<uint8_t, last_masked / 4 + 1> map{};
    for (size_t i = 0; i < std::size(rows); i++)
        if (!rows[i].groups().empty())
            map[rows[i].address / 4] = uint8_t(i + 1);
    return map;
}();
static_assert(std::size(rows) < 256);

} // namespace

std::span<const StateRow> states_3d() {
    return rows;
}

const StateRow* find_3d_state(uint32_t address) {
    const auto* const after = std::ranges::upper_bound(rows, address, {}, &StateRow::address);
    return after != rows && address < after[-1].end() ? after - 1 : nullptr;
}

uint32_t masked_write(uint32_t address, uint32_t old, uint32_t value) {
    if (address > last_masked || !masked_rows[address / 4])
        return value;
    return rows[masked_rows[address / 4] - 1].merge(old, value);
}

} // namespace pixmill::vivante
