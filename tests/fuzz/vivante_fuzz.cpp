/*
 * libFuzzer target: a hostile guest on the C ABI of the Vivante core.
 *
 * The input is a byte program: a model, then operations on registers, memory, command streams, page
 * tables, the clock and the core's life cycle.  Anything with a structure (streams, 2D programs,
 * MMU setup) has a separate operation, so that few bytes reach deep into the core.  Guest memory is
 * fenced by guard pages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "pixmill/vivante.h"

#include "../processor.hpp"
#include "frame.hpp"

using namespace pixmill;
using namespace pixmill::fuzz;

std::span<Landmark> fuzz::landmarks() {
    static Landmark all[] = {
        {"draw: first-level entry missing", "mmu_fault PE 1"},
        {"draw: second-level entry missing", "mmu_fault PE 2"},
        {"draw: page not to be written", "mmu_fault PE 3"},
        {"draw: no memory to read", "bus_error PE 0"},
        {"draw: no memory to write", "bus_error PE 1"},
        {"front end: fault at a fetch", "mmu_fault FE 2"},
        {"front end: fault at a fence's store", "mmu_fault FE 3"},
        {"front end: fence stored", "store of 8"},
        {"front end: fence stored to two runs of memory", "store of 4"},
        {"front end: fence where no memory is", "bus_error FE 1"},
        {"front end: waits for a fence", "fe_state fence"},
        {"front end: words in two runs of memory", "words over two runs"},
        {"front end: behind a RETURN to a caller", "END behind RETURN"},
        {"front end: CALL too deep", "CALL with a full link stack"},
        {"front end: RETURN without a CALL", "RETURN with an empty link stack"},
        {"front end: parked", "fe_state parked"},
        {"front end: prefetch exhausted", "fe_state starved"},
        {"front end: STALL without a semaphore", "without its SEMAPHORE_TOKEN"},
        {"page-table array: no such entry", "the page-table array has 512 entries"},
        {"page-table array: no memory", "FE reads 0x70000000: no memory there"},
        {"page table of a reserved page size", "page size of mode 1"},
        {"memory has ended", "the host is out of memory"},
    };
    return all;
}

namespace {

/* ---- The guest -------------------------------------------------------------- */

constexpr uint32_t kStream = 0x1000;
constexpr uint32_t kTables = 0x20000; /* MTLB, then STLBs, or a table of an MMU v1 */

class Guest final : public Frame {
public:
    Guest(const char* model, bool captured, Input& input) : Frame(pixmill_vivante, input) {
        captured_ = captured;
        const PixmillVivanteConfig config{model, 0, 0, 0, 1, 0, 0, 0, 0};
        create(config);
        allowance_ = 48 * 1024;
    }

    void play() {
        static constexpr void (Guest::*kOps[])() = {
            &Guest::op_write,   &Guest::op_read,        &Guest::op_memory,  &Guest::op_command,
            &Guest::op_start,   &Guest::op_clock,       &Guest::op_run,     &Guest::op_draw,
            &Guest::op_work,    &Guest::op_migrate,     &Guest::op_corrupt, &Guest::op_inject,
            &Guest::op_reset,   &Guest::op_table,       &Guest::op_mmu,     &Guest::op_blit,
            &Guest::op_look,    &Guest::op_patch,       &Guest::op_loop,    &Guest::op_trace,
            &Guest::op_barrier, &Guest::op_memory_ends, &Guest::op_move,
        };
        Frame::play(kOps, 96);
        work(64);
        soft_reset();
        require(injected({"reset-fails", "busy-after-reset", "fused-off"}) || peek(0x04) != 0,
                "idle after a reset");
        finish();
    }

private:
    void soft_reset() {
        for (uint32_t value : {0x80100u, 0x81100u, 0x80100u, 0x100u})
            write(0x00, value);
    }

    uint32_t offset() override { return in_.offset(); }
    uint32_t value() override { return in_.value(); }
    size_t corrupted() override { return in_.byte() < 128 ? in_.half() % 0x1200 : in_.word(); }

    void emit(uint32_t word) {
        memory().set_word(cursor_, word);
        cursor_ = kStream + (cursor_ + 4 - kStream) % 0x8000;
    }

    void emit_state(uint32_t addr, uint32_t value) {
        emit(0x08010000 | addr / 4);
        emit(value);
    }

    uint32_t begin() { return cursor_ = (cursor_ + 7) & ~7u; }

    void start(uint32_t addr, uint32_t prefetch) {
        write(0x654, addr);
        write(0x658, 0x10000 | prefetch);
    }

    /* ---- Moves ---- */

    void op_read() {
        const uint32_t offset = in_.offset();
        const uint32_t size = 1u << in_.byte() % 3, at = offset & ~(size - 1);
        uint32_t value = 0;
        (void)read(at, size, value);
        if (size != 4)
            (void)write(at, offset, size);
    }

    void op_command();
    void op_blit();

    void op_start() {
        start(in_.byte() < 200 ? kStream : static_cast<uint32_t>(in_.address()),
              in_.byte() < 200 ? 0x1000 : in_.half());
    }

    void op_reset() {
        const uint8_t kind = in_.byte() % 3;
        if (kind == 0) {
            reset();
        } else if (kind == 1) {
            soft_reset();
        } else {
            op_interrupt();
        }
    }

    void op_table() {
        const uint32_t index = in_.half() % 0x4000;
        const auto page = static_cast<uint32_t>(in_.address() & ~0xFFFull);
        memory().set_word(kTables + 4 * index, page | (in_.byte() & 0x1F));
    }

    void op_mmu();
    void op_look();
    void refuse_models();

    void op_patch() { /* turns a WAIT at the start of the stream into a LINK */
        memory().set_word(kStream + 4, static_cast<uint32_t>(in_.address()));
        memory().set_word(kStream, 0x40000000 | in_.half());
    }

    void op_loop() {
        memory().set_word(kStream, 0x38000000 | in_.half());
        memory().set_word(kStream + 8, 0x40000002);
        memory().set_word(kStream + 12, kStream);
        start(kStream, 2);
    }

    void op_barrier() {
        const Entry entry(world_);
        pixmill_vivante_barrier(core_);
    }

    uint32_t cursor_ = kStream;
};

void Guest::op_command() {
    static const uint32_t states[] = {0x180,  0x184,  0x1AC,  0x1200, 0x1204, 0x120C, 0x1210,
                                      0x1228, 0x122C, 0x1234, 0x123C, 0x1254, 0x125C, 0x1260,
                                      0x1264, 0x127C, 0x1294, 0x12BC, 0x12C0, 0x12D4, 0x3800,
                                      0x3804, 0x3808, 0x380C, 0x3810, 0x7E8,  0x7F4,  0x3898};
    begin();
    const uint8_t kind = in_.byte() % 12;
    switch (kind) {
    case 0:
    case 1:
    case 2:
        emit_state(states[in_.byte() % std::size(states)], in_.value());
        break;
    case 3: { /* a burst */
        const uint32_t count = in_.byte() % 16;
        emit(0x08000000 | count << 16 | (in_.half() & 0xFFFF) | (in_.byte() & 1 ? 1u << 26 : 0));
        for (uint32_t i = 0; i < (count ? count | 1 : 15); i++)
            emit(in_.value());
        break;
    }
    case 4: /* WAIT, LINK, STALL, RETURN, CHIP_SELECT, ... with operands */
    case 5:
        emit(static_cast<uint32_t>(in_.byte()) << 27 | in_.half());
        emit(in_.byte() < 128 ? kStream + (in_.half() & 0x7FF8) : in_.value());
        break;
    case 6: /* CALL */
        emit(0x50000000 | in_.half());
        emit(kStream + (in_.half() & 0x7FF8));
        emit(in_.half());
        emit(cursor_ + 4);
        break;
    case 7: /* EVENT */
        emit_state(0x3804, in_.byte());
        break;
    case 8: /* DRAW_2D */
        emit(0x20000000 | (in_.byte() % 4) << 8 | (in_.byte() < 8 ? 3 << 16 : 0));
        for (int i = 0; i < 9; i++)
            emit(in_.byte() < 128 ? in_.byte() % 64 | (in_.byte() % 64) << 16 : in_.word());
        break;
    case 9:
        emit(0x10000000);
        emit(0);
        break;
    case 10:
        emit(0x40000000 | 0x1000);
        emit(kStream);
        break;
    default:
        emit(in_.word());
        emit(in_.word());
    }
}

/* Writes a whole 2D program to its own address and starts it. */
void Guest::op_blit() {
    const uint32_t at = begin();
    const uint8_t flags = in_.byte();
    emit_state(0x3800, 1);
    emit_state(0x1200, static_cast<uint32_t>(in_.address()));
    emit_state(0x1204, in_.half());
    emit_state(0x120C, (in_.byte() % 8) << 24 | (flags & 1 ? 0x40 : 0) | (in_.byte() & 3) << 20);
    emit_state(0x1210, flags & 2 ? in_.word() : in_.byte() % 16 | (in_.byte() % 16) << 16);
    emit_state(0x1228,
               flags & 4 ? static_cast<uint32_t>(in_.address()) : 0x8000u + in_.half() % 0x4000);
    emit_state(0x122C, in_.half());
    emit_state(0x1234, (in_.byte() % 8) | (flags & 8 ? 0x2000 : 0) | (in_.byte() & 3) << 16);
    const uint32_t code = in_.byte();
    emit_state(0x125C, 0x00300000 | code << 8 | code);
    emit_state(0x1260, 0);
    emit_state(0x1264, flags & 16 ? in_.word() : 0x00400040);
    emit_state(0x12C0, in_.word());
    emit_state(0x1254, in_.word());
    const uint32_t rects = 1 + in_.byte() % 4;
    emit(0x20000000 | rects << 8);
    emit(0);
    for (uint32_t i = 0; i < 2 * rects; i++)
        emit(flags & 32 ? in_.word() : in_.byte() % 64 | (in_.byte() % 64) << 16);
    emit_state(0x3804, 0x41);
    emit(0x10000000);
    emit(0);
    start(at, 0x100);
}

/*
 * Enables translation. The low pages are identity mapped; other pages use the entries that
 * op_table() wrote.
 */
void Guest::op_mmu() {
    const uint8_t mode = in_.byte() & 1;
    for (uint32_t i = 0; i < 64; i++)
        memory().set_word(kTables + 0x1000 + 4 * i, i << 12 | 5);
    memory().set_word(kTables, (kTables + 0x1000) | 1);
    memory().set_word(kTables + 4, (kTables + 0x2000) | (in_.byte() & 0xF));
    memory().set_word(kTables + 0x800, kTables); /* a page table array */
    for (uint32_t offset = 0x400; offset <= 0x410; offset += 4)
        write(offset, kTables);
    const uint32_t at = begin();
    emit_state(0x184, kTables | mode);
    emit_state(0x180, in_.half());
    emit_state(0x1AC, 0);
    emit(0x10000000);
    emit(0);
    write(0x38C, kTables + 0x800);
    write(0x394, 1);
    start(at, 8);
    work(2);
    write(0x18C, 1);
    write(0x388, 1);
}

void Guest::refuse_models() {
    const PixmillHost host = host_of(world_);
    const PixmillVivanteConfig config{"gc1", 0, 0, 0, 1, 0, 0, 0, 0};
    PixmillCore* made = nullptr;
    require(pixmill_vivante.create(nullptr, &host, &made) == PIXMILL_ERROR_ARGUMENT, "no model");
    require(pixmill_vivante.create(&config, &host, &made) == PIXMILL_ERROR_ARGUMENT, "model");
    require(!made, "a core that was refused");
}

void Guest::op_look() {
    Frame::op_look();
    (void)pixmill_vivante_standby(core_);
    refuse_models();
    (void)read(0x04);
    (void)read(0x10);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const size_t models = [] {
        size_t count = 0;
        while (pixmill_vivante_model(count))
            count++;
        return count;
    }();
    Input input(data, size);
    memory().clear();
    const uint8_t first = input.byte();
    const bool captured = first == Guest::kCaptured;
    const uint8_t choice = captured ? input.byte() : first;
    const processor::Portable portable(choice / models % 2);
    Guest guest(pixmill_vivante_model(choice % models), captured, input);
    guest.play();
    return 0;
}
