/*
 * libFuzzer target: a hostile guest on the C ABI of the SGX core.
 *
 * The input is a byte program of operations on registers, page tables, requesters, events, the
 * clock and the core's life cycle.  Guest memory is fenced by guard pages.  The core's obligations
 * to its host are checked after every operation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "pixmill/sgx.h"

#include "frame.hpp"

using namespace pixmill;
using namespace pixmill::fuzz;

std::span<Landmark> fuzz::landmarks() {
    static Landmark all[] = {
        {"walk: no page", "mmu_fault TA 1"},
        {"walk: not to be read", "mmu_fault TA 2"},
        {"walk: not to be written", "mmu_fault TA 4"},
        {"walk: by the master's requester", "mmu_fault PTLA"},
        {"walk: no such page size", "names page size"},
        {"walk: good", "walk good"},
        {"walk: stopped", "walk stopped"},
        {"walk: directory without memory", "EDM reads 0x70000000: no memory there"},
        {"walk: page without memory to write", "bus_error TA 1"},
        {"microkernel: has answered", "store of 4"},
        {"microkernel: no page directory", "has no page directory"},
        {"microkernel: kicked in reset", "whose USE is in reset"},
        {"event: timer", "event TIMER"},
        {"event: an invalidate has ended", "event CSC_INV"},
        {"ptla: command", "words are dropped"},
        {"ptla: command in reset", "while the PTLA is in reset"},
        {"start: of a unit that is not there", "no unit executes it"},
        {"interrupt", "irq  "},
        {"narrow access", "only aligned 32-bit"},
    };
    return all;
}

namespace {

constexpr uint32_t kWrapper = 0xFE00;
constexpr uint32_t kDirectory = 0x10000; /* the page directory; the page tables are at kTables */
constexpr uint32_t kTables = 0x11000;

class Guest final : public Frame {
public:
    explicit Guest(Input& input) : Frame(pixmill_sgx, input) {
        const uint8_t flags = this->flags();
        PixmillSgxConfig config{};
        config.core_clock_hz = flags & 4 ? 1 + in_.word() / 2 : 0;
        config.trm_debug_config = flags & 1;
        config.fake_microkernel = flags & 2;
        config.init_status = in_.address() & ~3ull;
        config.kick = [](void*, uint32_t core, uint32_t) { require(core < 2, "core of a kick"); };
        create(config);
    }

    void play() {
        static constexpr void (Guest::*kOps[])() = {
            &Guest::op_write,       &Guest::op_write, &Guest::op_read,    &Guest::op_narrow,
            &Guest::op_memory,      &Guest::op_map,   &Guest::op_walk,    &Guest::op_walk,
            &Guest::op_event,       &Guest::op_clock, &Guest::op_migrate, &Guest::op_corrupt,
            &Guest::op_inject,      &Guest::op_reset, &Guest::op_look,    &Guest::op_trace,
            &Guest::op_memory_ends, &Guest::op_move,
        };
        Frame::play(kOps, 256);
        finish();
    }

private:
    void accessed(uint32_t offset, uint32_t size, PixmillResult result) override {
        require((result == PIXMILL_OK) == (size == 4 && offset % 4 == 0), "which accesses succeed");
    }

    /* The interrupt line must match the registers, and reserved bits must be 0. */
    void check() override {
        bool line = false;
        for (uint32_t status : {0x30u, 0x34u, 0x38u})
            line |= read(kWrapper + status) != 0;
        const uint32_t bypass = (read(kWrapper + 0x100) | read(kWrapper + 0x108)) >> 31;
        bool core = false;
        for (uint32_t bank : {0x4000u, 0x8000u, 0xC000u}) {
            uint32_t pending = read(bank + 0x12C) & read(bank + 0x130);
            core |= pending >> 31;
            pending |= read(bank + 0x118) & read(bank + 0x110);
            pending |= read(bank + 0x138) & read(bank + 0x13C);
            require(!pending || read(bank + 0x12C) >> 31, "an event without MASTER_INTERRUPT");
        }
        require(!core || read(kWrapper + 0x2C) == 1, "a core asserts and IRQSTATUS_RAW_2 is 0");
        require(world_.line(0) == (line || (bypass && core)), "level of the line");
        require((read(kWrapper + 0x104) & ~0x73F3Fu) == 0, "reserved bits of INTERRUPT_EVENT");
        require((read(kWrapper + 0x10) & ~0x3Cu) == 0, "reserved bits of SYSCONFIG");
    }

    uint32_t offset() override {
        static const uint32_t known[] = {
            0xFE10, 0xFE24, 0xFE28, 0xFE2C, 0xFE30, 0xFE38, 0xFE3C, 0xFE40, 0xFE44, 0xFE48,
            0xFE50, 0xFF00, 0xFF04, 0xFF08, 0xFF0C, 0x4080, 0x4C00, 0x4C34, 0x0080, 0x0110,
            0x0114, 0x012C, 0x0130, 0x0134, 0x0144, 0x0AB0, 0x0AC0, 0x0AC8, 0x0ACC, 0x0AD8,
            0x0C00, 0x0C04, 0x0C08, 0x0C34, 0x0C38, 0x0C50, 0x0C74, 0x0C78, 0x0C7C, 0x0C84,
            0x0E10, 0x0008, 0x0000, 0x0004, 0x0118, 0x0138, 0x013C, 0x0140, 0x0808, 0x0810,
            0x0AD0, 0x0AE0, 0x4024, 0x4020, 0x4180, 0x4D10, 0x4D14, 0x4D28, 0x4D2C, 0x4D34};
        const uint8_t choice = in_.byte();
        if (choice < 3 * std::size(known)) {
            const uint32_t value = known[choice % std::size(known)];
            const uint32_t bank = choice / std::size(known);
            return value < 0x4000 && bank ? value + 0x4000 + 0x4000 * bank : value;
        }
        return choice < 220 ? in_.half() & ~3u : in_.word() & ~3u;
    }

    uint32_t value() override {
        const uint8_t choice = in_.byte();
        if (choice < 32)
            return 1u << choice;
        if (choice < 64)
            return kDirectory;
        return choice < 96 ? (choice & 1 ? 0xFFFFFFFF : 0) : in_.word();
    }

    size_t corrupted() override { return in_.byte() < 128 ? in_.half() % 0x240 : in_.word(); }

    /* ---- Moves ---- */

    /* Writes a page directory entry and an entry of its page table. */
    void op_map() {
        const uint32_t top = in_.byte() % 8, index = in_.byte();
        memory().set_word(kDirectory + 4 * top,
                          (kTables + 0x1000 * (top % 4)) | (in_.byte() & 0xF));
        memory().set_word(kTables + 0x1000 * (top % 4) + 4 * index,
                          (static_cast<uint32_t>(in_.address()) & ~0xFFFu) | (in_.byte() & 0x1F));
        if (in_.byte() & 1) {
            write(0x0C00, 0); /* the MMU is bypassed after a reset; enable it */
            write(0x0C84, kDirectory);
            write(0x0C50, kDirectory);
        }
    }

    void op_walk() {
        const uint32_t va = in_.byte() < 200 ? static_cast<uint32_t>(in_.byte() % 8) << 22 |
                                                   static_cast<uint32_t>(in_.byte()) << 12
                                             : in_.word();
        const uint8_t flags = in_.byte();
        const auto requester =
            static_cast<PixmillSgxRequester>(in_.byte() % PIXMILL_SGX_REQUESTERS);
        uint64_t physical = 1;
        const Entry entry(world_);
        const PixmillSgxWalk result =
            pixmill_sgx_walk(core_, flags % 3, requester, va, flags & 4, &physical);
        require(result <= PIXMILL_SGX_WALK_STOPPED, "result of a walk");
        say("walk %s", result == PIXMILL_SGX_WALK_OK        ? "good"
                       : result == PIXMILL_SGX_WALK_STOPPED ? "stopped"
                                                            : "failed");
        if (result == PIXMILL_SGX_WALK_OK) {
            const Region* region = memory().find(physical);
            require(memory().has_placed(physical) ||
                        (region && (region->writable() || !(flags & 4))),
                    "a walk leads out of memory");
        } else {
            require(physical == 0, "address of a failed walk");
        }
    }

    void op_event() {
        const Entry entry(world_);
        const char* name = pixmill_sgx_event(in_.byte() % 64);
        const uint32_t core = in_.byte() % 3;
        require((pixmill_sgx_raise(core_, core, name) == PIXMILL_OK) == (name && core < 2),
                "raise");
        require(pixmill_sgx_raise(core_, core, "") != PIXMILL_OK, "an event without a name");
    }

    void op_clock() {
        Frame::op_clock();
        const PixmillRun next = run(1);
        require(next.action != PIXMILL_RUN_AGAIN, "run action");
        require(next.when_ns > world_.now, "a run that asks for one at once");
    }

    void op_look() {
        Frame::op_look();
        for (size_t i = 0; pixmill_sgx_requester(i); i++)
            require(i < PIXMILL_SGX_REQUESTERS, "number of requesters");
    }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Input input(data, size);
    memory().clear();
    Guest guest(input);
    guest.play();
    return 0;
}
