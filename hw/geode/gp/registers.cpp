// SPDX-License-Identifier: GPL-2.0-or-later
#include "registers.hpp"

#include <algorithm>

#include "common/index.hpp"
#include "core.hpp"
#include "fields.hpp"
#include "offsets.hpp"

namespace pixmill::geode {
namespace {

uint32_t& word(Core& core, uint32_t offset) {
    return core.s.reg[offset / 4];
}

// ---- Operations --------------------------------------------------------------

void write_vector_mode(Core& core, const Written& w) {
    if (w.starts())
        core.operations.start(OperationKind::vector);
}

void write_blt_mode(Core& core, const Written& w) {
    if (w.starts())
        core.operations.start(OperationKind::blt);
}

void write_hst_src(Core& core, const Written& w) {
    core.operations.host_word(Port::hst_src, w.value & w.byte_mask);
}

void write_ch3_hsrc(Core& core, const Written& w) {
    core.operations.host_word(Port::ch3_hsrc, w.value & w.byte_mask);
}

// ---- Status --------------------------------------------------------------------

uint32_t read_status(const Core& core) {
    return core.status();
}

void status_was_read(Core& core) {
    core.s.ce_settled = 1;
}

void write_reset(Core& core, const Written& w) {
    if (reset::key(w.value & w.byte_mask) == reset::unlocked)
        core.reset_gp();
}

// ---- Command buffer --------------------------------------------------------------

/// Clears the bit outside the pointer that is set in CMD_TOP after reset.
template<uint32_t offset>
void write_bound(Core& core, const Written&) {
    word(core, offset) &= pointer_line;
}

void write_cmd_read(Core& core, const Written&) {
    word(core, CMD_WRITE) = word(core, CMD_READ);
    core.ring.restart();
}

void write_cmd_write(Core& core, const Written&) {
    core.ring.doorbell();
}

// ---- LUT ---------------------------------------------------------------------------

uint32_t read_lut_data(const Core& core) {
    return core.s.lut[core.s.reg[LUT_INDEX / 4] % PIXMILL_GEODE_GP_LUT_WORDS];
}

void lut_was_read(Core& core) {
    uint32_t& index = word(core, LUT_INDEX);
    index = (index + 1) % PIXMILL_GEODE_GP_LUT_WORDS;
}

void write_lut_data(Core& core, const Written& w) {
    uint32_t& entry = core.s.lut[word(core, LUT_INDEX) % PIXMILL_GEODE_GP_LUT_WORDS];
    entry = (entry & ~w.byte_mask) | (w.value & w.byte_mask);
    lut_was_read(core);
}

// ---- Interrupts ----------------------------------------------------------------------

void write_int_cntrl(Core& core, const Written& w) {
    core.interrupts.clear(w.value & w.byte_mask);
}

// ---- The table -------------------------------------------------------------------------

using R = Register;

} // namespace

// Names, offsets and reset values are from the AMD Geode LX data book, 33234H, pages 254 to 275,
// and agree with the drivers (xf86-video-geode: cim_regs.h; Linux:
// drivers/video/fbdev/geode/lxfb.h).
static constexpr R table[] = {
    // clang-format off
    R::rw(DST_OFFSET, "DST_OFFSET").says("31:29, 28:26 pattern row and column, 23:0 offset"),
    R::rw(SRC_OFFSET, "SRC_OFFSET").also("VEC_ERR").says("28:26 first bit of a mono source, 23:0 offset; vectors: 31:16 axial error, 15:0 diagonal error"),
    R::rw(STRIDE, "STRIDE").says("31:16 source, 15:0 destination"),
    R::rw(WID_HEIGHT, "WID_HEIGHT").also("VEC_LEN").says("27:16 width, 11:0 height; vectors: 27:16 length, 15:0 initial error"),
    R::rw(SRC_COLOR_FG, "SRC_COLOR_FG"),
    R::rw(SRC_COLOR_BG, "SRC_COLOR_BG"),
    R::rw(PAT_COLOR_0, "PAT_COLOR_0"),
    R::rw(PAT_COLOR_1, "PAT_COLOR_1"),
    R::rw(PAT_COLOR_2, "PAT_COLOR_2"),
    R::rw(PAT_COLOR_3, "PAT_COLOR_3"),
    R::rw(PAT_COLOR_4, "PAT_COLOR_4"),
    R::rw(PAT_COLOR_5, "PAT_COLOR_5"),
    R::rw(PAT_DATA_0, "PAT_DATA_0"),
    R::rw(PAT_DATA_1, "PAT_DATA_1"),
    R::rw(RASTER_MODE, "RASTER_MODE").says("31:28 format, 23:22 EN, 21:20 OS, 19:17 AS, 16 CS, 13 SI, 12 PI, 11 ST, 10 PT, 9:8 PM, 7:0 ROP or alpha"),
    R::wo(VECTOR_MODE, "VECTOR_MODE").latches(R::all).writes(write_vector_mode).says("4 TH, 3 DR, 2 DN, 1 DJ, 0 YJ; a write to byte 0 starts a vector"),
    R::wo(BLT_MODE, "BLT_MODE").latches(R::all).writes(write_blt_mode).says("10 TH, 9 X, 8 Y, 7:6 SM, 2 DR, 1:0 SR; a write to byte 0 starts a BLT"),
    R::ro(BLT_STATUS, "BLT_STATUS", blt_status::fifo_half_empty.mask()).also("RESET").reads(read_status).after_read(status_was_read).writes(write_reset).says("reads: 7 UF, 6 RP, 5 EH, 4 CE, 3 SHE, 2 PP, 1 IN, 0 PB; writing 69h to byte 3 resets"),
    R::wo(HST_SRC, "HST_SRC").writes(write_hst_src).says("also at 100h to 3FFh"),
    R::rw(BASE_OFFSET, "BASE_OFFSET").resets_to(0x01004010).says("31:22 destination, 21:12 source, 11:2 channel 3"),
    R::rw(CMD_TOP, "CMD_TOP", pointer_line).latches(cmd_pointer::beside.mask()).resets_to(cmd_pointer::beside.mask()).writes(write_bound<CMD_TOP>),
    R::rw(CMD_BOT, "CMD_BOT", pointer_line).resets_to(pointer_line),
    R::rw(CMD_READ, "CMD_READ", pointer_word).writes(write_cmd_read).says("a write also sets CMD_WRITE"),
    R::rw(CMD_WRITE, "CMD_WRITE", pointer_word).writes(write_cmd_write).says("a write that differs from CMD_READ starts the command buffer"),
    R::rw(CH3_OFFSET, "CH3_OFFSET").says("31:29, 28:26 pattern row and column, 25 nibble, 23:0 offset"),
    R::rw(CH3_MODE_STR, "CH3_MODE_STR").says("31 EN, 30 PS, 29 X, 28 Y, 27:24 format, 23 RO, 22 BGR, 21 PM, 20 PL, 19 PE, 18 HS, 15:0 stride"),
    R::rw(CH3_WIDHI, "CH3_WIDHI").says("27:16 width, 11:0 height"),
    R::wo(CH3_HSRC, "CH3_HSRC").writes(write_ch3_hsrc).says("also at 400h to FFFh"),
    R::rw(LUT_INDEX, "LUT_INDEX", PIXMILL_GEODE_GP_LUT_WORDS - 1),
    R::rw(LUT_DATA, "LUT_DATA", 0).reads(read_lut_data).after_read(lut_was_read).writes(write_lut_data).says("word at LUT_INDEX, which advances"),
    R::rw(INT_CNTRL, "INT_CNTRL", mask_of(int_cntrl::masks)).latches(mask_of(int_cntrl::status)).resets_to(0x0000FFFF).writes(write_int_cntrl).says("17 I1 idle, 16 I0 command buffer empty: writing 1 clears; 1 M1, 0 M0"),
    // clang-format on
};

static constexpr auto row_of = index_registers<PIXMILL_GEODE_GP_REG_WORDS>(table);

std::span<const Register> registers() {
    return table;
}

uint32_t register_offset(uint32_t offset) {
    if (offset < HST_SRC_BLOCK || offset >= BLOCKS_END)
        return word_offset(offset);
    return offset < CH3_HSRC_BLOCK ? HST_SRC : CH3_HSRC;
}

const char* register_name(uint32_t offset) {
    const R* reg = row_of.find(register_offset(offset));
    return reg ? reg->name : "unknown";
}

// ---- Access --------------------------------------------------------------------

uint32_t peek_register(const Core& core, uint32_t offset) {
    const R* reg = row_of.find(register_offset(offset));
    if (!reg)
        return 0;
    if (reg->read)
        return reg->read(core);
    return reg->access == PIXMILL_ACCESS_WO ? 0 : core.s.reg[reg->offset / 4];
}

uint32_t read_register(Core& core, uint32_t offset) {
    const uint32_t value = peek_register(core, offset);
    const R* reg = row_of.find(register_offset(offset));
    if (!reg)
        core.host.guest_error(Cause::unknown_register, offset, "read of 0x%04x: no register there",
                              offset);
    else if (reg->was_read)
        reg->was_read(core);
    return value;
}

void write_register(Core& core, uint32_t offset, uint32_t value, uint32_t byte_mask) {
    const R* reg = row_of.find(register_offset(offset));
    if (!reg) {
        core.host.guest_error(Cause::unknown_register, offset,
                              "write of 0x%04x = 0x%08x: no register there", offset, value);
        return;
    }
    core.s.ce_settled |= reg->offset != BLT_STATUS;
    uint32_t& stored = word(core, reg->offset);
    const uint32_t merged = (stored & ~byte_mask) | (value & byte_mask);
    stored = reg->written(stored, merged);
    if (reg->write)
        reg->write(core, {merged, byte_mask});
}

// ---- Life ------------------------------------------------------------------------

void reset_registers(Core& core) {
    std::ranges::fill(core.s.reg, 0);
    for (const R& reg : table)
        word(core, reg.offset) = reg.reset;
}

void accept_registers(std::span<uint32_t> words) {
    for (uint32_t i = 0; i < words.size(); i++) {
        const R* reg = row_of.find(4 * i);
        words[i] = reg ? reg->accepted(words[i], reg->reset) : 0;
    }
}

} // namespace pixmill::geode
