// Compares the Geode's graphics processor with the C library and pixman.
//
// Names are geode/WHAT/BITS/SIZE/WAY/WHO. Each operation is started as drivers start it: with a
// packet in the ring and a write to CMD_WRITE, or with a write to each register. Pictures too large
// for a driver's packet are sent line by line. All rectangles but the largest are parts of surfaces
// 1024 pixels wide; memset and memcpy handle the same rectangles row by row.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <pixman.h>

#include "board.hpp"
#include "geode/gp/offsets.hpp"
#include "pixmill/geode.h"

namespace {

using namespace pixmill::bench;
using namespace pixmill::geode;

struct Size {
    uint32_t width, height;
    std::string name() const { return std::to_string(width) + "x" + std::to_string(height); }
};
constexpr Size tiny{10, 10}, small{64, 64}, vga{640, 480}, screen{1024, 768};

// Addresses in RAM.
constexpr uint32_t source_base = 0x00400000, mask_base = 0x00800000, scratch_base = 0x00C00000,
                   ring_base = 0x01000000, ram_size = 0x02000000;
constexpr uint32_t foreground = 0x80402010; ///< premultiplied

// ---- Operations ----------------------------------------------------------------

/// Registers in the order in which a packet stores them.
constexpr Offset order[] = {
    RASTER_MODE,  DST_OFFSET,  SRC_OFFSET,  STRIDE,     WID_HEIGHT, SRC_COLOR_FG,
    SRC_COLOR_BG, PAT_COLOR_0, PAT_COLOR_1, PAT_DATA_0, PAT_DATA_1, CH3_OFFSET,
    CH3_MODE_STR, CH3_WIDHI,   BASE_OFFSET, BLT_MODE,
};

/// A BLT, and the size of its host data in lines and words per line.
struct Blt {
    std::array<uint32_t, 0x1B> reg{};
    uint32_t lines = 0, line_words = 0;

    uint32_t& operator[](Offset offset) { return reg[offset / 4]; }
    uint32_t operator[](Offset offset) const { return reg[offset / 4]; }
};

constexpr uint32_t pitch(uint32_t bits) {
    return screen.width * bits / 8;
}

/// Returns a BLT of a screen rectangle; it reads no pictures yet.
Blt rectangle(uint32_t raster, Size size, uint32_t bits) {
    Blt blt;
    blt[RASTER_MODE] = (bits == 16 ? 0x60000000 : 0x80000000) | raster;
    blt[STRIDE] = pitch(bits) << 16 | pitch(bits);
    blt[WID_HEIGHT] = blt[CH3_WIDHI] = size.width << 16 | size.height;
    blt[SRC_COLOR_FG] = blt[PAT_COLOR_0] = foreground;
    blt[SRC_COLOR_BG] = blt[PAT_COLOR_1] = ~foreground;
    blt[PAT_DATA_0] = 0x88442211;
    blt[PAT_DATA_1] = 0x11224488;
    blt[BASE_OFFSET] = source_base >> 10 | source_base >> 20;
    return blt;
}

/// Makes channel 3 the source of a BLT; `mode` holds the channel's flags and format.
Blt with_channel3(Blt blt, uint32_t mode, uint32_t stride, uint32_t base = source_base) {
    blt[CH3_MODE_STR] = mode | stride;
    blt[BASE_OFFSET] = base >> 20 | (blt[BASE_OFFSET] & ~0xFFFu);
    return blt;
}

Blt reading_destination(Blt blt) {
    blt[BLT_MODE] |= 4;
    return blt;
}

constexpr uint32_t colors = 0xC0000000, alpha8 = 0x82000000, argb = 0x08000000, r565 = 0x06000000;

Blt copy(uint32_t raster, Size size, uint32_t bits) {
    return with_channel3(rectangle(raster, size, bits), colors | (bits == 16 ? r565 : argb),
                         pitch(bits));
}

/// Scrolls the screen right or down as the driver does: vertically through the source channel,
/// horizontally through channel 3.
Blt scroll(Size size, uint32_t bits, uint32_t right, uint32_t down) {
    const uint32_t bytes = bits / 8, far = (size.height - down - 1) * pitch(bits);
    Blt blt = rectangle(0xCC, {size.width - right, size.height - down}, bits);
    if (down) {
        blt[BLT_MODE] = 0x101;
        blt[SRC_OFFSET] = far;
        blt[DST_OFFSET] = far + down * pitch(bits);
        blt[BASE_OFFSET] = 0;
        return blt;
    }
    blt = with_channel3(blt, colors | (bits == 16 ? r565 : argb) | 0x20000000, pitch(bits), 0);
    blt[CH3_WIDHI] = blt[WID_HEIGHT];
    blt[BLT_MODE] = 0x200;
    blt[CH3_OFFSET] = (size.width - right) * bytes - 1;
    blt[DST_OFFSET] = size.width * bytes - 1;
    return blt;
}

Blt turned(Size size) {
    Blt blt = with_channel3(rectangle(0xCC, size, 32), colors | argb | 0x10800000, pitch(32));
    blt[CH3_WIDHI] = size.height << 16 | size.width;
    blt[CH3_OFFSET] = (size.width - 1) * pitch(32);
    return blt;
}

/// Returns a BLT whose pixels come from the host.
Blt hosted(Size size, uint32_t bits) {
    Blt blt = rectangle(0xCC, size, bits);
    blt[BLT_MODE] = 2;
    blt.lines = size.height;
    blt.line_words = (size.width * bits / 8 + 3) / 4;
    return blt;
}

/// Returns a BLT whose monochrome pixels come from the host. Each line starts at a word boundary.
Blt mono(Size size, bool transparent) {
    Blt blt = rectangle(0xCC | (transparent ? 0x800 : 0), size, 32);
    blt[BLT_MODE] = 0x42;
    blt.lines = size.height;
    blt.line_words = (size.width + 31) / 32;
    return blt;
}

/// Composites a color through a mask into a scratch picture.
Blt masked(Size size) {
    Blt blt = with_channel3(rectangle(0x00CC0000, size, 32), alpha8, pitch(8), mask_base);
    blt[STRIDE] = 4 * size.width;
    blt[BLT_MODE] = 4;
    blt[BASE_OFFSET] |= scratch_base;
    return blt;
}

/// Composites the result of masked() over the screen.
Blt over_scratch(Size size) {
    Blt blt =
        with_channel3(rectangle(0x00EC0000, size, 32), colors | argb, 4 * size.width, scratch_base);
    return reading_destination(blt);
}

// ---- The graphics processor -----------------------------------------------------

using Work = std::vector<Blt>;

class Gp {
public:
    Gp() {
        std::mt19937 random(1);
        for (uint32_t at = 0; at < ram_size; at += 4)
            board_.poke(at, 0x80000000 + (random() & 0x3F3F3F3F)); // premultiplied
        (void)pixmill_geode_gp.create(nullptr, &board_.host(), &core_);
        pixmill_geode_gp_write_msr(core_, 1, ring_base >> 20 << 16);
        write(CMD_BOT, 0x00FFFFE0);
        write(CMD_TOP, 0);
    }
    ~Gp() { pixmill_geode_gp.destroy(core_); }
    Gp(const Gp&) = delete;
    Gp& operator=(const Gp&) = delete;

    std::byte* ram() { return board_.ram(); }

    /// Plays the work from the ring. The ring holds two copies, and the second one wraps around, so
    /// the work can be repeated without writing it to the ring again.
    void play_ring(const Work& work) {
        if (in_ring_ != &work) {
            fill_ring(work);
            in_ring_ = &work;
        }
        for (const uint32_t end : doorbells_[turn_])
            write(CMD_WRITE, end);
        turn_ = !turn_;
    }
    void play_registers(const Work& work) {
        for (const Blt& blt : work) {
            for (const Offset offset : order)
                write(offset, blt[offset]);
            for (uint32_t i = 0; i < blt.lines * blt.line_words; i++)
                write(HST_SRC, data);
        }
    }

private:
    static constexpr uint32_t data = 0x8F8FCFFF; ///< host data; the bits of the last pixels are set
    static constexpr uint32_t longest = 0xC7F8 / 4;

    /// Writes a register, and waits for the bus as QEMU does.
    void write(uint32_t offset, uint32_t value) {
        while (pixmill_geode_gp.write(core_, offset, 4, value) == PIXMILL_ERROR_BUSY) {
            PixmillRun run;
            do {
                run = pixmill_geode_gp.run(core_, 512);
                if (run.action == PIXMILL_RUN_DRAW)
                    pixmill_geode_gp.draw(core_, 8 << 20);
            } while (run.action != PIXMILL_RUN_IDLE);
        }
    }

    void fill_ring(const Work& work) {
        write(CMD_READ, 0);
        turn_ = false;
        end_ = 0;
        for (auto& doorbells : doorbells_) {
            doorbells.clear();
            for (const Blt& blt : work)
                put(blt, doorbells);
        }
        board_.poke(ring_base + last_header_, last_header_word_ | 0x80000000);
        doorbells_[1].back() = 0;
    }
    void put(const Blt& blt, std::vector<uint32_t>& doorbells) {
        const uint32_t all = blt.lines * blt.line_words;
        const bool whole = all && all <= longest;
        put_header(0x0000FFFF | uint32_t(whole) << 16);
        for (const Offset offset : order)
            put_word(blt[offset]);
        if (whole)
            put_data(all);
        doorbells.push_back(end_);
        for (uint32_t line = 0; !whole && line < blt.lines; line++) {
            put_header(0x60000001);
            put_data(blt.line_words);
            doorbells.push_back(end_);
        }
    }
    void put_header(uint32_t word) {
        last_header_ = end_;
        last_header_word_ = word;
        put_word(word);
    }
    void put_data(uint32_t words) {
        put_word(words);
        for (uint32_t i = 0; i < words; i++)
            put_word(data);
    }
    void put_word(uint32_t word) {
        board_.poke(ring_base + end_, word);
        end_ += 4;
    }

    Board board_{ram_size};
    PixmillCore* core_ = nullptr;
    const Work* in_ring_ = nullptr;
    std::vector<uint32_t> doorbells_[2];
    bool turn_ = false;
    uint32_t end_ = 0, last_header_ = 0, last_header_word_ = 0;
};

Gp& gp() {
    static Gp gp;
    return gp;
}

// ---- Yardsticks ------------------------------------------------------------------

uint32_t* words(uint32_t at) {
    return reinterpret_cast<uint32_t*>(gp().ram() + at);
}

/// Calls row(offset, bytes) for each row of a rectangle, or once if the rows are contiguous.
template<class Row>
void each_row(Size size, uint32_t bits, Row row) {
    const uint32_t bytes = size.width * bits / 8;
    if (bytes == pitch(bits))
        return row(0, bytes * size.height);
    for (uint32_t y = 0; y < size.height; y++)
        row(y * pitch(bits), bytes);
}

struct Yardstick {
    const char* name;
    std::function<void()> work;
};

Yardstick by_memset(Size size, uint32_t bits) {
    return {"memset", [=] {
                each_row(size, bits, [](uint32_t at, uint32_t bytes) {
                    std::memset(gp().ram() + at, 0x5A, bytes);
                });
            }};
}

Yardstick by_memcpy(Size size, uint32_t bits) {
    return {"memcpy", [=] {
                each_row(size, bits, [](uint32_t at, uint32_t bytes) {
                    std::memcpy(gp().ram() + at, gp().ram() + source_base + at, bytes);
                });
            }};
}

Yardstick by_pixman_fill(Size size, uint32_t bits) {
    return {"pixman", [=] {
                pixman_fill(words(0), int(pitch(bits) / 4), int(bits), 0, 0, int(size.width),
                            int(size.height), foreground);
            }};
}

Yardstick by_pixman_copy(Size size, uint32_t bits) {
    return {"pixman", [=] {
                const int stride = int(pitch(bits) / 4);
                pixman_blt(words(source_base), words(0), stride, stride, int(bits), int(bits), 0, 0,
                           0, 0, int(size.width), int(size.height));
            }};
}

using Image = std::shared_ptr<pixman_image_t>;
using MakeImage = std::function<Image()>;

Image image(pixman_format_code_t format, Size size, uint32_t at) {
    const uint32_t bits = PIXMAN_FORMAT_BPP(format);
    return Image(pixman_image_create_bits(format, int(size.width), int(size.height), words(at),
                                          int(pitch(bits))),
                 pixman_image_unref);
}

Image solid() {
    const pixman_color_t color{0x4040, 0x2020, 0x1010, 0x8080};
    return Image(pixman_image_create_solid_fill(&color), pixman_image_unref);
}

/// Sets the mask's last bit, so that the last pixel changes once the work is done.
Image bits_of_mask(Size size) {
    const uint32_t last = size.width - 1;
    gp().ram()[source_base + (size.height - 1) * pitch(1) + last / 8] |= std::byte(1 << last % 8);
    return image(PIXMAN_a1, size, source_base);
}

Image bits_in_colors(Size size) {
    static constexpr pixman_indexed_t palette{false, {0xFF000000, 0xFFFFFFFF}, {}};
    const Image bits = image(PIXMAN_g1, size, source_base);
    pixman_image_set_indexed(bits.get(), &palette);
    return bits;
}

Image turned_source(Size size) {
    const Image from = image(PIXMAN_a8r8g8b8, {size.height, size.width}, source_base);
    const pixman_transform_t t{{{0, -pixman_fixed_1, pixman_int_to_fixed(int(size.height))},
                                {pixman_fixed_1, 0, 0},
                                {0, 0, pixman_fixed_1}}};
    pixman_image_set_transform(from.get(), &t);
    return from;
}

/// The images are created on first use, because they need the RAM of gp().
Yardstick by_pixman(pixman_op_t op, Size size, uint32_t bits, MakeImage source,
                    MakeImage mask = nullptr) {
    struct Images {
        Image source, mask, destination;
    };
    const auto images = std::make_shared<Images>();
    return {"pixman", [=] {
                if (!images->source)
                    *images = {source(), mask ? mask() : nullptr,
                               image(bits == 16 ? PIXMAN_r5g6b5 : PIXMAN_a8r8g8b8, size, 0)};
                pixman_image_composite32(op, images->source.get(), images->mask.get(),
                                         images->destination.get(), 0, 0, 0, 0, 0, 0,
                                         int(size.width), int(size.height));
            }};
}

// ---- Benchmarks ----------------------------------------------------------------------

void add_work(const std::string& what, Size size, uint32_t bits, const Work& work,
              const std::vector<Yardstick>& yardsticks) {
    const uint64_t pixels = uint64_t(size.width) * size.height;
    const uint32_t last = (size.height - 1) * pitch(bits) + size.width * bits / 8 - 1;
    const auto add_one = [&](const std::string& name, std::function<void()> play) {
        add(name, {pixels * bits / 8, pixels}, play,
            [=] { return changes(gp().ram() + last, play)(); });
    };
    const auto kept = std::make_shared<const Work>(work);
    const std::string name = "geode/" + what + "/" + std::to_string(bits) + "/" + size.name();
    for (const bool ring : {true, false}) {
        if (!ring && size.width > small.width)
            continue;
        const std::string way = name + (ring ? "/ring/" : "/registers/");
        add_one(way + "pixmill",
                [=] { ring ? gp().play_ring(*kept) : gp().play_registers(*kept); });
        for (const Yardstick& yardstick : yardsticks)
            add_one(way + yardstick.name, yardstick.work);
    }
}

void add_plain(Size size) {
    const MakeImage white = solid, bits = [=] { return bits_of_mask(size); };
    for (const uint32_t depth : {16u, 32u}) {
        add_work("fill", size, depth, {rectangle(0xCC, size, depth)},
                 {by_memset(size, depth), by_pixman_fill(size, depth)});
        add_work("copy", size, depth, {copy(0xCC, size, depth)},
                 {by_memcpy(size, depth), by_pixman_copy(size, depth)});
    }
    const Yardstick memcpy32 = by_memcpy(size, 32);
    add_work("xor", size, 32, {reading_destination(copy(0x66, size, 32))}, {memcpy32});
    add_work("invert", size, 32, {reading_destination(rectangle(0x55, size, 32))}, {memcpy32});
    add_work("pattern", size, 32, {rectangle(0x1F0, size, 32)}, {by_memset(size, 32)});
    add_work("scroll_down", size, 32, {scroll(size, 32, 0, 1)}, {memcpy32});
    add_work("scroll_right", size, 32, {scroll(size, 32, 1, 0)}, {memcpy32});
    add_work("rotate_90", size, 32, {turned(size)},
             {by_pixman(PIXMAN_OP_SRC, size, 32, [=] { return turned_source(size); })});
    add_work("host", size, 32, {hosted(size, 32)}, {memcpy32});
    add_work("mono", size, 32, {mono(size, false)},
             {by_pixman(PIXMAN_OP_SRC, size, 32, [=] { return bits_in_colors(size); })});
    add_work("mono_transparent", size, 32, {mono(size, true)},
             {by_pixman(PIXMAN_OP_OVER, size, 32, white, bits)});
}

/// Composites as the driver does (xf86-video-geode: lx_exa.c), with text in two passes.
void add_blends(Size size) {
    const MakeImage source = [=] { return image(PIXMAN_a8r8g8b8, size, source_base); };
    const MakeImage mask = [=] { return image(PIXMAN_a8, size, mask_base); };
    const auto blend = [&](uint32_t raster, uint32_t depth) {
        return reading_destination(
            with_channel3(rectangle(raster, size, depth), colors | argb, pitch(32)));
    };
    add_work("over", size, 32, {blend(0x00E00000, 32)},
             {by_pixman(PIXMAN_OP_OVER, size, 32, source)});
    add_work("over", size, 16, {blend(0x006C0000, 16)},
             {by_pixman(PIXMAN_OP_OVER, size, 16, source)});
    add_work("add", size, 32, {blend(0x00E40000, 32)},
             {by_pixman(PIXMAN_OP_ADD, size, 32, source)});
    add_work("text", size, 32, {masked(size), over_scratch(size)},
             {by_pixman(PIXMAN_OP_OVER, size, 32, solid, mask)});
}

[[maybe_unused]] const bool registered = [] {
    for (const Size size : {tiny, small, vga, screen}) {
        add_plain(size);
        add_blends(size);
    }
    return true;
}();

} // namespace
