// SPDX-License-Identifier: GPL-2.0-or-later
#include "state_value.hpp"

#include <bit>
#include <span>

#include "text.hpp"

namespace pixmill::tools {

using namespace vivante;

bool is_program(uint32_t address) {
    const auto within = [address](uint32_t first, uint32_t last) {
        return address >= first && address < last;
    };
    return within(0x4000, 0x5000) || within(0x6000, 0x7000) || within(0x8000, 0xE000);
}

std::string value_of(const StateRow& state, uint32_t word) {
    if (state.holds == StateRow::Holds::real)
        return text("%g", double(std::bit_cast<float>(word)));
    const std::span<const Field> all = state.fields();
    if (all.size() == 1 && all[0].low) // an address or a stride, whose field has no low bits
        return "";
    std::string fields;
    for (const Field& field : all)
        if (field(word))
            fields += text("%s%s=%u", fields.empty() ? "" : " ", field.name, field(word));
    return fields;
}

} // namespace pixmill::tools
