// SPDX-License-Identifier: GPL-2.0-or-later
#include "registers.hpp"

#include <algorithm>
#include <iterator>

#include "common/index.hpp"
#include "core.hpp"
#include "offsets.hpp"

namespace pixmill::nema {
namespace {

// ---- Matrix ------------------------------------------------------------------

constexpr uint32_t one = 0x3F800000; // 1.0f

// Silicon reads the matrix back in its own format: 15 bits of mantissa, 6 of an exponent with a
// bias of 31 (measured on an Apollo510: tikuOS, tiku_gpu_arch.c). They are the 21 bits that the
// manual gives an element; where the sign reads is unknown.
uint32_t read_matrix(const Core& core, uint32_t offset) {
    const uint32_t word = core.s.reg[offset / 4];
    if (word << 1 == 0)
        return 0;
    const int32_t exponent = int32_t(word >> 23 & 0xFF) - 127;
    return uint32_t(std::clamp(exponent + 31, 0, 63)) << 15 | (word >> 8 & 0x7FFF);
}

// The libraries write MM12 and MM02 first, then only what is not the identity's, and never take it
// back; nor do they take MATMULT back, which they write behind a matrix. Drawing is right only if
// a translation is where a new matrix begins.
void write_translation(Core& core, const Written&) {
    uint32_t* const reg = core.s.reg;
    for (uint32_t offset = MM00; offset <= MM22; offset += 4) {
        if (offset != MM02 && offset != MM12)
            reg[offset / 4] = offset == MM00 || offset == MM11 || offset == MM22 ? one : 0;
    }
    reg[MATMULT / 4] = 0;
}

// ---- Instruction memory ----------------------------------------------------------

void write_imem(Core& core, const Written& w) {
    uint32_t& slot = core.s.reg[IMEM_ADDR / 4];
    core.s.imem[2 * slot] = core.s.reg[IMEM_DATA_LOW / 4];
    core.s.imem[2 * slot + 1] = w.value;
    slot = (slot + 1) % (PIXMILL_NEMA_IMEM_WORDS / 2);
}

// ---- Rasteriser --------------------------------------------------------------------

void write_draw(Core& core, const Written&) {
    core.drawing.start();
}

/// Set-up registers that BYPASS_ADDR chooses, by their numbers; those of the depth and of the
/// edges are the rasteriser's own.
constexpr struct {
    uint32_t offset;
    uint32_t shift;
    uint32_t mask;
} bypass_table[] = {
    {0, 0, 0},
    {DRAW_COLOR, 0, 0xFFFFFFFF},
    {CODEPTR, 0, 0xFFFF}, // foreground
    {CODEPTR, 16, 0xFFFF},
    {CLIPMIN, 0, 0xFFFF}, // x
    {CLIPMIN, 16, 0xFFFF},
    {CLIPMAX, 0, 0xFFFF},
    {CLIPMAX, 16, 0xFFFF},
    {DRAW_PT0_X, 0, 0xFFFFFFFF},
    {DRAW_PT0_Y, 0, 0xFFFFFFFF},
    {DRAW_PT1_X, 0, 0xFFFFFFFF},
    {DRAW_PT1_Y, 0, 0xFFFFFFFF},
};

/// The library for cores with vector graphics has vertices of its own for every triangle and
/// quadrilateral of a path; without them it draws empty ones, which nothing else would tell.
void write_pvg_vertex(Core& core, const Written& w) {
    core.lacks_vectors(PVG_PT0_X, w.value, "a vertex in floating point");
}

void write_bypass(Core& core, const Written& w) {
    const uint32_t index = core.s.reg[BYPASS_ADDR / 4];
    if (index >= std::size(bypass_table))
        return;
    const auto& row = bypass_table[index];
    uint32_t& word = core.s.reg[row.offset / 4];
    word = (word & ~(row.mask << row.shift)) | (w.value & row.mask) << row.shift;
}

uint32_t read_dirty_min(const Core& core, uint32_t) {
    return core.s.dirty_min;
}

uint32_t read_dirty_max(const Core& core, uint32_t) {
    return core.s.dirty_max;
}

void write_dirty_min(Core& core, const Written&) {
    core.s.dirty_min = core.s.reg[TEX0_RESXY / 4];
    core.s.dirty_max = 0;
}

// ---- Command lists and system ------------------------------------------------------

uint32_t read_stat(const Core& core, uint32_t) {
    return core.busy_units();
}

void write_stat(Core& core, const Written&) {
    core.drawing.drop();
}

uint32_t read_cmd_stat(const Core& core, uint32_t) {
    return core.clp.status();
}

void write_cmd_stat(Core& core, const Written&) {
    core.clp.reset();
}

void write_ring(Core& core, const Written& w) {
    core.clp.ring_written(w.by_list);
    if (!w.by_list)
        core.handler_is_over();
}

void write_cmd_addr(Core& core, const Written& w) {
    (void)core.list_address(w.value); // for the log
}

void write_cmd_size(Core& core, const Written&) {
    core.clp.size_written();
    core.handler_is_over();
}

void write_breakpoint(Core& core, const Written& w) {
    core.clp.breakpoint_written(w.by_list);
}

uint32_t read_int_ctrl(const Core& core, uint32_t offset) {
    return (core.s.reg[offset / 4] & ~int_completion) | core.interrupts.pending();
}

void write_int_ctrl(Core& core, const Written& w) {
    core.interrupts.control(w.value);
    core.look_again();
}

void write_irq_id(Core& core, const Written&) {
    core.interrupts.raise();
}

/// Lines that bits 19:16 name take their level from bits 3:0, and nothing else changes; without a
/// name the word is stored. Libraries need both: their lists write a name and a level, for lines
/// whose masks (11:4) the host has set once. A level that rises interrupts if bits 11:8 say so.
void write_gp_flags(Core& core, const Written& w) {
    uint32_t& flags = core.s.reg[GP_FLAGS / 4];
    if (const uint32_t lines = w.value >> 16 & 0xF)
        flags = (w.before & ~lines) | (w.value & lines);
    core.interrupts.raise_error(flags & ~w.before & flags >> 8 & 0xF);
    core.clp.gp_flags_written(w.by_list);
}

// ---- The table -----------------------------------------------------------------------

constexpr Register rw(uint32_t offset, const char* name, uint32_t reset = 0,
                      uint32_t mask = 0xFFFFFFFF) {
    return {offset, name, "", PIXMILL_ACCESS_RW, reset, mask};
}
constexpr Register ro(uint32_t offset, const char* name, uint32_t reset = 0) {
    return {offset, name, "", PIXMILL_ACCESS_RO, reset, 0};
}
constexpr Register wo(uint32_t offset, const char* name) {
    return {offset, name, "", PIXMILL_ACCESS_WO, 0, 0xFFFFFFFF};
}
constexpr Register w1c(uint32_t offset, const char* name, uint32_t mask) {
    return {offset, name, "", PIXMILL_ACCESS_W1C, 0, mask};
}
/// Of a unit that only other members of the family have, and that nothing may be built on.
constexpr Register pvg_vertex(uint32_t offset, const char* name) {
    return Register{offset, name, "", PIXMILL_ACCESS_WO, 0, 0}.writes(write_pvg_vertex);
}
/// Has no storage; the handlers are all there is.
constexpr Register port(uint32_t offset, const char* name, uint32_t reset = 0) {
    return {offset, name, "", PIXMILL_ACCESS_RW, reset, 0};
}

} // namespace

// Names, offsets, reset values and writable bits: GR5526 manual, chapter GPU; those that it lacks,
// and aliases: hal_gfx_regs.h of goodix-ble/GR5526.SDK and nema_regs.h of Ambiq's SDK. Words that
// clients write without a known meaning are stored.
static constexpr Register table[] = {
    // clang-format off
    rw(0x000, "TEX0_BASE"),
    rw(0x004, "TEX0_FSTRIDE").says("31 dither, 30:24 format, 23:16 mode, 15:0 stride"),
    rw(0x008, "TEX0_RESXY").says("31:16 height, 15:0 width"),
    rw(0x010, "TEX1_BASE"),
    rw(0x014, "TEX1_FSTRIDE"),
    rw(0x018, "TEX1_RESXY"),
    rw(0x01C, "TEX_COLOR").says("colour of textures that are alpha only"),
    rw(0x020, "TEX2_BASE"),
    rw(0x024, "TEX2_FSTRIDE"),
    rw(0x028, "TEX2_RESXY"),
    rw(0x030, "TEX3_BASE"),
    rw(0x034, "TEX3_FSTRIDE"),
    rw(0x038, "TEX3_RESXY"),
    rw(0x080, "BREAKPOINT").writes(write_breakpoint).says("a list stops behind the next pair, until it is 0"),
    rw(0x08C, "BREAKPOINT_MASK"),
    rw(0x090, "CGCMD").says("not in the manual; stored"),
    rw(0x094, "CG_CTRL", 0, 0x8888888B).also("CGCTRL").says("clock gating; stored"),
    port(0x098, "DIRTYMIN", 0xFFFFFFFF).reads(read_dirty_min).writes(write_dirty_min).says("writing anything starts a new region"),
    ro(0x09C, "DIRTYMAX").reads(read_dirty_max),
    rw(0x0C4, "IMEM_ADDR", 0, PIXMILL_NEMA_IMEM_WORDS / 2 - 1).says("5 bits: the libraries use 32 slots, the manual says 4"),
    rw(0x0C8, "IMEM_DATA_LOW").also("IMEM_DATAH"),
    rw(0x0CC, "IMEM_DATA_HIGH").also("IMEM_DATAL").writes(write_imem).says("writing stores both halves and goes on to the next slot"),
    rw(0x0D0, "BURST_SIZE").also("FORKPTR").says("not in the manual; stored"),
    rw(0x0D8, "FORKDATA").says("not in the manual; stored"),
    rw(0x0DC, "FORKDATAH").says("not in the manual; stored"),
    rw(0x0E4, "FLUSH_CTRL", 7, 0x891).says("there are no caches; 13 and 6, which flush at once, read as 0"),
    port(0x0E8, "CMD_STAT").also("CMDSTATUS").reads(read_cmd_stat).writes(write_cmd_stat).says("31 busy, 30 pairs left, 11:9 call depth, 0 fetches; writing resets the list processor"),
    rw(0x0EC, "RING_BUF_STORE").also("CMDRINGSTOP").writes(write_ring).says("31:3 stop address, 2 ENABLE, 1 NOTRIGGER, 0 NOFLUSH"),
    rw(0x0F0, "CMD_ADDR").also("CMDADDR").writes(write_cmd_addr).says("31:3 are fetched by"),
    rw(0x0F4, "CMD_SIZE").also("CMDSIZE").writes(write_cmd_size).says("words; writing starts"),
    rw(0x0F8, "INT_CTRL", 0, 0xC8000007).also("INTERRUPT").reads(read_int_ctrl).writes(write_int_ctrl).says("0 completion, 1 at a list's end, 2 at a primitive's end, 3 clear; 27 ignore throttle and 31:30 core_clk_dvfs are stored"),
    port(0x0FC, "STAT").also("STATUS").reads(read_stat).writes(write_stat).says("busy: 31 system, 30 bus interface, 29 list bus, 28 list processor, 27:24, 12, 8, 4, 0 drawing; writing drops the primitive in flight"),
    rw(0x100, "DRAW_CMD_NOHOLD", 0, 0x7F800007).also("DRAW_CMD").writes(write_draw).says("2:0 primitive: 1 line, 2 rectangle, 4 triangle, 5 quadrilateral"),
    rw(0x104, "DRAW_STARTXY"),
    rw(0x108, "DRAW_ENDXY"),
    rw(0x10C, "PVG_PIVOT_X").says("not in the manual; stored; the name is ours"),
    rw(0x110, "CLIPMIN"),
    rw(0x114, "CLIPMAX"),
    rw(0x118, "MAT_MCL", 0, 0xBC000000).also("MATMULT").says("31 no perspective, which the manual does not have, 29 no half pixel, 28 bypass; 27:26 are stored"),
    rw(0x11C, "CODEPTR").says("31:16 background, 15:0 foreground"),
    rw(0x120, "DRAW_PT0_X"),
    rw(0x124, "DRAW_PT0_Y"),
    rw(0x128, "PVG_PIVOT_Y").says("not in the manual; stored; the name is ours"),
    rw(0x12C, "DRAW_COLOR"),
    rw(0x130, "DRAW_PT1_X"),
    rw(0x134, "DRAW_PT1_Y"),
    rw(0x138, "BYPASS_ADDR"),
    rw(0x13C, "BYPASS_DATA").writes(write_bypass).says("BYPASS_ADDR 1 to 11: writes the register that it names"),
    rw(0x140, "DRAW_PT2_X"),
    rw(0x144, "DRAW_PT2_Y"),
    rw(0x148, "CMD_LIST_ID").also("CLID"),
    rw(0x150, "DRAW_PT3_X"),
    rw(0x154, "DRAW_PT3_Y"),
    rw(0x158, "CLIPMIN1"),
    rw(0x15C, "CLIPMAX1", 0x7FFF7FFF),
    rw(0x160, "MM00").reads(read_matrix).says("IEEE-754; reads in the matrix unit's own format"),
    rw(0x164, "MM01").reads(read_matrix),
    rw(0x168, "MM02").reads(read_matrix).writes(write_translation).says("writing makes the rest identity, but for MM12, and MAT_MCL 0"),
    rw(0x16C, "MM10").reads(read_matrix),
    rw(0x170, "MM11").reads(read_matrix),
    rw(0x174, "MM12").reads(read_matrix).writes(write_translation).says("writing makes the rest identity, but for MM02, and MAT_MCL 0"),
    rw(0x178, "MM20").reads(read_matrix),
    rw(0x17C, "MM21").reads(read_matrix),
    rw(0x180, "MM22").reads(read_matrix),
    rw(0x184, "DEPTH_START_L"),
    rw(0x188, "DEPTH_START_H"),
    rw(0x18C, "DEPTH_DX_L"),
    rw(0x190, "DEPTH_DX_H"),
    rw(0x194, "DEPTH_DY_L"),
    rw(0x198, "DEPTH_DY_H"),
    rw(0x1A0, "RED_DX"),
    rw(0x1A4, "RED_DY"),
    rw(0x1A8, "GRE_DX"),
    rw(0x1AC, "GRE_DY"),
    rw(0x1B0, "BLU_DX"),
    rw(0x1B4, "BLU_DY"),
    rw(0x1B8, "ALF_DX"),
    rw(0x1BC, "ALF_DY"),
    rw(0x1C0, "RED_INIT"),
    rw(0x1C4, "GRE_INIT"),
    rw(0x1C8, "BLU_INIT"),
    rw(0x1CC, "ALF_INIT"),
    rw(0x1D0, "ROPBLENDER_BLEND_MODE", 0, 0xC2000F0F),
    rw(0x1D4, "ROPBLENDER_DST_CKEY"),
    rw(0x1D8, "ROPBLENDER_CONST_COLOR"),
    ro(0x1DC, "IP_VERSION"),
    rw(0x1E0, "ZFUNC").also("DEPTH_CTRL").says("not in the manual; stored"),
    rw(0x1E4, "DEPTH_MIN").says("not in the manual; stored"),
    rw(0x1E8, "DEPTH_MAX").says("not in the manual; stored"),
    ro(0x1EC, "IDREG", 0x86362000).says("what every library wants to see"),
    ro(0x1F0, "CFG").comes_from(&PixmillNemaConfig::config),
    ro(0x1F4, "CFG_H").comes_from(&PixmillNemaConfig::config_h),
    rw(0x1FC, "CORE_SELECT").says("not in the manual; stored"),
    wo(0x200, "C0_REG"),
    wo(0x204, "C1_REG"),
    wo(0x208, "C2_REG"),
    wo(0x20C, "C3_REG"),
    rw(0x210, "FRAG_CONADDR").says("not in the manual; stored"),
    rw(0x214, "FRAG_CONDATA").says("not in the manual; stored"),
    ro(0x2F0, "DBG_STATUS"),
    rw(0x2F4, "DBG_ADDR"),
    ro(0x2F8, "DBG_DATA"),
    rw(0x2FC, "DBG_CTRL"),
// The vertex unit of NEMA|GFX-T; the numbers are ours.
    rw(0x300, "VERTEX_0"),
    rw(0x304, "VERTEX_1"),
    rw(0x308, "VERTEX_2"),
    rw(0x30C, "VERTEX_3"),
    rw(0x310, "VERTEX_4"),
    rw(0x314, "VERTEX_5"),
    rw(0x318, "VERTEX_6"),
    // Vertices of the members with vector graphics, as floats.
    pvg_vertex(0x320, "PVG_PT0_X"),
    pvg_vertex(0x324, "PVG_PT0_Y"),
    pvg_vertex(0x328, "PVG_PT0_Z"),
    pvg_vertex(0x32C, "PVG_PT0_W"),
    pvg_vertex(0x330, "PVG_PT1_X"),
    pvg_vertex(0x334, "PVG_PT1_Y"),
    pvg_vertex(0x338, "PVG_PT1_Z"),
    pvg_vertex(0x33C, "PVG_PT1_W"),
    pvg_vertex(0x340, "PVG_PT2_X"),
    pvg_vertex(0x344, "PVG_PT2_Y"),
    pvg_vertex(0x348, "PVG_PT2_Z"),
    pvg_vertex(0x34C, "PVG_PT2_W"),
    pvg_vertex(0x350, "PVG_PT3_X"),
    pvg_vertex(0x354, "PVG_PT3_Y"),
    pvg_vertex(0x358, "PVG_PT3_Z"),
    pvg_vertex(0x35C, "PVG_PT3_W"),
    rw(0x388, "RAST_BYPASS").says("not in the manual; stored"),
    // The vertex unit once more: matrix, varyings, viewport.
    rw(0x3C0, "MVP_00"),
    rw(0x3C4, "MVP_01"),
    rw(0x3C8, "MVP_02"),
    rw(0x3CC, "MVP_03"),
    rw(0x3D0, "MVP_10"),
    rw(0x3D4, "MVP_11"),
    rw(0x3D8, "MVP_12"),
    rw(0x3DC, "MVP_13"),
    rw(0x3E0, "MVP_20"),
    rw(0x3E4, "MVP_21"),
    rw(0x3E8, "MVP_22"),
    rw(0x3EC, "MVP_23"),
    rw(0x3F0, "MVP_30"),
    rw(0x3F4, "MVP_31"),
    rw(0x3F8, "MVP_32"),
    rw(0x3FC, "MVP_33"),
    rw(0x4A0, "VARYING_0"),
    rw(0x4A4, "VARYING_1"),
    rw(0x4A8, "VARYING_2"),
    rw(0x4AC, "VARYING_3"),
    rw(0x4B0, "VARYING_4"),
    rw(0x4B4, "VARYING_5"),
    rw(0x4B8, "VARYING_6"),
    rw(0x4BC, "VARYING_7"),
    rw(0x4C0, "VIEWPORT_0"),
    rw(0x4C4, "VIEWPORT_1"),
    rw(0x4C8, "VIEWPORT_2"),
    rw(0x4CC, "VIEWPORT_3"),
    rw(0x4D0, "COORD_MASK", 0xFFF).says("stored; no library touches it"),
    rw(0x804, "TEX0_BASE_H").says("stored: addresses have 32 bits"),
    rw(0x80C, "TEX1_BASE_H").says("stored: addresses have 32 bits"),
    rw(0x814, "TEX2_BASE_H").says("stored: addresses have 32 bits"),
    rw(0x81C, "TEX3_BASE_H").says("stored: addresses have 32 bits"),
    rw(0x844, "CMDRINGSTOP_H").says("stored: addresses have 32 bits"),
    rw(0x84C, "CMDADDR_H").says("stored: addresses have 32 bits"),
    rw(0xFF0, "IRQ_ID").writes(write_irq_id).says("writing anything interrupts"),
    rw(0xFF4, "GP_FLAGS", 0, 0xFFF).writes(write_gp_flags).says("11:8 error interrupt, 7:4 freeze, 3:0 level; 19:16 choose lines to write"),
    w1c(0xFF8, "SYS_INT", 0xFFF).also("SYS_INTERRUPT").says("11 bus error, 3:0 GP flags"),
    rw(0xFFC, "BUSERROR_MASK", 0, 0x7E).says("6:3 not 0: bus errors interrupt"),
    // clang-format on
};

static constexpr auto row_of = index_registers<PIXMILL_NEMA_REG_WORDS>(table);

std::span<const Register> registers() {
    return table;
}

uint32_t reset_value(const PixmillNemaConfig& config, const Register& reg) {
    return reg.from ? config.*reg.from : reg.reset;
}

// ---- Names -------------------------------------------------------------------

bool is_register(uint32_t offset) {
    return row_of.find(offset);
}

const char* register_name(uint32_t offset) {
    const Register* reg = row_of.find(offset);
    return reg ? reg->name : "unknown";
}

const char* pair_name(uint32_t word) {
    if (word & pair_abort)
        return "ABORT";
    if (word & pair_return)
        return "RETURN";
    if (word & pair_nop)
        return word >> pair_hold_shift ? "HOLD" : "NOP";
    if ((word & pair_offset) == CMD_SIZE)
        return word & pair_push ? "CALL" : "JUMP";
    return register_name(word & pair_offset);
}

// ---- Access --------------------------------------------------------------------

uint32_t peek_register(const Core& core, uint32_t offset) {
    const Register* reg = row_of.find(offset);
    if (!reg || reg->access == PIXMILL_ACCESS_WO)
        return 0;
    return reg->read ? reg->read(core, offset) : core.s.reg[offset / 4];
}

uint32_t read_register(Core& core, uint32_t offset) {
    if (!row_of.find(offset))
        core.host.guest_error(Reason::unknown_register, offset, "read of 0x%03x: no register there",
                              offset);
    return peek_register(core, offset);
}

void write_register(Core& core, uint32_t offset, uint32_t value, bool by_list) {
    const Register* reg = row_of.find(offset);
    if (!reg) {
        core.host.guest_error(Reason::unknown_register, offset,
                              "write of 0x%03x = 0x%08x: no register there", offset, value);
        return;
    }
    if (reg->access == PIXMILL_ACCESS_RO) {
        core.host.guest_error(Reason::write_read_only, offset,
                              "write of read-only %s (0x%03x) = 0x%08x", reg->name, offset, value);
        return;
    }
    uint32_t& word = core.s.reg[offset / 4];
    const uint32_t before = word;
    if (reg->access == PIXMILL_ACCESS_W1C)
        word &= ~(value & reg->mask);
    else
        word = (word & ~reg->mask) | (value & reg->mask);
    if (reg->write)
        reg->write(core, {before, value, by_list});
}

// ---- Life ------------------------------------------------------------------------

void reset_registers(Core& core) {
    std::ranges::fill(core.s.reg, 0);
    for (const Register& reg : table)
        core.s.reg[reg.offset / 4] = reset_value(core.config, reg);
}

void accept_registers(const PixmillNemaConfig& config, std::span<uint32_t> words) {
    for (uint32_t i = 0; i < words.size(); i++) {
        const Register* reg = row_of.find(4 * i);
        const uint32_t kept = reg ? reg->stored() : 0;
        words[i] = (words[i] & kept) | (reg ? reset_value(config, *reg) & ~kept : 0);
    }
}

} // namespace pixmill::nema
