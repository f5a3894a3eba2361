// The vector-graphics core of the Vivante GC355 and GC255 as described by its open clients and
// published observations, written pixel by pixel in the simplest code. Tests compare the device
// with it. It shares no code with hw/.
//
// Sources: NXP's VGLite library (gpu-vglite: vg_lite.c, vg_lite_path.c, vg_lite_image.c,
// vg_lite_options.h, VGLiteKernel/vg_lite_kernel.c), called the "client" in comments; newdigate's
// published observations on an i.MX RT1170 (rt1176-evkb, HARDWARE-NOTES.md); NXP's galcore 5.0.11
// (gc_hal_kernel_hardware_vg.c); etnaviv's rnndb (state_vg.xml). Where none of them documents the
// hardware, a comment next to the constant or function concerned gives the number of the open
// question (VD1 to VD69) and the choice made.
//
// Work is complete when the call that starts it returns. The model omits galcore's virtual
// addresses (VD64), whose drawing half is in no open client, and the idle bits during work (VD16).
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

/// Differences between the cores. The words are from each core's vg_lite_options.h. Features and
/// dates were read on an i.MX6 only (VD1, VD2).
struct VivanteVgChip {
    std::string_view name;
    uint32_t model, revision, customer, eco;
    uint32_t minor_feature_2;
    /// The opcode after CLOSE is aligned like an operand (VD25: known for the GC355 only).
    bool pads_close;
    /// VG_CONTROL bit 15 exists (VD68).
    bool culls_borders;
    /// Sources can have a CLUT, 2 bits per channel, or YUY2 format.
    bool has_small_formats;
};

/// `name` is gc355-imx6q, gc355-imx6qp, gc355-rt1170 or gc255-rt595. Any other name selects
/// gc355-rt1170.
const VivanteVgChip& vivante_vg_chip(std::string_view name);

/// A range of guest memory. Spans do not overlap, and addresses outside of all spans have no
/// memory.
struct VivanteVgSpan {
    uint64_t base = 0;
    std::vector<uint8_t> bytes;
};

class VivanteVg {
public:
    explicit VivanteVg(std::vector<VivanteVgSpan> memory, std::string_view chip = "gc355-rt1170");
    ~VivanteVg();

    /// Access a 32-bit host register at an aligned offset. Reading register 010 clears it.
    uint32_t read(uint32_t offset);
    void write(uint32_t offset, uint32_t value);
    /// Returns the level of the interrupt output.
    bool interrupt() const;

    /// Starts a stream of `qwords` qwords as the host does, by writing registers 500 and 504.
    void run(uint32_t address, uint32_t qwords);
    /// Stores the words in memory and runs them as a stream.
    void run(uint32_t address, std::span<const uint32_t> words);
    /// True if the front end is hung, which lasts until a soft reset.
    bool hung() const;

    /// Returns a state cell, with the address (000 to FFF) of a STATE command. Guests cannot read
    /// states.
    uint32_t state(uint32_t address) const;

    std::vector<VivanteVgSpan>& memory();
    /// Returns the bytes of the first span.
    std::span<uint8_t> bytes();

    /// Returns the guest errors so far, each of which a device should log once.
    const std::set<std::string>& complaints() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Returns the 32-bit FNV-1a hash, which identifies published pictures of the silicon.
uint32_t fnv1a(std::span<const uint8_t> bytes);

} // namespace pixmill::reference
