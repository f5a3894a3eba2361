// Guest memory as an engine sees it: through its MMU client, in spans.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "common/memory/dirty_log.hpp"
#include "common/memory/memory.hpp"
#include "mmu.hpp"

namespace pixmill::vivante {

/// Addresses are 32 bits wide and wrap; higher bits are dropped.
class TranslatedMemory final : public Memory {
public:
    explicit TranslatedMemory(const Host& host) : bus_(host), dirty_(host) {}

    /// A slice of work begins: translations and host pointers of the last one are void.
    void begin(const MmuConfig& config);
    /// It ends: the host knows of all that was written.
    void end();

    [[nodiscard]] HostSpan map(uint64_t address, uint64_t length, Access access) override;
    void mark_dirty(uint64_t address, uint64_t length) override;
    void mark_dirty_rows(uint64_t address, uint64_t length, uint32_t stride,
                         uint32_t rows) override;
    [[nodiscard]] std::byte* map_contiguous(uint64_t address, uint64_t length,
                                            Access access) override;

    /// Since begin().
    const MmuErrors& errors() const { return errors_; }
    uint64_t written() const { return written_; }

    void inject_fault() { inject_fault_ = true; }
    void inject_bus_error() { inject_bus_error_ = true; }

private:
    static constexpr uint32_t page = 0x1000;
    static constexpr uint32_t most = 0 - page; ///< bytes that an entry tells of
    static constexpr uint32_t safe_bytes = 64; ///< of the safe page

    /// What lies at a page; `tag` tells which page, access and slice it is for.
    struct Entry {
        uint64_t tag = 0;
        std::byte* host = nullptr;
        uint64_t physical = 0;
        uint32_t length = 0; ///< bytes from the page's start on
        Mapping mapping = Mapping::fault;
        Translation::Kind kind = Translation::Kind::fault;
        Fault fault = Fault::none;
        bool table_error = false;
    };

    /// Pages that follow each other, for the device, in physical and in host memory: what has been
    /// mapped last, to be grown where more of it is asked for. Good for its slice.
    struct Span {
        uint64_t slice = 0;
        uint32_t begin = 0; ///< the first page's address
        bool grows = false; ///< whether the next page belongs to it is not known yet
        uint64_t length = 0;
        uint64_t physical = 0;
        std::byte* host = nullptr;
        const std::byte* next = nullptr; ///< where the next page lies, if elsewhere
    };

    [[nodiscard]] const Entry& translate_page(uint32_t address, bool write);
    void refill(Entry& entry, uint32_t number, bool write);
    [[nodiscard]] Entry walk(uint32_t address, bool write);
    [[nodiscard]] HostSpan no_memory(const Entry& entry, uint32_t address, uint64_t length,
                                     bool write);
    [[nodiscard]] HostSpan map_inside(const Entry& entry, uint32_t address, uint64_t length,
                                      bool write);
    [[nodiscard]] const Span* span_at(uint32_t address, uint64_t length, bool write);
    void grow(Span& span, bool write);
    void mark(uint64_t physical, uint64_t length);

    Bus bus_;
    MmuConfig config_;
    uint64_t slice_ = 0;
    std::array<Entry, 1024> entries_[2]; ///< reads, writes
    Span spans_[2];                      ///< likewise
    DirtyLog dirty_;
    std::array<std::byte, page> safe_{}; ///< a page's worth of the safe page, if that is memory
    bool has_safe_ = false;
    MmuErrors errors_;
    uint64_t written_ = 0;
    std::atomic<bool> inject_fault_ = false, inject_bus_error_ = false; ///< by any thread
};

} // namespace pixmill::vivante
