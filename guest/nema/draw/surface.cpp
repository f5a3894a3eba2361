// SPDX-License-Identifier: GPL-2.0-or-later
#include "surface.hpp"

namespace nema {

namespace {

constexpr FormatInfo FORMATS[] = {
    {Format::RGBX8888, "rgbx8888", 32, true},
    {Format::RGBA8888, "rgba8888", 32, true},
    {Format::XRGB8888, "xrgb8888", 32, true},
    {Format::ARGB8888, "argb8888", 32, true},
    {Format::RGB565, "rgb565", 16, true},
    {Format::RGBA5551, "rgba5551", 16, true},
    {Format::RGBA4444, "rgba4444", 16, true},
    {Format::A8, "a8", 8, true},
    {Format::L8, "l8", 8, true},
    {Format::L1, "l1", 1, false},
    {Format::A1, "a1", 1, false},
    {Format::UYVY, "uyvy", 16, false},
    {Format::ABGR8888, "abgr8888", 32, true},
    {Format::XBGR8888, "xbgr8888", 32, true},
    {Format::BGRA8888, "bgra8888", 32, true},
    {Format::BGRX8888, "bgrx8888", 32, true},
    {Format::TSC4, "tsc4", 16, true},
    {Format::BGR565, "bgr565", 16, true},
    {Format::TSC6, "tsc6", 24, true},
    {Format::TSC6A, "tsc6a", 24, true},
    {Format::RV, "rv", 8, false},
    {Format::GU, "gu", 8, false},
    {Format::BY, "by", 8, false},
    {Format::A1LE, "a1le", 1, false},
    {Format::A2LE, "a2le", 2, false},
    {Format::A4LE, "a4le", 4, false},
    {Format::L1LE, "l1le", 1, false},
    {Format::L2LE, "l2le", 2, false},
    {Format::L4LE, "l4le", 4, false},
    {Format::A2, "a2", 2, false},
    {Format::L2, "l2", 2, false},
    {Format::A4, "a4", 4, false},
    {Format::L4, "l4", 4, false},
    {Format::RGB332, "rgb332", 8, true},
    {Format::BGR24, "bgr24", 24, true},
    {Format::RGB24, "rgb24", 24, true},
};

} // namespace

std::span<const FormatInfo> formats() {
    return FORMATS;
}

const FormatInfo& info_of(Format format) {
    for (const FormatInfo& info : FORMATS)
        if (info.format == format)
            return info;
    return FORMATS[0];
}

int32_t natural_stride(Format format, uint32_t width) {
    const uint32_t pixels = is_tsc(format) ? (width + 3) / 4 * 4 : width;
    return int32_t((pixels * info_of(format).bits + 7) / 8);
}

} // namespace nema
