// The blocks of the register window: where they are, and the registers that they contain.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "pixmill/ipuv3.h"
#include "register.hpp"

namespace pixmill::ipuv3 {

/// A block of words. Words without a row in the table behave as memory.
struct Bank {
    uint32_t base;    ///< offset in the window
    uint32_t words;   ///< size
    const char* name; ///< for traces of words without a row
    std::span<const Register> rows;
    const Register* (*find)(uint32_t offset); ///< returns the row of a word, or nullptr
    uint32_t* (*storage)(PixmillIpuv3State&);
    void (*written)(Ipu&) = nullptr; ///< called after a write to any word, if not null

    const uint32_t* storage_of(const PixmillIpuv3State& s) const {
        return storage(const_cast<PixmillIpuv3State&>(s));
    }
};

/// Returns all banks, in ascending order.
std::span<const Bank> all_banks();

/// Returns the bank that contains byte `offset` of the window, or nullptr if no bank does.
const Bank* find_bank(uint32_t offset);

} // namespace pixmill::ipuv3
