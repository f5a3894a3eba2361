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

/// Guest-physical memory. Caches the most recently used mappings and holes while their host
/// pointers are valid.
class Bus {
public:
    /// Adds `ask_cost` to `*cost` for each call to the host's map(), if `cost` is not null. `reads`
    /// is what read() reports to a host that watches.
    explicit Bus(const Host& host, uint64_t* cost = nullptr, uint64_t ask_cost = 0,
                 PixmillTransfer reads = PIXMILL_TRANSFER_COMMANDS)
        : host_(host), cost_(cost), ask_cost_(ask_cost), reads_(reads) {}

    /// Drops all host pointers. Called at the start of an entry point or of a slice of work.
    void begin() {
        for (Recent& recent : recent_) {
            recent.windows[0] = {};
            recent.last = recent.next = recent.used = 0;
        }
    }

    /// Returns the host pointer for `address`, or nullptr for a hole. Stores in *length the number
    /// of contiguous bytes, at least 1; the range does not wrap.
    [[nodiscard]] std::byte* map(uint64_t address, uint64_t* length, bool write) {
        const Recent& recent = recent_[write];
        const Window& window = recent.windows[recent.last];
        const uint64_t offset = address - window.bytes.begin();
        if (offset >= window.bytes.size())
            return map_elsewhere(address, length, write);
        *length = window.bytes.size() - offset;
        return window.host ? window.host + offset : nullptr;
    }

    /// Accesses a little-endian word. Returns false if any byte of it is in a hole. `address` need
    /// not be aligned.
    [[nodiscard]] bool read32(uint64_t address, uint32_t* value) {
        static_assert(std::endian::native == std::endian::little);
        return read(address, value, sizeof *value);
    }
    [[nodiscard]] bool write32(uint64_t address, uint32_t value) {
        return write(address, &value, sizeof value);
    }

    // Copies bytes up to the first hole. Returns false if there is a hole; bytes after it are not
    // copied. Copies nothing if the range wraps. write() marks the bytes that it wrote dirty.
    [[nodiscard]] bool read(uint64_t address, void* to, uint64_t length) {
        uint64_t run = 0;
        const std::byte* host = map(address, &run, false);
        if (!host || run < length)
            return read_pieces(address, to, length);
        std::memcpy(to, host, length);
        note_read(address, length);
        return true;
    }
    [[nodiscard]] bool write(uint64_t address, const void* from, uint64_t length);

    /// True if the host watches, and must hear about each access through a pointer of map().
    bool watched() const { return host_.watches(); }
    // Report accesses through a pointer of map() to a host that watches.
    void note_read(uint64_t address, uint64_t length) const {
        host_.accessed(reads_, address, length);
    }
    void note_written(uint64_t address, uint64_t length) const {
        host_.accessed(PIXMILL_TRANSFER_WRITE, address, length);
    }

private:
    [[nodiscard]] bool read_pieces(uint64_t address, void* to, uint64_t length);
    [[nodiscard]] std::byte* map_elsewhere(uint64_t address, uint64_t* length, bool write);

    struct Window {
        ByteRange bytes;
        std::byte* host = nullptr; ///< null for a hole
    };
    struct Recent {
        std::array<Window, 8> windows;
        uint32_t last = 0; ///< index of the window used last
        uint32_t next = 0; ///< index of the window to replace next
        uint32_t used = 0; ///< number of windows in use; if 0, windows[0] is empty
    };

    const Host& host_;
    Recent recent_[2]; ///< [0] for reads, [1] for writes
    uint64_t* const cost_;
    const uint64_t ask_cost_;
    const PixmillTransfer reads_;
};

} // namespace pixmill
