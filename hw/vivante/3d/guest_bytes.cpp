// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest_bytes.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace pixmill::vivante {

namespace {

constexpr uint64_t address_space = uint64_t(1) << 32;

} // namespace

GuestBytes::~GuestBytes() {
    for (Window& window : windows_)
        flush_dirty(window);
    for (size_t i = 0; i < known_.size(); i++)
        for (uint64_t left = known_[i]; left; left &= left - 1)
            flush_dirty(runs_[64 * i + size_t(std::countr_zero(left))]);
}

void GuestBytes::close(unsigned pipe) {
    flush_dirty(windows_[pipe]);
    windows_[pipe] = {};
}

void GuestBytes::open(unsigned pipe, const Rows& rows) {
    close(pipe);
    Window& window = windows_[pipe];
    const uint64_t size = uint64_t(rows.count - 1) * rows.stride + rows.length;
    if (faulted_ || size >= address_space - rows.address)
        return;
    if (std::byte* host = memory_.map_contiguous(rows.address, size, access_))
        window = {rows, uint32_t(size), host};
}

/// Where the page of `address` is mapped. Only what is accessed may fault: a run begins there.
GuestBytes::Run& GuestBytes::run_at(uint32_t address) {
    // Pages of a row of tiles lie a power of two apart: their numbers are spread by the golden
    // ratio.
    const uint32_t slot = address / page * 0x9E3779B1u >> (32 - log_slots);
    const uint64_t bit = uint64_t(1) << slot % 64;
    uint64_t& word = known_[slot / 64];
    Run& run = runs_[slot];
    const bool known = word & bit;
    if (known && !faulted_ && address - run.address < run.length)
        return run;
    nothing_ = {address, page, nullptr, {}, 0};
    if (faulted_)
        return nothing_;
    const HostSpan found = memory_.map(address, page - address % page, access_);
    if (found.mapping == Mapping::fault) {
        stop();
        return nothing_;
    }
    if (known)
        flush_dirty(run);
    word |= bit;
    run = {address,
           uint32_t(std::min<uint64_t>(found.length, page - address % page)),
           found.mapping == Mapping::host ? found.host : nullptr,
           {},
           found.hole_value};
    return run;
}

void GuestBytes::stop() {
    faulted_ = true;
    recent_ = {&nothing_, &nothing_};
    for (Window& window : windows_) {
        flush_dirty(window);
        window = {};
    }
}

std::byte* GuestBytes::find(unsigned pipe, uint32_t address, uint32_t length) {
    Run& run = run_at(address);
    if (!run.host || !holds(run, address, length))
        return nullptr;
    recent_[pipe] = &run;
    return run.host + (address - run.address);
}

std::byte* GuestBytes::copied(uint32_t address, uint32_t length) {
    for (uint32_t done = 0; done < length;) {
        const Run& run = run_at(address + done);
        const uint32_t skip = address + done - run.address;
        const uint32_t part = std::min(length - done, run.length - skip);
        if (run.host)
            std::memcpy(copy_.data() + done, run.host + skip, part);
        else
            std::memset(copy_.data() + done, run.hole_value, part);
        done += part;
    }
    return copy_.data();
}

/// Bytes that at() has given: in place or copied.
void GuestBytes::put(uint32_t address, uint32_t length) {
    bool copied = false;
    for (uint32_t done = 0; done < length;) {
        Run& run = run_at(address + done);
        const uint32_t skip = address + done - run.address;
        const uint32_t part = std::min(length - done, run.length - skip);
        copied |= part < length;
        if (run.host) {
            if (copied)
                std::memcpy(run.host + skip, copy_.data() + done, part);
            run.dirty.add(skip, part);
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

void GuestBytes::flush_dirty(const Run& run) {
    if (run.dirty.end)
        memory_.mark_dirty(run.address + run.dirty.begin, run.dirty.end - run.dirty.begin);
}

} // namespace pixmill::vivante
