// SPDX-License-Identifier: GPL-2.0-or-later
// AM572x TRM, control module: registers CTRL_CORE_MPU_IRQ_y_z hold 16 bits for each MPU interrupt
// line that has a selector.
#include "crossbar_command.hpp"

#include "device.hpp"
#include "fill.hpp"
#include "physical_memory.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>

namespace guest {

namespace {

constexpr uint32_t SELECTORS = 0x4A002A48;
constexpr uint32_t GIC_DISTRIBUTOR = 0x48211000, ISENABLER = 0x100, FIRST_SPI = 32;
constexpr uint32_t LINES = 160;

// The kernel (linux irq-crossbar.c) neither allocates these lines nor writes their registers.
const std::set<uint32_t> WITHOUT_REGISTER{0, 1, 2, 3, 5, 6, 131, 132};
const std::map<uint32_t, uint32_t> RESERVED{
    {10, 5}, {133, 0}, {139, 0}, {140, 0}}; // line and reset value of its register

struct Interrupt {
    uint32_t source;
    uint64_t count; // sum over all CPUs
    std::string name;
};

// " 43:     12     0  CBAR 120 Level     59000000.gpu"
std::vector<Interrupt> interrupts() {
    std::vector<Interrupt> found;
    std::ifstream file("/proc/interrupts");
    for (std::string line, word; std::getline(file, line);) {
        Interrupt interrupt{};
        std::istringstream words(line);
        words >> word;
        while (words >> word && word.find_first_not_of("0123456789") == std::string::npos)
            interrupt.count += std::stoull(word);
        if (word != "CBAR" || !(words >> interrupt.source >> word >> interrupt.name))
            continue;
        found.push_back(interrupt);
    }
    return found;
}

// Returns {line: source}.
std::map<uint32_t, uint32_t> selectors() {
    const PhysicalWindow registers(SELECTORS, 2 * LINES);
    std::map<uint32_t, uint32_t> selected;
    uint32_t offset = 0;
    for (uint32_t line = 0; line < LINES; ++line) {
        if (WITHOUT_REGISTER.contains(line))
            continue;
        selected[line] = registers.read16(offset);
        offset += 2;
    }
    return selected;
}

void must(bool good, const std::string& otherwise) {
    if (!good)
        throw std::runtime_error(otherwise);
}

bool enabled_in_gic(uint32_t line) {
    const PhysicalWindow gic(GIC_DISTRIBUTOR, 0x1000);
    const uint32_t id = FIRST_SPI + line;
    return gic.read32(ISENABLER + id / 32 * 4) >> id % 32 & 1;
}

int check_selectors(Words) {
    std::map<uint32_t, uint32_t> lines, selected = selectors(); // `lines` maps sources to lines
    for (const auto& [line, reset] : RESERVED) {
        must(selected[line] == reset, "the kernel changed line " + std::to_string(line));
        selected.erase(line);
    }
    for (const auto& [line, source] : selected)
        if (source != 0)
            must(lines.emplace(source, line).second,
                 "two lines select source " + std::to_string(source));
    const std::vector<Interrupt> all = interrupts();
    must(!all.empty(), "/proc/interrupts has no CBAR interrupts");
    for (const Interrupt& interrupt : all) {
        must(lines.contains(interrupt.source), "no line selects the source of " + interrupt.name);
        const uint32_t line = lines[interrupt.source];
        std::printf("source %u (%s): line %u, GIC ID %u\n", interrupt.source,
                    interrupt.name.c_str(), line, FIRST_SPI + line);
        must(enabled_in_gic(line), "this interrupt is disabled in the GIC");
    }
    // The kernel allocates lines from the last one down.
    must(selected[LINES - 1] != 0, "line 159 is free");
    std::printf("%zu sources have lines\n", lines.size());
    return 0;
}

uint64_t count_of(uint32_t source) {
    for (const Interrupt& interrupt : interrupts())
        if (interrupt.source == source)
            return interrupt.count;
    throw std::runtime_error("/proc/interrupts does not have the source");
}

int count(Words words) {
    if (words.size() != 2)
        throw std::runtime_error("count needs a source and a number of jobs");
    const uint32_t source = std::strtoul(words[0], nullptr, 0);
    const uint32_t jobs = std::strtoul(words[1], nullptr, 0);
    Device device("/dev/dri/renderD128");
    const uint64_t before = count_of(source);
    for (uint32_t i = 0; i < jobs; ++i)
        run(device, empty_job());
    const uint64_t after = count_of(source);
    std::printf("%u jobs, %llu interrupts\n", jobs,
                static_cast<unsigned long long>(after - before));
    return after - before == jobs ? 0 : 1;
}

constexpr Command COMMANDS[] = {{"selectors", check_selectors}, {"count", count, "SOURCE JOBS"}};

} // namespace

int crossbar_command(Words words) {
    return run_command("crossbar", COMMANDS, words);
}

} // namespace guest
