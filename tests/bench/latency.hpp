// Searches for an engine's draws that react most slowly to interrupt(). Two measures are taken: the
// work between two checks, as counted by the core, and the CPU time of the drawing thread from
// interrupt() until draw() returns. Each engine provides a Family:
//
//   Draw       a draw: at least its `kind` and its `states`
//   Generator  generates draws and mutates them
//   table      the engine's core class
//   start()    creates a core on a Board and gives it a draw
//   print()    prints the members of a Draw other than its states
//
// Half of the draws are random; the others mutate the costliest draw so far, by work or by time. A
// timer on the drawing thread's CPU time interrupts at random moments. For each kind, the worst
// draw by each measure is printed with its states and its calls of the host. If neither measure
// finds a late reaction, the core's count of work is a valid measure of time.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <csignal>
#include <ctime>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "pixmill/core.h"
#include "pixmill/host.h"

namespace pixmill::bench {

// ---- A guest's memory --------------------------------------------------------

constexpr uint32_t pool_bytes = 64 << 20, page = 4096;

/// A guest address space of four ranges, each half a GiB or more: contiguous RAM, pages between
/// holes, randomly ordered pages, and no RAM.
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
    void put(uint32_t at, const std::vector<uint32_t>& words) {
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
    /// Takes as long as QEMU's search of an i.MX6's flat view.
    void walk() {
        for (const volatile uint64_t& range : ranges_)
            sum_ += range;
    }

    PixmillHost abi_{};
    std::vector<uint8_t> pool_;
    uint64_t ranges_[200]{}, sum_ = 0;
};

struct Write {
    uint32_t address, value;
};

/// Random numbers shared by all generators.
class Dice {
public:
    explicit Dice(uint64_t seed) : random_(seed) {}
    uint64_t in(uint64_t low, uint64_t high) { return low + random_() % (high - low + 1); }
    bool chance(unsigned percent) { return random_() % 100 < percent; }
    uint32_t word() { return uint32_t(random_()); }
    template<class T, size_t N>
    const T& of(const T (&choices)[N]) {
        return choices[random_() % N];
    }

private:
    std::mt19937_64 random_;
};

// ---- Cores -------------------------------------------------------------------

inline PixmillCore* create(const PixmillCoreClass& table, const void* config, const Board& board) {
    PixmillCore* core = nullptr;
    if (table.create(config, board.abi(), &core) != PIXMILL_OK)
        std::exit(2);
    return core;
}

/// A core with a draw in flight, if draws() is true.
template<class Family>
class Core {
    static constexpr const PixmillCoreClass& table = Family::table;

public:
    Core(Board& board, const typename Family::Draw& draw) : core_(Family::start(board, draw)) {}
    ~Core() { table.destroy(core_); }
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;

    bool draws() {
        PixmillRun run{};
        do
            run = table.run(core_, 1 << 20);
        while (run.action == PIXMILL_RUN_AGAIN);
        return run.action == PIXMILL_RUN_DRAW;
    }
    void draw() { table.draw(core_, UINT64_MAX); }
    void interrupt() { table.interrupt(core_); }
    /// Returns the largest amount of work between two checks for requests.
    uint64_t longest_step() const {
        std::vector<std::byte> counters(table.counters_size);
        table.counters(core_, counters.data());
        uint64_t work = 0;
        std::memcpy(&work, counters.data() + table.counters_draw_step, sizeof work);
        return work;
    }

private:
    PixmillCore* core_;
};

// ---- Measurement -------------------------------------------------------------

inline int64_t thread_ns() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return int64_t(t.tv_sec) * 1000000000 + t.tv_nsec;
}

struct Cost {
    int64_t ns = 0;    ///< time from interrupt() until draw() returns
    uint64_t work = 0; ///< largest amount of work between two checks for requests
    uint64_t maps = 0, dirties = 0;
};

/// Interrupts this thread's draw after it has used the given CPU time.
template<class Core>
class Alarm {
public:
    Alarm() {
        struct sigaction action = {};
        action.sa_handler = [](int) {
            maps = board->maps;
            dirties = board->dirties;
            asked = thread_ns();
            core->interrupt();
        };
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

    // Input and results of the signal handler.
    static inline Board* board;
    static inline Core* core;
    static inline volatile int64_t asked;
    static inline volatile uint64_t maps, dirties;

private:
    timer_t timer_ = {};
};

template<class Family>
class Search {
    using Draw = typename Family::Draw;
    using Core = bench::Core<Family>;

public:
    explicit Search(uint64_t seed) : generator_(seed) { Alarm<Core>::board = &board_; }

    void go(double seconds) {
        const time_t end = time(nullptr) + time_t(seconds);
        while (time(nullptr) < end) {
            draws_++;
            Draw draw = generator_.make();
            Worst& worst = worst_[draw.kind];
            const Found& costliest = worst[generator_.chance(50) ? by_work : by_time];
            if (!costliest.draw.states.empty() && generator_.chance(50))
                draw = generator_.mutate(costliest.draw, draw);
            const Cost cost = measure(draw);
            if (cost.work > worst[by_work].cost.work)
                worst[by_work] = {cost, draw};
            if (cost.ns > worst[by_time].cost.ns) {
                const Cost again = measure(draw); // rules out preemption and a cold cache
                const Cost& least = again.ns < cost.ns ? again : cost;
                if (least.ns > worst[by_time].cost.ns)
                    worst[by_time] = {least, draw};
            }
        }
    }

    /// Prints the worst draws of each kind. Returns the largest work and the longest time of all
    /// draws.
    Cost print() const {
        Cost most;
        std::printf("%llu draws, of which %llu were interrupted\n",
                    static_cast<unsigned long long>(draws_),
                    static_cast<unsigned long long>(interrupted_));
        for (const auto& [kind, worst] : worst_) {
            for (const auto& [found, why] :
                 {std::pair{worst[by_work], "work"}, {worst[by_time], "time"}}) {
                print(kind, why, found);
                most.ns = std::max(most.ns, found.cost.ns);
                most.work = std::max(most.work, found.cost.work);
            }
        }
        return most;
    }

private:
    enum Measure { by_work, by_time };
    struct Found {
        Cost cost;
        Draw draw;
    };
    using Worst = std::array<Found, 2>;

    static void print(const std::string& kind, const char* why, const Found& found) {
        std::printf("\n%-12s most %s: %.3f MB, %.3f ms, %llu maps, %llu dirty", kind.c_str(), why,
                    double(found.cost.work) / 1e6, double(found.cost.ns) / 1e6,
                    static_cast<unsigned long long>(found.cost.maps),
                    static_cast<unsigned long long>(found.cost.dirties));
        int column = 0;
        for (const Write& write : found.draw.states)
            if (Family::prints(write))
                std::printf("%s%04x=%08x", column++ % 6 ? "  " : "\n  ", write.address,
                            write.value);
        Family::print(found.draw);
        std::printf("\n");
    }

    Cost measure(const Draw& draw) {
        Core core(board_, draw);
        Alarm<Core>::core = &core;
        Cost worst;
        for (int n = 0; n < 3 && core.draws(); n++)
            sample(core, worst);
        worst.work = core.longest_step();
        return worst;
    }

    void sample(Core& core, Cost& worst) {
        using Asked = Alarm<Core>;
        Asked::asked = 0;
        alarm_.set(1 + int64_t(generator_.in(1000, 2000000)));
        core.draw();
        const int64_t end = thread_ns();
        alarm_.set(0);
        interrupted_ += Asked::asked != 0;
        if (Asked::asked && end - Asked::asked > worst.ns)
            worst = {end - Asked::asked, 0, board_.maps - Asked::maps,
                     board_.dirties - Asked::dirties};
    }

    Board board_;
    Alarm<Core> alarm_;
    typename Family::Generator generator_;
    std::map<std::string, Worst> worst_;
    uint64_t draws_ = 0, interrupted_ = 0;
};

/// Usage: PROGRAM [SECONDS [SEED [LIMIT_MS]]]. Fails if a draw does more work between two checks
/// than core.h allows, or returns later than LIMIT_MS after interrupt().
template<class Family>
int search_main(int argc, char** argv) {
    const double seconds = argc > 1 ? std::atof(argv[1]) : 60;
    const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 0) : 1;
    const double limit = argc > 3 ? std::atof(argv[3]) : 0;
    static Search<Family> search(seed);
    search.go(seconds);
    std::printf("%s, seed %llu, %.0f s: ", Family::name, static_cast<unsigned long long>(seed),
                seconds);
    const Cost worst = search.print();
    const double ms = double(worst.ns) / 1e6;
    std::printf("\nworst: %.3f ms from interrupt to return, %.3f MB of work between two looks\n",
                ms, double(worst.work) / 1e6);
    return worst.work > PIXMILL_MOST_DRAW_STEP || (limit && ms > limit);
}

} // namespace pixmill::bench
