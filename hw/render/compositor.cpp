// SPDX-License-Identifier: GPL-2.0-or-later
#include "compositor.hpp"

#include <algorithm>
#include <cstring>

namespace pixmill::render {

using Kind = Source::Kind;

namespace {

/// Pixels per block: few enough that the block's rows of working values fit in the L1 cache. A
/// multiple of the brush width and of the width of chroma cells.
constexpr uint32_t block_width = 512;

/// Rows per strip when transposing in memory: the number of pixels read from a source row.
constexpr uint32_t turned_strip = 512;

/// Maximum number of pages that a block with scattered pixels accesses: 3 MB of work if each needs
/// a page walk, and twice that if each pixel crosses a page boundary.
constexpr uint64_t most_pages = 320;

/// Maximum number of runs of a line that are drawn together because they share chroma.
constexpr uint32_t joined_runs = 4;

/// Maximum work for a one-pixel column of the rows drawn together.
constexpr uint64_t most_column = 0x100000;

/// Cost of storing a pixel of staged rows if memory is fragmented.
constexpr uint64_t stored_cost = 96;

/// Address range [begin, end) of a rectangle of a surface.
struct Extent {
    int64_t begin, end;
};

/// Saturating sum. Surfaces are not validated yet, so sums may overflow.
int64_t sum(int64_t a, int64_t b) {
    int64_t result;
    if (__builtin_add_overflow(a, b, &result))
        return a < 0 ? INT64_MIN : INT64_MAX;
    return result;
}

Extent extent(const SurfaceDesc& s, const Rect& rect, uint64_t base) {
    // The blocks of the tiling that contain the rectangle. A block is contiguous in memory.
    const BlockSize block = block_size(s.tiling);
    const int log_rows = block.log_height - has_halves(s.tiling); // of one half
    const int64_t bytes = int64_t(s.format.bytes()) << (block.log_width + log_rows);
    const auto at = [&](int64_t column, int64_t row) {
        int64_t rows;
        if (__builtin_mul_overflow(row, int64_t(s.stride) << log_rows, &rows))
            rows = row < 0 ? INT64_MIN : INT64_MAX;
        return sum(sum(rows, int64_t(base)), column * bytes);
    };
    const int64_t begin = at(rect.left >> block.log_width, rect.top >> block.log_height);
    const int64_t end =
        at(((rect.right - 1) >> block.log_width) + 1, (rect.bottom - 1) >> block.log_height);
    return {begin & ~int64_t(s.swap), sum(end, s.swap)};
}

/// Returns the surface pixels that hold data of the image pixels `touched`: components at full
/// resolution, and components subsampled by the shifts.
Rect held(const Rect& touched, int x_shift, int y_shift) {
    return {std::min(touched.left, touched.left >> x_shift),
            std::min(touched.top, touched.top >> y_shift),
            std::max(touched.right, ((touched.right - 1) >> x_shift) + 1),
            std::max(touched.bottom, ((touched.bottom - 1) >> y_shift) + 1)};
}

/// Calls visit() with the extent of a surface and with that of its second half, until one call
/// returns true.
template<class Visit>
bool any_half(const SurfaceDesc& s, const Rect& touched, int x_shift, int y_shift, Visit visit) {
    const Rect rect = held(touched, x_shift, y_shift);
    return visit(extent(s, rect, s.base)) ||
           (has_halves(s.tiling) && visit(extent(s, rect, s.second_base)));
}

/// True if a row of the rectangle, or of the blocks that contain it, reaches into the next row.
bool overlap_within(const SurfaceDesc& s, const Rect& rect) {
    const unsigned log_width = block_size(s.tiling).log_width;
    const int64_t blocks = ((rect.right - 1) >> log_width) + 1 - (rect.left >> log_width);
    return s.stride < (uint64_t(blocks) << log_width) * s.format.bytes();
}

} // namespace

// ---- Preparation -------------------------------------------------------------

std::optional<Error> Compositor::prepare(Memory& memory, const Operation& operation) {
    op_ = &operation;
    memory_ = &memory;
    rows_ = 0;
    turns_ = false;
    if (operation.rect.empty())
        return {};
    if (operation.rect.width() > Surface::max_width)
        return Error::destination_extent;
    raw_ = operation.raw();
    choose_order();
    if (const auto error = target_.prepare(memory, *kernels_, operation, block_width_))
        return error;
    reads_destination_ = reads_pattern_ = destination_key_ = false;
    writes_all_ = operation.stage_count > 1;
    nothing_ = false;
    for (unsigned i = 0; i < operation.stage_count; i++) {
        if (!layers_[i])
            layers_[i] = std::make_unique<Layer>();
        if (const auto error = prepare_layer(memory, *layers_[i], operation.stages[i]))
            return error;
    }
    reads_destination_ |= writes_all_;
    const Layer& only = *layers_[0];
    passes_ =
        raw_ && only.reads_source && only.rop == copy_source && !only.transparency && !overlap_;
    turns_ = passes_ && block_rows_ > 1 && only.rows.turns() && operation.destination.linear() &&
             only.stage->source.surface[0].linear();
    for (auto* row : {&destination_, &destination_words_, &source_, &source_words_, &out_, &opaque_,
                      &background_, &pattern_row_, &transparent_, &zero_})
        row->resize(std::max<size_t>(row->size(), block_width_));
    if (reads_pattern_)
        prepare_pattern();
    masked_ = !writes_all_ && only.transparency && !only.transparent_rop;
    prepare_stage();
    pixel_cost_ = composed_cost(operation, joined_rows());
    const auto affordable = [&](uint32_t rows) {
        const uint64_t pages = std::max<uint64_t>(pages_of_columns(operation, rows), 1);
        return std::max<uint64_t>(most_pages * cost_columns / pages, 1);
    };
    const uint64_t most_rows = std::max<uint64_t>(most_column / pixel_cost_, 1);
    block_rows_ = uint32_t(std::min({uint64_t(block_rows_), most_rows, affordable(1)}));
    widest_block_ = uint32_t(affordable(joined_rows()));
    rows_ = operation.line ? 1 : uint32_t(operation.rect.height());
    return {};
}

void Compositor::prepare_stage() {
    staged_.valid = false;
    if (!stages_)
        return;
    const size_t pixels = size_t(op_->rect.width()) * cell_rows(*op_);
    staged_.values.resize(std::max(staged_.values.size(), pixels));
    if (masked_)
        staged_.transparent.resize(std::max(staged_.transparent.size(), pixels));
}

uint64_t Compositor::row_work() const {
    const auto width = uint64_t(op_->rect.width());
    if (op_->line)
        return uint64_t(op_->line->length()) * (line_step_cost + pixel_cost_) + line_run_cost;
    return row_cost + width * (turns_ ? turned_cost(*op_) : pixel_cost_);
}

std::optional<Error> Compositor::prepare_layer(Memory& memory, Layer& layer, const Stage& stage) {
    layer.stage = &stage;
    layer.reads_source = needs_source(stage);
    layer.reads_pattern = needs_pattern(stage);
    layer.transparency = has_transparency(stage);
    choose_rops(layer);
    reads_destination_ |= needs_destination(stage);
    reads_pattern_ |= layer.reads_pattern;
    destination_key_ |= stage.destination_key.has_value();
    if (!layer.reads_source)
        return {};
    const Source& source = stage.source;
    const Rect touched = PlacedRows::touched(source.placement, op_->rect);
    RowSource* rows = &layer.texels;
    if (source.filter)
        rows = &layer.filter;
    const auto error = source.filter ? layer.filter.prepare(memory, *kernels_, source, touched)
                                     : layer.texels.prepare(memory, *kernels_, source, touched);
    if (error)
        return error;
    layer.rows.prepare(*kernels_, *rows, source.placement, op_->rect, block_width_, joined_rows());
    return {};
}

/// Removes raster operations that keep the destination, if such pixels need not be written.
void Compositor::choose_rops(Layer& layer) {
    const Stage& stage = *layer.stage;
    layer.rop = stage.rop;
    layer.transparent_rop = stage.transparent_rop;
    layer.inverted = false;
    if (stage.blend || !layer.transparency)
        layer.transparent_rop.reset();
    if (!writes_all_ && !stage.blend) {
        if (layer.transparent_rop == keep_destination)
            layer.transparent_rop.reset();
        if (layer.rop == keep_destination) {
            layer.inverted = layer.transparent_rop.has_value();
            nothing_ = !layer.inverted;
            layer.rop = layer.transparent_rop.value_or(keep_destination);
            layer.transparent_rop.reset();
        }
    }
    layer.rop_terms = RopPolynomial::of(layer.rop);
    layer.transparent_terms = RopPolynomial::of(layer.transparent_rop.value_or(keep_destination));
}

/// Converts the brush to working values.
void Compositor::prepare_pattern() {
    for (uint32_t row = 0; row < (op_->pattern.solid ? 1 : 8); row++)
        std::ranges::copy(op_->brush(row, raw_), pattern_.begin() + 8 * row);
    if (op_->pattern.solid)
        std::fill_n(pattern_row_.begin(), block_width_, pattern_[0]);
}

/// True if drawing may overwrite source pixels that have yet to be read.
bool Compositor::overlaps(const Source& source) const {
    if (op_->planar) // its planes may be anywhere
        return true;
    const bool yuv = source.kind == Kind::yuv;
    const int x_shift = source.kind == Kind::mono ? 3 : yuv, y_shift = yuv;
    const int64_t around = yuv ? 4 : 0; // pairs share chroma bytes
    const Rect touched = source.filter
                             ? PlacedRows::touched(source.filter->surface, source.filter->image)
                             : PlacedRows::touched(source.placement, op_->rect);
    const auto meets = [&](const Extent& from) {
        return any_half(op_->destination, op_->rect, 0, 0, [&](const Extent& to) {
            return sum(from.begin, -around) < to.end && to.begin < sum(from.end, around);
        });
    };
    for (unsigned i = 0; i < (yuv ? source.layout.planes : 1u); i++)
        if (any_half(source.surface[i], touched, x_shift, y_shift, meets))
            return true;
    return false;
}

void Compositor::choose_order() {
    const Rect& rect = op_->rect;
    block_rows_ = 1;
    bottom_up_ = overlap_ = whole_rows_ = false;
    for (unsigned i = 0; i < op_->stage_count; i++) {
        const Stage& stage = op_->stages[i];
        const Source& source = stage.source;
        if (!needs_source(stage))
            continue;
        const Placement& p = source.placement;
        overlap_ |= source.kind != Kind::stream && overlaps(source);
        whole_rows_ |= source.filter || !p.x.unit() || !p.y.unit();
        if (p.transpose)
            block_rows_ = PlacedRows::turned_rows;
    }
    const bool rows_overlap = overlap_within(op_->destination, rect);
    // Blocks of several rows would be wrong for lines, chroma cells, and rows that overlap.
    if (overlap_ || rows_overlap || op_->line || op_->planar)
        block_rows_ = 1;
    const auto width = uint32_t(rect.width());
    block_width_ = whole_rows_ ? width : std::min(width, block_width);
    bottom_up_ = moves_down();
    stages_ = !op_->line && (overlap_ || op_->planar);
}

/// True if each plane of the source is also a plane of the destination.
bool Compositor::is_same_surface(const Source& source) const {
    const bool yuv = source.kind == Kind::yuv;
    const uint32_t planes = yuv ? source.layout.planes : 1;
    if (yuv != op_->planar.has_value() || (yuv && op_->planar->layout.planes != planes))
        return false;
    for (uint32_t i = 0; i < planes; i++) {
        const SurfaceDesc& from = source.surface[i];
        const SurfaceDesc& to = i ? op_->planar->more[i - 1] : op_->destination;
        if (from.base != to.base || from.stride != to.stride || from.tiling != to.tiling ||
            from.swap != to.swap)
            return false;
    }
    return true;
}

/// True if rows are drawn from the bottom. See the overlap rules at Operation.
bool Compositor::moves_down() const {
    const Stage& stage = op_->stages[0];
    const Source& source = stage.source;
    const Placement& p = source.placement;
    if (op_->stage_count > 1 || op_->line || !needs_source(stage) || source.filter || p.transpose ||
        !p.x.unit() || !p.y.unit() || p.y.falling())
        return false;
    const SurfaceDesc &from = source.surface[0], &to = op_->destination;
    const bool yuv = source.kind == Kind::yuv && op_->to_yuv();
    const bool rgb = source.kind == Kind::rgb && !op_->planar && from.format == to.format;
    const Rect touched = PlacedRows::touched(p, op_->rect);
    if (rgb && from.linear() && to.linear())
        return overlap_ && from.stride == to.stride && !overlap_within(to, op_->rect) &&
               extent(to, op_->rect, to.base).begin > extent(from, touched, from.base).begin;
    return (yuv || rgb) && is_same_surface(source) && touched.top < op_->rect.top;
}

// ---- Drawing -----------------------------------------------------------------

void Compositor::open() {
    target_.open(!bottom_up_ && !op_->line);
    for (unsigned i = 0; i < op_->stage_count; i++) {
        Layer& layer = *layers_[i];
        if (!layer.reads_source)
            continue;
        if (layer.stage->source.filter)
            layer.filter.open();
        else
            layer.texels.open(!bottom_up_ && layer.rows.rising());
        layer.rows.forget();
    }
}

Progress Compositor::run(Reached from, uint32_t end, uint64_t work) {
    end = std::min(end, rows_);
    const uint32_t first = std::min(from.row, end);
    limit_ = work;
    spent_ = block_cost_ = 0;
    work_before_ = memory_->cost();
    Progress progress;
    if (first == end)
        return progress;
    if (nothing_ && !op_->line)
        return {end - first, false, 0, (end - first) * uint64_t(op_->rect.width()), row_cost};
    progress.column = from.column;
    open();
    if (op_->line)
        draw_line(progress);
    else
        draw_area(first, first + whole_cells(*op_, first, end - first, bottom_up_), progress);
    progress.faulted |= !target_.close();
    progress.work = spent();
    return progress;
}

void Compositor::draw_area(uint32_t first, uint32_t end, Progress& progress) {
    while (first + progress.rows < end) {
        const uint32_t row = first + progress.rows, left = end - row;
        const int32_t y = op_->rect.top + int32_t(bottom_up_ ? rows_ - 1 - row : row);
        uint32_t rows = progress.column ? 0 : turn_strip(y, left);
        if (rows) {
            progress.pixels += rows * uint64_t(op_->rect.width());
        } else {
            rows = rows_together(y, left);
            const int32_t top = bottom_up_ ? y - int32_t(rows - 1) : y;
            const bool drawn =
                stages_ ? draw_staged(row, top, rows, progress) : draw_strip(top, rows, progress);
            if (!drawn)
                return;
        }
        spent_ += rows * row_cost;
        progress.rows += rows;
        progress.column = 0;
        if (lacks_budget(rows))
            return;
    }
}

/// True if the remaining budget is too small for `rows` more rows, which must then not be started.
/// A row is split only if it alone exceeds the budget.
bool Compositor::lacks_budget(uint32_t rows) const {
    const uint64_t cost = turns_ ? turned_cost(*op_) : std::max(pixel_cost_, block_cost_);
    return left() < rows * cost * uint64_t(op_->rect.width());
}

uint64_t Compositor::left() const {
    return limit_ - std::min(limit_, spent());
}

/// Returns the width of the next block: as many columns as the budget allows. The estimate does not
/// include page walks, so the measured cost of the last block is used if it is higher.
uint32_t Compositor::block(uint32_t column, uint32_t rows) const {
    constexpr uint64_t least_pixels = 8;
    const auto width = uint32_t(op_->rect.width());
    uint32_t count = block_width_;
    if (block_width_ < width) // blocks are aligned to their width, for the brush
        count -= uint32_t(op_->rect.left + int32_t(column)) % block_width_;
    count = std::min(count, width - column);
    count = std::min(count, widest_block_);
    const uint64_t cost = rows * std::max(pixel_cost_, block_cost_), most = left();
    if (count * cost <= most)
        return count;
    const uint64_t least = std::max<uint64_t>(least_pixels / rows, 1);
    return uint32_t(std::min<uint64_t>(count, std::max(most / cost, least)));
}

/// Accounts for a block of `pixels` pixels. `before` is what spent() returned before the block.
void Compositor::note_block(uint64_t pixels, uint64_t before) {
    spent_ += pixels * pixel_cost_;
    block_cost_ = (spent() - before) / pixels;
}

/// Draws rows in blocks. Returns false if they are not finished.
bool Compositor::draw_strip(int32_t y, uint32_t rows, Progress& progress) {
    const auto width = uint32_t(op_->rect.width());
    for (uint32_t& column = progress.column; column < width;) {
        if (is_over())
            return false;
        const uint32_t count = block(column, rows);
        const uint64_t before = spent();
        if (!draw_block(op_->rect.left + int32_t(column), y, count, rows)) {
            progress.faulted = true;
            return false;
        }
        column += count;
        progress.pixels += uint64_t(count) * rows;
        note_block(uint64_t(count) * rows, before);
    }
    return true;
}

/// Composes rows in blocks, then stores all of them. Returns false if they are not finished.
bool Compositor::draw_staged(uint32_t row, int32_t y, uint32_t rows, Progress& progress) {
    const auto width = uint32_t(op_->rect.width());
    progress.column = 0;
    if (!staged_.valid || staged_.row != row)
        staged_.columns = 0;
    staged_.valid = true;
    staged_.row = row;
    while (staged_.columns < width) {
        if (is_over())
            return false;
        const uint32_t count = block(staged_.columns, rows);
        const uint64_t before = spent();
        if (!compose_block(staged_.columns, y, count, rows)) {
            progress.faulted = true;
            return false;
        }
        staged_.columns += count;
        note_block(uint64_t(count) * rows, before);
    }
    if (spent_ && left() < uint64_t(width) * rows * stored_cost)
        return false; // too little budget left to store all rows
    staged_.valid = false;
    progress.pixels += uint64_t(width) * rows;
    progress.faulted = !store_staged(y, rows);
    return !progress.faulted;
}

bool Compositor::compose_block(uint32_t column, int32_t y, uint32_t count, uint32_t rows) {
    const int32_t x = op_->rect.left + int32_t(column);
    if (!target_.begin_row(y) || !fetch(x, y, count, rows, true))
        return false;
    for (uint32_t r = 0; r < rows; r++) {
        const size_t at = size_t(r) * size_t(op_->rect.width()) + column;
        uint32_t* const place = staged_.values.data() + at;
        if (!fetch(x, y + int32_t(r), count, 1, false))
            return false;
        const uint32_t* const values = compose(x, y + int32_t(r), count, r, nullptr, place);
        if (!values)
            return false;
        if (values != place)
            std::copy_n(values, count, place);
        if (masked_)
            std::copy_n(transparent_.data(), count, staged_.transparent.data() + at);
    }
    return true;
}

bool Compositor::store_staged(int32_t y, uint32_t rows) {
    const auto width = uint32_t(op_->rect.width());
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t column = 0; column < width; column += block_width_) {
            const size_t at = size_t(r) * width + column;
            if (!target_.store(op_->rect.left + int32_t(column), y + int32_t(r),
                               std::min(block_width_, width - column), staged_.values.data() + at,
                               masked_ ? staged_.transparent.data() + at : nullptr))
                return false;
        }
    return true;
}

/// Returns how many of the `rows` rows, starting at y in drawing order, are drawn together: all
/// rows of a cell if their sources must be read before the cell is written.
uint32_t Compositor::rows_together(int32_t y, uint32_t rows) const {
    if (!stages_ || cell_rows(*op_) == 1)
        return std::min(block_rows_, rows);
    const uint32_t cell = cell_rows(*op_), place = uint32_t(y) % cell;
    return std::min(bottom_up_ ? place + 1 : cell - place, rows);
}

/// Transposes at most `rows` rows from memory to memory. Returns the number of rows done, or 0 if
/// that is impossible.
uint32_t Compositor::turn_strip(int32_t y, uint32_t rows) {
    if (!turns_)
        return 0;
    const int32_t x = op_->rect.left;
    const auto width = uint32_t(op_->rect.width());
    rows = std::min(rows, turned_strip);
    const uint64_t fit = left() / (width * turned_cost(*op_));
    if (fit < rows)
        rows = std::max(
            uint32_t(fit - (fit > PlacedRows::turned_rows ? fit % PlacedRows::turned_rows : 0)),
            1u);
    size_t pitch;
    std::byte* const place = target_.block_in_place(x, y, width, rows, &pitch);
    if (!place || !layers_[0]->rows.turn_whole(x, y, width, rows, place, pitch))
        return 0;
    target_.stored_block_in_place(x, y, width, rows);
    spent_ += uint64_t(rows) * width * turned_cost(*op_);
    return rows;
}

bool Compositor::draw_block(int32_t x, int32_t y, uint32_t count, uint32_t rows) {
    if (overlap_ && !target_.begin_row(y))
        return false;
    if (!fetch(x, y, count, rows, true))
        return false;
    for (uint32_t r = 0; r < rows; r++)
        if (!fetch(x, y + int32_t(r), count, 1, false) || !draw_span(x, y + int32_t(r), count, r))
            return false;
    return true;
}

/// Fetches the pixels of all transposed sources or, if `transposed` is false, of all other sources.
bool Compositor::fetch(int32_t x, int32_t y, uint32_t count, uint32_t rows, bool transposed) {
    for (unsigned i = 0; i < op_->stage_count; i++) {
        Layer& layer = *layers_[i];
        if (!layer.reads_source || layer.stage->source.placement.transpose != transposed)
            continue;
        if (overlap_) {
            layer.rows.forget();
            if (layer.stage->source.filter)
                layer.filter.forget();
        }
        if (!layer.rows.fetch(x, y, count, rows))
            return false;
    }
    return true;
}

/// Draws the pixels of the line that are inside the rectangle, as runs within rows.
void Compositor::draw_line(Progress& progress) {
    const Line& line = *op_->line;
    const auto n = uint32_t(line.length());
    const int64_t longest = std::clamp(widest_block_ / joined_runs, 1u, block_width);
    int64_t begin = 0, end = 0, row = 0; // pending pixels: [begin, end) of `row`
    for (uint32_t i = progress.column; i < n; i++, spent_ += line_step_cost) {
        const auto [x, y] = line.at(i);
        const bool beside = begin < end && y == row && (x == end || x == begin - 1);
        const bool full = end - begin >= longest && starts_cell(i);
        if (!beside || full) {
            progress.column = i;
            if (!draw_line_run(begin, end, row, progress) || (is_over() && starts_cell(i)))
                return;
            begin = x;
            end = x + 1;
            row = y;
        }
        begin = std::min(begin, x);
        end = std::max(end, x + 1);
    }
    if (draw_line_run(begin, end, row, progress)) {
        progress.rows = 1;
        progress.column = 0;
    }
}

/// Returns false on a fault.
bool Compositor::draw_line_run(int64_t begin, int64_t end, int64_t row, Progress& progress) {
    const Rect& rect = op_->rect;
    const int64_t left = std::max<int64_t>(begin, rect.left);
    const int64_t right = std::min<int64_t>(end, rect.right);
    if (left >= right || row < rect.top || row >= rect.bottom)
        return true;
    progress.pixels += uint64_t(right - left);
    for (int64_t x = left; x < right && !nothing_; x += block_width_) {
        const auto count = uint32_t(std::min<int64_t>(block_width_, right - x));
        spent_ += line_run_cost + count * pixel_cost_;
        if (!draw_block(int32_t(x), int32_t(row), count, 1)) {
            progress.faulted = true;
            return false;
        }
    }
    return true;
}

/// True if the line enters a new chroma cell at `pixel` and never returns to the previous one.
bool Compositor::starts_cell(int64_t pixel) const {
    if (!op_->planar || !pixel)
        return true;
    const auto [x, y] = op_->line->at(pixel);
    const auto [old_x, old_y] = op_->line->at(pixel - 1);
    const PlaneLayout& layout = op_->planar->layout;
    return x >> layout.x_shift != old_x >> layout.x_shift ||
           y >> layout.y_shift != old_y >> layout.y_shift;
}

/// Applies all stages and returns the results, which may or may not be in `out`. Reads the
/// destination from `place` or, if that is null, from the target. Returns null on a fault.
const uint32_t* Compositor::compose(int32_t x, int32_t y, uint32_t count, uint32_t block_row,
                                    const uint32_t* place, uint32_t* out) {
    const uint32_t* values = place ? place : destination_.data();
    if (reads_destination_ && !place &&
        !target_.load(x, y, count, destination_.data(),
                      destination_key_ ? destination_words_.data() : nullptr))
        return nullptr;
    if (reads_pattern_)
        pattern_row(x, y, count);
    for (unsigned i = 0; i < op_->stage_count; i++) {
        if (values == source_.data()) { // the next source will overwrite this row
            std::copy_n(values, count, out);
            values = out;
        }
        values = apply(*layers_[i], i, x, y, count, block_row, values, out);
    }
    if (!op_->dither.enabled)
        return values;
    if (values != out)
        std::copy_n(values, count, out);
    dither(out, x, y, count);
    return out;
}

bool Compositor::draw_span(int32_t x, int32_t y, uint32_t count, uint32_t block_row) {
    const Layer& only = *layers_[0];
    if (passes_)
        return target_.store_pixels(x, y, count, only.rows[block_row]);
    uint32_t* const place =
        masked_ || only.transparent_rop || overlap_ || op_->dither.enabled || destination_key_
            ? nullptr
            : target_.in_place(x, y, count);
    const uint32_t* const values =
        compose(x, y, count, block_row, place, place ? place : out_.data());
    if (!values)
        return false;
    if (!place)
        return target_.store(x, y, count, values, masked_ ? transparent_.data() : nullptr);
    if (values != place)
        std::memcpy(place, values, size_t(count) * 4);
    target_.stored_in_place(x, y, count);
    return true;
}

/// Applies a layer to `destination`. Returns the result, in `out` or in an existing row.
const uint32_t* Compositor::apply(Layer& layer, unsigned index, int32_t x, int32_t y,
                                  uint32_t count, uint32_t block_row, const uint32_t* destination,
                                  uint32_t* out) {
    const Stage& stage = *layer.stage;
    // Transparent pixels that are written need the old destination, too.
    const bool keeps = layer.transparency && (writes_all_ || layer.transparent_rop);
    const bool passes = layer.rop == copy_source && !stage.blend && !keeps;
    const uint32_t* source = zero_.data();
    if (layer.reads_source)
        source = source_values(layer, block_row, count, passes ? out : source_.data());
    if (layer.transparency)
        find_transparent(layer, index, x, y, count, block_row, source, destination);
    uint32_t* const fresh = keeps ? opaque_.data() : out;
    const uint32_t* result;
    if (stage.blend) {
        kernels_->blend(*stage.blend, fresh, stage.blend_pattern ? pattern_row_.data() : source,
                        stage.destination_zero ? zero_.data() : destination, count);
        result = fresh;
    } else {
        result = combine(layer.rop, layer.rop_terms, fresh, destination, source, count);
    }
    if (!keeps)
        return result;
    const uint32_t* background = destination;
    if (layer.transparent_rop)
        background = combine(*layer.transparent_rop, layer.transparent_terms, background_.data(),
                             destination, source, count);
    kernels_->select(out, transparent_.data(), background, result, count);
    return out;
}

/// Applies a raster operation. If the result equals an operand, returns that operand without
/// copying it.
const uint32_t* Compositor::combine(Rop3 rop, const RopPolynomial& terms, uint32_t* out,
                                    const uint32_t* destination, const uint32_t* source,
                                    uint32_t count) {
    if (rop == copy_source)
        return source;
    if (rop == copy_pattern)
        return pattern_row_.data();
    if (rop == keep_destination)
        return destination;
    kernels_->rop_row(terms, out, destination, source, pattern_row_.data(), count);
    return out;
}

/// Returns the source's working values, in place or in `room`.
const uint32_t* Compositor::source_values(Layer& layer, uint32_t block_row, uint32_t count,
                                          uint32_t* room) {
    const Source& source = layer.stage->source;
    const std::byte* pixels = layer.rows[block_row];
    const bool convert = source.kind == Kind::yuv && source.convert;
    const bool ready =
        source.filter || (raw_ ? layer.texels.pixel_bytes() == 4 : layer.texels.decoded());
    const bool aligned = reinterpret_cast<uintptr_t>(pixels) % alignof(uint32_t) == 0;
    if (ready && aligned && !convert && !overlap_)
        return reinterpret_cast<const uint32_t*>(pixels);
    if (convert) // `room` may be guest memory, which must not show unconverted colors
        room = source_.data();
    if (ready)
        std::memcpy(room, pixels, size_t(count) * 4);
    else if (raw_)
        layer.texels.words(room, pixels, count);
    else
        layer.texels.decode(room, pixels, count);
    if (convert)
        kernels_->convert(source.matrix, room, count);
    return room;
}

// ---- Transparency ------------------------------------------------------------

void Compositor::find_key(const ColorKey& key, bool outside, const uint32_t* words,
                          uint32_t count) {
    kernels_->key[2](KeyTest(key), outside, reinterpret_cast<std::byte*>(transparent_.data()),
                     reinterpret_cast<const std::byte*>(words), count);
}

/// Sets transparent_ to all ones for pixels that a test of the stage makes transparent.
void Compositor::find_transparent(Layer& layer, unsigned index, int32_t x, int32_t y,
                                  uint32_t count, uint32_t block_row, const uint32_t* source,
                                  const uint32_t* destination) {
    const Stage& stage = *layer.stage;
    uint32_t* const t = transparent_.data();
    std::fill_n(t, count, 0);
    if (stage.source_key && layer.reads_source) {
        const Format& format = stage.source.surface[0].format;
        if (stage.source.filter && stage.source.kind == Kind::rgb)
            for (uint32_t i = 0; i < count; i++)
                source_words_[i] = render::pack(format, source[i]);
        else if (stage.source.filter)
            std::memcpy(source_words_.data(), layer.rows[block_row], size_t(count) * 4);
        else if (!raw_)
            layer.texels.words(source_words_.data(), layer.rows[block_row], count);
        find_key(*stage.source_key, false, raw_ ? source : source_words_.data(), count);
    }
    if (stage.destination_key) {
        if (index)
            target_.pack(destination_words_.data(), destination, count);
        find_key(*stage.destination_key, true, destination_words_.data(), count);
    }
    if (tests_bit(stage))
        kernels_->match(t, layer.rows[block_row], *stage.transparent_bit, count);
    if (stage.pattern_mask)
        for (uint32_t i = 0; i < count; i++)
            t[i] |= op_->pattern.opaque(x + int32_t(i), y) ? 0 : ~0u;
    if (stage.mask) {
        const Placement& p = stage.mask->placement;
        for (uint32_t i = 0; i < count; i++) {
            const int32_t at = x + int32_t(i);
            const bool bit =
                stage.mask->bits.at(uint32_t(p.source_x(at, y)), uint32_t(p.source_y(at, y)));
            t[i] |= bit ? 0 : ~0u;
        }
    }
    for (uint32_t i = 0; layer.inverted && i < count; i++)
        t[i] = ~t[i];
}

// ---- Brush and dither --------------------------------------------------------

void Compositor::pattern_row(int32_t x, int32_t y, uint32_t count) {
    if (op_->pattern.solid)
        return;
    const uint32_t* row = pattern_.data() + size_t(y & 7) * 8;
    for (uint32_t i = 0; i < std::min(count, 8u); i++)
        pattern_row_[i] = row[(uint32_t(x) + i) & 7];
    for (uint32_t done = 8; done < count; done *= 2)
        std::memcpy(&pattern_row_[done], pattern_row_.data(),
                    4 * size_t(std::min(done, count - done)));
}

void Compositor::dither(uint32_t* values, int32_t x, int32_t y, uint32_t count) const {
    const Format& f = op_->destination.format;
    DitherRow row{{f.blue.width, f.green.width, f.red.width, f.alpha.width}, {}};
    for (int32_t i = 0; i < 4; i++)
        row.thresholds[i] = op_->dither.at(x + i, y);
    kernels_->dither(row, values, count);
}

} // namespace pixmill::render
