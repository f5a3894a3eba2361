/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "cases.hpp"

#include <bit>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace pixmill::test {
namespace {

enum : uint32_t {
    kTexColor = 0x01C,
    kDirtyMin = 0x098,
    kImemAddr = 0x0C4,
    kImemLow = 0x0C8,
    kImemHigh = 0x0CC,
    kRingStop = 0x0EC,
    kCmdAddr = 0x0F0,
    kCmdSize = 0x0F4,
    kIntCtrl = 0x0F8,
    kDrawCmd = 0x100,
    kStart = 0x104,
    kEnd = 0x108,
    kClipMin = 0x110,
    kClipMax = 0x114,
    kMatCtl = 0x118,
    kCodePointer = 0x11C,
    kPoint0 = 0x120,
    kColor = 0x12C,
    kListId = 0x148,
    kClipMin1 = 0x158,
    kClipMax1 = 0x15C,
    kMm00 = 0x160,
    kMm02 = 0x168,
    kMm12 = 0x174,
    kGradientStep = 0x1A0,
    kGradientInit = 0x1C0,
    kBlendMode = 0x1D0,
    kKey = 0x1D4,
    kConstColor = 0x1D8,
    kC0 = 0x200,
};

constexpr uint32_t kTsc4 = 0x12;
constexpr uint32_t kTsc6 = 0x16;
constexpr uint32_t kTsc6a = 0x17;
constexpr uint32_t kUyvy = 0x0D;

struct FormatInfo {
    uint32_t code;
    int bits;
};

/* Formats for destinations, then formats for sources only. */
constexpr FormatInfo kDestinations[] = {
    {0x00, 32}, {0x01, 32}, {0x01, 32}, {0x02, 32}, {0x03, 32}, {0x04, 16}, {0x04, 16}, {0x05, 16},
    {0x06, 16}, {0x07, 8},  {0x08, 8},  {0x09, 8},  {0x0E, 32}, {0x0F, 32}, {0x10, 32}, {0x11, 32},
    {0x13, 16}, {0x38, 8},  {0x39, 24}, {0x3C, 24}, {0x40, 8},  {0x41, 8},  {0x42, 8},  {0x43, 8},
    {0x46, 16}, {0x47, 16}, {0x48, 16}, {0x49, 16}, {0x4A, 16}, {0x4B, 16}};
constexpr FormatInfo kSources[] = {{0x0B, 1}, {0x0C, 1},  {kUyvy, 16}, {0x18, 8},   {0x19, 8},
                                   {0x1A, 8}, {0x27, 1},  {0x28, 2},   {0x29, 4},   {0x2A, 1},
                                   {0x2B, 2}, {0x2C, 4},  {0x30, 2},   {0x31, 2},   {0x34, 4},
                                   {0x35, 4}, {0x3D, 16}, {0x3E, 16},  {0x3F, 16},  {0x44, 16},
                                   {0x45, 8}, {kTsc4, 4}, {kTsc6, 6},  {kTsc6a, 6}, {0x0A, 8}};

constexpr bool is_tsc(uint32_t code) {
    return code == kTsc4 || code == kTsc6 || code == kTsc6a;
}

/* A program, and the low half of the value of CODEPTR that starts it in slot 0. */
struct Program {
    uint32_t pointer;
    std::vector<uint64_t> words;
    bool plain = false; /* only copies or writes TEX0, with no other reads or operations */
};

constexpr uint32_t kBlit = 0x8000;
constexpr uint32_t kFill = 0;

/* Programs of the vendor's libraries (Goodix hal_gfx, LVGL and Ambiq nema_gfx). */
const Program kPrograms[] = {
    {kFill, {0x80000009'08000002}, true},
    {kBlit, {0x80000009'08000002}, true},
    {kBlit, {0x8A0761C7'080C0002}, true},
    {kBlit, {0x8A0761C7'081C0002}, true}, /* source key */
    {kBlit, {0x8A8761C6'080C0002}, true},
    {kFill, {0x8A07A1E7'080C0002}, true},
    {kBlit, {0x800121C7'080C0002}, true},
    {kBlit, {0x80076187'080C0002}, true},
    {kBlit, {0x80076185'080C0002}, true},
    {kBlit, {0x800461C7'080C0002}, true},
    {kBlit, {0x80046187'080C0002}, true},
    {kBlit, {0x80046185'081C0002}, true},
    {kBlit, {0x80012187'080C0002}, true},
    {kBlit, {0x80012185'080C0002}, true},
    {kBlit, {0x8005F9C7'080C0002}, true},
    {kBlit, {0x8005F987'080C0002}, true},
    /* palettes: old and new style */
    {0xA000, {0x00000000'0000110B, 0x8A0761C7'080C0002}, true},
    {kBlit, {0x00002000'080C108B, 0x00000000'0000110B, 0x80076187'080C0002}, true},
    /* masks, at texture and at screen coordinates */
    {kBlit, {0x00002000'100C118B, 0x0081A042'000C0000, 0x8A0761C7'080C0002}, true},
    {kBlit, {0x00002000'100C1183, 0x0081A042'000C0000, 0x80076187'080C0002}, true},
    {kBlit, {0x00092004'100C1183, 0x8081A046'080C0002}, true},
    /* blending in the program: with keys, with a second source */
    {kBlit, {0x0A012007'080C0003, 0x804B1286'004E0002}},
    {kBlit, {0x0A0761C7'080C0003, 0x804B1286'004E0002}},
    {kBlit, {0x0A012007'081C0003, 0x804B1286'006E0002}},
    {kBlit, {0x0A012007'080C0103, 0x804B1286'005E0002}},
    /* paths: clear, inversion, winding rules, coverage table, paint */
    {kFill, {0x8A8761C6'080C0182}},
    {0xBC00, {0x8A0260A7'080C0182}},
    {0xBC00, {0x800F43C6'004E0182}},
    {0xBC00, {0x8A2743D6'080C0182}},
    {0xBC00, {0x00000000'0000110B, 0x80000009'08001182}},
    {0xDC00, {0x8081A046'0A980002}},
    {kFill, {0x8A8761C6'080C0082}},
    /* YUV in three planes */
    {kFill,
     {0x00000000'000010EB, 0x00000000'1000110B, 0x0000100C'1800118B, 0x0000180C'00001000,
      0x90000010'08001002}},
    /* filters: blur, edge, mean, contrast, median, threshold, YCbCr, three planes, displacement */
    {kFill, {0x00000000'1000109B, 0x03046404'1000109B, 0x0F549C45'1000108B, 0x8F7CDC65'00001002}},
    {kFill, {0x00000000'1000109B, 0x03046404'1000109B, 0x0C500041'1000108B, 0x8F7C5C75'00001002}},
    {kFill,
     {0x03046440'1000109B, 0x03046444'100010AB, 0x03045C44'100010BB, 0x03049C44'100010BB,
      0x03049C44'100010CB, 0x03049C44'100010CB, 0x03045C44'1000109B, 0x03049C44'1000109B,
      0x03049C44'1000108B, 0x80049C45'10001002}},
    {0xC000, {0x03076C54'00001000, 0x0200D448'00001000, 0x80049445'00001002}},
    {0x9000,
     {0x03001040'1000109B, 0x03001058'100010C8, 0x0000105C'100010DB, 0x02001058'10001088,
      0x0000D05C'10001088, 0x0300D058'100010CB, 0x00001058'10001008, 0x8000185D'1000100A}},
    {kBlit, {0x8000300D'003A1002}},
    {kBlit,
     {0x01002664'00001000, 0x02074874'00001000, 0x02045664'00001000, 0x03072668'00001000,
      0x01002664'00001000, 0x0204D664'00001000, 0x02074C74'00001000, 0x03071668'00001000,
      0x80049665'00001002}},
    {0xE400, {0x00064008'00001102, 0x00068008'00001182, 0x80060008'00001082}},
    {0xA800, {0x00000000'0000108B, 0x80000009'08001002}},
};

class Generator {
public:
    Generator(uint64_t seed, uint64_t number)
        : random_(static_cast<uint32_t>(seed * 0x9E3779B1u + number * 0x85EBCA77u)) {
        c_.number = number;
        c_.seed = random_();
    }

    NemaCase make() {
        begin();
        const int draws = in(1, 4);
        for (int i = 0; i < draws; i++) {
            pending_.clear();
            if (i == 0 || chance(50))
                target();
            if (i == 0 || chance(60))
                program();
            if (i == 0 || chance(60))
                operators();
            if (new_matrix_ || chance(60))
                matrix();
            if (i == 0 || chance(40))
                clip();
            primitive();
            submit();
        }
        return c_;
    }

    NemaCase make_blits() {
        begin();
        const int draws = in(1, 4);
        for (int i = 0; i < draws; i++) {
            pending_.clear();
            if (i == 0 || chance(50))
                blit_surfaces();
            operators();
            set(kBlendMode, of({0x001u, 0x501u, 0x504u, 0x501u, 0x504u, 0x000u, 0x107u}));
            set(kMatCtl, 0);
            set(kMm12, blit_shift());
            set(kMm02, blit_shift());
            set(kCodePointer, kBlit | 31);
            clip();
            rectangle(chance(60) ? 0 : 6);
            submit();
        }
        return c_;
    }

private:
    uint32_t word() { return random_(); }
    int in(int low, int high) { return low + int(random_() % uint32_t(high - low + 1)); }
    bool chance(int percent) { return in(1, 100) <= percent; }
    template<class T, size_t N>
    const T& of(const T (&choices)[N]) {
        return choices[random_() % N];
    }
    void set(uint32_t offset, uint32_t value) { pending_.push_back({offset, value}); }
    static uint32_t pack(int x, int y) { return uint32_t(y) << 16 | (uint32_t(x) & 0xFFFF); }

    /* Returns a color, often one of a few, so that surfaces and keys match. */
    uint32_t color() {
        static constexpr uint32_t common[] = {0,          0xFFFFFFFF, 0xFF000000, 0x80808080,
                                              0xFF0000FF, 0x00FFFFFF, 0x7F00FF00, 0xFFFF0000};
        return chance(50) ? of(common) : word();
    }

    void begin() {
        c_.writes = {{kImemAddr, 31}, {kImemLow, 0x08000002}, {kImemHigh, 0x80000009}};
        if (chance(30))
            c_.writes.push_back({kIntCtrl, of({0u, 2u, 4u, 6u})});
    }
    uint32_t of(std::initializer_list<uint32_t> choices) {
        return choices.begin()[random_() % choices.size()];
    }

    /* ---- Surfaces ---- */

    /*
     * Describes surface n in a separate part of memory. Rows of compressed blocks never overlap: it
     * is undocumented when drawn blocks reach memory (docs/hardware/nema.md), so it is unknown
     * which of two blocks remains.
     */
    void surface(uint32_t n, FormatInfo format) {
        formats_[n] = format.code;
        static constexpr uint32_t places[] = {0, 0x8000, 0x10000, 0x14000};
        int width = chance(10) ? in(1, 8) : in(16, 48);
        int height = chance(10) ? in(1, 8) : in(16, 48);
        uint32_t wrap = of({0u, 0u, 1u, 2u, 3u});
        const bool powers = wrap == 1 || wrap == 3 || chance(20);
        if (powers) {
            width = 1 << (chance(20) ? in(0, 2) : in(3, 5));
            height = 1 << (chance(20) ? in(0, 2) : in(3, 5));
        }
        if (n == 2 && chance(40)) { /* a palette */
            width = 1 << in(1, 8);
            height = 1;
            wrap = 1;
        }
        if (chance(1))
            (chance(50) ? width : height) = 0;
        const bool tsc = is_tsc(format.code);
        uint32_t mode = wrap << 2 | (chance(40) ? 1 : 0);
        if (powers && width && height && width <= 32 && chance(25) && format.bits >= 8 &&
            format.bits != 24 && format.code != kUyvy && format.code != 0x0A)
            mode |= 0x10;
        if (!steps_)
            mode |= (chance(8) ? 0x20 : 0) | (chance(8) ? 0x40 : 0);

        int stride =
            tsc ? (width + 3) / 4 * (format.code == kTsc4 ? 8 : 12) : (width * format.bits + 7) / 8;
        if (format.code == kUyvy)
            stride = (width + 1) / 2 * 4;
        uint32_t base = kNemaRam + places[n];
        const bool hole = chance(2) && !tsc && !is_tsc(formats_[0]);
        if (hole) { /* no pixel crosses the start of memory */
            c_.holes = true;
            stride = (stride + 23) / 24 * 24;
            base = kNemaRam - 768;
            mode &= ~0x10u;
        } else if (chance(97)) {
            stride = (stride + 3) / 4 * 4 + 4 * in(0, 3);
        }
        if (height == 1 && chance(30))
            stride = 0;
        const int rows = tsc ? (height + 3) / 4 : height;
        if (!hole && !(mode & 0x10) && chance(10)) {
            base += uint32_t(std::max(rows - 1, 0) * stride);
            stride = -stride;
        }
        describe_surface(n, base, format, mode, stride, width, height);
    }

    void describe_surface(uint32_t n, uint32_t base, FormatInfo format, uint32_t mode, int stride,
                          int width, int height) {
        /* dither is documented only for the first formats */
        const bool dithers = format.code >= 0x04 && format.code <= 0x06;
        const uint32_t dither = dithers && chance(30) ? 1u << 31 : 0;
        set(0x10 * n, base);
        set(0x10 * n + 4, dither | format.code << 24 | mode << 16 | (uint32_t(stride) & 0xFFFF));
        set(0x10 * n + 8, pack(width, height));
        if (n == 0) {
            width_ = width;
            height_ = height;
        }
    }

    struct Shape {
        int width, height;
        bool gaps; /* gaps between rows */
    };
    Shape small_shape() { return {in(1, 60), in(1, 24), chance(30)}; }

    /* Describes a surface with closely packed rows, like a glyph. */
    void close_surface(uint32_t n, uint32_t base, FormatInfo format, Shape shape) {
        int stride = (shape.width * format.bits + 7) / 8;
        if (shape.gaps)
            stride = (stride + 3) / 4 * 4 + 4 * in(0, 2);
        const uint32_t mode = uint32_t(in(0, 3)) << 2 | (chance(30) ? 1 : 0);
        describe_surface(n, base, format, mode, stride, shape.width, shape.height);
    }

    void blit_surfaces() {
        static constexpr FormatInfo words[] = {{0x00, 32}, {0x01, 32}, {0x10, 32}, {0x11, 32}};
        static constexpr FormatInfo others[] = {{0x08, 8}, {0x29, 4}, {0x34, 4},
                                                {0x28, 2}, {0x0C, 1}, {0x3C, 24}};
        const FormatInfo format = chance(70) ? of(words) : of(kDestinations);
        const Shape shape = small_shape();
        const uint32_t base = kNemaRam + 0x1000;
        close_surface(0, base, format, shape);
        FormatInfo source = chance(50) ? of(words) : of(others);
        if (chance(20))
            source = source_format();
        alike_ = chance(30);
        if (alike_) /* same base, or a few rows away */
            close_surface(1,
                          chance(30) ? base + uint32_t(in(-3, 3) * shape.width * 4) : base + 0x8000,
                          of(words), shape);
        else if (is_tsc(source.code) || source.code == kUyvy)
            surface(1, source);
        else
            close_surface(1, base + 0x8000, source, small_shape());
    }

    /* Returns the offset between texels and pixels. */
    uint32_t blit_shift() {
        if (alike_ && chance(60))
            return 0;
        return bits_of(chance(80) ? in(-6, 6) : 0.25 * in(-9, 9));
    }

    FormatInfo source_format() { return chance(50) ? of(kDestinations) : of(kSources); }

    void target() {
        steps_ = chance(20);
        const bool tsc = chance(8);
        static constexpr FormatInfo compressed[] = {{kTsc4, 4}, {kTsc6, 6}, {kTsc6a, 6}};
        surface(0, tsc ? of(compressed) : of(kDestinations));
        if (!tsc && chance(3)) /* not a destination format */
            surface(0, of({{0x34, 4}, {0x0A, 8}, {kUyvy, 16}}));
        for (uint32_t n = 1; n < 4; n++)
            surface(n, source_format());
        if (!tsc && chance(5))
            alias();
        has_program_ = false;
        new_matrix_ = true;
    }
    FormatInfo of(std::initializer_list<FormatInfo> choices) {
        return choices.begin()[random_() % choices.size()];
    }

    /* Makes TEX1 the same surface as TEX0, or a part of it. */
    void alias() {
        const size_t size = pending_.size();
        std::vector<NemaWrite> tex0;
        for (size_t i = 0; i < size; i++) {
            if (pending_[i].offset < 0x10)
                tex0.push_back(pending_[i]);
        }
        const uint32_t shift = chance(50) ? 0 : 4 * uint32_t(in(0, 50));
        for (const NemaWrite& write : tex0)
            set(write.offset + 0x10, write.value + (write.offset ? 0 : shift));
        formats_[1] = formats_[0];
    }

    /* ---- Programs ---- */

    void program() { load(choose_program()); }

    Program choose_program() {
        for (;;) {
            const Program p = chance(70) ? of(kPrograms) : random_program();
            /* it is undocumented how tiles read while they are being drawn */
            if (is_tsc(formats_[0]) && !p.plain)
                continue;
            if (steps_ || !walks(p))
                if (!writes_tsc(p))
                    return p;
        }
    }

    static uint32_t low(uint64_t word) { return uint32_t(word); }
    static uint32_t memory_op(uint64_t word) { return low(word) & 7; }

    static bool walks(const Program& p) {
        for (const uint64_t word : p.words) {
            if ((memory_op(word) == 0 || memory_op(word) == 3) && low(word) >> 4 & 7)
                return true;
        }
        return false;
    }

    /* True if the program writes to a texture that is compressed. */
    bool writes_tsc(const Program& p) const {
        for (const uint64_t word : p.words) {
            const uint32_t image = low(word) >> 7 & 3;
            if (memory_op(word) == 2 && image && is_tsc(formats_[image]))
                return true;
        }
        return false;
    }

    Program random_program() {
        Program p;
        p.pointer = chance(70) ? kBlit | (word() & 0x7C00) : 0;
        const int count = in(1, 6);
        for (int i = 0; i < count; i++)
            p.words.push_back(uint64_t{random_high()} << 32);
        for (int i = 0; i < count; i++)
            p.words[size_t(i)] |= random_low(uint32_t(p.words[size_t(i)] >> 32), i + 1 == count);
        p.words.back() |= uint64_t{1} << 63;
        return p;
    }

    uint32_t random_high() {
        uint32_t h = word() & 0x0FFFFFFF;
        if (chance(8)) { /* AND with registers and constants, YUV, undefined operations */
            const uint32_t r1 = of({0u, 1u, 2u, 3u, 16u, 17u, 18u, 19u, 29u, 30u});
            const uint32_t to = word() & 3;
            h = 1u << 28 | to << 26 | to << 24 | r1 << 14 | (word() & 3) << 9 |
                of({9u, 9u, 16u, 8u, 0u});
        } else if ((h >> 2 & 7) == 4) {
            h ^= 1u << 2; /* 4 would be undefined */
        }
        return h;
    }

    uint32_t random_low(uint32_t h, bool last) {
        uint32_t op = last && chance(90) ? 2 : of({0u, 0u, 1u, 2u, 3u, 3u, 3u, 4u, 5u, 6u, 7u});
        uint32_t l = (word() & 3) << 27 | (word() & 3) << 7 | (chance(50) ? 0x1000u : 0);
        l |= chance(50) ? 8 : 0;
        if (op == 2 && chance(80))
            l &= ~(3u << 7);
        /* it is undocumented where such instructions write */
        if (op == 2 && ((h >> 26 & 3) == 1 || (h >> 24 & 3) == 1 || chance(80)))
            l &= ~8u;
        if (op == 1)
            l |= uint32_t(in(1, 5)) << 4;
        else if ((op == 0 || op == 3) && steps_ && chance(40))
            l |= uint32_t(in(1, 7)) << 4;
        if (chance(15))
            l |= uint32_t(in(1, 3)) << 20 | (word() & 3) << 22 | (word() & 7) << 17 |
                 (word() & 1) << 25;
        return l | op;
    }

    void load(const Program& p) {
        const uint32_t first = p.words.size() == 1 && chance(30) ? 31 : uint32_t(in(0, 20));
        set(kImemAddr, first);
        for (const uint64_t word : p.words) {
            set(kImemLow, uint32_t(word));
            set(kImemHigh, uint32_t(word >> 32));
        }
        set(kCodePointer, (chance(50) ? 0x141F0000u : word() << 16) | p.pointer | first);
        has_program_ = true;
    }

    /* ---- Operators ---- */

    void operators() {
        static constexpr uint32_t modes[] = {0x504, 0x000, 0x001, 0x001, 0x501, 0x107,
                                             0x006, 0x400, 0x007, 0x500, 0x506, 0x407,
                                             0x101, 0x507, 0x504, 0x001};
        uint32_t mode = chance(60) ? of(modes) : (word() & 0xF0F);
        mode |= chance(8) ? 1u << 31 : 0;
        mode |= chance(8) ? 1u << 25 : 0;
        mode |= chance(20) ? word() & 0x1CF00000 : 0; /* bits that only the libraries use */
        set(kBlendMode, mode);
        set(kKey, color());
        set(kConstColor, color());
        set(kTexColor, color());
        set(kColor, color());
        for (uint32_t i = 0; i < 4; i++)
            set(kC0 + 4 * i, color());
        for (uint32_t i = 0; i < 4; i++) {
            const bool wild = chance(5);
            set(kGradientInit + 4 * i, wild ? word() : uint32_t(in(-0x200000, 0x1200000)));
            set(kGradientStep + 8 * i, wild ? word() : uint32_t(in(-0x100000, 0x100000)));
            set(kGradientStep + 8 * i + 4, wild ? word() : uint32_t(in(-0x100000, 0x100000)));
        }
    }

    /* ---- Matrix ---- */

    static uint32_t bits_of(double value) { return std::bit_cast<uint32_t>(float(value)); }
    double real(double low_end, double high_end) {
        return low_end + (high_end - low_end) * (random_() / 4294967296.0);
    }
    uint32_t small() {
        static constexpr double common[] = {0, 1, -1, 0.5, 2, -0.5, 0.25};
        return bits_of(chance(40) ? of(common) : real(-2, 2));
    }
    uint32_t shift() { return bits_of(chance(60) ? in(-40, 40) : real(-60, 60)); }
    /*
     * Returns a coordinate near the limits, or a small one if the program steps beyond its pixel.
     */
    uint32_t extreme() {
        if (steps_)
            return small();
        return of({0u, 0x80000000u, 0x7F800000u, 0xFF800000u, 0x7FC00000u, 0x7F7FFFFFu, 0x00000001u,
                   0x4B800000u, 0x3F800000u, word()});
    }

    void matrix() {
        new_matrix_ = false;
        const int kind = in(0, 9);
        set(kMm12, kind == 9 ? extreme() : shift());
        set(kMm02, kind == 9 ? extreme() : shift());
        if (kind >= 7 && kind < 9 && !steps_) { /* perspective; W may be 0 at some pixels */
            set(kMm00 + 24, bits_of(real(-0.05, 0.05)));
            set(kMm00 + 28, bits_of(real(-0.05, 0.05)));
            set(kMm00 + 32, bits_of(chance(20) ? 0.5 : real(-1, 2)));
        }
        if (kind == 9) {
            for (uint32_t i = 0; i < 9; i++) {
                const uint32_t offset = kMm00 + 4 * i;
                if (offset != kMm02 && offset != kMm12 && chance(50))
                    set(offset, extreme());
            }
        } else if (kind >= 3) {
            set(kMm00, small());
            set(kMm00 + 16, small());
            if (kind >= 5) {
                set(kMm00 + 4, small());
                set(kMm00 + 12, small());
            }
        }
        if (chance(25))
            set(kMatCtl, (word() & 0xB0000000));
    }

    /* ---- Primitives ---- */

    void clip() {
        const bool all = chance(70);
        const auto min = [this] { return pack(in(-4, width_ / 3), in(-4, height_ / 3)); };
        const auto max = [this] {
            return pack(in(width_ / 2, width_ + 4), in(height_ / 2, height_ + 4));
        };
        set(kClipMin, all ? 0 : min());
        set(kClipMax, all ? pack(width_, height_) : max());
        const bool second = chance(20);
        set(kClipMin1, second ? min() : 0);
        set(kClipMax1, second ? max() : 0x7FFF7FFF);
    }

    uint32_t fixed(int low_end, int high_end) {
        const int pixels = in(low_end, high_end) * 0x10000;
        if (chance(30))
            return uint32_t(pixels);
        if (chance(40))
            return uint32_t(pixels + 0x4000 * in(0, 3));
        return uint32_t(pixels + in(0, 0xFFFF));
    }

    void point(uint32_t n, uint32_t x, uint32_t y) {
        set(kPoint0 + 0x10 * n, x);
        set(kPoint0 + 0x10 * n + 4, y);
    }

    void triangle() {
        const bool huge = chance(3);
        for (uint32_t i = 0; i < 3; i++) {
            static constexpr uint32_t ends[] = {0x7FFFFFFF, 0x80000000, 0x7FFF0000, 0xF0000000};
            const uint32_t x = huge && chance(50) ? of(ends) : fixed(-6, width_ + 5);
            const uint32_t y = huge && chance(50) ? of(ends) : fixed(-6, height_ + 5);
            point(i, x, y);
            if (i == 0 && chance(5)) { /* an empty triangle */
                point(1, x, y);
                point(2, fixed(0, width_), fixed(0, height_));
                return;
            }
        }
    }

    /*
     * Draws a convex quadrilateral: its vertices are in order on an ellipse, clockwise or
     * counterclockwise.
     */
    void quad() {
        const double cx = real(0, width_), cy = real(0, height_);
        const double rx = real(1, 30), ry = real(1, 30);
        const double turn = real(0, 6.28);
        const bool backwards = chance(50);
        const bool twice = chance(5); /* two equal vertices */
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t corner = twice && i == 3 ? 2 : i;
            const double angle = turn + (corner + real(0, 0.7)) * 1.5707963;
            const uint32_t n = backwards ? 3 - i : i;
            if (twice && i == 3) {
                const uint32_t other = backwards ? 1 : 2;
                point(n, last(kPoint0 + 0x10 * other), last(kPoint0 + 0x10 * other + 4));
                continue;
            }
            point(n, to_fixed(cx + rx * std::cos(angle)), to_fixed(cy + ry * std::sin(angle)));
        }
    }
    static uint32_t to_fixed(double v) { return uint32_t(int64_t(std::floor(v * 1024)) * 64); }
    uint32_t last(uint32_t offset) const {
        for (size_t i = pending_.size(); i--;) {
            if (pending_[i].offset == offset)
                return pending_[i].value;
        }
        return 0;
    }

    /* Draws a rectangle whose edges differ from those of the target by up to `beyond` pixels. */
    void rectangle(int beyond) {
        const auto off = [&] { return in(-beyond, beyond); };
        set(kStart, pack(off(), off()));
        set(kEnd, pack(width_ + off(), height_ + off()));
        set(kDrawCmd, 2);
    }

    void primitive() {
        if (!has_program_)
            program();
        const uint32_t kind = of({2u, 2u, 2u, 2u, 1u, 4u, 4u, 4u, 5u, 5u, 5u, uint32_t(in(0, 7))});
        const bool large = chance(70);
        const int left = in(-6, large ? width_ / 3 : width_ - 1);
        const int top = in(-6, large ? height_ / 3 : height_ - 1);
        const int right = in(large ? width_ / 2 : left - 2, width_ + 6);
        const int bottom = in(large ? height_ / 2 : top - 2, height_ + 6);
        const bool backwards = kind == 1 && chance(50); /* only lines can be drawn backwards */
        set(kStart, backwards ? pack(right, top) : pack(left, top));
        set(kEnd, backwards ? pack(left, bottom) : pack(right, bottom));
        if (kind == 4)
            triangle();
        if (kind == 5)
            quad();
        uint32_t command = kind;
        command |= of({0u, 0u, 0x07800000u, 0x02800000u, 0x05000000u, word() & 0x07800000});
        command |= chance(25) ? 1u << 27 : 0;
        command |= chance(8) ? word() & 0x30000000 : 0;
        command |= is_tsc(formats_[0]) || chance(5) ? 1u << 30 : 0;
        command |= chance(3) ? 1u << 31 : 0;
        if (chance(15))
            set(kDirtyMin, 0);
        set(kDrawCmd, command);
        if (chance(20)) /* repeats the draw with the same registers */
            set(kDrawCmd, command);
    }

    /* ---- Submission ---- */

    void submit() {
        const int how = in(0, 9);
        if (how < 4)
            c_.writes.insert(c_.writes.end(), pending_.begin(), pending_.end());
        else if (how < 8)
            by_list();
        else
            by_ring();
    }

    static uint32_t here(const std::vector<uint32_t>& lists) {
        return kNemaLists + 4 * uint32_t(lists.size());
    }

    /* Returns the pending writes [first, end) as list pairs, mixed with NOPs. */
    std::vector<uint32_t> pairs(size_t first, size_t end) {
        std::vector<uint32_t> list;
        for (size_t i = first; i < end; i++) {
            const NemaWrite& write = pending_[i];
            const bool hold = write.offset == kDrawCmd ? chance(80) : chance(3);
            list.insert(list.end(), {write.offset | (hold ? 0xFF000000 : 0), write.value});
            if (chance(3))
                list.insert(list.end(), {0x00010000 | (word() & 0xFFC), word()});
        }
        return list;
    }

    /* Appends a list and returns its address. */
    uint32_t append(const std::vector<uint32_t>& list) {
        const uint32_t address = here(c_.lists);
        c_.lists.insert(c_.lists.end(), list.begin(), list.end());
        return address;
    }

    static void call(std::vector<uint32_t>& list, uint32_t address, size_t words) {
        list.insert(list.end(), {kCmdAddr, address, 0x20000 | kCmdSize, uint32_t(words)});
    }

    /* Returns a list with all pending writes, some of which are in lists that it calls. */
    std::vector<uint32_t> main_list() {
        std::vector<uint32_t> list;
        size_t done = 0;
        while (done < pending_.size()) {
            const size_t end = std::min(pending_.size(), done + size_t(in(1, 60)));
            std::vector<uint32_t> part = pairs(done, end);
            if (chance(50)) {
                if (chance(30)) /* pairs after a return are not executed */
                    part.insert(part.end(), {0x00050000, 0, kColor, word()});
                const uint32_t address = append(part);
                call(list, address, part.size());
            } else {
                list.insert(list.end(), part.begin(), part.end());
            }
            done = end;
        }
        list.insert(list.end(), {kListId, ++id_});
        if (chance(50))
            list.insert(list.end(), {kIntCtrl, 1});
        return list;
    }

    void by_list() {
        const std::vector<uint32_t> list = main_list();
        const uint32_t address = append(list);
        c_.writes.push_back({kCmdAddr, address});
        c_.writes.push_back({kCmdSize, uint32_t(list.size())});
    }

    void by_ring() {
        const std::vector<uint32_t> list = main_list();
        const uint32_t address = append(list);
        c_.writes.push_back({kRingStop, address | 6});
        c_.writes.push_back({kCmdAddr, address});
        c_.writes.push_back({kCmdSize, 0x400});
        c_.writes.push_back({kRingStop, here(c_.lists) | 4});
        append({0x00010000, 0}); /* keeps the next list from starting right at this one's end */
    }

    std::mt19937 random_;
    NemaCase c_;
    std::vector<NemaWrite> pending_;
    uint32_t formats_[4] = {};
    int width_ = 1, height_ = 1;
    bool steps_ = false; /* programs may step the coordinates */
    bool alike_ = false; /* source and destination of a blit are similar */
    bool has_program_ = false;
    bool new_matrix_ = true;
    uint32_t id_ = 0;
};

} // namespace

NemaCase make_nema_case(uint64_t seed, uint64_t number) {
    return Generator(seed, number).make();
}

NemaCase make_nema_blits(uint64_t seed, uint64_t number) {
    return Generator(seed, number).make_blits();
}

std::vector<uint8_t> nema_case_memory(const NemaCase& c) {
    std::mt19937 random(c.seed);
    std::vector<uint8_t> memory(kNemaRamSize);
    /* a few values only, so that keys and comparisons match */
    const bool few = random() & 1;
    static constexpr uint8_t common[] = {0, 0xFF, 0, 0xFF, 0x80, 0x7F, 0x40, 0xFF};
    for (uint32_t i = 0; i < kNemaLists - kNemaRam; i++)
        memory[i] = few ? common[random() & 7] : uint8_t(random());
    for (size_t i = 0; i < c.lists.size(); i++) {
        for (unsigned b = 0; b < 4; b++)
            memory[kNemaLists - kNemaRam + 4 * i + b] = uint8_t(c.lists[i] >> 8 * b);
    }
    return memory;
}

std::string describe(const NemaCase& c) {
    std::ostringstream text;
    text << std::hex << std::uppercase << std::setfill('0');
    for (size_t i = 0; i < c.writes.size(); i++)
        text << (i % 8 ? " " : "\n") << std::setw(3) << c.writes[i].offset << '=' << std::setw(8)
             << c.writes[i].value;
    text << "\nlists at " << kNemaLists << ':';
    for (size_t i = 0; i < c.lists.size(); i++)
        text << (i % 16 ? " " : "\n") << std::setw(8) << c.lists[i];
    return text.str() + '\n';
}

} // namespace pixmill::test
