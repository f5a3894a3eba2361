/*
 * Compares a rig's registers with a table in tests/data.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_QTEST_REGISTER_SWEEP_HPP
#define PIXMILL_TESTS_QTEST_REGISTER_SWEEP_HPP

#include <gtest/gtest.h>

#include <vector>

#include "tables.hpp"

namespace pixmill::qtest {

template<class Rig>
void expect_reset_value(Rig& rig, const Register& r) {
    EXPECT_EQ(rig.read(r.offset) & r.reset_mask(), r.reset_value()) << title(r);
}

template<class Rig>
void expect_reset_values(Rig& rig, const std::vector<Register>& registers) {
    for (const Register& r : registers) {
        expect_reset_value(rig, r);
    }
}

/*
 * Writes the sweep values to each register and checks what reads back.  The VM is stopped, so that
 * work started by a write makes no progress, and it is reset after each register.
 */
template<class Rig>
void expect_fields_as_written(Rig& rig, const std::vector<Register>& registers) {
    rig.qemu().stop();
    for (const Register& r : registers) {
        uint32_t wrong = 0;
        for (const uint32_t value : r.sweep_values()) {
            rig.write(r.offset, value);
            wrong |= r.wrong_bits(value, rig.read(r.offset));
            if (r.expect == "starts") {
                rig.qemu().system_reset();
            }
        }
        EXPECT_EQ(wrong, 0u) << title(r) << std::hex << ": " << wrong;
        rig.qemu().system_reset();
    }
    expect_reset_values(rig, registers);
}

} // namespace pixmill::qtest

#endif
