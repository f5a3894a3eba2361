// What the families need to fill in a PixmillCoreClass.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <iterator>
#include <type_traits>

#include "guard.hpp"
#include "pixmill/core.h"

/// What each family's core derives from, so that C can hold a pointer to it.
struct PixmillCore {};

namespace pixmill {

inline bool complete(const PixmillHost& h) {
    return h.map && h.dirty && h.set_irq && h.clock_ns && h.request_run && h.log && h.trace;
}

/// PixmillCoreClass.create(): the core that `make` returns, nullptr where it refuses its
/// configuration.
template<class Make>
PixmillResult create_core(const PixmillHost* host, PixmillCore** out, Make make) {
    if (!host || !out)
        return PIXMILL_ERROR_ARGUMENT;
    *out = nullptr;
    if (host->api_version != PIXMILL_API_VERSION)
        return PIXMILL_ERROR_VERSION;
    if (!complete(*host))
        return PIXMILL_ERROR_ARGUMENT;
    return guarded(PIXMILL_ERROR_MEMORY, [&] {
        *out = make();
        return *out ? PIXMILL_OK : PIXMILL_ERROR_ARGUMENT;
    });
}

/// A member of type T, arrays of any dimension included.
template<class T>
constexpr PixmillField field(const char* name, size_t offset) {
    using Element = std::remove_all_extents_t<T>;
    static_assert(std::is_same_v<Element, uint32_t> || std::is_same_v<Element, uint64_t> ||
                  std::is_same_v<Element, int64_t>);
    constexpr size_t all = sizeof(T), one = sizeof(Element);
    return {name,
            one == sizeof(uint32_t)     ? PIXMILL_U32
            : std::is_signed_v<Element> ? PIXMILL_I64
                                        : PIXMILL_U64,
            uint32_t(all / one), offset};
}

/// Row of a struct's member.
#define PIXMILL_NAMED_FIELD(name, Struct, member)                                                  \
    pixmill::field<decltype(Struct::member)>(name, offsetof(Struct, member))
#define PIXMILL_FIELD(Struct, member) PIXMILL_NAMED_FIELD(#member, Struct, member)

/// Whether `fields` are all members of State, in their order: no gap is left but padding.
template<class State, size_t count>
constexpr bool lists_all_of(const PixmillField (&fields)[count]) {
    const auto align = [](size_t size, size_t to) { return (size + to - 1) / to * to; };
    size_t end = 0;
    for (const PixmillField& field : fields) {
        if (!field.name)
            break;
        const size_t size = field.type == PIXMILL_U32 ? 4 : 8;
        if (field.offset != align(end, size))
            return false;
        end = field.offset + size * field.count;
    }
    return align(end, alignof(State)) == sizeof(State);
}

/// Whether a window of words has the access.
template<class Core>
constexpr bool is_word(uint32_t offset, uint32_t size) {
    return size == 4 && offset % 4 == 0 && offset < Core::window;
}

/// A family's table, of what its `Core`, which derives from PixmillCore, offers by the same names.
/// `Core::make(config, host)` returns a new one, or nullptr where it refuses `config`. A core
/// without a draw() draws nothing, one without draining() never cancels a draw by a write, one
/// without holding() holds no bus, one without bus_bytes has a bus of words. One that lists its
/// `Core::registers` has a window of words without side effects of reading.
template<class Core>
constexpr PixmillCoreClass core_class() {
    using Counters = typename Core::Counters;
    using State = typename Core::State;
    static_assert(lists_all_of<State>(Core::state_fields));
    PixmillCoreClass made{};
    made.window = Core::window;
    made.bus_bytes = 4;
    if constexpr (requires { Core::bus_bytes; })
        made.bus_bytes = Core::bus_bytes;
    made.lines = Core::lines;
    made.create = [](const void* config, const PixmillHost* host, PixmillCore** out) {
        return create_core(host, out, [&]() -> PixmillCore* {
            return Core::make(static_cast<const typename Core::Config*>(config), *host);
        });
    };
    made.destroy = [](PixmillCore* core) { delete static_cast<Core*>(core); };
    made.reset = [](PixmillCore* core) { static_cast<Core*>(core)->reset(); };
    made.read = [](PixmillCore* core, uint32_t offset, uint32_t size, uint32_t* value) {
        *value = 0;
        if constexpr (requires { Core::registers; }) {
            if (!is_word<Core>(offset, size))
                return PIXMILL_ERROR_ARGUMENT;
            *value = static_cast<Core*>(core)->peek(offset);
            return PIXMILL_OK;
        } else {
            return static_cast<Core*>(core)->read(offset, size, *value);
        }
    };
    made.write = [](PixmillCore* core, uint32_t offset, uint32_t size, uint32_t value) {
        if constexpr (requires { Core::registers; })
            return is_word<Core>(offset, size) ? static_cast<Core*>(core)->write(offset, value)
                                               : PIXMILL_ERROR_ARGUMENT;
        else
            return static_cast<Core*>(core)->write(offset, size, value);
    };
    if constexpr (requires(const Core& core) { core.holding(); })
        made.holding = [](const PixmillCore* core) {
            return static_cast<const Core*>(core)->holding();
        };
    made.peek = [](const PixmillCore* core, uint32_t offset) {
        return static_cast<const Core*>(core)->peek(offset);
    };
    made.register_at = [](const PixmillCore* core, size_t index, PixmillRegister* out) {
        if constexpr (requires { Core::registers; }) {
            const bool exists = index < std::size(Core::registers);
            if (exists)
                *out = Core::registers[index];
            return exists;
        } else {
            return static_cast<const Core*>(core)->register_at(index, *out);
        }
    };
    made.run = [](PixmillCore* core, uint32_t budget_words) {
        return static_cast<Core*>(core)->run(budget_words);
    };
    if constexpr (requires(Core & core) { core.draw(uint64_t{}); }) {
        made.draw = [](PixmillCore* core, uint64_t budget_bytes) {
            static_cast<Core*>(core)->draw(budget_bytes);
        };
        made.interrupt = [](PixmillCore* core) { static_cast<Core*>(core)->interrupt(); };
        made.draining = [](const PixmillCore* core) {
            if constexpr (requires(const Core& c) { c.draining(); })
                return static_cast<const Core*>(core)->draining();
            else
                return false;
        };
    }
    made.counters = [](const PixmillCore* core, void* out) {
        *static_cast<Counters*>(out) = static_cast<const Core*>(core)->counters();
    };
    made.counters_size = sizeof(Counters);
    made.counter_fields = Core::counter_fields;
    made.inject = [](PixmillCore* core, uint32_t fault) {
        static_cast<Core*>(core)->inject(fault);
    };
    made.faults = Core::faults;
    made.save = [](PixmillCore* core, void* out) {
        static_cast<Core*>(core)->save(*static_cast<State*>(out));
    };
    made.load = [](PixmillCore* core, const void* in) {
        return static_cast<Core*>(core)->load(*static_cast<const State*>(in));
    };
    made.state_size = sizeof(State);
    made.state_fields = Core::state_fields;
    made.state_levels = Core::state_levels;
    made.state_version = Core::state_version;
    return made;
}

} // namespace pixmill
