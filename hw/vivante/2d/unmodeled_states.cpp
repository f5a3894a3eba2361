// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fields that affect pixels on some cores but are not modeled. The first draw that uses such a
// field logs it.
#include "draw_setup.hpp"

namespace pixmill::vivante {

namespace {

struct Unmodeled {
    DeField field;
    const char* instead = "";
};

// These fields exist only on the newest cores. Source of the names: nano2D.
constexpr Unmodeled of_destination[] = {
    {de::dest_config::gamma},
    {de::dest_config::endian_control_ex},
    {de::dest_config_ex::conversion_config},
    {de::dest_config_ex::normalization},
    {de::dest_config_ex::dc_compression, ", written uncompressed"},
};
constexpr Unmodeled of_source[] = {
    {de::src_config::endian_control_ex},
    {de::src_config::de_gamma},
    {de::src_ex_config::dc_compression, ", read as uncompressed"},
};

void check(const DrawStates& states, const Unmodeled& row, uint32_t value, const char* surface) {
    const uint32_t bit = 32 * row.field.address + row.field.field.low;
    if (value && states.chip.dest_config_ex())
        states.host.unimplemented(Cause::unmodeled_field, bit, "2D: %s: %s.%s%s", surface,
                                  find_de_state(row.field.address)->name, row.field.field.name,
                                  row.instead);
}

} // namespace

void check_unmodeled_destination(const DrawStates& states) {
    for (const Unmodeled& row : of_destination)
        check(states, row, states[row.field], "destination");
}

void check_unmodeled_source(const DrawStates& states, unsigned n) {
    constexpr Field fast_clear{"ENABLE", 2}; // of SRC_TILE_STATUS_CONFIG (rnndb)
    for (const Unmodeled& row : of_source)
        check(states, row, states.source(n, row.field), "source");
    if (states.chip.fast_clear_source() && fast_clear(states[DE_BLOCK8_TILE_STATUS_CONFIG + 4 * n]))
        states.host.unimplemented(Cause::fast_clear, 0, "2D: source: fast clear, ignored");
}

} // namespace pixmill::vivante
