// Vertex and index fetch. The vertex element words are those that Mesa's etnaviv writes.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <list>
#include <map>
#include <random>
#include <vector>

#include "pixmill/vivante.h"
#include "vivante/3d/fe/vertex_fetch.hpp"

namespace pixmill::vivante {
namespace {

/// Memory in pages of a 32-bit address space. Missing pages are holes or cause faults.
class Pages final : public Memory {
public:
    static constexpr uint32_t page = 0x1000;

    HostSpan map(uint64_t address, uint64_t length, Access access) override {
        EXPECT_LE(address + length, uint64_t(1) << 32);
        EXPECT_EQ(access, Access::read);
        EXPECT_GE(length, 1u);
        maps++;
        const auto number = uint32_t(address / page), offset = uint32_t(address % page);
        length = std::min<uint64_t>(length, page - offset);
        if (faults.count(number))
            return {};
        const auto found = pages.find(number);
        if (found == pages.end())
            return {Mapping::hole, hole_value, nullptr, length};
        return {Mapping::host, 0, found->second.data() + offset, length};
    }
    void mark_dirty(uint64_t, uint64_t) override { ADD_FAILURE(); }
    std::byte* map_contiguous(uint64_t address, uint64_t length, Access) override {
        EXPECT_LE(address + length, uint64_t(1) << 32);
        const auto number = uint32_t(address / page);
        const auto found = pages.find(number);
        if (!in_one_piece || found == pages.end() || address % page + length > page)
            return nullptr;
        // Returns a copy, so that reads outside the requested bytes give wrong values.
        auto& copy = copies.emplace_back(length + 2 * page, std::byte(0xEE));
        std::copy_n(found->second.data() + address % page, length, copy.data() + page);
        return copy.data() + page;
    }

    void put(uint32_t address, const void* bytes, size_t count) {
        for (size_t i = 0; i < count; i++) {
            const auto at = uint32_t(address + i);
            auto& there = pages[at / page];
            there.resize(page);
            there[at % page] = static_cast<const std::byte*>(bytes)[i];
        }
    }
    template<class T>
    void put(uint32_t address, std::initializer_list<T> values) {
        put(address, values.begin(), values.size() * sizeof(T));
    }

    std::map<uint32_t, std::vector<std::byte>> pages;
    std::map<uint32_t, bool> faults;
    std::list<std::vector<std::byte>> copies;
    uint8_t hole_value = 0;
    bool in_one_piece = true;
    unsigned maps = 0;
};

class VertexFetchTest : public ::testing::Test {
protected:
    void set(uint32_t address, uint32_t value) { words[address / 4] = value; }
    void element(unsigned n, uint32_t word) { set(FE_VERTEX_ELEMENT_CONFIG + 4 * n, word); }
    void stream(unsigned n, uint32_t base, uint32_t control) {
        set(FE_VERTEX_STREAMS_BASE_ADDR + 4 * n, base);
        set(FE_VERTEX_STREAMS_CONTROL + 4 * n, control);
    }
    /// Fetches attributes of the vertices. Returns false if an access stalled.
    bool fetch(std::initializer_list<uint32_t> vertices, unsigned count, unsigned attributes = 0,
               std::vector<uint32_t> instances = {}) {
        const FetchSetup setup = FetchSetup::decode(States(words.data()), count, features);
        VertexFetch fetch(setup, memory);
        result.assign(std::max(count, attributes), {});
        for (auto& vector : result)
            for (auto& lanes : vector)
                lanes.f.fill(-77);
        fetch.fetch(std::vector(vertices), result, instances);
        return !fetch.faulted();
    }
    std::array<float, 4> at(unsigned attribute, unsigned lane) const {
        const Vector& v = result[attribute];
        return {v[0].f[lane], v[1].f[lane], v[2].f[lane], v[3].f[lane]};
    }
    /// Returns vertex 0 at 0x10000, fetched with the single element `word`.
    std::array<float, 4> one(uint32_t word) {
        element(0, word);
        stream(0, 0x10000, 16);
        EXPECT_TRUE(fetch({0}, 1));
        const auto whole = at(0, 0);
        memory.in_one_piece = false;
        EXPECT_TRUE(fetch({0}, 1));
        memory.in_one_piece = true;
        EXPECT_EQ(std::bit_cast<Bits>(at(0, 0)), std::bit_cast<Bits>(whole));
        return whole;
    }

    using Bits = std::array<uint32_t, 4>;
    using Floats = std::array<float, 4>;
    Features3d features;
    std::vector<uint32_t> words = std::vector<uint32_t>(PIXMILL_VIVANTE_STATE_WORDS);
    Pages memory;
    std::vector<Vector> result;
};

TEST_F(VertexFetchTest, ConvertsWhatMesaSends) {
    memory.put<float>(0x10000, {1, 2, 3});
    EXPECT_EQ(one(0x0C003088), (Floats{1, 2, 3, 1}));
    memory.put<uint8_t>(0x10000, {0, 0x80, 0xFF, 0x33});
    EXPECT_EQ(one(0x04004081), (Floats{0, 128 / 255.0f, 1, 0.2f}));
    memory.put<uint16_t>(0x10000, {0xFFFF, 0x0100});
    EXPECT_EQ(one(0x04002082), (Floats{-1, 256, 0, 1}));
    memory.put<uint16_t>(0x10000, {0x8000, 0x7FFF});
    EXPECT_EQ(one(0x04006082), (Floats{-1, 1, 0, 1}));
    memory.put<uint32_t>(0x10000, {0x18000});
    EXPECT_EQ(one(0x0400108B), (Floats{1.5f, 0, 0, 1}));
    memory.put<uint32_t>(0x10000, {0xC00FFC00});
    EXPECT_EQ(one(0x04004087), (Floats{0, 1, 0, 1}));
    memory.put<uint16_t>(0x10000, {0x3C00, 0xC000});
    EXPECT_EQ(one(0x04002089), (Floats{1, -2, 0, 1}));
}

TEST_F(VertexFetchTest, ConvertsExtremes) {
    constexpr uint32_t normalize = 0x4000, three = 0x3000;
    memory.put<int8_t>(0x10000, {-128, -127, 127, 0});
    EXPECT_EQ(one(0), (Floats{-128, -127, 127, 0}));
    EXPECT_EQ(one(normalize), (Floats{-1, -1, 1, 0}));
    EXPECT_EQ(one(2 * normalize), (Floats{-1, -1, 1, 0}));
    EXPECT_EQ(one(three), (Floats{-128, -127, 127, 1}));
    memory.put<int8_t>(0x10000, {1, -1, 64, -64});
    EXPECT_EQ(one(normalize), (Floats{1 / 127.0f, -1 / 127.0f, 64 / 127.0f, -64 / 127.0f}));
    memory.put<uint8_t>(0x10000, {255, 1, 0, 254});
    EXPECT_EQ(one(1), (Floats{255, 1, 0, 254}));
    EXPECT_EQ(one(1 | normalize), (Floats{1, 1 / 255.0f, 0, 254 / 255.0f}));
    memory.put<int16_t>(0x10000, {-32768, -32767, 32767, 1});
    EXPECT_EQ(one(2), (Floats{-32768, -32767, 32767, 1}));
    EXPECT_EQ(one(2 | normalize), (Floats{-1, -1, 1, 1 / 32767.0f}));
    memory.put<uint16_t>(0x10000, {65535, 0, 1, 32768});
    EXPECT_EQ(one(3), (Floats{65535, 0, 1, 32768}));
    EXPECT_EQ(one(3 | normalize), (Floats{1, 0, 1 / 65535.0f, 32768 / 65535.0f}));
    memory.put<int32_t>(0x10000, {INT32_MIN, INT32_MAX, 0x1000001, -1});
    EXPECT_EQ(one(4), (Floats{-0x1p31f, 0x1p31f, 0x1p24f, -1}));
    EXPECT_EQ(one(4 | normalize), (Floats{-1, 1, float(0x1000001 / 2147483647.0), -0x1p-31f}));
    memory.put<uint32_t>(0x10000, {0xFFFFFFFF, 0x80000000, 0x1000003, 0});
    EXPECT_EQ(one(5), (Floats{0x1p32f, 0x1p31f, 0x1.000004p24f, 0}));
    EXPECT_EQ(one(5 | normalize), (Floats{1, 0.5f, float(0x1000003 / 4294967295.0), 0}));
    memory.put<int32_t>(0x10000, {INT32_MIN, INT32_MAX, 1, -0x18000});
    EXPECT_EQ(one(11), (Floats{-32768, 32768, 0x1p-16f, -1.5f}));
    EXPECT_EQ(one(11 | normalize), (Floats{-32768, 32768, 0x1p-16f, -1.5f}));
}

TEST_F(VertexFetchTest, UnpacksTenBits) {
    constexpr uint32_t normalize = 0x4000;
    // x = -512, y = 511, z = -1, w = -2
    memory.put<uint32_t>(0x10000, {2u << 30 | 0x3FFu << 20 | 0x1FFu << 10 | 0x200u});
    EXPECT_EQ(one(6), (Floats{-512, 511, -1, -2}));
    EXPECT_EQ(one(6 | normalize), (Floats{-1, 1, -1 / 511.0f, -1}));
    EXPECT_EQ(one(7), (Floats{512, 511, 1023, 2}));
    EXPECT_EQ(one(7 | normalize), (Floats{512 / 1023.0f, 511 / 1023.0f, 1, 2 / 3.0f}));
    EXPECT_EQ(one(7 | 0x2000), (Floats{512, 511, 0, 1}));
    memory.put<uint32_t>(0x10000, {0x200u << 22 | 0x1FFu << 12 | 0x3FFu << 2 | 2u});
    EXPECT_EQ(one(12), (Floats{-512, 511, -1, -2}));
    EXPECT_EQ(one(13), (Floats{512, 511, 1023, 2}));
}

TEST_F(VertexFetchTest, KeepsTheBitsOfFloats) {
    const uint32_t bits[] = {0x7F800001, 0xFFC12345, 0x00000001, 0x80000000};
    memory.put(0x10000, bits, sizeof bits);
    EXPECT_EQ(std::bit_cast<Bits>(one(8)), (Bits{0x7F800001, 0xFFC12345, 1, 0x80000000}));
}

TEST_F(VertexFetchTest, ConvertsEveryHalf) {
    stream(0, 0x10000, 2);
    element(0, 0x1009);
    for (uint32_t half = 0; half < 0x10000; half++) {
        memory.put<uint16_t>(0x10000, {uint16_t(half)});
        if (half % 0x111 && half % 0x400 > 2 && half % 0x400 < 0x3FE)
            continue; // still tests every exponent and sign
        ASSERT_TRUE(fetch({0}, 1));
        const float f = at(0, 0)[0];
        const int exponent = int(half >> 10 & 31), mantissa = int(half & 0x3FF);
        const float sign = half & 0x8000 ? -1.0f : 1.0f;
        if (exponent == 31 && mantissa) {
            ASSERT_TRUE(std::isnan(f)) << half;
        } else if (exponent == 31) {
            ASSERT_EQ(f, sign * INFINITY);
        } else if (exponent) {
            ASSERT_EQ(f, sign * std::ldexp(float(1024 + mantissa), exponent - 25)) << half;
        } else {
            ASSERT_EQ(f, sign * std::ldexp(float(mantissa), -24));
            ASSERT_EQ(std::signbit(f), sign < 0);
        }
    }
}

TEST_F(VertexFetchTest, GivesIntegersAsBits) {
    memory.put<int8_t>(0x10000, {-128, 127, -1, 5});
    EXPECT_EQ(std::bit_cast<Bits>(one(14)), (Bits{0xFFFFFF80, 127, 0xFFFFFFFF, 5}));
    memory.put<int16_t>(0x10000, {-32768, 32767, -1, 5});
    EXPECT_EQ(std::bit_cast<Bits>(one(15)), (Bits{0xFFFF8000, 32767, 0xFFFFFFFF, 5}));
}

TEST_F(VertexFetchTest, SwapsBytes) {
    memory.put<uint8_t>(0x10000, {1, 2, 3, 4, 0, 0, 0xC0, 0x3F});
    EXPECT_EQ(one(0x2003 | 0x10), (Floats{0x0102, 0x0304, 0, 1}));
    EXPECT_EQ(one(0x1005 | 0x20), (Floats{0x01020304, 0, 0, 1}));
    EXPECT_EQ(one(0x3001 | 0x20), (Floats{4, 3, 2, 1})); // swaps whole four-byte units
    EXPECT_EQ(one(0x1001 | 0x10), (Floats{2, 0, 0, 1}));
    EXPECT_EQ(one(0x2003 | 0x30), (Floats{0x0201, 0x0403, 0, 1}));
}

TEST_F(VertexFetchTest, ReadsUnknownTypesAndMissingElementsAs0001) {
    element(0, 0x000A); // this type does not exist
    element(1, 0x0009);
    stream(0, 0x10000, 16);
    memory.put<float>(0x10000, {7, 7, 7, 7});
    ASSERT_TRUE(fetch({0, 1}, 1, 3));
    for (unsigned attribute = 0; attribute < 3; attribute++)
        for (unsigned lane = 0; lane < 2; lane++)
            EXPECT_EQ(at(attribute, lane), (Floats{0, 0, 0, 1}));
}

TEST_F(VertexFetchTest, AddressesVerticesOfManyStreams) {
    // Each float has its address as its value.
    for (uint32_t address = 0x20000; address < 0x22000; address += 4)
        memory.put<float>(address, {float(address)});
    element(0, 0x00003008 | 0x0000); // stream 0, START 0
    element(1, 0x00002008 | 0x700 | 8 << 16);
    element(2, 0x00001008 | 0x300 | 252 << 16);
    stream(0, 0x20000, 12);
    stream(7, 0x20100, 24);
    stream(3, 0x20200, 0); // stride 0: the same for all vertices
    for (const bool in_one_piece : {true, false}) {
        memory.in_one_piece = in_one_piece;
        ASSERT_TRUE(fetch({5, 0, 100, 5}, 3));
        const uint32_t vertices[] = {5, 0, 100, 5};
        for (unsigned lane = 0; lane < 4; lane++) {
            const uint32_t v = vertices[lane], a = 0x20000 + 12 * v, b = 0x20108 + 24 * v;
            EXPECT_EQ(at(0, lane), (Floats{float(a), float(a + 4), float(a + 8), 1}));
            EXPECT_EQ(at(1, lane), (Floats{float(b), float(b + 4), 0, 1}));
            EXPECT_EQ(at(2, lane), (Floats{0x202FC, 0, 0, 1}));
        }
    }
}

TEST_F(VertexFetchTest, ReadsInstanceZeroOfStreamsWithADivisor) {
    memory.put<float>(0x10000, {1, 2, 3, 4});
    element(0, 0x00001008);
    stream(0, 0x10000, 4 | 1 << 16);
    ASSERT_TRUE(fetch({0, 3}, 1));
    EXPECT_EQ(at(0, 1)[0], 1);
}

TEST_F(VertexFetchTest, ReadsTheOnlyStreamOfSimpleCores) {
    memory.put<float>(0x10000, {1, 2, 3, 4});
    element(0, 0x00001008);
    set(FE_VERTEX_STREAM_BASE_ADDR, 0x10000);
    set(FE_VERTEX_STREAM_CONTROL, 4);
    features.halti0 = false;
    ASSERT_TRUE(fetch({3}, 1, 1));
    EXPECT_EQ(at(0, 0)[0], 4);
}

TEST_F(VertexFetchTest, ReadsElementsThatStraddlePages) {
    const float values[] = {1, 2, 3, 4};
    element(0, 0x00000008);
    for (uint32_t skew = 0; skew <= 16; skew++) {
        memory.put(0x31000 - skew, values, sizeof values);
        stream(0, 0x31000 - skew - 16 * 3, 16);
        ASSERT_TRUE(fetch({3}, 1));
        EXPECT_EQ(at(0, 0), (Floats{1, 2, 3, 4})) << skew;
    }
}

TEST_F(VertexFetchTest, WrapsAddresses) {
    memory.put<float>(0xFFFFFFF8, {1, 2, 3, 4}); // the last two are stored at address 0
    element(0, 0x00000008);
    stream(0, 0xFFFFFFF8, 16);
    ASSERT_TRUE(fetch({0}, 1));
    EXPECT_EQ(at(0, 0), (Floats{1, 2, 3, 4}));
    memory.put<float>(0x00000010, {1, 3, 5, 7});
    element(0, 0x00080008); // base and start of the element add up to 2^32
    ASSERT_TRUE(fetch({1}, 1));
    EXPECT_EQ(at(0, 0), (Floats{1, 3, 5, 7}));
    element(0, 0x00000008);
    memory.put<float>(0x00000018, {5, 6, 7, 8});
    stream(0, 0x00000028, 16);
    ASSERT_TRUE(fetch({0xFFFFFFFF}, 1)); // 0x28 + 16 x 0xFFFFFFFF = 0x18 modulo 2^32
    EXPECT_EQ(at(0, 0), (Floats{5, 6, 7, 8}));
    memory.in_one_piece = false;
    ASSERT_TRUE(fetch({0xFFFFFFFF}, 1));
    EXPECT_EQ(at(0, 0), (Floats{5, 6, 7, 8}));
}

TEST_F(VertexFetchTest, ReadsHoles) {
    const float values[] = {1, 2, 3, 4};
    memory.put(0x40FF8, values, 8);
    element(0, 0x00000008);
    stream(0, 0x40FF8, 16);
    memory.pages.erase(0x41);
    ASSERT_TRUE(fetch({0, 1}, 1));
    EXPECT_EQ(at(0, 0), (Floats{1, 2, 0, 0}));
    EXPECT_EQ(at(0, 1), (Floats{0, 0, 0, 0}));
    memory.hole_value = 0xFF;
    ASSERT_TRUE(fetch({0, 1}, 1));
    EXPECT_EQ(std::bit_cast<Bits>(at(0, 1)), (Bits{~0u, ~0u, ~0u, ~0u}));
}

TEST_F(VertexFetchTest, StopsAtAFault) {
    memory.put<float>(0x10FF0, {1, 2, 3, 4});
    memory.faults[0x11] = true;
    element(0, 0x00000008);
    element(1, 0x00000008);
    stream(0, 0x10FF0, 16);
    EXPECT_FALSE(fetch({0, 1, 0}, 2));
    EXPECT_EQ(at(0, 0), (Floats{1, 2, 3, 4}));
    EXPECT_EQ(at(0, 1), (Floats{0, 0, 0, 0}));
    EXPECT_EQ(at(0, 2), (Floats{0, 0, 0, 0}));
    EXPECT_EQ(at(1, 0), (Floats{0, 0, 0, 0}));
    EXPECT_EQ(memory.maps, 2u);
}

TEST_F(VertexFetchTest, ReadsFarVerticesToo) {
    memory.put<float>(0x00010000, {1});
    memory.put<float>(0x7F010000, {2});
    element(0, 0x00001008);
    stream(0, 0x10000, 16);
    ASSERT_TRUE(fetch({0, 0x07F00000}, 1));
    EXPECT_EQ(at(0, 0)[0], 1);
    EXPECT_EQ(at(0, 1)[0], 2);
}

TEST_F(VertexFetchTest, ReadsBatchAfterBatch) {
    for (uint32_t i = 0; i < 1024; i++)
        memory.put<float>(0x50000 + 4 * i, {float(i)});
    element(0, 0x00001008);
    stream(0, 0x50000, 4);
    const FetchSetup setup = FetchSetup::decode(States(words.data()), 1, features);
    VertexFetch fetch(setup, memory);
    std::mt19937 random(1);
    std::vector<uint32_t> vertices(64);
    result.resize(1);
    for (unsigned round = 0; round < 100; round++) {
        for (uint32_t& v : vertices)
            v = random() % (round % 2 ? 1024 : 100) + (round % 2 ? 0 : random() % 900);
        fetch.fetch(vertices, result);
        for (unsigned i = 0; i < 64; i++)
            ASSERT_EQ(at(0, i)[0], float(vertices[i]));
    }
    EXPECT_EQ(memory.maps, 0u);
}

TEST_F(VertexFetchTest, TakesWhateverStatesHold) {
    std::mt19937 random(5);
    for (unsigned round = 0; round < 500; round++) {
        for (uint32_t address = 0x600; address < 0x6C0; address += 4)
            set(address, uint32_t(random()));
        memory.put<uint32_t>(uint32_t(random()), {uint32_t(random())});
        const uint32_t v = uint32_t(random());
        ASSERT_TRUE(fetch({v, v + 1, uint32_t(random()), 0, ~0u}, random() % 40, 16));
        memory.faults[uint32_t(random()) / Pages::page] = false;
    }
}

// ---- Cores with HALTI2 -------------------------------------------------------------------------

class HaltiVertexFetch : public VertexFetchTest {
protected:
    HaltiVertexFetch() {
        features.halti2 = true;
        for (unsigned e = 0; e < most_elements; e++)
            set(FE_GENERIC_ATTRIB_SCALE + 4 * e, 0x3F800000);
    }
    void nfe_stream(unsigned n, uint32_t base, uint32_t stride, uint32_t divisor = 0) {
        set(NFE_VERTEX_STREAMS_BASE_ADDR + 4 * n, base);
        set(NFE_VERTEX_STREAMS_CONTROL + 4 * n, stride);
        set(NFE_VERTEX_STREAMS_VERTEX_DIVISOR + 4 * n, divisor);
    }
    /// Returns the bits of vertex 0 at 0x10000, fetched with the element `word`.
    Bits bits_of(uint32_t word) {
        element(0, word);
        nfe_stream(word >> 8 & 7, 0x10000, 16);
        EXPECT_TRUE(fetch({0}, 1));
        return std::bit_cast<Bits>(at(0, 0));
    }
};

TEST_F(HaltiVertexFetch, ExtendsIntegersAsNormalizeSays) {
    memory.put<uint8_t>(0x10000, {0x80, 0x7F, 0xFF, 0x01});
    EXPECT_EQ(bits_of(0x0000010E), (Bits{0x80, 0x7F, 0xFF, 1}));
    EXPECT_EQ(bits_of(0x0000410E), (Bits{0xFFFFFF80, 0x7F, 0xFFFFFFFF, 1}));
    EXPECT_EQ(bits_of(0x0000810E), (Bits{0xFFFFFF80, 0x7F, 0xFFFFFFFF, 1}));
    memory.put<uint16_t>(0x10004, {0xFFFE, 3});
    set(FE_GENERIC_ATTRIB_SCALE, 1);
    EXPECT_EQ(bits_of(0x0804620F), (Bits{0xFFFFFFFE, 3, 0, 1}));
}

TEST_F(HaltiVertexFetch, KeepsTheBitsOf32BitIntegers) {
    memory.put<uint32_t>(0x10000, {0x80000000, 1, 0xFFFFFFFF, 0x7FC00001});
    EXPECT_EQ(bits_of(0x00000008), (Bits{0x80000000, 1, 0xFFFFFFFF, 0x7FC00001}));
}

TEST_F(HaltiVertexFetch, ExchangesRedAndBlueOfTypes12And13) {
    memory.put<uint32_t>(0x10000, {0xC00FFC00});
    EXPECT_EQ(bits_of(0x0000400D), (Bits{0, 0x3F800000, 0, 0x3F800000}));
    memory.put<uint32_t>(0x10000, {0x1FF00000}); // red 511, alpha 0
    EXPECT_EQ(bits_of(0x0000400C), (Bits{0x3F800000, 0, 0, 0}));
}

TEST_F(HaltiVertexFetch, TakesTheScaleForAMissingW) {
    memory.put<float>(0x10000, {1, 2, 3});
    EXPECT_EQ(bits_of(0x0C003008), (Bits{0x3F800000, 0x40000000, 0x40400000, 0x3F800000}));
    set(FE_GENERIC_ATTRIB_SCALE, 1);
    EXPECT_EQ(bits_of(0x0C003008), (Bits{0x3F800000, 0x40000000, 0x40400000, 1}));
    EXPECT_EQ(bits_of(0x04001008), (Bits{0x3F800000, 0, 0, 1}));
}

TEST_F(HaltiVertexFetch, AdvancesByInstanceWithADivisor) {
    for (uint32_t i = 0; i < 8; i++) {
        memory.put<float>(0x20000 + 16 * i, {100 + float(i)});
        memory.put<float>(0x30000 + 4 * i, {float(i)});
    }
    element(0, 0x00001008); // stream 0: by vertex
    element(1, 0x00001108); // stream 1: by instance
    nfe_stream(0, 0x30000, 4);
    nfe_stream(1, 0x20000, 16, 3);
    for (const bool whole : {true, false}) {
        memory.in_one_piece = whole;
        ASSERT_TRUE(fetch({5, 2, 7, 5}, 2, 2, {7, 0, 9, 8}));
        const float vertices[] = {5, 2, 7, 5}, instances[] = {102, 100, 103, 102};
        for (unsigned lane = 0; lane < 4; lane++) {
            EXPECT_EQ(at(0, lane)[0], vertices[lane]);
            EXPECT_EQ(at(1, lane)[0], instances[lane]);
        }
    }
    nfe_stream(1, 0x20000, 16, 0x80000000); // unsigned
    ASSERT_TRUE(fetch({0, 0}, 2, 2, {0x7FFFFFFF, 0x80000001}));
    EXPECT_EQ(at(1, 0)[0], 100);
    EXPECT_EQ(at(1, 1)[0], 101);
}

TEST_F(HaltiVertexFetch, HasStridesOf12Bits) {
    memory.put<float>(0x20000 + 0xFFF * 3, {42});
    element(0, 0x00001008);
    nfe_stream(0, 0x20000, 0xFFFFFFFF);
    ASSERT_TRUE(fetch({3}, 1));
    EXPECT_EQ(at(0, 0)[0], 42);
}

TEST_F(HaltiVertexFetch, TakesWhateverStatesHold) {
    std::mt19937 random(6);
    for (unsigned round = 0; round < 500; round++) {
        for (uint32_t address = 0x14600; address < 0x146C0; address += 4)
            set(address, uint32_t(random()));
        for (uint32_t address = 0x600; address < 0x640; address += 4)
            set(address, uint32_t(random()));
        const uint32_t v = uint32_t(random());
        ASSERT_TRUE(fetch({v, v + 1, 0, ~0u}, random() % 40, 16, {0, uint32_t(random()), ~0u, v}));
    }
}

// ---- Indices ---------------------------------------------------------------------------------

TEST_F(VertexFetchTest, ReadsIndicesOfEverySize) {
    const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0xFF};
    memory.put(0x60FFA, bytes, sizeof bytes);
    set(FE_INDEX_STREAM_BASE_ADDR, 0x60FFA);
    std::vector<uint32_t> out(3);

    set(FE_INDEX_STREAM_CONTROL, 0);
    IndexSetup setup = IndexSetup::decode(States(words.data()), 2, 0);
    ASSERT_TRUE(read_indices(setup, memory, 3, out));
    EXPECT_EQ(out, (std::vector<uint32_t>{6, 7, 8}));

    set(FE_INDEX_STREAM_CONTROL, 1);
    setup = IndexSetup::decode(States(words.data()), 1, 0);
    ASSERT_TRUE(read_indices(setup, memory, 1, out));
    EXPECT_EQ(out, (std::vector<uint32_t>{0x0605, 0x0807, 0x0A09}));

    set(FE_INDEX_STREAM_CONTROL, 2);
    setup = IndexSetup::decode(States(words.data()), 0, 0);
    ASSERT_TRUE(read_indices(setup, memory, 0, out));
    EXPECT_EQ(out, (std::vector<uint32_t>{0x04030201, 0x08070605, 0xFF0B0A09}));
}

TEST_F(VertexFetchTest, ReadsManyIndices) {
    std::vector<uint16_t> indices(5000);
    for (size_t i = 0; i < indices.size(); i++)
        indices[i] = uint16_t(i * 7);
    memory.put(0x70001, indices.data(), indices.size() * 2);
    set(FE_INDEX_STREAM_BASE_ADDR, 0x70001);
    set(FE_INDEX_STREAM_CONTROL, 1);
    std::vector<uint32_t> out(4990);
    ASSERT_TRUE(read_indices(IndexSetup::decode(States(words.data()), 10, 0), memory, 0, out));
    for (size_t i = 0; i < out.size(); i++)
        ASSERT_EQ(out[i], uint16_t((i + 10) * 7));
}

TEST_F(VertexFetchTest, AddsTheOffsetAfterTheRestart) {
    set(FE_PRIMITIVE_RESTART_INDEX, 0x1234FFFF);
    set(FE_INDEX_STREAM_CONTROL, 0x101);
    IndexSetup setup = IndexSetup::decode(States(words.data()), 0, uint32_t(-3));
    EXPECT_TRUE(setup.restarts(0xFFFF));
    EXPECT_FALSE(setup.restarts(0xFFFE));
    EXPECT_EQ(setup.vertex(10), 7u);
    EXPECT_EQ(setup.vertex(1), 0xFFFFFFFEu);

    set(FE_INDEX_STREAM_CONTROL, 0x102);
    setup = IndexSetup::decode(States(words.data()), 0, 0);
    EXPECT_FALSE(setup.restarts(0xFFFF));
    EXPECT_TRUE(setup.restarts(0x1234FFFF));
    set(FE_INDEX_STREAM_CONTROL, 0x100);
    EXPECT_TRUE(IndexSetup::decode(States(words.data()), 0, 0).restarts(0xFF));
    set(FE_INDEX_STREAM_CONTROL, 0x000);
    EXPECT_FALSE(IndexSetup::decode(States(words.data()), 0, 0).restarts(0xFF));
}

TEST_F(VertexFetchTest, WrapsAddressesOfIndices) {
    memory.put<uint32_t>(0xFFFFFFFC, {11, 12});
    set(FE_INDEX_STREAM_BASE_ADDR, 0xFFFFFFF8);
    set(FE_INDEX_STREAM_CONTROL, 2);
    std::vector<uint32_t> out(2);
    ASSERT_TRUE(read_indices(IndexSetup::decode(States(words.data()), 0, 0), memory, 1, out));
    EXPECT_EQ(out, (std::vector<uint32_t>{11, 12}));
    ASSERT_TRUE(
        read_indices(IndexSetup::decode(States(words.data()), 0x40000000, 0), memory, 1, out));
    EXPECT_EQ(out, (std::vector<uint32_t>{11, 12}));
}

TEST_F(VertexFetchTest, ReportsFaultsOfIndices) {
    memory.put<uint32_t>(0x80FFC, {11});
    memory.faults[0x81] = true;
    set(FE_INDEX_STREAM_BASE_ADDR, 0x80FFC);
    set(FE_INDEX_STREAM_CONTROL, 2);
    std::vector<uint32_t> out(1000, 5);
    EXPECT_FALSE(read_indices(IndexSetup::decode(States(words.data()), 0, 0), memory, 0, out));
    EXPECT_EQ(out[0], 11u);
    EXPECT_EQ(out[1], 0u);
    EXPECT_EQ(out[999], 0u);
    EXPECT_EQ(memory.maps, 2u);
}

} // namespace
} // namespace pixmill::vivante
