/*
 * Tests of pixmill-vivante-frame, which converts a command stream in a memory image
 * to text and pictures.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "../../../../tools/frame.hpp"
#include "target_scene.hpp"

namespace pixmill::test {
namespace {

using tools::Frame;
using tools::Picture;
using tools::Region;

/* Plays streams from a Machine's memory in a Frame, and stores its text and pictures. */
class Look {
public:
    Look() { put_vertices(machine_, kLowerLeft); }

    FakeMemory& ram() { return machine_.ram; }

    void play(const Stream& stream, const char* model = "gc2000-imx6q",
              const std::vector<std::pair<uint32_t, uint32_t>>& registers = {},
              uint32_t at = kStreamAt) {
        const Stream whole = Stream(stream).end();
        machine_.put_stream(kStreamAt, whole);
        const Bytes bytes = machine_.ram.snapshot();
        const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
        Frame frame(
            model, {Region{0, {first, first + bytes.size()}}},
            [this](const std::string& line) { text += line; },
            [this](const std::string& name, const Picture& p) { pictures.emplace(name, p); });
        for (const auto& [offset, value] : registers)
            frame.write(offset, value);
        frame.play(at, whole.qwords());
        jobs = frame.jobs();
    }

    bool says(const std::string& what) const { return text.find(what) != std::string::npos; }
    uint32_t pixel(const std::string& name, uint32_t x, uint32_t y) {
        const auto found = pictures.find(name);
        if (found == pictures.end() || x >= found->second.width || y >= found->second.height)
            return ~0u;
        const uint8_t* rgb = found->second.at(x, y);
        return uint32_t(rgb[0] << 16 | rgb[1] << 8 | rgb[2]);
    }

    std::string text;
    std::map<std::string, Picture> pictures;
    unsigned jobs = 0;

private:
    Machine machine_ = machine();
};

TEST(Vivante3dFrame, ShowsEachJobAndItsTarget) {
    Look look;
    look.play(Stream().add(fill(0xFF000080)).add(base()).add(draw(1)).add(read_back()));
    EXPECT_EQ(look.jobs, 3u) << look.text;
    EXPECT_TRUE(look.says("job 0: RS fill of 128 x 128 samples"));
    EXPECT_TRUE(look.says("job 1: draw of 1 primitives (triangles) from 0 on"));
    EXPECT_TRUE(look.says("job 2: RS copy of 128 x 128 samples"));
    EXPECT_TRUE(look.says("the stream has ended"));
    for (const char* name : {"000-resolve.png", "001-color0.png", "002-resolve.png"}) {
        ASSERT_TRUE(look.pictures.contains(name)) << look.text;
        EXPECT_EQ(look.pictures.at(name).width, kSide);
        EXPECT_EQ(look.pictures.at(name).height, kSide);
    }
    EXPECT_EQ(look.pixel("000-resolve.png", 3, 100), 0x000080u);
    EXPECT_EQ(look.pixel("001-color0.png", 3, 100), 0xFF0000u) << "multi-supertiled";
    EXPECT_EQ(look.pixel("001-color0.png", 100, 3), 0x000080u);
    EXPECT_EQ(look.pixel("002-resolve.png", 3, 100), 0xFF0000u) << "linear";
}

TEST(Vivante3dFrame, NamesStatesThatHaveChanged) {
    Look look;
    Stream s = Stream().add(base()).add(draw(1));
    look.play(s.state(0x0A34, 0x412100).add(draw(1)));
    const std::string& text = look.text;
    EXPECT_TRUE(look.says("0x00a34 PA_CONFIG                    0x00412000  FILL_MODE=2"));
    EXPECT_TRUE(look.says("PA_VIEWPORT_SCALE_X          0x42800000  64\n")) << "a float";
    EXPECT_TRUE(look.says("FE_VERTEX_ELEMENT_CONFIG[1]"));
    const size_t second = text.find("job 1: ");
    ASSERT_NE(second, std::string::npos);
    EXPECT_NE(text.find("CULL_FACE_MODE=1", second), std::string::npos);
    EXPECT_EQ(text.find("PA_VIEWPORT_SCALE_X", second), std::string::npos) << "it has not changed";
    EXPECT_EQ(text.find("shader", second), std::string::npos) << "nor have programs";
}

TEST(Vivante3dFrame, DisassemblesPrograms) {
    Look look;
    Stream s = base();
    for (uint32_t k = 0; k < 4; k++) {
        constexpr uint32_t mul[] = {0x07821003, 0x39000804, 0x01c801c0, 0x00000002};
        s.state(0xD000 + 4 * k, mul[k]);
    }
    look.play(s.add(draw(1)));
    EXPECT_TRUE(look.says("    vertex shader\n       0   nop")) << look.text;
    EXPECT_TRUE(look.says("    pixel shader\n       0   mul t2, t0, u3\n"));
}

/* Tiles whose status is clear must have the clear color in pictures. Depths are shown as gray. */
TEST(Vivante3dFrame, ReadsThroughTheTileStatusAndShowsDepth) {
    Look look;
    look.ram().fill(kStatus, 0x55, 0x100);
    look.ram().fill(kDepth, 0xFF, 2 * kHalf);
    look.play(Stream()
                  .add(base())
                  .state(0x1654, 2)
                  .state(0x1658, kStatus)
                  .state(0x165C, kColor)
                  .state(0x1660, 0xFF00FF00)
                  .state(0x1400, 0x04041111) /* Z, D24S8, LESS, write, supertiled */
                  .state(0x140C, bits(16777215.0f))
                  .state(0x1414, kStride)
                  .state(0x1480, kDepth)
                  .state(0x1484, kDepth + kHalf)
                  .add(draw(1)));
    EXPECT_EQ(look.pixel("000-color0.png", 127, 0), 0x00FF00u) << look.text;
    EXPECT_EQ(look.pixel("000-color0.png", 0, 127), 0xFF0000u);
    EXPECT_EQ(look.pixel("000-depth.png", 0, 127), 0x808080u) << "0.5";
    EXPECT_EQ(look.pixel("000-depth.png", 127, 0), 0xFFFFFFu);
}

/* The stream's address is relative to the front end's base register. */
TEST(Vivante3dFrame, TakesRegisters) {
    Look look;
    look.play(Stream(), "gc2000-imx6q", {{reg::kBaseFe, kStreamAt}}, 0);
    EXPECT_TRUE(look.says("the stream has ended at 0x00000008, after 0 jobs")) << look.text;
}

TEST(Vivante3dFrame, ReportsWhereAStreamStops) {
    Look look;
    look.play(Stream().add(base()).state(0xD000, 0x00000016).add(draw(1)));
    EXPECT_TRUE(look.says("a shader has not ended")) << look.text;
    EXPECT_TRUE(look.says("the engine stalls"));
    Look bad;
    bad.play(Stream().raw({0, 0}));
    EXPECT_TRUE(bad.says("the front end hangs"));
}

TEST(Vivante3dFrame, RefusesCoresWithoutA3dEngine) {
    Look look;
    EXPECT_THROW(look.play(Stream(), "gc320-imx6"), std::runtime_error);
    EXPECT_THROW(look.play(Stream(), "gc7000-imx8mq"), std::runtime_error);
    EXPECT_THROW(look.play(Stream(), "nothing"), std::runtime_error);
}

/* The expected file has two pixels. It was written by hand from ISO/IEC 15948 and RFC 1950. */
TEST(Vivante3dFrame, WritesPng) {
    Picture picture(2, 1);
    picture.rgb = {1, 2, 3, 4, 5, 6};
    const std::string file = png(picture);
    EXPECT_EQ(file.substr(0, 8), "\x89PNG\r\n\x1a\n");
    EXPECT_EQ(file.substr(8, 4), std::string("\0\0\0\x0D", 4));
    EXPECT_EQ(file.substr(16, 13), std::string("\0\0\0\2\0\0\0\1\x08\2\0\0\0", 13));
    /*
     * IDAT has the zlib header, one stored block with its length 7, the complement of that, the
     * row, and the Adler-32 with a = 1 + 21 = 22 and b = 1 + 2 + 4 + 7 + 11 + 16 + 22 = 63.
     */
    EXPECT_EQ(file.substr(41, 18),
              std::string("\x78\x01\x01\x07\0\xF8\xFF\0\1\2\3\4\5\6\0\x3F\0\x16", 18));
    EXPECT_EQ(file.substr(file.size() - 8), "IEND\xAE\x42\x60\x82");
}

} // namespace
} // namespace pixmill::test
