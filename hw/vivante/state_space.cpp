// SPDX-License-Identifier: GPL-2.0-or-later
//
// Source of blocks and addresses: rnndb state.xml of etna_viv.
#include "state_space.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "offsets.hpp"
#include "pixmill/vivante.h"
#include "vivante/2d/states.hpp"
#include "vivante/3d/state_table.hpp"

namespace pixmill::vivante {
namespace {

/// A range of states. It ends where the next one starts.
struct Block {
    uint32_t first;
    Owner owner;
    const char* name;
};

constexpr Block blocks[] = {
    {0x00000, Owner::alias, "HI"},
    {0x00600, Owner::engine_3d, "FE"},
    {0x00800, Owner::engine_3d, "VS/CL/PA/SE/RA"},
    {0x01000, Owner::engine_3d, "PS"},
    {de_first, Owner::engine_2d, "DE"},
    {0x01400, Owner::engine_3d, "PE"},
    {0x01600, Owner::engine_3d, "RS/TS"},
    {DE_FILTER_KERNEL, Owner::engine_2d, "FILTER_KERNEL"},
    {0x01A00, Owner::engine_3d, "TS"},
    {0x01B00, Owner::none, ""},
    {DE_INDEX_COLOR_TABLE, Owner::engine_2d, "INDEX_COLOR_TABLE"},
    {0x02000, Owner::engine_3d, "TE"},
    {DE_HORI_FILTER_KERNEL, Owner::engine_2d, "HORI_FILTER_KERNEL"},
    {DE_VERTI_FILTER_KERNEL, Owner::engine_2d, "VERTI_FILTER_KERNEL"},
    {0x02C00, Owner::engine_3d, "TE"},
    {0x03000, Owner::stored, "CO"},
    {DE_INDEX_COLOR_TABLE32, Owner::engine_2d, "INDEX_COLOR_TABLE32"},
    {GL_PIPE_SELECT, Owner::gl, "GL"},
    {0x04000, Owner::engine_3d, "SH"},
    {0x10000, Owner::engine_3d, "NTE"},
    {DE_BLOCK4, Owner::engine_2d, "DE_MULTI_SOURCE"},
    {0x13000, Owner::none, ""},
    {0x13800, Owner::stored, "DE_GAMMA"},
    {0x14000, Owner::stored, "BLT"},
    {0x14600, Owner::engine_3d, "NFE"},
    {0x14800, Owner::engine_3d, "PE"},
    {0x14A00, Owner::none, ""},
    {0x14C00, Owner::engine_3d, "NTE"},
    {0x14C80, Owner::none, ""},
    {0x15600, Owner::engine_3d, "SH"},
    {0x15680, Owner::none, ""},
    {0x15800, Owner::engine_3d, "NTE"},
    {0x17600, Owner::none, ""},
    {0x17800, Owner::engine_3d, "NFE"},
    {0x17B00, Owner::none, ""},
    {0x1C000, Owner::stored, "TFB"},
    {0x1D000, Owner::none, ""},
    {0x30000, Owner::engine_3d, "SH"},
    {0x38000, Owner::none, ""},
};

static_assert(std::ranges::is_sorted(blocks, {}, &Block::first));

constexpr uint32_t granule = 128; // the start of each block is a multiple of this

constexpr auto owners = [] {
    std::array<Owner, 4 * PIXMILL_VIVANTE_STATE_WORDS / granule> map{};
    for (const Block& block : blocks)
        std::fill(map.begin() + block.first / granule, map.end(), block.owner);
    return map;
}();

/// GL states that the front end handles or the 3D engine reads.
constexpr struct {
    uint32_t address;
    const char* name;
    Owner owner = Owner::gl;
    uint32_t count = 1; ///< words
} gl_states[] = {
    {GL_PIPE_SELECT, "PIPE_SELECT"},
    {GL_EVENT, "EVENT"},
    {GL_SEMAPHORE_TOKEN, "SEMAPHORE_TOKEN"},
    {GL_FLUSH_CACHE, "FLUSH_CACHE"},
    {GL_FLUSH_MMU, "FLUSH_MMU"},
    {GL_VERTEX_ELEMENT_CONFIG, "VERTEX_ELEMENT_CONFIG"},
    {GL_MULTI_SAMPLE_CONFIG, "MULTI_SAMPLE_CONFIG", Owner::engine_3d},
    {GL_VARYING_TOTAL_COMPONENTS, "VARYING_TOTAL_COMPONENTS", Owner::engine_3d},
    {GL_VARYING_NUM_COMPONENTS, "VARYING_NUM_COMPONENTS", Owner::engine_3d},
    {GL_OCCLUSION_QUERY_ADDR, "OCCLUSION_QUERY_ADDR", Owner::engine_3d},
    {GL_VARYING_COMPONENT_USE0, "VARYING_COMPONENT_USE0", Owner::engine_3d},
    {GL_VARYING_COMPONENT_USE1, "VARYING_COMPONENT_USE1", Owner::engine_3d},
    {GL_OCCLUSION_QUERY_CONTROL, "OCCLUSION_QUERY_CONTROL", Owner::engine_3d},
    {GL_VARYING_NUM_COMPONENTS2, "VARYING_NUM_COMPONENTS2", Owner::engine_3d},
    {GL_VARYING_COMPONENT_USE2, "VARYING_COMPONENT_USE2", Owner::engine_3d},
    {GL_UNK3848, "(unnamed)"}, // galcore writes it after configuring the MMU
    {GL_API_MODE, "API_MODE"},
    {GL_CONTEXT_POINTER, "CONTEXT_POINTER"},
    {GL_VARYING_COMPONENT_USE3, "VARYING_COMPONENT_USE3", Owner::engine_3d},
    {GL_BUG_FIXES, "BUG_FIXES", Owner::engine_3d},
    {GL_FENCE_OUT_ADDRESS, "FENCE_OUT_ADDRESS"},
    {GL_FENCE_OUT_DATA_LOW, "FENCE_OUT_DATA_LOW"},
    {GL_USC_CONTROL, "USC_CONTROL", Owner::engine_3d},
    {GL_HALTI5_SH_SPECIALS, "HALTI5_SH_SPECIALS", Owner::engine_3d},
    {GL_FENCE_OUT_DATA_HIGH, "FENCE_OUT_DATA_HIGH"},
    {GL_SHADER_INDEX, "SHADER_INDEX", Owner::engine_3d},
    {GL_HALTI5_SHADER_ATTRIBUTES, "HALTI5_SHADER_ATTRIBUTES", Owner::engine_3d, 16},
    {GL_SECURITY_UNK3900, "SECURITY", Owner::engine_3d, 2},
    {GL_STALL_TOKEN, "STALL_TOKEN"},
};

const auto* find_gl_state(uint32_t a) {
    const auto* const at = std::ranges::find_if(
        gl_states, [a](const auto& s) { return a >= s.address && a < s.address + 4 * s.count; });
    return at == std::end(gl_states) ? nullptr : at;
}

} // namespace

Owner owner_of(uint32_t a) {
    if (a >= STATE_DUMMY)
        return Owner::dummy;
    const Owner owner = owners[a / granule];
    if (owner == Owner::gl) {
        const auto* const gl = find_gl_state(a);
        return gl ? gl->owner : Owner::none;
    }
    const bool unknown =
        owner == Owner::engine_2d && a >= de_first && a <= de_last && !find_de_state(a);
    return unknown ? Owner::none : owner;
}

const char* state_name(uint32_t a) {
    if (const StateRow* de = find_de_state(a))
        return de->name;
    if (const auto* gl = find_gl_state(a))
        return gl->name;
    if (const StateRow* state = find_3d_state(a))
        return state->name;
    if (a >= STATE_DUMMY)
        return "DUMMY";
    return std::prev(std::ranges::upper_bound(blocks, a, {}, &Block::first))->name;
}

} // namespace pixmill::vivante
