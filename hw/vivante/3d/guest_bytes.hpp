// Byte access to guest memory during a drawing call.
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
    static constexpr uint32_t most = 2048; ///< bytes per call of at()
    static constexpr unsigned pipes = 2;

    GuestBytes(Memory& memory, Access access) : memory_(memory), access_(access) {}
    /// Flushes all dirty ranges.
    ~GuestBytes();
    GuestBytes(const GuestBytes&) = delete;
    GuestBytes& operator=(const GuestBytes&) = delete;

    /// `count` (at least 1) rows of `length` bytes (at least 1), `stride` apart.
    struct Rows {
        uint32_t address = 0;
        uint32_t stride = 0, count = 0;
        uint64_t length = 0;
    };
    /// Announces the rows that a pipe is about to access, which makes at() fast if they are one
    /// span of host memory. Invalidates pointers into rows opened earlier. Does not count as an
    /// access, so it cannot fault.
    void open(unsigned pipe, const Rows& rows);
    /// Flushes and forgets the open rows.
    void close(unsigned pipe);

    /// Returns `length` bytes (1 to `most`) at `address`. The pointer is valid until the next call
    /// or, inside the open rows, until they are closed. The bytes may be a copy, or stand for a
    /// hole or a fault, so call mark_dirty() after changing them.
    [[nodiscard]] std::byte* at(unsigned pipe, uint32_t address, uint32_t length) {
        std::byte* const bytes = in_place(pipe, address, length);
        return bytes ? bytes : copied(address, length);
    }
    /// Like at(), but returns null unless the bytes are one span of host memory. The pointer is
    /// valid until the drawing call returns.
    [[nodiscard]] std::byte* in_place(unsigned pipe, uint32_t address, uint32_t length) {
        const Window& window = windows_[pipe];
        if (holds(window, address, length))
            return window.host + (address - window.rows.address);
        const Page& page = *recent_[pipe];
        if (page.host && page.holds(address, length))
            return page.host + (address - page.address);
        return find(pipe, address, length);
    }
    /// `host` is null if nothing is open.
    struct Opened {
        uint32_t address = 0, size = 0;
        std::byte* host = nullptr;
    };
    Opened opened(unsigned pipe) const {
        const Window& window = windows_[pipe];
        return {window.rows.address, window.size, window.host};
    }
    /// Must be called after changing the bytes that at() returned last, or any that in_place()
    /// returned.
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

    /// True after an access has faulted. Later accesses read zeros and write nothing.
    [[nodiscard]] bool faulted() const { return pages_.faulted(); }

private:
    /// Offsets of the first dirty byte and of the byte after the last. Clean if `end` is 0.
    struct Dirty {
        uint32_t begin, end;
        void add(uint32_t at, uint64_t length) {
            begin = end && begin < at ? begin : at;
            end = at + length > end ? uint32_t(at + length) : end;
        }
    };
    struct Window {
        Rows rows;
        uint32_t size = 0; ///< 0 if nothing is open
        std::byte* host = nullptr;
        Dirty dirty = {};
    };
    /// The pages of a row of tiles are often a power of two apart. Multiplicative hashing (golden
    /// ratio) spreads them over the slots.
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
    /// The page that find() returned last, for each pipe.
    std::array<Page*, pipes> recent_ = {&pages_.nothing(), &pages_.nothing()};
    std::array<std::byte, most> copy_;
};

} // namespace pixmill::vivante
