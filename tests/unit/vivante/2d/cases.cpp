/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "cases.hpp"

#include <map>
#include <string>

namespace pixmill::test {
namespace {

/* States and a format that only the newest cores have (nano2D). */
constexpr uint32_t kDestConfigEx = 0x132C;
constexpr uint32_t kYuv2Rgb = 0x1340; /* five words of coefficients, then three offsets */
constexpr uint32_t kRgb2Yuv = 0x1360;
constexpr uint32_t kWalkerConfig = 0x1380;
constexpr uint32_t kR8 = 0x14;

constexpr uint32_t kPattern = 0x20000;
constexpr uint32_t kSources = 0x24000; /* address of the first source; each has kSourceBytes */
constexpr uint32_t kSourceBytes = 0x4000;
constexpr uint32_t kPlane2 = 0x2000; /* offset from the first plane */
constexpr uint32_t kPlane3 = 0x3000;
constexpr int kSide = 32;       /* width and height of the destination */
constexpr int kSourceSide = 64; /* width and height of a source */
constexpr int kMargin = 16;     /* pixels of a source left of and above the usual origin */
constexpr int kLast = 32767;    /* the largest coordinate */
constexpr int kFar = 32736;     /* first coordinate of a surface that ends near kLast */
constexpr int kFarSource = 32704;
constexpr int kFarSuper = 32512; /* like kFar; half of it starts a supertile of chroma */

enum class Primitive { clear, line, blit, stretch, mask, mono_stream, filter, multi_source };
constexpr const char* kNames[] = {"clear", "line",        "blit",   "stretch",
                                  "mask",  "mono stream", "filter", "multi-source"};

struct Corner {
    int x = 0, y = 0;
};

/* Position and orientation of a square surface. */
struct Lie {
    uint32_t code = 0; /* ROT_ANGLE */
    uint32_t flip = 0;
    int side = 0;
    Corner first;  /* virtual coordinates of the surface's first pixel */
    Corner beyond; /* pixels after the surface; mirroring stores them before it */
    bool transposed() const { return code == 4 || code == 6; }
    bool turned_over_x() const {
        return (code == 1 || code == 4 || code == 5) != ((flip & 1) != 0);
    }
    bool turned_over_y() const {
        return (code == 2 || code == 5 || code == 6) != ((flip & 2) != 0);
    }
    int along_x() const { return transposed() ? first.y : first.x; }
    int along_y() const { return transposed() ? first.x : first.y; }
    uint32_t width() const { return static_cast<uint32_t>(along_x() + side + beyond.x); }
    uint32_t height() const { return static_cast<uint32_t>(along_y() + side + beyond.y); }
    Corner physical() const {
        return {turned_over_x() ? beyond.x : along_x(), turned_over_y() ? beyond.y : along_y()};
    }
};

struct Tiles {
    uint32_t config, ex_config;
    uint32_t across; /* height of a tile in pixels */
    uint32_t rows;   /* pixel rows per stride */
    uint32_t halves; /* number of halves that share the rows */
};
constexpr Tiles kLinear{0, 0, 1, 1, 1};
constexpr Tiles kMinorSource{0, 0x100, 2, 1, 1};
constexpr Tiles kTileModes[] = {{0x280, 0, 64, 1, 1},
                                {0x480, 0, 64, 1, 1}}; /* TILE_MODE of the newest cores */
constexpr Tiles kTiled[] = {{kSrcTiled, 0, 4, 1, 1},  {kSrcTiled, 0, 4, 1, 1},
                            {kSrcTiled, 1, 4, 1, 2},  {kSrcTiled, 8, 64, 1, 1},
                            {kSrcTiled, 9, 64, 1, 2}, kMinorSource};

/* Returns the offset of pixel @at, which must be the first pixel of a tile. */
uint32_t offset_of(const Tiles& tiles, Corner at, uint32_t stride, uint32_t bytes) {
    return static_cast<uint32_t>(at.y) / tiles.halves * stride +
           static_cast<uint32_t>(at.x) * tiles.across * bytes;
}

struct PlaneShape {
    uint32_t bytes;
    int x_shift, y_shift;
};

/* Returns the second and third plane of a YUV format. A missing plane has bytes == 0. */
std::array<PlaneShape, 2> chroma_planes(uint32_t format) {
    switch (format) {
    case kYv12:
        return {{{1, 1, 1}, {1, 1, 1}}};
    case kNv12:
        return {{{2, 1, 1}, {}}};
    case kNv16:
        return {{{2, 1, 0}, {}}};
    default:
        return {};
    }
}

bool is_yuv(uint32_t format) {
    return format == kYuy2 || format == kUyvy || chroma_planes(format)[0].bytes;
}

/* Returns the bytes per pixel of the first plane. */
uint32_t first_plane_bytes(uint32_t format) {
    const bool byte =
        format == kR8 || format == kIndex8 || format == kYv12 || format == kNv12 || format == kNv16;
    return byte ? 1 : bytes_per_pixel(format);
}

/* Cached per core. */
const reference::Features& features_of(const char* model) {
    static std::map<std::string, reference::Features> known;
    const auto found = known.find(model);
    if (found != known.end())
        return found->second;
    Machine machine(MachineOptions{.model = model, .ram_size = 0x1000});
    return known[model] = features_of(machine);
}

class Generator {
public:
    Generator(uint64_t seed, uint64_t number)
        : random_(static_cast<uint32_t>(seed * 0x9E3779B1u + number)) {}

    Case make() {
        choose_model();
        c_.seed = word();
        primitive_ = choose_primitive();
        c_.primitive = kNames[static_cast<size_t>(primitive_)];
        overlaps_ = primitive_ == Primitive::blit && chance(25);
        destination();
        operators();
        if (features_.super_tile_version) /* selects the pixel order in supertiles */
            set(state::kGeneralConfig, bits(2));
        if (newest())
            newest_states();
        for (uint32_t n = 0; n < sources_; n++)
            source(n);
        pattern();
        palettes();
        rectangles();
        scales();
        if (streams())
            stream_data();
        if (overlaps_)
            overlap();
        if (primitive_ == Primitive::filter)
            filter();
        return c_;
    }

private:
    void set(uint32_t addr, uint32_t value) { c_.states.push_back({addr, value}); }
    int in(int low, int high) { return pick(random_, low, high); }
    uint32_t word() { return static_cast<uint32_t>(random_()); }
    uint32_t bits(int high) { return static_cast<uint32_t>(in(0, high)); }
    bool chance(int percent) { return in(1, 100) <= percent; }
    template<class T, size_t N>
    T of(const T (&choices)[N]) {
        return choices[static_cast<size_t>(in(0, N - 1))];
    }
    bool streams() const {
        return primitive_ == Primitive::mask || primitive_ == Primitive::mono_stream;
    }
    bool pe20() const { return features_.pe20; }
    bool newest() const { return features_.dest_config_ex; }
    /* True if the draw is a PE 1.0 clear, which writes bytes regardless of the pixel format. */
    bool clears_bytes() const { return !pe20() && primitive_ == Primitive::clear; }

    void choose_model() {
        static constexpr const char* models[] = {kPe20,   kPe20,   kPe20,   kPe20,
                                                 kPe20,   kPe10,   kMulti4, kMulti4,
                                                 kMulti8, kMulti8, kNewest, "gc520-imx8mp"};
        c_.model = of(models);
        features_ = features_of(c_.model);
        if (chance(30))
            c_.quirks_on = bits(PIXMILL_VIVANTE_QUIRKS);
        else if (chance(20))
            c_.quirks_off = bits(PIXMILL_VIVANTE_QUIRKS);
    }

    Primitive choose_primitive() {
        static constexpr Primitive all[] = {
            Primitive::clear, Primitive::line,        Primitive::blit,
            Primitive::blit,  Primitive::stretch,     Primitive::stretch,
            Primitive::mask,  Primitive::mono_stream, Primitive::filter};
        const bool several = features_.multi_source || features_.multi_source_ex;
        if (several && chance(20)) {
            sources_ = static_cast<uint32_t>(in(1, features_.multi_source_ex ? 8 : 4));
            return Primitive::multi_source;
        }
        return of(all);
    }

    uint32_t command() const {
        static const std::map<Primitive, uint32_t> commands = {
            {Primitive::clear, kCommandClear},
            {Primitive::line, kCommandLine},
            {Primitive::stretch, kCommandStretch},
            {Primitive::filter, 0x5000},
            {Primitive::multi_source, kCommandMultiSource}};
        const auto found = commands.find(primitive_);
        return found != commands.end() ? found->second : uint32_t{kCommandBlit};
    }

    /* A rotation code; often 0. */
    uint32_t rotation() {
        static constexpr uint32_t codes[] = {1, 2, 4, 5, 6};
        return chance(60) ? 0 : of(codes);
    }

    uint32_t swizzle() { /* PE 1.0 is only known to support ARGB and ABGR */
        return pe20() ? bits(3) : 2 * bits(1);
    }
    uint32_t endian() { return chance(85) ? 0 : static_cast<uint32_t>(in(1, 3)); }
    uint32_t yuv_format() {
        static constexpr uint32_t all[] = {kYuy2, kUyvy, kYv12, kNv12, kNv16};
        return of(all);
    }

    /* Returns the tiling that the core applies: cores without tiling treat surfaces as linear. */
    Tiles as_built(const Tiles& tiles) const {
        return features_.tiling ? tiles : Tiles{tiles.config, tiles.ex_config, 1, 1, 1};
    }

    /* ---- Destination ---- */

    void destination() {
        dest_format_ = bits(6);
        if (!clears_bytes() && chance(10))
            dest_format_ = kA8;
        if (!clears_bytes() && chance(10))
            dest_format_ = yuv_format();
        if (newest() && chance(10))
            dest_format_ = kR8;
        dest_swizzle_ = swizzle();
        if (!clears_bytes())
            dest_endian_ = endian();
        uint32_t config = dest_config(dest_format_, command(), dest_swizzle_) | dest_endian_ << 20;
        if (!clears_bytes() && chance(30)) {
            const bool minor = chance(30);
            dest_tiles_ = as_built(minor                    ? kMinorSource
                                   : newest() && chance(50) ? of(kTileModes)
                                                            : kTiled[0]);
            config |= minor ? kDestMinorTiled : kDestTiled | (dest_tiles_.config & 0x600);
        }
        gdi_ = primitive_ == Primitive::stretch && chance(50);
        if (gdi_)
            config |= kGdiStretch;
        set(state::kDestConfig, config);
        dest_stride_ = kSide * first_plane_bytes(dest_format_) + (chance(30) ? 16 : 0);
        flat_ = !overlaps_ && !is_yuv(dest_format_) && chance(5);
        if (flat_)
            dest_stride_ = 0;
        set(state::kDestStride, dest_stride_);
        set(state::kPlane2Stride, kSide);
        set(state::kPlane3Stride, kSide);
        if (!overlaps_ && !flat_ && chance(15))
            split();
        destination_place();
        if (chance(25)) {
            set(state::kDitherLow, chance(50) ? 0x6E4CA280 : word());
            set(state::kDitherHigh, chance(50) ? 0x5D7F91B3 : word());
        }
        const int left = in(0, 12);
        const int top = in(0, 12);
        set(state::kClipTopLeft, at_target({left, top}));
        set(state::kClipBottomRight, at_target({in(left, kSide), in(top, kSide)}));
    }

    void destination_place() {
        bool old_code = false;
        dest_.side = kSide;
        if (!overlaps_ && !flat_) {
            dest_.code = pe20() ? rotation() : 0;
            dest_.flip = pe20() && chance(10) ? bits(3) : 0;
            old_code = chance(pe20() ? 5 : 30);
        }
        dest_angle_ = dest_.code << 3 | dest_.flip << 23;
        if (old_code && !dest_.code)
            dest_.code = 4;
        if (!split_) {
            const int far = dest_tiles_.across > 4 ? kFarSuper : kFar;
            dest_.first = {chance(20) ? far : 0, chance(20) ? far : 0};
            dest_.beyond = {chance(20) ? far : 0, chance(20) ? far : 0};
        }
        /* A filter's window must end within a row. */
        if (primitive_ == Primitive::filter && dest_.physical().x)
            (dest_.transposed() ? dest_.first.y : dest_.first.x) = dest_.beyond.x = 0;
        const Corner corner = dest_.physical();
        set(state::kDestRotation, dest_.width() | (old_code ? 0x10000u : 0));
        set(state::kDestRotationHeight, dest_.height());
        set(state::kDestAddress, kCaseTarget - offset_of(dest_tiles_, corner, dest_stride_,
                                                         first_plane_bytes(dest_format_)));
        set_chroma(chroma_planes(dest_format_), dest_tiles_, corner, kSide,
                   {kCaseTarget + kPlane2, kCaseTarget + kPlane3},
                   {state::kPlane2Address, state::kPlane3Address});
    }

    /* Sets the plane addresses so that pixel @corner is stored at @at. */
    void set_chroma(const std::array<PlaneShape, 2>& shapes, const Tiles& tiles, Corner corner,
                    uint32_t stride, std::array<uint32_t, 2> at, std::array<uint32_t, 2> states) {
        for (size_t i = 0; i < shapes.size(); i++) {
            const Corner c{corner.x >> shapes[i].x_shift, corner.y >> shapes[i].y_shift};
            set(states[i], at[i] - offset_of(tiles, c, stride, shapes[i].bytes));
        }
    }

    /* Returns a point of the destination as a coordinate word. */
    uint32_t at_target(Corner p) const {
        return pack_xy(std::min(dest_.first.x + p.x, kLast), std::min(dest_.first.y + p.y, kLast));
    }

    /* Assigns random channels to the planes. Cores without the register ignore the write. */
    void split() {
        const uint32_t conversion = word();
        const uint32_t planes = conversion & 3;
        set(state::kDeyuv, conversion);
        if (!planes || !features_.yuv_conversion)
            return;
        split_ = true;
        const auto stride = [&](uint32_t plane, int pixels) {
            return static_cast<uint32_t>(pixels) * ((conversion >> (2 + 2 * plane) & 3) + 1);
        };
        /*
         * Filter windows end with the row, after a whole pixel. Other draws ignore the row's end.
         */
        const bool narrow = primitive_ == Primitive::filter && chance(30);
        set(state::kDestStride, (stride(0, narrow ? in(8, kSide) : kSide) + 3) & ~3u);
        set(state::kPlane2Stride, stride(1, kSide));
        set(state::kPlane3Stride, stride(2, kSide));
    }

    void operators() {
        set(state::kClear32, word());
        set(state::kClearLow, word());
        set(state::kClearHigh, word());
        set(state::kClearByteMask, word() & 0xFF);
        set(state::kDestColorKey, word() & 0x7F7F7F7F);
        set(state::kDestColorKeyHigh, word() | 0x80808080);
        if (chance(features_.new_2d ? 15 : 40)) /* the mirror bits of PE 1.0 */
            set(state::kConfig, bits(3) << 4 | 1);
    }

    void newest_states() {
        constexpr uint32_t own_table = 2; /* other values of DEST_CONFIG_EX.YUV are undocumented */
        set(kWalkerConfig, 1);            /* one rectangle for all sources */
        set(kDestConfigEx, 0x04000000 | (chance(50) ? own_table : 0) | (word() & 0x10));
        for (uint32_t i = 0; i < 8; i++) {
            set(kYuv2Rgb + 4 * i, word());
            set(kRgb2Yuv + 4 * i, word());
        }
    }

    /*
     * Returns random values for the fields of PE_CONTROL on this core, and for YUVRGB, which has no
     * effect.
     */
    uint32_t pe_control() {
        if (newest())
            return word() & 0x11113;
        return word() & (features_.yuv_standard ? 0x111 : 0x110);
    }

    /* ---- Sources ---- */

    /*
     * Sets state @reg of source @n. @index is the position of @reg in the source register blocks.
     */
    void set_source(uint32_t n, uint32_t reg, uint32_t index, uint32_t value) {
        set(n ? source_register(n, index) : reg, value);
    }
    uint32_t source_register(uint32_t n, uint32_t index) const {
        return (features_.multi_source_ex ? state::kBlock8 + index * 0x20
                                          : state::kBlock4 + index * 0x10) +
               4 * n;
    }

    uint32_t source_format() {
        static constexpr uint32_t packed[] = {kYuy2, kUyvy};
        if (primitive_ == Primitive::mono_stream)
            return kMonochrome;
        const int kind = in(0, 99);
        const bool to_packed = dest_format_ == kYuy2 || dest_format_ == kUyvy;
        if (primitive_ == Primitive::filter && to_packed && chance(30))
            return of(packed);
        if (kind < 25 && dest_format_ != kA8)
            return dest_format_;
        if (kind < 35)
            return pe20() ? yuv_format() : of(packed);
        if (kind < 42)
            return kIndex8;
        /* Filters do not support monochrome sources, and mask blits already have a mono stream. */
        if (kind < 50 && primitive_ != Primitive::filter && primitive_ != Primitive::mask)
            return kMonochrome;
        if (kind < 55 && pe20())
            return kA8;
        if (kind < 58 && newest())
            return kR8;
        return bits(6);
    }

    uint32_t source_config(uint32_t format, const Tiles& tiles, bool relative) {
        uint32_t config = pe20() ? format << 24 | word() % 16 : format;
        config |= tiles.config | endian() << 30;
        if (format <= kA8R8G8B8)
            config |= (chance(40) ? dest_swizzle_ : swizzle()) << 20;
        if (relative)
            config |= kSrcRelative;
        if (streams())
            config |= kSrcStream | bits(3) << 12;
        if (chance(50))
            config |= kMonoForeground;
        if (!pe20())
            config |= pe10_transparency() | (chance(50) ? 0x10000u : 0);
        return config;
    }

    void source(uint32_t n) {
        const uint32_t format = source_format();
        const bool tiled = format != kMonochrome && chance(25);
        const Tiles tiles = as_built(!tiled                   ? kLinear
                                     : newest() && chance(20) ? of(kTileModes)
                                                              : of(kTiled));
        const bool relative = chance(40);
        source_config_ = source_config(format, tiles, relative);
        set_source(n, state::kSrcConfig, 3, source_config_);
        set_source(n, state::kSrcExConfig, 22, tiles.ex_config);
        set_source(n, state::kSrcSize, 5, word()); /* only used by stretches */
        Lie lie;
        lie.side = kSourceSide;
        source_place(n, lie, tiles);
        source_addresses(n, format, tiles, lie.physical());
        source_origin(n, lie.first, relative);
        source_first_ = {lie.first.x + kMargin, lie.first.y + kMargin};
        set_source(n, state::kSrcColorBg, 6, key_low());
        set_source(n, state::kRop, 7, rop());
        if (!n)
            set(state::kSrcColorFg, word());
        blending(n);
        set_source(n, state::kTransparency, 19, transparency());
        set_source(n, state::kPeControl, 20, pe_control());
        set_source(n, state::kSrcColorKeyHigh, 21, key_high_);
        if (chance(15)) { /* all mask bits are set, so nothing changes */
            set_source(n, state::kRotAngle, 15, word() | 0x02488300);
            set_source(n, state::kTransparency, 19, word() | 0x90001000);
            set_source(n, state::kPeControl, 20, word() | 0x00088888);
        }
    }

    void source_place(uint32_t n, Lie& lie, const Tiles& tiles) {
        lie.code = pe20() ? rotation() : 0;
        lie.flip = pe20() && chance(10) ? bits(3) : 0;
        uint32_t angle = dest_angle_ | lie.code | lie.flip << 20;
        const bool old_code = chance(pe20() ? 5 : 30);
        if (old_code && !lie.code)
            lie.code = 4;
        const int far = tiles.across > 4 ? kFarSuper : kFarSource;
        lie.first = {chance(20) ? far : 0, chance(20) ? far : 0};
        lie.beyond = {chance(20) ? far : 0, chance(20) ? far : 0};
        if (features_.new_2d && chance(30))
            angle |= bits(3) << 12 | bits(3) << 16;
        set_source(n, state::kRotAngle, 15, angle);
        set_source(n, state::kSrcRotation, 2, lie.width() | (old_code ? 0x10000u : 0));
        set_source(n, state::kSrcRotationHeight, 14, lie.height());
    }

    void source_addresses(uint32_t n, uint32_t format, const Tiles& tiles, Corner corner) {
        constexpr uint32_t stride = 128;
        constexpr uint32_t chroma_stride = 64;
        const uint32_t at = kSources + n * kSourceBytes;
        const uint32_t before = format == kMonochrome
                                    ? offset_of(tiles, {corner.x / 8, corner.y}, stride, 1)
                                    : offset_of(tiles, corner, stride, first_plane_bytes(format));
        set_source(n, state::kSrcAddress, 0, at - before);
        set_source(n, state::kSrcStride, 1, stride);
        set_source(n, state::kUPlaneStride, 11, chroma_stride);
        set_source(n, state::kVPlaneStride, 13, chroma_stride);
        set_source(n, state::kSrcExAddress, 23, at + 0x2000 - before);
        set_chroma(chroma_planes(format), tiles, corner, chroma_stride, {at + 0x1000, at + 0x2000},
                   {n ? source_register(n, 10) : uint32_t{state::kUPlaneAddress},
                    n ? source_register(n, 12) : uint32_t{state::kVPlaneAddress}});
    }

    /* Chooses an origin so that all reads stay on the surface for any rectangle. */
    void source_origin(uint32_t n, Corner first, bool relative) {
        constexpr int reach = 8;
        if (primitive_ == Primitive::stretch) { /* the origin is always absolute */
            const Corner from{in(0, 40), in(0, 40)};
            window_ = {kSourceSide - from.x, kSourceSide - from.y};
            set_source(n, state::kSrcOrigin, 4, pack_xy(first.x + from.x, first.y + from.y));
            return;
        }
        Corner origin{first.x + kMargin, first.y + kMargin};
        if (relative || primitive_ == Primitive::multi_source)
            origin = {origin.x - dest_.first.x, origin.y - dest_.first.y};
        set_source(n, state::kSrcOrigin, 4,
                   pack_xy(origin.x + in(0, reach), origin.y + in(0, reach)));
    }

    /* Uses the destination's surface as the source, without rotation or flips. */
    void overlap() {
        uint32_t config = source_config_ & (pe20() ? 0x0000B03Fu : 0x0001B030u);
        config |= pe20() ? dest_format_ << 24 : dest_format_;
        config |= dest_swizzle_ << 20 | dest_endian_ << 30;
        const auto value_of = [this](uint32_t addr) {
            uint32_t value = 0;
            for (const Write& write : c_.states)
                value = write.addr == addr ? write.value : value;
            return value;
        };
        set(state::kSrcAddress, value_of(state::kDestAddress));
        set(state::kSrcStride, dest_stride_);
        set(state::kSrcConfig, config | dest_tiles_.config);
        set(state::kSrcExConfig, dest_tiles_.ex_config);
        set(state::kSrcRotation, kSide);
        set(state::kUPlaneAddress, value_of(state::kPlane2Address));
        set(state::kUPlaneStride, kSide);
        set(state::kVPlaneAddress, value_of(state::kPlane3Address));
        set(state::kVPlaneStride, kSide);
        set(state::kSrcOrigin, pack_xy(dest_.first.x + in(0, 8), dest_.first.y + in(0, 8)));
        set(state::kRotAngle, features_.new_2d && chance(30) ? 0x1000 : 0);
        set(state::kConfig, chance(30) ? 0x11 : 0);
    }

    /* ---- Pixel operations ---- */

    /* Returns SRC_CONFIG.TRANSPARENCY. Mask blits get a stream mask, other draws a color key. */
    uint32_t pe10_transparency() {
        static constexpr uint32_t modes[] = {0, 3, 1};
        const uint32_t mode = of(modes);
        return (primitive_ == Primitive::mask && mode == 1 ? 2 : mode) << 4;
    }

    /* Sets key_high_ and returns the low end. Usually about half of all values are in the range. */
    uint32_t key_low() {
        key_high_ = chance(10) ? word() : word() | 0x80808080;
        return chance(10) ? word() : word() & 0x7F7F7F7F;
    }

    uint32_t transparency() {
        uint32_t value = 0;
        if (streams())
            value |= bits(1);
        else if (chance(25))
            value |= 2;
        if (chance(20))
            value |= 0x10;
        for (const uint32_t operand : {16u, 20u, 24u}) /* USE_*_OVERRIDE */
            if (chance(8))
                value |= static_cast<uint32_t>(in(1, 2)) << operand;
        if (chance(15))
            value |= 0x200;
        if (chance(10))
            value |= 0x20000000;
        return value;
    }

    uint32_t rop() {
        static constexpr uint32_t common[] = {0xCC, 0xCC, 0xF0, 0x66, 0x5A, 0xB8, 0xAA, 0x55};
        const uint32_t fore = chance(60) ? of(common) : word() & 0xFF;
        const uint32_t back = chance(60) ? 0xAAu : word() & 0xFF;
        const uint32_t type = chance(60) ? 3 : bits(2);
        return type << 20 | back << 8 | fore;
    }

    void blending(uint32_t n) {
        const bool on = !clears_bytes() && chance(35);
        const uint32_t modes = (word() & 0xFF000011) | bits(2) << 8 | bits(2) << 12 |
                               (pe20() ? 0 : word() & 0x00110000);
        set_source(n, state::kAlphaControl, 8, (word() & 0xFFFF0000) | on);
        /* PE 1.0 lacks the "no cross" modes. */
        set_source(n, state::kAlphaModes, 9, pe20() ? modes : modes & 0x77FFFFFF);
        set_source(n, state::kGlobalSrcColor, 16, word());
        set_source(n, state::kGlobalDestColor, 17, word());
        set_source(n, state::kColorMultiply, 18,
                   (word() & (newest() ? 0x00300011 : 0x00100011)) | bits(2) << 8);
    }

    /* Loads a brush, and often programs it again with random bits of INIT_TRIGGER. */
    void pattern() {
        brush(3);
        for (int more = chance(60) ? in(1, 3) : 0; more > 0; more--)
            brush(bits(3));
        const bool masked = chance(50);
        set(state::kPatternMaskLow, masked ? word() : ~0u);
        set(state::kPatternMaskHigh, masked ? word() : ~0u);
        if (primitive_ == Primitive::multi_source)
            set(state::kMultiSource, (sources_ - 1) | (word() & 0x00070500));
    }

    void brush(uint32_t trigger) {
        set(state::kPatternAddress, kPattern + 4 * bits(63));
        set(state::kPatternLow, word());
        set(state::kPatternHigh, word());
        set(state::kPatternBg, word());
        set(state::kPatternFg, word());
        const uint32_t format = chance(40)   ? uint32_t{kMonochrome}
                                : chance(15) ? uint32_t{kIndex8}
                                             : bits(6);
        uint32_t config = bits(7) << 16 | bits(7) << 20 | trigger << 6 | (chance(60) ? 0x10 : 0);
        config |= pe20() ? format << 24 | bits(3) << 8 : format | (word() & 0x20);
        set(state::kPatternConfig, config | endian() << 30);
    }

    void palettes() {
        const bool all = chance(20); /* otherwise, few colors are nonzero */
        for (uint32_t i = 0; i < (all ? 256u : 16u); i++) {
            const uint32_t at = 4 * (all ? i : word() & 0xFF);
            set((pe20() ? state::kPalette32 : state::kPalette10) + at, word());
            if (i < 16) /* the palette of the other PE version */
                set((pe20() ? state::kPalette10 : state::kPalette32) + at, word());
        }
    }

    /* ---- Geometry ---- */

    void rectangles() {
        const int count = streams() ? 1 : chance(10) ? 9 : in(1, 3);
        const auto begin = [this] { return chance(20) ? in(-12, 0) : in(0, 12); };
        for (int i = 0; i < count; i++) {
            const int reach = primitive_ == Primitive::stretch && chance(25) ? 100 : 20;
            Corner from{begin(), begin()};
            Corner to{from.x + in(chance(10) ? 0 : 1, reach), from.y + in(1, reach)};
            if (primitive_ == Primitive::line)
                to = {begin() + in(0, 20), begin() + in(0, 20)};
            const auto at = [](int base, int v) { return std::min(base + v, kLast); };
            c_.rects.push_back({at(dest_.first.x, from.x), at(dest_.first.y, from.y),
                                at(dest_.first.x, to.x), at(dest_.first.y, to.y)});
            if (!streams() && chance(3)) /* only lines draw anything then */
                std::swap(c_.rects.back().left, c_.rects.back().right);
        }
    }

    /* Sets SRC_SIZE and STRETCH_FACTOR, which only stretches use. */
    void scales() {
        if (primitive_ != Primitive::stretch) {
            set(state::kStretchLow, word());
            set(state::kStretchHigh, word());
            return;
        }
        const bool sizeless = chance(10);
        const auto scale = [&](uint32_t factor, int room, int Rect::*begin, int Rect::*end) {
            int longest = 1;
            for (const Rect& rect : c_.rects)
                longest = std::max(longest, rect.*end - rect.*begin);
            const int target = std::max(c_.rects[0].*end - c_.rects[0].*begin, 1);
            const int size = chance(15) ? std::min(target, room) : in(1, room);
            const bool none = sizeless || chance(10);
            set(factor, none ? factor_for_size(size, target, room, longest)
                             : factor_beside_size(size, target));
            return none ? 0 : size;
        };
        const int width = scale(state::kStretchLow, window_.x, &Rect::left, &Rect::right);
        const int height = scale(state::kStretchHigh, window_.y, &Rect::top, &Rect::bottom);
        set(state::kSrcSize, pack_xy(width, height));
    }

    /* Returns the factor that nano2D, gcbv and weston compute from the sizes. */
    uint32_t drivers_factor(int size, int target) const {
        if (gdi_)
            return (static_cast<uint32_t>(size) << 16) / static_cast<uint32_t>(target);
        return target > 1
                   ? (static_cast<uint32_t>(size - 1) << 16) / static_cast<uint32_t>(target - 1)
                   : 0;
    }

    /*
     * Returns a factor that SRC_SIZE overrides. Like viv2d's, it may be that of a one-pixel source.
     */
    uint32_t factor_beside_size(int size, int target) {
        if (chance(10))
            return word();
        if (chance(10))
            return 0;
        return drivers_factor(chance(10) ? 1 : size, target);
    }

    /*
     * Returns a factor that determines the reads if SRC_SIZE is 0: at most @room source pixels for
     * a rectangle of up to @longest pixels.
     */
    uint32_t factor_for_size(int size, int target, int room, int longest) {
        const uint32_t most = (static_cast<uint32_t>(room - 1) << 16) /
                              static_cast<uint32_t>(std::max(longest - 1, 1));
        const uint32_t factor = chance(10)   ? 0
                                : chance(30) ? bits(static_cast<int>(most))
                                             : std::min(drivers_factor(size, target), most);
        return factor | (chance(20) ? 1u << 31 : 0); /* an undefined bit */
    }

    void stream_data() {
        const Rect& r = c_.rects[0];
        const auto up = [](int value, int to) { return (value + to - 1) / to * to; };
        const int w = r.right - r.left;
        const int h = r.bottom - r.top;
        const uint32_t pack = source_config_ >> 12 & 3;
        const int words = pack == 0   ? up(w, 8) * up(h, 4) / 32
                          : pack == 1 ? up(w, 16) * up(h, 2) / 32
                                      : up(w, 32) * h / 32;
        for (int i = 0; i < words; i++)
            c_.data.push_back(word());
    }

    void filter() {
        for (const uint32_t table : {uint32_t{state::kFilterKernel}, uint32_t{state::kHoriKernel},
                                     uint32_t{state::kVertiKernel}}) {
            for (uint32_t i = 0; i < 77; i++) {
                const auto tap = [this] { return static_cast<uint32_t>(in(-0x800, 0x1000)); };
                set(table + 4 * i, (tap() & 0xFFFF) | tap() << 16);
            }
        }
        set(state::kVrConfigEx, chance(50) ? word() : 0);
        for (const uint32_t factor : {state::kStretchLow, state::kStretchHigh})
            set(factor, chance(40) ? 0x10000 : bits(0x28000));
        const auto low = [this](int first) { return first + in(0, 15); };
        /* Sometimes makes the image box empty. */
        const auto high = [this](int first) {
            return std::min(first + (chance(5) ? in(0, 15) : in(16, kSide)), kLast);
        };
        const auto origin = [this](int first) {
            return (static_cast<uint32_t>(first) << 16) +
                   static_cast<uint32_t>(in(-0x50000, 0x200000));
        };
        const Corner first = source_first_;
        set(state::kVrSourceLow, pack_xy(low(first.x), low(first.y)));
        set(state::kVrSourceHigh, pack_xy(high(first.x), high(first.y)));
        set(state::kVrOriginLow, origin(first.x));
        set(state::kVrOriginHigh, origin(first.y));
        Rect window = c_.rects[0];
        if (chance(30)) {
            window.left -= in(0, 20);
            window.top -= in(0, 20);
        }
        set(state::kVrTargetLow, pack_xy(window.left, window.top));
        set(state::kVrTargetHigh, pack_xy(window.right, window.bottom));
        set(state::kVrConfig, bits(2));
        c_.kick = true;
    }

    std::mt19937 random_;
    Case c_;
    reference::Features features_;
    Primitive primitive_ = Primitive::clear;
    uint32_t sources_ = 1;
    uint32_t dest_format_ = 0, dest_swizzle_ = 0, dest_endian_ = 0, dest_angle_ = 0;
    uint32_t dest_stride_ = 0, source_config_ = 0, key_high_ = 0;
    Lie dest_;
    Tiles dest_tiles_ = kLinear;
    Corner source_first_;
    bool overlaps_ = false;
    bool flat_ = false; /* the stride is 0: all rows of the destination share memory */
    Corner window_;     /* size of the area that a stretch may read, from the source origin */
    bool gdi_ = false;
    bool split_ = false; /* DEYUV_CONVERSION splits the destination */
};

} // namespace

Case random_case(uint64_t seed, uint64_t number) {
    return Generator(seed, number).make();
}

} // namespace pixmill::test
