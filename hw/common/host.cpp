// SPDX-License-Identifier: GPL-2.0-or-later
#include "host.hpp"

#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace pixmill {

namespace {
constexpr uint64_t page = 0x1000;

unsigned long long number(uint64_t value) {
    return value;
}
} // namespace

void describe_command(char* text, size_t size, const char* kind, std::optional<uint64_t> begin,
                      uint64_t address) {
    if (begin && *begin <= address)
        (void)snprintf(text, size, "%s 0x%08llx+0x%llx", kind, number(*begin),
                       number(address - *begin));
    else
        (void)snprintf(text, size, "%s, at 0x%08llx", kind, number(address));
}

bool Host::first(Cause cause, uint32_t detail) {
    const uint64_t key = (uint64_t(cause.id) + 1) << 32 | detail; // not 0, which marks a free slot
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

void Host::log(PixmillLog kind, const char* format, va_list arguments) const {
    char text[320], context[128] = "";
    const int begin =
        kind == PIXMILL_LOG_UNIMPLEMENTED ? snprintf(text, sizeof text, "unimplemented: ") : 0;
    (void)vsnprintf(text + begin, sizeof text - size_t(begin), format, arguments);
    if (context_)
        context_->describe(context, sizeof context);
    if (const size_t end = strlen(text); *context)
        (void)snprintf(text + end, sizeof text - end, " (%s)", context);
    host_.log(host_.user, kind, text);
}

void Host::guest_error(Cause cause, uint32_t detail, const char* format, ...) {
    if (!first(cause, detail))
        return;
    va_list arguments;
    va_start(arguments, format);
    log(PIXMILL_LOG_GUEST_ERROR, format, arguments);
    va_end(arguments);
}

void Host::unimplemented(Cause cause, uint32_t detail, const char* format, ...) {
    if (!first(cause, detail))
        return;
    va_list arguments;
    va_start(arguments, format);
    log(PIXMILL_LOG_UNIMPLEMENTED, format, arguments);
    va_end(arguments);
}

void Host::no_memory(Cause cause, const char* client, uint64_t address, bool write) {
    guest_error(cause, uint32_t(address / page) * 2 + write, "%s %s 0x%08llx: no memory there",
                client, write ? "writes" : "reads", number(address));
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
