// Guest memory of a bus master without an MMU: addresses are physical.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "master_memory.hpp"

namespace pixmill {

class PhysicalMemory final : public MasterMemory {
public:
    /// Accesses to addresses that need more than `address_bits` bits hit a hole. `fail_next`
    /// injects an error into the next access. For `merged`, see DirtyLog; pass 0 if the drawing
    /// code merges its writes itself. For `reads`, see Bus.
    PhysicalMemory(const Host& host, unsigned address_bits, std::atomic<bool>* fail_next = nullptr,
                   uint64_t merged = DirtyLog::small, PixmillTransfer reads = PIXMILL_TRANSFER_READ)
        : MasterMemory(host, map_cost, dirty_cost, merged, reads),
          end_(address_bits < 64 ? uint64_t(1) << address_bits : UINT64_MAX),
          fail_next_(fail_next) {}

    /// Begins a slice of work and drops the host pointers of the previous one.
    void begin() { bus_.begin(); }

    [[nodiscard]] HostSpan map(uint64_t address, uint64_t length, Access access) override;
    [[nodiscard]] std::byte* map_contiguous(uint64_t address, uint64_t length,
                                            Access access) override {
        if (access == Access::read && watched()) [[unlikely]]
            return nullptr; // the caller does not say which of the bytes it reads
        if (fails() || address >= end_ || length > end_ - address)
            return nullptr;
        uint64_t found = 0;
        std::byte* const host = bus_.map(address, &found, access == Access::write);
        return found >= length ? host : nullptr;
    }
    void mark_dirty(uint64_t address, uint64_t length) override {
        written_ += length;
        dirty_.mark(address, length);
        bus_.note_written(address, length);
    }
    void mark_dirty_rows(uint64_t address, uint64_t length, uint32_t stride,
                         uint32_t rows) override;
    [[nodiscard]] bool watched() const override { return bus_.watched(); }
    /// True if any byte of [address, end) is memory. The check does not count as an access.
    [[nodiscard]] bool any(uint64_t address, uint64_t end, Access access);

    /// Copies `length` bytes up to the first hole. If there is a hole, records the error and
    /// returns false; bytes after the hole are not copied.
    [[nodiscard]] bool read(uint64_t address, void* to, uint64_t length);
    /// Like read(), but fills all of `to` with zeros if the range contains a hole.
    void read_or_zero(uint64_t address, void* to, uint64_t length);
    /// Access a little-endian value of 1 to 4 bytes as a unit. If any byte of it is in a hole, the
    /// error is recorded, a read returns 0, and a write is dropped.
    [[nodiscard]] uint32_t read_value(uint64_t address, unsigned bytes);
    void write_value(uint64_t address, unsigned bytes, uint32_t value);

private:
    /// Cost of a mapping and of a dirty report, as a number of bytes that could be copied in the
    /// same time. A dirty report costs nothing here because the cost of pixels includes it.
    static constexpr uint64_t map_cost = 2048, dirty_cost = 0;

    /// Records an access that hit no memory.
    void miss(uint64_t address, Access access) { errors_.note(address, access == Access::write); }
    bool fails() const { return fail_next_ && fail_next_->load(std::memory_order_relaxed); }

    const uint64_t end_; ///< end of the address space
    std::atomic<bool>* const fail_next_;
};

} // namespace pixmill
