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
    Field selector;  ///< of the counter, there
    uint32_t signature;
};

constexpr Mux muxes[] = {
    {PROFILE_FE_READ, PROFILE_CONFIG0, {"FE", 7, 0}, 0xBABEF00D},
    {PROFILE_DE_READ, PROFILE_CONFIG0, {"DE", 15, 8}, 0xBABEF00D},
    {PROFILE_PE_READ, PROFILE_CONFIG0, {"PE", 23, 16}, 0xBABEF00D},
    {PROFILE_SH_READ, PROFILE_CONFIG0, {"SH", 31, 24}, 0xDEADBEEF},
    {PROFILE_PA_READ, PROFILE_CONFIG1, {"PA", 7, 0}, 0x0000AAAA},
    {PROFILE_SE_READ, PROFILE_CONFIG1, {"SE", 15, 8}, 0x5E5E5E5E},
    {PROFILE_RA_READ, PROFILE_CONFIG1, {"RA", 23, 16}, 0x12344321},
    {PROFILE_TX_READ, PROFILE_CONFIG1, {"TX", 31, 24}, 0x12211221},
    {PROFILE_MC_READ, PROFILE_CONFIG2, {"MC", 7, 0}, 0x12345678},
    {PROFILE_HI_READ, PROFILE_CONFIG2, {"HI", 15, 8}, 0xAAAAAAAA},
    {PROFILE_L2_READ, PROFILE_CONFIG2, {"L2", 23, 16}, 0}, // no signature is known
};
static_assert(std::size(muxes) == PIXMILL_VIVANTE_PROFILE_MODULES);

constexpr uint32_t select_signature = 0x0F;
constexpr uint32_t fe_link_stack_entry = 0x0D;
constexpr uint32_t fe_link_stack_pointers = 0x0E;
constexpr Field stack_depth{"", 7, 4}, stack_read{"", 3, 0}; ///< of these

} // namespace

uint32_t Profile::read(uint32_t offset) const {
    for (size_t module = 0; module < std::size(muxes); module++) {
        const Mux& mux = muxes[module];
        if (mux.read != offset)
            continue;
        const uint32_t select = mux.selector(s_.reg[mux.config / 4]);
        if (select == select_signature)
            return mux.signature;
        if (module == size_t(Module::fe)) {
            if (select == fe_link_stack_entry)
                return s_.fe_link_address[s_.fe_link_read];
            if (select == fe_link_stack_pointers)
                return stack_depth.put(s_.fe_link_depth) | stack_read.put(s_.fe_link_read);
        }
        return s_.profile[module][select % PIXMILL_VIVANTE_PROFILE_SIGNALS];
    }
    return 0; // PROFILE_BLT_READ: no BLT engine
}

void Profile::configure(uint32_t offset, uint32_t before, uint32_t after) {
    for (size_t module = 0; module < std::size(muxes); module++) {
        const Mux& mux = muxes[module];
        if (mux.config != offset || mux.selector(after) != select_signature)
            continue;
        std::memset(s_.profile[module], 0, sizeof s_.profile[module]);
        // galcore steps the link stack's read pointer by writing 0 and 0xF in turn.
        if (module == size_t(Module::fe) && mux.selector(before) == 0)
            s_.fe_link_read = (s_.fe_link_read + 1) % PIXMILL_VIVANTE_LINK_STACK;
    }
}

void Profile::reset() {
    std::memset(s_.profile, 0, sizeof s_.profile);
}

} // namespace pixmill::vivante
