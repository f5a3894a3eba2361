// SPDX-License-Identifier: GPL-2.0-or-later
#include "pictures.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstring>
#include <utility>

#include "common/memory/translated_memory.hpp"
#include "geode/gp/drawing.hpp"
#include "geode/gp/formats.hpp"
#include "geode/gp/latched.hpp"
#include "nema/texture/formats.hpp"
#include "pixmill/geode.h"
#include "pixmill/nema.h"
#include "pixmill/vivante.h"
#include "tools/frame.hpp"
#include "tools/text.hpp"
#include "vivante/2d/draw_setup.hpp"
#include "vivante/3d/engine_3d.hpp"
#include "vivante/chip.hpp"
#include "vivante/vg/output.hpp"

namespace pixmill::tools {

namespace {

constexpr uint32_t most = 4096; ///< largest side, in pixels

uint8_t channel_of(uint32_t word, const render::Channel& channel) {
    const uint32_t highest = (1u << channel.width) - 1;
    return channel.width ? uint8_t((word >> channel.shift & highest) * 255 / highest) : 0;
}

/// Rows of pixels in memory.
struct Rows {
    render::Format format;
    uint64_t base;
    int64_t stride;
    uint32_t width, height;
};

/// Copies bytes from an address as the device sees it; missing memory reads as 0.
using Read = std::function<bool(uint64_t address, void* to, uint64_t length)>;

Picture picture_of(const Rows& rows, const Read& read) {
    Picture picture(std::min(rows.width, most), std::min(rows.height, most));
    const uint32_t bytes = rows.format.bytes();
    for (uint32_t y = 0; y < picture.height; y++)
        for (uint32_t x = 0; x < picture.width; x++) {
            uint32_t word = 0;
            (void)read(rows.base + uint64_t(rows.stride * y) + uint64_t(x) * bytes, &word, bytes);
            uint8_t* const rgb = picture.at(x, y);
            rgb[0] = channel_of(word, rows.format.red);
            rgb[1] = channel_of(word, rows.format.green);
            rgb[2] = channel_of(word, rows.format.blue);
        }
    return picture;
}

std::string name_of(uint64_t number, const char* kind) {
    return text("%05" PRIu64 "-%s.png", number, kind);
}

void show_rows(const Rows& rows, uint64_t number, const char* kind, const Read& read,
               const Print& print, const Show& show) {
    const std::string name = name_of(number, kind);
    print(text("draw %" PRIu64 ": %s, %u x %u at 0x%08" PRIx64 ": %s\n", number, rows.format.name,
               rows.width, rows.height, rows.base, name.c_str()));
    show(name, picture_of(rows, read));
}

/// The part that all families share. Saves the core's state at the beginning of each draw.
template<class State>
class TargetsOf : public DrawTargets {
public:
    TargetsOf(const Replay& replay, Print print, Show show)
        : replay_(replay), print_(std::move(print)), show_(std::move(show)) {}

    void begun() override {
        state_ = std::make_unique<State>();
        replay_.table().save(replay_.core(), state_.get());
    }

protected:
    void show(const Rows& rows, uint64_t number, const char* kind) const {
        show_rows(
            rows, number, kind,
            [this](uint64_t address, void* to, uint64_t length) {
                return replay_.read(uint32_t(address), to, length);
            },
            print_, show_);
    }

    const Replay& replay_;
    const Print print_;
    const Show show_;
    std::unique_ptr<State> state_;
};

// ---- Vivante ---------------------------------------------------------------------

/// Shows draws of the 2D engine to linear RGB surfaces, and all draws of the 3D and VG engines.
class VivanteTargets final : public TargetsOf<PixmillVivanteState> {
public:
    VivanteTargets(const Replay& replay, const char* model, Print print, Show show)
        : TargetsOf(replay, std::move(print), std::move(show)),
          chip_(vivante::find_chip(model)), host_{.api_version = PIXMILL_API_VERSION,
                                                  .user = this,
                                                  .map = map,
                                                  .dirty = [](void*, uint64_t, uint64_t) {},
                                                  .set_irq = [](void*, uint32_t, bool) {},
                                                  .clock_ns = [](void*) { return int64_t(0); },
                                                  .request_run = [](void*) {},
                                                  .log = [](void*, PixmillLog, const char*) {},
                                                  .trace = [](void*, PixmillTrace, uint64_t,
                                                              uint64_t, const char*) {},
                                                  .trace_mask = nullptr,
                                                  .accessed = nullptr,
                                                  .job = nullptr},
          own_(host_), memory_(own_) {
        if (chip_ && vivante::Engine3d::models(*chip_))
            frame_ = std::make_unique<Frame>(model, host_, print_, show_);
    }

    void done(uint64_t number) override {
        if (!state_ || !chip_)
            return;
        if (frame_ && state_->g3d_job)
            frame_->show_job(*state_);
        else if (state_->de_draw_active)
            show_2d(number);
        else if (state_->vg_draw_active)
            show_vg(number);
        else
            print_(text("draw %" PRIu64 ": no picture\n", number));
    }

private:
    static void* map(void* user, uint64_t address, uint64_t* length, bool) {
        return static_cast<VivanteTargets*>(user)->replay_.at(address, length);
    }

    bool read(uint64_t address, void* to, uint64_t length) {
        for (auto* bytes = static_cast<std::byte*>(to); length;) {
            const HostSpan span = memory_.map(address, length, Access::read);
            if (span.mapping != Mapping::host)
                return false;
            std::memcpy(bytes, span.host, span.length);
            bytes += span.length;
            address += span.length;
            length -= span.length;
        }
        return true;
    }

    void show_2d(uint64_t number) {
        using namespace vivante;
        auto setup = std::make_unique<DrawSetup>();
        const bool good = decode_destination(DrawStates{*state_, *chip_, own_}, *setup);
        const render::SurfaceDesc& surface = setup->operation.destination;
        if (!good || !surface.linear() || !surface.format.valid() || !surface.format.red.width) {
            print_(text("draw %" PRIu64 ": no picture: not a linear RGB surface\n", number));
            return;
        }
        const uint32_t base = uint32_t(surface.base); // without the high bit of wrapped_base()
        const Rows rows{surface.format, base, surface.stride,
                        surface.stride / surface.format.bytes(), bottom()};
        const Mmu mmu = Mmu::read(*chip_, *state_, Client::pe);
        memory_.begin(mmu);
        show_rows(
            rows, number, "2d", [this](auto... what) { return read(what...); }, print_, show_);
        memory_.end();
    }
    /// Shows colors without converting them. The VG engine has no MMU.
    void show_vg(uint64_t number) {
        namespace vg = vivante::vg;
        const vg::States states(state_->state);
        const auto output = std::make_unique<vg::Output>(states, vg::Features{});
        if (!output->exists()) {
            print_(text("draw %" PRIu64 ": no picture: unsupported format\n", number));
            return;
        }
        Picture picture(std::min(output->right(), most), std::min(output->bottom(), most));
        for (uint32_t y = 0; y < picture.height; y++)
            for (uint32_t x = 0; x < picture.width; x++) {
                vg::Words word{};
                vg::Pixels pixel;
                (void)replay_.read(output->address_of(x, y), word, output->layout().bytes);
                vg::unpack(output->layout(), word, pixel, 1);
                for (const vg::Channel channel : vg::colors)
                    picture.at(x, y)[channel] = pixel[channel][0];
            }
        const std::string name = name_of(number, "vg");
        print_(text("draw %" PRIu64 ": %u x %u at 0x%08x: %s\n", number, picture.width,
                    picture.height, states[vg::TARGET_ADDRESS], name.c_str()));
        show_(name, picture);
    }
    /// Returns the bottom of the clipping rectangle, because the states do not give the height of a
    /// surface.
    uint32_t bottom() const {
        constexpr uint32_t clip_bottom_right = 0x1264;
        return state_->state[clip_bottom_right / 4] >> 16 & 0x7FFF;
    }

    const vivante::Chip* chip_;
    PixmillHost host_;
    Host own_;
    TranslatedMemory memory_;
    std::unique_ptr<Frame> frame_;
};

// ---- NEMA|GFX ---------------------------------------------------------------------

class NemaTargets final : public TargetsOf<PixmillNemaState> {
public:
    using TargetsOf::TargetsOf;

    void done(uint64_t number) override {
        if (!state_)
            return;
        enum { BASE, FSTRIDE, RESXY }; // TEX0, the target of all draws
        const uint32_t* const reg = state_->draw_reg;
        const nema::Format* const format = nema::find_format(reg[FSTRIDE] >> 24 & 0x7F);
        if (!format || format->kind != nema::Format::Kind::words || !format->layout.valid()) {
            print_(text("draw %" PRIu64 ": no picture: unsupported format\n", number));
            return;
        }
        const Rows rows{format->layout, reg[BASE], int16_t(reg[FSTRIDE]), reg[RESXY] & 0xFFFF,
                        reg[RESXY] >> 16};
        show(rows, number, "nema");
    }
};

// ---- Geode GP ---------------------------------------------------------------------

/// Shows the rectangles that BLTs draw. The surfaces that contain them are unknown.
class GeodeTargets final : public TargetsOf<PixmillGeodeGpState> {
public:
    using TargetsOf::TargetsOf;

    void begun() override {
        TargetsOf::begun();
        (void)replay_.table().run(replay_.core(), 0); // resume the draw that save() stopped
    }
    void done(uint64_t number) override {
        using namespace geode;
        const auto state = std::exchange(state_, nullptr);
        if (!state || OperationKind(state->operation[0]) != OperationKind::blt) {
            print_(text("draw %" PRIu64 ": no picture: not a BLT\n", number));
            return;
        }
        const Latched latched{state->operation_reg[0], state->operation_lut[0]};
        const render::Format& format = destination_format(raster_mode::bpp(latched[RASTER_MODE]));
        Rows rows{format, latched.destination_base(), stride::destination(latched[STRIDE]),
                  wid_height::width(latched[WID_HEIGHT]), wid_height::height(latched[WID_HEIGHT])};
        rows.base += offset::bytes(latched[DST_OFFSET]) & ~(format.bytes() - 1);
        if (blt_mode::x(latched[BLT_MODE])) // draws from the right edge
            rows.base -= uint64_t(rows.width - 1) * format.bytes();
        if (blt_mode::y(latched[BLT_MODE]))
            rows.base -= uint64_t(rows.height - 1) * uint64_t(rows.stride);
        show(rows, number, "blt");
    }
};

} // namespace

std::unique_ptr<DrawTargets> targets_of(const Replay& replay, const Head& head, const Print& print,
                                        const Show& show) {
    if (&replay.table() == &pixmill_nema)
        return std::make_unique<NemaTargets>(replay, print, show);
    if (&replay.table() == &pixmill_geode_gp)
        return std::make_unique<GeodeTargets>(replay, print, show);
    if (&replay.table() != &pixmill_vivante)
        return nullptr;
    const auto model = std::ranges::find(head.config.all, "model", &Fields::Field::name);
    return std::make_unique<VivanteTargets>(replay, model->text->c_str(), print, show);
}

void Pictures::after(const Record& record, uint64_t draws) {
    if (draws != draws_)
        targets_.done(draws);
    draws_ = draws;
    if (record.entry.op == capture::Op::run && record.entry.out[0] == PIXMILL_RUN_DRAW)
        targets_.begun();
}

} // namespace pixmill::tools
