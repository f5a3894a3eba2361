// Wraps the host callbacks: logs each cause once, and keeps disabled tracing cheap.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "pixmill/host.h"

namespace pixmill {

/// Identifies a log message by a value of the core's own enumeration.
struct Cause {
    template<class Enum>
    requires std::is_enum_v<Enum> Cause(Enum value) : id(uint16_t(value)) {}
    static Cause out_of_memory() { return Cause(Reserved::out_of_memory); }

    uint16_t id;

private:
    enum class Reserved : uint16_t { out_of_memory = 0xFFFF };
};

/// Describes the command that a core is executing, for log messages.
class LogContext {
public:
    /// Writes a phrase such as "list 0x20004100+0x28", or an empty string.
    virtual void describe(char* text, size_t size) const = 0;

protected:
    ~LogContext() = default;
};

/// Writes the position of the command at `address`: "list 0x20004100+0x28" if `begin`, the start of
/// the list, is known, else "list, at 0x20004128". `kind` is the list's name.
void describe_command(char* text, size_t size, const char* kind, std::optional<uint64_t> begin,
                      uint64_t address);

class Host {
public:
    /// `host` must outlive this object. Its callbacks may be replaced, see capture/tap.hpp.
    explicit Host(const PixmillHost& host) : host_(host) {}

    void* map(uint64_t address, uint64_t* length, bool write) const {
        return host_.map(host_.user, address, length, write);
    }
    void dirty(uint64_t address, uint64_t length) const {
        host_.dirty(host_.user, address, length);
    }
    void set_irq(uint32_t line, bool level) const { host_.set_irq(host_.user, line, level); }
    int64_t now() const { return host_.clock_ns(host_.user); }
    void request_run() const { host_.request_run(host_.user); }

    bool tracing(PixmillTrace event) const {
        return host_.trace_mask && *host_.trace_mask >> event & 1;
    }
    void trace(PixmillTrace event, uint64_t a, uint64_t b, const char* text) const {
        if (tracing(event))
            host_.trace(host_.user, event, a, b, text);
    }

    /// True if the host wants to hear about each access.
    bool watches() const { return host_.accessed; }
    /// Reports an access if the host wants to hear about it.
    void accessed(PixmillTransfer transfer, uint64_t address, uint64_t length) const {
        if (watches()) [[unlikely]]
            host_.accessed(host_.user, transfer, address, length);
    }
    void job(PixmillJob what, uint32_t number) const {
        if (watches()) [[unlikely]]
            host_.job(host_.user, what, number);
    }

    /// Logs a message unless the same `cause` and `detail` have been logged since forget().
    [[gnu::format(printf, 4, 5)]] void guest_error(Cause cause, uint32_t detail, const char* format,
                                                   ...);
    [[gnu::format(printf, 4, 5)]] void unimplemented(Cause cause, uint32_t detail,
                                                     const char* format, ...);
    /// Logs a guest error: an access by `client` hit no memory. Logs once per page and direction.
    void no_memory(Cause cause, const char* client, uint64_t address, bool write);
    /// Logs once that a host allocation failed. `what` describes the effect on the guest.
    void out_of_memory(const char* client, const char* what);

    /// Clears the record of logged causes. Called at power-on.
    void forget() { seen_.fill(0); }

private:
    friend class LogScope;

    bool first(Cause cause, uint32_t detail);
    [[gnu::format(printf, 3, 0)]] void log(PixmillLog kind, const char* format,
                                           va_list arguments) const;

    const PixmillHost& host_;
    /// Hash table, with open addressing, of the causes logged so far. When it is full, no new cause
    /// is logged, so a guest cannot flood the log.
    std::array<uint64_t, 1024> seen_{};
    const LogContext* context_ = nullptr;
};

/// Adds `context` to guest errors and unimplemented features that are logged during its lifetime.
class LogScope {
public:
    LogScope(Host& host, const LogContext& context)
        : host_(host), before_(std::exchange(host.context_, &context)) {}
    ~LogScope() { host_.context_ = before_; }
    LogScope(const LogScope&) = delete;
    LogScope& operator=(const LogScope&) = delete;

private:
    Host& host_;
    const LogContext* before_;
};

} // namespace pixmill
