// Looks for the draws of the 2D engine that take longest from pixmill_vivante_interrupt() to the
// return of pixmill_vivante_draw(), in processor time of the thread that draws.
//
// usage: pixmill-latency [SECONDS [SEED [LIMIT_MS]]]; fails if a draw takes longer than LIMIT_MS
//
// Half of the draws are random states, the others are the dearest so far with some states changed.
// A timer of the drawing thread's own processor time interrupts at random moments. The worst case
// of each kind is printed with its states, and the work that the host has been asked for meanwhile.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <csignal>
#include <ctime>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "../unit/vivante_words.hpp"
#include "pixmill/vivante.h"

namespace {

using namespace pixmill::test;

// ---- A guest's memory --------------------------------------------------------

constexpr uint32_t pool_bytes = 64 << 20, page = 4096;
constexpr uint32_t stream_at = 0x1000;

/// RAM in one piece, pages between holes, pages in any order, and nothing, a GiB or half of one
/// each.
class Board {
public:
    Board() : pool_(pool_bytes + page) {
        std::mt19937 random(1);
        for (auto& byte : pool_)
            byte = uint8_t(random());
        abi_.api_version = PIXMILL_API_VERSION;
        abi_.user = this;
        abi_.map = [](void* user, uint64_t at, uint64_t* length, bool) -> void* {
            return static_cast<Board*>(user)->map(at, length);
        };
        abi_.dirty = [](void* user, uint64_t, uint64_t) { static_cast<Board*>(user)->dirties++; };
        abi_.set_irq = [](void*, uint32_t, bool) {};
        abi_.clock_ns = [](void* user) { return static_cast<Board*>(user)->now; };
        abi_.request_run = [](void*) {};
        abi_.log = [](void*, PixmillLog, const char*) {};
        abi_.trace = [](void*, PixmillTrace, uint64_t, uint64_t, const char*) {};
    }
    const PixmillHost* abi() const { return &abi_; }
    void put(uint32_t at, const Words& words) {
        std::memcpy(pool_.data() + at, words.data(), words.size() * 4);
    }

    int64_t now = 0;
    uint64_t maps = 0, dirties = 0;

private:
    void* map(uint64_t at, uint64_t* length) {
        maps++;
        walk();
        const uint64_t in_page = at % page;
        if (at < 0x20000000) {
            *length = pool_bytes - at % pool_bytes;
            return pool_.data() + at % pool_bytes;
        }
        if (at >= 0x60000000) {
            *length = UINT64_MAX - at;
            return nullptr;
        }
        *length = page - in_page;
        const uint64_t number = at / page;
        if (at < 0x40000000 && number % 2)
            return nullptr;
        return pool_.data() + number * 0x9E3779B1u % (pool_bytes / page) * page + in_page;
    }
    /// As long as QEMU takes to look through the flat view of an i.MX6.
    void walk() {
        for (const volatile uint64_t& range : ranges_)
            sum_ += range;
    }

    PixmillHost abi_{};
    std::vector<uint8_t> pool_;
    uint64_t ranges_[200]{}, sum_ = 0;
};

// ---- Draws -------------------------------------------------------------------

struct Write {
    uint32_t address, value;
};

struct Draw {
    const char* model = "";
    std::string kind;
    std::vector<Write> states;
    std::vector<Rect> rects; ///< none: VR_CONFIG has started it
    Words data;
};

class Generator {
public:
    explicit Generator(uint64_t seed) : random_(seed) {}

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
        colours(draw.states);
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
            const size_t i = random_() % draw.states.size();
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

    uint64_t in(uint64_t low, uint64_t high) { return low + random_() % (high - low + 1); }
    bool chance(unsigned percent) { return random_() % 100 < percent; }

private:
    uint32_t word() { return uint32_t(random_()); }
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
    void colours(std::vector<Write>& s) {
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

    std::mt19937_64 random_;
    bool hard_ = false; ///< turned, in planes and tiles, over pages between holes
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

// ---- Measurement -------------------------------------------------------------

int64_t thread_ns() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return int64_t(t.tv_sec) * 1000000000 + t.tv_nsec;
}

/// What the signal's handler has to know.
Board* g_board;
PixmillVivante* g_core;
volatile int64_t g_asked = 0;
volatile uint64_t g_maps = 0, g_dirties = 0;

void ask(int) {
    g_maps = g_board->maps;
    g_dirties = g_board->dirties;
    g_asked = thread_ns();
    pixmill_vivante_interrupt(g_core);
}

/// Interrupts this thread when it has used the processor that long.
class Alarm {
public:
    Alarm() {
        struct sigaction action = {};
        action.sa_handler = ask;
        sigaction(SIGALRM, &action, nullptr);
        sigevent event = {};
        event.sigev_notify = SIGEV_THREAD_ID;
        event.sigev_signo = SIGALRM;
        event._sigev_un._tid = gettid();
        if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer_))
            std::exit(2);
    }
    void set(int64_t ns) {
        itimerspec spec = {};
        spec.it_value = {ns / 1000000000, ns % 1000000000};
        timer_settime(timer_, 0, &spec, nullptr);
    }

private:
    timer_t timer_ = {};
};

struct Cost {
    int64_t ns = 0;
    uint64_t maps = 0, dirties = 0;
};

class Search {
public:
    Search(uint64_t seed) : generator_(seed) { g_board = &board_; }

    Cost measure(const Draw& draw) {
        const PixmillVivanteConfig config{draw.model, 0, 0, 0, 1, 0};
        PixmillVivante* gc = nullptr;
        if (pixmill_vivante_create(&config, board_.abi(), &gc) != PIXMILL_OK)
            return {};
        g_core = gc;
        const Stream stream = stream_of(draw);
        board_.put(stream_at, stream.words());
        pixmill_vivante_mmio_write(gc, reg::kPageTablePe, 4, 0x100000);
        pixmill_vivante_mmio_write(gc, reg::kCommandAddress, 4, stream_at);
        pixmill_vivante_mmio_write(gc, reg::kCommandControl, 4, kEnable | stream.qwords());
        PixmillRun run{};
        do
            run = pixmill_vivante_run(gc, 1 << 20);
        while (run.action == PIXMILL_RUN_AGAIN);
        Cost worst;
        for (int n = 0; n < 3 && run.action == PIXMILL_RUN_DRAW; n++) {
            sample(gc, worst);
            run = pixmill_vivante_run(gc, 1 << 20);
        }
        pixmill_vivante_destroy(gc);
        return worst;
    }

    void go(double seconds) {
        const time_t end = time(nullptr) + time_t(seconds);
        while (time(nullptr) < end) {
            draws_++;
            Draw draw = generator_.make();
            auto& best = worst_[draw.kind];
            if (!best.draw.states.empty() && generator_.chance(50))
                draw = generator_.mutate(best.draw, draw);
            const Cost cost = measure(draw);
            if (cost.ns > best.cost.ns) {
                const Cost again = measure(draw); // no preemption, no cold cache
                const Cost& least = again.ns < cost.ns ? again : cost;
                if (least.ns > best.cost.ns)
                    best = {least, draw};
            }
        }
    }

    int64_t print() const {
        int64_t worst = 0;
        std::printf("%llu draws\n", static_cast<unsigned long long>(draws_));
        for (const auto& [kind, found] : worst_) {
            std::printf("\n%-8s %8.3f ms, %llu maps, %llu dirty, %s", kind.c_str(),
                        double(found.cost.ns) / 1e6,
                        static_cast<unsigned long long>(found.cost.maps),
                        static_cast<unsigned long long>(found.cost.dirties), found.draw.model);
            int column = 0;
            for (const Write& write : found.draw.states)
                if (write.address < 0x1800)
                    std::printf("%s%04x=%08x", column++ % 6 ? "  " : "\n  ", write.address,
                                write.value);
            if (!found.draw.rects.empty()) {
                const Rect& r = found.draw.rects[0];
                std::printf("\n  %zu rectangles, (%d,%d,%d,%d)", found.draw.rects.size(), r.left,
                            r.top, r.right, r.bottom);
            }
            std::printf("\n");
            worst = std::max(worst, found.cost.ns);
        }
        return worst;
    }

private:
    void sample(PixmillVivante* gc, Cost& worst) {
        g_asked = 0;
        alarm_.set(1 + int64_t(generator_.in(1000, 2000000)));
        pixmill_vivante_draw(gc, UINT64_MAX);
        const int64_t end = thread_ns();
        alarm_.set(0);
        if (g_asked && end - g_asked > worst.ns)
            worst = {end - g_asked, board_.maps - g_maps, board_.dirties - g_dirties};
    }

    struct Found {
        Cost cost;
        Draw draw;
    };
    Board board_;
    Alarm alarm_;
    Generator generator_;
    std::map<std::string, Found> worst_;
    uint64_t draws_ = 0;
};

} // namespace

int main(int argc, char** argv) {
    const double seconds = argc > 1 ? std::atof(argv[1]) : 60;
    const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 0) : 1;
    const double limit = argc > 3 ? std::atof(argv[3]) : 0;
    static Search search(seed);
    search.go(seconds);
    std::printf("seed %llu, %.0f s: ", static_cast<unsigned long long>(seed), seconds);
    const double worst = double(search.print()) / 1e6;
    std::printf("\nworst: %.3f ms from interrupt to return\n", worst);
    return limit && worst > limit;
}
