// The executing and the pending operation. Starts and draws operations, and detects their end.
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
    /// Called for several words written to a port. Returns how many were consumed, at least one.
    uint32_t host_words(Port port, std::span<const uint32_t> words);
    /// Returns how many more words the executing operation takes from a port.
    uint32_t wanted(Port port) const;
    /// Starts an operation that waits for a vertical blank. Called when there are no more blanks.
    void release();
    /// Starts an operation that waits for a vertical blank if the blank has begun.
    void check_vblank();

    bool busy() const;    ///< true if an operation is executing
    bool pending() const; ///< true if another operation is pending
    /// True if the executing operation waits for host data.
    bool starves() const;
    bool takes(Port port) const;
    /// True if pixels of the executing operation can be drawn now.
    bool works() const;

    uint32_t room(Port port) const { return host_source_.room(port); }

    /// Accounts for the work of draw(). If the operation has ended, starts the pending one.
    void collect();
    /// Prepares for draw(), if there are pixels to draw.
    void prepare();

    /// Drops all operations. Called on a write to RESET.
    void drop();
    /// Performs a power-on reset. draw() must not be running.
    void reset();
    /// Continues the operations of a loaded state. Returns false if no core can have saved that
    /// state.
    bool restore();

    /// Returns the number of pixels drawn so far, including those that are not accounted for yet.
    uint64_t pixels() const;

    // ---- May run without the lock: see pixmill/core.h -------------------------
    /// Returns the largest cost between two checks for interrupt().
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
    Drawing drawing_;      ///< draws the executing operation
    bool ready_ = false;   ///< draw() may be working on it; never changes inside draw()
    uint64_t counted_ = 0; ///< pixels of that operation already added to the counters
    std::atomic<bool> stop_ = false, dropped_ = false;
};

} // namespace pixmill::geode
