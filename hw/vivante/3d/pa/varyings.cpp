// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sources: rnndb state.xml and state_3d.xml; uses are indexed by packed components: Mesa 25.0
// etnaviv_shader.c.
#include "varyings.hpp"

#include <algorithm>

#include "states.hpp"
#include "vivante/3d/gl_states.hpp"

namespace pixmill::vivante {

namespace {

/// Decodes component `packed` of all components on HALTI5, where it is component `c` of varying
/// `v`.
void decode_halti5(States states, Varyings& varyings, uint32_t v, uint32_t c, uint32_t packed) {
    const uint32_t pcoord = gl::sh_specials::ps_pcoord_in(states[GL_HALTI5_SH_SPECIALS]);
    const bool has_pcoord = pcoord != gl::sh_specials::no_pcoord;
    const uint32_t attributes =
        states[GL_HALTI5_SHADER_ATTRIBUTES + packed / 8 * 4] >> 4 * (packed % 8);
    if (has_pcoord && packed == pcoord)
        varyings.use[v][c] = ComponentUse::point_coord_x;
    else if (has_pcoord && packed == pcoord + 1)
        varyings.use[v][c] = ComponentUse::point_coord_y;
    const uint32_t mode = gl::shader_attributes::mode(attributes);
    if (mode >= gl::shader_attributes::flat) {
        varyings.flat[v] |= uint8_t(1 << c);
        return;
    }
    uint8_t& rule = varyings.rule[v][c];
    rule = mode == gl::shader_attributes::linear ? Varyings::linear : 0;
    if (!gl::shader_attributes::centroid(attributes))
        rule |= Varyings::centered;
    varyings.rules |= uint8_t(1 << rule);
}

} // namespace

uint8_t flat_components(States states, uint32_t varying) {
    const bool flat =
        pa::config::shade_model(states[PA_CONFIG]) == 0 &&
        !pa::shader_attributes::bypass_flat(states[PA_SHADER_ATTRIBUTES + 4 * varying]);
    return flat ? 0xF : 0;
}

Varyings Varyings::decode(States states, const Features3d& features) {
    Varyings varyings;
    varyings.count =
        std::min(pa::attribute_element_count::count(states[PA_ATTRIBUTE_ELEMENT_COUNT]),
                 uint32_t(most_varyings));
    uint32_t packed = 0;
    for (uint32_t v = 0; v < varyings.count; v++) {
        const uint32_t counts = states[features.halti5 ? PA_VARYING_NUM_COMPONENTS + v / 8 * 4
                                                       : gl::varying_num_components[v / 8]];
        varyings.components[v] = uint8_t(std::min(counts >> 4 * (v % 8) & 15, 4u));
        if (features.halti2 && !features.halti5)
            varyings.flat[v] = flat_components(states, v);
        for (uint32_t c = 0; c < varyings.components[v]; c++, packed++) {
            const uint32_t uses = states[gl::varying_component_use[packed / 16]];
            if (features.halti5)
                decode_halti5(states, varyings, v, c, packed);
            else
                varyings.use[v][c] = ComponentUse(uses >> 2 * (packed % 16) & 3);
            if (is_point_coord(varyings.use[v][c]))
                varyings.flat[v] &= uint8_t(~(1 << c));
        }
    }
    return varyings;
}

void Varyings::ignore_centered() {
    rules = 1;
    for (std::array<uint8_t, 4>& of_varying : rule)
        for (uint8_t& each : of_varying) {
            each &= uint8_t(~centered);
            rules |= uint8_t(1 << each);
        }
}

} // namespace pixmill::vivante
