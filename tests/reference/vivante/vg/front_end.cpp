// FE2.0: the commands of a stream. Sources: VGLite and, for commands that it never sends, galcore's
// gc_hal_kernel_hardware_command_vg.c.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine.hpp"

namespace pixmill::reference::vivante_vg {
namespace {

enum Opcode : uint32_t {
    op_end,
    op_semaphore,
    op_stall,
    op_state,
    op_data,
    op_fetch,
    op_call,
    op_return,
    op_nop,
    op_restart
};

/* Limit on executed qwords, including jumps (chosen for the model, not known from hardware). */
constexpr uint64_t most_qwords = 1 << 24;
/* VD12: maximum nesting depth of CALL. */
constexpr size_t most_calls = 4;

/* Thrown where the silicon hangs (VD7, VD12, VD15). */
struct Hang {};

struct Qword {
    uint32_t low, high;
};

class FrontEnd {
public:
    FrontEnd(Engine& engine, uint64_t address, uint32_t qwords)
        : engine_(engine), here_{address, qwords} {}

    Finish run() {
        Finish finish;
        try {
            while (command()) {
            }
        } catch (const Hang&) {
            finish.hung = true;
        }
        finish.events = events_;
        finish.next = executed_;
        return finish;
    }

private:
    struct Place {
        uint64_t address;
        uint32_t left; ///< remaining qwords
    };

    /* Reads each qword only when it is executed, so later writes to the stream take effect. */
    Qword next() {
        if (!here_.left || read_ == most_qwords)
            throw Hang();
        const std::optional<uint32_t> low = engine_.memory.read(here_.address, 4);
        const std::optional<uint32_t> high = engine_.memory.read(here_.address + 4, 4);
        if (!low || !high) {
            engine_.bus_error = true;
            throw Hang();
        }
        here_.address += 8;
        here_.left--;
        read_++;
        return {*low, *high};
    }

    /* Streams consist of qwords, so the low three address bits are ignored. */
    void jump(const Qword& command) { here_ = {command.high & ~7u, bits(command.low, 20, 0)}; }

    /* Returns false after END. */
    bool command() {
        const Qword command = next();
        switch (bits(command.low, 31, 28)) {
        case op_end:
            events_ |= 1u << bits(command.low, 4, 0);
            executed_ = here_.address;
            return false;
        case op_semaphore: /* VD10, VD11: the block to wait for is already idle */
        case op_stall:
        case op_nop:
            break;
        case op_state:
            load_states(command);
            break;
        case op_data:
            draw(engine_, payload(bits(command.low, 20, 0)));
            break;
        case op_fetch:
            jump(command);
            break;
        case op_call:
            call(command);
            break;
        case op_return:
            if (calls_.empty())
                throw Hang();
            here_ = calls_.back();
            calls_.pop_back();
            break;
        case op_restart: /* VD13: jumps if its count is not 0 */
            if (bits(command.low, 20, 0))
                jump(command);
            break;
        default:
            engine_.complaints.insert("a command that there is not");
            throw Hang();
        }
        executed_ = here_.address;
        return true;
    }

    void call(const Qword& command) {
        if (!bits(command.low, 20, 0))
            return;
        if (calls_.size() == most_calls)
            throw Hang();
        calls_.push_back(here_);
        jump(command);
    }

    /*
     * A command that the end of its buffer truncates does nothing. VD9: bits 13:12 are ignored.
     * VD8: a count of 0 loads nothing, and values beyond the last cell are dropped.
     */
    void load_states(const Qword& command) {
        const uint32_t count = bits(command.low, 27, 16), first = bits(command.low, 11, 0);
        std::vector<uint32_t> values{command.high};
        while (values.size() < count) {
            const Qword more = next();
            values.insert(values.end(), {more.low, more.high});
        }
        for (uint32_t i = 0; i < count; i++)
            load_state(first + i, values[i]);
    }

    /* VD14: events are raised immediately, because all earlier work is complete. */
    void load_state(uint32_t address, uint32_t value) {
        if (address == EVENT)
            events_ |= 1u << bits(value, 4, 0);
        if (address > 0xFFF)
            engine_.complaints.insert("a state beyond the last one");
        engine_.states.set(address, value);
    }

    std::vector<uint8_t> payload(uint32_t qwords) {
        std::vector<uint8_t> bytes;
        for (uint32_t i = 0; i < qwords; i++) {
            const Qword words = next();
            for (const uint32_t word : {words.low, words.high})
                for (unsigned shift = 0; shift < 32; shift += 8)
                    bytes.push_back(static_cast<uint8_t>(word >> shift));
        }
        return bytes;
    }

    Engine& engine_;
    Place here_;
    std::vector<Place> calls_;
    uint32_t events_ = 0;
    uint64_t executed_ = here_.address;
    uint64_t read_ = 0;
};

} // namespace

Finish run_stream(Engine& engine, uint32_t address, uint32_t qwords) {
    return FrontEnd(engine, address, qwords).run();
}

} // namespace pixmill::reference::vivante_vg
