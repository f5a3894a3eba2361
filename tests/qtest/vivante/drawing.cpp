/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "drawing.hpp"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace pixmill::qtest {

Commands base_block(uint32_t width, uint32_t height, uint32_t command, uint32_t dest,
                    uint32_t source) {
    return Commands{}
        .select_2d()
        .load(state::kSrcAddress, Words{source, 4 * width, 0, src_config(format::kA8R8G8B8)})
        .load(state::kDestAddress,
              Words{dest, 4 * width, 0, dest_config(command, format::kA8R8G8B8)})
        .load(state::kRop, 0x0030CCCC)
        .load(state::kClipTopLeft,
              Words{0, point(static_cast<int>(width), static_cast<int>(height))});
}

void map_stream_and_dest(Rig& rig) {
    constexpr uint32_t mtlb = 0x84000000, stlb = 0x84001000;
    rig.qemu().write_words(mtlb, Words(1024, 2));
    rig.qemu().write_words(stlb, Words(1024, 2));
    rig.qemu().write32(mtlb, stlb | 1);
    rig.qemu().write32(stlb + 4, kStream | 1);
    rig.qemu().write32(stlb + 8, kDest | 5);
    rig.run(Commands{}.load(state::kMmuConfiguration, mtlb).end());
    rig.write(reg::kMmuControl, 1);
}

Bytes bytes_of(const Words& words) {
    Bytes bytes;
    for (const uint32_t word : words) {
        for (unsigned shift = 0; shift < 32; shift += 8) {
            bytes.push_back(static_cast<uint8_t>(word >> shift));
        }
    }
    return bytes;
}

Bytes bytes_of_halves(const std::vector<uint16_t>& halves) {
    Bytes bytes;
    for (const uint16_t half : halves) {
        bytes.push_back(static_cast<uint8_t>(half));
        bytes.push_back(static_cast<uint8_t>(half >> 8));
    }
    return bytes;
}

Buffer::Buffer(Rig& rig, uint32_t address, const Bytes& content)
    : rig_(rig), address_(address), initial_(content) {
    rig.qemu().fill(address - kGuard, kGuard, kGuardByte);
    rig.qemu().write(address, content);
    rig.qemu().fill(address + content.size(), kGuard, kGuardByte);
}

Buffer::Buffer(Rig& rig, uint32_t address, const Words& content)
    : Buffer(rig, address, bytes_of(content)) {}

Bytes Buffer::bytes() {
    return rig_.qemu().read(address_, initial_.size());
}

Words Buffer::words() {
    return rig_.qemu().read_words(address_, initial_.size() / 4);
}

testing::AssertionResult Buffer::holds(const Bytes& expected) {
    for (const uint64_t guard : {uint64_t{address_} - kGuard, address_ + initial_.size()}) {
        const Bytes band = rig_.qemu().read(guard, kGuard);
        const auto hit =
            std::find_if(band.begin(), band.end(), [](uint8_t b) { return b != kGuardByte; });
        if (hit != band.end()) {
            return testing::AssertionFailure()
                   << "a byte outside the buffer was written, at 0x" << std::hex
                   << guard + static_cast<uint64_t>(hit - band.begin());
        }
    }
    const Bytes found = bytes();
    if (found == expected) {
        return testing::AssertionSuccess();
    }
    std::ostringstream text;
    text << std::hex << std::setfill('0');
    unsigned shown = 0;
    for (size_t i = 0; i < found.size() && shown < 8; ++i) {
        if (found[i] != expected.at(i)) {
            text << "\n  byte 0x" << i << ": " << std::setw(2) << unsigned{found[i]}
                 << " instead of " << std::setw(2) << unsigned{expected[i]};
            ++shown;
        }
    }
    return testing::AssertionFailure() << "the picture is wrong:" << text.str();
}

testing::AssertionResult Buffer::holds(const Words& expected) {
    return holds(bytes_of(expected));
}

testing::AssertionResult Buffer::starts_with(const Bytes& expected) {
    Bytes whole = initial_;
    std::copy(expected.begin(), expected.end(), whole.begin());
    return holds(whole);
}

testing::AssertionResult Buffer::starts_with(const Words& expected) {
    return starts_with(bytes_of(expected));
}

} // namespace pixmill::qtest
