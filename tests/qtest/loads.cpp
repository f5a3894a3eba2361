/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "loads.hpp"

#include <vector>

#include "nema/rig.hpp"
#include "rig.hpp"
#include "vivante/drawing.hpp"
#include "vivante/scene_3d.hpp"
#include "vivante/vg_streams.hpp"

namespace pixmill::qtest {

namespace {

/* Draws 10^6 triangles with the states of scene_3d, which @more may change. */
void start_3d(Qemu& qemu, const Commands& more) {
    using namespace scene_3d;
    constexpr uint32_t kTriangles = 1'000'000;
    constexpr Places at(kRam + 0x1000000);
    put_corners(qemu, at, overlapping());
    put_indices(qemu, at, static_cast<unsigned>(overlapping().size()), kTriangles);
    const Commands stream = states(at).append(more).append(draw_indexed(at, kTriangles)).end();
    qemu.write_words(at.stream, stream.words());
    Gc(qemu, kGcBase).start(at.stream, stream.qwords());
}

} // namespace

/* ---- Vivante --------------------------------------------------------------------------------- */

void loop_idly(Qemu& qemu) {
    qemu.write_words(0x2000, Words{0x380000C8, 0, 0x40000002, 0x2000});
    Gc(qemu, kGcBase).start(0x2000, 2);
}

void loop_links(Qemu& qemu) {
    qemu.write_words(0x8000, Words{0x40000001, 0x8000});
    Gc(qemu, kGcBase).start(0x8000, 1);
}

void loop_states(Qemu& qemu) {
    Commands loop;
    loop.load(state::kSrcColorBg, Words{1, 2, 3}).load(state::kFlushCache, 0x40);
    loop.link(0x8000, loop.qwords() + 1);
    qemu.write_words(0x8000, loop.words());
    Gc(qemu, kGcBase).start(0x8000, loop.qwords());
}

/* Fills 4096 x 4096 32-bit pixels, 255 x 200 times. */
void blit_for_hours(Qemu& qemu) {
    constexpr uint32_t kSide = 4096;
    Commands stream = base_block(kSide, kSide, command::kBitBlt, kDest, kDest + kSide * kSide * 4);
    for (int i = 0; i < 200; ++i) {
        stream.draw(std::vector<Rect>(255, Rect{0, 0, kSide, kSide}));
    }
    stream.end();
    qemu.write_words(kStream, stream.words());
    Gc(qemu, kGcBase).start(kStream, stream.qwords());
}

/*
 * Rotates and stretches tiled indexed pixels into NV12 where no memory is mapped: consecutive
 * pixels have unrelated addresses, so nothing can be cached.  This was the most costly row known
 * before draws were split within rows.
 */
void draw_costly_pixels(Qemu& qemu) {
    constexpr uint32_t kTiled = 0x80, kNv12 = 0x11, kTurned = 4, kNowhere = 0xC0000000;
    constexpr int kSide = 32767;
    Commands stream;
    stream.select_2d()
        .load(state::kSrcAddress, Words{kNowhere, 0x20000, kSide})
        .load(state::kSrcConfig, src_config(format::kIndex8) | kTiled)
        .load(state::kSrcSize, point(kSide, kSide))
        .load(state::kStretchFactorLow, Words{0x10000, 0x10000})
        .load(state::kRotAngle, kTurned)
        .load(state::kSrcRotationHeight, kSide)
        .load(state::kDestAddress, Words{kNowhere + 0x10000000, 0x8000, kSide})
        .load(state::kDestConfig, dest_config(command::kStretchBlt, kNv12))
        .load(state::kPlane2Address, Words{kNowhere + 0x30000000, 0x8000})
        .load(state::kRop, 0x0030CCCC)
        .load(state::kClipTopLeft, Words{0, point(kSide, kSide)});
    for (int i = 0; i < 200; ++i) {
        stream.draw(std::vector<Rect>(255, Rect{0, 0, kSide, kSide}));
    }
    stream.end();
    qemu.write_words(kStream, stream.words());
    Gc(qemu, kGcBase).start(kStream, stream.qwords());
}

/* Draws 10^6 overlapping triangles, each covering half of the target. */
void draw_for_minutes_3d(Qemu& qemu) {
    start_3d(qemu, scene_3d::blended());
}

/*
 * Runs a counting loop in the pixel shader, 64 pixels at a time; each loop takes half of the
 * longest run allowed.
 */
void shade_for_hours_3d(Qemu& qemu) {
    start_3d(qemu, scene_3d::count_in_pixels(1 << 18));
}

/* Runs the same loop in the vertex shader, with almost no pixels. */
void shade_vertices_for_hours_3d(Qemu& qemu) {
    constexpr uint32_t k64 = 0x42800000, k66 = 0x42840000; /* as floats */
    start_3d(qemu, scene_3d::count_in_vertices(1 << 18).load(0x0C00, Words{k64, k64, k66, k66}));
}

/* Hangs the core; a driver would notice and reset it. */
void never_end_3d(Qemu& qemu) {
    start_3d(qemu, scene_3d::never_end());
}

/* ---- Vector graphics ---------------------------------------------------------------------------
 */

namespace {

constexpr uint32_t kSideVg = 4096;

/*
 * Returns states for a 64 MiB picture and a path window of the same size; @control is VG_CONTROL.
 */
Words picture_vg(uint32_t control) {
    constexpr uint32_t kSize = kSideVg << 16 | kSideVg;
    return joined({vg::target(kHighRam, kSideVg, kSideVg),
                   vg::state(vg::kControl, control),
                   vg::path_window(kSideVg, kSideVg),
                   {0x30010A3A, kSize}});
}

void start_vg(Qemu& qemu, const Words& stream) {
    qemu.write_words(kStream, stream);
    Gc gc(qemu, kGcBase);
    gc.write(vg::kAddress, kStream);
    gc.write(vg::kSize, static_cast<uint32_t>(stream.size() / 2));
}

} // namespace

/*
 * Draws a rotated, repeated and filtered image over the whole picture.  The stream then jumps back
 * to that draw; its 2^24 qwords last for days.
 */
void draw_for_days_vg(Qemu& qemu) {
    constexpr uint32_t kScale = 0x3B800000, kTurned = 0x3B000000, kOne = 0x3F800000; /* as floats */
    Words stream = joined({picture_vg(0x10001101),
                           {0x30010A1A, kOne, 0x30010A1C, kScale, 0x30010A1D, kTurned},
                           {0x30010A20, kTurned, 0x30010A21, kScale, 0x30010A25, 0x01022107},
                           {0x30010A29, kSource, 0x30010A2B, 1024, 0x30010A2F, 0x01000100}});
    const auto again = kStream + static_cast<uint32_t>(stream.size() * 4);
    stream = joined({stream, {vg::kData | 1, 0, 0, kSideVg << 16 | kSideVg, 0x50000003, again}});
    start_vg(qemu, stream);
}

/* Fills a path of nearly the maximum number of edges, all crossing every row, 44 times. */
void fill_for_minutes_vg(Qemu& qemu) {
    constexpr uint32_t kPoints = 1'000'000, kScale = 0x42000000; /* 32.0 */
    std::vector<uint8_t> path{2, 0, 0};
    for (uint32_t i = 0; i < kPoints; ++i) {
        path.insert(path.end(), {4, static_cast<uint8_t>(i * 7 % 128),
                                 static_cast<uint8_t>(i % 2 == 0 ? 127 : 0)});
    }
    path.resize((path.size() + 8) / 8 * 8); /* END and padding to a qword */
    Words data(path.size() / 4);
    for (size_t i = 0; i < path.size(); ++i) {
        data[i / 4] |= static_cast<uint32_t>(path[i]) << i % 4 * 8;
    }
    const Words states = joined({picture_vg(0x10000103),
                                 {0x30010A02, 0x80402010, 0x30010A3B, 0x3F800000, 0x30010A3C, 0},
                                 {0x30010A40, kScale, 0x30010A41, 0, 0x30010A42, 0},
                                 {0x30010A43, 0, 0x30010A44, kScale, 0x30010A45, 0}});
    const auto qwords = static_cast<uint32_t>(data.size() / 2);
    const auto again = kStream + static_cast<uint32_t>(states.size() * 4);
    start_vg(qemu,
             joined({states, {vg::kData | qwords, 0}, data, {0x50000000 | (qwords + 2), again}}));
}

namespace {

constexpr const char* kTestMachine = "pixmill-test";
constexpr const char* kMachineVg = "pixmill-test,model=gc355-rt1170";
constexpr const char* kMachine3d = "pixmill-test,model=gc2000-imx6q";
constexpr uint32_t kResult = kLowRam + 0x100000; /* set when the program passes the stalled store */
constexpr uint32_t kArguments = kResult + 0x10;

template<void start(Qemu&)>
void beside_a_sleeping_cpu(Qemu& qemu) {
    boot(qemu, {0xE320F003, 0xEAFFFFFD}); /* wfi; b to the wfi */
    start(qemu);
}

bool front_end_runs(Qemu& qemu) {
    return !Gc(qemu, kGcBase).stopped();
}

/* ---- NEMA|GFX -------------------------------------------------------------------------------- */

constexpr uint64_t kNemaBase = 0x4C000000; /* on pixmill-test */
constexpr uint32_t kNemaList = kRam + 0x100000;

/*
 * Returns a list that draws @target with blending, over and over, until the command processor gives
 * up after hours.
 */
Words endless_list(uint32_t address, const Surface& target) {
    const Words state = joined({common_state(), fill_state(target, 0x01010101, 0x101)});
    const auto loop = address + static_cast<uint32_t>(state.size() * 4);
    const Words draw = rectangle(0, 0, target.width, target.height);
    return joined({state,
                   draw,
                   {nema::kCmdAddr, loop, nema::kCmdSize, static_cast<uint32_t>(draw.size()) + 4}});
}

template<uint64_t base>
bool list_runs(Qemu& qemu) {
    return qemu.read32(base + nema::kCmdStat) != 0;
}

uint32_t store_list(Qemu& qemu) {
    const Words list = endless_list(kNemaList, {kHighRam, 4096, 4096});
    qemu.write_words(kNemaList, list);
    return static_cast<uint32_t>(list.size());
}

void draw_by_list(Qemu& qemu) {
    const uint32_t words = store_list(qemu);
    boot(qemu, {0xE320F003, 0xEAFFFFFD});
    qemu.write32(kNemaBase + nema::kCmdAddr, kNemaList);
    qemu.write32(kNemaBase + nema::kCmdSize, words);
}

/* The CPU starts the list; its next store is stalled by the bus until the list ends. */
void stall_the_bus(Qemu& qemu) {
    qemu.write_words(kArguments, Words{kNemaList, store_list(qemu)});
    qemu.write32(kResult, 0);
    boot(qemu, {0xE3A0044C,   /* mov r0, #0x4C000000 */
                0xE3A01601,   /* mov r1, #0x00100000 */
                0xE5912010,   /* ldr r2, [r1, #16] */
                0xE58020F0,   /* str r2, [r0, #0xF0]: CMD_ADDR */
                0xE5912014,   /* ldr r2, [r1, #20] */
                0xE58020F4,   /* str r2, [r0, #0xF4]: CMD_SIZE */
                0xE3A02002,   /* mov r2, #2 */
                0xE5802100,   /* str r2, [r0, #0x100]: DRAW_CMD */
                0xE5812000,   /* str r2, [r1] */
                0xE320F003,   /* wfi */
                0xEAFFFFFD}); /* b to the wfi */
}

bool bus_stalls(Qemu& qemu) {
    return qemu.read32(kResult) == 0 && list_runs<kNemaBase>(qemu);
}

constexpr uint32_t kGr5526List = kSram + 0x40000;
constexpr uint32_t kGr5526Result = kSram + 0x2000;
constexpr uint32_t kGr5526Vectors = kSram + 0x1000; /* set as a property of the machine */

/* Does the same on the GR5526, using firmware in RAM. */
void stall_the_bus_of_gr5526(Qemu& qemu) {
    const Words list = endless_list(kGr5526List, {kPsram, 1024, 1024});
    qemu.write_words(kGr5526List, list);
    qemu.write32(kGr5526Result, 0);
    qemu.write_words(kGr5526Vectors,
                     Words{kGr5526Vectors, kGr5526Vectors + 8 + 1, /* stack; program, Thumb */
                           0x0020F8DF,                             /* ldr r0, =registers */
                           0x1020F8DF,                             /* ldr r1, =list */
                           0x10F0F8C0,                             /* str r1, [r0, #0xF0] */
                           0xF8C04907, 0x210210F4, /* ldr r1, =words; str r1, [r0, #0xF4] */
                           0x1100F8C0,             /* movs r1, #2; str r1, [r0, #0x100] */
                           0x0014F8DF,             /* ldr r0, =result */
                           0xE7FE6001,             /* str r1, [r0]; b to itself */
                           0xBF00BF00, static_cast<uint32_t>(nema::kBase), kGr5526List,
                           static_cast<uint32_t>(list.size()), kGr5526Result});
    qemu.qmp("system_reset"); /* the first reset found no vector table */
    qemu.resume();
}

bool bus_of_gr5526_stalls(Qemu& qemu) {
    return qemu.read32(kGr5526Result) == 0 && list_runs<nema::kBase>(qemu);
}

/* ---- The others ------------------------------------------------------------------------------ */

/* The CPU transmits without checking for room, and the host never reads. */
void flood_the_console(Qemu& qemu) {
    boot(qemu, {0xE3A00312,   /* mov r0, #0x48000000 */
                0xE2800802,   /* add r0, r0, #0x20000 */
                0xE3A02001,   /* mov r2, #1 */
                0xE5C02008,   /* strb r2, [r0, #8]: FCR */
                0xE5C02000,   /* strb r2, [r0]: THR */
                0xEAFFFFFD}); /* b to the previous instruction */
}

/* Runs the timer with its shortest period and acknowledges it as fast as the CPU can. */
void tick_the_sgx(Qemu& qemu) {
    boot(qemu, {0xE3A00456,   /* mov r0, #0x56000000 */
                0xE3A02401,   /* mov r2, #0x01000000 */
                0xE3822001,   /* orr r2, r2, #1 */
                0xE5802ACC,   /* str r2, [r0, #0xACC]: EVENT_TIMER, enabled, one clock */
                0xE3E02000,   /* mvn r2, #0 */
                0xE5802134,   /* str r2, [r0, #0x134]: EVENT_HOST_CLEAR */
                0xEAFFFFFD}); /* b to the previous instruction */
}

bool runs(Qemu& qemu) {
    return qemu.qmp("query-status").find("running") != std::string::npos;
}

constexpr const char* kNemaPath = "/machine/nema";

/* clang-format off */
constexpr Load all[] = {
    {"IdleLoop", kTestMachine, "vivante-gc", kGcPath, "", beside_a_sleeping_cpu<loop_idly>,
     front_end_runs, true},
    {"LinkLoop", kTestMachine, "vivante-gc", kGcPath, "", beside_a_sleeping_cpu<loop_links>,
     front_end_runs, true},
    {"StateLoop", kTestMachine, "vivante-gc", kGcPath, "", beside_a_sleeping_cpu<loop_states>,
     front_end_runs, true},
    {"BlitList", kTestMachine, "vivante-gc", kGcPath, "stat-pixels",
     beside_a_sleeping_cpu<blit_for_hours>, front_end_runs, true},
    {"CostlyDraws", kTestMachine, "vivante-gc", kGcPath, "stat-pixels",
     beside_a_sleeping_cpu<draw_costly_pixels>, front_end_runs, true},
    {"Draw3d", kMachine3d, "vivante-gc", kGcPath, "stat-pixels",
     beside_a_sleeping_cpu<draw_for_minutes_3d>, front_end_runs, true},
    {"LongShader3d", kMachine3d, "vivante-gc", kGcPath, "stat-pixels",
     beside_a_sleeping_cpu<shade_for_hours_3d>, front_end_runs, true},
    {"LongVertexShader3d", kMachine3d, "vivante-gc", kGcPath, "stat-pixels",
     beside_a_sleeping_cpu<shade_vertices_for_hours_3d>, front_end_runs, true},
    {"EndlessShader3d", kMachine3d, "vivante-gc", kGcPath, "",
     beside_a_sleeping_cpu<never_end_3d>, front_end_runs, true},
    {"ImagesVg", kMachineVg, "vivante-gc", kGcPath, "stat-pixels",
     beside_a_sleeping_cpu<draw_for_days_vg>, front_end_runs, true},
    {"PathVg", kMachineVg, "vivante-gc", kGcPath, "stat-pixels",
     beside_a_sleeping_cpu<fill_for_minutes_vg>, front_end_runs, true},
    {"NemaList", kTestMachine, "nema-gfx", kNemaPath, "stat-pixels", draw_by_list,
     list_runs<kNemaBase>, true},
    {"NemaStall", kTestMachine, "nema-gfx", kNemaPath, "stat-pixels", stall_the_bus, bus_stalls,
     false},
    {"NemaStallGr5526", "gr5526,vector-table=0x20001000", "nema-gfx", nema::kPath, "stat-pixels",
     stall_the_bus_of_gr5526, bus_of_gr5526_stalls, false},
    {"Console", kTestMachine, "", "", "", flood_the_console, runs, false},
    {"SgxTimer", kTestMachine, "", "/machine/pixmill-sgx", "stat-events", tick_the_sgx, runs,
     false},
};
/* clang-format on */

} // namespace

std::span<const Load> loads() {
    return all;
}

QemuOptions machine_of(const Load& load, bool threaded, const std::string& console) {
    QemuOptions options{.machine = load.machine,
                        .accel = "tcg",
                        .arguments = {"-S", "-chardev", "socket,id=console,path=" + console,
                                      "-serial", "chardev:console"}};
    if (*load.device != 0) {
        options.arguments.insert(
            options.arguments.end(),
            {"-global", load.device + std::string(threaded ? ".worker=thread" : ".worker=inline")});
    }
    return options;
}

void PrintTo(const Load& load, std::ostream* out) {
    *out << load.name;
}

} // namespace pixmill::qtest
