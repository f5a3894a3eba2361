/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rig.hpp"

#include <algorithm>
#include <exception>
#include <sstream>
#include <thread>

namespace pixmill::qtest {

namespace {

QemuOptions qemu_options(const RigOptions& options) {
    QemuOptions result;
    result.machine = "pixmill-test,model=" + options.model;
    result.accel = options.accel;
    result.arguments = options.arguments;
    std::vector<std::string> properties = options.properties;
    properties.emplace_back("core-clock-hz=400000000");
    if (options.threaded) {
        properties.emplace_back("worker=thread");
        if (options.accel == "qtest") {
            properties.emplace_back("x-force-thread=on");
        }
    }
    for (const std::string& property : properties) {
        result.arguments.emplace_back("-global");
        result.arguments.emplace_back("vivante-gc." + property);
    }
    result.interrupt_of = kGcPath;
    return result;
}

std::string hex(uint32_t value) {
    std::ostringstream text;
    text << std::hex << value;
    return text.str();
}

} // namespace

void Gc::driver_reset() {
    for (const uint32_t value : {0x300u, 0x100u, 0x80100u, 0x81100u, 0x80100u, 0x100u}) {
        write(reg::kClockControl, value);
    }
}

Rig::Rig(const RigOptions& options)
    : options_(options), qemu_(std::make_unique<Qemu>(qemu_options(options))),
      gc_(*qemu_, kGcBase) {}

Rig::~Rig() {
    if (std::uncaught_exceptions() == 0) {
        expect_clean_quit(*qemu_);
    }
}

void boot(Qemu& qemu, const Words& program) {
    constexpr uint32_t kBranchToProgram = 0xEA000000 | (kProgram - 8) / 4;
    constexpr uint32_t kBranchToHandler = 0xEA000000 | (kAbortHandler - 0x10 - 8) / 4;
    qemu.write32(0, kBranchToProgram);
    qemu.write32(0x10, kBranchToHandler); /* data abort */
    qemu.write_words(kProgram, program);
    qemu.write_words(kAbortHandler, Words{0xE3A02002,   /* mov r2, #2 */
                                          0xE5812000,   /* str r2, [r1] */
                                          0xE320F003,   /* wfi */
                                          0xEAFFFFFD}); /* b to the wfi */
    qemu.resume();
}

void Rig::pass(int64_t duration) {
    if (options_.accel != "qtest") {
        std::this_thread::sleep_for(std::chrono::nanoseconds(duration));
        return;
    }
    qemu_->clock_step(duration);
    if (options_.threaded) {
        std::this_thread::sleep_for(Milliseconds(1));
    }
}

bool Rig::wait(const std::function<bool()>& done, int64_t limit, int64_t step) {
    for (int64_t passed = 0;; passed += step) {
        if (done()) {
            return true;
        }
        if (passed >= limit) {
            return false;
        }
        pass(step);
    }
}

void Rig::launch(const Commands& commands, uint32_t address) {
    store(address, commands);
    gc_.start(address, commands.qwords());
    wait([this] { return gc_.stopped(); }, kMillisecond);
}

void Rig::run(const Commands& commands, uint32_t address) {
    store(address, commands);
    gc_.start(address, commands.qwords());
    if (!wait([this] { return gc_.stopped(); })) {
        std::string log;
        for (const std::string& line : take_log()) {
            log += "\n" + line;
        }
        throw std::runtime_error("the front end does not stop: IDLE " + hex(read(reg::kIdle)) +
                                 ", DMA_DEBUG_STATE " + hex(read(reg::kFeDebugState)) +
                                 ", DMA_ADDRESS " + hex(read(reg::kFeDmaAddress)) + ", log:" + log);
    }
}

std::vector<std::string> Rig::take_log() {
    std::vector<std::string> lines = qemu_->log();
    const size_t seen = std::min(log_seen_, lines.size());
    log_seen_ = lines.size();
    lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(seen));
    return lines;
}

void expect_clean_quit(Qemu& qemu) {
    EXPECT_EQ(qemu.quit(), "exit 0") << qemu.stderr_text();
    EXPECT_EQ(qemu.stderr_text(), "");
}

testing::AssertionResult logged(Rig& rig, size_t count) {
    const std::vector<std::string> lines = rig.take_log();
    if (lines.size() == count) {
        return testing::AssertionSuccess();
    }
    testing::AssertionResult result = testing::AssertionFailure();
    result << lines.size() << " log lines instead of " << count;
    for (const std::string& line : lines) {
        result << "\n  " << line;
    }
    return result;
}

} // namespace pixmill::qtest
