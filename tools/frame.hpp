// Plays a command stream of a Vivante core's 3D engine, draw by draw, and shows the states, the
// shaders, and each target after the draw.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/memory/translated_memory.hpp"
#include "picture.hpp"
#include "pixmill/vivante.h"
#include "vivante/3d/features.hpp"
#include "vivante/3d/ts/ts.hpp"

namespace pixmill::vivante {
struct Chip;
struct ColorTarget;
struct RsSetup;
struct Surface3d;
} // namespace pixmill::vivante

namespace pixmill::tools {

/// A range of guest-physical memory.
struct Region {
    uint64_t address = 0;
    std::vector<std::byte> bytes;
};

class Frame {
public:
    using Print = std::function<void(const std::string& text)>;
    using Show = std::function<void(const std::string& name, const Picture& picture)>;

    /// `model` must be the name of a model that the core supports. The core writes to `memory`.
    /// Throws std::runtime_error.
    Frame(const char* model, std::vector<Region> memory, Print print, Show show);
    /// Shows jobs of a core that the caller runs. `host` maps the core's memory.
    Frame(const char* model, const PixmillHost& host, Print print, Show show);
    ~Frame();
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

    /// Writes a register of the core, such as the base of a page table.
    void write(uint32_t offset, uint32_t value);
    /// Plays the stream at `address`, as the front end sees it, until it ends, waits or hangs.
    void play(uint32_t address, uint32_t qwords);

    /// Shows a completed job, whose targets and other parameters are in `state`.
    void show_job(const PixmillVivanteState& state);

    unsigned jobs() const { return jobs_; }

private:
    /// A heap allocation, because the state is too large for the stack.
    using State = std::unique_ptr<PixmillVivanteState>;
    State save() const;

    static void* map(void* user, uint64_t address, uint64_t* length, bool write);
    static void trace(void* user, PixmillTrace event, uint64_t a, uint64_t b, const char* text);
    static void log(void* user, PixmillLog kind, const char* text);

    void begin_job(const PixmillVivanteState& state);
    void end_job();
    void print_states(const PixmillVivanteState& state);
    void print_program(const PixmillVivanteState& state, bool pixels);
    void show_draw(const PixmillVivanteState& state);
    void show_resolve(const PixmillVivanteState& state);
    void show_color(const char* name, const vivante::Surface3d& surface,
                    const vivante::TsSurface& status, uint32_t format, uint32_t width,
                    uint32_t height);
    template<class Color>
    void show(const char* name, const vivante::Surface3d& surface, const vivante::TsSurface& status,
              uint32_t width, uint32_t height, Color color);

    std::vector<Region> memory_;
    Print print_;
    Show show_;
    PixmillHost host_;
    uint32_t trace_mask_ = 1u << PIXMILL_TRACE_COMMAND;
    int64_t now_ = 0;
    const vivante::Chip* chip_;
    vivante::Features3d features_;
    Host reader_host_;
    TranslatedMemory reader_;
    PixmillCore* core_ = nullptr;

    uint32_t command_at_ = 0;
    unsigned jobs_ = 0;
    State job_;    ///< state when the current job began; null: no job
    State before_; ///< state when the previous job began, because only changes are printed
    std::array<std::vector<uint32_t>, 2> programs_; ///< the last ones printed: vertex, pixel
    std::map<uint32_t, std::pair<uint32_t, uint32_t>> extents_; ///< sizes of targets, by address
};

} // namespace pixmill::tools
