// SPDX-License-Identifier: GPL-2.0-or-later
#include "profile.hpp"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <iterator>

#include "offsets.hpp"

namespace pixmill::vivante {
namespace {

constexpr uint32_t select_signature = 0x0F;
constexpr uint32_t fe_link_stack_entry = 0x0D;
constexpr uint32_t fe_link_stack_pointers = 0x0E;
constexpr Field stack_depth{"", 7, 4}, stack_read{"", 3, 0}; ///< of fe_link_stack_pointers

/// Returns a mask with one bit for each signal.
constexpr uint32_t signals(std::initializer_list<uint32_t> modeled) {
    uint32_t bits = 0;
    for (const uint32_t signal : modeled)
        bits |= 1u << signal;
    return bits;
}

} // namespace

// A debug multiplexer (AM57xx TRM GCDEBUGCONTROL0..3). Signatures are from galcore's hang dump.
struct Profile::Mux {
    uint32_t read;   ///< offset of PROFILE_*_READ
    uint32_t config; ///< offset of PROFILE_CONFIGn
    Field selector;  ///< field of `config` that selects the signal
    uint32_t signature;
    // Modeled signals, as masks: on every core, and only on cores with a modeled 3D engine.
    uint32_t of_all, of_3d;
};

constexpr Profile::Mux Profile::muxes[] = {
    {PROFILE_FE_READ,
     PROFILE_CONFIG0,
     {"FE", 7, 0},
     0xBABEF00D,
     signals({fe_link_stack_entry, fe_link_stack_pointers}),
     signals({fe_current_prim, fe_draw_count, fe_out_vertex_count})},
    {PROFILE_DE_READ, PROFILE_CONFIG0, {"DE", 15, 8}, 0xBABEF00D, 0, 0},
    {PROFILE_PE_READ,
     PROFILE_CONFIG0,
     {"PE", 23, 16},
     0xBABEF00D,
     signals({pe_pixels_2d}),
     signals({0x0, 0x1, 0x2, 0x3})},
    {PROFILE_SH_READ,
     PROFILE_CONFIG0,
     {"SH", 31, 24},
     0xDEADBEEF,
     0,
     signals({0x7, 0x8, 0x9, 0xA, 0xC, 0xE})},
    {PROFILE_PA_READ,
     PROFILE_CONFIG1,
     {"PA", 7, 0},
     0x0000AAAA,
     0,
     signals({0x3, 0x4, 0x5, 0x6, 0x7, 0x8, 0x9})},
    {PROFILE_SE_READ, PROFILE_CONFIG1, {"SE", 15, 8}, 0x5E5E5E5E, 0, 0},
    {PROFILE_RA_READ, PROFILE_CONFIG1, {"RA", 23, 16}, 0x12344321, 0, signals({0, 1, 2, 3})},
    {PROFILE_TX_READ, PROFILE_CONFIG1, {"TX", 31, 24}, 0x12211221, 0, signals({0x3})},
    {PROFILE_MC_READ, PROFILE_CONFIG2, {"MC", 7, 0}, 0x12345678, 0, 0},
    {PROFILE_HI_READ, PROFILE_CONFIG2, {"HI", 15, 8}, 0xAAAAAAAA, 0, 0},
    {PROFILE_L2_READ, PROFILE_CONFIG2, {"L2", 23, 16}, 0, 0, 0}, // its signature is unknown
};

const Profile::Mux* Profile::find(uint32_t read_offset) {
    const auto* mux = std::ranges::find(muxes, read_offset, &Mux::read);
    return mux != std::end(muxes) ? mux : nullptr; // null for PROFILE_BLT_READ: no BLT engine
}

uint32_t Profile::read(uint32_t offset) const {
    const Mux* mux = find(offset);
    if (!mux)
        return 0;
    const uint32_t select = mux->selector(s_.reg[mux->config / 4]);
    if (select == select_signature)
        return mux->signature;
    return counted(*mux, select) + (mux->read == PROFILE_FE_READ ? fe_signal(select) : 0);
}

uint32_t Profile::counted(const Mux& mux, uint32_t select) const {
    return s_.profile[&mux - muxes][select % PIXMILL_VIVANTE_PROFILE_SIGNALS];
}

/// Returns an FE signal that is not in the stored counters: the link stack, or progress of the
/// current draw.
uint32_t Profile::fe_signal(uint32_t select) const {
    switch (select) {
    case fe_current_prim:
        return fe_progress.primitives.load(std::memory_order_relaxed);
    case fe_out_vertex_count:
        return fe_progress.vertices.load(std::memory_order_relaxed);
    case fe_link_stack_entry:
        return s_.fe_link_address[s_.fe_link_read];
    case fe_link_stack_pointers:
        return stack_depth.put(s_.fe_link_depth) | stack_read.put(s_.fe_link_read);
    default:
        return 0;
    }
}

/// Logs a selected signal that is not modeled. Signal 0 may be logged for a module that the guest
/// did not select: selecting a signal of another module in the same register writes 0 here (linux
/// etnaviv_perfmon.c), and a dump reads all modules.
void Profile::note_read(uint32_t offset, bool has_3d) {
    const Mux* mux = find(offset);
    if (!mux || !(selected_ >> (mux - muxes) & 1))
        return;
    const uint32_t select = mux->selector(s_.reg[mux->config / 4]);
    const uint32_t modeled = 1u << select_signature | mux->of_all | (has_3d ? mux->of_3d : 0);
    if (select < 32 && modeled >> select & 1)
        return;
    host_.unimplemented(Cause::unmodeled_register, offset << 8 | select,
                        "signal %u of %s, selected in register 0x%03x, is not modeled", select,
                        mux->selector.name, mux->config);
}

void Profile::configure(uint32_t offset, uint32_t before, uint32_t after) {
    for (size_t module = 0; module < std::size(muxes); module++) {
        const Mux& mux = muxes[module];
        if (mux.config != offset)
            continue;
        selected_ |= 1u << module;
        if (mux.selector(after) != select_signature)
            continue;
        std::memset(s_.profile[module], 0, sizeof s_.profile[module]);
        // galcore advances the read pointer of the link stack by alternately writing 0 and 0xF.
        if (module == size_t(Module::fe) && mux.selector(before) == 0)
            s_.fe_link_read = (s_.fe_link_read + 1) % PIXMILL_VIVANTE_LINK_STACK;
    }
}

void Profile::reset() {
    std::memset(s_.profile, 0, sizeof s_.profile);
    fe_progress.clear();
    selected_ = 0;
}

} // namespace pixmill::vivante
