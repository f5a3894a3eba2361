// Which vertices make which primitive.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace pixmill::vivante {

/// TYPE of a draw.
enum class PrimitiveType : uint8_t {
    points = 1,
    lines,
    line_strip,
    triangles,
    triangle_strip,
    triangle_fan,
    line_loop,
    quads,
};

/// A point, a line or a triangle: a quad is two.
struct Corners {
    std::array<uint32_t, 3> vertex{};
    uint8_t count = 0;     ///< of vertices, 1 to 3
    uint8_t provoking = 0; ///< which of them
};

/// Takes the vertices of a draw one by one, as its indices name them, and gives the primitives that
/// each completes.
class Assembler {
public:
    static constexpr unsigned most = 2; ///< primitives that one vertex completes

    /// How far it is: all that has to be kept to go on with the draw elsewhere.
    struct Place {
        uint64_t taken = 0;               ///< indices: the number, from 0, of the one that is due
        uint64_t assembled = 0;           ///< primitives of a list
        uint64_t run = 0;                 ///< vertices since the last restart
        uint32_t first = 0;               ///< vertex of the run
        std::array<uint32_t, 4> recent{}; ///< vertices, the latest first
    };

    Assembler() = default;
    /// `primitives`: as the command counts them; a type that does not exist has none. With
    /// `restart`, indices may end a strip, fan or loop, or drop what is begun of a list; a list
    /// then takes up to one primitive's vertices more, less one, for what has been dropped.
    Assembler(uint32_t type, uint32_t primitives, bool provoking_last, bool restart);

    const Place& place() const { return at_; }
    void resume(const Place& place) { at_ = place; }
    /// Whether no index is due any more.
    bool done() const { return at_.taken >= limit_ || at_.assembled >= quota_; }

    /// The index that is due is `vertex`. The primitives that it completes, valid until the next
    /// call.
    std::span<const Corners> take(uint32_t vertex);
    /// The index that is due is the restart index. Likewise.
    std::span<const Corners> restart();

private:
    unsigned complete();
    unsigned close(unsigned count);

    PrimitiveType type_{};
    bool provoking_last_ = false;
    uint64_t limit_ = 0; ///< of indices
    uint64_t quota_ = 0; ///< of primitives
    Place at_;
    std::array<Corners, most> corners_;
};

} // namespace pixmill::vivante
