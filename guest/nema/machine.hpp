// The platform interface: register access, interrupts, shared memory and output. The firmware
// implements it on a Cortex-M4, the host tool on the reference device; all other code is common.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace nema {

/// Counters and values that the interrupt handlers update.
struct Interrupts {
    volatile uint32_t completions = 0;
    volatile uint32_t list_id = 0;
    volatile uint32_t errors = 0;
    volatile uint32_t error_cause = 0;
};

class Machine {
public:
    virtual uint32_t read(uint32_t offset) = 0;
    virtual void write(uint32_t offset, uint32_t value) = 0;

    /// Sleeps until `counter`, one of interrupts(), differs from `seen`.
    virtual void sleep_while(const volatile uint32_t& counter, uint32_t seen) = 0;
    Interrupts& interrupts() { return interrupts_; }

    /// Returns the memory that the processor and the GPU share: the end of the SRAM followed by the
    /// PSRAM. MEMORY_ADDRESS is its GPU address, in the adjacent alias windows of SRAM and PSRAM.
    virtual std::span<uint8_t> memory() = 0;
    static constexpr uint32_t MEMORY_ADDRESS = 0x30070000;
    static constexpr uint32_t MEMORY_BYTES = 0x00810000;
    static constexpr uint32_t SRAM_BYTES = 0x00010000; ///< SRAM at the start of memory()

    virtual void print(std::string_view text) = 0;
    virtual void save(std::string_view file, std::span<const uint8_t> bytes) = 0;
    virtual uint64_t nanoseconds() = 0;

    /// A long animation draws every n-th frame only. The reference device is slow, so it skips most
    /// frames.
    virtual uint32_t frame_step() const { return 1; }

    // The interrupt handlers. Like the vendor's, they read the cause, then clear it.
    void completion_interrupt();
    void error_interrupt();

protected:
    ~Machine() = default;

private:
    Interrupts interrupts_;
};

} // namespace nema
