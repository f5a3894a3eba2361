// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest_memory.hpp"

#include <algorithm>

namespace pixmill::vivante::vg {

namespace {
constexpr uint64_t page = 4096;
} // namespace

void GuestMemory::Errors::merge(const Errors& later) {
    if (!read && later.read)
        read_address = later.read_address;
    if (!write && later.write)
        write_address = later.write_address;
    read |= later.read;
    write |= later.write;
}

void GuestMemory::miss(uint64_t address, bool write) {
    Errors one;
    (write ? one.write : one.read) = true;
    (write ? one.write_address : one.read_address) = address;
    errors_.merge(one);
}

bool GuestMemory::any(uint64_t address, uint64_t end, bool write) {
    while (address < end) {
        uint64_t run = 0;
        if (bus_.map(address, &run, write))
            return true;
        address += std::min(run, end - address);
    }
    return false;
}

uint64_t GuestMemory::hole(uint64_t address, uint64_t end) {
    while (address < end) {
        uint64_t run = 0;
        if (!bus_.map(address, &run, false))
            break;
        address += std::min(run, end - address);
    }
    return address;
}

uint32_t GuestMemory::read(uint64_t address, unsigned bytes) {
    uint32_t value = 0;
    if (const std::byte* host = whole(address, bytes, false)) {
        std::memcpy(&value, host, bytes);
    } else if (!bus_.read(address, &value, bytes)) {
        miss(address, false);
        return 0;
    }
    return value;
}

void GuestMemory::write(uint64_t address, unsigned bytes, uint32_t value) {
    if (std::byte* host = whole(address, bytes, true)) {
        std::memcpy(host, &value, bytes);
        wrote(address, bytes);
        return;
    }
    for (unsigned i = 0; i < bytes; i++) {
        if (!whole(address + i, 1, true)) {
            miss(address, true);
            return;
        }
    }
    bus_.write(address, &value, bytes);
    written_ += bytes;
}

void GuestMemory::wrote(uint64_t address, uint64_t length) {
    written_ += length;
    const bool near = untold_end_ &&
                      (address == untold_end_ || (address / page == untold_ / page &&
                                                  (address + length - 1) / page == untold_ / page &&
                                                  (untold_end_ - 1) / page == untold_ / page));
    if (near) {
        untold_ = std::min(untold_, address);
        untold_end_ = std::max(untold_end_, address + length);
        return;
    }
    tell();
    untold_ = address;
    untold_end_ = address + length;
}

void GuestMemory::tell() {
    if (untold_end_)
        host_.dirty(untold_, untold_end_ - untold_);
    untold_ = untold_end_ = 0;
}

} // namespace pixmill::vivante::vg
