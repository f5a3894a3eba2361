// Draws programs that only copy one texel to each pixel, without running the program. Clients draw
// glyphs and images this way.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "fragment_surfaces.hpp"

namespace pixmill::nema {

class Blit {
public:
    /// Checks whether `program` is a blit. `surfaces` must be prepared, and must stay valid while
    /// the blit is used.
    void prepare(const DrawSetup& setup, const FragmentProgram& program,
                 const Coordinates& coordinates, FragmentSurfaces& surfaces);
    void open(Memory& memory);

    explicit operator bool() const { return output_; }
    /// True if the blit can work directly on the words in memory.
    bool in_memory() const { return output_ && (copies_ || order_); }
    /// True if masked() may be able to draw the blit.
    bool masks() const { return output_ && mask_; }
    RenderOutput& output() const { return *output_; }
    const Texture& from() const { return *from_; }
    unsigned to() const { return to_image_; } ///< index of the destination image
    /// Offset from a pixel to its texel.
    int32_t dx() const { return dx_; }
    int32_t dy() const { return dy_; }
    /// True if rows of `width` pixels are whole rows of the source with the same layout.
    bool whole_rows(int32_t width) const;

    /// Draws up to `count` pixels and returns how many it drew. Stops at the edge of the source.
    /// With `in_order`, pixels must be drawn one after another.
    uint32_t run(int32_t x, int32_t y, uint32_t count, bool in_order);
    /// Draws whole rows. Returns false if it drew nothing.
    bool rows(int32_t y, uint32_t count);
    /// Draws `count` pixels of each of `rows` rows directly from texels that have only alpha. All
    /// pixels must be inside the destination. Returns false if it drew nothing. Requires masks().
    [[nodiscard]] bool masked(int32_t x, int32_t y, uint32_t count, uint32_t rows);

private:
    [[nodiscard]] bool find(const DrawSetup& setup, const FragmentProgram& program,
                            const Coordinates& coordinates, FragmentSurfaces& surfaces);
    bool translates(const Coordinates& coordinates);
    ConstRow texels(uint32_t u, uint32_t v, uint32_t count);
    uint32_t decoded_run(int32_t x, int32_t y, uint32_t count);
    [[nodiscard]] bool copy(int32_t x, int32_t y, uint32_t count, const std::byte* from,
                            bool in_order);

    const Texture* from_ = nullptr;
    const Texture* to_ = nullptr;
    unsigned to_image_ = 0;
    TextureMap* texture_ = nullptr;
    RenderOutput* output_ = nullptr; ///< null if the program is not a blit
    Memory* memory_ = nullptr;
    bool copies_ = false;            ///< plain copy of bytes
    std::optional<WordOrder> order_; ///< if not copies_: set if words can be blended in memory
    std::optional<MaskFormat> mask_; ///< set if one color can be blended through the texels
    int32_t dx_ = 0, dy_ = 0;        ///< offset from a pixel to its texel

    /// Texels fetched in advance: `rows` rows of `count` texels from (u, v) on.
    struct {
        uint32_t u = 0, v = 0, count = 0;
        uint32_t rows = 0, pitch = 0;
        std::array<uint32_t, row_pixels + 8> texel; ///< padded for RenderOutput::write()
    } ahead_;
};

} // namespace pixmill::nema
