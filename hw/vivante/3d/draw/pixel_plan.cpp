// SPDX-License-Identifier: GPL-2.0-or-later
#include "pixel_plan.hpp"

#include <algorithm>

#include "counted_texturing.hpp"
#include "render/cost.hpp"
#include "vivante/3d/render_tile.hpp"

namespace pixmill::vivante {

namespace {

/// Work per batch, excluding the program, in memcpy-equivalent bytes.
constexpr uint64_t pixels_work = 4096;

/// Batches are drawn in runs of at most this many, and of at most this much work, unless a single
/// batch has more.
constexpr uint64_t most_batches_of_run = 8, most_work_of_run = 64 << 10;

/// Returns an upper bound on the work of a texture instruction. If a0 selects the sampler, assumes
/// the most expensive sampler.
uint64_t most_texel_work(const te::TeSetup& setup, const MicroOp& op) {
    if (op.addressing == Addressing::direct && op.base < sampler_count)
        return texel_work(setup.sampler[op.base]);
    uint64_t most = 0;
    for (const te::Sampler& sampler : setup.sampler)
        most = std::max(most, texel_work(sampler));
    return most;
}

/// Returns the bytes per sample of all colors that are drawn.
uint64_t color_bytes(const PipelineSetup& setup) {
    uint64_t bytes = 0;
    for (unsigned i = 0; i < setup.pe.color.targets; i++)
        bytes += setup.draws_color[i] ? setup.color[i].bytes : 0;
    return bytes;
}

/// Returns the work of filling 64 pixels of all targets.
uint64_t work_of_fill(const PipelineSetup& setup) {
    const uint64_t samples = lane_count * setup.ra.samples;
    return std::max<uint64_t>(samples * color_bytes(setup) / render::fill_speed, 1);
}

/// Returns the work of loading and storing all samples of a tile.
uint64_t work_of_tile(const PipelineSetup& setup) {
    const uint64_t bytes = color_bytes(setup) + (setup.draws_depth ? setup.depth.bytes : 0);
    return 2 * RenderTile::edge * RenderTile::edge * bytes;
}

/// True if all pixels get the same colors, because the program reads no inputs and no texels.
bool has_constant_colors(const PipelineSetup& setup, const Components& wanted) {
    const Program::Traits& traits = setup.ps.program().traits();
    return !setup.ps_bypass && !traits.samplers && !traits.loads && !traits.kills &&
           !traits.branches && !traits.internals && wanted == Components{};
}

/// True if all micro-ops are moves of components onto themselves, which have been removed.
bool is_idle(const Program& program) {
    return std::ranges::all_of(program.micro_ops(), [](const MicroOp& op) {
        return op.kind == MicroOp::Kind::lanes && !op.work.count;
    });
}

uint64_t instructions_of(const Program& program) {
    return uint64_t(std::ranges::count_if(program.micro_ops(), &MicroOp::first));
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
    idle = !setup.ps_bypass && is_idle(program);
    idle_instructions = instructions_of(program);
    const bool kills = !setup.ps_bypass && traits.kills;
    has_depth = pe.tests_depth() && !setup.ps_writes_depth;
    early_tests = has_depth && straight && !kills && !pe.tests_alpha();
    replaces = pe.replaces() && straight && !kills;
    const unsigned all_samples = (1u << setup.ra.samples) - 1;
    constant = replaces && has_constant_colors(setup, wanted) && setup.ra.enabled == all_samples;

    uint64_t program_work = 0;
    if (!setup.ps_bypass)
        for (const MicroOp& op : program.micro_ops()) {
            program_work += op.first ? instruction_work : 0;
            if (op.kind == MicroOp::Kind::texture)
                program_work += most_texel_work(setup.te, op);
            if (op.kind == MicroOp::Kind::load)
                program_work += load_work;
        }
    batch_work = pixels_work;
    fill_work = work_of_fill(setup);
    most_work = batch_work + program_work;
    most_batches = uint32_t(
        std::clamp<uint64_t>(straight ? most_work_of_run / most_work : 1, 1, most_batches_of_run));
    tile_work = work_of_tile(setup);
}

} // namespace pixmill::vivante
