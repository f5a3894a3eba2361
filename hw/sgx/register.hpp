// One row of a register table, and what reads and writes of it do.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "common/register.hpp"
#include "log.hpp"

namespace pixmill::sgx {

/// A register of `Block`, which keeps its words and hands them to the functions below. A write
/// handler is told what was stored before and what is now, or, where a write stores nothing, the
/// bits written.
template<class Block>
struct Register : RegisterRow<Register<Block>, uint32_t (*)(const Block&, uint32_t offset),
                              void (*)(Block&, uint32_t offset, uint32_t before, uint32_t after)> {
    uint32_t silent = 0; ///< bits out of `mask` that clients write; the rest is logged
    bool shared = false; ///< bank 0 shows the OR of the cores

    constexpr Register in_silence(uint32_t bits) const {
        return this->with(&Register::silent, bits);
    }
    constexpr Register shared_by_cores() const { return this->with(&Register::shared, true); }
};

template<class Block>
uint32_t read_register(const Block& block, const Register<Block>& reg) {
    if (reg.access == PIXMILL_ACCESS_WO)
        return 0;
    return reg.read ? reg.read(block, reg.offset) : block.words()[reg.offset / 4];
}

/// Of a bank, whose words between the registers are memory.
template<class Bank>
uint32_t read_bank(const Bank& bank, uint32_t offset) {
    const Register<Bank>* reg = Bank::find(offset);
    return reg ? read_register(bank, *reg) : bank.words()[offset / 4];
}

/// `place`: the offset in the window, for the log.
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

/// Takes over what registers of an untrusted `in` can hold; words between them stay as they are.
template<class Block>
void load_registers(std::span<uint32_t> words, std::span<const uint32_t> in,
                    std::span<const Register<Block>> table) {
    for (const Register<Block>& reg : table)
        words[reg.offset / 4] = reg.accepted(in[reg.offset / 4], reg.reset);
}

/// The same of a bank, with the words between.
template<class Bank>
void load_bank(Bank& bank, std::span<const uint32_t> in) {
    std::memcpy(bank.words().data(), in.data(), bank.words().size_bytes());
    load_registers(bank.words(), in, Bank::registers());
}

} // namespace pixmill::sgx
