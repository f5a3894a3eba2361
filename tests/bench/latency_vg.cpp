// Searches for the VG engine's most costly draws (see latency.hpp).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <bit>

#include "latency.hpp"
#include "pixmill/vivante.h"

namespace {

using namespace pixmill::bench;

constexpr uint32_t stream_at = 0x1000, address = 0x500, qwords = 0x504;

// States, named as in vivante-vg.md.
constexpr uint32_t control = 0xA00, color = 0xA02, target = 0xA10, tessellation = 0xA34;

struct Draw {
    std::string kind;
    std::vector<Write> states;
    std::vector<uint32_t> payload; ///< payload of its DATA command
};

class Generator : public Dice {
public:
    using Dice::Dice;

    Draw make() {
        static constexpr struct {
            const char* name;
            uint32_t control; ///< bits 25:24 are the paint, 14:12 the image mode, 1:0 the primitive
        } kinds[] = {
            {"fill", 0x00000001},   {"image", 0x00001001},        {"stencil", 0x00003001},
            {"linear", 0x01000001}, {"radial", 0x02000001},       {"pattern", 0x03000001},
            {"path", 0x00000002},   {"painted path", 0x02000002}, {"pattern path", 0x03000002}};
        const auto& kind = of(kinds);
        Draw draw;
        draw.kind = kind.name;
        const bool is_path = (kind.control & 3) == 2;
        add_output(draw, kind.control);
        for (uint32_t set = 0; set < 2; set++)
            add_source(draw, set);
        for (uint32_t i = 0; i < 6; i++)
            put(draw, 0xA40 + i, real(i % 4 == 0 ? 64 : 4));
        put(draw, tessellation,
            is_path ? 0x01000000u | uint32_t(in(0, 3)) | uint32_t(in(0, 1)) << 4 : 0);
        draw.payload = !is_path ? rectangles() : chance(50) ? path() : tall(draw);
        return draw;
    }

    Draw mutate(Draw draw, const Draw& other) {
        for (uint64_t n = in(1, 4); n > 0; n--) {
            const size_t i = word() % draw.states.size();
            Write& state = draw.states[i];
            if (state.address == control || state.address == tessellation)
                state.value ^= state.address == control ? 1u << in(4, 11) : 1u << in(0, 1);
            else if (i < other.states.size() && chance(60))
                state.value = other.states[i].value;
            else
                state.value ^= 1u << in(0, 31);
        }
        return draw;
    }

private:
    static void put(Draw& draw, uint32_t state, uint32_t value) {
        draw.states.push_back({state, value});
    }
    uint32_t real(double most) {
        return std::bit_cast<uint32_t>(float(most * (double(word()) / 0x80000000 - 1)));
    }
    uint32_t place() {
        static constexpr uint32_t bases[] = {0x00400000, 0x10000000, 0x20000000, 0x40000000,
                                             0x80000000};
        return of(bases) + (word() & 0x00FFFFFF);
    }
    uint32_t stride() {
        return (chance(50) ? 0x8000u : word() & 0x3FFFF) | (chance(30) ? 1u << 28 : 0);
    }

    void add_output(Draw& draw, uint32_t kind) {
        static constexpr uint32_t options[] = {0, 0, 1u << 4, 1u << 16, 1u << 20, 1u << 28};
        put(draw, control, kind | uint32_t(in(0, 10)) << 8 | of(options) | of(options));
        put(draw, color, word());
        put(draw, target, uint32_t(in(0, 7)) | (word() & 0x13330));
        put(draw, 0xA11, place());
        put(draw, 0xA12, stride());
        put(draw, 0xA13, chance(70) ? 0xFFFFFFFF : word());
        for (const uint32_t plane : {0xA14u, 0xA16u}) {
            put(draw, plane, place());
            put(draw, plane + 1, stride());
        }
        put(draw, 0xA39, 0);
        put(draw, 0xA3A, 0xFFFFFFFF);
        put(draw, 0xA5A, chance(50) ? 0xFFFFFFFF : 0x7B48F3C0);
        for (uint32_t key = 0; key < 4; key++) {
            put(draw, 0xA90 + key, chance(20) ? 0x01000000 : 0);
            put(draw, 0xA94 + key, word());
        }
    }
    void add_source(Draw& draw, uint32_t set) {
        put(draw, 0xA24 + set, uint32_t(in(0, 7)) | (word() & 0x01033130));
        put(draw, 0xA26 + set, word());
        put(draw, 0xA28 + set, place());
        put(draw, 0xA2A + set, stride());
        put(draw, 0xA2C + set, chance(50) ? 0 : word());
        put(draw, 0xA2E + set, chance(50) ? 0x7FFF7FFF : word());
        for (const uint32_t state : {0xA18u, 0xA19u, 0xA1Cu, 0xA1Du, 0xA20u, 0xA21u})
            put(draw, state, real(0.001));
        put(draw, 0xA1A, 0x3F800000);
        put(draw, 0xA1E, chance(50) ? 0 : real(0.001));
        for (uint32_t state = 0xA03; state <= 0xA0B; state++)
            put(draw, state, real(0.001));
    }
    std::vector<uint32_t> rectangles() { return {0, 0xFFFFFFFF}; }
    /// Returns a path with a few edges, each of which crosses all rows of the tallest window.
    std::vector<uint32_t> tall(Draw& draw) { // floats: MOVE, LINEs, CLOSE, END
        constexpr uint32_t floats = 3u << 20, one = 0x3F800000;
        const float width = of({1.0f, 60.0f, 250.0f, 256.0f, 300.0f, 4000.0f, 65535.0f});
        const float slope = chance(50) ? 0.0f : float(in(0, 2)), last = 65535;
        const std::pair<float, float> corners[] = {
            {0, 0}, {width, 0}, {width - slope, last}, {slope, last}};
        put(draw, tessellation,
            0x01000000u | floats | uint32_t(in(0, 3)) | uint32_t(in(0, 1)) << 4);
        for (uint32_t i = 0; i < 6; i++)
            put(draw, 0xA40 + i, i % 4 == 0 ? one : 0);
        if (chance(70))
            put(draw, target + 2, chance(50) ? 0 : 4 * uint32_t(width)); // TARGET_STRIDE
        std::vector<uint32_t> words;
        for (size_t i = 0; i < std::size(corners); i++)
            words.insert(words.end(), {i ? 4u : 2u, std::bit_cast<uint32_t>(corners[i].first),
                                       std::bit_cast<uint32_t>(corners[i].second)});
        words.insert(words.end(), {1, 0, 0, 0}); // padded to a qword
        return words;
    }
    std::vector<uint32_t> path() { // bytes: LINE and two coordinates
        const auto lines = size_t(chance(30) ? in(10000, 200000) : in(3, 500));
        std::vector<uint8_t> bytes;
        for (size_t i = 0; i < lines; i++)
            for (const uint32_t byte : {i ? 4u : 2u, word() & 127, i % 2 ? 127u : word() & 127})
                bytes.push_back(uint8_t(byte));
        bytes.resize((bytes.size() + 8) / 8 * 8);
        std::vector<uint32_t> words(bytes.size() / 4);
        std::memcpy(words.data(), bytes.data(), bytes.size());
        return words;
    }
};

std::vector<uint32_t> stream_of(const Draw& draw) {
    std::vector<uint32_t> words;
    for (const Write& state : draw.states) {
        words.push_back(0x30010000 | state.address);
        words.push_back(state.value);
    }
    words.push_back(0x40000000 | uint32_t(draw.payload.size() / 2));
    words.push_back(0);
    words.insert(words.end(), draw.payload.begin(), draw.payload.end());
    words.insert(words.end(), {0, 0});
    return words;
}

struct Family {
    static constexpr const char* name = "VG engine";
    using Draw = ::Draw;
    using Generator = ::Generator;
    static constexpr const PixmillCoreClass& table = pixmill_vivante;
    static PixmillCore* start(Board& board, const Draw& draw) {
        PixmillVivanteConfig config{};
        config.model = "gc355-rt1170";
        config.render_threads = 1;
        PixmillCore* core = create(table, &config, board);
        const std::vector<uint32_t> stream = stream_of(draw);
        board.put(stream_at, stream);
        table.write(core, address, 4, stream_at);
        table.write(core, qwords, 4, stream.size() / 2);
        return core;
    }
    static bool prints(const Write&) { return true; }
    static void print(const Draw& draw) {
        std::printf("\n  %zu words of payload", draw.payload.size());
    }
};

} // namespace

int main(int argc, char** argv) {
    return search_main<Family>(argc, argv);
}
