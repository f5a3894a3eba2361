// One row of a register table, and what reads and writes of it do.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "common/register.hpp"

namespace pixmill::geode_display {

/// A register of `Block`, which keeps its words. A write handler is told what the guest wrote.
template<class Block>
struct Register : RegisterRow<Register<Block>, uint32_t (*)(const Block&, uint32_t offset),
                              void (*)(Block&, uint32_t offset, uint32_t value)> {
    bool locked = false;               ///< cannot be written while DC_UNLOCK lacks the key
    void (*advance)(Block&) = nullptr; ///< after a read by the guest

    constexpr Register locks() const { return this->with(&Register::locked, true); }
    constexpr Register advances(void (*handler)(Block&)) const {
        return this->with(&Register::advance, handler);
    }
};

/// A word without a register reads 0.
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

/// Takes over what registers of an untrusted `in` can hold; the words between them are 0.
template<class Block>
void load_registers(std::span<uint32_t> words, std::span<const uint32_t> in,
                    std::span<const Register<Block>> table) {
    for (const Register<Block>& reg : table)
        words[reg.offset / 4] = reg.accepted(in[reg.offset / 4], reg.reset);
}

} // namespace pixmill::geode_display
