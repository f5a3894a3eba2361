// Textures of random scenes.
//
// The results of these features are undocumented, so scenes do not use them: YUV, E5B9G9R9,
// anisotropy, and linear magnification with nearest minification and mipmaps (the level of detail
// at which the filter changes is unknown).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "builder.hpp"

namespace pixmill::test {

namespace {

struct TextureFormat {
    uint32_t format, extended;
    unsigned bytes; ///< bytes per texel or block
    bool block, srgb;
};

constexpr TextureFormat formats[] = {
    {1, 0, 1, false, false},  {2, 0, 1, false, true},   {3, 0, 1, false, false},
    {4, 0, 2, false, false},  {5, 0, 2, false, false},  {6, 0, 2, false, false},
    {7, 0, 4, false, true},   {8, 0, 4, false, true},   {9, 0, 4, false, true},
    {10, 0, 4, false, true},  {11, 0, 2, false, false}, {12, 0, 2, false, false},
    {13, 0, 2, false, false}, {16, 0, 2, false, false}, {17, 0, 4, false, false},
    {0, 6, 2, false, false},  {0, 12, 4, false, false}, {19, 0, 8, true, true},
    {20, 0, 16, true, true},  {21, 0, 16, true, true},  {30, 0, 8, true, false},
    {0, 0, 8, true, true},    {0, 1, 8, true, true},    {0, 2, 16, true, true},
    {0, 3, 8, true, false},   {0, 4, 16, true, false},
};
constexpr uint32_t plain_formats = 17;

uint32_t align(uint32_t value, uint32_t unit) {
    return (value + unit - 1) / unit * unit;
}

/// Returns log2 of a positive number in 5.5 fixed point, rounded down.
uint32_t log_5_5(uint32_t value) {
    uint32_t whole = 0;
    while (value >> (whole + 1))
        whole++;
    double rest = static_cast<double>(value) / (1u << whole);
    uint32_t result = whole;
    for (unsigned bit = 0; bit < 5; bit++) {
        rest *= rest;
        result = result << 1 | (rest >= 2);
        rest = rest >= 2 ? rest / 2 : rest;
    }
    return result;
}

class Texture {
public:
    Texture(SceneBuilder& builder, unsigned sampler)
        : b_(builder), r_(builder.random), s_(4 * sampler) {
        result_.sampler = sampler;
    }

    SceneTexture make() {
        choose();
        const uint32_t min = r_.between(1, 2);
        const uint32_t mip = levels_ > 1 ? r_.between(1, 2) : 0;
        const uint32_t mag = mip && min == 1 ? 1 : r_.between(1, 2);
        const uint32_t wrap_u = r_.below(3), wrap_v = r_.below(3), wrap_r = r_.below(3);
        result_.is_nearest = min == 1 || mag == 1 || mip == 1;
        const bool srgb = format_.srgb && r_.chance(20);
        b_.load(0x2000 + s_, type_ | wrap_u << 3 | wrap_v << 5 | min << 7 | mip << 9 | mag << 11 |
                                 format_.format << 13 | uint32_t{linear_} * 3 << 20);
        b_.load(0x2040 + s_, width_ | height_ << 16);
        b_.load(0x2080 + s_, log_5_5(width_) | log_5_5(height_) << 10 | uint32_t{srgb} << 31);
        b_.load(0x20C0 + s_, lod(min, mip, mag));
        b_.load(0x2180 + s_, depth_ | log_5_5(depth_) << 16 | wrap_r << 28);
        b_.load(0x21C0 + s_,
                format_.extended | swizzle() | uint32_t{array_} << 24 | uint32_t{halign_} << 26);
        for (uint32_t level = 0; level < levels_; level++)
            b_.load(0x2400 + 0x40 * level + s_, place(level));
        if (linear_) // the documented register, or the one that Mesa writes
            b_.load(r_.chance(50) ? 0x2C00 + s_ : 0x2C00 + 16 * s_, stride_);
        if (srgb)
            b_.add(Feature::srgb);
        return result_;
    }

private:
    void choose() {
        const uint32_t kind = r_.below(100);
        format_ =
            formats[r_.chance(65)
                        ? r_.below(plain_formats)
                        : r_.between(plain_formats, static_cast<uint32_t>(std::size(formats)) - 1)];
        width_ = r_.chance(40) ? r_.between(40, 64) : r_.between(1, 40);
        height_ = r_.chance(40) ? r_.between(40, 64) : r_.between(1, 40);
        Feature feature = Feature::texture_2d;
        if (kind < 60) {
            type_ = 2;
            linear_ = !format_.block && r_.chance(15);
        } else if (kind < 80) {
            type_ = 5;
            height_ = width_;
            faces_ = 6;
            feature = Feature::texture_cube;
        } else if (kind < 90) {
            type_ = 3;
            depth_ = r_.between(1, 8);
            feature = Feature::texture_3d;
        } else {
            type_ = 3;
            array_ = true;
            depth_ = r_.between(2, 5);
            feature = Feature::texture_array;
        }
        b_.add(feature);
        result_.coordinates = type_ == 2 ? 2 : 3;
        result_.is_array = array_;
        result_.layers = depth_;
        halign_ = !format_.block && r_.chance(60);
        if (!linear_ && r_.chance(50)) {
            levels_ = 1;
            while ((std::max(width_, height_) >> levels_) && levels_ < 6)
                levels_++;
        }
        if (levels_ > 1)
            b_.add(Feature::mipmaps);
        if (linear_)
            b_.add(Feature::linear_texture);
        if (format_.block)
            b_.add(Feature::compressed);
    }

    uint32_t lod(uint32_t min, uint32_t mip, uint32_t mag) {
        if (!mip) // with two different filters, MAX must be above MIN
            return min != mag ? 1u << 1 : 0;
        const uint32_t last = 32 * (levels_ - 1);
        const uint32_t most = r_.chance(25) ? r_.below(last + 1) : last; // not always a whole level
        const uint32_t least = r_.chance(30) ? r_.below(most + 1) : 0;
        const bool bias = r_.chance(30);
        const uint32_t by = static_cast<uint32_t>(static_cast<int32_t>(r_.below(97)) - 48) & 0x3FF;
        return uint32_t{bias} | most << 1 | least << 11 | (bias ? by << 21 : 0);
    }

    uint32_t swizzle() {
        if (r_.chance(60))
            return 0x00321000;
        return r_.below(6) << 8 | r_.below(6) << 12 | r_.below(6) << 16 |
               r_.pick<uint32_t>({3, 5}) << 20;
    }

    uint32_t place(uint32_t level) {
        const uint32_t w = std::max(width_ >> level, 1u), h = std::max(height_ >> level, 1u);
        const uint32_t d = type_ == 3 ? (array_ ? depth_ : std::max(depth_ >> level, 1u)) : faces_;
        uint32_t size;
        if (format_.block) {
            size = (w + 3) / 4 * ((h + 3) / 4) * format_.bytes;
        } else if (linear_) {
            stride_ = align(w * format_.bytes, 16);
            size = stride_ * h;
        } else {
            size = align(w, halign_ ? 16 : 4) * format_.bytes * align(h, 4);
        }
        std::vector<uint8_t> bytes = r_.bytes(size * d);
        if (format_.format == 30)
            make_etc1(bytes);
        return b_.place(std::move(bytes));
    }

    /// Makes the blocks valid ETC1, where differences must not overflow.
    static void make_etc1(std::vector<uint8_t>& bytes) {
        for (size_t block = 0; block + 8 <= bytes.size(); block += 8)
            for (size_t c = 0; c < 3; c++) {
                uint8_t& byte = bytes[block + c];
                const int sum = (byte >> 3) + (byte & 7) - 2 * (byte & 4);
                if ((bytes[block + 3] & 2) && (sum < 0 || sum > 31))
                    byte &= 0xF8;
            }
    }

    SceneBuilder& b_;
    Random& r_;
    uint32_t s_;
    SceneTexture result_;
    TextureFormat format_{};
    uint32_t type_ = 2, width_ = 1, height_ = 1, depth_ = 1, faces_ = 1, levels_ = 1, stride_ = 0;
    bool linear_ = false, array_ = false, halign_ = false;
};

} // namespace

SceneTexture make_texture(SceneBuilder& builder, unsigned sampler) {
    return Texture(builder, sampler).make();
}

} // namespace pixmill::test
