/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "frame.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace pixmill::fuzz {

namespace {

std::vector<uint8_t> state; /* has the exact size, so that AddressSanitizer finds overruns */

} // namespace

Frame::Frame(const PixmillCoreClass& table, Input& input)
    : table_(table), in_(input), world_(table.lines) {}

Frame::~Frame() {
    grant_memory(kEndlessMemory);
    table_.destroy(core_);
}

void Frame::create() {
    PixmillHost host = host_of(world_);
    const auto refused = [&](const PixmillHost* abi, PixmillResult error) {
        return table_.create(config_, abi, &core_) == error && !core_;
    };
    require(refused(nullptr, PIXMILL_ERROR_ARGUMENT), "a core without a host");
    host.api_version++;
    require(refused(&host, PIXMILL_ERROR_VERSION), "a core for another version");
    host = host_of(world_);
    host.map = nullptr;
    require(refused(&host, PIXMILL_ERROR_ARGUMENT), "a core for a host without map()");
    host = host_of(world_);
    grant_memory(0);
    count_memory(true);
    require(refused(&host, PIXMILL_ERROR_MEMORY), "a core without memory");
    count_memory(false);
    grant_memory(kEndlessMemory);
    require(table_.create(config_, &host, &core_) == PIXMILL_OK, "create");
    created(core_);
    state.resize(table_.state_size);
}

void Frame::finish() {
    tell_counters();
    reset();
    require(run(64).action == PIXMILL_RUN_IDLE, "work after a reset");
}

/* ---- Calls of the core's functions, with their postconditions ---- */

PixmillResult Frame::read(uint32_t offset, uint32_t size, uint32_t& value) {
    const Entry entry(world_);
    const PixmillResult result = table_.read(core_, offset, size, &value);
    require(result == PIXMILL_OK || value == 0, "value of a failed read");
    require(result != PIXMILL_ERROR_BUSY, "a read that stalls the bus");
    accessed(offset, size, result);
    return result;
}

uint32_t Frame::read(uint32_t offset) {
    uint32_t value = 0;
    (void)read(offset, 4, value);
    return value;
}

bool Frame::read_clears(uint32_t offset) const {
    PixmillRegister reg{};
    for (size_t i = 0; table_.register_at(core_, i, &reg); i++) {
        if (reg.offset == offset)
            return reg.access == PIXMILL_ACCESS_RC;
    }
    return false;
}

void Frame::read_as_peeked(uint32_t offset) {
    const uint32_t before = peek(offset);
    uint32_t value = 0;
    if (read(offset, 4, value) != PIXMILL_OK || value == before)
        return;
    // The read first advanced the core to the guest's time, which may have set more bits. If reads
    // clear the register, the read has cleared them again.
    // An injected fault may change one read only.
    const bool added = read_clears(offset) && (value & before) == before;
    const bool changed = injected({"early-idle", "late-idle", "posted-write", "fused-off"});
    require(added || changed || value == peek(offset), "a read and a peek differ");
}

PixmillResult Frame::write(uint32_t offset, uint32_t value, uint32_t size) {
    const Entry entry(world_);
    const PixmillResult result = table_.write(core_, offset, size, value);
    accessed(offset, size, result);
    if (result == PIXMILL_ERROR_BUSY)
        say("bus stalls");
    else if (table_.holding && table_.holding(core_))
        say("bus held");
    return result;
}

PixmillRun Frame::run(uint32_t words) {
    const Entry entry(world_);
    const PixmillRun next = table_.run(core_, words);
    require(next.action <= (draws() ? PIXMILL_RUN_DRAW : PIXMILL_RUN_WAIT), "run action");
    require(!draws() || !table_.draining(core_), "draining after a run");
    ran(next);
    return next;
}

bool Frame::draw(uint64_t bytes) {
    if (!draws() || bytes > allowance_)
        return false;
    allowance_ -= bytes;
    const Entry entry(world_);
    world_.in_draw = true;
    table_.draw(core_, bytes);
    world_.in_draw = false;
    return true;
}

void Frame::work(int steps, uint32_t words, uint64_t bytes) {
    static constexpr int64_t longest_wait = 2'000'000;
    for (int i = 0; i < steps; i++) {
        const PixmillRun next = run(words);
        if (next.action == PIXMILL_RUN_IDLE)
            return;
        if (next.action == PIXMILL_RUN_DRAW && !draw(bytes))
            return;
        if (next.action == PIXMILL_RUN_WAIT && next.when_ns > world_.now)
            world_.now += std::min(next.when_ns - world_.now, longest_wait);
    }
}

bool Frame::work_off(uint64_t bytes, const std::array<uint32_t, 2>& faults, int patience) {
    constexpr int most_steps = 50'000, most_migrating = 2'000;
    const uint8_t how = in_.byte();
    const bool migrating = how < 32;
    grant_memory(how >= 64 && how < 128 ? how - 64 : kEndlessMemory);
    bool injected = false;
    for (int step = 0; step < most_steps; step++) {
        if (patience && step == patience)
            return injected;
        if (how >= 32 && how < 64 && step == how - 32) {
            inject(faults[how & 1]);
            injected = true;
        }
        const PixmillRun next = run(512);
        if (next.action == PIXMILL_RUN_IDLE)
            return injected;
        if (next.action == PIXMILL_RUN_WAIT && next.when_ns > world_.now)
            world_.now = next.when_ns;
        if (next.action == PIXMILL_RUN_DRAW && !draw(bytes))
            return injected;
        if (migrating && step % 8 == 7 && step < most_migrating)
            migrate();
    }
    require(false, "bounded work ends");
    return injected;
}

void Frame::note_injection(uint32_t fault) {
    if (fault < count_of(table_.faults))
        injected_ |= uint64_t{1} << fault;
}

bool Frame::injected(std::initializer_list<std::string_view> faults) const {
    for (uint32_t i = 0; i < count_of(table_.faults); i++) {
        if (injected_ >> i & 1 && std::ranges::find(faults, table_.faults[i]) != faults.end())
            return true;
    }
    return false;
}

void Frame::inject(uint32_t fault) {
    const Entry entry(world_);
    note_injection(fault);
    table_.inject(core_, fault);
}

void Frame::reset() {
    const Entry entry(world_);
    table_.reset(core_);
    require(!world_.levels, "a line up after a reset");
}

uint32_t& Frame::saved_levels() {
    return *reinterpret_cast<uint32_t*>(state.data() + table_.state_levels);
}

void* Frame::save() {
    const Entry entry(world_);
    table_.save(core_, state.data());
    require(saved_levels() == world_.levels, "levels in a saved state");
    return state.data();
}

PixmillResult Frame::load() {
    const Entry entry(world_);
    return table_.load(core_, state.data());
}

void Frame::migrate() {
    (void)save();
    const PixmillResult result = load();
    require(result == PIXMILL_OK || (result == PIXMILL_ERROR_MEMORY && memory_ended()),
            "load of a saved state");
}

/* Keeps the current core if memory for the new one cannot be allocated. */
void Frame::move() {
    (void)save();
    const PixmillHost host = host_of(world_);
    PixmillCore* other = nullptr;
    PixmillResult result;
    {
        const Entry entry(world_);
        result = table_.create(config_, &host, &other);
    }
    if (result == PIXMILL_OK) {
        created(other);
        const Entry entry(world_);
        result = table_.load(other, state.data());
        if (result == PIXMILL_OK)
            std::swap(core_, other);
        else
            say("load without memory");
    }
    require(result == PIXMILL_OK || (result == PIXMILL_ERROR_MEMORY && memory_ended()),
            "a core that takes another's place");
    table_.destroy(other);
}

/* Logs all nonzero counters for the landmarks. */
void Frame::tell_counters() const {
    if (!looking)
        return;
    std::vector<uint64_t> counters(table_.counters_size / sizeof(uint64_t));
    table_.counters(core_, counters.data());
    for (const PixmillField* field = table_.counter_fields; field->name; field++) {
        if (counters[field->offset / sizeof(uint64_t)])
            say("counter %s", field->name);
    }
}

/* ---- Defaults that a family may override ---- */

uint32_t Frame::offset() {
    const uint8_t choice = in_.byte();
    if (choice >= 192)
        return choice < 224 ? in_.half() % table_.window : in_.word();
    PixmillRegister reg{};
    size_t count = 0;
    while (table_.register_at(core_, count, &reg))
        count++;
    (void)table_.register_at(core_, in_.byte() % count, &reg);
    return reg.offset;
}

uint32_t Frame::value() {
    return in_.byte() < 64 ? static_cast<uint32_t>(in_.address()) : in_.value();
}

size_t Frame::corrupted() {
    return in_.byte() < 128 ? in_.half() : in_.word();
}

/* ---- Inputs that pixmill-replay made from a capture ---- */

/*
 * Any bytes form valid steps.  The first byte of a step selects its kind, in the order of Step in
 * tools/replay/seeds.hpp.
 */
struct Frame::Captured {
    Frame& frame;
    Input& in;
    bool changing = false; /* while the state to load is being edited */

    void place() {
        const uint64_t low = in.word(), high = in.byte();
        memory().place(high << 32 | low, in.byte());
    }
    void words() {
        const uint32_t slot = in.byte(), at = in.half();
        for (uint32_t i = 0, count = in.byte(); i < count; i++)
            memory().set_slot_word(slot, at + i, in.word());
    }
    void fill() {
        const uint32_t slot = in.byte(), at = in.half(), count = in.half(), word = in.word();
        for (uint32_t i = 0; i < count % 1025; i++)
            memory().set_slot_word(slot, at + i, word);
    }
    void state() {
        if (!std::exchange(changing, true)) {
            frame.reset();
            (void)frame.save();
        }
        const size_t at = in.word();
        for (uint32_t i = 0, count = in.byte(); i < count; i++)
            fuzz::state[(at + i) % fuzz::state.size()] = in.byte();
    }
    void load() {
        if (!std::exchange(changing, false))
            return;
        frame.saved_levels() = frame.world_.levels;
        say(frame.load() == PIXMILL_OK ? "captured state" : "state refused");
    }
    uint32_t offset() { return in.half() * 4u % frame.table_.window; }
    void write() {
        const uint32_t at = offset();
        (void)frame.write(at, in.word());
    }
    void read() { (void)frame.read(offset()); }
    void work() { frame.work(in.byte() % 32, 4096, 0x2000); }
    void clock() { frame.world_.now += static_cast<int64_t>(in.word()) << in.byte() % 10; }
    void reset() { frame.reset(); }
    void call() {
        const PixmillCall* call = frame.table_.calls;
        for (uint32_t number = in.byte(); call->name && number; number--)
            call++;
        const uint32_t first = in.word(), second = in.word();
        if (call->name)
            frame.called(call->name, first, second);
    }
};

void Frame::play_captured() {
    static constexpr void (Captured::*steps[])() = {
        &Captured::place, &Captured::words, &Captured::fill, &Captured::state,
        &Captured::load,  &Captured::write, &Captured::read, &Captured::work,
        &Captured::clock, &Captured::reset, &Captured::call,
    };
    constexpr int most = 1024;
    allowance_ = 1 << 21;
    Captured captured{*this, in_};
    for (int i = 0; i < most && !in_.empty(); i++) {
        (captured.*steps[in_.byte() % std::size(steps)])();
        check();
    }
}

/* ---- Moves ---- */

void Frame::op_write() {
    const uint32_t at = offset() & ~3u;
    (void)write(at, value());
}

void Frame::op_read() {
    read_as_peeked(offset() & ~3u);
}

void Frame::op_narrow() {
    const uint32_t at = offset() + in_.byte() % 4;
    const uint32_t size = in_.byte() % 9;
    uint32_t value = 0;
    if (in_.byte() & 1)
        (void)read(at, size, value);
    else
        (void)write(at, in_.word(), size);
}

void Frame::op_memory() {
    const uint64_t address = in_.address();
    memory().set_word(address, in_.value());
}

void Frame::op_clock() {
    world_.now += static_cast<int64_t>(in_.half()) << in_.byte() % 24;
}

void Frame::op_interrupt() {
    if (draws())
        table_.interrupt(core_);
}

/* Returns the name of the member of the state that contains the byte at @where. */
std::string_view Frame::state_field(size_t where) const {
    const PixmillField* field = table_.state_fields;
    while (field[1].name && field[1].offset <= where)
        field++;
    return field->name;
}

void Frame::op_corrupt() {
    (void)save();
    for (int n = in_.byte() % 8; n >= 0; n--) {
        const size_t where = corrupted() % state.size();
        state[where] = in_.byte();
        const std::string_view field = state_field(where);
        if (field.starts_with("inject_") || field.starts_with("posted"))
            injected_ = UINT64_MAX; // any fault may be armed
    }
    saved_levels() = world_.levels; /* lines keep the levels that their receivers see */
    if (load() != PIXMILL_OK)
        say("state refused");
}

void Frame::op_inject() {
    constexpr uint8_t armed = 128; /* values from here on arm a fault */
    const uint8_t byte = in_.byte();
    const uint32_t fault = byte % armed % (count_of(table_.faults) + 1); /* the last is unknown */
    if (byte < armed || !table_.arm)
        return inject(fault);
    PixmillInjection how{};
    how.fault = fault;
    how.unit = in_.byte() % 3;
    how.first = in_.byte();
    how.chance = in_.byte() * 40; /* up to more than PIXMILL_CHANCE_ALWAYS */
    how.seed = in_.byte();
    how.after_ns = in_.byte() * 1000;
    how.length_ns = in_.byte() * 100000;
    const Entry entry(world_);
    note_injection(fault);
    const PixmillResult result = table_.arm(core_, &how);
    require(result == PIXMILL_OK || result == PIXMILL_ERROR_ARGUMENT, "result of arm()");
}

/* Makes allocations fail after some requests, or lets all succeed again. */
void Frame::op_memory_ends() {
    const uint8_t requests = in_.byte();
    if (memory_ended())
        say("memory ended");
    grant_memory(requests < 192 ? requests / 2 : kEndlessMemory);
}

void Frame::op_look() {
    PixmillRegister info{};
    const size_t first = in_.byte();
    for (size_t i = first; i < first + 8 && table_.register_at(core_, i, &info); i++) {
        require(info.offset < table_.window, "a register outside of the window");
        read_as_peeked(info.offset);
    }
    std::vector<uint8_t> counters(table_.counters_size);
    table_.counters(core_, counters.data());
    if (draws())
        (void)table_.draining(core_);
}

} // namespace pixmill::fuzz
