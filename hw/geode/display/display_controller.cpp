// SPDX-License-Identifier: GPL-2.0-or-later
#include "display_controller.hpp"

#include <algorithm>
#include <iterator>

#include "common/index.hpp"
#include "display.hpp"
#include "fields.hpp"
#include "offsets.hpp"

namespace pixmill::geode_display {
namespace {

constexpr uint32_t buffer_offset = st_offset::bytes.mask();
constexpr uint32_t line_status = dc_irq::line_status.mask(),
                   vsync_loss_status = dc_irq::vsync_loss_status.mask();
constexpr uint32_t irq_masks = dc_irq::line_mask.mask() | dc_irq::vsync_loss_mask.mask();

constexpr uint32_t coefficient_1 = mask_of(filt_coeff::first),
                   coefficient_2 = mask_of(filt_coeff::second);

} // namespace

// Names, offsets and fields: databook 33234H 6.6, linux lxfb.h, cim_regs.h of the X driver. The
// timing registers reset to a 640x480 mode, because the X driver takes over the current mode and
// divides by values that it reads from them.
struct DisplayController::Table {
    using R = Register<DisplayController>;
    // clang-format off
    static constexpr R rows[] = {
        R::rw(DC_UNLOCK, "DC_UNLOCK", dc_unlock::key.mask()).says("4758h unlocks the registers marked L"),
        R::rw(DC_GENERAL_CFG, "DC_GENERAL_CFG").locks().says("L; DFLE 0, CURE 1, CLR_CUR 2, VIDE 3, VGAE 7, VDSE 19; compression is ignored"),
        R::rw(DC_DISPLAY_CFG, "DC_DISPLAY_CFG").locks().writes(write_timing).says("L; TGEN 0, GDEN 3, DISP_MODE 9:8, 16BPP_MODE 11:10, PALB 25"),
        R::rw(DC_ARB_CFG, "DC_ARB_CFG").locks().says("L; stored"),
        R::rw(DC_FB_ST_OFFSET, "DC_FB_ST_OFFSET", buffer_offset).locks().says("L"),
        R::rw(DC_CB_ST_OFFSET, "DC_CB_ST_OFFSET", buffer_offset).locks().says("L; stored"),
        R::rw(DC_CURS_ST_OFFSET, "DC_CURS_ST_OFFSET", buffer_offset).locks().says("L"),
        R::rw(DC_RSVD_0, "DC_RSVD_0").locks().says("L; stored"),
        R::rw(DC_VID_Y_ST_OFFSET, "DC_VID_Y_ST_OFFSET", buffer_offset).locks().says("L"),
        R::rw(DC_VID_U_ST_OFFSET, "DC_VID_U_ST_OFFSET", buffer_offset).locks().says("L"),
        R::rw(DC_VID_V_ST_OFFSET, "DC_VID_V_ST_OFFSET", buffer_offset).locks().says("L"),
        R::rw(DC_DV_TOP, "DC_DV_TOP").locks().says("L; stored"),
        R::rw(DC_LINE_SIZE, "DC_LINE_SIZE").resets_to(0x00000050).locks().says("L; video 29:20 in 8-byte units; the rest is stored"),
        R::rw(DC_GFX_PITCH, "DC_GFX_PITCH").resets_to(0x00000080).locks().says("L; 15:0 in 8-byte units; the rest is stored"),
        R::rw(DC_VID_YUV_PITCH, "DC_VID_YUV_PITCH").locks().says("L; Y or packed 15:0, U and V 31:16, in 8-byte units"),
        R::rw(DC_H_ACTIVE_TIMING, "DC_H_ACTIVE_TIMING", mask_of(h_timing::all)).resets_to(0x031F027F).locks().writes(write_timing).says("L"),
        R::rw(DC_H_BLANK_TIMING, "DC_H_BLANK_TIMING", mask_of(h_timing::all)).resets_to(0x031F027F).locks().says("L; stored"),
        R::rw(DC_H_SYNC_TIMING, "DC_H_SYNC_TIMING", mask_of(h_timing::all)).resets_to(0x02EF028F).locks().says("L; VP_VX counts from the end of sync"),
        R::rw(DC_V_ACTIVE_TIMING, "DC_V_ACTIVE_TIMING", mask_of(v_timing::all)).resets_to(0x020C01DF).locks().writes(write_timing).says("L"),
        R::rw(DC_V_BLANK_TIMING, "DC_V_BLANK_TIMING", mask_of(v_timing::all)).resets_to(0x020C01DF).locks().says("L; stored"),
        R::rw(DC_V_SYNC_TIMING, "DC_V_SYNC_TIMING", mask_of(v_timing::all)).resets_to(0x01EB01E9).locks().says("L; VP_VY counts from the end of sync"),
        R::rw(DC_FB_ACTIVE, "DC_FB_ACTIVE").resets_to(0x027F01DF).locks().says("L; width - 1 31:16, height - 1 15:0"),
        R::rw(DC_CURSOR_X, "DC_CURSOR_X", mask_of(cursor_position::all)).locks().says("L; position 10:0, first column 16:11"),
        R::rw(DC_CURSOR_Y, "DC_CURSOR_Y", mask_of(cursor_position::all)).locks().says("L; position 10:0, first row 16:11"),
        R::ro(DC_LINE_CNT, "DC_LINE_CNT").also("DC_LINE_CNT_STATUS").reads(read_line_count).says("DNA 31, VNA 30, VSA 29, FLIP 27, VFLIP 15, line 26:16 and 10:0; follows guest time"),
        R::rw(DC_PAL_ADDRESS, "DC_PAL_ADDRESS", pal_address::index.mask()),
        R::rw(DC_PAL_DATA, "DC_PAL_DATA", color_entry::color.mask()).reads(read_palette).writes(write_palette).advances(advance_palette).says("261 entries; each access advances to the next"),
        R::rw(DC_DFIFO_DIAG, "DC_DFIFO_DIAG").locks().says("L; stored"),
        R::rw(DC_CFIFO_DIAG, "DC_CFIFO_DIAG").locks().says("L; stored"),
        R::rw(DC_VID_DS_DELTA, "DC_VID_DS_DELTA").locks().says("L; 31:18 apply with VDSE"),
        R::rw(DC_GLIU0_MEM_OFFSET, "DC_GLIU0_MEM_OFFSET").also("DC_PHY_MEM_OFFSET").locks().says("L; stored"),
        R::rw(DC_DV_CTL, "DC_DV_CTL", ~dv_ctl::clear.mask()).locks().says("L; stored"),
        R::rw(DC_DV_ACCESS, "DC_DV_ACCESS").also("DC_DV_ACC").locks().says("L; stored"),
        R::rw(DC_GFX_SCALE, "DC_GFX_SCALE").resets_to(0x40004000).locks().says("L; stored: the source is not scaled"),
        R::rw(DC_IRQ_FILT_CTL, "DC_IRQ_FILT_CTL").locks().writes(write_timing).says("L; coefficient 7:0, horizontal 10, line to compare 26:16"),
        R::rw(DC_FILT_COEFF1, "DC_FILT_COEFF1", coefficient_1).locks().reads(read_filter).writes(write_filter).says("L; coefficient that IRQ_FILT_CTL selects; stored"),
        R::rw(DC_FILT_COEFF2, "DC_FILT_COEFF2", coefficient_2).locks().reads(read_filter).writes(write_filter).says("L; horizontal filter"),
        R::rw(DC_VBI_EVEN_CTL, "DC_VBI_EVEN_CTL").locks().says("L; stored"),
        R::rw(DC_VBI_ODD_CTL, "DC_VBI_ODD_CTL").locks().says("L; stored"),
        R::rw(DC_VBI_HOR, "DC_VBI_HOR").locks().says("L; stored"),
        R::rw(DC_VBI_LN_ODD, "DC_VBI_LN_ODD").locks().says("L; stored"),
        R::rw(DC_VBI_LN_EVEN, "DC_VBI_LN_EVEN").locks().says("L; stored"),
        R::rw(DC_VBI_PITCH, "DC_VBI_PITCH").locks().says("L; stored"),
        R::rw(DC_CLR_KEY, "DC_CLR_KEY", mask_of(clr_key::all)).also("DC_COLOR_KEY").locks().says("L; color 23:0, enable 24"),
        R::rw(DC_CLR_KEY_MASK, "DC_CLR_KEY_MASK", clr_key::color.mask()).also("DC_COLOR_MASK").locks().says("L"),
        R::rw(DC_CLR_KEY_X, "DC_CLR_KEY_X", mask_of(clr_key::range)).locks().says("L; end 26:16, start 10:0"),
        R::rw(DC_CLR_KEY_Y, "DC_CLR_KEY_Y", mask_of(clr_key::range)).locks().says("L; end 26:16, start 10:0"),
        R::rw(DC_IRQ, "DC_IRQ", irq_masks).resets_to(irq_masks).latches(line_status | vsync_loss_status).reads(read_irq).writes(write_irq).says("masks 1:0; status 17:16: writing 1 clears"),
        R::rw(DC_RSVD_1, "DC_RSVD_1").locks().says("L; stored"),
        R::rw(DC_RSVD_2, "DC_RSVD_2").locks().says("L; stored"),
        R::rw(DC_GENLK_CTL, "DC_GENLK_CTL", ~genlk_ctl::status.mask()).locks().says("L; stored"),
        R::rw(DC_VID_EVEN_Y_ST_OFFSET, "DC_VID_EVEN_Y_ST_OFFSET", buffer_offset).locks().says("L; stored"),
        R::rw(DC_VID_EVEN_U_ST_OFFSET, "DC_VID_EVEN_U_ST_OFFSET", buffer_offset).locks().says("L; stored"),
        R::rw(DC_VID_EVEN_V_ST_OFFSET, "DC_VID_EVEN_V_ST_OFFSET", buffer_offset).locks().says("L; stored"),
        R::rw(DC_V_ACTIVE_EVEN_TIMING, "DC_V_ACTIVE_EVEN_TIMING", mask_of(v_timing::all)).resets_to(0x020C01DF).locks().says("L; stored"),
        R::rw(DC_V_BLANK_EVEN_TIMING, "DC_V_BLANK_EVEN_TIMING", mask_of(v_timing::all)).resets_to(0x020C01DF).locks().says("L; stored"),
        R::rw(DC_V_SYNC_EVEN_TIMING, "DC_V_SYNC_EVEN_TIMING", mask_of(v_timing::all)).resets_to(0x01EB01E9).locks().says("L; stored"),
    };
    // clang-format on
    static constexpr auto index = index_registers<PIXMILL_GEODE_DC_WORDS>(rows);
};

std::span<const Register<DisplayController>> DisplayController::registers() {
    return Table::rows;
}

const Register<DisplayController>* DisplayController::find(uint32_t offset) {
    return Table::index.find(offset);
}

std::span<uint32_t> DisplayController::words() const {
    return display_.s.dc;
}

uint32_t& DisplayController::word(uint32_t offset) const {
    return display_.s.dc[offset / 4];
}

bool DisplayController::unlocked() const {
    return word(DC_UNLOCK) == unlock_key;
}

// ---- Timing and interrupt ---------------------------------------------------

Timing DisplayController::timing() const {
    return Timing(words(), display_.msrs.dotpll());
}

uint32_t DisplayController::read_line_count(const Dc& dc, uint32_t) {
    const Timing timing = dc.timing();
    // Writes to the start offsets take effect immediately, so a flip is never pending.
    constexpr uint32_t shown = line_cnt::flip.mask() | line_cnt::vflip.mask();
    if (!timing.running)
        return shown | line_cnt::dna.mask() | line_cnt::vna.mask();
    const uint32_t line = timing.line_at(dc.display_.host.now());
    uint32_t value = shown | line_cnt::line.put(line) | line_cnt::dot_line.put(line);
    if (line >= timing.active)
        value |= line_cnt::dna.mask() | line_cnt::vna.mask();
    if (line >= timing.sync_begin && line < timing.sync_end)
        value |= line_cnt::vsa.mask();
    return value;
}

uint32_t DisplayController::status() const {
    const int64_t due = display_.s.line_ns;
    const bool passed = due != INT64_MAX && due <= display_.host.now();
    return word(DC_IRQ) | (passed ? line_status : 0);
}

uint32_t DisplayController::pending() const {
    const uint32_t value = status();
    const uint32_t line = dc_irq::line_status(value) & ~dc_irq::line_mask(value);
    const uint32_t loss = dc_irq::vsync_loss_status(value) & ~dc_irq::vsync_loss_mask(value);
    return line | loss << 1;
}

int64_t DisplayController::due() const {
    return dc_irq::line_mask(word(DC_IRQ)) ? INT64_MAX : display_.s.line_ns;
}

void DisplayController::latch() {
    if (display_.s.line_ns == INT64_MAX || display_.s.line_ns > display_.host.now())
        return;
    word(DC_IRQ) |= line_status;
    display_.s.line_ns = INT64_MAX;
}

// A line compare value that is 0 or beyond the frame is undocumented. The model uses the first
// blank line, as drivers expect.
void DisplayController::rearm() {
    latch();
    const Timing timing = this->timing();
    const uint32_t compared = irq_filt_ctl::line_compare(word(DC_IRQ_FILT_CTL));
    const uint32_t line = compared && compared < timing.lines ? compared : timing.active;
    const bool awaited = timing.running && !(word(DC_IRQ) & line_status);
    display_.s.line_ns = awaited ? timing.next(line, display_.host.now()) : INT64_MAX;
    if (due() != INT64_MAX)
        display_.host.request_run();
}

void DisplayController::lose_vsync() {
    word(DC_IRQ) |= vsync_loss_status;
}

uint32_t DisplayController::read_irq(const Dc& dc, uint32_t) {
    return dc.status();
}

void DisplayController::write_irq(Dc& dc, uint32_t, uint32_t value) {
    dc.latch();
    dc.word(DC_IRQ) &= ~(value & (line_status | vsync_loss_status));
    dc.rearm();
}

void DisplayController::write_timing(Dc& dc, uint32_t, uint32_t) {
    dc.rearm();
}

// ---- Palette and coefficients -----------------------------------------------

uint32_t DisplayController::read_palette(const Dc& dc, uint32_t) {
    const uint32_t index = dc.word(DC_PAL_ADDRESS);
    return index < PIXMILL_GEODE_PALETTE ? dc.display_.s.palette[index] : 0;
}

void DisplayController::write_palette(Dc& dc, uint32_t, uint32_t value) {
    const uint32_t index = dc.word(DC_PAL_ADDRESS);
    if (index < PIXMILL_GEODE_PALETTE)
        dc.display_.set_color(dc.display_.s.palette[index], value);
    advance_palette(dc);
}

// The index after the last entry is undocumented; the model wraps to 0.
void DisplayController::advance_palette(Dc& dc) {
    uint32_t& index = dc.word(DC_PAL_ADDRESS);
    index = index + 1 < PIXMILL_GEODE_PALETTE ? index + 1 : 0;
}

uint32_t* DisplayController::coefficient(uint32_t offset, uint32_t& mask) const {
    const uint32_t control = word(DC_IRQ_FILT_CTL), index = irq_filt_ctl::index(control);
    const bool horizontal = irq_filt_ctl::horizontal(control), second = offset == DC_FILT_COEFF2;
    mask = second ? coefficient_2 : coefficient_1;
    uint32_t* const filter = display_.s.graphics_filter;
    if (horizontal)
        return &filter[2 * index + second];
    return second ? nullptr : &filter[2 * 256 + index];
}

uint32_t DisplayController::read_filter(const Dc& dc, uint32_t offset) {
    uint32_t mask;
    const uint32_t* const place = dc.coefficient(offset, mask);
    return place ? *place : 0;
}

void DisplayController::write_filter(Dc& dc, uint32_t offset, uint32_t value) {
    uint32_t mask;
    if (uint32_t* const place = dc.coefficient(offset, mask))
        *place = value & mask;
}

// ---- Life -------------------------------------------------------------------

void DisplayController::reset() {
    reset_registers(words(), registers());
    std::ranges::fill(display_.s.palette, 0);
    std::ranges::fill(display_.s.graphics_filter, 0);
    display_.s.line_ns = INT64_MAX;
}

void DisplayController::load(const PixmillGeodeDisplayState& in) {
    load_registers(words(), in.dc, registers());
    for (size_t i = 0; i < std::size(in.palette); i++)
        display_.s.palette[i] = color_entry::color(in.palette[i]);
    for (size_t i = 0; i < std::size(in.graphics_filter); i++)
        display_.s.graphics_filter[i] =
            in.graphics_filter[i] & (i < 512 && i % 2 ? coefficient_2 : coefficient_1);
    // The loaded time is not trusted: latch() handles a time that has passed, and rearm()
    // recomputes any other.
    display_.s.line_ns = word(DC_IRQ) & line_status ? INT64_MAX : in.line_ns;
    latch();
    rearm();
}

} // namespace pixmill::geode_display
