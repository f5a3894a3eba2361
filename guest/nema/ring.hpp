// The ring buffer through which the vendor's libraries submit command lists, and the lists.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "machine.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace nema {

/// Pairs in memory that the GPU reads.
class CommandList {
public:
    CommandList() = default;
    CommandList(std::span<uint32_t> words, uint32_t address) : words_(words), address_(address) {}

    void add(uint32_t word, uint32_t value) {
        words_[used_++] = word;
        words_[used_++] = value;
    }
    void rewind() { used_ = 0; }
    bool full() const { return used_ + 2 > words_.size(); }
    uint32_t words_used() const { return used_; }
    uint32_t address() const { return address_; }

private:
    std::span<uint32_t> words_;
    uint32_t address_ = 0, used_ = 0;
};

class Ring {
public:
    /// Sets the registers up; the commands of the initialisation are run with the first submission.
    Ring(Machine& machine, std::span<uint32_t> words, uint32_t address);

    /// Calls the list, then publishes its identifier, which is returned, and interrupts.
    uint32_t submit(const CommandList& list);
    bool done(uint32_t id) const;
    void wait(uint32_t id);

private:
    void add(uint32_t word, uint32_t value);
    void jump(uint32_t at, uint32_t target);
    void initial_commands();
    void load_slot(uint32_t slot, uint64_t instruction);
    void go_on();
    uint32_t address_of(uint32_t word) const { return address_ + 4 * word; }
    void store(uint32_t flags);

    Machine& machine_;
    std::span<uint32_t> words_;
    uint32_t address_, used_ = 0, last_id_ = 0;
};

/// One list is filled while the GPU works on another one.
class Queue {
public:
    Queue(Ring& ring, std::span<uint32_t> words, uint32_t address);

    void add(uint32_t word, uint32_t value);
    void flush();  ///< submits what there is
    void finish(); ///< ... and waits for all of it

private:
    static constexpr uint32_t LISTS = 2;
    Ring& ring_;
    std::array<CommandList, LISTS> lists_;
    std::array<uint32_t, LISTS> ids_{}; // of their last submissions
    uint32_t current_ = 0;
};

} // namespace nema
