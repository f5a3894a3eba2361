// SPDX-License-Identifier: GPL-2.0-or-later
#include "host.hpp"

#include <cstdarg>
#include <cstdio>

namespace pixmill {

namespace {
constexpr uint64_t page = 0x1000;
}

bool Host::first(Cause cause, uint32_t detail) {
    const uint64_t key = (uint64_t(cause.id) + 1) << 32 | detail; // never 0
    const size_t start = (key * 0x9E3779B97F4A7C15u) >> 54;
    for (size_t i = 0; i < 64; i++) {
        uint64_t& slot = seen_[(start + i) % seen_.size()];
        if (slot == key)
            return false;
        if (slot == 0) {
            slot = key;
            return true;
        }
    }
    return false;
}

void Host::guest_error(Cause cause, uint32_t detail, const char* format, ...) {
    if (!first(cause, detail))
        return;
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    host_.log(host_.user, PIXMILL_LOG_GUEST_ERROR, text);
}

void Host::unimplemented(Cause cause, uint32_t detail, const char* format, ...) {
    if (!first(cause, detail))
        return;
    char text[256];
    int used = snprintf(text, sizeof text, "unimplemented: ");
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text + used, sizeof text - size_t(used), format, arguments);
    va_end(arguments);
    host_.log(host_.user, PIXMILL_LOG_UNIMPLEMENTED, text);
}

void Host::no_memory(Cause cause, const char* client, uint64_t address, bool write) {
    guest_error(cause, uint32_t(address / page) * 2 + write, "%s %s 0x%08llx: no memory there",
                client, write ? "writes" : "reads", static_cast<unsigned long long>(address));
}

void Host::out_of_memory(const char* client, const char* what) {
    if (!first(Cause::out_of_memory(), 0))
        return;
    char text[256];
    (void)snprintf(text, sizeof text, "%s: the host is out of memory; the guest sees %s", client,
                   what);
    host_.log(host_.user, PIXMILL_LOG_HOST_ERROR, text);
}

} // namespace pixmill
