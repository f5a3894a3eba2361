// Registers, command lists and interrupts of the NEMA|GFX.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "nema.hpp"

#include <bit>

#include "parts.hpp"

namespace reference {

using namespace nema;

namespace {

enum Offset : uint32_t {
    tex0_resxy = 0x008,
    breakpoint = 0x080,
    breakpoint_mask = 0x08C,
    cg_ctrl = 0x094,
    dirty_min = 0x098,
    dirty_max = 0x09C,
    imem_addr = 0x0C4,
    imem_low = 0x0C8,
    imem_high = 0x0CC,
    flush_ctrl = 0x0E4,
    cmd_stat = 0x0E8,
    ring_stop = 0x0EC,
    cmd_addr = 0x0F0,
    cmd_size = 0x0F4,
    int_ctrl = 0x0F8,
    stat = 0x0FC,
    draw_cmd = 0x100,
    clip_min = 0x110,
    mat_ctl = 0x118,
    code_pointer = 0x11C,
    pt0_x = 0x120,
    draw_color = 0x12C,
    bypass_addr = 0x138,
    bypass_data = 0x13C,
    clip_max1 = 0x15C,
    mm00 = 0x160,
    mm02 = 0x168,
    mm11 = 0x170,
    mm12 = 0x174,
    mm22 = 0x180,
    blend_mode = 0x1D0,
    ip_version = 0x1DC,
    id = 0x1EC,
    cfg = 0x1F0,
    cfg_h = 0x1F4,
    c0 = 0x200,
    c3 = 0x20C,
    dbg_status = 0x2F0,
    dbg_data = 0x2F8,
    pvg_first = 0x320, ///< vertices, on parts with vector graphics
    pvg_last = 0x35C,
    coord_mask = 0x4D0,
    irq_id = 0xFF0,
    gp_flags = 0xFF4,
    sys_int = 0xFF8,
    bus_error_mask = 0xFFC,
};

/// First and last offset of each range of the register map.
constexpr uint32_t ranges[][2] = {
    {0x000, 0x008}, {0x010, 0x028}, {0x030, 0x038}, {0x080, 0x080}, {0x08C, 0x09C}, {0x0C4, 0x0D0},
    {0x0D8, 0x0DC}, {0x0E4, 0x148}, {0x150, 0x198}, {0x1A0, 0x1E8}, {0x1EC, 0x1F4}, {0x1FC, 0x20C},
    {0x210, 0x214}, {0x2F0, 0x2FC}, {0x300, 0x318}, {0x320, 0x35C}, {0x388, 0x388}, {0x3C0, 0x3FC},
    {0x4A0, 0x4BC}, {0x4C0, 0x4D0}, {0x804, 0x804}, {0x80C, 0x80C}, {0x814, 0x814}, {0x81C, 0x81C},
    {0x844, 0x844}, {0x84C, 0x84C}, {0xFF0, 0xFFC}};

bool exists(uint32_t offset) {
    for (const auto& range : ranges) {
        if (offset >= range[0] && offset <= range[1])
            return true;
    }
    return false;
}

/// Returns the writable bits. They are from the manual, but also include fields that libraries use:
/// slots 16 to 31 of the instruction memory, and bit 31 of MAT_MCL (no perspective).
uint32_t fields(uint32_t offset) {
    switch (offset) {
    case cg_ctrl:
        return 1u << 31 | 1 << 27 | 1 << 23 | 1 << 19 | 1 << 15 | 1 << 11 | 1 << 7 | 1 << 3 | 3;
    case imem_addr:
        return 31;
    case flush_ctrl: // the bits for an immediate flush are not stored
        return 1 << 11 | 1 << 7 | 1 << 4 | 1;
    case int_ctrl: // the bit for an immediate clear is not stored
        return 3u << 30 | 1 << 27 | 7;
    case draw_cmd:
        return 0xFFu << 23 | 7;
    case mat_ctl:
        return 1u << 31 | 15 << 26;
    case blend_mode:
        return 3u << 30 | 1 << 25 | 15 << 8 | 15;
    case gp_flags: // bits 19:16 are not stored
        return 0xFFF;
    case bus_error_mask:
        return 15 << 3 | 3 << 1;
    default:
        return ~0u;
    }
}

/// Returns the reserved bits that read 1.
uint32_t fixed(uint32_t offset) {
    return offset == flush_ctrl ? 6 : 0;
}

/// Flags in the first word of a list's pair.
constexpr uint32_t pair_nop = 1u << 16;
constexpr uint32_t pair_push = 1u << 17;
constexpr uint32_t pair_return = 1u << 18;
constexpr uint32_t pair_abort = 1u << 19;
constexpr uint32_t hold_gp = 0x08; ///< the only value of bits 31:24 that holds the list

constexpr uint32_t ring_enable = 4;
constexpr uint32_t ring_no_trigger = 2;

constexpr uint32_t sys_bus_error = 1u << 11;

constexpr size_t stack_size = 8;
constexpr uint32_t pairs_per_trigger = 1u << 24;

/// Returns how MMxx reads: a 6-bit exponent and a 15-bit mantissa.
uint32_t matrix_readback(uint32_t word) {
    if (!(word << 1))
        return 0;
    const int exponent = static_cast<int>(bits(word, 30, 23)) - 127 + 31;
    return static_cast<uint32_t>(std::clamp(exponent, 0, 63)) << 15 | bits(word, 22, 8);
}

struct Frame {
    uint32_t next = 0;
    uint32_t left = 0;
    bool unlimited = false; ///< true for the ring, which runs to its stop address
};

} // namespace

struct NemaReference::Device {
    Device(NemaMemory& memory, const NemaConfig& config) : bus(memory) {
        reg[flush_ctrl / 4] = 7;
        reg[clip_max1 / 4] = 0x7FFF7FFF;
        reg[id / 4] = 0x86362000;
        reg[cfg / 4] = config.config;
        reg[cfg_h / 4] = config.config_h;
        reg[coord_mask / 4] = 0xFFF;
    }

    uint32_t& at(uint32_t offset) { return reg[offset / 4]; }

    /* ---- Registers ---- */

    uint32_t read(uint32_t offset) const {
        const uint32_t stored = reg[offset / 4];
        if (offset >= mm00 && offset <= mm22)
            return matrix_readback(stored);
        if ((offset >= c0 && offset <= c3) || (offset >= pvg_first && offset <= pvg_last))
            return 0;
        switch (offset) {
        case dirty_min:
            return dirty.min_y << 16 | dirty.min_x;
        case dirty_max:
            return dirty.max_y << 16 | dirty.max_x;
        case cmd_stat: // work is immediate, so a running list is always waiting
            return running ? 1u << 31 | uint32_t(!at_end()) << 30 |
                                 std::min(uint32_t(stack.size()), 7u) << 9
                           : 0;
        case stat:
            return running ? 1u << 31 | 1u << 28 : 0;
        case cmd_addr:
            return list.next;
        case cmd_size:
            return list.left;
        case int_ctrl:
            return (stored & ~1u) | completion();
        case ip_version:
        case dbg_status:
        case dbg_data:
            return 0;
        default:
            return stored;
        }
    }

    void write(uint32_t offset, uint32_t value, bool by_list) {
        if (!exists(offset))
            return;
        switch (offset) {
        case id:
        case cfg:
        case cfg_h:
        case ip_version:
        case dirty_max:
            return;
        case sys_int:
            at(sys_int) &= ~value;
            return;
        case gp_flags:
            write_gp_flags(value);
            resume();
            return;
        case cmd_addr:
            (by_list ? jump_to : list.next) = by_list ? value & ~7u : value;
            return;
        case cmd_size:
            if (!by_list)
                kick(value);
            return;
        default:
            break;
        }
        at(offset) = (value & fields(offset)) | fixed(offset);
        act(offset, value, by_list);
    }

    void act(uint32_t offset, uint32_t value, bool by_list) {
        switch (offset) {
        case breakpoint:
            if (by_list)
                break_after_next = value & at(breakpoint_mask);
            else if (!value)
                at_breakpoint = false;
            resume();
            break;
        case dirty_min:
            dirty = {bits(at(tex0_resxy), 15, 0), bits(at(tex0_resxy), 31, 16), 0, 0};
            break;
        case imem_high:
            imem[at(imem_addr) & 31] = uint64_t{value} << 32 | at(imem_low);
            at(imem_addr) = (at(imem_addr) + 1) & 31;
            break;
        case cmd_stat:
            stop();
            break;
        case ring_stop:
            if (!by_list)
                trigger();
            break;
        case int_ctrl:
            flag = value & 1;
            // Bit 0 reads as the OR of `flag` and `other`. Interrupt handlers write 0 to it to
            // acknowledge the interrupt.
            other = other && (value & 9) == 1;
            break;
        case draw_cmd:
            draw(value);
            break;
        case mm02:
        case mm12:
            reset_matrix();
            break;
        case bypass_data:
            bypass(at(bypass_addr), value);
            break;
        case irq_id:
            other = true;
            break;
        default:
            break;
        }
    }

    /// Writing a translation resets the other elements of the matrix to those of a plain copy. They
    /// can be written again afterwards.
    void reset_matrix() {
        for (uint32_t offset = mm00; offset <= mm22; offset += 4) {
            const bool one = offset == mm00 || offset == mm11 || offset == mm22;
            if (offset != mm02 && offset != mm12)
                at(offset) = one ? std::bit_cast<uint32_t>(1.0f) : 0;
        }
        at(mat_ctl) = 0;
    }

    void set_half(uint32_t offset, bool high, uint32_t value) {
        at(offset) = high ? (at(offset) & 0xFFFF) | value << 16
                          : (at(offset) & 0xFFFF0000) | (value & 0xFFFF);
    }

    /// Writes a register through the rasterizer's bypass port.
    void bypass(uint32_t index, uint32_t value) {
        static constexpr uint32_t points[] = {pt0_x, pt0_x + 4, pt0_x + 0x10, pt0_x + 0x14};
        if (index == 1)
            at(draw_color) = value;
        else if (index == 2 || index == 3)
            set_half(code_pointer, index == 3, value);
        else if (index >= 4 && index <= 7)
            set_half(clip_min + (index >= 6 ? 4 : 0), index & 1, value);
        else if (index >= 8 && index <= 11)
            at(points[index - 8]) = value;
    }

    /// Writes GP_FLAGS. A nonzero mask in bits 19:16 limits the change to those lines.
    void write_gp_flags(uint32_t value) {
        const uint32_t old = at(gp_flags);
        const uint32_t lines = bits(value, 19, 16);
        const uint32_t now = lines ? (old & ~lines) | (value & lines) : value;
        at(gp_flags) = now & fields(gp_flags);
        at(sys_int) |= now & ~old & bits(now, 11, 8);
    }

    /* ---- Interrupts ---- */

    bool completion() const { return flag || other; }
    bool error() const {
        const uint32_t pending = reg[sys_int / 4];
        const bool bus_errors_count = reg[bus_error_mask / 4] & 0x78;
        return pending & 0xF || (pending & sys_bus_error && bus_errors_count);
    }

    bool freeze() const { return reg[gp_flags / 4] & reg[gp_flags / 4] >> 4 & 0xF; }

    /* ---- Drawing ---- */

    void draw(uint32_t command) {
        const Registers registers{reg, imem};
        if (!nema::draw(registers, command, bus, dirty))
            return;
        if (bus.take_error())
            at(sys_int) |= sys_bus_error;
        other = other || at(int_ctrl) & 4;
    }

    /* ---- Command lists ---- */

    bool at_stop() const {
        return reg[ring_stop / 4] & ring_enable && stack.empty() &&
               (list.next & ~7u) == (reg[ring_stop / 4] & ~7u);
    }

    bool at_end() const { return (!list.unlimited && list.left < 2) || at_stop(); }

    void kick(uint32_t words) {
        list.left = words;
        list.unlimited = false;
        if (words && !running && !at_stop())
            start();
    }

    void trigger() {
        const uint32_t value = at(ring_stop);
        if (value & ring_no_trigger || !(value & ring_enable) || running || at_stop())
            return;
        list.unlimited = !list.left;
        start();
    }

    void start() {
        running = true;
        budget = pairs_per_trigger;
        run();
    }

    void stop() {
        running = at_breakpoint = false;
        break_after_next = 0;
        held_by = 0;
        stack.clear();
    }

    void resume() {
        if (running && !inside)
            run();
    }

    bool held() const { return at_breakpoint || held_by & reg[gp_flags / 4]; }

    void run() {
        inside = true;
        while (running && !held())
            step();
        inside = false;
    }

    void step() {
        held_by = 0;
        if (!list.unlimited && list.left < 2) {
            end_of_list();
            return;
        }
        if (at_stop()) {
            stop();
            return;
        }
        list.next &= ~7u;
        std::array<uint8_t, 8> bytes{};
        if (!budget-- || !bus.read(list.next, bytes)) {
            bus.take_error();
            at(sys_int) |= sys_bus_error;
            stop();
            return;
        }
        list.next += 8;
        list.left -= list.unlimited ? 0 : 2;
        const auto word = [&](size_t i) {
            return bytes[i] | bytes[i + 1] << 8 | bytes[i + 2] << 16 | uint32_t{bytes[i + 3]} << 24;
        };
        const bool break_after_this = break_after_next;
        break_after_next = 0;
        pair(word(0), word(4));
        at_breakpoint = running && (at_breakpoint || break_after_this);
    }

    void end_of_list() {
        list.left = 0;
        if (!stack.empty()) {
            list = stack.back();
            stack.pop_back();
            return;
        }
        other = other || at(int_ctrl) & 2;
        stop();
    }

    void pair(uint32_t name, uint32_t value) {
        if (name & pair_return) {
            if (stack.empty()) {
                stop();
                return;
            }
            list = stack.back();
            stack.pop_back();
        }
        if (name & pair_abort) {
            stop();
            return;
        }
        const uint32_t offset = name & 0xFFC;
        if (!(name & pair_nop)) {
            if (offset == cmd_size)
                go(value, name & pair_push);
            else
                write(offset, value, true);
        }
        if (name >> 24 == hold_gp && running)
            held_by = at(gp_flags) & 0xF;
    }

    void go(uint32_t words, bool call) {
        if (call && stack.size() < stack_size)
            stack.push_back(list);
        list = {jump_to, words, false};
    }

    Bus bus;
    std::array<uint32_t, 0x400> reg{};
    std::array<uint64_t, 32> imem{};
    Dirty dirty;
    bool flag = false;  ///< completion interrupt raised through INT_CTRL
    bool other = false; ///< completion interrupt from any other source
    Frame list;
    std::vector<Frame> stack;
    uint32_t jump_to = 0; ///< CMD_ADDR that the list has written
    bool running = false;
    bool inside = false; ///< true during run()
    uint32_t held_by = 0;
    uint32_t break_after_next = 0;
    bool at_breakpoint = false;
    uint32_t budget = 0;
};

NemaReference::NemaReference(NemaMemory& memory, const NemaConfig& config)
    : memory_(memory), config_(config), device_(std::make_unique<Device>(memory_, config_)) {}

NemaReference::~NemaReference() = default;

void NemaReference::reset() {
    device_ = std::make_unique<Device>(memory_, config_);
}

void NemaReference::write(uint32_t offset, uint32_t value) {
    device_->write(offset & 0xFFC, value, false);
}

uint32_t NemaReference::read(uint32_t offset) const {
    return device_->read(offset & 0xFFC);
}

bool NemaReference::completion() const {
    return device_->completion();
}

bool NemaReference::error() const {
    return device_->error();
}

bool NemaReference::freeze() const {
    return device_->freeze();
}

uint64_t NemaReference::instruction(uint32_t slot) const {
    return device_->imem[slot & 31];
}

} // namespace reference
