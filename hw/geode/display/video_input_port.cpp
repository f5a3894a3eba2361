// SPDX-License-Identifier: GPL-2.0-or-later
#include "video_input_port.hpp"

#include "common/index.hpp"
#include "offsets.hpp"

namespace pixmill::geode_display {

// Names and offsets: cim_regs.h of the X driver. Nothing is connected to the port.
struct VideoInputPort::Table {
    using R = Register<VideoInputPort>;
    // clang-format off
    static constexpr R rows[] = {
        R::rw(VIP_CONTROL1, "VIP_CONTROL1"),
        R::rw(VIP_CONTROL2, "VIP_CONTROL2"),
        R::ro(VIP_STATUS, "VIP_STATUS").says("nothing is captured"),
        R::rw(VIP_INTERRUPT, "VIP_INTERRUPT"),
        R::rw(VIP_CURRENT_TARGET, "VIP_CURRENT_TARGET"),
        R::rw(VIP_MAX_ADDRESS, "VIP_MAX_ADDRESS"),
        R::rw(VIP_TASKA_VID_EVEN_BASE, "VIP_TASKA_VID_EVEN_BASE"),
        R::rw(VIP_TASKA_VID_ODD_BASE, "VIP_TASKA_VID_ODD_BASE"),
        R::rw(VIP_TASKA_VBI_EVEN_BASE, "VIP_TASKA_VBI_EVEN_BASE"),
        R::rw(VIP_TASKA_VBI_ODD_BASE, "VIP_TASKA_VBI_ODD_BASE"),
        R::rw(VIP_TASKA_VID_PITCH, "VIP_TASKA_VID_PITCH"),
        R::rw(VIP_CONTROL3, "VIP_CONTROL3"),
        R::rw(VIP_TASKA_V_OFFSET, "VIP_TASKA_V_OFFSET"),
        R::rw(VIP_TASKA_U_OFFSET, "VIP_TASKA_U_OFFSET"),
        R::rw(VIP_TASKB_VID_EVEN_BASE, "VIP_TASKB_VID_EVEN_BASE"),
        R::rw(VIP_TASKB_VID_ODD_BASE, "VIP_TASKB_VID_ODD_BASE"),
        R::rw(VIP_TASKB_VBI_EVEN_BASE, "VIP_TASKB_VBI_EVEN_BASE"),
        R::rw(VIP_TASKB_VBI_ODD_BASE, "VIP_TASKB_VBI_ODD_BASE"),
        R::rw(VIP_TASKB_VID_PITCH, "VIP_TASKB_VID_PITCH"),
        R::rw(VIP_RSVD_0, "VIP_RSVD_0"),
        R::rw(VIP_TASKB_V_OFFSET, "VIP_TASKB_V_OFFSET"),
        R::rw(VIP_TASKB_U_OFFSET, "VIP_TASKB_U_OFFSET"),
        R::rw(VIP_ANC_MSG1_BASE, "VIP_ANC_MSG1_BASE"),
        R::rw(VIP_ANC_MSG2_BASE, "VIP_ANC_MSG2_BASE"),
        R::rw(VIP_ANC_MSG_SIZE, "VIP_ANC_MSG_SIZE"),
        R::rw(VIP_RSVD_1, "VIP_RSVD_1"),
        R::rw(VIP_PAGE_OFFSET, "VIP_PAGE_OFFSET"),
        R::rw(VIP_VERTICAL_START_STOP, "VIP_VERTICAL_START_STOP"),
        R::rw(VIP_FIFO_ADDRESS, "VIP_FIFO_ADDRESS"),
        R::rw(VIP_FIFO_DATA, "VIP_FIFO_DATA"),
        R::rw(VIP_VSYNC_ERR_COUNT, "VIP_VSYNC_ERR_COUNT"),
        R::rw(VIP_TASKA_U_EVEN_OFFSET, "VIP_TASKA_U_EVEN_OFFSET"),
        R::rw(VIP_TASKA_V_EVEN_OFFSET, "VIP_TASKA_V_EVEN_OFFSET"),
    };
    // clang-format on
    static constexpr auto index = index_registers<PIXMILL_GEODE_VIP_WORDS>(rows);
};

std::span<const Register<VideoInputPort>> VideoInputPort::registers() {
    return Table::rows;
}

const Register<VideoInputPort>* VideoInputPort::find(uint32_t offset) {
    return Table::index.find(offset);
}

} // namespace pixmill::geode_display
