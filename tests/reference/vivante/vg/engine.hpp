// Declarations shared by the parts of the reference: memory, engine, colors, edges.
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

/// Reads and writes little-endian values of 1 to 4 bytes at any address.
class Memory {
public:
    explicit Memory(std::vector<VivanteVgSpan> spans) : spans_(std::move(spans)) {}

    /// Returns nothing unless memory backs all bytes.
    std::optional<uint32_t> read(uint64_t address, unsigned bytes) const;
    bool write(uint64_t address, unsigned bytes, uint32_t value);
    /// True if memory backs any byte of [from, end).
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
    bool bus_error = false; ///< an error occurred in the current stream
    std::set<std::string> complaints{};

    /// VD65: missing memory reads as 0 and ignores writes; the stream continues.
    uint32_t fetch(uint64_t address, unsigned bytes);
    void store(uint64_t address, unsigned bytes, uint32_t value);
};

/* ---- Colors, formats.cpp ------------------------------------------------------------------ */

enum Channel : unsigned { red, green, blue, alpha };
/// 8-bit channels, 0 to 255.
using Color = std::array<int, 4>;
constexpr Color transparent_black = {0, 0, 0, 0};

/// COLOR and FILL_COLOR hold A, B, G, R from the top byte down (COLOR: rt1176-evkb; FILL_COLOR:
/// VD47, from the words that vg_lite_draw_pattern emits).
Color color_of_register(uint32_t word);

struct Bits {
    unsigned shift = 0, width = 0; ///< width 0: not stored, reads as 255
};

/// The fields of a pixel word.
struct Layout {
    unsigned bytes = 0; ///< bytes per pixel; 0 if the format does not exist
    std::array<Bits, 4> channels{};
    uint32_t filler = 0; ///< VD66: ones in the X bits of X888
    bool luminance = false;
};

/// The arguments are TARGET_CONFIG 3:0 and 5:4.
Layout target_layout(uint32_t format, uint32_t swizzle);
Color unpack(const Layout& layout, uint32_t word);
/// `threshold` is the dither threshold of this pixel, 0 to 15.
uint32_t pack(const Layout& layout, const Color& color, unsigned threshold);

/// Returns a * b / 255, rounded to nearest. VD35: no other rounding matches an observed SRC_OVER.
int mul(int a, int b);
/// VD36: returns c / a, rounded to nearest, or 0 if alpha is 0.
int div(int c, int a);
Color multiplied_by_alpha(Color color);
Color divided_by_alpha(Color color);
int clamp_to_8_bits(int64_t value);

/* ---- Sources, sources.cpp ----------------------------------------------------------------- */

/// A decoded source: a paint or an image.
class Source {
public:
    /// `set` is the offset that selects the source's state addresses.
    static constexpr uint32_t paint = 0, image = 1;
    Source(Engine& engine, uint32_t set);

    /// Samples at (u, v), given in texels.
    Color at(double u, double v) const;
    /// Samples a ramp at `position`, from 0 to 1.
    Color at_ramp(double position) const;
    Color fill() const { return finished(filtered_fill_); }
    /// VD68: true if a point filter would read outside of the image.
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

/// The color stages before blending, as selected by VG_CONTROL.
class Colors {
public:
    explicit Colors(Engine& engine);

    /// Returns nothing if border culling drops the pixel.
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

/// A point in 1/256 pixel of the target (VD34).
struct Point {
    int64_t x = 0, y = 0;
};

/// An edge that points down (from.y < to.y). `winding` is -1 if the path goes up along it.
struct Edge {
    Point from, to;
    int winding = 0;
};

/// Paths with more edges than this are not drawn.
constexpr size_t most_edges = 1 << 20;

/// Returns the edges of a path, or nothing if there are too many.
std::optional<std::vector<Edge>> edges_of_path(Engine& engine, std::span<const uint8_t> data);

class Coverage {
public:
    /// `config` is TESSELLATION_CONFIG.
    Coverage(std::vector<Edge> edges, uint32_t config);

    /// Selects the pixel row that at() uses.
    void select_row(uint32_t y);
    /// Returns 0 to 255.
    int at(uint32_t x) const;
    bool row_is_empty() const;

private:
    struct Grid {
        std::vector<int> x, y; ///< in units of 1/8 pixel
    };
    static Grid grid_of(uint32_t quality);
    bool is_inside(const std::vector<const Edge*>& crossing, Point sample) const;

    std::vector<Edge> edges_;
    Grid grid_;
    bool even_odd_;
    uint32_t row_ = 0;
    std::vector<std::vector<const Edge*>> crossing_; ///< edges crossing each row of samples
};

/* ---- Pixels, output.cpp ------------------------------------------------------------------- */

class Target {
public:
    explicit Target(Engine& engine);

    bool exists() const { return layout_.bytes != 0; }
    uint32_t right() const { return right_; }
    uint32_t bottom() const { return bottom_; }
    /// True if memory backs any byte of a row's pixels from `left` to `right`, exclusive.
    bool has_any(uint32_t y, uint32_t left, uint32_t right) const;

    /// Applies the scissor and the mask to a coverage value.
    int visible(uint32_t x, uint32_t y, int coverage) const;
    /// Blends a color with the target and stores the result.
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

/// `mode` is VG_CONTROL 11:8.
Color blended(uint32_t mode, const Color& source, const Color& destination);

/* ---- Front end, front_end.cpp --------------------------------------------------------------- */

/// The state at the end of a stream.
struct Finish {
    bool hung = false;
    uint32_t events = 0; ///< bits of the interrupt status
    uint64_t next = 0;   ///< address after the last executed qword
};

/// Executes up to `qwords` qwords of commands, starting at `address`.
Finish run_stream(Engine& engine, uint32_t address, uint32_t qwords);

/* ---- Primitives, draw.cpp ----------------------------------------------------------------- */

/// Draws the payload of a DATA command.
void draw(Engine& engine, std::span<const uint8_t> data);

} // namespace pixmill::reference::vivante_vg
