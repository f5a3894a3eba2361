// SPDX-License-Identifier: GPL-2.0-or-later
#include "semihosting.hpp"

#include <algorithm>
#include <array>

namespace semihosting {

namespace {

enum Operation : uint32_t {
    SYS_OPEN = 0x01,
    SYS_CLOSE = 0x02,
    SYS_WRITE0 = 0x04,
    SYS_WRITE = 0x05,
    SYS_GET_CMDLINE = 0x15,
    SYS_EXIT_EXTENDED = 0x20,
    SYS_ELAPSED = 0x30,
    SYS_TICKFREQ = 0x31,
};

constexpr uint32_t WRITE_BINARY = 5;           // fopen's "wb"
constexpr uint32_t APPLICATION_EXIT = 0x20026; // ADP_Stopped_ApplicationExit

uint32_t call(Operation operation, const void* block) {
    register uint32_t r0 asm("r0") = operation;
    register const void* r1 asm("r1") = block;
    asm volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

uint32_t address(const void* p) {
    return uint32_t(reinterpret_cast<uintptr_t>(p));
}

// A zero-terminated copy of a text, truncated if the text is too long.
struct Terminated {
    std::array<char, 192> text{};
    explicit Terminated(std::string_view view) {
        std::copy_n(view.data(), std::min(view.size(), text.size() - 1), text.data());
    }
};

} // namespace

void print(std::string_view text) {
    call(SYS_WRITE0, Terminated(text).text.data());
}

void exit(uint32_t status) {
    const uint32_t block[] = {APPLICATION_EXIT, status};
    for (;;)
        call(SYS_EXIT_EXTENDED, block);
}

uint64_t nanoseconds() {
    static const uint32_t frequency = call(SYS_TICKFREQ, nullptr);
    uint64_t ticks = 0;
    call(SYS_ELAPSED, &ticks);
    return ticks * (1'000'000'000u / frequency);
}

std::string_view argument(uint32_t number) {
    static std::array<char, 128> line;
    const uint32_t block[] = {address(line.data()), uint32_t(line.size())};
    if (call(SYS_GET_CMDLINE, block) != 0)
        return {};
    std::string_view rest(line.data());
    for (uint32_t i = 0; i < number; ++i)
        rest.remove_prefix(std::min(rest.find(' '), rest.size() - 1) + 1);
    return rest.substr(0, rest.find(' '));
}

uint32_t number(uint32_t which, uint32_t otherwise) {
    const std::string_view digits = argument(which);
    uint32_t value = 0;
    for (const char digit : digits)
        value = 10 * value + uint32_t(digit - '0');
    return digits.empty() ? otherwise : value;
}

bool save(std::string_view file, std::span<const uint8_t> bytes) {
    const Terminated name(file);
    const uint32_t open[] = {address(name.text.data()), WRITE_BINARY, uint32_t(file.size())};
    const uint32_t handle = call(SYS_OPEN, open);
    if (handle == ~0u)
        return false;
    const uint32_t write[] = {handle, address(bytes.data()), uint32_t(bytes.size())};
    const bool whole = call(SYS_WRITE, write) == 0;
    return call(SYS_CLOSE, &handle) == 0 && whole;
}

} // namespace semihosting
