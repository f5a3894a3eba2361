/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "crossbar_rig.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>

#include "../rig.hpp"
#include "../tables.hpp"

namespace pixmill::qtest {

namespace {

/*
 * Address ranges of the AM57xx's banks, from their first to their last register (AM57xx TRM,
 * control module).
 */
struct Window {
    const char* bank;
    uint64_t first;
    uint64_t end;
};

constexpr Window kWindows[] = {
    {"mpu", 0x4A002A48, 0x4A002B78},    {"ipu1", 0x4A0027E0, 0x4A002854},
    {"ipu2", 0x4A002854, 0x4A0028C8},   {"dsp1", 0x4A002948, 0x4A0029C8},
    {"dsp2", 0x4A0029C8, 0x4A002A48},   {"pruss1", 0x4A0028C8, 0x4A002908},
    {"pruss2", 0x4A002908, 0x4A002948}, {"eve1", 0x4A0027A0, 0x4A0027B0},
    {"eve2", 0x4A0027B0, 0x4A0027C0},   {"eve3", 0x4A0027C0, 0x4A0027D0},
    {"eve4", 0x4A0027D0, 0x4A0027E0},
};

uint32_t number(const std::string& text) {
    return text == "?" ? 0 : static_cast<uint32_t>(std::stoul(text, nullptr, 0));
}

std::vector<CrossbarBank> am57xx_banks() {
    std::vector<CrossbarBank> banks;
    for (const Window& window : kWindows) {
        banks.push_back({.crossbar = "/machine/crossbar",
                         .name = window.bank,
                         .sources = 420,
                         .base = window.first,
                         .window = static_cast<uint32_t>(window.end - window.first)});
    }
    for (const std::vector<std::string>& row : read_table("am57xx_crossbar.tsv").rows) {
        const auto bank = std::find_if(banks.begin(), banks.end(),
                                       [&](const CrossbarBank& b) { return b.name == row.at(0); });
        CrossbarBank::Line line{.address = number(row.at(2)), .reset = number(row.at(3))};
        if (row.at(4) != "-") {
            line.bypass = number(row.at(4));
        }
        bank->lines[number(row.at(1))] = line;
    }
    return banks;
}

/* The machine pixmill-test defines this bank (hw/qemu/boards/test/test-machine.c). */
CrossbarBank small_words() {
    CrossbarBank bank{.crossbar = "/machine/small-crossbar",
                      .name = "words",
                      .sources = 32,
                      .base = 0x4B000000,
                      .window = 32,
                      .reg_size = 4,
                      .mask = 0xFFFFFFFF};
    for (uint32_t line = 0; line < 8; ++line) {
        bank.lines[line] = {.address = 0x4B000000 + 4 * line};
    }
    return bank;
}

CrossbarBank small_bytes() {
    return {.crossbar = "/machine/small-crossbar",
            .name = "bytes",
            .sources = 32,
            .base = 0x4B000100,
            .window = 8,
            .reg_size = 1,
            .mask = 0x3F,
            .lines = {{0, {.address = 0x4B000100, .reset = 31}},
                      {1, {.address = 0x4B000101, .reset = 1}},
                      {3, {.address = 0x4B000102, .reset = 7}},
                      {4, {.address = 0x4B000103, .reset = 7}},
                      {5, {.address = 0x4B000104, .reset = 0}},
                      {6, {.address = 0x4B000105, .reset = 30}},
                      {7, {.address = 0x4B000106, .reset = 16}}}};
}

QemuOptions options(const CrossbarBank& bank, std::vector<std::string> arguments) {
    QemuOptions options;
    options.machine = "pixmill-test";
    options.arguments = std::move(arguments);
    options.interrupt_of = bank.path();
    options.interrupt_name = "line";
    return options;
}

} // namespace

std::ostream& operator<<(std::ostream& out, const CrossbarBank& bank) {
    return out << bank.path();
}

const std::vector<CrossbarBank>& crossbar_banks() {
    static const std::vector<CrossbarBank> banks = [] {
        std::vector<CrossbarBank> all = am57xx_banks();
        all.push_back(small_words());
        all.push_back(small_bytes());
        return all;
    }();
    return banks;
}

const CrossbarBank& crossbar_bank(const std::string& name) {
    for (const CrossbarBank& bank : crossbar_banks()) {
        if (bank.name == name) {
            return bank;
        }
    }
    throw std::out_of_range("no bank " + name);
}

CrossbarRig::CrossbarRig(const CrossbarBank& bank, std::vector<std::string> arguments)
    : bank_(bank), qemu_(options(bank, std::move(arguments))) {}

CrossbarRig::~CrossbarRig() {
    if (std::uncaught_exceptions() == 0) {
        expect_clean_quit(qemu_);
    }
}

std::vector<std::string> CrossbarRig::take_log(const std::string& text) {
    std::vector<std::string> lines;
    for (const std::string& line : qemu_.log()) {
        if (line.find(text) != std::string::npos) {
            lines.push_back(line);
        }
    }
    size_t& seen = log_seen_[text];
    lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(seen));
    seen += lines.size();
    return lines;
}

} // namespace pixmill::qtest
