// Searches for the 2D engine's most costly draws (see latency.hpp).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <utility>

#include "../unit/vivante/words.hpp"
#include "latency.hpp"
#include "pixmill/vivante.h"

namespace {

using namespace pixmill::test;
using namespace pixmill::bench;

constexpr uint32_t stream_at = 0x1000;

// ---- Draws -------------------------------------------------------------------

struct Draw {
    const char* model = "";
    std::string kind;
    std::vector<Write> states;
    std::vector<Rect> rects; ///< empty if VR_CONFIG starts the draw
    Words data;
};

class Generator : public Dice {
public:
    using Dice::Dice;

    Draw make() {
        static constexpr const char* models[] = {"gc320-imx6", "gc320-am57xx", "gc320-imx6qp",
                                                 "gc620-th1520", "gc600-dove"};
        Draw draw;
        hard_ = chance(50);
        draw.model = models[in(0, 4)];
        static constexpr struct {
            const char* name;
            uint32_t command;
        } kinds[] = {{"clear", 0},   {"line", 1},  {"blit", 2},
                     {"stretch", 4}, {"multi", 8}, {"filter", 15}};
        const auto& kind = kinds[in(0, 5)];
        draw.kind = kind.name;
        sources(draw.states);
        destination(draw.states, kind.command);
        colors(draw.states);
        if (kind.command == 8)
            blocks(draw.states);
        if (kind.command == 15)
            filter(draw.states);
        else
            rectangles(draw, kind.command);
        return draw;
    }

    Draw mutate(Draw draw, const Draw& other) {
        for (int n = in(1, 4); n > 0; n--) {
            const size_t i = word() % draw.states.size();
            Write& state = draw.states[i];
            const bool kept =
                state.address == state::kDestConfig || state.address == state::kVrConfig;
            if (!draw.rects.empty() && chance(20))
                draw.rects[0] = rect(draw.kind == "line");
            else if (kept)
                state.value ^= kept && chance(50) ? 1u << in(16, 23) : 1u << in(0, 5);
            else if (i < other.states.size() && other.states[i].address == state.address &&
                     chance(70))
                state.value = other.states[i].value;
            else
                state.value ^= 1u << in(0, 31);
        }
        return draw;
    }

private:
    uint32_t address() {
        static constexpr uint32_t bases[] = {0x00400000, 0x10000000, 0x20000000, 0x40000000,
                                             0x60000000, 0x80000000, 0xC0000000};
        return bases[hard_ ? in(2, 4) : in(0, 6)] + (word() & 0x00FFFFC0);
    }
    uint32_t stride() {
        if (hard_)
            return chance(50) ? 0x20000 : 0x8000;
        return chance(30) ? word() & 0x3FFFC : chance(50) ? 0x20000u : chance(30) ? 0u : 0x10000u;
    }
    uint32_t format() {
        static constexpr uint32_t hard[] = {0x09, 0x0F, 0x11, 0x12, 0x08};
        if (hard_)
            return hard[in(0, 4)];
        static constexpr uint32_t likely[] = {0x04, 0x06, 0x07, 0x08, 0x09, 0x09,
                                              0x0A, 0x0F, 0x10, 0x11, 0x11, 0x12};
        return chance(90) ? likely[in(0, std::size(likely) - 1)] : word() & 0x1F;
    }
    uint32_t width() { return hard_ ? 0x7FFF : uint32_t(in(1, 0xFFFF)); }
    uint32_t corner() { return chance(50) ? 0 : pack_xy(int(in(0, 64)), int(in(0, 64))); }

    void sources(std::vector<Write>& s) {
        s.push_back({state::kSrcAddress, address()});
        s.push_back({state::kSrcStride, stride()});
        s.push_back({state::kSrcRotation, (word() & 0x10000) | width()});
        s.push_back({state::kSrcConfig, format() << 24 | (word() & 0x003001B0) |
                                            (chance(50) ? 0u : word() & 0xC000F000)});
        s.push_back({state::kSrcOrigin, corner()});
        s.push_back({state::kSrcSize, hard_ ? 0x7FFF7FFF : word()});
        s.push_back({state::kStretchLow, chance(50) ? word() : uint32_t(in(0, 0x40000))});
        s.push_back({state::kStretchHigh, chance(50) ? word() : uint32_t(in(0, 0x40000))});
        for (const uint32_t plane : {0x1284u, 0x128Cu, 0x1310u, 0x1318u}) {
            s.push_back({plane, address()});
            s.push_back({plane + 4, stride()});
        }
        s.push_back({state::kSrcRotationHeight, word() & 0xFFFF});
        s.push_back({state::kRotAngle, hard_ ? 4 + (word() & 2) : word() & 0x303F});
        s.push_back({state::kSrcExConfig, chance(50) ? word() & 0x3F : 0});
        s.push_back({0x1304, address()});
    }
    void destination(std::vector<Write>& s, uint32_t command) {
        s.push_back({state::kDestAddress, address()});
        s.push_back({state::kDestStride, stride()});
        s.push_back({state::kDestRotation, (word() & 0x10000) | width()});
        s.push_back({state::kDestRotationHeight, word() & 0xFFFF});
        s.push_back({state::kDestConfig,
                     (hard_ ? 0x11 : format()) | (command & 15) << 12 | (word() & 0x07B30100)});
        s.push_back({state::kClipTopLeft, 0});
        s.push_back({state::kClipBottomRight, 0x7FFF7FFF});
    }
    void colors(std::vector<Write>& s) {
        static constexpr uint32_t rops[] = {0xCC, 0xF0, 0x66, 0x5A, 0xB8, 0xAA, 0x88, 0xCA};
        const uint32_t fore = uint32_t(rops[in(0, 7)]), back = uint32_t(rops[in(0, 7)]);
        s.push_back({state::kRop, fore | back << 8 | (chance(50) ? 3u << 20 : 2u << 20)});
        s.push_back({state::kTransparency, chance(50) ? 0 : word() & 0x77333377});
        s.push_back({state::kAlphaControl, word() & 1});
        s.push_back({state::kAlphaModes, word()});
        s.push_back({state::kGlobalSrcColor, word()});
        s.push_back({state::kGlobalDestColor, word()});
        s.push_back({state::kColorMultiply, chance(50) ? 0 : word() & 0x00300011});
        s.push_back({state::kPatternMaskLow, word()});
        s.push_back({state::kPatternMaskHigh, word()});
        s.push_back({state::kPatternAddress, 0x4000});
        s.push_back({state::kPatternConfig, 0x060000D0u | (word() & 0xC0)});
        s.push_back({state::kPeControl, word() & 0x11});
        s.push_back({state::kSrcColorBg, word() & 0xFFFFFF});
        s.push_back({state::kSrcColorKeyHigh, word()});
        s.push_back({state::kDestColorKey, word() & 0x7FFFFF});
        s.push_back({state::kDestColorKeyHigh, word()});
        s.push_back({state::kConfig, chance(30) ? word() : 0});
        s.push_back({state::kDeyuv, chance(70) ? 0 : word() & 0x13});
        s.push_back({0x1328, chance(50) ? 0 : word()});
    }
    void blocks(std::vector<Write>& s) {
        s.push_back({state::kMultiSource, 7u | (word() & 0x00070500)});
        for (uint32_t group = 0; group < 24; group++)
            for (uint32_t n = 0; n < 8; n++) {
                const uint32_t value = group == 0   ? address()
                                       : group == 1 ? stride()
                                       : group == 3 ? format() << 24 | (word() & 0x1B0)
                                                    : word();
                s.push_back({0x12A00 + group * 0x20 + 4 * n, value});
                if (n < 4)
                    s.push_back({0x12800 + group * 0x10 + 4 * n, value});
            }
    }
    void filter(std::vector<Write>& s) {
        for (const uint32_t table : {0x1800u, 0x2800u, 0x2A00u})
            for (uint32_t i = 0; i < 77; i++)
                s.push_back({table + 4 * i, word() & 0x0FFF0FFF});
        s.push_back({0x12E4, word()});
        s.push_back({state::kVrTargetLow, corner()});
        s.push_back(
            {state::kVrTargetHigh, pack_xy(chance(70) ? 0x7FFF : int(in(1, 9999)), 0x7FFF)});
        s.push_back({0x1298, 0});
        s.push_back({0x129C, chance(50) ? 0x7FFF7FFF : word() & 0x7FFF7FFF});
        s.push_back({0x12A0, chance(50) ? 0 : word()});
        s.push_back({0x12A4, chance(50) ? 0 : word()});
        s.push_back({state::kVrConfig, uint32_t(in(0, 2))});
    }
    Rect rect(bool line) {
        const auto end = [&] { return chance(60) ? 32767 : int(in(1, 32767)); };
        if (line)
            return {-32768 + int(in(0, 40000)), -32768 + int(in(0, 40000)), end(), end()};
        const int left = chance(60) ? 0 : int(in(0, 999));
        const int top = chance(60) ? 0 : int(in(0, 999));
        return {left, top, end(), chance(70) ? 32767 : int(in(1, 32767))};
    }
    void rectangles(Draw& draw, uint32_t command) {
        for (int n = chance(10) ? 200 : 1; n > 0; n--)
            draw.rects.push_back(rect(command == 1));
        for (int n = chance(20) ? 1000 : 0; n > 0; n--)
            draw.data.push_back(word());
    }

    bool hard_ = false; ///< rotated, planar, tiled, and in pages between holes
};

Stream stream_of(const Draw& draw) {
    Stream stream;
    stream.state(state::kPipeSelect, 1);
    for (const Write& write : draw.states)
        stream.state(write.address, write.value);
    if (!draw.rects.empty())
        stream.draw(draw.rects, draw.data);
    return stream.end();
}

struct Family {
    static constexpr const char* name = "2D engine";
    using Draw = ::Draw;
    using Generator = ::Generator;
    static constexpr const PixmillCoreClass& table = pixmill_vivante;
    static PixmillCore* start(Board& board, const Draw& draw) {
        PixmillVivanteConfig config{};
        config.model = draw.model;
        config.render_threads = 1;
        PixmillCore* core = create(table, &config, board);
        const Stream stream = stream_of(draw);
        board.put(stream_at, stream.words());
        table.write(core, reg::kPageTablePe, 4, 0x100000);
        table.write(core, reg::kCommandAddress, 4, stream_at);
        table.write(core, reg::kCommandControl, 4, kEnable | stream.qwords());
        return core;
    }
    static bool prints(const Write& write) { return write.address < 0x1800; }
    static void print(const Draw& draw) {
        std::printf("\n  %s", draw.model);
        if (draw.rects.empty())
            return;
        const Rect& r = draw.rects[0];
        std::printf(", %zu rectangles, (%d,%d,%d,%d)", draw.rects.size(), r.left, r.top, r.right,
                    r.bottom);
    }
};

} // namespace

int main(int argc, char** argv) {
    return search_main<Family>(argc, argv);
}
