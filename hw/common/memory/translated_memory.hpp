// Guest memory of a master behind an MMU: its addresses are virtual.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "address_space.hpp"
#include "master_memory.hpp"

namespace pixmill {

/// Addresses are 32 bits wide and wrap; higher bits are dropped.
class TranslatedMemory final : public MasterMemory {
public:
    explicit TranslatedMemory(const Host& host)
        : MasterMemory(host, host_cost, host_cost, DirtyLog::small) {}

    /// A slice of work begins: translations and host pointers of the last one are void, so no flush
    /// of the guest's is missed. Were they to last until a flush, this is the place that would
    /// know. `space` outlives the slice.
    void begin(const AddressSpace& space) {
        space_ = &space;
        slice_++;
        bus_.begin();
    }
    void begin(const AddressSpace&& space) = delete;

    [[nodiscard]] HostSpan map(uint64_t address, uint64_t length, Access access) override;
    void mark_dirty(uint64_t address, uint64_t length) override;
    void mark_dirty_rows(uint64_t address, uint64_t length, uint32_t stride,
                         uint32_t rows) override;
    [[nodiscard]] std::byte* map_contiguous(uint64_t address, uint64_t length,
                                            Access access) override;

    /// The next access stalls, for a reason of the address space's; or it hits no memory.
    void inject_fault(uint8_t fault) { inject_fault_ = fault; }
    void inject_bus_error() { inject_bus_error_ = true; }

private:
    static constexpr uint32_t page = 0x1000;
    static constexpr uint32_t most = 0 - page; ///< bytes that an entry tells of
    /// What calls cost, in bytes that are copied meanwhile: map() and mark_dirty(), a page whose
    /// translation is not known, and what the host has to look up.
    static constexpr uint64_t call_cost = 128, page_cost = 512, host_cost = 4096;

    /// What lies at a page; `tag` tells which page, access and slice it is for.
    struct Entry {
        uint64_t tag = 0;
        std::byte* host = nullptr;
        uint64_t physical = 0;
        uint32_t length = 0; ///< bytes from the page's start on
        Mapping mapping = Mapping::fault;
        Translation::Kind kind = Translation::Kind::fault;
        uint8_t fault = 0;
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
    [[nodiscard]] std::byte* safe_page(uint64_t physical);

    const AddressSpace* space_ = nullptr;
    uint64_t slice_ = 0;
    std::array<Entry, 1024> entries_[2]; ///< reads, writes
    Span spans_[2];                      ///< likewise
    uint64_t safe_slice_ = 0;            ///< that `safe_` is of
    std::array<std::byte, page> safe_{}; ///< the safe bytes over and over, if they are memory
    bool has_safe_ = false;
    std::atomic<uint8_t> inject_fault_ = 0; ///< these two by any thread
    std::atomic<bool> inject_bus_error_ = false;
};

} // namespace pixmill
