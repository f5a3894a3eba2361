// Memory, chips and host registers (VGLiteKernel/vg_lite_kernel.c and vg_lite_hw.h; galcore's
// gc_hal_kernel_hardware_vg.c).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "vivante_vg.hpp"
#include "engine.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace pixmill::reference {
namespace vivante_vg {

/* ---- Memory ------------------------------------------------------------------------------- */

const uint8_t* Memory::find(uint64_t address, unsigned bytes) const {
    for (const VivanteVgSpan& span : spans_)
        if (address >= span.base && span.bytes.size() >= bytes &&
            address - span.base <= span.bytes.size() - bytes)
            return span.bytes.data() + (address - span.base);
    return nullptr;
}

std::optional<uint32_t> Memory::read(uint64_t address, unsigned bytes) const {
    const uint8_t* from = find(address, bytes);
    if (!from)
        return {};
    uint32_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= uint32_t{from[i]} << 8 * i;
    return value;
}

bool Memory::write(uint64_t address, unsigned bytes, uint32_t value) {
    uint8_t* to = const_cast<uint8_t*>(find(address, bytes));
    for (unsigned i = 0; to && i < bytes; i++)
        to[i] = static_cast<uint8_t>(value >> 8 * i);
    return to != nullptr;
}

bool Memory::has_any(uint64_t from, uint64_t end) const {
    return std::any_of(spans_.begin(), spans_.end(), [&](const VivanteVgSpan& span) {
        return from < span.base + span.bytes.size() && span.base < end;
    });
}

uint32_t Engine::fetch(uint64_t address, unsigned bytes) {
    const std::optional<uint32_t> value = memory.read(address, bytes);
    bus_error |= !value;
    return value.value_or(0);
}

void Engine::store(uint64_t address, unsigned bytes, uint32_t value) {
    bus_error |= !memory.write(address, bytes, value);
}

namespace {

/* ---- Registers ---------------------------------------------------------------------------- */

enum Register : uint32_t {
    CLOCK_CONTROL = 0x000,
    IDLE = 0x004,
    AXI_CONFIG = 0x008,
    INTR_STATUS = 0x010,
    INTR_ENABLE = 0x014,
    CHIP_IDENTITY = 0x018,
    CHIP_FEATURE = 0x01C,
    CHIP_MODEL = 0x020,
    CHIP_REV = 0x024,
    CUSTOMER_ID = 0x030,
    MINOR_FEATURE_0 = 0x034,
    MINOR_FEATURE_2 = 0x084,
    ECO_ID = 0x0E8,
    CMDBUF_ADDRESS = 0x500,
    CMDBUF_SIZE = 0x504,
    CMDBUF_CURRENT = 0x508,
};

constexpr uint32_t clock_gate = 1 << 1;
constexpr uint32_t clock_soft_reset = 1 << 12;
constexpr uint32_t clock_idle = 7 << 16; /* 3D, 2D and VG */
constexpr uint32_t clock_writable = 0x0FF81FFF;
constexpr uint32_t clock_initially = 0x00000100;
constexpr uint32_t all_idle = 0x7FFFFFFF;
constexpr uint32_t idle_fe = 1;
constexpr uint32_t bus_error_bit = 1u << 31;

/* Registers without side effects: first and last offset, writable bits and power-on value. */
struct Storage {
    uint32_t first, last, mask, initially;
};
constexpr Storage storages[] = {
    {AXI_CONFIG, AXI_CONFIG, 0x0000FFFF, 0},
    {INTR_ENABLE, INTR_ENABLE, 0xFFFFFFFF, 0},
    {0x078, 0x07C, 0xFFFFFFFF, 0},          /* profiling */
    {0x100, 0x100, 0xFFFF00F7, 0x00140020}, /* POWER_CONTROL */
    {0x104, 0x104, 0xFFFFFFFF, 0},          /* POWER_MODULE_CONTROL */
    {0x400, 0x410, 0xFFFFFFFF, 0},          /* page tables */
    {0x414, 0x414, 0xFFFFFFFF, 0x3C000000}, /* MEMORY_DEBUG */
    {0x470, 0x474, 0xFFFFFFFF, 0},          /* debug selects */
    {CMDBUF_ADDRESS, CMDBUF_ADDRESS, 0xFFFFFFFF, 0},
    {0x514, 0x528, 0xFFFFFFFF, 0}, /* video registers of other chips */
};

const Storage* storage_of(uint32_t offset) {
    for (const Storage& storage : storages)
        if (offset >= storage.first && offset <= storage.last)
            return &storage;
    return nullptr;
}

/*
 * The feature words were read on an i.MX6 (etna_viv); for the other chips, see VD1. VD2: date and
 * time are 0.
 */
constexpr VivanteVgChip chips[] = {
    {"gc355-imx6q", 0x355, 0x1215, 0, 0, 0x00010104, false, false, false},
    {"gc355-imx6qp", 0x355, 0x1216, 0, 0, 0x01010104, false, false, false},
    {"gc355-rt1170", 0x355, 0x1216, 0, 0, 0x01010104, false, false, false},
    {"gc255-rt595", 0x255, 0x1311, 0x40A, 1, 0, true, true, true},
};
constexpr size_t usual_chip = 2;

} // namespace
} // namespace vivante_vg

const VivanteVgChip& vivante_vg_chip(std::string_view name) {
    for (const VivanteVgChip& chip : vivante_vg::chips)
        if (chip.name == name)
            return chip;
    return vivante_vg::chips[vivante_vg::usual_chip];
}

struct VivanteVg::Impl {
    Impl(std::vector<VivanteVgSpan> spans, const VivanteVgChip& chip)
        : engine{chip, vivante_vg::Memory(std::move(spans))} {}

    uint32_t identity(uint32_t offset) const {
        using namespace vivante_vg;
        switch (offset) {
        case CHIP_IDENTITY:
            return 0x14010000;
        case CHIP_FEATURE: /* PIPE_VG and FE20, but neither 2D nor 3D */
            return 0x1E2C7CC8;
        case CHIP_MODEL:
            return engine.chip.model;
        case CHIP_REV:
            return engine.chip.revision;
        case CUSTOMER_ID:
            return engine.chip.customer;
        case MINOR_FEATURE_0:
            return 0x0024207F;
        case MINOR_FEATURE_2:
            return engine.chip.minor_feature_2;
        case ECO_ID:
            return engine.chip.eco;
        default:
            return 0;
        }
    }

    uint32_t& stored(uint32_t offset, const vivante_vg::Storage& storage) {
        return values.try_emplace(offset, storage.initially).first->second;
    }

    void write_clock(uint32_t value) {
        using namespace vivante_vg;
        clock = value & clock_writable;
        if (value & clock_soft_reset)
            soft_reset();
        start();
    }

    /* VD18: resets the states and INTR_ENABLE; keeps the clock and the addresses. */
    void soft_reset() {
        is_hung = false;
        waiting = 0;
        status = 0;
        values[vivante_vg::INTR_ENABLE] = 0;
        engine.states.reset();
    }

    /*
     * VD17: the count has 21 bits. VD5: one stream can wait, and a new one replaces it. VD6: a
     * count of 0 does nothing.
     */
    void kick(uint32_t qwords) {
        if (is_hung)
            return;
        waiting = vivante_vg::bits(qwords, 20, 0);
        if (clock & vivante_vg::clock_gate)
            engine.complaints.insert("a stream for a core whose clock stands still");
        start();
    }

    /* VD6: a stream started while the clock is off runs as soon as the clock is on. */
    void start() {
        using namespace vivante_vg;
        if (!waiting || clock & clock_gate)
            return;
        const uint32_t qwords = std::exchange(waiting, 0), address = values[CMDBUF_ADDRESS];
        if (address & 63) { /* rt1176-evkb: the silicon hangs without an error */
            is_hung = true;
            return;
        }
        engine.bus_error = false;
        const Finish finish = run_stream(engine, address, qwords);
        is_hung = finish.hung;
        current = static_cast<uint32_t>(finish.next);
        status |= finish.events | (engine.bus_error ? bus_error_bit : 0);
    }

    vivante_vg::Engine engine;
    std::map<uint32_t, uint32_t> values;
    uint32_t clock = vivante_vg::clock_initially;
    uint32_t status = 0;
    uint32_t current = 0;
    uint32_t waiting = 0; ///< in qwords
    bool is_hung = false;
};

VivanteVg::VivanteVg(std::vector<VivanteVgSpan> memory, std::string_view chip)
    : impl_(std::make_unique<Impl>(std::move(memory), vivante_vg_chip(chip))) {}

VivanteVg::~VivanteVg() = default;

uint32_t VivanteVg::read(uint32_t offset) {
    using namespace vivante_vg;
    switch (offset) {
    case CLOCK_CONTROL:
        return impl_->clock | clock_idle;
    case IDLE:
        return impl_->is_hung ? all_idle & ~idle_fe : all_idle;
    case INTR_STATUS:
        return std::exchange(impl_->status, 0);
    case CMDBUF_CURRENT: /* VD4: the address after the last command; 504 reads as 0 */
        return impl_->current;
    default:
        if (const Storage* storage = storage_of(offset))
            return impl_->stored(offset, *storage);
        return impl_->identity(offset);
    }
}

/* VD3: registers work even while the clock is off. */
void VivanteVg::write(uint32_t offset, uint32_t value) {
    using namespace vivante_vg;
    if (offset == CLOCK_CONTROL)
        impl_->write_clock(value);
    else if (offset == CMDBUF_SIZE)
        impl_->kick(value);
    else if (const Storage* storage = storage_of(offset))
        impl_->stored(offset, *storage) = value & storage->mask;
}

bool VivanteVg::interrupt() const {
    const auto enable = impl_->values.find(vivante_vg::INTR_ENABLE);
    return enable != impl_->values.end() && impl_->status & enable->second;
}

void VivanteVg::run(uint32_t address, uint32_t qwords) {
    write(vivante_vg::CMDBUF_ADDRESS, address);
    write(vivante_vg::CMDBUF_SIZE, qwords);
}

void VivanteVg::run(uint32_t address, std::span<const uint32_t> words) {
    uint64_t at = address;
    for (const uint32_t word : words) {
        impl_->engine.memory.write(at, 4, word);
        at += 4;
    }
    run(address, static_cast<uint32_t>((words.size() + 1) / 2));
}

bool VivanteVg::hung() const {
    return impl_->is_hung;
}

uint32_t VivanteVg::state(uint32_t address) const {
    return impl_->engine.states[address];
}

std::vector<VivanteVgSpan>& VivanteVg::memory() {
    return impl_->engine.memory.spans();
}

std::span<uint8_t> VivanteVg::bytes() {
    return memory().at(0).bytes;
}

const std::set<std::string>& VivanteVg::complaints() const {
    return impl_->engine.complaints;
}

uint32_t fnv1a(std::span<const uint8_t> bytes) {
    uint32_t hash = 0x811C9DC5;
    for (const uint8_t byte : bytes)
        hash = (hash ^ byte) * 0x01000193;
    return hash;
}

} // namespace pixmill::reference
