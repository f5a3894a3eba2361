// One row of a register table, and what reads and writes do by it.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "log.hpp"
#include "pixmill/register.h"

namespace pixmill::sgx {

/// A register of `Block`, which keeps its words and hands them to the functions below.
template<class Block>
struct Register {
    /// Instead of the stored word.
    using Read = uint32_t (*)(const Block&, uint32_t offset);
    /// After the word was stored. `before`: what was stored; `after`: what is now, or, where a
    /// write stores nothing, the bits written.
    using Write = void (*)(Block&, uint32_t offset, uint32_t before, uint32_t after);

    uint32_t offset; ///< in its block
    const char* name;
    PixmillAccess access;
    uint32_t reset;
    uint32_t mask;       ///< bits that a write changes, or, where it stores nothing, that matter
    uint32_t latch = 0;  ///< bits that the hardware changes
    uint32_t silent = 0; ///< other bits that clients write; the rest is logged
    bool shared = false; ///< bank 0 shows the OR of the cores
    Read read = nullptr;
    Write write = nullptr;
    const char* note = "";

    constexpr Register reads(Read function) const {
        Register row = *this;
        row.read = function;
        return row;
    }
    constexpr Register writes(Write function) const {
        Register row = *this;
        row.write = function;
        return row;
    }
    constexpr Register latches(uint32_t bits) const {
        Register row = *this;
        row.latch = bits;
        return row;
    }
    constexpr Register in_silence(uint32_t bits) const {
        Register row = *this;
        row.silent = bits;
        return row;
    }
    constexpr Register shared_by_cores() const {
        Register row = *this;
        row.shared = true;
        return row;
    }
    constexpr Register says(const char* text) const {
        Register row = *this;
        row.note = text;
        return row;
    }

    /// Bits of the stored word that are not always as after reset.
    constexpr uint32_t stored() const { return (access == PIXMILL_ACCESS_RW ? mask : 0) | latch; }
};

/// Rows of a table for `Block`.
template<class Block>
struct Rows {
    using Row = Register<Block>;
    static constexpr Row ro(uint32_t offset, const char* name, uint32_t value = 0) {
        return {offset, name, PIXMILL_ACCESS_RO, value, 0};
    }
    static constexpr Row rw(uint32_t offset, const char* name, uint32_t mask, uint32_t reset = 0) {
        return {offset, name, PIXMILL_ACCESS_RW, reset, mask};
    }
    /// Triggers and bits that clear themselves.
    static constexpr Row wo(uint32_t offset, const char* name, uint32_t mask) {
        return {offset, name, PIXMILL_ACCESS_WO, 0, mask};
    }
    static constexpr Row w1s(uint32_t offset, const char* name, uint32_t mask) {
        return Row{offset, name, PIXMILL_ACCESS_W1S, 0, mask}.latches(mask);
    }
    /// Needs a handler: what is cleared is another register.
    static constexpr Row w1c(uint32_t offset, const char* name, uint32_t mask) {
        return {offset, name, PIXMILL_ACCESS_W1C, 0, mask};
    }
};

template<class Block>
uint32_t read_register(const Block& block, const Register<Block>& reg) {
    if (reg.access == PIXMILL_ACCESS_WO)
        return 0;
    return reg.read ? reg.read(block, reg.offset) : block.words()[reg.offset / 4];
}

/// `place`: the offset in the window, for the log.
template<class Block>
void write_register(Block& block, const Register<Block>& reg, uint32_t value, Host& host,
                    uint32_t place) {
    if (reg.access == PIXMILL_ACCESS_RO) {
        host.guest_error(Reason::write_read_only, place, "write of read-only %s (0x%04x) = 0x%08x",
                         reg.name, place, value);
        return;
    }
    if (const uint32_t reserved = value & ~(reg.mask | reg.silent))
        host.guest_error(Reason::reserved_bits, place, "%s (0x%04x) = 0x%08x: 0x%08x are reserved",
                         reg.name, place, value, reserved);
    uint32_t& word = block.words()[reg.offset / 4];
    const uint32_t before = word;
    uint32_t after = value & reg.mask;
    if (reg.access == PIXMILL_ACCESS_RW)
        word = after = (word & ~reg.mask) | after;
    else if (reg.access == PIXMILL_ACCESS_W1S)
        word = after = word | after;
    if (reg.write)
        reg.write(block, reg.offset, before, after);
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
        words[reg.offset / 4] = (reg.reset & ~reg.stored()) | (in[reg.offset / 4] & reg.stored());
}

} // namespace pixmill::sgx
