// Formats operations as text for failure messages.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <ostream>

#include "render/operation.hpp"

namespace pixmill::render::test {

/// Returns the name of an enumerator. `last` is the last enumerator. The assertion catches missing
/// names.
template<auto last, size_t count>
const char* name_of(decltype(last) value, const char* const (&names)[count]) {
    static_assert(count == size_t(last) + 1, "a name for each");
    return names[size_t(value)];
}

inline void describe(std::ostream& out, const char* name, const SurfaceDesc& s) {
    constexpr const char* tilings[] = {"linear",
                                       "tiled",
                                       "minor tiled",
                                       "super tiled",
                                       "super tiled (Morton)",
                                       "super tiled (Morton, y first)",
                                       "multi tiled",
                                       "multi super tiled"};
    out << name << ' ' << s.format.name << " (R at bit " << int(s.format.red.shift) << ") base 0x"
        << std::hex << s.base << " second 0x" << s.second_base << std::dec << " stride " << s.stride
        << ' ' << name_of<Tiling::multi_super_tiled>(s.tiling, tilings) << " swap " << int(s.swap)
        << '\n';
}

inline void describe(std::ostream& out, const Rect& r) {
    out << '(' << r.left << ", " << r.top << ") to (" << r.right << ", " << r.bottom << ')';
}

inline void describe(std::ostream& out, const Axis& a) {
    constexpr const char* stretches[] = {"", " nearest", " gdi"};
    out << a.begin << (a.backward ? " backward" : " forward") << " from " << a.first
        << (a.downward ? " down" : " up") << name_of<Stretch::gdi>(a.stretch, stretches);
    if (!a.unit())
        out << ' ' << a.source << " to " << a.target;
}

inline void describe(std::ostream& out, const Placement& p) {
    out << "x [";
    describe(out, p.x);
    out << "] y [";
    describe(out, p.y);
    out << ']' << (p.transpose ? " transposed\n" : "\n");
}

inline void describe(std::ostream& out, const BitStream& bits) {
    out << "pack " << int(bits.pack) << ' ' << bits.width << 'x' << bits.height << ", "
        << bits.words.size() << " words\n";
}

inline void describe(std::ostream& out, const YuvLayout& layout) {
    out << layout.name << " (U at " << int(layout.u.plane) << '.' << int(layout.u.offset) << ")\n";
}

inline void describe(std::ostream& out, const PlaneLayout& layout) {
    out << layout.name;
    for (const auto& [at, channel] : layout.outputs())
        out << ", channel " << int(channel) << " to plane " << int(at.plane) << " byte "
            << int(at.offset) << " of " << int(at.step) << " for " << (1 << at.x_shift) << 'x'
            << (1 << at.y_shift);
    out << '\n';
}

inline void describe(std::ostream& out, const ColorMatrix& m) {
    out << "  matrix";
    for (const int32_t c : m.c)
        out << ' ' << c;
    out << " +";
    for (const int32_t d : m.d)
        out << ' ' << d;
    out << " >> " << int(m.shift) << (m.clamp ? " clamped\n" : "\n");
}

inline void describe(std::ostream& out, const ColorKey& key) {
    for (const ColorKey::Field& f : key.fields)
        out << std::hex << ' ' << f.low << ".." << f.high << '/' << f.mask << std::dec;
    out << '\n';
}

inline void describe(std::ostream& out, const BlendOperand& o) {
    constexpr const char* factors[] = {"zero",  "one",     "alpha",    "1-alpha",
                                       "color", "1-color", "saturate", "saturate other"};
    out << name_of<Factor::saturate_other>(o.factor, factors) << (o.own ? " own" : "")
        << (o.inverse ? " inverse" : "") << (o.premultiply ? " premultiply" : "") << " multiply "
        << int(o.multiply) << " global " << int(o.global) << " 0x" << std::hex << o.global_color
        << std::dec;
}

inline void describe(std::ostream& out, const Filter& f) {
    out << "  filter" << (f.horizontal ? " horizontal" : "") << (f.vertical ? " vertical" : "")
        << " origin " << f.origin_x << ", " << f.origin_y << " factor " << f.factor_x << ", "
        << f.factor_y << " image ";
    describe(out, f.image);
    out << "\n  of ";
    describe(out, f.surface);
}

inline void describe(std::ostream& out, const Source& s) {
    constexpr const char* kinds[] = {"none", "rgb", "index8", "mono", "stream", "yuv"};
    out << "  source " << name_of<Source::Kind::yuv>(s.kind, kinds) << ' ';
    if (s.kind == Source::Kind::none) {
        out << '\n';
        return;
    }
    describe(out, s.placement);
    if (s.filter)
        describe(out, *s.filter);
    if (s.kind == Source::Kind::stream) {
        out << "  ";
        describe(out, s.bits);
        return;
    }
    const int planes = s.kind == Source::Kind::yuv ? s.layout.planes : 1;
    for (int i = 0; i < planes; i++)
        describe(out, "  surface", s.surface[size_t(i)]);
    if (s.kind == Source::Kind::yuv) {
        out << "  layout ";
        describe(out, s.layout);
        if (s.convert)
            describe(out, s.matrix);
    }
}

inline void describe(std::ostream& out, const Stage& stage) {
    describe(out, stage.source);
    if (stage.source_key) {
        out << "  source key";
        describe(out, *stage.source_key);
    }
    if (stage.destination_key) {
        out << "  destination key";
        describe(out, *stage.destination_key);
    }
    if (stage.mask) {
        out << "  mask ";
        describe(out, stage.mask->placement);
        describe(out, stage.mask->bits);
    }
    if (stage.transparent_bit)
        out << "  transparent bit " << int(*stage.transparent_bit) << '\n';
    if (stage.pattern_mask)
        out << "  pattern mask\n";
    out << "  rop 0x" << std::hex << int(stage.rop);
    if (stage.transparent_rop)
        out << " transparent 0x" << int(*stage.transparent_rop);
    out << std::dec << (stage.source_forced ? " source forced\n" : "\n");
    if (stage.blend) {
        out << "  blend " << (stage.blend_pattern ? "pattern: " : "source: ");
        describe(out, stage.blend->source);
        out << "; destination: ";
        describe(out, stage.blend->destination);
        out << (stage.blend->demultiply ? "; demultiply" : "")
            << (stage.blend->keep_zero ? "; keep zero\n" : "\n");
    }
}

inline void describe(std::ostream& out, const Operation& op) {
    describe(out, "destination", op.destination);
    if (op.planar) {
        describe(out, op.planar->layout);
        describe(out, "plane 1", op.planar->more[0]);
        describe(out, "plane 2", op.planar->more[1]);
        if (op.planar->yuv && op.planar->convert) {
            describe(out, op.planar->matrix);
            describe(out, op.planar->to_rgb);
        }
    }
    out << "rect ";
    describe(out, op.rect);
    if (op.line)
        out << " line " << op.line->x0 << ", " << op.line->y0 << " to " << op.line->x1 << ", "
            << op.line->y1;
    out << "\npattern " << (op.pattern.solid ? "solid 0x" : "8x8 0x") << std::hex
        << op.pattern.color[0] << " mask 0x" << op.pattern.mask << std::dec
        << (op.pattern.packed ? " packed" : "") << (op.dither.enabled ? " dither\n" : "\n");
    for (unsigned i = 0; i < op.stage_count; i++) {
        out << "stage " << i << '\n';
        describe(out, op.stages[i]);
    }
}

} // namespace pixmill::render::test
