/*
 * A NEMA|GFX on the machine `gr5526`, with the CPU stopped.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Register names are those of the GR5526 datasheet, "GPU".
 */
#ifndef PIXMILL_TESTS_QTEST_NEMA_RIG_HPP
#define PIXMILL_TESTS_QTEST_NEMA_RIG_HPP

#include <functional>
#include <string>
#include <vector>

#include "../qtest_client.hpp"

namespace pixmill::qtest {

namespace nema {
enum : uint32_t {
    kTex0Base = 0x000,
    kTex0Fstride = 0x004,
    kTex0Resxy = 0x008,
    kBreakpoint = 0x080,
    kBreakpointMask = 0x08C,
    kDirtyMin = 0x098,
    kDirtyMax = 0x09C,
    kImemAddr = 0x0C4,
    kImemLow = 0x0C8,
    kImemHigh = 0x0CC,
    kCmdStat = 0x0E8,
    kRing = 0x0EC,
    kCmdAddr = 0x0F0,
    kCmdSize = 0x0F4,
    kIntCtrl = 0x0F8,
    kStat = 0x0FC,
    kDrawCmd = 0x100,
    kStartXy = 0x104,
    kEndXy = 0x108,
    kClipMin = 0x110,
    kClipMax = 0x114,
    kMatMult = 0x118,
    kCodePtr = 0x11C,
    kDrawColor = 0x12C,
    kListId = 0x148,
    kClipMin1 = 0x158,
    kClipMax1 = 0x15C,
    kBlendMode = 0x1D0,
    kC0 = 0x200,
    kC1 = 0x204,
    kIrqId = 0xFF0,
    kGpFlags = 0xFF4,
    kSysInt = 0xFF8,
    kBusErrorMask = 0xFFC,
};

constexpr uint64_t kBase = 0x40028000; /* from the datasheet */
constexpr const char* kPath = "/machine/gpu";
constexpr unsigned kCompletion = 0; /* index of the sysbus interrupt; kError is the other */
constexpr unsigned kError = 1;
constexpr uint32_t kRectangle = 2;
constexpr uint32_t kCall = 0x200F4;
constexpr uint32_t kHeldDraw = 0xFF000100;
} // namespace nema

constexpr uint32_t kSram = 0x20000000;
constexpr uint32_t kPsram = 0x20080000;
constexpr uint32_t kPsramBytes = 8u << 20;

constexpr uint32_t xy(uint32_t x, uint32_t y) {
    return y << 16 | x;
}

/* A surface with 32-bit RGBA pixels. */
struct Surface {
    uint32_t base, width, height;
};

struct NemaOptions {
    std::string machine = "gr5526";
    std::vector<std::string> arguments = {};
    bool threaded = false;              /* worker=thread instead of timers in guest time */
    std::string outputs = "sysbus-irq"; /* name of the outputs that are watched */
};

class NemaRig {
public:
    explicit NemaRig(const NemaOptions& options = {});
    /* Ends QEMU; fails the running test unless QEMU exits with status 0 and an empty stderr. */
    ~NemaRig();
    NemaRig(const NemaRig&) = delete;
    NemaRig& operator=(const NemaRig&) = delete;

    Qemu& qemu() { return qemu_; }
    uint32_t read(uint32_t offset) { return qemu_.read32(nema::kBase + offset); }
    void write(uint32_t offset, uint32_t value) { qemu_.write32(nema::kBase + offset, value); }
    /* Writes pairs of register and value through the host interface. */
    void write_all(const Words& pairs);
    void kick(uint32_t address, uint32_t words) {
        write(nema::kCmdAddr, address);
        write(nema::kCmdSize, words);
    }
    void kick(uint32_t address, const Words& list) {
        qemu_.write_words(address, list);
        kick(address, static_cast<uint32_t>(list.size()));
    }
    bool idle() { return read(nema::kStat) == 0 && read(nema::kCmdStat) == 0; }
    /* Lets guest time pass until @done is true; returns false after a timeout. */
    bool wait(const std::function<bool()>& done);
    bool settle() {
        return wait([this] { return idle(); });
    }
    /* Lets guest time pass, and also real time for a worker thread. */
    void pass(int64_t nanoseconds);
    bool completion() { return qemu_.interrupt(nema::kCompletion); }
    bool error() { return qemu_.interrupt(nema::kError); }
    uint64_t counter(const char* name) { return qemu_.get_counter(nema::kPath, name); }

private:
    bool threaded_;
    Qemu qemu_;
};

/*
 * Returns the writes that drivers make once: they load slot 31 with a shader that passes a color
 * through.
 */
Words common_state();
/* Returns all writes for filling a rectangle, except its corners and DRAW_CMD. */
Words fill_state(const Surface& target, uint32_t color, uint32_t blend_mode = 1);
Words rectangle(uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1);
Words joined(std::initializer_list<Words> parts);

} // namespace pixmill::qtest

#endif
