// SPDX-License-Identifier: GPL-2.0-or-later
#include "ring.hpp"

#include "gpu.hpp"

namespace nema {

namespace {

constexpr uint32_t WRAP_WORDS = 4;        // the jump to the start, at the end of the ring
constexpr uint32_t JUMP_WORDS = 4;        // the jump to the next submission
constexpr uint32_t SUBMISSION_WORDS = 12; // call, identifier and interrupt, jump

} // namespace

Ring::Ring(Machine& machine, std::span<uint32_t> words, uint32_t address)
    : machine_(machine), words_(words), address_(address) {
    machine_.write(reg::INT_CTRL, 0);
    jump(uint32_t(words_.size()) - WRAP_WORDS, 0);
    machine_.write(reg::CMD_LIST_ID, 0);
    store(word::ENABLE | word::NO_TRIGGER);
    machine_.write(reg::CMD_ADDR, address_);
    machine_.write(reg::CMD_SIZE, uint32_t(words_.size_bytes()));
    machine_.write(reg::CMD_STAT, 0);
    machine_.write(reg::STAT, 0);
    initial_commands();
}

void Ring::initial_commands() {
    add(reg::INT_CTRL, 0);
    for (uint32_t slot = 24; slot < PASS_THROUGH_SLOT; ++slot)
        load_slot(slot, 0);
    load_slot(PASS_THROUGH_SLOT, PASS_THROUGH);
    add(reg::BLEND_MODE, 1);
    add(reg::C0_REG, 0);
    add(reg::C0_REG + 4, 0xFFFFFFFF);
}

void Ring::load_slot(uint32_t slot, uint64_t instruction) {
    add(reg::IMEM_ADDR, slot);
    add(reg::IMEM_DATA_LOW, uint32_t(instruction));
    add(reg::IMEM_DATA_HIGH, uint32_t(instruction >> 32));
}

void Ring::add(uint32_t word, uint32_t value) {
    words_[used_++] = word;
    words_[used_++] = value;
}

// CMD_SIZE is in words. The libraries nevertheless write the ring's size in bytes, a limit that is
// never reached.
void Ring::jump(uint32_t at, uint32_t target) {
    words_[at] = word::HOLD | reg::CMD_ADDR;
    words_[at + 1] = address_of(target);
    words_[at + 2] = word::HOLD | reg::CMD_SIZE;
    words_[at + 3] = uint32_t(words_.size_bytes());
}

void Ring::store(uint32_t flags) {
    machine_.write(reg::RING_BUF_STORE, address_of(used_) | flags);
}

uint32_t Ring::submit(const CommandList& list) {
    add(reg::CMD_ADDR, list.address());
    add(word::CALL | reg::CMD_SIZE, list.words_used());
    store(word::ENABLE);
    add(reg::CMD_LIST_ID, ++last_id_);
    add(reg::INT_CTRL, 1);
    go_on();
    store(word::ENABLE);
    return last_id_;
}

// Adds a jump to the next submission, which follows this one or, if the ring is full, is at its
// start.
void Ring::go_on() {
    const uint32_t wrap = uint32_t(words_.size()) - WRAP_WORDS;
    if (used_ + JUMP_WORDS + SUBMISSION_WORDS > wrap) {
        while (used_ < wrap)
            add(word::NOP, word::NOP);
        used_ = 0;
    }
    jump(used_, used_ + JUMP_WORDS);
    used_ += JUMP_WORDS;
}

bool Ring::done(uint32_t id) const {
    return int32_t(machine_.interrupts().list_id - id) >= 0;
}

void Ring::wait(uint32_t id) {
    for (;;) {
        const uint32_t seen = machine_.interrupts().completions;
        if (done(id))
            return;
        machine_.sleep_while(machine_.interrupts().completions, seen);
    }
}

Queue::Queue(Ring& ring, std::span<uint32_t> words, uint32_t address) : ring_(ring) {
    const size_t size = words.size() / LISTS & ~size_t(1);
    for (uint32_t i = 0; i < LISTS; ++i)
        lists_[i] = CommandList(words.subspan(i * size, size), address + uint32_t(4 * i * size));
}

void Queue::add(uint32_t word, uint32_t value) {
    if (lists_[current_].full())
        flush();
    lists_[current_].add(word, value);
}

void Queue::flush() {
    if (lists_[current_].words_used() == 0)
        return;
    ids_[current_] = ring_.submit(lists_[current_]);
    current_ = (current_ + 1) % LISTS;
    ring_.wait(ids_[current_]);
    lists_[current_].rewind();
}

void Queue::finish() {
    flush();
    for (uint32_t id : ids_)
        ring_.wait(id);
}

} // namespace nema
