// SPDX-License-Identifier: GPL-2.0-or-later
#include "map.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "kernels_inner.hpp"
#include "nema/rows/runs.hpp"

namespace pixmill::nema {

namespace {

constexpr uint64_t address_end = uint64_t(1) << 32;
constexpr uint32_t sixteenths = 16;
constexpr uint32_t alpha_bits = 0xFF000000;

/// The smallest addressable unit of a row of texels: a texel, a byte of packed texels, a pixel pair
/// or a block.
struct Cell {
    uint32_t texels, bytes;
};

constexpr Cell cell_of(const Format& format) {
    if (format.kind == Format::Kind::tsc)
        return {tsc_side, block_bytes(format.tsc)};
    if (format.kind == Format::Kind::uyvy)
        return {2, 4};
    return format.bits() < 8 ? Cell{8 / format.bits(), 1} : Cell{1, format.bits() / 8};
}

/// Spreads the bits of `value` to even positions.
constexpr uint64_t spread(uint32_t value) {
    uint64_t bits = value;
    bits = (bits | bits << 8) & 0x00FF00FF;
    bits = (bits | bits << 4) & 0x0F0F0F0F;
    bits = (bits | bits << 2) & 0x33333333;
    return (bits | bits << 1) & 0x55555555;
}

constexpr uint64_t morton_place(uint32_t x, uint32_t y) {
    return spread(x) | spread(y) << 1;
}

bool in_morton_order(const Texture& texture, const Format& format) {
    return texture_mode::morton(texture.mode) && format.kind == Format::Kind::words &&
           format.layout.valid() && std::has_single_bit(texture.width) &&
           std::has_single_bit(texture.height);
}

// ---- Wrapping ----------------------------------------------------------------

int32_t repeated(int32_t index, int32_t size) {
    if (std::has_single_bit(uint32_t(size)))
        return index & (size - 1);
    const int32_t rest = index % size;
    return rest < 0 ? rest + size : rest;
}

int32_t mirrored(int32_t index, int32_t size) {
    const int32_t place = repeated(index, 2 * size);
    return place < size ? place : 2 * size - 1 - place;
}

/// Splits sixteenths into whole texels and a fraction.
void split(int32_t* __restrict place, int32_t* __restrict fraction, size_t count) {
    static_assert(sixteenths == 1 << 4);
    for (size_t i = 0; i < count; i++) {
        fraction[i] = place[i] & (sixteenths - 1);
        place[i] >>= 4;
    }
}

void add_one(int32_t* __restrict to, const int32_t* index, size_t count) {
    for (size_t i = 0; i < count; i++)
        to[i] = index[i] + 1;
}

/// True if all elements of `index` are in [0, size).
bool inside(const int32_t* index, uint32_t size, size_t count) {
    const int32_t last = int32_t(size) - 1;
    int32_t signs = 0;
    for (size_t i = 0; i < count; i++)
        signs |= index[i] | (last - index[i]);
    return signs >= 0;
}

// ---- Words of texels ---------------------------------------------------------

/// Loads texel x of `row`. Texels have `Size` bits.
template<uint32_t Size>
uint32_t load(const std::byte* row, uint32_t x) {
    if constexpr (Size == 24) {
        row += 3 * size_t(x);
        return uint32_t(row[0]) | uint32_t(row[1]) << 8 | uint32_t(row[2]) << 16;
    } else {
        std::conditional_t<Size == 8, uint8_t, std::conditional_t<Size == 16, uint16_t, uint32_t>>
            word;
        std::memcpy(&word, row + sizeof word * x, sizeof word);
        return word;
    }
}

template<uint32_t Size, bool FirstOnTop>
uint32_t load_part(const std::byte* row, uint32_t x) {
    constexpr uint32_t per_byte = 8 / Size, turn = FirstOnTop ? per_byte - 1 : 0;
    return uint32_t(row[x / per_byte]) >> ((x % per_byte) ^ turn) * Size & ((1u << Size) - 1);
}

uint32_t load_uyvy(const std::byte* row, uint32_t x) {
    return uyvy_word(row + x / 2 * size_t(4), x % 2);
}

struct Picture {
    const std::byte* base;
    ptrdiff_t stride;
};
using Gather = void (*)(const Picture& picture, const int32_t* x, const int32_t* y, uint32_t* to,
                        size_t count);

template<auto Load>
void gather(const Picture& picture, const int32_t* x, const int32_t* y, uint32_t* to,
            size_t count) {
    const Picture p = picture;
    for (size_t i = 0; i < count; i++)
        to[i] = Load(p.base + y[i] * p.stride, uint32_t(x[i]));
}

template<auto Load>
void gather_morton(const Picture& picture, const int32_t* x, const int32_t* y, uint32_t* to,
                   size_t count) {
    for (size_t i = 0; i < count; i++)
        to[i] = Load(picture.base, uint32_t(morton_place(uint32_t(x[i]), uint32_t(y[i]))));
}

/// Gathers the words of texels (x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1).
using GatherSquares = void (*)(const Picture& picture, const int32_t* x, const int32_t* y,
                               uint32_t* const (&to)[4], size_t count);

template<auto Load>
void gather_squares(const Picture& picture, const int32_t* x, const int32_t* y,
                    uint32_t* const (&to)[4], size_t count) {
    const Picture p = picture;
    uint32_t* const corner[4] = {to[0], to[1], to[2], to[3]};
    for (size_t i = 0; i < count; i++) {
        const std::byte* const row = p.base + y[i] * p.stride;
        const auto column = uint32_t(x[i]);
        corner[0][i] = Load(row, column);
        corner[1][i] = Load(row, column + 1);
        corner[2][i] = Load(row + p.stride, column);
        corner[3][i] = Load(row + p.stride, column + 1);
    }
}

} // namespace

/// Functions that load texel words of `bits` bits.
struct Loader {
    uint32_t bits;
    bool first_on_top;
    Gather gather;
    GatherSquares gather_squares;
    uint32_t (*one)(const std::byte* row, uint32_t x);
};
namespace {

template<uint32_t Size>
constexpr Loader bytes{Size, false, gather<load<Size>>, gather_squares<load<Size>>, load<Size>};
template<uint32_t Size, bool FirstOnTop>
constexpr Loader part{Size, FirstOnTop, gather<load_part<Size, FirstOnTop>>,
                      gather_squares<load_part<Size, FirstOnTop>>, load_part<Size, FirstOnTop>};
constexpr Loader loaders[] = {
    part<1, false>, part<2, false>, part<4, false>, part<1, true>, part<2, true>,
    part<4, true>,  bytes<8>,       bytes<16>,      bytes<24>,     bytes<32>,
};
constexpr Loader uyvy_loader{16, false, gather<load_uyvy>, gather_squares<load_uyvy>, load_uyvy};

const Loader& loader_of(const Format& format) {
    if (format.kind == Format::Kind::uyvy)
        return uyvy_loader;
    return *std::find_if(std::begin(loaders), std::end(loaders), [&](const Loader& loader) {
        return loader.bits == format.bits() && loader.first_on_top == format.first_on_top;
    });
}

/// True if each channel is either a whole byte or absent, so that words can be blended without
/// unpacking.
bool bytewise(const Format& format) {
    const auto is_byte = [](render::Channel c) {
        return c.width == 0 || (c.width == 8 && c.shift % 8 == 0);
    };
    const render::Format& l = format.layout;
    return format.kind == Format::Kind::words && is_byte(l.alpha) && is_byte(l.red) &&
           is_byte(l.green) && is_byte(l.blue);
}

constexpr double exact_end = 1 << 20;

/// True if adding `offset` to a pixel coordinate is exact: the offset is small, and a multiple of
/// 2^-28.
bool adds_exactly(double offset) {
    const double units = offset * 0x1p28; // exact
    return std::abs(offset) < exact_end && units == double(int64_t(units));
}

} // namespace

// ---- Coordinates -------------------------------------------------------------

Coordinates::Coordinates(const std::array<float, 9>& matrix, uint32_t matmult) {
    constexpr double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    auto& m = matrix_.m;
    if (mat_mcl::bypass(matmult)) {
        std::copy(std::begin(identity), std::end(identity), m);
        matrix_.half = 0;
        matrix_.divides = false;
    } else {
        std::copy(matrix.begin(), matrix.end(), m);
        matrix_.half = mat_mcl::no_half_pixel(matmult) ? 0 : 0.5;
        matrix_.divides =
            !mat_mcl::no_perspective(matmult) && !(m[6] == 0 && m[7] == 0 && m[8] == 1);
    }
    translates_ = !matrix_.divides && m[0] == 1 && m[1] == 0 && m[3] == 0 && m[4] == 1 &&
                  adds_exactly(m[2]) && adds_exactly(m[5]);
}

void Coordinates::row(int32_t x, int32_t y, double* tx, double* ty, size_t count) const {
    if (count == 1) // avoids the cost of an indirect call
        inner::coordinates(matrix_, x, y, tx, ty, 1);
    else
        texel_kernels().coordinates(matrix_, x, y, tx, ty, count);
}

// ---- Opening -----------------------------------------------------------------

void TextureMap::open(const Texture& texture, Memory& memory) {
    texture_ = texture;
    texture_.width = std::max(texture.width, 1u);
    texture_.height = std::max(texture.height, 1u);
    memory_ = &memory;
    format_ = find_format(texture.format);
    faulted_ = false;
    host_ = nullptr;
    span_ = {};
    pitch_ = 0;
    keeps_color_ = false;
    forget();

    const bool bilinear = texture_mode::bilinear(texture.mode);
    const double shift = bilinear ? 0.5 : 0, steps = bilinear ? sixteenths : 1;
    const bool unit = texture_mode::unit_range(texture.mode);
    const double width = texture_.width, height = texture_.height;
    axis_x_ = {unit ? width : 1, width, shift, steps, false};
    axis_y_ = {unit ? height : 1, height, shift, steps,
               bool(texture_mode::left_handed(texture.mode))};
    if (!format_)
        return;
    keeps_color_ = format_->alpha_only() && bilinear && texture_.wrap() == Texture::Wrap::border;
    morton_ = in_morton_order(texture_, *format_);
    bytewise_ = bytewise(*format_);
    find_extent();
    if (format_->kind == Format::Kind::tsc)
        return;
    loader_ = &loader_of(*format_);
    if (!morton_ && extent_.size() < address_end)
        if (const std::byte* const host =
                memory.map_contiguous(extent_.begin(), extent_.size(), Access::read))
            host_ = host + (texture_.base - extent_.begin());
    const bool whole_pitch = 8 * texture_.stride % int32_t(format_->bits()) == 0;
    if (host_ && texture_.stride > 0 && format_->kind == Format::Kind::words && whole_pitch)
        pitch_ = 8 * uint32_t(texture_.stride) / format_->bits();
}

void TextureMap::find_extent() {
    const Cell cell = cell_of(*format_);
    int64_t first = texture_.base, end = first;
    if (morton_) {
        end += int64_t(morton_place(texture_.width - 1, texture_.height - 1) + 1) * cell.bytes;
    } else {
        const bool blocks = format_->kind == Format::Kind::tsc;
        const int64_t rows = blocks ? (texture_.height + tsc_side - 1) / tsc_side : texture_.height;
        const int64_t last = (rows - 1) * texture_.stride;
        first += std::min<int64_t>(last, 0);
        end += std::max<int64_t>(last, 0) +
               int64_t((texture_.width + cell.texels - 1) / cell.texels) * cell.bytes;
    }
    const bool wraps = first < 0 || end > int64_t(address_end);
    extent_ = wraps ? ByteRange::between(0, address_end)
                    : ByteRange::between(uint64_t(first), uint64_t(end));
}

void TextureMap::forget() {
    if (!format_ || format_->kind != Format::Kind::tsc)
        return;
    for (Block& block : blocks_)
        block.address = no_address;
}

// ---- Memory ------------------------------------------------------------------

/// Maps the rest of the texture, or only `wanted` bytes if each mapping is an access.
void TextureMap::map(uint64_t address, uint64_t wanted) {
    span_address_ = address;
    const uint64_t length =
        memory_->watched() ? wanted : std::max(extent_.end(), address + 1) - address;
    if (!faulted_)
        span_ = memory_->map(address, length, Access::read);
    faulted_ |= span_.mapping == Mapping::fault;
    if (faulted_)
        span_ = {Mapping::hole, 0, nullptr, length};
}

void TextureMap::read(uint64_t address, std::byte* to, size_t length) {
    while (length) {
        address %= address_end;
        if (address - span_address_ >= span_.length)
            map(address, length);
        const uint64_t offset = address - span_address_;
        const auto n = size_t(std::min<uint64_t>(length, span_.length - offset));
        if (span_.mapping == Mapping::host)
            std::memcpy(to, span_.host + offset, n);
        else
            std::memset(to, span_.hole_value, n);
        address += n;
        to += n;
        length -= n;
    }
}

/// Returns the address of the cell that holds texel (x, y).
uint64_t TextureMap::address(uint32_t x, uint32_t y) const {
    const Cell cell = cell_of(*format_);
    if (morton_)
        return texture_.base + morton_place(x, y) * cell.bytes;
    const uint32_t row = format_->kind == Format::Kind::tsc ? y / tsc_side : y;
    return (texture_.base + uint64_t(int64_t(row) * texture_.stride) +
            uint64_t(x / cell.texels) * cell.bytes) %
           address_end;
}

uint32_t TextureMap::word(uint32_t x, uint32_t y) {
    const Cell cell = cell_of(*format_);
    std::byte bytes[4] = {};
    read(address(x, y), bytes, cell.bytes);
    return loader_->one(bytes, x % cell.texels);
}

uint32_t TextureMap::block_texel(uint32_t x, uint32_t y) {
    // Neighboring rows and columns of blocks use different cache entries.
    const uint32_t place = x / tsc_side + 37 * (y / tsc_side);
    const uint64_t where = address(x, y);
    Block& block = blocks_[place % blocks_.size()];
    if (block.address != where) {
        std::byte bytes[12] = {};
        read(where, bytes, block_bytes(format_->tsc));
        decode(format_->tsc, bytes, block.texel);
        block.address = where;
    }
    return block.texel[y % tsc_side * tsc_side + x % tsc_side];
}

void TextureMap::texels(const int32_t* x, const int32_t* y, uint32_t* to, size_t count) {
    if (!format_)
        return void(std::fill_n(to, count, unknown_texel));
    if (format_->kind == Format::Kind::tsc) {
        for (size_t i = 0; i < count; i++)
            to[i] = block_texel(uint32_t(x[i]), uint32_t(y[i]));
        return;
    }
    if (host_)
        loader_->gather({host_, texture_.stride}, x, y, words_.data(), count);
    else
        for (size_t i = 0; i < count; i++)
            words_[i] = word(uint32_t(x[i]), uint32_t(y[i]));
    unpack(*format_, texture_.color, to, words_.data(), count);
}

/// Fetches `count` texels from (x, y) on. All must be inside the surface.
void TextureMap::contiguous(uint32_t x, uint32_t y, uint32_t* to, size_t count) {
    if (host_)
        return nema::fetch(*format_, texture_.color, to, host_ + y * ptrdiff_t(texture_.stride), x,
                           count);
    Piece<int32_t> column, row;
    row.fill(int32_t(y));
    for (size_t done = 0; done < count; done += piece) {
        const size_t n = std::min(piece, count - done);
        for (size_t i = 0; i < n; i++)
            column[i] = int32_t(x + done + i);
        texels(column.data(), row.data(), to + done, n);
    }
}

// ---- Wrapping ----------------------------------------------------------------

void TextureMap::wrap(const Piece<int32_t>& index, uint32_t texels_along, Wrapped& to,
                      size_t count) const {
    const auto size = int32_t(texels_along);
    for (size_t i = 0; i < count; i++)
        to.index[i] = std::min(std::max(index[i], 0), size - 1);
    switch (texture_.wrap()) {
    case Texture::Wrap::clamp:
        break;
    case Texture::Wrap::border:
        for (size_t i = 0; i < count; i++)
            to.keeps[i] = to.index[i] == index[i] ? ~0u : 0;
        break;
    case Texture::Wrap::repeat:
        for (size_t i = 0; i < count; i++)
            to.index[i] = repeated(index[i], size);
        break;
    case Texture::Wrap::mirror:
        for (size_t i = 0; i < count; i++)
            to.index[i] = mirrored(index[i], size);
        break;
    }
}

void TextureMap::wrapped_texels(const Wrapped& x, const Wrapped& y, uint32_t* to, size_t count) {
    if (texture_.wrap() != Texture::Wrap::border)
        return texels(x.index.data(), y.index.data(), to, count);
    std::fill_n(to, count, 0);
    each_run(
        count, [&](size_t i) { return x.keeps[i] & y.keeps[i]; },
        [&](size_t first, size_t n) { texels(&x.index[first], &y.index[first], to + first, n); });
}

// ---- Texels at coordinates ---------------------------------------------------

void TextureMap::point(uint32_t* to, size_t count) {
    if (inside(x_.data(), texture_.width, count) && inside(y_.data(), texture_.height, count))
        return texels(x_.data(), y_.data(), to, count);
    wrap(x_, texture_.width, column_[0], count);
    wrap(y_, texture_.height, row_[0], count);
    wrapped_texels(column_[0], row_[0], to, count);
}

void TextureMap::blend(const std::array<Piece<uint32_t>, 4>& texels_of, uint32_t* to,
                       size_t count) {
    Corners corners{{}, fraction_x_.data(), fraction_y_.data()};
    for (size_t i = 0; i < 4; i++)
        corners.texel[i] = texels_of[i].data();
    texel_kernels().blend(corners, to, (count + blend_step - 1) / blend_step * blend_step);
}

/// Applies the bilinear filter to squares of texels that are all inside a contiguous surface.
void TextureMap::filter_inside(uint32_t* to, size_t count) {
    uint32_t* const square[4] = {square_[0].data(), square_[1].data(), square_[2].data(),
                                 square_[3].data()};
    loader_->gather_squares({host_, texture_.stride}, x_.data(), y_.data(), square, count);
    if (bytewise_) {
        blend(square_, blended_.data(), count);
        return unpack(*format_, texture_.color, to, blended_.data(), count);
    }
    for (size_t i = 0; i < 4; i++)
        unpack(*format_, texture_.color, corner_[i].data(), square[i], count);
    blend(corner_, blended_.data(), count);
    std::copy_n(blended_.begin(), count, to);
}

void TextureMap::filter(uint32_t* to, size_t count) {
    split(x_.data(), fraction_x_.data(), count);
    split(y_.data(), fraction_y_.data(), count);
    // Texels of the last column and row have no right or lower neighbor.
    if (host_ && inside(x_.data(), texture_.width - 1, count) &&
        inside(y_.data(), texture_.height - 1, count))
        return filter_inside(to, count);
    add_one(next_x_.data(), x_.data(), count);
    add_one(next_y_.data(), y_.data(), count);
    wrap(x_, texture_.width, column_[0], count);
    wrap(next_x_, texture_.width, column_[1], count);
    wrap(y_, texture_.height, row_[0], count);
    wrap(next_y_, texture_.height, row_[1], count);
    for (size_t i = 0; i < 4; i++)
        wrapped_texels(column_[i % 2], row_[i / 2], corner_[i].data(), count);
    blend(corner_, blended_.data(), count);
    if (keeps_color_)
        for (size_t i = 0; i < count; i++)
            blended_[i] = (blended_[i] & alpha_bits) | (texture_.color & ~alpha_bits);
    std::copy_n(blended_.begin(), count, to);
}

void TextureMap::sample_piece(const double* tx, const double* ty, uint32_t* to, size_t count) {
    const TexelKernels& kernels = texel_kernels();
    kernels.place(axis_x_, tx, x_.data(), count);
    kernels.place(axis_y_, ty, y_.data(), count);
    if (texture_mode::bilinear(texture_.mode))
        filter(to, count);
    else
        point(to, count);
}

void TextureMap::sample(const double* tx, const double* ty, uint32_t* to, size_t count) {
    for (size_t done = 0; done < count; done += piece)
        sample_piece(tx + done, ty + done, to + done, std::min(piece, count - done));
}

bool TextureMap::sample_translated(const Coordinates& at, int32_t x, int32_t y, uint32_t* to,
                                   size_t count) {
    if (!at.translates() || texture_mode::unit_range(texture_.mode) || keeps_color_ ||
        std::abs(double(x)) > exact_end)
        return false;
    double tx, ty;
    at.row(x, y, &tx, &ty, 1);
    int32_t column, row;
    inner::place(axis_x_, &tx, &column, 1);
    inner::place(axis_y_, &ty, &row, 1);
    if (texture_mode::bilinear(texture_.mode)) {
        if ((column | row) & (sixteenths - 1))
            return false;
        column >>= 4;
        row >>= 4;
    }
    fetch(column, row, to, count);
    return true;
}

void TextureMap::sample(const Coordinates& at, int32_t x, int32_t y, uint32_t* to, size_t count) {
    if (sample_translated(at, x, y, to, count))
        return;
    for (size_t done = 0; done < count; done += piece) {
        const size_t n = std::min(piece, count - done);
        at.row(x + int32_t(done), y, tx_.data(), ty_.data(), n);
        sample_piece(tx_.data(), ty_.data(), to + done, n);
    }
}

/// Returns how many of `count` texels from column x on are adjacent in the surface. Wraps `x` to
/// the column of the first one. Returns 0 if each texel must be wrapped separately.
size_t TextureMap::follow(int32_t& x, size_t count) const {
    const auto size = int32_t(texture_.width);
    if (texture_.wrap() == Texture::Wrap::repeat)
        x = repeated(x, size);
    return x >= 0 && x < size ? std::min(count, size_t(size - x)) : 0;
}

void TextureMap::fetch(int32_t x, int32_t y, uint32_t* to, size_t count) {
    y_[0] = y;
    wrap(y_, texture_.height, row_[0], 1);
    const bool keeps = texture_.wrap() != Texture::Wrap::border || row_[0].keeps[0];
    while (count) {
        int32_t column = x;
        size_t n = keeps ? follow(column, count) : 0;
        if (n) {
            contiguous(uint32_t(column), uint32_t(row_[0].index[0]), to, n);
        } else {
            n = std::min(piece, count);
            std::fill_n(row_[0].index.begin(), n, row_[0].index[0]);
            std::fill_n(row_[0].keeps.begin(), n, row_[0].keeps[0]);
            for (size_t i = 0; i < n; i++)
                x_[i] = x + int32_t(i);
            wrap(x_, texture_.width, column_[0], n);
            wrapped_texels(column_[0], row_[0], to, n);
        }
        x += int32_t(n);
        to += n;
        count -= n;
    }
}

} // namespace pixmill::nema
