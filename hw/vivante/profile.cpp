// SPDX-License-Identifier: GPL-2.0-or-later
#include "profile.hpp"

#include <cstring>
#include <iterator>

#include "offsets.hpp"

namespace pixmill::vivante {
namespace {

// AM57xx TRM GCDEBUGCONTROL0..3; signatures from galcore's hang dump.
struct Mux {
    uint32_t read;   ///< PROFILE_*_READ
    uint32_t config; ///< PROFILE_CONFIGn
    unsigned shift;  ///< of the selector byte
    uint32_t signature;
};

constexpr Mux muxes[] = {
    {0x450, 0x470, 0, 0xBABEF00D},  // FE
    {0x458, 0x470, 8, 0xBABEF00D},  // DE
    {0x454, 0x470, 16, 0xBABEF00D}, // PE
    {0x45C, 0x470, 24, 0xDEADBEEF}, // SH
    {0x460, 0x474, 0, 0x0000AAAA},  // PA
    {0x464, 0x474, 8, 0x5E5E5E5E},  // SE
    {0x448, 0x474, 16, 0x12344321}, // RA
    {0x44C, 0x474, 24, 0x12211221}, // TX
    {0x468, 0x478, 0, 0x12345678},  // MC
    {0x46C, 0x478, 8, 0xAAAAAAAA},  // HI
    {0x564, 0x478, 16, 0},          // L2: no signature is known
};
static_assert(std::size(muxes) == PIXMILL_VIVANTE_PROFILE_MODULES);

constexpr uint32_t select_signature = 0x0F;
constexpr uint32_t fe_link_stack_entry = 0x0D;
constexpr uint32_t fe_link_stack_pointers = 0x0E;

uint32_t selector(const Mux& mux, uint32_t config) {
    return config >> mux.shift & 0xFF;
}

} // namespace

uint32_t Profile::read(uint32_t offset) const {
    for (size_t module = 0; module < std::size(muxes); module++) {
        const Mux& mux = muxes[module];
        if (mux.read != offset)
            continue;
        const uint32_t select = selector(mux, s_.reg[mux.config / 4]);
        if (select == select_signature)
            return mux.signature;
        if (module == size_t(Module::fe)) {
            if (select == fe_link_stack_entry)
                return s_.fe_link_address[s_.fe_link_read];
            if (select == fe_link_stack_pointers)
                return (s_.fe_link_depth & 0xF) << 4 | s_.fe_link_read;
        }
        return s_.profile[module][select % PIXMILL_VIVANTE_PROFILE_SIGNALS];
    }
    return 0; // PROFILE_BLT_READ: no BLT engine
}

void Profile::configure(uint32_t offset, uint32_t before, uint32_t after) {
    for (size_t module = 0; module < std::size(muxes); module++) {
        const Mux& mux = muxes[module];
        if (mux.config != offset || selector(mux, after) != select_signature)
            continue;
        std::memset(s_.profile[module], 0, sizeof s_.profile[module]);
        // galcore steps the link stack's read pointer by writing 0 and 0xF in turn.
        if (module == size_t(Module::fe) && selector(mux, before) == 0)
            s_.fe_link_read = (s_.fe_link_read + 1) % PIXMILL_VIVANTE_LINK_STACK;
    }
}

void Profile::reset() {
    std::memset(s_.profile, 0, sizeof s_.profile);
}

} // namespace pixmill::vivante
