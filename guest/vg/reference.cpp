// SPDX-License-Identifier: GPL-2.0-or-later
// Runs the suites on the reference model: vg-reference SUITE FOLDER prints what the firmware must
// print and saves the frames in FOLDER.
#include "machine.hpp"

#include "../../tests/reference/vivante/vg/vivante_vg.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

[[noreturn]] void fail(const std::string& why) {
    std::fprintf(stderr, "vg-reference: %s\n", why.c_str());
    std::exit(1);
}

class HostMachine final : public vg::Machine {
public:
    explicit HostMachine(std::string folder) : folder_(std::move(folder)) {}

    uint32_t run(uint32_t address, uint32_t qwords) override {
        core_.run(address, qwords);
        for (const std::string& complaint : core_.complaints())
            fail(complaint);
        return core_.read(0x010);
    }

    std::span<uint8_t> memory() override { return core_.bytes(); }

    uint64_t nanoseconds() override {
        return uint64_t(std::chrono::steady_clock::now().time_since_epoch() /
                        std::chrono::nanoseconds(1));
    }

    void print(std::string_view text) override { std::fwrite(text.data(), 1, text.size(), stdout); }

    void save(std::string_view file, std::span<const uint8_t> bytes) override {
        const std::string path = folder_ + "/" + std::string(file);
        std::FILE* out = std::fopen(path.c_str(), "wb");
        if (!out || std::fwrite(bytes.data(), 1, bytes.size(), out) != bytes.size() ||
            std::fclose(out) != 0)
            fail("cannot write " + path);
    }

    void show(uint32_t, uint32_t, uint32_t) override {}

private:
    std::string folder_;
    pixmill::reference::VivanteVg core_{{{MEMORY_ADDRESS, std::vector<uint8_t>(MEMORY_BYTES)}}};
};

} // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::string_view(argv[1]) == "--list") {
        for (const std::string_view suite : vg::suites())
            std::puts(suite.data());
        return 0;
    }
    if (argc != 3) {
        std::fprintf(stderr, "usage: vg-reference --list | SUITE FOLDER\n");
        return 2;
    }
    HostMachine machine(argv[2]);
    if (!vg::run_suite(machine, argv[1]))
        fail("no such suite");
    return 0;
}
