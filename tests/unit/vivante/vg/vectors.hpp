// Reads tests/data/vivante_vg_vectors.txt, which documents its statements, and plays it on any
// implementation of a VG core.
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
    int line = 0; ///< line in the file
};

struct VgVector {
    std::string name, what, chip;
    std::vector<VgStatement> statements;
};

std::ostream& operator<<(std::ostream& out, const VgVector& vector);

/// Empty if the file cannot be read, or does not start with a vector.
std::vector<VgVector> read_vg_vectors();

/// Fails the running test if the device differs from the vector.
void play(const VgVector& vector, const VgDeviceMaker& make);

} // namespace pixmill::test
