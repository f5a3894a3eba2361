// Surfaces and RS jobs of random scenes.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "builder.hpp"

namespace pixmill::test {

namespace {

uint32_t align(uint32_t value, uint32_t unit) {
    return (value + unit - 1) / unit * unit;
}

} // namespace

SceneSurface make_surface(SceneBuilder& builder, unsigned bytes, bool tiled, bool super, bool multi,
                          uint32_t width, uint32_t height) {
    SceneSurface surface;
    surface.bytes = bytes;
    surface.format = bytes == 2 ? 1 : 6;
    surface.tiled = tiled;
    surface.super = tiled && super;
    surface.multi = tiled && multi && builder.splits();
    surface.new_tiles = surface.super && builder.scene.core.cache_128b_256b;
    surface.width = align(width, surface.super ? 64 : 16);
    surface.height = align(height, surface.super ? (multi ? 128 : 64) : surface.multi ? 8 : 4);
    surface.base[0] = builder.allocate(surface.size());
    surface.base[1] = surface.base[0] + (builder.splits() ? surface.size() / 2 : 0);
    return surface;
}

namespace {

uint32_t tile_bytes(const SceneBuilder& builder, const SceneSurface& surface) {
    return surface.large_tiles ? 256 : builder.scene.core.cache_128b_256b ? 128 : 64;
}

} // namespace

uint32_t status_bytes(const SceneBuilder& builder, const SceneSurface& surface) {
    const uint32_t tiles_of_a_byte = builder.scene.core.two_bits_per_tile ? 4 : 2;
    const uint32_t bytes = tile_bytes(builder, surface) * tiles_of_a_byte; // of the surface
    return (surface.size() + bytes - 1) / bytes;
}

std::vector<uint8_t> random_status(SceneBuilder& builder, uint32_t bytes, bool all) {
    const uint8_t cleared = builder.scene.core.two_bits_per_tile ? 0x55 : 0x11;
    std::vector<uint8_t> status(bytes);
    for (uint8_t& byte : status)
        byte = all ? cleared : static_cast<uint8_t>(builder.random.word() & cleared);
    return status;
}

void kick(SceneBuilder& builder, uint32_t width, uint32_t height, unsigned rows_of_a_unit,
          std::vector<uint32_t> clear_control) {
    const bool split = builder.splits() && height % (2 * rows_of_a_unit) == 0;
    builder.burst(0x1700, {0, split ? height / 2 << 16 : 0});
    builder.load(0x1620, (split ? height / 2 : height) << 16 | width);
    builder.burst(0x1630, {0xFFFFFFFF, 0xFFFFFFFF});
    builder.burst(0x163C, std::move(clear_control));
    builder.load(0x16A0, 0u);
    builder.load(0x1600, 0xBEEBBEEBu);
}

namespace {

void set_source(SceneBuilder& builder, const SceneSurface& surface) {
    builder.load(0x160C, surface.rs_stride() | uint32_t{surface.large_tiles} << 29);
    builder.load(0x16C0, surface.base[0]);
    if (surface.multi)
        builder.load(0x16C4, surface.base[1]);
}

void set_destination(SceneBuilder& builder, const SceneSurface& surface) {
    builder.load(0x1614, surface.rs_stride());
    builder.load(0x16E0, surface.base[0]);
    if (surface.multi)
        builder.load(0x16E4, surface.base[1]);
}

uint32_t config(const SceneSurface& from, const SceneSurface& to) {
    return from.format | uint32_t{from.tiled} << 7 | to.format << 8 | uint32_t{to.tiled} << 14;
}

} // namespace

void read_back(SceneBuilder& builder, const SceneSurface& surface, const char* name, bool status,
               uint32_t mask, std::vector<ChannelBits> channels) {
    SceneSurface linear =
        make_surface(builder, surface.bytes, false, false, false, surface.width, surface.height);
    if (!status)
        builder.load(0x1654, 0u);
    builder.load(0x1604, config(surface, linear));
    set_source(builder, surface);
    set_destination(builder, linear);
    kick(builder, surface.width, surface.height, 4, {0, 0, 0, 0, 0});
    builder.scene.regions.push_back({name, linear.base[0], linear.size(), surface.bytes, mask,
                                     std::move(channels), surface.width});
}

/* ---- Scenes --------------------------------------------------------------------------------- */

namespace {

/// Returns the mask of the unused bits of a pixel, for RS formats 0 to 6.
uint32_t unused_bits(uint32_t format) {
    return format == 0 ? 0xF000 : format == 2 ? 0x8000 : format == 5 ? 0xFF000000 : 0;
}

class Resolves {
public:
    explicit Resolves(SceneBuilder& builder) : b_(builder), r_(builder.random) {}

    void run() {
        if (b_.scene.core.single_buffer)
            b_.load(0x16B8, 1u);
        const uint32_t jobs = r_.between(1, 3);
        for (uint32_t i = 0; i < jobs; i++)
            if (b_.scene.core.single_buffer && r_.chance(25))
                in_place();
            else if (r_.chance(40))
                fill();
            else
                copy();
        b_.scene.tolerance.reason = "RS moves bits";
    }

private:
    /// Returns a random surface. The size is in samples.
    SceneSurface surface(uint32_t format, uint32_t width, uint32_t height) {
        const bool tiled = r_.chance(70);
        SceneSurface surface = make_surface(b_, format < 5 ? 2 : 4, tiled, r_.chance(50),
                                            r_.chance(50), width, height);
        surface.format = format;
        return surface;
    }
    void region(const SceneSurface& surface, const char* name, uint32_t mask = 0xFFFFFFFF) {
        b_.scene.regions.push_back(
            {name, surface.base[0], surface.size(), surface.bytes, mask, {}, surface.width});
    }

    void fill() {
        b_.add(Feature::rs_fill);
        const uint32_t format = r_.chance(50) ? 6 : 1;
        const SceneSurface to = surface(format, 16 * r_.between(1, 6), 8 * r_.between(1, 8));
        b_.put(to.base[0], r_.bytes(to.size()));
        b_.load(0x1604, 0x0600u * (format == 6) | 0x0100u * (format == 1) | format |
                            uint32_t{to.tiled} << 14);
        b_.load(0x160C, 0u);
        set_destination(b_, to);
        const uint32_t bits =
            r_.pick<uint32_t>({0xFFFF, 0xFFFF, 0xEEEE, 0x1111, r_.word() & 0xFFFF});
        const uint32_t mode = r_.chance(75) ? 1 : 2;
        uint32_t value = r_.word();
        if (format == 1)
            value = (value & 0xFFFF) * 0x10001;
        const auto other = [&] { return format == 1 ? (r_.word() & 0xFFFF) * 0x10001 : r_.word(); };
        kick(b_, to.width, to.height, 4, {mode << 16 | bits, value, other(), other(), other()});
        region(to, "filled");
    }

    void copy() {
        const bool convert = r_.chance(40), downsample = r_.chance(30), flip = r_.chance(20);
        const uint32_t from_format = r_.below(7), to_format = convert ? r_.below(7) : from_format;
        const uint32_t x2 = downsample, y2 = downsample && r_.chance(70);
        const uint32_t width = 16 * r_.between(1, 5), height = 8 * r_.between(1, 6);
        SceneSurface from = surface(from_format, width << x2, height << y2);
        const SceneSurface to = surface(to_format, width, height);
        const bool swap = convert && r_.chance(50);
        b_.put(from.base[0], r_.bytes(from.size()));
        status(from);
        b_.load(0x1604,
                config(from, to) | x2 << 5 | y2 << 6 | uint32_t{swap} << 29 | uint32_t{flip} << 30);
        set_source(b_, from);
        set_destination(b_, to);
        kick(b_, width << x2, height << y2, y2 ? 8 : 4, {0, 0, 0, 0, 0});

        const bool exact = from_format == to_format && !swap && !downsample;
        region(to, "copied", exact ? 0xFFFFFFFF : ~unused_bits(to_format));
        b_.add(Feature::rs_copy);
        if (!exact && !downsample)
            b_.add(Feature::rs_convert);
        if (downsample)
            b_.add(Feature::rs_downsample);
        if (flip)
            b_.add(Feature::rs_flip);
    }

    void status(SceneSurface& surface) {
        if (!r_.chance(40)) {
            b_.load(0x1654, 0u);
            return;
        }
        b_.add(Feature::color_status);
        surface.large_tiles = b_.scene.core.small_msaa && r_.chance(50);
        const std::vector<uint8_t> bytes = random_status(
            b_, b_.halti() ? status_bytes(b_, surface) : surface.size() / 256 + 1, false);
        const uint32_t clear = surface.bytes == 2 ? (r_.word() & 0xFFFF) * 0x10001 : r_.word();
        b_.burst(0x1654, {2, b_.place(bytes), surface.base[0], clear});
        b_.load(0x16BC, clear);
    }

    /// Stores the clear value in the cleared tiles.
    void in_place() {
        b_.add(Feature::rs_in_place);
        SceneSurface where =
            surface(r_.chance(50) ? 6 : 1, 16 * r_.between(1, 6), 8 * r_.between(1, 8));
        where.large_tiles = r_.chance(50);
        b_.put(where.base[0], r_.bytes(where.size()));
        const std::vector<uint8_t> bytes =
            random_status(b_, status_bytes(b_, where), r_.chance(20));
        const uint32_t clear = where.bytes == 2 ? (r_.word() & 0xFFFF) * 0x10001 : r_.word();
        b_.burst(0x1654, {2, b_.place(bytes), where.base[0], clear});
        b_.load(0x16BC, clear);
        b_.load(0x16A0, uint32_t{where.large_tiles} << 24);
        b_.load(0x160C, where.rs_stride());
        b_.load(0x16B0, where.size() / tile_bytes(b_, where));
        region(where, "filled in place");
    }

    SceneBuilder& b_;
    Random& r_;
};

} // namespace

void random_resolves(SceneBuilder& builder) {
    Resolves(builder).run();
}

} // namespace pixmill::test
