// SPDX-License-Identifier: GPL-2.0-or-later
// Runs the suites on the reference device. nema-reference SUITE FOLDER prints what the firmware
// must print and saves the frames in FOLDER. It draws slowly, so it skips most frames of an
// animation unless --all is given.
#include "stage.hpp"

#include "../../tests/reference/nema/nema.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using nema::Machine;

class HostMachine final : public Machine {
public:
    HostMachine(std::string folder, bool all) : folder_(std::move(folder)), all_(all) {}

    uint32_t read(uint32_t offset) override { return device_.read(offset); }
    void write(uint32_t offset, uint32_t value) override { device_.write(offset, value); }

    // The reference device works synchronously: an interrupt that is not pending now will never
    // arrive.
    void sleep_while(const volatile uint32_t& counter, uint32_t seen) override {
        if (device_.completion())
            completion_interrupt();
        if (device_.error())
            error_interrupt();
        if (counter == seen)
            fail("the suite waits for an interrupt that never comes");
    }

    std::span<uint8_t> memory() override { return memory_.bytes; }
    uint64_t nanoseconds() override {
        return uint64_t(std::chrono::steady_clock::now().time_since_epoch() /
                        std::chrono::nanoseconds(1));
    }

    uint32_t frame_step() const override { return all_ ? 1 : 12; }

    void print(std::string_view text) override {
        std::fwrite(text.data(), 1, text.size(), stdout);
        std::fflush(stdout);
    }

    void save(std::string_view file, std::span<const uint8_t> bytes) override {
        const std::string path = folder_ + "/" + std::string(file);
        std::FILE* out = std::fopen(path.c_str(), "wb");
        if (!out || std::fwrite(bytes.data(), 1, bytes.size(), out) != bytes.size() ||
            std::fclose(out) != 0)
            fail(("cannot write " + path).c_str());
    }

    [[noreturn]] static void fail(const char* why) {
        std::fprintf(stderr, "nema-reference: %s\n", why);
        std::exit(1);
    }

private:
    std::string folder_;
    bool all_;
    reference::NemaMemory memory_{MEMORY_ADDRESS, std::vector<uint8_t>(MEMORY_BYTES)};
    reference::NemaReference device_{memory_};
};

} // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::string_view(argv[1]) == "--list") {
        for (const nema::Suite& suite : nema::suites())
            std::printf("%s\n", suite.name);
        return 0;
    }
    const bool all = argc == 4 && std::string_view(argv[3]) == "--all";
    if (argc != 3 && !all) {
        std::fprintf(stderr, "usage: nema-reference --list | SUITE FOLDER [--all]\n");
        return 2;
    }
    HostMachine machine(argv[2], all);
    if (!nema::run_suite(machine, argv[1]))
        HostMachine::fail("no such suite");
    return 0;
}
