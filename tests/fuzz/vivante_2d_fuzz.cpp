/*
 * libFuzzer target: the drawing engine of the Vivante core, driven by valid command streams.
 *
 * The input selects a model and a number of threads, followed by programs: surfaces anywhere in
 * guest memory, 2D states of any value, then a draw or a filter kick.  Sizes are bounded, so every
 * program must end within a known number of steps.  Guest memory is fenced by guard pages, and only
 * writable memory may be reported dirty.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "pixmill/vivante.h"

#include "../processor.hpp"
#include "frame.hpp"
#include "render/cpu_dispatch.hpp"

using namespace pixmill;
using namespace pixmill::fuzz;

std::span<Landmark> fuzz::landmarks() {
    static Landmark all[] = {
        {"fault inside a draw", "mmu_fault PE"},
        {"no memory to read", "bus_error PE 0"},
        {"no memory to write", "bus_error PE 1"},
        {"source key of a copy", "drew: copy, source key"},
        {"destination key", "drew: destination key"},
        {"planar destination", "drew: planar"},
        {"planar destination with a destination key", "drew: planar, destination key"},
        {"planar destination with a source key", "drew: planar, source key"},
        {"more than 64 pixels wide", "drew: wide"},
        {"more than 64 pixels wide, with two threads", "drew: wide, threads"},
        {"loops for any processor", "drew: portable"},
        {"memory has ended", "the host is out of memory"},
    };
    return all;
}

namespace {

constexpr uint32_t kStream = 0x1000;
constexpr uint32_t kStreamEnd = 0x8000;
constexpr uint32_t kStates = 0x1200; /* address of the 2D block's states */
constexpr uint32_t kSide = 64;       /* largest side of clips and windows */
constexpr uint32_t kWide = 512;      /* the same in wide programs: width; height is 16 */
constexpr uint32_t kShare = 256;     /* bytes of the smallest draw that threads share */

/*
 * Returns the address of a source, destination, plane or pattern, inside guest memory or across its
 * ends.
 */
uint32_t surface(Input& in) {
    static constexpr uint32_t bases[] = {0x00008000, 0x00010000, 0x00018000, 0x00020000,
                                         0x00100000, 0x0010F000, 0x00200000, 0x80000000,
                                         0x80007000, 0x70000000, 0xFFFFF000};
    /* usually a base with memory before and after it */
    const uint8_t choice = in.byte();
    return bases[choice < 200 ? choice % 4 : choice % std::size(bases)] + (in.half() & 0x1FFC);
}

uint32_t stride(Input& in, bool wide) {
    const uint8_t choice = in.byte();
    return choice < 200 ? (wide ? 32u : 4u) * (choice % 80) : in.word() & 0x3FFFC;
}

class Painter final : public Frame {
public:
    Painter(const char* model, uint32_t threads, uint32_t quirks, Input& input)
        : Frame(pixmill_vivante, input), threads_(threads > 1) {
        const PixmillVivanteConfig config{model, 0, 0, 0, threads, kShare, quirks, 0, 0};
        create(config);
    }

    void play() {
        emit_state(0x3800, 1);
        for (int i = 0; i < 4 && !in_.empty(); i++)
            program();
    }

private:
    void emit(uint32_t word) {
        require(cursor_ < kStreamEnd, "the stream of a program fits");
        memory().set_word(cursor_, word);
        cursor_ += 4;
    }

    void emit_state(uint32_t addr, uint32_t value) {
        emit(0x08010000 | addr / 4);
        emit(value);
        if (addr >= kStates && addr < kStates + 4 * std::size(states_))
            states_[(addr - kStates) / 4] = value;
    }
    uint32_t state(uint32_t addr) const { return states_[(addr - kStates) / 4]; }

    void surfaces();
    void any_states();
    uint32_t side() const { return wide_ ? kWide : kSide; }
    uint32_t bounded(uint32_t word) const {
        return word & ((wide_ ? kSide / 4 - 1 : kSide - 1) << 16 | (side() - 1));
    }
    void look(uint64_t pixels) const;
    void tables();
    void draw_command();
    void kick();
    void program();

    uint32_t cursor_ = kStream;
    bool wide_ = false, injected_ = false, threads_;
    uint32_t states_[0x80] = {}; /* last emitted values; mask bits are ignored */
};

/* Emits all states with addresses; existing formats are more likely than others. */
void Painter::surfaces() {
    const uint8_t formats = in_.byte();
    const uint32_t swizzles = in_.byte();
    emit_state(0x1200, surface(in_));
    emit_state(0x1204, stride(in_, wide_));
    emit_state(0x1208, in_.byte() | (swizzles & 0x80) << 9);
    emit_state(0x120C, static_cast<uint32_t>(in_.byte() % 0x16) << 24 | (formats & 0xF) |
                           (swizzles & 3) << 20 | static_cast<uint32_t>(in_.byte()) << 4 |
                           (formats & 0x30u) << 8 | (formats & 0xC0u) << 24);
    emit_state(0x1210, (in_.byte() & 0x3F) | (in_.byte() & 0x3Fu) << 16);
    emit_state(0x1214, (in_.byte() & 0x3F) | (in_.byte() & 0x3Fu) << 16);
    emit_state(0x12B8, in_.byte());
    emit_state(0x1228, surface(in_));
    emit_state(0x122C, stride(in_, wide_));
    emit_state(0x1230, in_.byte() | (swizzles & 0x40) << 10);
    emit_state(0x12B4, in_.byte());
    for (const uint32_t plane : {0x1284u, 0x128Cu, 0x1310u, 0x1318u}) {
        emit_state(plane, surface(in_));
        emit_state(plane + 4, stride(in_, wide_));
    }
    emit_state(0x1238, surface(in_));
    emit_state(0x1304, surface(in_));
}

void Painter::any_states() {
    static constexpr uint16_t likely[] = {
        0x120C, 0x1218, 0x121C, 0x123C, 0x1240, 0x1248, 0x1250, 0x1254, 0x125C, 0x126C,
        0x127C, 0x1280, 0x12BC, 0x12C0, 0x12C4, 0x12C8, 0x12CC, 0x12D0, 0x12D4, 0x12D8,
        0x12DC, 0x12E0, 0x12E4, 0x12E8, 0x12EC, 0x1300, 0x1308, 0x130C, 0x1328, 0x132C};
    for (int n = in_.byte() % 32; n; n--) {
        const uint8_t choice = in_.byte();
        if (choice < 160) { /* often clears the mask bits, which enables the write */
            emit_state(likely[choice % std::size(likely)],
                       in_.byte() & 1 ? in_.word() : in_.word() & 0x77333377);
        } else if (choice < 230) { /* a source of a multi-source blit, in either state block */
            static constexpr uint32_t values[] = {0x06000000, 0x0030CCCC, 1, 0x31000000};
            const uint32_t group = in_.byte() % 48;
            const bool block8 = choice & 1;
            const uint32_t at = (block8 ? 0x12A00 + group * 0x20 : 0x12800 + group * 0x10) +
                                4u * (in_.byte() % (block8 ? 8 : 4));
            emit_state(at, group == 0    ? surface(in_)
                           : group == 1  ? stride(in_, wide_)
                           : choice & 2u ? values[choice / 4 % 4]
                                         : in_.word());
        } else { /* any state but a filter kick */
            const uint32_t addr = 0x1200 + 4u * (in_.half() % 0x6C);
            if (addr != 0x1294)
                emit_state(addr, in_.word());
        }
    }
}

void Painter::tables() {
    static constexpr uint16_t bases[] = {0x1800, 0x1C00, 0x2800, 0x2A00, 0x3400};
    for (int n = in_.byte() % 16; n; n--)
        emit_state(bases[in_.byte() % std::size(bases)] + 4u * (in_.byte() & 0x7F), in_.word());
}

void Painter::draw_command() {
    const uint32_t rects = 1 + in_.byte() % 4;
    const uint32_t data = in_.byte() < 128 ? 0 : in_.byte() % 128;
    const bool anywhere = in_.byte() < 32;
    emit(0x20000000 | data << 16 | rects << 8);
    emit(0);
    for (uint32_t i = 0; i < 2 * rects; i++)
        emit(anywhere ? in_.word() : bounded(in_.word()));
    for (uint32_t i = 0; i < data + (data & 1); i++)
        emit(in_.word());
}

void Painter::kick() {
    emit_state(0x1220, in_.word());
    emit_state(0x1224, in_.word());
    emit_state(0x1298, in_.byte() < 200 ? bounded(in_.word()) : in_.word());
    emit_state(0x129C, in_.byte() < 200 ? bounded(in_.word()) : in_.word());
    emit_state(0x12A0, in_.word());
    emit_state(0x12A4, in_.word());
    /* a corner may be left of the target or above it by up to one side length */
    const uint32_t corner = bounded(in_.word());
    emit_state(0x12A8,
               in_.byte() < 40 ? 0x10000 * ((corner >> 16) - side()) + (corner & 0xFFFF) : corner);
    emit_state(0x12AC, bounded(in_.word()));
    emit_state(0x1294, in_.byte() & 3);
}

/* Logs for the landmarks what a program without a fault has drawn. */
void Painter::look(uint64_t pixels) const {
    if (!looking || !pixels)
        return;
    const uint32_t format = state(0x1234) & 0x1F, keys = state(0x12D4);
    const uint32_t right = state(0x1264) & 0x7FFF, bottom = state(0x1264) >> 16;
    const bool planar = format == 0x0F || format == 0x11 || format == 0x12;
    const bool copy = (state(0x1234) >> 12 & 0xF) == 2 && (state(0x125C) & 0xFFFF) == 0xCCCC &&
                      !(state(0x127C) & 1);
    if (copy && !planar && (keys & 0x303) == 2)
        say("drew: copy, source key");
    if ((keys & 0x300) == 0x200)
        say("drew: destination key");
    if (planar)
        say("drew: planar%s", (keys & 0x300) == 0x200 ? ", destination key"
                              : (keys & 3) == 2       ? ", source key"
                                                      : "");
    if (right > 64 && pixels > right * bottom / 2)
        say("drew: wide%s", threads_ ? ", threads" : "");
    if (!render::use_avx2())
        say("drew: portable");
}

void Painter::program() {
    wide_ = in_.byte() < 64;
    surfaces();
    any_states();
    tables();
    static constexpr uint8_t commands[] = {0, 1, 2, 2, 2, 4, 4, 8, 8, 5};
    const uint32_t command = commands[in_.byte() % std::size(commands)];
    emit_state(0x1234, command << 12 | in_.byte() % 0x20 | (in_.byte() & 3u) << 16 |
                           (in_.byte() < 64 ? in_.word() & 0xFF7F0FE0 : 0));
    emit_state(0x1260, bounded(in_.word()));
    emit_state(0x1264, bounded(in_.word()));
    if (command == 5 || in_.byte() < 24)
        kick();
    else
        draw_command();
    emit_state(0x3804, 0x41);
    emit(0x10000000);
    emit(0);
    write(0x654, kStream);
    write(0x658, 0x10000 | (kStreamEnd - kStream) / 8);
    PixmillVivanteCounters before{}, after{};
    pixmill_vivante.counters(core_, &before);
    /*
     * A program draws at most 4 rectangles of 64 x 64 or 512 x 16, or a window of 64 x 128, from up
     * to 8 sources.  A budget of 4096 bytes draws at least one row, so a program takes thousands of
     * steps at most.  Rows that are stored together are composed again after each migration, but
     * the draw must still end.  An MMU fault stops the engine until a reset.
     */
    injected_ = work_off(4096, {PIXMILL_VIVANTE_FAULT_BUS, PIXMILL_VIVANTE_FAULT_MMU});
    pixmill_vivante.counters(core_, &after);
    if (after.mmu_faults == before.mmu_faults && after.bus_errors == before.bus_errors)
        look(after.pixels - before.pixels);
    cursor_ = kStream;
    if (!injected_)
        return;
    injected_ = false;
    reset();
    emit_state(0x3800, 1);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static constexpr const char* models[] = {"gc320-imx6",   "gc320-imx6qp", "gc320-am57xx",
                                             "gc520-imx8mp", "gc620-th1520", "gc600-dove"};
    static constexpr uint32_t threads[] = {1, 1, 2, 3};
    Input input(data, size);
    memory().paint();
    const uint8_t choice = input.byte();
    constexpr size_t cores = std::size(models) * std::size(threads);
    const processor::Portable portable(choice / cores % 2);
    const uint32_t quirks = choice / (2 * cores) % 2 ? PIXMILL_VIVANTE_QUIRK_YUV_ORDER : 0;
    Painter painter(models[choice % std::size(models)],
                    threads[choice / std::size(models) % std::size(threads)], quirks, input);
    painter.play();
    return 0;
}
