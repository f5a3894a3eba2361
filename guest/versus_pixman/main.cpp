// SPDX-License-Identifier: GPL-2.0-or-later
// Compares pixman on the guest's processor with the GPU: prints how long each operation takes and
// how much the pictures differ. The exit status is 1 if the difference exceeds rounding.
#include "../program/driver_sink.hpp"
#include "../scene/artwork.hpp"
#include "../scene/surfaces.hpp"

#include <pixman.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <vector>

using scene::Memory;
using scene::Painter;
using scene::Surface;

namespace {

constexpr int WIDTH = 1024, HEIGHT = 768;

constexpr Surface TARGET{Memory::FRAME, 0, WIDTH * 4, WIDTH, HEIGHT};
constexpr Surface TARGET_565{Memory::FRAME, 0, WIDTH * 2, WIDTH, HEIGHT, scene::R5G6B5};
constexpr Surface SOURCE{Memory::PHOTO, 0, WIDTH * 4, WIDTH, HEIGHT};
constexpr Surface HALF{Memory::PHOTO, 0, WIDTH * 4, WIDTH / 2, HEIGHT / 2};
constexpr Surface MASK{Memory::MASKS, 0, WIDTH, WIDTH, HEIGHT, scene::A8};
constexpr Surface VIDEO{Memory::VIDEO, 0, WIDTH * 2, WIDTH, HEIGHT, scene::YUY2};
constexpr Surface BITS{Memory::FONT, 0, WIDTH / 8, WIDTH, HEIGHT, scene::MONOCHROME};
constexpr Surface BETWEEN{Memory::SCRATCH, 0, WIDTH * 2, WIDTH / 2, HEIGHT};

constexpr uint32_t COLOR = 0xFF3080C0, PAPER = 0xFFF0E8D0, TRANSLUCENT = 0x80;

constexpr scene::Rectangle SQUARE{0, 0, HEIGHT, HEIGHT}; // fits in the rotated source, too

// ---- pixman's pictures -----------------------------------------------------------------------

class Image {
public:
    Image(pixman_format_code_t format, const Surface& surface)
        : m_bytes(surface.stride * size_t(surface.height)),
          m_image(pixman_image_create_bits(format, surface.width, surface.height,
                                           reinterpret_cast<uint32_t*>(m_bytes.data()),
                                           int(surface.stride))) {}
    ~Image() { pixman_image_unref(m_image); }
    Image(const Image&) = delete;
    Image& operator=(const Image&) = delete;

    operator pixman_image_t*() { return m_image; }
    std::vector<uint8_t>& bytes() { return m_bytes; }

private:
    std::vector<uint8_t> m_bytes;
    pixman_image_t* m_image;
};

struct Images {
    Image target{PIXMAN_a8r8g8b8, TARGET}, target_565{PIXMAN_r5g6b5, TARGET_565};
    Image source{PIXMAN_a8r8g8b8, SOURCE}, half{PIXMAN_a8r8g8b8, HALF};
    Image mask{PIXMAN_a8, MASK}, video{PIXMAN_yuy2, VIDEO}, bits{PIXMAN_a1, BITS};
};

// Covers the source with premultiplied soft discs, and draws the same discs into the mask.
void paint(Images& images) {
    for (int y = 0; y < HEIGHT; ++y)
        for (int x = 0; x < WIDTH; ++x) {
            const int alpha = 128 + scene::wave(x) * scene::wave(y) / 129;
            const uint32_t color = scene::mix(0, scene::hue(x + 2 * y), alpha) & 0xFFFFFF;
            const uint32_t pixel = uint32_t(std::clamp(alpha, 0, 255)) << 24 | color;
            const size_t at = size_t(y) * WIDTH + x;
            std::memcpy(&images.source.bytes()[at * 4], &pixel, 4);
            images.mask.bytes()[at] = uint8_t(alpha);
            if (x % 8 == 0)
                images.bits.bytes()[at / 8] = uint8_t(alpha * (y % 5));
            images.video.bytes()[at * 2] = uint8_t(16 + (x + y) % 220);
            images.video.bytes()[at * 2 + 1] = uint8_t(128 + scene::wave(x / 2 + y) * 7 / 8);
        }
    std::copy_n(images.source.bytes().begin(), images.half.bytes().size(),
                images.half.bytes().begin());
}

void composite(pixman_op_t operation, pixman_image_t* source, pixman_image_t* mask,
               pixman_image_t* target) {
    pixman_image_composite32(operation, source, mask, target, 0, 0, 0, 0, 0, 0, WIDTH, HEIGHT);
}

pixman_image_t* solid(uint32_t color) {
    const auto channel = [&](int shift) { return uint16_t((color >> shift & 0xFF) * 0x101); };
    const pixman_color_t parts{channel(16), channel(8), channel(0), channel(24)};
    return pixman_image_create_solid_fill(&parts);
}

// Scales the source by two with the filter that set_filter(image) sets.
template<typename SetFilter>
void enlarge(Images& images, SetFilter set_filter) {
    pixman_transform_t half;
    pixman_transform_init_scale(&half, pixman_fixed_1 / 2, pixman_fixed_1 / 2);
    pixman_image_set_transform(images.half, &half);
    pixman_image_set_repeat(images.half, PIXMAN_REPEAT_PAD);
    set_filter(images.half);
    composite(PIXMAN_OP_SRC, images.half, nullptr, images.target);
}

// ---- the operations --------------------------------------------------------------------------

constexpr int ANY = 255;

struct Operation {
    const char* name;
    int tolerance; // allowed difference per channel
    void (*pixman)(Images& images);
    void (*gpu)(Painter& painter); // called with the target already set
    Image Images::*target = &Images::target;
};

const Operation OPERATIONS[] = {
    {"fill", 0,
     [](Images& images) {
         pixman_fill(pixman_image_get_data(images.target), WIDTH, 32, 0, 0, WIDTH, HEIGHT, COLOR);
     },
     [](Painter& painter) { painter.clear(TARGET.bounds(), COLOR); }},
    {"copy", 0,
     [](Images& images) { composite(PIXMAN_OP_SRC, images.source, nullptr, images.target); },
     [](Painter& painter) {
         painter.source(SOURCE);
         painter.copy(TARGET.bounds(), {0, 0});
     }},
    {"over", 1,
     [](Images& images) { composite(PIXMAN_OP_OVER, images.source, nullptr, images.target); },
     [](Painter& painter) {
         painter.source(SOURCE);
         painter.blend_over();
         painter.copy(TARGET.bounds(), {0, 0});
     }},
    {"over, global alpha", 2,
     [](Images& images) {
         pixman_image_t* mask = solid(TRANSLUCENT << 24);
         composite(PIXMAN_OP_OVER, images.source, mask, images.target);
         pixman_image_unref(mask);
     },
     [](Painter& painter) {
         painter.source(SOURCE);
         painter.blend(scene::ONE, scene::INVERSED, scene::GLOBAL_SRC_ALPHA_SCALED);
         painter.set(scene::COLOR_MULTIPLY_MODES, scene::SRC_GLOBAL_ALPHA);
         painter.set(scene::GLOBAL_SRC_COLOR, TRANSLUCENT << 24);
         painter.copy(TARGET.bounds(), {0, 0});
     }},
    {"color through a mask", 2,
     [](Images& images) {
         pixman_image_t* color = solid(COLOR);
         composite(PIXMAN_OP_OVER, color, images.mask, images.target);
         pixman_image_unref(color);
     },
     [](Painter& painter) {
         painter.source(MASK);
         painter.blend_over();
         painter.set(scene::COLOR_MULTIPLY_MODES, scene::SRC_PREMULTIPLY);
         painter.set(scene::GLOBAL_SRC_COLOR, COLOR);
         painter.copy(TARGET.bounds(), {0, 0});
     }},
    {"conversion to 565", 0,
     [](Images& images) { composite(PIXMAN_OP_SRC, images.source, nullptr, images.target_565); },
     [](Painter& painter) {
         painter.target(TARGET_565);
         painter.source(SOURCE);
         painter.copy(TARGET_565.bounds(), {0, 0});
     },
     &Images::target_565},
    {"YUY2 to RGB", 4,
     [](Images& images) { composite(PIXMAN_OP_SRC, images.video, nullptr, images.target); },
     [](Painter& painter) {
         painter.source(VIDEO);
         painter.copy(TARGET.bounds(), {0, 0});
     }},
    {"rotation by 90 degrees", 0,
     [](Images& images) {
         constexpr pixman_transform_t TURN{{{0, -pixman_fixed_1, WIDTH * pixman_fixed_1},
                                            {pixman_fixed_1, 0, 0},
                                            {0, 0, pixman_fixed_1}}};
         pixman_image_set_transform(images.source, &TURN);
         pixman_image_composite32(PIXMAN_OP_SRC, images.source, nullptr, images.target, 0, 0, 0, 0,
                                  0, 0, SQUARE.right, SQUARE.bottom);
         pixman_image_set_transform(images.source, nullptr);
     },
     [](Painter& painter) {
         painter.source(SOURCE);
         painter.turn({scene::ROT90, scene::ROT0, scene::MIRROR_NONE});
         painter.copy(SQUARE, {0, 0});
         painter.turn({});
     }},
    {"monochrome expansion", 0,
     [](Images& images) {
         pixman_image_t* color = solid(COLOR);
         pixman_fill(pixman_image_get_data(images.target), WIDTH, 32, 0, 0, WIDTH, HEIGHT, PAPER);
         composite(PIXMAN_OP_OVER, color, images.bits, images.target);
         pixman_image_unref(color);
     },
     [](Painter& painter) {
         painter.source(BITS);
         painter.set(scene::SRC_COLOR_FG, COLOR);
         painter.set(scene::SRC_COLOR_BG, PAPER);
         painter.copy(TARGET.bounds(), {0, 0});
     }},
    {"scaling by 2, nearest", 0,
     [](Images& images) {
         enlarge(images, [](pixman_image_t* image) {
             pixman_image_set_filter(image, PIXMAN_FILTER_NEAREST, nullptr, 0);
         });
     },
     [](Painter& painter) {
         painter.source(HALF);
         painter.stretch(TARGET.bounds(), HALF.bounds(), true);
     }},
    {"scaling by 2, Lanczos", ANY, // pixman's radius is 3, the GPU's is 4
     [](Images& images) {
         enlarge(images, [](pixman_image_t* image) {
             int count = 0;
             pixman_fixed_t* table = pixman_filter_create_separable_convolution(
                 &count, pixman_fixed_1 / 2, pixman_fixed_1 / 2, PIXMAN_KERNEL_LANCZOS3,
                 PIXMAN_KERNEL_LANCZOS3, PIXMAN_KERNEL_IMPULSE, PIXMAN_KERNEL_IMPULSE, 4, 4);
             pixman_image_set_filter(image, PIXMAN_FILTER_SEPARABLE_CONVOLUTION, table, count);
             std::free(table);
         });
     },
     [](Painter& painter) {
         painter.filter_kernel(1);
         painter.filter(HALF, HALF.bounds(), BETWEEN, TARGET, TARGET.bounds());
     }},
};

// ---- measuring -------------------------------------------------------------------------------

// Returns the shortest time of `runs` runs, in milliseconds. The first runs are always slow.
template<typename Function>
double time_of(int runs, Function function) {
    constexpr double ENOUGH = 2000;
    double best = std::numeric_limits<double>::infinity(), total = 0;
    for (int run = 0; run < runs && total < ENOUGH; ++run) {
        const auto start = std::chrono::steady_clock::now();
        function();
        const double taken =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                .count();
        best = std::min(best, taken);
        total += taken;
    }
    return best;
}

void upload(guest::DriverSink& sink, Memory memory, const std::vector<uint8_t>& bytes) {
    std::memcpy(sink.make(memory, bytes.size()).words().data(), bytes.data(), bytes.size());
}

// Reverses the bits of each byte. The first pixel is the lowest bit for pixman, but the highest for
// the GPU.
std::vector<uint8_t> mirrored(std::vector<uint8_t> bytes) {
    for (uint8_t& byte : bytes) {
        int bits = 0;
        for (int i = 0; i < 8; ++i)
            bits |= (byte >> i & 1) << (7 - i);
        byte = uint8_t(bits);
    }
    return bytes;
}

// Runs an operation `times` times in one job.
void draw(guest::DriverSink& sink, const Operation& operation, int times) {
    {
        Painter painter(sink);
        for (int i = 0; i < times; ++i) {
            painter.target(TARGET);
            operation.gpu(painter);
        }
    }
    sink.wait();
}

int largest_difference(std::span<const uint8_t> a, std::span<const uint8_t> b) {
    int largest = 0;
    for (size_t i = 0; i < a.size(); ++i)
        largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

void start_anew(Images& images, std::span<uint32_t> target) {
    constexpr uint32_t GROUND = 0xFF405060;
    std::ranges::fill(target, GROUND);
    std::memcpy(images.target.bytes().data(), target.data(), images.target.bytes().size());
    std::memset(images.target_565.bytes().data(), 0, images.target_565.bytes().size());
}

// Runs the operation once with pixman and once on the GPU, on the same initial picture, and returns
// the largest difference.
int compare(Images& images, guest::DriverSink& sink, const Operation& operation) {
    const std::span<uint32_t> target = sink[Memory::FRAME].words();
    start_anew(images, target);
    operation.pixman(images);
    draw(sink, operation, 1);
    const std::span<const uint8_t> seen{reinterpret_cast<uint8_t*>(target.data()),
                                        target.size_bytes()};
    return largest_difference((images.*operation.target).bytes(), seen);
}

bool measure(Images& images, guest::DriverSink& sink, int runs) {
    std::printf("%-26s %10s %10s %10s %7s %s\n", "1024 x 768, ms", "pixman", "GPU alone",
                "GPU of 8", "ratio", "difference");
    constexpr int TIMES = 8;
    double product = 1, all_pixman = 0, all_alone = 0, all_gpu = 0;
    bool right = true;
    for (const Operation& operation : OPERATIONS) {
        const int difference = compare(images, sink, operation);
        const double pixman = time_of(runs, [&] { operation.pixman(images); });
        const double alone = time_of(runs, [&] { draw(sink, operation, 1); });
        const double gpu = time_of(runs, [&] { draw(sink, operation, TIMES); }) / TIMES;
        product *= pixman / gpu;
        all_pixman += pixman;
        all_alone += alone;
        all_gpu += gpu;
        right &= difference <= operation.tolerance;
        std::printf("%-26s %10.2f %10.2f %10.2f %7.1f %6d%s\n", operation.name, pixman, alone, gpu,
                    pixman / gpu, difference, difference <= operation.tolerance ? "" : " TOO FAR");
        std::fflush(stdout);
    }
    std::printf("%-26s %10.2f %10.2f %10.2f %7.1f\n", "all of it", all_pixman, all_alone, all_gpu,
                all_pixman / all_gpu);
    std::printf("geometric mean of the ratios: %.1f; all of it, a job for each: %.1f\n",
                std::pow(product, 1.0 / double(std::size(OPERATIONS))), all_pixman / all_alone);
    return right;
}

int run(int runs) {
    Images images;
    paint(images);
    guest::Device device("/dev/dri/renderD128");
    guest::DriverSink sink(device);
    upload(sink, Memory::FRAME, images.target.bytes());
    upload(sink, Memory::PHOTO, images.source.bytes());
    upload(sink, Memory::MASKS, images.mask.bytes());
    upload(sink, Memory::VIDEO, images.video.bytes());
    upload(sink, Memory::FONT, mirrored(images.bits.bytes()));
    sink.make(Memory::SCRATCH, BETWEEN.stride * BETWEEN.height);
    return measure(images, sink, runs) ? 0 : 1;
}

} // namespace

// pixmill-versus-pixman [RUNS]
int main(int argc, char** argv) {
    try {
        return run(argc > 1 ? std::max(std::atoi(argv[1]), 1) : 8);
    } catch (const std::exception& error) {
        std::printf("%s\n", error.what());
        return 1;
    }
}
