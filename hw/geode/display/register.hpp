// A row of a register table, and the functions that use it.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "common/register.hpp"

namespace pixmill::geode_display {

/// A register of `Block`. The block stores the words of its registers. Write handlers receive the
/// value that the guest wrote.
template<class Block>
struct Register : RegisterRow<Register<Block>, uint32_t (*)(const Block&, uint32_t offset),
                              void (*)(Block&, uint32_t offset, uint32_t value)> {
    bool locked = false;               ///< writable only while DC_UNLOCK holds the key
    void (*advance)(Block&) = nullptr; ///< called after a guest read

    constexpr Register locks() const { return this->with(&Register::locked, true); }
    constexpr Register advances(void (*handler)(Block&)) const {
        return this->with(&Register::advance, handler);
    }
};

/// Returns the word at `offset`, or 0 if it is not a register.
template<class Block>
uint32_t read_block(const Block& block, uint32_t offset) {
    const Register<Block>* reg = Block::find(offset);
    if (!reg)
        return 0;
    return reg->read ? reg->read(block, offset) : block.words()[offset / 4];
}

template<class Block>
void write_register(Block& block, const Register<Block>& reg, uint32_t value) {
    uint32_t& word = block.words()[reg.offset / 4];
    word = reg.written(word, value);
    if (reg.write)
        reg.write(block, reg.offset, value);
}

template<class Block>
void reset_registers(std::span<uint32_t> words, std::span<const Register<Block>> table) {
    std::memset(words.data(), 0, words.size_bytes());
    for (const Register<Block>& reg : table)
        words[reg.offset / 4] = reg.reset;
}

/// Loads registers from `in`, which is not trusted, and clears the bits that they cannot hold. Does
/// not change other words.
template<class Block>
void load_registers(std::span<uint32_t> words, std::span<const uint32_t> in,
                    std::span<const Register<Block>> table) {
    for (const Register<Block>& reg : table)
        words[reg.offset / 4] = reg.accepted(in[reg.offset / 4], reg.reset);
}

} // namespace pixmill::geode_display
