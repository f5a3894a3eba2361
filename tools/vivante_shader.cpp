// Disassembles a shader program of a Vivante GC core.
//
//     pixmill-vivante-shader FILE
//
// FILE contains the program as it is in instruction memory, in little-endian 32-bit words, or is
// "-" for standard input. Each line has an index, the words and the instruction; "?" marks
// instructions that a GC2000 lacks.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>

#include "vivante/3d/sh/disassembler.hpp"

namespace {

using namespace pixmill::vivante;

uint32_t word_at(const unsigned char* bytes) {
    return bytes[0] | uint32_t(bytes[1]) << 8 | uint32_t(bytes[2]) << 16 | uint32_t(bytes[3]) << 24;
}

int disassemble_file(std::FILE* file) {
    unsigned char bytes[4 * words_per_instruction];
    size_t got = 0;
    for (unsigned n = 0; (got = std::fread(bytes, 1, sizeof bytes, file)) == sizeof bytes; n++) {
        std::array<uint32_t, words_per_instruction> words;
        for (unsigned w = 0; w < words.size(); w++)
            words[w] = word_at(bytes + 4 * w);
        const Instruction instruction = decode(words.data());
        std::printf("%4u  %08x %08x %08x %08x %c %s\n", n, words[0], words[1], words[2], words[3],
                    instruction.is_known() ? ' ' : '?', disassemble(instruction).c_str());
    }
    if (got == 0)
        return 0;
    std::fprintf(stderr, "pixmill-vivante-shader: %zu trailing bytes are not an instruction\n",
                 got);
    return 1;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: pixmill-vivante-shader FILE\n");
        return 2;
    }
    if (std::strcmp(argv[1], "-") == 0)
        return disassemble_file(stdin);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(argv[1], "rb"),
                                                               std::fclose);
    if (!file) {
        std::perror(argv[1]);
        return 1;
    }
    return disassemble_file(file.get());
}
