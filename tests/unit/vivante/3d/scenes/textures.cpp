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
    uint32_t positive = 0xFFFFFFFF; ///< bits of a word that make numbers for coordinates
    bool integers = false;
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
/// Formats of HALTI1 and HALTI2, then those of HALTI5.
constexpr TextureFormat halti_formats[] = {
    {0, 14, 1, false, false},
    {0, 15, 2, false, false},
    {0, 16, 4, false, false},
    {0, 17, 4, false, false},
    {0, 7, 2, false, false, 0x3BFF3BFF},
    {0, 8, 4, false, false, 0x3BFF3BFF},
    {0, 9, 8, false, false, 0x3BFF3BFF},
    {0, 10, 4, false, false, 0x3F7FFFFF},
    {0, 11, 8, false, false, 0x3F7FFFFF},
    {0, 27, 4, false, false, 0x77DDFBBF},
    {0, 21, 1, false, false, 0xFFFFFFFF, true},
    {0, 22, 2, false, false, 0xFFFFFFFF, true},
    {0, 23, 4, false, false, 0xFFFFFFFF, true},
    {0, 24, 2, false, false, 0xFFFFFFFF, true},
    {16, 0, 2, false, false}, // depths, which are often compared
    {16, 0, 2, false, false},
    {17, 0, 4, false, false},
    {17, 0, 4, false, false},
    {0, 26, 8, false, false, 0xFFFFFFFF, true},
    {0, 28, 4, false, false, 0xFFFFFFFF, true},
    {0, 33, 1, false, false},
    {0, 34, 4, false, false},
    {0, 36, 8, false, false, 0x000000FF, true}, // larger coordinates would have no fraction
};
constexpr uint32_t formats_of_halti2 = 20;

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
        result_.is_nearest = min == 1 || mag == 1 || mip == 1 || format_.integers || compares_;
        const bool srgb = format_.srgb && r_.chance(20);
        if (b_.halti() >= 1) {
            filter_ = {min, mip, mag};
            wrap_ = {wrap_u, wrap_v, wrap_r};
            srgb_ = srgb;
            if (srgb)
                b_.add(Feature::srgb);
            if (b_.halti() >= 5)
                load_descriptor();
            else
                load_nte();
            return result_;
        }
        b_.load(0x2000 + s_, type_ | wrap_u << 3 | wrap_v << 5 | min << 7 | mip << 9 | mag << 11 |
                                 format_.format << 13 | uint32_t{linear_} * 3 << 20);
        b_.load(0x2040 + s_, width_ | height_ << 16);
        b_.load(0x2080 + s_, log_5_5(width_) | log_5_5(height_) << 10 | uint32_t{srgb} << 31);
        b_.load(0x20C0 + s_, lod(min, mip, mag));
        b_.load(0x2180 + s_, depth_ | log_5_5(depth_) << 16 | wrap_r << 28);
        b_.load(0x21C0 + s_, format_.extended | swizzle() | uint32_t{array_} << 24 | halign_ << 26);
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
        if (b_.halti() >= 2 && r_.chance(35))
            format_ = halti_formats[r_.below(b_.halti() >= 5
                                                 ? static_cast<uint32_t>(std::size(halti_formats))
                                                 : formats_of_halti2)];
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
        if (b_.halti() >= 2 && type_ == 2 && !format_.block && !linear_ && r_.chance(50))
            halign_ = 2; // supertiles
        if (!linear_ && r_.chance(50)) {
            levels_ = 1;
            while ((std::max(width_, height_) >> levels_) && levels_ < 6)
                levels_++;
        }
        choose_halti2();
        if (levels_ > 1)
            b_.add(Feature::mipmaps);
        if (linear_)
            b_.add(Feature::linear_texture);
        if (format_.block)
            b_.add(Feature::compressed);
    }

    void choose_halti2() {
        const reference::Vivante3dFeatures& core = b_.scene.core;
        if (core.halti < 2)
            return;
        const bool is_depth = format_.format == 16 || format_.format == 17;
        compares_ = is_depth && type_ == 2 && r_.chance(90);
        result_.compares = compares_;
        signed_ = format_.integers && core.halti >= 5 && r_.chance(50);
        if (format_.integers)
            result_.integers = signed_ ? shader::s32 : shader::u32;
        seamless_ = type_ == 5 && r_.chance(50);
        const unsigned sampler = s_ / 4;
        has_status_ = halign_ == 2 && levels_ == 1 && sampler < 8 && r_.chance(70);
        if (has_status_)
            b_.add(Feature::sampler_status);
    }

    /* ---- HALTI1 to HALTI4 ---- */

    uint32_t config_1() {
        return format_.extended | swizzle() | uint32_t{array_} << 24 | uint32_t{seamless_} << 25 |
               halign_ << 26;
    }

    void load_nte() {
        b_.load(0x10000 + s_, type_ | wrap_[0] << 3 | wrap_[1] << 5 | filter_[0] << 7 |
                                  filter_[1] << 9 | filter_[2] << 11 | format_.format << 13 |
                                  uint32_t{linear_} * 3 << 20);
        b_.load(0x10080 + s_, width_ | height_ << 16);
        b_.load(0x10100 + s_, log_5_5(width_) | log_5_5(height_) << 10 | uint32_t{srgb_} << 31);
        b_.load(0x10180 + s_, lod(filter_[0], filter_[1], filter_[2]));
        b_.load(0x10300 + s_, depth_ | log_5_5(depth_) << 16 | wrap_[2] << 28);
        b_.load(0x10380 + s_, config_1() | uint32_t{has_status_} << 30);
        b_.load(0x10700 + s_, uint32_t{compares_} << 16 | r_.below(8) << 20);
        for (uint32_t level = 0; level < levels_; level++) {
            const uint32_t address = place(level);
            if (level == 0)
                load_status(address, s_ / 4, false);
            b_.load(0x10800 + 16 * s_ + 4 * level, address);
        }
        b_.load(0x10280 + s_, stride_);
    }

    /// Loads the tile status of level 0 in unit `unit`.
    void load_status(uint32_t address, uint32_t unit, bool large) {
        if (!has_status_)
            return;
        SceneSurface surface;
        surface.bytes = format_.bytes;
        surface.width = align(width_, 64);
        surface.height = align(height_, 64);
        surface.large_tiles = large;
        const uint32_t word = clear_value();
        b_.load(0x1720 + 4 * unit, 1u);
        b_.load(0x1740 + 4 * unit,
                b_.place(random_status(b_, status_bytes(b_, surface), r_.chance(10))));
        b_.load(0x1760 + 4 * unit, word);
        b_.load(0x1780 + 4 * unit, format_.bytes == 8 ? clear_value() : r_.word());
        if (b_.halti() >= 3)
            b_.load(0x1A80 + 4 * unit, address);
    }
    uint32_t clear_value() {
        const uint32_t word = r_.word() & format_.positive;
        return format_.bytes == 1   ? (word & 0xFF) * 0x01010101
               : format_.bytes == 2 ? (word & 0xFFFF) * 0x10001
                                    : word;
    }

    /* ---- HALTI5 ---- */

    void load_descriptor() {
        std::vector<uint32_t> words(64);
        // LOD_CONFIG in 5.5, of which MIN, MAX and BIAS are converted to 8.8.
        const uint32_t lods = lod(filter_[0], filter_[1], filter_[2]);
        const bool large = r_.chance(50);
        const uint32_t unit = s_ / 4 % 8;
        words[0x40 / 4] = type_ | format_.format << 13 | uint32_t{linear_} * 3 << 20;
        words[0x44 / 4] = width_ | height_ << 16;
        words[0x4C / 4] = config_1();
        words[0x68 / 4] = (levels_ - 1) << 8;
        words[0x6C / 4] = 0x30000 | uint32_t{signed_} * 3 << 18;
        words[0x74 / 4] = log_5_5(width_) << 3 | log_5_5(height_) << 19;
        words[0x78 / 4] = log_5_5(depth_) << 3;
        words[0x84 / 4] = depth_;
        for (uint32_t level = 0; level < levels_; level++) {
            words[level] = place(level);
            if (level == 0) {
                words[0x7C / 4] = slice_;
                load_status(words[0], unit, large);
            }
        }
        words[0x48 / 4] = stride_;
        b_.load(0x15C00 + s_, b_.place(words));
        b_.load(0x15E00 + s_, has_status_ ? uint32_t{large} | 2 | unit << 2 | uint32_t{!large} << 6
                                          : 0x40 | unit << 2);
        b_.load(0x16C00 + s_, wrap_[0] | wrap_[1] << 3 | wrap_[2] << 6 | filter_[0] << 9 |
                                  filter_[1] << 11 | filter_[2] << 13 | uint32_t{compares_} << 17 |
                                  r_.below(8) << 18 | 1u << 21);
        b_.load(0x16E00 + s_, 2 | uint32_t{srgb_} << 2);
        const uint32_t most = lods >> 1 & 0x3FF, least = lods >> 11 & 0x3FF;
        b_.load(0x17000 + s_, most << 3 | least << 19);
        const auto bias = static_cast<uint32_t>(static_cast<int32_t>(lods << 1) >> 22) * 8;
        b_.load(0x17200 + s_, (bias & 0xFFFF) | (lods & 1) << 16);
        b_.load(0x17400 + s_, 0u);
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
            size = halign_ == 2 ? align(w, 64) * format_.bytes * align(h, 64)
                                : align(w, halign_ ? 16 : 4) * format_.bytes * align(h, 4);
        }
        if (level == 0)
            slice_ = size;
        std::vector<uint8_t> bytes = r_.bytes(size * d);
        if (format_.format == 30)
            make_etc1(bytes);
        if (format_.positive != 0xFFFFFFFF)
            for (size_t i = 0; i < bytes.size(); i++)
                bytes[i] &= static_cast<uint8_t>(format_.positive >> 8 * (i % 4));
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
    bool linear_ = false, array_ = false;
    uint32_t halign_ = 0, slice_ = 0;
    std::array<uint32_t, 3> filter_{}, wrap_{}; ///< MIN, MIP and MAG
    bool srgb_ = false, compares_ = false, signed_ = false, seamless_ = false, has_status_ = false;
};

} // namespace

SceneTexture make_texture(SceneBuilder& builder, unsigned sampler) {
    return Texture(builder, sampler).make();
}

} // namespace pixmill::test
