// Shows what a command stream of a Vivante core's 3D engine draws: for each draw, the states that
// have changed, the shaders, and the targets after the draw.
//
//     pixmill-vivante-frame [--model MODEL] [--register OFFSET=VALUE]... [--out FOLDER]
//         --memory ADDRESS=FILE... STREAM [QWORDS]
//
// FILE is a dump of guest-physical memory, starting at ADDRESS, as written by the monitor's
// pmemsave. STREAM is the address of the first command, as the front end sees it. QWORDS is the
// number of 8-byte words to prefetch there (default 65535, because a stream ends by itself).
// Registers are written first.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frame.hpp"

namespace {

using namespace pixmill::tools;

constexpr const char* usage =
    "usage: pixmill-vivante-frame [--model MODEL] [--register OFFSET=VALUE]... [--out FOLDER]\n"
    "           --memory ADDRESS=FILE... STREAM [QWORDS]\n";

struct Arguments {
    std::string model = "gc2000-imx6q", out = ".";
    std::vector<std::pair<uint32_t, uint32_t>> registers;
    std::vector<Region> memory;
    std::vector<uint64_t> numbers;
};

uint64_t number(std::string_view text) {
    const std::string copy(text);
    char* end = nullptr;
    const uint64_t value = std::strtoull(copy.c_str(), &end, 0);
    if (copy.empty() || *end)
        throw std::runtime_error("not a number: " + copy);
    return value;
}

std::pair<std::string_view, std::string_view> halves(std::string_view text) {
    const size_t at = text.find('=');
    if (at == std::string_view::npos)
        throw std::runtime_error("no '=' in " + std::string(text));
    return {text.substr(0, at), text.substr(at + 1)};
}

std::vector<std::byte> contents(const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    if (!file)
        throw std::runtime_error("cannot read " + name);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    return {bytes, bytes + text.size()};
}

Arguments parse(int argc, char** argv) {
    Arguments result;
    for (int i = 1; i < argc; i++) {
        const std::string_view word = argv[i];
        if (!word.starts_with("--")) {
            result.numbers.push_back(number(word));
            continue;
        }
        if (i + 1 == argc)
            throw std::runtime_error(std::string(word) + " needs an argument");
        const std::string_view value = argv[++i];
        if (word == "--model") {
            result.model = value;
        } else if (word == "--out") {
            result.out = value;
        } else if (word == "--register") {
            const auto [offset, content] = halves(value);
            result.registers.emplace_back(uint32_t(number(offset)), uint32_t(number(content)));
        } else if (word == "--memory") {
            const auto [address, file] = halves(value);
            result.memory.push_back({number(address), contents(std::string(file))});
        } else {
            throw std::runtime_error("unknown option " + std::string(word));
        }
    }
    if (result.numbers.empty() || result.numbers.size() > 2 || result.memory.empty())
        throw std::runtime_error("a stream and its memory are needed");
    return result;
}

void play(Arguments arguments) {
    const auto print = [](const std::string& text) { std::fputs(text.c_str(), stdout); };
    const auto show = [&](const std::string& name, const Picture& picture) {
        std::ofstream file(arguments.out + "/" + name, std::ios::binary);
        if (!(file << png(picture)))
            throw std::runtime_error("cannot write to " + arguments.out);
    };
    Frame frame(arguments.model.c_str(), std::move(arguments.memory), print, show);
    for (const auto& [offset, value] : arguments.registers)
        frame.write(offset, value);
    constexpr uint32_t most = 0xFFFF;
    frame.play(uint32_t(arguments.numbers[0]),
               arguments.numbers.size() > 1 ? uint32_t(arguments.numbers[1]) : most);
}

} // namespace

int main(int argc, char** argv) {
    try {
        play(parse(argc, argv));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "pixmill-vivante-frame: %s\n%s", error.what(), usage);
        return 2;
    }
    return 0;
}
