// Bytes of guest memory, found by their addresses while a call draws.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "common/memory/page_cache.hpp"

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
        const Page& page = *recent_[pipe];
        if (page.host && page.holds(address, length))
            return page.host + (address - page.address);
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
        Page& page = *recent_[pipe];
        if (holds(window, address, length))
            window.dirty.add(address - window.rows.address, length);
        else if (page.host && page.holds(address, length))
            page.note.add(address - page.address, length);
        else
            put(address, uint32_t(length));
    }

    /// An access has met a fault: all that follow read zeros and write nothing.
    [[nodiscard]] bool faulted() const { return pages_.faulted(); }

private:
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
    /// Pages of a row of tiles lie a power of two apart: their numbers are spread by the golden
    /// ratio.
    struct DirtyPage : Dirty {
        static constexpr unsigned log_slots = 8, slots = 1 << log_slots;
        static uint32_t slot(uint32_t number) { return number * 0x9E3779B1u >> (32 - log_slots); }
        void enter(uint32_t) { begin = end = 0; }
        void leave(Memory& memory, uint32_t address) const {
            if (end)
                memory.mark_dirty(address + begin, end - begin);
        }
    };
    using Page = PageCache<DirtyPage>::Page;

    static bool holds(const Window& window, uint32_t address, uint64_t length) {
        const uint32_t skip = address - window.rows.address;
        return skip < window.size && length <= window.size - skip;
    }

    Page& page_at(uint32_t address);
    void stop();
    [[nodiscard]] std::byte* find(unsigned pipe, uint32_t address, uint32_t length);
    [[nodiscard]] std::byte* copied(uint32_t address, uint32_t length);
    void put(uint32_t address, uint32_t length);
    void flush_dirty(Window& window);

    Memory& memory_;
    const Access access_;
    std::array<Window, pipes> windows_;
    PageCache<DirtyPage> pages_;
    /// By pipe: what find() found last.
    std::array<Page*, pipes> recent_ = {&pages_.nothing(), &pages_.nothing()};
    std::array<std::byte, most> copy_;
};

} // namespace pixmill::vivante
