// Draws operations with pixman.
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

union pixman_image; // avoids including pixman's headers here

namespace pixmill::render {

struct PixmanRow;

/// A pixman image, reused while the same one is requested.
class PixmanImage {
public:
    struct Bits {
        uint32_t format; ///< a pixman_format_code_t
        uintptr_t words; ///< address at which they begin, or would begin
        int width, height, stride;
        bool operator==(const Bits&) const = default;
    };
    /// Return an image, or null if out of memory.
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
    std::variant<std::monostate, Bits, uint32_t> shown_; ///< memory, or a color
};

/// Draws operations for which pixman's results are bit-identical to ours: an upright source and a
/// linear destination that do not overlap. Uses a kernel of `kernels_` instead of pixman where that
/// is faster. Rows in a single span are drawn in place; all other rows are drawn one by one in a
/// scratch row.
class PixmanPainter {
public:
    explicit PixmanPainter(const Kernels& kernels) : kernels_(kernels) {}

    /// Returns true if pixman can draw this kind of operation, regardless of its coordinates.
    [[nodiscard]] bool choose(Memory& memory, const Operation& operation);
    /// Returns true if pixman can draw `operation` at its coordinates. It is the operation passed
    /// to choose(), possibly moved: see Pipeline::move(). If false, another painter draws it or
    /// reports its error.
    bool place(const Operation& operation);
    uint32_t rows() const { return destination_.rows(); }
    uint64_t row_work() const { return row_cost_; }
    static bool bottom_up() { return false; }
    /// See Pipeline::run(). Stops only at the end of a row.
    Progress run(Reached from, uint32_t end, uint64_t work);

    /// Calls visit(surface, access) for each surface.
    template<class Visit>
    void each_surface(Visit visit) const {
        visit(destination_, Access::write);
        if (reads_source_)
            visit(source_, Access::read);
    }

private:
    /// Pixels in memory, to be placed in an image.
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
    /// A row gathered from several spans.
    struct Scratch {
        std::vector<uint32_t> words;
        uint32_t shown = 0; ///< format of the image; 0: none
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

    const Kernels& kernels_; ///< includes loops that are faster than pixman
    const Memory* memory_ = nullptr;
    const PixmanRow* how_ = nullptr;
    MemoryBlendKernel loop_ = nullptr; ///< used instead of pixman if not null
    BlendTerms terms_;                 ///< with the color's channels in memory order
    uint32_t width_ = 0;
    uint64_t row_cost_ = 0;
    Surface destination_, source_;
    int32_t to_left_ = 0, to_top_ = 0, from_left_ = 0, from_top_ = 0; ///< first touched pixels
    bool reads_source_ = false;                                       ///< false: a solid color
    PixmanImage to_, from_, solid_, mask_;
    pixman_image* alpha_ = nullptr; ///< the mask, or null
    Scratch to_row_, from_row_;
};

} // namespace pixmill::render
