// SPDX-License-Identifier: GPL-2.0-or-later
#include "../gpu.hpp"
#include "scenes.hpp"

namespace nema::scenes {

namespace {

constexpr uint32_t NOBODY = 0x10000000;  // an unmapped address of the GR5526
constexpr uint32_t MARK = reg::RED_INIT; // first of four registers that no drawing uses

class Lists {
public:
    explicit Lists(Stage& stage) : stage_(stage), machine_(stage.machine()) {}
    void run();

private:
    CommandList list(uint32_t pairs);
    void identity();
    void calls_and_jumps();
    void many_submissions();
    void interrupt_of_each();
    void breakpoint();
    void flag();
    void unmapped();

    Stage& stage_;
    Machine& machine_;
};

CommandList Lists::list(uint32_t pairs) {
    const Stage::Block block = stage_.allocate(8 * pairs);
    return CommandList({reinterpret_cast<uint32_t*>(block.bytes.data()), 2 * pairs}, block.address);
}

void Lists::identity() {
    stage_.check("identity", machine_.read(reg::IDREG) == IDENTITY);
    stage_.check("configuration",
                 machine_.read(reg::CFG) == 0x74030105 && machine_.read(reg::CFG_H) == 0x000000E3);
    stage_.check("second-clip-rectangle", machine_.read(0x15C) == 0x7FFF7FFF);
}

// A list calls a second one, which returns early, then jumps to a third. The MARK registers show
// which commands ran.
void Lists::calls_and_jumps() {
    CommandList called = list(4), target = list(2), first = list(8);
    called.add(MARK, 0x11111111);
    called.add(word::NOP | word::RETURN, 0);
    called.add(MARK + 4, 0xBAD);
    target.add(MARK + 8, 0x33333333);
    first.add(MARK + 4, 0x22222222);
    first.add(reg::CMD_ADDR, called.address());
    first.add(word::CALL | reg::CMD_SIZE, called.words_used());
    first.add(word::HOLD | (MARK + 12), 0x44444444);
    first.add(reg::CMD_ADDR, target.address());
    first.add(reg::CMD_SIZE, target.words_used());
    first.add(MARK, 0xBAD);
    stage_.ring().wait(stage_.ring().submit(first));
    stage_.check("call-return-jump", machine_.read(MARK) == 0x11111111 &&
                                         machine_.read(MARK + 4) == 0x22222222 &&
                                         machine_.read(MARK + 8) == 0x33333333 &&
                                         machine_.read(MARK + 12) == 0x44444444);
}

// Submits enough lists to wrap around the ring several times.
void Lists::many_submissions() {
    CommandList one = list(1);
    one.add(MARK, 0);
    bool good = true;
    for (uint32_t i = 0; i < 200; ++i) {
        const uint32_t id = stage_.ring().submit(one);
        stage_.ring().wait(id);
        good = good && machine_.interrupts().list_id == id &&
               machine_.read(reg::CMD_LIST_ID) == id && machine_.read(reg::INT_CTRL) == 0;
    }
    stage_.check("two-hundred-submissions", good);
}

void Lists::interrupt_of_each() {
    const uint32_t before = machine_.interrupts().completions;
    machine_.write(reg::IRQ_ID, 7);
    machine_.sleep_while(machine_.interrupts().completions, before);
    stage_.check("interrupt-by-hand", machine_.interrupts().completions == before + 1);
}

// The list raises an interrupt at its breakpoint and continues when the processor clears the
// breakpoint.
void Lists::breakpoint() {
    CommandList stops = list(4);
    stops.add(MARK, 1);
    stops.add(word::HOLD | reg::BREAKPOINT, 5);
    stops.add(0xFF800000 | reg::INT_CTRL, 1);
    stops.add(MARK, 2);
    machine_.write(reg::BREAKPOINT_MASK, 0xFFFF);
    const uint32_t seen = machine_.interrupts().completions;
    const uint32_t id = stage_.ring().submit(stops);
    machine_.sleep_while(machine_.interrupts().completions, seen);
    stage_.check("stops-at-breakpoint", machine_.read(reg::BREAKPOINT) == 5 &&
                                            machine_.read(MARK) == 1 && !stage_.ring().done(id));
    machine_.write(reg::BREAKPOINT, 0);
    stage_.ring().wait(id);
    stage_.check("goes-on-after-breakpoint", machine_.read(MARK) == 2);
    machine_.write(reg::BREAKPOINT_MASK, 0);
}

// The list sets flag 1, which raises the error interrupt, and waits until the processor clears the
// flag.
void Lists::flag() {
    CommandList waits = list(3);
    waits.add(MARK, 3);
    waits.add(word::WAIT_FOR_FLAG | reg::GP_FLAGS, 1u << 17 | 1u << 1);
    waits.add(MARK, 4);
    machine_.write(reg::GP_FLAGS, 1u << 5 | 1u << 9);
    const uint32_t seen = machine_.interrupts().errors;
    const uint32_t id = stage_.ring().submit(waits);
    machine_.sleep_while(machine_.interrupts().errors, seen);
    stage_.check("flag-interrupts", machine_.interrupts().error_cause == 1u << 1);
    stage_.check("waits-for-flag", machine_.read(MARK) == 3 && !stage_.ring().done(id));
    machine_.write(reg::GP_FLAGS, machine_.read(reg::GP_FLAGS) & ~(1u << 1));
    stage_.ring().wait(id);
    stage_.check("goes-on-after-flag", machine_.read(MARK) == 4);
    machine_.write(reg::GP_FLAGS, 0);
}

// A fill at an unmapped address raises the error interrupt and leaves the next frame unaffected.
void Lists::unmapped() {
    Painter& p = stage_.painter();
    machine_.write(reg::BUSERROR_MASK, 0x7E);
    const uint32_t seen = machine_.interrupts().errors;
    Surface nowhere{NOBODY, nullptr, Format::RGBA8888, 16, 16, 64};
    p.bind_destination(nowhere);
    p.clip({0, 0, 16, 16});
    p.clear(nowhere, 0x12345678);
    p.finish();
    machine_.sleep_while(machine_.interrupts().errors, seen);
    stage_.check("bus-error", machine_.interrupts().error_cause >> 11 == 1);
    machine_.write(reg::BUSERROR_MASK, 0);

    const Surface target = page(stage_, 32, 16, rgba(1, 2, 3, 4));
    nowhere.width = 8;
    p.bind(1, nowhere);
    p.blend_blit(SRC);
    p.blit(nowhere, 4, 4); // unmapped addresses read as 0
    stage_.frame("after-the-error", target);
}

void Lists::run() {
    identity();
    stage_.painter().set(MARK, 0);
    stage_.painter().finish();
    calls_and_jumps();
    many_submissions();
    interrupt_of_each();
    breakpoint();
    flag();
    unmapped();
}

} // namespace

void lists(Stage& stage) {
    Lists(stage).run();
}

} // namespace nema::scenes
