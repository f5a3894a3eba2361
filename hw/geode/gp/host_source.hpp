// The two ports for data from the processor, and what has come to them.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "pixmill/geode.h"

namespace pixmill::geode {

enum class Port : uint32_t { hst_src, ch3_hsrc };

/// Words that the operation which executes has not taken yet. They are numbered from its start on.
class HostSource {
public:
    explicit HostSource(PixmillGeodeGpState& s) : s_(s) {}

    /// The number behind the last that has come.
    uint32_t received(Port port) const { return taken(port) + count(port); }
    uint32_t room(Port port) const { return PIXMILL_GEODE_GP_QUEUE_WORDS - count(port); }
    /// There is room.
    void put(Port port, std::span<const uint32_t> words);
    /// The bytes from that number on: byte 0 is the low one of word 0. It has come and is not
    /// taken.
    const std::byte* bytes(Port port, uint32_t byte) const;
    /// Those below `number` are not needed any more.
    void take(Port port, uint32_t number);
    /// An operation starts.
    void clear();
    bool plausible() const;

private:
    uint32_t& count(Port port) const { return s_.queue_count[uint32_t(port)]; }
    uint32_t& taken(Port port) const { return s_.queue_taken[uint32_t(port)]; }

    PixmillGeodeGpState& s_;
};

} // namespace pixmill::geode
