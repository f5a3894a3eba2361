/*
 * libFuzzer target: a hostile guest on the C ABI of the IPUv3 core.
 *
 * The input is a byte program of operations on registers, channel parameters, the clock, the
 * screens and the core's life cycle.  Guest memory is fenced by guard pages, rows by
 * AddressSanitizer. The core's obligations to its host are checked after every operation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "pixmill/ipuv3.h"

#include <vector>

#include "frame.hpp"

using namespace pixmill;
using namespace pixmill::fuzz;

std::span<Landmark> fuzz::landmarks() {
    static Landmark all[] = {
        {"line: sync", "line sync"},
        {"line: error", "line error"},
        {"frames", "counter frames"},
        {"flips", "counter flips"},
        {"rows", "counter rows"},
        {"bytes", "counter bytes"},
        {"timing: no picture", "does not run"},
        {"timing: interlaced", "interlaced"},
        {"a picture that is too large", "is not shown"},
        {"format: unknown", "shows black"},
        {"direction", "mirrors or turns"},
        {"overlay", "overlay shown"},
        {"overlay: moved", "overlay changed"},
        {"sources: three areas", "sources 3"},
        {"sources: all", "sources 5"},
        {"memory: none", "no memory there"},
        {"access: narrow", "bytes at 0x"},
        {"access: no register", "no register there"},
    };
    return all;
}

namespace {

constexpr uint32_t kMostWidth = 320, kMostHeight = 256;
constexpr uint32_t kMostRows = 32; /* limit for each op_screen() */
constexpr uint32_t kChannels[] = {23, 27, 28, 31, 51};
constexpr uint32_t kMoved[] = {0x200000, 0x2000A4, 0x2000C4, 0x2000E4, 0x200150, 0x200154, 0x20023C,
                               0x200240, 0x200268, 0x20026C, 0x200270, 0x200274, 0x208004, 0x208008,
                               0x20800C, 0x340000, 0x340004, 0x340008, 0x24000C, 0x240170, 0x24014C,
                               0x240150, 0x248000, 0x248010, 0x248170, 0x248150, 0x20003C, 0x20004C,
                               0x200200, 0x200210, 0x2000DC, 0x340044, 0x340054, 0x340058};

class Guest final : public Frame {
public:
    explicit Guest(Input& input) : Frame(pixmill_ipuv3, input) {
        const uint8_t flags = this->flags();
        PixmillIpuv3Config config{};
        config.refresh_hz = flags & 1 ? 1000 : 0;
        config.max_width = kMostWidth;
        config.max_height = kMostHeight;
        create(config);
        refuse();
    }

    void play() {
        /* Same order as OPS in seeds_ipuv3.py. */
        static constexpr void (Guest::*kOps[])() = {
            &Guest::op_write,   &Guest::op_read,   &Guest::op_narrow, &Guest::op_memory,
            &Guest::op_paint,   &Guest::op_clock,  &Guest::op_run,    &Guest::op_migrate,
            &Guest::op_corrupt, &Guest::op_inject, &Guest::op_reset,  &Guest::op_look,
            &Guest::op_trace,   &Guest::op_mode,   &Guest::op_plane,  &Guest::op_field,
            &Guest::op_dp,      &Guest::op_frame,  &Guest::op_screen, &Guest::op_memory_ends,
            &Guest::op_move,
        };
        Frame::play(kOps, 256);
        finish();
    }

private:
    void refuse() {
        const PixmillHost host = host_of(world_);
        const PixmillIpuv3Config config{1001, 0, 0};
        PixmillCore* made = nullptr;
        require(pixmill_ipuv3.create(&config, &host, &made) == PIXMILL_ERROR_ARGUMENT,
                "too many frames");
        require(!made, "a core that was refused");
    }

    void accessed(uint32_t offset, uint32_t size, PixmillResult result) override {
        const bool exists =
            (size == 1 || size == 2 || size == 4) && offset % size == 0 && offset < table_.window;
        require((result == PIXMILL_OK) == exists, "which accesses succeed");
    }

    void ran(const PixmillRun& next) override {
        require(next.action != PIXMILL_RUN_WAIT || next.when_ns > world_.now,
                "a run that asks for one at once");
    }

    void check() override {
        uint32_t sync = 0, error = 0;
        for (uint32_t group = 0; group < 15; group++) {
            const uint32_t pending = peek(0x200200 + 4 * group) & peek(0x20003C + 4 * group);
            const bool is_error = group == 4 || group == 5 || group == 8 || group == 9;
            (is_error ? error : sync) |= pending;
        }
        require(world_.line(PIXMILL_IPUV3_SYNC) == (sync != 0), "level of the line sync");
        require(world_.line(PIXMILL_IPUV3_ERROR) == (error != 0), "level of the line error");
        require(peek(0x2000DC) >> 23 == 0, "reserved bits of MEM_RST");
    }

    uint32_t offset() override {
        const uint8_t choice = in_.byte();
        if (choice < 0x80)
            return kMoved[choice % std::size(kMoved)];
        if (choice < 0xC0)
            return 0x300000 + 64 * kChannels[choice % std::size(kChannels)] +
                   4u * (in_.byte() % 16);
        return choice < 0xF0 ? 0x200000 + in_.word() % 0x181000 : in_.word();
    }

    uint32_t value() override {
        const uint8_t choice = in_.byte();
        if (choice < 32)
            return 1u << choice;
        return choice < 96 ? (choice & 1 ? 0xFFFFFFFF : 0) : in_.word();
    }

    /* Selects registers and latched parameters more often than memories. */
    size_t corrupted() override {
        const uint8_t choice = in_.byte();
        if (choice < 128)
            return in_.half() % 0x600;
        return choice < 224 ? sizeof(PixmillIpuv3State) - 1 - in_.half() % 0x180 : in_.word();
    }

    /* ---- Moves ---- */

    void op_paint() { memory().paint(); }

    /* Starts a DI with a picture, mostly a valid one. */
    void op_mode() {
        const uint8_t flags = in_.byte();
        const uint32_t di = flags & 1, base = 0x240000 + 0x8000 * di;
        const uint32_t width = in_.half() % (flags & 2 ? 0x200 : 0x80);
        const uint32_t height = in_.byte();
        const bool interlaced = flags & 4;
        (void)write(base, uint32_t{interlaced} << 28);
        (void)write(base + (interlaced ? 0x10 : 0x0C), (flags & 8 ? 20u : 700u) << 19);
        (void)write(base + 0x170, 300);
        (void)write(base + 0x14C, height << 16);
        (void)write(base + 0x150, interlaced ? width << 16 | height / 2 : width);
        (void)write(0x200000, peek(0x200000) | 0x40u << di);
        (void)write(0x2000C4, peek(0x2000C4) | 0x01000000u << di);
        if (interlaced)
            say("interlaced");
    }

    static void put(uint32_t (&words)[10], uint32_t word, uint32_t bit, uint32_t width,
                    uint32_t value) {
        for (uint32_t i = 0; i < width; i++) {
            const uint32_t at = bit + i;
            words[5 * word + at / 32] |= (value >> i & 1) << at % 32;
        }
    }

    void store(uint32_t channel, const uint32_t (&words)[10]) {
        for (uint32_t i = 0; i < 10; i++)
            (void)write(0x300000 + 64 * channel + 4 * i + (i < 5 ? 0 : 12), words[i]);
    }

    /* Enables a channel with a plane of any format. */
    void op_plane() {
        const uint32_t channel = kChannels[in_.byte() % std::size(kChannels)];
        const uint8_t format = in_.byte();
        uint32_t words[10]{};
        put(words, 0, 125, 13, in_.byte());      /* FW */
        put(words, 0, 138, 12, in_.byte());      /* FH */
        put(words, 0, 107, 3, format >> 4 & 7);  /* BPP */
        put(words, 0, 46, 22, in_.byte() * 16u); /* UBO */
        put(words, 0, 68, 22, in_.byte() * 16u); /* VBO */
        const uint32_t base = in_.word();
        put(words, 1, 0, 29, (format & 0x80 ? base : base % 0x20000) / 8); /* EBA0 */
        put(words, 1, 29, 29, base / 8);                                   /* EBA1 */
        put(words, 1, 85, 4, format & 0xF);                                /* PFS */
        put(words, 1, 102, 14, in_.half());                                /* SL */
        const uint32_t components = in_.word();
        put(words, 1, 116, 12, components);                    /* WID */
        put(words, 1, 128, 20, components * 0x9E3779B9 >> 12); /* OFS, SLUV */
        const uint8_t flags = in_.byte();
        put(words, 1, 89, 1, flags);                   /* ALU */
        put(words, 0, 113, 1, (flags & 0x0E) == 0x0E); /* SO */
        put(words, 0, 119, 3, flags >> 5);             /* ROT, HF, VF */
        store(channel, words);
        const uint32_t enable = 0x208004 + channel / 32 * 4;
        (void)write(enable, peek(enable) | 1u << channel % 32);
    }

    /* Changes bits of the parameters. */
    void op_field() {
        const uint32_t at =
            0x300000 + 64 * kChannels[in_.byte() % std::size(kChannels)] + 4u * (in_.byte() % 16);
        (void)write(at, peek(at) ^ in_.word());
    }

    /* Sets up the DP's synchronous flow. */
    void op_dp() {
        const uint8_t flags = in_.byte();
        (void)write(0x340000, (flags & 0xF) | (flags & 0x30) << 4);
        (void)write(0x340004, in_.word());
        const uint32_t x = in_.byte(), y = in_.byte();
        (void)write(0x340008, x << 16 | y);
        (void)write(0x2000A4, (flags >> 6 & 3) << 3);
    }

    /* Lets a frame end. */
    void op_frame() {
        world_.now += in_.byte() & 1 ? 16'666'667 : 70'000'000;
        (void)run(1);
    }

    void look_at(const PixmillIpuv3Scanout& out) {
        require(out.generation && out.overlay_generation, "a generation of 0");
        require(out.sources <= PIXMILL_IPUV3_SOURCES, "number of sources");
        if (!out.running)
            return require(!out.sources && !out.width, "a picture of a DI that is off");
        require(out.width && out.width <= kMostWidth, "width");
        require(out.height && out.height <= kMostHeight, "height");
        require(out.overlay.begin <= out.overlay.end && out.overlay.end <= out.height,
                "rows of the overlay");
        for (uint32_t i = 0; i < out.sources; i++) {
            const PixmillIpuv3Source& s = out.source[i];
            require(s.rows && s.length && s.step && s.repeat && s.repeat <= s.step, "a source");
            require(s.top + uint64_t{s.rows - 1} * s.step < out.height, "rows of a source");
            require(s.start <= UINT64_MAX - s.length - uint64_t{s.rows} * s.pitch, "its end");
        }
        if (out.overlay.end)
            say("overlay shown");
        say("sources %u", out.sources);
    }

    void op_screen() {
        const uint8_t flags = in_.byte();
        const uint32_t di = flags & 1;
        const PixmillIpuv3Scanout out = scan(di);
        look_at(out);
        if (out.overlay_generation != seen_[di])
            say("overlay changed");
        seen_[di] = out.overlay_generation;
        const uint32_t begin = flags & 2 ? in_.half() : in_.byte();
        const uint32_t end = begin + in_.byte() % kMostRows;
        const uint32_t pitch = 4 * (flags & 4 ? in_.half() % kMostWidth : out.width);
        const uint32_t last = std::min(end, out.height);
        /* No more rows than may be drawn, so that AddressSanitizer notices all others. */
        std::vector<uint32_t> rows(begin < last ? size_t{last} * (pitch / 4) : 0);
        if (!rows.empty()) {
            const Entry entry(world_);
            pixmill_ipuv3_rows(core_, di, begin, end, rows.data(), pitch);
        }
        require(scan(di).generation == out.generation, "a generation without a change");
        PixmillIpuv3Timing timing;
        {
            const Entry entry(world_);
            pixmill_ipuv3_timing(core_, di, &timing);
        }
        require(!out.running || (timing.width == out.width && timing.height == out.height),
                "size of the active area");
    }

    PixmillIpuv3Scanout scan(uint32_t di) {
        const Entry entry(world_);
        PixmillIpuv3Scanout out;
        pixmill_ipuv3_scanout(core_, di, &out);
        return out;
    }

    uint32_t seen_[PIXMILL_IPUV3_DIS] = {};
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Input input(data, size);
    memory().clear();
    Guest guest(input);
    guest.play();
    return 0;
}
