// SPDX-License-Identifier: GPL-2.0-or-later
#include "sharing_command.hpp"

#include "buffer_counts.hpp"
#include "copy.hpp"
#include "device.hpp"
#include "fill.hpp"
#include "kms.hpp"

#include <drm/drm.h>
#include <drm/drm_fourcc.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <unistd.h>

using namespace std::chrono_literals;

namespace guest {

namespace {

constexpr char RENDER_NODE[] = "/dev/dri/renderD128";
constexpr auto LIMIT = 20s;

void check(bool good, const std::string& otherwise) {
    if (!good)
        throw std::runtime_error(otherwise);
}

// Returns a word for each place in a picture.
uint32_t color_of(uint32_t round, uint32_t place) {
    return 0xFF000000 | ((round * 2654435761u) ^ (place * 40503u + (place >> 3)));
}

// ---- pairs ---------------------------------------------------------------------------------

// A device that shares buffers.
class Party {
public:
    virtual ~Party() = default;
    virtual std::string name() const = 0;
    virtual int file() const = 0;

    // A buffer that belongs to the device.
    struct Shared {
        uint32_t handle;
        std::span<uint32_t> words;
        std::shared_ptr<void> owner;
    };
    virtual Shared make(uint32_t width, uint32_t height) = 0;
    // Uses an imported buffer, and checks that the device sees these words.
    virtual void use(uint32_t handle, const File& buffer, std::span<const uint32_t> words,
                     uint32_t width, uint32_t height) = 0;
};

class GpuParty : public Party {
public:
    std::string name() const override { return "etnaviv"; }
    int file() const override { return m_device.file(); }

    Shared make(uint32_t width, uint32_t height) override {
        const auto buffer = std::make_shared<Buffer>(m_device, width * height * 4);
        return {buffer->handle(), buffer->words(), buffer};
    }

    // Copies the buffer with each core.
    void use(uint32_t handle, const File&, std::span<const uint32_t> words, uint32_t width,
             uint32_t height) override {
        Buffer copy(m_device, words.size_bytes());
        const Place to{copy.handle(), 0, width * 4}, from{handle, 0, width * 4};
        for (const Job& job :
             {blit_job(to, from, width, height), resolve_job(m_device, to, from, width, height)}) {
            std::ranges::fill(copy.words(), 0);
            run(m_device, job);
            check(std::ranges::equal(copy.words(), words), "a core sees other pixels");
        }
    }

private:
    Device m_device{RENDER_NODE};
};

class DisplayParty : public Party {
public:
    explicit DisplayParty(const std::string& driver) : m_kms(driver) {}
    std::string name() const override { return m_kms.driver(); }
    int file() const override { return m_kms.file(); }

    Shared make(uint32_t width, uint32_t height) override {
        const auto picture = std::make_shared<Picture>(m_kms, width, height);
        check(picture->stride() == width * 4, "the dumb buffer's rows are not contiguous");
        return {picture->handle(), picture->words().first(width * height), picture};
    }

    // Makes a frame buffer. That the display sees the pixels is tested by "sharing frames".
    void use(uint32_t handle, const File& buffer, std::span<const uint32_t> words, uint32_t width,
             uint32_t height) override {
        drm_mode_fb_cmd2 request{};
        request.width = width;
        request.height = height;
        request.pixel_format = DRM_FORMAT_XRGB8888;
        request.handles[0] = handle;
        request.pitches[0] = width * 4;
        call(file(), DRM_IOCTL_MODE_ADDFB2, &request, "make a frame buffer of an import");
        call(file(), DRM_IOCTL_MODE_RMFB, &request.fb_id, "remove a frame buffer");
        const Mapping mapping(buffer.number(), 0, words.size_bytes());
        check(std::ranges::equal(mapping.words(), words), "the dma-buf has other pixels");
    }

private:
    Kms m_kms;
};

// Returns true if this answer of the importer is one that its driver gives.
bool may_answer(int answer, const Party& importer, bool is_one_page) {
    // linux virtgpu_prime.c: without blob resources, virtio_gpu imports nothing.
    if (importer.name() == "virtio_gpu")
        return answer == 0 || answer == -ENODEV;
    // linux drm_gem_dma_helper.c: imx-drm imports what is contiguous. The pages of the other
    // drivers may be so by chance.
    if (importer.name() == "imx-drm" && !is_one_page)
        return answer == 0 || answer == -EINVAL;
    return answer == 0;
}

void share(Party& exporter, Party& importer, uint32_t width, uint32_t height) {
    const Party::Shared shared = exporter.make(width, height);
    for (uint32_t i = 0; i < shared.words.size(); ++i)
        shared.words[i] = color_of(width, i);
    const File buffer = export_buffer(exporter.file(), shared.handle);
    uint32_t handle = 0;
    const int answer = import_buffer(importer.file(), buffer, handle);
    std::printf("%s exports %zu bytes, %s imports them: %s\n", exporter.name().c_str(),
                shared.words.size_bytes(), importer.name().c_str(),
                answer == 0 ? "yes" : std::strerror(-answer));
    check(may_answer(answer, importer, shared.words.size_bytes() <= PAGE), "that answer is wrong");
    if (answer != 0)
        return;
    importer.use(handle, buffer, shared.words, width, height);
    // The dma-buf of an import is the one that the exporter has made.
    uint32_t again = 0;
    check(import_buffer(exporter.file(), buffer, again) == 0 && again == shared.handle,
          "the exporter does not know its own buffer");
    close_handle(importer.file(), handle);
}

int pairs(std::span<char*> drivers) {
    std::vector<std::unique_ptr<Party>> parties;
    parties.push_back(std::make_unique<GpuParty>());
    for (const char* driver : drivers)
        parties.push_back(std::make_unique<DisplayParty>(driver));
    for (const auto& exporter : parties)
        for (const auto& importer : parties)
            if (exporter != importer)
                for (const uint32_t height : {16u, 256u}) // a page, 64 pages
                    share(*exporter, *importer, 64, height);
    return 0;
}

// ---- rounds --------------------------------------------------------------------------------

constexpr uint32_t WIDTH = 256, HEIGHT = 64;

// Checks pixels of a picture that a core has drawn: some of them, or all in some rounds.
void check_pixels(std::span<const uint32_t> words, uint32_t round, bool filled, const char* where) {
    const uint32_t step = round % 64 == 0 ? 1 : 487; // a prime
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i += step)
        if (const uint32_t wanted = color_of(round, filled ? 0 : i); words[i] != wanted) {
            char text[120];
            std::snprintf(text, sizeof text, "round %u: pixel %u of %s is %08x, expected %08x",
                          round, i, where, words[i], wanted);
            throw std::runtime_error(text);
        }
}

// Shares a picture of the display with the cores; one of them draws to it. The order in which the
// three references to the memory are released depends on the round.
void draw_round(Device& device, const Kms& kms, uint32_t round) {
    auto picture = std::make_unique<Picture>(kms, WIDTH, HEIGHT);
    File file = export_buffer(kms.file(), picture->handle());
    auto imported = std::make_unique<Buffer>(device, file, picture->bytes());
    const Place to{imported->handle(), 0, picture->stride()};
    const bool filled = round % 2 == 0;
    if (filled) {
        const Rectangle all{0, 0, WIDTH, HEIGHT};
        run(device, fill_job(to.handle, to.stride, {&all, 1}, color_of(round, 0)));
    } else {
        Buffer source(device, WIDTH * HEIGHT * 4);
        for (uint32_t i = 0; i < WIDTH * HEIGHT; ++i)
            source.words()[i] = color_of(round, i);
        run(device, resolve_job(device, to, {source.handle(), 0, WIDTH * 4}, WIDTH, HEIGHT));
    }
    {
        const Access access(file);
        check_pixels(picture->words(), round, filled, "the display's mapping");
        check_pixels(imported->words(), round, filled, "etnaviv's mapping");
    }
    const std::function<void()> release[] = {[&] { picture.reset(); }, [&] { imported.reset(); },
                                             [&] { file = File(); }};
    for (uint32_t i = 0; i < 3; ++i)
        release[(round + (round & 4 ? 2 * i : i)) % 3]();
}

// Shares a page of etnaviv with the display. Returns false if the display does not import.
bool lend_round(Device& device, const Kms& kms) {
    Buffer page(device, PAGE);
    const File file = export_buffer(device.file(), page.handle());
    uint32_t handle = 0;
    const int answer = import_buffer(kms.file(), file, handle);
    if (answer == 0)
        close_handle(kms.file(), handle);
    return answer == 0;
}

int rounds(Words words) {
    check(words.size() == 2, "rounds needs a number and a display");
    constexpr size_t MOST_LOST = 8 << 10; // KiB; caches of the kernel vary
    const uint32_t count = std::strtoul(words[0], nullptr, 0);
    Device device(RENDER_NODE);
    Kms kms(words[1]);
    check(device.has(Pipe::THREE_D), "there is no 3D core");
    BufferCounts before{};
    uint32_t lent = 0;
    for (uint32_t round = 0; round < count; ++round) {
        if (round == count / 10) // caches are filled now
            before = BufferCounts::now();
        draw_round(device, kms, round);
        lent += lend_round(device, kms);
    }
    const BufferCounts after = BufferCounts::now();
    std::printf("%u rounds; the display imported %u of %u pages of etnaviv\n", count, lent, count);
    std::printf("in the last nine tenths: etnaviv's buffers %zu to %zu, dma-bufs %zu to %zu, "
                "available memory %zu to %zu KiB\n",
                before.objects, after.objects, before.dma_bufs, after.dma_bufs,
                before.available_kib, after.available_kib);
    check(after.objects <= before.objects, "etnaviv has leaked buffers");
    check(after.dma_bufs <= before.dma_bufs, "dma-bufs have leaked");
    check(after.available_kib + MOST_LOST >= before.available_kib, "memory has leaked");
    return 0;
}

// ---- fences --------------------------------------------------------------------------------

constexpr uint32_t BLOCK_WIDTH = 16, BLOCK_HEIGHT = 8, BLOCK_STRIDE = BLOCK_WIDTH * 4,
                   BLOCK = BLOCK_STRIDE * BLOCK_HEIGHT;

enum class Order { FENCES, NONE };

// Passes a token through the blocks of a buffer, from each to the next. The 2D and the 3D core take
// turns. Only if the jobs run in order does it reach the last block. Returns the number of jobs
// that have passed it on.
uint32_t pass_token(Device& device, uint32_t steps, Order order) {
    Buffer blocks(device, (steps + 1) * BLOCK);
    std::ranges::fill(blocks.words(), 0);
    for (uint32_t i = 0; i < BLOCK / 4; ++i)
        blocks.words()[i] = color_of(steps, i);
    std::vector<SyncFile> passed;
    const SyncFile at_once;
    for (uint32_t step = 0; step < steps; ++step) {
        const Place from{blocks.handle(), step * BLOCK, BLOCK_STRIDE};
        const Place to{blocks.handle(), (step + 1) * BLOCK, BLOCK_STRIDE};
        const Job job = step % 2 ? resolve_job(device, to, from, BLOCK_WIDTH, BLOCK_HEIGHT)
                                 : blit_job(to, from, BLOCK_WIDTH, BLOCK_HEIGHT);
        const bool waits = order == Order::FENCES && !passed.empty();
        passed.push_back(device.submit_after(waits ? passed.back() : at_once, job));
    }
    uint64_t before = 0;
    for (uint32_t step = 0; step < steps; ++step) {
        check(passed[step].wait(LIMIT), "a fence did not signal within 20 s");
        const uint64_t now = passed[step].time();
        check(order == Order::NONE || now >= before,
              "step " + std::to_string(step) + " signaled before the previous step");
        before = now;
    }
    uint32_t reached = 0;
    const auto token = blocks.words().first(BLOCK / 4);
    while (reached < steps &&
           std::ranges::equal(token, blocks.words().subspan((reached + 1) * BLOCK / 4, BLOCK / 4)))
        ++reached;
    return reached;
}

// Returns a job that takes the 2D core tens of milliseconds.
Job long_job(Buffer& target, uint32_t stride) {
    const Rectangle all{0, 0, stride / 4, uint32_t(target.words().size_bytes()) / stride};
    return fill_job(target.handle(), stride, std::vector<Rectangle>(40, all), 0x01020304);
}

bool has_signaled(const SyncFile& file) {
    return file.wait(0ms);
}

// Sync files must be pending while a job runs, also merged ones and those of jobs that wait.
void check_pending(Device& device) {
    constexpr uint32_t STRIDE = 8192;
    Buffer large(device, STRIDE * 2048), small(device, 2 * BLOCK);
    const Place from{small.handle(), 0, BLOCK_STRIDE}, to{small.handle(), BLOCK, BLOCK_STRIDE};
    const Job copy = resolve_job(device, to, from, BLOCK_WIDTH, BLOCK_HEIGHT);
    const SyncFile slow = device.submit_after(SyncFile(), long_job(large, STRIDE));
    const SyncFile next = device.submit_after(slow, copy), both = next.merged(slow);
    const SyncFile last = device.submit_after(both, blit_job(to, from, BLOCK_WIDTH, BLOCK_HEIGHT));
    const bool was_running = !has_signaled(slow);
    if (was_running) { // so the kernel has merged two pending fences
        check(both.fences().size() == 2, "a merged file has not two fences");
        for (const SyncFile* file : {&next, &both, &last})
            check(!has_signaled(*file) || has_signaled(slow), "a sync file signaled early");
    }
    std::printf("the long job %s when the others had been submitted\n",
                was_running ? "was running" : "had ended");
    check(last.wait(LIMIT), "a job did not end within 20 s");
    check(slow.time() <= next.time() && next.time() <= last.time(),
          "the times of the sync files are not in order");
    check(!was_running || both.time() == next.time(), "a merged file has another time");
}

// The driver must refuse a file that is not a sync file.
void check_refusal(Device& device) {
    const SyncFile other(open_driver("etnaviv", Node::RENDER).release());
    try {
        device.submit_after(other, empty_job());
    } catch (const std::exception& error) {
        std::printf("a file that is not a sync file: %s\n", error.what());
        return;
    }
    throw std::runtime_error("the driver accepts a file that is not a sync file");
}

int fences(Words words) {
    check(words.size() == 1, "fences needs a number");
    const uint32_t steps = std::strtoul(words[0], nullptr, 0);
    Device device(RENDER_NODE);
    check(device.has(Pipe::THREE_D), "there is no 3D core");
    for (const uint32_t some : {1u, 2u, steps}) {
        const uint32_t reached = pass_token(device, some, Order::FENCES);
        check(reached == some, "with fences, the token reached block " + std::to_string(reached) +
                                   " of " + std::to_string(some));
    }
    std::printf("%u steps in order; without fences, the token reached block %u\n", steps,
                pass_token(device, steps, Order::NONE));
    check_pending(device);
    check_refusal(device);
    return 0;
}

// ---- frames --------------------------------------------------------------------------------

// Returns a job that fills a picture; in some frames it takes longer than a frame of the display.
Job frame_job(const Buffer& target, const Picture& picture, uint32_t frame) {
    const Rectangle all{0, 0, picture.width(), picture.height()};
    return fill_job(target.handle(), picture.stride(),
                    std::vector<Rectangle>(frame % 16 == 5 ? 100 : 1, all), color_of(frame, 0));
}

// Draws frames by turns in two pictures and shows them. A flip waits for the job that draws its
// picture, and a job waits for the flip that takes its picture off the screen: both only with sync
// files. This program waits only for the end of each flip, since the kernel accepts one at a time.
// On a slow host, jobs may end before their flips are committed. The program then draws up to 20
// times as many frames, until a flip has waited; with "hold", it draws exactly COUNT.
int frames(Words words) {
    check(words.size() >= 2, "frames needs a number and a display");
    const bool holds = words.size() > 2 && std::strcmp(words[2], "hold") == 0;
    uint32_t count = std::strtoul(words[0], nullptr, 0);
    const uint32_t most = holds ? count : 20 * count;
    Device device(RENDER_NODE);
    Kms kms(words[1]);
    const Kms::Output output = kms.output();
    const uint32_t width = output.mode.hdisplay, height = output.mode.vdisplay;
    Picture pictures[] = {{kms, width, height}, {kms, width, height}};
    std::unique_ptr<Buffer> imports[2];
    for (int i = 0; i < 2; ++i)
        imports[i] = std::make_unique<Buffer>(
            device, export_buffer(kms.file(), pictures[i].handle()), pictures[i].bytes());
    Commit first(kms);
    first.show(output, pictures[1]);
    check(first.perform(DRM_MODE_ATOMIC_ALLOW_MODESET) == 0, "the mode cannot be set");

    uint32_t flips_before_jobs = 0, jobs_before_flips = 0;
    const auto draw = [&](uint32_t frame, const SyncFile& after) {
        return device.submit_after(after,
                                   frame_job(*imports[frame % 2], pictures[frame % 2], frame));
    };
    const auto check_order = [](const SyncFile& shown, const SyncFile& next_drawn) {
        check(!shown || shown.time() <= next_drawn.time(),
              "a picture was drawn while it was on the screen");
    };
    SyncFile before, drawn = draw(0, before); // the previous flip, and this frame's job
    for (uint32_t frame = 0; frame < count; ++frame) {
        const std::string name = "frame " + std::to_string(frame);
        int32_t out = -1;
        Commit commit(kms);
        commit.flip(output, pictures[frame % 2]);
        commit.set({output.plane, DRM_MODE_OBJECT_PLANE}, "IN_FENCE_FD", drawn.number());
        commit.set({output.crtc, DRM_MODE_OBJECT_CRTC}, "OUT_FENCE_PTR",
                   reinterpret_cast<uintptr_t>(&out));
        flips_before_jobs += !has_signaled(drawn);
        const int answer = commit.perform(DRM_MODE_ATOMIC_NONBLOCK | DRM_MODE_PAGE_FLIP_EVENT);
        check(answer == 0, name + " was refused: " + std::strerror(-answer));
        SyncFile shown(out);
        jobs_before_flips += !has_signaled(shown);
        SyncFile next_drawn = draw(frame + 1, shown);
        await_flip(kms);
        check(shown.wait(LIMIT), name + " has no end");
        check(drawn.time() <= shown.time(), name + " was shown before it was drawn");
        check(pictures[frame % 2].pixel(width - 1, height - 1) == color_of(frame, 0),
              name + " has a wrong color");
        check_order(before, drawn);
        before = std::move(shown);
        drawn = std::move(next_drawn);
        if (frame + 1 == count && count < most && flips_before_jobs == 0)
            ++count;
    }
    check(drawn.wait(LIMIT), "the last job has no end");
    check_order(before, drawn);
    std::printf("%u frames of %ux%u on %s of %s, in order; %u were committed before their job had "
                "ended, and %u jobs were submitted before the flip that they wait for\n",
                count, width, height, output.name.c_str(), kms.driver().c_str(), flips_before_jobs,
                jobs_before_flips);
    if (holds) {
        std::puts("holds the last frame");
        std::fflush(stdout);
        pause();
    }
    check(flips_before_jobs > 0, "no flip had to wait");
    return 0;
}

// ---- modifiers -----------------------------------------------------------------------------

// A display that knows modifiers must accept linear buffers and refuse all others; a display that
// does not know them must refuse every modifier. imx-drm makes frame buffers of some tiled formats
// even without a PRG, and refuses to show them (linux ipuv3-plane.c).
int modifiers(Words words) {
    check(words.size() == 1, "modifiers needs a display");
    const Kms kms(words[0]);
    const Kms::Output output = kms.output();
    Picture picture(kms, output.mode.hdisplay, output.mode.vdisplay);
    const bool knows = kms.capability(DRM_CAP_ADDFB2_MODIFIERS);
    check(try_show(kms, output, picture, {}) == 0, "a buffer without a modifier is refused");
    for (const uint64_t modifier :
         {uint64_t(DRM_FORMAT_MOD_LINEAR), uint64_t(DRM_FORMAT_MOD_VIVANTE_TILED),
          uint64_t(DRM_FORMAT_MOD_VIVANTE_SUPER_TILED),
          uint64_t(DRM_FORMAT_MOD_VIVANTE_SPLIT_TILED),
          uint64_t(DRM_FORMAT_MOD_VIVANTE_SPLIT_SUPER_TILED)}) {
        const int answer = try_show(kms, output, picture, modifier);
        const int wanted = knows && modifier == DRM_FORMAT_MOD_LINEAR ? 0 : -EINVAL;
        std::printf("modifier %016" PRIx64 ": %s\n", modifier,
                    answer == 0 ? "shown" : std::strerror(-answer));
        check(answer == wanted, "that answer is wrong");
    }
    return 0;
}

constexpr Command COMMANDS[] = {{"pairs", pairs, "DISPLAY..."},
                                {"rounds", rounds, "COUNT DISPLAY"},
                                {"fences", fences, "STEPS"},
                                {"frames", frames, "COUNT DISPLAY [hold]"},
                                {"modifiers", modifiers, "DISPLAY"}};

} // namespace

int sharing_command(Words words) {
    return run_command("sharing", COMMANDS, words);
}

} // namespace guest
