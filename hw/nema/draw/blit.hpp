// Programs that do nothing to texels, each of which goes to a pixel of its own: as glyphs and
// pictures are drawn. No program is run for them.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "fragment_surfaces.hpp"

namespace pixmill::nema {

class Blit {
public:
    /// Looks whether it is one. `surfaces`, which it goes on using, are prepared.
    void prepare(const DrawSetup& setup, const FragmentProgram& program,
                 const Coordinates& coordinates, FragmentSurfaces& surfaces);
    void open(Memory& memory);

    explicit operator bool() const { return output_; }
    /// It can be done to words in memory, as they are.
    bool in_memory() const { return output_ && (copies_ || order_); }
    RenderOutput& output() const { return *output_; }
    const Texture& from() const { return *from_; }
    unsigned to() const { return to_image_; } ///< image that output() is
    /// From a pixel to its texel.
    int32_t dx() const { return dx_; }
    int32_t dy() const { return dy_; }
    /// Texels of whole rows of `width` pixels are rows of the destination.
    bool whole_rows(int32_t width) const;

    /// Draws `count` pixels, which may be drawn `in_order` only, as far as they are the source's
    /// inside; returns how many.
    uint32_t run(int32_t x, int32_t y, uint32_t count, bool in_order);
    /// Draws whole rows. False: nothing has been done.
    bool rows(int32_t y, uint32_t count);

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
    RenderOutput* output_ = nullptr; ///< null: it is none
    Memory* memory_ = nullptr;
    bool copies_ = false;            ///< nothing happens to the bytes
    std::optional<WordOrder> order_; ///< else, if they can be blended where they are
    int32_t dx_ = 0, dy_ = 0;        ///< from a pixel to its texel

    /// Texels that have been fetched: `count` from (u, v) on, of so many rows.
    struct {
        uint32_t u = 0, v = 0, count = 0;
        uint32_t rows = 0, pitch = 0;
        std::array<uint32_t, row_pixels + 8> texel; ///< see RenderOutput::write()
    } ahead_;
};

} // namespace pixmill::nema
