// SPDX-License-Identifier: GPL-2.0-or-later
#include "injector.hpp"

#include <algorithm>
#include <iterator>

#include "chip.hpp"

namespace pixmill::vivante {

namespace {

/// Faults that the engines count, by AccessFaults::Kind.
constexpr PixmillVivanteFault counted_by_engines[AccessFaults::kinds] = {PIXMILL_VIVANTE_FAULT_MMU,
                                                                         PIXMILL_VIVANTE_FAULT_BUS};

/// A VG core has no MMU. FE 2.0 executes a stream once and stops, so it has no state in which it
/// could wait.
bool can_have(const Chip& chip, uint32_t fault) {
    return !chip.pipe_vg() ||
           (fault != PIXMILL_VIVANTE_FAULT_MMU && fault != PIXMILL_VIVANTE_FAULT_STALE &&
            fault != PIXMILL_VIVANTE_FAULT_STALL);
}

} // namespace

PixmillResult Injector::arm(const PixmillInjection& how) {
    if (!pixmill::is_valid(how, fault_kinds) || !can_have(chip_, how.fault))
        return PIXMILL_ERROR_ARGUMENT;
    const uint32_t fault = how.fault;
    s_.inject_unit[fault] = how.unit;
    s_.inject_chance[fault] = how.chance;
    s_.inject_random[fault] = how.seed;
    s_.inject_after_ns[fault] = how.after_ns ? host_.now() + how.after_ns : 0;
    s_.inject_length_ns[fault] = how.length_ns;
    s_.inject_left[fault] = how.first;
    if (how.first && how.chance)
        s_.inject_left[fault] += next_occurrence(how.chance, s_.inject_random[fault]) - 1;
    for (unsigned kind = 0; kind < AccessFaults::kinds; kind++)
        if (counted_by_engines[kind] == fault) {
            accesses.set(AccessFaults::Kind(kind), how.after_ns ? 0 : s_.inject_left[fault]);
            counting_[kind] = !how.after_ns && how.first;
        }
    update();
    return PIXMILL_OK;
}

void Injector::arm_once(uint32_t fault) {
    if (fault >= std::size(fault_kinds))
        return;
    PixmillInjection how{};
    how.fault = fault;
    how.first = 1;
    how.length_ns = fault_kinds[fault].length_ns;
    (void)arm(how); // a fault that this core cannot have does not occur
}

bool Injector::count(PixmillVivanteFault fault, uint32_t unit) {
    if (s_.inject_unit[fault] != unit || host_.now() < s_.inject_after_ns[fault])
        return false;
    if (s_.inject_left[fault] > 1) {
        s_.inject_left[fault]--;
        return false;
    }
    if (!fault_kinds[fault].lasts)
        occurred(fault);
    return true;
}

/// Decides when the fault occurs again, if ever.
void Injector::occurred(uint32_t fault) {
    const uint32_t chance = s_.inject_chance[fault];
    s_.inject_left[fault] = chance ? next_occurrence(chance, s_.inject_random[fault]) : 0;
    update();
}

void Injector::exchange_accesses() {
    for (unsigned n = 0; n < AccessFaults::kinds; n++) {
        const auto kind = AccessFaults::Kind(n);
        const uint32_t fault = counted_by_engines[n];
        if (!s_.inject_left[fault] || host_.now() < s_.inject_after_ns[fault])
            continue;
        if (counting_[n]) {
            s_.inject_left[fault] = accesses.left(kind);
            if (!s_.inject_left[fault])
                occurred(fault);
        }
        accesses.set(kind, s_.inject_left[fault]);
        counting_[n] = s_.inject_left[fault];
    }
}

// ---- Migration -------------------------------------------------------------

bool Injector::is_valid(const PixmillVivanteState& in) {
    for (uint32_t fault = 0; fault < std::size(fault_kinds); fault++) {
        PixmillInjection how{};
        how.fault = fault;
        how.unit = in.inject_unit[fault];
        how.first = 1;
        how.chance = in.inject_chance[fault];
        how.length_ns = in.inject_length_ns[fault];
        if (in.inject_left[fault] && !pixmill::is_valid(how, fault_kinds))
            return false;
    }
    return true;
}

void Injector::disarm() {
    for (auto* words : {s_.inject_unit, s_.inject_chance})
        std::fill_n(words, std::size(fault_kinds), 0);
    for (auto* words : {s_.inject_left, s_.inject_random})
        std::fill_n(words, std::size(fault_kinds), 0);
    for (auto* times : {s_.inject_after_ns, s_.inject_length_ns})
        std::fill_n(times, std::size(fault_kinds), 0);
    restore();
}

/// Recomputes derived data after the state has changed.
void Injector::restore() {
    for (int64_t& after : s_.inject_after_ns)
        after = std::clamp<int64_t>(after, 0, host_.now() + longest_delay_ns);
    std::ranges::fill(counting_, false);
    for (unsigned kind = 0; kind < AccessFaults::kinds; kind++)
        accesses.set(AccessFaults::Kind(kind), 0);
    update();
}

void Injector::update() {
    armed_ = std::ranges::any_of(s_.inject_left, [](uint64_t left) { return left != 0; });
}

} // namespace pixmill::vivante
