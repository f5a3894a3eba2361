// Stages that compute a pixel's color before blending, as selected by VG_CONTROL: image, paint and
// color transform.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <optional>

#include "source.hpp"

namespace pixmill::vivante::vg {

/// Computes the colors that a DATA command draws, from the states when it starts.
class Coloring {
public:
    Coloring(const States& states, const Features& features);

    /// Returns the color if all pixels have the same one.
    const std::optional<Color>& solid() const { return solid_; }
    bool culls() const { return culls_; }
    /// True if the core does not support the format of the image or paint.
    bool unreadable() const;
    /// True if the image mode does not exist on this core.
    bool foreign_mode() const { return image_mode_ > ImageMode::filter; }
    const std::optional<Source>& image() const { return image_; }
    const std::optional<Source>& paint() const { return paint_; }
    bool overlaps(uint64_t begin, uint64_t end) const;

    void begin(PhysicalMemory& memory);
    /// Sets the coverage to 0 for the pixels, from (x, y) on, that border culling excludes.
    void cull(uint32_t x, uint32_t y, uint8_t* coverage, size_t count) const;
    void read(PhysicalMemory& memory, uint32_t x, uint32_t y, Pixels& to, size_t count) const;
    /// True if read() returns texels unchanged, as stored in memory in the byte order `order`.
    bool gives_words(const ByteOrder& order) const;
    /// Reads texels as words if gives_words() is true. Returns false if the texels are not
    /// contiguous in host memory.
    [[nodiscard]] bool read_words(uint32_t x, uint32_t y, Words& to, size_t count) const;

private:
    bool paints() const;
    void place_image(uint32_t x, uint32_t y, Places& places, size_t count) const;
    void read_image(PhysicalMemory& memory, uint32_t x, uint32_t y, Pixels& to, size_t count) const;
    void read_paint(PhysicalMemory& memory, uint32_t x, uint32_t y, Pixels& to, size_t count) const;
    void transform(Pixels& pixels, size_t count) const;
    void finish(Pixels& pixels, size_t count) const;

    ImageMode image_mode_ = ImageMode::none;
    PaintType paint_type_ = PaintType::solid;
    bool culls_ = false, transforms_ = false, multiplies_ = false;
    Color color_{};
    std::optional<Color> solid_;
    std::optional<Source> image_, paint_; ///< empty if disabled
    Linear image_u_, image_v_, image_w_;
    Linear paint_u_;
    Quadratic paint_v_; ///< radial part of a color ramp, or v of a pattern
    struct Scale {
        int32_t scale = 256, bias = 0; ///< 8.8 fixed point; a bias of 1.0 adds 255
    };
    std::array<Scale, 4> transform_{};
};

} // namespace pixmill::vivante::vg
