/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rig.hpp"

#include <exception>
#include <thread>

#include "../rig.hpp"

namespace pixmill::qtest {

namespace {

QemuOptions qemu_options(const NemaOptions& options) {
    QemuOptions result;
    result.machine = options.machine;
    result.arguments = options.arguments;
    if (options.threaded) {
        result.arguments.insert(result.arguments.end(), {"-global", "nema-gfx.x-force-thread=on"});
    }
    result.interrupt_of = nema::kPath;
    result.interrupt_name = options.outputs;
    return result;
}

} // namespace

NemaRig::NemaRig(const NemaOptions& options)
    : threaded_(options.threaded), qemu_(qemu_options(options)) {}

NemaRig::~NemaRig() {
    if (std::uncaught_exceptions() == 0) {
        expect_clean_quit(qemu_);
    }
}

void NemaRig::write_all(const Words& pairs) {
    for (size_t i = 0; i + 1 < pairs.size(); i += 2) {
        write(pairs[i] & 0xFFF, pairs[i + 1]);
    }
}

void NemaRig::pass(int64_t nanoseconds) {
    qemu_.clock_step(nanoseconds);
    if (threaded_) {
        std::this_thread::sleep_for(Milliseconds(1));
    }
}

bool NemaRig::wait(const std::function<bool()>& done) {
    for (int i = 0; i < 20'000; ++i) {
        if (done()) {
            return true;
        }
        pass(20 * kMicrosecond);
    }
    return false;
}

Words common_state() {
    return {nema::kImemAddr, 31,        nema::kImemLow, 0x08000002, nema::kImemHigh, 0x80000009,
            nema::kC0,       0,         nema::kC1,      0xFFFFFFFF, nema::kClipMin1, 0,
            nema::kClipMax1, 0x7FFF7FFF};
}

Words fill_state(const Surface& target, uint32_t color, uint32_t blend_mode) {
    return {nema::kTex0Base,    target.base,
            nema::kTex0Fstride, 0x01000000 | target.width * 4,
            nema::kTex0Resxy,   xy(target.width, target.height),
            nema::kClipMin,     0,
            nema::kClipMax,     xy(target.width, target.height),
            nema::kBlendMode,   blend_mode,
            nema::kMatMult,     0x90000000,
            nema::kCodePtr,     0x141F001F,
            nema::kDrawColor,   color};
}

Words rectangle(uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1) {
    return {nema::kStartXy, xy(x0, y0),      nema::kEndXy,
            xy(x1, y1),     nema::kHeldDraw, nema::kRectangle};
}

Words joined(std::initializer_list<Words> parts) {
    Words all;
    for (const Words& part : parts) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

} // namespace pixmill::qtest
