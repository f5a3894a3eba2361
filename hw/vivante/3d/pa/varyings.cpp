// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sources: rnndb state.xml and state_3d.xml; uses are indexed by packed components: Mesa 25.0
// etnaviv_shader.c.
#include "varyings.hpp"

#include <algorithm>

#include "states.hpp"
#include "vivante/3d/gl_states.hpp"

namespace pixmill::vivante {

Varyings Varyings::decode(States states) {
    Varyings varyings;
    varyings.count =
        std::min(pa::attribute_element_count::count(states[PA_ATTRIBUTE_ELEMENT_COUNT]),
                 uint32_t(most_varyings));
    uint32_t packed = 0;
    for (uint32_t v = 0; v < varyings.count; v++) {
        const uint32_t counts = states[gl::varying_num_components[v / 8]];
        varyings.components[v] = uint8_t(std::min(counts >> 4 * (v % 8) & 15, 4u));
        for (uint32_t c = 0; c < varyings.components[v]; c++, packed++) {
            const uint32_t uses = states[gl::varying_component_use[packed / 16]];
            varyings.use[v][c] = ComponentUse(uses >> 2 * (packed % 16) & 3);
        }
    }
    return varyings;
}

} // namespace pixmill::vivante
