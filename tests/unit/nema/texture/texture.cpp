// SPDX-License-Identifier: GPL-2.0-or-later
//
// Compares the texture map unit with an independent definition, texel by texel.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <sstream>
#include <vector>

#include "nema/texture/map.hpp"

namespace pixmill::nema {
namespace {

// ---- Memory ------------------------------------------------------------------

/// RAM at a 32-bit address. It is mapped in spans that end at multiples of `page`.
class SparseMemory final : public Memory {
public:
    SparseMemory(uint64_t base, size_t size) : base_(base), bytes_(size) {}

    HostSpan map(uint64_t address, uint64_t length, Access access) override {
        EXPECT_EQ(access, Access::read);
        EXPECT_GE(length, 1u);
        EXPECT_LE(address + length, uint64_t(1) << 32);
        if (address == fault)
            return {};
        length = std::min(length, page - address % page);
        if (fault > address)
            length = std::min(length, fault - address);
        if (address < base_)
            return {Mapping::hole, 0, nullptr, std::min(length, base_ - address)};
        if (address - base_ >= bytes_.size())
            return {Mapping::hole, 0, nullptr, length};
        const uint64_t offset = address - base_;
        return {Mapping::host, 0, bytes_.data() + offset, std::min(length, bytes_.size() - offset)};
    }
    void mark_dirty(uint64_t, uint64_t) override { ADD_FAILURE() << "textures are only read"; }
    std::byte* map_contiguous(uint64_t address, uint64_t length, Access) override {
        const bool is_inside = address >= base_ && address - base_ <= bytes_.size() &&
                               length <= bytes_.size() - (address - base_);
        return in_one_piece && is_inside ? bytes_.data() + (address - base_) : nullptr;
    }

    std::byte byte(uint64_t address) const {
        address &= 0xFFFFFFFF;
        return address >= base_ && address - base_ < bytes_.size() ? bytes_[address - base_]
                                                                   : std::byte(0);
    }
    std::vector<std::byte>& bytes() { return bytes_; }

    bool in_one_piece = true;
    uint64_t page = 1 << 20;
    uint64_t fault = ~0ull;

private:
    uint64_t base_;
    std::vector<std::byte> bytes_;
};

// ---- The definition ----------------------------------------------------------

struct Definition {
    Texture texture;
    const SparseMemory& memory;
    int64_t width = std::max<int64_t>(texture.width, 1),
            height = std::max<int64_t>(texture.height, 1);

    static int64_t modulo(int64_t a, int64_t n) { return (a % n + n) % n; }

    /// Applies the wrap mode. Returns false outside the texture in border mode.
    bool wrapped(int64_t& i, int64_t n) const {
        switch (texture.mode >> 2 & 3) {
        case 0:
            i = i < 0 ? 0 : i >= n ? n - 1 : i;
            return true;
        case 1:
            i = modulo(i, n);
            return true;
        case 2:
            return i >= 0 && i < n;
        default:
            i = modulo(i, 2 * n);
            i = i >= n ? 2 * n - 1 - i : i;
            return true;
        }
    }

    uint32_t texel(int64_t x, int64_t y) const {
        if (!wrapped(x, width) || !wrapped(y, height))
            return 0;
        const Format* const format = find_format(texture.format);
        if (!format)
            return 0xFFFF00FF;
        const auto base = int64_t(texture.base);
        std::byte bytes[16];
        const auto read = [&](int64_t address, size_t count) {
            for (size_t i = 0; i < count; i++)
                bytes[i] = memory.byte(uint64_t(address) + i);
        };
        if (format->kind == Format::Kind::tsc) {
            const uint32_t size = format->tsc == Tsc::tsc4 ? 8 : 12;
            read(base + y / 4 * texture.stride + x / 4 * size, size);
            std::array<uint32_t, 16> block;
            decode(format->tsc, bytes, block);
            return block[size_t(y % 4 * 4 + x % 4)];
        }
        const int64_t bits = format->bits();
        uint32_t argb;
        if (format->kind == Format::Kind::uyvy) {
            read(base + y * texture.stride + x / 2 * 4, 4);
            fetch(*format, 0, &argb, bytes, uint64_t(x % 2), 1);
            return argb;
        }
        const bool powers = !(width & (width - 1)) && !(height & (height - 1));
        if (texture.mode & 0x10 && powers && (bits == 8 || bits == 16 || bits == 32)) {
            int64_t place = 0;
            for (int bit = 0; bit < 16; bit++)
                place |= (x >> bit & 1) << 2 * bit | (y >> bit & 1) << (2 * bit + 1);
            read(base + place * bits / 8, 4);
            fetch(*format, texture.color, &argb, bytes, 0, 1);
            return argb;
        }
        read(base + y * texture.stride + x * bits / 8, 4);
        fetch(*format, texture.color, &argb, bytes, bits < 8 ? uint64_t(x % (8 / bits)) : 0, 1);
        return argb;
    }

    uint32_t at(double tx, double ty) const {
        if (texture.mode & 0x20) {
            tx *= double(width);
            ty *= double(height);
        }
        if (texture.mode & 0x40)
            ty = double(height) - ty;
        tx = std::clamp(tx, -16777216.0, 16777216.0);
        ty = std::clamp(ty, -16777216.0, 16777216.0);
        if (!(texture.mode & 1))
            return texel(int64_t(std::floor(tx)), int64_t(std::floor(ty)));
        const auto qx = int64_t(std::floor((tx - 0.5) * 16)),
                   qy = int64_t(std::floor((ty - 0.5) * 16));
        const int64_t x = qx >> 4, y = qy >> 4, fx = qx & 15, fy = qy & 15;
        const uint32_t t00 = texel(x, y), t10 = texel(x + 1, y), t01 = texel(x, y + 1),
                       t11 = texel(x + 1, y + 1);
        uint32_t argb = 0;
        for (int shift = 0; shift < 32; shift += 8) {
            const auto channel = [shift](uint32_t t) { return int64_t(t >> shift & 0xFF); };
            const int64_t sum = channel(t00) * (16 - fx) * (16 - fy) +
                                channel(t10) * fx * (16 - fy) + channel(t01) * (16 - fx) * fy +
                                channel(t11) * fx * fy;
            argb |= uint32_t((sum + 128) >> 8) << shift;
        }
        const Format* const format = find_format(texture.format);
        if (format && format->alpha_only()) // filters alpha, keeps TEX_COLOR
            argb = (argb & 0xFF000000) | (texture.color & 0xFFFFFF);
        return argb;
    }
};

struct Point {
    double x, y;
};

Point mapped(const std::array<float, 9>& m, uint32_t matmult, int32_t x, int32_t y) {
    if (matmult & 1u << 28)
        return {double(x), double(y)};
    const double h = matmult & 1u << 29 ? 0 : 0.5, px = x + h, py = y + h;
    const auto along = [&](int i) {
        const double a = double(m[size_t(i)]) * px, b = double(m[size_t(i + 1)]) * py;
        const double sum = a + b;
        return sum + double(m[size_t(i + 2)]);
    };
    double u = along(0), v = along(3);
    if (!(matmult & 1u << 31) && !(m[6] == 0 && m[7] == 0 && m[8] == 1)) {
        const double w = along(6);
        if (w == 0 || !std::isfinite(w) || !std::isfinite(u) || !std::isfinite(v))
            return {0, 0};
        u /= w;
        v /= w;
    }
    if (!std::isfinite(u) || !std::isfinite(v))
        return {0, 0};
    return {u, v};
}

// ---- Random work -------------------------------------------------------------

class NemaTexture : public testing::Test {
protected:
    std::mt19937 random{1};

    int64_t in(int64_t low, int64_t high) {
        return std::uniform_int_distribution<int64_t>(low, high)(random);
    }
    template<class T, size_t N>
    T of(const T (&values)[N]) {
        return values[size_t(in(0, N - 1))];
    }
    float number(double range) {
        return float(std::uniform_real_distribution<double>(-range, range)(random));
    }

    std::array<float, 9> matrix() {
        std::array<float, 9> m{1, 0, float(in(-20, 20)), 0, 1, float(in(-20, 20)), 0, 0, 1};
        const int64_t kind = in(0, 9);
        if (kind >= 2) { // not in whole texels
            m[2] += number(1);
            m[5] += of({0.f, 0.5f, 0.0625f, 1e-9f, 0.28125f});
        }
        if (kind >= 4)
            for (const size_t i : {0u, 1u, 3u, 4u})
                m[i] = number(2);
        if (kind >= 7)
            for (const size_t i : {6u, 7u})
                m[i] = number(0.01);
        if (kind == 8)
            m[8] = number(2);
        if (kind == 9)
            m[size_t(in(0, 8))] =
                of({0.f, -1.f, std::numeric_limits<float>::infinity(),
                    std::numeric_limits<float>::quiet_NaN(), 1e30f, 3e38f, -1e-40f, 123456.f});
        return m;
    }
    uint32_t matmult() { return of({0u, 0u, 0u, 0x80000000u, 0x20000000u, 0x90000000u}); }

    Texture any(uint8_t code, uint32_t base) {
        Texture texture;
        texture.width = uint32_t(of({0, 1, 2, 3, 4, 5, 8, 13, 16, 31, 32, 64}));
        texture.height = uint32_t(of({0, 1, 2, 4, 7, 8, 16, 29, 64}));
        texture.format = code;
        texture.mode = uint8_t(in(0, 1) ? in(0, 0xFF) : in(0, 0xF));
        texture.color = uint32_t(random());
        texture.stride = int32_t(of({0, 64, 128, 257, 33}));
        if (in(0, 2) == 0)
            texture.stride = -texture.stride;
        texture.base = base;
        return texture;
    }
};

std::string describe(const Texture& t, const std::array<float, 9>& m, uint32_t matmult) {
    std::ostringstream text;
    text << std::hex << "format " << int(t.format) << " mode " << int(t.mode) << " base " << t.base
         << std::dec << " stride " << t.stride << " " << t.width << "x" << t.height << std::hex
         << " MATMULT " << matmult << " MM";
    for (const float f : m)
        text << " " << f;
    return text.str();
}

class NemaTextureRandom : public NemaTexture {
protected:
    void compare(const Texture& texture, SparseMemory& memory) {
        TextureMap map;
        map.open(texture, memory);
        const auto m = matrix();
        const uint32_t mat = matmult();
        const Coordinates at(m, mat);
        const int32_t x = int32_t(in(-40, 60)), y = int32_t(in(-40, 60));
        const auto count = size_t(in(1, 150));
        const Definition definition{texture, memory};
        std::vector<double> tx(count), ty(count);
        std::vector<uint32_t> row(count + 1, 0xDEADBEEF), apart(count), direct(count);
        at.row(x, y, tx.data(), ty.data(), count);
        map.sample(at, x, y, row.data(), count);
        map.sample(tx.data(), ty.data(), apart.data(), count);
        map.fetch(x, y, direct.data(), count);
        for (size_t i = 0; i < count; i++) {
            const auto px = x + int32_t(i);
            const Point p = mapped(m, mat, px, y);
            ASSERT_TRUE(tx[i] == p.x && ty[i] == p.y)
                << describe(texture, m, mat) << " at " << px << "," << y << ": " << tx[i] << ","
                << ty[i] << " is not " << p.x << "," << p.y;
            const uint32_t want = definition.at(p.x, p.y);
            ASSERT_EQ(row[i], want) << describe(texture, m, mat) << " at " << px << "," << y;
            ASSERT_EQ(apart[i], want) << describe(texture, m, mat) << " at " << px << "," << y;
            ASSERT_EQ(direct[i], definition.texel(px, y))
                << describe(texture, m, mat) << " fetch at " << px << "," << y;
        }
        ASSERT_EQ(row[count], 0xDEADBEEF);
    }
};

TEST_F(NemaTextureRandom, EveryTexelIsAsDefined) {
    SparseMemory memory(0x20000000, 70000);
    for (std::byte& byte : memory.bytes())
        byte = std::byte(random());
    for (int i = 0; i < 100; i++)
        for (int code = 0; code < 0x80 && !HasFatalFailure(); code++) {
            memory.in_one_piece = in(0, 1);
            memory.page = uint64_t(of({1, 3, 64, 4096, 1 << 20}));
            compare(any(uint8_t(code), uint32_t(0x20000000 + 20000 + in(0, 300))), memory);
        }
}

TEST_F(NemaTextureRandom, WhereThereIsNoMemoryBytesAreZero) {
    SparseMemory memory(0x20000000, 3000);
    for (std::byte& byte : memory.bytes())
        byte = std::byte(random());
    for (int i = 0; i < 30; i++)
        for (int code = 0; code < 0x80 && !HasFatalFailure(); code++)
            compare(any(uint8_t(code), uint32_t(0x20000000 + in(-1500, 4000))), memory);
}

TEST_F(NemaTextureRandom, AddressesWrapAround) {
    SparseMemory top((uint64_t(1) << 32) - 3000, 3000), bottom(0, 3000);
    for (auto* const memory : {&top, &bottom}) {
        for (std::byte& byte : memory->bytes())
            byte = std::byte(random());
        for (int i = 0; i < 10; i++)
            for (int code = 0; code < 0x80 && !HasFatalFailure(); code++)
                compare(any(uint8_t(code), uint32_t(in(-1500, 1500))), *memory);
    }
}

TEST_F(NemaTextureRandom, ExtentHoldsAllThatIsRead) {
    class Watching final : public Memory {
    public:
        HostSpan map(uint64_t address, uint64_t, Access) override {
            low = std::min(low, address);
            high = std::max(high, address + 1);
            return {Mapping::hole, 0, nullptr, 1};
        }
        void mark_dirty(uint64_t, uint64_t) override {}
        uint64_t low = ~0ull, high = 0;
    };
    for (int i = 0; i < 20; i++)
        for (int code = 0; code < 0x80; code++) {
            Watching memory;
            const Texture texture = any(uint8_t(code), 0x20000000);
            TextureMap map;
            map.open(texture, memory);
            std::vector<uint32_t> row(70);
            for (int32_t y = -2; y < 67; y++)
                map.fetch(-2, y, row.data(), row.size());
            if (!map.known())
                continue;
            EXPECT_EQ(memory.low, map.extent().begin()) << code;
            EXPECT_EQ(memory.high, map.extent().end()) << code;
        }
}

// ---- Known texels ------------------------------------------------------------

class NemaTextureKnown : public testing::Test {
protected:
    /// 2x2 texels of A8R8G8B8.
    NemaTextureKnown() {
        const uint32_t texels[4] = {0xFF000000, 0xFF0000FF, 0xFF00FF00, 0x00FF0000};
        std::memcpy(memory.bytes().data(), texels, sizeof texels);
    }
    uint32_t at(uint32_t mode, double tx, double ty) {
        TextureMap map;
        map.open(texture(0x1000, 0x10000008 | mode << 16, 0x00020002, 0), memory);
        uint32_t argb;
        map.sample(&tx, &ty, &argb, 1);
        return argb;
    }
    SparseMemory memory{0x1000, 64};
};

TEST_F(NemaTextureKnown, Registers) {
    const Texture t = texture(0x12345678, 0x9D6AFFF0, 0x00050140, 0x80305088);
    EXPECT_EQ(t.base, 0x12345678u);
    EXPECT_EQ(t.format, 0x1D);
    EXPECT_EQ(t.mode, 0x6A);
    EXPECT_EQ(t.stride, -16);
    EXPECT_EQ(t.width, 320u);
    EXPECT_EQ(t.height, 5u);
    EXPECT_EQ(t.color, 0x80885030u);
    EXPECT_EQ(t.wrap(), Texture::Wrap::border);
}

TEST_F(NemaTextureKnown, Point) {
    EXPECT_EQ(at(0x00, 0.99, 0.5), 0xFF000000u);
    EXPECT_EQ(at(0x00, 1.0, 0.5), 0xFF0000FFu);
    EXPECT_EQ(at(0x00, 7, 0.5), 0xFF0000FFu); // clamp
    EXPECT_EQ(at(0x04, 2, 3), 0xFF00FF00u);   // repeat
    EXPECT_EQ(at(0x08, 2, 0), 0u);            // border
    EXPECT_EQ(at(0x08, -0.01, 0), 0u);
    EXPECT_EQ(at(0x0C, 2, 0), 0xFF0000FFu); // mirror
    EXPECT_EQ(at(0x0C, -1, 2), 0xFF00FF00u);
    EXPECT_EQ(at(0x20, 0.5, 0.49), 0xFF0000FFu); // unit coordinates
    EXPECT_EQ(at(0x40, 0.5, 0.5), 0xFF00FF00u);  // y from the bottom
}

TEST_F(NemaTextureKnown, Bilinear) {
    EXPECT_EQ(at(0x01, 0.5, 0.5), 0xFF000000u);
    EXPECT_EQ(at(0x01, 1.0, 0.5), 0xFF000080u);  // (255 * 8 * 16 + 128) >> 8
    EXPECT_EQ(at(0x01, 0.99, 0.5), 0xFF000070u); // 255 * 7 / 16 = 111.6
    EXPECT_EQ(at(0x01, 1.0, 1.0), 0xBF404040u);  // 255 / 4 = 63.75, 255 * 3 / 4 = 191.25
    EXPECT_EQ(at(0x09, 0.0, 0.5), 0x80000000u);  // half is outside
}

TEST_F(NemaTextureKnown, BordersAreTransparentWhateverTheFormat) {
    constexpr uint32_t unknown = 0x7F, a8 = 0x08;
    memory.bytes()[0] = std::byte(0xFF);
    const auto sampled = [&](uint32_t format, uint32_t mode, double tx) {
        TextureMap map;
        map.open(texture(0x1000, format << 24 | 0x00080008 | mode << 16, 0x00010001, 0x00332211),
                 memory);
        const double ty = 0.5;
        uint32_t argb;
        map.sample(&tx, &ty, &argb, 1);
        return argb;
    };
    EXPECT_EQ(sampled(unknown, 0, 0.5), 0xFFFF00FFu);
    EXPECT_EQ(sampled(unknown, 0, 1.5), 0u);
    EXPECT_EQ(sampled(unknown, 1, 1.0), 0x80800080u); // half a texel: 127.5
    EXPECT_EQ(sampled(a8, 0, 0.5), 0xFF112233u);
    EXPECT_EQ(sampled(a8, 0, 1.5), 0u);
    EXPECT_EQ(sampled(a8, 1, 1.0), 0x80112233u); // alpha is filtered, TEX_COLOR is not
    EXPECT_EQ(sampled(a8, 1, 1.5), 0x00112233u);
}

TEST_F(NemaTextureKnown, TranslationsHaveTransparentBordersToo) {
    memory.bytes()[0] = std::byte(0xFF);
    TextureMap map;
    map.open(texture(0x1000, 0x08090008, 0x00010001, 0x00332211), memory);
    uint32_t argb[2];
    map.sample(Coordinates({1, 0, 0, 0, 1, 0, 0, 0, 1}, 0), 0, 0, argb, 2);
    EXPECT_EQ(argb[0], 0xFF112233u);
    EXPECT_EQ(argb[1], 0x00112233u);
}

TEST_F(NemaTextureKnown, AFaultEndsReading) {
    memory.in_one_piece = false;
    memory.fault = 0x1008;
    TextureMap map;
    map.open(texture(0x1000, 0x10000008, 0x00020002, 0), memory);
    uint32_t argb[2] = {1, 1};
    map.fetch(0, 0, argb, 2);
    EXPECT_EQ(argb[1], 0xFF0000FFu);
    EXPECT_FALSE(map.faulted());
    map.fetch(0, 1, argb, 2);
    EXPECT_EQ(argb[0], 0u);
    EXPECT_TRUE(map.faulted());
    map.fetch(0, 0, argb, 2);
    EXPECT_EQ(argb[1], 0u);
    memory.fault = ~0ull;
    map.open(texture(0x1000, 0x10000008, 0x00020002, 0), memory);
    EXPECT_FALSE(map.faulted());
}

TEST_F(NemaTextureKnown, WritesShowAtOnceCompressedOnesWhenTold) {
    TextureMap map;
    map.open(texture(0x1000, 0x10000008, 0x00020002, 0), memory);
    uint32_t argb;
    map.fetch(0, 0, &argb, 1);
    memory.bytes()[0] = std::byte(0x77);
    map.fetch(0, 0, &argb, 1);
    EXPECT_EQ(argb, 0xFF000077u);

    std::array<uint32_t, 16> block;
    block.fill(0xFF112233);
    encode(Tsc::tsc4, block, memory.bytes().data());
    map.open(texture(0x1000, 0x12000008, 0x00040004, 0), memory);
    map.fetch(0, 0, &argb, 1);
    EXPECT_EQ(argb, 0xFF112233u);
    block.fill(0xFF445566);
    encode(Tsc::tsc4, block, memory.bytes().data());
    map.forget();
    map.fetch(0, 0, &argb, 1);
    EXPECT_EQ(argb, 0xFF445566u);
}

// ---- The matrix unit ---------------------------------------------------------

TEST(NemaCoordinates, HalfTurnMeetsTheLastTexelFirst) {
    // This is the vendor's rotation of 32 columns by 180 degrees, drawn at column 10.
    const Coordinates at({-1, 0, 42, 0, -1, 28, 0, 0, 1}, 0);
    double tx, ty;
    at.row(10, 12, &tx, &ty, 1);
    EXPECT_EQ(tx, 31.5);
    EXPECT_EQ(ty, 15.5);
    EXPECT_FALSE(at.translates());
}

TEST(NemaCoordinates, Translations) {
    const auto translates = [](std::array<float, 9> m, uint32_t matmult) {
        return Coordinates(m, matmult).translates();
    };
    EXPECT_TRUE(translates({1, 0, -10, 0, 1, -12.25, 0, 0, 1}, 0));
    EXPECT_TRUE(translates({1, 0, -10, 0, 1, -12, 5, 5, 5}, 0x80000000));
    EXPECT_TRUE(translates({9, 9, 9, 9, 9, 9, 9, 9, 9}, 0x90000000));
    EXPECT_FALSE(translates({1, 0, -10, 0, 1, -12, 5, 5, 5}, 0));
    EXPECT_FALSE(translates({1, 0, 1e-12f, 0, 1, -12, 0, 0, 1}, 0));
    EXPECT_FALSE(translates({1, 0, 1e12f, 0, 1, -12, 0, 0, 1}, 0));
    EXPECT_FALSE(translates({1, 0, std::numeric_limits<float>::quiet_NaN(), 0, 1, 0, 0, 0, 1}, 0));
}

// ---- Instruction sets --------------------------------------------------------

#ifdef __x86_64__
TEST(NemaTexelKernels, AllProcessorsAgree) {
    if (!__builtin_cpu_supports("avx2"))
        GTEST_SKIP();
    const TexelKernels &a = baseline_texel_kernels(), &b = avx2_texel_kernels();
    std::mt19937_64 random(1);
    constexpr size_t n = 40;
    for (int round = 0; round < 3000; round++) {
        const size_t count = 1 + random() % (n - 1);
        Matrix matrix{};
        for (double& m : matrix.m)
            m = double(int64_t(random() % 4001) - 2000) / 256;
        if (round % 7 == 0)
            matrix.m[random() % 9] = std::bit_cast<float>(uint32_t(random()));
        matrix.half = 0.5;
        matrix.divides = round % 2;
        double t[2][2][n] = {};
        const auto x = int32_t(random() % 1000), y = int32_t(random() % 1000);
        a.coordinates(matrix, x, y, t[0][0], t[0][1], count);
        b.coordinates(matrix, x, y, t[1][0], t[1][1], count);
        EXPECT_EQ(std::memcmp(t[0], t[1], sizeof t[0]), 0);

        for (const bool falling : {false, true}) {
            const Axis axis{round % 3 ? 1.0 : 33.0, 33, 0.5, 16, falling};
            int32_t place[2][n] = {};
            a.place(axis, t[0][0], place[0], count);
            b.place(axis, t[0][0], place[1], count);
            EXPECT_EQ(std::memcmp(place[0], place[1], sizeof place[0]), 0);
        }

        uint32_t texel[4][n], blended[2][n] = {};
        int32_t fraction[2][n];
        for (size_t i = 0; i < n; i++) {
            for (auto& corner : texel)
                corner[i] = uint32_t(random()) | (random() % 4 ? 0 : 0xFFFFFFFF);
            for (auto& f : fraction)
                f[i] = int32_t(random() % 16);
        }
        const Corners corners{{texel[0], texel[1], texel[2], texel[3]}, fraction[0], fraction[1]};
        a.blend(corners, blended[0], count / blend_step * blend_step);
        b.blend(corners, blended[1], count / blend_step * blend_step);
        EXPECT_EQ(std::memcmp(blended[0], blended[1], sizeof blended[0]), 0);

        for (size_t k = 0; k < a.conversions.size(); k++) {
            const render::Codec codec(a.conversions[k].layout);
            const auto from = reinterpret_cast<const std::byte*>(texel[0]);
            a.conversions[k].unpack(codec, blended[0], from, count);
            b.conversions[k].unpack(codec, blended[1], from, count);
            EXPECT_EQ(std::memcmp(blended[0], blended[1], sizeof blended[0]), 0);
        }
    }
}
#endif

} // namespace
} // namespace pixmill::nema
