/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "recycled.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace pixmill::test {
namespace {

constexpr size_t kLeast = 64 << 10; /* malloc() is quick for smaller blocks */
constexpr size_t kMost = 4 << 20; /* calloc() need not clear larger ones, which are often sparse */
constexpr size_t kBlocks = 16;

struct Block {
    uint8_t* start;
    size_t bytes;
};

std::mutex lock;
Block kept[kBlocks]; /* the latest one last */
size_t count;

uint8_t* kept_block(size_t bytes) {
    const std::lock_guard guard(lock);
    for (size_t i = count; i-- > 0;) {
        if (kept[i].bytes != bytes)
            continue;
        uint8_t* start = kept[i].start;
        std::move(kept + i + 1, kept + count--, kept + i);
        return start;
    }
    return nullptr;
}

/* Returns the block to free, or null. */
uint8_t* keep(Block block) {
    const std::lock_guard guard(lock);
    uint8_t* oldest = nullptr;
    if (count == kBlocks) {
        oldest = kept[0].start;
        std::move(kept + 1, kept + count--, kept);
    }
    kept[count++] = block;
    return oldest;
}

} // namespace

uint8_t* take_zeros(size_t bytes) {
    if (uint8_t* block = kept_block(bytes)) {
        ASAN_UNPOISON_MEMORY_REGION(block, bytes);
        std::memset(block, 0, bytes);
        return block;
    }
    auto* block = static_cast<uint8_t*>(std::calloc(1, bytes));
    if (!block)
        std::abort();
    return block;
}

void give_back(uint8_t* block, size_t bytes) {
    if (bytes >= kLeast && bytes <= kMost) {
        ASAN_POISON_MEMORY_REGION(block, bytes);
        block = keep({block, bytes});
    }
    std::free(block);
}

} // namespace pixmill::test
