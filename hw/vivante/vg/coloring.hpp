// Color stages of VG_CONTROL before blending: image, paint, color transform.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <optional>

#include "source.hpp"

namespace pixmill::vivante::vg {

/// The colors that a DATA draws with, from the states at its start.
class Coloring {
public:
    Coloring(const States& states, const Features& features);

    /// Returns the color that all pixels have, if they share one.
    const std::optional<Color>& solid() const { return solid_; }
    bool culls() const { return culls_; }
    /// True if this core lacks the format of a source.
    bool unreadable() const;
    /// True if the image mode belongs to another core.
    bool foreign_mode() const { return image_mode_ > ImageMode::filter; }
    const std::optional<Source>& image() const { return image_; }
    const std::optional<Source>& paint() const { return paint_; }
    bool overlaps(uint64_t begin, uint64_t end) const;

    void begin(PhysicalMemory& memory);
    /// Sets the coverage of pixels from (x, y) on to 0 where border culling excludes them.
    void cull(uint32_t x, uint32_t y, uint8_t* coverage, size_t count) const;
    void read(PhysicalMemory& memory, uint32_t x, uint32_t y, Pixels& to, size_t count) const;
    /// True if read() returns texels as they are in memory, in this byte order.
    bool gives_words(const ByteOrder& order) const;
    /// Reads such texels as words. Returns false if they are not contiguous in host memory.
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
    std::optional<Source> image_, paint_; ///< if enabled
    Linear image_u_, image_v_, image_w_;
    Linear paint_u_;
    Quadratic paint_v_; ///< radial part of a ramp, or v of a pattern
    struct Scale {
        int32_t scale = 256, bias = 0; ///< 8.8; a bias of 1.0 is a full channel
    };
    std::array<Scale, 4> transform_{};
};

} // namespace pixmill::vivante::vg
