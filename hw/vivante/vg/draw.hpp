// DATA: rectangles and paths, in steps.
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

/// How far a draw has come: all that is not derived from states and payload.
struct Position {
    uint32_t index = 0;  ///< of the rectangle in work
    uint32_t row = 0;    ///< rows of it, or of the path's window, that are done
    uint32_t column = 0; ///< columns of the next row
    bool operator==(const Position&) const = default;
};

/// Where the payload of a DATA lies.
struct Payload {
    uint64_t address = 0;
    uint32_t qwords = 0;
};

class Draw {
public:
    enum class Kind : uint8_t {
        rectangles,
        path,
        no_primitive,  ///< VD20
        no_tessellator ///< a path while TESSELLATION_CONFIG does not enable it
    };

    /// Decodes the states, which are copied. What it asks for is drawn by run().
    void prepare(const States& states, const Features& features, const Payload& payload);
    Kind kind() const { return kind_; }
    /// There is something to be drawn.
    bool draws() const { return kind_ <= Kind::path && payload_.qwords && output_->exists(); }
    /// Of rectangles and paths.
    const Output& output() const { return *output_; }

    /// Before the first run() and whenever host pointers have become void.
    void begin_slice(PhysicalMemory& memory);
    /// Draws for about `budget`, in bytes that are copied in the same time, which it counts down.
    /// True when all is drawn. std::bad_alloc where there is no memory for edges.
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
    std::optional<Output> output_; ///< built in place, for it is large
    Box window_;
    render::SampleGrid grid_;
    render::FillRule rule_ = render::FillRule::non_zero;

    Phase phase_ = Phase::fetch;
    std::vector<uint8_t> data_;
    PathReader reader_;
    render::PathFill fill_;
    bool filling_ = false, row_ready_ = false;
    bool scattered_ = false; ///< what was drawn last asked the host for most of its pixels
    Box selected_;           ///< what output_ has been begun for
    bool selected_valid_ = false;
    int64_t row_memory_ = -1; ///< the row that is known to have some
};

} // namespace pixmill::vivante::vg
