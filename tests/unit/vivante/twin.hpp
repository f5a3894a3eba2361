/*
 * tests/reference beside a device: the same memory, the same commands.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_UNIT_VIVANTE_TWIN_HPP
#define PIXMILL_TESTS_UNIT_VIVANTE_TWIN_HPP

#include <string>
#include <vector>

#include "../../reference/vivante/2d/vivante_2d.hpp"
#include "machine.hpp"

namespace pixmill::test {

/* What the core's own feature registers say. */
reference::Features features_of(Machine& machine);

/* Its states live as long as it does; memory is the machine's at the last copy(). */
class Twin final : private reference::Memory {
public:
    explicit Twin(Machine& machine);

    void copy(const Machine& machine);
    void run(const Words& stream) { engine_.run(stream); }
    /* The first bytes of RAM that the machine has otherwise, or nothing. */
    std::string difference(const Machine& machine) const;

private:
    /* Without RAM there is 0, and nothing to write. */
    uint8_t read(uint32_t address) override;
    void write(uint32_t address, uint8_t value) override;

    uint64_t base_;
    std::vector<uint8_t> bytes_;
    reference::Engine2d engine_;
};

/* Machine::run_stream(), and the same from its reset by tests/reference: all of RAM is as there. */
void run_compared(Machine& machine, const Stream& stream, int64_t ns = 1'000'000);

} // namespace pixmill::test

#endif
