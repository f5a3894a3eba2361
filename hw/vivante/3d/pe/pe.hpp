// PE, the pixel engine: tests, blends and writes fragments.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "vivante/3d/features.hpp"
#include "vivante/3d/ra/fragments.hpp"
#include "vivante/3d/render_tile.hpp"
#include "vivante/3d/states.hpp"
#include "vivante/3d/ts/layout.hpp"

namespace pixmill::vivante {

/// Bits of a compare function, which passes if the new value is less than, equal to, or greater
/// than the stored one. The hardware uses the same encoding.
struct Compare {
    static constexpr uint8_t never = 0, less = 1, equal = 2, greater = 4, always = 7;
};

/// Meaning of a channel's bits.
enum class TargetNumber : uint8_t {
    unorm,
    half,
    small_float, ///< 5 bits of exponent, no sign
    bits,        ///< 32 bits, raw
    integer,     ///< signed or unsigned; OUTPUT_MODE limits the shader's values
};

/// Bit layout of a pixel.
struct TargetFormat {
    struct Channel {
        uint8_t bits = 0, shift = 0;
    };
    uint32_t code;                  ///< PE_COLOR_FORMAT
    uint32_t bytes;                 ///< per pixel
    std::array<Channel, 4> channel; ///< r, g, b, a; an alpha without bits reads 1
    uint32_t padding = 0; ///< bits outside all channels: written as ones, together with alpha
    TargetNumber number = TargetNumber::unorm;
    bool halti2 = false; ///< needs HALTI2
};

/// Returns the format with this code, or null if the core cannot draw to it.
const TargetFormat* find_target_format(uint32_t code, const Features3d& features = {});

/// PS_CONTROL_EXT.OUTPUT_MODE: what the shader's values are.
enum class OutputMode : uint8_t { normal, any_integer, raw, u8, u16, i8, i16 };

/// Location of a surface in memory, for loading and storing tiles.
struct PeSurface {
    std::array<uint32_t, 2> address{}; ///< one per pipe
    uint32_t stride = 0;               ///< bytes per row of samples
    Layout layout = Layout::tiled;
    bool fast_clear = false; ///< has a tile status
};

/// Stencil operation on the stored value s: limit(((s & keep) ^ flip) + add) modulo 256.
struct StencilOp {
    int32_t keep, flip, add, low, high;
};

/// Stencil test and operations for front or back faces.
struct StencilSide {
    uint8_t func = Compare::always; ///< compares ref & mask with the stored value & mask
    uint8_t ref = 0, mask = 0, write_mask = 0;
    StencilOp pass{}, fail{}, depth_fail{};
};

struct DepthSetup {
    bool d24s8 = false;
    bool reads = false;   ///< the PE reads the surface; otherwise all samples pass
    bool write = false;   ///< new depths are written
    bool stencil = false; ///< the stencil test is enabled
    uint8_t func = Compare::always;
    double scale = 0; ///< converts depth to an integer; at most the format's largest value
    StencilSide front, back;
    PeSurface surface;
};

enum class BlendOperand : uint8_t { zero, source, source_alpha, target, target_alpha, saturate };
enum class BlendEquation : uint8_t { sum, min, max };

/// A blend factor: base + gain * operand. Factors include the signs of blend equations, since (-s)
/// f and -(s f) are the same number.
struct BlendFactor {
    float base = 0, gain = 0;
    BlendOperand operand = BlendOperand::zero;

    bool operator==(const BlendFactor&) const = default;
};

struct BlendChannel {
    BlendFactor source, target;
    BlendEquation equation = BlendEquation::sum;

    bool operator==(const BlendChannel&) const = default;
};

struct ColorTarget {
    uint32_t code = 0;                    ///< of the format, as in the states
    const TargetFormat* format = nullptr; ///< null if unknown, and nothing is drawn
    uint64_t write_mask = 0;              ///< bits of the pixel that are written
    bool saturate = false;                ///< clamps the shader's color before blending
    bool srgb = false;                    ///< red, green and blue are stored on the sRGB curve
    OutputMode mode = OutputMode::normal;
    bool clamps_integers = false; ///< with OutputMode::any_integer (HALTI5)
    bool blend = false;
    std::array<BlendChannel, 4> channel; ///< r, g, b, a
    PeSurface surface;

    bool is_written() const { return write_mask != 0; }
};

struct ColorSetup {
    unsigned targets = 0;
    std::array<ColorTarget, most_targets> target;
    bool components = false; ///< at least one component is written, so an unknown format matters
    uint8_t logic_op = copy; ///< truth table: bit 2s + d

    static constexpr uint8_t copy = 0xC;
};

struct AlphaTest {
    uint8_t func = Compare::always;
    uint8_t ref = 0;
};

/// The decoded states of the PE.
struct PeSetup {
    unsigned samples = 1; ///< per pixel: 1, 2 or 4
    AlphaTest alpha;
    DepthSetup depth;
    ColorSetup color;
    bool dither = false; ///< requested by the guest, but not modeled

    static PeSetup decode(States states, const Features3d& features);
};

/// Indices of a batch's lanes in a plane. The lanes of quad q have the indices at[q], at[q] +
/// right, at[q] + down and at[q] + down + right.
struct LanePlaces {
    std::array<uint16_t, quad_count> at; ///< 16 bits, so two vectors hold all quads
    size_t right, down;
    bool block = false; ///< the quads are a block of 8x8 samples, row by row, and `right` is 1
};

// Loops over the lanes of a batch. They draw only `lanes`.

using AlphaLoop = LaneMask (*)(const AlphaTest&, const Lanes& alpha);
/// Tests and writes depth and stencil. Returns the lanes that pass.
using DepthLoop = LaneMask (*)(const DepthSetup&, RenderTile::Plane&, const LanePlaces&,
                               LaneMask lanes, LaneMask positive, const Lanes& depth);
/// Draws to target `number`.
using ColorLoop = void (*)(const ColorSetup&, unsigned number, RenderTile&, const LanePlaces&,
                           LaneMask lanes, const Vector& color);

/// Draws fragments. After prepare(), several threads may use it at the same time on different
/// tiles.
class PixelEngine {
public:
    void prepare(const PeSetup& setup);

    struct Drawn {
        uint64_t samples = 0; ///< passed all tests, for occlusion queries
        uint64_t killed = 0;  ///< by the depth or the stencil test
        bool depth = false;   ///< the plane may have changed
        uint8_t colors = 0;   ///< planes that may have changed, a bit for each target
    };
    /// In the tile, sample s of pixel (x, y) is at (2x + (s & 1), y) with two samples per pixel,
    /// and at (2x + (s & 1), 2y + (s >> 1)) with four. All samples of all quads must be in the
    /// tile, even those of quads with no active lanes.
    Drawn draw(RenderTile& tile, const Fragments& fragments) const;

    // draw() in two steps, for early tests.

    using SampleLanes = std::array<LaneMask, most_samples>;
    /// Tests the covered samples. Returns the lanes that pass, for each sample.
    SampleLanes test(RenderTile& tile, const Fragments& fragments, Drawn& drawn) const;
    /// Draws the colors of `lanes`.
    void paint(RenderTile& tile, const Fragments& fragments, const SampleLanes& lanes,
               Drawn& drawn) const;

    bool tests_alpha() const { return alpha_ != nullptr; }
    bool tests_depth() const { return depth_ != nullptr; }
    /// True if drawn samples overwrite all bits, and neither tests nor blending read the old ones.
    bool replaces() const;

private:
    PeSetup setup_;
    AlphaLoop alpha_ = nullptr; ///< null if there is no alpha test
    DepthLoop depth_ = nullptr;
    std::array<ColorLoop, most_targets> color_{}; ///< null if not written
};

} // namespace pixmill::vivante
