// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sources: etna_viv doc/hardware.md (fast clear). The order of the bits is inferred from sizes and
// patterns in Mesa's etnaviv driver (etnaviv_resource.c, etnaviv_clear_blit.c).
#include "ts.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "states.hpp"
#include "vivante/3d/gl_states.hpp"

namespace pixmill::vivante {

namespace {

/// Bytes of a surface per state, for color and depth.
struct Units {
    uint16_t color, depth;
};

Units units_of(States states, const Features3d& features) {
    const auto unit = [&](bool large) {
        return uint16_t(large ? features.large_status_unit : features.status_unit);
    };
    const uint32_t config = states[PE_MEM_CONFIG];
    if (features.halti3)
        return {unit(pe::mem_config::color_ts_mode(config)),
                unit(pe::mem_config::depth_ts_mode(config))};
    const bool multisampled = gl::sample_count(states) > 1;
    return {unit(multisampled), unit(multisampled)};
}

} // namespace

TsSetup TsSetup::decode(States states, const Features3d& features) {
    const uint32_t config = states[TS_MEM_CONFIG];
    const Units units = units_of(states, features);
    const uint32_t tile_bits = features.tile_status_bits;
    const uint32_t color = states[TS_COLOR_CLEAR_VALUE], depth = states[TS_DEPTH_CLEAR_VALUE];
    TsSetup setup;
    setup.color = {ts::mem_config::color_fast_clear(config) != 0,
                   uint8_t(tile_bits),
                   states[TS_COLOR_STATUS_BASE],
                   states[TS_COLOR_SURFACE_BASE],
                   {color, states[TS_COLOR_CLEAR_VALUE_EXT]},
                   units.color};
    setup.depth = {ts::mem_config::depth_fast_clear(config) != 0,
                   uint8_t(tile_bits),
                   states[TS_DEPTH_STATUS_BASE],
                   states[TS_DEPTH_SURFACE_BASE],
                   {depth, depth},
                   units.depth};
    // Targets from 1 on have no state for their unit.
    for (unsigned n = 1; features.halti2 && n < most_targets; n++)
        setup.target[n] = {ts::rt_config::enable(states[TS_RT_CONFIG + 4 * n]) != 0,
                           uint8_t(tile_bits),
                           states[TS_RT_STATUS_BASE + 4 * n],
                           states[TS_RT_SURFACE_BASE + 4 * n],
                           {states[TS_RT_CLEAR_VALUE + 4 * n], states[TS_RT_CLEAR_VALUE2 + 4 * n]},
                           units.color};
    return setup;
}

TileStatus::TileStatus(Memory& memory, const TsSurface& setup, uint32_t bytes)
    : setup_(setup), shift_(uint8_t(std::countr_zero(setup.unit))),
      bits_shift_(uint8_t(std::countr_zero(setup.tile_bits))), reads_(memory, Access::read),
      writes_(memory, Access::write) {
    if (!setup.enabled)
        return;
    const std::array<uint32_t, 2> words = {setup.clear[0], setup.clear[bytes == 8 ? 1 : 0]};
    for (size_t i = 0; i < clear_.size(); i++)
        clear_[i] = std::byte(words[i / 4 % 2] >> i % 4 * 8);
}

void TileStatus::open(unsigned pipe, const GuestBytes::Rows& rows) {
    if (!setup_.enabled)
        return;
    const uint32_t first = rows.address - setup_.surface;
    const uint64_t last = first + uint64_t(rows.count - 1) * rows.stride + rows.length - 1;
    if (last > UINT32_MAX) {
        reads_.close(pipe);
        writes_.close(pipe);
        return;
    }
    const uint32_t begin = place(rows.address).address;
    const uint32_t end = place(uint32_t(setup_.surface + last)).address + 1;
    reads_.open(pipe, {begin, 0, 1, end - begin});
    writes_.open(pipe, {begin, 0, 1, end - begin});
}

void TileStatus::set_drawn(unsigned pipe, uint32_t address) {
    const Place bits = place(address);
    const auto drawn = ~std::byte(mask() << bits.shift);
    if (const std::byte was = *reads_.at(pipe, bits.address, 1); (was & drawn) == was)
        return;
    *writes_.at(pipe, bits.address, 1) &= drawn;
    writes_.mark_dirty(pipe, bits.address, 1);
}

/// Copies bytes that span several units.
const std::byte* SurfaceReader::units(unsigned pipe, uint32_t address, uint32_t length) {
    for (uint32_t done = 0; done < length;) {
        const uint32_t from = address + done;
        const uint32_t part = std::min(length - done, status_.unit() - status_.into_unit(from));
        const std::byte* const bytes =
            status_.cleared(pipe, from) ? status_.clear_bytes(from) : bytes_.at(pipe, from, part);
        std::memcpy(copy_.data() + done, bytes, part);
        done += part;
    }
    return copy_.data();
}

/// Marks units that are about to be written as drawn. First fills cleared units that will be
/// written only partly with their clear value.
void SurfaceWriter::prepare_units(unsigned pipe, uint32_t address, uint32_t length) {
    const uint32_t size = status_.unit();
    for (uint32_t done = 0; done < length && !faulted();) {
        const uint32_t from = address + done, into = status_.into_unit(from);
        const uint32_t part = std::min(length - done, size - into);
        if (part < size && status_.cleared(pipe, from)) {
            const uint32_t unit = from - into;
            std::memcpy(bytes_.at(pipe, unit, size), status_.clear_bytes(unit), size);
            bytes_.mark_dirty(pipe, unit, size);
        }
        status_.set_drawn(pipe, from);
        done += part;
    }
}

} // namespace pixmill::vivante
