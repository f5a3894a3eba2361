// The interface of VG tests to a device, which can be the independent model, a core of hw/, or a
// QEMU device.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pixmill::test {

/// A VG core. Each call returns only after all its work is done.
class VgDevice {
public:
    virtual ~VgDevice() = default;

    virtual void write(uint32_t offset, uint32_t value) = 0;
    virtual uint32_t read(uint32_t offset) = 0;
    virtual bool interrupt() = 0;
    /// These access guest memory, within the span with which the device was created.
    virtual void put(uint32_t address, std::span<const uint8_t> bytes) = 0;
    virtual std::vector<uint8_t> get(uint32_t address, uint32_t bytes) = 0;
    /// Returns a state, if the device allows reading it.
    virtual std::optional<uint32_t> state(uint32_t) { return {}; }
};

/// Creates a core in its power-on state. Its memory has `bytes` zero bytes at `base`. The chip is
/// gc355-imx6q, gc355-imx6qp, gc355-rt1170 or gc255-rt595.
using VgDeviceMaker =
    std::function<std::unique_ptr<VgDevice>(std::string_view chip, uint32_t base, uint32_t bytes)>;

} // namespace pixmill::test
