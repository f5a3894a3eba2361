// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fields that change pixels on some cores and do not here: a draw that uses them says so once.
#include "draw_setup.hpp"
#include "vivante/offsets.hpp"

namespace pixmill::vivante {

namespace {

constexpr uint32_t src_tile_status_config = 0x12FC0;

struct Field {
    uint32_t state, bits;
    bool (*available)(const Chip&);
    const char* name;
};

bool newest(const Chip& chip) {
    return chip.dest_config_ex();
}
bool fast_clear(const Chip& chip) {
    return chip.fast_clear_source();
}

// Names: nano2D; rnndb state_2d.xml has SRC_TILE_STATUS_CONFIG.ENABLE.
constexpr Field of_destination[] = {
    {DE_DEST_CONFIG, 1 << 11, newest, "DEST_CONFIG.GAMMA"},
    {DE_DEST_CONFIG, 1 << 19, newest, "DEST_CONFIG.ENDIAN_CONTROL_EX"},
    {DE_DEST_CONFIG_EX, 3 << 24, newest, "DEST_CONFIG_EX.CONVERSION_CONFIG"},
    {DE_DEST_CONFIG_EX, 7 << 28, newest, "DEST_CONFIG_EX.NORMALIZATION"},
    {DE_DEST_CONFIG_EX, 1 << 16, newest, "DEST_CONFIG_EX.DC_COMPRESSION, written uncompressed"},
};
constexpr Field of_source[] = {
    {DE_SRC_CONFIG, 1 << 14, newest, "SRC_CONFIG.ENDIAN_CONTROL_EX"},
    {DE_SRC_CONFIG, 1 << 23, newest, "SRC_CONFIG.DE_GAMMA"},
    {src_tile_status_config, 1 << 2, fast_clear, "fast clear, pixels are read as they are"},
    {DE_SRC_EX_CONFIG, 1 << 13, newest, "SRC_EX_CONFIG.DC_COMPRESSION, read as if it were not"},
};

void check(const DrawStates& states, const Field& field, uint32_t id, uint32_t value,
           const char* surface) {
    if (value & field.bits && field.available(states.chip))
        states.host.unimplemented(id, "2D: %s: %s", surface, field.name);
}

} // namespace

void check_unmodelled_destination(const DrawStates& states) {
    uint32_t id = 0x20000400;
    for (const Field& field : of_destination)
        check(states, field, id++, states[field.state], "destination");
}

void check_unmodelled_source(const DrawStates& states, unsigned n) {
    uint32_t id = 0x20000500;
    for (const Field& field : of_source) {
        const uint32_t value = field.state == src_tile_status_config
                                   ? states[src_tile_status_config + 4 * n]
                                   : states.source(n, field.state);
        check(states, field, id++, value, "source");
    }
}

} // namespace pixmill::vivante
