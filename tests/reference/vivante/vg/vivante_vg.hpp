// The vector-graphics core of the Vivante GC355 and GC255 as its open clients and published
// observations describe it, one pixel at a time and in the plainest code: what tests compare the
// device with. It shares nothing with hw/.
//
// Sources: NXP's VGLite library (gpu-vglite: vg_lite.c, vg_lite_path.c, vg_lite_image.c,
// vg_lite_options.h, VGLiteKernel/vg_lite_kernel.c), which is the "client" of the comments; the
// observations on an i.MX RT1170 that newdigate has published (rt1176-evkb, HARDWARE-NOTES.md);
// NXP's galcore 5.0.11 (gc_hal_kernel_hardware_vg.c); etnaviv's rnndb (state_vg.xml).
// Where none of them says what the hardware does, the comment names the doubt (VD1 to VD69) and
// what was chosen; where one constant or function makes the choice, the comment stands there.
//
// Work is done when the call that starts it returns. Not modelled: the virtual addresses of galcore
// (VD64), whose drawing half no open client has; how idle bits look while work is under way (VD16).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pixmill::reference {

/// What differs between the cores. Words: vg_lite_options.h of each core; features and dates, which
/// only an i.MX6 has shown: VD1, VD2.
struct VivanteVgChip {
    std::string_view name;
    uint32_t model, revision, customer, eco;
    uint32_t minor_feature_2;
    /// After CLOSE the next opcode is where an operand could be (VD25: known of the GC355 only).
    bool pads_close;
    /// VG_CONTROL bit 15, VD68.
    bool culls_borders;
    /// Sources with a CLUT, of 2 bits a channel, and YUY2.
    bool has_small_formats;
};

/// gc355-imx6q, gc355-imx6qp, gc355-rt1170, gc255-rt595; another name gives the third.
const VivanteVgChip& vivante_vg_chip(std::string_view name);

/// Guest memory: spans that do not overlap. Nothing is elsewhere.
struct VivanteVgSpan {
    uint64_t base = 0;
    std::vector<uint8_t> bytes;
};

class VivanteVg {
public:
    explicit VivanteVg(std::vector<VivanteVgSpan> memory, std::string_view chip = "gc355-rt1170");
    ~VivanteVg();

    /// The host's registers, 32 bits at a multiple of 4. A read of 010 clears it.
    uint32_t read(uint32_t offset);
    void write(uint32_t offset, uint32_t value);
    /// The level of the interrupt output.
    bool interrupt() const;

    /// What the host does to have a stream of so many qwords read: writes 500 and 504.
    void run(uint32_t address, uint32_t qwords);
    /// Puts the words into memory, and has them read.
    void run(uint32_t address, std::span<const uint32_t> words);
    /// The front end stands still until a soft reset.
    bool hung() const;

    /// State cells 000 to FFF, as a STATE command names them. There is no way for a guest to read
    /// them.
    uint32_t state(uint32_t address) const;

    std::vector<VivanteVgSpan>& memory();
    /// The only span, if there is only one.
    std::span<uint8_t> bytes();

    /// What a device should tell its user of the guest's mistakes, each once.
    const std::set<std::string>& complaints() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// FNV-1a of 32 bits: how published pictures of silicon are named.
uint32_t fnv1a(std::span<const uint8_t> bytes);

} // namespace pixmill::reference
