// SPDX-License-Identifier: GPL-2.0-or-later
#include "display_command.hpp"

#include "kms.hpp"

#include <linux/kd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace guest {

namespace {

void check(bool good, const std::string& otherwise) {
    if (!good)
        throw std::runtime_error(otherwise);
}

// ---- list ----------------------------------------------------------------------------------

// Prints "output NAME CONNECTOR CRTC WIDTH HEIGHT" for each output and, for each plane that its
// CRTC can show, "plane NAME PLANE KIND FORMAT,FORMAT... ROTATION=BIT,...".
int list(Words words) {
    check(words.size() == 1, "list needs a driver");
    const Kms kms(words[0]);
    const std::vector<uint32_t> crtcs = kms.crtcs();
    const std::vector<Kms::Plane> planes = kms.planes();
    for (const Kms::Output& output : kms.outputs()) {
        std::printf("output %s %u %u %u %u\n", output.name.c_str(), output.connector, output.crtc,
                    output.mode.hdisplay, output.mode.vdisplay);
        const auto index = std::ranges::find(crtcs, output.crtc) - crtcs.begin();
        for (const Kms::Plane& plane : planes) {
            if (!(plane.crtcs >> index & 1) || plane.type == Kms::CURSOR)
                continue;
            std::printf("plane %s %u %s ", output.name.c_str(), plane.id,
                        plane.type == Kms::PRIMARY ? "primary" : "overlay");
            for (const uint32_t format : plane.formats)
                std::printf("%s%s", format == plane.formats.front() ? "" : ",",
                            name_of(format).c_str());
            std::printf(" rotate-0=1");
            for (const auto& [name, bit] : plane.rotations)
                if (name != "rotate-0")
                    std::printf(",%s=%" PRIu64, name.c_str(), bit);
            std::printf("\n");
        }
    }
    return 0;
}

// ---- flips ---------------------------------------------------------------------------------

// Returns how often each interrupt of the display was handled, by its number. The driver requests
// one for each CRTC (linux ipuv3-crtc.c).
std::map<std::string, uint64_t> interrupts_of(const std::string& driver) {
    const std::string name = driver == "imx-drm" ? "imx_drm" : driver;
    std::map<std::string, uint64_t> counts;
    std::ifstream file("/proc/interrupts");
    std::string line;
    std::getline(file, line);
    std::istringstream header(line);
    size_t processors = 0;
    for (std::string word; header >> word;)
        ++processors;
    while (std::getline(file, line)) {
        if (!line.ends_with(" " + name))
            continue;
        std::istringstream words(line);
        std::string number;
        words >> number;
        uint64_t count = 0, sum = 0;
        for (size_t i = 0; i < processors && words >> count; ++i)
            sum += count;
        counts[number] = sum;
    }
    check(!counts.empty(), "/proc/interrupts has no line of " + name);
    return counts;
}

// Returns the sum of interrupts in between.
uint64_t difference(const std::map<std::string, uint64_t>& before,
                    const std::map<std::string, uint64_t>& after) {
    uint64_t sum = 0;
    for (const auto& [number, count] : after)
        sum += count - before.at(number);
    return sum;
}

void paint(Picture& picture, uint32_t seed) {
    for (uint32_t y = 0; y < picture.height(); ++y)
        for (uint32_t x = 0; x < picture.width(); ++x)
            picture.pixel(x, y) =
                (x * 5 + seed) << 16 | ((y * 3 + seed) & 0xFF) << 8 | ((x ^ y) & 0xFF);
}

// Waits until the display has raised no interrupt for a second. The kernel turns vertical
// interrupts off about five seconds after their last use (linux drm_vblank.c, drm_vblankoffdelay).
void await_silence(const std::string& driver) {
    for (int tries = 0; tries < 30; ++tries) {
        const auto before = interrupts_of(driver);
        sleep(1);
        if (difference(before, interrupts_of(driver)) == 0)
            return;
    }
    throw std::runtime_error("the display raises interrupts although nobody waits for one");
}

int flips(Words words) {
    check(words.size() == 3, "flips needs a driver, an output and a number");
    constexpr double FRAME = 1e6 / 60; // in microseconds
    const uint32_t count = std::max(2ul, std::strtoul(words[2], nullptr, 0));
    const Kms kms(words[0]);
    const Kms::Output output = kms.output(words[1]);
    Picture pictures[] = {{kms, output.mode.hdisplay, output.mode.vdisplay},
                          {kms, output.mode.hdisplay, output.mode.vdisplay}};
    for (uint32_t i = 0; i < 2; ++i)
        paint(pictures[i], 100 * i);
    Commit first(kms);
    first.show(output, pictures[1]);
    check(first.perform(DRM_MODE_ATOMIC_ALLOW_MODESET) == 0, "the mode cannot be set");
    await_silence(kms.driver());
    std::printf("begins\n");
    std::fflush(stdout);

    std::vector<uint64_t> events; // in microseconds
    const auto before = interrupts_of(kms.driver());
    for (uint32_t flip = 0; flip <= count + 1; ++flip) {
        Commit commit(kms);
        commit.flip(output, pictures[flip % 2]);
        const int answer = commit.perform(DRM_MODE_ATOMIC_NONBLOCK | DRM_MODE_PAGE_FLIP_EVENT);
        check(answer == 0, "flip " + std::to_string(flip) + ": " + std::strerror(-answer));
        const uint64_t now = await_flip(kms);
        if (flip > 0) // the first event has the time of its commit
            events.push_back(now);
    }
    const uint64_t interrupts = difference(before, interrupts_of(kms.driver()));

    // The events' sequence numbers do not count frames: imx-drm switches vertical interrupts on in
    // each commit, which adds one (linux ipuv3-crtc.c, drm_vblank.c: drm_reset_vblank_timestamp).
    double longest = 0;
    for (uint32_t flip = 1; flip <= count; ++flip) {
        const double took = double(events[flip] - events[flip - 1]);
        const long frames = std::lround(took / FRAME);
        check(frames == 1, "flip " + std::to_string(flip) + " came " + std::to_string(frames) +
                               " frames after the previous one");
        longest = std::max(longest, std::abs(took - FRAME));
    }
    const double whole = double(events.back() - events.front());
    std::printf("%u flips on %s at %.3f a second, at most %.0f us early or late; %" PRIu64
                " interrupts\n",
                count, output.name.c_str(), count * 1e6 / whole, longest, interrupts);
    check(std::abs(count * 1e6 / whole - 60) < 0.1, "there are not 60 flips a second");
    check(longest < FRAME / 2, "a flip is more than half a frame early or late");
    // The frames go on while the interrupts are read, which takes some of them.
    constexpr uint64_t MORE = 8;
    check(interrupts > count + 1 && interrupts <= count + 1 + MORE,
          "there is not one interrupt for each frame");
    return 0;
}

int idle(Words words) {
    check(words.size() == 2, "idle needs a driver and an output");
    const Kms kms(words[0]);
    const Kms::Output output = kms.output(words[1]);
    Picture picture(kms, output.mode.hdisplay, output.mode.vdisplay);
    paint(picture, 0);
    Commit first(kms);
    first.show(output, picture);
    check(first.perform(DRM_MODE_ATOMIC_ALLOW_MODESET) == 0, "the mode cannot be set");
    await_silence(kms.driver());
    return 0;
}

// ---- font ----------------------------------------------------------------------------------

int font(Words words) {
    check(words.size() == 1, "font needs a file name");
    const File console(open("/dev/tty1", O_RDWR | O_NOCTTY));
    check(bool(console), "/dev/tty1 cannot be opened");
    std::vector<unsigned char> glyphs(512 * 32);
    console_font_op request{};
    request.op = KD_FONT_OP_GET;
    request.width = request.height = 32;
    request.charcount = 512;
    request.data = glyphs.data();
    call(console.number(), KDFONTOP, &request, "read the console's font");
    check(request.width == 8, "the font's width is " + std::to_string(request.width));
    glyphs.resize(request.charcount * 32);
    std::ofstream file(words[0], std::ios::binary);
    file.write(reinterpret_cast<const char*>(glyphs.data()), std::streamsize(glyphs.size()));
    std::printf("%u characters of %ux%u pixels\n", request.charcount, request.width,
                request.height);
    return file.flush() ? 0 : 1;
}

constexpr Command COMMANDS[] = {{"list", list, "DRIVER"},
                                {"flips", flips, "DRIVER OUTPUT COUNT"},
                                {"idle", idle, "DRIVER OUTPUT"},
                                {"font", font, "FILE"}};

} // namespace

int display_command(Words words) {
    return run_command("display", COMMANDS, words);
}

} // namespace guest
