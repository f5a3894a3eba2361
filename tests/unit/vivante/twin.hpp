/*
 * Runs tests/reference with the same memory and commands as a device, to compare them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_UNIT_VIVANTE_TWIN_HPP
#define PIXMILL_TESTS_UNIT_VIVANTE_TWIN_HPP

#include <string>

#include "../../reference/vivante/2d/vivante_2d.hpp"
#include "machine.hpp"

namespace pixmill::test {

/* Returns the features that the core's registers report. */
reference::Features features_of(Machine& machine);

/*
 * The reference 2D engine with a copy of a machine's memory, which copy() updates. The object keeps
 * its states between streams.
 */
class Twin final : private reference::Memory {
public:
    explicit Twin(Machine& machine);

    void copy(const Machine& machine);
    void run(const Words& stream) { engine_.run(stream); }
    /* Lists the first bytes of RAM that differ, or returns an empty string. */
    std::string difference(const Machine& machine) const;

private:
    /* Addresses without RAM read 0 and ignore writes. */
    uint8_t read(uint32_t address) override;
    void write(uint32_t address, uint8_t value) override;

    uint64_t base_;
    Bytes bytes_;
    reference::Engine2d engine_;
};

/* Runs @stream on the machine and, from reset, on tests/reference, and compares all of RAM. */
void run_compared(Machine& machine, const Stream& stream, int64_t ns = 1'000'000);

} // namespace pixmill::test

#endif
