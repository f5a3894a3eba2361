// The 3D states as the blocks of the 3D engine read them.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bit>
#include <cstdint>

namespace pixmill::vivante {

/// The state space of a core, by byte addresses as documents number them. Each block keeps the
/// addresses and fields of its states in its own header.
class States {
public:
    /// `words`: PIXMILL_VIVANTE_STATE_WORDS of them, which outlive the view.
    explicit constexpr States(const uint32_t* words) : words_(words) {}

    constexpr uint32_t operator[](uint32_t address) const { return words_[address / 4]; }
    constexpr float real(uint32_t address) const { return std::bit_cast<float>((*this)[address]); }

private:
    const uint32_t* words_;
};

} // namespace pixmill::vivante
