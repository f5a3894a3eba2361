// Draws one primitive of the Vivante 2D engine, pixel by pixel.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "states.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace reference::vivante {

/// Right and bottom edges are exclusive.
struct Rectangle {
    int left = 0;
    int top = 0;
    int right = 0;
    int bottom = 0;

    int width() const { return right - left; }
    int height() const { return bottom - top; }
    bool empty() const { return right <= left || bottom <= top; }
    bool contains(Point at) const;
};

/// The stream bits that a DRAW_2D carries for one rectangle.
class StreamBits {
public:
    StreamBits() = default;
    StreamBits(std::span<const uint32_t> words, uint32_t pack, int width, int height);

    bool at(Point offset) const;
    size_t word_count() const;

private:
    std::span<const uint32_t> words_;
    uint32_t pack_ = 0;
    uint32_t width_ = 0;
    uint32_t height_ = 0;
};

/// Operands on which an operation depends.
struct Usage {
    bool source = false;
    bool pattern = false;
    bool destination = false;
};

/// One source pixel.
struct Sample {
    uint32_t raw = 0;   ///< the word in memory
    uint32_t value = 0; ///< the value that the operation uses
    bool has_raw = false;
    bool bit = false; ///< bit of a monochrome source or of the stream
    bool has_bit = false;
};

/// One axis of a filter blit: the 16.16 source positions of the target pixels, and the bounds of
/// the source.
struct FilterAxis {
    int64_t origin = 0;
    int64_t step = 0;
    int low = 0;
    int high = 0;

    int64_t position(int index) const { return origin + index * step; }
    /// Returns the source pixel of a target pixel if the axis is not filtered.
    int unscaled(int index) const;
};

class Painter {
public:
    Painter(const Registers& registers, const Brush& brush, Memory& memory);

    bool writable() const;
    /// Returns the stream words that belong to the rectangle.
    StreamBits stream_of(Rectangle area, std::span<const uint32_t> data) const;

    void clear(Rectangle area);
    void line(Point from, Point to);
    void bit_blit(Rectangle area, const StreamBits& stream);
    void stretch_blit(Rectangle area);
    void multi_source_blit(Rectangle area);
    /// `start` is START of VR_CONFIG: 0 horizontal, 1 vertical, 2 both in one pass.
    void filter_blit(uint32_t start);

private:
    Rectangle visible(Rectangle area) const;
    void begin(const Source& source);
    bool works_raw(const Source& source) const;
    bool moves() const;
    void blit_region(Rectangle area, Rectangle region, const StreamBits& stream);
    bool has_destination(Point at) const;

    uint32_t destination_raw(Point at);
    uint32_t destination_value(uint32_t raw) const;
    uint32_t destination_key_word(uint32_t value) const;
    void write(Point at, Point physical, uint32_t value);
    void clear_bytes(Point physical);

    uint32_t register_color(uint32_t word, bool is_argb) const;
    uint32_t palette(uint32_t index) const;
    uint32_t source_value(const Source& source, uint32_t raw) const;
    uint32_t working_value(const Source& source, uint32_t value) const;
    Sample sample(const Source& source, const Usage& usage, Point at, bool stream_bit);
    Point blit_offset(const Source& source, Rectangle area, Point at) const;
    Sample blit_sample(const Source& source, Rectangle area, Point at, const StreamBits& stream);

    Point brush_position(Point at) const;
    bool brush_mask(Point at) const;
    uint32_t brush_argb(Point at) const;
    uint32_t brush_raw(Point at) const;
    std::optional<uint32_t> brush_register(Point at) const;

    bool opaque(const Source& source, const Sample& sample, Point at, uint32_t destination) const;
    std::optional<uint32_t> combine(const Source& source, const Usage& usage, const Sample& sample,
                                    bool is_opaque, uint32_t destination, uint32_t pattern) const;
    void draw_pixel(const Source& source, Point at, const Sample& sample);
    void draw_layers(const std::vector<Source>& sources, Rectangle area, Point at);

    uint32_t filter_tap(const Source& source, Point at);
    uint32_t filtered(const Source& source, uint32_t start, const FilterAxis& x,
                      const FilterAxis& y, Point index);
    Sample filter_sample(const Source& source, uint32_t value) const;
    bool in_destination_row(Point at) const;

    const Registers& registers_;
    const Brush& brush_;
    Memory& memory_;
    Source source_;
    Surface destination_;
    PixelLayout layout_;
    Conversion conversion_; ///< conversion for the destination
    Rectangle clip_;
    ChromaCells chroma_;
    Usage usage_;
    bool raw_ = false;        ///< the ROP works on raw words of the destination format
    bool yuv_to_yuv_ = false; ///< values are Y, U, V instead of R, G, B
};

Usage usage_of(const Source& source);

} // namespace reference::vivante
