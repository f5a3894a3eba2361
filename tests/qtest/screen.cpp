/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace pixmill::qtest {

/* Reads a PPM file with 8 bits per channel. */
Screen screendump(Qemu& qemu, const std::string& device) {
    const std::string path = qemu.directory().file("screen.ppm");
    const std::string of = device.empty() ? "" : R"(, "device": ")" + device + '"';
    qemu.qmp("screendump", R"({"filename": ")" + path + '"' + of + "}");
    std::ifstream file(path, std::ios::binary);
    std::string kind;
    unsigned most = 0;
    Screen screen;
    file >> kind >> screen.width >> screen.height >> most;
    file.get();
    EXPECT_EQ(kind, "P6");
    EXPECT_EQ(most, 255u);
    for (uint64_t i = 0; i < uint64_t{screen.width} * screen.height; ++i) {
        uint32_t pixel = 0;
        for (int channel = 0; channel < 3; ++channel) {
            pixel = pixel << 8 | static_cast<uint8_t>(file.get());
        }
        screen.pixels.push_back(pixel);
    }
    EXPECT_TRUE(file.good());
    return screen;
}

} // namespace pixmill::qtest
