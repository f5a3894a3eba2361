// Random scenes with draws: targets, the states of each block, vertices.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "builder.hpp"

namespace pixmill::test {

namespace {

/* ---- Vertices ------------------------------------------------------------------------------- */

using Vector = std::array<float, 4>;

struct ElementType {
    uint32_t type, normalize;
    unsigned bytes; ///< per component
    double whole;   ///< the raw value of 1
    bool is_signed;
};

constexpr ElementType floats = {8, 0, 4, 0, true};
constexpr ElementType half_floats = {9, 0, 2, 0, true};
constexpr ElementType position_types[] = {
    {2, 1, 2, 32767, true}, {11, 0, 4, 65536, true}, half_floats, {0, 1, 1, 127, true}};
/// Element types of values. The vertex shader scales those that are not normalized.
constexpr ElementType value_types[] = {{1, 1, 1, 255, false},
                                       {0, 1, 1, 127, true},
                                       {3, 1, 2, 65535, false},
                                       {2, 1, 2, 32767, true},
                                       half_floats,
                                       {11, 0, 4, 65536, true},
                                       {1, 0, 1, 255, false},
                                       {2, 0, 2, 32767, true},
                                       {5, 1, 4, 4294967295.0, false},
                                       {4, 1, 4, 2147483647, true},
                                       floats};
/// Integers, which the vertex shader converts: BYTE_I and SHORT_I with and without sign.
constexpr ElementType integer_types[] = {{14, 0, 1, 255, false},
                                         {14, 1, 1, 127, true},
                                         {15, 0, 2, 65535, false},
                                         {15, 1, 2, 32767, true}};
constexpr bool is_integer(const ElementType& type) {
    return type.type == 14 || type.type == 15;
}

/// Truncates to half precision. The result is never denormal or infinite.
uint16_t to_half(float value) {
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    const int exponent = static_cast<int>(bits >> 23 & 255) - 127 + 15;
    const uint32_t sign = bits >> 31 << 15;
    if (exponent <= 0)
        return static_cast<uint16_t>(sign);
    if (exponent >= 31)
        return static_cast<uint16_t>(sign | 0x7BFF);
    return static_cast<uint16_t>(sign | static_cast<uint32_t>(exponent) << 10 |
                                 (bits >> 13 & 0x3FF));
}

uint32_t encode_component(const ElementType& type, float value) {
    if (type.type == 8)
        return std::bit_cast<uint32_t>(value);
    if (type.type == 9)
        return to_half(value);
    const double most = type.type == 11 ? 32767.0 * 65536 : type.whole;
    const double raw =
        std::clamp(static_cast<double>(value) * type.whole, type.is_signed ? -most : 0, most);
    return type.is_signed ? static_cast<uint32_t>(static_cast<int32_t>(raw))
                          : static_cast<uint32_t>(raw);
}

struct Attribute {
    ElementType type = floats;
    unsigned components = 4;
    unsigned stream = 0;
    bool constant = false;     ///< read from a stream with stride 0
    bool per_instance = false; ///< read from a stream with a divisor
    uint32_t offset = 0;
    std::vector<Vector> values;

    uint32_t size() const { return type.bytes * components; }
};

constexpr unsigned streams = 3, constant_stream = 3, instance_stream = 4; ///< the last from HALTI2

/* ---- Scenes --------------------------------------------------------------------------------- */

enum Type {
    points = 1,
    lines,
    line_strip,
    triangles,
    triangle_strip,
    triangle_fan,
    line_loop,
    quads
};

constexpr uint32_t unused_bits(uint32_t format) {
    return format == 0 ? 0xF000 : format == 2 ? 0x8000 : format == 5 ? 0xFF000000 : 0;
}

std::vector<ChannelBits> channels_of(uint32_t format) {
    switch (format) {
    case 0:
    case 1:
        return {{0, 4}, {4, 4}, {8, 4}, {12, 4}};
    case 2:
    case 3:
        return {{0, 5}, {5, 5}, {10, 5}, {15, 1}};
    case 4:
        return {{0, 5}, {5, 6}, {11, 5}};
    case 22:
        return {{0, 10}, {10, 10}, {20, 10}, {30, 2}};
    default:
        return {{0, 8}, {8, 8}, {16, 8}, {24, 8}};
    }
}

struct Status {
    uint32_t address = 0, clear = 0;
    bool active = false;
};

/// A format of targets that RS does not know.
struct WideFormat {
    uint32_t code;
    unsigned bytes;
    bool integers;
    std::array<uint32_t, 2> modes; ///< OUTPUT_MODE on HALTI5: one of these
};
constexpr WideFormat wide_formats[] = {
    {16, 1, false, {0, 0}}, {17, 2, false, {0, 0}}, {18, 4, false, {0, 0}}, {19, 8, false, {0, 0}},
    {20, 4, false, {2, 2}}, {21, 8, false, {2, 2}}, {23, 1, true, {3, 5}},  {24, 2, true, {3, 5}},
    {25, 4, true, {3, 5}},  {26, 2, true, {4, 6}},  {27, 4, true, {4, 6}},  {28, 8, true, {4, 6}},
    {29, 4, false, {0, 0}}, {30, 4, true, {1, 1}},  {31, 2, false, {0, 0}}, {35, 1, false, {0, 0}},
};
constexpr uint32_t wide_formats_of_halti2 = 15;

const WideFormat* wide_format(uint32_t code) {
    for (const WideFormat& format : wide_formats)
        if (format.code == code)
            return &format;
    return nullptr;
}

unsigned bytes_of(uint32_t format) {
    const WideFormat* wide = wide_format(format);
    return wide ? wide->bytes : format < 5 ? 2 : 4;
}

/// Returns the random half float of a blend constant, between 0 and 1.
uint32_t random_half(Random& random) {
    return to_half(random.real(0, 1));
}

class Drawing {
public:
    explicit Drawing(SceneBuilder& builder) : b_(builder), r_(builder.random) {}

    void run() {
        exact_ = r_.chance(50);
        if (exact_)
            b_.scene.tolerance.reason = "flat values, exact arithmetic";
        large_ = r_.chance(12);
        width_ = large_ ? r_.between(129, 196) : r_.between(17, r_.chance(10) ? 160 : 96);
        height_ = large_ ? r_.between(129, 196) : r_.between(17, r_.chance(10) ? 160 : 96);
        reset();
        make_targets();
        make_depth();
        const bool query = r_.chance(25);
        const uint32_t slot = b_.allocate(8);
        if (query)
            b_.load(0x3824, slot);
        const uint32_t draws = r_.between(1, 3);
        for (uint32_t i = 0; i < draws; i++)
            draw();
        if (query) {
            b_.load(0x3830, 0x01DF5E76u);
            if (exact_) { // otherwise, different pixels may be killed
                b_.add(Feature::query);
                b_.scene.regions.push_back({"query", slot, 8, 4, 0xFFFFFFFF, {}, 2});
            }
        }
        read_all_back();
    }

private:
    /* ---- Targets ---- */

    void reset() {
        b_.load(0x0A2C, 0x34000001u);
        b_.load(0x0A88, 0u);
        b_.burst(b_.halti() >= 5 ? 0x17800 : 0x0600,
                 std::vector<uint32_t>(b_.halti() >= 5 ? 32 : 16, 0));
        if (b_.scene.core.single_buffer)
            b_.load(0x16B8, 1u);
        if (b_.halti() < 5)
            return;
        b_.load(0x14C40, 1u);
        b_.load(0x1058, 0u);
        b_.load(0x08A8, 0x20u);
        b_.load(0x15600, 2u);
    }

    std::vector<uint8_t> content(uint32_t size, unsigned bytes, uint32_t word) {
        if (r_.chance(25))
            return r_.bytes(size);
        std::vector<uint8_t> result(size);
        for (uint32_t i = 0; i < size; i++)
            result[i] = static_cast<uint8_t>(word >> 8 * (i % bytes));
        return result;
    }
    Status status(const SceneSurface& surface, uint32_t clear) {
        if (!r_.chance(40))
            return {};
        const bool all = r_.chance(50);
        const std::vector<uint8_t> bytes = random_status(b_, status_bytes(b_, surface), all);
        return {b_.place(bytes), surface.bytes == 2 ? (clear & 0xFFFF) * 0x10001 : clear, true};
    }

    void make_targets() {
        samples_ = r_.chance(18) ? r_.between(1, large_ ? 1 : 2) : 0;
        if (b_.scene.core.small_msaa && samples_)
            samples_ = large_ ? 0 : 2;
        const uint32_t count = !samples_ && r_.chance(15) ? r_.between(2, large_ ? 3 : 4) : 1;
        if (count > 1)
            b_.add(Feature::targets);
        if (samples_)
            b_.add(Feature::samples);
        for (uint32_t i = 0; i < count; i++) {
            formats_.push_back(r_.chance(50) ? r_.pick<uint32_t>({5, 6})
                                             : r_.pick<uint32_t>({0, 1, 2, 3, 4, 6, 22}));
            if (b_.halti() >= 2 && exact_ && r_.chance(40))
                formats_.back() = random_wide_format();
            const unsigned bytes = bytes_of(formats_.back());
            const SceneSurface surface =
                make_surface(b_, bytes, true, r_.chance(70), true, sample_width(), sample_height());
            std::vector<uint8_t> pixels = content(surface.size(), std::min(bytes, 4u), r_.word());
            make_finite(pixels, formats_.back());
            b_.put(surface.base[0], std::move(pixels));
            targets_.push_back(surface);
        }
        make_color_status();
        burst_pipes(0x1460, targets_[0]);
        b_.load(0x1434, targets_[0].stride());
        if (b_.halti() >= 2)
            burst_targets();
        for (uint32_t i = 1; i < count && b_.halti() < 2; i++) {
            burst_pipes(0x1500 + 0x20 * (i - 1), targets_[i]);
            b_.load(0x1580 + 4 * (i - 1),
                    targets_[i].stride() | formats_[i] << 20 | uint32_t{targets_[i].super} << 28);
        }
    }
    uint32_t random_wide_format() {
        const uint32_t count = b_.halti() >= 5 ? static_cast<uint32_t>(std::size(wide_formats))
                                               : wide_formats_of_halti2;
        const WideFormat& format = wide_formats[r_.below(count)];
        b_.add(format.integers ? Feature::integer_targets : Feature::float_targets);
        return format.code;
    }
    /// Clears the upper bit of each exponent, so that the pixels can be blended.
    static void make_finite(std::vector<uint8_t>& pixels, uint32_t format) {
        if (format >= 17 && format <= 19) // half floats
            for (size_t i = 1; i < pixels.size(); i += 2)
                pixels[i] &= 0xBF;
        if (format == 29) // B10G11R11F: bits 10, 21 and 31
            for (size_t i = 0; i + 3 < pixels.size(); i += 4) {
                pixels[i + 1] &= 0xFB;
                pixels[i + 2] &= 0xDF;
                pixels[i + 3] &= 0x7F;
            }
    }
    /// Before HALTI2, only a target without others has a tile status.
    void make_color_status() {
        color_statuses_.resize(targets_.size());
        const bool large =
            b_.scene.core.cache_128b_256b ? r_.chance(50) : b_.scene.core.small_msaa && samples_;
        for (size_t i = 0; i < targets_.size(); i++) {
            targets_[i].large_tiles = large;
            if ((targets_.size() == 1 || b_.halti() >= 2) && !wide_format(formats_[i]))
                color_statuses_[i] = status(targets_[i], r_.word());
            if (color_statuses_[i].active)
                b_.add(Feature::color_status);
        }
        srgb_ = b_.halti() >= 3 && r_.chance(30);
        if (!is_srgb(0))
            return;
        b_.add(Feature::srgb_targets);
        b_.tolerate(2.0 / 255, 0.001, "curves of sRGB");
    }
    bool is_srgb(size_t target) const {
        return srgb_ && (formats_[target] == 5 || formats_[target] == 6);
    }
    /// Loads the states of the targets after the first, from HALTI2.
    void burst_targets() {
        uint32_t modes = 0;
        for (uint32_t i = 0; i < targets_.size(); i++) {
            if (const WideFormat* wide = wide_format(formats_[i]))
                modes |= (b_.halti() >= 5  ? wide->modes[r_.below(2)]
                          : wide->integers ? 1u
                                           : wide->modes[0])
                         << 4 * i;
            if (i == 0)
                continue;
            const SceneSurface& surface = targets_[i];
            burst_pipes(0x14800 + 0x20 * (i - 1), surface);
            b_.load(0x14900 + 4 * (i - 1),
                    surface.stride() | formats_[i] << 20 | uint32_t{surface.super} << 28 |
                        uint32_t{surface.new_tiles} << 26 | uint32_t{is_srgb(i)} << 30);
        }
        b_.load(0x1030, modes);
    }
    uint32_t sample_width() const { return width_ << (samples_ != 0); }
    uint32_t sample_height() const { return height_ << (samples_ == 2); }
    void burst_pipes(uint32_t address, const SceneSurface& surface) {
        b_.burst(address, {surface.base[0], surface.base[1]});
    }

    void make_depth() {
        has_depth_ = r_.chance(65);
        if (!has_depth_)
            return;
        d24_ = r_.chance(75);
        depth_ = make_surface(b_, d24_ ? 4 : 2, true, r_.chance(70), true, sample_width(),
                              sample_height());
        const auto word = [this] {
            const uint32_t z = r_.between(0x4000, 0xFFFF);
            return d24_ ? z << 16 | r_.below(4) : z;
        };
        b_.put(depth_.base[0], content(depth_.size(), depth_.bytes, word()));
        depth_.large_tiles =
            b_.scene.core.cache_128b_256b ? r_.chance(50) : b_.scene.core.small_msaa && samples_;
        depth_status_ = status(depth_, word());
        if (depth_status_.active)
            b_.add(Feature::depth_status);
        burst_pipes(0x1480, depth_);
        b_.load(0x1414, depth_.stride());
        b_.load(0x140C, d24_ ? 0x4B7FFFFFu : 0x477FFF00u);
    }

    void read_all_back() {
        constexpr const char* names[] = {"color", "color 1", "color 2", "color 3"};
        for (uint32_t i = 0; i < targets_.size(); i++)
            if (wide_format(formats_[i]))
                b_.scene.regions.push_back({names[i],
                                            targets_[i].base[0],
                                            targets_[i].size(),
                                            std::min(targets_[i].bytes, 4u),
                                            0xFFFFFFFF,
                                            {},
                                            0});
            else
                read(targets_[i], color_statuses_[i], names[i], ~unused_bits(formats_[i]),
                     channels_of(formats_[i]));
        if (has_depth_)
            read(depth_, depth_status_, "depth", 0xFFFFFFFF, {});
    }
    void read(const SceneSurface& surface, const Status& status, const char* name, uint32_t mask,
              std::vector<ChannelBits> channels) {
        if (status.active) {
            b_.burst(0x1654, {2, status.address, surface.base[0], status.clear});
            b_.load(0x16BC, status.clear);
        }
        read_back(b_, surface, name, status.active, mask, std::move(channels));
    }

    /* ---- One draw ---- */

    void draw() {
        choose_primitive();
        choose_instances();
        view();
        rasterization();
        vertices();
        programs();
        depth_and_stencil();
        colors();
        tile_status();
        submit();
    }

    void choose_primitive() {
        one_color_ = large_ && r_.chance(60);
        type_ = r_.pick<uint32_t>({triangles, triangles, triangles, triangles, triangles,
                                   triangle_strip, triangle_strip, triangle_fan, triangle_fan,
                                   points, lines, line_strip, line_loop, quads});
        primitives_ = r_.between(1, r_.chance(10) ? 40 : 10);
        if (one_color_) {
            b_.add(Feature::one_color);
            type_ = r_.pick<uint32_t>({triangle_strip, triangle_fan, quads});
            primitives_ = type_ == quads ? 1 : 2;
        }
        constexpr Feature features[] = {Feature::points, Feature::points,    Feature::lines,
                                        Feature::lines,  Feature::triangles, Feature::strips,
                                        Feature::fans,   Feature::lines,     Feature::triangles};
        b_.add(features[type_]);
        filled_ = one_color_ || !is_triangle() || r_.chance(92);
        clipped_ = filled_ && !one_color_ && r_.chance(20);
        if (clipped_)
            b_.add(Feature::clipped);
    }
    void choose_instances() {
        instances_ = b_.halti() >= 2 ? (r_.chance(30) ? r_.between(2, 3) : 1) : 0;
        if (instances_ > 1)
            b_.add(Feature::instances);
        divisor_ = instances_ > 1 ? r_.between(1, 2) : 1;
        numbers_ = b_.halti() >= 2 && r_.chance(25);
        in_memory_ = b_.halti() >= 5 || (b_.halti() >= 2 && r_.chance(50));
    }
    bool is_triangle() const { return type_ >= triangles && type_ != line_loop; }

    /// Returns the number of vertices in a draw.
    uint32_t vertex_count() const {
        switch (type_) {
        case points:
        case line_loop:
            return primitives_;
        case lines:
            return 2 * primitives_;
        case line_strip:
            return primitives_ + 1;
        case triangles:
            return 3 * primitives_;
        case quads:
            return 4 * primitives_;
        default:
            return primitives_ + 2;
        }
    }

    /* ---- PA, SE, RA ---- */

    void view() {
        const float w = static_cast<float>(width_), h = static_cast<float>(height_);
        scale_ = {w / 2, h / 2};
        offset_ = scale_;
        if (r_.chance(20)) { // a viewport of part of the target
            scale_ = {r_.real(8, w), r_.real(8, h)};
            offset_ = {r_.real(0, w), r_.real(0, h)};
        }
        if (r_.chance(50))
            scale_[1] = -scale_[1];
        const auto bits = [](float value) { return std::bit_cast<uint32_t>(value); };
        const bool part = r_.chance(20);
        b_.burst(0x0A00, {bits(scale_[0]), bits(scale_[1]), bits(part ? 0.5f : 1.0f),
                          bits(offset_[0]), bits(offset_[1]), bits(part ? 0.25f : 0.0f)});
        b_.load(0x0A28, uint32_t{r_.chance(70)} | uint32_t{r_.chance(85)} << 4);
        b_.load(0x0A88, uint32_t{filled_ && r_.chance(10)} << 30);

        std::array<uint32_t, 4> scissor = {0, 0, width_, height_};
        if (r_.chance(30)) {
            b_.add(Feature::scissor);
            scissor[0] = r_.below(width_ / 2);
            scissor[1] = r_.below(height_ / 2);
            scissor[2] = r_.between(scissor[0], width_);
            scissor[3] = r_.between(scissor[1], height_);
        }
        b_.burst(0x0C00,
                 {bits(static_cast<float>(scissor[0])), bits(static_cast<float>(scissor[1])),
                  bits(static_cast<float>(scissor[2]) + 0x1119 / 65536.0f),
                  bits(static_cast<float>(scissor[3]) + 0x1111 / 65536.0f)});
        const bool offset = is_triangle() && has_depth_ && r_.chance(20);
        if (offset)
            b_.add(Feature::polygon_offset);
        b_.burst(0x0C10, {bits(offset ? r_.real(-2, 2) : 0.0f),
                          bits(offset ? r_.real(-0.1f, 0.1f) : 0.0f), uint32_t{r_.chance(30)}});
    }

    void rasterization() {
        smooth_ = !exact_ && r_.chance(80);
        sprite_ = !exact_ && type_ == points && r_.chance(50);
        sized_ = type_ == points && r_.chance(50);
        const bool cull = is_triangle() && r_.chance(15);
        const uint32_t fill = filled_ ? 2 : r_.below(2);
        if (cull)
            b_.add(Feature::culling);
        if (!filled_)
            b_.add(Feature::fill_modes);
        if (sprite_)
            b_.add(Feature::point_sprite);
        b_.load(0x0A34, uint32_t{sized_} << 2 | uint32_t{sprite_} << 4 |
                            (cull ? r_.between(1, 2) : 0) << 8 | fill << 12 |
                            uint32_t{smooth_} << 16 | 1u << 22);
        const uint32_t line = std::bit_cast<uint32_t>(r_.chance(60) ? 0.5f : r_.real(0.2f, 4));
        b_.burst(0x0A18, {line, std::bit_cast<uint32_t>(r_.real(0.2f, 8))});
        b_.burst(0x0A38, {line, line});

        uint32_t enables = 15;
        if (samples_ && exact_ && r_.chance(30)) {
            enables = r_.below(16);
            b_.add(Feature::sample_mask);
        }
        b_.load(0x3818, samples_ | enables << 4);
        const uint32_t positions = samples_ == 2 ? 0xEAA26E26 : samples_ ? 0x0000AA22 : 0;
        if (b_.halti() >= 5)
            return;
        b_.burst(0x0E10, {positions, 0, 0, 0});
        centroids(positions);
    }

    /// Sets the centroids to the mean position of the covered samples for each sample mask.
    void centroids(uint32_t positions) {
        std::vector<uint32_t> words(16);
        for (uint32_t mask = 0; mask < 16; mask++) {
            uint32_t x = 0, y = 0, n = 0;
            for (unsigned s = 0; s < 4; s++)
                if (mask >> s & 1) {
                    x += positions >> 8 * s & 15;
                    y += positions >> (8 * s + 4) & 15;
                    n++;
                }
            words[mask / 4] |= (n ? x / n | y / n << 4 : 0x88) << mask % 4 * 8;
        }
        b_.burst(0x0E40, std::move(words));
    }

    /* ---- Vertices ---- */

    Vector position() {
        const float range = clipped_ ? (r_.chance(10) ? 400.0f : 3.0f) : filled_ ? 1.1f : 0.95f;
        Vector p = {r_.real(-range, range), r_.real(-range, range), flat_z_, 1};
        if (grid_) { // multiples of 1/4 pixel, such as centers and corners
            p[0] = (static_cast<float>(r_.below(4 * width_)) / 4 - offset_[0]) / scale_[0];
            p[1] = (static_cast<float>(r_.below(4 * height_)) / 4 - offset_[1]) / scale_[1];
        }
        if (sloped_)
            p[2] = clipped_ ? r_.real(-2, 2) : r_.real(-0.95f, 0.95f);
        if (perspective_) {
            const float w = clipped_ ? r_.real(-0.5f, 3) : r_.real(0.4f, 3);
            for (unsigned c = 0; c < 3; c++)
                p[c] *= w;
            p[3] = w;
        }
        if (clipped_ && r_.chance(2))
            p[r_.below(4)] = std::bit_cast<float>(0x7FC00000); // a NaN drops the primitive
        return p;
    }

    Attribute position_attribute(uint32_t count) {
        Attribute attribute;
        attribute.components = perspective_              ? 4
                               : sloped_ || flat_z_ != 0 ? r_.between(3, 4)
                                                         : r_.between(2, 4);
        if (!clipped_ && r_.chance(35)) {
            attribute.type =
                position_types[r_.below(static_cast<uint32_t>(std::size(position_types)))];
            if (attribute.type.normalize) // w could not exceed 1
                attribute.components = std::min(attribute.components, 3u);
        }
        for (uint32_t i = 0; i < count; i++)
            attribute.values.push_back(position());
        return attribute;
    }

    /// Returns a rectangle over several tiles of 64x64 samples. Its corners are multiples of 1/4
    /// pixel.
    Attribute rectangle() {
        const auto at = [this](unsigned axis, uint32_t quarters) {
            return (static_cast<float>(quarters) / 4 - offset_[axis]) / scale_[axis];
        };
        const float left = at(0, r_.below(4 * 64)), right = at(0, r_.between(4 * 126, 4 * 200));
        const float top = at(1, r_.below(4 * 64)), bottom = at(1, r_.between(4 * 126, 4 * 200));
        Attribute attribute;
        attribute.values = {{left, top, flat_z_, 1},
                            {right, top, flat_z_, 1},
                            {right, bottom, flat_z_, 1},
                            {left, bottom, flat_z_, 1}};
        if (type_ == triangle_strip)
            std::swap(attribute.values[2], attribute.values[3]);
        return attribute;
    }

    Attribute value_attribute(uint32_t count) {
        Attribute attribute;
        if (r_.chance(60))
            attribute.type = value_types[r_.below(static_cast<uint32_t>(std::size(value_types)))];
        attribute.components = r_.between(1, 4);
        attribute.constant = r_.chance(8);
        if (b_.halti() >= 2) {
            if (r_.chance(25)) {
                attribute.type = integer_types[r_.below(4)];
                b_.add(Feature::integers);
            }
            attribute.per_instance = instances_ > 1 && !attribute.constant && r_.chance(50);
            count = std::max(count, instances_);
        }
        for (uint32_t i = 0; i < count; i++) {
            Vector value;
            for (float& component : value)
                component = r_.real(-0.5f, 1.5f);
            attribute.values.push_back(value);
        }
        return attribute;
    }

    void vertices() {
        const uint32_t vertices = vertex_count();
        grid_ = !clipped_ && r_.chance(30);
        sloped_ = r_.chance(60);
        perspective_ = r_.chance(40);
        flat_z_ = r_.chance(50) ? 0 : r_.real(-0.9f, 0.9f);
        varyings_ = r_.below(4) + (smooth_ || sprite_);
        varyings_ = std::min(varyings_, 4u);

        attributes_ = {one_color_ ? rectangle() : position_attribute(vertices)};
        for (unsigned k = 0; k < varyings_; k++)
            attributes_.push_back(value_attribute(vertices));
        if (sized_) {
            Attribute size;
            size.components = 1;
            for (uint32_t i = 0; i < vertices; i++)
                size.values.push_back({r_.real(0.5f, 20), 0, 0, 0});
            attributes_.push_back(size);
        }
        if (std::any_of(attributes_.begin(), attributes_.end(),
                        [](const Attribute& a) { return a.type.type != 8; }))
            b_.add(Feature::vertex_formats);
        lay_out(vertices);
    }

    void lay_out(uint32_t vertices) {
        std::array<uint32_t, instance_stream + 1> strides{};
        for (Attribute& attribute : attributes_) {
            attribute.stream = attribute.constant       ? constant_stream
                               : attribute.per_instance ? instance_stream
                                                        : r_.below(streams);
            uint32_t& stride = strides[attribute.stream];
            stride = (stride + 3) / 4 * 4 + (r_.chance(10) ? attribute.type.bytes : 0);
            attribute.offset = stride;
            stride += attribute.size();
        }
        std::vector<uint32_t> bases, controls, elements;
        for (unsigned s = 0; s <= (b_.halti() >= 2 ? instance_stream : constant_stream); s++) {
            const uint32_t rows = s == constant_stream   ? 1
                                  : s == instance_stream ? instances_
                                                         : vertices;
            strides[s] = (strides[s] + 3) / 4 * 4;
            std::vector<uint8_t> bytes(strides[s] * rows + 4);
            for (const Attribute& attribute : attributes_)
                if (attribute.stream == s)
                    store(bytes, attribute, strides[s], rows);
            bases.push_back(b_.place(std::move(bytes)));
            controls.push_back(s == constant_stream ? 0 : strides[s]);
        }
        for (const Attribute& attribute : attributes_)
            elements.push_back(attribute.type.type | 0x80 | attribute.stream << 8 |
                               (attribute.components & 3) << 12 | attribute.type.normalize << 14 |
                               attribute.offset << 16 |
                               (attribute.offset + attribute.size()) << 24);
        if (b_.halti() >= 2) {
            burst_streams(std::move(elements), std::move(bases), std::move(controls));
            return;
        }
        b_.burst(0x0600, std::move(elements));
        b_.burst(0x0680, std::move(bases));
        b_.burst(0x06A0, std::move(controls));
    }
    /// Loads the states of vertex fetch from HALTI2.
    void burst_streams(std::vector<uint32_t> elements, std::vector<uint32_t> bases,
                       std::vector<uint32_t> strides) {
        std::vector<uint32_t> scales, ends;
        for (const Attribute& attribute : attributes_)
            scales.push_back(is_integer(attribute.type) ? 1 : 0x3F800000);
        if (b_.halti() >= 5)
            for (uint32_t& element : elements) {
                ends.push_back(element >> 24 | 1u << 11);
                element &= 0x00FFFF7F;
            }
        b_.burst(b_.halti() >= 5 ? 0x17800 : 0x0600, std::move(elements));
        b_.burst(b_.halti() >= 5 ? 0x17A00 : 0x0780, std::move(scales));
        if (!ends.empty())
            b_.burst(0x17A80, std::move(ends));
        b_.burst(0x14600, std::move(bases));
        b_.burst(0x14640, std::move(strides));
        b_.burst(0x14680, {0, 0, 0, 0, divisor_});
    }
    static void store(std::vector<uint8_t>& bytes, const Attribute& attribute, uint32_t stride,
                      uint32_t vertices) {
        for (uint32_t v = 0; v < vertices; v++)
            for (unsigned c = 0; c < attribute.components; c++) {
                const uint32_t raw = encode_component(attribute.type, attribute.values[v][c]);
                for (unsigned i = 0; i < attribute.type.bytes; i++)
                    bytes[v * stride + attribute.offset + c * attribute.type.bytes + i] =
                        static_cast<uint8_t>(raw >> 8 * i);
            }
    }

    /* ---- Programs ---- */

    void programs() {
        std::vector<SceneTexture> textures, vertex_textures;
        const bool textured = !exact_ && !one_color_ && r_.chance(65);
        if (textured) {
            const uint32_t count = r_.between(1, 2);
            const unsigned first = r_.below(7);
            for (uint32_t i = 0; i < count; i++)
                textures.push_back(make_texture(b_, first + i));
        }
        if (!exact_ && varyings_ && r_.chance(10)) {
            b_.add(Feature::vertex_texture);
            vertex_textures.push_back(
                make_texture(b_, b_.halti() >= 1 ? r_.between(16, 31) : r_.between(8, 11)));
        }
        tell_of(textures);
        tell_of(vertex_textures);
        vertex_program(std::move(vertex_textures));
        interface();
        pixel_program(std::move(textures));
    }

    /// Adds the tolerances for results that may differ, with their reasons.
    void tell_of(const std::vector<SceneTexture>& textures) {
        if (!exact_)
            b_.tolerate(3.0 / 255, 0.005, "varyings and functions within a tolerance");
        for (const SceneTexture& texture : textures)
            if (texture.is_nearest)
                b_.tolerate(3.0 / 255, 0.03, "texels' borders");
            else
                b_.tolerate(3.0 / 255, 0.02, "levels of detail and filters");
    }

    void upload(bool vertex, const std::vector<shader::Instruction>& code) {
        std::vector<uint32_t> words;
        for (const shader::Instruction& instruction : code)
            for (const uint32_t word : shader::encode(instruction))
                words.push_back(word);
        if (!in_memory_) {
            const bool mirror = !vertex && b_.halti() >= 2;
            b_.burst(vertex ? 0xC000 : mirror ? 0x9000 : 0xD000, std::move(words));
            return;
        }
        b_.load(vertex ? 0x086C : 0x1028, b_.place(words, true));
    }
    /// Loads the range of instructions of a stage.
    void set_range(bool vertex, uint32_t length) {
        if (b_.halti() >= 5) {
            b_.load(vertex ? 0x0874 : 0x087C, 0u);
            b_.load(vertex ? 0x08BC : 0x1090, length);
            b_.load(0x0868, 1u);
            return;
        }
        const uint32_t first = vertex || in_memory_ ? 0 : 0x100;
        b_.load(vertex ? 0x085C : 0x101C, first | (first + length - 1) << 16);
        if (b_.halti() >= 2)
            b_.load(0x0868, !in_memory_ ? 0x30u : vertex ? 0x11u : 0x21u);
    }
    /// Returns random uniforms, with the address of memory for programs that load.
    std::vector<uint32_t> uniforms() {
        std::vector<uint32_t> words = random_uniforms(r_);
        if (b_.halti() >= 2)
            words[memory_word] = b_.program_memory();
        return words;
    }

    /// Returns a matrix that is near the identity, so that the scene stays visible.
    std::vector<uint32_t> matrix() {
        std::vector<uint32_t> words;
        for (unsigned i = 0; i < 16; i++)
            words.push_back(std::bit_cast<uint32_t>((i % 5 == 0 ? 1.0f : 0.0f) +
                                                    (i == 15 ? 0 : r_.real(-0.2f, 0.2f))));
        return words;
    }

    void vertex_program(std::vector<SceneTexture> textures) {
        using namespace shader;
        const unsigned inputs = static_cast<unsigned>(attributes_.size());
        // Attribute n is passed in temporary inputs - 1 - n.
        const auto temporary_of = [inputs](unsigned attribute) { return inputs - 1 - attribute; };
        std::vector<Instruction> code;
        std::vector<uint32_t> scales(4, 0x3F800000);
        unsigned position = temporary_of(0);
        if (filled_ && r_.chance(25)) {
            b_.add(Feature::matrix);
            b_.burst(b_.uniform(true, 0), matrix());
            const unsigned from = position;
            position = inputs;
            code.push_back(
                {.opcode = MUL, .destination = position, .sources = {u(0), t(from, xxxx)}});
            constexpr uint32_t lanes[] = {yyyy, zzzz, wwww};
            for (unsigned i = 0; i < 3; i++)
                code.push_back({.opcode = MAD,
                                .destination = position,
                                .sources = {u(i + 1), t(from, lanes[i]), t(position)}});
        }
        for (unsigned k = 0; k < varyings_; k++) {
            const ElementType& type = attributes_[k + 1].type;
            if (is_integer(type))
                code.push_back({.opcode = I2F,
                                .type = type.is_signed ? s32 : u32,
                                .destination = temporary_of(k + 1),
                                .sources = {t(temporary_of(k + 1))}});
            else if (type.normalize || type.type == 8 || type.type == 9 || type.type == 11)
                continue;
            scales[k] = std::bit_cast<uint32_t>(static_cast<float>(1 / type.whole));
            constexpr uint32_t lanes[] = {xxxx, yyyy, zzzz, wwww};
            const unsigned reg = temporary_of(k + 1);
            code.push_back(
                {.opcode = MUL, .destination = reg, .sources = {t(reg), u(4, lanes[k])}});
        }
        constexpr unsigned number_register = 40; // and the next; after those of programs
        const bool numbers = numbers_ && varyings_;
        if (numbers) {
            b_.add(Feature::numbers);
            code.push_back({.opcode = I2F,
                            .type = s32,
                            .destination = number_register + 1,
                            .sources = {t(number_register)}});
            const unsigned reg = temporary_of(1); // 1/8 of vertex and instance
            code.push_back(
                {.opcode = MAD,
                 .destination = reg,
                 .sources = {t(number_register + 1, 0x44), u(program_uniforms + 9, yyyy), t(reg)}});
        }
        b_.burst(b_.uniform(true, 4), std::move(scales));
        b_.burst(b_.uniform(true, program_uniforms), uniforms());

        std::vector<unsigned> outputs = {position};
        for (unsigned k = 0; k < varyings_; k++)
            outputs.push_back(temporary_of(k + 1));
        if (varyings_ && (!textures.empty() || r_.chance(40))) {
            ProgramRequest request{.vertex = true,
                                   .exact = exact_,
                                   .first_input = temporary_of(varyings_),
                                   .inputs = varyings_,
                                   .first_free = inputs + 1,
                                   .steps = r_.below(5),
                                   .textures = std::move(textures)};
            const unsigned before = static_cast<unsigned>(code.size());
            const SceneProgram program = random_program(b_, request);
            for (Instruction instruction : program.code) {
                if (instruction.opcode == BRANCH)
                    instruction.target += before;
                code.push_back(instruction);
            }
            outputs[1] = program.results[0];
        }
        if (sized_)
            outputs.push_back(temporary_of(inputs - 1));
        if (code.empty())
            code.push_back({});
        upload(true, code);
        const uint32_t length = static_cast<uint32_t>(code.size());
        if (b_.halti() < 5)
            b_.load(0x0800, length);
        set_range(true, length);
        b_.burst(0x0804, {static_cast<uint32_t>(outputs.size()),
                          (inputs + numbers) | 0x100 | uint32_t{numbers} << 31, 32});
        b_.burst(b_.halti() >= 5 ? 0x08E0 : 0x0810, register_bytes(outputs));
        std::vector<unsigned> input_registers;
        for (unsigned n = 0; n < inputs; n++)
            input_registers.push_back(temporary_of(n));
        if (numbers)
            input_registers.push_back(number_register);
        b_.burst(b_.halti() >= 5 ? 0x08C0 : 0x0820, register_bytes(input_registers));
        if (b_.halti() < 5)
            b_.load(0x0838, 0u);
        else
            b_.load(0x07C4,
                    numbers ? 3 | 4 * number_register << 8 | (4 * number_register + 1) << 16 : 0);
        if (b_.halti() >= 1) {
            b_.load(0x0864, 0u);
            b_.load(0x1024, SceneBuilder::vertex_uniforms);
        }
    }
    static std::vector<uint32_t> register_bytes(const std::vector<unsigned>& numbers) {
        std::vector<uint32_t> words(4);
        for (size_t i = 0; i < numbers.size(); i++)
            words[i / 4] |= numbers[i] << i % 4 * 8;
        return words;
    }

    /// Sets up the varyings. Some are colors, which may be flat; the others are smooth.
    void interface() {
        uint32_t components = 0, packed = 0;
        uint64_t uses = 0, modes = 0;
        std::vector<uint32_t> attributes;
        for (unsigned k = 0; k < varyings_; k++) {
            const bool point = sprite_ && k == 0;
            const uint32_t number = point ? 2 : r_.between(2, 4);
            const bool is_color = exact_ || (!point && r_.chance(30));
            components |= number << 4 * k;
            attributes.push_back(is_color ? 0x200 : 0x2F1);
            b_.add(is_color && !smooth_ ? Feature::flat : Feature::smooth);
            const uint64_t mode = b_.halti() < 5         ? 0
                                  : is_color && !smooth_ ? 2
                                  : r_.chance(15)        ? 1
                                                         : uint32_t{r_.chance(20)} << 2;
            for (uint32_t c = 0; c < number; c++) {
                modes |= mode << 4 * packed;
                uses |= uint64_t{point ? 2 + c : is_color} << 2 * packed++;
            }
        }
        b_.load(0x0A30, varyings_ << 8);
        if (b_.halti() >= 5) {
            b_.load(0x381C, (packed + 1) & ~1u);
            b_.load(0x0A90, components);
            b_.load(0x1080, components);
            b_.burst(0x38C0, {static_cast<uint32_t>(modes), static_cast<uint32_t>(modes >> 32)});
            b_.load(0x3888,
                    0x7F7F0000 | (sprite_ ? 0u : 0x7F00u) | (sized_ ? 4 * (1 + varyings_) : 0));
            return;
        }
        if (varyings_)
            b_.burst(0x0A40, std::move(attributes));
        b_.load(0x3820, components);
        b_.burst(0x3828, {static_cast<uint32_t>(uses), static_cast<uint32_t>(uses >> 32)});
        b_.load(0x3834, 0u);
        b_.load(0x381C, (packed + 1) & ~1u);
    }

    /// Returns a pixel program without inputs, so that all pixels have the same color.
    SceneProgram one_color_program() {
        using namespace shader;
        std::vector<uint32_t> color(4);
        for (uint32_t& component : color)
            component = std::bit_cast<uint32_t>(r_.real(-0.1f, 1.1f));
        constexpr unsigned result = 1, uniform = program_uniforms - 1;
        b_.burst(b_.uniform(false, uniform), std::move(color));
        return {{{.opcode = MOV, .destination = result, .sources = {Operand{}, {}, u(uniform)}}},
                {result}};
    }

    void pixel_program(std::vector<SceneTexture> textures) {
        using namespace shader;
        ProgramRequest request{.exact = exact_,
                               .first_input = 1,
                               .inputs = varyings_,
                               .first_free = varyings_ + 1,
                               .steps = r_.below(10),
                               .fragment_coordinates = r_.chance(40),
                               .has_face = filled_,
                               .textures = std::move(textures)};
        SceneProgram program = one_color_ ? one_color_program() : random_program(b_, request);
        shader_depth_ = exact_ && has_depth_ && r_.chance(12);
        if (shader_depth_) {
            b_.add(Feature::shader_depth);
            program.code.push_back({.opcode = MOV,
                                    .saturate = true,
                                    .destination = 0,
                                    .components = 4,
                                    .sources = {Operand{}, {}, t(program.results[0], xxxx)}});
        }
        if (program.code.empty())
            program.code.push_back({});
        kills_ = std::any_of(program.code.begin(), program.code.end(),
                             [](const Instruction& i) { return i.opcode == TEXKILL; });
        uint32_t registers = 0;
        for (size_t i = 0; i < 4; i++)
            registers |= output(program, i) << 8 * i;
        upload(false, program.code);
        const uint32_t length = static_cast<uint32_t>(program.code.size());
        if (b_.halti() < 5) {
            b_.load(0x1000, length);
            b_.load(0x1018, 0u);
        }
        set_range(false, length);
        b_.burst(b_.uniform(false, program_uniforms), uniforms());
        saturated_ = r_.chance(90);
        b_.burst(0x1004, {registers, (varyings_ + 1 + (samples_ != 0)) | 0x1F00, 32,
                          (saturated_ ? saturated_targets() : 0) |
                              static_cast<uint32_t>(targets_.size() - 1) << 8});
    }
    /// Returns the register of a target, and adds code that makes integers of its color.
    uint32_t output(SceneProgram& program, size_t target) {
        using namespace shader;
        const unsigned color = program.results[target % program.results.size()];
        const WideFormat* wide = target < formats_.size() ? wide_format(formats_[target]) : nullptr;
        if (!wide || !wide->integers)
            return color;
        const unsigned reg = 50 + static_cast<unsigned>(target); // after those of programs
        const Operand eight = u(program_uniforms + 9, wwww);
        for (unsigned i = 0; i < 3; i++) // 0 to 512
            program.code.push_back(
                {.opcode = MUL, .destination = reg, .sources = {t(i ? reg : color), eight}});
        program.code.push_back(
            {.opcode = F2I, .type = s32, .destination = reg, .sources = {t(reg)}});
        return reg;
    }
    uint32_t saturated_targets() const {
        uint32_t bits = 0x1E;
        for (size_t i = 0; i < formats_.size(); i++)
            if (const WideFormat* wide = wide_format(formats_[i]); wide && wide->integers)
                bits &= ~(2u << i);
        return bits;
    }

    /* ---- PE ---- */

    void depth_and_stencil() {
        if (!has_depth_) {
            if (b_.halti() >= 2)
                b_.load(0x0E08, 0x10000030u);
            b_.load(0x1400, 0x01000700u);
            b_.load(0x141C, 0u);
            return;
        }
        const bool test = r_.chance(75);
        const bool stencil = d24_ && r_.chance(40);
        if (test)
            b_.add(Feature::depth);
        if (stencil)
            b_.add(Feature::stencil);
        const uint32_t function =
            test ? r_.pick<uint32_t>({1, 1, 3, 3, 4, 6, 5, 2, r_.below(8)}) : 7;
        const bool write = test && r_.chance(70);
        const bool early = b_.halti() >= 2 && (test || stencil) && !shader_depth_ && !kills_ &&
                           (b_.scene.core.ra_write_depth || (!write && !stencil)) && r_.chance(50);
        if (early)
            b_.add(Feature::early_depth);
        if (b_.halti() >= 2)
            b_.load(0x0E08,
                    !early ? 0x10000030u : 0x30u | test | uint32_t{!write && !stencil} << 28);
        b_.load(0x1400, 1 | uint32_t{d24_} << 4 | function << 8 | uint32_t{write} << 12 |
                            uint32_t{depth_.super} << 26 |
                            uint32_t{early || (!test && !stencil)} << 24);
        const uint32_t mode = stencil ? (filled_ ? r_.between(1, 2) : 1) : 0;
        const auto half = [this] {
            return r_.pick<uint32_t>({7, 3, 5, 6, r_.below(8)}) | r_.below(8) << 4 |
                   r_.below(8) << 8 | r_.below(8) << 12;
        };
        const auto mask = [this] { return r_.pick<uint32_t>({0xFF, 0xFF, 0x0F, r_.below(256)}); };
        const auto reference = [this] { return r_.below(5); };
        b_.load(0x1418, half() | half() << 16);
        b_.load(0x141C, mode | reference() << 8 | mask() << 16 | mask() << 24);
        b_.load(0x14A0, reference());
        b_.load(0x14B8, mask() | mask() << 8);
    }

    void colors() {
        const bool alpha = r_.chance(15);
        if (alpha && b_.scene.core.alpha_test) {
            b_.add(Feature::alpha_test);
            if (!exact_)
                b_.tolerate(0, 0.03, "alpha test of interpolated values");
        }
        b_.load(0x1420, uint32_t{alpha} | r_.pick<uint32_t>({1, 3, 4, 6, 5}) << 4 |
                            r_.between(20, 230) << 8);
        if (b_.scene.core.half_float && alpha) // EXTRA_ALPHA_REF; the other fields are masked
            b_.load(0x14A0, random_half(r_) << 16 | 1u << 8);

        const bool blend = r_.chance(one_color_ ? 10 : 45);
        const auto functions = [this](bool min_max) {
            return r_.below(15) << 4 | r_.below(15) << 8 |
                   r_.pick<uint32_t>({0, 0, 0, 1, 2, min_max ? 3u : 0u, min_max ? 4u : 0u}) << 12;
        };
        if (blend)
            b_.add(Feature::blend);
        b_.load(0x1424, r_.word());
        if (b_.scene.core.half_float)
            b_.burst(0x14B0, {random_half(r_) | random_half(r_) << 16,
                              random_half(r_) | random_half(r_) << 16});
        b_.load(0x1428, uint32_t{blend} | functions(saturated_) | uint32_t{r_.chance(50)} << 16 |
                            functions(saturated_) << 16);

        uint32_t components = 15;
        if (r_.chance(15)) {
            components = r_.below(16);
            b_.add(Feature::color_mask);
        }
        const bool whole = components == 15 && !blend && !samples_;
        const uint32_t format = formats_[0] < 16 ? formats_[0] : formats_[0] << 24 | 0x10;
        b_.load(0x142C, format | components << 8 | uint32_t{targets_[0].new_tiles} << 13 |
                            uint32_t{whole} << 16 | uint32_t{targets_[0].super} << 20);
        b_.load(0x14A4, 0x000E406C | uint32_t{b_.scene.core.single_buffer} << 9 |
                            (b_.scene.core.small_msaa && samples_ ? 5u << 24 : 0) |
                            uint32_t{is_srgb(0)} << 31);
        b_.burst(0x14A8, {0xFFFFFFFF, 0xFFFFFFFF});
        for (uint32_t i = 1; i < targets_.size() && b_.halti() >= 5; i++) {
            b_.load(0x14920 + 4 * (i - 1), r_.pick<uint32_t>({0xF0, 0xF0, r_.below(16) << 4}));
            b_.load(0x14960 + 4 * (i - 1),
                    uint32_t{blend} | functions(saturated_) | functions(saturated_) << 16);
            b_.load(0x14980 + 4 * (i - 1), random_half(r_) | random_half(r_) << 16);
            b_.load(0x149A0 + 4 * (i - 1), random_half(r_) | random_half(r_) << 16);
        }
    }

    void tile_status() {
        const uint32_t compression = samples_ ? 0xC0 : 0;
        const Status& color = color_statuses_[0];
        b_.burst(0x1654,
                 {uint32_t{color.active} << 1 | uint32_t{depth_status_.active} | compression,
                  color.address, targets_[0].base[0], color.clear, depth_status_.address,
                  depth_.base[0], depth_status_.clear});
        b_.load(0x16BC, color.clear);
        if (b_.scene.core.cache_128b_256b)
            b_.load(0x14BC,
                    uint32_t{targets_[0].large_tiles} << 24 | uint32_t{depth_.large_tiles} << 26);
        for (uint32_t i = 1; i < targets_.size() && b_.halti() >= 2; i++) {
            const Status& other = color_statuses_[i];
            b_.load(0x17A0 + 4 * i, uint32_t{other.active});
            b_.load(0x17C0 + 4 * i, other.address);
            b_.load(0x17E0 + 4 * i, targets_[i].base[0]);
            b_.load(0x1A00 + 4 * i, other.clear);
            b_.load(0x1A20 + 4 * i, other.clear);
        }
    }

    /* ---- The command ---- */

    void submit() {
        const bool indexed = !one_color_ && r_.chance(40);
        if (!indexed) {
            b_.load(0x0648, 0u);
            push(0, false, 0);
            return;
        }
        b_.add(Feature::indexed);
        const bool restart = type_ != line_loop && type_ != quads && r_.chance(30);
        if (restart)
            b_.add(Feature::restart);
        const uint32_t index_type = r_.below(3), size = 1u << index_type;
        const uint32_t largest = index_type == 0 ? 0xFF : index_type == 1 ? 0xFFFF : 0xFFFFFFFF;
        const uint32_t vertices = vertex_count();
        // Index plus offset wraps only at 32 bits, so smaller indices have no positive offsets.
        const int32_t offset = static_cast<int32_t>(r_.below(index_type == 2 ? 7 : 4)) - 3;
        const uint32_t start = r_.below(3);
        std::vector<uint8_t> bytes;
        // A list with restarts may read up to one additional primitive.
        for (uint32_t i = 0; i < start + vertices + 4; i++) {
            const uint32_t vertex =
                i >= start && r_.chance(75) ? (i - start) % vertices : r_.below(vertices);
            uint32_t index = (vertex - static_cast<uint32_t>(offset)) & largest;
            if (restart && r_.chance(12))
                index = largest;
            for (unsigned b = 0; b < size; b++)
                bytes.push_back(static_cast<uint8_t>(index >> 8 * b));
        }
        // DRAW_INSTANCED has no first index.
        const uint32_t skipped = b_.halti() >= 2 ? start * size : 0;
        b_.load(0x0644, b_.place(std::move(bytes)) + skipped);
        b_.load(0x0648, index_type | uint32_t{restart} << 8);
        b_.load(0x0674, largest);
        push(b_.halti() >= 2 ? 0 : start, true, offset);
    }
    void push(uint32_t start, bool indexed, int32_t offset) {
        Draw draw{type_, start, primitives_, indexed, offset};
        draw.vertices = instances_ ? vertex_count() : 0;
        draw.instances = instances_;
        b_.scene.commands.push_back(draw);
    }

    SceneBuilder& b_;
    Random& r_;

    bool exact_ = true;  ///< results must be bit-exact
    bool large_ = false; ///< large enough to cover whole tiles
    uint32_t width_ = 0, height_ = 0;
    uint32_t samples_ = 0; ///< MSAA_SAMPLES
    std::vector<SceneSurface> targets_;
    std::vector<uint32_t> formats_; ///< PE format of each target
    std::vector<Status> color_statuses_;
    Status depth_status_;
    bool srgb_ = false;
    bool has_depth_ = false, d24_ = false;
    SceneSurface depth_;

    uint32_t type_ = triangles, primitives_ = 1; ///< of the draw
    bool one_color_ = false;                     ///< draws a rectangle of one color
    uint32_t instances_ = 0, divisor_ = 1;       ///< from HALTI2
    bool numbers_ = false;                       ///< of vertices and instances
    bool in_memory_ = false;                     ///< programs
    bool kills_ = false;
    bool filled_ = true, clipped_ = false, smooth_ = false, sprite_ = false, sized_ = false;
    bool grid_ = false, sloped_ = false, perspective_ = false, shader_depth_ = false,
         saturated_ = true;
    float flat_z_ = 0;
    unsigned varyings_ = 0;
    std::array<float, 2> scale_{}, offset_{};
    std::vector<Attribute> attributes_;
};

} // namespace

void random_drawing(SceneBuilder& builder) {
    Drawing(builder).run();
}

} // namespace pixmill::test
