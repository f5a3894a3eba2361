/*
 * Checks of the registers of a stopped, hung or recovered front end.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_UNIT_VIVANTE_EXPECT_HPP
#define PIXMILL_TESTS_UNIT_VIVANTE_EXPECT_HPP

#include <gtest/gtest.h>

#include "machine.hpp"

namespace pixmill::test {

inline void put_bytes(Machine& m, uint64_t addr, std::initializer_list<uint8_t> bytes) {
    for (uint8_t byte : bytes)
        m.ram.set_byte(addr++, byte);
}

inline void expect_stopped(Machine& m) {
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
    EXPECT_EQ(m.get(reg::kFeStatus) & 1, 0u);
    EXPECT_EQ(m.get(reg::kFeDebugState), 0u);
}

inline void expect_hung(Machine& m) {
    EXPECT_EQ(m.get(reg::kIdle), kIdleButFe);
    EXPECT_EQ(m.get(reg::kFeStatus) & 1, 1u);
    EXPECT_EQ(m.get(reg::kFeDebugState) & 0x1F, 1u);
    EXPECT_EQ(m.get(reg::kIntrAck), 0u);
}

inline void expect_soft_reset_recovers(Machine& m) {
    m.soft_reset();
    expect_stopped(m);
    EXPECT_EQ(m.get(reg::kFeAddress), 0u);
    m.run_stream(Stream().event(kEventFromFe | 9));
    EXPECT_EQ(m.get(reg::kIntrAck), 0x200u);
    expect_stopped(m);
}

} // namespace pixmill::test

#endif
