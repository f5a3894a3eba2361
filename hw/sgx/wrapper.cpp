// SPDX-License-Identifier: GPL-2.0-or-later
#include "wrapper.hpp"

#include "common/index.hpp"
#include "offsets.hpp"

namespace pixmill::sgx {
namespace {

constexpr uint32_t lines = 3; // 0: master port, 1: slave port, 2: core ("Thalia")

} // namespace

// Source: AM57xx TRM, table 12-5 and the tables after it. The value of REVISION is from TI's chip
// support library (cslr_gpu.h); linux ti-sysc.c maps it to "gpu".
struct Wrapper::Table {
    using R = Register<Wrapper>;
    // clang-format off
    static constexpr R rows[] = {
        R::ro(REVISION, "REVISION", 0x40000000).says("the value that linux ti-sysc.c maps to gpu"),
        R::ro(HWINFO, "HWINFO", 0x00000005).says("memory bus 128 bits, system bus 64 bits"),
        R::rw(SYSCONFIG, "SYSCONFIG", mask_of(sysconfig::all)).resets_to(0x28).in_silence(sysconfig::reserved.mask()).says("linux ti-sysc.c writes bit 0 at each probe; nothing is reset"),
        R::w1s(IRQSTATUS_RAW_0, "IRQSTATUS_RAW_0", irq_event::event.mask()).says("master port"),
        R::w1s(IRQSTATUS_RAW_1, "IRQSTATUS_RAW_1", irq_event::event.mask()).says("slave port"),
        R::w1s(IRQSTATUS_RAW_2, "IRQSTATUS_RAW_2", irq_event::event.mask()).says("core; set again while a core asserts it"),
        R::w1c(IRQSTATUS_0, "IRQSTATUS_0", irq_event::event.mask()).reads(read_status).writes(write_status).says("pending and enabled"),
        R::w1c(IRQSTATUS_1, "IRQSTATUS_1", irq_event::event.mask()).reads(read_status).writes(write_status).says("pending and enabled"),
        R::w1c(IRQSTATUS_2, "IRQSTATUS_2", irq_event::event.mask()).reads(read_status).writes(write_status).says("pending and enabled"),
        R::w1s(IRQENABLE_SET_0, "IRQENABLE_SET_0", irq_event::event.mask()),
        R::w1s(IRQENABLE_SET_1, "IRQENABLE_SET_1", irq_event::event.mask()),
        R::w1s(IRQENABLE_SET_2, "IRQENABLE_SET_2", irq_event::event.mask()),
        R::w1c(IRQENABLE_CLR_0, "IRQENABLE_CLR_0", irq_event::event.mask()).reads(read_disable).writes(write_disable).says("reads as IRQENABLE_SET_0"),
        R::w1c(IRQENABLE_CLR_1, "IRQENABLE_CLR_1", irq_event::event.mask()).reads(read_disable).writes(write_disable).says("reads as IRQENABLE_SET_1"),
        R::w1c(IRQENABLE_CLR_2, "IRQENABLE_CLR_2", irq_event::event.mask()).reads(read_disable).writes(write_disable).says("reads as IRQENABLE_SET_2"),
        R::rw(PAGE_CONFIG, "PAGE_CONFIG", mask_of(page_config::all)).resets_to(0x14).says("bit 31 THALIA_INT_BYPASS"),
        R::rw(INTERRUPT_EVENT, "INTERRUPT_EVENT", mask_of(interrupt_event::all)).writes(write_event).says("writing 0 clears an event, 1 sets it"),
        R::rw(DEBUG_CONFIG, "DEBUG_CONFIG", mask_of(debug_config::all)).writes(write_debug_config).says("bit 31 is BYPASS in the vendor's header; the TRM omits it"),
        R::ro(DEBUG_STATUS_0, "DEBUG_STATUS_0").latches(debug_status::response_error.mask()).reads(read_debug_status),
        R::ro(DEBUG_STATUS_1, "DEBUG_STATUS_1").reads(read_debug_status),
    };
    // clang-format on
    static constexpr auto index = index_registers<PIXMILL_SGX_WRAPPER_WORDS>(rows);
};

std::span<const Register<Wrapper>> Wrapper::registers() {
    return Table::rows;
}

const char* Wrapper::name(uint32_t offset) const {
    const Register<Wrapper>* reg = Table::index.find(offset);
    return reg ? reg->name : "reserved";
}

uint32_t Wrapper::read(uint32_t offset) const {
    if (const Register<Wrapper>* reg = Table::index.find(offset))
        return read_register(*this, *reg);
    host_.guest_error(Cause::unknown_register, base + offset,
                      "read of reserved wrapper offset 0x%03x", offset);
    return 0;
}

void Wrapper::write(uint32_t offset, uint32_t value) {
    if (const Register<Wrapper>* reg = Table::index.find(offset))
        write_register(*this, *reg, value, host_, base + offset);
    else
        host_.guest_error(Cause::unknown_register, base + offset,
                          "write of reserved wrapper offset 0x%03x = 0x%08x", offset, value);
}

// ---- Interrupts ------------------------------------------------------------

uint32_t Wrapper::read_status(const Wrapper& w, uint32_t offset) {
    const uint32_t line = (offset - IRQSTATUS_0) / 4;
    return w.words_[IRQSTATUS_RAW_0 / 4 + line] & w.words_[IRQENABLE_SET_0 / 4 + line];
}

void Wrapper::write_status(Wrapper& w, uint32_t offset, uint32_t, uint32_t after) {
    w.words_[(IRQSTATUS_RAW_0 + offset - IRQSTATUS_0) / 4] &= ~after;
}

uint32_t Wrapper::read_disable(const Wrapper& w, uint32_t offset) {
    return w.words_[(IRQENABLE_SET_0 + offset - IRQENABLE_CLR_0) / 4];
}

void Wrapper::write_disable(Wrapper& w, uint32_t offset, uint32_t, uint32_t after) {
    w.words_[(IRQENABLE_SET_0 + offset - IRQENABLE_CLR_0) / 4] &= ~after;
}

// Interrupt lines latch rising edges: an event that stays 1 does not set its line again.
void Wrapper::latch(uint32_t rising) {
    if (interrupt_event::master0(rising) || interrupt_event::master1(rising))
        words_[IRQSTATUS_RAW_0 / 4] = 1;
    if (interrupt_event::slave(rising))
        words_[IRQSTATUS_RAW_1 / 4] = 1;
}

void Wrapper::write_event(Wrapper& w, uint32_t, uint32_t before, uint32_t after) {
    w.latch(after & ~before);
}

void Wrapper::raise(const Field& event) {
    uint32_t& pending = words_[INTERRUPT_EVENT / 4];
    latch(event.mask() & ~pending);
    pending |= event.mask();
}

void Wrapper::refuse() {
    words_[DEBUG_STATUS_0 / 4] |= debug_status::response_error.mask();
    raise(event_invalid_command);
}

bool Wrapper::bypass() const {
    // The bypass bit has the same position in both registers.
    return debug_config::bypass(words_[PAGE_CONFIG / 4] | words_[DEBUG_CONFIG / 4]);
}

uint32_t Wrapper::pending() const {
    uint32_t result = 0;
    for (uint32_t line = 0; line < lines; line++)
        result |= read_status(*this, IRQSTATUS_0 + 4 * line) << line;
    return result;
}

bool Wrapper::settle(bool core_level) {
    words_[IRQSTATUS_RAW_2 / 4] |= core_level;
    return pending() || (bypass() && core_level);
}

// ---- Debug -----------------------------------------------------------------

void Wrapper::write_debug_config(Wrapper& w, uint32_t, uint32_t, uint32_t) {
    if (w.trm_debug_config_)
        w.words_[DEBUG_CONFIG / 4] &= ~debug_config::bypass.mask();
}

// The status of an idle port is undocumented except after reset. In the model, a port that is
// forced idle reports idle.
uint32_t Wrapper::read_debug_status(const Wrapper& w, uint32_t offset) {
    constexpr uint32_t always_idle = 1;
    constexpr uint32_t target =
        debug_status::target_idle.mask() | debug_status::target_sidleack.mask();
    constexpr uint32_t init =
        debug_status::init_mstandby.mask() | debug_status::init_mdiscack.mask();
    const uint32_t config = w.words_[DEBUG_CONFIG / 4];
    uint32_t status = w.words_[offset / 4];
    if (debug_config::target_idle(config) == always_idle)
        status |= target;
    if (debug_config::init_idle(config) == always_idle)
        status |= init;
    return status;
}

// ---- Lifetime --------------------------------------------------------------

void Wrapper::reset() {
    reset_registers(words_, registers());
}

void Wrapper::load(std::span<const uint32_t> in) {
    load_registers(words_, in, registers());
    write_debug_config(*this, DEBUG_CONFIG, 0, 0);
}

} // namespace pixmill::sgx
