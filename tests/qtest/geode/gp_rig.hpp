/*
 * The graphics processor of a Geode LX on the machine `pixmill-test`, with a private bus that holds
 * only VRAM.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_QTEST_GEODE_GP_RIG_HPP
#define PIXMILL_TESTS_QTEST_GEODE_GP_RIG_HPP

#include "../../unit/geode/gp/vectors.hpp"
#include "../qtest_client.hpp"

namespace pixmill::qtest {

namespace geode_gp {
constexpr uint32_t kBase = 0x5E000000;
constexpr uint32_t kMsrs = 0x5E004000;
constexpr uint32_t kVram = 0x5F000000; /* CPU address; test::geode_vram_base for the GP */
constexpr const char* kPath = "/machine/geode-gp";

enum : uint32_t {
    kStatus = 0x44,
    kHstSrc = 0x48,
    kTop = 0x50,
    kBot = 0x54,
    kRead = 0x58,
    kWrite = 0x5C,
    kCh3Hsrc = 0x6C,
    kWindow = 0x4000,
};

/* BLT_STATUS while an operation executes, and while it waits for host data. */
constexpr uint32_t kBusy = 0x01, kStarved = 0x21;
} // namespace geode_gp

/* The display controller that shares the VRAM. */
namespace geode_display {
constexpr uint32_t kBase = 0x5E008000; /* DC, VP and VIP, consecutive */
constexpr uint32_t kSize = 0xC000;
constexpr uint32_t kVsa = 0x5E014000; /* ports AC1Ch to AC1Fh */
constexpr const char* kPath = "/machine/geode-display";
} // namespace geode_display

struct GeodeGpOptions {
    uint32_t vram_size = 2 << 20;
    bool threaded = false; /* worker=thread */
};

class GeodeGpRig final : public test::GeodeGp {
public:
    explicit GeodeGpRig(const GeodeGpOptions& options = {});
    /* Ends QEMU; fails the running test unless QEMU exits with status 0 and an empty stderr. */
    ~GeodeGpRig() override;
    GeodeGpRig(const GeodeGpRig&) = delete;
    GeodeGpRig& operator=(const GeodeGpRig&) = delete;

    Qemu& qemu() { return qemu_; }

    uint32_t read(uint32_t offset, uint32_t size) override;
    void write(uint32_t offset, uint32_t size, uint32_t value) override;
    uint32_t read(uint32_t offset) { return read(offset, 4); }
    void write(uint32_t offset, uint32_t value) { write(offset, 4, value); }
    uint64_t read_msr(uint32_t number) override;
    void write_msr(uint32_t number, uint64_t value) override;
    /* Returns a copy, which is written back to VRAM before the next access. */
    std::span<uint8_t> vram() override;
    bool interrupt() override;

    /* Resets everything to the state after power-on. */
    void restart();
    /* Saves the machine and loads it into a new QEMU. */
    void round_trip();

private:
    void put_vram_back();

    uint32_t vram_size_;
    Qemu qemu_;
    Bytes vram_, known_; /* the copy, and the current contents of VRAM */
};

} // namespace pixmill::qtest

#endif
