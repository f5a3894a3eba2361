/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "reference.hpp"
#include "twin.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace pixmill::test {
namespace {

enum Component { kA, kR, kG, kB };

struct Layout {
    int width[4]; /* number of bits of A, R, G and B */
    bool has_alpha;
};

Layout layout_of(uint32_t format) {
    switch (format) {
    case kX4R4G4B4:
    case kA4R4G4B4:
        return {{4, 4, 4, 4}, format == kA4R4G4B4};
    case kX1R5G5B5:
    case kA1R5G5B5:
        return {{1, 5, 5, 5}, format == kA1R5G5B5};
    case kR5G6B5:
        return {{0, 5, 6, 5}, false};
    default:
        return {{8, 8, 8, 8}, format == kA8R8G8B8};
    }
}

/* The components by swizzle, starting at the most significant bit of the pixel. */
constexpr Component kOrder[4][4] = {
    {kA, kR, kG, kB},
    {kR, kG, kB, kA},
    {kA, kB, kG, kR},
    {kB, kG, kR, kA},
};

int shift_of(const Layout& layout, uint32_t swizzle, Component component) {
    int shift = 0;
    for (int i = 3; kOrder[swizzle][i] != component; i--)
        shift += layout.width[kOrder[swizzle][i]];
    return shift;
}

uint32_t expand(uint32_t value, int bits) {
    switch (bits) {
    case 1:
        return value ? 0xFF : 0;
    case 4:
        return value * 17;
    case 5:
        return value << 3 | value >> 2;
    case 6:
        return value << 2 | value >> 4;
    default:
        return value;
    }
}

constexpr int kChannelShift[4] = {24, 16, 8, 0}; /* shifts of the components in ARGB */

uint64_t address_of(const RefSurface& s, int x, int y) {
    return static_cast<uint32_t>(s.addr + static_cast<uint32_t>(y) * s.stride +
                                 static_cast<uint32_t>(x) * bytes_per_pixel(s.format));
}

} // namespace

uint32_t decode_pixel(uint32_t format, uint32_t swizzle, uint32_t raw) {
    const Layout layout = layout_of(format);
    uint32_t argb = layout.has_alpha ? 0 : 0xFF000000;
    for (Component c : {kA, kR, kG, kB}) {
        const int bits = layout.width[c];
        if (!bits || (c == kA && !layout.has_alpha))
            continue;
        const uint32_t value = raw >> shift_of(layout, swizzle, c) & ((1u << bits) - 1);
        argb |= expand(value, bits) << kChannelShift[c];
    }
    return argb;
}

uint32_t encode_pixel(uint32_t format, uint32_t swizzle, uint32_t argb) {
    if (format == kA8)
        return argb >> 24;
    const Layout layout = layout_of(format);
    uint32_t raw = 0;
    for (Component c : {kA, kR, kG, kB}) {
        const int bits = layout.width[c];
        if (!bits)
            continue;
        const uint32_t value = argb >> kChannelShift[c] & 0xFF;
        raw |= value >> (8 - bits) << shift_of(layout, swizzle, c);
    }
    return raw;
}

uint32_t unused_bits(uint32_t format, uint32_t swizzle) {
    const Layout layout = layout_of(format);
    if (layout.has_alpha || !layout.width[kA])
        return 0;
    return ((1u << layout.width[kA]) - 1) << shift_of(layout, swizzle, kA);
}

uint32_t rop3(uint32_t code, uint32_t dst, uint32_t src, uint32_t pattern) {
    uint32_t result = 0;
    for (int bit = 0; bit < 32; bit++) {
        const uint32_t index = (dst >> bit & 1) + 2 * (src >> bit & 1) + 4 * (pattern >> bit & 1);
        result |= (code >> index & 1) << bit;
    }
    return result;
}

/* ---- Shadow ------------------------------------------------------------- */

Shadow::Shadow(const Machine& machine)
    : bytes_(machine.options.ram_size), size_(machine.options.ram_size) {
    machine.ram.get(0, bytes_.data(), size_);
}

uint32_t Shadow::load(uint64_t addr, uint32_t bytes) const {
    uint32_t value = 0;
    for (uint32_t i = 0; i < bytes; i++) {
        if (addr + i < size_)
            value |= static_cast<uint32_t>(bytes_[addr + i]) << 8 * i;
    }
    return value;
}

void Shadow::store(uint64_t addr, uint32_t bytes, uint32_t value) {
    for (uint32_t i = 0; i < bytes; i++) {
        if (addr + i < size_)
            bytes_[addr + i] = static_cast<uint8_t>(value >> 8 * i);
    }
}

uint32_t Shadow::fetch_source(const RefDraw& draw, const Rect& rect, int x, int y) const {
    if (!draw.uses_source())
        return 0;
    const int dx = draw.relative ? x : x - rect.left;
    const int dy = draw.relative ? y : y - rect.top;
    return load(address_of(draw.src, draw.origin_x + dx, draw.origin_y + dy),
                bytes_per_pixel(draw.src.format));
}

void Shadow::paint_pixel(const RefDraw& draw, int x, int y, uint32_t src_raw) {
    const RefSurface& d = draw.dst;
    const uint64_t at = address_of(d, x, y);
    const uint32_t bpp = bytes_per_pixel(d.format);
    if (draw.clear) {
        store(at, bpp, encode_pixel(d.format, d.swizzle, draw.color));
        return;
    }
    const bool same = draw.src.format == d.format && draw.src.swizzle == d.swizzle;
    if (same && draw.code == 0xCC) {
        store(at, bpp, src_raw); /* unused bits are copied, too */
        return;
    }
    const uint32_t old = load(at, bpp);
    const uint32_t dst = decode_pixel(d.format, d.swizzle, old);
    const uint32_t src = decode_pixel(draw.src.format, draw.src.swizzle, src_raw);
    const uint32_t out = rop3(draw.code, dst, src, draw.color);
    store(at, bpp, encode_pixel(d.format, d.swizzle, out));
}

void Shadow::paint_rect(const RefDraw& draw, const Rect& r) {
    const Rect box{std::max(r.left, draw.clip.left), std::max(r.top, draw.clip.top),
                   std::min(r.right, draw.clip.right), std::min(r.bottom, draw.clip.bottom)};
    /*
     * If format and stride are equal, a copy reads its whole rectangle first. Other
     * draws read row by row.
     */
    const bool move = draw.src.format == draw.dst.format && draw.src.stride == draw.dst.stride;
    Words before;
    const auto read_row = [&](int y) {
        for (int x = box.left; x < box.right; x++)
            before.push_back(fetch_source(draw, r, x, y));
    };
    for (int y = box.top; move && y < box.bottom; y++)
        read_row(y);
    size_t i = 0;
    for (int y = box.top; y < box.bottom; y++) {
        if (!move)
            read_row(y);
        for (int x = box.left; x < box.right; x++)
            paint_pixel(draw, x, y, before[i++]);
    }
}

void Shadow::paint(const RefDraw& draw) {
    for (const Rect& rect : draw.rects)
        paint_rect(draw, rect);
}

void Shadow::expect_equal(const Machine& machine) const {
    uint64_t at = 0;
    for (int shown = 0; shown < 8 && at < size_; shown++, at += 4) {
        at += machine.ram.equal_bytes(at, bytes_.data() + at, size_ - at);
        if (at == size_)
            break;
        at &= ~uint64_t{3};
        ADD_FAILURE() << "at 0x" << std::hex << at << ": expected 0x" << load(at, 4) << ", got 0x"
                      << machine.ram.word(at);
    }
}

/* ---- Programs ----------------------------------------------------------- */

Stream program(const RefDraw& draw) {
    Stream s = select_2d();
    if (draw.uses_source()) {
        uint32_t config = src_config(draw.src.format, draw.src.swizzle);
        if (draw.relative)
            config |= kSrcRelative;
        s.add(source(draw.src.addr, draw.src.stride, config, draw.origin_x, draw.origin_y));
    }
    const uint32_t command = draw.clear ? kCommandClear : kCommandBlit;
    s.add(dest(draw.dst.addr, draw.dst.stride,
               dest_config(draw.dst.format, command, draw.dst.swizzle)));
    s.state(state::kRop, draw.rop3 ? 0x00200000 | draw.code : rop4(draw.code));
    s.add(clip(draw.clip.left, draw.clip.top, draw.clip.right, draw.clip.bottom));
    if (draw.clear)
        s.state(state::kClear32, draw.color);
    else
        s.states(state::kPatternMaskLow, {~0u, ~0u, 0, draw.color})
            .state(state::kPatternConfig, 0xC0);
    return s.draw(draw.rects);
}

void scribble(Machine& machine, std::mt19937& random, uint64_t addr, uint64_t len) {
    std::vector<uint8_t> bytes(len);
    for (uint8_t& byte : bytes)
        byte = static_cast<uint8_t>(random());
    machine.ram.put(addr, bytes.data(), len);
}

void expect_same_picture(Machine& machine, const RefDraw& draw) {
    Stream stream = program(draw).end();
    machine.put_stream(kStreamAt, stream);
    Shadow shadow(machine);
    shadow.paint(draw);
    Twin twin(machine);
    twin.copy(machine);
    twin.run(stream.words());
    machine.start(kStreamAt, stream.qwords());
    machine.go(10'000'000);
    EXPECT_EQ(machine.get(reg::kIdle) & 7, 7u);
    shadow.expect_equal(machine);
    EXPECT_EQ(twin.difference(machine), "") << "the reference draws another picture";
}

} // namespace pixmill::test
