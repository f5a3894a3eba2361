// SPDX-License-Identifier: GPL-2.0-or-later
#include "display.hpp"

#include "common/index.hpp"
#include "fields.hpp"

namespace pixmill::geode_display {
namespace {

constexpr uint32_t window = 3 * PIXMILL_GEODE_BLOCK_BYTES;

PixmillGeodeDisplayConfig with_defaults(PixmillGeodeDisplayConfig config) {
    if (!config.vram_mib)
        config.vram_mib = 64;
    return config;
}

bool is_access(uint32_t offset, uint32_t size) {
    return (size == 1 || size == 2 || size == 4) && offset % size == 0 && offset < window;
}

constexpr uint32_t all = 0xFFFFFFFF;

/// Calls `work` with the block that contains byte `offset` of the window, and with the word's
/// offset in that block.
template<class Self, class Work>
auto with_block(Self& display, uint32_t offset, Work&& work) {
    const uint32_t inside = offset % PIXMILL_GEODE_BLOCK_BYTES;
    switch (offset - inside) {
    case PIXMILL_GEODE_DC:
        return work(display.dc, word_offset(inside));
    case PIXMILL_GEODE_VP:
        return work(display.vp, word_offset(inside));
    default:
        return work(display.vip, word_offset(inside));
    }
}

/// Returns the name of the word at offset `inside` of `block`, for traces.
template<class Block>
const char* name_of(const Block& block, uint32_t inside) {
    if (block.memory(inside))
        return "VP_VCR";
    const auto* reg = block.find(inside);
    return reg ? reg->name : "unlisted";
}

} // namespace

Display::Display(const PixmillGeodeDisplayConfig& config_, const PixmillHost& host_)
    : config(with_defaults(config_)), host(host_), dc(*this), vp(*this), vip(s.vip), msrs(s.msr),
      vsa(s, !config.no_vsa), screen(*this) {
    power_on();
}

void Display::power_on() {
    host.trace(PIXMILL_TRACE_RESET, 0, 0, "power-on");
    host.forget();
    clear();
    update_line();
}

/// Restores the power-on state of everything except the interrupt line.
void Display::clear() {
    s.vram_mib = config.vram_mib;
    msrs.reset(config.vram_mib);
    vsa.reset(config);
    dc.reset();
    vp.reset();
    vip.reset();
    screen.forget();
}

// ---- Accesses ---------------------------------------------------------------

uint32_t Display::peek(uint32_t offset) const {
    if (offset >= window)
        return 0;
    return with_block(*this, offset, [](const auto& block, uint32_t inside) {
        const uint32_t* const coefficient = block.memory(inside);
        return coefficient ? *coefficient : read_block(block, inside);
    });
}

PixmillResult Display::read(uint32_t offset, uint32_t size, uint32_t& value) {
    value = 0;
    if (!is_access(offset, size))
        return PIXMILL_ERROR_ARGUMENT;
    value = peek(offset) >> 8 * (offset % 4) & low_bytes(size);
    with_block(*this, offset, [&](auto& block, uint32_t inside) {
        const auto* reg = block.find(inside);
        if (reg && reg->advance)
            reg->advance(block);
        host.trace(PIXMILL_TRACE_REG_READ, offset, value, name_of(block, inside));
    });
    return PIXMILL_OK;
}

// A narrow write keeps the other bytes of the word. Write-1-to-clear bits in those bytes are
// written as 0.
PixmillResult Display::write(uint32_t offset, uint32_t size, uint32_t value) {
    if (!is_access(offset, size))
        return PIXMILL_ERROR_ARGUMENT;
    const uint32_t shift = 8 * (offset % 4), byte_mask = low_bytes(size) << shift;
    with_block(*this, offset, [&](auto& block, uint32_t inside) {
        const auto* reg = block.find(inside);
        host.trace(PIXMILL_TRACE_REG_WRITE, offset, value, name_of(block, inside));
        const uint32_t kept = size == 4 ? 0 : peek(offset) & ~byte_mask & (reg ? reg->mask : all);
        const uint32_t word = kept | (value << shift & byte_mask);
        if (uint32_t* const coefficient = block.memory(inside))
            set_coefficient(*coefficient, word);
        else if (reg)
            write(block, *reg, word);
    });
    update_line();
    return PIXMILL_OK;
}

template<class Block>
void Display::write(Block& block, const Register<Block>& reg, uint32_t word) {
    if (reg.locked && !dc.unlocked()) {
        counters.locked_writes++;
        host.guest_error(Cause::locked, reg.offset, "write of locked register %s", reg.name);
        return;
    }
    write_register(block, reg, word);
}

bool Display::write_msr(uint32_t msr, uint64_t value) {
    const bool exists = msrs.write(msr, value);
    if (exists)
        dc.rearm(); // the dot clock may have changed
    update_line();
    return exists;
}

void Display::set_color(uint32_t& entry, uint32_t value) {
    value = color_entry::color(value);
    if (entry == value)
        return;
    entry = value;
    screen.colors_changed();
}

void Display::set_coefficient(uint32_t& entry, uint32_t value) {
    if (entry == value)
        return;
    entry = value;
    screen.coefficients_changed();
}

// ---- Interrupt --------------------------------------------------------------

int64_t Display::run() {
    update_line();
    return dc.due();
}

void Display::update_line() {
    dc.latch();
    const uint32_t pending = dc.pending();
    const bool level = pending != 0;
    if (level == bool(s.irq_level))
        return;
    s.irq_level = level;
    counters.interrupts += level;
    host.trace(PIXMILL_TRACE_IRQ, level, pending, "");
    host.set_irq(0, level);
}

// ---- Migration --------------------------------------------------------------

bool Display::load(const PixmillGeodeDisplayState& in) {
    clear();
    s.irq_level = in.irq_level != 0;
    const bool ours = in.vram_mib == s.vram_mib;
    if (ours) {
        msrs.load(in.msr);
        vsa.load(in);
        vp.load(in);
        vip.load(in.vip);
        dc.load(in);
    }
    update_line();
    return ours;
}

} // namespace pixmill::geode_display
