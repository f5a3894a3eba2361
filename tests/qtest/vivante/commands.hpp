/*
 * Builds Vivante command streams.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Opcodes and layout: rnndb cmdstream.xml; states: rnndb state.xml, state_2d.xml.
 */
#ifndef PIXMILL_TESTS_QTEST_COMMANDS_HPP
#define PIXMILL_TESTS_QTEST_COMMANDS_HPP

#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "../qtest_client.hpp"

namespace pixmill::qtest {

/* Left and top are inclusive, right and bottom exclusive, all in destination pixels. */
struct Rect {
    int left, top, right, bottom;
};

namespace state {
enum : uint32_t {
    kMmuSafeAddress = 0x180,
    kMmuConfiguration = 0x184,
    kMmuPtaConfig = 0x1AC,
    kFenceWaitLow = 0x7E8,
    kFenceWaitHigh = 0x7F4,
    kSrcAddress = 0x1200,
    kSrcStride = 0x1204,
    kSrcRotation = 0x1208,
    kSrcConfig = 0x120C,
    kSrcOrigin = 0x1210,
    kSrcSize = 0x1214,
    kSrcColorBg = 0x1218,
    kSrcColorFg = 0x121C,
    kStretchFactorLow = 0x1220,
    kStretchFactorHigh = 0x1224,
    kDestAddress = 0x1228,
    kDestStride = 0x122C,
    kDestRotation = 0x1230,
    kDestConfig = 0x1234,
    kPatternConfig = 0x123C,
    kPatternMaskLow = 0x1248,
    kPatternMaskHigh = 0x124C,
    kPatternBg = 0x1250,
    kPatternFg = 0x1254,
    kRop = 0x125C,
    kClipTopLeft = 0x1260,
    kClipBottomRight = 0x1264,
    kClearByteMask = 0x1268,
    kClearLow = 0x1270,
    kClearHigh = 0x1274,
    kAlphaControl = 0x127C,
    kAlphaModes = 0x1280,
    kVrConfig = 0x1294,
    kClearPixel = 0x12C0,
    kRotAngle = 0x12BC,
    kSrcRotationHeight = 0x12B8,
    kTransparency = 0x12D4,
    kSrcColorKeyHigh = 0x12DC,
    kPlane2Address = 0x1310,
    kPlane2Stride = 0x1314,
    kPipeSelect = 0x3800,
    kEvent = 0x3804,
    kSemaphore = 0x3808,
    kFlushCache = 0x380C,
    kFlushMmu = 0x3810,
};
}

constexpr uint32_t kEventFromFe = 0x20;
constexpr uint32_t kEventFromPe = 0x40;
constexpr uint32_t kPad = 0xDEADDEAD; /* padding that must be ignored */

class Commands {
public:
    Commands() = default;
    Commands(std::initializer_list<uint32_t> words) : words_(words) {}

    [[nodiscard]] const Words& words() const { return words_; }
    [[nodiscard]] uint32_t qwords() const { return static_cast<uint32_t>(words_.size() / 2); }

    Commands& raw(std::initializer_list<uint32_t> words) {
        words_.insert(words_.end(), words);
        return *this;
    }
    Commands& append(const Commands& other) {
        words_.insert(words_.end(), other.words_.begin(), other.words_.end());
        return *this;
    }
    Commands& load(uint32_t address, uint32_t value) { return load(address, Words{value}); }
    Commands& load(uint32_t address, const Words& values) {
        words_.push_back(0x08000000 | static_cast<uint32_t>(values.size() & 0x3FF) << 16 |
                         address / 4);
        words_.insert(words_.end(), values.begin(), values.end());
        return align();
    }
    Commands& draw(const std::vector<Rect>& rects, uint32_t data_words = 0) {
        words_.push_back(0x20000000 | data_words << 16 |
                         static_cast<uint32_t>(rects.size() & 0xFF) << 8);
        words_.push_back(kPad);
        for (const Rect& r : rects) {
            words_.push_back(corner(r.left, r.top));
            words_.push_back(corner(r.right, r.bottom));
        }
        return *this;
    }
    Commands& end() { return raw({0x10000000, 0}); }
    Commands& nop() { return raw({0x18000000, kPad}); }
    Commands& wait(uint32_t cycles) { return raw({0x38000000 | cycles, kPad}); }
    Commands& link(uint32_t address, uint32_t prefetch) {
        return raw({0x40000000 | prefetch, address});
    }
    Commands& stall(uint32_t token) { return raw({0x48000000, token}); }
    Commands& event(uint32_t id, uint32_t source) { return load(state::kEvent, id | source); }
    /* Makes the front end wait for the pixel engine. */
    Commands& sync() { return load(state::kSemaphore, 0x701).stall(0x701); }
    Commands& select_2d() { return load(state::kPipeSelect, 1); }

private:
    static uint32_t corner(int x, int y) {
        return (static_cast<uint32_t>(y) & 0xFFFF) << 16 | (static_cast<uint32_t>(x) & 0xFFFF);
    }
    Commands& align() {
        if (words_.size() % 2 != 0) {
            words_.push_back(kPad);
        }
        return *this;
    }

    Words words_;
};

} // namespace pixmill::qtest

#endif
