// A display channel of the IDMAC: its parameters in CPMEM, decoded.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "common/host.hpp"
#include "pixmill/ipuv3.h"
#include "render/format.hpp"

namespace pixmill::ipuv3 {

/// Display channels, in the order of PixmillIpuv3State.shown, named as in linux ipu-prv.h.
enum Channel : uint32_t { bg_sync, bg_sync_alpha, fg_sync, fg_sync_alpha, dc_sync };

/// A channel's place in the hardware.
struct Place {
    uint32_t number; ///< of the IDMAC
    uint32_t di;
    /// The channel that holds this one's alpha, or the channel itself.
    Channel alpha;
};

/// Numbers: linux ipu-prv.h. DI0 shows the DP's synchronous flow and DI1 shows channel 28, as Linux
/// configures the DC. The model does not interpret the DC's microcode.
inline constexpr Place places[PIXMILL_IPUV3_CHANNELS] = {
    {23, 0, bg_sync_alpha}, {51, 0, bg_sync_alpha}, {27, 0, fg_sync_alpha},
    {31, 0, fg_sync_alpha}, {28, 1, dc_sync},
};

/// Arrangement of the pixels in memory.
enum class Layout : uint8_t {
    none, ///< undocumented: shown as black
    rgb,
    yuyv,
    uyvy,
    planar_444,
    planar_422,
    planar_420,
    semiplanar_422,
    semiplanar_420,
    alpha, ///< a byte per pixel
};

/// The pixels of a channel.
struct Plane {
    bool enabled = false;
    Layout layout = Layout::none;
    render::Format format; ///< if the layout is rgb
    uint32_t width = 0, height = 0;
    uint64_t base = 0, u = 0, v = 0; ///< addresses
    uint32_t pitch = 0, chroma_pitch = 0;
    /// If `interlaced`, `pitch` is the distance of rows 2n, and row 2n + 1 is `odd_row` bytes after
    /// row 2n.
    bool interlaced = false;
    int64_t odd_row = 0;

    bool operator==(const Plane&) const = default;

    /// Number of memory areas: 1 to 3, or 0 if there is nothing to read.
    uint32_t areas() const;
    uint32_t chroma_x_shift() const { return layout == Layout::planar_444 ? 0 : 1; }
    uint32_t chroma_y_shift() const {
        return layout == Layout::planar_420 || layout == Layout::semiplanar_420;
    }
    bool semiplanar() const {
        return layout == Layout::semiplanar_422 || layout == Layout::semiplanar_420;
    }
    /// Number of bytes that `count` pixels of a row occupy in area `area`.
    uint32_t row_bytes(uint32_t area, uint32_t count) const;
    /// Address of picture row `y` in area `area`. It may be outside of memory.
    uint64_t address(uint32_t area, uint32_t y) const;
};

/// Decodes the parameters of a channel. Logs a layout that cannot be shown.
/// `words` holds the channel's two words of 160 bits, `second` selects EBA1.
Plane plane_of(std::span<const uint32_t, PIXMILL_IPUV3_PARAMETERS> words, bool second,
               uint32_t channel, Host& host);

/// True if the parameters say that the alpha of the pixels is in another channel.
bool has_separate_alpha(std::span<const uint32_t, PIXMILL_IPUV3_PARAMETERS> words);

} // namespace pixmill::ipuv3
