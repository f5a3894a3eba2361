// Rows of the register tables, and register accesses that all banks share.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "common/register.hpp"
#include "log.hpp"

namespace pixmill::sgx {

/// A register of `Block`, which stores the words and is passed to the handlers. A write handler
/// gets the stored word before and after the write. If the register stores nothing, `after` has the
/// written bits.
template<class Block>
struct Register : RegisterRow<Register<Block>, uint32_t (*)(const Block&, uint32_t offset),
                              void (*)(Block&, uint32_t offset, uint32_t before, uint32_t after)> {
    uint32_t silent = 0; ///< bits outside `mask` that drivers write; such writes are not logged
    bool shared = false; ///< a read through bank 0 returns the OR of both cores' values
    bool master = false; ///< writes to bank 0 also reach the master bank

    constexpr Register in_silence(uint32_t bits) const {
        return this->with(&Register::silent, bits);
    }
    constexpr Register shared_by_cores() const { return this->with(&Register::shared, true); }
    constexpr Register reaches_master() const { return this->with(&Register::master, true); }
};

template<class Block>
uint32_t read_register(const Block& block, const Register<Block>& reg) {
    if (reg.access == PIXMILL_ACCESS_WO)
        return 0;
    return reg.read ? reg.read(block, reg.offset) : block.words()[reg.offset / 4];
}

/// Reads a register from a bank. Words without a register behave as memory.
template<class Bank>
uint32_t read_bank(const Bank& bank, uint32_t offset) {
    const Register<Bank>* reg = Bank::find(offset);
    return reg ? read_register(bank, *reg) : bank.words()[offset / 4];
}

/// `place` is the offset in the register window, for log messages.
template<class Block>
void write_register(Block& block, const Register<Block>& reg, uint32_t value, Host& host,
                    uint32_t place) {
    if (reg.access == PIXMILL_ACCESS_RO) {
        host.guest_error(Cause::write_read_only, place, "write of read-only %s (0x%04x) = 0x%08x",
                         reg.name, place, value);
        return;
    }
    if (const uint32_t reserved = value & ~(reg.mask | reg.silent))
        host.guest_error(Cause::reserved_bits, place, "%s (0x%04x) = 0x%08x: 0x%08x are reserved",
                         reg.name, place, value, reserved);
    uint32_t& word = block.words()[reg.offset / 4];
    const uint32_t before = word;
    word = reg.written(word, value);
    if (reg.write)
        reg.write(block, reg.offset, before, reg.stored() ? word : value & reg.mask);
}

template<class Bank>
void write_bank(Bank& bank, uint32_t offset, uint32_t value, Host& host, uint32_t place) {
    if (const Register<Bank>* reg = Bank::find(offset))
        write_register(bank, *reg, value, host, place);
    else
        bank.words()[offset / 4] = value;
}

template<class Block>
void reset_registers(std::span<uint32_t> words, std::span<const Register<Block>> table) {
    std::memset(words.data(), 0, words.size_bytes());
    for (const Register<Block>& reg : table)
        words[reg.offset / 4] = reg.reset;
}

/// Loads registers from an untrusted `in`, without bits that they do not store. Leaves words
/// without a register unchanged.
template<class Block>
void load_registers(std::span<uint32_t> words, std::span<const uint32_t> in,
                    std::span<const Register<Block>> table) {
    for (const Register<Block>& reg : table)
        words[reg.offset / 4] = reg.accepted(in[reg.offset / 4], reg.reset);
}

/// Loads a bank from an untrusted `in`, including the words without a register.
template<class Bank>
void load_bank(Bank& bank, std::span<const uint32_t> in) {
    std::memcpy(bank.words().data(), in.data(), bank.words().size_bytes());
    load_registers(bank.words(), in, Bank::registers());
}

} // namespace pixmill::sgx
