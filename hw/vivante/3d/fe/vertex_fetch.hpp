// FE: fetches indices and vertices from memory.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "common/memory/memory.hpp"
#include "states.hpp"
#include "vivante/3d/features.hpp"
#include "vivante/3d/lanes.hpp"
#include "vivante/3d/states.hpp"

namespace pixmill::vivante {

/// Encoding of an element's components.
struct VertexType;

struct VertexElement {
    const VertexType* type = nullptr; ///< null if unknown: the element reads as missing
    uint8_t code = 0;                 ///< TYPE
    uint8_t stream = 0;
    uint8_t components = 4;
    uint8_t swap = 0; ///< bytes per unit to swap; 0 if none
    uint8_t start = 0;
    uint8_t bytes = 0; ///< number of bytes to read
    bool normalize = false;
    bool extends_sign = true;        ///< of BYTE_I and SHORT_I
    uint32_t missing_w = 0x3F800000; ///< bits of w if the element lacks it
};

struct VertexStream {
    uint32_t base = 0;
    uint32_t stride = 0;  ///< 0 if all vertices read the same data
    uint32_t divisor = 0; ///< instances that read the same data; 0 if vertices have their own
    uint32_t extent = 0; ///< from the start of a vertex to the end of its last element; 0 if unused
};

/// The decoded states of vertex fetch.
struct FetchSetup {
    unsigned count = 0; ///< elements
    std::array<VertexElement, most_elements> element;
    std::array<VertexStream, most_streams> stream;

    /// `count` is the number of active elements, limited to 16.
    static FetchSetup decode(States states, unsigned count, const Features3d& features);
};

/// The words of an element, for each lane.
using ElementWords = std::array<std::array<uint32_t, 4>, lane_count>;

/// Fetches vertices of a draw.
class VertexFetch {
public:
    /// Both arguments must outlive the object. Addresses wrap at 32 bits.
    VertexFetch(const FetchSetup& setup, Memory& memory) : setup_(setup), memory_(memory) {}

    /// Fetches up to 64 vertices, one per lane, into one attribute per element. Attributes without
    /// an element, and components that an element lacks, are taken from (0, 0, 0, 1); see
    /// VertexElement::missing_w. Lanes without a vertex are undefined. `instances` has the instance
    /// of each vertex; without it, all are 0.
    void fetch(std::span<const uint32_t> vertices, std::span<Vector> attributes,
               std::span<const uint32_t> instances = {});

    /// True if an access has faulted, so drawing must stop. Later accesses read 0.
    bool faulted() const { return faulted_; }

private:
    using Numbers = std::array<uint32_t, lane_count>;
    /// Part of a stream that is contiguous in host memory.
    struct Window {
        uint64_t address = 0, length = 0;
        const std::byte* host = nullptr;
    };

    void open_windows();
    std::span<const uint32_t> numbers(const VertexStream& stream, Numbers& scratch) const;
    void gather(const VertexElement& element, ElementWords& raw);
    void gather_pieces(const VertexElement& element, std::span<const uint32_t> numbers,
                       ElementWords& raw);

    const FetchSetup& setup_;
    Memory& memory_;
    std::array<Window, most_streams> window_;
    std::span<const uint32_t> vertices_, instances_; ///< of the current call
    bool faulted_ = false;
};

/// The decoded states of index fetch.
struct IndexSetup {
    uint32_t address = 0; ///< address of the first index of the draw
    uint32_t bytes = 1;   ///< per index
    uint32_t offset = 0;  ///< added to indices modulo 2^32, since OFFSET is signed
    bool restart = false; ///< an index equal to restart_index begins a new primitive
    uint32_t restart_index = 0;

    static IndexSetup decode(States states, uint32_t start, uint32_t offset);

    /// The argument of both is an index that read_indices() returned.
    bool restarts(uint32_t index) const { return restart && index == restart_index; }
    uint32_t vertex(uint32_t index) const { return index + offset; }
};

/// Reads indices `first`, `first` + 1, ... of a draw, as stored in memory. On a fault, returns
/// false; the remaining indices are 0.
[[nodiscard]] bool read_indices(const IndexSetup& setup, Memory& memory, uint32_t first,
                                std::span<uint32_t> indices);

/// The distinct vertices of a batch. A vertex that several indices of an instance refer to is
/// shaded once.
class VertexBatch {
public:
    void clear();
    /// Vertices added from now on belong to this instance.
    void begin_instance(uint32_t instance);
    unsigned size() const { return size_; }
    unsigned room() const { return lane_count - size_; }
    /// Vertex numbers, by lane.
    std::span<const uint32_t> vertices() const { return {vertex_.data(), size_}; }
    std::span<const uint32_t> instances() const { return {instance_.data(), size_}; }

    static constexpr unsigned full = lane_count;
    /// Returns the lane of `vertex` after adding it if needed, or `full` if there is no room.
    unsigned add(uint32_t vertex);

private:
    /// Half of the slots are free even in a full batch, so probing always ends.
    static constexpr unsigned slots = 2 * lane_count;

    struct Slot {
        uint32_t generation = 0; ///< free unless equal to generation_
        uint32_t vertex = 0;
        uint8_t lane = 0;
    };

    void forget();

    std::array<uint32_t, lane_count> vertex_{}, instance_{};
    uint32_t instance_now_ = 0;
    unsigned size_ = 0;
    uint32_t generation_ = 1;
    std::array<Slot, slots> slot_{};
};

} // namespace pixmill::vivante
