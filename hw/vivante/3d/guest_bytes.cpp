// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest_bytes.hpp"

#include <algorithm>
#include <cstring>

namespace pixmill::vivante {

namespace {

constexpr uint64_t address_space = uint64_t(1) << 32;

} // namespace

GuestBytes::~GuestBytes() {
    for (Window& window : windows_)
        flush_dirty(window);
    pages_.forget(memory_);
}

void GuestBytes::close(unsigned pipe) {
    flush_dirty(windows_[pipe]);
    windows_[pipe] = {};
}

void GuestBytes::open(unsigned pipe, const Rows& rows) {
    close(pipe);
    Window& window = windows_[pipe];
    const uint64_t size = uint64_t(rows.count - 1) * rows.stride + rows.length;
    if (faulted() || size >= address_space - rows.address)
        return;
    if (std::byte* host = memory_.map_contiguous(rows.address, size, access_))
        window = {rows, uint32_t(size), host};
}

GuestBytes::Page& GuestBytes::page_at(uint32_t address) {
    Page& page = pages_.find(memory_, address, access_);
    if (!page.host && faulted())
        stop();
    return page;
}

void GuestBytes::stop() {
    recent_.fill(&pages_.nothing());
    for (Window& window : windows_) {
        flush_dirty(window);
        window = {};
    }
}

std::byte* GuestBytes::find(unsigned pipe, uint32_t address, uint32_t length) {
    Page& page = page_at(address);
    if (!page.host || !page.holds(address, length))
        return nullptr;
    recent_[pipe] = &page;
    return page.host + (address - page.address);
}

std::byte* GuestBytes::copied(uint32_t address, uint32_t length) {
    pages_.read(memory_, address, access_, copy_.data(), length);
    if (faulted())
        stop();
    return copy_.data();
}

/// Marks the bytes that at() returned as dirty, after writing them back if they were a copy.
void GuestBytes::put(uint32_t address, uint32_t length) {
    bool copied = false;
    for (uint32_t done = 0; done < length;) {
        Page& page = page_at(address + done);
        const uint32_t skip = address + done - page.address;
        const uint32_t part = std::min(length - done, page.length - skip);
        copied |= part < length;
        if (page.host) {
            if (copied)
                std::memcpy(page.host + skip, copy_.data() + done, part);
            page.note.add(skip, part);
        }
        done += part;
    }
}

void GuestBytes::flush_dirty(Window& window) {
    const Dirty dirty = window.dirty;
    window.dirty = {};
    if (!dirty.end)
        return;
    const Rows& rows = window.rows;
    if (rows.count == 1 || rows.stride <= rows.length)
        return memory_.mark_dirty(rows.address + dirty.begin, dirty.end - dirty.begin);
    const uint64_t first = dirty.begin / rows.stride, last = (dirty.end - 1) / rows.stride;
    memory_.mark_dirty_rows(uint32_t(rows.address + first * rows.stride), rows.length, rows.stride,
                            uint32_t(last - first + 1));
}

} // namespace pixmill::vivante
