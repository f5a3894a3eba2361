// SPDX-License-Identifier: GPL-2.0-or-later
#include "screen_command.hpp"

#include "device.hpp"
#include "fill.hpp"
#include "physical_memory.hpp"

#include <linux/fb.h>

#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <system_error>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace guest {

namespace {

void must(int result, const char* what) {
    if (result < 0)
        throw std::system_error(errno, std::generic_category(), what);
}

// The kernel's first framebuffer, with 32-bit pixels.
class Screen {
public:
    Screen() {
        const int file = open("/dev/fb0", O_RDWR | O_CLOEXEC);
        must(file, "/dev/fb0");
        must(ioctl(file, FBIOGET_FSCREENINFO, &m_fixed), "get the screen's address");
        must(ioctl(file, FBIOGET_VSCREENINFO, &m_variable), "get the screen's size");
        void* memory = mmap(nullptr, m_fixed.smem_len, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        must(memory == MAP_FAILED ? -1 : 0, "map the screen");
        close(file);
        m_words = {static_cast<uint32_t*>(memory), m_fixed.smem_len / 4};
    }
    ~Screen() { munmap(m_words.data(), m_words.size_bytes()); }
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;

    uint32_t width() const { return m_variable.xres; }
    uint32_t height() const { return m_variable.yres; }
    uint32_t stride() const { return m_fixed.line_length; }
    uint64_t address() const { return m_fixed.smem_start; }
    std::span<uint32_t> words() { return m_words; }
    uint32_t& pixel(uint32_t x, uint32_t y) { return m_words[y * stride() / 4 + x]; }

private:
    fb_fix_screeninfo m_fixed{};
    fb_var_screeninfo m_variable{};
    std::span<uint32_t> m_words;
};

int gradient(Words) {
    Screen screen;
    for (uint32_t y = 0; y < screen.height(); ++y)
        for (uint32_t x = 0; x < screen.width(); ++x)
            screen.pixel(x, y) = (x & 0xFF) << 16 | (y & 0xFF) << 8 | ((x ^ y) & 0xFF);
    return 0;
}

// Drives BB2D without the kernel driver, as firmware would, with the MMU off and by polling.
// Registers: rnndb state_hi; reset sequence: linux etnaviv_gpu.c.
class BareBb2d {
public:
    void reset() {
        for (const uint32_t value : {0x300, 0x100, 0x80100, 0x81100, 0x80100, 0x100, 0x70900})
            m_registers.write32(CLOCK_CONTROL, value);
        wait();
    }

    // Runs a command list at a physical address and waits for its end.
    void run(uint32_t address, uint32_t words) {
        m_registers.write32(FE_ADDRESS, address);
        m_registers.write32(FE_CONTROL, FE_ENABLE | (words + 1) / 2);
        wait();
    }

private:
    static constexpr size_t CLOCK_CONTROL = 0x00, IDLE = 0x04, FE_ADDRESS = 0x654,
                            FE_CONTROL = 0x658;
    static constexpr uint32_t FE_ENABLE = 0x10000, ALL_IDLE = 0x7FFFFFFF;

    void wait() {
        for (int i = 0; i < 2000; ++i) {
            if (m_registers.read32(IDLE) == ALL_IDLE)
                return;
            usleep(1000);
        }
        throw std::runtime_error("BB2D does not become idle");
    }

    PhysicalWindow m_registers{0x59000000, 0x700};
};

// Returns an address after the picture, in the last 2 MiB unit that the machine reserves for it.
uint32_t list_address(const Screen& screen) {
    constexpr uint64_t unit = 2 << 20, room = 0x10000;
    const uint64_t picture = uint64_t(screen.stride()) * screen.height();
    const uint64_t end = screen.address() + (picture + unit - 1) / unit * unit;
    if (end - room < screen.address() + picture)
        throw std::runtime_error("no room after the picture");
    return end - room;
}

int rectangles(Words) {
    constexpr uint32_t END = 0x10000000, PIPE_SELECT = 0x3800, PIPE_2D = 1;
    Screen screen;
    const uint32_t address = list_address(screen);
    PhysicalWindow list(address, 0x10000);
    BareBb2d bb2d;
    bb2d.reset();
    for (uint32_t i = 0; i < 10; ++i) {
        const uint32_t left = 16 + 100 * i, top = 24 + 70 * i;
        const Rectangle area{left, top, left + 64 + 4 * i, top + 48 + 3 * i};
        Job job = fill_job(0, screen.stride(), {&area, 1}, 0x181008 * (i + 1));
        job.words.at(job.relocations.at(0).word) = screen.address();
        Job whole; // the job, enclosed in the commands that etnaviv adds
        whole.load_state(PIPE_SELECT, PIPE_2D);
        whole.words.insert(whole.words.end(), job.words.begin(), job.words.end());
        whole.words.insert(whole.words.end(), {END, 0});
        for (size_t word = 0; word < whole.words.size(); ++word)
            list.write32(4 * word, whole.words[word]);
        bb2d.run(address, whole.words.size());
    }
    std::printf("list at %x, screen at %llx\n", address,
                static_cast<unsigned long long>(screen.address()));
    return 0;
}

// Tries to share the framebuffer with the driver. This must fail: the kernel does not manage that
// memory.
int share(Words) {
    Screen screen;
    Device device("/dev/dri/renderD128");
    const UserBuffer buffer(device, screen.words().first(PAGE / 4));
    const Rectangle area{0, 0, 1, 1};
    run(device, fill_job(buffer.handle(), screen.stride(), {&area, 1}, 0));
    return 0;
}

constexpr Command COMMANDS[] = {
    {"gradient", gradient}, {"rectangles", rectangles}, {"share", share}};

} // namespace

int screen_command(Words words) {
    return run_command("screen", COMMANDS, words);
}

} // namespace guest
