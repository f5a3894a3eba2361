// Guest memory as bus masters see it that have 32-bit addresses and no translation.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "access_errors.hpp"
#include "bus.hpp"
#include "memory.hpp"

namespace pixmill {

class BusMaster final : public Memory {
public:
    /// `fail_next`: injection, the next access errs.
    BusMaster(const Host& host, std::atomic<bool>& fail_next)
        : host_(host), bus_(host), fail_next_(fail_next) {}

    /// An entry point begins: host pointers of the last one are void.
    void begin() { bus_.begin(); }

    [[nodiscard]] HostSpan map(uint64_t address, uint64_t length, Access access) override;
    void mark_dirty(uint64_t address, uint64_t length) override { host_.dirty(address, length); }
    void mark_dirty_rows(uint64_t address, uint64_t length, uint32_t stride,
                         uint32_t rows) override;
    [[nodiscard]] std::byte* map_contiguous(uint64_t address, uint64_t length,
                                            Access access) override;

    /// Copies `length` bytes up to the first that is not in memory; false if there is one, which is
    /// noted. Bytes behind it stay as they are.
    [[nodiscard]] bool read(uint64_t address, void* to, uint64_t length);

    /// Since the last call. Addresses have 32 bits.
    [[nodiscard]] AccessErrors take_errors() { return std::exchange(errors_, {}); }

private:
    [[nodiscard]] HostSpan look_up(uint64_t address, uint64_t length, bool write);
    void note_error(uint64_t address, bool write);

    const Host& host_;
    Bus bus_;
    std::atomic<bool>& fail_next_;
    AccessErrors errors_;
};

} // namespace pixmill
