// What VG_CONTROL has in front of blending: image, paint, color transform.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <optional>

#include "source.hpp"

namespace pixmill::vivante::vg {

/// The colors that a DATA draws with, as the states are when it begins.
class Coloring {
public:
    Coloring(const States& states, const Features& features);

    /// All pixels have this color, if they have one in common.
    const std::optional<Color>& solid() const { return solid_; }
    bool culls() const { return culls_; }
    /// A source is of a format that this core does not have.
    bool unreadable() const;
    /// The image mode belongs to another core.
    bool foreign_mode() const { return image_mode_ > ImageMode::filter; }
    bool overlaps(uint64_t begin, uint64_t end) const;

    void begin(PhysicalMemory& memory);
    /// Pixels from (x, y) on that border culling leaves alone get coverage 0.
    void cull(uint32_t x, uint32_t y, uint8_t* coverage, size_t count) const;
    void read(PhysicalMemory& memory, uint32_t x, uint32_t y, Pixels& to, size_t count) const;
    /// Whether what read() gives is the words of texels, of this order.
    bool gives_words(const ByteOrder& order) const;
    /// The same as words, where it is and they are in one piece; false: they are not.
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
    std::optional<Source> image_, paint_; ///< where there is one
    Linear image_u_, image_v_, image_w_;
    Linear paint_u_;
    Quadratic paint_v_; ///< of a ramp the radial part, of a pattern v
    struct Scale {
        int32_t scale = 256, bias = 0; ///< 8.8; a bias of 1.0 is a whole channel
    };
    std::array<Scale, 4> transform_{};
};

} // namespace pixmill::vivante::vg
