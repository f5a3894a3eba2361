// SPDX-License-Identifier: GPL-2.0-or-later
//
// Table of the codes of DE_FORMAT (rnndb state_2d.xml).
#include <array>

#include "draw_setup.hpp"

namespace pixmill::vivante {

using render::Format;

namespace {

constexpr Format r8{"R8", 8, {}, {0, 8}, {}, {}, {}};

constexpr std::array<PixelFormat, 0x20> format_rows = [] {
    namespace f = render::formats;
    namespace y = render::yuv_layouts;
    std::array<PixelFormat, 0x20> rows{};
    rows[0x00] = {"X4R4G4B4", &f::x4r4g4b4};
    rows[0x01] = {"A4R4G4B4", &f::a4r4g4b4};
    rows[0x02] = {"X1R5G5B5", &f::x1r5g5b5};
    rows[0x03] = {"A1R5G5B5", &f::a1r5g5b5};
    rows[0x04] = {"R5G6B5", &f::r5g6b5};
    rows[0x05] = {"X8R8G8B8", &f::x8r8g8b8};
    rows[0x06] = {"A8R8G8B8", &f::a8r8g8b8};
    rows[format_yuy2] = {"YUY2", nullptr, &y::yuy2};
    rows[format_uyvy] = {"UYVY", nullptr, &y::uyvy};
    rows[format_index8] = {"INDEX8", nullptr, nullptr, false};
    rows[format_monochrome] = {"MONOCHROME", nullptr, nullptr, false};
    rows[0x0F] = {"YV12", nullptr, &y::yv12};
    rows[0x10] = {"A8", &f::a8};
    rows[0x11] = {"NV12", nullptr, &y::nv12};
    rows[0x12] = {"NV16", nullptr, &y::nv16};
    // The formats below are from nano2D. Most of them are documented nowhere else.
    rows[0x14] = {"R8", &r8, nullptr, true, true};
    constexpr struct {
        uint8_t code;
        const char* name;
    } others[] = {{0x0B, "AYUV"},
                  {0x13, "RG16"},
                  {0x0C, "RGB888 (planar)"},
                  {0x0D, "RGB888"},
                  {0x0E, "EXTENSION"},
                  {0x15, "NV12 (10 bits)"},
                  {0x16, "A2R10G10B10"},
                  {0x17, "NV16 (10 bits)"},
                  {0x18, "INDEX1"},
                  {0x19, "INDEX2"},
                  {0x1A, "INDEX4"},
                  {0x1B, "P010"},
                  {0x1C, "NV12 (10 bits, L1)"},
                  {0x1D, "NV16 (10 bits, L1)"},
                  {0x1E, "I010"}};
    for (const auto& [code, name] : others)
        rows[code] = {name, nullptr, nullptr, false, true};
    return rows;
}();

} // namespace

const PixelFormat& pixel_format(const Chip& chip, uint32_t code) {
    static constexpr PixelFormat undefined;
    const PixelFormat& row = format_rows[code & 0x1F];
    return row.newest && !chip.dest_config_ex() ? undefined : row;
}

} // namespace pixmill::vivante
