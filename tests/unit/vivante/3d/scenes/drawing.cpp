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
    bool constant = false; ///< read from a stream with stride 0
    uint32_t offset = 0;
    std::vector<Vector> values;

    uint32_t size() const { return type.bytes * components; }
};

constexpr unsigned streams = 3, constant_stream = 3;

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
        b_.burst(0x0600, std::vector<uint32_t>(16, 0));
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
        std::vector<uint8_t> bytes((surface.size() + 255) / 256);
        const bool all = r_.chance(50);
        for (uint8_t& byte : bytes)
            byte = all ? 0x55 : static_cast<uint8_t>(r_.word() & 0x55);
        return {b_.place(bytes), surface.bytes == 2 ? (clear & 0xFFFF) * 0x10001 : clear, true};
    }

    void make_targets() {
        samples_ = r_.chance(18) ? r_.between(1, large_ ? 1 : 2) : 0;
        const uint32_t count = !samples_ && r_.chance(15) ? r_.between(2, large_ ? 3 : 4) : 1;
        if (count > 1)
            b_.add(Feature::targets);
        if (samples_)
            b_.add(Feature::samples);
        for (uint32_t i = 0; i < count; i++) {
            formats_.push_back(r_.chance(50) ? r_.pick<uint32_t>({5, 6})
                                             : r_.pick<uint32_t>({0, 1, 2, 3, 4, 6, 22}));
            const unsigned bytes = formats_.back() < 5 ? 2 : 4;
            const SceneSurface surface =
                make_surface(b_, bytes, true, r_.chance(70), true, sample_width(), sample_height());
            b_.put(surface.base[0], content(surface.size(), bytes, r_.word()));
            targets_.push_back(surface);
        }
        if (count == 1)
            color_status_ = status(targets_[0], r_.word());
        if (color_status_.active)
            b_.add(Feature::color_status);
        burst_pipes(0x1460, targets_[0]);
        b_.load(0x1434, targets_[0].stride());
        for (uint32_t i = 1; i < count; i++) {
            burst_pipes(0x1500 + 0x20 * (i - 1), targets_[i]);
            b_.load(0x1580 + 4 * (i - 1),
                    targets_[i].stride() | formats_[i] << 20 | uint32_t{targets_[i].super} << 28);
        }
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
            read(targets_[i], i == 0 ? color_status_ : Status{}, names[i],
                 ~unused_bits(formats_[i]), channels_of(formats_[i]));
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
        std::array<uint32_t, streams + 1> strides{};
        for (Attribute& attribute : attributes_) {
            attribute.stream = attribute.constant ? constant_stream : r_.below(streams);
            uint32_t& stride = strides[attribute.stream];
            stride = (stride + 3) / 4 * 4 + (r_.chance(10) ? attribute.type.bytes : 0);
            attribute.offset = stride;
            stride += attribute.size();
        }
        std::vector<uint32_t> bases, controls, elements;
        for (unsigned s = 0; s <= streams; s++) {
            strides[s] = (strides[s] + 3) / 4 * 4;
            std::vector<uint8_t> bytes(strides[s] * (s == constant_stream ? 1 : vertices) + 4);
            for (const Attribute& attribute : attributes_)
                if (attribute.stream == s)
                    store(bytes, attribute, strides[s], s == constant_stream ? 1 : vertices);
            bases.push_back(b_.place(std::move(bytes)));
            controls.push_back(s == constant_stream ? 0 : strides[s]);
        }
        for (const Attribute& attribute : attributes_)
            elements.push_back(attribute.type.type | 0x80 | attribute.stream << 8 |
                               (attribute.components & 3) << 12 | attribute.type.normalize << 14 |
                               attribute.offset << 16 |
                               (attribute.offset + attribute.size()) << 24);
        b_.burst(0x0600, std::move(elements));
        b_.burst(0x0680, std::move(bases));
        b_.burst(0x06A0, std::move(controls));
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
            vertex_textures.push_back(make_texture(b_, r_.between(8, 11)));
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

    void upload(uint32_t address, const std::vector<shader::Instruction>& code) {
        std::vector<uint32_t> words;
        for (const shader::Instruction& instruction : code)
            for (const uint32_t word : shader::encode(instruction))
                words.push_back(word);
        b_.burst(address, std::move(words));
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
            b_.burst(0x5000, matrix());
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
            if (type.normalize || type.type == 8 || type.type == 9 || type.type == 11)
                continue;
            scales[k] = std::bit_cast<uint32_t>(static_cast<float>(1 / type.whole));
            constexpr uint32_t lanes[] = {xxxx, yyyy, zzzz, wwww};
            const unsigned reg = temporary_of(k + 1);
            code.push_back(
                {.opcode = MUL, .destination = reg, .sources = {t(reg), u(4, lanes[k])}});
        }
        b_.burst(0x5040, std::move(scales));
        b_.burst(0x5000 + 16 * program_uniforms, random_uniforms(r_));

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
        upload(0xC000, code);
        const uint32_t length = static_cast<uint32_t>(code.size());
        b_.load(0x0800, length);
        b_.load(0x085C, (length - 1) << 16);
        b_.burst(0x0804, {static_cast<uint32_t>(outputs.size()), inputs | 0x100, 32});
        b_.burst(0x0810, bytes_of(outputs));
        std::vector<unsigned> input_registers;
        for (unsigned n = 0; n < inputs; n++)
            input_registers.push_back(temporary_of(n));
        b_.burst(0x0820, bytes_of(input_registers));
        b_.load(0x0838, 0u);
    }
    static std::vector<uint32_t> bytes_of(const std::vector<unsigned>& numbers) {
        std::vector<uint32_t> words(4);
        for (size_t i = 0; i < numbers.size(); i++)
            words[i / 4] |= numbers[i] << i % 4 * 8;
        return words;
    }

    /// Sets up the varyings. Some are colors, which may be flat; the others are smooth.
    void interface() {
        uint32_t components = 0, packed = 0;
        uint64_t uses = 0;
        std::vector<uint32_t> attributes;
        for (unsigned k = 0; k < varyings_; k++) {
            const bool point = sprite_ && k == 0;
            const uint32_t number = point ? 2 : r_.between(2, 4);
            const bool is_color = exact_ || (!point && r_.chance(30));
            components |= number << 4 * k;
            attributes.push_back(is_color ? 0x200 : 0x2F1);
            b_.add(is_color && !smooth_ ? Feature::flat : Feature::smooth);
            for (uint32_t c = 0; c < number; c++)
                uses |= uint64_t{point ? 2 + c : is_color} << 2 * packed++;
        }
        b_.load(0x0A30, varyings_ << 8);
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
        b_.burst(0x7000 + 16 * uniform, std::move(color));
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
        upload(0xD000, program.code);
        const uint32_t length = static_cast<uint32_t>(program.code.size());
        b_.load(0x1000, length);
        b_.load(0x1018, 0u);
        b_.load(0x101C, 0x100 | (0x100 + length - 1) << 16);
        b_.burst(0x7000 + 16 * program_uniforms, random_uniforms(r_));
        uint32_t registers = 0;
        for (size_t i = 0; i < 4; i++)
            registers |= program.results[i % program.results.size()] << 8 * i;
        saturated_ = r_.chance(90);
        b_.burst(0x1004,
                 {registers, (varyings_ + 1 + (samples_ != 0)) | 0x1F00, 32,
                  (saturated_ ? 0x1E : 0) | static_cast<uint32_t>(targets_.size() - 1) << 8});
    }

    /* ---- PE ---- */

    void depth_and_stencil() {
        if (!has_depth_) {
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
        b_.load(0x1400, 1 | uint32_t{d24_} << 4 | function << 8 | uint32_t{write} << 12 |
                            uint32_t{depth_.super} << 26 | uint32_t{!test && !stencil} << 24);
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
        if (alpha) {
            b_.add(Feature::alpha_test);
            if (!exact_)
                b_.tolerate(0, 0.03, "alpha test of interpolated values");
        }
        b_.load(0x1420, uint32_t{alpha} | r_.pick<uint32_t>({1, 3, 4, 6, 5}) << 4 |
                            r_.between(20, 230) << 8);

        const bool blend = r_.chance(one_color_ ? 10 : 45);
        const auto functions = [this](bool min_max) {
            return r_.below(15) << 4 | r_.below(15) << 8 |
                   r_.pick<uint32_t>({0, 0, 0, 1, 2, min_max ? 3u : 0u, min_max ? 4u : 0u}) << 12;
        };
        if (blend)
            b_.add(Feature::blend);
        b_.load(0x1424, r_.word());
        b_.load(0x1428, uint32_t{blend} | functions(saturated_) | uint32_t{r_.chance(50)} << 16 |
                            functions(saturated_) << 16);

        uint32_t components = 15;
        if (r_.chance(15)) {
            components = r_.below(16);
            b_.add(Feature::color_mask);
        }
        const bool whole = components == 15 && !blend && !samples_;
        const uint32_t format = formats_[0] < 16 ? formats_[0] : formats_[0] << 24 | 0x10;
        b_.load(0x142C, format | components << 8 | uint32_t{whole} << 16 |
                            uint32_t{targets_[0].super} << 20);
        b_.load(0x14A4, 0x000E406Cu);
        b_.burst(0x14A8, {0xFFFFFFFF, 0xFFFFFFFF});
    }

    void tile_status() {
        const uint32_t compression = samples_ ? 0xC0 : 0;
        b_.burst(0x1654, {uint32_t{color_status_.active} << 1 | uint32_t{depth_status_.active} |
                              compression,
                          color_status_.address, targets_[0].base[0], color_status_.clear,
                          depth_status_.address, depth_.base[0], depth_status_.clear});
        b_.load(0x16BC, color_status_.clear);
    }

    /* ---- The command ---- */

    void submit() {
        const bool indexed = !one_color_ && r_.chance(40);
        if (!indexed) {
            b_.load(0x0648, 0u);
            b_.scene.commands.push_back(Draw{type_, 0, primitives_, false, 0});
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
        b_.load(0x0644, b_.place(std::move(bytes)));
        b_.load(0x0648, index_type | uint32_t{restart} << 8);
        b_.load(0x0674, largest);
        b_.scene.commands.push_back(Draw{type_, start, primitives_, true, offset});
    }

    SceneBuilder& b_;
    Random& r_;

    bool exact_ = true;  ///< results must be bit-exact
    bool large_ = false; ///< large enough to cover whole tiles
    uint32_t width_ = 0, height_ = 0;
    uint32_t samples_ = 0; ///< MSAA_SAMPLES
    std::vector<SceneSurface> targets_;
    std::vector<uint32_t> formats_; ///< PE format of each target
    Status color_status_, depth_status_;
    bool has_depth_ = false, d24_ = false;
    SceneSurface depth_;

    uint32_t type_ = triangles, primitives_ = 1; ///< of the draw
    bool one_color_ = false;                     ///< draws a rectangle of one color
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
