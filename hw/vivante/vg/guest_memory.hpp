// Guest memory as the VG core's blocks see it: physical addresses, which do not end at 4 GiB.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "common/memory/access_errors.hpp"
#include "common/memory/bus.hpp"
#include "common/memory/dirty_log.hpp"

namespace pixmill::vivante::vg {

/// A value is read or written as a whole, or not at all: then it reads as 0, and error() says so.
class GuestMemory {
public:
    explicit GuestMemory(const Host& host) : bus_(host), dirty_(host) {}

    /// A slice of work begins, and ends: then the host knows of all that was written.
    void begin() { bus_.begin(); }
    void end() { dirty_.flush(); }

    const AccessErrors& errors() const { return errors_; }
    void forget_errors() { errors_ = {}; }
    /// Bytes since the last time.
    uint64_t take_written() { return std::exchange(written_, 0); }
    /// What looking for memory has cost since the last time, in bytes that are copied meanwhile.
    int64_t take_cost() {
        const uint64_t before = std::exchange(paid_, bus_.asked());
        return int64_t(bus_.asked() - before) * ask_cost;
    }

    /// Where `length` bytes lie, if they are one span of host memory; else null, which is no error.
    [[nodiscard]] std::byte* map_contiguous(uint64_t address, uint64_t length, bool write) {
        uint64_t run = 0;
        std::byte* host = bus_.map(address, &run, write);
        return run >= length ? host : nullptr;
    }
    /// Whether there is any memory in [address, end).
    [[nodiscard]] bool any(uint64_t address, uint64_t end, bool write);

    [[nodiscard]] uint32_t read(uint64_t address, unsigned bytes);
    void write(uint64_t address, unsigned bytes, uint32_t value);
    /// The same of many bytes.
    void copy(uint64_t address, void* to, uint64_t length);

    /// Bytes that were written through map_contiguous().
    void mark_dirty(uint64_t address, uint64_t length) {
        written_ += length;
        dirty_.mark(address, length);
    }
    void miss(uint64_t address, bool write) { errors_.note(address, write); }

private:
    static constexpr int64_t ask_cost = 2048; ///< as BusMaster

    uint64_t hole(const ByteRange& bytes);

    Bus bus_;
    AccessErrors errors_;
    uint64_t written_ = 0, paid_ = 0;
    DirtyLog dirty_;
};

} // namespace pixmill::vivante::vg
