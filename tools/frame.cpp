// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstring>
#include <iterator>
#include <stdexcept>

#include "state_value.hpp"
#include "text.hpp"
#include "vivante/3d/draw/pipeline_setup.hpp"
#include "vivante/3d/engine_3d.hpp"
#include "vivante/3d/rs/states.hpp"
#include "vivante/3d/sh/disassembler.hpp"
#include "vivante/3d/state_table.hpp"
#include "vivante/chip.hpp"
#include "vivante/front_end.hpp"
#include "vivante/memory/mmu.hpp"
#include "vivante/offsets.hpp"

namespace pixmill::tools {

using namespace vivante;

namespace {

using Job = Engine3d::Job;

template<size_t n>
const char* name_in(const char* const (&names)[n], size_t number) {
    return number < n && names[number] ? names[number] : "unknown";
}

// rnndb cmdstream.xml: PRIMITIVE_TYPE
constexpr const char* primitive_names[] = {nullptr,        "points",    "lines",
                                           "line strip",   "triangles", "triangle strip",
                                           "triangle fan", "line loop", "quads"};
constexpr const char* layout_names[] = {"linear", "tiled", "supertiled", "multi-tiled",
                                        "multi-supertiled"};
// rnndb common.xml: RS_FORMAT. The PE uses the same codes for the formats that it supports.
constexpr const char* format_names[] = {"X4R4G4B4", "A4R4G4B4", "X1R5G5B5", "A1R5G5B5",
                                        "R5G6B5",   "X8R8G8B8", "A8R8G8B8", "YUY2"};

uint8_t widened(uint32_t value, unsigned bits) {
    return uint8_t((value * 255 + ((1u << bits) - 1) / 2) / ((1u << bits) - 1));
}

} // namespace

// ---- Host ----------------------------------------------------------------------

void* Frame::map(void* user, uint64_t address, uint64_t* length, bool) {
    auto& frame = *static_cast<Frame*>(user);
    uint64_t hole = UINT64_MAX - address;
    for (Region& region : frame.memory_) {
        if (address >= region.address && address - region.address < region.bytes.size()) {
            *length = region.bytes.size() - (address - region.address);
            return &region.bytes[address - region.address];
        }
        if (region.address > address)
            hole = std::min(hole, region.address - address);
    }
    *length = std::max<uint64_t>(hole, 1);
    return nullptr;
}

void Frame::trace(void* user, PixmillTrace event, uint64_t a, uint64_t, const char*) {
    if (event == PIXMILL_TRACE_COMMAND)
        static_cast<Frame*>(user)->command_at_ = uint32_t(a);
}

void Frame::log(void* user, PixmillLog, const char* line) {
    static_cast<Frame*>(user)->print_(text("    log: %s\n", line));
}

Frame::Frame(const char* model, std::vector<Region> memory, Print print, Show show)
    : memory_(std::move(memory)), print_(std::move(print)),
      show_(std::move(show)), host_{.api_version = PIXMILL_API_VERSION,
                                    .user = this,
                                    .map = map,
                                    .dirty = [](void*, uint64_t, uint64_t) {},
                                    .set_irq = [](void*, uint32_t, bool) {},
                                    .clock_ns =
                                        [](void* user) { return static_cast<Frame*>(user)->now_; },
                                    .request_run = [](void*) {},
                                    .log = log,
                                    .trace = trace,
                                    .trace_mask = &trace_mask_,
                                    .accessed = nullptr,
                                    .job = nullptr},
      chip_(find_chip(model)), reader_host_(host_), reader_(reader_host_) {
    if (!chip_ || !Engine3d::models(*chip_))
        throw std::runtime_error(text("%s has no 3D engine that is modeled", model));
    features_ = Features3d::of(*chip_);
    const PixmillVivanteConfig config{model, 0, 0, 0, 0, 0, 0, 0, 0};
    if (pixmill_vivante.create(&config, &host_, &core_) != PIXMILL_OK)
        throw std::runtime_error("no core");
}

Frame::Frame(const char* model, const PixmillHost& host, Print print, Show show)
    : print_(std::move(print)), show_(std::move(show)), host_(host), chip_(find_chip(model)),
      reader_host_(host_), reader_(reader_host_) {
    if (!chip_ || !Engine3d::models(*chip_))
        throw std::runtime_error(text("%s has no 3D engine that is modeled", model));
    features_ = Features3d::of(*chip_);
}

Frame::~Frame() {
    pixmill_vivante.destroy(core_);
}

void Frame::write(uint32_t offset, uint32_t value) {
    if (pixmill_vivante.write(core_, offset, 4, value) != PIXMILL_OK)
        throw std::runtime_error(text("no register at 0x%x", offset));
}

Frame::State Frame::save() const {
    auto state = std::make_unique<PixmillVivanteState>();
    pixmill_vivante.save(core_, state.get());
    return state;
}

// ---- The stream ----------------------------------------------------------------

void Frame::play(uint32_t address, uint32_t qwords) {
    constexpr uint32_t some_words = 256, start = 0x10000;
    constexpr uint64_t much_work = 1 << 24;
    constexpr int most_slices = 10'000'000; // the stream may loop
    write(COMMAND_ADDRESS, address);
    write(FE_COMMAND_CONTROL, start | (qwords & 0xFFFF));
    for (int slice = 0; slice < most_slices; slice++) {
        const PixmillRun run = pixmill_vivante.run(core_, some_words);
        const bool parked =
            run.action == PIXMILL_RUN_WAIT && FeRun(save()->fe_run) == FeRun::parked;
        if (run.action == PIXMILL_RUN_IDLE || parked)
            break;
        if (run.action == PIXMILL_RUN_WAIT)
            now_ = std::max(now_, run.when_ns);
        if (run.action != PIXMILL_RUN_DRAW)
            continue;
        if (!job_) {
            State state = save();
            if (Job(state->g3d_job) != Job::none)
                begin_job(*state), job_ = std::move(state);
        }
        pixmill_vivante.draw(core_, much_work);
        (void)pixmill_vivante.run(core_, 0);
        if (job_ && Job(save()->g3d_job) == Job::none)
            end_job();
    }
    static constexpr const char* ends[] = {
        "the stream has ended",
        "it was cut off: too many commands, or the engine stalls",
        "it waits",
        "it idles",
        "it waits for a fence",
        "it needs more words than were prefetched",
        "the front end has met an MMU fault",
        "the front end hangs"};
    const State state = save();
    print_(text("%s at 0x%08x, after %u jobs\n", name_in(ends, state->fe_run), state->fe_address,
                jobs_));
}

void Frame::begin_job(const PixmillVivanteState& state) {
    const uint32_t* const command = state.g3d_command;
    if (Job(state.g3d_job) == Job::resolve) {
        const RsSetup rs = RsSetup::decode(States(state.state), features_);
        print_(text("job %u: RS %s of %u x %u samples, by the command at 0x%08x\n", jobs_,
                    rs.kind == RsSetup::Kind::fill ? "fill" : "copy", rs.width,
                    rs.height * rs.rectangles, command_at_));
    } else {
        print_(text("job %u: draw of %u primitives (%s) from %u on, by the command at 0x%08x\n",
                    jobs_, command[3], name_in(primitive_names, command[1]), command[2],
                    command_at_));
    }
    print_states(state);
    if (Job(state.g3d_job) == Job::draw) {
        print_program(state, false);
        print_program(state, true);
    }
}

void Frame::show_job(const PixmillVivanteState& state) {
    job_ = std::make_unique<PixmillVivanteState>(state);
    end_job();
}

void Frame::print_states(const PixmillVivanteState& state) {
    for (const StateRow& row : states_3d())
        for (uint32_t address = row.address; address < row.end(); address += 4) {
            const uint32_t word = state.state[address / 4];
            if (is_program(address) || word == (before_ ? before_->state[address / 4] : 0))
                continue;
            const std::string index =
                row.count > 1 ? text("[%u]", (address - row.address) / 4) : "";
            print_(text("    0x%05x %-28s 0x%08x  %s\n", address, (row.name + index).c_str(), word,
                        value_of(row, word).c_str()));
        }
}

/// Prints a program unless it was the last one printed.
void Frame::print_program(const PixmillVivanteState& state, bool pixels) {
    const std::vector<uint32_t> words = program_words(States(state.state), features_, pixels);
    if (words == programs_[pixels])
        return;
    programs_[pixels] = words;
    print_(text("    %s shader\n", pixels ? "pixel" : "vertex"));
    for (size_t i = 0; i + words_per_instruction <= words.size(); i += words_per_instruction) {
        const Instruction instruction = decode(&words[i], features_.isa);
        print_(text("    %4zu %c %s\n", i / words_per_instruction,
                    instruction.is_known() ? ' ' : '?', disassemble(instruction).c_str()));
    }
}

void Frame::end_job() {
    if (Job(job_->g3d_job) == Job::draw)
        show_draw(*job_);
    else if (Job(job_->g3d_job) == Job::resolve)
        show_resolve(*job_);
    before_ = std::move(job_);
    jobs_++;
}

// ---- Pictures --------------------------------------------------------------------

void Frame::show_draw(const PixmillVivanteState& state) {
    const DrawCommand command{.indexed = false, .type = 0, .start = 0, .count = 0, .offset = 0};
    PipelineSetup setup;
    setup.decode(States(state.state), command, features_);
    // The states do not give the size of a target, so show everything that any draw may have
    // touched.
    const auto extent = [&](uint32_t address) {
        auto& [width, height] = extents_[address];
        width = std::max(width, uint32_t(std::max(setup.ra.scissor.right, 0)) << setup.shift_x);
        height = std::max(height, uint32_t(std::max(setup.ra.scissor.bottom, 0)) << setup.shift_y);
        return std::pair(width, height);
    };
    const Mmu mmu = Mmu::read(*chip_, state, Client::pe);
    reader_.begin(mmu);
    for (unsigned n = 0; n < most_targets; n++)
        if (setup.draws_color[n]) {
            const auto [width, height] = extent(setup.color[n].address[0]);
            show_color(text("color%u", n).c_str(), setup.color[n], setup.color_status[n],
                       setup.pe.color.target[n].format->code, width, height);
        }
    reader_.end();
    if (!setup.draws_depth)
        return;
    const auto [width, height] = extent(setup.depth.address[0]);
    const Mmu depth_mmu = Mmu::read(*chip_, state, Client::pez);
    reader_.begin(depth_mmu);
    const unsigned unused = setup.pe.depth.d24s8 ? 24 : 8; // bits below the depth value's top byte
    show("depth", setup.depth, setup.depth_status, width, height,
         [unused](uint32_t word, uint8_t* rgb) { std::fill_n(rgb, 3, uint8_t(word >> unused)); });
    reader_.end();
}

void Frame::show_resolve(const PixmillVivanteState& state) {
    const RsSetup rs = RsSetup::decode(States(state.state), features_);
    uint32_t bottom = 0, right = 0;
    for (uint32_t i = 0; i < rs.rectangles; i++) {
        bottom = std::max(bottom, rs.offset[i].y + rs.height);
        right = std::max(right, rs.offset[i].x + rs.width);
    }
    const Mmu mmu = Mmu::read(*chip_, state, Client::pe);
    reader_.begin(mmu);
    show_color("resolve", rs.destination, {}, rs.destination_format, right >> rs.downsample_x,
               bottom >> rs.downsample_y);
    reader_.end();
}

void Frame::show_color(const char* name, const Surface3d& surface, const TsSurface& status,
                       uint32_t format_code, uint32_t width, uint32_t height) {
    const TargetFormat* const format = find_target_format(format_code);
    if (!format || format->bytes != surface.bytes) {
        print_(text("    %s: format %u, no picture\n", name, format_code));
        return;
    }
    print_(text("    %s: %s\n", name, name_in(format_names, format_code)));
    show(name, surface, status, width, height, [format](uint32_t word, uint8_t* rgb) {
        for (unsigned c = 0; c < 3; c++) {
            const TargetFormat::Channel& channel = format->channel[c];
            rgb[c] = widened(word >> channel.shift & ((1u << channel.bits) - 1), channel.bits);
        }
    });
}

template<class Color>
void Frame::show(const char* name, const Surface3d& surface, const TsSurface& status,
                 uint32_t width, uint32_t height, Color color) {
    constexpr uint32_t most = 8192;
    width = std::min({width, surface.stride / surface.bytes, most});
    height = std::min(height, most);
    if (!width || !height)
        return;
    SurfaceReader reader(reader_, status, surface.bytes);
    Picture picture(width, height);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            const Placed at = place(surface.layout, surface.stride, surface.bytes, x, y);
            uint32_t word = 0;
            const auto address = uint32_t(surface.address[at.pipe] + at.offset);
            std::memcpy(&word, reader.at(at.pipe, address, std::min<uint32_t>(surface.bytes, 4)),
                        std::min<uint32_t>(surface.bytes, 4));
            color(word, picture.at(x, y));
        }
    const std::string file = text("%03u-%s.png", jobs_, name);
    print_(text("    %s: %u x %u, %s, at 0x%08x: %s\n", name, width, height,
                name_in(layout_names, size_t(surface.layout)), surface.address[0], file.c_str()));
    show_(file, picture);
}

} // namespace pixmill::tools
