// Guest-physical memory as a bus master sees it.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "byte_range.hpp"
#include "common/host.hpp"

namespace pixmill {

/// Remembers the memory and the holes that it came by last, for as long as host pointers are good.
class Bus {
public:
    /// Each time the host is asked, `ask_cost` is added to `cost`, if there is one.
    explicit Bus(const Host& host, uint64_t* cost = nullptr, uint64_t ask_cost = 0)
        : host_(host), cost_(cost), ask_cost_(ask_cost) {}

    /// Forgets host pointers: an entry point, or a slice of work, begins.
    void begin() {
        for (Recent& recent : recent_) {
            recent.windows[0] = {};
            recent.last = recent.next = recent.used = 0;
        }
    }

    /// Host pointer to `address` and the number of bytes that follow it there; nullptr for a hole.
    /// There is at least one, and they do not wrap.
    [[nodiscard]] std::byte* map(uint64_t address, uint64_t* length, bool write) {
        const Recent& recent = recent_[write];
        const Window& window = recent.windows[recent.last];
        const uint64_t offset = address - window.bytes.begin();
        if (offset >= window.bytes.size())
            return map_elsewhere(address, length, write);
        *length = window.bytes.size() - offset;
        return window.host ? window.host + offset : nullptr;
    }

    /// A little-endian word; false for a hole. `address` is used as it is.
    [[nodiscard]] bool read32(uint64_t address, uint32_t* value) {
        static_assert(std::endian::native == std::endian::little);
        return read(address, value, sizeof *value);
    }
    [[nodiscard]] bool write32(uint64_t address, uint32_t value) {
        return write(address, &value, sizeof value);
    }

    // Whole bytes up to the first hole; false if there is one. Bytes behind it stay as they are,
    // and all of them if the addresses wrap. What is written is reported.
    [[nodiscard]] bool read(uint64_t address, void* to, uint64_t length) {
        uint64_t run = 0;
        const std::byte* host = map(address, &run, false);
        if (!host || run < length)
            return read_pieces(address, to, length);
        std::memcpy(to, host, length);
        return true;
    }
    [[nodiscard]] bool write(uint64_t address, const void* from, uint64_t length);

private:
    [[nodiscard]] bool read_pieces(uint64_t address, void* to, uint64_t length);
    [[nodiscard]] std::byte* map_elsewhere(uint64_t address, uint64_t* length, bool write);

    struct Window {
        ByteRange bytes;
        std::byte* host = nullptr; ///< null: a hole
    };
    struct Recent {
        std::array<Window, 8> windows;
        uint32_t last = 0; ///< what was used last
        uint32_t next = 0; ///< what is forgotten next
        uint32_t used = 0; ///< how many windows are known; windows[0] is empty if none is
    };

    const Host& host_;
    Recent recent_[2]; ///< reads, writes
    uint64_t* const cost_;
    const uint64_t ask_cost_;
};

} // namespace pixmill
