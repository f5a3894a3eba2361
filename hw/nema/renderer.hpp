// What turns a draw into pixels: rasteriser, texture map unit, fragment processor,
// render output unit.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

#include "pixmill/nema.h"
#include "render/surface.hpp"

namespace pixmill::nema {

/// The registers that a draw depends on, as they were when it began.
struct DrawState {
    std::span<const uint32_t, PIXMILL_NEMA_DRAW_WORDS> reg; ///< by offset / 4; 0x100: the command
    std::span<const uint32_t, PIXMILL_NEMA_IMEM_WORDS> imem;
};

/// What the engine used that the model does not have or the guest got wrong; each is logged once.
/// `what` lives for ever; `detail` is a format, a program word or an address.
class Complaints {
public:
    virtual void unimplemented(const char* what, uint64_t detail) = 0;
    virtual void guest_error(const char* what, uint64_t detail) = 0;

protected:
    ~Complaints() = default;
};

class Renderer {
public:
    Renderer();
    ~Renderer();

    /// Prepares the draw of `state`, whose words stay where they are until the engine is done
    /// or cancelled, from `progress` on: 0, or what progress() was. Decodes and validates; touches
    /// no memory. `memory` and `complaints` are used inside run() only. False: there is nothing to
    /// draw, or nothing left.
    bool begin(const DrawState& state, uint32_t progress, render::Memory& memory,
               Complaints& complaints);

    /// Draws rows until the draw is done, about as much work as copying `budget_bytes` has
    /// been done, or `stop` is set. True: done.
    bool run(uint64_t budget_bytes, const std::atomic<bool>& stop);

    /// Drops the draw.
    void cancel();

    /// How far it has come: rows that are done, from the top, times 4096, plus the pieces that are
    /// done of the next one. (A row of a long program can take too long to be waited for.)
    uint32_t progress() const;
    uint64_t pixels() const;   ///< written since begin()
    render::Rect take_dirty(); ///< bounding box of the pixels written since the last call
    bool faulted() const;      ///< memory has stalled the access: no more is drawn

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace pixmill::nema
