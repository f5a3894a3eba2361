// A picture, and its encoding as PNG.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace pixmill::tools {

struct Picture {
    uint32_t width = 0, height = 0;
    std::vector<uint8_t> rgb; ///< rows of pixels, three bytes per pixel

    Picture(uint32_t width_, uint32_t height_)
        : width(width_), height(height_), rgb(size_t(3) * width_ * height_) {}
    uint8_t* at(uint32_t x, uint32_t y) { return &rgb[3 * (size_t(y) * width + x)]; }
};

/// Encodes a picture as PNG (ISO/IEC 15948). Pixels are not compressed, so no library is needed.
inline std::string png(const Picture& picture) {
    const auto big = [](uint32_t n) {
        return std::string{char(n >> 24), char(n >> 16), char(n >> 8), char(n)};
    };
    const auto chunk = [&](const std::string& type, const std::string& data) {
        uint32_t crc = ~0u;
        for (const char c : type + data) {
            crc ^= uint8_t(c);
            for (int bit = 0; bit < 8; bit++)
                crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
        }
        return big(uint32_t(data.size())) + type + data + big(~crc);
    };
    std::string rows;
    for (uint32_t y = 0; y < picture.height; y++) {
        rows += '\0'; // no filter
        const auto* row =
            reinterpret_cast<const char*>(&picture.rgb[size_t(3) * y * picture.width]);
        rows.append(row, size_t(3) * picture.width);
    }
    uint32_t a = 1, b = 0; // Adler-32
    for (const char c : rows) {
        a = (a + uint8_t(c)) % 65521;
        b = (b + a) % 65521;
    }
    std::string stored = "\x78\x01";
    constexpr size_t most = 65535; // bytes per block
    for (size_t at = 0; at < rows.size(); at += most) {
        const std::string block = rows.substr(at, most);
        const auto size = uint16_t(block.size());
        stored += char(at + most >= rows.size());
        for (const uint16_t n : {size, uint16_t(~size)})
            stored += {char(n), char(n >> 8)};
        stored += block;
    }
    const std::string header =
        big(picture.width) + big(picture.height) + std::string("\x08\x02\0\0\0", 5);
    return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunk("IDAT", stored + big(b << 16 | a)) +
           chunk("IEND", "");
}

} // namespace pixmill::tools
