// FE: indices and vertices from memory.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "common/memory/memory.hpp"
#include "states.hpp"
#include "vivante/3d/lanes.hpp"
#include "vivante/3d/states.hpp"

namespace pixmill::vivante {

/// How the bytes of an element become numbers.
struct VertexType;

struct VertexElement {
    const VertexType* type = nullptr; ///< null: unknown, reads as missing
    uint8_t code = 0;                 ///< TYPE
    uint8_t stream = 0;
    uint8_t components = 4;
    uint8_t swap = 0; ///< bytes of a unit whose order is reversed; 0: none
    uint8_t start = 0;
    uint8_t bytes = 0; ///< that are read
    bool normalize = false;
};

struct VertexStream {
    uint32_t base = 0;
    uint32_t stride = 0; ///< 0: all vertices read the same
    uint32_t extent = 0; ///< bytes of a vertex up to the end of its last element; 0: unused
};

/// The states of vertex fetch, decoded.
struct FetchSetup {
    unsigned count = 0; ///< of elements
    std::array<VertexElement, most_elements> element;
    std::array<VertexStream, most_streams> stream;

    /// `count`: active elements, more than 16 are 16. `streams`: whether the core has several; one
    /// that has not reads all elements from its only stream.
    static FetchSetup decode(States states, unsigned count, bool streams = true);
};

/// What each lane has read of an element.
using ElementWords = std::array<std::array<uint32_t, 4>, lane_count>;

/// Reads vertices of one draw.
class VertexFetch {
public:
    /// Both outlive it. Addresses wrap at 32 bits.
    VertexFetch(const FetchSetup& setup, Memory& memory) : setup_(setup), memory_(memory) {}

    /// Reads up to 64 vertices, a lane for each, 1 attribute for each element. Attributes beyond
    /// the elements, and components that an element lacks, are those of (0, 0, 0, 1). Lanes beyond
    /// the vertices may hold anything.
    void fetch(std::span<const uint32_t> vertices, std::span<Vector> attributes);

    /// Whether an access has stalled: draw nothing more. Everything reads 0 from there on.
    bool faulted() const { return faulted_; }

private:
    /// Bytes of a stream, from `address` on, that lie in one piece.
    struct Window {
        uint64_t address = 0, length = 0;
        const std::byte* host = nullptr;
    };

    void open_windows(std::span<const uint32_t> vertices);
    void gather(const VertexElement& element, std::span<const uint32_t> vertices,
                ElementWords& raw);
    void gather_pieces(const VertexElement& element, std::span<const uint32_t> vertices,
                       ElementWords& raw);

    const FetchSetup& setup_;
    Memory& memory_;
    std::array<Window, most_streams> window_;
    bool faulted_ = false;
};

/// The states of index fetch, decoded.
struct IndexSetup {
    uint32_t address = 0; ///< of index START
    uint32_t bytes = 1;   ///< of an index
    uint32_t offset = 0;  ///< added to indices, modulo 2^32: OFFSET is signed
    bool restart = false; ///< an index equal to restart_index begins a new primitive
    uint32_t restart_index = 0;

    static IndexSetup decode(States states, uint32_t start, uint32_t offset);

    /// Both take an index as read_indices() gives it.
    bool restarts(uint32_t index) const { return restart && index == restart_index; }
    uint32_t vertex(uint32_t index) const { return index + offset; }
};

/// Reads indices `first`, `first` + 1, ... of a draw, as memory holds them. False if an access
/// stalled: those from there on are 0.
[[nodiscard]] bool read_indices(const IndexSetup& setup, Memory& memory, uint32_t first,
                                std::span<uint32_t> indices);

/// The vertices of a batch, each once: what has an index among them is shaded already.
class VertexBatch {
public:
    void clear();
    unsigned size() const { return size_; }
    unsigned room() const { return lane_count - size_; }
    /// Vertex numbers, by lanes.
    std::span<const uint32_t> vertices() const { return {vertex_.data(), size_}; }

    static constexpr unsigned full = lane_count;
    /// The lane of `vertex`, which joins the batch if it has to; `full` if there is no room.
    unsigned add(uint32_t vertex);
    /// Adds vertices until one finds no room; `lanes` is as long as `vertices`. How many it took.
    size_t add(std::span<const uint32_t> vertices, std::span<uint8_t> lanes);

private:
    /// Half of them are free when the batch is full, so looking for one ends.
    static constexpr unsigned slots = 2 * lane_count;

    struct Slot {
        uint32_t generation = 0; ///< of another batch: free
        uint32_t vertex = 0;
        uint8_t lane = 0;
    };

    std::array<uint32_t, lane_count> vertex_{};
    unsigned size_ = 0;
    uint32_t generation_ = 1;
    std::array<Slot, slots> slot_{};
};

} // namespace pixmill::vivante
