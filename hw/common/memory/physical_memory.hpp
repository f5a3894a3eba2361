// Guest memory of a master without translation: its addresses are physical.
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
    /// Nothing is at addresses that need more than `address_bits`. `fail_next` is injection: the
    /// next access errs. `merged`: see DirtyLog; 0 where what draws has merged its writes.
    PhysicalMemory(const Host& host, unsigned address_bits, std::atomic<bool>* fail_next = nullptr,
                   uint64_t merged = DirtyLog::small)
        : MasterMemory(host, map_cost, dirty_cost, merged),
          end_(address_bits < 64 ? uint64_t(1) << address_bits : UINT64_MAX),
          fail_next_(fail_next) {}

    /// A slice of work begins: host pointers of the last one are void.
    void begin() { bus_.begin(); }

    [[nodiscard]] HostSpan map(uint64_t address, uint64_t length, Access access) override;
    [[nodiscard]] std::byte* map_contiguous(uint64_t address, uint64_t length,
                                            Access access) override {
        if (fails() || address >= end_ || length > end_ - address)
            return nullptr;
        uint64_t found = 0;
        std::byte* const host = bus_.map(address, &found, access == Access::write);
        return found >= length ? host : nullptr;
    }
    void mark_dirty(uint64_t address, uint64_t length) override {
        written_ += length;
        dirty_.mark(address, length);
    }
    void mark_dirty_rows(uint64_t address, uint64_t length, uint32_t stride,
                         uint32_t rows) override;
    /// True if any byte of [address, end) is memory. It is no access.
    [[nodiscard]] bool any(uint64_t address, uint64_t end, Access access);

    /// Copies `length` bytes up to the first that is not in memory; false if there is one, which is
    /// noted. The bytes after it stay as they are.
    [[nodiscard]] bool read(uint64_t address, void* to, uint64_t length);
    /// The same, but zeros if a byte is not in memory.
    void read_or_zero(uint64_t address, void* to, uint64_t length);
    /// A little-endian value of 1 to 4 bytes, read or written as a whole. If a byte of it is not in
    /// memory, it reads as 0 and is not written, and that is noted.
    [[nodiscard]] uint32_t read_value(uint64_t address, unsigned bytes);
    void write_value(uint64_t address, unsigned bytes, uint32_t value);

    /// Notes that an access hit no memory.
    void miss(uint64_t address, Access access) { errors_.note(address, access == Access::write); }

private:
    /// The cost of finding memory, in bytes that are copied meanwhile. The cost of pixels includes
    /// that of marking them dirty.
    static constexpr uint64_t map_cost = 2048, dirty_cost = 0;

    bool fails() const { return fail_next_ && fail_next_->load(std::memory_order_relaxed); }

    const uint64_t end_; ///< of its addresses
    std::atomic<bool>* const fail_next_;
};

} // namespace pixmill
