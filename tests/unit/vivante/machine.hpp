/*
 * A Vivante core on a FakeHost, driven as vivante.h requires.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_UNIT_VIVANTE_MACHINE_HPP
#define PIXMILL_TESTS_UNIT_VIVANTE_MACHINE_HPP

#include <memory>
#include <string>

#include "../fake_host.hpp"
#include "words.hpp"

namespace pixmill::test {

struct MachineOptions {
    const char* model = "gc320-imx6";
    uint32_t core_clock_hz = 0;
    uint32_t poll_min_ns = 0;
    uint32_t poll_max_ns = 0;
    uint32_t render_threads = 0;
    uint32_t render_share = 0;
    uint32_t quirks_on = 0;
    uint32_t quirks_off = 0;
    uint32_t jit = 0; /* PixmillVivanteJit */
    uint64_t ram_base = 0;
    uint64_t ram_size = 0x200000;
    uint64_t grain = 0;     /* see FakeMemory */
    uint64_t skew = 0;      /* see FakeMemory */
    bool relocate = false;  /* moves host memory after every call of an entry point */
    bool watched = false;   /* records accesses */
    bool audit = false;     /* checks that changed bytes are mapped for writing and dirty */
    uint32_t budget = 4096; /* words per run() */
    uint64_t draw_budget = 1 << 20;
};

constexpr uint32_t kStreamAt = 0x1000; /* address of the commands of run_stream() */

using StatePtr = std::unique_ptr<PixmillVivanteState>;

/*
 * A core. Its destructor fails the running test if the core has logged something unexpected, broken
 * a rule of host.h or written to a red zone.
 */
class Machine {
public:
    explicit Machine(const MachineOptions& options);
    explicit Machine(const char* model) : Machine(MachineOptions{.model = model}) {}
    Machine() : Machine(MachineOptions{}) {}
    ~Machine();
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    FakeHost host;
    FakeMemory& ram = host.ram;
    PixmillCore* gc() const { return gc_; }

    /* Registers */
    uint32_t get(uint32_t offset);
    void set(uint32_t offset, uint32_t value);
    uint32_t get_narrow(uint32_t offset, uint32_t size);
    void set_narrow(uint32_t offset, uint32_t size, uint32_t value);
    PixmillResult try_get(uint32_t offset, uint32_t size, uint32_t* value);
    PixmillResult try_set(uint32_t offset, uint32_t size, uint32_t value);
    uint32_t peek(uint32_t offset);

    /* Execution. go() runs everything that is due within the next @ns. */
    void start(uint32_t addr, uint32_t qwords, uint32_t flags = 0);
    void go(int64_t ns = 1'000'000);
    bool step(int64_t until);
    PixmillRun run(uint32_t budget);
    void draw(uint64_t budget);
    void barrier();
    /* Runs until a draw is ready to start. Returns false if there is none. */
    bool go_to_draw(int64_t ns = 1'000'000);
    /* Stores @stream and an END at kStreamAt, and runs them. */
    void run_stream(const Stream& stream, int64_t ns = 1'000'000);
    void put_stream(uint64_t addr, const Stream& stream) { ram.set_words(addr, stream.words()); }
    void reset();
    void soft_reset();
    uint64_t steps() const { return steps_; }

    /* State */
    StatePtr save();
    PixmillResult load(const PixmillVivanteState& state);
    uint32_t state(uint32_t addr);
    PixmillVivanteCounters counters();
    /* Replaces the core by a new one of the same model, like a migration. */
    void migrate();

    /* Each function returns the number of log lines of a kind, and removes them. */
    size_t guest_errors() { return take(PIXMILL_LOG_GUEST_ERROR); }
    size_t unimplemented() { return take(PIXMILL_LOG_UNIMPLEMENTED); }
    size_t host_errors() { return take(PIXMILL_LOG_HOST_ERROR); }
    std::string log_text() const;
    void allow_logs() { logs_allowed_ = true; }

    MachineOptions options;
    uint32_t budget;
    uint64_t draw_budget;
    uint64_t step_limit = 400'000;

private:
    class Entry;
    void create();
    size_t take(PixmillLog kind);
    void audit(const Bytes& before);

    PixmillCore* gc_ = nullptr;
    int64_t wake_ = -1;
    bool again_ = false;
    bool draw_pending_ = false;
    bool logs_allowed_ = false;
    uint64_t steps_ = 0;
};

} // namespace pixmill::test

#endif
