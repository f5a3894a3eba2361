// What the parts of the reference share: memory, the engine, colors, edges.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "states.hpp"
#include "vivante_vg.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace pixmill::reference::vivante_vg {

/// Little-endian values of 1 to 4 bytes, at any address.
class Memory {
public:
    explicit Memory(std::vector<VivanteVgSpan> spans) : spans_(std::move(spans)) {}

    /// None unless all bytes are there.
    std::optional<uint32_t> read(uint64_t address, unsigned bytes) const;
    bool write(uint64_t address, unsigned bytes, uint32_t value);
    /// Whether any byte of [from, end) is there.
    bool has_any(uint64_t from, uint64_t end) const;

    std::vector<VivanteVgSpan>& spans() { return spans_; }

private:
    const uint8_t* find(uint64_t address, unsigned bytes) const;

    std::vector<VivanteVgSpan> spans_;
};

struct Engine {
    const VivanteVgChip& chip;
    Memory memory;
    States states{};
    bool bus_error = false; ///< of the stream that is being read
    std::set<std::string> complaints{};

    /// VD65: what is not there reads as 0 and is not written, and work goes on.
    uint32_t fetch(uint64_t address, unsigned bytes);
    void store(uint64_t address, unsigned bytes, uint32_t value);
};

/* ---- Colors, formats.cpp ------------------------------------------------------------------ */

enum Channel : unsigned { red, green, blue, alpha };
/// 8 bits a channel, 0 to 255.
using Color = std::array<int, 4>;
constexpr Color transparent_black = {0, 0, 0, 0};

/// The order of COLOR and FILL_COLOR: A, B, G, R from the top byte down (rt1176-evkb; of the fill
/// color VD47, by the words of vg_lite_draw_pattern).
Color color_of_register(uint32_t word);

struct Bits {
    unsigned shift = 0, width = 0; ///< without a width: not stored, reads as 255
};

/// How a pixel's word holds a color.
struct Layout {
    unsigned bytes = 0; ///< of a pixel; 0: there is no such format
    std::array<Bits, 4> channels{};
    uint32_t filler = 0; ///< ones in the X of X888, VD66
    bool luminance = false;
};

/// TARGET_CONFIG 3:0 and 5:4.
Layout target_layout(uint32_t format, uint32_t swizzle);
Color unpack(const Layout& layout, uint32_t word);
/// `threshold`: 0 to 15, of the dither at this pixel.
uint32_t pack(const Layout& layout, const Color& color, unsigned threshold);

/// The nearest of a * b / 255. VD35: of an observed SRC_OVER only this is left.
int mul(int a, int b);
/// VD36: the nearest of c / a, and 0 where there is no alpha.
int div(int c, int a);
Color multiplied_by_alpha(Color color);
Color divided_by_alpha(Color color);
int clamp_to_8_bits(int64_t value);

/* ---- Sources, sources.cpp ----------------------------------------------------------------- */

/// What the source states describe: a paint, or an image.
class Source {
public:
    /// `set`: what is added to the addresses of the states.
    static constexpr uint32_t paint = 0, image = 1;
    Source(Engine& engine, uint32_t set);

    /// Where it is to be read, in texels.
    Color at(double u, double v) const;
    /// At this part of a ramp, 0 to 1.
    Color at_ramp(double position) const;
    Color fill() const { return finished(filtered_fill_); }
    /// VD68: the texel that a point filter would read is not in the image.
    bool is_outside(double u, double v) const;

    Pair size() const { return size_; }
    bool has_color() const { return has_color_; }
    bool is_readable() const { return kind_ != Kind::none; }

private:
    enum class Kind { none, luminance, alpha4, alpha8, color, yuy2, indexed };

    void decode_format(uint32_t config);
    std::optional<uint32_t> tiled(int64_t index, uint32_t count) const;
    Color texel(std::optional<uint32_t> i, std::optional<uint32_t> j) const;
    Color stored(uint32_t x, uint32_t y) const;
    Color stored_yuy2(uint64_t row, uint32_t x) const;
    Color finished(const Color& filtered) const;
    Color blend(const std::array<Color, 4>& texels, uint32_t u, uint32_t v) const;

    Engine& engine_;
    Kind kind_ = Kind::none;
    Layout layout_{};
    unsigned pixel_bits_ = 0;
    uint32_t clut_ = 0;
    bool index_from_the_top_ = false;
    bool bt709_ = false;
    bool has_color_ = true;
    bool multiplies_ = false, divides_ = false;
    uint32_t tiling_ = 0, filter_ = 0;
    uint64_t address_ = 0;
    uint32_t stride_ = 0;
    bool in_tiles_ = false;
    Pair origin_{}, size_{};
    Color filtered_fill_{};
};

/// What VG_CONTROL has in front of blending.
class Colors {
public:
    explicit Colors(Engine& engine);

    /// None: border culling leaves the pixel alone.
    std::optional<Color> at(uint32_t x, uint32_t y) const;

private:
    Color paint_at(uint32_t x, uint32_t y) const;
    std::optional<Color> image_at(uint32_t x, uint32_t y) const;
    Color transformed(const Color& color) const;
    double gradient_at(double x, double y) const;

    const States& states_;
    uint32_t control_;
    uint32_t image_mode_, paint_type_;
    bool culls_;
    Color solid_;
    Source image_, paint_;
};

/* ---- Paths, path.cpp, coverage.cpp -------------------------------------------------------- */

/// In 1/256 pixel of the target, VD34.
struct Point {
    int64_t x = 0, y = 0;
};

/// Downwards: from.y < to.y. `winding` is -1 if the path goes upwards there.
struct Edge {
    Point from, to;
    int winding = 0;
};

/// A path of more segments than this is not drawn.
constexpr size_t most_edges = 1 << 20;

/// The edges of a path; none if there are too many.
std::optional<std::vector<Edge>> edges_of_path(Engine& engine, std::span<const uint8_t> data);

class Coverage {
public:
    /// `config`: TESSELLATION_CONFIG.
    Coverage(std::vector<Edge> edges, uint32_t config);

    /// Before at(): which row of pixels.
    void select_row(uint32_t y);
    /// 0 to 255.
    int at(uint32_t x) const;
    bool row_is_empty() const;

private:
    struct Grid {
        std::vector<int> x, y; ///< in 1/8 pixel
    };
    static Grid grid_of(uint32_t quality);
    bool is_inside(const std::vector<const Edge*>& crossing, Point sample) const;

    std::vector<Edge> edges_;
    Grid grid_;
    bool even_odd_;
    uint32_t row_ = 0;
    std::vector<std::vector<const Edge*>> crossing_; ///< of each row of samples
};

/* ---- Pixels, output.cpp ------------------------------------------------------------------- */

class Target {
public:
    explicit Target(Engine& engine);

    bool exists() const { return layout_.bytes != 0; }
    uint32_t right() const { return right_; }
    uint32_t bottom() const { return bottom_; }
    /// Whether any byte of these pixels of a row is there.
    bool has_any(uint32_t y, uint32_t left, uint32_t right) const;

    /// What scissor and mask leave of a coverage.
    int visible(uint32_t x, uint32_t y, int coverage) const;
    /// Blends a color, and stores what results.
    void output(uint32_t x, uint32_t y, const Color& source, int coverage);

private:
    uint64_t address_of(uint32_t x, uint32_t y) const;
    unsigned dither_threshold(uint32_t x, uint32_t y) const;
    Color keyed(Color color) const;

    Engine& engine_;
    const States& states_;
    uint32_t control_, config_;
    Layout layout_;
    uint64_t address_;
    uint32_t stride_;
    bool in_tiles_;
    uint32_t right_, bottom_;
};

/// VG_CONTROL 11:8.
Color blended(uint32_t mode, const Color& source, const Color& destination);

/* ---- Front end, front_end.cpp --------------------------------------------------------------- */

/// How a stream ended.
struct Finish {
    bool hung = false;
    uint32_t events = 0; ///< bits of the interrupt status
    uint64_t next = 0;   ///< address behind the last qword that was executed
};

/// Reads commands from the address on, so many qwords at most.
Finish run_stream(Engine& engine, uint32_t address, uint32_t qwords);

/* ---- Primitives, draw.cpp ----------------------------------------------------------------- */

/// The payload of a DATA command.
void draw(Engine& engine, std::span<const uint8_t> data);

} // namespace pixmill::reference::vivante_vg
