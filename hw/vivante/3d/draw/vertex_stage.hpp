// Turns the vertices of a section into primitives.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/memory/memory.hpp"
#include "pipeline_setup.hpp"
#include "section.hpp"
#include "shader_unit.hpp"
#include "vivante/3d/pa/vertex.hpp"

namespace pixmill::vivante {

/// Fetches and shades vertices, and sets up primitives, on one thread. Large: about 90 KiB.
class VertexStage {
public:
    /// Both arguments must outlive the stage. The owner of `unit` must call unit.begin() when a
    /// slice begins, unless the vertex shader has no samplers.
    VertexStage(const PipelineSetup& setup, ShaderUnit& unit) : setup_(setup), unit_(unit) {}

    struct Outcome {
        bool faulted = false, endless = false, interrupted = false;
        uint64_t work = 0;    ///< excluding memory accesses
        uint64_t longest = 0; ///< upper bound on the work between two interrupt checks

        bool good() const { return !faulted && !endless && !interrupted; }
    };
    /// Fetches and shades a group. Never stops early if `interrupt` is null.
    Outcome shade(Section& section, unsigned group, Memory& vertices, Memory& texels,
                  const std::atomic<bool>* interrupt);
    /// Appends the section's primitives to `out`, which must have room for Section::most_drawn.
    /// Requires that all groups have been shaded. Returns the work.
    uint64_t set_up(Section& section, std::vector<Primitive>& out) const;

private:
    void load_ids(std::optional<uint8_t> id, std::span<const uint32_t> numbers);
    void take_outputs(unsigned group, unsigned count);

    const PipelineSetup& setup_;
    ShaderUnit& unit_;
    std::array<Vector, most_elements> attributes_;
    std::array<Vertex, Section::most_vertices> vertices_; ///< numbered like Section::Assembled
};

} // namespace pixmill::vivante
