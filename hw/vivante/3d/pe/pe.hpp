// PE, the pixel engine: tests, blends and writes of fragments.
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

/// Bits of a compare function: it passes where the new value is less than, equals, or is greater
/// than the stored one. The hardware's codes of functions are these bits.
struct Compare {
    static constexpr uint8_t never = 0, less = 1, equal = 2, greater = 4, always = 7;
};

/// Where the bits of a pixel are.
struct TargetFormat {
    struct Channel {
        uint8_t bits = 0, shift = 0;
    };
    uint32_t code;                  ///< PE_COLOR_FORMAT
    uint32_t bytes;                 ///< of a pixel
    std::array<Channel, 4> channel; ///< r, g, b, a; an alpha of no bits reads 1
    uint32_t padding = 0; ///< bits of no channel, which alpha's mask protects: written as ones
};

/// The format of a code, or null if the GC2000 cannot draw to it.
const TargetFormat* find_target_format(uint32_t code);

/// Where a surface of the PE lies, for whoever loads and stores tiles.
struct PeSurface {
    std::array<uint32_t, 2> address{}; ///< of each pipe's part
    uint32_t stride = 0;               ///< bytes of a row of samples
    Layout layout = Layout::tiled;
    bool fast_clear = false; ///< it has a tile status
};

/// A stencil operation on the stored value s: limit(((s & keep) ^ flip) + add) modulo 256.
struct StencilOp {
    int32_t keep, flip, add, low, high;
};

/// What is done to samples of one side of triangles.
struct StencilSide {
    uint8_t func = Compare::always; ///< of ref & mask, against the stored value & mask
    uint8_t ref = 0, mask = 0, write_mask = 0;
    StencilOp pass{}, fail{}, depth_fail{};
};

struct DepthSetup {
    bool d24s8 = false;
    bool reads = false;   ///< the PE looks at the surface; else every sample passes
    bool write = false;   ///< new depths are written
    bool stencil = false; ///< there is a stencil test
    uint8_t func = Compare::always;
    double scale = 0; ///< of depths to integers, 0 to what fits
    StencilSide front, back;
    PeSurface surface;
};

enum class BlendOperand : uint8_t { zero, source, source_alpha, target, target_alpha, saturate };
enum class BlendEquation : uint8_t { sum, min, max };

/// A factor of blending, base + gain x operand. Signs of equations are in factors, too: (-s) f and
/// -(s f) are the same number.
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
    uint32_t code = 0;                    ///< of the format as the states give it
    const TargetFormat* format = nullptr; ///< null: unknown, nothing is drawn to it
    uint32_t write_mask = 0;              ///< bits of the pixel that are written
    bool saturate = false;                ///< the shader's color is clamped first
    PeSurface surface;

    bool is_written() const { return write_mask != 0; }
};

struct ColorSetup {
    unsigned targets = 0;
    std::array<ColorTarget, most_targets> target;
    bool components = false; ///< some are written: a format that is unknown matters
    bool blend = false;
    std::array<BlendChannel, 4> channel; ///< r, g, b, a
    uint8_t logic_op = copy;             ///< truth table: bit 2s + d

    static constexpr uint8_t copy = 0xC;
};

struct AlphaTest {
    uint8_t func = Compare::always;
    uint8_t ref = 0;
};

/// The states of the PE, decoded.
struct PeSetup {
    unsigned samples = 1; ///< of a pixel: 1, 2 or 4
    AlphaTest alpha;
    DepthSetup depth;
    ColorSetup color;
    bool dither = false; ///< the states ask for it; this model does not dither

    static PeSetup decode(States states, const Features3d& features);
};

/// Where the lanes of a batch lie in a plane: those of quad q at at[q], at[q] + right,
/// at[q] + down and at[q] + down + right.
struct LanePlaces {
    std::array<size_t, quad_count> at;
    size_t right, down;
};

// Loops over a batch. Of its lanes, only those in `lanes` are drawn.

using AlphaLoop = LaneMask (*)(const AlphaTest&, const Lanes& alpha);
/// Tests and writes depth and stencil. Which of `lanes` pass.
using DepthLoop = LaneMask (*)(const DepthSetup&, RenderTile::Plane&, const LanePlaces&,
                               LaneMask lanes, LaneMask positive, const Lanes& depth);
/// Draws to target `number`.
using ColorLoop = void (*)(const ColorSetup&, unsigned number, RenderTile::Plane&,
                           const LanePlaces&, LaneMask lanes, const Vector& color);

/// Draws fragments as a setup says. Once prepared it may be used by several threads, each with
/// tiles of its own.
class PixelEngine {
public:
    void prepare(const PeSetup& setup);

    struct Drawn {
        uint64_t samples = 0; ///< that passed all tests, for occlusion queries
        uint64_t killed = 0;  ///< by the depth and the stencil test
        bool depth = false;   ///< planes of the tile that have changed, perhaps
        uint8_t colors = 0;   ///< likewise, a bit for each target
    };
    /// Sample s of pixel (x, y) lies at (2x + (s & 1), y) of the tile with two samples, at
    /// (2x + (s & 1), 2y + (s >> 1)) with four. All samples of all quads must lie in
    /// the tile, those of quads without a lane, too.
    Drawn draw(RenderTile& tile, const Fragments& fragments) const;

    // The same in two steps, for who knows the outcome of the tests before the colors.

    using SampleLanes = std::array<LaneMask, most_samples>;
    /// Tests depth and stencil of what is covered. The lanes of each sample that pass.
    SampleLanes test(RenderTile& tile, const Fragments& fragments, Drawn& drawn) const;
    /// Draws the colors of `lanes`.
    void paint(RenderTile& tile, const Fragments& fragments, const SampleLanes& lanes,
               Drawn& drawn) const;

    bool tests_alpha() const { return alpha_ != nullptr; }
    bool tests_depth() const { return depth_ != nullptr; }
    /// Whether all that is drawn takes the place of what was there, bit by bit.
    bool replaces() const;

private:
    PeSetup setup_;
    AlphaLoop alpha_ = nullptr; ///< null: there is no such test
    DepthLoop depth_ = nullptr;
    std::array<ColorLoop, most_targets> color_{}; ///< null: not written
};

} // namespace pixmill::vivante
