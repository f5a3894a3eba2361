// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sources: Armv7-M Architecture Reference Manual (DDI 0403E), B3.1 (default memory map), B3.5.8 and
// B3.5.9 (MPU); Cortex-M7 TRM (DDI 0489F), 3.3.11 and 5.2 (CACR: shareable memory is not cached
// unless SIWT is set, and then it is write-through).
#include "attributes.hpp"

#include <algorithm>

#include "common/field.hpp"

namespace pixmill::cache {

namespace {

namespace mpu_ctrl {
constexpr Field enable{"ENABLE", 0}, privdefena{"PRIVDEFENA", 2};
}
namespace rasr {
constexpr Field enable{"ENABLE", 0}, size{"SIZE", 5, 1}, srd{"SRD", 15, 8}, cb{"C, B", 17, 16},
    s{"S", 18}, tex{"TEX", 21, 19};
constexpr uint32_t smallest = 4;        ///< SIZE of 32 bytes
constexpr uint32_t with_subregions = 7; ///< SIZE of 256 bytes
} // namespace rasr

using enum Attribute;

/// The default map has eight areas of 512 MiB. None of its normal memory is shareable.
Attribute default_map(uint32_t address) {
    constexpr Attribute areas[] = {through, back, none, back, through, none, none, none};
    return areas[address >> 29];
}

/// Decodes TEX, C and B. If TEX is 4 or more, C and B are the inner attributes, which are those of
/// the data cache. Reserved values are not cached.
Attribute decode(uint32_t region) {
    constexpr Attribute inner[] = {none, back, through, back};
    constexpr Attribute tex_0[] = {none, none, through, back};
    constexpr Attribute tex_1[] = {none, none, none, back};
    const uint32_t tex = rasr::tex(region), cb = rasr::cb(region);
    if (tex >= 4)
        return inner[cb];
    return tex == 0 ? tex_0[cb] : tex == 1 ? tex_1[cb] : none;
}

bool contains(uint32_t rbar, uint32_t region, uint32_t address) {
    const uint32_t size = rasr::size(region);
    if (!rasr::enable(region) || size < rasr::smallest)
        return false;
    const uint64_t bytes = uint64_t(2) << size;
    const uint64_t offset = address - (rbar & ~(bytes - 1));
    if (uint32_t(offset) >= bytes)
        return false;
    const uint64_t subregion = uint32_t(offset) / (bytes / 8);
    return size < rasr::with_subregions || !(rasr::srd(region) >> subregion & 1);
}

/// Applies what CACR says about a region.
Attribute restrict(const PixmillCacheControl& control, uint32_t region) {
    const Attribute attribute = decode(region);
    if (attribute == none || !rasr::s(region))
        return attribute;
    return control.siwt ? through : none;
}

/// The highest region that contains the address counts.
Attribute mapped(const PixmillCacheControl& control, uint32_t address) {
    if (!mpu_ctrl::enable(control.mpu_ctrl))
        return default_map(address);
    for (uint32_t i = std::min<uint32_t>(control.mpu_regions, PIXMILL_CACHE_MPU_REGIONS); i--;)
        if (contains(control.rbar[i], control.rasr[i], address))
            return restrict(control, control.rasr[i]);
    return mpu_ctrl::privdefena(control.mpu_ctrl) ? default_map(address) : none;
}

} // namespace

Attribute attribute_of(const PixmillCacheControl& control, uint32_t address) {
    const Attribute attribute = mapped(control, address);
    return control.forcewt && attribute == back ? through : attribute;
}

} // namespace pixmill::cache
