// Words of guest memory, little-endian, as the master ports see them.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "common/host.hpp"

namespace pixmill::sgx {

/// Nothing where there is no RAM.
inline std::optional<uint32_t> read_word(const Host& host, uint64_t address) {
    uint32_t value = 0;
    for (unsigned byte = 0; byte < 4; byte++) { // the host may map byte by byte
        uint64_t length = 0;
        const void* memory = host.map(address + byte, &length, false);
        if (!memory)
            return std::nullopt;
        value |= uint32_t(*static_cast<const uint8_t*>(memory)) << 8 * byte;
    }
    return value;
}

/// False, with nothing but whole bytes before the hole written, where there is no RAM.
inline bool write_word(const Host& host, uint64_t address, uint32_t value) {
    for (unsigned byte = 0; byte < 4; byte++) {
        uint64_t length = 0;
        void* memory = host.map(address + byte, &length, true);
        if (!memory)
            return false;
        *static_cast<uint8_t*>(memory) = uint8_t(value >> 8 * byte);
        host.dirty(address + byte, 1);
    }
    return true;
}

} // namespace pixmill::sgx
