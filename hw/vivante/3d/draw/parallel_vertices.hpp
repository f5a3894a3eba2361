// Makes sections of a batch on several threads.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/memory/mapped_memory.hpp"
#include "common/parallel/shared_range.hpp"
#include "common/parallel/shared_work.hpp"
#include "pipeline_setup.hpp"
#include "result.hpp"
#include "section.hpp"
#include "shader_unit.hpp"
#include "vertex_stage.hpp"

namespace pixmill::vivante {

/// Each section is made by a single thread, with its own registers, in memory that was mapped
/// beforehand and cannot fault. Therefore the result does not depend on which thread makes it.
class ParallelVertices {
public:
    /// `share` is the minimum work that justifies a thread, in memcpy-equivalent bytes.
    ParallelVertices(const PipelineSetup& setup, ThreadPool& pool, uint64_t share)
        : setup_(setup), shared_(pool, share) {}

    /// Forgets that memory could not be mapped. Call this when a slice of work or a new draw
    /// begins.
    void begin_slice() { refused_ = false; }

    /// Returns the minimum work that justifies a second thread.
    uint64_t least() const { return shared_.least(); }
    /// True if several threads may be faster with this work, and the vertex shader allows them.
    bool wants(uint64_t work) const;
    /// Maps the vertices of the sections, and reserves room for their primitives. If that is not
    /// possible, returns false, and wants() returns false until the slice ends.
    [[nodiscard]] bool prepare(std::span<Section> sections, Memory& vertices, uint64_t work);

    struct Outcome {
        size_t taken = 0; ///< number of sections that threads have made, which are the first ones
        DrawResult made;
    };
    /// Makes sections until all are finished, the budget is spent or `interrupt` is set, but at
    /// least one. Sets Section::finished, unless a shader failed. Requires that prepare() returned
    /// true.
    Outcome run(std::span<Section> sections, uint64_t work, uint64_t budget,
                const std::atomic<bool>& interrupt);

private:
    /// Resources of one thread.
    struct Slot {
        MappedView memory;
        ShaderUnit unit;
        VertexStage stage;
        uint64_t work = 0, longest = 0; ///< of all sections, and of the most expensive one

        explicit Slot(const ParallelVertices& all) : memory(all.mapped_), stage(all.setup_, unit) {}
    };

    [[nodiscard]] bool map_streams(std::span<const Section> sections, Memory& vertices,
                                   uint64_t work);
    void make(Slot& slot, Section& section) const;
    void make_some(Slot& slot, std::span<Section> sections, SharedRange& range) const;

    const PipelineSetup& setup_;
    SharedWork shared_;
    bool refused_ = false;
    std::vector<std::unique_ptr<Slot>> slots_; ///< one per thread
    MappedMemory mapped_;
};

} // namespace pixmill::vivante
