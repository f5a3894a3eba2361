// Disassembles a NEMA|GFX command list.
//
//     pixmill-nema-list FILE [--base ADDRESS]
//
// FILE is a memory dump of the list, or "-" for standard input. ADDRESS is the address of the list
// in that memory.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "nema/fragment/disassembler.hpp"

namespace {

uint32_t word_at(const unsigned char* bytes) {
    return bytes[0] | uint32_t(bytes[1]) << 8 | uint32_t(bytes[2]) << 16 | uint32_t(bytes[3]) << 24;
}

int disassemble(std::FILE* file, uint32_t address) {
    unsigned char bytes[8];
    size_t got = 0;
    while ((got = std::fread(bytes, 1, sizeof bytes, file)) == sizeof bytes) {
        const uint32_t word = word_at(bytes), value = word_at(bytes + 4);
        std::printf("%08x  %08x %08x  %s\n", address, word, value,
                    pixmill::nema::describe_pair(word, value).c_str());
        address += sizeof bytes;
    }
    if (got == 0)
        return 0;
    std::fprintf(stderr, "pixmill-nema-list: %zu trailing bytes are not a pair\n", got);
    return 1;
}

bool parse_address(const char* text, uint32_t* address) {
    char* end = nullptr;
    const unsigned long long value = std::strtoull(text, &end, 0);
    *address = uint32_t(value);
    return *text && !*end && value <= UINT32_MAX;
}

} // namespace

int main(int argc, char** argv) {
    uint32_t base = 0;
    const bool with_base = argc == 4 && std::strcmp(argv[2], "--base") == 0;
    if ((argc != 2 && !with_base) || (with_base && !parse_address(argv[3], &base))) {
        std::fprintf(stderr, "usage: pixmill-nema-list FILE [--base ADDRESS]\n");
        return 2;
    }
    if (std::strcmp(argv[1], "-") == 0)
        return disassemble(stdin, base);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(argv[1], "rb"),
                                                               std::fclose);
    if (!file) {
        std::perror(argv[1]);
        return 1;
    }
    return disassemble(file.get(), base);
}
