// The host interface of a core under benchmark.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "bench.hpp"
#include "pixmill/host.h"

namespace pixmill::bench {

/// A board with RAM at address 0 and no other hardware.
class Board {
public:
    explicit Board(size_t size = 16 << 20) : size_(size), ram_(size) {
        host_.api_version = PIXMILL_API_VERSION;
        host_.user = this;
        host_.map = [](void* user, uint64_t address, uint64_t* length, bool) -> void* {
            auto& board = *static_cast<Board*>(user);
            *length = address < board.size_ ? board.size_ - address : 4096;
            return address < board.size_ ? board.ram_.data() + address : nullptr;
        };
        host_.dirty = [](void*, uint64_t, uint64_t) {};
        host_.set_irq = [](void*, uint32_t, bool) {};
        host_.clock_ns = [](void*) -> int64_t { return 0; };
        host_.request_run = [](void*) {};
        host_.log = [](void*, PixmillLog, const char*) {};
        host_.trace = [](void*, PixmillTrace, uint64_t, uint64_t, const char*) {};
    }

    void poke(uint32_t address, uint32_t word) {
        std::memcpy(ram_.data() + address, &word, sizeof word);
    }
    std::byte* ram() { return ram_.data(); }
    const PixmillHost& host() const { return host_; }

private:
    size_t size_;
    Pool ram_;
    PixmillHost host_{};
};

} // namespace pixmill::bench
