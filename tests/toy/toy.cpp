// SPDX-License-Identifier: GPL-2.0-or-later
#include "toy.h"

#include <algorithm>
#include <atomic>
#include <iterator>

#include "common/core_class.hpp"
#include "common/host.hpp"

namespace pixmill {
namespace {

// During a fill, a write to any register but STATUS stalls the bus.
enum { ADDRESS, SIZE, FILL, STATUS };

struct ToyCounters {
    uint64_t fills, bus_errors, draw_step;
};

struct ToyState {
    uint32_t reg[STATUS + 1];
    uint32_t irq_level;
    uint32_t active, done; // 1 during a fill; bytes filled so far
};

struct Toy : PixmillCore {
    using Config = void;
    using Counters = ToyCounters;
    using State = ToyState;
    static constexpr const char* name = "toy";
    static constexpr PixmillRegister registers[] = {
        {0x0, "ADDRESS", "", PIXMILL_ACCESS_RW, 0, 0xFFFFFFFF, "first byte"},
        {0x4, "SIZE", "", PIXMILL_ACCESS_RW, 0, 0xFFFFFFFF, "bytes"},
        {0x8, "FILL", "", PIXMILL_ACCESS_RW, 0, 0x000000FF, "the byte; a write starts the fill"},
        {0xC, "STATUS", "", PIXMILL_ACCESS_W1C, 0, 0x00000001, "done: the interrupt"},
    };
    static constexpr uint32_t window = sizeof(ToyState::reg);
    static constexpr const char* lines[] = {"irq", nullptr};
    static constexpr const char* faults[] = {"bus-error", nullptr};
    static constexpr PixmillField counter_fields[] = {
        PIXMILL_FIELD(ToyCounters, fills),
        PIXMILL_NAMED_FIELD("bus-errors", ToyCounters, bus_errors),
        {},
    };
    static constexpr PixmillField state_fields[] = {
        PIXMILL_FIELD(ToyState, reg),
        PIXMILL_FIELD(ToyState, irq_level),
        PIXMILL_FIELD(ToyState, active),
        PIXMILL_FIELD(ToyState, done),
        {},
    };
    static constexpr size_t state_levels = offsetof(ToyState, irq_level);
    static constexpr int state_version = 1;

    explicit Toy(const PixmillHost& abi) : host(abi) {}
    static Toy* make(const void*, const PixmillHost& abi) { return new Toy(abi); }

    Host host;
    ToyState s{};
    std::atomic<uint64_t> fills = 0, bus_errors = 0, filled = 0;
    std::atomic<bool> interrupted = false, fail_next = false;

    void reset() {
        s = {{}, s.irq_level, 0, 0};
        update_irq();
    }

    PixmillResult write(uint32_t offset, uint32_t value) {
        const uint32_t index = offset / 4;
        if (s.active && index != STATUS)
            return PIXMILL_ERROR_BUSY;
        host.trace(PIXMILL_TRACE_REG_WRITE, offset, value, registers[index].name);
        s.reg[index] = index == STATUS ? s.reg[STATUS] & ~value : value & registers[index].mask;
        if (index == FILL) {
            s.active = 1;
            s.done = 0;
            host.request_run();
        }
        update_irq();
        return PIXMILL_OK;
    }

    uint32_t peek(uint32_t offset) const { return offset < window ? s.reg[offset / 4] : 0; }

    PixmillRun run(uint32_t) {
        interrupted = false;
        if (s.active && s.done < s.reg[SIZE])
            return {PIXMILL_RUN_DRAW, 0};
        if (s.active) {
            s.active = 0;
            s.reg[STATUS] = 1;
            fills++;
        }
        update_irq();
        return {PIXMILL_RUN_IDLE, 0};
    }

    /// Reads nothing that a register write changes during a fill, so both may run at once.
    uint64_t draw(uint64_t budget) {
        constexpr uint64_t most = 1 << 20; // between two checks of `interrupted`
        uint64_t longest = 0;
        while (s.active && s.done < s.reg[SIZE] && budget && !interrupted) {
            const uint64_t address = uint64_t(s.reg[ADDRESS]) + s.done;
            uint64_t length = 0;
            void* bytes = host.map(address, &length, true);
            length = std::min({length, budget, most, uint64_t(s.reg[SIZE] - s.done)});
            if (bytes && !fail_next.exchange(false)) {
                std::fill_n(static_cast<uint8_t*>(bytes), length, uint8_t(s.reg[FILL]));
                host.dirty(address, length);
            } else {
                bus_errors++;
            }
            s.done += uint32_t(length);
            budget -= length;
            filled += length;
            longest = std::max(longest, length);
        }
        return longest;
    }
    void interrupt() { interrupted = true; }
    uint64_t work_ns() const { return filled; } // a byte takes a nanosecond

    ToyCounters counters() const { return {fills, bus_errors, 0}; }
    void inject(uint32_t) { fail_next = true; }
    void save(ToyState& out) const { out = s; }
    PixmillResult load(const ToyState& in) {
        s = in;
        s.irq_level &= 1;
        for (size_t i = 0; i < std::size(registers); i++)
            s.reg[i] &= registers[i].mask;
        host.request_run();
        return PIXMILL_OK;
    }

    void update_irq() {
        if (s.irq_level == s.reg[STATUS])
            return;
        s.irq_level = s.reg[STATUS];
        host.set_irq(0, s.irq_level);
    }
};

} // namespace
} // namespace pixmill

extern "C" constexpr PixmillCoreClass pixmill_toy = pixmill::core_class<pixmill::Toy>();
