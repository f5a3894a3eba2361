// SPDX-License-Identifier: GPL-2.0-or-later
#include "masked_states.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "vivante/3d/pe/states.hpp"
#include "vivante/offsets.hpp"

namespace pixmill::vivante {

namespace {

constexpr uint32_t PA_CONFIG = 0x0A34;

struct Row {
    uint32_t address;
    std::array<MaskedField, 9> fields;
};

constexpr MaskedField end{"", 0, 0}; ///< behind the last

// clang-format off
constexpr Row rows[] = {
    {PA_CONFIG, {{
        {"POINT_SIZE_ENABLE", 2, 3}, {"POINT_SPRITE_ENABLE", 4, 5}, {"CULL_FACE_MODE", 9, 8, 10},
        {"FILL_MODE", 13, 12, 14}, {"SHADE_MODEL", 17, 16, 18}, {"WIDE_LINE", 22, 23},
        end, end, end}}},
    {PE_DEPTH_CONFIG, {{
        depth_config::mode, depth_config::format, depth_config::func, depth_config::write_enable,
        depth_config::early_z, depth_config::unk18, depth_config::only_depth,
        depth_config::disable_zs, depth_config::super_tiled}}},
    {PE_STENCIL_OP, {{
        stencil_op::func_front, stencil_op::pass_front, stencil_op::fail_front,
        stencil_op::depth_fail_front, stencil_op::func_back, stencil_op::pass_back,
        stencil_op::fail_back, stencil_op::depth_fail_back, end}}},
    {PE_STENCIL_CONFIG, {{
        stencil_config::mode, stencil_config::ref_front, stencil_config::mask_front,
        stencil_config::write_mask_front, end, end, end, end, end}}},
    {PE_ALPHA_OP, {{
        alpha_op::alpha_test, alpha_op::alpha_func, alpha_op::alpha_ref,
        end, end, end, end, end, end}}},
    {PE_ALPHA_CONFIG, {{
        alpha_config::blend_enable_color, alpha_config::src_func_color,
        alpha_config::dst_func_color, alpha_config::eq_color, alpha_config::blend_separate_alpha,
        alpha_config::src_func_alpha, alpha_config::dst_func_alpha, alpha_config::eq_alpha, end}}},
    {PE_COLOR_FORMAT, {{
        color_format::format, color_format::components, color_format::overwrite,
        color_format::super_tiled, color_format::format_ext, end, end, end, end}}},
    {PE_STENCIL_CONFIG_EXT, {{
        stencil_config_ext::ref_back, stencil_config_ext::extra_alpha_ref,
        end, end, end, end, end, end, end}}},
    {PE_LOGIC_OP, {{
        logic_op::op, logic_op::dither_mode, logic_op::single_buffer, logic_op::srgb,
        end, end, end, end, end}}},
    {GL_MULTI_SAMPLE_CONFIG, {{
        {"MSAA_SAMPLES", 1, 0, 3}, {"MSAA_ENABLES", 7, 4, 8}, {"UNK12", 14, 12, 15},
        {"UNK16", 17, 16, 19}, end, end, end, end, end}}},
};
// clang-format on

constexpr uint32_t last = std::ranges::max(rows, {}, &Row::address).address;

/// 1 + the row of the state at each address, 0: none.
constexpr auto index = [] {
    std::array<uint8_t, last / 4 + 1> map{};
    for (size_t i = 0; i < std::size(rows); i++)
        map[rows[i].address / 4] = uint8_t(i + 1);
    return map;
}();

} // namespace

uint32_t masked_write(uint32_t address, uint32_t old, uint32_t value) {
    if (address > last || !index[address / 4])
        return value;
    uint32_t kept = 0, masks = 0;
    for (const MaskedField& field : rows[index[address / 4] - 1].fields) {
        if (!*field.name)
            break;
        masks |= 1u << field.mask_bit;
        if (value >> field.mask_bit & 1)
            kept |= field.mask();
    }
    return (old & kept) | (value & ~kept & ~masks);
}

} // namespace pixmill::vivante
