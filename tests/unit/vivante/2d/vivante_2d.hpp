/*
 * Scenes for tests of the 2D drawing engine. A scene collects states and draws in
 * a stream and runs it. It then compares all of memory with the expected
 * contents, and with the result of tests/reference for the same stream.
 *
 * Names of states and layouts: rnndb state_2d.xml.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_UNIT_VIVANTE_2D_HPP
#define PIXMILL_TESTS_UNIT_VIVANTE_2D_HPP

#include <memory>

#include <gtest/gtest.h>

#include "../reference.hpp"
#include "../twin.hpp"

namespace pixmill::test {

namespace state {
enum : uint32_t {
    kUPlaneAddress = 0x1284,
    kUPlaneStride = 0x1288,
    kVPlaneAddress = 0x128C,
    kVPlaneStride = 0x1290,
    kVrSourceLow = 0x1298,
    kVrSourceHigh = 0x129C,
    kVrOriginLow = 0x12A0,
    kVrOriginHigh = 0x12A4,
    kVrConfigEx = 0x12E4,
    kBwConfig = 0x12F0,
    kSrcExAddress = 0x1304,
    kPlane2Address = 0x1310,
    kPlane2Stride = 0x1314,
    kPlane3Address = 0x1318,
    kPlane3Stride = 0x131C,
    kGeneralConfig = 0x1328,
    kFilterKernel = 0x1800,
    kPalette10 = 0x1C00,
    kHoriKernel = 0x2800,
    kVertiKernel = 0x2A00,
    kPalette32 = 0x3400,
    kBlock4 = 0x12800,
    kBlock8 = 0x12A00,
};
} // namespace state

/* SRC_CONFIG */
constexpr uint32_t kSrcTiled = 0x80;
constexpr uint32_t kSrcStream = 0x100;
constexpr uint32_t kMonoForeground = 0x8000;
enum Pack : uint32_t { kPacked8 = 0, kPacked16 = 0x1000, kPacked32 = 0x2000, kUnpacked = 0x3000 };

/* DEST_CONFIG */
constexpr uint32_t kDestTiled = 0x100;
constexpr uint32_t kDestMinorTiled = 1u << 26;
constexpr uint32_t kGdiStretch = 1u << 24;

/* Chips by feature. */
constexpr const char* kPe20 = "gc320-imx6";     /* PE 2.0 with the fewest features */
constexpr const char* kPe10 = "gc600-dove";     /* PE 1.0 */
constexpr const char* kMulti4 = "gc320-am57xx"; /* multi-source, BLOCK4; YUV_STANDARD */
constexpr const char* kMulti8 = "gc320-imx6qp"; /* multi-source, BLOCK8; YUV_STANDARD */
constexpr const char* kNewest = "gc620-th1520"; /* DEST_CONFIG_EX, GENERAL_CONFIG */

/* Combines a format and a command into a DEST_CONFIG. */
constexpr uint32_t operator|(Format format, Command command) {
    return static_cast<uint32_t>(format) | static_cast<uint32_t>(command);
}

struct Write {
    uint32_t addr, value;
};
using Writes = std::vector<Write>;

inline Writes operator+(Writes a, const Writes& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

/* A solid brush as programmed by X drivers: mask all ones, color, INIT_ALL. */
inline Writes solid_brush(uint32_t argb, uint32_t rop_code = 0xF0) {
    return {{state::kPatternMaskLow, ~0u}, {state::kPatternMaskHigh, ~0u},
            {state::kPatternBg, 0},        {state::kPatternFg, argb},
            {state::kPatternConfig, 0xC0}, {state::kRop, rop4(rop_code)}};
}

inline Words count_from(uint32_t first, size_t count) {
    Words result;
    for (size_t i = 0; i < count; i++)
        result.push_back(first + static_cast<uint32_t>(i));
    return result;
}

inline Words random_words(std::mt19937& random, size_t count) {
    Words result;
    for (size_t i = 0; i < count; i++)
        result.push_back(static_cast<uint32_t>(random()));
    return result;
}

/* Returns a kernel table that copies: tap 4 is 1.0 in each of the 17 rows of nine taps. */
inline Words identity_kernel() {
    Words words;
    for (uint32_t i = 0; i < 154; i += 2)
        words.push_back((i % 9 == 4 ? 0x4000 : 0) | ((i + 1) % 9 == 4 ? 0x40000000 : 0));
    return words;
}

class Scene {
public:
    static constexpr uint64_t kRam = 0x120000;

    explicit Scene(const MachineOptions& options) : m(options) {}
    explicit Scene(const char* model = kPe20)
        : Scene(MachineOptions{.model = model, .ram_size = kRam}) {}
    ~Scene() { check(); }
    Scene(const Scene&) = delete;
    Scene& operator=(const Scene&) = delete;

    Machine m;

    /* Writes @values to memory at @at, in little-endian order. */
    template<class T>
    Scene& put(uint32_t at, const std::vector<T>& values) {
        for (const T value : values) {
            for (size_t i = 0; i < sizeof(T); i++)
                m.ram.set_byte(at++, static_cast<uint8_t>(static_cast<uint64_t>(value) >> 8 * i));
        }
        return *this;
    }
    Scene& words(uint32_t at, const Words& values) { return put(at, values); }
    Scene& halves(uint32_t at, const std::vector<uint16_t>& values) { return put(at, values); }
    Scene& bytes(uint32_t at, const std::vector<uint8_t>& values) { return put(at, values); }

    /*
     * Disables the comparison with the reference, which does not model faults, resets,
     * the MMU, or draws that are only logged. Must be called before the first run. A
     * comment at the call gives the reason.
     */
    Scene& without_reference() {
        compared_ = false;
        return *this;
    }

    /* Adds @writes to the stream. */
    Scene& set(const Writes& writes) {
        for (const Write& w : writes)
            stream_.state(w.addr, w.value);
        return *this;
    }
    Scene& set(uint32_t addr, uint32_t value) { return set({{addr, value}}); }
    Scene& table(uint32_t addr, const Words& values) {
        stream_.states(addr, values);
        return *this;
    }
    Scene& base(int w, int h, uint32_t command, const Writes& writes = {}) {
        stream_.add(base_block(w, h, command));
        return set(writes);
    }
    Scene& add(const Stream& stream) {
        stream_.add(stream);
        return *this;
    }
    Scene& draw(const std::vector<Rect>& rects, const Words& data = {}) {
        stream_.draw(rects, data);
        return *this;
    }
    Scene& draw(const Rect& rect, const Words& data = {}) {
        return draw(std::vector<Rect>{rect}, data);
    }

    /* Runs the stream. Expects no bus error or fault, and that the core is idle at the end. */
    Scene& run(int64_t ns = 10'000'000) {
        start();
        m.go(ns);
        return finish();
    }

    /* Like run(), but migrates to a new core after most slices. */
    Scene& run_migrating(int64_t ns = 10'000'000) {
        start();
        const int64_t end = m.host.now + ns;
        for (uint64_t n = 0; m.step(end); n++) {
            if (n % 3 != 2) /* not always, because a load requests a run */
                m.migrate();
            if (n == 200'000) {
                ADD_FAILURE() << "the stream never ends";
                break;
            }
        }
        m.host.now = end;
        return finish();
    }

    /* Expects @values in memory at @at. check() then accepts changes there. */
    template<class T>
    Scene& expect(uint32_t at, const std::vector<T>& values) {
        std::vector<T> actual;
        for (size_t n = 0; n < values.size(); n++) {
            uint64_t value = 0;
            for (size_t i = 0; i < sizeof(T); i++)
                value |= static_cast<uint64_t>(m.ram.byte(at + n * sizeof(T) + i)) << 8 * i;
            actual.push_back(static_cast<T>(value));
        }
        EXPECT_EQ(testing::PrintToString(Hex<T>{actual}), testing::PrintToString(Hex<T>{values}))
            << "at 0x" << std::hex << at;
        for (size_t i = 0; expected_ && i < values.size() * sizeof(T); i++)
            expected_->store(at + i, 1, m.ram.byte(at + i));
        return *this;
    }
    Scene& expect_words(uint32_t at, const Words& values) { return expect(at, values); }
    Scene& expect_halves(uint32_t at, const std::vector<uint16_t>& values) {
        return expect(at, values);
    }
    Scene& expect_bytes(uint32_t at, const std::vector<uint8_t>& values) {
        return expect(at, values);
    }

    /* Checks that no memory changed outside the expected ranges. */
    void check() {
        if (expected_)
            expected_->expect_equal(m);
        expected_.reset();
    }
    /* Disables check(), for tests that examine the picture themselves. */
    void forget() { expected_.reset(); }

private:
    void start() {
        check();
        stream_.end();
        m.put_stream(kStreamAt, stream_);
        expected_ = std::make_unique<Shadow>(m);
        if (compared_ && !twin_)
            twin_ = std::make_unique<Twin>(m);
        if (compared_)
            twin_->copy(m);
        m.start(kStreamAt, stream_.qwords());
    }

    Scene& finish() {
        EXPECT_EQ(m.peek(reg::kIdle) & 0xFF, 0xFFu) << "not idle";
        EXPECT_EQ(m.peek(reg::kIntrAck), 0u) << "an error interrupt";
        if (compared_) {
            twin_->run(stream_.words());
            EXPECT_EQ(twin_->difference(m), "") << "the reference draws another picture";
        }
        stream_ = Stream();
        return *this;
    }

    template<class T>
    struct Hex {
        std::vector<T> values;
        friend void PrintTo(const Hex& hex, std::ostream* out) {
            *out << std::hex;
            for (const T value : hex.values)
                *out << static_cast<uint64_t>(value) << ' ';
            *out << std::dec;
        }
    };

    Stream stream_;
    std::unique_ptr<Shadow> expected_;
    std::unique_ptr<Twin> twin_; /* keeps its states between runs, like the core */
    bool compared_ = true;
};

/* Blits a row of A8R8G8B8 pixels over another, with @writes after the base block. */
inline Words blit_row(const Words& src, const Words& dst, const Writes& writes,
                      const char* model = kPe20) {
    const auto w = static_cast<int>(dst.size());
    Scene scene(model);
    scene.words(kSrcAt, src).words(kDstAt, dst).base(w, 1, kCommandBlit, writes);
    scene.draw({0, 0, w, 1}).run();
    const Words result = scene.m.ram.words(kDstAt, dst.size());
    scene.expect_words(kDstAt, result);
    return result;
}

inline uint32_t blit_pixel(uint32_t src, uint32_t dst, const Writes& writes,
                           const char* model = kPe20) {
    return blit_row({src}, {dst}, writes, model)[0];
}

} // namespace pixmill::test

#endif
