// States of the 3D engine: names, addresses (rnndb state_3d.xml) and storage.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace pixmill::reference::vivante_3d {

enum Address : uint32_t {
    FE_VERTEX_ELEMENT_CONFIG = 0x0600,
    FE_INDEX_STREAM_BASE_ADDR = 0x0644,
    FE_INDEX_STREAM_CONTROL = 0x0648,
    FE_PRIMITIVE_RESTART_INDEX = 0x0674,
    FE_VERTEX_STREAMS_BASE_ADDR = 0x0680,
    FE_VERTEX_STREAMS_CONTROL = 0x06A0,

    FE_GENERIC_ATTRIB_SCALE = 0x0780,
    FE_HALTI5_ID_CONFIG = 0x07C4,

    VS_OUTPUT_COUNT = 0x0804,
    VS_INPUT_COUNT = 0x0808,
    VS_OUTPUT = 0x0810,
    VS_INPUT = 0x0820,
    VS_RANGE = 0x085C,
    VS_UNIFORM_BASE = 0x0864,
    ICACHE_CONTROL = 0x0868,
    VS_INST_ADDR = 0x086C,
    VS_SAMPLER_BASE = 0x08A8,
    VS_NEWRANGE_LOW = 0x0874,
    PS_NEWRANGE_LOW = 0x087C,
    VS_HALTI5_RANGE_HIGH = 0x08BC,
    VS_HALTI5_INPUT = 0x08C0,
    VS_HALTI5_OUTPUT = 0x08E0,

    PA_VIEWPORT_SCALE_X = 0x0A00,
    PA_VIEWPORT_SCALE_Y = 0x0A04,
    PA_VIEWPORT_SCALE_Z = 0x0A08,
    PA_VIEWPORT_OFFSET_X = 0x0A0C,
    PA_VIEWPORT_OFFSET_Y = 0x0A10,
    PA_VIEWPORT_OFFSET_Z = 0x0A14,
    PA_LINE_WIDTH = 0x0A18,
    PA_POINT_SIZE = 0x0A1C,
    PA_SYSTEM_MODE = 0x0A28,
    PA_W_CLIP_LIMIT = 0x0A2C,
    PA_ATTRIBUTE_ELEMENT_COUNT = 0x0A30,
    PA_CONFIG = 0x0A34,
    PA_SHADER_ATTRIBUTES = 0x0A40,
    PA_FLAGS = 0x0A88,

    SE_SCISSOR_LEFT = 0x0C00,
    SE_SCISSOR_TOP = 0x0C04,
    SE_SCISSOR_RIGHT = 0x0C08,
    SE_SCISSOR_BOTTOM = 0x0C0C,
    SE_DEPTH_SCALE = 0x0C10,
    SE_DEPTH_BIAS = 0x0C14,
    SE_CONFIG = 0x0C18,

    RA_EARLY_DEPTH = 0x0E08,
    RA_MULTISAMPLE_UNK00E10 = 0x0E10,
    RA_CENTROID_TABLE = 0x0E40,

    PS_OUTPUT_REG = 0x1004,
    PS_CONTROL = 0x1010,
    PS_OUTPUT_REG2 = 0x102C,
    PS_CONTROL_EXT = 0x1030,
    PS_SAMPLER_BASE = 0x1058,
    PS_VARYING_NUM_COMPONENTS = 0x1080,
    PS_HALTI5_RANGE_HIGH = 0x1090,
    PS_RANGE = 0x101C,
    PS_UNIFORM_BASE = 0x1024,
    PS_INST_ADDR = 0x1028,

    PE_DEPTH_CONFIG = 0x1400,
    PE_DEPTH_NORMALIZE = 0x140C,
    PE_DEPTH_ADDR = 0x1410,
    PE_DEPTH_STRIDE = 0x1414,
    PE_STENCIL_OP = 0x1418,
    PE_STENCIL_CONFIG = 0x141C,
    PE_ALPHA_OP = 0x1420,
    PE_ALPHA_BLEND_COLOR = 0x1424,
    PE_ALPHA_CONFIG = 0x1428,
    PE_COLOR_FORMAT = 0x142C,
    PE_COLOR_ADDR = 0x1430,
    PE_COLOR_STRIDE = 0x1434,
    PE_PIPE_COLOR_ADDR = 0x1460,
    PE_PIPE_DEPTH_ADDR = 0x1480,
    PE_STENCIL_CONFIG_EXT = 0x14A0,
    PE_LOGIC_OP = 0x14A4,
    PE_ALPHA_COLOR_EXT0 = 0x14B0,
    PE_ALPHA_COLOR_EXT1 = 0x14B4,
    PE_STENCIL_CONFIG_EXT2 = 0x14B8,
    PE_MEM_CONFIG = 0x14BC,
    PE_RT_ADDR_4_PIPE = 0x1500,
    PE_RT_CONFIG_4 = 0x1580,
    PE_RT_ADDR_8_PIPE = 0x14800,
    PE_RT_CONFIG_8 = 0x14900,
    HALTI5_RT_COLORMASK = 0x14920,
    HALTI5_RT_ALPHA_CONFIG = 0x14960,
    HALTI5_RT_ALPHA_COLOR_EXT0 = 0x14980,
    HALTI5_RT_ALPHA_COLOR_EXT1 = 0x149A0,

    RS_KICKER = 0x1600,
    RS_CONFIG = 0x1604,
    RS_SOURCE_ADDR = 0x1608,
    RS_SOURCE_STRIDE = 0x160C,
    RS_DEST_ADDR = 0x1610,
    RS_DEST_STRIDE = 0x1614,
    RS_WINDOW_SIZE = 0x1620,
    RS_CLEAR_CONTROL = 0x163C,
    RS_FILL_VALUE = 0x1640,
    RS_EXTRA_CONFIG = 0x16A0,
    RS_KICKER_INPLACE = 0x16B0,
    RS_SINGLE_BUFFER = 0x16B8,
    RS_PIPE_SOURCE_ADDR = 0x16C0,
    RS_PIPE_DEST_ADDR = 0x16E0,
    RS_PIPE_OFFSET = 0x1700,

    TS_MEM_CONFIG = 0x1654,
    TS_COLOR_STATUS_BASE = 0x1658,
    TS_COLOR_SURFACE_BASE = 0x165C,
    TS_COLOR_CLEAR_VALUE = 0x1660,
    TS_DEPTH_STATUS_BASE = 0x1664,
    TS_DEPTH_SURFACE_BASE = 0x1668,
    TS_DEPTH_CLEAR_VALUE = 0x166C,
    TS_COLOR_CLEAR_VALUE_EXT = 0x16BC,
    TS_SAMPLER_CONFIG = 0x1720,
    TS_SAMPLER_STATUS_BASE = 0x1740,
    TS_SAMPLER_CLEAR_VALUE = 0x1760,
    TS_SAMPLER_CLEAR_VALUE2 = 0x1780,
    TS_RT_CONFIG = 0x17A0,
    TS_RT_STATUS_BASE = 0x17C0,
    TS_RT_SURFACE_BASE = 0x17E0,
    TS_RT_CLEAR_VALUE = 0x1A00,
    TS_RT_CLEAR_VALUE2 = 0x1A20,
    TS_SAMPLER_SURFACE_BASE = 0x1A80,

    TE_SAMPLER_CONFIG0 = 0x2000,
    TE_SAMPLER_SIZE = 0x2040,
    TE_SAMPLER_LOG_SIZE = 0x2080,
    TE_SAMPLER_LOD_CONFIG = 0x20C0,
    TE_SAMPLER_3D_CONFIG = 0x2180,
    TE_SAMPLER_CONFIG1 = 0x21C0,
    TE_SAMPLER_LOD_ADDR = 0x2400,
    TE_SAMPLER_LINEAR_STRIDE = 0x2C00,

    NTE_SAMPLER_CONFIG0 = 0x10000,
    NTE_SAMPLER_SIZE = 0x10080,
    NTE_SAMPLER_LOG_SIZE = 0x10100,
    NTE_SAMPLER_LOD_CONFIG = 0x10180,
    NTE_SAMPLER_LINEAR_STRIDE = 0x10280,
    NTE_SAMPLER_3D_CONFIG = 0x10300,
    NTE_SAMPLER_CONFIG1 = 0x10380,
    NTE_SAMPLER_BASELOD = 0x10700,
    NTE_SAMPLER_LOD_ADDR = 0x10800,

    NFE_VERTEX_STREAMS_BASE_ADDR = 0x14600,
    NFE_VERTEX_STREAMS_CONTROL = 0x14640,
    NFE_VERTEX_STREAMS_VERTEX_DIVISOR = 0x14680,
    NTE_DESCRIPTOR_CONTROL = 0x14C40,
    NTE_DESCRIPTOR_ADDR = 0x15C00,
    NTE_DESCRIPTOR_TX_CTRL = 0x15E00,
    NTE_DESCRIPTOR_SAMP_CTRL0 = 0x16C00,
    NTE_DESCRIPTOR_SAMP_CTRL1 = 0x16E00,
    NTE_DESCRIPTOR_SAMP_LOD_MINMAX = 0x17000,
    NTE_DESCRIPTOR_SAMP_LOD_BIAS = 0x17200,
    NTE_DESCRIPTOR_SAMP_ANISOTROPY = 0x17400,
    NFE_GENERIC_ATTRIB_CONFIG0 = 0x17800,
    NFE_GENERIC_ATTRIB_SCALE = 0x17A00,

    GL_MULTI_SAMPLE_CONFIG = 0x3818,
    GL_VARYING_NUM_COMPONENTS = 0x3820,
    GL_OCCLUSION_QUERY_ADDR = 0x3824,
    GL_VARYING_COMPONENT_USE = 0x3828,
    GL_OCCLUSION_QUERY_CONTROL = 0x3830,
    GL_VARYING_NUM_COMPONENTS2 = 0x3834,
    GL_HALTI5_SH_SPECIALS = 0x3888,
    GL_HALTI5_SHADER_ATTRIBUTES = 0x38C0,

    VS_UNIFORMS = 0x5000,
    PS_UNIFORMS = 0x7000,
    SH_INST_MEM = 0xC000,  ///< shared by both stages
    SH_UNIFORMS = 0x30000, ///< shared by both stages, from HALTI1
};

constexpr unsigned samplers = 12;     ///< of the TE bank
constexpr unsigned nte_samplers = 32; ///< from HALTI1: of the NTE bank, or descriptors
constexpr unsigned instructions = 512;

constexpr uint32_t bits(uint32_t word, unsigned high, unsigned low) {
    return word >> low & ((2u << (high - low)) - 1);
}

/// Returns the address of a state that another window shows, too: instructions at 0x8000 and the
/// uniforms of HALTI5 at 0x34000 and 0x36000.
constexpr uint32_t without_mirrors(uint32_t address) {
    if (address >= 0x8000 && address < SH_INST_MEM)
        return SH_INST_MEM + address % 0x2000;
    if (address >= 0x34000 && address < 0x38000)
        return SH_UNIFORMS + address % 0x2000;
    return address;
}

class States {
public:
    States();

    /// Fields whose mask bit is set in `value` keep their value. Writes outside the 256 KiB of
    /// states are dropped.
    void write(uint32_t address, uint32_t value);

    uint32_t operator[](uint32_t address) const {
        const uint32_t word = without_mirrors(address) / 4;
        return word < words_.size() ? words_[word] : 0;
    }
    uint32_t field(uint32_t address, unsigned high, unsigned low) const {
        return bits((*this)[address], high, low);
    }
    bool bit(uint32_t address, unsigned number) const { return field(address, number, number); }
    float real(uint32_t address) const { return std::bit_cast<float>((*this)[address]); }
    /// Returns byte `number` of an array of states that hold four bytes each.
    uint32_t byte(uint32_t address, unsigned number) const {
        return (*this)[address + number / 4 * 4] >> number % 4 * 8 & 0xFF;
    }

    /// Returns the number of elements in the last run of consecutive writes that started at
    /// FE_VERTEX_ELEMENT_CONFIG or NFE_GENERIC_ATTRIB_CONFIG0.
    unsigned vertex_elements(uint32_t first = FE_VERTEX_ELEMENT_CONFIG) const {
        return first == FE_VERTEX_ELEMENT_CONFIG ? fe_elements_ : nfe_elements_;
    }

private:
    void count_elements(uint32_t first, unsigned& count, uint32_t address) const;

    std::array<uint32_t, 0x10000> words_{};
    unsigned fe_elements_ = 0, nfe_elements_ = 0;
    uint32_t last_address_ = 0;
};

} // namespace pixmill::reference::vivante_3d
