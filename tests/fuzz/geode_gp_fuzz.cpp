/*
 * libFuzzer target: a hostile guest on the C ABI of the Geode LX's graphics processor.
 *
 * The input is a byte program of operations on registers, whole BLTs and vectors of small pictures,
 * packets and data in the command buffer, host data words, blanks, and the core's life cycle.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "pixmill/geode.h"

#include "frame.hpp"

using namespace pixmill;
using namespace pixmill::fuzz;

std::span<Landmark> fuzz::landmarks() {
    static Landmark all[] = {
        {"drawn", "drawn"},
        {"a BLT", "draw BLT"},
        {"a vector", "draw vector"},
        {"packets: BLT", "command BLT"},
        {"packets: vector", "command vector"},
        {"packets: LUT", "command LUT"},
        {"packets: data", "command data"},
        {"a recorded packet", "recorded"},
        {"host data", "counter host-words"},
        {"no memory", "no memory there"},
        {"a third operation", "third operation"},
        {"interrupt", "line irq"},
        {"the bus stalls", "bus stalls"},
        {"the bus holds a write", "bus held"},
        {"RESET", "reset RESET"},
        {"a state that is refused", "state refused"},
        {"memory has ended", "memory ended"},
        {"a load without memory", "load without memory"},
    };
    return all;
}

namespace {

constexpr uint32_t kRing = 0x100000; /* in the writable region, at an address that CBASE can hold */
constexpr uint32_t kDriverRing = 0x200000;
constexpr uint32_t kTop = 0x50, kBot = 0x54, kRead = 0x58, kWrite = 0x5C;

class Guest final : public Frame {
public:
    explicit Guest(Input& input) : Frame(pixmill_geode_gp, input) {
        PixmillGeodeGpConfig config{};
        const uint8_t flags = this->flags();
        config.cbase_auto = captured_ || flags & 1;
        config.held_pixels = flags & 2 ? 64 : 0;
        frame_buffer_ = flags & 4 ? kRing + kDriverRing : 0x10000;
        create(config);
        allowance_ = 1 << 22;
        const Entry entry(world_);
        if (!(flags & 1)) /* the driver sets CBASE like this */
            pixmill_geode_gp_write_msr(core_, 1, uint64_t{kRing >> 20} << 16);
    }

    void play() {
        static constexpr void (Guest::*kOps[])() = {
            &Guest::op_write,       &Guest::op_read,    &Guest::op_narrow,   &Guest::op_memory,
            &Guest::op_blt,         &Guest::op_vector,  &Guest::op_packet,   &Guest::op_data,
            &Guest::op_words,       &Guest::op_blank,   &Guest::op_work,     &Guest::op_run,
            &Guest::op_draw,        &Guest::op_migrate, &Guest::op_corrupt,  &Guest::op_inject,
            &Guest::op_reset,       &Guest::op_look,    &Guest::op_trace,    &Guest::op_interrupt,
            &Guest::op_memory_ends, &Guest::op_move,    &Guest::op_recorded,
        };
        Frame::play(kOps, 128);
        finish();
    }

private:
    void called(const char* name, uint32_t first, uint32_t second) override {
        if (std::strcmp(name, "set-frame-buffer") != 0)
            return;
        frame_buffer_at_ = first;
        frame_buffer_ = second;
        created(core_);
    }
    void created(PixmillCore* core) override {
        const Entry entry(world_);
        pixmill_geode_gp_set_frame_buffer(core, frame_buffer_at_, frame_buffer_);
    }

    /* Returns a small value in a quarter of the cases. */
    uint32_t value() override { return in_.byte() < 64 ? in_.half() : in_.word(); }
    size_t corrupted() override {
        const size_t most = offsetof(PixmillGeodeGpState, queue);
        return in_.byte() < 200 ? in_.half() % most : in_.word();
    }

    uint32_t small_size() {
        const uint32_t width = in_.byte() % 40;
        return width << 16 | in_.byte() % 40;
    }
    uint32_t bases() {
        static constexpr uint32_t kBases[] = {0, 0x80000000, 0x80200800, 0x00001000, 0xFFC00000};
        return kBases[in_.byte() % std::size(kBases)];
    }

    /* ---- Moves ---- */

    /* Writes an operation's operands, then the mode register, which starts it. */
    void operation(uint32_t mode_register) {
        static constexpr uint32_t kWords[] = {0x00, 0x04, 0x08, 0x10, 0x14, 0x18, 0x60, 0x64};
        write(0x38, in_.word());
        for (const uint32_t offset : kWords)
            write(offset,
                  in_.byte() & 1 ? in_.word() & (offset == 0x64 ? ~0u : 0xFF00FFFF) : in_.half());
        write(0x0C, small_size());
        write(0x68, small_size());
        write(0x4C, bases());
        write(mode_register, in_.half());
        work(8);
    }
    void op_blt() { operation(0x40); }
    void op_vector() { operation(0x3C); }

    void put(uint32_t word) {
        memory().set_word(kRing + ring_ % 0x1000, word);
        ring_ += 4;
    }
    /*
     * Rings the doorbell.  After a packet with the wrap bit, the next packet goes to the start of
     * the ring.
     */
    void ring_doorbell(uint32_t header, uint8_t how) {
        if (header >> 31)
            ring_ = 0;
        doorbell(how);
    }
    void doorbell(uint8_t how) {
        if (how & 1) {
            write(kTop, 0);
            write(kBot, 0xFE0);
        }
        if (how & 2)
            write(kRead, 0);
        write(kWrite, how & 4 ? ring_ % 0x1000 : in_.word());
        work(16);
    }

    void op_packet() {
        const uint32_t header = in_.word();
        const bool vector = header >> 29 & 1;
        put(header);
        for (int i = 1; i < (vector ? 14 : 17); i++)
            put(i == 5 || i == 14 ? small_size() : in_.byte() & 1 ? in_.word() : in_.half());
        ring_doorbell(header, in_.byte());
    }
    void op_data() {
        const uint8_t count = in_.byte() % 64;
        const uint8_t how = in_.byte();
        const uint32_t header = (how & 1 ? 0x60000001 : 0x40000003) | static_cast<uint32_t>(how & 2)
                                                                          << 30;
        put(header);
        if (!(how & 1))
            put(in_.half());
        put(static_cast<uint32_t>(in_.byte() % 8) << 29 | count);
        for (uint8_t i = 0; i < count; i++)
            put(in_.byte() * 0x01030507u);
        ring_doorbell(header, in_.byte());
    }
    /* Sends a packet that was recorded from a driver. */
    void op_recorded() {
        const uint32_t more = in_.byte() % 96, header = in_.word();
        put(header);
        for (uint32_t i = 0; i < more; i++)
            put(in_.word());
        say("recorded");
        ring_doorbell(header, in_.byte());
    }
    void op_words() {
        const uint32_t port = in_.byte() & 1 ? 0x48 : 0x6C;
        for (int n = in_.byte() % 64; n >= 0; n--) {
            write(port, in_.byte() * 0x01010101u);
            work(2);
        }
    }
    void op_blank() {
        const uint8_t how = in_.byte();
        const Entry entry(world_);
        pixmill_geode_gp_set_timing(core_, how * 1'000, how & 2 ? how * 10'000 : 0);
        pixmill_geode_gp_write_msr(core_, 2 + how % 8, how * uint64_t{0x0101010101010101});
        require(pixmill_geode_gp_read_msr(core_, 6) == 0, "an MSR behind the last");
    }

    uint32_t frame_buffer_at_ = 0, frame_buffer_ = 0;
    uint32_t ring_ = 0; /* offset of the next packet */
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Input input(data, size);
    memory().clear();
    Guest guest(input);
    guest.play();
    return 0;
}
