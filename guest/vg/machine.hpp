// The platform interface: command streams, shared memory and output. The firmware implements it on
// a Cortex-M7, the host tool on the reference model; all other code is common.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace vg {

class Machine {
public:
    /// Runs a stream of `qwords` 64-bit words and returns the events in register 0x010.
    virtual uint32_t run(uint32_t address, uint32_t qwords) = 0;

    /// Returns the memory that the processor and the GPU share, part of the SDRAM.
    virtual std::span<uint8_t> memory() = 0;
    static constexpr uint32_t MEMORY_ADDRESS = 0x81000000;
    static constexpr uint32_t MEMORY_BYTES = 0x00200000;

    /// Returns a monotonic time with an arbitrary origin.
    virtual uint64_t nanoseconds() = 0;

    virtual void print(std::string_view text) = 0;
    virtual void save(std::string_view file, std::span<const uint8_t> bytes) = 0;
    /// Displays a complete RGBA8888 picture without padding between rows.
    virtual void show(uint32_t address, uint32_t width, uint32_t height) = 0;

protected:
    ~Machine() = default;
};

std::span<const std::string_view> suites();

/// Runs the suite of that name. Returns false if there is none. The output is parsed by
/// runner/pixmill/firmware.py.
bool run_suite(Machine& machine, std::string_view name);

} // namespace vg
