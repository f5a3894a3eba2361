/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gp_rig.hpp"

#include <algorithm>
#include <exception>

#include "../rig.hpp"

namespace pixmill::qtest {

using namespace geode_gp;

namespace {

QemuOptions qemu_options(const GeodeGpOptions& options) {
    QemuOptions result{.machine = "pixmill-test", .interrupt_of = kPath};
    result.arguments = {"-global", "geode-gp.vram-size=" + std::to_string(options.vram_size),
                        "-global", "geode-display.vsa=off"}; /* VSA reports whole MiB only */
    if (options.threaded) {
        result.arguments.insert(result.arguments.end(), {"-global", "geode-gp.x-force-thread=on"});
    }
    return result;
}

} // namespace

GeodeGpRig::GeodeGpRig(const GeodeGpOptions& options)
    : vram_size_(options.vram_size), qemu_(qemu_options(options)) {}

GeodeGpRig::~GeodeGpRig() {
    if (std::uncaught_exceptions() == 0) {
        expect_clean_quit(qemu_);
    }
}

uint32_t GeodeGpRig::read(uint32_t offset, uint32_t size) {
    put_vram_back();
    switch (size) {
    case 1:
        return qemu_.read8(kBase + offset);
    case 2:
        return qemu_.read16(kBase + offset);
    default:
        return qemu_.read32(kBase + offset);
    }
}

void GeodeGpRig::write(uint32_t offset, uint32_t size, uint32_t value) {
    put_vram_back();
    switch (size) {
    case 1:
        return qemu_.write8(kBase + offset, static_cast<uint8_t>(value));
    case 2:
        return qemu_.write16(kBase + offset, static_cast<uint16_t>(value));
    default:
        return qemu_.write32(kBase + offset, value);
    }
}

uint64_t GeodeGpRig::read_msr(uint32_t number) {
    put_vram_back();
    return qemu_.read64(kMsrs + 8 * number);
}

void GeodeGpRig::write_msr(uint32_t number, uint64_t value) {
    put_vram_back();
    qemu_.write64(kMsrs + 8 * number, value);
}

std::span<uint8_t> GeodeGpRig::vram() {
    if (vram_.empty()) {
        vram_ = known_ = qemu_.read(kVram, vram_size_);
    }
    return vram_;
}

void GeodeGpRig::put_vram_back() {
    const auto changed = [&](size_t from) {
        const auto at = static_cast<std::ptrdiff_t>(from);
        return std::mismatch(vram_.begin() + at, vram_.end(), known_.begin() + at).first;
    };
    for (auto first = changed(0); first != vram_.end();) {
        const auto at = first - vram_.begin();
        const auto length = std::min<std::ptrdiff_t>(64, vram_.end() - first);
        qemu_.write(kVram + static_cast<uint64_t>(at),
                    std::span(vram_).subspan(static_cast<size_t>(at), static_cast<size_t>(length)));
        first = changed(static_cast<size_t>(at + length));
    }
    vram_.clear();
    known_.clear();
}

bool GeodeGpRig::interrupt() {
    put_vram_back();
    return qemu_.interrupt();
}

void GeodeGpRig::restart() {
    vram_.clear();
    known_.clear();
    qemu_.system_reset();
    qemu_.fill(kVram, vram_size_, 0);
}

void GeodeGpRig::round_trip() {
    put_vram_back();
    qemu_.make_snapshot_disk();
    qemu_.save_snapshot();
    qemu_.fill(kVram, vram_size_, 0xA5);
    qemu_.system_reset();
    qemu_.load_snapshot();
}

} // namespace pixmill::qtest
