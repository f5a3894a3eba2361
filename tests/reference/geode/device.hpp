// Registers, status, interrupts and the command ring of the independent Geode LX model.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "parts.hpp"

namespace reference::geode {

/// The fields of a packet's header word.
struct Header {
    uint32_t word;
    bool wraps() const { return bit(word, 31); }
    uint32_t type() const { return bits(word, 30, 29); }
    bool waits_for_idle() const { return bit(word, 28); }
    bool enables(unsigned position) const { return bit(word, position); }
};
struct Count {
    uint32_t word;
    uint32_t type() const { return bits(word, 31, 29); }
    uint32_t words() const { return bits(word, 16, 0); }
    bool loads_patterns() const { return type() == 2 || type() == 3; }
};

class Device {
public:
    Device(std::vector<uint8_t>& vram, uint32_t base) : memory_{vram, base} { reset(); }

    void write(uint32_t offset, uint32_t size, uint32_t value);
    uint32_t read(uint32_t offset, uint32_t size);
    bool interrupt() const { return became_empty_ || became_idle_; }

    std::array<uint64_t, 6> msr{0x0003D400};

private:
    uint32_t& at(Offset offset) { return registers_[offset / 4]; }
    uint32_t at(Offset offset) const { return registers_[offset / 4]; }

    // Registers.
    void reset();
    void store(uint32_t offset, uint32_t word, uint32_t lanes);
    void store_int_cntrl(uint32_t word, uint32_t lanes);
    uint32_t load(uint32_t offset);
    uint32_t status() const;
    bool is_empty() const { return at(cmd_read) == at(cmd_write); }
    void load_lut(uint32_t word);

    // Operations.
    void start(bool is_vector);
    void work();
    void deliver(uint32_t word, bool to_channel_3);

    // ring.cpp
    void work_off_ring();
    bool packet();
    bool must_wait(const Header& header);
    void register_packet(const Header& header);
    void load_packet(const Header& header);
    bool trailing_data();
    void forget_packet();
    void data(const Count& count, bool enabled);
    void deliver_data(uint32_t type, uint32_t number, uint32_t word);
    void end_packet(const Header& header);
    uint32_t next_pointer(uint32_t pointer) const;
    uint32_t peek(uint32_t pointer) const;
    uint32_t fetch();

    Memory memory_;
    std::array<uint32_t, registers_end / 4> registers_{};
    Lut lut_{};
    bool settled_ = false; ///< CE reports the ring's state instead of its reset value
    bool underflow_ = false;
    bool became_empty_ = false, became_idle_ = false; ///< conditions of I0 and I1
    bool completed_ = false;                          ///< an operation completed in this access
    std::optional<Operation> running_, pending_;

    /// The header of a packet whose registers are loaded but whose data has to wait.
    std::optional<Header> waiting_packet_;
    std::optional<Count> waiting_data_; ///< the packet's count word, once fetched
    uint64_t words_since_doorbell_ = 0;
};

} // namespace reference::geode
