// The operation that executes and the one that is pending: who starts them, draws them and learns
// that they are done.
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

    /// BLT_MODE or VECTOR_MODE has been written.
    void start(OperationKind kind);
    /// A word has come to a port.
    void host_word(Port port, uint32_t word) { (void)host_words(port, {&word, 1}); }
    /// Several have; returns how many of the first could be treated alike, at least one.
    uint32_t host_words(Port port, std::span<const uint32_t> words);
    /// Words that the operation which executes will take yet.
    uint32_t wanted(Port port) const;
    /// There are no vertical blanks any more: nothing waits for one.
    void release();
    /// What waits for a vertical blank starts if that has begun.
    void look_at_the_time();

    bool busy() const;    ///< one executes
    bool pending() const; ///< and one waits
    /// The one that executes lacks words of host data.
    bool starves() const;
    bool takes(Port port) const;
    /// Pixels of it can be drawn.
    bool works() const;

    uint32_t room(Port port) const { return host_source_.room(port); }

    /// Accounts for what draw() has done; the operation that is pending follows the one that ends.
    void collect();
    /// draw() may be called.
    void prepare();

    /// RESET has been written: nothing goes on.
    void drop();
    /// Power-on; no draw() is running.
    void reset();
    /// Goes on with the operations of a loaded state. False: no core has saved that.
    bool restore();

    // ---- Beside the other entry points: see pixmill/core.h --------------------
    uint64_t draw(uint64_t budget_bytes); ///< the most work between two looks at requests
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
    Drawing drawing_;      ///< of the operation that executes
    bool ready_ = false;   ///< draw() may be working on it; changes outside of draw() only
    uint64_t counted_ = 0; ///< pixels of it that are in the counters
    std::atomic<bool> stop_ = false, dropped_ = false;
};

} // namespace pixmill::geode
