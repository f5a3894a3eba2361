// SPDX-License-Identifier: GPL-2.0-or-later
#include "video_processor.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "common/index.hpp"
#include "display.hpp"
#include "fields.hpp"
#include "offsets.hpp"

namespace pixmill::geode_display {
namespace {

/// Gamma table that leaves colors unchanged.
constexpr auto identity = [] {
    std::array<uint32_t, 256> table{};
    for (uint32_t i = 0; i < table.size(); i++)
        table[i] = i * 0x010101;
    return table;
}();

} // namespace

// Names and offsets: databook 33234H 6.8, linux lxfb.h, cim_regs.h of the X driver.
struct VideoProcessor::Table {
    using R = Register<VideoProcessor>;
    // clang-format off
    static constexpr R rows[] = {
        R::rw(VP_VCFG, "VP_VCFG").says("VID_EN 0, VID_FMT 3:2, SC_BYP 5, INIT_RD_ADDR 24:16, 4_2_0_MODE 28"),
        R::rw(VP_DCFG, "VP_DCFG").says("CRT_EN 0, DAC_BL_EN 3, VG_CK 20, GV_GAM 21; the rest is stored"),
        R::rw(VP_VX, "VP_VX", mask_of(video_x::all)).says("end 27:16, start 11:0, in pixels of the whole line"),
        R::rw(VP_VY, "VP_VY", mask_of(video_y::all)).says("end 26:16, start 10:0, in lines of the whole frame"),
        R::rw(VP_SCL, "VP_SCL").says("VSL 10:0, DHD 14"),
        R::rw(VP_VCK, "VP_VCK", video_key::color.mask()),
        R::rw(VP_VCM, "VP_VCM", video_key::color.mask()),
        R::rw(VP_PAR, "VP_PAR", par::index.mask()),
        R::rw(VP_PDR, "VP_PDR", color_entry::color.mask()).reads(read_gamma).writes(write_gamma).advances(advance_gamma).says("256 entries; each access advances to the next"),
        R::rw(VP_SLR, "VP_SLR").says("stored"),
        R::rw(VP_MISC, "VP_MISC").says("BYP_BOTH 0, DACPWRDN 10; the rest is stored"),
        R::rw(VP_CCS, "VP_CCS").says("stored"),
        R::rw(VP_VYS, "VP_VYS", video_scale::step.mask()).says("video lines per screen line, in 1/65536"),
        R::rw(VP_VXS, "VP_VXS", video_scale::step.mask()).says("video pixels per screen pixel, in 1/65536"),
        R::rw(VP_VDC, "VP_VDC").says("stored"),
        R::ro(VP_CRC, "VP_CRC").says("signatures are not computed"),
        R::ro(VP_CRC32, "VP_CRC32"),
        R::rw(VP_VDE, "VP_VDE").says("HD_VIDEO 6, VIDEO_INPUT_IS_RGB 13; the rest is stored"),
        R::rw(VP_CCK, "VP_CCK").says("stored"),
        R::rw(VP_CCM, "VP_CCM").says("stored"),
        R::rw(VP_CC1, "VP_CC1").says("stored"),
        R::rw(VP_CC2, "VP_CC2").says("stored"),
        R::rw(VP_A1X, "VP_A1X").says("stored: alpha windows are not shown"),
        R::rw(VP_A1Y, "VP_A1Y").says("stored"),
        R::rw(VP_A1C, "VP_A1C").says("stored"),
        R::rw(VP_A1T, "VP_A1T").says("stored"),
        R::rw(VP_A2X, "VP_A2X").says("stored"),
        R::rw(VP_A2Y, "VP_A2Y").says("stored"),
        R::rw(VP_A2C, "VP_A2C").says("stored"),
        R::rw(VP_A2T, "VP_A2T").says("stored"),
        R::rw(VP_A3X, "VP_A3X").says("stored"),
        R::rw(VP_A3Y, "VP_A3Y").says("stored"),
        R::rw(VP_A3C, "VP_A3C").says("stored"),
        R::rw(VP_A3T, "VP_A3T").says("stored"),
        R::rw(VP_VRR, "VP_VRR").says("stored"),
        R::rw(VP_AWT, "VP_AWT").says("stored"),
        R::rw(VP_VTM, "VP_VTM").says("stored"),
        R::rw(VP_VYE, "VP_VYE").says("stored"),
        R::rw(VP_A1YE, "VP_A1YE").says("stored"),
        R::rw(VP_A2YE, "VP_A2YE").says("stored"),
        R::rw(VP_A3YE, "VP_A3YE").says("stored"),
        R::rw(FP_PT1, "FP_PT1").says("stored"),
        R::rw(FP_PT2, "FP_PT2").says("stored"),
        R::rw(FP_PM, "FP_PM", ~fp_pm::status.mask()).resets_to(fp_pm::off).reads(read_power).says("P 24; status 3:0: 1 on, 2 off; changes at once"),
        R::rw(FP_DFC, "FP_DFC").says("stored"),
        R::rw(FP_DCA, "FP_DCA").says("stored"),
        R::rw(FP_DMD, "FP_DMD").says("stored"),
        R::ro(FP_CRC, "FP_CRC"),
        R::ro(FP_CRC32, "FP_CRC32"),
        R::rw(VOP_CFG, "VOP_CFG").says("stored"),
        R::rw(VOP_SIG, "VOP_SIG").says("stored"),
    };
    // clang-format on
    static constexpr auto index = index_registers<PIXMILL_GEODE_VP_WORDS>(rows);
};

std::span<const Register<VideoProcessor>> VideoProcessor::registers() {
    return Table::rows;
}

const Register<VideoProcessor>* VideoProcessor::find(uint32_t offset) {
    return Table::index.find(offset);
}

std::span<uint32_t> VideoProcessor::words() const {
    return display_.s.vp;
}

uint32_t& VideoProcessor::word(uint32_t offset) const {
    return display_.s.vp[offset / 4];
}

uint32_t* VideoProcessor::memory(uint32_t offset) const {
    return offset >= VP_VCR && offset < VP_VCR_END ? &display_.s.video_filter[(offset - VP_VCR) / 4]
                                                   : nullptr;
}

// ---- Outputs ----------------------------------------------------------------

// If CRT_EN is 0, the display logic is in reset (33234H, 6.8.3.2). A panel needs that logic as
// well: the X driver (lx_display.c, lx_enable_dac_power()) and gxfb (video_gx.c) set CRT_EN even if
// a panel is the only output.
bool VideoProcessor::lit() const {
    const uint32_t config = word(VP_DCFG);
    const bool dac = dcfg::dac_bl_en(config) && !misc::dac_pwrdn(word(VP_MISC));
    return dcfg::crt_en(config) && (dac || fp_pm::power(word(FP_PM)));
}

// The model switches the panel immediately. Drivers only wait for the end of the power sequence.
uint32_t VideoProcessor::read_power(const Vp& vp, uint32_t) {
    const uint32_t value = vp.word(FP_PM);
    return (value & ~fp_pm::status.mask()) | (fp_pm::power(value) ? fp_pm::on : fp_pm::off);
}

// ---- Gamma ------------------------------------------------------------------

bool VideoProcessor::gamma(bool of_video) const {
    return !misc::byp_both(word(VP_MISC)) && bool(dcfg::gv_gam(word(VP_DCFG))) == of_video &&
           !std::ranges::equal(display_.s.gamma, identity);
}

uint32_t VideoProcessor::read_gamma(const Vp& vp, uint32_t) {
    return vp.display_.s.gamma[vp.word(VP_PAR)];
}

void VideoProcessor::write_gamma(Vp& vp, uint32_t, uint32_t value) {
    vp.display_.set_color(vp.display_.s.gamma[vp.word(VP_PAR)], value);
    advance_gamma(vp);
}

void VideoProcessor::advance_gamma(Vp& vp) {
    vp.word(VP_PAR) = par::index(vp.word(VP_PAR) + 1);
}

// ---- Life -------------------------------------------------------------------

// The contents of the gamma table after reset are undocumented. The model uses the identity,
// because the table is not bypassed after reset.
void VideoProcessor::reset() {
    reset_registers(words(), registers());
    std::ranges::copy(identity, display_.s.gamma);
    std::ranges::fill(display_.s.video_filter, 0);
}

void VideoProcessor::load(const PixmillGeodeDisplayState& in) {
    load_registers(words(), in.vp, registers());
    for (size_t i = 0; i < std::size(in.gamma); i++)
        display_.s.gamma[i] = color_entry::color(in.gamma[i]);
    for (size_t i = 0; i < std::size(in.video_filter); i++)
        display_.s.video_filter[i] = in.video_filter[i];
}

} // namespace pixmill::geode_display
