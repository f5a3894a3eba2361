// Bytes of guest memory, found by their addresses while a call draws.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "common/memory/memory.hpp"

namespace pixmill::vivante {

/// Lives for one drawing call. Addresses are 32 bits wide and wrap.
class GuestBytes {
public:
    static constexpr uint32_t most = 2048; ///< bytes of one at()
    static constexpr unsigned pipes = 2;

    GuestBytes(Memory& memory, Access access) : memory_(memory), access_(access) {}
    /// Flushes what is dirty.
    ~GuestBytes();
    GuestBytes(const GuestBytes&) = delete;
    GuestBytes& operator=(const GuestBytes&) = delete;

    /// `count` (at least 1) rows of `length` bytes (at least 1), `stride` apart.
    struct Rows {
        uint32_t address = 0;
        uint32_t stride = 0, count = 0;
        uint64_t length = 0;
    };
    /// What a pipe is about to access: at() is quick where all of it is one span of host memory.
    /// Pointers into what was open before are void afterwards. It is no access.
    void open(unsigned pipe, const Rows& rows);
    /// Nothing is open.
    void close(unsigned pipe);

    /// `length` bytes (1 to `most`) from `address` on, good until the next call, or as long as what
    /// is open if they are part of it. They may be a copy, so mark_dirty() must follow a change,
    /// and a hole or a fault is behind them.
    [[nodiscard]] std::byte* at(unsigned pipe, uint32_t address, uint32_t length) {
        std::byte* const bytes = in_place(pipe, address, length);
        return bytes ? bytes : copied(address, length);
    }
    /// The same as far as they are in one span of host memory, else null. Good until the drawing
    /// call returns.
    [[nodiscard]] std::byte* in_place(unsigned pipe, uint32_t address, uint32_t length) {
        const Window& window = windows_[pipe];
        if (holds(window, address, length))
            return window.host + (address - window.rows.address);
        const Run& run = *recent_[pipe];
        if (run.host && holds(run, address, length))
            return run.host + (address - run.address);
        return find(pipe, address, length);
    }
    /// No host memory if nothing is open.
    struct Opened {
        uint32_t address = 0, size = 0;
        std::byte* host = nullptr;
    };
    Opened opened(unsigned pipe) const {
        const Window& window = windows_[pipe];
        return {window.rows.address, window.size, window.host};
    }
    /// After a change of bytes that at() has found last, or of others that are in place.
    void mark_dirty(unsigned pipe, uint32_t address, uint64_t length) {
        Window& window = windows_[pipe];
        Run& run = *recent_[pipe];
        if (holds(window, address, length))
            window.dirty.add(address - window.rows.address, length);
        else if (run.host && holds(run, address, length))
            run.dirty.add(address - run.address, length);
        else
            put(address, uint32_t(length));
    }

    /// An access has met a fault: all that follow read zeros and write nothing.
    [[nodiscard]] bool faulted() const { return faulted_; }

private:
    static constexpr uint32_t page = 0x1000;

    /// From the first to the last dirty byte; none if the end is 0.
    struct Dirty {
        uint32_t begin, end;
        void add(uint32_t at, uint64_t length) {
            begin = end && begin < at ? begin : at;
            end = at + length > end ? uint32_t(at + length) : end;
        }
    };
    struct Window {
        Rows rows;
        uint32_t size = 0; ///< 0: nothing is open
        std::byte* host = nullptr;
        Dirty dirty = {};
    };
    /// A run of at most a page; no host memory: a hole.
    struct Run {
        uint32_t address, length;
        std::byte* host;
        Dirty dirty;
        uint8_t hole_value;
    };

    static bool holds(const Window& window, uint32_t address, uint64_t length) {
        const uint32_t skip = address - window.rows.address;
        return skip < window.size && length <= window.size - skip;
    }
    static bool holds(const Run& run, uint32_t address, uint64_t length) {
        const uint32_t skip = address - run.address;
        return skip < run.length && length <= run.length - skip;
    }

    Run& run_at(uint32_t address);
    void stop();
    [[nodiscard]] std::byte* find(unsigned pipe, uint32_t address, uint32_t length);
    [[nodiscard]] std::byte* copied(uint32_t address, uint32_t length);
    void put(uint32_t address, uint32_t length);
    void flush_dirty(Window& window);
    void flush_dirty(const Run& run);

    Memory& memory_;
    const Access access_;
    bool faulted_ = false;
    std::array<Window, pipes> windows_;
    static constexpr unsigned log_slots = 8;
    std::array<uint64_t, (1 << log_slots) / 64> known_{}; ///< a bit for each of runs_ that is one
    std::array<Run, 1 << log_slots> runs_;                ///< by a hash of the page's number
    Run nothing_{};                                       ///< behind a fault
    std::array<Run*, pipes> recent_ = {&nothing_, &nothing_}; ///< by pipe: what find() found last
    std::array<std::byte, most> copy_;
};

} // namespace pixmill::vivante
