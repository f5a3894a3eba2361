// The executing operation and the pending one: starts them, draws them and detects their end.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "common/memory/physical_memory.hpp"
#include "drawing.hpp"
#include "pixmill/geode.h"

namespace pixmill::geode {

class Core;

class Operations {
public:
    explicit Operations(Core& core);

    /// Called on a write to BLT_MODE or VECTOR_MODE.
    void start(OperationKind kind);
    /// Called for a word written to a port.
    void host_word(Port port, uint32_t word) { (void)host_words(port, {&word, 1}); }
    /// The same for several words. Returns how many were consumed, at least one.
    uint32_t host_words(Port port, std::span<const uint32_t> words);
    /// Returns how many more words the executing operation takes.
    uint32_t wanted(Port port) const;
    /// Called when there are no more vertical blanks: nothing waits for one.
    void release();
    /// Starts an operation that waits for a vertical blank once the blank has begun.
    void check_vblank();

    bool busy() const;    ///< an operation executes
    bool pending() const; ///< and another one waits
    /// True if the executing operation lacks host data.
    bool starves() const;
    bool takes(Port port) const;
    /// True if pixels of the executing operation can be drawn.
    bool works() const;

    uint32_t room(Port port) const { return host_source_.room(port); }

    /// Accounts for what draw() has done. The pending operation follows one that ends.
    void collect();
    /// Prepares draw(), if there is something to draw.
    void prepare();

    /// Called on a write to RESET: drops all operations.
    void drop();
    /// Power-on reset. No draw() may be running.
    void reset();
    /// Continues the operations of a loaded state. Returns false if no core could have saved it.
    bool restore();

    // ---- Without the lock: see pixmill/core.h ---------------------------------
    /// Returns the most work between two checks for interrupt().
    uint64_t draw(uint64_t budget_bytes);
    void interrupt() { stop_.store(true, std::memory_order_relaxed); }
    bool draining() const { return dropped_.load(std::memory_order_relaxed); }

private:
    enum Slot : uint32_t { executes, waits };

    OperationKind kind(Slot slot) const { return OperationKind(s_.operation[slot]); }
    Latched latched(Slot slot) const;
    bool reads_lut(Slot slot) const { return Channel3Mode(latched(slot)).reads_lut(); }
    void put(Slot slot, OperationKind kind, const uint32_t* reg, const uint32_t* lut);
    void empty(Slot slot);
    void begin();
    void end();
    void move_up();
    void clear();
    void forget_unread_luts();
    void account();
    void report_errors();
    int64_t next_blank() const;
    bool restore_drawing();
    bool is_possible(Port port, uint32_t taken, uint32_t words) const;

    Core& core_;
    PixmillGeodeGpState& s_;
    PhysicalMemory memory_;
    HostSource host_source_;
    Drawing drawing_;      ///< of the executing operation
    bool ready_ = false;   ///< draw() may be working on it; never changes inside draw()
    uint64_t counted_ = 0; ///< its pixels that the counters include
    std::atomic<bool> stop_ = false, dropped_ = false;
};

} // namespace pixmill::geode
