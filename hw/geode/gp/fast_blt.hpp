// BLTs that hw/render draws with identical results: fills, copies, raster operations, conversions.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "blt.hpp"
#include "render/pipeline.hpp"

namespace pixmill::geode {

class FastBlt {
public:
    /// Returns true if hw/render can draw `blt`.
    [[nodiscard]] bool set_up(const Blt& blt);
    /// Prepares to draw. Returns false if the host is out of memory.
    [[nodiscard]] bool prepare(PhysicalMemory& memory);
    /// True if rows cost less when each draw() draws more of them.
    bool joins() const { return pipeline_.joins(); }
    /// Draws from pixel `from` on until the cost reaches about `work`.
    render::Progress draw(render::Reached from, uint64_t work);

private:
    [[nodiscard]] bool find_operands(const Blt& blt);
    [[nodiscard]] bool find_blend(const Blt& blt);
    [[nodiscard]] bool find_source(const Blt& blt, render::Stage& stage);
    [[nodiscard]] bool find_color_source(const Blt& blt, render::Stage& stage);
    [[nodiscard]] bool find_channel3(const Blt& blt, render::Stage& stage);
    [[nodiscard]] bool find_pattern(const Blt& blt);
    static void set_surface(render::Stage& stage, const render::Format& format, uint64_t base,
                            uint32_t stride);
    bool copies_in_order(const Blt& blt, const render::Stage& stage) const;

    render::Operation operation_;
    render::Pipeline pipeline_;
};

} // namespace pixmill::geode
