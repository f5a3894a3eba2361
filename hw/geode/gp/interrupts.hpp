// INT_CNTRL: the interrupt's causes and line.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/field.hpp"
#include "common/host.hpp"
#include "pixmill/geode.h"

namespace pixmill::geode {

class Interrupts {
public:
    Interrupts(const Host& host, PixmillGeodeGpState& s, PixmillGeodeGpCounters& counters)
        : host_(host), s_(s), counters_(counters) {}

    /// Sets the status bit of `cause` unless the bit `mask` is set.
    void raise(const Field& cause, const Field& mask);
    /// Clears the status bits that are 1 in `value`. Called on a write to INT_CNTRL.
    void clear(uint32_t value);
    bool pending() const;

    /// Updates the line from the status bits. Called at the end of an entry point.
    void update_line();
    bool settled() const { return pending() == bool(s_.irq_level); }

    void lose_next() { lose_next_ = true; }
    void reset() { lose_next_ = false; }

private:
    uint32_t& control() const;

    const Host& host_;
    PixmillGeodeGpState& s_;
    PixmillGeodeGpCounters& counters_;
    bool lose_next_ = false; ///< injected fault: the next interrupt is lost
};

} // namespace pixmill::geode
