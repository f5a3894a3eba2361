// The two ports for host data, and the words written to them.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "pixmill/geode.h"

namespace pixmill::geode {

enum class Port : uint32_t { hst_src, ch3_hsrc };

/// Words that the executing operation has not taken yet. Words are numbered from the start of the
/// operation.
class HostSource {
public:
    explicit HostSource(PixmillGeodeGpState& s) : s_(s) {}

    /// Returns how many words have arrived since the operation started.
    uint32_t received(Port port) const { return taken(port) + count(port); }
    uint32_t room(Port port) const { return PIXMILL_GEODE_GP_QUEUE_WORDS - count(port); }
    /// Queues words. The caller must check room() first.
    void put(Port port, std::span<const uint32_t> words);
    /// Returns a pointer to queued byte `byte`, which must have arrived and must not have been
    /// taken. Byte 0 is the low byte of word 0.
    const std::byte* bytes(Port port, uint32_t byte) const;
    /// Drops the words before word `number`, which are no longer needed.
    void take(Port port, uint32_t number);
    /// Drops all words. Called when an operation starts.
    void clear();
    bool is_valid() const;

private:
    uint32_t& count(Port port) const { return s_.queue_count[uint32_t(port)]; }
    uint32_t& taken(Port port) const { return s_.queue_taken[uint32_t(port)]; }

    PixmillGeodeGpState& s_;
};

} // namespace pixmill::geode
