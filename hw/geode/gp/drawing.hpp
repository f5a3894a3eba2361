// The operation that executes, from its registers to its last pixel.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <atomic>
#include <cstdint>

#include "fast_blt.hpp"
#include "vector.hpp"

namespace pixmill::geode {

/// PixmillGeodeGpState.operation.
enum class OperationKind : uint32_t { none, blt, vector, count };

class Drawing {
public:
    explicit Drawing(const HostSource& host) : host_(host) {}

    /// `latched` has to stay where it is. Nothing is drawn yet.
    void set_up(OperationKind kind, const Latched& latched);
    /// It has come so far already. False: it has no such place.
    bool go_to(uint32_t row, uint32_t column);

    uint64_t length() const { return length_; }
    uint64_t done() const { return uint64_t(row_) * width_ + column_; }
    bool finished() const { return done() >= length_; }
    bool underflows() const { return kind_ == OperationKind::blt && blt_.underflows(); }
    uint32_t row() const { return row_; }
    uint32_t column() const { return column_; }

    bool takes(Port port) const { return kind_ == OperationKind::blt && blt_.takes(port); }
    /// All that it takes of a port, and what it does not need any more.
    uint32_t words(Port port) const { return words_[uint32_t(port)]; }
    uint32_t words_done(Port port) const { return blt_.words_before(port, done()); }
    /// The words for the next row have come.
    bool can_go_on() const;

    /// hw/render draws all of it, if it can and has the memory for it; from the beginning, or, if
    /// it has begun, on. Without this the loops of the GP draw it.
    bool can_use_render() const { return can_be_fast_; }
    [[nodiscard]] bool use_render(PhysicalMemory& memory);
    void open(PhysicalMemory& memory);
    /// Draws until about as much work is done as it is to copy `budget` bytes, or `stop`. Returns
    /// the most work between two looks at `stop`.
    uint64_t draw(uint64_t budget, const std::atomic<bool>& stop);

private:
    uint64_t draw_step(uint64_t budget);
    uint64_t draw_some(uint64_t budget);
    uint64_t draw_band(uint64_t budget);
    uint64_t draw_fast(uint64_t budget);

    const HostSource& host_;
    PhysicalMemory* memory_ = nullptr;
    OperationKind kind_ = OperationKind::none;
    Blt blt_;
    FastBlt fast_;
    bool can_be_fast_ = false, is_fast_ = false;
    Vector vector_;
    uint32_t width_ = 1; ///< of a row; a vector is one
    uint32_t words_[PIXMILL_GEODE_GP_PORTS] = {};
    uint64_t length_ = 0;
    uint32_t row_ = 0, column_ = 0;
};

} // namespace pixmill::geode
