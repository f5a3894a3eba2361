// Read access to the 3D states.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bit>
#include <cstdint>

namespace pixmill::vivante {

/// The state space of a core, indexed by byte address, as in the documents. The addresses and
/// fields of a block's states are in its states.hpp.
class States {
public:
    /// `words` has PIXMILL_VIVANTE_STATE_WORDS words and outlives the view.
    explicit constexpr States(const uint32_t* words) : words_(words) {}

    constexpr uint32_t operator[](uint32_t address) const { return words_[address / 4]; }
    constexpr float real(uint32_t address) const { return std::bit_cast<float>((*this)[address]); }

private:
    const uint32_t* words_;
};

} // namespace pixmill::vivante
