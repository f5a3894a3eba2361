// Guest memory of a bus master with an MMU: addresses are virtual.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "access_faults.hpp"
#include "address_space.hpp"
#include "master_memory.hpp"

namespace pixmill {

/// Memory behind an MMU. Virtual addresses are 32 bits wide and wrap; higher bits are ignored.
class TranslatedMemory final : public MasterMemory {
public:
    explicit TranslatedMemory(const Host& host)
        : MasterMemory(host, host_cost, host_cost, DirtyLog::small) {}

    /// Begins a slice of work. Drops the translations and host pointers of the previous one, so
    /// every TLB flush by the guest takes effect. `space` must outlive the slice.
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
    [[nodiscard]] size_t map_pages(uint64_t address, std::span<std::byte*> hosts,
                                   Access access) override;

    /// Injects errors into accesses, that is, calls of map(): faults with the code `fault`, and
    /// addresses without memory. `faults` must outlive this object.
    void inject(AccessFaults& faults, uint8_t fault) {
        injected_ = &faults;
        injected_fault_ = fault;
    }

private:
    static constexpr uint32_t page = 0x1000;
    static constexpr uint32_t most = 0 - page; ///< maximum length of an Entry
    /// Costs of a call of map(), map_pages() or mark_dirty(), of a page that is added to the cache,
    /// of a table entry that is read ahead, and of a call to the host, each as a number of bytes
    /// that could be copied in the same time.
    static constexpr uint64_t call_cost = 128, page_cost = 512, scan_cost = 8, host_cost = 4096;

    /// A cached translation. `tag` combines the number of the slice of work and the page number.
    struct Entry {
        uint64_t tag = 0;
        std::byte* host = nullptr;
        uint64_t physical = 0;
        uint32_t length = 0; ///< number of bytes from the start of the page
        Mapping mapping = Mapping::fault;
        Translation::Kind kind = Translation::Kind::fault;
        uint8_t fault = 0;
        bool table_error = false;
    };

    /// The span mapped last: pages that are contiguous in virtual, physical and host memory. It
    /// grows on demand and is valid during its slice of work.
    struct Span {
        uint64_t slice = 0;
        uint32_t begin = 0; ///< virtual address of the first page
        bool grows = false; ///< appending the next page has not been tried yet
        uint64_t length = 0;
        uint64_t physical = 0;
        std::byte* host = nullptr;
        const std::byte* next = nullptr; ///< host address of the next page, if it is not contiguous
    };

    /// Bytes that were written, contiguous in physical memory.
    struct Piece {
        uint64_t physical, length;
        bool gone; ///< `physical` is unknown, because the guest overwrote its own page tables
    };

    [[nodiscard]] uint64_t tag_of(uint32_t number) const { return slice_ << 20 | number; }
    [[nodiscard]] Entry& slot_of(uint32_t number, bool write);
    [[nodiscard]] const Entry& translate_page(uint32_t address, bool write, uint64_t length);
    [[nodiscard]] const Entry& look_ahead(uint32_t address, bool write, uint64_t length);
    void refill(uint32_t address, bool write, uint64_t length);
    void refill_run(uint32_t number, size_t count, bool write);
    [[nodiscard]] Entry walk(uint32_t address, bool write);
    [[nodiscard]] HostSpan no_memory(const Entry& entry, uint32_t address, uint64_t length,
                                     bool write);
    [[nodiscard]] HostSpan map_inside(const Entry& entry, uint32_t address, uint64_t length,
                                      bool write);
    [[nodiscard]] const Span* span_at(uint32_t address, uint64_t length, bool write);
    void grow(Span& span, bool write, uint64_t length);
    [[nodiscard]] Piece written_piece(uint32_t address, uint64_t length);
    [[nodiscard]] std::byte* safe_page(uint64_t physical);
    [[nodiscard]] bool injecting() const { return injected_ && injected_->any(); }
    [[nodiscard]] std::optional<HostSpan> injected(uint32_t address, uint64_t length, bool write);

    const AddressSpace* space_ = nullptr;
    uint64_t slice_ = 0;
    std::array<Entry, 1024> entries_[2]; ///< [0] for reads, [1] for writes
    Span spans_[2];                      ///< [0] for reads, [1] for writes
    uint64_t safe_slice_ = 0;            ///< slice in which `safe_` was read
    std::array<std::byte, page> safe_{}; ///< the safe bytes, repeated, if has_safe_
    bool has_safe_ = false;
    AccessFaults* injected_ = nullptr; ///< null if no errors can be injected
    uint8_t injected_fault_ = 0;
};

} // namespace pixmill
