// The bytes that a core has reported to a host that watches.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "fake_host.hpp"

namespace pixmill::test {

/// The bytes of a piece of memory that any of `accesses` names.
class WatchedBytes {
public:
    WatchedBytes(const std::vector<Transfer>& accesses, uint64_t base, size_t size)
        : any(size), written(size) {
        for (const Transfer& access : accesses)
            for (uint64_t i = 0; i < access.range.len; i++) {
                const uint64_t at = access.range.addr + i - base;
                if (at >= size)
                    continue;
                any[at] = true;
                written[at] = written[at] || access.transfer == PIXMILL_TRANSFER_WRITE;
            }
    }

    /// Returns `memory` with random values in all bytes that the core has not accessed. If a core
    /// reports all its accesses, it cannot notice the change.
    std::vector<uint8_t> scramble(std::vector<uint8_t> memory) const {
        std::minstd_rand random(1);
        for (size_t i = 0; i < memory.size(); i++)
            if (!any[i])
                memory[i] = uint8_t(random() >> 8);
        return memory;
    }

    /// Returns the number of written bytes that differ.
    size_t differences(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b) const {
        size_t count = 0;
        for (size_t i = 0; i < written.size(); i++)
            count += written[i] && a[i] != b[i];
        return count;
    }

    std::vector<bool> any, written;
};

} // namespace pixmill::test
