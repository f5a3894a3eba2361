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
    int line = 0; ///< line number in the file
};

struct VgVector {
    std::string name, what, chip;
    std::vector<VgStatement> statements;
};

std::ostream& operator<<(std::ostream& out, const VgVector& vector);

/// Returns all vectors. Empty if the file cannot be read, or does not start with a vector.
std::vector<VgVector> read_vg_vectors();

/// Plays a vector on a new device. Fails the running test if the results differ.
void play(const VgVector& vector, const VgDeviceMaker& make);

} // namespace pixmill::test
