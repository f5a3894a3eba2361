/*
 * Device == reference::Engine2d on random states and draws of every primitive, byte
 * for byte over all of memory.
 *
 * Settings: tests/random_setting.hpp.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <iomanip>
#include <sstream>

#include "../random_setting.hpp"
#include "../reference/vivante_2d.hpp"
#include "vivante_2d.hpp"

namespace pixmill::test {
namespace {

/* ---- Memory ------------------------------------------------------------- */

/* Surfaces are far from each other, and an origin or a rectangle never leaves its own. */
constexpr uint64_t kRam = 0x40000;
constexpr uint32_t kTarget = 0x10000;
constexpr uint32_t kPlanes = 0x1C000; /* of the destination: 2 and 3 */
constexpr uint32_t kPattern = 0x20000;
constexpr uint32_t kSources = 0x24000; /* 0x4000 bytes each, halved by multi-tiling */
constexpr int kSide = 32;              /* pixels of a surface's row and column */

class Bytes final : public reference::Memory {
public:
    explicit Bytes(const Machine& machine) : bytes_(kRam) {
        machine.ram.get(0, bytes_.data(), kRam);
    }
    uint8_t read(uint32_t address) override { return address < kRam ? bytes_[address] : 0; }
    void write(uint32_t address, uint8_t value) override {
        if (address < kRam)
            bytes_[address] = value;
    }
    std::string difference(const Machine& machine) const {
        std::vector<uint8_t> actual(kRam);
        machine.ram.get(0, actual.data(), kRam);
        std::ostringstream text;
        text << std::hex;
        int shown = 0;
        for (size_t i = 0; i < kRam && shown < 6; i++) {
            if (actual[i] == bytes_[i])
                continue;
            text << "at 0x" << i << ": " << int(actual[i]) << " instead of " << int(bytes_[i])
                 << '\n';
            shown++;
        }
        return text.str();
    }

private:
    std::vector<uint8_t> bytes_;
};

/* ---- Cases ---------------------------------------------------------------- */

enum class Primitive { clear, line, blit, stretch, mask, mono_stream, filter, multi_source };

struct Case {
    const char* model = kPe20;
    reference::Features features;
    Writes states;
    std::vector<Rect> rects;
    Words data;
    bool kick = false; /* by VR_CONFIG, not by DRAW_2D */
    uint32_t seed = 0; /* of memory */
};

class Generator {
public:
    Generator(uint64_t seed, uint64_t number)
        : random_(static_cast<uint32_t>(seed * 0x9E3779B1u + number)) {}

    Case make() {
        choose_model();
        c_.seed = random_();
        primitive_ = choose_primitive();
        destination();
        operators();
        const bool stream = primitive_ == Primitive::mask || primitive_ == Primitive::mono_stream;
        source(0, 0);
        for (uint32_t n = 1; n < sources_; n++)
            source(n, block_base(n));
        pattern();
        rectangles(stream);
        if (stream)
            stream_data();
        if (primitive_ == Primitive::stretch)
            set(state::kSrcSize, pack_xy(in(1, 16), in(1, 16)));
        if (primitive_ == Primitive::blit && !split_ && chance(25))
            overlap();
        if (primitive_ == Primitive::filter)
            filter();
        return c_;
    }

private:
    void set(uint32_t addr, uint32_t value) { c_.states.push_back({addr, value}); }
    int in(int low, int high) { return pick(random_, low, high); }
    uint32_t word() { return static_cast<uint32_t>(random_()); }
    bool chance(int percent) { return in(1, 100) <= percent; }
    template<class T, size_t N>
    T of(const T (&choices)[N]) {
        return choices[static_cast<size_t>(in(0, N - 1))];
    }

    void choose_model() {
        const int which = in(0, 9);
        if (which < 5)
            return;
        if (which == 5) {
            c_.model = kPe10;
            c_.features.pe20 = c_.features.new_2d = false;
        } else {
            c_.model = which < 8 ? kMulti4 : kMulti8;
            c_.features.multi_source = c_.features.yuv_standard = true;
            c_.features.yuv_conversion = true;
            c_.features.multi_source_ex = which >= 8;
        }
    }

    Primitive choose_primitive() {
        static constexpr Primitive all[] = {
            Primitive::clear,   Primitive::line, Primitive::blit,        Primitive::blit,
            Primitive::stretch, Primitive::mask, Primitive::mono_stream, Primitive::filter};
        if (c_.features.multi_source && chance(20)) {
            sources_ = static_cast<uint32_t>(in(1, c_.features.multi_source_ex ? 5 : 4));
            return Primitive::multi_source;
        }
        return of(all);
    }

    uint32_t command() const {
        switch (primitive_) {
        case Primitive::clear:
            return kCommandClear;
        case Primitive::line:
            return kCommandLine;
        case Primitive::stretch:
            return kCommandStretch;
        case Primitive::filter:
            return 0x5000;
        case Primitive::multi_source:
            return kCommandMultiSource;
        default:
            return kCommandBlit;
        }
    }

    /* One of the codes; 0 is the most frequent. */
    uint32_t rotation() {
        static constexpr uint32_t codes[] = {1, 2, 4, 5, 6};
        return chance(60) ? 0 : of(codes);
    }

    void destination() {
        const bool pe20 = c_.features.pe20;
        dest_format_ = static_cast<uint32_t>(in(0, 6));
        if (pe20 && chance(10))
            dest_format_ = kA8;
        static constexpr uint32_t yuv_formats[] = {kYuy2, kUyvy, kYv12, kNv12, kNv16};
        if (pe20 && chance(10))
            dest_format_ = of(yuv_formats);
        set(state::kPlane2Address, kTarget + 0x2000);
        set(state::kPlane2Stride, kSide);
        set(state::kPlane3Address, kTarget + 0x3000);
        set(state::kPlane3Stride, kSide);
        /* the swizzles of PE 1.0 that are known to work are ARGB and ABGR */
        dest_swizzle_ = static_cast<uint32_t>(pe20 ? in(0, 3) : 2 * in(0, 1));
        /* PE 1.0 clears bytes: pixels and their byte order do not matter */
        const bool bytes = !pe20 && primitive_ == Primitive::clear;
        const uint32_t endian = bytes || chance(85) ? 0 : static_cast<uint32_t>(in(1, 3));
        uint32_t config = dest_config(dest_format_, command(), dest_swizzle_) | endian << 20;
        if (!bytes && chance(20))
            config |= kDestTiled;
        if (primitive_ == Primitive::stretch && chance(30))
            config |= kGdiStretch;
        dest_stride_ = kSide * bytes_per_pixel(dest_format_) + (chance(30) ? 16 : 0);
        set(state::kDestAddress, kTarget);
        set(state::kDestStride, dest_stride_);
        if (chance(15))
            split();
        set(state::kDestRotation, kSide | (!pe20 && chance(30) ? 0x10000 : 0));
        set(state::kDestRotationHeight, kSide);
        set(state::kDestConfig, config);
        dest_config_ = config;
        if (chance(25)) {
            set(state::kDitherLow, chance(50) ? 0x6E4CA280 : word());
            set(state::kDitherHigh, chance(50) ? 0x5D7F91B3 : word());
        }
        dest_rotation_ = pe20 ? rotation() : 0;
        dest_flip_ = pe20 && chance(10) ? static_cast<uint32_t>(in(0, 3)) << 23 : 0;
        const int left = in(0, 12);
        const int top = in(0, 12);
        set(state::kClipTopLeft, pack_xy(left, top));
        set(state::kClipBottomRight, pack_xy(in(left, kSide), in(top, kSide)));
    }

    /* Planes of any channels, on some cores; others do not know the register. */
    void split() {
        const uint32_t conversion = word();
        const uint32_t planes = conversion & 3;
        set(state::kDeyuv, conversion);
        if (!planes || !c_.features.yuv_conversion)
            return;
        split_ = true;
        const auto stride = [&](uint32_t plane, int pixels) {
            return static_cast<uint32_t>(pixels) * ((conversion >> (2 + 2 * plane) & 3) + 1);
        };
        /* the window of a filter ends with the row, in whole pixels; nothing else does */
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
        /* the old mirror; of lines and filtered windows it is said of no core */
        if (!c_.features.new_2d && primitive_ != Primitive::line &&
            primitive_ != Primitive::filter && chance(40))
            set(state::kConfig, static_cast<uint32_t>(in(0, 3)) << 4 | 1);
    }

    /* The copy of a register that describes source n. */
    uint32_t block_base(uint32_t n) const {
        return (c_.features.multi_source_ex ? state::kBlock8 : state::kBlock4) + 4 * n;
    }

    void set_source(uint32_t block, uint32_t reg, uint32_t index, uint32_t value) {
        set(block ? block + index * (c_.features.multi_source_ex ? 0x20 : 0x10) : reg, value);
    }

    uint32_t source_format() {
        static constexpr uint32_t yuv[] = {kYuy2, kUyvy, kYv12, kNv12, kNv16};
        static constexpr uint32_t packed[] = {kYuy2, kUyvy};
        if (primitive_ == Primitive::mono_stream)
            return kMonochrome;
        const int kind = in(0, 99);
        if (kind < 25 && dest_format_ != kA8)
            return dest_format_;
        if (kind < 35)
            return c_.features.pe20 ? of(yuv) : of(packed);
        /* neither a filter nor a mask works on indices or bits; a line reads no bits */
        const bool plain = primitive_ == Primitive::blit || primitive_ == Primitive::stretch;
        if (kind < 42 && plain)
            return kIndex8;
        if (kind < 50 && plain)
            return kMonochrome;
        if (kind < 55 && c_.features.pe20 && primitive_ != Primitive::filter)
            return kA8;
        return static_cast<uint32_t>(in(0, 6));
    }

    void source(uint32_t n, uint32_t block) {
        const bool pe20 = c_.features.pe20;
        const uint32_t format = source_format();
        const bool yuv = format == kYuy2 || format == kUyvy || format == kYv12 || format == kNv12 ||
                         format == kNv16;
        const bool rgb = format <= kA8R8G8B8;
        const uint32_t swizzle =
            chance(40) ? dest_swizzle_ : static_cast<uint32_t>(pe20 ? in(0, 3) : 2 * in(0, 1));
        uint32_t config = pe20 ? format << 24 | word() % 16 : format;
        if (rgb)
            config |= swizzle << 20;
        if (rgb && chance(15))
            config |= static_cast<uint32_t>(in(1, 3)) << 30;
        const bool tiled = (rgb || format == kA8) && primitive_ != Primitive::line && chance(20);
        uint32_t ex_config = 0;
        if (tiled) {
            config |= kSrcTiled;
            static constexpr uint32_t modes[] = {0, 0, 1, 8, 9};
            ex_config = of(modes);
        }
        const bool relative = primitive_ != Primitive::multi_source && chance(40);
        if (relative)
            config |= kSrcRelative;
        if (primitive_ == Primitive::mask || primitive_ == Primitive::mono_stream)
            config |= kSrcStream | static_cast<uint32_t>(in(0, 3)) << 12;
        if (chance(50))
            config |= kMonoForeground;
        if (!pe20)
            config |= pe10_transparency() | (chance(50) ? 0x10000u : 0);

        const uint32_t at = kSources + n * 0x4000;
        set_source(block, state::kSrcAddress, 0, at);
        set_source(block, state::kSrcStride, 1, 128);
        set_source(block, state::kSrcRotation, 2, kSide | (!pe20 && chance(30) ? 0x10000 : 0));
        set_source(block, state::kSrcConfig, 3, config);
        source_config_ = config;
        /* room for the largest rectangle on each side */
        const int reach = relative ? 0 : primitive_ == Primitive::stretch ? 12 : 8;
        set_source(block, state::kSrcOrigin, 4,
                   primitive_ == Primitive::multi_source ? 0 : pack_xy(in(0, reach), in(0, reach)));
        set_source(block, state::kSrcColorBg, 6, key_low());
        set_source(block, state::kRop, 7, rop());
        if (!block)
            set(state::kSrcColorFg, word());
        blending(block);
        set_source(block, state::kUPlaneAddress, 10, at + 0x1000);
        set_source(block, state::kUPlaneStride, 11, 64);
        set_source(block, state::kVPlaneAddress, 12, at + 0x2000);
        set_source(block, state::kVPlaneStride, 13, 64);
        set_source(block, state::kSrcRotationHeight, 14, kSide);
        uint32_t angle = dest_rotation_ << 3 | dest_flip_;
        if (pe20 && chance(10) && primitive_ != Primitive::line)
            angle |= static_cast<uint32_t>(in(0, 3)) << 20;
        if (primitive_ != Primitive::line) {
            angle |= pe20 ? rotation() : 0;
            if (c_.features.new_2d && primitive_ != Primitive::multi_source && chance(30))
                angle |= static_cast<uint32_t>(in(0, 3)) << 12 | static_cast<uint32_t>(in(0, 3))
                                                                     << 16;
        }
        set_source(block, state::kRotAngle, 15, angle);
        set_source(block, state::kTransparency, 19, transparency(yuv));
        set_source(block, state::kPeControl, 20,
                   (c_.features.yuv_standard ? word() & 1 : 0) | (word() & 0x10));
        set_source(block, state::kSrcColorKeyHigh, 21, key_high_);
        set_source(block, state::kSrcExConfig, 22, ex_config);
        set_source(block, state::kSrcExAddress, 23, at + 0x2000);
    }

    /* The source becomes the destination: the same surface, not turned nor upside down. */
    void overlap() {
        const bool pe20 = c_.features.pe20;
        const bool tiled = (dest_config_ & kDestTiled) != 0;
        uint32_t config = source_config_ & (pe20 ? 0x0000B03Fu : 0x0001B030u);
        config |= pe20 ? dest_format_ << 24 : dest_format_;
        config |= dest_swizzle_ << 20 | (dest_config_ >> 20 & 3) << 30;
        set(state::kSrcAddress, kTarget);
        set(state::kSrcStride, dest_stride_);
        set(state::kSrcConfig, config | (tiled ? kSrcTiled : 0));
        set(state::kSrcExConfig, 0);
        set(state::kSrcRotation, kSide);
        set(state::kDestRotation, kSide);
        set(state::kUPlaneAddress, kTarget + 0x2000);
        set(state::kUPlaneStride, kSide);
        set(state::kVPlaneAddress, kTarget + 0x3000);
        set(state::kVPlaneStride, kSide);
        set(state::kSrcOrigin, pack_xy(in(0, 8), in(0, 8)));
        set(state::kRotAngle, c_.features.new_2d && chance(30) ? 0x1000 : 0);
        set(state::kConfig, !c_.features.new_2d && chance(30) ? 0x11 : 0);
        set(state::kTransparency,
            transparency(dest_format_ == kYuy2 || dest_format_ == kUyvy || dest_format_ >= kYv12));
    }

    /* SRC_CONFIG.TRANSPARENCY: key or stream mask only where there is one to look at */
    uint32_t pe10_transparency() {
        static constexpr uint32_t modes[] = {0, 3, 1};
        const uint32_t mode = modes[in(0, 2)];
        return (primitive_ == Primitive::mask && mode == 1 ? 2 : mode) << 4;
    }

    /* About half of the pixels lie between the ends; sometimes none. */
    uint32_t key_low() {
        key_high_ = chance(10) ? word() : word() | 0x80808080;
        return chance(10) ? word() : word() & 0x7F7F7F7F;
    }

    uint32_t transparency(bool yuv) {
        uint32_t value = 0;
        if (primitive_ == Primitive::mask || primitive_ == Primitive::mono_stream)
            value |= static_cast<uint32_t>(in(0, 1));
        else if (!yuv && chance(25)) /* what is compared of YUV pixels is unknown */
            value |= 2;
        if (chance(20))
            value |= 0x10;
        for (const uint32_t operand : {16, 20, 24}) /* USE_*_OVERRIDE */
            if (chance(8))
                value |= static_cast<uint32_t>(in(1, 2)) << operand;
        if (chance(15) && primitive_ != Primitive::multi_source) /* is it a stage's input? */
            value |= 0x200;
        if (chance(10))
            value |= 0x20000000;
        return value;
    }

    uint32_t rop() {
        static constexpr uint32_t common[] = {0xCC, 0xCC, 0xF0, 0x66, 0x5A, 0xB8, 0xAA, 0x55};
        const uint32_t fore = chance(60) ? of(common) : word() & 0xFF;
        const uint32_t back = chance(60) ? 0xAAu : word() & 0xFF;
        const uint32_t type = chance(60) ? 3 : static_cast<uint32_t>(in(0, 2));
        return type << 20 | back << 8 | fore;
    }

    void blending(uint32_t block) {
        const bool bytes = !c_.features.pe20 && primitive_ == Primitive::clear;
        const bool on = !bytes && chance(35);
        const uint32_t modes = (word() & 0xFF000011) | static_cast<uint32_t>(in(0, 2)) << 8 |
                               static_cast<uint32_t>(in(0, 2)) << 12 |
                               (c_.features.pe20 ? 0 : word() & 0x00110000);
        set_source(block, state::kAlphaControl, 8, (word() & 0xFFFF0000) | on);
        /* PE 1.0 has no "no cross" */
        set_source(block, state::kAlphaModes, 9, c_.features.pe20 ? modes : modes & 0x77FFFFFF);
        set_source(block, state::kGlobalSrcColor, 16, word());
        set_source(block, state::kGlobalDestColor, 17, word());
        set_source(block, state::kColorMultiply, 18,
                   (word() & 0x00100011) | static_cast<uint32_t>(in(0, 2)) << 8);
    }

    void pattern() {
        set(state::kPatternAddress, kPattern);
        set(state::kPatternLow, word());
        set(state::kPatternHigh, word());
        const bool masked = chance(50);
        set(state::kPatternMaskLow, masked ? word() : ~0u);
        set(state::kPatternMaskHigh, masked ? word() : ~0u);
        set(state::kPatternBg, word());
        set(state::kPatternFg, word());
        const uint32_t format =
            chance(40) ? uint32_t{kMonochrome} : static_cast<uint32_t>(in(0, 6));
        uint32_t config = static_cast<uint32_t>(in(0, 7)) << 16 |
                          static_cast<uint32_t>(in(0, 7)) << 20 | 0xC0 | (chance(60) ? 0x10 : 0);
        config |= c_.features.pe20 ? format << 24 | static_cast<uint32_t>(in(0, 3)) << 8
                                   : format | (word() & 0x20);
        set(state::kPatternConfig, config);
        for (uint32_t i = 0; i < 16; i++) {
            set(state::kPalette32 + 4 * (word() & 0xFF), word());
            set(state::kPalette10 + 4 * (word() & 0xFF), word());
        }
        if (primitive_ == Primitive::multi_source)
            set(state::kMultiSource, (sources_ - 1) | (word() & 0x00070500));
    }

    void rectangles(bool stream) {
        const int count = stream ? 1 : chance(10) ? 9 : in(1, 3);
        for (int i = 0; i < count; i++) {
            const int x = in(0, 12);
            const int y = in(0, 12);
            if (primitive_ == Primitive::line) {
                c_.rects.push_back({in(0, 20), in(0, 20), in(0, 20), in(0, 20)});
                continue;
            }
            c_.rects.push_back({x, y, x + in(chance(10) ? 0 : 1, 20), y + in(1, 20)});
        }
    }

    void stream_data() {
        const Rect& r = c_.rects[0];
        const auto up = [](int value, int to) { return (value + to - 1) / to * to; };
        const int w = r.right - r.left;
        const int h = r.bottom - r.top;
        uint32_t pack = 0;
        for (const Write& write : c_.states) {
            if (write.addr == state::kSrcConfig)
                pack = write.value >> 12 & 3;
        }
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
        set(state::kVrConfigEx, 0);
        set(state::kStretchLow, static_cast<uint32_t>(in(0, 0x28000)));
        set(state::kStretchHigh, static_cast<uint32_t>(in(0, 0x28000)));
        set(state::kVrSourceLow, pack_xy(in(0, 15), in(0, 15)));
        const auto high = [this] { return chance(5) ? in(0, 15) : in(16, kSide); };
        const int right = high();
        set(state::kVrSourceHigh, pack_xy(right, high())); /* sometimes an empty box */
        set(state::kVrOriginLow, static_cast<uint32_t>(in(-0x50000, 0x200000)));
        set(state::kVrOriginHigh, static_cast<uint32_t>(in(-0x50000, 0x200000)));
        Rect window = c_.rects[0];
        if (chance(30)) {
            window.left -= in(0, 20);
            window.top -= in(0, 20);
        }
        set(state::kVrTargetLow, pack_xy(window.left, window.top));
        set(state::kVrTargetHigh, pack_xy(window.right, window.bottom));
        set(state::kVrConfig, static_cast<uint32_t>(in(0, 2)));
        c_.kick = true;
    }

    std::mt19937 random_;
    Case c_;
    Primitive primitive_ = Primitive::clear;
    uint32_t sources_ = 1;
    uint32_t dest_format_ = 0, dest_swizzle_ = 0, dest_rotation_ = 0, key_high_ = 0;
    uint32_t dest_flip_ = 0, dest_config_ = 0, dest_stride_ = 0, source_config_ = 0;
    bool split_ = false; /* the destination, by DEYUV_CONVERSION */
};

Stream stream_of(const Case& c) {
    Stream stream = select_2d();
    for (const Write& write : c.states)
        stream.state(write.addr, write.value);
    if (!c.kick)
        stream.draw(c.rects, c.data);
    return stream.end();
}

std::string describe(const Case& c) {
    std::ostringstream text;
    text << c.model << std::hex << std::setfill('0');
    uint32_t column = 0;
    for (const Write& write : c.states) {
        const bool table = write.addr >= 0x1800 && write.addr < 0x3800;
        if (!table)
            text << (column++ % 6 ? "  " : "\n") << write.addr << '=' << std::setw(8)
                 << write.value;
    }
    text << '\n' << std::dec;
    for (const Rect& r : c.rects)
        text << '(' << r.left << ',' << r.top << ',' << r.right << ',' << r.bottom << ") ";
    text << c.data.size() << " words of data\n";
    return text.str();
}

/* What differs, or nothing. */
std::string check(const Case& c, bool migrate, bool threads) {
    Machine m({.model = c.model,
               .render_threads = threads ? 3u : 1u,
               .render_share = 1,
               .ram_size = kRam,
               .audit = migrate,
               .budget = migrate ? 50u : 4096u,
               .draw_budget = migrate ? 256u : 1u << 20});
    m.allow_logs();
    std::mt19937 random(c.seed);
    scribble(m, random, kTarget, kRam - kTarget);
    const Stream stream = stream_of(c);
    m.put_stream(kStreamAt, stream);
    Bytes expected(m);
    reference::Engine2d engine(c.features, expected);
    const Words words = stream.words();
    engine.run(words);
    m.start(kStreamAt, stream.qwords());
    const int64_t end = m.host.now + 20'000'000;
    for (int n = 0; m.step(end) && n < 100'000; n++) {
        if (migrate && n % 2)
            m.migrate();
    }
    if ((m.peek(reg::kIdle) & 0xFF) != 0xFF)
        return "not idle\n";
    return expected.difference(m);
}

TEST(Vivante2dRandom, DeviceEqualsReference) {
    const uint64_t seed = setting("PIXMILL_SEED", 1);
    const uint64_t only = setting("PIXMILL_CASE", UINT64_MAX);
    const uint64_t first = only == UINT64_MAX ? 0 : only;
    const uint64_t end = only == UINT64_MAX ? random_cases(2000) : only + 1;
    for (uint64_t number = first; number < end; number++) {
        const Case c = Generator(seed, number).make();
        const std::string wrong = check(c, number % 50 == 0, number % 3 == 0);
        ASSERT_TRUE(wrong.empty()) << "PIXMILL_SEED=" << seed << " PIXMILL_CASE=" << number << '\n'
                                   << describe(c) << wrong;
    }
}

} // namespace
} // namespace pixmill::test
