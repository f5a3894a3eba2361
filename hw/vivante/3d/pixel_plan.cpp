// SPDX-License-Identifier: GPL-2.0-or-later
#include "pixel_plan.hpp"

#include <algorithm>

namespace pixmill::vivante {

namespace {

/// Work, in bytes that are copied in the same time: of a batch without its shader, and of its
/// texels.
constexpr uint64_t pixels_work = 4096, texture_work = 4096;

/// Whether no pixel can tell what the others' colors are.
bool has_constant_colors(const PipelineSetup& setup, const Components& wanted) {
    const Program::Traits& traits = setup.ps.program().traits();
    return !setup.ps_bypass && !traits.samplers && !traits.kills && !traits.branches &&
           !traits.internals && wanted == Components{};
}

} // namespace

void PixelPlan::prepare(const PipelineSetup& setup, const PixelEngine& pe) {
    const Program& program = setup.ps.program();
    const Program::Traits& traits = program.traits();
    wanted = {};
    cleared.clear();
    if (setup.ps_bypass) {
        constexpr unsigned color = 1;
        wanted[color] = 0xF;
    } else {
        for (unsigned reg = 0; reg < temporary_count; reg++) {
            wanted[reg] = traits.unwritten[reg] & setup.ps_inputs[reg];
            for (unsigned c = 0; c < 4; c++)
                if ((traits.unwritten[reg] & ~setup.ps_inputs[reg]) >> c & 1)
                    cleared.push_back(uint16_t(4 * reg + c));
        }
    }
    straight = setup.ps_bypass || !traits.branches;
    const bool kills = !setup.ps_bypass && traits.kills;
    has_depth = pe.tests_depth() && !setup.ps_writes_depth;
    early_tests = has_depth && straight && !kills && !pe.tests_alpha();
    replaces = pe.replaces() && straight && !kills;
    const unsigned all_samples = (1u << setup.ra.samples) - 1;
    constant = replaces && has_constant_colors(setup, wanted) && setup.ra.enabled == all_samples;

    uint64_t instructions = 0, textures = 0;
    if (!setup.ps_bypass)
        for (const MicroOp& op : program.micro_ops()) {
            instructions += op.first;
            textures += op.kind == MicroOp::Kind::texture;
        }
    batch_work = pixels_work + texture_work * textures;
    most_work = constant ? fill_work : batch_work + instruction_work * instructions;
}

} // namespace pixmill::vivante
