// tests/data/vivante_vg_vectors.txt, read, and played on anything that behaves as a VG core. The
// file says what its statements mean.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "vg_device.hpp"

#include <ostream>

namespace pixmill::test {

constexpr uint32_t vg_vector_ram = 0x80000000;
constexpr uint32_t vg_vector_ram_size = 8 << 20;

struct VgStatement {
    std::string verb;
    std::vector<std::string> words;
    int line = 0; ///< in the file
};

struct VgVector {
    std::string name, what, chip;
    std::vector<VgStatement> statements;
};

std::ostream& operator<<(std::ostream& out, const VgVector& vector);

/// Empty if the file cannot be read, or begins with something else than a vector.
std::vector<VgVector> read_vg_vectors();

/// Fails the running test where the device does anything else.
void play(const VgVector& vector, const VgDeviceMaker& make);

} // namespace pixmill::test
