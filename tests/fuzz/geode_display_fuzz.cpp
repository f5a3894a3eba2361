/*
 * libFuzzer target: a hostile guest on the C ABI of the Geode's display side.
 *
 * The input is a byte program of operations on registers, MSRs, ports, the clock, the screen and
 * the core's life cycle.  VRAM is fenced by guard pages, rows by AddressSanitizer.
 * The core's obligations to its host are checked after every operation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "pixmill/geode_display.h"

#include <memory>

#include "frame.hpp"

using namespace pixmill;
using namespace pixmill::fuzz;

std::span<Landmark> fuzz::landmarks() {
    static Landmark all[] = {
        {"a line of the interrupt", "line irq"},
        {"locked", "counter locked-writes"},
        {"interrupts", "counter interrupts"},
        {"rows", "counter rows"},
        {"a black screen", "screen black"},
        {"8 bits", "screen format 0"},
        {"5:6:5", "screen format 1"},
        {"1:5:5:5", "screen format 2"},
        {"4:4:4:4", "screen format 3"},
        {"8:8:8:8", "screen format 4"},
        {"rows that VRAM holds", "screen direct"},
        {"a cursor", "layer 0 shown"},
        {"video", "layer 1 shown"},
        {"planar video", "layer 1 planar"},
        {"a layer that moves", "layer changed"},
        {"state of another size", "state refused"},
        {"an MSR", "msr written"},
        {"a virtual register", "vsa 4132"},
    };
    return all;
}

namespace {

constexpr uint32_t kKey = 0x4758;
constexpr uint32_t kMostRows = 8; /* limit for each op_screen() */

/*
 * Returns a buffer for the largest picture.  Every row has a fixed position, and pages of rows that
 * are not drawn are never touched.
 */
uint32_t* screen() {
    static const std::unique_ptr<uint32_t[]> pixels(
        new uint32_t[size_t{PIXMILL_GEODE_MAX_WIDTH} * PIXMILL_GEODE_MAX_HEIGHT]);
    return pixels.get();
}

class Guest final : public Frame {
public:
    explicit Guest(Input& input) : Frame(pixmill_geode_display, input) {
        const uint8_t flags = this->flags();
        PixmillGeodeDisplayConfig config{};
        config.vram_mib = flags & 1 ? 128 : 0;
        config.output = flags >> 1 & 7;
        config.panel = flags >> 4 & 7;
        config.no_vsa = flags & 0x80;
        create(config);
        refuse_memory();
        vram_ = static_cast<uint8_t*>(memory().map(0, &room_, false));
    }

    void play() {
        /* Same order as OPS in seeds_geode_display.py. */
        static constexpr void (Guest::*kOps[])() = {
            &Guest::op_write,   &Guest::op_set,         &Guest::op_read,   &Guest::op_narrow,
            &Guest::op_paint,   &Guest::op_clock,       &Guest::op_run,    &Guest::op_migrate,
            &Guest::op_corrupt, &Guest::op_inject,      &Guest::op_reset,  &Guest::op_look,
            &Guest::op_trace,   &Guest::op_mode,        &Guest::op_cursor, &Guest::op_video,
            &Guest::op_screen,  &Guest::op_screen,      &Guest::op_msr,    &Guest::op_vsa,
            &Guest::op_gpio,    &Guest::op_memory_ends, &Guest::op_move,
        };
        Frame::play(kOps, 256);
        finish();
    }

private:
    void refuse_memory() {
        const PixmillHost host = host_of(world_);
        PixmillGeodeDisplayConfig config{};
        config.vram_mib = 3;
        PixmillCore* made = nullptr;
        require(pixmill_geode_display.create(&config, &host, &made) == PIXMILL_ERROR_ARGUMENT,
                "an odd number of MiB");
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
        const uint32_t irq = peek(0xC8);
        require(next.action != PIXMILL_RUN_WAIT || !(irq & 1), "a wait that nobody asked for");
        const uint32_t pending = irq >> 16 & ~irq & 3;
        require(world_.line(0) == (pending != 0), "level of the line");
    }

    void check() override {
        require((peek(0xC8) & ~0x30003u) == 0, "reserved bits of DC_IRQ");
        const uint32_t status = peek(0x4410) & 0xF;
        require(status == 1 || status == 2, "status of FP_PM");
        require((peek(0x6C) & 0x7FF) < 2048, "line");
    }

    uint32_t offset() override {
        const uint8_t choice = in_.byte();
        if (choice < 0x3C)
            return 4u * choice;
        if (choice < 0x68)
            return 0x4000 + 8u * (choice - 0x3C);
        if (choice < 0x70)
            return 0x4400 + 8u * (choice - 0x68);
        if (choice < 0x90)
            return 0x5000 + (in_.half() & 0xFFC);
        return choice < 0xE0 ? in_.half() % table_.window : in_.word();
    }

    uint32_t value() override {
        const uint8_t choice = in_.byte();
        if (choice < 32)
            return 1u << choice;
        if (choice < 64)
            return kKey;
        return choice < 96 ? (choice & 1 ? 0xFFFFFFFF : 0) : in_.word();
    }

    /* Selects registers more often than filter coefficients. */
    size_t corrupted() override { return in_.byte() < 192 ? in_.half() % 0xE00 : in_.word(); }

    /* ---- Moves ---- */

    void set(uint32_t at, uint32_t value) {
        (void)write(0, kKey);
        (void)write(at, value);
    }

    /* Unlocks the registers and writes one. */
    void op_set() {
        const uint32_t at = offset() & ~3u;
        set(at, value());
    }

    void op_paint() { memory().paint(); }

    /* Sets up a visible picture. */
    void op_mode() {
        const uint32_t format = in_.byte();
        const uint32_t width = 1 + in_.half() % 700, height = 1 + in_.byte();
        set(0x5C, (width - 1) << 16 | (height - 1));
        set(0x34, in_.byte());
        set(0x10, in_.half());
        set(0x08, 0x9 | (format & 0xF) << 8 | (format & 0x10) << 21);
        set(0x04, 1 | (in_.byte() & 0xE));
        (void)write(0x4050, format >> 5 & 1);
        (void)write(0x4008, 9 | (in_.byte() & 3) << 20);
    }

    void op_cursor() {
        set(0x04, 3 | (in_.byte() & 1) << 2 | 8);
        set(0x60, in_.half() & 0x1FF);
        const uint32_t y = in_.byte(), skip = in_.byte() & 0x3F;
        set(0x64, y | skip << 11);
        set(0x18, in_.half());
    }

    void op_video() {
        const uint8_t flags = in_.byte();
        set(0x04, 9 | (flags & 1) << 19);
        for (uint32_t at : {0x20u, 0x24u, 0x28u})
            set(at, in_.half());
        set(0x30, static_cast<uint32_t>(in_.byte()) << 20);
        const uint32_t pitch = in_.byte(), pitch_uv = in_.byte();
        set(0x38, pitch | pitch_uv << 16);
        set(0xB8, (flags >> 1 & 1) << 24 | 0x112233);
        set(0xBC, in_.byte() & 1 ? 0xFFFFFF : 0);
        set(0xC0, in_.half() | 0x07FF0000);
        set(0xC4, 0x07FF0000);
        const uint32_t left = in_.half() & 0x1FF, top = in_.byte();
        (void)write(0x4010, left | (left + in_.half() % 800) << 16);
        (void)write(0x4018, top | (top + in_.byte()) << 16);
        (void)write(0x4020, in_.half() & 0x67FF);
        (void)write(0x4068, static_cast<uint32_t>(in_.half()) << 2);
        (void)write(0x4060, static_cast<uint32_t>(in_.half()) << 2);
        (void)write(0x4098, (flags >> 2 & 1) << 13 | (flags >> 3 & 1) << 6);
        (void)write(0x4000, 1 | (flags >> 4 & 3) << 2 | (flags >> 6 & 1) << 5 |
                                (flags >> 7 & 1) << 28 | (in_.byte() & 1) << 18);
    }

    void inside(const PixmillGeodeBytes& bytes, uint64_t size) {
        require(bytes.start <= size && bytes.length <= size - bytes.start, "bytes beyond VRAM");
    }

    void inside(const PixmillGeodeRows& rows) {
        require(rows.begin <= rows.end && rows.end <= PIXMILL_GEODE_MAX_HEIGHT, "rows of a layer");
    }

    void look_at(const PixmillGeodeScanout& out, uint64_t size) {
        static constexpr uint32_t bytes[] = {1, 2, 2, 2, 4};
        require(out.width && out.width <= PIXMILL_GEODE_MAX_WIDTH, "width");
        require(out.height && out.height <= PIXMILL_GEODE_MAX_HEIGHT, "height");
        require(out.generation, "generation");
        require(out.visible || !out.direct, "a black picture in VRAM");
        if (out.visible) {
            inside({out.start, uint64_t{out.pitch} * (out.height - 1) +
                                   uint64_t{out.width} * bytes[out.format]},
                   size);
            say("screen format %d", out.format);
        } else {
            say("screen black");
        }
        if (out.direct)
            say("screen direct");
        for (int i = 0; i < PIXMILL_GEODE_LAYERS; i++) {
            const PixmillGeodeLayer& layer = out.layer[i];
            inside(layer.rows);
            require(layer.rows.end <= out.height, "a layer beyond the screen");
            require(!out.direct || layer.rows.end == 0, "a layer in VRAM");
            for (const PixmillGeodeRows& rows : layer.changed)
                inside(rows);
            for (const PixmillGeodeBytes& source : layer.source)
                inside(source, size);
            if (layer.rows.end)
                say("layer %d %s", i, "shown");
            if (layer.source[1].length)
                say("layer %d %s", i, "planar");
            if (layer.changed[0].end)
                say("layer changed");
        }
    }

    void op_screen() {
        const uint64_t size = std::min<uint64_t>(room_, in_.byte() < 200 ? room_ : in_.half());
        PixmillGeodeScanout out;
        const Entry entry(world_);
        require(pixmill_geode_display_scanout(core_, size, &out) == out.visible, "visible");
        look_at(out, size);
        const uint8_t flags = in_.byte();
        const uint32_t begin = flags & 1 ? in_.half() : in_.byte() % out.height;
        const uint32_t end = flags & 2 ? begin + in_.byte() % kMostRows : begin + 1;
        const uint32_t pitch =
            4 * (flags & 4 ? in_.half() % (PIXMILL_GEODE_MAX_WIDTH + 1) : out.width);
        uint32_t* const pixels = screen();
        const bool drawn = begin < std::min(end, out.height) && pitch >= 4 * out.width;
        /* VRAM ends at the guard page.  The X bits of drawn rows must be 1. */
        pixmill_geode_display_rows(core_, vram_ + (room_ - size), size, begin, end, pixels, pitch);
        for (uint32_t x = 0; drawn && x < out.width; x++)
            require(pixels[size_t{begin} * (pitch / 4) + x] >> 24 == 0xFF, "X bits");
        PixmillGeodeScanout again;
        (void)pixmill_geode_display_scanout(core_, size, &again);
        require(again.generation == out.generation, "a generation without a change");
        for (const PixmillGeodeLayer& layer : again.layer)
            require(!layer.changed[0].end && !layer.changed[1].end, "a change that was none");
    }

    void op_msr() {
        static constexpr uint32_t known[] = {0x4C000015, 0x48002001, 0x10000029,
                                             0x80002011, 0x51400010, 0x10000086};
        const uint8_t choice = in_.byte();
        const uint32_t msr = choice < 240 ? known[choice % std::size(known)] : in_.word();
        const uint64_t low = in_.word(), high = in_.word(), wanted = high << 32 | low;
        uint64_t before = 0, after = 0;
        const Entry entry(world_);
        const bool exists = pixmill_geode_display_rdmsr(core_, msr, &before);
        require(exists || before == 0, "value of no MSR");
        require(pixmill_geode_display_wrmsr(core_, msr, wanted) == exists, "existence of an MSR");
        (void)pixmill_geode_display_rdmsr(core_, msr, &after);
        if (exists && after == wanted)
            say("msr written");
        PixmillGeodeBeam beam;
        pixmill_geode_display_beam(core_, &beam);
        require(beam.frame_ns >= 1'000'000 && beam.frame_ns <= 1'000'000'000, "time of a frame");
        require(beam.blank_ns > world_.now, "next blank");
    }

    void op_vsa() {
        const Entry entry(world_);
        const uint8_t flags = in_.byte();
        const uint32_t size = 1u << flags % 3, at = flags >> 2 & 3;
        pixmill_geode_vsa_write(core_, at, size, in_.word());
        const uint32_t value = pixmill_geode_vsa_read(core_, 2, 2);
        require(value <= 0xFFFF, "a port's value");
        say("vsa %x", value);
    }

    void op_gpio() {
        const uint32_t at = in_.half() & 0x1FF, size = in_.byte() % 9;
        pixmill_cs5536_gpio_write(&gpio_, at, size, in_.word());
        const uint32_t value = pixmill_cs5536_gpio_read(&gpio_, at, size, in_.word());
        require(size >= 4 || value >> 8 * size == 0, "value of a narrow read");
        (void)pixmill_cs5536_gpio_pins(&gpio_);
    }

    uint8_t* vram_ = nullptr;
    uint64_t room_ = 0;
    PixmillCs5536Gpio gpio_{};
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Input input(data, size);
    memory().clear();
    Guest guest(input);
    guest.play();
    return 0;
}
