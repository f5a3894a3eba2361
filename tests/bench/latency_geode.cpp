// Searches for the Geode's most costly operations (see latency.hpp).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "geode/gp/offsets.hpp"
#include "latency.hpp"
#include "pixmill/geode.h"

namespace {

using namespace pixmill::geode;
using namespace pixmill::bench;

struct Draw {
    std::string kind;
    std::vector<Write> states; ///< registers; the last one starts the operation
};

bool is_mode(const Write& write) {
    return write.address == BLT_MODE || write.address == VECTOR_MODE;
}

class Generator : public Dice {
public:
    using Dice::Dice;

    Draw make() {
        static constexpr struct {
            const char* name;
            uint32_t mode, ch3; ///< this kind's bits of BLT_MODE and CH3_MODE_STR
        } kinds[] = {{"blt", 0, 0},
                     {"source", 1, 0},
                     {"mono", 0x41, 0},
                     {"packed mono", 0x81, 0},
                     {"host", 2, 0},
                     {"channel 3", 0, 0xC0000000},
                     {"turned", 0, 0xC0800000},
                     {"vector", 8, 0}};
        const auto& kind = of(kinds);
        Draw draw;
        draw.kind = kind.name;
        const bool is_vector = draw.kind == "vector";
        fits_ = chance(50);
        blends_ = chance(40);
        if (blends_)
            draw.kind += ", alpha";
        put(draw, RASTER_MODE, raster());
        for (const Offset color :
             {SRC_COLOR_FG, SRC_COLOR_BG, PAT_COLOR_0, PAT_COLOR_1, PAT_DATA_0, PAT_DATA_1})
            put(draw, color, word());
        for (const Offset at : {DST_OFFSET, SRC_OFFSET, CH3_OFFSET})
            put(draw, at, word() & (fits_ ? 0x000FFFFC : 0x00FFFFFF));
        put(draw, STRIDE, stride() << 16 | stride());
        put(draw, WID_HEIGHT, size());
        put(draw, CH3_WIDHI, chance(70) ? draw.states.back().value : size());
        put(draw, CH3_MODE_STR, kind.ch3 ? kind.ch3 | channel_3() : 0);
        put(draw, BASE_OFFSET, base() << 22 | base() << 12 | base() << 2);
        put(draw, is_vector ? VECTOR_MODE : BLT_MODE,
            kind.mode | (is_vector ? word() & 0xF : (word() & 0x304) | (blends_ ? 4 : 0)));
        return draw;
    }

    Draw mutate(Draw draw, const Draw& other) {
        for (uint64_t n = in(1, 4); n > 0; n--) {
            const size_t i = word() % draw.states.size();
            Write& state = draw.states[i];
            if (is_mode(state)) // the kind stays the same
                state.value ^= chance(50) ? 4 : 1u << in(8, 9);
            else if (state.address == CH3_MODE_STR)
                state.value ^= state.value ? 1u << (chance(50) ? in(24, 29) : in(0, 15)) : 0;
            else if (chance(60))
                state.value = other.states[i].value;
            else
                state.value ^= 1u << in(0, 31);
        }
        return draw;
    }

private:
    static void put(Draw& draw, Offset offset, uint32_t value) {
        draw.states.push_back({offset, value});
    }
    uint32_t raster() {
        static constexpr uint32_t formats[] = {0x0, 0x4, 0x5, 0x6, 0x8, 0x8},
                                  rops[] = {0xF0, 0xCC, 0x5A, 0x66, 0xB8, 0xCA, 0xE2};
        const uint32_t tests = !fits_ && chance(50) ? word() & 0x3F00 : 0;
        const uint32_t alpha = blends_ ? (word() & 0x003F0000) | uint32_t(in(1, 3)) << 22 : 0;
        return of(formats) << 28 | alpha | tests | (chance(70) ? of(rops) : word() & 0xFF);
    }
    uint32_t size() {
        if (fits_)
            return 0xFFF << 16 | uint32_t(in(1, 0x380));
        const auto side = [&] { return uint32_t(chance(70) ? 0xFFF : in(1, 0xFFF)); };
        const uint32_t width = side();
        return width << 16 | side();
    }
    /// Returns a stride. With 0x1000, each row is in a different page; with 0, all rows are the
    /// same.
    uint32_t stride() {
        static constexpr uint32_t likely[] = {0, 0x1000, 0x2000, 0x2004, 0x4000, 0xFFFC};
        if (fits_)
            return 0x4000;
        return chance(70) ? of(likely) : word() & 0xFFFF;
    }
    uint32_t channel_3() {
        static constexpr uint32_t formats[] = {0x0, 0x1, 0x2, 0x4, 0x5, 0x6, 0x7,
                                               0x8, 0xB, 0xD, 0xE, 0x6, 0x8};
        return of(formats) << 24 | (word() & 0x30400000) | (chance(10) ? 1u << 21 : 0) | stride();
    }
    /// Returns a base in contiguous memory, in pages between holes, in randomly ordered pages, or
    /// where there is no memory.
    uint32_t base() {
        static constexpr uint32_t bases[] = {0x00400000, 0x10000000, 0x20000000, 0x30000000,
                                             0x40000000, 0x50000000, 0x60000000, 0xFFC00000};
        return of(bases) >> 22;
    }

    bool fits_ = false; ///< hw/render can draw it: rows do not overlap and lie within 16 MiB
    bool blends_ = false;
};

struct Family {
    static constexpr const char* name = "Geode GP";
    using Draw = ::Draw;
    using Generator = ::Generator;
    static constexpr const PixmillCoreClass& table = pixmill_geode_gp;
    static PixmillCore* start(Board& board, const Draw& draw) {
        PixmillCore* core = create(table, nullptr, board);
        for (const Write& write : draw.states)
            table.write(core, write.address, 4, write.value);
        const uint32_t port = HST_SRC;
        for (uint32_t i = 0; i < PIXMILL_GEODE_GP_QUEUE_WORDS; i++) // until the core refuses more
            if (table.write(core, port, 4, i * 0x9E3779B1u) != PIXMILL_OK)
                break;
        return core;
    }
    static bool prints(const Write&) { return true; }
    static void print(const Draw&) {}
};

} // namespace

int main(int argc, char** argv) {
    return search_main<Family>(argc, argv);
}
