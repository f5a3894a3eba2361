// SPDX-License-Identifier: GPL-2.0-or-later
#include "vsa.hpp"

#include <iterator>

#include "common/field.hpp"
#include "common/index.hpp"

namespace pixmill::geode_display {
namespace {

enum Port : uint32_t { port_index = 0, port_data = 2 };

constexpr uint32_t unlock = 0xFC53; // key that unlocks VRC_INDEX (coreboot vr.h)

/// Fields of a 32-bit write, which covers both ports.
constexpr Field lock{"LOCK", 31, 16}, index_of{"INDEX", 15, 0};

struct VirtualRegister {
    uint16_t index; ///< class and register number
    const char* name;
    uint16_t value;
    uint16_t mask; ///< writable bits
};

/// Fields of VG_CONFIG and of the panel type register.
constexpr Field vg_output{"OUTPUT", 10, 8}, vg_memory{"MEM_SIZE", 7, 0};
constexpr Field panel_number{"RESOLUTION", 5, 3};

enum Row : size_t { vg_config = 2, panel_type = 3 };

// Indices: coreboot vr.h; signature: linux cs5535.h.
constexpr VirtualRegister table[] = {
    {0x0003, "VSA2 signature", 0x4132, 0},      {0x0007, "MSR access", 0, 0},
    {0x0200, "VG_CONFIG", 0, vg_output.mask()}, {0x0202, "VG panel type", 0, 0xFFFF},
    {0x1201, "CPU speed in MHz", 500, 0},
};
static_assert(std::size(table) == PIXMILL_GEODE_VSA_REGISTERS);
static_assert(table[vg_config].index == 0x0200 && table[panel_type].index == 0x0202);

size_t find(uint32_t index) {
    size_t i = 0;
    while (i < std::size(table) && table[i].index != index)
        i++;
    return i;
}

} // namespace

uint32_t Vsa::read(uint32_t offset, uint32_t size) const {
    if (!present_ || offset != port_data || size != 2)
        return low_bytes(size);
    const size_t i = find(s_.vsa_index);
    return i < std::size(table) ? s_.vsa[i] : 0;
}

void Vsa::write(uint32_t offset, uint32_t size, uint32_t value) {
    if (!present_)
        return;
    if (offset == port_index && size == 4 && lock(value) == unlock) {
        s_.vsa_index = index_of(value);
    } else if (offset == port_index && size == 2) {
        if (s_.vsa_unlocked)
            s_.vsa_index = index_of(value);
        s_.vsa_unlocked = !s_.vsa_unlocked && index_of(value) == unlock;
    } else if (offset == port_data && size == 2) {
        const size_t i = find(s_.vsa_index);
        if (i < std::size(table))
            s_.vsa[i] = (s_.vsa[i] & ~table[i].mask) | (value & table[i].mask);
    }
}

void Vsa::reset(const PixmillGeodeDisplayConfig& config) {
    for (size_t i = 0; i < std::size(table); i++)
        s_.vsa[i] = table[i].value;
    s_.vsa[vg_config] = vg_output.put(config.output) | vg_memory.put(config.vram_mib);
    s_.vsa[panel_type] = panel_number.put(config.panel);
    s_.vsa_index = 0;
    s_.vsa_unlocked = 0;
}

void Vsa::load(const PixmillGeodeDisplayState& in) {
    for (size_t i = 0; i < std::size(table); i++)
        s_.vsa[i] = (s_.vsa[i] & ~table[i].mask) | (in.vsa[i] & table[i].mask);
    s_.vsa_index = index_of(in.vsa_index);
    s_.vsa_unlocked = in.vsa_unlocked != 0;
}

} // namespace pixmill::geode_display
