// Builds a family's PixmillCoreClass.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#include "capture/tap.hpp"
#include "draw_step.hpp"
#include "guard.hpp"
#include "injection.hpp"
#include "pixmill/capture.h"
#include "pixmill/core.h"

namespace pixmill {

inline bool complete(const PixmillHost& h) {
    return h.map && h.dirty && h.set_irq && h.clock_ns && h.request_run && h.log && h.trace;
}

/// Implements PixmillCoreClass.create(). `make` takes the host and returns the new core, or nullptr
/// if it rejects the configuration. `fields` describes `config`.
template<class Make>
PixmillResult create_core(const PixmillHost* host, const PixmillField* fields, const void* config,
                          PixmillCore** out, Make make) {
    if (!host || !out)
        return PIXMILL_ERROR_ARGUMENT;
    *out = nullptr;
    if (host->api_version != PIXMILL_API_VERSION)
        return PIXMILL_ERROR_VERSION;
    if (!complete(*host))
        return PIXMILL_ERROR_ARGUMENT;
    return guarded(PIXMILL_ERROR_MEMORY, [&] {
        auto tap = std::make_unique<Tap>(*host, fields, config);
        PixmillCore* const core = make(std::as_const(tap->host));
        if (!core)
            return PIXMILL_ERROR_ARGUMENT;
        core->tap = std::move(tap);
        *out = core;
        return PIXMILL_OK;
    });
}

template<class Element>
constexpr PixmillFieldType field_type = []() -> PixmillFieldType {
    if constexpr (std::is_same_v<Element, uint32_t>)
        return PIXMILL_U32;
    else if constexpr (std::is_same_v<Element, uint64_t>)
        return PIXMILL_U64;
    else if constexpr (std::is_same_v<Element, int64_t>)
        return PIXMILL_I64;
    else if constexpr (std::is_same_v<Element, bool>)
        return PIXMILL_BOOL;
    else if constexpr (std::is_same_v<Element, const char*>)
        return PIXMILL_TEXT;
}();

template<class T>
constexpr uint32_t element_count = 1;
template<class T, size_t length>
constexpr uint32_t element_count<T[length]> = uint32_t(length) * element_count<T>;

/// Returns the description of a struct member of type T. Arrays of any dimension are flattened.
template<class T>
constexpr PixmillField field(const char* name, size_t offset) {
    return {name, field_type<std::remove_all_extents_t<T>>, element_count<T>, offset};
}

/// Expands to the table entry of a struct member.
#define PIXMILL_NAMED_FIELD(name, Struct, member)                                                  \
    pixmill::field<decltype(Struct::member)>(name, offsetof(Struct, member))
#define PIXMILL_FIELD(Struct, member) PIXMILL_NAMED_FIELD(#member, Struct, member)

/// True if `fields` lists every member of State in order, with only padding between them.
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

/// True if the access is an aligned word in the core's window.
template<class Core>
constexpr bool is_word(uint32_t offset, uint32_t size) {
    return size == 4 && offset % 4 == 0 && offset < Core::window;
}

inline constexpr PixmillField no_fields{};
template<class Core>
constexpr const PixmillField* fields_of_config() {
    if constexpr (requires { Core::config_fields; })
        return Core::config_fields;
    else
        return &no_fields;
}

inline constexpr PixmillCall no_calls{};
template<class Core>
constexpr const PixmillCall* calls_of() {
    if constexpr (requires { Core::calls; })
        return Core::calls;
    else
        return &no_calls;
}

template<class Core>
PixmillResult read_register(PixmillCore* core, uint32_t offset, uint32_t size, uint32_t& value) {
    value = 0;
    if constexpr (requires { Core::registers; }) {
        if (!is_word<Core>(offset, size))
            return PIXMILL_ERROR_ARGUMENT;
        value = static_cast<Core*>(core)->peek(offset);
        return PIXMILL_OK;
    } else {
        return static_cast<Core*>(core)->read(offset, size, value);
    }
}

template<class Core>
PixmillResult write_register(PixmillCore* core, uint32_t offset, uint32_t size, uint32_t value) {
    if constexpr (requires { Core::registers; })
        return is_word<Core>(offset, size) ? static_cast<Core*>(core)->write(offset, value)
                                           : PIXMILL_ERROR_ARGUMENT;
    else
        return static_cast<Core*>(core)->write(offset, size, value);
}

/// Returns the table of a family whose core is `Core`, a class derived from PixmillCore. Members of
/// `Core` have the names of the table's functions:
/// - make(config, host) returns a new core, or nullptr if it rejects `config`.
/// - draw() returns the largest amount of work between two checks for interrupt(). It needs the
///   counter `draw_step`, and work_ns(). A family without draw() draws nothing.
/// - draining(), holding() and bus_bytes are optional. By default, writes never cancel a draw, the
///   bus is never held, and the bus is 4 bytes wide.
/// - `registers`, if present, describes a window of words whose reads have no side effects.
/// - `config_fields` and `calls` are optional.
/// - `fault_kinds` is optional. With it, `arm_call` is the index in `calls` of the call that
///   implements arm(). Its arguments are words_of() the injection, its result is a PixmillResult.
template<class Core>
constexpr PixmillCoreClass core_class() {
    using Counters = typename Core::Counters;
    using State = typename Core::State;
    static_assert(lists_all_of<State>(Core::state_fields));
    PixmillCoreClass table{};
    table.name = Core::name;
    table.window = Core::window;
    table.bus_bytes = 4;
    if constexpr (requires { Core::bus_bytes; })
        table.bus_bytes = Core::bus_bytes;
    table.lines = Core::lines;
    table.create = [](const void* config, const PixmillHost* host, PixmillCore** out) {
        return create_core(host, fields_of_config<Core>(), config, out,
                           [&](const PixmillHost& taken) -> PixmillCore* {
                               using Config = typename Core::Config;
                               return Core::make(static_cast<const Config*>(config), taken);
                           });
    };
    table.destroy = [](PixmillCore* core) {
        pixmill_capture_stop(core);
        delete static_cast<Core*>(core);
    };
    if constexpr (!std::is_void_v<typename Core::Config>)
        table.config_size = sizeof(typename Core::Config);
    table.config_fields = fields_of_config<Core>();
    table.reset = [](PixmillCore* core) {
        const Recorded recorded(core, capture::Op::reset);
        static_cast<Core*>(core)->reset();
    };
    table.read = [](PixmillCore* core, uint32_t offset, uint32_t size, uint32_t* value) {
        Recorded recorded(core, capture::Op::read, offset, size);
        const PixmillResult result = read_register<Core>(core, offset, size, *value);
        return recorded.result(result, *value);
    };
    table.write = [](PixmillCore* core, uint32_t offset, uint32_t size, uint32_t value) {
        Recorded recorded(core, capture::Op::write, offset, size, value);
        return recorded.result(write_register<Core>(core, offset, size, value));
    };
    if constexpr (requires(const Core& core) { core.holding(); })
        table.holding = [](const PixmillCore* core) {
            return static_cast<const Core*>(core)->holding();
        };
    table.peek = [](const PixmillCore* core, uint32_t offset) {
        return static_cast<const Core*>(core)->peek(offset);
    };
    table.register_at = [](const PixmillCore* core, size_t index, PixmillRegister* out) {
        if constexpr (requires { Core::registers; }) {
            const bool exists = index < std::size(Core::registers);
            if (exists)
                *out = Core::registers[index];
            return exists;
        } else {
            return static_cast<const Core*>(core)->register_at(index, *out);
        }
    };
    table.run = [](PixmillCore* core, uint32_t budget_words) {
        Recorded recorded(core, capture::Op::run, budget_words);
        return recorded.result(static_cast<Core*>(core)->run(budget_words));
    };
    if constexpr (requires(Core & core) { core.draw(uint64_t{}); }) {
        table.draw = [](PixmillCore* core, uint64_t budget_bytes) {
            constexpr DrawStep step = [](PixmillCore* to, uint64_t budget) {
                const uint64_t longest = static_cast<Core*>(to)->draw(budget);
                note_draw_step(*to, Core::name, longest);
            };
            if (Recorder* recorder = core->recorder.load(std::memory_order_relaxed)) [[unlikely]]
                draw_recorded(*recorder, budget_bytes, step);
            else
                step(core, budget_bytes);
        };
        table.interrupt = [](PixmillCore* core) {
            if (core->recorder.load(std::memory_order_relaxed)) [[unlikely]]
                core->tap->interrupted.store(true, std::memory_order_relaxed);
            else
                static_cast<Core*>(core)->interrupt();
        };
        table.draining = [](const PixmillCore* core) {
            if constexpr (requires(const Core& c) { c.draining(); })
                return static_cast<const Core*>(core)->draining();
            else
                return false;
        };
        table.work_ns = [](const PixmillCore* core) {
            return static_cast<const Core*>(core)->work_ns();
        };
        table.counters_draw_step = offsetof(Counters, draw_step);
    }
    table.call = [](PixmillCore* core, uint32_t number, uint64_t* words) {
        make_call(core, calls_of<Core>(), number, words);
    };
    table.calls = calls_of<Core>();
    table.counters = [](const PixmillCore* core, void* out) {
        auto& counters = *static_cast<Counters*>(out);
        counters = static_cast<const Core*>(core)->counters();
        if constexpr (requires { counters.draw_step; })
            counters.draw_step = core->draw_step.load(std::memory_order_relaxed);
    };
    table.counters_size = sizeof(Counters);
    table.counter_fields = Core::counter_fields;
    table.inject = [](PixmillCore* core, uint32_t fault) {
        const Recorded recorded(core, capture::Op::inject, fault);
        static_cast<Core*>(core)->inject(fault);
    };
    table.faults = Core::faults;
    if constexpr (requires { Core::fault_kinds; }) {
        static_assert(std::size(Core::fault_kinds) + 1 == std::size(Core::faults));
        table.fault_kinds = Core::fault_kinds;
        table.arm = [](PixmillCore* core, const PixmillInjection* how) {
            if (!is_valid(*how, Core::fault_kinds))
                return PIXMILL_ERROR_ARGUMENT;
            return PixmillResult(call_with(core, Core::calls, Core::arm_call, words_of(*how))[0]);
        };
    }
    table.save = [](PixmillCore* core, void* out) {
        Recorded recorded(core, capture::Op::save);
        static_cast<Core*>(core)->save(*static_cast<State*>(out));
        recorded.saved(out);
    };
    table.load = [](PixmillCore* core, const void* in) {
        Recorded recorded(core, capture::Op::load);
        recorded.loads(in);
        return recorded.result(static_cast<Core*>(core)->load(*static_cast<const State*>(in)));
    };
    table.state_size = sizeof(State);
    table.state_fields = Core::state_fields;
    table.state_levels = Core::state_levels;
    table.state_version = Core::state_version;
    return table;
}

} // namespace pixmill
