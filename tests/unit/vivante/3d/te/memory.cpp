// Textures in scattered memory, and textures of malicious guests.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <bit>
#include <cstring>
#include <limits>
#include <random>

#include "common/memory/mapped_memory.hpp"
#include "te.hpp"

namespace pixmill::vivante::te::test {
namespace {

using Words = std::vector<uint32_t>;

/// Returns the bits of the texels. Those of lanes that are not live are 0.
Words bits(const Vector& v, LaneMask live = ~LaneMask(0)) {
    Words words;
    for (const Lanes& lanes : v)
        for (unsigned l = 0; l < lane_count; l++)
            words.push_back(live >> l & 1 ? std::bit_cast<uint32_t>(lanes.f[l]) : 0);
    return words;
}

constexpr size_t contents = 0x10000; // number of bytes that tests use

/// Fills memory with random bytes. If `scattered`, pages are in random order in host memory.
void fill(Scene& scene, bool scattered) {
    std::mt19937 random{7};
    if (scattered) {
        std::vector<size_t> places;
        for (const TestMemory::Page& page : scene.memory.pages)
            places.push_back(page.host);
        std::shuffle(places.begin(), places.end(), random);
        for (size_t i = 0; i < places.size(); i++)
            scene.memory.pages[i].host = places[i];
    }
    std::mt19937 values{8};
    for (size_t i = 0; i < contents; i++)
        scene.memory.poke<uint8_t>(memory_origin + i, uint8_t(values()));
}

struct Kind {
    const char* name;
    uint32_t config0, config1;
};

constexpr Kind kinds[] = {
    {"L8", format(2), halign_16},
    {"R5G6B5", format(11), 0},
    {"A8B8G8R8", format(9), halign_16},
    {"supertiled", format(9), halign_super},
    {"linear", format(7) | linear_addressing, 0},
    {"YUY2", format(14), 0},
    {"DXT1", format(19), 0},
    {"DXT5", format(21), 0},
    {"ETC1", format(30), 0},
    {"RGBA8_ETC2_EAC", 0, 2},
};

/// Samples a 90x70 texture in `memory` everywhere, with a filter that reads four texels.
Words all_texels(Scene& scene, const Kind& kind, uint32_t address, Memory& memory) {
    scene.set(0, type_2d | linear | wraps(repeat, mirror) | kind.config0, identity | kind.config1,
              size_word(90, 70), 0, address);
    scene.state(0x2C00) = 4 * 93;
    scene.bind(memory);
    Words words;
    for (unsigned batch = 0; batch < 100; batch++) {
        Vector c;
        for (unsigned l = 0; l < lane_count; l++) {
            const unsigned n = batch * lane_count + l;
            c[0].f[l] = float(n % 90) / 90;
            c[1].f[l] = float(n / 90) / 70;
        }
        TextureRequest request;
        request.coordinate = &c;
        Vector texel;
        scene.units->sample(request, texel);
        const Words more = bits(texel);
        words.insert(words.end(), more.begin(), more.end());
    }
    return words;
}

Words all_texels(Scene& scene, const Kind& kind, uint32_t address) {
    return all_texels(scene, kind, address, scene.memory);
}

TEST(TeMemory, FragmentedMemoryReadsTheSame) {
    Scene one(0x40000);
    fill(one, false);
    for (const uint64_t page_size : {4096, 1024, 64}) {
        Scene pieces(page_size);
        fill(pieces, true);
        for (const Kind& kind : kinds)
            for (const uint32_t offset : {0u, 64u, 3u}) { // with 3, texels cross pages
                const Words expected = all_texels(one, kind, memory_origin + offset);
                EXPECT_EQ(all_texels(pieces, kind, memory_origin + offset), expected)
                    << kind.name << " " << page_size << " " << offset;
                EXPECT_FALSE(pieces.units->faulted());
            }
        EXPECT_EQ(pieces.memory.strays, 0u);
    }
}

TEST(TeMemory, PagesMappedBeforehandReadTheSame) {
    Scene one(0x40000), pieces(4096);
    fill(one, false);
    fill(pieces, true);
    MappedMemory mapped;
    ASSERT_TRUE(
        mapped.add(pieces.memory, *ByteRange::of(memory_origin, memory_size), Access::read));
    MappedView view(mapped);
    for (const Kind& kind : kinds)
        for (const uint32_t offset : {0u, 64u, 0xFFCu, 3u}) // with 3, texels cross pages
            EXPECT_EQ(all_texels(pieces, kind, memory_origin + offset, view),
                      all_texels(one, kind, memory_origin + offset))
                << kind.name << " " << offset;
    EXPECT_EQ(pieces.memory.maps, 0u);
    EXPECT_EQ(pieces.memory.strays, 0u);
}

/// Each level has its own pages, at its own offset in its first page.
TEST(TeMemory, LevelsMappedBeforehandReadTheSame) {
    Scene scene(4096);
    scene.set(0, type_2d | filters(1, 1, 1) | format(9), identity, size_word(128, 128),
              lod_word(0, 7 * 32));
    uint32_t at = memory_origin + 0x124;
    for (uint32_t level = 0; level < 8; level++, at += 0x1A8) {
        scene.state(0x2400 + 0x40 * level) = at;
        const uint32_t edge = std::max(128u >> level, 4u);
        for (uint32_t i = 0; i < edge * edge; i++, at += 4)
            scene.memory.poke<uint32_t>(at, 0x01010101 * (level + 1));
    }
    MappedMemory mapped;
    ASSERT_TRUE(mapped.add(scene.memory, *ByteRange::of(memory_origin, memory_size), Access::read));
    MappedView view(mapped);
    scene.bind(view);
    for (uint32_t level = 0; level < 8; level++) {
        Vector c{}, texel;
        for (unsigned l = 0; l < lane_count; l++) {
            c[0].f[l] = (float(l % 8) + 0.5f) / 8;
            c[1].f[l] = (float(l / 8) + 0.5f) / 8;
            c[3].f[l] = float(level);
        }
        TextureRequest request;
        request.sampler = 0;
        request.quads = false;
        request.lod = Lod::given;
        request.coordinate = &c;
        scene.units->sample(request, texel);
        for (unsigned l = 0; l < lane_count; l++)
            EXPECT_FLOAT_EQ(texel[1].f[l], float(level + 1) / 255) << level << " " << l;
    }
}

/// How much is known of 64x64 texels of 32 bits: pages, unless each level is one span, or a texel
/// might cross a page.
TEST(TeMemory, PagesAreKnownIfAllAreMapped) {
    using Known = TexelSource::Known;
    Scene scene(4096);
    fill(scene, true);
    constexpr uint32_t tiled = 4 * 64 * 64, begin = memory_origin + 64, stride_at = 0x2C00;
    MappedMemory mapped;
    ASSERT_TRUE(mapped.add(scene.memory, *ByteRange::of(begin, 2 * tiled), Access::read));
    MappedView view(mapped);
    const auto known = [&](Memory& memory, uint32_t config0, uint32_t address,
                           uint32_t size = size_word(64, 64)) {
        scene.set(0, type_2d | nearest | format(9) | config0, identity, size, 0, address);
        scene.setup = TeSetup::decode(States(scene.words.data()));
        return make_unit(scene.setup.sampler[0], false, te_kernels(), memory).source.known;
    };
    EXPECT_EQ(known(view, 0, begin), Known::pages);
    EXPECT_EQ(known(view, 0, begin + tiled), Known::pages) << "up to the end";
    EXPECT_EQ(known(view, 0, begin + tiled + 64), Known::nothing) << "past the end";
    EXPECT_EQ(known(view, 0, begin - 4), Known::nothing) << "before the begin";
    EXPECT_EQ(known(view, 0, begin + 2), Known::nothing) << "a texel crosses pages";
    EXPECT_EQ(known(view, 0, begin, size_word(16, 16)), Known::spans);
    EXPECT_EQ(known(scene.memory, 0, begin), Known::nothing) << "not mapped beforehand";
    scene.state(stride_at) = 4 * 93;
    EXPECT_EQ(known(view, linear_addressing, begin), Known::pages);
    scene.state(stride_at) = 4 * 93 + 2;
    EXPECT_EQ(known(view, linear_addressing, begin), Known::nothing) << "a row is not aligned";
    EXPECT_EQ(known(view, 0, begin), Known::pages) << "tiles have no stride";
}

TEST(TeMemory, MapsPagesOnceASlice) {
    Scene pieces(4096);
    fill(pieces, true);
    (void)all_texels(pieces, kinds[2], memory_origin);
    EXPECT_LE(pieces.memory.maps, contents / 4096);
}

TEST(TeMemory, HolesReadTheirValue) {
    for (const Kind& kind : kinds) {
        Scene holes, filled;
        fill(holes, false);
        fill(filled, false);
        for (const size_t page : {1u, 3u, 4u}) {
            holes.memory.pages[page] = {Mapping::hole, 0xA5, holes.memory.pages[page].host};
            for (uint32_t i = 0; i < 4096; i++)
                filled.memory.poke<uint8_t>(memory_origin + 4096 * page + i, 0xA5);
        }
        EXPECT_EQ(all_texels(holes, kind, memory_origin), all_texels(filled, kind, memory_origin))
            << kind.name;
        EXPECT_FALSE(holes.units->faulted());
    }
}

TEST(TeMemory, FaultsAreRemembered) {
    Scene scene;
    fill(scene, false);
    scene.memory.pages[1].mapping = Mapping::fault;
    // 64x64 tiled texels of 32 bits: rows 16 to 31 are in page 1.
    scene.set(0, type_2d | nearest | format(9), identity, size_word(64, 64));
    EXPECT_NE(scene.texel(5, 15, 64, 64), (Texel{0, 0, 0, 0}));
    EXPECT_FALSE(scene.units->faulted());
    EXPECT_EQ(scene.texel(5, 16, 64, 64), (Texel{0, 0, 0, 0}));
    EXPECT_TRUE(scene.units->faulted());
    EXPECT_NE(scene.texel(5, 32, 64, 64), (Texel{0, 0, 0, 0})) << "another slice";
    EXPECT_FALSE(scene.units->faulted());
}

TEST(TeMemory, LanesThatAreNotLiveReadNothing) {
    Scene scene;
    fill(scene, false);
    scene.memory.pages[1].mapping = Mapping::fault;
    const Kind anisotropic{"anisotropic", format(9) | 0x80u << 24, 0};
    for (const Kind& kind : {kinds[2], kinds[5], kinds[8], anisotropic}) {
        scene.set(0, type_2d | linear | kind.config0, identity, size_word(64, 192));
        scene.bind();
        Vector c;
        c[0].f.fill(0.5f);
        TextureRequest request;
        request.live = 0xF0;
        for (unsigned l = 0; l < lane_count; l++) // other lanes are anywhere in the texture
            c[1].f[l] = request.live >> l & 1 ? 0.02f : float(l) / 64;
        request.coordinate = &c;
        Vector texel;
        scene.units->sample(request, texel);
        EXPECT_FALSE(scene.units->faulted()) << kind.name;
        request.live = ~LaneMask(0);
        scene.units->sample(request, texel);
        EXPECT_TRUE(scene.units->faulted()) << kind.name;
    }
}

TEST(TeMemory, ASliceForgetsTheOneBefore) {
    Scene scene(4096);
    scene.set(0, type_2d | nearest | format(30), identity, size_word(4, 4));
    scene.set(1, type_2d | nearest | format(2), identity, size_word(64, 128));
    scene.memory.pages[0].host = 4096; // so that the pages are not contiguous
    scene.memory.pages[1].host = 0;
    scene.memory.poke<uint32_t>(memory_origin, 0x00FFFFFF);
    EXPECT_EQ(scene.at(0.5f, 0.5f)[0], 1);
    EXPECT_EQ(scene.at(0, 0, 0, 1)[0], 1);
    scene.memory.poke<uint32_t>(memory_origin, 0);
    EXPECT_EQ(scene.at(0.5f, 0.5f)[0], double(2 / 255.0f));
    EXPECT_EQ(scene.at(0, 0, 0, 1)[0], 0);
    scene.memory.pages[0].host = 8192;
    scene.memory.poke<uint32_t>(memory_origin, 0x00FFFFFF);
    scene.memory.pool[4096] = std::byte(0x7F);
    EXPECT_EQ(scene.at(0.5f, 0.5f)[0], 1);
    EXPECT_EQ(scene.at(0, 0, 0, 1)[0], 1);
}

TEST(TeMemory, BlocksAreThoseOfTheirFormat) {
    Scene scene;
    scene.memory.poke<uint64_t>(memory_origin, 0xE4001FF800);
    scene.set(0, type_2d | nearest | format(19), identity, size_word(4, 4));
    scene.set(1, type_2d | nearest | format(30), identity, size_word(4, 4));
    scene.bind();
    Vector c, dxt1, etc1;
    for (Lanes& lanes : c)
        lanes.f.fill(0.1f);
    TextureRequest request;
    request.coordinate = &c;
    scene.units->sample(request, dxt1);
    request.sampler = 1;
    scene.units->sample(request, etc1);
    EXPECT_EQ(lane(dxt1, 0), (Texel{1, 0, 0, 1}));
    // Individual mode: the bytes 0x00, 0xF8, 0x1F are colors 0, 15, 1, and the modifier is + 2.
    EXPECT_EQ(lane(etc1, 0), (Texel{double(2 / 255.0f), 1, double(19 / 255.0f), 1}));
}

TEST(TeMemory, PairsOfYuvAreReadAsAWhole) {
    // In a row of 5 texels, the last two bytes of the third pair are past the end of memory.
    Scene scene;
    scene.set(0, type_2d | nearest | format(14) | linear_addressing, identity, size_word(5, 1), 0,
              memory_origin + memory_size - 10);
    scene.state(0x2C00) = 10;
    (void)scene.texel(3, 0, 5, 1);
    EXPECT_FALSE(scene.units->faulted());
    (void)scene.texel(4, 0, 5, 1);
    EXPECT_TRUE(scene.units->faulted());
}

TEST(TeMemory, TexelsMayReplaceTheirCoordinates) {
    Scene scene(0x40000);
    fill(scene, false);
    const uint32_t kinds_of[] = {type_2d | filters(2, 2, 1), type_2d | filters(2, 1, 2),
                                 type_3d | filters(2, 0, 2), type_cube | filters(2, 2, 2),
                                 type_2d | filters(2, 2, 2) | 0x80u << 24};
    std::mt19937 random{5};
    for (const uint32_t config0 : kinds_of) {
        scene.set(0, config0 | format(9), identity, size_word(16, 16), lod_word(0, 64));
        scene.state(0x2180) = 4;
        scene.state(0x2440) = memory_origin + 0x4000;
        scene.state(0x2480) = memory_origin + 0x5000;
        scene.bind();
        Vector c, texel;
        for (Lanes& lanes : c)
            for (float& f : lanes.f)
                f = std::ldexp(float(random()), -31);
        TextureRequest request;
        request.coordinate = &c;
        scene.units->sample(request, texel);
        scene.units->sample(request, c);
        EXPECT_EQ(bits(c), bits(texel)) << std::hex << config0;
    }
}

/// Memory that has only the last and the first page of the address space.
class Ends final : public Memory {
public:
    HostSpan map(uint64_t address, uint64_t length, Access) override {
        outside += address + length > uint64_t(1) << 32;
        const uint64_t at = address & 0xFFF;
        const bool known = address < 0x1000 || address >= 0xFFFFF000;
        if (!known)
            return {};
        return {Mapping::host, 0, &bytes[address < 0x1000 ? 0x1000 + at : at],
                std::min(length, 0x1000 - at)};
    }
    void mark_dirty(uint64_t, uint64_t) override {}

    std::array<std::byte, 0x2000> bytes{}; ///< the last page first
    unsigned outside = 0;
};

TEST(TeMemory, AddressesWrap) {
    Ends memory;
    for (size_t i = 0; i < memory.bytes.size(); i++)
        memory.bytes[i] = std::byte(i / 16);
    Scene scene;
    scene.set(0, type_2d | nearest | format(2), identity, size_word(64, 16), 0, 0xFFFFFE00);
    scene.setup = TeSetup::decode(States(scene.words.data()));
    scene.units->bind(scene.setup, memory);
    Vector c;
    for (unsigned l = 0; l < lane_count; l++) { // a column of tiles that are 0x100 bytes apart
        c[0].f[l] = 0.5f / 64;
        c[1].f[l] = (float(l / 4) + 0.5f) / 16;
    }
    TextureRequest request;
    request.coordinate = &c;
    Vector texel;
    scene.units->sample(request, texel);
    EXPECT_FALSE(scene.units->faulted());
    EXPECT_EQ(memory.outside, 0u);
    for (unsigned l = 0; l < lane_count; l += 4)
        EXPECT_EQ(texel[0].f[l], float((0xE00 + l / 16 * 0x100 + l / 4 % 4 * 4) / 16 & 0xFF) / 255)
            << l;
}

// ---- Malicious guests --------------------------------------------------------------------------

float odd_number(std::mt19937& random) {
    constexpr float odd[] = {0,
                             -0.0f,
                             1,
                             -1,
                             1e30f,
                             -1e30f,
                             1e-40f,
                             8388607.5f,
                             -8388608.5f,
                             2147483648.0f,
                             std::numeric_limits<float>::infinity(),
                             -std::numeric_limits<float>::infinity(),
                             std::numeric_limits<float>::quiet_NaN(),
                             -std::numeric_limits<float>::quiet_NaN()};
    switch (random() % 4) {
    case 0:
        return odd[random() % std::size(odd)];
    case 1:
        return std::bit_cast<float>(uint32_t(random()));
    default:
        return std::ldexp(float(int32_t(random())), -30);
    }
}

Vector odd_numbers(std::mt19937& random) {
    Vector v;
    for (Lanes& lanes : v)
        for (float& f : lanes.f)
            f = odd_number(random);
    return v;
}

/// Sets random states, many of which are valid.
void random_states(Scene& scene, std::mt19937& random) {
    for (uint32_t address = 0x2000; address < 0x3000; address += 4)
        scene.state(address) = uint32_t(random());
    for (unsigned s = 0; s < te_bank.count; s++) {
        if (random() % 8) {
            constexpr uint32_t good[] = {type_1d, type_2d, type_2d, type_3d, type_cube};
            scene.state(0x2000 + 4 * s) = (scene.state(0x2000 + 4 * s) & ~0x30FFC7u) |
                                          good[random() % 5] | format(random() % 32) |
                                          filters(random() % 4, random() % 4, random() % 4) |
                                          (random() % 4 ? 0 : linear_addressing);
            scene.state(0x21C0 + 4 * s) &= ~(random() % 2 ? 0x1C000030u : 0x18000030u);
        }
        if (random() % 2)
            scene.state(0x2040 + 4 * s) &= 0x007F007F;
        if (random() % 2)
            scene.state(0x2180 + 4 * s) &= ~0x3FF0u;
        for (unsigned level = 0; level < level_count; level++)
            if (random() % 4)
                scene.state(0x2400 + 0x40 * level + 4 * s) =
                    memory_origin + random() % (memory_size - 0x1000);
    }
}

/// Samples with random states and coordinates. Returns the bits of all texels.
Words attack(unsigned seed) {
    std::mt19937 random{seed};
    Scene scene(4096);
    fill(scene, seed % 2);
    for (TestMemory::Page& page : scene.memory.pages)
        if (random() % 64 == 0)
            page.mapping = Mapping::hole;
    Words all;
    for (unsigned round = 0; round < 6; round++) {
        random_states(scene, random);
        for (unsigned i = 0; i < 60; i++) {
            if (i % 5 == 0) // clears a fault, after which nothing is read
                scene.bind();
            const Vector c = odd_numbers(random), dx = odd_numbers(random),
                         dy = odd_numbers(random);
            TextureRequest request;
            request.sampler = i % 14;
            request.lod = Lod(random() % 4);
            request.quads = random() % 4;
            request.live = random() % 2 ? ~LaneMask(0) : LaneMask(random()) << 16;
            request.coordinate = &c;
            request.dx = &dx;
            request.dy = &dy;
            Vector texel;
            scene.units->sample(request, texel);
            for (unsigned l = 0; l < lane_count; l++) {
                for (unsigned k = 0; k < 4; k++) {
                    const float v = texel[k].f[l];
                    EXPECT_TRUE(!(request.live >> l & 1) || std::abs(v) <= 1.00001f) << v;
                }
            }
            const Words more = bits(texel, request.live);
            all.insert(all.end(), more.begin(), more.end());
        }
        if (testing::Test::HasFailure())
            break;
    }
    return all;
}

TEST(TeHostile, NumbersStayNumbers) {
    for (unsigned seed = 0; seed < 40; seed++) {
        (void)attack(seed);
        ASSERT_FALSE(HasFailure()) << "seed " << seed;
    }
}

TEST(TeHostile, AllProcessorsGiveTheSameBits) {
    for (unsigned seed = 0; seed < 20; seed++) {
        const Words native = attack(seed);
        const processor::Portable portable;
        ASSERT_EQ(native, attack(seed)) << "seed " << seed;
    }
}

} // namespace
} // namespace pixmill::vivante::te::test
