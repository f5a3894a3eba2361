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

// Silicon returns matrix elements in its own format: a 15-bit mantissa and a 6-bit exponent with a
// bias of 31 (measured on an Apollo510: tikuOS, tiku_gpu_arch.c). The manual gives each element 21
// bits, as many as this format. The position of the sign is unknown.
uint32_t read_matrix(const Core& core, uint32_t offset) {
    const uint32_t word = core.s.reg[offset / 4];
    if (word << 1 == 0)
        return 0;
    const int32_t exponent = int32_t(ieee754::exponent(word)) - 127 + 31;
    return matrix_element::exponent.put(uint32_t(std::clamp(exponent, 0, 63))) |
           matrix_element::mantissa.put(ieee754::mantissa(word) >> 8);
}

// A write to MM02 or MM12 resets the other elements and MATMULT. Undocumented, but required: the
// libraries write MM12 and MM02 first, then only the elements that differ from identity, and never
// reset elements or MATMULT.
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

// ---- Rasterizer --------------------------------------------------------------------

void write_draw(Core& core, const Written&) {
    core.drawing.start();
}

/// Set-up registers, indexed by BYPASS_ADDR. Other values (depth, edges) address internals of the
/// rasterizer and are ignored.
constexpr Field whole{"", 31, 0};
constexpr struct {
    uint32_t offset;
    Field field;
} bypass_table[] = {
    {0, {}}, // none
    {DRAW_COLOR, whole},
    {CODEPTR, codeptr::foreground},
    {CODEPTR, codeptr::background},
    {CLIPMIN, xy::x},
    {CLIPMIN, xy::y},
    {CLIPMAX, xy::x},
    {CLIPMAX, xy::y},
    {DRAW_PT0_X, whole},
    {DRAW_PT0_Y, whole},
    {DRAW_PT1_X, whole},
    {DRAW_PT1_Y, whole},
};

/// Logs writes to the PVG_PTn registers. The library writes them for each triangle and
/// quadrilateral of a path if the core has vector graphics. The model ignores them, so the
/// primitives are empty; without this message nothing would report that.
void write_pvg_vertex(Core& core, const Written& w) {
    core.lacks_vectors(PVG_PT0_X, w.value, "a vertex in floating point");
}

void write_bypass(Core& core, const Written& w) {
    const uint32_t index = core.s.reg[BYPASS_ADDR / 4];
    if (index == 0 || index >= std::size(bypass_table))
        return;
    const auto& row = bypass_table[index];
    uint32_t& word = core.s.reg[row.offset / 4];
    word = (word & ~row.field.mask()) | row.field.put(w.value);
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
    (void)core.list_address(w.value); // called only to log a bad address
}

void write_cmd_size(Core& core, const Written&) {
    core.clp.size_written();
    core.handler_is_over();
}

void write_breakpoint(Core& core, const Written& w) {
    core.clp.breakpoint_written(w.by_list);
}

uint32_t read_int_ctrl(const Core& core, uint32_t offset) {
    return (core.s.reg[offset / 4] & ~int_ctrl::completion.mask()) | core.interrupts.pending();
}

void write_int_ctrl(Core& core, const Written& w) {
    core.interrupts.control(w.value);
    core.resume_clp();
}

void write_irq_id(Core& core, const Written&) {
    core.interrupts.raise();
}

/// If bits 19:16 select lines, only the levels of those lines change, to bits 3:0. Otherwise the
/// whole word is stored. Libraries need both: the host sets the masks (11:4) once, and lists write
/// a selection with levels. A rising level raises an interrupt if its bit in 11:8 is set.
void write_gp_flags(Core& core, const Written& w) {
    uint32_t& flags = core.s.reg[GP_FLAGS / 4];
    if (const uint32_t lines = gp_flags::written(w.value))
        flags = (w.before & ~lines) | (w.value & lines);
    core.interrupts.raise_error(gp_flags::level(flags & ~w.before) & gp_flags::interrupt(flags));
    core.clp.gp_flags_written(w.by_list);
}

// ---- The table -----------------------------------------------------------------------

using R = Register;

/// Describes a floating-point vertex register of cores with vector graphics. Writes are only
/// logged.
constexpr Register pvg_vertex(uint32_t offset, const char* name) {
    return R::wo(offset, name, 0).writes(write_pvg_vertex);
}
/// Describes a register without storage, implemented by its handlers.
constexpr Register port(uint32_t offset, const char* name) {
    return R::rw(offset, name, 0);
}
/// Describes a write-only register whose value draws use.
constexpr Register constant(uint32_t offset, const char* name) {
    return R::wo(offset, name).latches(R::all);
}

} // namespace

// Names, offsets, reset values and writable bits are from the GR5526 manual, chapter GPU. Aliases,
// and registers missing from the manual, are from hal_gfx_regs.h of goodix-ble/GR5526.SDK and
// nema_regs.h of Ambiq's SDK. Registers whose meaning is unknown are stored if clients write them.
static constexpr Register table[] = {
    // clang-format off
    R::rw(TEX0_BASE, "TEX0_BASE"),
    R::rw(TEX0_FSTRIDE, "TEX0_FSTRIDE").says("31 dither, 30:24 format, 23:16 mode, 15:0 stride"),
    R::rw(TEX0_RESXY, "TEX0_RESXY").says("31:16 height, 15:0 width"),
    R::rw(TEX1_BASE, "TEX1_BASE"),
    R::rw(TEX1_FSTRIDE, "TEX1_FSTRIDE"),
    R::rw(TEX1_RESXY, "TEX1_RESXY"),
    R::rw(TEX_COLOR, "TEX_COLOR").says("color of alpha-only textures"),
    R::rw(TEX2_BASE, "TEX2_BASE"),
    R::rw(TEX2_FSTRIDE, "TEX2_FSTRIDE"),
    R::rw(TEX2_RESXY, "TEX2_RESXY"),
    R::rw(TEX3_BASE, "TEX3_BASE"),
    R::rw(TEX3_FSTRIDE, "TEX3_FSTRIDE"),
    R::rw(TEX3_RESXY, "TEX3_RESXY"),
    R::rw(BREAKPOINT, "BREAKPOINT").writes(write_breakpoint).says("stops the list after the next pair until 0 is written"),
    R::rw(BREAKPOINT_MASK, "BREAKPOINT_MASK"),
    R::rw(CGCMD, "CGCMD").says("not in the manual; stored"),
    R::rw(CG_CTRL, "CG_CTRL", mask_of(cg_ctrl::all)).also("CGCTRL").says("clock gating; stored"),
    port(DIRTYMIN, "DIRTYMIN").resets_to(0xFFFFFFFF).reads(read_dirty_min).writes(write_dirty_min).says("any write starts a new region"),
    R::ro(DIRTYMAX, "DIRTYMAX").reads(read_dirty_max),
    R::rw(IMEM_ADDR, "IMEM_ADDR", PIXMILL_NEMA_IMEM_WORDS / 2 - 1).says("5 bits: the libraries use 32 slots, the manual says 4"),
    R::rw(IMEM_DATA_LOW, "IMEM_DATA_LOW").also("IMEM_DATAH"),
    R::rw(IMEM_DATA_HIGH, "IMEM_DATA_HIGH").also("IMEM_DATAL").writes(write_imem).says("a write stores both halves and advances to the next slot"),
    R::rw(BURST_SIZE, "BURST_SIZE").also("FORKPTR").says("not in the manual; stored"),
    R::rw(FORKDATA, "FORKDATA").says("not in the manual; stored"),
    R::rw(FORKDATAH, "FORKDATAH").says("not in the manual; stored"),
    R::rw(FLUSH_CTRL, "FLUSH_CTRL", mask_of(flush_ctrl::stored)).resets_to(7).says("no caches: 13 and 6 complete at once and read as 0"),
    port(CMD_STAT, "CMD_STAT").also("CMDSTATUS").reads(read_cmd_stat).writes(write_cmd_stat).says("31 busy, 30 pairs left, 11:9 call depth, 0 fetches; writing resets the list processor"),
    R::rw(RING_BUF_STORE, "RING_BUF_STORE").also("CMDRINGSTOP").writes(write_ring).says("31:3 stop address, 2 ENABLE, 1 NOTRIGGER, 0 NOFLUSH"),
    R::rw(CMD_ADDR, "CMD_ADDR").also("CMDADDR").writes(write_cmd_addr).says("31:3 address the next pair"),
    R::rw(CMD_SIZE, "CMD_SIZE").also("CMDSIZE").writes(write_cmd_size).says("words; writing starts"),
    R::rw(INT_CTRL, "INT_CTRL", mask_of(int_ctrl::stored)).also("INTERRUPT").reads(read_int_ctrl).writes(write_int_ctrl).says("0 completion, 1 at a list's end, 2 at a draw's end, 3 clear; 27 ignore throttle and 31:30 core_clk_dvfs are stored"),
    port(STAT, "STAT").also("STATUS").reads(read_stat).writes(write_stat).says("busy: 31 system, 30 bus interface, 29 list bus, 28 list processor, 27:24, 12, 8, 4, 0 drawing; writing drops the draw in flight"),
    R::rw(DRAW_CMD, "DRAW_CMD_NOHOLD", mask_of(draw_cmd::all)).also("DRAW_CMD").writes(write_draw).says("2:0 primitive: 1 line, 2 rectangle, 4 triangle, 5 quadrilateral"),
    R::rw(DRAW_STARTXY, "DRAW_STARTXY"),
    R::rw(DRAW_ENDXY, "DRAW_ENDXY"),
    R::rw(PVG_PIVOT_X, "PVG_PIVOT_X").says("not in the manual; stored; the name is ours"),
    R::rw(CLIPMIN, "CLIPMIN"),
    R::rw(CLIPMAX, "CLIPMAX"),
    R::rw(MATMULT, "MAT_MCL", mask_of(mat_mcl::stored)).also("MATMULT").says("31 no perspective (not in the manual), 29 no half pixel, 28 bypass; 27:26 are stored"),
    R::rw(CODEPTR, "CODEPTR").says("31:16 background, 15:0 foreground"),
    R::rw(DRAW_PT0_X, "DRAW_PT0_X"),
    R::rw(DRAW_PT0_Y, "DRAW_PT0_Y"),
    R::rw(PVG_PIVOT_Y, "PVG_PIVOT_Y").says("not in the manual; stored; the name is ours"),
    R::rw(DRAW_COLOR, "DRAW_COLOR"),
    R::rw(DRAW_PT1_X, "DRAW_PT1_X"),
    R::rw(DRAW_PT1_Y, "DRAW_PT1_Y"),
    R::rw(BYPASS_ADDR, "BYPASS_ADDR"),
    R::rw(BYPASS_DATA, "BYPASS_DATA").writes(write_bypass).says("BYPASS_ADDR 1 to 11: writes the register that it names"),
    R::rw(DRAW_PT2_X, "DRAW_PT2_X"),
    R::rw(DRAW_PT2_Y, "DRAW_PT2_Y"),
    R::rw(CMD_LIST_ID, "CMD_LIST_ID").also("CLID"),
    R::rw(DRAW_PT3_X, "DRAW_PT3_X"),
    R::rw(DRAW_PT3_Y, "DRAW_PT3_Y"),
    R::rw(CLIPMIN1, "CLIPMIN1"),
    R::rw(CLIPMAX1, "CLIPMAX1").resets_to(0x7FFF7FFF),
    R::rw(MM00, "MM00").reads(read_matrix).says("IEEE-754; reads in the matrix unit's own format"),
    R::rw(MM01, "MM01").reads(read_matrix),
    R::rw(MM02, "MM02").reads(read_matrix).writes(write_translation).says("a write resets the rest to identity, except MM12, and clears MAT_MCL"),
    R::rw(MM10, "MM10").reads(read_matrix),
    R::rw(MM11, "MM11").reads(read_matrix),
    R::rw(MM12, "MM12").reads(read_matrix).writes(write_translation).says("a write resets the rest to identity, except MM02, and clears MAT_MCL"),
    R::rw(MM20, "MM20").reads(read_matrix),
    R::rw(MM21, "MM21").reads(read_matrix),
    R::rw(MM22, "MM22").reads(read_matrix),
    R::rw(DEPTH_START_L, "DEPTH_START_L"),
    R::rw(DEPTH_START_H, "DEPTH_START_H"),
    R::rw(DEPTH_DX_L, "DEPTH_DX_L"),
    R::rw(DEPTH_DX_H, "DEPTH_DX_H"),
    R::rw(DEPTH_DY_L, "DEPTH_DY_L"),
    R::rw(DEPTH_DY_H, "DEPTH_DY_H"),
    R::rw(RED_DX, "RED_DX"),
    R::rw(RED_DY, "RED_DY"),
    R::rw(GRE_DX, "GRE_DX"),
    R::rw(GRE_DY, "GRE_DY"),
    R::rw(BLU_DX, "BLU_DX"),
    R::rw(BLU_DY, "BLU_DY"),
    R::rw(ALF_DX, "ALF_DX"),
    R::rw(ALF_DY, "ALF_DY"),
    R::rw(RED_INIT, "RED_INIT"),
    R::rw(GRE_INIT, "GRE_INIT"),
    R::rw(BLU_INIT, "BLU_INIT"),
    R::rw(ALF_INIT, "ALF_INIT"),
    R::rw(BLEND_MODE, "ROPBLENDER_BLEND_MODE", mask_of(blend_mode::stored)),
    R::rw(DST_CKEY, "ROPBLENDER_DST_CKEY"),
    R::rw(CONST_COLOR, "ROPBLENDER_CONST_COLOR"),
    R::ro(IP_VERSION, "IP_VERSION"),
    R::rw(ZFUNC, "ZFUNC").also("DEPTH_CTRL").says("not in the manual; stored"),
    R::rw(DEPTH_MIN, "DEPTH_MIN").says("not in the manual; stored"),
    R::rw(DEPTH_MAX, "DEPTH_MAX").says("not in the manual; stored"),
    R::ro(IDREG, "IDREG", 0x86362000).says("the value that every library checks for"),
    R::ro(CFG, "CFG").comes_from(&PixmillNemaConfig::config),
    R::ro(CFG_H, "CFG_H").comes_from(&PixmillNemaConfig::config_h),
    R::rw(CORE_SELECT, "CORE_SELECT").says("not in the manual; stored"),
    constant(C0_REG, "C0_REG"),
    constant(C1_REG, "C1_REG"),
    constant(C2_REG, "C2_REG"),
    constant(C3_REG, "C3_REG"),
    R::rw(FRAG_CONADDR, "FRAG_CONADDR").says("not in the manual; stored"),
    R::rw(FRAG_CONDATA, "FRAG_CONDATA").says("not in the manual; stored"),
    R::ro(DBG_STATUS, "DBG_STATUS"),
    R::rw(DBG_ADDR, "DBG_ADDR"),
    R::ro(DBG_DATA, "DBG_DATA"),
    R::rw(DBG_CTRL, "DBG_CTRL"),
    // The vertex unit of NEMA|GFX-T.
    R::rw(VERTEX_VA_PTR, "VERTEX_VA_PTR"),
    R::rw(VERTEX_VS_PTR, "VERTEX_VS_PTR"),
    R::rw(VERTEX_REGADDR, "VERTEX_REGADDR"),
    R::rw(VERTEX_REGDATA, "VERTEX_REGDATA"),
    R::rw(VERTEX_CONADDR, "VERTEX_CONADDR"),
    R::rw(VERTEX_CONDATA, "VERTEX_CONDATA"),
    R::rw(VERTEX_TRIGGER, "VERTEX_TRIGGER"),
    // Floating-point vertices of cores with vector graphics.
    pvg_vertex(PVG_PT0_X, "PVG_PT0_X"),
    pvg_vertex(PVG_PT0_Y, "PVG_PT0_Y"),
    pvg_vertex(PVG_PT0_Z, "PVG_PT0_Z"),
    pvg_vertex(PVG_PT0_W, "PVG_PT0_W"),
    pvg_vertex(PVG_PT1_X, "PVG_PT1_X"),
    pvg_vertex(PVG_PT1_Y, "PVG_PT1_Y"),
    pvg_vertex(PVG_PT1_Z, "PVG_PT1_Z"),
    pvg_vertex(PVG_PT1_W, "PVG_PT1_W"),
    pvg_vertex(PVG_PT2_X, "PVG_PT2_X"),
    pvg_vertex(PVG_PT2_Y, "PVG_PT2_Y"),
    pvg_vertex(PVG_PT2_Z, "PVG_PT2_Z"),
    pvg_vertex(PVG_PT2_W, "PVG_PT2_W"),
    pvg_vertex(PVG_PT3_X, "PVG_PT3_X"),
    pvg_vertex(PVG_PT3_Y, "PVG_PT3_Y"),
    pvg_vertex(PVG_PT3_Z, "PVG_PT3_Z"),
    pvg_vertex(PVG_PT3_W, "PVG_PT3_W"),
    R::rw(RAST_BYPASS, "RAST_BYPASS").says("not in the manual; stored"),
    // More registers of the vertex unit: matrix, varyings, viewport.
    R::rw(VERTEX_MVP00, "VERTEX_MVP00"),
    R::rw(VERTEX_MVP01, "VERTEX_MVP01"),
    R::rw(VERTEX_MVP02, "VERTEX_MVP02"),
    R::rw(VERTEX_MVP03, "VERTEX_MVP03"),
    R::rw(VERTEX_MVP10, "VERTEX_MVP10"),
    R::rw(VERTEX_MVP11, "VERTEX_MVP11"),
    R::rw(VERTEX_MVP12, "VERTEX_MVP12"),
    R::rw(VERTEX_MVP13, "VERTEX_MVP13"),
    R::rw(VERTEX_MVP20, "VERTEX_MVP20"),
    R::rw(VERTEX_MVP21, "VERTEX_MVP21"),
    R::rw(VERTEX_MVP22, "VERTEX_MVP22"),
    R::rw(VERTEX_MVP23, "VERTEX_MVP23"),
    R::rw(VERTEX_MVP30, "VERTEX_MVP30"),
    R::rw(VERTEX_MVP31, "VERTEX_MVP31"),
    R::rw(VERTEX_MVP32, "VERTEX_MVP32"),
    R::rw(VERTEX_MVP33, "VERTEX_MVP33"),
    R::rw(VARYING0_INFO, "VARYING0_INFO"),
    R::rw(VARYING1_INFO, "VARYING1_INFO"),
    R::rw(VARYING2_INFO, "VARYING2_INFO"),
    R::rw(VARYING3_INFO, "VARYING3_INFO"),
    R::rw(VARYING4_INFO, "VARYING4_INFO"),
    R::rw(VARYING5_INFO, "VARYING5_INFO"),
    R::rw(VARYING6_INFO, "VARYING6_INFO"),
    R::rw(VARYING7_INFO, "VARYING7_INFO"),
    R::rw(VIEWPORT_X, "VIEWPORT_X"),
    R::rw(VIEWPORT_Y, "VIEWPORT_Y"),
    R::rw(VIEWPORT_W, "VIEWPORT_W"),
    R::rw(VIEWPORT_H, "VIEWPORT_H"),
    R::rw(COORD_MASK, "COORD_MASK").resets_to(0xFFF).says("stored; no library uses it"),
    R::rw(TEX0_BASE_H, "TEX0_BASE_H").says("stored: addresses have 32 bits"),
    R::rw(TEX1_BASE_H, "TEX1_BASE_H").says("stored: addresses have 32 bits"),
    R::rw(TEX2_BASE_H, "TEX2_BASE_H").says("stored: addresses have 32 bits"),
    R::rw(TEX3_BASE_H, "TEX3_BASE_H").says("stored: addresses have 32 bits"),
    R::rw(CMDRINGSTOP_H, "CMDRINGSTOP_H").says("stored: addresses have 32 bits"),
    R::rw(CMDADDR_H, "CMDADDR_H").says("stored: addresses have 32 bits"),
    R::rw(IRQ_ID, "IRQ_ID").writes(write_irq_id).says("any write interrupts"),
    R::rw(GP_FLAGS, "GP_FLAGS", mask_of(gp_flags::stored)).writes(write_gp_flags).says("11:8 error interrupt, 7:4 freeze, 3:0 level; 19:16 choose lines to write"),
    R::w1c(SYS_INT, "SYS_INT", mask_of(sys_int::latched)).latches(mask_of(sys_int::latched)).also("SYS_INTERRUPT").says("11 bus error, 3:0 GP flags"),
    R::rw(BUSERROR_MASK, "BUSERROR_MASK", mask_of(buserror_mask::stored)).says("if 6:3 is not 0, bus errors interrupt"),
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

bool is_writable(uint32_t offset) {
    const Register* reg = row_of.find(offset);
    return reg && reg->access != PIXMILL_ACCESS_RO;
}

const char* register_name(uint32_t offset) {
    const Register* reg = row_of.find(offset);
    return reg ? reg->name : "unknown";
}

const char* pair_name(uint32_t word) {
    if (pair_word::abort(word))
        return "ABORT";
    if (pair_word::return_(word))
        return "RETURN";
    if (pair_word::nop(word))
        return pair_word::hold(word) ? "HOLD" : "NOP";
    if (pair_word::target(word) == CMD_SIZE)
        return pair_word::push(word) ? "CALL" : "JUMP";
    return register_name(pair_word::target(word));
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
        core.host.guest_error(Cause::unknown_register, offset, "read of 0x%03x: no register there",
                              offset);
    return peek_register(core, offset);
}

void write_register(Core& core, uint32_t offset, uint32_t value, bool by_list) {
    const Register* reg = row_of.find(offset);
    if (!reg) {
        core.host.guest_error(Cause::unknown_register, offset,
                              "write of 0x%03x = 0x%08x: no register there", offset, value);
        return;
    }
    if (reg->access == PIXMILL_ACCESS_RO) {
        core.host.guest_error(Cause::write_read_only, offset,
                              "write of read-only %s (0x%03x) = 0x%08x", reg->name, offset, value);
        return;
    }
    uint32_t& word = core.s.reg[offset / 4];
    const uint32_t before = word;
    word = reg->written(before, value);
    if (reg->write)
        reg->write(core, {before, value, by_list});
}

// ---- Reset and migration ---------------------------------------------------------

void reset_registers(Core& core) {
    std::ranges::fill(core.s.reg, 0);
    for (const Register& reg : table)
        core.s.reg[reg.offset / 4] = reset_value(core.config, reg);
}

void accept_registers(const PixmillNemaConfig& config, std::span<uint32_t> words) {
    for (uint32_t i = 0; i < words.size(); i++) {
        const Register* reg = row_of.find(4 * i);
        words[i] = reg ? reg->accepted(words[i], reset_value(config, *reg)) : 0;
    }
}

} // namespace pixmill::nema
