// SPDX-License-Identifier: GPL-2.0-or-later
#include "blitter.hpp"

namespace pixmill::render {

bool Blitter::can(const Operation& operation) {
    const Stage& stage = operation.stages[0];
    const bool plain = operation.stage_count == 1 && !operation.yuv && !operation.line &&
                       !operation.dither.enabled && operation.pattern.solid && !stage.blend &&
                       !has_transparency(stage) && operation.destination.linear();
    if (!plain || !uses_source(stage.rop))
        return plain && operation.raw();
    const Source& source = stage.source;
    const Placement& p = source.placement;
    return source.kind == Source::Kind::rgb && !source.filter && source.surface[0].linear() &&
           p.upright() && (source.surface[0].format.red.width || !(source.a8_colour & 0xFFFFFF));
}

namespace {

constexpr Rop3 rop_nothing = 0xAA, rop_copy = 0xCC;

/// The loop for a raster operation. The first that fits; the last fits all.
struct Choice {
    bool (*fits)(Rop3 rop);
    SpanKernel Kernels::*kernel;
};
constexpr Choice choices[] = {
    {[](Rop3 rop) { return rop == rop_copy; }, &Kernels::copy},
    {[](Rop3 rop) { return !uses_source(rop) && !uses_destination(rop); }, &Kernels::fill},
    {[](Rop3 rop) { return !uses_destination(rop); }, &Kernels::map},
    {[](Rop3 rop) { return !uses_source(rop); }, &Kernels::modify},
    {[](Rop3) { return true; }, &Kernels::rop3},
};

SpanKernel choose(const Kernels& kernels, Rop3 rop) {
    const Choice* choice = choices;
    while (!choice->fits(rop))
        choice++;
    return kernels.*choice->kernel;
}

bool is_argb(const Format& format) {
    return format == formats::a8r8g8b8;
}

bool is_aligned(const std::byte* pixels) {
    return reinterpret_cast<uintptr_t>(pixels) % alignof(uint32_t) == 0;
}

/// The pixel word repeated to 32 bits.
uint32_t repeated(const Format& format, uint32_t raw) {
    return format.bits == 8    ? (raw & 0xFF) * 0x01010101u
           : format.bits == 16 ? (raw & 0xFFFF) * 0x00010001u
                               : raw;
}

} // namespace

// ---- Preparation -------------------------------------------------------------

std::optional<Error> Blitter::prepare(Memory& memory, const Operation& operation) {
    rows_ = 0;
    row_bytes_ = 0;
    if (operation.rect.empty())
        return {};
    rop_ = operation.stages[0].rop;
    if (const auto error = make_surfaces(memory, operation))
        return error;
    rows_ = destination_->rows();
    row_bytes_ = destination_->row_bytes();
    width_ = uint32_t(operation.rect.width());
    choose_order();
    choose_kernels(operation);
    return {};
}

std::optional<Error> Blitter::make_surfaces(Memory& memory, const Operation& operation) {
    source_.reset();
    if (!operation.destination.format.valid())
        return Error::format;
    destination_ = Surface::make(memory, operation.destination, operation.rect);
    if (!destination_)
        return Error::destination_extent;
    const Source& source = operation.stages[0].source;
    if (!uses_source(rop_))
        return {};
    if (source.kind != Source::Kind::rgb || !source.surface[0].format.valid())
        return Error::format;
    source_ = Surface::make(memory, source.surface[0],
                            PlacedRows::touched(source.placement, operation.rect));
    if (!source_)
        return Error::source_extent;
    return {};
}

/// See Operation for what is promised. Rows of equal stride that do not overlap
/// each other keep their distance to the source: walking away from the source
/// never overwrites a row that is still to be read, and a row that is at least
/// its own length away is not its own source.
void Blitter::choose_order() {
    const Surface& d = *destination_;
    bottom_up_ = staged_ = long_row_ = overlap_ = false;
    if (!source_) {
        long_row_ = d.gapless();
        return;
    }
    const Surface& s = *source_;
    staged_ = s.format() != d.format();
    if (d.row(0) < s.end() && s.row(0) < d.end()) {
        overlap_ = true;
        const bool memmove_like =
            !staged_ && s.stride() == d.stride() && d.stride() >= d.row_bytes();
        bottom_up_ = memmove_like && d.row(0) > s.row(0);
        const uint64_t distance =
            bottom_up_ ? d.row(0) - s.row(0) : s.row(0) - d.row(0); // only if memmove_like
        staged_ |= !memmove_like || distance < d.row_bytes();
    } else {
        long_row_ = !staged_ && d.gapless() && s.gapless();
    }
}

void Blitter::choose_kernels(const Operation& operation) {
    const Format& to = destination_->format();
    const bool raw = !source_ || source_->format() == to;
    const uint32_t colour = operation.brush(0);
    terms_ = RopTerms::of(rop_, raw ? repeated(to, colour) : colour);
    combine_ = rop_ == rop_nothing ? nullptr : choose(*kernels_, rop_);
    reads_destination_ = uses_destination(rop_);
    if (!staged_)
        return;
    const Format& from = source_->format();
    source_codec_ = Codec(from);
    destination_codec_ = Codec(to);
    fetch_source_ = raw ? kernels_->fetch_raw[size_index(from)] : kernels_->unpack(from);
    fetch_destination_ = raw ? kernels_->fetch_raw[size_index(to)] : kernels_->unpack(to);
    store_ = raw ? kernels_->store_raw[size_index(to)] : kernels_->pack(to);
    source_row_.resize(std::max<size_t>(source_row_.size(), width_));
    destination_row_.resize(std::max<size_t>(destination_row_.size(), width_));
    bytes_.resize(std::max({bytes_.size(), source_->row_bytes(), row_bytes_}));
}

// ---- Drawing -----------------------------------------------------------------

Progress Blitter::run(uint32_t first, uint32_t count) {
    first = std::min(first, rows_);
    count = std::min(count, rows_ - first);
    if (!count || !combine_)
        return {count, false};
    const uint32_t end_row = bottom_up_ ? 0 : first + count;
    destination_->open(Access::write, end_row);
    if (source_)
        source_->open(Access::read, end_row);
    const Progress progress = run_rows(first, count);
    destination_->close();
    return progress;
}

Progress Blitter::run_rows(uint32_t first, uint32_t count) {
    const auto from = [&](uint32_t row) { return source_ ? source_->row(row) : 0; };
    if (long_row_) {
        const uint64_t drawn =
            draw_direct(destination_->row(first), from(first), count * row_bytes_);
        const auto rows = uint32_t(drawn / row_bytes_);
        return {rows, rows < count};
    }
    for (uint32_t done = 0; done < count;) {
        const uint32_t row = bottom_up_ ? rows_ - 1 - first - done : first + done;
        const uint32_t band = staged_ || bottom_up_ ? 0 : draw_band(row, count - done);
        done += band;
        if (band)
            continue;
        const uint64_t to = destination_->row(row);
        const bool drawn = staged_ ? draw_staged(to, from(row))
                                   : draw_direct(to, from(row), row_bytes_) == row_bytes_;
        if (!drawn)
            return {done, true};
        done++;
    }
    return {count, false};
}

/// Draws the rows from `row` on, at most `rows`, whose pixels lie in one run of
/// memory each for source and destination. Returns how many these are.
uint32_t Blitter::draw_band(uint32_t row, uint32_t rows) {
    Surface::Band s{nullptr, rows};
    if (source_)
        s = source_->band(row, rows);
    if (!s.rows)
        return 0;
    const uint64_t source_stride = source_ ? source_->stride() : 0;
    const Surface::Band d = destination_->band(row, s.rows);
    for (uint32_t i = 0; i < d.rows; i++) {
        combine_(terms_, d.host + i * uint64_t(destination_->stride()), s.host + i * source_stride,
                 row_bytes_);
        destination_->wrote(destination_->row(row + i), row_bytes_);
    }
    return d.rows;
}

/// Works on pixels where they are, from one run of memory to another. Returns
/// how many bytes it came until something faulted.
uint64_t Blitter::draw_direct(uint64_t to, uint64_t from, uint64_t length) {
    uint64_t done = 0;
    while (done < length) {
        Run s;
        uint64_t step = length - done;
        if (source_) {
            s = source_->at(from + done, step);
            if (s.mapping == Mapping::fault)
                break;
            step = s.length;
        }
        const Run d = destination_->at(to + done, step);
        if (d.mapping == Mapping::fault)
            break;
        step = d.length;
        if (d.mapping == Mapping::host) {
            const RopTerms terms = terms_.later(done);
            if (source_ && s.mapping == Mapping::hole)
                kernels_->modify(terms.with_source(s.hole_value * 0x01010101u), d.host, nullptr,
                                 step);
            else
                combine_(terms, d.host, s.host, step);
            destination_->wrote(to + done, step);
        }
        done += step;
    }
    return done;
}

/// Fetches a row of working values, combines, and stores it: any operation, and
/// no source pixel of the row is read after one was written. False on a fault.
bool Blitter::draw_staged(uint64_t to, uint64_t from) {
    const std::byte* pixels = source_->gather(from, source_->row_bytes(), bytes_.data());
    if (!pixels)
        return false;
    // Where memory holds working values, they need not be copied to be worked with.
    const bool ready =
        !overlap_ && is_argb(source_->format()) && pixels != bytes_.data() && is_aligned(pixels);
    if (combine_ == kernels_->copy && !ready && !overlap_ && is_argb(destination_->format())) {
        const Run run = destination_->at(to, row_bytes_);
        if (run.mapping == Mapping::host && run.length == row_bytes_ && is_aligned(run.host)) {
            fetch_source_(source_codec_, reinterpret_cast<uint32_t*>(run.host), pixels, width_);
            destination_->wrote(to, row_bytes_);
            return true;
        }
    }
    if (!ready)
        fetch_source_(source_codec_, source_row_.data(), pixels, width_);

    const uint32_t* result = ready ? reinterpret_cast<const uint32_t*>(pixels) : source_row_.data();
    if (combine_ != kernels_->copy) {
        if (reads_destination_) {
            pixels = destination_->gather(to, row_bytes_, bytes_.data());
            if (!pixels)
                return false;
            fetch_destination_(destination_codec_, destination_row_.data(), pixels, width_);
        }
        combine_(terms_, reinterpret_cast<std::byte*>(destination_row_.data()),
                 reinterpret_cast<const std::byte*>(result), width_ * sizeof(uint32_t));
        result = destination_row_.data();
    }

    const Run run = destination_->at(to, row_bytes_);
    if (run.mapping == Mapping::host && run.length == row_bytes_) {
        store_(destination_codec_, run.host, result, width_);
        destination_->wrote(to, row_bytes_);
        return true;
    }
    store_(destination_codec_, bytes_.data(), result, width_);
    return destination_->scatter(to, row_bytes_, bytes_.data());
}

} // namespace pixmill::render
