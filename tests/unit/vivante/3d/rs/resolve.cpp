// The resolve engine (RS): jobs of Mesa 25.0 (etnaviv_rs.c, etnaviv_clear_blit.c), and random jobs
// compared with a simple model. The model follows rnndb state_3d.xml and etna_viv's
// doc/hardware.md and, where these are incomplete, docs/hardware/vivante-3d.md ("Resolve").
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <array>
#include <initializer_list>
#include <memory>

#include "../../../../random_setting.hpp"
#include "../guest_memory.hpp"
#include "pixmill/vivante.h"
#include "vivante/3d/rs/rs.hpp"

namespace pixmill::vivante {
namespace {

using test::all_layouts;
using test::GuestMemory;
using test::random_bytes;
using test::sample_at;
using Bytes = std::vector<uint8_t>;

constexpr uint32_t base = 0x10000000;
constexpr uint64_t no_limit = UINT64_MAX;

/// All states, and a job that runs with them.
struct Stream {
    std::vector<uint32_t> words = std::vector<uint32_t>(PIXMILL_VIVANTE_STATE_WORDS);
    Features3d features;

    void load(uint32_t address, std::initializer_list<uint32_t> values) {
        for (const uint32_t value : values) {
            words[address / 4] = value;
            address += 4;
        }
    }
    uint32_t at(uint32_t address) const { return words[address / 4]; }
    RsSetup setup() const { return RsSetup::decode(States(words.data()), features); }

    /// Runs a job to its end, or to a fault, with `budget` per call.
    static Resolve::Progress finish(const RsSetup& setup, Memory& memory,
                                    uint64_t budget = no_limit, uint32_t position = 0) {
        const auto resolve = std::make_unique<Resolve>();
        resolve->begin(setup);
        Resolve::Progress progress;
        progress.position = position;
        do {
            const uint32_t before = progress.position;
            progress = resolve->run(memory, before, budget);
            EXPECT_TRUE(progress.done || progress.faulted || progress.position > before);
        } while (!progress.done && !progress.faulted && !testing::Test::HasFailure());
        return progress;
    }
    Resolve::Progress kick(Memory& memory, uint64_t budget = no_limit) const {
        return finish(setup(), memory, budget);
    }
    /// Returns the number of bytes that all calls have written.
    uint64_t written(Memory& memory, uint64_t budget) const {
        const auto resolve = std::make_unique<Resolve>();
        resolve->begin(setup());
        Resolve::Progress progress;
        uint64_t bytes = 0;
        do {
            progress = resolve->run(memory, progress.position, budget);
            bytes += progress.written;
        } while (!progress.done && !progress.faulted);
        return bytes;
    }
};

// ---- A plain model --------------------------------------------------------------------

uint32_t bytes_of(uint32_t format) {
    switch (format) {
    case 5:
    case 6:
    case 22:
    case 23:
        return 4;
    case 16:
        return 1;
    case 21:
        return 8;
    default:
        return 2;
    }
}

/// Returns the number of bits of x, a, r, g and b, which are in this order from the highest bit.
std::array<unsigned, 5> channels_of(uint32_t format) {
    switch (format) {
    case 0:
        return {4, 0, 4, 4, 4};
    case 2:
        return {1, 0, 5, 5, 5};
    case 3:
        return {0, 1, 5, 5, 5};
    case 4:
        return {0, 0, 5, 6, 5};
    case 5:
        return {8, 0, 8, 8, 8};
    case 16:
        return {0, 0, 0, 0, 8};
    case 22:
        return {0, 2, 10, 10, 10};
    default:
        return bytes_of(format) == 2 ? std::array<unsigned, 5>{0, 4, 4, 4, 4}
                                     : std::array<unsigned, 5>{0, 8, 8, 8, 8};
    }
}

/// Widens `value` to `to` bits by repeating its bits, highest first.
uint32_t replicate(uint32_t value, unsigned from, unsigned to) {
    uint32_t result = 0;
    for (unsigned i = 0; i < to; i++)
        result = result << 1 | (value >> (from - 1 - i % from) & 1);
    return result;
}

using Color = std::array<uint32_t, 4>; // a, r, g, b

Color unpack(uint32_t format, uint64_t pixel) {
    Color color{0xFF, 0, 0, 0};
    const auto bits = channels_of(format);
    unsigned shift = bytes_of(format) == 8 ? 32 : 8 * bytes_of(format);
    for (unsigned i = 0; i < 5; i++) {
        shift -= bits[i];
        if (i && bits[i])
            color[i - 1] = replicate(uint32_t(pixel >> shift) & ((1u << bits[i]) - 1), bits[i], 8);
    }
    return color;
}

uint64_t pack(uint32_t format, const Color& color) {
    const auto bits = channels_of(format);
    uint64_t pixel = (1u << bits[0]) - 1;
    for (unsigned i = 1; i < 5; i++)
        pixel = pixel << bits[i] | (bits[i] ? replicate(color[i - 1], 8, bits[i]) : 0);
    return bytes_of(format) == 8 ? pixel << 32 | pixel : pixel;
}

struct Side {
    Layout layout;
    uint32_t format, stride;
    std::array<uint32_t, 2> address;

    uint32_t at(uint32_t x, uint32_t y) const {
        const auto found = sample_at(layout, stride, bytes_of(format), x, y);
        return address[found.pipe] + found.offset;
    }
};

Side side_of(const Stream& s, bool source) {
    const uint32_t config = s.at(0x1604), stride = s.at(source ? 0x160C : 0x1614);
    const bool tiled = config >> (source ? 7 : 14) & 1;
    const bool multi = stride >> 30 & 1, super = stride >> 31;
    Layout layout = Layout::linear;
    if (tiled)
        layout = multi   ? super ? Layout::multi_supertiled : Layout::multi_tiled
                 : super ? Layout::supertiled
                         : Layout::tiled;
    const uint32_t address = source ? 0x16C0 : 0x16E0;
    return {layout,
            config >> (source ? 0 : 8) & 31,
            (stride & 0x3FFFF) / (tiled ? 4 : 1),
            {s.at(address), s.at(address + 4)}};
}

class Model {
public:
    Model(const Stream& s, Bytes& bytes)
        : s_(s), source_(side_of(s, true)), destination_(side_of(s, false)), bytes_(bytes),
          before_(bytes) {}

    void run() {
        const uint32_t config = s_.at(0x1604), window = s_.at(0x1620);
        const uint32_t dx = config >> 5 & 1, dy = config >> 6 & 1;
        std::vector<std::array<uint32_t, 4>> boxes; // destination area of each pipe
        for (unsigned pipe = 0; pipe < 2; pipe++) {
            const uint32_t offset = s_.at(0x1700 + 4 * pipe);
            const uint32_t x = offset & 0xFFFF, y = offset >> 16;
            if (pipe == 0 || offset != s_.at(0x1700))
                boxes.push_back({x >> dx, (x + (window & 0xFFFF) - 1) >> dx, y >> dy,
                                 (y + (window >> 16) - 1) >> dy});
        }
        uint32_t top = UINT32_MAX, bottom = 0;
        for (const auto& box : boxes) {
            top = std::min(top, box[2]);
            bottom = std::max(bottom, box[3]);
        }
        for (const auto& box : boxes)
            for (uint32_t y = box[2]; y <= box[3]; y++)
                for (uint32_t x = box[0]; x <= box[1]; x++)
                    draw(x, y, config >> 30 & 1 ? top + bottom - y : y, dx, dy);
    }

private:
    uint64_t read(uint32_t address, uint32_t length) const {
        uint64_t value = 0;
        std::memcpy(&value, before_.data() + (address - base), length);
        return value;
    }
    uint64_t read_source(uint32_t x, uint32_t y) const {
        const uint32_t address = source_.at(x, y), length = bytes_of(source_.format);
        if (s_.at(0x1654) >> 1 & 1) {
            const uint32_t tile = (address - s_.at(0x165C)) / 64;
            const auto state = uint32_t(read(s_.at(0x1658) + tile / 4, 1)) >> tile % 4 * 2 & 3;
            const uint64_t low = s_.at(0x1660), high = s_.at(0x16BC);
            if (state == 1)
                return length == 8   ? high << 32 | low
                       : length == 4 ? low
                                     : low >> address % 4 * 8 & ((uint64_t(1) << 8 * length) - 1);
        }
        return read(address, length);
    }
    void draw(uint32_t x, uint32_t y, uint32_t to_y, uint32_t dx, uint32_t dy) {
        const uint32_t length = bytes_of(destination_.format), mode = s_.at(0x163C) >> 16 & 3;
        const uint32_t address = destination_.at(x, to_y);
        uint64_t value;
        uint32_t enables = 0xF;
        if (mode) {
            const uint32_t group = mode == 1 ? 0 : x / 4 % 4;
            enables = s_.at(0x163C) >> group * 4 & 0xF;
            value = s_.at(0x1640 + 4 * group);
            if (length == 8)
                value = s_.at(0x1640 + 4 * (group & 2)) | uint64_t(s_.at(0x1640 + 4 * (group | 1)))
                                                              << 32;
        } else {
            value = copied(x, y, dx, dy);
        }
        for (uint32_t i = 0; i < length; i++)
            if (enables >> i % 4 & 1)
                bytes_[address - base + i] = uint8_t(value >> 8 * i);
    }
    uint64_t copied(uint32_t x, uint32_t y, uint32_t dx, uint32_t dy) const {
        const uint32_t config = s_.at(0x1604), format = config >> 8 & 31;
        const bool swap = config >> 29 & 1;
        if (source_.format == format && !dx && !dy && !swap)
            return read_source(x, y);
        Color sum{};
        const uint32_t count = (dx + 1) * (dy + 1);
        for (uint32_t j = 0; j <= dy; j++)
            for (uint32_t i = 0; i <= dx; i++) {
                const Color one = unpack(source_.format, read_source((x << dx) + i, (y << dy) + j));
                for (unsigned c = 0; c < 4; c++)
                    sum[c] += one[c];
            }
        for (uint32_t& channel : sum)
            channel = (channel + count / 2) / count;
        if (swap)
            std::swap(sum[1], sum[3]);
        return pack(format, sum);
    }

    const Stream& s_;
    const Side source_, destination_;
    Bytes& bytes_;
    const Bytes before_;
};

/// Runs a job with each kind of memory, and compares the results with those of the model.
void compare(const Stream& stream, size_t size, const Bytes& before) {
    Bytes expected = before;
    Model(stream, expected).run();
    for (const uint32_t piece : {0u, 0x1000u, 52u}) {
        GuestMemory memory(base, size, piece);
        memory.set(before);
        const auto progress = stream.kick(memory);
        EXPECT_TRUE(progress.done);
        EXPECT_FALSE(progress.faulted);
        const Bytes now = memory.bytes();
        const auto at = std::mismatch(now.begin(), now.end(), expected.begin());
        ASSERT_EQ(at.first, now.end())
            << "at 0x" << std::hex << at.first - now.begin() << ", pieces of " << piece
            << ", config " << stream.at(0x1604);
        memory.expect_reported(before);
    }
}

/// The source and destination of a copy, with 128x128 samples each.
struct Surfaces {
    Layout source, destination;
    uint32_t source_format, destination_format;
};
constexpr uint32_t side = 128;

uint32_t stride_word(Layout layout, uint32_t format) {
    const uint32_t stride = side * bytes_of(format);
    if (layout == Layout::linear)
        return stride;
    return stride * 4 | (is_multi(layout) ? 1u << 30 : 0) | (is_supertiled(layout) ? 1u << 31 : 0);
}

constexpr uint32_t room = side * side * 8; // the largest size of a surface

Stream copy_of(const Surfaces& s, uint32_t config = 0) {
    Stream stream;
    stream.load(0x1604, {config | s.source_format | s.destination_format << 8 |
                         (s.source == Layout::linear ? 0 : 1u << 7) |
                         (s.destination == Layout::linear ? 0 : 1u << 14)});
    stream.load(0x160C, {stride_word(s.source, s.source_format)});
    stream.load(0x1614, {stride_word(s.destination, s.destination_format)});
    stream.load(0x16C0, {base, base + side * side / 2 * bytes_of(s.source_format)});
    stream.load(0x16E0,
                {base + room, base + room + side * side / 2 * bytes_of(s.destination_format)});
    return stream;
}

void set_window(Stream& stream, uint32_t width, uint32_t height, uint32_t first, uint32_t second) {
    stream.load(0x1620, {height << 16 | width});
    stream.load(0x1700, {first, second});
}

// ---- Streams of the driver ------------------------------------------------------------

TEST(Resolve, FillsASurface) {
    Stream s;
    s.load(0x1604, {0x00004606});
    s.load(0x1614, {0xC0001000});
    s.load(0x16E0, {base, base + 0x20000});
    s.load(0x1700, {0, 0x00800000});
    s.load(0x1620, {0x00800100});
    s.load(0x163C, {0x0001FFFF, 0xFF996633, 0xFF996633, 0xFF996633, 0xFF996633});
    for (const uint32_t piece : {0u, 0x1000u, 52u}) {
        GuestMemory memory(base, 0x41000, piece);
        const Bytes before = random_bytes(0x41000, 1);
        memory.set(before);
        EXPECT_TRUE(s.kick(memory).done);
        Bytes expected = before;
        for (uint32_t i = 0; i < 0x40000; i++)
            expected[i] = uint8_t(0xFF996633 >> i % 4 * 8);
        EXPECT_EQ(memory.bytes(), expected);
        memory.expect_reported(before);
    }
}

TEST(Resolve, ClearsTileStatus) {
    Stream s;
    s.load(0x1604, {0x00004606});
    s.load(0x1614, {0x00000100});
    s.load(0x16E0, {base});
    s.load(0x16E4, {0xDEADBEEF}); // must be ignored, as the surface has one pipe
    s.load(0x1700, {0, 0x00080000});
    s.load(0x1620, {0x00080010});
    s.load(0x163C, {0x0001FFFF, 0x55555555});
    GuestMemory memory(base, 0x1000);
    EXPECT_TRUE(s.kick(memory).done);
    Bytes expected(0x1000);
    std::fill_n(expected.begin(), 0x400, uint8_t(0x55));
    EXPECT_EQ(memory.bytes(), expected);
}

TEST(Resolve, ClearsDepthOrStencilAlone) {
    for (const bool depth : {true, false}) {
        Stream s;
        s.load(0x1604, {0x00004606});
        s.load(0x1614, {0xC0001000});
        s.load(0x16E0, {base, base + 0x20000});
        s.load(0x1700, {0, 0x00800000});
        s.load(0x1620, {0x00800100});
        s.load(0x163C, {depth ? 0x0001EEEEu : 0x00011111u, depth ? 0xFFFFFF00 : 0x0000005A});
        for (const uint32_t piece : {0u, 0x1000u, 52u}) {
            GuestMemory memory(base, 0x40000, piece);
            Bytes expected = random_bytes(0x40000, 2);
            memory.set(expected);
            EXPECT_TRUE(s.kick(memory).done);
            for (uint32_t i = 0; i < expected.size(); i++)
                if (depth && i % 4)
                    expected[i] = 0xFF;
                else if (!depth && i % 4 == 0)
                    expected[i] = 0x5A;
            EXPECT_EQ(memory.bytes(), expected);
        }
    }
}

TEST(Resolve, Fills16Bits) {
    Stream s;
    s.load(0x1604, {0x00004101});
    s.load(0x1614, {0xC0000800});
    s.load(0x16E0, {base, base + 0x10000});
    s.load(0x1700, {0, 0x00800000});
    s.load(0x1620, {0x00800100});
    s.load(0x163C, {0x0001FFFF, 0xF800F800});
    GuestMemory memory(base, 0x20000);
    EXPECT_TRUE(s.kick(memory).done);
    Bytes expected(0x20000);
    for (uint32_t i = 1; i < expected.size(); i += 2)
        expected[i] = 0xF8;
    EXPECT_EQ(memory.bytes(), expected);
}

TEST(Resolve, DrawsARectangleOfBothPipesOnce) {
    Stream s;
    s.load(0x1604, {0x00000606});
    s.load(0x160C, {128});
    s.load(0x1614, {128});
    s.load(0x16C0, {base});
    s.load(0x16E0, {base + 0x600});
    s.load(0x1700, {0, 0});
    s.load(0x1620, {0x000C0020});
    EXPECT_EQ(s.setup().rectangles, 1u);
    GuestMemory memory(base, 0x1000);
    Bytes expected = random_bytes(0x1000, 3);
    memory.set(expected);
    EXPECT_TRUE(s.kick(memory).done);
    std::copy_n(expected.begin(), 0x600, expected.begin() + 0x600);
    EXPECT_EQ(memory.bytes(), expected);
}

TEST(Resolve, AveragesSamples) {
    // 64x64 pixels with 4 samples each, in 64 rows per pipe. The samples of pixel (x, y) have red
    // 4x, 4x + 1, 4x + 1 and 4x + 3, green y, and blue 255, 255, 254 and 254.
    Stream s;
    s.load(0x1604, {0x000046E6});
    s.load(0x160C, {0xC0000800});
    s.load(0x1614, {0x00000400});
    s.load(0x16C0, {base, base + 0x8000});
    s.load(0x16E0, {base + 0x10000});
    s.load(0x1700, {0, 0x00400000});
    s.load(0x1620, {0x00400080});
    GuestMemory memory(base, 0x14000);
    Bytes bytes(0x14000);
    constexpr uint32_t more[] = {0, 1, 1, 3};
    for (uint32_t y = 0; y < 128; y++)
        for (uint32_t x = 0; x < 128; x++) {
            const auto at = sample_at(Layout::multi_supertiled, 512, 4, x, y);
            const unsigned sample = y % 2 * 2 + x % 2;
            const uint32_t word = 0x80000000 | (x / 2 * 4 + more[sample]) << 16 | y / 2 << 8 |
                                  (sample < 2 ? 255 : 254);
            std::memcpy(bytes.data() + at.pipe * 0x8000 + at.offset, &word, 4);
        }
    memory.set(bytes);
    EXPECT_TRUE(s.kick(memory).done);
    const Bytes now = memory.bytes();
    for (uint32_t y = 0; y < 64; y++)
        for (uint32_t x = 0; x < 64; x++) {
            uint32_t word;
            std::memcpy(&word, now.data() + 0x10000 + sample_at(Layout::tiled, 256, 4, x, y).offset,
                        4);
            // In red, 5 / 4 rounds to 1. In blue, 1018 / 4 = 254.5 rounds up.
            ASSERT_EQ(word, 0x80000000 | (4 * x + 1) << 16 | y << 8 | 255) << x << ", " << y;
        }
}

/// The states of a complete frame: clears the tile status of 256x256 pixels, and copies the pixels
/// to linear memory.
TEST(Resolve, MakesAPictureOfAClear) {
    constexpr uint32_t c = base, half = base + 0x20000, tc = base + 0x40000, d = base + 0x50000;
    Stream s;
    s.load(0x1604, {0x00004606});
    s.load(0x160C, {0});
    s.load(0x1614, {0x00000100});
    s.load(0x16E0, {tc});
    s.load(0x1700, {0, 0x00080000});
    s.load(0x1620, {0x00080010});
    s.load(0x1630, {0xFFFFFFFF, 0xFFFFFFFF});
    s.load(0x163C, {0x0001FFFF, 0x55555555, 0, 0, 0});
    s.load(0x16A0, {0});
    GuestMemory memory(base, 0x90000, 0x1000);
    const Bytes before = random_bytes(0x90000, 4);
    memory.set(before);
    EXPECT_TRUE(s.kick(memory).done);

    // Instead of a draw, writes only the tile with pixel (100, 70).
    s.load(0x1654, {0x00000003, tc, c, 0xFF996633, 0, 0, 0});
    s.load(0x16BC, {0xFF996633});
    const Surface3d color{Layout::multi_supertiled, 4, 0x400, {c, half}};
    {
        RenderSurface target(memory, color, TsSetup::decode(States(s.words.data())).color);
        const auto plane = std::make_unique<RenderTile::Plane>();
        TileMask mask{};
        mask[(70 - 64) / 4] = 1u << (100 - 64) / 4;
        target.load(1, 1, mask, *plane);
        EXPECT_EQ((*plane)[(70 - 64) * 64 + 100 - 64], 0xFF996633);
        (*plane)[(70 - 64) * 64 + 100 - 64] = 0xFF123456;
        target.store(1, 1, mask, *plane);
    }

    s.load(0x1654, {2, tc, c, 0xFF996633});
    s.load(0x16BC, {0xFF996633});
    s.load(0x1604, {0x00000686});
    s.load(0x160C, {0xC0001000});
    s.load(0x1614, {0x00000400});
    s.load(0x16C0, {c, half});
    s.load(0x16E0, {d});
    s.load(0x1700, {0, 0x00800000});
    s.load(0x1620, {0x00800100});
    s.load(0x1630, {0xFFFFFFFF, 0xFFFFFFFF});
    s.load(0x163C, {0, 0, 0, 0, 0});
    s.load(0x16A0, {0});
    const Bytes drawn = memory.bytes();
    EXPECT_TRUE(s.kick(memory).done);
    const Bytes now = memory.bytes();
    for (uint32_t y = 0; y < 256; y++)
        for (uint32_t x = 0; x < 256; x++) {
            uint32_t word;
            std::memcpy(&word, now.data() + (d - base) + y * 0x400 + x * 4, 4);
            ASSERT_EQ(word, x == 100 && y == 70 ? 0xFF123456 : 0xFF996633) << x << ", " << y;
        }
    EXPECT_TRUE(std::equal(now.begin(), now.begin() + (d - base), drawn.begin()));
    EXPECT_EQ(now[0x40000 + 0x26A], 0x51); // tile 0x9A9 is not clear
    EXPECT_TRUE(std::equal(now.begin(), now.begin() + 0x26A40, before.begin())) << "not drawn";
}

TEST(Resolve, InPlaceLeavesTheStatus) {
    // Resolves a surface of 128x128 pixels to itself, with random tile states.
    Stream s = copy_of({Layout::multi_supertiled, Layout::multi_supertiled, 6, 6});
    set_window(s, 128, 64, 0, 64u << 16);
    s.load(0x16E0, {base, base + 0x8000});
    s.load(0x1654, {2, base + 0x10000, base, 0x11223344});
    compare(s, 0x10100, random_bytes(0x10100, 5));

    Bytes status = random_bytes(0x10100, 5);
    GuestMemory memory(base, status.size());
    memory.set(status);
    EXPECT_TRUE(s.kick(memory).met_compressed);
    std::fill(status.begin() + 0x10000, status.end(), uint8_t(0x44));
    memory.set(status);
    EXPECT_FALSE(s.kick(memory).met_compressed);
    EXPECT_TRUE(
        std::equal(status.begin() + 0x10000, status.end(), memory.bytes().begin() + 0x10000));
}

TEST(Resolve, InPlaceKickNeedsTheFeature) {
    Stream s;
    s.load(0x1654, {2, base + 0x8000, base, 0x11223344});
    s.load(0x16B0, {300}); // tiles
    EXPECT_EQ(RsSetup::decode_in_place(States(s.words.data()), s.features).kind,
              RsSetup::Kind::nothing);
    s.features.single_buffer = true;
    const RsSetup setup = RsSetup::decode_in_place(States(s.words.data()), s.features);
    const Bytes before = random_bytes(0x8100, 6);
    Bytes expected = before;
    for (uint32_t i = 0; i < 300 * 16; i++)
        if ((before[0x8000 + i / 64] >> i / 16 % 4 * 2 & 3) == 1)
            for (uint32_t byte = 0; byte < 4; byte++)
                expected[4 * i + byte] = uint8_t(0x11223344 >> 8 * byte);
    for (const uint32_t piece : {0u, 52u})
        for (const uint64_t budget : {no_limit, uint64_t(1)}) {
            GuestMemory memory(base, before.size(), piece);
            memory.set(before);
            EXPECT_TRUE(Stream::finish(setup, memory, budget).done);
            EXPECT_EQ(memory.bytes(), expected);
            memory.expect_reported(before);
        }
    s.load(0x1654, {0});
    EXPECT_EQ(RsSetup::decode_in_place(States(s.words.data()), s.features).kind,
              RsSetup::Kind::nothing);
}

TEST(Resolve, OfOnePipeHasAddressesOfItsOwn) {
    Stream s = copy_of({Layout::tiled, Layout::linear, 6, 6});
    set_window(s, 128, 64, 0, 64u << 16);
    s.load(0x1608, {1, s.at(0x160C), 2});
    s.features = {.pixel_pipes = 1, .pipe_addresses = false};
    RsSetup setup = s.setup();
    EXPECT_EQ(setup.source.address[0], 1u);
    EXPECT_EQ(setup.destination.address[0], 2u);
    EXPECT_EQ(setup.rectangles, 1u);
    s.features.pipe_addresses = true;
    setup = s.setup();
    EXPECT_EQ(setup.source.address[0], base);
    EXPECT_EQ(setup.destination.address[0], base + room);
    EXPECT_EQ(setup.rectangles, 1u);
    s.load(0x160C, {0xC0000000});
    EXPECT_EQ(s.setup().source.layout, Layout::supertiled);
}

TEST(Resolve, OfFormatsThatAreNoneDoesNothing) {
    for (const uint32_t config : {0x4608u, 0x5F06u, 0x4914u}) {
        Stream s = copy_of({Layout::tiled, Layout::tiled, 6, 6});
        set_window(s, 128, 128, 0, 0);
        s.load(0x1604, {config});
        GuestMemory memory(base, 2 * room);
        EXPECT_TRUE(s.kick(memory).done);
        EXPECT_EQ(memory.bytes(), Bytes(2 * room));
        EXPECT_EQ(memory.maps, 0u);
    }
}

// ---- Comparison with the model ------------------------------------------------------------

TEST(Resolve, CopiesBetweenAllLayouts) {
    const Bytes before = random_bytes(2 * room, 7);
    for (const Layout source : all_layouts)
        for (const Layout destination : all_layouts)
            for (const uint32_t format : {16u, 1u, 6u, 21u}) {
                SCOPED_TRACE(testing::Message() << int(source) << " to " << int(destination));
                Stream s = copy_of({source, destination, format, format});
                set_window(s, 128, 64, 0, 64u << 16);
                compare(s, before.size(), before);
                set_window(s, 77, 45, 7u << 16 | 5, 61u << 16 | 50); // starts and ends inside tiles
                compare(s, before.size(), before);
                if (HasFatalFailure())
                    return;
            }
}

TEST(Resolve, CopiesWideSurfaces) {
    // The window is wider than a block, and does not start at a block's first column.
    for (const Layout destination : {Layout::linear, Layout::tiled}) {
        Stream s = copy_of({Layout::tiled, destination, 1, 1});
        const bool tiled = destination == Layout::tiled;
        s.load(0x160C, {4 * 1600});
        s.load(0x1614, {tiled ? 4 * 1600u : 1600});
        s.load(0x16E0, {base + 0x10000});
        set_window(s, 700, 36, 100, 100);
        compare(s, 0x20000, random_bytes(0x20000, 8));
        s.load(0x163C, {0x00030F0F, 0x1234, 0x5678, 0x9ABC, 0xDEF0});
        compare(s, 0x20000, random_bytes(0x20000, 8));
    }
}

TEST(Resolve, ConvertsAllFormats) {
    const Bytes before = random_bytes(2 * room, 9);
    for (const uint32_t from : {0, 1, 2, 3, 4, 5, 6, 7, 16, 21, 22, 23, 24})
        for (const uint32_t to : {0, 1, 2, 3, 4, 5, 6, 7, 16, 21, 22, 23, 24})
            for (const uint32_t swap : {0u, 1u << 29}) {
                Stream s = copy_of({Layout::tiled, Layout::linear, from, to}, swap);
                set_window(s, 64, 12, 0, 12u << 16);
                compare(s, before.size(), before);
                if (HasFatalFailure())
                    return;
            }
}

TEST(Resolve, Downsamples) {
    const Bytes before = random_bytes(2 * room, 10);
    for (const uint32_t format : {0u, 1u, 3u, 4u, 5u, 6u, 16u, 21u, 22u})
        for (const uint32_t how : {1u << 5, 1u << 6, 3u << 5})
            for (const Layout destination : all_layouts) {
                Stream s = copy_of({Layout::multi_supertiled, destination, format, format}, how);
                set_window(s, 128, 64, 0, 64u << 16);
                compare(s, before.size(), before);
                set_window(s, 61, 31, 7u << 16 | 5, 60u << 16 | 40);
                compare(s, before.size(), before);
                if (HasFatalFailure())
                    return;
            }
    Stream s = copy_of({Layout::multi_tiled, Layout::tiled, 6, 4}, 3u << 5 | 1u << 29 | 1u << 30);
    set_window(s, 128, 64, 0, 64u << 16);
    compare(s, before.size(), before);
}

TEST(Resolve, Flips) {
    const Bytes before = random_bytes(2 * room, 11);
    for (const Layout source : all_layouts)
        for (const Layout destination : all_layouts) {
            Stream s = copy_of({source, destination, 6, 6}, 1u << 30);
            set_window(s, 128, 64, 0, 64u << 16);
            compare(s, before.size(), before);
            set_window(s, 40, 50, 3, 53u << 16 | 3);
            compare(s, before.size(), before);
            set_window(s, 128, 45, 1u << 16, 1u << 16);
            compare(s, before.size(), before);
            if (HasFatalFailure())
                return;
        }
}

TEST(Resolve, FillsTheBytesThatAreEnabled) {
    const Bytes before = random_bytes(2 * room, 12);
    for (const Layout layout : all_layouts)
        for (const uint32_t format : {16u, 4u, 6u, 21u})
            for (const uint32_t control :
                 {0x1FFFFu, 0x1EEEEu, 0x11111u, 0x10000u, 0x1FFF2u, 0x2FFFFu, 0x3FFFFu, 0x2831Cu}) {
                Stream s = copy_of({layout, layout, format, format});
                s.load(0x163C, {control, 0x01234567, 0x89ABCDEF, 0x13579BDF, 0x2468ACE0});
                set_window(s, 128, 64, 0, 64u << 16);
                compare(s, before.size(), before);
                set_window(s, 77, 45, 7u << 16 | 5, 61u << 16 | 50);
                compare(s, before.size(), before);
                if (HasFatalFailure())
                    return;
            }
}

TEST(Resolve, ReadsThroughTheStatus) {
    // Reads all sample sizes and layouts through a tile status, which starts at different bases.
    for (const uint32_t skew : {0u, 64u * 5, 32u})
        for (const Layout source : all_layouts)
            for (const uint32_t format : {16u, 4u, 6u, 21u}) {
                Stream s = copy_of({source, Layout::linear, format, format});
                set_window(s, 120, 64, 0, 64u << 16);
                s.load(0x1654, {2, base + 2 * room, base - skew, 0xA1B2C3D4});
                s.load(0x16BC, {0x13579BDF});
                compare(s, 2 * room + 0x1000, random_bytes(2 * room + 0x1000, 13));
                if (HasFatalFailure())
                    return;
            }
}

// ---- Budgets, faults, bad input ---------------------------------------------------------

TEST(Resolve, MayBeCutAnywhere) {
    Stream streams[] = {
        copy_of({Layout::multi_supertiled, Layout::linear, 6, 6}),
        copy_of({Layout::linear, Layout::multi_tiled, 4, 6}, 3u << 5 | 1u << 30),
        copy_of({Layout::tiled, Layout::supertiled, 6, 6}),
        copy_of({Layout::tiled, Layout::multi_supertiled, 6, 6}),
    };
    streams[2].load(0x163C, {0x1FFFF, 0x01234567});
    streams[3].load(0x163C, {0x1EFFF, 0x01234567});
    const Bytes before = random_bytes(2 * room, 14);
    for (Stream& s : streams) {
        set_window(s, 128, 64, 0, 64u << 16);
        Bytes expected = before;
        Model(s, expected).run();
        const RsSetup setup = s.setup();
        for (uint32_t cut = 0; cut < 64; cut++) {
            GuestMemory memory(base, before.size(), cut % 2 ? 0x1000 : 0);
            memory.set(before);
            const auto resolve = std::make_unique<Resolve>();
            resolve->begin(setup);
            Resolve::Progress progress;
            for (uint32_t i = 0; i < cut && !progress.done; i++)
                progress = resolve->run(memory, progress.position, 1);
            // A new engine continues the job, like after a migration.
            EXPECT_TRUE(Stream::finish(setup, memory, no_limit, progress.position).done);
            ASSERT_EQ(memory.bytes(), expected) << cut;
        }
        for (const uint64_t budget : {uint64_t(0), uint64_t(3000), uint64_t(20000)}) {
            GuestMemory memory(base, before.size());
            memory.set(before);
            EXPECT_TRUE(s.kick(memory, budget).done);
            ASSERT_EQ(memory.bytes(), expected) << budget;
        }
    }
}

TEST(Resolve, CountsEachSampleThatItWritesOnce) {
    constexpr uint32_t columns = 128, rows = 64, rectangles = 2, bytes = 4;
    constexpr uint64_t all = columns * rows * rectangles * bytes;
    for (const Layout source : all_layouts)
        for (const Layout destination : all_layouts) {
            Stream streams[] = {
                copy_of({source, destination, 6, 6}),
                copy_of({source, destination, 6, 6}, 1u << 30), // FLIP
                copy_of({source, destination, 6, 6}, 3u << 5),  // averages 2x2 samples
                copy_of({source, destination, 6, 6}),
            };
            streams[3].load(0x163C, {0x1FFFF, 0x01234567}); // a fill
            for (Stream& s : streams) {
                set_window(s, columns, rows, 0, rows << 16);
                const bool average = &s == &streams[2];
                for (const uint32_t piece : {0u, 0x1000u})
                    for (const uint64_t budget : {uint64_t(0), no_limit}) {
                        GuestMemory memory(base, 2 * room, piece);
                        EXPECT_EQ(s.written(memory, budget), average ? all / 4 : all)
                            << int(source) << " to " << int(destination) << ", stream "
                            << &s - streams << ", pieces of " << piece << ", budget " << budget;
                    }
            }
        }
}

TEST(Resolve, OfSurfacesThatOverlapIsTheSameInAllMemory) {
    // A block of 128 columns and four rows must be read completely before it is written.
    Stream s = copy_of({Layout::linear, Layout::linear, 6, 6});
    set_window(s, 128, 100, 0, 0);
    s.load(0x16E0, {base + 512 * 6}); // six rows below, so copied rows are read again
    const Bytes before = random_bytes(room, 18);
    Bytes expected = before;
    for (uint32_t row = 0; row < 100; row += 4)
        std::memmove(expected.data() + 512 * (row + 6), expected.data() + 512 * row, 512 * 4);
    for (const uint32_t piece : {0u, 0x1000u, 52u}) {
        GuestMemory memory(base, before.size(), piece);
        memory.set(before);
        EXPECT_TRUE(s.kick(memory).done);
        EXPECT_EQ(memory.bytes(), expected) << piece;
    }
    // If a surface is tiled, the result is undefined, but must be the same in all memory.
    s = copy_of({Layout::supertiled, Layout::linear, 6, 6});
    set_window(s, 128, 100, 0, 0);
    s.load(0x16E0, {base + 0x2480});
    Bytes first;
    for (const uint32_t piece : {0u, 0x1000u, 52u}) {
        GuestMemory memory(base, before.size(), piece);
        memory.set(before);
        EXPECT_TRUE(s.kick(memory, piece).done);
        if (!piece)
            first = memory.bytes();
        EXPECT_EQ(memory.bytes(), first) << piece;
    }
}

/// Returns a random job with overlapping surfaces. Rows, pipes and tile status may overlap, too.
Stream tangled(std::mt19937& random) {
    constexpr uint32_t formats[] = {4, 6, 6, 21}; // R5G6B5, A8R8G8B8, 64 bits
    const auto often = [&](unsigned n) { return random() % n != 0; };
    const auto near = [&] { return base + uint32_t(random() % 0x800 * 4); };
    const auto stride = [&](Layout layout, uint32_t format) {
        const uint32_t word = stride_word(layout, format);
        return often(3) ? word : (word & ~0x3FFFFu) | uint32_t(random() % 128 * 4);
    };
    const Layout from = all_layouts[random() % 5], to = all_layouts[random() % 5];
    const uint32_t format = formats[random() % 4], made = often(4) ? format : 6;
    Stream s = copy_of({from, to, format, made},
                       (often(4) ? 0 : 1u << 30) | (often(4) ? 0 : 3u << 5)); // FLIP, average
    s.features.pixel_pipes = 2;
    s.load(0x160C, {stride(from, format)});
    s.load(0x1614, {stride(to, made)});
    s.load(0x16C0, {near(), near()});
    s.load(0x16E0, {near(), near()});
    set_window(s, 4 + random() % 300, 4 + random() % 40, 0, often(2) ? 0 : 16u << 16);
    if (!often(4))
        s.load(0x163C, {often(2) ? 0x1FFFFu : 0x2FFFFu, uint32_t(random()), uint32_t(random())});
    if (!often(3))
        s.load(0x1654, {1u << 1, near(), near(), uint32_t(random())}); // color fast clear
    return s;
}

TEST(Resolve, OfTangledSurfacesIsTheSameInAllMemoryAndWhereverItIsCut) {
    RandomCases cases(1500);
    for (const RandomCase c : cases) {
        std::mt19937 random(uint32_t(c.seed * 100003 + c.number));
        const Stream s = tangled(random);
        const Bytes before = random_bytes(0x40000, uint32_t(c.number));
        Bytes first;
        for (const uint32_t piece : {0u, 0x1000u, 52u})
            for (const uint64_t budget : {no_limit, uint64_t(3000)}) {
                GuestMemory memory(base, before.size(), piece);
                memory.set(before);
                EXPECT_TRUE(s.kick(memory, budget).done);
                if (first.empty())
                    first = memory.bytes();
                ASSERT_TRUE(memory.bytes() == first)
                    << "case " << c.number << " of seed " << c.seed << ", pieces of " << piece
                    << ", budget " << budget << ", config " << std::hex << s.at(0x1604)
                    << ", strides " << s.at(0x160C) << ", " << s.at(0x1614) << ", clear "
                    << s.at(0x163C);
            }
    }
}

TEST(Resolve, ReadsABlockBeforeItIsWrittenWhereverTheDestinationIs) {
    // Part of the destination has no memory, or only its second pipe overlaps the source.
    constexpr uint32_t rows = 64, size = side * rows * 4, source = base + size, near = source + 64;
    struct Destination {
        Layout layout;
        std::array<uint32_t, 2> address;
    };
    constexpr Destination destinations[] = {
        {Layout::linear, {near, 0}},
        {Layout::tiled, {near, 0}},
        {Layout::supertiled, {near, 0}},
        {Layout::multi_tiled, {near, base}},
        {Layout::multi_tiled, {base, near}},
        {Layout::multi_tiled, {base, near + size / 2}},
        {Layout::multi_supertiled, {base, near}},
    };
    const Bytes before = random_bytes(2 * size, 19);
    for (const auto& [layout, address] : destinations) {
        Stream s = copy_of({Layout::linear, layout, 6, 6});
        set_window(s, side, rows, 0, 0);
        s.load(0x16C0, {source});
        s.load(0x16E0, {address[0], address[1]});
        const Side to = side_of(s, false);
        Bytes expected = before;
        for (uint32_t y = 0; y < rows; y += 4) {
            const Bytes block(expected.begin() + size + y * side * 4,
                              expected.begin() + size + (y + 4) * side * 4);
            for (uint32_t i = 0; i < 4 * side; i++) {
                const uint32_t at = to.at(i % side, y + i / side) - base;
                if (at < expected.size())
                    std::copy_n(block.begin() + i * 4, 4, expected.begin() + at);
            }
        }
        GuestMemory memory(base, before.size());
        memory.set(before);
        EXPECT_TRUE(s.kick(memory).done);
        EXPECT_TRUE(memory.bytes() == expected)
            << "layout " << int(layout) << " at " << std::hex << address[0] << ", " << address[1];
    }
}

TEST(Resolve, DropsWhatIsWrittenToHoles) {
    Stream s = copy_of({Layout::supertiled, Layout::linear, 6, 6});
    set_window(s, 128, 64, 0, 64u << 16);
    const Bytes before = random_bytes(2 * room, 15);
    GuestMemory memory(base, before.size());
    memory.set(before);
    memory.hole = base + 0x100;
    Bytes expected = before;
    std::fill_n(expected.begin() + 0x100, 0x100, GuestMemory::hole_value);
    Model(s, expected).run();
    std::copy_n(before.begin() + 0x100, 0x100, expected.begin() + 0x100);
    EXPECT_TRUE(s.kick(memory).done);
    EXPECT_EQ(memory.bytes(), expected);

    memory.set(before);
    memory.hole = base + room + 0x1000;
    expected = before;
    Model(s, expected).run();
    std::copy_n(before.begin() + room + 0x1000, 0x100, expected.begin() + room + 0x1000);
    EXPECT_TRUE(s.kick(memory).done);
    EXPECT_EQ(memory.bytes(), expected);
}

TEST(Resolve, StopsAtAFault) {
    for (const uint32_t piece : {0u, 0x1000u})
        for (const uint32_t fault : {base + 0x4000, base + room + 0x4000}) {
            Stream s = copy_of({Layout::tiled, Layout::linear, 6, 6});
            set_window(s, 128, 64, 0, 64u << 16);
            const Bytes before = random_bytes(2 * room, 16);
            GuestMemory memory(base, before.size(), piece);
            memory.set(before);
            memory.fault = fault;
            const auto progress = s.kick(memory); // GuestMemory fails on later accesses
            EXPECT_TRUE(progress.faulted);
            EXPECT_FALSE(progress.done);
            EXPECT_EQ(progress.position, 8u); // the block of rows 32 to 35
            Bytes expected = before;
            set_window(s, 128, 32, 0, 0);
            Model(s, expected).run();
            EXPECT_EQ(memory.bytes(), expected);
        }
}

TEST(Resolve, SurvivesAnyStates) {
    std::mt19937 random(17);
    constexpr uint32_t high = 0xFFFE0000;
    const auto any = [&]() -> uint32_t {
        switch (random() % 5) {
        case 0:
            return 0;
        case 1:
            return UINT32_MAX - random() % 128;
        case 2:
            return high + random() % 0x20000;
        default:
            return random();
        }
    };
    const auto resolve = std::make_unique<Resolve>();
    for (unsigned round = 0; round < 600; round++) {
        Stream s;
        for (uint32_t address = 0x1600; address < 0x1720; address += 4)
            s.load(address, {any()});
        s.load(0x1604, {(any() & ~0x1F1Fu) | (random() % 2 ? 0x606u : any() & 0x1F1F)});
        if (random() % 2)
            s.load(0x163C, {0});
        if (random() % 4 == 0)
            s.load(0x1620, {0xFFFFFFFF});
        GuestMemory memory(high, 0x20000, random() % 2 ? 0 : 0x1000);
        if (random() % 4 == 0)
            memory.fault = high + random() % 0x20000;
        s.features = {.pixel_pipes = 1 + unsigned(random() % 2),
                      .pipe_addresses = random() % 2 != 0,
                      .tile_status_bits = random() % 2 ? 2u : 4u,
                      .single_buffer = true};
        const States states(s.words.data());
        resolve->begin(random() % 4 ? RsSetup::decode(states, s.features)
                                    : RsSetup::decode_in_place(states, s.features));
        uint32_t position = random() % 2 ? 0 : random() % 0x1000000;
        for (unsigned call = 0; call < 8; call++) {
            const auto progress = resolve->run(memory, position, 1 << 14);
            // The limit allows a converted block of 8x256 samples with 8 bytes each, or the longest
            // step of a fill.
            EXPECT_LE(progress.work, (1u << 14) + (1u << 20));
            if (progress.done || progress.faulted)
                break;
            EXPECT_GT(progress.position, position);
            position = progress.position;
        }
    }
}

} // namespace
} // namespace pixmill::vivante
