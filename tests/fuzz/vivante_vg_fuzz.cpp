/*
 * libFuzzer target: the VG core of the Vivante family, driven by streams that follow a grammar.
 *
 * The input selects a model, followed by programs: states of the VG block with usually small
 * surfaces anywhere in guest memory, rectangles, path data from a grammar or of random bytes, and
 * commands that jump and call.  Clips are bounded, so every program must end within a known number
 * of steps.  A program may also be a recording, or a mutation of a recording: words in memory,
 * registers, and streams, which are abandoned after some time.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <bit>

#include "pixmill/vivante.h"

#include "frame.hpp"

using namespace pixmill;
using namespace pixmill::fuzz;

std::span<Landmark> fuzz::landmarks() {
    static Landmark all[] = {
        {"no memory to read", "bus_error PE 0"},
        {"no memory to write", "bus_error PE 1"},
        {"a stream that is not there", "bus_error FE 0"},
        {"rectangles have shown something", "drew: rectangles"},
        {"a path has shown something", "drew: path"},
        {"a recorded stream has shown something", "drew: recorded"},
        {"a front end has hung", "the front end hangs"},
        {"memory has ended", "the host is out of memory"},
    };
    return all;
}

namespace {

constexpr uint32_t kStream = 0x1000, kStreamEnd = 0x7000;
constexpr uint32_t kCalled = 0x7000, kCalledEnd = 0x8000;
constexpr uint32_t kLowEnd = 0x30000; /* end of the memory that begins at 0 */
constexpr uint32_t kSide = 127;       /* largest side of a target */
/*
 * Number of steps after which a stream is abandoned.  A stream that loops would otherwise run for
 * 2^24 qwords, which takes seconds.
 */
constexpr int kPatience = 2'000;

/* Returns the address of a target, image or mask, inside guest memory or across its ends. */
uint32_t surface(Input& in) {
    static constexpr uint32_t bases[] = {0x00008000, 0x00010000, 0x00018000, 0x00020000,
                                         0x00100000, 0x0010F000, 0x00200000, 0x80000000,
                                         0x80007000, 0x70000000, 0xFFFFF000};
    const uint8_t choice = in.byte();
    return bases[choice < 200 ? choice % 4 : choice % std::size(bases)] + (in.half() & 0x1FFF);
}

class Draftsman final : public Frame {
public:
    Draftsman(const char* model, Input& input) : Frame(pixmill_vivante, input) {
        const PixmillVivanteConfig config{model, 0, 0, 0, 1, 0, 0, 0, 0};
        create(config);
        allowance_ = 1 << 24;
    }

    void play() {
        for (int i = 0; i < 3 && !in_.empty(); i++) {
            const uint8_t kind = in_.byte();
            if (kind >= kRecorded && kind < kRectangles)
                recorded();
            else
                program(kind < kRecorded);
        }
    }

private:
    /*
     * A program's first byte selects its kind: a path below kRecorded, a recording below
     * kRectangles, and rectangles otherwise.
     */
    static constexpr uint8_t kRecorded = 96, kRectangles = 160;

    void emit(uint32_t word) {
        require(cursor_ + 4 <= end_, "the stream of a program fits");
        memory().set_word(cursor_, word);
        cursor_ += 4;
    }
    void emit_state(uint32_t address, uint32_t value) {
        emit(0x30010000 | address);
        emit(value);
    }
    void emit_float(uint32_t address, float value) {
        emit_state(address, std::bit_cast<uint32_t>(value));
    }
    bool often() { return in_.byte() < 224; }
    /* usually a small multiple of @unit, sometimes any float */
    float number(float unit) {
        return often() ? static_cast<float>(static_cast<int8_t>(in_.byte())) * unit
                       : std::bit_cast<float>(in_.word());
    }

    void target();
    void source(uint32_t set);
    void paint();
    void options();
    void rectangles();
    void path();
    void segments(uint32_t qwords);
    void command();
    void program(bool draws_path);

    void recorded();
    uint32_t place() { return in_.half() * 4u % kLowEnd; }
    void put_words(uint32_t at, uint32_t count);
    void recorded_words();
    void recorded_register();
    void recorded_stream();

    void start(uint32_t qwords, const char* what);

    uint32_t cursor_ = kStream, end_ = kStreamEnd;
};

void Draftsman::target() {
    emit_state(0xA10, (often() ? in_.byte() & 0x37 : in_.byte()) | (in_.byte() & 0x33u) << 8 |
                          (in_.byte() < 200 ? 0x10000 : 0));
    emit_state(0xA11, surface(in_));
    emit_state(0xA12, (often() ? in_.byte() * 4u : in_.half()) | (in_.byte() < 32 ? 1u << 28 : 0));
    emit_state(0xA13, in_.word() & (kSide << 16 | kSide));
}

void Draftsman::source(uint32_t set) {
    const uint32_t shape = in_.word();
    emit_state(0xA24 + set,
               often() ? (shape & 0x0103F13F) % 0x10 % 9 | (shape & 0x0103F130) : shape);
    emit_state(0xA26 + set, in_.word());
    emit_state(0xA28 + set, surface(in_));
    emit_state(0xA2A + set,
               (often() ? in_.byte() * 4u : in_.half()) | (in_.byte() < 32 ? 1u << 28 : 0));
    emit_state(0xA2C + set, often() ? 0 : in_.word());
    emit_state(0xA2E + set, often() ? in_.word() & 0x003F003F : in_.word());
}

/* Emits transforms and gradients. */
void Draftsman::paint() {
    for (uint32_t i = 0; i < 3; i++) {
        emit_float(0xA18 + i, i == 2 ? 1.0f + number(1.0f / 4096) : number(1.0f / 64));
        emit_float(0xA1C + i, i == 2 ? number(1.0f / 65536) : number(1.0f / 512));
        emit_float(0xA20 + i, i == 2 ? number(1.0f / 65536) : number(1.0f / 512));
    }
    for (uint32_t i = 0xA03; i <= 0xA0B; i++)
        emit_float(i, number(1.0f / 1024));
}

void Draftsman::options() {
    for (const uint32_t plane : {0xA14u, 0xA16u}) {
        emit_state(plane, surface(in_));
        emit_state(plane + 1, in_.byte());
    }
    for (int n = in_.byte() % 16; n; n--) {
        static constexpr uint16_t likely[] = {0xA02, 0xA0C, 0xA0D, 0xA0E, 0xA0F, 0xA5A, 0xA5B,
                                              0xA90, 0xA91, 0xA94, 0xA95, 0xA98, 0xAA0, 0xB00};
        const uint8_t choice = in_.byte();
        const uint32_t at =
            choice < 200 ? likely[choice % std::size(likely)] : 0xA00 + in_.half() % 0x200;
        if (at != 0xA13) /* the clip stays, since it bounds the work */
            emit_state(at, in_.word());
    }
}

void Draftsman::rectangles() {
    const uint32_t count = 1 + in_.byte() % 4;
    emit(0x40000000 | count);
    emit(0);
    for (uint32_t i = 0; i < 2 * count; i++)
        emit(often() ? in_.word() & (kSide << 16 | kSide) : in_.word());
}

/* Emits `qwords` qwords of path data, either in the chosen type or with random bytes. */
void Draftsman::segments(uint32_t qwords) {
    const bool grammar = often();
    for (uint32_t i = 0; i < 2 * qwords; i++) {
        uint32_t word = in_.word();
        if (grammar) { /* most words start with a valid opcode or operand */
            const uint32_t opcode = word % 10;
            word = in_.byte() < 96 ? (word & ~0xFFu) | opcode : word & 0x007F007F;
        }
        emit(word);
    }
}

void Draftsman::path() {
    emit_state(0xA34, 0x01000000 | (in_.byte() & 0x33u) << 16 | (in_.byte() & 0x13));
    emit_state(0xA39, often() ? 0 : in_.word());
    emit_state(0xA3A, often() ? kSide << 16 | kSide : in_.word());
    emit_float(0xA3B, often() ? 1.0f : number(1.0f));
    emit_float(0xA3C, often() ? 0.0f : number(1.0f));
    for (uint32_t i = 0; i < 6; i++)
        emit_float(0xA40 + i, often() ? (i % 4 ? number(0.125f) : 1.0f) : number(1.0f));
    const uint32_t qwords = 1 + in_.byte() % 64;
    const bool called = in_.byte() < 64;
    const uint32_t back = cursor_;
    if (called) {
        cursor_ = kCalled;
        end_ = kCalledEnd;
    }
    emit(0x40000000 | qwords);
    emit(0);
    segments(qwords);
    if (!called)
        return;
    emit(0x70000000);
    emit(0);
    cursor_ = back;
    end_ = kStreamEnd;
    emit(0x60000000 | (qwords + 2));
    emit(kCalled);
}

/* Emits a command that may occur between draws, or one that must not occur there. */
void Draftsman::command() {
    static constexpr uint32_t words[] = {0x10000007, 0x20000010, 0x80000000, 0x30010E01, 0x30000000,
                                         0x90000000, 0x70000000, 0x50000002, 0x60000004, 0x40000000,
                                         0x3FFF0FFF, 0x401FFFFF, 0xA0000000, 0x00000003};
    const uint8_t choice = in_.byte();
    emit(choice < 160 ? words[choice % 4] : words[choice % std::size(words)]);
    emit(in_.byte() < 128 ? kCalled : in_.word());
}

void Draftsman::program(bool draws_path) {
    target();
    source(0);
    source(1);
    paint();
    options();
    for (int n = in_.byte() % 3; n; n--)
        command();
    const uint32_t control = in_.word();
    emit_state(0xA00, (often() ? control & 0x1301FF10 : control & ~3u) | (draws_path ? 3 : 1));
    if (draws_path)
        path();
    else
        rectangles();
    emit(in_.byte() & 31);
    emit(0);
    write(0x014, in_.word());
    write(0x500, often() ? kStream : in_.word());
    start((kStreamEnd - kStream) / 8, draws_path ? "path" : "rectangles");
    cursor_ = kStream;
    /* a hang lasts until a reset */
    reset();
}

/* ---- Recordings ---- */

/* Writes to low memory, wrapping at its end. */
void Draftsman::put_words(uint32_t at, uint32_t count) {
    for (; count; count--, at = (at + 4) % kLowEnd)
        memory().set_word(at, in_.word());
}

void Draftsman::recorded_words() {
    const uint32_t at = place();
    put_words(at, in_.byte());
}

void Draftsman::recorded_register() {
    const uint32_t at = in_.half();
    write(at, in_.word());
    (void)read(at);
}

void Draftsman::recorded_stream() {
    const uint32_t at = place();
    put_words(at, in_.half() % 0x1000);
    write(0x500, at);
    start(in_.word(), "recorded");
}

void Draftsman::recorded() {
    static constexpr void (Draftsman::*pieces[])() = {
        &Draftsman::recorded_words, &Draftsman::recorded_register, &Draftsman::recorded_stream};
    for (int n = in_.byte() % 32; n && !in_.empty(); n--)
        (this->*pieces[in_.byte() % std::size(pieces)])();
    reset();
}

/* Starts the stream at CMDBUF_ADDRESS. */
void Draftsman::start(uint32_t qwords, const char* what) {
    PixmillVivanteCounters before{}, after{};
    pixmill_vivante.counters(core_, &before);
    write(0x504, qwords);
    (void)work_off(0x10000, {PIXMILL_VIVANTE_FAULT_BUS, PIXMILL_VIVANTE_FAULT_HANG}, kPatience);
    pixmill_vivante.counters(core_, &after);
    if (looking && after.pixels > before.pixels)
        say("drew: %s", what);
    if (looking && !(read(0x004) & 1))
        say("the front end hangs");
    (void)read(0x010);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static constexpr const char* models[] = {"gc355-imx6q", "gc355-rt1170", "gc255-rt595"};
    Input input(data, size);
    memory().paint();
    Draftsman draftsman(models[input.byte() % std::size(models)], input);
    draftsman.play();
    return 0;
}
