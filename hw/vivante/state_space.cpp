// SPDX-License-Identifier: GPL-2.0-or-later
//
// Blocks and addresses: rnndb state.xml of etna_viv.
#include "state_space.hpp"

#include <array>

#include "offsets.hpp"
#include "vivante/2d/states.hpp"

namespace pixmill::vivante {
namespace {

struct Range {
    uint32_t first, last;
    Owner owner;
    const char* name;
};

constexpr Range ranges[] = {
    {0x00000, 0x005FF, Owner::alias, "HI"},
    {0x00600, 0x007FF, Owner::stored, "FE"},
    {0x00800, 0x00FFF, Owner::stored, "VS/CL/PA/SE/RA"},
    {0x01000, 0x011FF, Owner::stored, "PS"},
    {de_first, de_last, Owner::engine_2d, "DE"},
    {0x01400, 0x015FF, Owner::stored, "PE"},
    {0x01600, 0x017FF, Owner::stored, "RS/TS"},
    {DE_FILTER_KERNEL, 0x019FF, Owner::engine_2d, "FILTER_KERNEL"},
    {DE_INDEX_COLOR_TABLE, 0x01FFF, Owner::engine_2d, "INDEX_COLOR_TABLE"},
    {0x02000, 0x027FF, Owner::stored, "TE"},
    {DE_HORI_FILTER_KERNEL, 0x029FF, Owner::engine_2d, "HORI_FILTER_KERNEL"},
    {DE_VERTI_FILTER_KERNEL, 0x02BFF, Owner::engine_2d, "VERTI_FILTER_KERNEL"},
    {0x02C00, 0x02FFF, Owner::stored, "TE"},
    {0x03000, 0x033FF, Owner::stored, "CO"},
    {DE_INDEX_COLOR_TABLE32, 0x037FF, Owner::engine_2d, "INDEX_COLOR_TABLE32"},
    {GL_PIPE_SELECT, 0x03BFF, Owner::gl, "GL"},
    {GL_STALL_TOKEN, GL_STALL_TOKEN + 3, Owner::gl, "GL_STALL_TOKEN"},
    {0x04000, 0x0FFFF, Owner::stored, "SH"},
    {0x10000, 0x127FF, Owner::stored, "NTE"},
    {DE_BLOCK4, 0x12FFF, Owner::engine_2d, "DE_MULTI_SOURCE"},
    {0x13800, 0x13FFF, Owner::stored, "DE_GAMMA"},
    {0x14000, 0x145FF, Owner::stored, "BLT"},
    {0x14600, 0x147FF, Owner::stored, "NFE"},
    {STATE_DUMMY, STATE_DUMMY + 3, Owner::dummy, "DUMMY"},
};

// Owners by 128-byte block: every range begins and ends on one, but for two single words.
constexpr auto owners = [] {
    std::array<Owner, 0x40000 / 128> map{};
    for (const Range& range : ranges)
        for (uint32_t a = range.first & ~127u; a <= range.last; a += 128)
            map[a / 128] = range.owner;
    return map;
}();

struct GlName {
    uint32_t address;
    const char* name;
};

constexpr GlName gl_names[] = {
    {GL_PIPE_SELECT, "PIPE_SELECT"},
    {GL_EVENT, "EVENT"},
    {GL_SEMAPHORE_TOKEN, "SEMAPHORE_TOKEN"},
    {GL_FLUSH_CACHE, "FLUSH_CACHE"},
    {GL_FLUSH_MMU, "FLUSH_MMU"},
    {GL_VERTEX_ELEMENT_CONFIG, "VERTEX_ELEMENT_CONFIG"},
    {GL_MULTI_SAMPLE_CONFIG, "MULTI_SAMPLE_CONFIG"},
    {GL_OCCLUSION_QUERY_ADDR, "OCCLUSION_QUERY_ADDR"},
    {GL_API_MODE, "API_MODE"},
    {GL_CONTEXT_POINTER, "CONTEXT_POINTER"},
    {GL_UNK3848, "(unnamed)"}, // galcore writes it after it has configured the MMU
    {GL_FENCE_OUT_ADDRESS, "FENCE_OUT_ADDRESS"},
    {GL_FENCE_OUT_DATA_LOW, "FENCE_OUT_DATA_LOW"},
    {GL_FENCE_OUT_DATA_HIGH, "FENCE_OUT_DATA_HIGH"},
    {GL_STALL_TOKEN, "STALL_TOKEN"},
};

const char* gl_name(uint32_t a) {
    for (const GlName& gl : gl_names)
        if (gl.address == a)
            return gl.name;
    return nullptr;
}

} // namespace

Owner owner_of(uint32_t a) {
    if (a >= STATE_DUMMY)
        return Owner::dummy;
    const Owner owner = owners[a / 128];
    const bool unknown =
        (owner == Owner::engine_2d && a >= de_first && a <= de_last && !find_de_state(a)) ||
        (owner == Owner::gl && !gl_name(a)) || owner == Owner::dummy;
    return unknown ? Owner::none : owner;
}

const char* state_name(uint32_t a) {
    if (const DeState* de = find_de_state(a))
        return de->name;
    if (const char* gl = gl_name(a))
        return gl;
    for (const Range& range : ranges)
        if (a >= range.first && a <= range.last)
            return range.name;
    return "";
}

} // namespace pixmill::vivante
