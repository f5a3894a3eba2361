// SPDX-License-Identifier: GPL-2.0-or-later
#include "ipu.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "common/index.hpp"
#include "fields.hpp"
#include "log.hpp"
#include "offsets.hpp"

namespace pixmill::ipuv3 {
namespace {

PixmillIpuv3Config with_defaults(PixmillIpuv3Config config) {
    config.refresh_hz = config.refresh_hz ? config.refresh_hz : 60;
    config.max_width = config.max_width ? config.max_width : 4096;
    config.max_height = config.max_height ? config.max_height : 2160;
    return config;
}

bool is_access(uint32_t offset, uint32_t size) {
    return (size == 1 || size == 2 || size == 4) && offset % size == 0 &&
           offset < PIXMILL_IPUV3_WINDOW;
}

// Numbers of interrupts: 32 per group (linux imx-ipu-v3.h).
constexpr uint32_t groups = 15;
constexpr uint32_t int_eof = 0, int_nfack = 64, int_dp_sf_start = 450, int_dp_sf_end = 451,
                   int_dc_fc_1 = 457;
constexpr uint32_t int_vsync_pre[] = {462, 463};

/// Groups whose interrupts drive each line, a bit per group (linux ipu-common.c:
/// ipu_irq_handler(), ipu_err_irq_handler(); groups 6 and 7 have no handler there).
constexpr uint32_t line_groups[] = {0x7CCF, 0x0330};
constexpr const char* line_names[] = {"sync", "error"};

/// Words per channel in CPMEM: two words of 160 bits, each of which takes eight.
constexpr uint32_t cpmem_words = 16, cpmem_half = 8, parameters_half = 5;

/// Registers with a bit per channel come in pairs.
uint32_t word_of(uint32_t first, uint32_t channel) {
    return first / 4 + channel / 32;
}
uint32_t bit_of(uint32_t channel) {
    return 1u << channel % 32;
}

/// Returns the display channels of DI `di`, a bit per channel.
constexpr uint32_t channels_of(uint32_t di) {
    uint32_t channels = 0;
    for (uint32_t i = 0; i < PIXMILL_IPUV3_CHANNELS; i++)
        channels |= uint32_t(places[i].di == di) << i;
    return channels;
}

constexpr uint32_t all_channels = (1u << PIXMILL_IPUV3_CHANNELS) - 1;

const Register* row_of(const Bank& bank, uint32_t offset) {
    return bank.find(word_offset(offset) - bank.base);
}

} // namespace

Ipu::Ipu(const PixmillIpuv3Config& config_, const PixmillHost& host_)
    : config(with_defaults(config_)), host(host_), scanner_(host, config.max_width) {
    power_on();
}

void Ipu::power_on() {
    host.trace(PIXMILL_TRACE_RESET, 0, 0, "power-on");
    host.forget();
    clear();
    update_lines();
}

/// Restores the power-on state of everything except the levels of the lines.
void Ipu::clear() {
    const uint32_t levels = s.irq_levels;
    s = {};
    s.irq_levels = levels;
    std::ranges::fill(s.due_ns, INT64_MAX);
    for (const Bank& bank : all_banks())
        for (const Register& reg : bank.rows)
            bank.storage(s)[reg.offset / 4] = reg.reset;
    lose_frame = false;
    for (uint32_t di = 0; di < PIXMILL_IPUV3_DIS; di++)
        update_picture(di);
}

// ---- Accesses ---------------------------------------------------------------

uint32_t Ipu::peek(uint32_t offset) const {
    const Bank* const bank = find_bank(offset);
    return bank ? bank->storage_of(s)[(offset - bank->base) / 4] : 0;
}

PixmillResult Ipu::read(uint32_t offset, uint32_t size, uint32_t& value) const {
    value = 0;
    if (!is_access(offset, size))
        return PIXMILL_ERROR_ARGUMENT;
    value = peek(offset) >> 8 * (offset % 4) & low_bytes(size);
    if (host.tracing(PIXMILL_TRACE_REG_READ)) {
        const Bank* const bank = find_bank(offset);
        const Register* const reg = bank ? row_of(*bank, offset) : nullptr;
        host.trace(PIXMILL_TRACE_REG_READ, offset, value,
                   reg    ? reg->name
                   : bank ? bank->name
                          : "unlisted");
    }
    return PIXMILL_OK;
}

// A narrow write keeps the other bytes of the word. Bits in those bytes that act when they are
// written as 1 are written as 0.
PixmillResult Ipu::write(uint32_t offset, uint32_t size, uint32_t value) {
    if (!is_access(offset, size))
        return PIXMILL_ERROR_ARGUMENT;
    const Bank* const bank = find_bank(offset);
    const Register* const reg = bank ? row_of(*bank, offset) : nullptr;
    host.trace(PIXMILL_TRACE_REG_WRITE, offset, value,
               reg    ? reg->name
               : bank ? bank->name
                      : "unlisted");
    if (!bank) {
        host.unimplemented(Cause::no_storage, offset, "write of 0x%06x: no register there", offset);
        return PIXMILL_OK;
    }
    if (size != 4)
        host.guest_error(Cause::narrow, offset, "write of %u bytes at 0x%06x", size, offset);
    const uint32_t index = (offset - bank->base) / 4, shift = 8 * (offset % 4);
    const uint32_t byte_mask = low_bytes(size) << shift;
    uint32_t& word = bank->storage(s)[index];
    const bool keeps = !reg || reg->access == PIXMILL_ACCESS_RW;
    const uint32_t written = (value << shift & byte_mask) | (keeps ? word & ~byte_mask : 0);
    word = reg ? reg->written(word, written) : written;
    if (reg && reg->write)
        reg->write(*this, 4 * index, written);
    if (bank->written)
        bank->written(*this);
    update_lines();
    return PIXMILL_OK;
}

void Ipu::write_enables(Ipu& ipu, uint32_t, uint32_t) {
    ipu.start_and_stop();
}

void Ipu::timing_written(Ipu& ipu) {
    ipu.start_and_stop();
}

void Ipu::write_srm_pri2(Ipu& ipu, uint32_t, uint32_t value) {
    switch (srm_pri2::dp_s_srm_mode(value)) {
    case srm_pri2::next_frame:
        ipu.s.dp_pending = 1;
        break;
    case srm_pri2::now:
        ipu.take_over_dp();
        ipu.update_picture(0);
        break;
    default:
        break;
    }
}

// Bits 31:28 and 27:24 of IPU_GPR, and 21:20, say that a write of 1 clears: in ascending order for
// RDY0 and RDY1 of buffer 0, then of buffer 1; for the alternate channels; and for buffer 2
// (Freescale common_ipuv3.h).
void Ipu::write_ready(Ipu& ipu, uint32_t offset, uint32_t value) {
    const uint32_t bit = offset >= IPU_CH_BUF2_RDY0       ? 20 + (offset - IPU_CH_BUF2_RDY0) / 4
                         : offset >= IPU_ALT_CH_BUF0_RDY0 ? 24 + (offset - IPU_ALT_CH_BUF0_RDY0) / 4
                                                          : 28 + (offset - IPU_CH_BUF0_RDY0) / 4;
    if (ipu.s.cm[IPU_GPR / 4] >> bit & 1)
        ipu.s.cm[offset / 4] &= ~value;
}

// ---- Frames -----------------------------------------------------------------

int64_t Ipu::frame_ns() const {
    return 1'000'000'000 / config.refresh_hz;
}

/// Returns the end of a frame that begins at `now`.
int64_t Ipu::frame_after(int64_t now) const {
    return std::min(now, INT64_MAX - 1 - frame_ns()) + frame_ns();
}

/// True if the DI is enabled and its counters describe a frame. Logs counters that do not.
bool Ipu::should_run(uint32_t di) {
    if (!conf::di_en[di](s.cm[IPU_CONF / 4]) ||
        !disp_gen::counter_release[di](s.cm[IPU_DISP_GEN / 4]))
        return false;
    const Timing timing(s.di[di]);
    if (!timing.valid()) {
        host.guest_error(Cause::timing, di, "DI%u does not run: %ux%u pixels of %ux%u", di,
                         timing.width, timing.height, timing.total_width, timing.total_height);
        return false;
    }
    return true;
}

/// Starts and stops the DIs as their registers say.
void Ipu::start_and_stop() {
    for (uint32_t di = 0; di < PIXMILL_IPUV3_DIS; di++) {
        const bool run = should_run(di);
        if (run && !runs(di)) {
            s.due_ns[di] = frame_after(host.now());
            begin_frame(di);
            host.request_run();
        } else if (!run && runs(di)) {
            s.due_ns[di] = INT64_MAX;
            s.shown_enabled &= ~channels_of(di);
            update_picture(di);
        } else if (run) {
            update_picture(di);
        }
    }
}

// If the host was late, frames that are already over are left out.
int64_t Ipu::run() {
    const int64_t now = host.now();
    int64_t next = INT64_MAX;
    for (uint32_t di = 0; di < PIXMILL_IPUV3_DIS; di++) {
        int64_t& due = s.due_ns[di];
        if (due <= now) {
            due = frame_after(now - (now - due) % frame_ns());
            end_frame(di);
        }
        next = std::min(next, due);
    }
    update_lines();
    return next;
}

bool Ipu::enabled(uint32_t channel) const {
    return s.idmac[word_of(IDMAC_CH_EN_1, channel)] & bit_of(channel);
}

/// Ends a frame, sets the status of its interrupts, and begins the next one.
void Ipu::end_frame(uint32_t di) {
    counters.frames++;
    flip(di);
    begin_frame(di);
    if (lose_frame) {
        lose_frame = false;
        return;
    }
    bool any = false;
    for (const Place& place : places) {
        if (place.di != di || !enabled(place.number))
            continue;
        set_status(int_eof + place.number);
        set_status(int_nfack + place.number);
        any = true;
    }
    if (any && di == 0) {
        set_status(int_dp_sf_start);
        set_status(int_dp_sf_end);
    } else if (any) {
        set_status(int_dc_fc_1);
    }
    set_status(int_vsync_pre[di]);
}

/// Takes over everything that takes effect at the start of a frame.
void Ipu::begin_frame(uint32_t di) {
    if (di == 0 &&
        (s.dp_pending || srm_pri2::dp_s_srm_mode(s.cm[IPU_SRM_PRI2 / 4]) == srm_pri2::every_frame))
        take_over_dp();
    latch_channels(di);
    update_picture(di);
}

/// Changes to the other buffer of each channel whose other buffer is ready.
void Ipu::flip(uint32_t di) {
    for (const Place& place : places) {
        const uint32_t number = place.number, bit = bit_of(number);
        if (place.di != di || !enabled(number) ||
            !(s.cm[word_of(IPU_CH_DB_MODE_SEL_0, number)] & bit))
            continue;
        uint32_t& current = s.cm[word_of(IPU_CUR_BUF_0, number)];
        const uint32_t other = current & bit ? IPU_CH_BUF0_RDY0 : IPU_CH_BUF1_RDY0;
        uint32_t& ready = s.cm[word_of(other, number)];
        if (!(ready & bit))
            continue;
        ready &= ~bit;
        current ^= bit;
        counters.flips++;
    }
}

void Ipu::take_over_dp() {
    std::copy_n(s.srm, std::size(s.dp), s.dp);
    s.dp_pending = 0;
}

void Ipu::latch_channels(uint32_t di) {
    for (uint32_t i = 0; i < PIXMILL_IPUV3_CHANNELS; i++) {
        const uint32_t number = places[i].number, bit = bit_of(number);
        if (places[i].di != di)
            continue;
        const uint32_t* const words = s.cpmem + size_t(number) * cpmem_words;
        std::copy_n(words, parameters_half, s.shown[i]);
        std::copy_n(words + cpmem_half, parameters_half, s.shown[i] + parameters_half);
        const uint32_t current = s.cm[word_of(IPU_CUR_BUF_0, number)];
        if (enabled(number) && !(s.shown_enabled >> i & 1)) {
            // The channel begins, so its buffer is being shown and no longer waits to be.
            const uint32_t ready = current & bit ? IPU_CH_BUF1_RDY0 : IPU_CH_BUF0_RDY0;
            s.cm[word_of(ready, number)] &= ~bit;
        }
        const auto set = [&](uint32_t& flags, bool value) {
            flags = (flags & ~(1u << i)) | uint32_t(value) << i;
        };
        const bool doubled = s.cm[word_of(IPU_CH_DB_MODE_SEL_0, number)] & bit;
        set(s.shown_enabled, enabled(number));
        set(s.shown_second, doubled && current & bit);
        set(s.shown_alpha, number < 32 && s.idmac[IDMAC_SEP_ALPHA / 4] & bit);
    }
}

/// Describes the picture again, and notes how much of it has changed.
void Ipu::update_picture(uint32_t di) {
    Picture picture;
    const Timing timing(s.di[di]);
    if (runs(di) && timing.valid()) {
        const bool fits = timing.width <= config.max_width && timing.height <= config.max_height;
        if (!fits)
            host.guest_error(Cause::too_large, di, "DI%u: a picture of %ux%u is not shown", di,
                             timing.width, timing.height);
        if (fits)
            picture = picture_of(s, di, timing.width, timing.height, host);
    }
    const auto advance = [this] {
        generation_ += generation_ == UINT32_MAX ? 2 : 1; // never 0
        return generation_;
    };
    if (picture.base != picture_[di].base)
        shown_generation_[di] = advance();
    if (picture.overlay != picture_[di].overlay)
        overlay_generation_[di] = advance();
    picture_[di] = picture;
}

// ---- Interrupts -------------------------------------------------------------

void Ipu::set_status(uint32_t number) {
    const uint32_t word = IPU_INT_STAT_1 / 4 + number / 32;
    s.cm[word] |= bit_of(number) & row_of(all_banks()[0], 4 * word + CM)->mask;
}

void Ipu::raise(uint32_t number) {
    set_status(number);
    update_lines();
}

void Ipu::update_lines() {
    for (uint32_t line = 0; line < std::size(line_groups); line++) {
        uint32_t pending = 0;
        for (uint32_t group = 0; group < groups; group++)
            if (line_groups[line] >> group & 1)
                pending |= s.cm[IPU_INT_STAT_1 / 4 + group] & s.cm[IPU_INT_CTRL_1 / 4 + group];
        const bool level = pending != 0;
        if (level == bool(s.irq_levels >> line & 1))
            continue;
        s.irq_levels ^= 1u << line;
        counters.interrupts += level;
        host.trace(PIXMILL_TRACE_IRQ, level, pending, line_names[line]);
        host.set_irq(line, level);
    }
}

// ---- Screen -----------------------------------------------------------------

void Ipu::scan(uint32_t di, PixmillIpuv3Scanout& out) const {
    const Picture& picture = picture_[di];
    out = {};
    out.running = picture.base.running;
    out.width = picture.base.width;
    out.height = picture.base.height;
    out.generation = shown_generation_[di];
    out.overlay_generation = overlay_generation_[di];
    out.overlay = {picture.overlay.top, picture.overlay.top + picture.overlay.rows};
    list_sources(picture, out);
}

void Ipu::draw(uint32_t di, uint32_t begin, uint32_t end, std::byte* pixels, size_t pitch) {
    const Base& base = picture_[di].base;
    end = std::min(end, base.height);
    if (!base.running || begin >= end || pitch < size_t(base.width) * sizeof(uint32_t))
        return;
    counters.bytes += scanner_.draw(picture_[di], begin, end, pixels, pitch);
    counters.rows += end - begin;
}

PixmillIpuv3Timing Ipu::timing(uint32_t di) const {
    if (!runs(di))
        return {};
    const Timing of(s.di[di]);
    return {true,    of.interlaced, of.width,   of.height,   of.total_width, of.total_height,
            of.left, of.top,        frame_ns(), s.due_ns[di]};
}

// ---- Migration --------------------------------------------------------------

void Ipu::load_registers(const PixmillIpuv3State& in) {
    for (const Bank& bank : all_banks()) {
        uint32_t* const words = bank.storage(s);
        std::memcpy(words, bank.storage_of(in), 4 * bank.words);
        for (const Register& reg : bank.rows) {
            uint32_t& word = words[reg.offset / 4];
            word = reg.accepted(word, reg.reset);
        }
    }
}

// The ends of the frames are not trusted: a DI runs if its registers say so, and its frame ends
// within the time of one.
void Ipu::load(const PixmillIpuv3State& in) {
    clear();
    load_registers(in);
    std::memcpy(s.shown, in.shown, sizeof s.shown);
    std::memcpy(s.dp, in.dp, sizeof s.dp);
    s.shown_enabled = in.shown_enabled & all_channels;
    s.shown_second = in.shown_second & all_channels;
    s.shown_alpha = in.shown_alpha & all_channels;
    s.dp_pending = in.dp_pending != 0;
    s.irq_levels = in.irq_levels & 3;
    const int64_t now = host.now();
    for (uint32_t di = 0; di < PIXMILL_IPUV3_DIS; di++) {
        if (should_run(di)) {
            const bool soon = in.due_ns[di] >= now && in.due_ns[di] - now <= frame_ns();
            s.due_ns[di] = soon ? in.due_ns[di] : frame_after(now);
            host.request_run();
        }
        update_picture(di);
        shown_generation_[di] = ++generation_;
    }
    update_lines();
}

} // namespace pixmill::ipuv3
