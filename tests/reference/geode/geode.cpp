// Registers, status, operations and interrupts of the Geode LX.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "geode.hpp"

#include "device.hpp"

namespace reference {
namespace geode {
namespace {

/// BLT_STATUS
enum : uint32_t {
    pb = 1 << 0,
    in = 1 << 1,
    pp = 1 << 2,
    she = 1 << 3,
    ce = 1 << 4,
    eh = 1 << 5,
    uf = 1 << 7,
};

constexpr uint32_t window = 0x1000;

/// Returns the register's own offset for its aliases at 100h and above.
uint32_t without_alias(uint32_t offset) {
    if (offset >= 0x400 && offset < window)
        return ch3_hsrc;
    return offset >= 0x100 && offset < 0x400 ? uint32_t{hst_src} : offset;
}

uint32_t kept_bits(uint32_t offset) {
    switch (offset) {
    case cmd_top:
    case cmd_bot:
        return 0x00FFFFE0;
    case cmd_read:
    case cmd_write:
        return 0x00FFFFFC;
    case lut_index:
        return 0x000001FF;
    default:
        return 0xFFFFFFFF;
    }
}

} // namespace

// ---- Registers ----

/// Resets for command 69h and at power-on. Keeps VRAM, the LUT and the MSRs.
void Device::reset() {
    registers_ = {};
    at(base_offset) = 0x01004010;
    at(cmd_top) = 0x01000000;
    at(cmd_bot) = 0x00FFFFE0;
    at(int_cntrl) = 0x0000FFFF;
    settled_ = underflow_ = became_empty_ = became_idle_ = false;
    running_.reset();
    pending_.reset();
    forget_packet();
    words_since_doorbell_ = 0;
}

uint32_t Device::status() const {
    return she | (running_ ? pb | eh : 0u) | (pending_ ? uint32_t{pp} : 0u) |
           (interrupt() ? uint32_t{in} : 0u) | (underflow_ ? uint32_t{uf} : 0u) |
           (settled_ && is_empty() ? uint32_t{ce} : 0u);
}

uint32_t Device::load(uint32_t offset) {
    uint32_t value = 0;
    switch (offset) {
    case vector_mode:
    case blt_mode:
    case hst_src:
    case ch3_hsrc:
        return 0;
    case blt_status:
        value = status();
        settled_ = true;
        return value;
    case lut_data:
        value = lut_[at(lut_index)];
        at(lut_index) = (at(lut_index) + 1) & 0x1FF;
        return value;
    case int_cntrl:
        return at(int_cntrl) | (became_empty_ ? 1u << 16 : 0u) | (became_idle_ ? 1u << 17 : 0u);
    default:
        return registers_[offset / 4];
    }
}

uint32_t Device::read(uint32_t offset, uint32_t size) {
    const uint32_t aligned = without_alias(offset) & ~3u;
    if (aligned >= registers_end)
        return 0;
    return bits(load(aligned) >> offset % 4 * 8, size * 8 - 1, 0);
}

void Device::store_int_cntrl(uint32_t word, uint32_t lanes) {
    const uint32_t masks = lanes & 3;
    at(int_cntrl) = (at(int_cntrl) & ~masks) | (word & masks);
    became_empty_ &= !bit(word, 16);
    became_idle_ &= !bit(word, 17);
}

void Device::load_lut(uint32_t word) {
    lut_[at(lut_index)] = word;
    at(lut_index) = (at(lut_index) + 1) & 0x1FF;
}

/// Writes the bytes of a register that @lanes selects. @word must be 0 in the other bytes.
void Device::store(uint32_t offset, uint32_t word, uint32_t lanes) {
    settled_ = true;
    const uint32_t old = offset == lut_data ? lut_[at(lut_index)] : registers_[offset / 4];
    const uint32_t merged = ((old & ~lanes) | word) & kept_bits(offset);
    switch (offset) {
    case hst_src:
    case ch3_hsrc:
        deliver(word, offset == ch3_hsrc);
        break;
    case lut_data:
        load_lut(merged);
        break;
    case int_cntrl:
        store_int_cntrl(word, lanes);
        break;
    case cmd_read:
        at(cmd_read) = at(cmd_write) = merged;
        forget_packet();
        break;
    case cmd_write:
        at(cmd_write) = merged;
        words_since_doorbell_ = 0;
        break;
    case vector_mode:
    case blt_mode:
        registers_[offset / 4] = merged;
        if (lanes & 0xFF)
            start(offset == vector_mode);
        break;
    default:
        registers_[offset / 4] = merged;
    }
}

void Device::write(uint32_t offset, uint32_t size, uint32_t value) {
    const uint32_t aligned = without_alias(offset) & ~3u;
    const uint32_t lanes = bits(0xFFFFFFFF, size * 8 - 1, 0) << offset % 4 * 8;
    const uint32_t word = value << offset % 4 * 8 & lanes;
    if (aligned >= registers_end)
        return;
    if (aligned == blt_status) {
        if (word >> 24 == 0x69)
            reset();
        return;
    }
    completed_ = false;
    store(aligned, word, lanes);
    work_off_ring();
    const bool idle = !running_ && !pending_ && is_empty();
    const bool masked = bit(at(int_cntrl), 1);
    if (completed_ && idle && !masked)
        became_idle_ = true;
}

// ---- Operations ----

/// Drops a third operation.
void Device::start(bool is_vector) {
    const Operation op{registers_, lut_, is_vector, 0, {}, {}};
    if (running_ && pending_)
        return;
    if (running_) {
        pending_ = op;
        return;
    }
    running_ = op;
    underflow_ = false;
    work();
}

/// Works until host words are missing or all operations are finished.
void Device::work() {
    while (running_) {
        Outcome outcome = Outcome::finished;
        if (running_->is_vector)
            draw_vector(*running_, memory_);
        else
            outcome = work_on_blt(*running_, memory_);
        if (outcome == Outcome::waits)
            return;
        completed_ = true;
        underflow_ = outcome == Outcome::underflow;
        running_.reset();
        if (pending_)
            underflow_ = false;
        running_.swap(pending_);
    }
}

/// Passes a host word to the running operation if it uses that port.
void Device::deliver(uint32_t word, bool to_channel_3) {
    constexpr uint64_t ahead = 64 << 10;
    if (!running_ || running_->is_vector)
        return;
    const Channel3 channel_3(*running_, memory_);
    const Source source(*running_, memory_, channel_3);
    if (to_channel_3 && channel_3.is_from_host())
        running_->channel_3_port.add(word, channel_3.host_bytes_of_line() + ahead);
    if (!to_channel_3 && source.is_from_host())
        running_->source_port.add(word, source.host_bytes_of_line() + ahead);
    work();
}

} // namespace geode

// ---- Public interface ----

GeodeReference::GeodeReference(std::vector<uint8_t>& vram, uint32_t base)
    : device_(std::make_unique<geode::Device>(vram, base)) {}

GeodeReference::~GeodeReference() = default;

void GeodeReference::write(uint32_t offset, uint32_t size, uint32_t value) {
    device_->write(offset, size, value);
}

uint32_t GeodeReference::read(uint32_t offset, uint32_t size) {
    return device_->read(offset, size);
}

/// Writes an MSR. CAP and PRQ of PM are read-only.
void GeodeReference::write_msr(uint32_t number, uint64_t value) {
    switch (number) {
    case 0:
        break;
    case 3:
        device_->msr[3] = value & 3; /* keeps the mask bits; the model never sets a flag */
        break;
    case 4:
        device_->msr[4] = value & ~(uint64_t{1} << 32);
        break;
    default:
        device_->msr[number] = value;
    }
}

uint64_t GeodeReference::read_msr(uint32_t number) const {
    return device_->msr[number];
}

bool GeodeReference::interrupt() const {
    return device_->interrupt();
}

} // namespace reference
