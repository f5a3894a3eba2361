// SPDX-License-Identifier: GPL-2.0-or-later
#include "parallel_vertices.hpp"

#include <algorithm>

#include "common/guard.hpp"
#include "vivante/3d/ts/mapped_surface.hpp"

namespace pixmill::vivante {

namespace {

/// Maximum work for which MappingBudget maps memory: 2 MiB of it. In scattered memory, more pages
/// would take too long between two checks for interrupts. If mapping fails, the next check comes
/// only after the vertices of a group have been fetched.
constexpr uint64_t most_mapping_work = 512 << 10;

} // namespace

/// Shaders with branches may be endless, and those that sample or load read memory that is not
/// mapped.
bool ParallelVertices::wants(uint64_t work) const {
    const Program::Traits& traits = setup_.vs.program().traits();
    return shared_.threads() > 1 && !refused_ && work >= shared_.least() && !traits.branches &&
           !traits.samplers && !traits.loads;
}

// ---- Memory ------------------------------------------------------------------

bool ParallelVertices::prepare(std::span<Section> sections, Memory& vertices, uint64_t work) {
    const bool ready = guarded(false, [&] {
        while (slots_.size() < shared_.threads())
            slots_.push_back(std::make_unique<Slot>(*this));
        for (Section& section : sections)
            section.primitives.reserve(Section::most_drawn);
        return map_streams(sections, vertices, work);
    });
    refused_ |= !ready;
    return ready;
}

/// Maps each stream from the first of the sections' vertices to the last one. Returns false if any
/// of it cannot be mapped.
bool ParallelVertices::map_streams(std::span<const Section> sections, Memory& vertices,
                                   uint64_t work) {
    std::ranges::min_max_result<uint32_t> vertices_of{UINT32_MAX, 0}, instances_of{UINT32_MAX, 0};
    const auto extend = [](auto& range, std::span<const uint32_t> numbers) {
        for (const uint32_t number : numbers) {
            range.min = std::min(range.min, number);
            range.max = std::max(range.max, number);
        }
    };
    for (const Section& section : sections)
        for (const Section::Group& group : std::span(section.group).first(section.groups)) {
            extend(vertices_of, group.vertices());
            extend(instances_of, group.instances());
        }
    mapped_.clear();
    MappingBudget budget(std::min(work, most_mapping_work));
    for (const VertexStream& stream : setup_.fetch.stream) {
        if (!stream.extent || vertices_of.min > vertices_of.max)
            continue;
        const uint32_t least = stream.divisor ? instances_of.min / stream.divisor : vertices_of.min,
                       greatest =
                           stream.divisor ? instances_of.max / stream.divisor : vertices_of.max;
        const uint64_t address = stream.base + uint64_t(least) * stream.stride;
        const uint64_t length = uint64_t(greatest - least) * stream.stride + stream.extent;
        if (!budget.add(mapped_, vertices, address, length, Access::read))
            return false;
    }
    return true;
}

// ---- Work --------------------------------------------------------------------

ParallelVertices::Outcome ParallelVertices::run(std::span<Section> sections, uint64_t work,
                                                uint64_t budget,
                                                const std::atomic<bool>& interrupt) {
    SharedRange range(0, uint32_t(sections.size()), 1, budget / shared_.threads(), interrupt);
    for (const auto& slot : slots_)
        slot->work = slot->longest = 0;
    shared_.run(work, [&](unsigned number) { make_some(*slots_[number], sections, range); });
    Outcome outcome{range.next(), {}};
    outcome.made.shared_sections = outcome.taken;
    for (const auto& slot : slots_) {
        outcome.made.work += slot->work;
        outcome.made.longest = std::max(outcome.made.longest, slot->longest);
    }
    return outcome;
}

void ParallelVertices::make_some(Slot& slot, std::span<Section> sections,
                                 SharedRange& range) const {
    while (const SharedRange::Chunk chunk = range.take()) {
        Section& section = sections[chunk.first];
        const uint64_t before = section.work; // of its indices
        make(slot, section);
        slot.work += section.work - before;
        slot.longest = std::max(slot.longest, section.work - before);
        range.has_worked(slot.work); // checks for interrupts
    }
}

/// The vertex shader has no samplers, so the unit's textures need not be bound.
void ParallelVertices::make(Slot& slot, Section& section) const {
    for (unsigned group = 0; group < section.groups; group++)
        if (!slot.stage.shade(section, group, slot.memory, slot.memory, nullptr).good())
            return;
    slot.stage.set_up(section, section.primitives);
    section.finished = true;
}

} // namespace pixmill::vivante
