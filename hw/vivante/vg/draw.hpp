// Draws the rectangles or the path of a DATA command, in steps.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "output.hpp"
#include "path.hpp"
#include "render/raster/path_fill.hpp"

namespace pixmill::vivante::vg {

/// Progress of a draw, which cannot be derived from the states and the payload.
struct Position {
    uint32_t index = 0;  ///< index of the current rectangle
    uint32_t row = 0;    ///< number of finished rows of the rectangle or of the path's window
    uint32_t column = 0; ///< number of finished columns of the current row
    bool operator==(const Position&) const = default;
};

/// Location of the payload of a DATA command.
struct Payload {
    uint64_t address = 0;
    uint32_t qwords = 0;
};

class Draw {
public:
    enum class Kind : uint8_t {
        rectangles,
        path,
        no_primitive,  ///< primitive 0, which is ignored (VD20)
        no_tessellator ///< a path while TESSELLATION_CONFIG disables the tessellator
    };

    /// Prepares run(). Copies everything that the draw needs from the states.
    void prepare(const States& states, const Features& features, const Payload& payload);
    Kind kind() const { return kind_; }
    /// True if the DATA command draws anything.
    bool draws() const { return kind_ <= Kind::path && payload_.qwords && output_->exists(); }
    /// Must be called only for rectangles and paths.
    const Output& output() const { return *output_; }

    /// Called before the first run() and after host pointers have become invalid.
    void begin_slice(PhysicalMemory& memory);
    /// Draws until the cost is about `budget`, and subtracts the actual cost. The unit is the time
    /// in which a byte can be copied. Returns true when the draw is finished. Throws std::bad_alloc
    /// if a host allocation fails.
    [[nodiscard]] bool run(PhysicalMemory& memory, Position& position, int64_t& budget);

    const PathReader& reader() const { return reader_; }
    uint64_t take_drawn();

private:
    struct Box {
        uint32_t left = 0, top = 0, right = 0, bottom = 0;
        bool empty() const { return left >= right || top >= bottom; }
    };
    enum class Phase : uint8_t { fetch, parse, draw };

    void prepare_path(const States& states, const Features& features);
    [[nodiscard]] bool fetch(PhysicalMemory& memory, int64_t& budget);
    [[nodiscard]] bool parse(int64_t& budget);
    [[nodiscard]] bool draw_rectangles(PhysicalMemory& memory, Position& position, int64_t& budget);
    [[nodiscard]] bool draw_rectangle(PhysicalMemory& memory, const Box& box, Position& position,
                                      int64_t& budget);
    [[nodiscard]] bool draw_path(PhysicalMemory& memory, Position& position, int64_t& budget);
    void select(PhysicalMemory& memory, const Box& box);
    Box clipped(uint32_t x, uint32_t y, uint32_t width, uint32_t height) const;
    Box rectangle(uint32_t index) const;
    [[nodiscard]] bool draw_row(PhysicalMemory& memory, uint32_t y,
                                std::span<const render::Span> spans, uint32_t& column,
                                int64_t& budget);

    Kind kind_ = Kind::no_primitive;
    Payload payload_;
    std::optional<Output> output_; ///< constructed in place, because it is large
    Box window_;
    render::SampleGrid grid_{};
    render::FillRule rule_ = render::FillRule::non_zero;

    Phase phase_ = Phase::fetch;
    std::vector<uint8_t> data_;
    PathReader reader_;
    render::PathFill fill_;
    bool filling_ = false, row_ready_ = false;
    bool scattered_ = false; ///< mapping the last pixels cost more than drawing them
    Box selected_;           ///< argument of the last output_->begin()
    bool selected_valid_ = false;
    int64_t row_memory_ = -1; ///< a row that has memory, or -1
};

} // namespace pixmill::vivante::vg
