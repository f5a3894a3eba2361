/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "random_program.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "drawing.hpp"
#include "geode_gp_rig.hpp"
#include "nema_rig.hpp"
#include "rig.hpp"

namespace pixmill::qtest {

uint32_t Dice::edge() {
    static constexpr std::array<uint32_t, 8> ends{0,      1,          0x7FFF,     0xFFFF,
                                                  0x8000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
    switch (below(4)) {
    case 0:
        return pick(std::span<const uint32_t>(ends));
    case 1:
        return (1u << below(32)) + below(3) - 1;
    case 2:
        return point(static_cast<int>(below(300)), static_cast<int>(below(300)));
    default:
        return any();
    }
}

/* ---- Machines ------------------------------------------------------------ */

namespace {

constexpr auto kVivante = DeviceKind::kVivante;
constexpr auto kNema = DeviceKind::kNema;
constexpr auto kSgx = DeviceKind::kSgx;
constexpr auto kGeodeGp = DeviceKind::kGeodeGp;
constexpr auto kRegisters = DeviceKind::kRegisters;

const std::vector<FuzzedDevice> kTestDevices{
    {kVivante, "/machine/pixmill-gc", "stat-events", 0x59000000, 0x4000},
    {kNema, "/machine/nema", "stat-pixels", 0x4C000000, 0x1000},
    {kSgx, "/machine/pixmill-sgx", "stat-mmu-faults", 0x56000000, 0x10100},
    {kGeodeGp, geode_gp::kPath, "stat-pixels", geode_gp::kBase, 0x4030}, /* its MSRs behind it */
    {kRegisters, "", "", 0x4A002000, 0x2000}, /* control module, crossbars */
    {kRegisters, "", "", 0x4A005000, 0x1000}, /* clocks */
    {kRegisters, "", "", 0x4A009000, 0x1000}, /* ... that of BB2D */
    {kRegisters, "", "", 0x48034000, 0x1000}, /* timers */
    {kRegisters, "", "", 0x4AE18000, 0x1000},
    {kRegisters, "", "", 0x4AE04000, 0x40}, /* 32 kHz counter */
    {kRegisters, "", "", 0x48020000, 0x100},
    {kRegisters, "", "", 0x4B000000, 0x108}, /* small crossbars */
};

const std::vector<FuzzedDevice> kAm57xxDevices{
    {kVivante, "/machine/pixmill-bb2d", "stat-pixels", 0x59000000, 0x700},
    {kSgx, "/machine/pixmill-gpu", "stat-mmu-faults", 0x56000000, 0x10000},
    {kRegisters, "", "", 0x4A002000, 0x2000},
    {kRegisters, "", "", 0x4A009000, 0x1000},
    {kRegisters, "", "", 0x48034000, 0x1000},
    {kRegisters, "", "", 0x48020000, 0x100},
};

const std::vector<FuzzedDevice> kGr5526Devices{
    {kNema, "/machine/gpu", "stat-pixels", 0x40028000, 0x1000},
    {kRegisters, "", "", 0x43FF4000, 0x1000}, /* display */
    {kRegisters, "", "", 0x4000C500, 0x600},  /* UARTs */
    {kRegisters, "", "", 0x4000E000, 0x400},  /* registers that remember */
    {kRegisters, "", "", 0x4000EE00, 0x200},
};

const std::vector<FuzzedDevice> kSabreliteDevices{
    {kVivante, "/machine/pixmill-gc320", "stat-pixels", 0x00134000, 0x4000},
    {kVivante, "/machine/pixmill-gc2000", "stat-events", 0x00130000, 0x4000},
    {kVivante, "/machine/pixmill-gc355", "stat-events", 0x02204000, 0x4000},
    {kRegisters, "", "", 0x00A02730, 0x14}, /* cache sync, on which the cores look */
};

const std::vector<FuzzedMachine> kMachines{
    {"Gc320Am57xx", "pixmill-test,model=gc320-am57xx", 1344, kRam, kTestDevices},
    {"Gc320Imx8mm", "pixmill-test,model=gc320-imx8mm", 1344, kRam, kTestDevices},
    {"Gc600", "pixmill-test,model=gc600-dove", 1344, kRam, kTestDevices},
    {"Gc7000", "pixmill-test,model=gc7000-imx8mq", 1344, kRam, kTestDevices},
    {"Am57xx", "am57xx,framebuffer=64x48", 64, 0x80000000, kAm57xxDevices},
    {"Gr5526", "gr5526", 8, kPsram, kGr5526Devices},
    {"Sabrelite", "sabrelite", 64, 0x10000000, kSabreliteDevices},
};

} // namespace

void PrintTo(const FuzzedMachine& machine, std::ostream* out) {
    *out << machine.name;
}

std::span<const FuzzedMachine> fuzzed_machines() {
    return kMachines;
}

std::string machine_and_engine(const testing::TestParamInfo<MachineAndEngine>& info) {
    const auto& [machine, threaded] = info.param;
    return machine.name + std::string(threaded ? "Threaded" : "Inline");
}

QemuOptions fuzzed_options(const FuzzedMachine& machine, bool threaded) {
    QemuOptions options{.machine = machine.machine + std::string(",memory-backend=ram")};
    options.arguments = {
        "-m", std::to_string(machine.megabytes), "-object",
        "memory-backend-memfd,id=ram,share=on,size=" + std::to_string(machine.megabytes) + "M"};
    if (threaded) {
        for (const char* device : {"vivante-gc", "nema-gfx", "geode-gp"}) {
            options.arguments.insert(options.arguments.end(),
                                     {"-global", std::string(device) + ".x-force-thread=on"});
        }
    }
    return options;
}

void prepare(Qemu& qemu, const FuzzedMachine& machine) {
    qemu.qmp("migrate-set-capabilities",
             R"({"capabilities": [{"capability": "x-ignore-shared", "state": true}]})");
    qemu.make_snapshot_disk();
    qemu.fill(machine.ram, kProgramRam, 0x5A);
}

/* ---- Steps --------------------------------------------------------------- */

namespace {

Step write(uint64_t address, uint64_t value, unsigned size = 4) {
    return {.what = Step::Do::kWrite, .size = size, .address = address, .value = value};
}

Step read(uint64_t address, unsigned size = 4) {
    return {.what = Step::Do::kRead, .size = size, .address = address};
}

Step store(uint64_t address, Words words) {
    return {.what = Step::Do::kStore, .address = address, .words = std::move(words)};
}

Step set(const char* path, const char* property, std::string_view value) {
    return {.what = Step::Do::kSet,
            .name = path,
            .text = std::string(property) + ' ' + std::string(value)};
}

/* One program in the making. */
class Author {
public:
    Author(const FuzzedMachine& machine, Dice& dice) : machine_(machine), dice_(dice) {}

    void step();
    [[nodiscard]] size_t size() const { return program_.size(); }
    Program take() { return std::move(program_); }

private:
    void add(Step step) { program_.push_back(std::move(step)); }
    /* Somewhere in the RAM of programs, aligned. */
    uint32_t place(uint32_t alignment = 64) {
        return machine_.ram + dice_.below(kProgramRam / 2 / alignment) * alignment;
    }
    uint32_t value() { return dice_.one_in(4) ? place(4) | dice_.below(8) : dice_.edge(); }
    unsigned access_size() { return dice_.one_in(10) ? 1u << dice_.below(4) : 4; }

    void work(const FuzzedDevice& device);
    void access(const FuzzedDevice& device);
    void control();
    void inject(const FuzzedDevice& device);

    void vivante_work(const FuzzedDevice& device);
    void vivante_command(Commands& list, uint32_t own);
    std::vector<Rect> rectangles();
    void vivante_mmu(const FuzzedDevice& device);
    void nema_work(const FuzzedDevice& device);
    Words nema_list();
    void sgx_work(const FuzzedDevice& device);
    void geode_gp_work(const FuzzedDevice& device);
    void geode_gp_data(const FuzzedDevice& device);
    void geode_gp_packets(const FuzzedDevice& device);
    uint32_t geode_gp_operand(uint32_t offset);

    const FuzzedMachine& machine_;
    Dice& dice_;
    Program program_;
};

void Author::step() {
    const FuzzedDevice& device = dice_.pick(std::span<const FuzzedDevice>(machine_.devices));
    const uint32_t kind = dice_.below(100);
    if (kind < 15) {
        work(device);
    } else if (kind < 70) {
        access(device);
    } else if (kind < 90) {
        add({.what = Step::Do::kPass, .value = 1u << dice_.below(18)});
    } else if (kind < 95) {
        inject(device);
    } else {
        control();
    }
}

void Author::control() {
    static constexpr std::array<const char*, 7> commands{
        "stop", "cont", "cont", "query-status", "query-cpus-fast", "info qtree", "info mtree"};
    switch (dice_.below(16)) {
    case 0:
        return add({.what = Step::Do::kReset});
    case 1:
        return add({.what = Step::Do::kSave});
    case 2:
        return add({.what = Step::Do::kLoad});
    default:
        return add({.what = Step::Do::kMonitor,
                    .name = dice_.pick(std::span<const char* const>(commands))});
    }
}

void Author::inject(const FuzzedDevice& device) {
    static constexpr std::array<const char*, 4> vivante{"mmu-fault", "bus-error", "lost-irq",
                                                        "hang"};
    static constexpr std::array<const char*, 3> nema{"bus-error", "lost-irq", "hang"};
    static constexpr std::array<const char*, 4> sgx{"bus-error-0", "bus-error-1", "lost-event",
                                                    "lost-kick"};
    static constexpr std::array<const char*, 2> geode_gp{"bus-error", "lost-irq"};
    static const std::map<DeviceKind, std::span<const char* const>> faults{
        {kVivante, vivante}, {kNema, nema}, {kSgx, sgx}, {kGeodeGp, geode_gp}};
    const auto known = faults.find(device.kind);
    if (known != faults.end()) {
        add(set(device.path, "x-inject", dice_.pick(known->second)));
    }
}

void Author::work(const FuzzedDevice& device) {
    static const std::map<DeviceKind, void (Author::*)(const FuzzedDevice&)> works{
        {kVivante, &Author::vivante_work},
        {kNema, &Author::nema_work},
        {kSgx, &Author::sgx_work},
        {kGeodeGp, &Author::geode_gp_work},
        {kRegisters, &Author::access}};
    (this->*works.at(device.kind))(device);
}

/* Registers of a device lie at its beginning, those of the SGX544 in four banks. */
void Author::access(const FuzzedDevice& device) {
    const unsigned size = access_size();
    uint32_t offset = dice_.below(dice_.one_in(8) ? device.size : std::min(device.size, 0x800u));
    if (device.kind == kSgx) {
        offset = dice_.one_in(4) ? 0xFE00 + dice_.below(0x110)
                                 : dice_.below(4) * 0x4000 + dice_.below(0x1000);
    }
    if (!dice_.one_in(50)) {
        offset &= ~(size - 1);
    }
    if (dice_.one_in(3)) {
        add(read(device.base + offset, size));
    } else {
        add(write(device.base + offset, value() | uint64_t{dice_.any()} << 32, size));
    }
}

/* ---- Vivante ------------------------------------------------------------- */

std::vector<Rect> Author::rectangles() {
    std::vector<Rect> rects(1 + dice_.below(dice_.one_in(10) ? 255 : 3));
    const uint32_t range = dice_.one_in(50) ? 0x7FFF : 128;
    for (Rect& rect : rects) {
        rect.left = static_cast<int>(dice_.below(range)) - 16;
        rect.top = static_cast<int>(dice_.below(range)) - 16;
        rect.right = rect.left + static_cast<int>(dice_.below(range)) - 2;
        rect.bottom = rect.top + static_cast<int>(dice_.below(range)) - 2;
    }
    return rects;
}

/* @own: where the list lies. */
void Author::vivante_command(Commands& list, uint32_t own) {
    struct Range {
        uint32_t first, end;
    };
    static constexpr std::array<Range, 6> states{{{0x1200, 0x1400},
                                                  {0x1600, 0x1800},
                                                  {0x1800, 0x1E00},
                                                  {0x12800, 0x13000},
                                                  {0x180, 0x1B0},
                                                  {0x0, 0x10000}}};
    const uint32_t kind = dice_.below(32);
    if (kind < 14) {
        const auto [first, end] = dice_.one_in(2) ? states[0] : states[dice_.below(6)];
        Words values(1 + (dice_.one_in(8) ? dice_.below(16) : 0));
        std::generate(values.begin(), values.end(), [this] { return value(); });
        list.load(first + dice_.below((end - first) / 4) * 4, values);
    } else if (kind < 22) {
        const uint32_t data = dice_.one_in(4) ? 2 * dice_.below(32) : 0;
        list.draw(rectangles(), data);
        for (uint32_t i = 0; i < data; ++i) {
            list.raw({dice_.any()});
        }
    } else if (kind < 25) {
        list.event(dice_.below(32), dice_.one_in(2) ? kEventFromFe : kEventFromPe);
    } else if (kind < 27) {
        list.sync();
    } else if (kind < 29) {
        list.wait(dice_.below(0x1000));
    } else if (kind < 30) {
        list.link(dice_.one_in(2) ? own : place(8), dice_.below(64));
    } else if (kind < 31) {
        list.raw({0x50000000 | dice_.below(32), place(8), dice_.below(32), own});
    } else {
        list.raw({dice_.below(16) << 27 | dice_.below(1u << 27), value()});
    }
}

void Author::vivante_mmu(const FuzzedDevice& device) {
    const uint32_t tables = place(4096);
    Words entries(1024);
    for (uint32_t i = 0; i < entries.size(); ++i) {
        entries[i] = dice_.one_in(8) ? value() : (machine_.ram + i * 4096) | 5;
    }
    const uint32_t list = place();
    const Words load = Commands{}.load(state::kMmuConfiguration, tables).end().words();
    add(store(tables, std::move(entries)));
    add(store(list, load));
    add(write(device.base + reg::kFeAddress, list));
    add(write(device.base + reg::kFeControl, kFeEnable | static_cast<uint32_t>(load.size() / 2)));
    add({.what = Step::Do::kPass, .value = 100'000});
    add(write(device.base + reg::kMmuControl, 1));
}

void Author::vivante_work(const FuzzedDevice& device) {
    static constexpr std::array<uint32_t, 5> kinds{command::kClear, command::kLine,
                                                   command::kBitBlt, command::kStretchBlt,
                                                   command::kMultiSource};
    if (dice_.one_in(20)) {
        return vivante_mmu(device);
    }
    const uint32_t own = place();
    Commands list = base_block(dice_.from(1, 128), dice_.from(1, 128),
                               dice_.pick(std::span<const uint32_t>(kinds)), place(), place());
    for (uint32_t n = dice_.below(40); n > 0; --n) {
        vivante_command(list, own);
    }
    if (dice_.one_in(3)) {
        list.wait(dice_.below(1000)).link(own, list.qwords() + 2);
    } else {
        list.end();
    }
    const uint32_t prefetch = list.qwords();
    add(store(own, list.words()));
    if (dice_.one_in(2)) {
        for (const uint32_t value : {0x300u, 0x100u, 0x80100u, 0x81100u, 0x80100u, 0x100u}) {
            add(write(device.base + reg::kClockControl, value));
        }
        add(write(device.base + reg::kIntrEnable, 0xFFFFFFFF));
    }
    add(write(device.base + reg::kFeAddress, own));
    add(write(device.base + reg::kFeControl, kFeEnable | prefetch));
}

/* ---- NEMA|GFX ------------------------------------------------------------ */

Words Author::nema_list() {
    Words list =
        joined({common_state(), fill_state({place(), dice_.from(1, 128), dice_.from(1, 128)},
                                           dice_.any(), dice_.one_in(2) ? 1 : value())});
    for (uint32_t n = dice_.below(60); n > 0; --n) {
        const uint32_t held = dice_.one_in(8) ? 0xFF000000 : dice_.one_in(16) ? 0x00800000 : 0;
        const uint32_t kind = dice_.below(16);
        if (kind < 9) {
            const uint32_t offset = dice_.below(0x400 / 4) * 4;
            list.insert(list.end(), {held | offset, value()});
        } else if (kind < 12) {
            /* corners of primitives are 16.16 */
            const uint32_t offset = 0x120 + 0x10 * dice_.below(4) + 4 * dice_.below(2);
            list.insert(list.end(), {offset, dice_.below(128 << 16)});
        } else if (kind < 15) {
            list.insert(list.end(),
                        {nema::kStartXy, xy(dice_.below(128), dice_.below(128)), nema::kEndXy,
                         xy(dice_.below(160), dice_.below(160)), nema::kHeldDraw,
                         dice_.one_in(2) ? nema::kRectangle : dice_.below(16)});
        } else {
            list.insert(list.end(), {nema::kCmdAddr, place(8), nema::kCall, dice_.below(64)});
        }
    }
    list.insert(list.end(), {nema::kListId, dice_.below(100), nema::kIntCtrl, 1});
    return list;
}

void Author::nema_work(const FuzzedDevice& device) {
    const Words list = nema_list();
    const uint32_t own = place(8);
    add(store(own, list));
    if (dice_.one_in(4)) {
        add(write(device.base + nema::kStat, 0)); /* a soft reset */
    }
    if (dice_.one_in(8)) {
        add(write(device.base + nema::kRing, own + 6));
    }
    add(write(device.base + nema::kCmdAddr, own));
    add(write(device.base + nema::kCmdSize, static_cast<uint32_t>(list.size())));
}

/* ---- SGX544 -------------------------------------------------------------- */

void Author::sgx_work(const FuzzedDevice& device) {
    static constexpr std::array<const char*, 4> requesters{"EDM", "VDM", "TA", "ISP"};
    constexpr uint32_t kDirectoryBase = 0xC84;
    const uint32_t bank = dice_.below(4) * 0x4000;
    const uint32_t directory = place(4096);
    const uint32_t table = place(4096);
    Words entries(1024);
    for (uint32_t& entry : entries) {
        entry = dice_.one_in(8) ? value() : table | 1;
    }
    add(store(directory, entries));
    for (uint32_t& entry : entries) {
        entry = dice_.one_in(8) ? value() : place(4096) | 1;
    }
    add(store(table, std::move(entries)));
    add(write(device.base + bank + kDirectoryBase, directory));
    for (int i = 0; i < 4; ++i) {
        const char* requester = dice_.pick(std::span<const char* const>(requesters));
        add(set(device.path, "x-walk",
                std::to_string(dice_.below(3)) + ':' + requester +
                    (dice_.one_in(2) ? ":r:" : ":w:") + std::to_string(dice_.edge())));
    }
    add(set(device.path, "x-event", std::to_string(dice_.below(3)) + ":SW_EVENT"));
}

/* ---- Geode LX ------------------------------------------------------------ */

/* The registers of a packet that draws a BLT, in its order. */
constexpr std::array<uint32_t, 16> kBltPacket{0x38, 0x00, 0x04, 0x08, 0x0C, 0x10, 0x14, 0x18,
                                              0x1C, 0x30, 0x34, 0x60, 0x64, 0x68, 0x4C, 0x40};

/* Mostly of a small picture in VRAM. */
uint32_t Author::geode_gp_operand(uint32_t offset) {
    static constexpr std::array<uint32_t, 5> formats{0, 4, 5, 6, 8};
    if (dice_.one_in(16)) {
        return dice_.edge();
    }
    switch (offset) {
    case 0x38: /* RASTER_MODE */
        return dice_.pick(std::span<const uint32_t>(formats)) << 28 |
               (dice_.any() & (dice_.one_in(2) ? 0x00003FFF : 0x00FFFFFF));
    case 0x00:
    case 0x04:
    case 0x60: /* offsets */
        return (dice_.any() & 0xFC000000) | dice_.below(1 << 21);
    case 0x0C:
    case 0x68: /* sizes */
        return dice_.below(80) << 16 | dice_.below(80);
    case 0x08: /* strides */
        return dice_.below(0x400) << 16 | dice_.below(0x400);
    case 0x4C:
        return 0x01004010;
    case 0x40:
        return dice_.below(0x400);
    default:
        return dice_.any();
    }
}

void Author::geode_gp_data(const FuzzedDevice& device) {
    const auto port = device.base + (dice_.one_in(2) ? geode_gp::kHstSrc : geode_gp::kCh3Hsrc);
    for (uint32_t n = dice_.below(40); n > 0; --n) {
        add(write(port, dice_.any()));
    }
}

/* Behind the first MiB of VRAM. */
void Author::geode_gp_packets(const FuzzedDevice& device) {
    constexpr uint32_t kRing = 1 << 20;
    Words packets;
    for (uint32_t n = dice_.from(1, 8); n > 0; --n) {
        const uint32_t header = dice_.one_in(3) ? dice_.any() : 0xFFFF;
        packets.push_back(dice_.one_in(8) ? header : header & 0x1001FFFF);
        for (const uint32_t offset : kBltPacket) {
            packets.push_back(geode_gp_operand(offset));
        }
    }
    const auto end = static_cast<uint32_t>(4 * packets.size());
    add(store(geode_gp::kVram + kRing, std::move(packets)));
    add(write(device.base + 0x4008, (test::geode_vram_base + kRing) >> 20 << 16)); /* CONFIG */
    add(write(device.base + geode_gp::kTop, 0));
    add(write(device.base + geode_gp::kBot, 0x1000));
    add(write(device.base + geode_gp::kRead, 0));
    add(write(device.base + geode_gp::kWrite, end));
}

void Author::geode_gp_work(const FuzzedDevice& device) {
    if (dice_.one_in(3)) {
        return geode_gp_packets(device);
    }
    for (const uint32_t offset : kBltPacket) {
        add(write(device.base + offset, geode_gp_operand(offset)));
    }
    if (dice_.one_in(4)) {
        add(write(device.base + 0x3C, dice_.below(0x20))); /* a vector */
    }
    if (dice_.one_in(2)) {
        geode_gp_data(device);
    }
}

/* ---- Playing ------------------------------------------------------------- */

void play_write(Qemu& qemu, const Step& step) {
    switch (step.size) {
    case 1:
        return qemu.write8(step.address, static_cast<uint8_t>(step.value));
    case 2:
        return qemu.write16(step.address, static_cast<uint16_t>(step.value));
    case 4:
        return qemu.write32(step.address, static_cast<uint32_t>(step.value));
    default:
        return qemu.write64(step.address, step.value);
    }
}

void play_read(Qemu& qemu, const Step& step) {
    switch (step.size) {
    case 1:
        return (void)qemu.read8(step.address);
    case 2:
        return (void)qemu.read16(step.address);
    case 4:
        return (void)qemu.read32(step.address);
    default:
        return (void)qemu.read64(step.address);
    }
}

/* A fault may be refused; what matters is that QEMU answers. */
void play_set(Qemu& qemu, const Step& step) {
    const size_t blank = step.text.find(' ');
    qemu.qmp_error("qom-set", R"({"path": ")" + step.name + R"(", "property": ")" +
                                  step.text.substr(0, blank) + R"(", "value": ")" +
                                  step.text.substr(blank + 1) + R"("})");
}

void play_monitor(Qemu& qemu, const Step& step) {
    if (step.name.find(' ') != std::string::npos) {
        qemu.monitor(step.name);
    } else {
        qemu.qmp_error(step.name);
    }
}

} // namespace

Program random_program(const FuzzedMachine& machine, Dice& dice, size_t steps) {
    Author author(machine, dice);
    while (author.size() < steps) {
        author.step();
    }
    return author.take();
}

void play(Qemu& qemu, const Program& program) {
    for (const Step& step : program) {
        switch (step.what) {
        case Step::Do::kWrite:
            play_write(qemu, step);
            break;
        case Step::Do::kRead:
            play_read(qemu, step);
            break;
        case Step::Do::kStore:
            qemu.write_words(step.address, step.words);
            break;
        case Step::Do::kPass:
            qemu.clock_step(static_cast<int64_t>(step.value));
            break;
        case Step::Do::kSet:
            play_set(qemu, step);
            break;
        case Step::Do::kMonitor:
            play_monitor(qemu, step);
            break;
        case Step::Do::kReset:
            qemu.system_reset();
            break;
        case Step::Do::kSave:
            qemu.save_snapshot();
            break;
        case Step::Do::kLoad:
            qemu.load_snapshot_error(); /* there may be none yet */
            break;
        }
    }
}

std::ostream& operator<<(std::ostream& out, const Step& step) {
    static constexpr std::array<const char*, 9> names{"write", "read",  "store", "pass", "qom-set",
                                                      "qmp",   "reset", "save",  "load"};
    out << names.at(static_cast<size_t>(step.what)) << std::hex;
    switch (step.what) {
    case Step::Do::kWrite:
        return out << std::dec << step.size << std::hex << " 0x" << step.address << " 0x"
                   << step.value;
    case Step::Do::kRead:
        return out << std::dec << step.size << std::hex << " 0x" << step.address;
    case Step::Do::kStore:
        out << " 0x" << step.address;
        for (const uint32_t word : step.words) {
            out << ' ' << word;
        }
        return out;
    case Step::Do::kPass:
        return out << std::dec << ' ' << step.value;
    default:
        return out << ' ' << step.name << ' ' << step.text;
    }
}

/* ---- Judging ------------------------------------------------------------- */

std::optional<std::string> sanitizer_report(const std::string& text) {
    static constexpr std::array<std::string_view, 3> marks{
        "runtime error:", "Sanitizer:", "Sanitizer CHECK failed"};
    for (const std::string_view mark : marks) {
        const size_t at = text.find(mark);
        if (at != std::string::npos) {
            return text.substr(text.rfind('\n', at) + 1);
        }
    }
    return std::nullopt;
}

void expect_sound(Qemu& qemu) {
    qemu.qmp("query-status");
    if (const auto report = sanitizer_report(qemu.stderr_text())) {
        throw QemuError(*report);
    }
}

} // namespace pixmill::qtest
