/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace pixmill::test {
namespace {

constexpr int64_t kSliceNs = 10; /* virtual duration of a slice that returns RUN_AGAIN */

bool covers(const std::vector<Range>& ranges, uint64_t addr) {
    return std::any_of(ranges.begin(), ranges.end(),
                       [addr](const Range& r) { return addr - r.addr < r.len; });
}

} // namespace

/* Wraps each call of an entry point: audits its accesses, then relocates host memory. */
class Machine::Entry {
public:
    explicit Entry(Machine& machine) : machine_(machine) {
        if (machine_.options.audit) {
            machine_.host.record_ranges = true;
            machine_.host.clear_ranges();
            before_ = machine_.ram.snapshot();
        }
        machine_.host.entries++;
    }

    ~Entry() {
        machine_.host.entries--;
        if (machine_.options.audit)
            machine_.audit(before_);
        if (machine_.options.relocate)
            machine_.ram.relocate();
    }

    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

private:
    Machine& machine_;
    Bytes before_;
};

Machine::Machine(const MachineOptions& opts)
    : options(opts), budget(opts.budget), draw_budget(opts.draw_budget) {
    if (options.watched)
        host.watch();
    ram.set_grain(options.grain);
    ram.set_skew(options.skew);
    if (options.ram_size)
        ram.add(options.ram_base, options.ram_size);
    create();
}

void Machine::create() {
    const PixmillVivanteConfig config{
        options.model,       options.core_clock_hz,  options.poll_min_ns,
        options.poll_max_ns, options.render_threads, options.render_share,
        options.quirks_on,   options.quirks_off,     options.jit};
    const Entry entry(*this);
    ASSERT_EQ(pixmill_vivante.create(&config, host.abi(), &gc_), PIXMILL_OK) << options.model;
}

Machine::~Machine() {
    {
        const Entry entry(*this);
        pixmill_vivante.destroy(gc_);
    }
    if (!logs_allowed_) {
        EXPECT_TRUE(host.logs().empty()) << "unexpected log:\n" << log_text();
    }
    for (const std::string& what : host.violations())
        ADD_FAILURE() << "host rule broken: " << what;
    EXPECT_TRUE(ram.canaries_intact());
}

void Machine::audit(const Bytes& before) {
    const Bytes after = ram.snapshot();
    const std::vector<Range> dirty = host.dirty();
    const std::vector<Range> maps = host.write_maps();
    size_t at = 0;
    for (const Range& range : ram.ranges()) {
        for (uint64_t i = 0; i < range.len; i++, at++) {
            if (before[at] == after[at])
                continue;
            if (!covers(dirty, range.addr + i))
                host.violate("written byte is not marked dirty");
            if (!covers(maps, range.addr + i))
                host.violate("written byte was not mapped for writing");
        }
    }
}

/* ---- Registers ---------------------------------------------------------- */

PixmillResult Machine::try_get(uint32_t offset, uint32_t size, uint32_t* value) {
    const Entry entry(*this);
    return pixmill_vivante.read(gc_, offset, size, value);
}

PixmillResult Machine::try_set(uint32_t offset, uint32_t size, uint32_t value) {
    const Entry entry(*this);
    const PixmillResult result = pixmill_vivante.write(gc_, offset, size, value);
    if (!budget && pixmill_vivante.draining(gc_)) /* like pixmill_worker_cancel() in worker.c */
        (void)pixmill_vivante.run(gc_, 0);
    return result;
}

uint32_t Machine::get_narrow(uint32_t offset, uint32_t size) {
    uint32_t value = 0xDEADBEEF;
    EXPECT_EQ(try_get(offset, size, &value), PIXMILL_OK) << std::hex << offset;
    return value;
}

void Machine::set_narrow(uint32_t offset, uint32_t size, uint32_t value) {
    EXPECT_EQ(try_set(offset, size, value), PIXMILL_OK) << std::hex << offset;
}

uint32_t Machine::get(uint32_t offset) {
    return get_narrow(offset, 4);
}

void Machine::set(uint32_t offset, uint32_t value) {
    set_narrow(offset, 4, value);
}

uint32_t Machine::peek(uint32_t offset) {
    const Entry entry(*this);
    return pixmill_vivante.peek(gc_, offset);
}

/* ---- Execution ---------------------------------------------------------- */

void Machine::start(uint32_t addr, uint32_t qwords, uint32_t flags) {
    set(reg::kCommandAddress, addr);
    set(reg::kCommandControl, kEnable | flags | qwords);
}

PixmillRun Machine::run(uint32_t words) {
    const Entry entry(*this);
    host.run_requested = false;
    const PixmillRun result = pixmill_vivante.run(gc_, words);
    again_ = result.action == PIXMILL_RUN_AGAIN || result.action == PIXMILL_RUN_DRAW;
    wake_ = result.action == PIXMILL_RUN_WAIT ? result.when_ns : -1;
    draw_pending_ = result.action == PIXMILL_RUN_DRAW;
    return result;
}

void Machine::barrier() {
    const Entry entry(*this);
    pixmill_vivante_barrier(gc_);
}

void Machine::draw(uint64_t bytes) {
    const Entry entry(*this);
    FakeHost::in_draw = true;
    pixmill_vivante.draw(gc_, bytes);
    FakeHost::in_draw = false;
    draw_pending_ = false;
}

bool Machine::step(int64_t until) {
    if (!budget) /* a worker that never runs, although time passes */
        return false;
    if (draw_pending_) {
        draw(draw_budget);
        host.now += kSliceNs;
        return host.now <= until;
    }
    if (!host.run_requested && !again_) {
        if (wake_ < 0 || wake_ > until)
            return false;
        host.now = std::max(host.now.load(), wake_);
    }
    steps_++;
    if (run(budget).action == PIXMILL_RUN_AGAIN)
        host.now += kSliceNs;
    return host.now <= until;
}

void Machine::go(int64_t ns) {
    const int64_t end = host.now + ns;
    const uint64_t last = steps_ + step_limit;
    while (step(end)) {
        if (steps_ > last) {
            ADD_FAILURE() << "the core asks to be run again forever";
            break;
        }
    }
    host.now = std::max(host.now.load(), end);
}

bool Machine::go_to_draw(int64_t ns) {
    const int64_t end = host.now + ns;
    const uint64_t last = steps_ + step_limit;
    while (!draw_pending_ && steps_ < last && step(end)) {
    }
    return draw_pending_;
}

void Machine::run_stream(const Stream& stream, int64_t ns) {
    Stream whole = stream;
    whole.end();
    put_stream(kStreamAt, whole);
    start(kStreamAt, whole.qwords());
    go(ns);
}

void Machine::reset() {
    const Entry entry(*this);
    pixmill_vivante.reset(gc_);
}

/* Like etnaviv_hw_reset() in linux etnaviv_gpu.c. */
void Machine::soft_reset() {
    for (uint32_t value : {0x300u, 0x100u, 0x80100u, 0x81100u, 0x80100u, 0x100u})
        set(reg::kClock, value);
}

/* ---- State -------------------------------------------------------------- */

StatePtr Machine::save() {
    auto result = std::make_unique<PixmillVivanteState>();
    const Entry entry(*this);
    pixmill_vivante.save(gc_, result.get());
    return result;
}

PixmillResult Machine::load(const PixmillVivanteState& in) {
    const Entry entry(*this);
    wake_ = -1;
    again_ = draw_pending_ = false;
    host.run_requested = false;
    const PixmillResult result = pixmill_vivante.load(gc_, &in);
    if (result == PIXMILL_OK)
        host.irq = in.intr_level != 0; /* the device restores the line itself */
    return result;
}

uint32_t Machine::state(uint32_t addr) {
    return save()->state[addr / 4];
}

PixmillVivanteCounters Machine::counters() {
    PixmillVivanteCounters result{};
    const Entry entry(*this);
    pixmill_vivante.counters(gc_, &result);
    return result;
}

void Machine::migrate() {
    const StatePtr saved = save();
    const bool level = host.irq; /* the line's level survives the old core */
    {
        const Entry entry(*this);
        pixmill_vivante.destroy(gc_);
    }
    create();
    const uint32_t changes = host.irq_changes;
    ASSERT_EQ(load(*saved), PIXMILL_OK);
    EXPECT_EQ(host.irq_changes, changes) << "load() moved the interrupt line";
    host.irq = level;
}

/* ---- Logs --------------------------------------------------------------- */

size_t Machine::take(PixmillLog kind) {
    const std::vector<LogLine> all = host.logs();
    host.clear_logs();
    size_t count = 0;
    for (const LogLine& line : all) {
        if (line.kind == kind)
            count++;
        else
            host.abi()->log(host.abi()->user, line.kind, line.text.c_str());
    }
    return count;
}

std::string Machine::log_text() const {
    std::string result;
    for (const LogLine& line : host.logs()) {
        constexpr const char* kinds[] = {"guest error: ", "unimplemented: ", "host error: "};
        result += kinds[line.kind] + line.text + "\n";
    }
    return result;
}

} // namespace pixmill::test
