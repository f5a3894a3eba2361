// INT_CNTRL: the causes of the interrupt, and its line.
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

    /// `cause` has happened: its status bit is set unless `mask` is.
    void raise(const Field& cause, const Field& mask);
    /// INT_CNTRL is written: a status bit that is 1 in `value` is cleared.
    void clear(uint32_t value);
    bool pending() const;

    /// Brings the line to what the status bits say; at the end of an entry point.
    void settle();
    bool settled() const { return pending() == bool(s_.irq_level); }

    void lose_next() { lose_next_ = true; }
    void reset() { lose_next_ = false; }

private:
    uint32_t& control() const;

    const Host& host_;
    PixmillGeodeGpState& s_;
    PixmillGeodeGpCounters& counters_;
    bool lose_next_ = false; ///< injection
};

} // namespace pixmill::geode
