// Rectangles that hw/render draws with the same bits: fills, copies, conversions, and the blends of
// Porter and Duff's that round one product.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "blit.hpp"
#include "render/pipeline.hpp"

namespace pixmill::nema {

class FastRectangle {
public:
    /// Whether pixels `rect` of image `to` in one color are that, or texels of a blit. Then it is
    /// ready to be drawn, from `memory`.
    [[nodiscard]] bool prepare_fill(const DrawSetup& setup, unsigned to, uint32_t color,
                                    const render::Rect& rect, Memory& memory);
    [[nodiscard]] bool prepare_blit(const DrawSetup& setup, const Blit& blit,
                                    const render::Rect& rect, Memory& memory);

    /// Draws from row `row` of the rectangle on, until about `work` is done. Whole rows.
    render::Progress draw(uint32_t row, uint64_t work);

private:
    /// What is drawn, wherever it is.
    struct Work {
        Memory* memory = nullptr;
        Texture to, from;
        BlendState blend;
        uint32_t color = 0; ///< of a fill
        bool dithers = false, blits = false;
        bool operator==(const Work&) const = default;
    };
    [[nodiscard]] bool prepare(const Work& work, const render::Rect& rect);
    bool describe(const Work& work);
    bool describe_fill(const Work& work, const Format& to);
    bool describe_blit(const Work& work, const Format& to);

    Work work_;             ///< that operation_ is
    bool can_ = false;      ///< be drawn so
    bool prepared_ = false; ///< pipeline_ is, for work_
    render::Operation operation_;
    render::Pipeline pipeline_;
};

} // namespace pixmill::nema
