// The command ring of the Geode LX: packets in memory that write registers.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "device.hpp"

#include <span>

namespace reference::geode {
namespace {

enum : uint32_t { blt_packet, vector_packet, lut_packet, data_packet };
enum : uint32_t { to_hst_src, to_ch3_hsrc, to_patterns, to_lut };

/// The registers to which the words after a packet's header go. A register's index is the number of
/// its write-enable bit.
constexpr Offset blt_words[] = {raster_mode,  dst_offset,   src_offset,   stride,
                                wid_height,   src_color_fg, src_color_bg, pat_color_0,
                                pat_color_1,  pat_data_0,   pat_data_1,   ch3_offset,
                                ch3_mode_str, ch3_widhi,    base_offset,  blt_mode};
constexpr Offset vector_words[] = {raster_mode,  dst_offset,  vec_err,     stride,     vec_len,
                                   src_color_fg, pat_color_0, pat_color_1, pat_data_0, pat_data_1,
                                   ch3_mode_str, base_offset, vector_mode};
constexpr unsigned blt_starts = 15, blt_has_data = 16, vector_starts = 12;

std::span<const Offset> words_of(const Header& header) {
    if (header.type() == blt_packet)
        return blt_words;
    return vector_words;
}

bool starts_operation(const Header& header) {
    return (header.type() == blt_packet && header.enables(blt_starts)) ||
           (header.type() == vector_packet && header.enables(vector_starts));
}

} // namespace

// ---- The pointers ----

uint32_t Device::next_pointer(uint32_t pointer) const {
    const uint32_t top = at(cmd_top) & 0x00FFFFE0;
    const uint32_t bottom = at(cmd_bot);
    pointer += 4;
    return bottom >= top && pointer == bottom + 32 ? top : pointer & 0x00FFFFFF;
}

uint32_t Device::peek(uint32_t pointer) const {
    const auto base = static_cast<uint32_t>((msr[1] & 0x0FFF0000) << 4);
    return memory_.read(base, pointer, 4);
}

uint32_t Device::fetch() {
    const uint32_t word = peek(at(cmd_read));
    at(cmd_read) = next_pointer(at(cmd_read));
    words_since_doorbell_++;
    return word;
}

void Device::end_packet(const Header& header) {
    if (header.wraps())
        at(cmd_read) = at(cmd_top) & 0x00FFFFE0;
}

// ---- Packets ----

bool Device::must_wait(const Header& header) {
    if (header.waits_for_idle() && running_)
        return true;
    if (starts_operation(header))
        return running_ && pending_;
    if (header.type() == lut_packet)
        return running_.has_value();
    if (header.type() == data_packet)
        return running_ && Count{peek(next_pointer(at(cmd_read)))}.loads_patterns();
    return false;
}

void Device::deliver_data(uint32_t type, uint32_t number, uint32_t word) {
    constexpr Offset patterns[] = {pat_color_2, pat_color_3, pat_color_4, pat_color_5};
    if (type == to_hst_src || type == to_ch3_hsrc)
        deliver(word, type == to_ch3_hsrc);
    if (type == to_patterns && number < 4)
        at(patterns[number]) = word;
    if (type == to_lut)
        load_lut(word);
}

void Device::data(const Count& count, bool enabled) {
    for (uint32_t number = 0; number < count.words(); number++) {
        const uint32_t word = fetch();
        if (enabled)
            deliver_data(count.type(), number, word);
    }
}

/// Processes the data of the packet whose registers are loaded. Returns false if it has to wait. It
/// waits for its BLT to start before it fetches the count word, and after that (READ has advanced)
/// for running operations if the data loads patterns.
bool Device::trailing_data() {
    const Header header = *waiting_packet_;
    if (!waiting_data_) {
        if (header.enables(blt_starts) && pending_)
            return false;
        waiting_data_ = Count{fetch()};
    }
    if (waiting_data_->loads_patterns() && running_)
        return false;
    const Count count = *waiting_data_;
    forget_packet();
    data(count, true);
    end_packet(header);
    return true;
}

void Device::forget_packet() {
    waiting_packet_.reset();
    waiting_data_.reset();
}

void Device::register_packet(const Header& header) {
    unsigned position = 0;
    for (const Offset offset : words_of(header)) {
        const uint32_t word = fetch();
        if (!header.enables(position++))
            continue;
        at(offset) = word;
        if (offset == blt_mode || offset == vector_mode)
            start(offset == vector_mode);
    }
}

/// Processes a packet, or as much of it as possible. Returns false if it has to wait.
bool Device::packet() {
    if (waiting_packet_)
        return trailing_data();
    const Header header{peek(at(cmd_read))};
    if (must_wait(header))
        return false;
    fetch();
    switch (header.type()) {
    case lut_packet: {
        const uint32_t index = fetch();
        if (header.enables(0))
            at(lut_index) = index & 0x1FF;
        data(Count{fetch()}, header.enables(1));
        break;
    }
    case data_packet:
        data(Count{fetch()}, header.enables(0));
        break;
    default:
        register_packet(header);
        if (header.type() == blt_packet && header.enables(blt_has_data)) {
            waiting_packet_ = header;
            return true;
        }
    }
    end_packet(header);
    return true;
}

/// Processes packets. CMD_READ is compared with CMD_WRITE between packets only. If they never
/// match, the ring stops after most_words.
void Device::work_off_ring() {
    constexpr uint64_t most_words = 2 * ((16 << 20) / 4);
    while (waiting_packet_ || !is_empty()) {
        if (!waiting_packet_ && words_since_doorbell_ > most_words)
            at(cmd_read) = at(cmd_write);
        else if (!packet())
            return;
        const bool masked = bit(at(int_cntrl), 0);
        if (!waiting_packet_ && is_empty() && !masked)
            became_empty_ = true;
    }
}

} // namespace reference::geode
