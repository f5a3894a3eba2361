// SPDX-License-Identifier: GPL-2.0-or-later
#include "vertex_stage.hpp"

#include <bit>
#include <span>

#include "counted_texturing.hpp"
#include "pixel_plan.hpp"
#include "vivante/3d/fe/vertex_fetch.hpp"
#include "vivante/3d/sh/shader.hpp"

namespace pixmill::vivante {

namespace {

/// Work in memcpy-equivalent bytes: per vertex (excluding its shader), and per assembled primitive.
constexpr uint64_t vertex_work = 256, primitive_work = 2048;

} // namespace

VertexStage::Outcome VertexStage::shade(Section& section, unsigned group, Memory& vertices,
                                        Memory& texels, const std::atomic<bool>* interrupt) {
    const std::span<const uint32_t> numbers = section.group[group].vertices();
    const auto count = unsigned(numbers.size());
    const Stage& vs = setup_.vs;
    VertexFetch fetch(setup_.fetch, vertices);
    const std::span<const uint32_t> instances = section.group[group].instances();
    fetch.fetch(numbers, attributes_, instances);
    if (fetch.faulted())
        return {.faulted = true};
    ShaderState& shader = unit_.registers;
    shader.clear_unwritten(vs.program(), setup_.vs_inputs);
    for (unsigned a = 0; a < setup_.fetch.count; a++)
        shader.temporary(setup_.vs_input[a]) = attributes_[a];
    load_ids(setup_.vertex_id, numbers);
    load_ids(setup_.instance_id, instances);
    if (vs.program().traits().internals)
        shader.face().f.fill(0); // pixels have set it
    const LaneMask live = ~LaneMask(0) >> (lane_count - count);
    CountedTexturing texturing(setup_.te, unit_.textures, live, texels, interrupt);
    const vivante::Outcome ran = run(vs.program(), vs.uniforms(), shader,
                                     {.live = live,
                                      .quads = false,
                                      .kills = false,
                                      .texturing = &texturing,
                                      .compiled = vs.compiled(),
                                      .interrupt = interrupt});
    take_outputs(group, count);
    section.counts.shaded += count;
    section.counts.instructions += ran.executed * count;
    section.counts.texels += texturing.requests();
    const uint64_t work = vertex_work * count + instruction_work * ran.executed + texturing.work();
    section.work += work;
    const bool interrupted = ran.interrupted || texturing.cut();
    return {.faulted = unit_.faulted() && !ran.endless && !interrupted,
            .endless = ran.endless,
            .interrupted = interrupted,
            .work = work,
            .longest = vertex_work * count + longest_part(ran.executed, texturing.longest())};
}

/// Loads integers into component `id`, if the shader has it.
void VertexStage::load_ids(std::optional<uint8_t> id, std::span<const uint32_t> numbers) {
    if (!id)
        return;
    Lanes& lanes = unit_.registers.temporary(*id / 4)[*id % 4];
    for (size_t i = 0; i < numbers.size(); i++)
        lanes.f[i] = std::bit_cast<float>(numbers[i]);
}

/// Copies the vertex shader's outputs from its registers to the group's vertices.
void VertexStage::take_outputs(unsigned group, unsigned count) {
    const auto vertices = std::span(vertices_).subspan(group * lane_count, count);
    const auto output = [&](unsigned slot) -> const Vector& {
        return unit_.registers.temporary(setup_.vs_output[slot]);
    };
    const auto copy = [&](unsigned slot, const auto& part_of) {
        const Vector& from = output(slot);
        for (unsigned lane = 0; lane < count; lane++)
            for (unsigned c = 0; c < 4; c++)
                part_of(vertices[lane])[c] = from[c].f[lane];
    };
    const uint32_t varyings = setup_.pa.varyings.count;
    copy(0, [](Vertex& v) { return v.position.data(); });
    for (unsigned n = 0; n < varyings; n++)
        copy(1 + n, [n](Vertex& v) { return v.varying[n].data(); });
    for (unsigned lane = 0; lane < count; lane++)
        vertices[lane].point_size =
            setup_.point_size_slot ? output(*setup_.point_size_slot)[0].f[lane] : 0;
}

uint64_t VertexStage::set_up(Section& section, std::vector<Primitive>& out) const {
    const size_t before = out.size();
    for (const Section::Assembled& a : section.assembled) {
        std::array<const Vertex*, 3> corner{};
        for (unsigned c = 0; c < a.count; c++)
            corner[c] = &vertices_[a.vertex[c]];
        section.counts.pa += vivante::set_up(setup_.pa, {corner.data(), a.count}, a.provoking, out);
    }
    section.counts.drawn = out.size() - before;
    const uint64_t work = primitive_work * section.assembled.size();
    section.work += work;
    return work;
}

} // namespace pixmill::vivante
