// Storage of states, with masked registers and the count of active vertex elements.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "states.hpp"

#include "vivante_3d.hpp"

namespace pixmill::reference {

uint32_t from_fixed_point(uint32_t word) {
    return std::bit_cast<uint32_t>(static_cast<float>(static_cast<int32_t>(word)) / 65536.0f);
}

namespace vivante_3d {

namespace {

/// A field that keeps its value if a write sets its mask bit.
struct MaskedField {
    uint32_t address;
    unsigned mask_bit;
    uint32_t field;
};

constexpr MaskedField masked_fields[] = {
    {PA_CONFIG, 3, 0x00000004},
    {PA_CONFIG, 5, 0x00000010},
    {PA_CONFIG, 10, 0x00000300},
    {PA_CONFIG, 14, 0x00003000},
    {PA_CONFIG, 18, 0x00030000},
    {PA_CONFIG, 23, 0x00400000},
    {PE_DEPTH_CONFIG, 3, 0x00000003},
    {PE_DEPTH_CONFIG, 5, 0x00000010},
    {PE_DEPTH_CONFIG, 11, 0x00000700},
    {PE_DEPTH_CONFIG, 13, 0x00001000},
    {PE_DEPTH_CONFIG, 17, 0x00010000},
    {PE_DEPTH_CONFIG, 19, 0x00040000},
    {PE_DEPTH_CONFIG, 21, 0x00100000},
    {PE_DEPTH_CONFIG, 25, 0x01000000},
    {PE_DEPTH_CONFIG, 27, 0x04000000},
    {PE_STENCIL_OP, 3, 0x00000007},
    {PE_STENCIL_OP, 7, 0x00000070},
    {PE_STENCIL_OP, 11, 0x00000700},
    {PE_STENCIL_OP, 15, 0x00007000},
    {PE_STENCIL_OP, 19, 0x00070000},
    {PE_STENCIL_OP, 23, 0x00700000},
    {PE_STENCIL_OP, 27, 0x07000000},
    {PE_STENCIL_OP, 31, 0x70000000},
    {PE_STENCIL_CONFIG, 4, 0x00000003},
    {PE_STENCIL_CONFIG, 5, 0x0000FF00},
    {PE_STENCIL_CONFIG, 6, 0x00FF0000},
    {PE_STENCIL_CONFIG, 7, 0xFF000000},
    {PE_ALPHA_OP, 1, 0x00000001},
    {PE_ALPHA_OP, 7, 0x00000070},
    {PE_ALPHA_OP, 16, 0x0000FF00},
    {PE_ALPHA_CONFIG, 1, 0x00000001},
    {PE_ALPHA_CONFIG, 2, 0x000000F0},
    {PE_ALPHA_CONFIG, 3, 0x00000F00},
    {PE_ALPHA_CONFIG, 15, 0x00007000},
    {PE_ALPHA_CONFIG, 17, 0x00010000},
    {PE_ALPHA_CONFIG, 18, 0x00F00000},
    {PE_ALPHA_CONFIG, 19, 0x0F000000},
    {PE_ALPHA_CONFIG, 31, 0x70000000},
    {PE_COLOR_FORMAT, 4, 0x0000000F},
    {PE_COLOR_FORMAT, 12, 0x00000F00},
    {PE_COLOR_FORMAT, 17, 0x00010000},
    {PE_COLOR_FORMAT, 21, 0x00100000},
    {PE_COLOR_FORMAT, 31, 0x7F000000},
    {PE_STENCIL_CONFIG_EXT, 8, 0x000000FF},
    {PE_STENCIL_CONFIG_EXT, 9, 0xFFFF0000},
    {PE_LOGIC_OP, 4, 0x0000000F},
    {PE_LOGIC_OP, 7, 0x00000300},
    {PE_LOGIC_OP, 10, 0x00000060},
    {PE_LOGIC_OP, 30, 0x80000000},
    {GL_MULTI_SAMPLE_CONFIG, 3, 0x00000003},
    {GL_MULTI_SAMPLE_CONFIG, 8, 0x000000F0},
    {GL_MULTI_SAMPLE_CONFIG, 15, 0x00007000},
    {GL_MULTI_SAMPLE_CONFIG, 19, 0x00030000},
};

uint32_t kept_by(uint32_t address, uint32_t value) {
    constexpr uint32_t targets = 7; // after the first
    if (address >= HALTI5_RT_ALPHA_CONFIG && address < HALTI5_RT_ALPHA_CONFIG + 4 * targets)
        address = PE_ALPHA_CONFIG;
    uint32_t kept = 0;
    for (const MaskedField& masked : masked_fields)
        if (masked.address == address && value >> masked.mask_bit & 1)
            kept |= masked.field;
    return kept;
}

} // namespace

States::States() {
    for (unsigned sampler = 0; sampler < samplers; sampler++)
        words_[(TE_SAMPLER_CONFIG1 + 4 * sampler) / 4] = 0x00321000; // the identity swizzle
    for (unsigned sampler = 0; sampler < nte_samplers; sampler++)
        words_[(NTE_SAMPLER_CONFIG1 + 4 * sampler) / 4] = 0x00321000;
    words_[RA_EARLY_DEPTH / 4] = 0x17000031;
    words_[PE_LOGIC_OP / 4] = 0x000E400C;
    for (unsigned element = 0; element < 32; element++)
        words_[(NFE_GENERIC_ATTRIB_SCALE + 4 * element) / 4] = 0x3F800000;
    for (unsigned element = 0; element < 16; element++)
        words_[(FE_GENERIC_ATTRIB_SCALE + 4 * element) / 4] = 0x3F800000;
}

void States::write(uint32_t address, uint32_t value) {
    if (address / 4 >= words_.size())
        return;
    uint32_t& word = words_[without_mirrors(address) / 4];
    const uint32_t kept = kept_by(address, value);
    word = (word & kept) | (value & ~kept);

    count_elements(FE_VERTEX_ELEMENT_CONFIG, fe_elements_, address);
    count_elements(NFE_GENERIC_ATTRIB_CONFIG0, nfe_elements_, address);
    last_address_ = address;
}

void States::count_elements(uint32_t first, unsigned& count, uint32_t address) const {
    if (address == first)
        count = 1;
    else if (address == first + 4 * count && last_address_ == address - 4 && count < 16)
        count++;
}

} // namespace vivante_3d
} // namespace pixmill::reference
