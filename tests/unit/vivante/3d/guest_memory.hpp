// Guest memory for surface tests, and the documented formulas for the positions of samples.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "common/memory/memory.hpp"
#include "vivante/3d/ts/layout.hpp"

namespace pixmill::vivante::test {

/// `size` bytes of memory at `base`. All other addresses are holes. Host memory stores pieces of
/// `piece` bytes in reverse order, so that adjacent pieces are not contiguous. If `piece` is 0, all
/// memory is contiguous.
class GuestMemory final : public Memory {
public:
    GuestMemory(uint32_t base, size_t size, uint32_t piece = 0)
        : base_(base), size_(size), piece_(piece ? piece : uint32_t(size)),
          host_((size + piece_ - 1) / piece_ * piece_), reported_(size), offered_(size) {}

    static constexpr uint8_t hole_value = 0xA5;
    uint32_t hole = 0, fault = 0; ///< special ranges of 256 bytes; 0: none

    HostSpan map(uint64_t address, uint64_t length, Access access) override {
        EXPECT_LT(address, uint64_t(1) << 32);
        EXPECT_GE(length, 1u);
        maps++;
        const auto at = uint32_t(address);
        if (stopped)
            ADD_FAILURE() << "access after a fault";
        if (fault && at - fault < special) {
            stopped = true;
            return {};
        }
        if ((hole && at - hole < special) || at - base_ >= size_)
            return {Mapping::hole, hole_value, nullptr,
                    std::min<uint64_t>(length, special - at % special), nullptr};
        const uint32_t offset = at - base_;
        uint64_t most = std::min<uint64_t>(piece_ - offset % piece_, size_ - offset);
        for (const uint32_t end : {hole, fault})
            if (end && end - at < most)
                most = end - at;
        const uint64_t found = std::min(length, most);
        if (access == Access::write)
            offer(offset, found);
        return {Mapping::host, 0, host(offset), found, nullptr};
    }
    void mark_dirty(uint64_t address, uint64_t length) override {
        const uint32_t offset = uint32_t(address) - base_;
        ASSERT_LT(address, uint64_t(1) << 32);
        ASSERT_LT(offset, size_);
        ASSERT_LE(length, size_ - offset);
        ASSERT_FALSE(std::memchr(offered_.data() + offset, 0, length))
            << "reported, but not mapped for writing";
        std::fill_n(reported_.begin() + offset, length, uint8_t(1));
    }
    std::byte* map_contiguous(uint64_t address, uint64_t length, Access access) override {
        const uint32_t offset = uint32_t(address) - base_;
        const auto overlaps = [&](uint32_t at) {
            return at && at - base_ < offset + length && at - base_ + special > offset;
        };
        if (piece_ < size_ || offset >= size_ || length > size_ - offset || overlaps(hole) ||
            overlaps(fault))
            return nullptr;
        if (access == Access::write)
            offer(offset, length);
        return host(offset);
    }

    /// Returns all bytes in guest order.
    std::vector<uint8_t> bytes() const {
        std::vector<uint8_t> all(size_);
        for (uint32_t at = 0; at < size_; at += piece_)
            std::memcpy(all.data() + at, place(at), std::min<size_t>(piece_, size_ - at));
        return all;
    }
    void set(const std::vector<uint8_t>& all) {
        for (uint32_t at = 0; at < size_; at += piece_)
            std::memcpy(host(at), all.data() + at, std::min<size_t>(piece_, size_ - at));
    }
    /// Fails the running test if a byte that differs from `before` has not been reported.
    void expect_reported(const std::vector<uint8_t>& before) const {
        const std::vector<uint8_t> now = bytes();
        size_t at = 0;
        while (at < size_ && (now[at] == before[at] || reported_[at]))
            at++;
        ASSERT_EQ(at, size_) << "changed but not reported";
    }

    unsigned maps = 0;
    bool stopped = false; ///< a fault has occurred

private:
    static constexpr uint32_t special = 0x100;

    const std::byte* place(uint32_t offset) const {
        const auto pieces = uint32_t(host_.size() / piece_);
        return host_.data() + size_t(pieces - 1 - offset / piece_) * piece_ + offset % piece_;
    }
    std::byte* host(uint32_t offset) { return const_cast<std::byte*>(place(offset)); }
    void offer(uint64_t offset, uint64_t length) {
        std::fill_n(offered_.begin() + ptrdiff_t(offset), length, uint8_t(1));
    }

    const uint32_t base_;
    const size_t size_;
    const uint32_t piece_;
    std::vector<std::byte> host_;
    std::vector<uint8_t> reported_, offered_;
};

inline std::vector<uint8_t> random_bytes(size_t size, uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<uint8_t> all(size);
    for (uint8_t& byte : all)
        byte = uint8_t(random());
    return all;
}

/// The position of a sample in memory. The formulas for tiles, supertiles and surfaces of two pipes
/// are those of etna_viv's doc/hardware.md.
struct Sample {
    unsigned pipe;
    uint32_t offset;
};
inline Sample sample_at(Layout layout, uint32_t stride, uint32_t bytes, uint32_t x, uint32_t y) {
    uint32_t tx = x >> 2, ty = y >> 2;
    unsigned pipe = 0;
    const uint32_t inside = ((y & 3) * 4 + (x & 3)) * bytes;
    switch (layout) {
    case Layout::linear:
        return {0, y * stride + x * bytes};
    case Layout::multi_tiled:
        pipe = (tx ^ ty) & 1;
        tx = (tx & ~1u) | (ty & 1);
        ty >>= 1;
        break;
    case Layout::multi_supertiled:
        pipe = ((tx >> 1) ^ ty) & 1;
        tx = (tx & ~2u) | (ty & 1) << 1;
        ty >>= 1;
        break;
    default:
        break;
    }
    if (layout == Layout::tiled || layout == Layout::multi_tiled)
        return {pipe, ty * 4 * stride + tx * 16 * bytes + inside};
    const uint32_t a = tx & 15, b = ty & 15;
    const uint32_t number = (b >> 2) * 64 + (a >> 1) * 8 + (b & 3) * 2 + (a & 1);
    return {pipe,
            (ty >> 4) * 64 * stride + (tx >> 4) * 4096 * bytes + number * 16 * bytes + inside};
}

constexpr Layout all_layouts[] = {Layout::linear, Layout::tiled, Layout::supertiled,
                                  Layout::multi_tiled, Layout::multi_supertiled};

} // namespace pixmill::vivante::test
