// Searches for the NEMA|GFX's most costly draws (see latency.hpp). Also prints the longest time to
// start a primitive, during which draw() cannot be interrupted.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <bit>

#include "../unit/nema/cases.hpp"
#include "latency.hpp"
#include "nema/offsets.hpp"
#include "pixmill/nema.h"

namespace {

using namespace pixmill::nema;
using namespace pixmill::bench;

bool of_program(uint32_t offset) {
    return offset == IMEM_ADDR || offset == IMEM_DATA_LOW || offset == IMEM_DATA_HIGH;
}

/// Holds at most one write per register, except for the registers that load a program.
struct States : std::vector<Write> {
    void set(const Write& write) {
        const auto place = std::find_if(begin(), end(), [&](const Write& w) {
            return w.address == write.address && !of_program(w.address);
        });
        if (place == end()) // DRAW_CMD stays last
            insert(end() - (!empty() && back().address == DRAW_CMD), write);
        else
            *place = write;
    }
};

struct Draw {
    std::string kind;
    States states; ///< the last one is DRAW_CMD
};

int64_t g_longest_start = 0; ///< longest uninterruptible start of a primitive

class Generator : public Dice {
public:
    explicit Generator(uint64_t seed) : Dice(seed), seed_(seed) {}

    Draw make() {
        static constexpr struct {
            const char* name;
            uint32_t code;
        } kinds[] = {{"line", 1}, {"rectangle", 2}, {"triangle", 4}, {"quad", 5}};
        Draw draw;
        hard_ = chance(50);
        compressed_ = chance(30);
        base_ = chance(30) ? address() : 0;
        const auto& kind = of(kinds);
        draw.kind = kind.name;
        inherit(draw.states);
        for (uint32_t n = 0; n < 4; n++)
            surface(draw.states, n);
        if (chance(60))
            program(draw.states);
        if (chance(70))
            matrix(draw.states);
        place(draw.states);
        constexpr uint32_t antialiased = 0x07800000, gradient = 1u << 27;
        const uint32_t flags =
            (chance(50) ? word() & antialiased : 0) | (chance(30) ? gradient : 0);
        draw.states.set({DRAW_CMD, kind.code | flags});
        return draw;
    }

    Draw mutate(Draw draw, const Draw& other) {
        for (uint64_t n = in(1, 4); n > 0; n--) {
            Write& state = draw.states[word() % draw.states.size()];
            const Write& another = other.states[word() % (other.states.size() - 1)];
            if (state.address == DRAW_CMD)
                state.value ^= 1u << in(23, 27);
            else if (chance(40) || of_program(another.address))
                state.value ^= 1u << in(0, 31);
            else
                draw.states.set(another);
        }
        return draw;
    }

private:
    static bool inherited(uint32_t offset) {
        return offset < BREAKPOINT || of_program(offset) || offset > DRAW_CMD;
    }
    /// Takes program, operators and matrix from a random case, up to its first primitive.
    void inherit(States& states) {
        for (;;) {
            const auto writes = pixmill::test::make_nema_case(seed_, number_++).writes;
            const auto end = std::find_if(writes.begin(), writes.end(), [](const auto& write) {
                return write.offset == DRAW_CMD;
            });
            if (end == writes.end())
                continue;
            for (auto i = writes.begin(); i != end; i++)
                if (inherited(i->offset))
                    states.set({i->offset, i->value});
            return;
        }
    }

    uint32_t address() {
        static constexpr uint32_t bases[] = {0x00400000, 0x10000000, 0x20000000, 0x30000000,
                                             0x40000000, 0x50000000, 0x60000000, 0xFFFF0000};
        const uint32_t low = chance(50) ? word() & 0x00FFFFFC : word() & 0x00FFFFFF;
        return bases[hard_ ? in(2, 5) : in(0, 7)] + low;
    }
    uint32_t format(bool destination) {
        static constexpr uint32_t destinations[] = {0x00, 0x01, 0x04, 0x05, 0x06, 0x08, 0x0E,
                                                    0x11, 0x12, 0x12, 0x13, 0x16, 0x16, 0x17,
                                                    0x17, 0x38, 0x39, 0x3C, 0x40, 0x46, 0x4A};
        static constexpr uint32_t sources[] = {0x00, 0x04, 0x08, 0x0B, 0x0C, 0x0D,
                                               0x12, 0x16, 0x17, 0x17, 0x18, 0x27,
                                               0x28, 0x29, 0x34, 0x39, 0x3C, 0x44};
        static constexpr uint32_t compressed[] = {0x12, 0x16, 0x17};
        if (compressed_)
            return of(compressed);
        return chance(95) ? destination ? of(destinations) : of(sources) : word() & 0x7F;
    }
    uint32_t size() {
        const auto side = [&] {
            return uint32_t(hard_        ? 0x7FFF
                            : chance(40) ? 1u << in(0, 15)
                            : chance(20) ? in(1, 8)
                                         : in(1, 0xFFFF));
        };
        const uint32_t width = side();
        return side() << 16 | width;
    }
    void surface(States& s, uint32_t n) {
        static constexpr uint32_t strides[] = {0x1000, 0x2000, 0x7FFC, 0x8000,
                                               0xF000, 0x0FFD, 4,      0};
        const uint32_t at = 0x10 * n, stride = chance(70) ? of(strides) : word() & 0xFFFF;
        const uint32_t mode = hard_ ? 1 | (word() & 0xC) : word() & 0x7F;
        s.set({TEX0_BASE + at, base_ ? base_ + 0x1000 * uint32_t(in(0, 3)) : address()});
        s.set(
            {TEX0_FSTRIDE + at, (word() & 1u << 31) | format(n == 0) << 24 | mode << 16 | stride});
        s.set({TEX0_RESXY + at, size()});
    }

    /// Loads a program of up to the maximum length; most of its instructions read a texture.
    void program(States& s) {
        constexpr uint32_t read = 3, write = 2, at_texel = 8;
        const auto image = [&] { return uint32_t(in(0, 3)) << 7; };
        const auto target = [&] { return uint32_t(in(0, 3)) << 27; };
        const uint64_t slots = chance(50) ? 32 : in(1, 31);
        const unsigned writing = chance(30) ? 90 : 10;
        std::erase_if(s, [](const Write& w) { return of_program(w.address); });
        s.set({IMEM_ADDR, 0});
        for (uint64_t i = 1; i <= slots; i++) {
            const bool last = i == slots, writes = last || chance(writing);
            const uint32_t walk = !writes && chance(20) ? uint32_t(in(1, 7)) << 4 : 0;
            const uint32_t from = chance(80) ? at_texel : 0;
            const uint32_t place =
                writes && chance(70) ? 0 : image() | (writes && chance(60) ? 0 : from);
            const uint32_t half = chance(50) ? 0x1000 : 0;
            s.set({IMEM_DATA_LOW, (writes       ? write
                                   : chance(90) ? read
                                                : word() & 7) |
                                      place | walk | target() | half});
            s.set(
                {IMEM_DATA_HIGH, (chance(50) ? 0x09 : word() & 0x0FFFFFFF) | uint32_t(last) << 31});
        }
        s.set({CODEPTR, 0x141F0000u | (word() & 0xFC00)});
    }

    uint32_t number() {
        static constexpr float numbers[] = {0,    0,     1,     -1,    1.5f, 1.1f, 0.7f,  -0.5f,
                                            0.1f, 1e-3f, 64.3f, -7.9f, 1000, 1e9f, -1e30f};
        return chance(95) ? std::bit_cast<uint32_t>(of(numbers)) : word();
    }
    void matrix(States& s) {
        const bool perspective = chance(30);
        for (uint32_t i = 0; i < (perspective ? 9 : 6); i++)
            s.set({MM00 + 4 * i, number()});
        s.set({MATMULT, chance(50) ? 0x80000000 : word() & 0xB0000000});
    }

    void place(States& s) {
        const auto corner = [&] { return chance(60) ? 0 : word() & 0x00FF00FF; };
        const auto end = [&] { return chance(60) ? 0x7FFF7FFFu : word() & 0x7FFF7FFF; };
        s.set({CLIPMIN, chance(80) ? 0 : corner()});
        s.set({CLIPMAX, end()});
        s.set({CLIPMIN1, 0});
        s.set({CLIPMAX1, 0x7FFF7FFF});
        s.set({DRAW_STARTXY, corner()});
        s.set({DRAW_ENDXY, end()});
        // vertices near the corners of a large quad
        static constexpr uint32_t x[] = {0, 0x7FFF0000, 0x7FFF0000, 0};
        static constexpr uint32_t y[] = {0, 0, 0x7FFF0000, 0x7FFF0000};
        for (uint32_t i = 0; i < 4; i++) {
            s.set({DRAW_PT0_X + 0x10 * i, chance(20) ? word() : x[i] ^ (word() & 0x00FFFFFF)});
            s.set({DRAW_PT0_Y + 0x10 * i, chance(20) ? word() : y[i] ^ (word() & 0x00FFFFFF)});
        }
        if (chance(50))
            s.set({BLEND_MODE, word() & 0x82000F0F});
    }

    uint64_t seed_, number_ = 0;
    bool compressed_ = false; ///< all surfaces are compressed
    uint32_t base_ = 0;       ///< nonzero: all surfaces overlap near this base
    bool hard_ = false;       ///< filtered, large, and in pages between holes or in random order
};

struct Family {
    static constexpr const char* name = "NEMA|GFX";
    using Draw = ::Draw;
    using Generator = ::Generator;
    static constexpr const PixmillCoreClass& table = pixmill_nema;
    static PixmillCore* start(Board& board, const Draw& draw) {
        PixmillCore* core = create(table, nullptr, board);
        for (const Write& write : draw.states) {
            const int64_t begin = thread_ns();
            table.write(core, write.address, 4, write.value);
            const int64_t taken = thread_ns() - begin;
            if (write.address == DRAW_CMD)
                g_longest_start = std::max(g_longest_start, taken);
        }
        return core;
    }
    static bool prints(const Write&) { return true; }
    static void print(const Draw&) {}
};

} // namespace

int main(int argc, char** argv) {
    const int result = search_main<Family>(argc, argv);
    std::printf("longest start of a primitive: %.3f ms\n", double(g_longest_start) / 1e6);
    return result;
}
