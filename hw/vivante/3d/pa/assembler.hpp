// Assembles vertices into primitives.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace pixmill::vivante {

/// TYPE of a draw command.
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

/// A point, a line or a triangle. A quad becomes two triangles.
struct Corners {
    std::array<uint32_t, 3> vertex{};
    uint8_t count = 0;     ///< vertices, 1 to 3
    uint8_t provoking = 0; ///< index of the provoking vertex
};

/// Takes the vertices of a draw one by one, in index order, and returns the primitives that each
/// completes.
class Assembler {
public:
    static constexpr unsigned most = 2; ///< primitives that one vertex completes

    /// Progress of a draw: everything that another Assembler needs to resume it.
    struct Place {
        uint64_t instance = 0;
        uint64_t taken = 0;               ///< indices taken so far, of this instance
        uint64_t assembled = 0;           ///< primitives assembled so far
        uint64_t run = 0;                 ///< vertices since the last restart
        uint32_t first = 0;               ///< the first vertex since the last restart
        std::array<uint32_t, 4> recent{}; ///< vertices, newest first
    };

    Assembler() = default;
    /// `primitives` is the count in the command; an unknown type draws none. With `restart`, an
    /// index may end a strip, fan or loop, or drop an incomplete primitive of a list. To make up
    /// for dropped indices, a list then takes more indices, but fewer than a whole primitive needs.
    Assembler(uint32_t type, uint32_t primitives, bool provoking_last, bool restart);
    /// Takes `vertices` indices for each of `instances` instances. Drops incomplete primitives.
    static Assembler instanced(uint32_t type, uint32_t vertices, uint32_t instances,
                               bool provoking_last);

    const Place& place() const { return at_; }
    void resume(const Place& place) { at_ = place; }
    /// True if the draw takes no more indices.
    bool done() const {
        return (at_.taken >= limit_ && at_.instance + 1 >= instances_) || at_.assembled >= quota_;
    }
    /// Begins the next instance if the current one is complete, and returns true. Primitives do not
    /// continue from one instance to the next. Must not be called if the draw is done.
    bool advance() {
        if (at_.taken < limit_)
            return false;
        at_ = {.instance = at_.instance + 1};
        return true;
    }

    /// Takes the next vertex number. Returns the primitives that it completes, which are valid
    /// until the next call.
    std::span<const Corners> take(uint32_t vertex);
    /// Takes a restart index. Returns completed primitives, like take().
    std::span<const Corners> restart();

private:
    unsigned complete();
    unsigned close(unsigned count);

    PrimitiveType type_{};
    bool provoking_last_ = false;
    uint64_t instances_ = 1;
    uint64_t limit_ = 0; ///< maximum number of indices of an instance
    uint64_t quota_ = 0; ///< maximum number of primitives
    Place at_;
    std::array<Corners, most> corners_;
};

} // namespace pixmill::vivante
