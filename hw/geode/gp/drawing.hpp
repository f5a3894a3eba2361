// Draws the executing operation, from its registers to its last pixel.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <atomic>
#include <cstdint>

#include "fast_blt.hpp"
#include "vector.hpp"

namespace pixmill::geode {

/// Values of PixmillGeodeGpState.operation.
enum class OperationKind : uint32_t { none, blt, vector, count };

class Drawing {
public:
    explicit Drawing(const HostSource& host) : host_(host) {}

    /// Prepares an operation without drawing. `latched` must stay valid.
    void set_up(OperationKind kind, const Latched& latched);
    /// Sets the next pixel to draw. Returns false if the operation has no such pixel.
    bool go_to(uint32_t row, uint32_t column);

    uint64_t length() const { return length_; }
    uint64_t done() const { return uint64_t(row_) * width_ + column_; }
    bool finished() const { return done() >= length_; }
    bool underflows() const { return kind_ == OperationKind::blt && blt_.underflows(); }
    uint32_t row() const { return row_; }
    uint32_t column() const { return column_; }

    bool takes(Port port) const { return kind_ == OperationKind::blt && blt_.takes(port); }
    /// words() returns how many words the whole operation takes from a port. words_done() returns
    /// how many of them it no longer needs.
    uint32_t words(Port port) const { return words_[uint32_t(port)]; }
    uint32_t words_done(Port port) const { return blt_.words_before(port, done()); }
    /// True if pixels are left to draw and the host data for the next row has arrived.
    bool can_go_on() const;

    /// use_render() makes hw/render draw the rest of the operation. It returns false if hw/render
    /// cannot draw it or the host is out of memory; the GP's loops then draw it.
    bool can_use_render() const { return can_be_fast_; }
    [[nodiscard]] bool use_render(PhysicalMemory& memory);
    void open(PhysicalMemory& memory);
    /// Draws until the cost reaches about `budget`, or until `stop` is set. Returns the largest
    /// cost between two checks of `stop`.
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
    uint32_t width_ = 1; ///< pixels in a row; a vector is one row
    uint32_t words_[PIXMILL_GEODE_GP_PORTS] = {};
    uint64_t length_ = 0;
    uint32_t row_ = 0, column_ = 0;
};

} // namespace pixmill::geode
