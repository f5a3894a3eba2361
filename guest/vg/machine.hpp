// What the scene needs around the GC355. The firmware runs on a Cortex-M7 with the registers, the
// host tool on the reference model: everything above this line is the same code in both.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace vg {

class Machine {
public:
    /// Has a stream of so many qwords executed; returns what register 010 then says.
    virtual uint32_t run(uint32_t address, uint32_t qwords) = 0;

    /// Memory that the processor and the GPU share, and its address: a part of the SDRAM.
    virtual std::span<uint8_t> memory() = 0;
    static constexpr uint32_t MEMORY_ADDRESS = 0x81000000;
    static constexpr uint32_t MEMORY_BYTES = 0x00200000;

    /// Since some moment.
    virtual uint64_t nanoseconds() = 0;

    virtual void print(std::string_view text) = 0;
    virtual void save(std::string_view file, std::span<const uint8_t> bytes) = 0;
    /// A picture of RGBA8888, rows without gaps, is complete.
    virtual void show(uint32_t address, uint32_t width, uint32_t height) = 0;

protected:
    ~Machine() = default;
};

std::span<const std::string_view> suites();

/// Runs the suite of that name; false: there is none. Prints what runner/pixmill/firmware.py
/// reads.
bool run_suite(Machine& machine, std::string_view name);

} // namespace vg
