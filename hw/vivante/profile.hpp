// Debug multiplexers, which select the signals that the PROFILE_*_READ registers return.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <atomic>
#include <cstdint>

#include "host.hpp"
#include "pixmill/vivante.h"

namespace pixmill::vivante {

/// Modules in the order of PixmillVivanteState.profile, which is also the order of their selector
/// bytes in PROFILE_CONFIG0 to 2.
enum class Module : uint8_t { fe, de, pe, sh, pa, se, ra, tx, mc, hi, l2 };

/// PE signal 0xB: number of pixels drawn by 2D operations (linux etnaviv_perfmon.c).
constexpr unsigned pe_pixels_2d = 0xB;

/// FE signals (linux etnaviv_sched.c; names from rnndb state_hi.xml).
constexpr unsigned fe_current_prim = 0x9, fe_draw_count = 0xA, fe_out_vertex_count = 0xB;

/// Progress of a draw since the last Engine::collect(), which is added to FE's counters. The
/// drawing thread writes it, and any thread may read it.
struct FeProgress {
    std::atomic<uint32_t> primitives = 0, vertices = 0;

    void add(uint64_t more_primitives, uint64_t more_vertices) {
        primitives.fetch_add(uint32_t(more_primitives), std::memory_order_relaxed);
        vertices.fetch_add(uint32_t(more_vertices), std::memory_order_relaxed);
    }
    void clear() {
        primitives.store(0, std::memory_order_relaxed);
        vertices.store(0, std::memory_order_relaxed);
    }
};

class Profile {
public:
    Profile(PixmillVivanteState& state, Host& host) : s_(state), host_(host) {}

    void add(Module module, unsigned signal, uint64_t count) {
        s_.profile[size_t(module)][signal] += uint32_t(count);
    }

    /// Returns the value of the PROFILE_*_READ register at `offset`.
    uint32_t read(uint32_t offset) const;
    /// Called when the guest reads the PROFILE_*_READ register at `offset`. Logs once if the
    /// selected signal is not modeled. `has_3d` is true if the core has a modeled 3D engine.
    void note_read(uint32_t offset, bool has_3d);

    /// Handles a write that changed the PROFILE_CONFIG register at `offset` from `before` to
    /// `after`.
    void configure(uint32_t offset, uint32_t before, uint32_t after);

    void reset();

    FeProgress fe_progress;

private:
    struct Mux;
    static const Mux muxes[PIXMILL_VIVANTE_PROFILE_MODULES];

    static const Mux* find(uint32_t read_offset);
    uint32_t counted(const Mux& mux, uint32_t select) const;
    uint32_t fe_signal(uint32_t select) const;

    PixmillVivanteState& s_;
    Host& host_;
    uint32_t selected_ = 0; ///< bit mask of the modules whose selector was written since reset
};

} // namespace pixmill::vivante
