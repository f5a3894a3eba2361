/*
 * A hostile guest of any core: what its table offers, as moves that an input chooses.
 *
 * A fuzzer derives its guest from this, adds what its family alone has (streams, page tables,
 * landmarks), and lists the moves of both in one table.  core_fuzz.cpp adds nothing: a core gets
 * that fuzzer by a row in meson.build.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_FUZZ_FRAME_HPP
#define PIXMILL_TESTS_FUZZ_FRAME_HPP

#include <array>
#include <cstddef>

#include "scarce_memory.hpp"
#include "world.hpp"

namespace pixmill::fuzz {

class Frame {
public:
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

    /*
     * The first byte of an input that pixmill-replay has made of a capture: the core is configured
     * as if it were 0, and moves of play_captured() follow.
     */
    static constexpr uint8_t kCaptured = 0xFF;

protected:
    Frame(const PixmillCoreClass& table, Input& input);
    ~Frame();

    /* Makes the core, after calls that must be refused. */
    template<class Config>
    void create(const Config& config) {
        static_assert(sizeof config <= sizeof config_);
        std::memcpy(config_, &config, sizeof config);
        create();
    }

    uint8_t flags() { /* the first byte */
        const uint8_t flags = in_.byte();
        captured_ = flags == kCaptured;
        return captured_ ? 0 : flags;
    }

    /* Plays @most moves of @moves, as the input chooses. */
    template<class Guest, size_t count>
    void play(void (Guest::*const (&moves)[count])(), int most) {
        if (captured_)
            return play_captured();
        for (int i = 0; i < most && !in_.empty(); i++) {
            (static_cast<Guest*>(this)->*moves[in_.byte() % count])();
            check();
        }
    }
    /* What holds for every core in the end. */
    void finish();

    /* ---- The table's functions, and what must hold of each ---- */

    /* While one exists the core may call its host. */
    struct Entry {
        explicit Entry(World& world) : world_(world) { enter(true); }
        ~Entry() { enter(false); }
        void enter(bool inside) {
            world_.inside = inside;
            count_memory(inside);
        }
        World& world_;
    };

    PixmillResult read(uint32_t offset, uint32_t size, uint32_t& value);
    uint32_t read(uint32_t offset);
    bool read_clears(uint32_t offset) const;
    void read_as_peeked(uint32_t offset);
    PixmillResult write(uint32_t offset, uint32_t value, uint32_t size = 4);
    uint32_t peek(uint32_t offset) const { return table_.peek(core_, offset); }
    PixmillRun run(uint32_t words);
    bool draw(uint64_t bytes); /* false: beyond the allowance */
    void work(int steps, uint32_t words = 512, uint64_t bytes = 4096);
    /*
     * Until there is no more to do: whole, migrated on the way, with one of @faults at some step,
     * or without memory from some request on, as the input chooses.  Programs are bounded: it must
     * come to an end, of itself or because the allowance is used up.  With @patience it may go on
     * after so many steps.  True if a fault was injected.
     */
    bool work_off(uint64_t bytes, const std::array<uint32_t, 2>& faults, int patience = 0);
    void inject(uint32_t fault);
    void reset();
    void migrate(); /* to itself */
    void move();    /* to another core, which takes its place */

    /* The state as the core saves it, the family's struct; the next save() uses the same bytes. */
    void* save();
    PixmillResult load();

    /* ---- What a family may know better ---- */

    virtual uint32_t offset();  /* of a register, mostly */
    virtual uint32_t value();   /* for a register */
    virtual size_t corrupted(); /* a byte of the state, modulo its size */
    virtual void check() {}     /* after each move */
    virtual void accessed(uint32_t /*offset*/, uint32_t /*size*/, PixmillResult) {}
    virtual void ran(const PixmillRun&) {}
    virtual void created(PixmillCore*) {} /* what a core needs beside its configuration */
    virtual void called(const char* /*name*/, uint32_t, uint32_t) {} /* as captured: its words */

    /* ---- Moves ---- */

    void op_write();
    void op_read();
    void op_narrow();
    void op_memory();
    void op_clock();
    void op_run() { (void)run(in_.byte() < 200 ? in_.byte() : in_.half()); }
    void op_draw() { (void)draw(in_.half() & 0x1FFF); }
    void op_work() { work(in_.byte() % 32); }
    void op_interrupt();
    void op_migrate() { migrate(); }
    void op_move() { move(); }
    void op_corrupt();
    void op_inject();
    void op_reset() { reset(); }
    void op_look();
    void op_trace() { world_.trace(in_.byte() & 1); }
    void op_memory_ends();

    const PixmillCoreClass& table_;
    Input& in_;
    World world_;
    PixmillCore* core_ = nullptr;
    uint64_t allowance_ = UINT64_MAX; /* bytes that an input may draw: slow under sanitizers */
    bool captured_ = false;

private:
    struct Captured;

    void create();
    void play_captured();
    bool draws() const { return table_.draw != nullptr; }
    uint32_t& saved_levels();
    void tell_counters() const;

    alignas(std::max_align_t) std::byte config_[64] = {};
};

} // namespace pixmill::fuzz

#endif
