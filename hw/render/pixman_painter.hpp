// What pixman draws.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "operation.hpp"
#include "render/kernels/kernels.hpp"

union pixman_image; // who includes this need not know where pixman's headers are

namespace pixmill::render {

struct PixmanRow;

/// An image of pixman's, kept as long as the same one is asked for.
class PixmanImage {
public:
    struct Bits {
        uint32_t format; ///< a pixman_format_code_t
        uintptr_t words; ///< where they begin, or would begin
        int width, height, stride;
        bool operator==(const Bits&) const = default;
    };
    /// Null where there is no memory for it.
    pixman_image* over(const Bits& bits);
    pixman_image* solid(uint32_t argb);
    pixman_image* get() const { return image_.get(); }

private:
    struct Unref {
        void operator()(pixman_image* image) const;
    };
    template<class Shown, class Make>
    pixman_image* keep(const Shown& shown, Make make) {
        if (!image_ || shown_ != decltype(shown_)(shown)) {
            image_.reset(make());
            shown_ = shown;
        }
        return image_.get();
    }

    std::unique_ptr<pixman_image, Unref> image_;
    std::variant<std::monostate, Bits, uint32_t> shown_; ///< memory, or the color
};

/// Draws an operation that pixman draws with the same bits: one source, upright, and a linear
/// destination that is not part of it. Where a loop of ours is faster, it has that draw in pixman's
/// place. Rows that lie in one span of memory are drawn where they are, all others one by one in a
/// row of scratch memory.
class PixmanPainter {
public:
    explicit PixmanPainter(const Kernels& kernels) : kernels_(kernels) {}

    /// Whether pixman draws such operations: what does not depend on where they are drawn.
    [[nodiscard]] bool choose(Memory& memory, const Operation& operation);
    /// Whether it draws this one, which is the one that was chosen for, drawn elsewhere: see
    /// Pipeline::move(). Else others do, and tell what is wrong with it.
    bool place(const Operation& operation);
    uint32_t rows() const { return destination_.rows(); }
    uint64_t row_work() const { return row_price_; }
    static bool bottom_up() { return false; }
    /// See Pipeline::run(); ends with a row.
    Progress run(Reached from, uint32_t end, uint64_t work);

    /// Calls visit(surface, access) for each surface.
    template<class Visit>
    void each_surface(Visit visit) const {
        visit(destination_, Access::write);
        if (reads_source_)
            visit(source_, Access::read);
    }

private:
    /// Pixels in memory that an image can be made of.
    struct Band {
        std::byte* pixels;
        uint32_t stride;
        uint32_t rows;
        int64_t x, y; ///< in the surface
    };
    struct Placed {
        pixman_image* image;
        int x, y;
    };
    /// A row whose memory is in pieces.
    struct Scratch {
        std::vector<uint32_t> words;
        uint32_t shown = 0; ///< their format
        PixmanImage image;

        void prepare(uint32_t format, uint32_t width);
        std::byte* bytes() { return reinterpret_cast<std::byte*>(words.data()); }
    };

    void make_colors(const Operation& operation, bool exchanged);
    uint32_t draw_band(uint32_t row, uint32_t rows);
    void blend_band(const Surface::Band& to, const Surface::Band& from) const;
    bool composite_band(uint32_t row, const Surface::Band& to, const Surface::Band& from);
    [[nodiscard]] bool draw_row(uint32_t row, uint32_t column);
    Placed place(PixmanImage& image, uint32_t format, const Band& band) const;
    void composite(const Placed& to, const Placed& from, uint32_t width, uint32_t rows) const;

    const Kernels& kernels_; ///< loops of ours, which draw what they are faster at
    const Memory* memory_ = nullptr;
    const PixmanRow* how_ = nullptr;
    MemoryBlendKernel loop_ = nullptr; ///< draws instead of pixman
    BlendTerms terms_;                 ///< of a color, as words have it
    uint32_t width_ = 0;
    uint64_t row_price_ = 0;
    Surface destination_, source_;
    int32_t to_left_ = 0, to_top_ = 0, from_left_ = 0, from_top_ = 0; ///< what is touched of them
    bool reads_source_ = false;                                       ///< else it is solid
    PixmanImage to_, from_, solid_, mask_;
    pixman_image* alpha_ = nullptr; ///< the mask, or null
    Scratch to_row_, from_row_;
};

} // namespace pixmill::render
