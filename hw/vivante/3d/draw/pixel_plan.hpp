// What is decided once for all pixels of a draw.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pipeline_setup.hpp"
#include "vivante/3d/pe/pe.hpp"
#include "vivante/3d/sh/program.hpp"

namespace pixmill::vivante {

struct PixelPlan {
    /// Components of the inputs that somebody looks at.
    Components wanted{};
    /// Components, by number of their Lanes, that are 0 when the program begins.
    std::vector<uint16_t> cleared;
    /// No branches: each batch ends, whatever its pixels are.
    bool straight = false;
    bool has_depth = false; ///< the PE looks at interpolated depths
    /// Depth and stencil are tested before pixels are shaded: nobody can tell.
    bool early_tests = false;
    /// What is covered takes the place of what was there: that need not be known.
    bool replaces = false;
    /// All pixels have the same colors; and all samples of covered pixels are drawn.
    bool constant = false;
    /// Work of a batch, without its program.
    uint64_t batch_work = 0;
    /// The most work of a batch, as far as the program is straight.
    uint64_t most_work = 0;

    void prepare(const PipelineSetup& setup, const PixelEngine& pe);
};

/// Work, in bytes that are copied in the same time: an instruction for 64 pixels or vertices.
inline constexpr uint64_t instruction_work = 256;
/// Of 64 pixels that are filled.
inline constexpr uint64_t fill_work = 256;

} // namespace pixmill::vivante
