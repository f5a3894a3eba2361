/*
 * libFuzzer target: a hostile guest on the C ABI of the NEMA|GFX core.
 *
 * The input is a byte program of operations on registers, command lists, rings, fragment programs,
 * surfaces, primitives and the core's life cycle.  Guest memory is fenced by guard pages.  The
 * core's obligations to its host are checked after every operation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "pixmill/nema.h"

#include <optional>

#include "../processor.hpp"
#include "frame.hpp"

using namespace pixmill;
using namespace pixmill::fuzz;

std::span<Landmark> fuzz::landmarks() {
    static Landmark all[] = {
        {"list: at a breakpoint", "fe_state at breakpoint"},
        {"list: goes on from a breakpoint", "running behind at breakpoint"},
        {"list: held by a flag", "fe_state held"},
        {"list: released by a flag", "fe_state released"},
        {"list: endless", "no end in"},
        {"list: a call", "command CALL"},
        {"list: called too deep", "the caller is forgotten"},
        {"list: back from a call", "behind RETURN"},
        {"list: aborted", "command ABORT"},
        {"list: no memory", "bus_error command list 0"},
        {"ring", "ring worked off"},
        {"draw: line", "draw line"},
        {"draw: rectangle", "draw rectangle"},
        {"draw: triangle", "draw triangle"},
        {"draw: quadrilateral", "draw quadrilateral"},
        {"draw: no memory to read", "bus_error drawing engine 0"},
        {"draw: no memory to write", "bus_error drawing engine 1"},
        {"draw: more than 64 x 64 pixels", "many pixels"},
        {"completion interrupt", "irq"},
        {"memory has ended", "the host is out of memory"},
        {"a load without memory", "load without memory"},
    };
    return all;
}

namespace {

enum : uint32_t {
    kImemAddr = 0x0C4,
    kImemLow = 0x0C8,
    kImemHigh = 0x0CC,
    kCmdStat = 0x0E8,
    kRing = 0x0EC,
    kCmdAddr = 0x0F0,
    kCmdSize = 0x0F4,
    kIntCtrl = 0x0F8,
    kStat = 0x0FC,
    kDrawCmd = 0x100,
    kIdreg = 0x1EC,
    kGpFlags = 0xFF4,
    kSysInt = 0xFF8,
    kBusErrorMask = 0xFFC,
};

constexpr uint32_t kLists = 0x20000; /* address of 16 lists of 1 KiB, contiguous in host memory */
constexpr uint32_t kListBytes = 0x400;
constexpr uint32_t kSplitLists = 0x100F00; /* address of lists that cross a gap in host memory */

class Guest final : public Frame {
public:
    explicit Guest(Input& input) : Frame(pixmill_nema, input) {
        const uint8_t flags = this->flags();
        portable_.emplace(flags & 0x40);
        PixmillNemaConfig config{};
        config.config = flags & 1 ? 0xF4030105 : flags & 2 ? in_.word() : 0;
        config.config_h = flags & 4 ? in_.word() : 0;
        create(config);
        if (!(flags & 0x80))
            bring_up();
    }

    void play() {
        static constexpr void (Guest::*kOps[])() = {
            &Guest::op_write,   &Guest::op_write,       &Guest::op_read,    &Guest::op_narrow,
            &Guest::op_memory,  &Guest::op_pair,        &Guest::op_pair,    &Guest::op_pair,
            &Guest::op_start,   &Guest::op_ring,        &Guest::op_jump,    &Guest::op_program,
            &Guest::op_surface, &Guest::op_surface,     &Guest::op_place,   &Guest::op_draw,
            &Guest::op_draw,    &Guest::op_matrix,      &Guest::op_step,    &Guest::op_render,
            &Guest::op_work,    &Guest::op_work,        &Guest::op_migrate, &Guest::op_corrupt,
            &Guest::op_inject,  &Guest::op_stop,        &Guest::op_reset,   &Guest::op_look,
            &Guest::op_tire,    &Guest::op_memory_ends, &Guest::op_move,
        };
        Frame::play(kOps, 256);
        finish();
    }

private:
    std::optional<processor::Portable> portable_;
    void accessed(uint32_t offset, uint32_t size, PixmillResult result) override {
        const bool whole = size == 1 || size == 2 || size == 4;
        require(whole == (result != PIXMILL_ERROR_ARGUMENT), "which sizes there are");
        if (size == 4 && offset % 4 == 0)
            require(result == PIXMILL_OK || (result == PIXMILL_ERROR_BUSY && offset == kDrawCmd),
                    "result of an access");
    }

    void ran(const PixmillRun& next) override {
        agree(next.action);
        if (next.action == PIXMILL_RUN_WAIT) {
            require(next.when_ns > world_.now, "a wait for the past");
            world_.now = next.when_ns;
        }
    }

    /* Checks that the lines and the next action match the registers after a run. */
    void agree(PixmillRunAction next) const {
        require(world_.line(0) == (peek(kIntCtrl) & 1), "level of the completion line");
        const uint32_t sys_int = peek(kSysInt);
        const bool error = (sys_int & 0xF) || ((sys_int & 0x800) && (peek(kBusErrorMask) & 0x78));
        require(world_.line(1) == error, "level of the error line");
        const uint32_t flags = peek(kGpFlags);
        require(world_.line(2) == ((flags & flags >> 4 & 0xF) != 0), "level of FREEZE");
        require(peek(kIdreg) == 0x86362000, "identity");
        const uint32_t stat = peek(kStat);
        require((stat >> 24 & 0xF) == (next == PIXMILL_RUN_DRAW ? 0xFu : 0u), "busy drawing");
        require((stat >> 31) == (stat << 1 != 0), "busy system");
        require((peek(kCmdStat) >> 31) == (stat >> 28 & 1), "busy list processor");
        require(next != PIXMILL_RUN_WAIT || peek(kIntCtrl) & 1, "a wait for no handler");
    }

    /*
     * Writes the registers that a library's initialization writes, so that DRAW_CMD has something
     * to draw.
     */
    void bring_up() {
        static const uint32_t writes[][2] = {
            {kImemAddr, 31},     {kImemLow, 0x08000002}, {kImemHigh, 0x80000009},
            {0x204, 0xFFFFFFFF}, {0x1D0, 0x00000504},    {0x114, 0x00400040},
            {0x000, 0x4000},     {0x004, 0x01000100},    {0x008, 0x00400040},
            {0x010, 0x8000},     {0x014, 0x01000040},    {0x018, 0x00100010},
            {0x020, 0x100FF0},   {0x024, 0x04000020},    {0x028, 0x00100010},
            {0x030, 0x101FF8},   {0x034, 0x08000040},    {0x038, 0x00400040},
            {0x11C, 0x141F801F}, {0x12C, 0x80402010},    {0x174, 0x3F800000},
            {0x168, 0x40000000}, {0x108, 0x00100010},    {0x120, 0x00028000},
            {0x124, 0x00010000}, {0x130, 0x000C0000},    {0x134, 0x0005C000},
            {0x140, 0x00088000}, {0x144, 0x000E0000},    {0x150, 0x00010000},
            {0x154, 0x00084000}, {0x1C0, 0x00FF0000},    {0x1A0, 0xFFF00000},
        };
        for (const auto& pair : writes)
            (void)write(pair[0], pair[1]);
    }

    /* ---- Operands ---- */

    uint32_t offset() override {
        static const uint16_t known[] = {
            0x000, 0x004, 0x008, 0x010, 0x014, 0x018, 0x01C, 0x020, 0x024, 0x028, 0x030, 0x034,
            0x038, 0x080, 0x08C, 0x098, 0x0C4, 0x0C8, 0x0CC, 0x0E8, 0x0EC, 0x0F0, 0x0F4, 0x0F8,
            0x0FC, 0x100, 0x104, 0x108, 0x110, 0x114, 0x118, 0x11C, 0x120, 0x124, 0x12C, 0x130,
            0x134, 0x138, 0x13C, 0x140, 0x144, 0x148, 0x150, 0x154, 0x158, 0x15C, 0x160, 0x164,
            0x168, 0x16C, 0x170, 0x174, 0x178, 0x17C, 0x180, 0x1A0, 0x1A4, 0x1B8, 0x1C0, 0x1CC,
            0x1D0, 0x1D4, 0x1D8, 0x200, 0x204, 0x208, 0x20C, 0xFF0, 0xFF4, 0xFF8, 0xFFC};
        const uint8_t choice = in_.byte();
        return choice < 3 * std::size(known) ? known[choice % std::size(known)]
                                             : in_.half() & 0xFFCu;
    }

    uint32_t value() override {
        const uint8_t choice = in_.byte();
        if (choice < 32)
            return 1u << choice;
        if (choice < 64)
            return static_cast<uint32_t>(in_.address());
        if (choice < 96)
            return static_cast<uint32_t>(in_.byte() % 64) << 16 | in_.byte() % 64;
        if (choice < 128)
            return list();
        return choice < 160 ? 0u - (choice & 1) : in_.word();
    }

    uint32_t list() {
        const uint8_t choice = in_.byte();
        return choice & 0x80 ? kSplitLists : kLists + kListBytes * (choice % 16);
    }

    /* Appends to the list under construction. */
    void emit(uint32_t word, uint32_t value) {
        memory().set_word(cursor_, word);
        memory().set_word(cursor_ + 4, value);
        cursor_ += 8;
    }

    /* Writes a register directly or through the list under construction. */
    void put(uint32_t offset, uint32_t value) {
        if (in_.byte() & 1)
            (void)write(offset, value);
        else
            emit(offset, value);
    }

    size_t corrupted() override {
        constexpr size_t registers = offsetof(PixmillNemaState, imem);
        constexpr size_t rest = sizeof(PixmillNemaState) - registers;
        return in_.byte() < 128 ? registers + in_.half() % rest : in_.word() % registers;
    }

    /* ---- Moves ---- */

    void op_narrow() {
        const uint32_t at = offset() + in_.byte() % 4;
        const uint32_t size = in_.byte() % 9;
        const bool reads = in_.byte() & 1;
        uint32_t word = in_.byte();
        if (reads)
            (void)read(at, size, word);
        else
            (void)write(at, word, size);
    }

    void op_pair() {
        static const uint32_t flags[] = {0,          0,       0,       0,       0xFF000000,
                                         0x08000000, 0x10000, 0x20000, 0x50000, 0x90000};
        const uint8_t choice = in_.byte();
        if (choice >= 250)
            cursor_ = list();
        const uint32_t flag = choice < 240 ? flags[choice % std::size(flags)] : in_.word();
        const uint32_t at = offset();
        emit(flag | at, value());
    }

    void op_start() {
        const uint32_t from = list();
        (void)write(kCmdAddr, from);
        (void)write(kCmdSize, in_.byte() & 1 ? (cursor_ - from) / 4 : in_.byte());
        cursor_ = list();
    }

    void op_ring() {
        const uint8_t flags = in_.byte();
        if (flags & 8)
            (void)write(kCmdAddr, list());
        if (flags & 16)
            (void)write(kCmdSize, in_.byte());
        (void)write(kRing, (flags & 32 ? cursor_ : list()) | (flags & 7));
    }

    void op_jump() {
        emit(0xF0, list());
        emit(0xF4 | (in_.byte() & 1 ? 0x20000 : 0), in_.byte());
    }

    /* Loads instructions of the libraries' programs, and random ones. */
    void op_program() {
        static const uint32_t pool[][2] = {
            {0x08000002, 0x80000009}, {0x080C0003, 0x0A0761C7}, {0x006E0002, 0x804B1286},
            {0x0000110B, 0x00000000}, {0x080C108B, 0x00002000}, {0x080C0182, 0x8A0260A7},
            {0x004E0182, 0x800F43C6}, {0x000010EB, 0x00000000}, {0x08001002, 0x90000010},
            {0x1000109B, 0x00000000}, {0x1000109B, 0x03046404}, {0x00001002, 0x8F7CDC65},
            {0x003A1002, 0x8000300D}, {0x00001108, 0x10140209}, {0x0000108B, 0x00000000},
        };
        put(kImemAddr, in_.byte() & 1 ? 31 : in_.byte() % 32);
        for (int n = in_.byte() % 4; n >= 0; n--) {
            const uint8_t choice = in_.byte();
            const bool known = choice < 192;
            const uint32_t* word = pool[choice % std::size(pool)];
            put(kImemLow, known ? word[0] : in_.word());
            put(kImemHigh, known ? word[1] : in_.word());
        }
        static const uint32_t pointers[] = {0x141F001F, 0x141F801F, 0x141F0000, 0x141EA000,
                                            0x941E8000, 0x1C1FBC00, 0x0000DC07, 0x941EA800};
        const uint8_t choice = in_.byte();
        put(0x11C, choice < 240 ? pointers[choice % std::size(pointers)] : in_.word());
    }

    /* Sets up a surface of any format, usually a small one. */
    void op_surface() {
        static const uint32_t first[] = {0x000, 0x010, 0x020, 0x030};
        const uint32_t at = first[in_.byte() % 4];
        put(at, static_cast<uint32_t>(in_.address()));
        const uint32_t format = in_.byte(), mode = in_.byte();
        put(at + 4, format << 24 | mode << 16 | (in_.byte() & 1 ? in_.half() : in_.byte()));
        put(at + 8,
            in_.byte() % 8 ? static_cast<uint32_t>(in_.byte()) << 16 | in_.byte() : in_.word());
    }

    /* Sets the clip rectangles and the primitive's rectangle. */
    void op_place() {
        static const uint32_t corners[] = {0x104, 0x108, 0x110, 0x114, 0x158, 0x15C};
        for (uint32_t at : corners) {
            if (in_.byte() & 1)
                put(at, static_cast<uint32_t>(in_.byte()) << 16 | in_.byte());
        }
        put(0x1D0, in_.word() & 0xC2000F0F);
        put(0x12C, in_.word());
    }

    void op_draw() {
        static const uint32_t vertices[] = {0x120, 0x124, 0x130, 0x134, 0x140, 0x144, 0x150, 0x154};
        static const uint8_t codes[] = {1, 2, 2, 4, 4, 5, 5, 0};
        const uint8_t code = codes[in_.byte() % std::size(codes)];
        for (uint32_t at : vertices) {
            if (code >= 4 && in_.byte() & 1)
                put(at, in_.byte() % 16 ? static_cast<uint32_t>(in_.half()) << 8 : in_.word());
        }
        put(kDrawCmd, code | static_cast<uint32_t>(in_.byte()) << 23);
    }

    void op_matrix() {
        static const uint32_t floats[] = {0x3F800000, 0xBF800000, 0x00000000, 0x3F000000,
                                          0x42280000, 0x7F800000, 0x7FC00000, 0xFF7FFFFF};
        for (int n = in_.byte() % 10; n >= 0; n--) {
            const uint32_t at = 0x160 + 4 * (in_.byte() % 9);
            const uint8_t choice = in_.byte();
            put(at, choice < 200 ? floats[choice % std::size(floats)] : in_.word());
        }
        put(0x118, static_cast<uint32_t>(in_.byte()) << 24);
    }

    void op_step() { (void)run(in_.byte()); }

    void op_render() { (void)draw(in_.half()); }

    void op_work() {
        PixmillNemaCounters before{}, after{};
        pixmill_nema.counters(core_, &before);
        work(in_.byte() % 32 + 2, 256, 0x8000);
        pixmill_nema.counters(core_, &after);
        const uint32_t ring = peek(kRing);
        if (after.lists > before.lists && ring & 4 && peek(kCmdAddr) == (ring & ~7u))
            say("ring worked off");
    }

    /*
     * Leaves the list processor only a few pairs of its budget, as if the list had run for a long
     * time.
     */
    void op_tire() {
        static_cast<PixmillNemaState*>(save())->clp_budget = in_.byte();
        require(load() == PIXMILL_OK, "load of fewer pairs");
    }

    void op_stop() {
        switch (in_.byte() % 3) {
        case 0:
            op_interrupt();
            break;
        case 1:
            (void)write(kStat, 0);
            break;
        default:
            (void)write(kCmdStat, 0);
        }
    }

    void op_reset() {
        reset();
        require(peek(kStat) == 0 && peek(kCmdStat) == 0, "busy after a reset");
    }

    void op_look() {
        Frame::op_look();
        op_trace();
    }

    uint32_t cursor_ = kLists;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Input input(data, size);
    memory().clear();
    Guest guest(input);
    guest.play();
    return 0;
}
