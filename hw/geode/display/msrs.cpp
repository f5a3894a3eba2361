// SPDX-License-Identifier: GPL-2.0-or-later
#include "msrs.hpp"

#include <iterator>

#include "pixmill/geode_display.h"

namespace pixmill::geode_display {
namespace {

struct Msr {
    uint32_t first;
    const char* name;
    uint64_t reset = 0;
    uint64_t mask = 0;     ///< writable bits
    uint32_t last = first; ///< last MSR of the range; all of them read the same value
};

constexpr uint64_t high(uint32_t word) {
    return uint64_t(word) << 32;
}
/// Returns a GLD_CAP value. The X driver reads the device class from bits 19:12. The lower bits
/// hold a revision.
constexpr uint64_t device(uint32_t id) {
    return uint64_t(id) << 8;
}
/// Returns a GLIU_CAP value for a number of ports.
constexpr uint64_t ports(uint32_t count) {
    return high(count << 19);
}

constexpr uint32_t glcp_dotpll = 0x4C000015, glcp_lock = 1u << 25;
constexpr uint32_t gliu0_p2d_ro0 = 0x10000029;
constexpr uint64_t all = UINT64_MAX;

// The devices at each port are from geode_msr.c of the X driver, which walks the GLIUs starting at
// the CPU. The names are from databook 33234H 4.2 and 6. Revisions are 0, because drivers ignore
// them.
constexpr Msr table[] = {
    {0x00002000, "CPU GLD_MSR_CAP", device(0x0864)},
    {0x10000029, "GLIU0 P2D_RO0", 0, all},
    {0x10000086, "GLIU0 GLIU_CAP", ports(5)},
    {0x1000008B, "GLIU0 WHO AM I", 3},
    {0x10002000, "GLIU0 GLD_MSR_CAP", device(0x0014)},
    {0x20002000, "MC GLD_MSR_CAP", device(0x0204)},
    {0x40000086, "GLIU1 GLIU_CAP", ports(6)},
    {0x4000008B, "GLIU1 WHO AM I", 1},
    {0x40002000, "GLIU1 GLD_MSR_CAP", device(0x0014)},
    {0x48002000, "VP GLD_MSR_CAP", device(0x03F4)},
    {0x48002001, "VP GLD_MSR_CONFIG", 0, all},
    {0x48002011, "VP MSR_PADSEL", 0, all},
    {glcp_dotpll, "GLCP DOTPLL", glcp_lock, all & ~uint64_t{glcp_lock}},
    {0x4C002000, "GLCP GLD_MSR_CAP", device(0x0024)},
    {0x50002000, "GLPCI GLD_MSR_CAP", device(0x1054)},
    {0x51002000, "CS5536 GLPCI GLD_MSR_CAP", device(0x1054)},
    {0x51010086, "CS5536 GLIU GLIU_CAP", ports(1)},
    {0x5101008B, "CS5536 GLIU WHO AM I", 1},
    {0x51012000, "CS5536 GLIU GLD_MSR_CAP", device(0x0014)},
    {0x51400008, "CS5536 DIVIL", 0, 0, 0x5140002B},
    {0x54002000, "VIP GLD_MSR_CAP", device(0x03C4)},
    {0x58002000, "AES GLD_MSR_CAP", device(0x0304)},
    {0x80000011, "DC SPARE (lxfb)", 0, all},
    {0x80002000, "DC GLD_MSR_CAP", device(0x03E4)},
    {0x80002011, "DC SPARE", 0, all},
};
static_assert(std::size(table) == PIXMILL_GEODE_MSRS);

constexpr size_t none = std::size(table);

constexpr size_t find(uint32_t msr) {
    for (size_t i = 0; i < std::size(table); i++) {
        if (msr >= table[i].first && msr <= table[i].last)
            return i;
    }
    return none;
}
static_assert(find(glcp_dotpll) != none && find(gliu0_p2d_ro0) != none);

} // namespace

bool Msrs::read(uint32_t msr, uint64_t& value) const {
    const size_t i = find(msr);
    value = i != none ? values_[i] : 0;
    return i != none;
}

bool Msrs::write(uint32_t msr, uint64_t value) {
    const size_t i = find(msr);
    if (i == none)
        return false;
    values_[i] = (values_[i] & ~table[i].mask) | (value & table[i].mask);
    return true;
}

uint64_t Msrs::dotpll() const {
    return values_[find(glcp_dotpll)];
}

// P2D_RO0 maps the frame buffer: bits 39:20 hold the last page, bits 19:0 the first. Without VSA,
// lxfb derives the frame buffer size from this MSR.
void Msrs::reset(uint32_t vram_mib) {
    for (size_t i = 0; i < std::size(table); i++)
        values_[i] = table[i].reset;
    const uint64_t pages = uint64_t(vram_mib) << 8;
    values_[find(gliu0_p2d_ro0)] = (pages - 1) << 20;
}

void Msrs::load(std::span<const uint64_t> in) {
    for (size_t i = 0; i < std::size(table); i++)
        values_[i] = (values_[i] & ~table[i].mask) | (in[i] & table[i].mask);
}

} // namespace pixmill::geode_display
