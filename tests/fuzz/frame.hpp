/*
 * A hostile guest of any core. The input selects calls of the core's functions, called moves.
 *
 * A fuzzer derives its guest from Frame, adds moves for features of its family (streams, page
 * tables), names its landmarks, and lists all moves in one table.  core_fuzz.cpp adds nothing for a
 * family, so a row in meson.build is enough to fuzz another core with it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_FUZZ_FRAME_HPP
#define PIXMILL_TESTS_FUZZ_FRAME_HPP

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string_view>

#include "scarce_memory.hpp"
#include "world.hpp"

namespace pixmill::fuzz {

class Frame {
public:
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

    /*
     * First byte of an input that pixmill-replay made from a capture.  The core is configured as if
     * the byte were 0.  Steps of play_captured() follow.
     */
    static constexpr uint8_t kCaptured = 0xFF;

protected:
    Frame(const PixmillCoreClass& table, Input& input);
    ~Frame();

    /* Creates the core.  First makes calls that must be refused. */
    template<class Config>
    void create(const Config& config) {
        static_assert(sizeof config <= sizeof config_);
        std::memcpy(config_, &config, sizeof config);
        create();
    }

    uint8_t flags() { /* the input's first byte */
        const uint8_t flags = in_.byte();
        captured_ = flags == kCaptured;
        return captured_ ? 0 : flags;
    }

    /* Plays up to @most moves, each selected from @moves by the input. */
    template<class Guest, size_t count>
    void play(void (Guest::*const (&moves)[count])(), int most) {
        if (captured_)
            return play_captured();
        for (int i = 0; i < most && !in_.empty(); i++) {
            (static_cast<Guest*>(this)->*moves[in_.byte() % count])();
            check();
        }
    }
    /* Checks the invariants that every core must keep at the end of an input. */
    void finish();

    /* ---- Calls of the core's functions, with their postconditions ---- */

    /* The core may call its host only during the lifetime of an Entry. */
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
    bool draw(uint64_t bytes); /* false if the allowance is used up */
    void work(int steps, uint32_t words = 512, uint64_t bytes = 4096);
    /*
     * Works until the core is idle.  The input selects whether the core is migrated meanwhile, has
     * one of @faults injected at some step, or runs out of memory after some requests.  Programs
     * are bounded, so the work must end by itself or use up the allowance.  A nonzero @patience
     * abandons it after that many steps.  Returns true if a fault was injected.
     */
    bool work_off(uint64_t bytes, const std::array<uint32_t, 2>& faults, int patience = 0);
    void inject(uint32_t fault);
    /* True if one of @faults may have been injected, or armed for later. */
    bool injected(std::initializer_list<std::string_view> faults) const;
    void reset();
    void migrate(); /* saves and loads the core */
    void move();    /* moves the state to a new core, which replaces this one */

    /*
     * Returns the saved state as the family's struct, in a buffer that the next save() overwrites.
     */
    void* save();
    PixmillResult load();

    /* ---- Defaults that a family may override ---- */

    virtual uint32_t offset();  /* mostly that of an existing register */
    virtual uint32_t value();   /* a value for a register */
    virtual size_t corrupted(); /* offset of a byte in the state, modulo its size */
    virtual void check() {}     /* called after each move */
    virtual void accessed(uint32_t /*offset*/, uint32_t /*size*/, PixmillResult) {}
    virtual void ran(const PixmillRun&) {}
    virtual void created(PixmillCore*) {} /* sets up a new core beyond its configuration */
    virtual void called(const char* /*name*/, uint32_t, uint32_t) {} /* a captured call */

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
    uint64_t allowance_ =
        UINT64_MAX; /* limits the bytes that an input draws; drawing is slow under sanitizers */
    bool captured_ = false;

private:
    struct Captured;

    void create();
    void play_captured();
    void note_injection(uint32_t fault);
    std::string_view state_field(size_t where) const;
    bool draws() const { return table_.draw != nullptr; }
    uint32_t& saved_levels();
    void tell_counters() const;

    alignas(std::max_align_t) std::byte config_[64] = {};
    uint64_t injected_ = 0; /* mask of faults, by their place in table_.faults */
};

} // namespace pixmill::fuzz

#endif
