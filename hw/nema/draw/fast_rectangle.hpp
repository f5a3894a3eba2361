// Rectangles that hw/render draws with identical results: fills, copies, conversions, and
// Porter-Duff blends that round only one product.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "blit.hpp"
#include "render/pipeline.hpp"

namespace pixmill::nema {

class FastRectangle {
public:
    /// Prepares a fill of `rect` in image `to`, or a blit to it. Returns false if hw/render cannot
    /// draw it. If true, draw() can run on `memory`.
    [[nodiscard]] bool prepare_fill(const DrawSetup& setup, unsigned to, uint32_t color,
                                    const render::Rect& rect, Memory& memory);
    [[nodiscard]] bool prepare_blit(const DrawSetup& setup, const Blit& blit,
                                    const render::Rect& rect, Memory& memory);

    /// Draws whole rows, starting at row `row` of the rectangle, until the cost reaches about
    /// `work`.
    render::Progress draw(uint32_t row, uint64_t work);

private:
    /// Parameters of the operation, except the rectangle.
    struct Work {
        Memory* memory = nullptr;
        Texture to, from;
        BlendState blend;
        uint32_t color = 0; ///< fill color
        bool dithers = false, blits = false;
        bool operator==(const Work&) const = default;
    };
    [[nodiscard]] bool prepare(const Work& work, const render::Rect& rect);
    bool describe(const Work& work);
    bool describe_fill(const Work& work, const Format& to);
    bool describe_blit(const Work& work, const Format& to);

    Work work_;             ///< parameters of operation_
    bool can_ = false;      ///< hw/render can draw work_
    bool prepared_ = false; ///< pipeline_ is prepared for work_
    render::Operation operation_;
    render::Pipeline pipeline_;
};

} // namespace pixmill::nema
