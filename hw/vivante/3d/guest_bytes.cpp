// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest_bytes.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace pixmill::vivante {

using render::Access;
using render::Mapping;

namespace {

constexpr uint64_t address_space = uint64_t(1) << 32;

} // namespace

GuestBytes::~GuestBytes() {
    for (Window& window : windows_)
        report(window);
    for (uint64_t left = known_; left; left &= left - 1)
        report(runs_[size_t(std::countr_zero(left))]);
}

void GuestBytes::open(unsigned pipe, const Rows& rows) {
    Window& window = windows_[pipe];
    report(window);
    window = {};
    const uint64_t size = uint64_t(rows.count - 1) * rows.stride + rows.length;
    if (faulted_ || size >= address_space - rows.address)
        return;
    if (std::byte* host = memory_.whole(rows.address, size, access_))
        window = {rows, uint32_t(size), host};
}

/// Where the page of `address` is mapped. Only what is accessed may fault: a run begins there.
GuestBytes::Run& GuestBytes::run_at(uint32_t address) {
    const uint32_t number = address / page;
    const uint32_t slot = (number ^ number >> 6 ^ number >> 12) % runs_.size();
    Run& run = runs_[slot];
    const bool known = known_ >> slot & 1;
    if (known && !faulted_ && address - run.address < run.length)
        return run;
    nothing_ = {address, page, nullptr, {}, 0};
    if (faulted_)
        return nothing_;
    const render::Run found = memory_.map(address, page - address % page, access_);
    if (found.mapping == Mapping::fault) {
        stop();
        return nothing_;
    }
    if (known)
        report(run);
    known_ |= uint64_t(1) << slot;
    run = {address,
           uint32_t(std::min<uint64_t>(found.length, page - address % page)),
           found.mapping == Mapping::host ? found.host : nullptr,
           {},
           found.hole_value};
    return run;
}

void GuestBytes::stop() {
    faulted_ = true;
    for (Window& window : windows_) {
        report(window);
        window = {};
    }
}

std::byte* GuestBytes::find(uint32_t address, uint32_t length) {
    for (uint32_t done = 0; done < length;) {
        const Run& run = run_at(address + done);
        const uint32_t skip = address + done - run.address;
        if (!done && run.host && length <= run.length - skip)
            return run.host + skip;
        const uint32_t part = std::min(length - done, run.length - skip);
        if (run.host)
            std::memcpy(copy_.data() + done, run.host + skip, part);
        else
            std::memset(copy_.data() + done, run.hole_value, part);
        done += part;
    }
    return copy_.data();
}

/// Bytes that find() has given: in place or copied.
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
            run.changed.add(skip, part);
        }
        done += part;
    }
}

void GuestBytes::report(Window& window) {
    const Changed changed = window.changed;
    window.changed = {};
    if (!changed.end)
        return;
    const Rows& rows = window.rows;
    if (rows.count == 1 || rows.stride <= rows.length)
        return memory_.wrote(rows.address + changed.begin, changed.end - changed.begin);
    const uint64_t first = changed.begin / rows.stride, last = (changed.end - 1) / rows.stride;
    memory_.wrote_rows(uint32_t(rows.address + first * rows.stride), rows.length, rows.stride,
                       uint32_t(last - first + 1));
}

void GuestBytes::report(const Run& run) {
    if (run.changed.end)
        memory_.wrote(run.address + run.changed.begin, run.changed.end - run.changed.begin);
}

} // namespace pixmill::vivante
