// A part of a batch of primitives.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "vivante/3d/draw_counts.hpp"
#include "vivante/3d/fe/vertex_fetch.hpp"
#include "vivante/3d/lanes.hpp"
#include "vivante/3d/pa/assembler.hpp"
#include "vivante/3d/pa/pa.hpp"

namespace pixmill::vivante {

/// Vertices of a draw, in groups that are shaded together, and the points, lines and triangles
/// between them. The limits also bound the indices that complete none of these.
struct Section {
    static constexpr unsigned most_groups = 4, most_vertices = most_groups * lane_count;
    static constexpr unsigned most_assembled = 256, most_indices = 2048;
    /// Maximum number of primitives after clipping.
    static constexpr size_t most_drawn = (most_assembled + Assembler::most) * most_primitives;

    /// Vertex and instance numbers, by lane.
    struct Group {
        std::array<uint32_t, lane_count> vertex{}, instance{};
        unsigned size = 0;

        std::span<const uint32_t> vertices() const { return {vertex.data(), size}; }
        std::span<const uint32_t> instances() const { return {instance.data(), size}; }
    };
    /// A point, line or triangle before clipping.
    struct Assembled {
        std::array<uint16_t, 3> vertex; ///< lane_count * group + lane
        uint8_t count, provoking;
    };

    Section() { assembled.reserve(most_assembled + Assembler::most); }
    void clear() {
        groups = 0;
        assembled.clear();
        counts = {};
        work = 0;
        finished = false;
        primitives.clear();
    }
    void add(const VertexBatch& batch) {
        Group& added = group[groups++];
        std::ranges::copy(batch.vertices(), added.vertex.begin());
        std::ranges::copy(batch.instances(), added.instance.begin());
        added.size = batch.size();
    }

    std::array<Group, most_groups> group;
    unsigned groups = 0;
    std::vector<Assembled> assembled;
    Assembler::Place end; ///< place in the draw after the section

    PrimitiveCounts counts;
    uint64_t work = 0; ///< in memcpy-equivalent bytes, excluding memory accesses

    // Used by ParallelVertices only.
    bool finished = false;
    std::vector<Primitive> primitives;
};

} // namespace pixmill::vivante
