// SPDX-License-Identifier: GPL-2.0-or-later
#include "memory.hpp"

#include <bit>
#include <cstring>

#include "render/yuv.hpp"

namespace pixmill::vivante::te {

namespace {

static_assert(std::endian::native == std::endian::little, "texels are little-endian words");

template<class Word>
uint32_t load(const std::byte* from) {
    Word word;
    std::memcpy(&word, from, sizeof word);
    return word;
}

} // namespace

// ---- TexelMemory -------------------------------------------------------------------------------

void TexelMemory::bind(Memory& memory) {
    memory_ = &memory;
    pages_.forget(memory);
    for (Block& block : blocks_)
        block.key = 0;
}

void TexelMemory::read(const TexelSource& source, unsigned level, uint32_t offset, void* to,
                       uint32_t count) {
    if (source.known == TexelSource::Known::spans)
        std::memcpy(to, source.host[level] + offset, count);
    else
        read(source.address[level] + offset, to, count);
}

void TexelMemory::decode(const TexelSource& source, unsigned level, uint32_t offset,
                         TexelBlock& texels) {
    uint8_t bytes[16] = {};
    read(source, level, offset, bytes, source.bytes);
    texels = decode_block(source.packing, bytes, source.exchanges_t_colors);
}

uint64_t TexelMemory::wide(const TexelSource& source, unsigned level, uint32_t offset) {
    uint64_t texel = 0;
    const TsSurface& status = source.status;
    const uint32_t skip = source.address[level] + offset - status.surface;
    if (!level && status.enabled && is_cleared(status, skip)) {
        texel = uint64_t(status.clear[1]) << 32 | status.clear[0];
        const unsigned shift = skip % 8 * 8;
        texel = shift ? texel >> shift | texel << (64 - shift) : texel;
        return source.bytes < 8 ? texel & ((uint64_t(1) << 8 * source.bytes) - 1) : texel;
    }
    read(source, level, offset, &texel, source.bytes);
    return texel;
}

// ---- Fetching ----------------------------------------------------------------------------------

namespace {

/// Calls one(level, offset, column, lane) for each texel of each live lane, or of each lane if
/// `all` is set.
template<bool all, unsigned edge, class One>
void each_of(Taps& taps, const One& one) {
    const auto lane = [&](unsigned l) {
        // Fetch all texels before storing any, because the compiler must assume that words and
        // levels alias.
        const auto level = unsigned(taps.level->i.data()[l]);
        uint32_t texels[edge][edge];
        for (unsigned r = 0; r < edge; r++)
            for (unsigned c = 0; c < edge; c++)
                texels[r][c] =
                    one(level, taps.row[r].w.data()[l] + taps.column[c].w.data()[l], c, l);
        for (unsigned r = 0; r < edge; r++)
            for (unsigned c = 0; c < edge; c++)
                taps.word[edge * r + c].w.data()[l] = texels[r][c];
    };
    if (all) {
        for (unsigned l = 0; l < lane_count; l++)
            lane(l);
    } else {
        for (LaneMask left = taps.live; left; left &= left - 1)
            lane(unsigned(std::countr_zero(left)));
    }
}

template<bool all, class One>
void each(Taps& taps, const One& one) {
    if (taps.edge == 1)
        each_of<all, 1>(taps, one);
    else
        each_of<all, 2>(taps, one);
}

template<class Word>
void fetch_direct(TexelMemory&, const TexelSource& source, Taps& taps) {
    const std::byte* const* host = source.host.data();
    each<true>(taps, [=](unsigned level, uint32_t offset, unsigned, unsigned) {
        return load<Word>(host[level] + offset);
    });
}

template<class Word>
void fetch_known_pages(TexelMemory&, const TexelSource& source, Taps& taps) {
    const TexelSource::Pages* const pages = source.pages.data();
    each<true>(taps, [=](unsigned level, uint32_t offset, unsigned, unsigned) {
        constexpr uint32_t size = Memory::page_bytes;
        const uint32_t at = pages[level].skip + offset; // within the level, so it does not wrap
        return load<Word>(
            reinterpret_cast<const std::byte*>(pages[level].host[at / size] + at % size));
    });
}

template<class Word>
void fetch_paged(TexelMemory& memory, const TexelSource& source, Taps& taps) {
    each<false>(taps, [&](unsigned level, uint32_t offset, unsigned, unsigned) {
        return memory.word<Word>(source.address[level] + offset);
    });
}

/// Reads level 0 through its tile status.
template<class Word>
void fetch_with_status(TexelMemory& memory, const TexelSource& source, Taps& taps) {
    each<false>(taps, [&](unsigned level, uint32_t offset, unsigned, unsigned) {
        return level ? memory.word<Word>(source.address[level] + offset)
                     : memory.word_with_status<Word>(source, offset);
    });
}

void fetch_blocks(TexelMemory& memory, const TexelSource& source, Taps& taps) {
    each<false>(taps, [&](unsigned level, uint32_t number, unsigned, unsigned) {
        return memory.texel(source, level, number);
    });
}

/// Returns RGBA, with red in the low byte.
uint32_t rgb_of(uint32_t y, uint32_t u, uint32_t v) {
    const uint32_t argb = render::convert(render::bt601_to_rgb, render::yuv_pixel(y, u, v));
    return (argb & 0xFF00FF00) | (argb >> 16 & 0xFF) | (argb & 0xFF) << 16;
}

/// `luma` is the index of the first luma byte. The other bytes hold chroma.
template<unsigned luma>
void fetch_yuv(TexelMemory& memory, const TexelSource& source, Taps& taps) {
    each<false>(taps, [&](unsigned level, uint32_t offset, unsigned column, unsigned lane) {
        const uint32_t x = uint32_t(taps.x[column]->i.data()[lane]);
        uint8_t bytes[4] = {};
        memory.read(source, level, offset, bytes, sizeof bytes);
        return rgb_of(bytes[luma + 2 * (x & 1)], bytes[1 - luma], bytes[3 - luma]);
    });
}

} // namespace

Fetch fetch_for(const TexelSource& source) {
    constexpr Fetch words[3][3] = {
        {fetch_paged<uint8_t>, fetch_paged<uint16_t>, fetch_paged<uint32_t>},
        {fetch_known_pages<uint8_t>, fetch_known_pages<uint16_t>, fetch_known_pages<uint32_t>},
        {fetch_direct<uint8_t>, fetch_direct<uint16_t>, fetch_direct<uint32_t>},
    };
    constexpr Fetch with_status[] = {fetch_with_status<uint8_t>, fetch_with_status<uint16_t>,
                                     fetch_with_status<uint32_t>};
    switch (source.packing) {
    case Packing::words:
        if (source.status.enabled)
            return with_status[source.bytes / 2];
        return words[unsigned(source.known)][source.bytes / 2];
    case Packing::numbers: // see numbers.hpp
        return nullptr;
    case Packing::yuy2:
        return fetch_yuv<0>;
    case Packing::uyvy:
        return fetch_yuv<1>;
    default:
        return fetch_blocks;
    }
}

} // namespace pixmill::vivante::te
