// What a client needs around the GPU. The firmware runs on a Cortex-M4 with the registers, the host
// tool on the reference device: everything above this line is the same code in both.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace nema {

/// What the interrupt handlers have seen. The processor's handlers change it behind the program's
/// back.
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

    /// Sleeps until `counter`, one of interrupts(), is no longer `seen`.
    virtual void sleep_while(const volatile uint32_t& counter, uint32_t seen) = 0;
    Interrupts& interrupts() { return interrupts_; }

    /// Memory that the processor and the GPU share: the end of the SRAM and, behind it, the PSRAM.
    /// The address is the GPU's, in the second windows of both.
    virtual std::span<uint8_t> memory() = 0;
    static constexpr uint32_t MEMORY_ADDRESS = 0x30070000;
    static constexpr uint32_t MEMORY_BYTES = 0x00810000;
    static constexpr uint32_t SRAM_BYTES = 0x00010000; ///< of it

    virtual void print(std::string_view text) = 0;
    virtual void save(std::string_view file, std::span<const uint8_t> bytes) = 0;
    virtual uint64_t nanoseconds() = 0;

    /// Of a long animation the reference draws one frame in so many: each takes it seconds.
    virtual uint32_t frame_step() const { return 1; }

    // As the vendor's handlers do: read what happened, write it back as done.
    void completion_interrupt();
    void error_interrupt();

protected:
    ~Machine() = default;

private:
    Interrupts interrupts_;
};

} // namespace nema
