// Command lists and the ring buffer that submits them, as in the vendor's libraries.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "machine.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace nema {

/// A list of (register, value) pairs in GPU memory.
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
    /// Sets up the registers and queues the initialization commands, which run with the first
    /// submission.
    Ring(Machine& machine, std::span<uint32_t> words, uint32_t address);

    /// Submits a call to the list, followed by a write of its identifier and an interrupt. Returns
    /// the identifier.
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

/// Double-buffered command lists: one is filled while the GPU runs the other.
class Queue {
public:
    Queue(Ring& ring, std::span<uint32_t> words, uint32_t address);

    void add(uint32_t word, uint32_t value);
    void flush();  ///< submits the current list
    void finish(); ///< flushes, then waits for the GPU

private:
    static constexpr uint32_t LISTS = 2;
    Ring& ring_;
    std::array<CommandList, LISTS> lists_;
    std::array<uint32_t, LISTS> ids_{}; // identifiers of the lists' last submissions
    uint32_t current_ = 0;
};

} // namespace nema
