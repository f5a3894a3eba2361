// A byte buffer between guard pages. An access outside the buffer ends the program.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

namespace pixmill::render::test {

/// Zeroed bytes between two inaccessible pages. `Edge` selects the end that touches its guard page.
/// Both ends do if the size is a multiple of the page size. Not thread-safe.
class GuardedBytes {
public:
    enum class Edge : bool { begin, end };

    GuardedBytes(size_t size, Edge edge) : GuardedBytes(edge, size) { std::memset(data_, 0, size); }
    GuardedBytes(const GuardedBytes& o) : GuardedBytes(o.edge_, o.size_) {
        std::memcpy(data_, o.data_, size_);
    }
    GuardedBytes(GuardedBytes&& o) noexcept { swap(o); }
    GuardedBytes& operator=(GuardedBytes o) noexcept {
        swap(o);
        return *this;
    }
    ~GuardedBytes() {
        if (mapping_)
            unmap(mapping_, pages_);
    }

    size_t size() const { return size_; }
    std::byte* data() { return data_; }
    const std::byte* data() const { return data_; }
    std::byte* begin() { return data_; }
    std::byte* end() { return data_ + size_; }
    std::byte& operator[](size_t i) { return data_[i]; }
    const std::byte& operator[](size_t i) const { return data_[i]; }
    bool operator==(const GuardedBytes& o) const {
        return size_ == o.size_ && std::equal(data_, data_ + size_, o.data_);
    }

private:
    /// Does not clear pages that are reused.
    GuardedBytes(Edge edge, size_t size)
        : size_(size), edge_(edge), pages_((size + page_size() - 1) / page_size()),
          mapping_(map(pages_)),
          data_(mapping_ + (edge == Edge::end ? pages_ * page_size() - size : 0)) {}

    /// Mappings of up to this many pages are kept for reuse, because mapping takes longer than most
    /// draws.
    static constexpr size_t most_kept = 64;

    static size_t page_size() {
        static const auto size = size_t(sysconf(_SC_PAGESIZE));
        return size;
    }

    static std::vector<std::byte*>& kept(size_t pages) {
        static std::vector<std::byte*> all[most_kept + 1];
        return all[pages];
    }

    /// Returns the first of `pages` usable pages.
    static std::byte* map(size_t pages) {
        if (pages <= most_kept && !kept(pages).empty()) {
            std::byte* const mapping = kept(pages).back();
            kept(pages).pop_back();
            return mapping;
        }
        void* const all =
            mmap(nullptr, (pages + 2) * page_size(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        std::byte* const mapping = static_cast<std::byte*>(all) + page_size();
        if (all == MAP_FAILED ||
            (pages && mprotect(mapping, pages * page_size(), PROT_READ | PROT_WRITE)))
            std::abort();
        return mapping;
    }

    static void unmap(std::byte* mapping, size_t pages) {
        if (pages <= most_kept)
            kept(pages).push_back(mapping);
        else
            munmap(mapping - page_size(), (pages + 2) * page_size());
    }

    void swap(GuardedBytes& o) {
        std::swap(size_, o.size_);
        std::swap(edge_, o.edge_);
        std::swap(pages_, o.pages_);
        std::swap(mapping_, o.mapping_);
        std::swap(data_, o.data_);
    }

    size_t size_ = 0;
    Edge edge_ = Edge::end;
    size_t pages_ = 0;
    std::byte* mapping_ = nullptr; ///< null after a move
    std::byte* data_ = nullptr;
};

} // namespace pixmill::render::test
