/*
 * Register offsets, state addresses and command words of the Vivante GC family, for tests. They
 * were transcribed from rnndb (state_hi, state_2d, cmdstream, common) and the AM57xx TRM 13.4, not
 * from the program under test.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_UNIT_VIVANTE_WORDS_HPP
#define PIXMILL_TESTS_UNIT_VIVANTE_WORDS_HPP

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace pixmill::test {

using Words = std::vector<uint32_t>;

namespace reg {
enum : uint32_t {
    kClock = 0x00,
    kIdle = 0x04,
    kAxiConfig = 0x08,
    kAxiStatus = 0x0C,
    kIntrAck = 0x10,
    kIntrEnable = 0x14,
    kChipIdentity = 0x18,
    kFeature = 0x1C,
    kModel = 0x20,
    kRevision = 0x24,
    kDate = 0x28,
    kTime = 0x2C,
    kCustomer = 0x30,
    kMinor0 = 0x34,
    kMemoryCounterReset = 0x3C,
    kReadBytes8 = 0x40,
    kWriteBytes8 = 0x44,
    kSpecs = 0x48,
    kMinor1 = 0x74,
    kTotalCycles = 0x78,
    kIdleCycles = 0x7C,
    kSpecs2 = 0x80,
    kMinor2 = 0x84,
    kMinor3 = 0x88,
    kSpecs3 = 0x8C,
    kMinor4 = 0x94,
    kSpecs4 = 0x9C,
    kMinor5 = 0xA0,
    kProduct = 0xA8,
    kEco = 0xE8,
    kPowerControls = 0x100,
    kModuleControls = 0x104,
    kPulseEater = 0x10C,
    kMmuStatus = 0x188,
    kMmuControl = 0x18C,
    kMmuException0 = 0x190,
    kSecException = 0x380,
    kSecStatus = 0x384,
    kSecControl = 0x388,
    kPtaLow = 0x38C,
    kPtaHigh = 0x390,
    kPtaControl = 0x394,
    kNonsecSafeLow = 0x398,
    kSecSafeLow = 0x39C,
    kSafeConfig = 0x3A0,
    kSecCommandControl = 0x3A4,
    kAhbControl = 0x3A8,
    kPageTableFe = 0x400,
    kPageTableTx = 0x404,
    kPageTablePe = 0x408,
    kPageTablePez = 0x40C,
    kPageTableRa = 0x410,
    kDebugMemory = 0x414,
    kBaseRa = 0x418,
    kBaseFe = 0x41C,
    kBaseTx = 0x420,
    kBasePez = 0x424,
    kBasePe = 0x428,
    kCycleCounter = 0x438,
    kProfileRa = 0x448,
    kProfileTx = 0x44C,
    kProfileFe = 0x450,
    kProfilePe = 0x454,
    kProfileDe = 0x458,
    kProfileSh = 0x45C,
    kProfilePa = 0x460,
    kProfileSe = 0x464,
    kProfileMc = 0x468,
    kProfileHi = 0x46C,
    kProfileConfig0 = 0x470,
    kProfileConfig1 = 0x474,
    kProfileConfig2 = 0x478,
    kProfileConfig3 = 0x47C,
    kBusConfig = 0x480,
    kCommandAddress = 0x654,
    kCommandControl = 0x658,
    kFeStatus = 0x65C,
    kFeDebugState = 0x660,
    kFeAddress = 0x664,
    kFeLow = 0x668,
    kFeHigh = 0x66C,
    kAutoFlush = 0x670,
};
} // namespace reg

namespace state {
enum : uint32_t {
    kMmuSafe = 0x180,
    kMmuConfig = 0x184,
    kMmuExtended = 0x1A0,
    kPtaConfig = 0x1AC,
    kFenceLow = 0x7E8,
    kFenceHigh = 0x7F4,
    kVsFirst = 0x0C00,
    kSrcAddress = 0x1200,
    kSrcStride = 0x1204,
    kSrcRotation = 0x1208,
    kSrcConfig = 0x120C,
    kSrcOrigin = 0x1210,
    kSrcSize = 0x1214,
    kSrcColorBg = 0x1218,
    kSrcColorFg = 0x121C,
    kStretchLow = 0x1220,
    kStretchHigh = 0x1224,
    kDestAddress = 0x1228,
    kDestStride = 0x122C,
    kDestRotation = 0x1230,
    kDestConfig = 0x1234,
    kPatternAddress = 0x1238,
    kPatternConfig = 0x123C,
    kPatternLow = 0x1240,
    kPatternHigh = 0x1244,
    kPatternMaskLow = 0x1248,
    kPatternMaskHigh = 0x124C,
    kPatternBg = 0x1250,
    kPatternFg = 0x1254,
    kRop = 0x125C,
    kClipTopLeft = 0x1260,
    kClipBottomRight = 0x1264,
    kClearByteMask = 0x1268,
    kConfig = 0x126C,
    kClearLow = 0x1270,
    kClearHigh = 0x1274,
    kSrcOriginFraction = 0x1278,
    kAlphaControl = 0x127C,
    kAlphaModes = 0x1280,
    kVrConfig = 0x1294,
    kVrTargetLow = 0x12A8,
    kVrTargetHigh = 0x12AC,
    kDestRotationHeight = 0x12B4,
    kSrcRotationHeight = 0x12B8,
    kRotAngle = 0x12BC,
    kClear32 = 0x12C0,
    kDestColorKey = 0x12C4,
    kGlobalSrcColor = 0x12C8,
    kGlobalDestColor = 0x12CC,
    kColorMultiply = 0x12D0,
    kTransparency = 0x12D4,
    kPeControl = 0x12D8,
    kSrcColorKeyHigh = 0x12DC,
    kDestColorKeyHigh = 0x12E0,
    kDitherLow = 0x12E8,
    kDitherHigh = 0x12EC,
    kSrcExConfig = 0x1300,
    kMultiSource = 0x1308,
    kDeyuv = 0x130C,
    kPipeSelect = 0x3800,
    kEvent = 0x3804,
    kSemaphore = 0x3808,
    kFlushCache = 0x380C,
    kFlushMmu = 0x3810,
    kFenceAddress = 0x3868,
    kStallToken = 0x3C00,
    kTsFlush = 0x1650,
    kBltCommand = 0x140AC,
    kBltEnable = 0x140B8,
    kDummy = 0x3FFFC,
};
} // namespace state

namespace op {
enum : uint32_t {
    kLoadState = 0x08000000,
    kEnd = 0x10000000,
    kNop = 0x18000000,
    kDraw2d = 0x20000000,
    kDrawPrimitives = 0x28000000,
    kDrawIndexed = 0x30000000,
    kWait = 0x38000000,
    kLink = 0x40000000,
    kStall = 0x48000000,
    kCall = 0x50000000,
    kReturn = 0x58000000,
    kDrawInstanced = 0x60000000,
    kChipSelect = 0x68000000,
    kWaitFence = 0x78000000,
    kDrawIndirect = 0x80000000,
    kSnapPages = 0x98000000,
};
} // namespace op

constexpr uint32_t kFixp = 1u << 26;
constexpr uint32_t kFeToPe = 0x701;
constexpr uint32_t kEventFromFe = 0x20;
constexpr uint32_t kEventFromPe = 0x40;
constexpr uint32_t kEnable = 1u << 16;
constexpr uint32_t kIntrMmu = 1u << 30;
constexpr uint32_t kIntrAxi = 1u << 31;
constexpr uint32_t kIdleAll = 0x7FFFFFFF;
constexpr uint32_t kIdleButFe = 0x7FFFFFFE;
constexpr uint32_t kPadWord = 0xDEADDEAD; /* for padding, whose value must be ignored */

struct Rect {
    int left, top, right, bottom;
};

constexpr uint32_t pack_xy(int x, int y) {
    return static_cast<uint32_t>(y & 0xFFFF) << 16 | static_cast<uint32_t>(x & 0xFFFF);
}

/* Builds a command stream word by word. */
class Stream {
public:
    Stream& raw(std::initializer_list<uint32_t> words) {
        words_.insert(words_.end(), words);
        return *this;
    }

    Stream& add(const Stream& other) {
        words_.insert(words_.end(), other.words_.begin(), other.words_.end());
        return *this;
    }

    /* Adds a LOAD_STATE of consecutive states, starting at byte address @addr. */
    Stream& states(uint32_t addr, const Words& values, uint32_t flags = 0) {
        const auto count = static_cast<uint32_t>(values.size());
        words_.push_back(op::kLoadState | flags | (count & 0x3FF) << 16 | addr >> 2);
        words_.insert(words_.end(), values.begin(), values.end());
        return pad();
    }

    Stream& state(uint32_t addr, uint32_t value) { return states(addr, {value}); }
    Stream& event(uint32_t value) { return state(state::kEvent, value); }
    Stream& end() { return raw({op::kEnd, kPadWord}); }
    Stream& nop() { return raw({op::kNop, kPadWord}); }
    Stream& wait(uint32_t cycles) { return raw({op::kWait | cycles, kPadWord}); }
    Stream& link(uint32_t prefetch, uint32_t addr) { return raw({op::kLink | prefetch, addr}); }
    Stream& stall(uint32_t token) { return raw({op::kStall, token}); }
    Stream& ret() { return raw({op::kReturn, kPadWord}); }

    Stream& call(uint32_t prefetch, uint32_t addr, uint32_t ret_prefetch, uint32_t ret_addr) {
        return raw({op::kCall | prefetch, addr, ret_prefetch, ret_addr});
    }

    Stream& sync(uint32_t token = kFeToPe) { return state(state::kSemaphore, token).stall(token); }

    Stream& draw(const std::vector<Rect>& rects, const Words& data = {}) {
        words_.push_back(op::kDraw2d | static_cast<uint32_t>(data.size()) << 16 |
                         (static_cast<uint32_t>(rects.size()) & 0xFF) << 8);
        words_.push_back(kPadWord);
        for (const Rect& r : rects) {
            words_.push_back(pack_xy(r.left, r.top));
            words_.push_back(pack_xy(r.right, r.bottom));
        }
        words_.insert(words_.end(), data.begin(), data.end());
        return pad();
    }

    Stream& draw(const Rect& rect) { return draw(std::vector<Rect>{rect}); }

    Words words() const { return words_; }
    uint32_t qwords() const { return static_cast<uint32_t>(words_.size() / 2); }
    uint32_t bytes() const { return static_cast<uint32_t>(words_.size() * 4); }

private:
    Stream& pad() {
        if (words_.size() % 2)
            words_.push_back(kPadWord);
        return *this;
    }

    Words words_;
};

} // namespace pixmill::test

#endif
