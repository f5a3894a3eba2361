// Mistakes that developers have described in public: each program with its mistake, and mended.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "world.hpp"

namespace pixmill::test {
namespace {

constexpr uint32_t image = 0x80001000, list = 0x80002000, frame = 0x80004000, back = 0x80008000;
constexpr uint32_t image_bytes = 256, list_bytes = 64, frame_bytes = 512;

// PCs of the program.
enum : uint32_t {
    decode = 0x100,
    write_list = 0x200,
    render = 0x300,
    allocate = 0x400,
    poll = 0x500
};

/// Plays a program with its mistake and mended. The first must give the reports of `rules`, which
/// are all of those that are on by default unless `all` is true; the second none.
template<class Program>
void expect(const char* rules, Program program, bool all = false,
            const CacheWorld::Options& options = {}) {
    for (const bool mended : {false, true}) {
        CacheWorld w(options);
        program(w, mended);
        EXPECT_EQ(w.rules(all), mended ? "" : rules) << (mended ? "mended" : "with the mistake");
    }
}

/// The GPU executes the list, which draws the image to the frame.
void draw(CacheWorld& w) {
    w.read(list, list_bytes, PIXMILL_TRANSFER_COMMANDS);
    w.read(image, image_bytes);
    w.write(frame, frame_bytes, 0x55);
}

// ---- A clean is missing ----------------------------------------------------------

TEST(CacheThread, TheFlushOfThePortDoesNothing) { // T01: LVGL 6487
    expect("gpu-reads-dirty gpu-reads-dirty", [](CacheWorld& w, bool mended) {
        const auto flush = [&](uint32_t address, uint32_t length) {
            if (mended)
                w.clean(address, length);
        };
        w.store(decode, image, image_bytes, 1);
        flush(image, image_bytes);
        w.store(write_list, list, list_bytes, 2);
        flush(list, list_bytes);
        w.submit();
        draw(w);
        w.wait();
    });
}

TEST(CacheThread, SoftwareRendersIntoTheShownFrame) { // T02: LVGL 7348
    expect("gpu-reads-dirty", [](CacheWorld& w, bool mended) {
        w.store(render, frame, frame_bytes, 1);
        if (mended)
            w.clean(frame, frame_bytes);
        for (int i = 0; i < 2; i++)
            w.scan_out(frame, frame_bytes);
        if (!mended) {
            EXPECT_EQ(w.only().access, "scan-out");
            EXPECT_EQ(w.only().master, "display");
        }
    });
}

TEST(CacheThread, DirectModeWithTwoFrames) { // T07: LVGL 8963
    expect("gpu-reads-dirty", [](CacheWorld& w, bool mended) {
        for (uint8_t i = 0; i < 4; i++) {
            const uint32_t drawn = i % 2 ? back : frame;
            w.store(render, drawn, frame_bytes, i);
            if (mended)
                w.clean(drawn, frame_bytes);
            w.scan_out(drawn, frame_bytes); // the display shows each frame for two periods
            w.scan_out(drawn, frame_bytes);
        }
        if (!mended) {
            EXPECT_EQ(w.only().ranges, 2u);
        }
    });
}

TEST(CacheThread, RangedFlushForgetsImages) { // T10: Zephyr 105970, which does not wait, either
    expect("gpu-reads-dirty cpu-writes-busy", [](CacheWorld& w, bool mended) {
        w.store(decode, image, image_bytes, 1);
        w.store(write_list, list, list_bytes, 2);
        w.clean(list, list_bytes);
        if (mended)
            w.clean(image, image_bytes);
        w.submit();
        draw(w);
        if (mended)
            w.wait();
        w.store(write_list, list, list_bytes, 3);
    });
}

TEST(CacheThread, DecompressedGlyphs) { // T12: Zephyr 116300: alpha of 8 bits, drawn by DMA2D
    constexpr uint32_t stride = 13, rows = 17;
    expect("gpu-reads-dirty", [](CacheWorld& w, bool mended) {
        for (uint32_t y = 0; y < rows; y++)
            w.store(decode, image + y * stride, stride, uint8_t(y + 1));
        if (mended)
            w.clean(image, stride * rows);
        for (uint32_t y = 0; y < rows; y++)
            w.read(image + y * stride, stride);
        if (!mended) {
            EXPECT_EQ(w.only().pc, decode);
            EXPECT_EQ(w.only().first, image);
            EXPECT_EQ(w.only().last, image + stride * rows - 1);
        }
    });
}

// ---- A range is wrong ------------------------------------------------------------

TEST(CacheThread, BytesPerPixelOfFourBits) { // T04: LVGL 10062: 4 / 8 is 0
    constexpr uint32_t width = 40, rows = 8, bits = 4;
    expect("gpu-reads-dirty", [](CacheWorld& w, bool mended) {
        w.store(decode, image, width * bits / 8 * rows, 0x3F);
        for (uint32_t y = 0; y < rows; y++)
            w.clean(image + y * width * bits / 8, mended ? width * bits / 8 : width * (bits / 8));
        w.read(image, width * bits / 8 * rows);
    });
}

TEST(CacheThread, BytesPerPixelRoundedUp) { // T04: 4 bits taken as a byte
    constexpr uint32_t width = 64, rows = 4;
    expect("lost-cpu-data", [](CacheWorld& w, bool mended) {
        w.store(render, frame + width / 2 * rows, 32, 7); // another object
        w.invalidate(frame, mended ? width / 2 * rows : width * rows);
    });
}

TEST(CacheThread, CleanOfTooFewBytes) { // T14: Zephyr 115832
    expect("gpu-reads-dirty", [](CacheWorld& w, bool mended) {
        w.store(decode, image, image_bytes, 1);
        w.clean(image, mended ? image_bytes : image_bytes - 64);
        w.read(image, image_bytes);
        if (!mended) {
            EXPECT_EQ(w.only().first, image + image_bytes - 64);
            EXPECT_EQ(w.only().last, image + image_bytes - 1);
        }
    });
}

TEST(CacheThread, RowsInPixels) { // T15: OpenMV 2566: RGB565
    constexpr uint32_t width = 64, rows = 4, stride = 2 * width;
    expect("gpu-reads-dirty", [](CacheWorld& w, bool mended) {
        w.store(decode, image, stride * rows, 1);
        for (uint32_t y = 0; y < rows; y++)
            w.clean(image + y * stride, mended ? stride : width);
        w.read(image, stride * rows);
        if (!mended) { // the right half of each row
            EXPECT_EQ(w.only().first, image + width);
            EXPECT_EQ(w.only().last, image + stride - 1);
            EXPECT_EQ(w.only().ranges, 4u); // one of each row
        }
    });
}

TEST(CacheThread, LoopRunsALineTooFar) { // T19: NuttX 4878, Atmel's package 121
    expect("lost-cpu-data", [](CacheWorld& w, bool mended) {
        w.store(render, frame + frame_bytes, 4, 7); // another object
        for (uint32_t at = frame; mended ? at < frame + frame_bytes : at <= frame + frame_bytes;
             at += 32)
            w.invalidate(at, 1);
        if (!mended) {
            EXPECT_EQ(w.only().first, frame + frame_bytes);
        }
    });
}

// ---- An invalidation loses data --------------------------------------------------

TEST(CacheThread, WholeCacheInvalidatedForADraw) { // T05: LVGL 9366
    expect("lost-cpu-data", [](CacheWorld& w, bool mended) {
        w.store(decode, image, image_bytes, 1);
        w.clean(image, image_bytes);
        w.store(render, back, 64, 2); // nothing to do with the draw
        if (mended)
            w.invalidate(frame, frame_bytes);
        else
            w.sweep(PIXMILL_CACHE_INVALIDATE);
        w.read(image, image_bytes);
        w.write(frame, frame_bytes, 3);
        if (!mended) {
            EXPECT_EQ(w.only().first, back);
            EXPECT_EQ(w.only().store_pc, render);
        }
    });
}

TEST(CacheThread, RangeEndsInsideALine) { // T13: Zephyr 108716, 42546
    expect("lost-cpu-data shared-line", [](CacheWorld& w, bool mended) {
        const uint32_t length = mended ? 64 : 52;
        w.write(frame, length, 5);
        w.store(render, frame + length, 12, 7);
        w.invalidate(frame, length);
    });
}

TEST(CacheThread, AllocatorKeepsItsSizeBesideABuffer) { // T16: OpenMV 3007: headers of 4 bytes
    expect("lost-cpu-data shared-line", [](CacheWorld& w, bool mended) {
        const uint32_t buffer = mended ? frame + 32 : frame + 4;
        w.store(allocate, frame, 4, 60);
        w.clean_invalidate(buffer, 60);
        w.write(buffer, 60, 5);
        w.store(allocate, frame, 4, 61);
        w.invalidate(buffer, 60);
        if (!mended) {
            const Report lost = w.reports()[0];
            EXPECT_EQ(lost.store_pc, allocate);
            EXPECT_EQ(lost.first, frame);
            EXPECT_EQ(lost.last, frame + 3);
        }
    });
}

TEST(CacheThread, TwoDescriptorsInALine) { // T18: OpenMV 3009: 16 bytes each
    expect("lost-cpu-data shared-line", [](CacheWorld& w, bool mended) {
        const uint32_t first = list, second = list + (mended ? 32 : 16);
        for (const uint32_t descriptor : {first, second}) {
            w.store(write_list, descriptor, 16, 1);
            w.clean(descriptor, 16);
        }
        w.read(second, 16);
        w.write(second + 12, 4, 9); // done
        w.invalidate(second, 16);
        w.load(poll, second + 12, 4);
        w.store(write_list, first, 16, 2);
        w.invalidate(second, 16); // to look again
        w.load(poll, second + 12, 4);
    });
}

TEST(CacheThread, InvalidatesWhatItSends) { // T20: murasaki 40
    expect("lost-cpu-data", [](CacheWorld& w, bool mended) {
        w.store(decode, image, image_bytes, 1);
        w.operate(mended ? PIXMILL_CACHE_CLEAN : PIXMILL_CACHE_INVALIDATE, image, image_bytes);
        w.read(image, image_bytes);
    });
}

TEST(CacheThread, DecodedImageInvalidated) { // T06: LVGL 6054
    expect("lost-cpu-data", [](CacheWorld& w, bool mended) {
        w.invalidate(image, image_bytes); // of the image before
        w.store(decode, image, image_bytes, 1);
        if (mended)
            w.clean(image, image_bytes);
        else
            w.invalidate(image, image_bytes);
        w.submit();
        draw(w);
        w.wait();
    });
}

// ---- Order -----------------------------------------------------------------------

TEST(CacheThread, NothingWaitsWithoutAnOperatingSystem) { // T08: LVGL 9362, 10230
    expect("cpu-writes-busy", [](CacheWorld& w, bool mended) {
        for (uint8_t i = 0; i < 3; i++) {
            w.store(write_list, list, list_bytes, i);
            w.clean(list, list_bytes);
            w.submit();
            draw(w);
            if (mended)
                w.wait();
        }
        if (!mended) {
            EXPECT_EQ(w.only().access, "commands");
            EXPECT_EQ(w.only().pc, write_list);
        }
    });
}

TEST(CacheThread, WindowsOfOldData) { // T17: OpenMV 1610, 2228; NuttX 19506
    expect("cpu-may-prefetch-stale",
           [](CacheWorld& w, bool mended) {
               w.invalidate(frame, frame_bytes);
               w.write(frame, frame_bytes, 1);
               if (mended)
                   w.invalidate(frame, frame_bytes);
               w.load(poll, frame, frame_bytes);
           },
           false, {.speculates = true});
}

// ---- Maintenance that does nothing -----------------------------------------------

TEST(CacheThread, CleansAFrameThatOnlyTheGpuDraws) { // T03: LVGL 8642
    expect(
        "redundant",
        [](CacheWorld& w, bool mended) {
            w.submit();
            w.write(frame, frame_bytes, 1);
            w.wait();
            if (!mended)
                w.clean(frame, frame_bytes);
            w.scan_out(frame, frame_bytes);
        },
        true);
}

TEST(CacheThread, WholeCacheCleanedForEachList) { // T11: Zephyr 101884
    constexpr int calls = 3;
    expect(
        "redundant",
        [](CacheWorld& w, bool mended) {
            w.load(poll, back, frame_bytes); // in the cache, and clean
            for (uint8_t i = 0; i < calls; i++) {
                w.store(write_list, list, list_bytes, i);
                if (mended)
                    w.clean(list, list_bytes);
                else
                    w.sweep(PIXMILL_CACHE_CLEAN);
                pixmill_cache_check_barrier(w.check);
                w.submit();
                w.read(list, list_bytes, PIXMILL_TRANSFER_COMMANDS);
                w.wait();
            }
            if (!mended) {
                EXPECT_EQ(w.reports(true)[0].count, calls * frame_bytes / 32);
            }
        },
        true);
}

TEST(CacheThread, CleansBeforeTheCacheIsOn) { // T09: LVGL 10732
    expect("no-effect",
           [](CacheWorld& w, bool mended) {
               if (mended)
                   w.enable(true);
               w.store(render, frame, frame_bytes, 1);
               w.sweep(PIXMILL_CACHE_CLEAN);
           },
           false, {.begins_enabled = false});
}

} // namespace
} // namespace pixmill::test
