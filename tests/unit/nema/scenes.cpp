// Runs the suites of Pixmill's firmware (guest/nema) on the device, without a CPU or QEMU, and on
// the reference. Their output and every byte of every frame must be equal.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "../fake_host.hpp"

#include "../../../guest/nema/stage.hpp"
#include "../../reference/nema/nema.hpp"
#include "pixmill/nema.h"

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

using nema::Machine;

// Records a suite's output.
class ListeningMachine : public Machine {
public:
    void print(std::string_view text) override { said += text; }
    void save(std::string_view file, std::span<const uint8_t> bytes) override {
        files[std::string(file)].assign(bytes.begin(), bytes.end());
    }
    uint64_t nanoseconds() override { return 0; }
    uint32_t frame_step() const override { return 60; } // the watch draws every 60th frame

    std::string said;
    std::map<std::string, std::vector<uint8_t>> files;

protected:
    ~ListeningMachine() = default;
};

class ReferenceMachine final : public ListeningMachine {
public:
    uint32_t read(uint32_t offset) override { return device_.read(offset); }
    void write(uint32_t offset, uint32_t value) override { device_.write(offset, value); }
    std::span<uint8_t> memory() override { return memory_.bytes; }
    void sleep_while(const volatile uint32_t& counter, uint32_t seen) override {
        if (device_.completion())
            completion_interrupt();
        if (device_.error())
            error_interrupt();
        if (counter == seen)
            throw std::runtime_error("the reference does not interrupt");
    }

private:
    reference::NemaMemory memory_{MEMORY_ADDRESS, std::vector<uint8_t>(MEMORY_BYTES)};
    reference::NemaReference device_{memory_};
};

class DeviceMachine final : public ListeningMachine {
public:
    DeviceMachine() {
        host_.ram.add(MEMORY_ADDRESS, MEMORY_BYTES);
        if (pixmill_nema.create(nullptr, host_.abi(), &device_) != PIXMILL_OK)
            throw std::runtime_error("no device");
    }
    ~DeviceMachine() { pixmill_nema.destroy(device_); }

    uint32_t read(uint32_t offset) override {
        uint32_t value = 0;
        pixmill_nema.read(device_, offset, 4, &value);
        return value;
    }

    void write(uint32_t offset, uint32_t value) override {
        while (pixmill_nema.write(device_, offset, 4, value) == PIXMILL_ERROR_BUSY)
            work();
    }

    std::span<uint8_t> memory() override {
        uint64_t size = MEMORY_BYTES;
        return {static_cast<uint8_t*>(host_.ram.map(MEMORY_ADDRESS, &size, true)), MEMORY_BYTES};
    }

    void sleep_while(const volatile uint32_t& counter, uint32_t seen) override {
        int patience = 1 << 20;
        while (counter == seen) {
            if (patience-- == 0)
                throw std::runtime_error("the device does not interrupt");
            if (host_.irq)
                completion_interrupt();
            else if (host_.error_irq)
                error_interrupt();
            else
                work();
        }
    }

private:
    // Works with small budgets, so that lists and primitives are split.
    void work() {
        pixmill_nema.run(device_, 64);
        pixmill_nema.draw(device_, 10000);
    }

    pixmill::test::FakeHost host_;
    PixmillCore* device_ = nullptr;
};

class NemaScenes : public testing::TestWithParam<const nema::Suite*> {};

TEST_P(NemaScenes, DeviceEqualsReference) {
    DeviceMachine device;
    ReferenceMachine expected;
    ASSERT_TRUE(nema::run_suite(device, GetParam()->name));
    ASSERT_TRUE(nema::run_suite(expected, GetParam()->name));
    EXPECT_EQ(device.said, expected.said);
    EXPECT_EQ(device.said.find("failed"), std::string::npos);
    for (const auto& [file, bytes] : expected.files) {
        ASSERT_EQ(device.files[file].size(), bytes.size()) << file;
        for (size_t i = 0; i < bytes.size(); ++i)
            ASSERT_EQ(device.files[file][i], bytes[i]) << file << ", byte " << i;
    }
}

std::vector<const nema::Suite*> all_but_the_benchmark() {
    std::vector<const nema::Suite*> suites;
    for (const nema::Suite& suite : nema::suites())
        if (suite.name != std::string_view("speed"))
            suites.push_back(&suite);
    return suites;
}

INSTANTIATE_TEST_SUITE_P(Suites, NemaScenes, testing::ValuesIn(all_but_the_benchmark()),
                         [](const auto& info) { return std::string(info.param->name); });

} // namespace
