// SPDX-License-Identifier: GPL-2.0-or-later
#include "interrupts.hpp"

#include <algorithm>
#include <iterator>

#include "offsets.hpp"

namespace pixmill::nema {
namespace {
constexpr uint32_t handler_us = 100'000; // longer than a busy host would preempt a vCPU
constexpr const char* line_names[] = {"completion", "error", "freeze"};
} // namespace

// The way to clear source B is inferred from interrupt handlers. Bit 0 reads as 1 for either
// source, and handlers clear it: the GR5526's writes 0 to the whole word (app_graphics_gpu.c), ST's
// clears only this bit (HAL_GPU2D_IRQHandler). According to Apollo4's manual, bit 3 clears B.
void Interrupts::control(uint32_t value) {
    if (int_ctrl::completion(value))
        set(s_.irq_source_a);
    else
        s_.irq_source_a = s_.irq_source_b = 0;
    if (int_ctrl::clear_b(value))
        s_.irq_source_b = 0;
}

bool Interrupts::enabled(const Field& cause) const {
    return cause(s_.reg[INT_CTRL / 4]);
}

void Interrupts::set(uint32_t& source) {
    if (lose_next_) {
        lose_next_ = false;
        return;
    }
    if (!pending())
        s_.irq_seen = 0;
    source = 1;
    counters_.interrupts++;
}

void Interrupts::raise_error(uint32_t bits) {
    s_.reg[SYS_INT / 4] |= bits;
}

uint32_t Interrupts::microsecond() const {
    return uint32_t(host_.now() / 1000);
}

void Interrupts::list_id_read() {
    if (!pending())
        return;
    if (s_.irq_seen == 0)
        s_.irq_seen_us = microsecond();
    s_.irq_seen = std::min(s_.irq_seen + 1, max_irq_seen);
}

void Interrupts::end_handling() {
    s_.irq_seen = max_irq_seen;
}

int64_t Interrupts::handled_until() {
    const uint32_t gone = microsecond() - s_.irq_seen_us;
    if (gone >= handler_us)
        end_handling();
    const bool handled = pending() && s_.irq_seen && s_.irq_seen < max_irq_seen;
    return handled ? host_.now() + int64_t(handler_us - gone) * 1000 : 0;
}

uint32_t Interrupts::levels() const {
    const uint32_t sys_int = s_.reg[SYS_INT / 4];
    const bool bus_error =
        sys_int::bus_error(sys_int) && buserror_mask::interfaces(s_.reg[BUSERROR_MASK / 4]);
    const bool error = sys_int::flags(sys_int) || bus_error;
    const uint32_t flags = s_.reg[GP_FLAGS / 4];
    const bool freeze = gp_flags::level(flags) & gp_flags::freeze(flags);
    return uint32_t(pending()) << PIXMILL_NEMA_IRQ_COMPLETION |
           uint32_t(error) << PIXMILL_NEMA_IRQ_ERROR | uint32_t(freeze) << PIXMILL_NEMA_FREEZE;
}

void Interrupts::update_lines() {
    const uint32_t now = levels(), changed = now ^ s_.irq_levels;
    const uint32_t sources[] = {s_.irq_source_a | s_.irq_source_b << 1, s_.reg[SYS_INT / 4],
                                s_.reg[GP_FLAGS / 4]};
    static_assert(std::size(sources) == std::size(line_names));
    s_.irq_levels = now;
    for (uint32_t line = 0; line < std::size(sources); line++) {
        if (!(changed >> line & 1))
            continue;
        host_.trace(PIXMILL_TRACE_IRQ, now >> line & 1, sources[line], line_names[line]);
        host_.set_irq(line, now >> line & 1);
    }
}

void Interrupts::reset() {
    s_.irq_source_a = s_.irq_source_b = 0;
    s_.irq_seen = 0;
    lose_next_ = false;
}

} // namespace pixmill::nema
