/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "random_program.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "geode/gp_rig.hpp"
#include "geode/rig.hpp"
#include "nema/rig.hpp"
#include "rig.hpp"
#include "vivante/drawing.hpp"
#include "vivante/vg_streams.hpp"

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
constexpr auto kVivanteVg = DeviceKind::kVivanteVg;
constexpr auto kNema = DeviceKind::kNema;
constexpr auto kSgx = DeviceKind::kSgx;
constexpr auto kGeodeGp = DeviceKind::kGeodeGp;
constexpr auto kGeodeDisplay = DeviceKind::kGeodeDisplay;
constexpr auto kIpu = DeviceKind::kIpu;
constexpr auto kRegisters = DeviceKind::kRegisters;
constexpr auto kPorts = DeviceKind::kPorts;
constexpr auto kPciFunction = DeviceKind::kPciFunction;

const std::vector<FuzzedDevice> kTestDevices{
    {kVivante, "/machine/pixmill-gc", "stat-events", 0x59000000, 0x4000},
    {kNema, "/machine/nema", "stat-pixels", 0x4C000000, 0x1000},
    {kSgx, "/machine/pixmill-sgx", "stat-mmu-faults", 0x56000000, 0x10100},
    {kGeodeGp,
     geode_gp::kPath,
     "stat-pixels",
     geode_gp::kBase,
     0x4030, /* registers, then MSRs */
     {geode_gp::kVram, test::geode_vram_base, 1 << 20}},
    {kGeodeDisplay,
     geode_display::kPath,
     "stat-interrupts",
     geode_display::kBase,
     geode_display::kSize,
     {geode_gp::kVram, test::geode_vram_base, 0}},
    {kIpu, "/machine/ipu", "stat-frames", 0x5A200000, 0x180800},
    {kRegisters, "", "", geode_display::kVsa, 4},
    {kRegisters, "", "", 0x4A002000, 0x2000}, /* control module, crossbars */
    {kRegisters, "", "", 0x4A005000, 0x1000}, /* clocks */
    {kRegisters, "", "", 0x4A009000, 0x1000}, /* clock of BB2D */
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
    {kRegisters, "", "", 0x4000E000, 0x400},  /* plain storage */
    {kRegisters, "", "", 0x4000EE00, 0x200},
};

const std::vector<FuzzedDevice> kSabreliteDevices{
    {kVivante, "/machine/pixmill-gc320", "stat-pixels", 0x00134000, 0x4000},
    {kVivante, "/machine/pixmill-gc2000", "stat-events", 0x00130000, 0x4000},
    {kVivanteVg, "/machine/pixmill-gc355", "stat-pixels", 0x02204000, 0x4000},
    {kRegisters, "", "", 0x00A02730, 0x14}, /* PL310 cache sync, which wakes the cores */
    {kRegisters, "", "", 0x00A02000, 0x1000},
    {kIpu, "/machine/pixmill-ipu1", "stat-frames", 0x02600000, 0x180800},
    {kRegisters, "", "", 0x00120000, 0x7F01}, /* HDMI */
    {kRegisters, "", "", 0x00123000, 0x34},   /* its PHY */
    {kRegisters, "", "", 0x020E0000, 0x38},   /* GPRs */
    {kRegisters, "", "", 0x02080000, 0x18},   /* PWM1 */
};

const std::vector<FuzzedDevice> kImx8mpDevices{
    {kVivante, "/machine/pixmill-gc520", "stat-pixels", 0x38008000, 0x4000},
    {kVivante, "/machine/pixmill-gc7000", "stat-events", 0x38000000, 0x4000},
    {kRegisters, "", "", 0x3F000000, 0x1000}, /* virtio-mmio */
};

const std::vector<FuzzedDevice> kImxrt1170Devices{
    {kVivanteVg, "/machine/gpu", "stat-pixels", 0x41800000, 0x4000},
    {kRegisters, "", "", 0x40808000, 0x4000}, /* display */
    {kRegisters, "", "", 0x4007C000, 0x30},   /* LPUART1 */
    {kRegisters, "", "", 0x400EC000, 0x28},   /* GPT1 */
    {kRegisters, "", "", 0x40C84000, 0x1000}, /* ANADIG */
    {kRegisters, "", "", 0x40CC0000, 0x8000}, /* CCM */
    {kRegisters, "", "", 0xE000EF50, 0x60},   /* cache operations, TCMs, CACR */
    {kRegisters, "", "", 0xE000ED78, 0x10},   /* identity of the caches */
};

/* The ring is in the last 2 MiB of VRAM, where the X driver puts it. */
constexpr uint32_t kGeodeVramMib = 16;
constexpr GeodeVram kGeodeVram{kVram, kVram, (kGeodeVramMib - 2) << 20};

const std::vector<FuzzedDevice> kGeodeLxDevices{
    {kGeodeGp, "/machine/peripheral/geode/gp", "stat-pixels", kGp, 0x4000, kGeodeVram},
    {kGeodeDisplay, "/machine/peripheral/geode/display", "stat-interrupts", kDc, 0xC000,
     kGeodeVram},
    {kPorts, "", "", 0xAC1C, 4}, /* VSA */
    {kPorts, "", "", kGpio, 256},
    {kPciFunction, "", "", GeodeRig::kVideoSlot, 256},
    {kPciFunction, "", "", GeodeRig::kCompanionSlot, 256},
};

const std::vector<PciBar> kGeodeLxBars{
    {GeodeRig::kVideoSlot, 0, kVram}, {GeodeRig::kVideoSlot, 1, kGp},
    {GeodeRig::kVideoSlot, 2, kDc},   {GeodeRig::kVideoSlot, 3, kVp},
    {GeodeRig::kVideoSlot, 4, kVip},  {GeodeRig::kCompanionSlot, 1, kGpio},
};

FuzzedMachine geode_lx(const char* name, const std::string& properties) {
    return {name,
            "pc",
            64,
            1 << 20,
            kGeodeLxDevices,
            GeodeRig::devices(",vram-size=" + std::to_string(kGeodeVramMib) + "M" + properties),
            kGeodeLxBars};
}

const std::vector<FuzzedMachine> kPcs{
    geode_lx("GeodeLx", ""),
    geode_lx("GeodeLxDma", ",dma=on"),
};

const std::vector<FuzzedMachine> k64BitMachines{
    {"Imx8mp", "imx8mp-evk", 64, 0x40000000, kImx8mpDevices},
};

const std::vector<FuzzedMachine> kMachines{
    {"Gc320Am57xx", "pixmill-test,model=gc320-am57xx", 1344, kRam, kTestDevices},
    {"Gc320Imx8mm", "pixmill-test,model=gc320-imx8mm", 1344, kRam, kTestDevices},
    {"Gc600", "pixmill-test,model=gc600-dove", 1344, kRam, kTestDevices},
    {"Gc7000", "pixmill-test,model=gc7000-imx8mq", 1344, kRam, kTestDevices},
    {"Am57xx", "am57xx,framebuffer=64x48", 64, 0x80000000, kAm57xxDevices},
    {"Gr5526", "gr5526", 8, kPsram, kGr5526Devices},
    {"Imxrt1170", "imxrt1170", 64, 0x80000000, kImxrt1170Devices},
    {"Sabrelite", "sabrelite", 64, 0x10000000, kSabreliteDevices},
};

} // namespace

void PrintTo(const FuzzedMachine& machine, std::ostream* out) {
    *out << machine.name;
}

std::span<const FuzzedMachine> fuzzed_machines() {
    return kMachines;
}

std::span<const FuzzedMachine> fuzzed_pcs() {
    return kPcs;
}

std::span<const FuzzedMachine> fuzzed_64_bit_machines() {
    return k64BitMachines;
}

std::string machine_and_worker(const testing::TestParamInfo<MachineAndWorker>& info) {
    const auto& [machine, threaded] = info.param;
    return machine.name + std::string(threaded ? "Threaded" : "Inline");
}

QemuOptions fuzzed_options(const FuzzedMachine& machine, bool threaded) {
    QemuOptions options{.machine = machine.machine + std::string(",memory-backend=ram")};
    options.arguments = {
        "-m", std::to_string(machine.megabytes), "-object",
        "memory-backend-memfd,id=ram,share=on,size=" + std::to_string(machine.megabytes) + "M"};
    options.arguments.insert(options.arguments.end(), machine.arguments.begin(),
                             machine.arguments.end());
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

Step out(uint32_t port, uint32_t value, unsigned size = 4) {
    return {.what = Step::Do::kOut, .size = size, .address = port, .value = value};
}

/* PCI configuration mechanism #1. */
constexpr uint32_t kConfigAddress = 0xCF8, kConfigData = 0xCFC;

uint32_t config_address(uint32_t slot, uint32_t offset) {
    return 0x80000000 | slot << 11 | offset;
}

/* Returns the steps that set up PCI, as firmware does before a guest starts and after a reset. */
Program firmware(const FuzzedMachine& machine) {
    constexpr uint32_t kCommand = 0x04, kFirstBar = 0x10, kEnabled = 0x7;
    Program steps;
    const auto set = [&](uint32_t slot, uint32_t offset, uint32_t value) {
        steps.push_back(out(kConfigAddress, config_address(slot, offset)));
        steps.push_back(out(kConfigData, value));
    };
    for (const PciBar& bar : machine.bars) {
        set(bar.slot, kFirstBar + 4 * bar.number, bar.address);
        set(bar.slot, kCommand, kEnabled);
    }
    return steps;
}

/* Builds one program. */
class Author {
public:
    Author(const FuzzedMachine& machine, Dice& dice)
        : machine_(machine), dice_(dice), program_(firmware(machine)) {}

    void step();
    [[nodiscard]] size_t size() const { return program_.size(); }
    Program take() { return std::move(program_); }

private:
    void add(Step step) { program_.push_back(std::move(step)); }
    void add_firmware() {
        for (Step& step : firmware(machine_)) {
            add(std::move(step));
        }
    }
    /* Returns a random aligned address in the programs' RAM. */
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
    void vivante_reset(const FuzzedDevice& device);
    void vg_command(Words& list, uint32_t own);
    void vg_draw(Words& list);
    void vg_work(const FuzzedDevice& device);
    void nema_work(const FuzzedDevice& device);
    Words nema_list();
    void sgx_work(const FuzzedDevice& device);
    void geode_gp_work(const FuzzedDevice& device);
    void geode_gp_data(const FuzzedDevice& device);
    void geode_gp_packets(const FuzzedDevice& device);
    uint32_t geode_gp_operand(const FuzzedDevice& device, uint32_t offset);
    void geode_display_work(const FuzzedDevice& device);
    void ipu_work(const FuzzedDevice& device);
    void port_access(const FuzzedDevice& device);
    void pci_access(const FuzzedDevice& device);

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
        add({.what = Step::Do::kReset});
        return add_firmware();
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
    static constexpr std::array<const char*, 3> vg{"bus-error", "lost-irq", "hang"};
    static constexpr std::array<const char*, 20> vivante{"mmu-fault",
                                                         "bus-error",
                                                         "lost-irq",
                                                         "hang",
                                                         "hang@draw:3",
                                                         "bus-error@access:100",
                                                         "late-irq%50:1",
                                                         "double-irq%50:2",
                                                         "foreign-irq%20:3",
                                                         "early-idle%50:4",
                                                         "late-idle%50:5",
                                                         "posted-write%50:6",
                                                         "reset-fails%50:7",
                                                         "busy-after-reset%50:8",
                                                         "stall=1ms%5:9",
                                                         "stall=2ms@command:20+lost-irq@time:1ms",
                                                         "fused-off@access:50",
                                                         "stale-translations",
                                                         "off",
                                                         "off"};
    static constexpr std::array<const char*, 3> nema{"bus-error", "lost-irq", "hang"};
    static constexpr std::array<const char*, 4> sgx{"bus-error-0", "bus-error-1", "lost-event",
                                                    "lost-kick"};
    static constexpr std::array<const char*, 2> geode_gp{"bus-error", "lost-irq"};
    static constexpr std::array<const char*, 1> geode_display{"vsync-loss"};
    static constexpr std::array<const char*, 2> ipu{"lost-frame", "underrun"};
    static const std::map<DeviceKind, std::span<const char* const>> faults{
        {kVivante, vivante}, {kVivanteVg, vg},     {kNema, nema},
        {kSgx, sgx},         {kGeodeGp, geode_gp}, {kGeodeDisplay, geode_display},
        {kIpu, ipu}};
    const auto known = faults.find(device.kind);
    if (known != faults.end()) {
        add(set(device.path, "x-inject", dice_.pick(known->second)));
    }
}

void Author::work(const FuzzedDevice& device) {
    static const std::map<DeviceKind, void (Author::*)(const FuzzedDevice&)> works{
        {kVivante, &Author::vivante_work},  {kVivanteVg, &Author::vg_work},
        {kNema, &Author::nema_work},        {kSgx, &Author::sgx_work},
        {kGeodeGp, &Author::geode_gp_work}, {kGeodeDisplay, &Author::geode_display_work},
        {kIpu, &Author::ipu_work},          {kRegisters, &Author::access},
        {kPorts, &Author::access},          {kPciFunction, &Author::access}};
    (this->*works.at(device.kind))(device);
}

/* Most accesses go to the start of a register block or, on the SGX544, of one of its four banks. */
void Author::access(const FuzzedDevice& device) {
    if (device.kind == kPorts) {
        return port_access(device);
    }
    if (device.kind == kPciFunction) {
        return pci_access(device);
    }
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

void Author::port_access(const FuzzedDevice& device) {
    const unsigned size = 1u << dice_.below(3);
    const auto port = static_cast<uint32_t>(device.base) + (dice_.below(device.size) & ~(size - 1));
    if (dice_.one_in(3)) {
        add({.what = Step::Do::kIn, .size = size, .address = port});
    } else {
        add(out(port, value(), size));
    }
}

/*
 * Writes may move BARs, or disable decoding or bus mastering.  Firmware soon restores them, since
 * little else can be reached with the BARs moved.
 */
void Author::pci_access(const FuzzedDevice& device) {
    constexpr uint32_t kCommandAndBars = 0x28;
    const uint32_t offset = dice_.below(dice_.one_in(8) ? device.size : kCommandAndBars) & ~3u;
    const unsigned size = access_size() & 7;
    add(out(kConfigAddress, config_address(static_cast<uint32_t>(device.base), offset)));
    if (dice_.one_in(4)) {
        return add({.what = Step::Do::kIn, .size = 4, .address = kConfigData});
    }
    add(out(kConfigData, value(), size != 0 ? size : 4));
    if (dice_.one_in(2)) {
        work(dice_.pick(std::span<const FuzzedDevice>(machine_.devices)));
    }
    add_firmware();
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

/* @own is the address of the list. */
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
        vivante_reset(device);
    }
    add(write(device.base + reg::kFeAddress, own));
    add(write(device.base + reg::kFeControl, kFeEnable | prefetch));
}

void Author::vivante_reset(const FuzzedDevice& device) {
    for (const uint32_t value : {0x300u, 0x100u, 0x80100u, 0x81100u, 0x80100u, 0x100u}) {
        add(write(device.base + reg::kClockControl, value));
    }
    add(write(device.base + reg::kIntrEnable, 0xFFFFFFFF));
}

/* ---- The VG core ---------------------------------------------------------- */

void append(Words& list, const Words& more) {
    list.insert(list.end(), more.begin(), more.end());
}

/* Appends a command that is valid between draws, or sometimes one that is not. */
void Author::vg_command(Words& list, uint32_t own) {
    const uint32_t kind = dice_.below(16);
    if (kind < 10) {
        const uint32_t state = 0xA00 + dice_.below(dice_.one_in(8) ? 0x600 : 0xB0);
        append(list, vg::state(state, value()));
    } else if (kind < 12) {
        append(list, vg::state(vg::kEvent, dice_.below(64)));
    } else if (kind < 14) {
        append(list, {dice_.pick(std::span<const uint32_t>(vg::kWaits)), dice_.below(32)});
    } else if (kind < 15) {
        append(list, {dice_.from(5, 9) << 28 | dice_.below(64), dice_.one_in(2) ? own : place(8)});
    } else {
        append(list, {dice_.any(), value()});
    }
}

/*
 * Appends a draw of rectangles or path data.  Path data are signed bytes; most words start with an
 * opcode.
 */
void Author::vg_draw(Words& list) {
    const bool path = dice_.one_in(2);
    const uint32_t qwords = dice_.from(1, path ? 32 : 4);
    append(list, vg::state(vg::kControl, path ? 0x10000003 : 0x10000001));
    append(list, {vg::kData | qwords, 0});
    for (uint32_t word = 0; word < 2 * qwords; word++) {
        const uint32_t operation = path && !dice_.one_in(3) ? dice_.below(10) : 0x40;
        list.push_back((dice_.any() & 0x007F7F00) | operation);
    }
}

void Author::vg_work(const FuzzedDevice& device) {
    const uint32_t own = place();
    Words list = vg::target(place(), dice_.from(1, 128), dice_.from(1, 128));
    append(list, vg::state(vg::kColor, dice_.any()));
    append(list, vg::path_window(128, 128));
    for (uint32_t n = dice_.below(20); n > 0; --n) {
        if (dice_.one_in(3)) {
            vg_draw(list);
        } else {
            vg_command(list, own);
        }
    }
    append(list, {vg::kEnd | dice_.below(32), 0});
    const auto qwords = static_cast<uint32_t>(list.size() / 2);
    add(store(own, std::move(list)));
    if (dice_.one_in(2)) {
        vivante_reset(device);
    }
    add(write(device.base + vg::kAddress, own));
    add(write(device.base + vg::kSize, qwords));
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
            /* coordinates of primitives are 16.16 */
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
        add(write(device.base + nema::kStat, 0)); /* a soft reset of the pipeline */
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
    constexpr uint32_t kBifCtrl = 0xC00;
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
    add(write(device.base + bank + kBifCtrl, 0)); /* the reset value bypasses the MMU */
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

/* Registers in the order in which a packet that draws a BLT holds their values. */
constexpr std::array<uint32_t, 16> kBltPacket{0x38, 0x00, 0x04, 0x08, 0x0C, 0x10, 0x14, 0x18,
                                              0x1C, 0x30, 0x34, 0x60, 0x64, 0x68, 0x4C, 0x40};

/* Most operands describe a small picture in VRAM. */
uint32_t Author::geode_gp_operand(const FuzzedDevice& device, uint32_t offset) {
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
        return device.vram.of_gp | device.vram.of_gp >> 10 | device.vram.of_gp >> 20;
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

/* If the device is not behind PCI, the MSR with the ring's address follows its registers. */
void Author::geode_gp_packets(const FuzzedDevice& device) {
    const GeodeVram& vram = device.vram;
    Words packets;
    for (uint32_t n = dice_.from(1, 8); n > 0; --n) {
        const uint32_t header = dice_.one_in(3) ? dice_.any() : 0xFFFF;
        packets.push_back(dice_.one_in(8) ? header : header & 0x1001FFFF);
        for (const uint32_t offset : kBltPacket) {
            packets.push_back(geode_gp_operand(device, offset));
        }
    }
    const auto end = static_cast<uint32_t>(4 * packets.size());
    add(store(vram.address + vram.ring, std::move(packets)));
    if (device.size > geode_gp::kWindow) {
        add(write(device.base + geode_gp::kWindow + 8, (vram.of_gp + vram.ring) >> 20 << 16));
    }
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
        add(write(device.base + offset, geode_gp_operand(device, offset)));
    }
    if (dice_.one_in(4)) {
        add(write(device.base + 0x3C, dice_.below(0x20))); /* starts a vector */
    }
    if (dice_.one_in(2)) {
        geode_gp_data(device);
    }
}

/*
 * Shows a picture with cursor and video, mostly in VRAM, enables interrupts and may take a
 * screendump.
 */
void Author::geode_display_work(const FuzzedDevice& device) {
    constexpr uint32_t kVp = 0x4000;
    const auto set = [&](uint32_t offset, uint32_t value) {
        add(write(device.base + offset, dice_.one_in(16) ? dice_.edge() : value));
    };
    const auto place = [&] { return dice_.below(1 << 21); };
    add(write(device.base, 0x4758));
    for (const uint32_t offset : {0x10u, 0x18u, 0x20u, 0x24u, 0x28u}) {
        set(offset, place());
    }
    set(0x30, dice_.below(0x400) << 20 | dice_.below(0x400)); /* LINE_SIZE */
    set(0x34, dice_.below(0x100));                            /* GFX_PITCH */
    set(0x38, dice_.below(0x100) << 16 | dice_.below(0x100)); /* VID_YUV_PITCH */
    set(0x5C, dice_.below(320) << 16 | dice_.below(200));     /* FB_ACTIVE */
    set(0x60, dice_.below(0x800));
    set(0x64, dice_.below(0x800));
    set(0x94, dice_.below(0x400) << 16); /* line compare */
    set(0x08, 0x00000009 | (dice_.any() & 0x03000F00));
    set(0x04, 0x00000001 | (dice_.any() & 0x0010000E));
    set(0xC8, 0x00030000);
    set(kVp + 0x000, dice_.any() & 0x300FFFFD);
    set(kVp + 0x008, 0x00000009 | (dice_.any() & 0x00300000));
    set(kVp + 0x010, dice_.below(0x800) << 16 | dice_.below(0x200));
    set(kVp + 0x018, dice_.below(0x800) << 16 | dice_.below(0x200));
    set(kVp + 0x020, dice_.any());
    add({.what = Step::Do::kPass, .value = 1u << dice_.from(16, 25)});
    if (dice_.one_in(4)) {
        add({.what = Step::Do::kLook});
    }
}

/*
 * Shows random planes on a DI, lets some frames pass and may take a screendump.  @device begins
 * with the common module.
 */
void Author::ipu_work(const FuzzedDevice& device) {
    static constexpr std::array<uint32_t, 6> kPfs{0, 2, 4, 7, 8, 7}, kBpp{0, 0, 1, 3, 3, 5};
    const uint32_t di = dice_.below(2), timing = 0x40000 + 0x8000 * di;
    const auto set = [&](uint32_t offset, uint32_t value) {
        add(write(device.base + offset, dice_.one_in(32) ? dice_.edge() : value));
    };
    set(timing + 0x0C, 400 << 19); /* SW_GEN0(1): total width */
    set(timing + 0x170, 200);      /* SCR_CONF: total height */
    set(timing + 0x14C, (1 + dice_.below(64)) << 16);
    set(timing + 0x150, 4 + 4 * dice_.below(50));
    for (const uint32_t channel : {23u, 27u, 28u, 31u, 51u}) {
        const uint32_t at = 0x100000 + 64 * channel;
        for (uint32_t word = 0; word < 10; ++word) {
            set(at + 4 * word + (word < 5 ? 0 : 12), dice_.any());
        }
        set(at + 0x0C, dice_.pick(std::span<const uint32_t>(kBpp)) << 11 | 63u << 29); /* FW */
        set(at + 0x20, place(8) / 8);                                                  /* EBA0 */
        set(at + 0x28, dice_.pick(std::span<const uint32_t>(kPfs)) << 21);             /* no ALU */
    }
    set(0x140000, 1 | (dice_.any() & 0x30E));                /* DP_COM_CONF */
    set(0x140008, dice_.below(200) << 16 | dice_.below(64)); /* DP_FG_POS */
    set(0xA4, dice_.below(4) << 3);                          /* SRM_PRI2 */
    set(0x150, dice_.any());                                 /* CH_DB_MODE_SEL_0 */
    set(0x268, dice_.any());                                 /* CH_BUF0_RDY0 */
    set(0x270, dice_.any());
    set(0x800C, dice_.any()); /* IDMAC_SEP_ALPHA */
    set(0x8004, 0x98800000);  /* IDMAC_CH_EN_1 */
    set(0x8008, dice_.any());
    set(0x3C, 0x18800000);        /* INT_CTRL_1 */
    set(0x00, 0x40u << di);       /* IPU_CONF */
    set(0xC4, 0x01000000u << di); /* DISP_GEN */
    add({.what = Step::Do::kPass, .value = 1u << dice_.from(16, 25)});
    if (dice_.one_in(4)) {
        add({.what = Step::Do::kLook, .name = di != 0 ? "ipu-di1" : "ipu-di0"});
    }
}

/* ---- Playing ------------------------------------------------------------- */

void play_out(Qemu& qemu, const Step& step) {
    const auto port = static_cast<uint16_t>(step.address);
    switch (step.size) {
    case 1:
        return qemu.out8(port, static_cast<uint8_t>(step.value));
    case 2:
        return qemu.out16(port, static_cast<uint16_t>(step.value));
    default:
        return qemu.out32(port, static_cast<uint32_t>(step.value));
    }
}

void play_in(Qemu& qemu, const Step& step) {
    const auto port = static_cast<uint16_t>(step.address);
    switch (step.size) {
    case 1:
        return (void)qemu.in8(port);
    case 2:
        return (void)qemu.in16(port);
    default:
        return (void)qemu.in32(port);
    }
}

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

/* QEMU may refuse the fault, but it must answer. */
void play_set(Qemu& qemu, const Step& step) {
    const size_t blank = step.text.find(' ');
    qemu.qmp_error("qom-set", R"({"path": ")" + step.name + R"(", "property": ")" +
                                  step.text.substr(0, blank) + R"(", "value": ")" +
                                  step.text.substr(blank + 1) + R"("})");
}

/* There may be no picture, but QEMU must answer. */
void play_look(Qemu& qemu, const std::string& device) {
    const std::string of = device.empty() ? "" : R"(, "device": ")" + device + '"';
    qemu.qmp_error("screendump",
                   R"({"filename": ")" + qemu.directory().file("looked-at.ppm") + '"' + of + "}");
}

void play_monitor(Qemu& qemu, const Step& step) {
    if (step.name.find(' ') != std::string::npos) {
        qemu.monitor(step.name);
    } else {
        qemu.qmp_error(step.name);
    }
}

} // namespace

/* Resets the GP if writing its registers has no effect because the bus is stopped or stalled. */
void put_intx_down(Qemu& qemu, const FuzzedMachine& machine) {
    constexpr uint32_t kMaskAndClear = 0x00030003, kReset = 0x69000000;
    if (machine.bars.empty()) {
        return;
    }
    PciFunction video(qemu, GeodeRig::kVideoSlot);
    const auto is_up = [&] { return (video.read(0x04) >> 19 & 1) != 0; };
    qemu.qmp_error("cont");
    play(qemu, firmware(machine));
    qemu.write32(kDc + 0xC8, kMaskAndClear); /* DC_IRQ */
    qemu.write32(kGp + 0x78, kMaskAndClear); /* INT_CNTRL */
    if (is_up()) {
        qemu.write32(kGp + geode_gp::kStatus, kReset);
    }
    if (is_up()) {
        throw QemuError("INTx stays up");
    }
}

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
        case Step::Do::kOut:
            play_out(qemu, step);
            break;
        case Step::Do::kIn:
            play_in(qemu, step);
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
        case Step::Do::kLook:
            play_look(qemu, step.name);
            break;
        case Step::Do::kReset:
            qemu.system_reset();
            break;
        case Step::Do::kSave:
            qemu.save_snapshot();
            break;
        case Step::Do::kLoad:
            qemu.load_snapshot_error(); /* there may be no snapshot yet */
            break;
        }
    }
}

std::ostream& operator<<(std::ostream& out, const Step& step) {
    static constexpr std::array<const char*, 12> names{"write", "read",  "out",     "in",
                                                       "store", "pass",  "qom-set", "qmp",
                                                       "look",  "reset", "save",    "load"};
    out << names.at(static_cast<size_t>(step.what)) << std::hex;
    switch (step.what) {
    case Step::Do::kWrite:
    case Step::Do::kOut:
        return out << std::dec << step.size << std::hex << " 0x" << step.address << " 0x"
                   << step.value;
    case Step::Do::kRead:
    case Step::Do::kIn:
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
