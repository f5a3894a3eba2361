// SPDX-License-Identifier: GPL-2.0-or-later
#include "states.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "fields.hpp"

namespace pixmill::vivante {
namespace {

constexpr std::span<const StateRow> table = de::table::rows;
static_assert(std::ranges::adjacent_find(table, std::ranges::greater_equal{}, &StateRow::address) ==
                  table.end(),
              "2D states are not in their order");

constexpr uint8_t none = 0xFF;

/// Returns the position of the state at `address` relative to the first 2D state, in words.
constexpr uint32_t word_of(uint32_t address) {
    return (address - de_first) / 4;
}

/// Returns an array that maps the position of a 2D state to its index in `list`.
template<class List, class Address>
constexpr auto index_words(const List& list, Address address) {
    std::array<uint8_t, word_of(de_last) + 1> map{};
    map.fill(none);
    for (size_t i = 0; i < std::size(list); i++)
        map[word_of(address(list[i]))] = uint8_t(i);
    return map;
}

constexpr auto rows = index_words(table, [](const StateRow& state) { return state.address; });

/// The 2D state that corresponds to each register group of a multi-source block, in the order of
/// the block.
constexpr uint32_t source_groups[] = {
    DE_SRC_ADDRESS,      DE_SRC_STRIDE,         DE_SRC_ROTATION_CONFIG,  DE_SRC_CONFIG,
    DE_SRC_ORIGIN,       DE_SRC_SIZE,           DE_SRC_COLOR_BG,         DE_ROP,
    DE_ALPHA_CONTROL,    DE_ALPHA_MODES,        DE_UPLANE_ADDRESS,       DE_UPLANE_STRIDE,
    DE_VPLANE_ADDRESS,   DE_VPLANE_STRIDE,      DE_SRC_ROTATION_HEIGHT,  DE_ROT_ANGLE,
    DE_GLOBAL_SRC_COLOR, DE_GLOBAL_DEST_COLOR,  DE_COLOR_MULTIPLY_MODES, DE_PE_TRANSPARENCY,
    DE_PE_CONTROL,       DE_SRC_COLOR_KEY_HIGH, DE_SRC_EX_CONFIG,        DE_SRC_EX_ADDRESS,
};
constexpr auto groups = index_words(source_groups, [](uint32_t address) { return address; });

struct SourceBlock {
    uint32_t first, sources;
};
constexpr SourceBlock source_blocks[] = {{DE_BLOCK4, 4}, {DE_BLOCK8, 8}};

/// Returns the 2D state that corresponds to a register of a multi-source block. Returns any other
/// address unchanged.
uint32_t base_state(uint32_t a) {
    if (a < source_blocks[0].first)
        return a;
    for (const SourceBlock& block : source_blocks) {
        const uint32_t group = (a - block.first) / (4 * block.sources);
        if (a >= block.first && group < std::size(source_groups))
            return source_groups[group];
    }
    return a;
}

} // namespace

std::span<const StateRow> de_states() {
    return table;
}

uint32_t source_state(bool eight, unsigned n, uint32_t base) {
    const SourceBlock& block = source_blocks[eight];
    return block.first + 4 * (block.sources * groups[word_of(base)] + n);
}

const StateRow* find_de_state(uint32_t a) {
    a = base_state(a);
    if (a < de_first || a > de_last || rows[word_of(a)] == none)
        return nullptr;
    return &table[rows[word_of(a)]];
}

void mask_states(std::span<uint32_t> words) {
    for (const StateRow& state : table)
        words[state.address / 4] &= state.mask;
    for (const SourceBlock& block : source_blocks)
        for (uint32_t i = 0; i < block.sources * std::size(source_groups); i++)
            words[block.first / 4 + i] &= find_de_state(block.first + 4 * i)->mask;
}

} // namespace pixmill::vivante
