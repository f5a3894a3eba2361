// Reads tests/data/nema_vectors.txt. That file documents the statements.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pixmill::test {

/// A verb and numbers. The offset of a register is followed by its value.
struct NemaStatement {
    enum class Verb { reset, memory, write, read, expect, instruction, line };
    Verb verb;
    std::vector<uint64_t> numbers; ///< `line`: 0 completion, 1 error, 2 freeze; then level
    int number_of_line = 0;        ///< line number in the file
};

struct NemaVector {
    std::string name;
    std::vector<NemaStatement> statements;
};

constexpr uint32_t nema_vector_ram = 0x20000000;
constexpr uint32_t nema_vector_ram_size = 0x10000;

/// Returns an empty list if the file cannot be read or is malformed.
std::vector<NemaVector> read_nema_vectors();

} // namespace pixmill::test
