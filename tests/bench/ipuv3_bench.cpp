// Compares the scan-out of the IPUv3 with memcpy and pixman.
//
// Names are ipuv3/WHAT/FORMAT/SIZE/WHO. All rows are drawn, as if all had been written since the
// last frame. Rates count the bytes of the console's picture; memcpy copies the same number.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "pixmill/ipuv3.h"

#include <pixman.h>

#include "board.hpp"

namespace {

using namespace pixmill::bench;

constexpr uint32_t width = 1920, height = 1080, pitch = 4 * width;
constexpr size_t picture_bytes = size_t(pitch) * height;
constexpr uint32_t chroma_offset = width * height, overlay_base = 0x00C00000, ram_size = 0x01800000;

struct Format {
    const char* name;
    uint32_t pfs, bpp, bytes; ///< bytes per pixel of the first area
    uint32_t components;      ///< WID0 to WID3
    uint32_t offsets;         ///< OFS0 to OFS3, or SLUV
    pixman_format_code_t pixman;
};

// linux ipu-cpmem.c
constexpr Format formats[] = {
    {"x8r8g8b8", 7, 0, 4, 0xFFF, 8 | 16 << 5 | 24 << 10, PIXMAN_x8r8g8b8},
    {"r8g8b8x8", 7, 0, 4, 0xFFF, 0 | 8 << 5 | 16 << 10 | 24 << 15, PIXMAN_r8g8b8x8},
    {"r8g8b8", 7, 1, 3, 0xFFF, 0 | 8 << 5 | 16 << 10 | 24 << 15, PIXMAN_r8g8b8},
    {"r5g6b5", 7, 3, 2, 4 | 5 << 3 | 4 << 6 | 7 << 9, 0 | 5 << 5 | 11 << 10 | 16 << 15,
     PIXMAN_r5g6b5},
    {"yuy2", 8, 3, 2, 0, 0, PIXMAN_yuy2},
    {"yv12", 2, 0, 1, 0, width / 2 - 1, PIXMAN_yv12},
};

/// An IPU whose first DI shows a picture.
class Ipu {
public:
    explicit Ipu(const Format& format, bool overlay) {
        const PixmillIpuv3Config config{};
        if (pixmill_ipuv3.create(&config, &board_.host(), &core_) != PIXMILL_OK)
            std::abort();
        write(0x24000C, (width + 279) << 19);
        write(0x240170, height + 44);
        write(0x24014C, height << 16);
        write(0x240150, width);
        plane(23, format, width, height, 0);
        if (overlay) {
            plane(27, formats[0], width / 2, height / 2, overlay_base);
            write(0x340000, 0x3); // FG_EN, GWSEL: pixel alpha
            write(0x340008, 64 << 16 | 64);
        } else if (format.pfs != 7) { // BT.601
            const uint32_t words[] = {0x00000095, 0x009500CC, 0x039803CE,
                                      0x00FF0095, 0x7E420000, 0x7DD6410A};
            for (uint32_t i = 0; i < std::size(words); i++)
                write(0x340044 + 4 * i, words[i]);
            write(0x340000, 0x200);
        }
        write(0x2000A4, 0x08);
        write(0x200000, 0x40);
        write(0x2000C4, 0x01000000);
    }
    ~Ipu() { pixmill_ipuv3.destroy(core_); }
    Ipu(const Ipu&) = delete;
    Ipu& operator=(const Ipu&) = delete;

    void draw() { pixmill_ipuv3_rows(core_, 0, 0, height, screen_.data(), pitch); }
    std::byte* ram() { return board_.ram(); }
    std::byte* screen() { return screen_.data(); }

private:
    void write(uint32_t offset, uint32_t value) {
        (void)pixmill_ipuv3.write(core_, offset, 4, value);
    }
    void plane(uint32_t channel, const Format& format, uint32_t w, uint32_t h, uint32_t base) {
        const uint32_t at = 0x300000 + 64 * channel;
        const auto [u, v] = std::pair{chroma_offset / 8, (chroma_offset + chroma_offset / 4) / 8};
        const bool planar = format.pfs < 7;
        write(at + 0x04, planar ? u << 14 : 0);
        write(at + 0x08, planar ? u >> 18 | v << 4 : 0);
        write(at + 0x0C, format.bpp << 11 | (w - 1) << 29);
        write(at + 0x10, (w - 1) >> 3 | (h - 1) << 10);
        write(at + 0x20, base / 8);
        write(at + 0x28, format.pfs << 21);
        write(at + 0x2C, (w * format.bytes - 1) << 6 | format.components << 20);
        write(at + 0x30, format.offsets);
        write(0x208004, pixmill_ipuv3.peek(core_, 0x208004) | 1u << channel);
    }

    Board board_{ram_size};
    Pool screen_{picture_bytes};
    PixmillCore* core_ = nullptr;
};

void add_one(const std::string& what, std::byte* changed, const std::function<void()>& work) {
    add(what, {picture_bytes, uint64_t(width) * height}, work, changes(changed, work));
}

void add_scan_out(const Format& format) {
    const std::string name = std::string("ipuv3/scanout/") + format.name + "/1920x1080/";
    const auto ipu = std::make_shared<Ipu>(format, false);
    add_one(name + "pixmill", ipu->screen(), [=] { ipu->draw(); });
    add_one(name + "memcpy", ipu->screen(),
            [=] { std::memcpy(ipu->screen(), ipu->ram(), picture_bytes); });
    const auto image = [=](pixman_format_code_t code, std::byte* bits, uint32_t stride) {
        return std::shared_ptr<pixman_image_t>(
            pixman_image_create_bits(code, int(width), int(height),
                                     reinterpret_cast<uint32_t*>(bits), int(stride)),
            pixman_image_unref);
    };
    const auto from = image(format.pixman, ipu->ram(), width * format.bytes);
    const auto to = image(PIXMAN_x8r8g8b8, ipu->screen(), pitch);
    add_one(name + "pixman", ipu->screen(), [=] {
        pixman_image_composite32(PIXMAN_OP_SRC, from.get(), nullptr, to.get(), 0, 0, 0, 0, 0, 0,
                                 int(width), int(height));
    });
}

[[maybe_unused]] const bool registered = [] {
    for (const Format& format : formats)
        add_scan_out(format);
    const auto ipu = std::make_shared<Ipu>(formats[0], true);
    const std::string name = "ipuv3/overlay/x8r8g8b8/1920x1080/";
    add_one(name + "pixmill", ipu->screen(), [=] { ipu->draw(); });
    add_one(name + "memcpy", ipu->screen(),
            [=] { std::memcpy(ipu->screen(), ipu->ram(), picture_bytes); });
    return true;
}();

} // namespace
