/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "cases.hpp"

#include <algorithm>
#include <initializer_list>
#include <random>
#include <span>
#include <utility>

#include "../../../reference/geode/geode.hpp"

namespace pixmill::test {
namespace {

enum Register : uint32_t {
    kDstOffset = 0x00,
    kSrcOffset = 0x04,
    kStride = 0x08,
    kWidHeight = 0x0C,
    kSrcColorFg = 0x10,
    kSrcColorBg = 0x14,
    kPatColor0 = 0x18,
    kPatColor1 = 0x1C,
    kPatColor2 = 0x20,
    kPatColor3 = 0x24,
    kPatColor4 = 0x28,
    kPatColor5 = 0x2C,
    kPatData0 = 0x30,
    kPatData1 = 0x34,
    kRasterMode = 0x38,
    kVectorMode = 0x3C,
    kBltMode = 0x40,
    kBltStatus = 0x44,
    kHstSrc = 0x48,
    kBaseOffset = 0x4C,
    kCmdTop = 0x50,
    kCmdBot = 0x54,
    kCmdRead = 0x58,
    kCmdWrite = 0x5C,
    kCh3Offset = 0x60,
    kCh3ModeStr = 0x64,
    kCh3Widhi = 0x68,
    kCh3Hsrc = 0x6C,
    kLutIndex = 0x70,
    kLutData = 0x74,
    kIntCntrl = 0x78,
};

enum Status : uint32_t { kPb = 0x01, kIn = 0x02, kPp = 0x04, kEh = 0x20, kUf = 0x80 };

/* All registers that an operation uses except the mode register. */
constexpr Register kParameters[] = {kRasterMode, kDstOffset,  kSrcOffset,  kStride,    kWidHeight,
                                    kSrcColorFg, kSrcColorBg, kPatColor0,  kPatColor1, kPatData0,
                                    kPatData1,   kCh3Offset,  kCh3ModeStr, kCh3Widhi,  kBaseOffset,
                                    kPatColor2,  kPatColor3,  kPatColor4,  kPatColor5};
constexpr Register kBltPacket[] = {kRasterMode, kDstOffset,  kSrcOffset,  kStride,
                                   kWidHeight,  kSrcColorFg, kSrcColorBg, kPatColor0,
                                   kPatColor1,  kPatData0,   kPatData1,   kCh3Offset,
                                   kCh3ModeStr, kCh3Widhi,   kBaseOffset, kBltMode};
constexpr Register kVectorPacket[] = {kRasterMode, kDstOffset,  kSrcOffset, kStride,   kWidHeight,
                                      kSrcColorFg, kPatColor0,  kPatColor1, kPatData0, kPatData1,
                                      kCh3ModeStr, kBaseOffset, kVectorMode};

enum : uint32_t { kToHstSrc, kToCh3Hsrc, kToPatterns, kToLut };
constexpr uint32_t kLutPacket = 0x40000000, kDataPacket = 0x60000000;
constexpr uint32_t kWrap = 0x80000000, kStall = 0x10000000;

/* CH3_MODE_STR */
constexpr uint32_t kCh3On = 0x80000000, kCh3Source = 0x40000000, kCh3X = 0x20000000,
                   kCh3Y = 0x10000000, kCh3Rotate = 0x00800000, kCh3Bgr = 0x00400000,
                   kCh3Pattern = 0x00200000, kCh3Host = 0x00040000;
/* BLT_MODE */
constexpr uint32_t kX = 0x200, kY = 0x100, kReadDestination = 4;

/* ---- Operations ---- */

class Chance {
public:
    explicit Chance(uint64_t seed) : random_(seed) {}
    uint32_t word() { return static_cast<uint32_t>(random_()); }
    uint32_t below(uint32_t end) { return word() % end; }
    bool one_in(uint32_t n) { return below(n) == 0; }
    uint32_t one_of(std::initializer_list<uint32_t> values) {
        return values.begin()[below(static_cast<uint32_t>(values.size()))];
    }
    /* Returns @bits once in @n calls on average, otherwise 0. */
    uint32_t maybe(uint32_t bits, uint32_t n) { return one_in(n) ? bits : 0; }

private:
    std::mt19937_64 random_;
};

/* Generates the registers of an operation. */
class DrawMaker {
public:
    DrawMaker(Chance& chance, uint32_t vram_base, bool strays)
        : chance_(chance), vram_base_(vram_base), strays_(strays) {}

    std::pair<GeodeRegisters, bool> make() {
        const bool is_vector = chance_.one_in(6);
        for (uint32_t& value : registers_)
            value = chance_.word();
        at(kRasterMode) = raster_mode();
        at(kSrcColorBg) =
            chance_.one_of({chance_.word(), 0xFFFFFFFF, 0x80808081, 0x00010001, 0x02000210, 0});
        at(kPatColor0) = color();
        destination_ = 0x3000 + chance_.below(0x6000);
        if (is_vector)
            vector();
        else
            blt();
        at(kBaseOffset) = bases_ | chance_.below(4);
        return {registers_, is_vector};
    }

private:
    uint32_t& at(Register offset) { return registers_[offset / 4]; }

    uint32_t color() { return chance_.one_of({chance_.word(), chance_.word(), 0, 0xFFFFFFFF}); }

    uint32_t raster_mode() {
        static constexpr uint32_t kEnable[] = {0, 0, 0, 0, 1, 2, 3, 3};
        const uint32_t bpp = chance_.one_of({0, 4, 5, 6, 8, 6, 8});
        bytes_ = bpp == 0 ? 1 : bpp == 8 ? 4 : 2;
        uint32_t mode = bpp << 28;
        if (chance_.one_in(40)) {
            bytes_ = 1;
            mode = chance_.one_of({1, 2, 3, 7, 9, 10, 11, 12, 13, 14, 15}) << 28;
        }
        mode |= chance_.word() & 0x0F00C000; /* unused bits */
        mode |= kEnable[chance_.below(8)] << 22 | (chance_.word() & 0x003F0000);
        mode |= chance_.maybe(0x2000, 3) | chance_.maybe(0x1000, 3) | chance_.maybe(0x800, 4) |
                chance_.maybe(0x400, 3) | chance_.one_of({0, 1, 1, 2, 2, 3}) << 8;
        return mode | (chance_.one_in(2) ? chance_.below(256)
                                         : chance_.one_of({0xF0, 0xCC, 0xCA, 0x5A, 0x66, 0xB8}));
    }

    /* Returns a base's top bits, preceded by the offset of a VRAM byte from this base. */
    std::pair<uint32_t, uint32_t> place(uint32_t in_vram) {
        if (strays_ && chance_.one_in(12)) {
            const uint32_t end = kGeodeCaseVram - chance_.below(64);
            const uint32_t wrapping = 0x01000000 - chance_.below(64);
            return {chance_.one_of({end, wrapping, chance_.word() & 0xFFFFFF}),
                    chance_.one_in(4) ? chance_.below(0x400) : vram_base_ >> 22};
        }
        const uint32_t address = vram_base_ + in_vram;
        const uint32_t base = (address >> 22) - (chance_.one_in(6) ? chance_.below(4) : 0);
        return {address - (base << 22), base};
    }

    uint32_t stride_for(uint32_t bytes) {
        uint32_t stride = bytes * (1 + chance_.below(240 / bytes));
        if (chance_.one_in(30))
            stride = chance_.one_of({0, stride | 1, stride + 2});
        return stride;
    }

    /*
     * Returns the offset of the first pixel in drawing order. Right-to-left drawing starts at the
     * last byte of a pixel.
     */
    static uint32_t first(uint32_t corner, bool x, bool y, uint32_t row_bytes, uint32_t rows,
                          uint32_t stride) {
        return corner + (x ? row_bytes - 1 : 0) + (y ? (rows - 1) * stride : 0);
    }

    void set_destination(bool x, bool y) {
        const uint32_t stride = at(kStride) & 0xFFFF;
        const auto [offset, base] =
            place(first(destination_, x, y, width_ * bytes_, height_, stride));
        at(kDstOffset) = offset | (chance_.word() & 0xFF000000);
        bases_ |= base << 22;
    }

    /* Returns an offset at which a picture often overlaps the destination. */
    uint32_t near_destination() {
        if (chance_.one_in(2))
            return 0x3000 + chance_.below(0x6000);
        const uint32_t distance = chance_.one_in(2) ? 64 : 512;
        return destination_ - distance + chance_.below(2 * distance);
    }

    void choose_size() {
        width_ = chance_.one_in(40) ? 0 : 1 + chance_.below(chance_.one_in(3) ? 40 : 12);
        height_ = chance_.one_in(40) ? 0 : 1 + chance_.below(8);
        if (strays_ && chance_.one_in(50)) {
            width_ = 0xFFF - chance_.below(0x40);
            height_ = 1 + chance_.below(3);
            if (chance_.one_in(2))
                std::swap(width_, height_);
        }
    }

    void blt() {
        choose_size();
        at(kWidHeight) = width_ << 16 | height_ | (chance_.word() & 0xF000F000);
        const bool x = chance_.one_in(4), y = chance_.one_in(4);
        at(kStride) = stride_for(bytes_) << 16 | stride_for(bytes_);
        if (chance_.one_in(2))
            at(kStride) = (at(kStride) & 0xFFFF) * 0x10001;
        if (strays_ && chance_.one_in(20))
            at(kStride) = chance_.word();
        const uint32_t origin = chance_.one_of({0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3});
        const uint32_t mono = chance_.one_of({0, 0, 0, 0, 0, 1, 1, 2, 2, 3});
        at(kBltMode) = origin | mono << 6 | (x ? kX : 0) | (y ? kY : 0) |
                       (chance_.one_in(4) ? 0 : kReadDestination) | (chance_.word() & 0xFFFFF038) |
                       chance_.maybe(0xC00, 8);
        set_destination(x, y);
        source(x, y);
        channel_3();
    }

    void source(bool x, bool y) {
        const uint32_t stride = at(kStride) >> 16;
        const auto [offset, base] =
            place(first(near_destination(), x, y, width_ * bytes_, height_, stride));
        at(kSrcOffset) = offset | (chance_.word() & 0xFF000000);
        bases_ |= base << 12;
    }

    uint32_t channel_3_mode() {
        uint32_t format = chance_.one_of({0, 1, 4, 5, 6, 7, 8, 0xB, 0xD, 8, 6});
        if (chance_.one_in(12))
            format = chance_.below(16);
        uint32_t mode = chance_.maybe(kCh3X, 4) | chance_.maybe(kCh3Y, 4) |
                        chance_.maybe(kCh3Rotate, 4) | chance_.maybe(kCh3Bgr, 3) |
                        chance_.maybe(kCh3Host, 4) | (chance_.word() & 0x001B0000);
        if (chance_.one_in(5)) {
            mode |= kCh3Pattern;
            if (!chance_.one_in(5))
                format = chance_.one_of({0, 4, 5, 6, 8});
        }
        const bool blends = at(kRasterMode) & 0x00C00000;
        if (blends && chance_.one_in(5)) { /* blends only alpha */
            format = chance_.one_of({0x2, 0xE});
            at(kRasterMode) = (at(kRasterMode) & ~0x000E0000u) | 0x000C0000;
        }
        if (!chance_.one_in(3))
            mode |= kCh3On;
        if (!chance_.one_in(3))
            mode |= kCh3Source;
        return mode | format << 24;
    }

    /* Sets up channel 3, usually with the size of the BLT. */
    void channel_3() {
        static constexpr uint32_t kBits[] = {8, 8, 8, 8, 16, 16, 16, 16, 32, 8, 8, 24, 8, 4, 4, 8};
        const uint32_t mode = channel_3_mode();
        const uint32_t format = mode >> 24 & 0xF;
        uint32_t w = width_, h = height_;
        if (mode & kCh3Rotate)
            std::swap(w, h);
        if (chance_.one_in(8)) {
            w = chance_.below(20);
            h = chance_.below(20);
        }
        const uint32_t row = (w * kBits[format] + 7) / 8;
        const uint32_t stride = stride_for((kBits[format] + 7) / 8);
        at(kCh3ModeStr) = mode | stride;
        at(kCh3Widhi) =
            (format == 0xB ? (row + 3) / 4 : w) << 16 | h | (chance_.word() & 0xF000F000);
        const auto [offset, base] =
            place(first(near_destination(), mode & kCh3X, mode & kCh3Y, row, h, stride));
        at(kCh3Offset) = offset | (chance_.word() & 0xFF000000);
        bases_ |= base << 2;
    }

    void vector() {
        const uint32_t length = chance_.below(48);
        const uint32_t minor = chance_.below(length + 1);
        width_ = height_ = 1;
        at(kStride) = stride_for(bytes_);
        set_destination(false, false);
        bases_ |= (chance_.word() & 0x003FFFFC);
        at(kWidHeight) =
            length << 16 | ((2 * minor - length) & 0xFFFF) | (chance_.word() & 0xF0000000);
        at(kSrcOffset) = 2 * minor << 16 | ((2 * (minor - length)) & 0xFFFF);
        if (chance_.one_in(6))
            at(kSrcOffset) = chance_.word();
        at(kVectorMode) =
            (chance_.word() & ~0x38u) | chance_.maybe(0x30, 8) | (chance_.one_in(3) ? 0 : 8);
        if (chance_.one_in(2)) /* a dashed vector */
            at(kCh3ModeStr) = chance_.one_of({0xC8200000, 0x80200000});
    }

    Chance& chance_;
    uint32_t vram_base_;
    bool strays_; /* also uses addresses outside VRAM and near its ends */
    GeodeRegisters registers_{};
    uint32_t bytes_ = 1, width_ = 0, height_ = 0, destination_ = 0, bases_ = 0;
};

/* ---- Submission ---- */

/* Records steps and immediately plays them on a model, whose state selects the next steps. */
class Host {
public:
    Host(GeodeCase& c, Chance& chance)
        : case_(c), chance_(chance), vram_(geode_case_memory(c)), model_(vram_, c.vram_base) {}

    void write(uint32_t offset, uint32_t value, uint32_t size = 4) {
        value &= 0xFFFFFFFF >> (32 - 8 * size);
        case_.steps.push_back({GeodeStep::Verb::write, offset, size, value});
        model_.write(offset, size, value);
        notice();
    }
    /* Writes a register in one access or in several. */
    void write_in_parts(uint32_t offset, uint32_t value) {
        const uint32_t size = chance_.one_in(8) ? 1 + chance_.below(2) : 4;
        for (uint32_t n = 4; n > 0; n -= size)
            write(offset + n - size, value >> 8 * (n - size), size);
        case_.events["registers in parts"] += size < 4;
    }
    uint32_t read(uint32_t offset, uint32_t size = 4) {
        case_.steps.push_back({GeodeStep::Verb::read, offset, size, 0});
        return model_.read(offset, size);
    }
    void put(uint32_t at, uint32_t word) {
        case_.steps.push_back({GeodeStep::Verb::put, at, 4, word});
        for (uint32_t n = 0; n < 4; n++)
            vram_[at + n] = static_cast<uint8_t>(word >> 8 * n);
    }
    void write_msr(uint32_t number, uint32_t value) {
        case_.steps.push_back({GeodeStep::Verb::msr, number, 8, value});
        model_.write_msr(number, value);
    }

    /*
     * Reads the status without recording a step. This settles CE, as any write except RESET does.
     */
    uint32_t status() { return model_.read(kBltStatus, 4); }
    uint32_t peek(Register offset) { return model_.read(offset, 4); }
    const std::vector<uint8_t>& vram() const { return vram_; }

private:
    void notice() {
        const uint32_t now = status();
        const uint32_t interrupts = peek(kIntCntrl) >> 16;
        const auto happened = [&](const char* what, bool is) { case_.events[what] += is; };
        happened("pending", now & ~status_ & kPp);
        happened("waits for host words", now & ~status_ & kEh);
        happened("underflow", now & ~status_ & kUf);
        happened("I0", interrupts & ~interrupts_ & 1);
        happened("I1", interrupts & ~interrupts_ & 2);
        status_ = now;
        interrupts_ = interrupts;
    }

    GeodeCase& case_;
    Chance& chance_;
    std::vector<uint8_t> vram_;
    reference::GeodeReference model_;
    uint32_t status_ = 0, interrupts_ = 0;
};

/*
 * Writes consecutive packets into the ring. Does not overwrite packets that the GP has not read
 * yet.
 */
class RingWriter {
public:
    RingWriter(GeodeCase& c, Host& host, Chance& chance)
        : case_(c), host_(host), chance_(chance),
          first_pointer_(c.vram_base - (c.vram_base & 0xFFF00000)) {}

    void begin() {
        host_.write_msr(1, c_base() >> 4);
        top_ = pointer_of(kGeodeCaseRing + 32 * chance_.below(16));
        const uint32_t last = pointer_of(kGeodeCaseVram - 32);
        bottom_ = chance_.one_in(3) ? last : top_ + 32 * (12 + chance_.below(60));
        host_.write(kCmdTop, top_ | chance_.below(32));
        host_.write(kCmdBot, bottom_ | chance_.below(32));
        move(chance_.one_in(2) ? bottom_ + 32 - 4 * (1 + chance_.below(40)) : top_);
    }

    /* Moves to a position in the ring, and sets READ and WRITE to it. */
    void move(uint32_t pointer) {
        pointer_ = pointer;
        host_.write(kCmdRead, pointer | chance_.below(4));
    }
    void move_somewhere() { move(top_ + 32 + 4 * chance_.below((bottom_ - top_ - 64) / 4)); }

    bool lags() { return host_.peek(kCmdRead) != pointer_; }

    /* Returns false if the ring has no room. */
    bool packet(uint32_t header, const std::vector<uint32_t>& words) {
        const bool behind = lags();
        const auto bytes = static_cast<uint32_t>(4 * words.size() + 4);
        const uint32_t read = host_.peek(kCmdRead);
        const uint32_t room = pointer_ < read ? read - pointer_ : bottom_ + 32 - pointer_;
        if (behind && bytes >= room)
            return false;
        const bool wraps = !behind && chance_.one_in(8);
        const uint32_t before = pointer_;
        emit(header | (wraps ? kWrap : 0) | chance_.maybe(kStall, 6));
        for (const uint32_t word : words)
            emit(word);
        case_.events["a line wraps"] += pointer_ < before;
        case_.events["a packet wraps"] += wraps;
        if (wraps)
            pointer_ = top_;
        return true;
    }

    void doorbell() {
        host_.write(kCmdWrite, pointer_ | chance_.below(4));
        case_.events["the ring stalls"] += lags();
    }

private:
    uint32_t c_base() const { return case_.vram_base & 0xFFF00000; }
    uint32_t pointer_of(uint32_t in_vram) const { return first_pointer_ + in_vram; }

    void emit(uint32_t word) {
        host_.put(pointer_ - first_pointer_, word);
        pointer_ += 4;
        if (pointer_ == bottom_ + 32)
            pointer_ = top_;
    }

    GeodeCase& case_;
    Host& host_;
    Chance& chance_;
    uint32_t first_pointer_; /* the pointer to VRAM's first byte */
    uint32_t top_ = 0, bottom_ = 0, pointer_ = 0;
};

/* ---- A case ------------------------------------------------------------------ */

class CaseMaker {
public:
    CaseMaker(GeodeCase& c, uint64_t seed)
        : case_(c), chance_(seed), host_(c, chance_), ring_(c, host_, chance_) {}

    void make() {
        uses_ring_ = chance_.one_in(2);
        if (uses_ring_)
            ring_.begin();
        if (chance_.one_in(2))
            host_.write(kIntCntrl, chance_.below(4));
        for (uint32_t n = 2 + chance_.below(5); n > 0; n--)
            act();
    }

private:
    void act() {
        switch (chance_.below(18)) {
        case 0:
            return look_around();
        case 1:
            return poke();
        case 2:
            return host_.write(kIntCntrl, chance_.word() & 0x00030003, 4);
        case 3:
            return reset();
        case 4:
            if (uses_ring_ && (ring_.lags() || chance_.one_in(4)))
                return ring_.move_somewhere();
            [[fallthrough]];
        default:
            return draw();
        }
    }

    void look_around() {
        for (uint32_t n = 0; n < 4; n++) {
            const uint32_t size = 1u << chance_.below(3);
            const uint32_t offset = chance_.one_in(8) ? chance_.below(0x4000) : chance_.below(0x80);
            host_.read(offset & ~(size - 1), size);
        }
    }

    /* Writes part of a register that starts nothing, or writes to an unused offset. */
    void poke() {
        const uint32_t size = 1u << chance_.below(3);
        uint32_t offset = kParameters[chance_.below(std::size(kParameters))] + chance_.below(4);
        if (chance_.one_in(3))
            offset =
                chance_.one_of({kLutIndex, kLutData, kIntCntrl, 0x7C, 0xFC, 0x1000, 0x3FFC,
                                kVectorMode + 1, kBltMode + 1, kBltStatus, kHstSrc, kCh3Hsrc}) +
                chance_.below(3);
        if (size == 4 && (offset & ~3u) == kBltMode)
            return;
        offset &= ~(size - 1);
        const bool starts = offset == kBltMode || offset == kVectorMode;
        if (!starts)
            host_.write(offset, chance_.word(), size);
    }

    void reset() {
        case_.events["reset while busy"] += (host_.status() & kPb) != 0;
        const uint32_t size = 1u << chance_.below(3);
        host_.write(kBltStatus + 4 - size,
                    (0x69000000 | chance_.below(0x1000000)) >> (32 - 8 * size), size);
        look_around();
        if (uses_ring_)
            ring_.begin();
    }

    void draw() {
        const auto [registers, is_vector] = DrawMaker(chance_, case_.vram_base, !uses_ring_).make();
        const bool was_idle = !(host_.status() & kPb);
        const GeodeLut lut = load_lut(registers);
        if (was_idle && !(host_.status() & kPb) && !(uses_ring_ && ring_.lags()))
            case_.draws.push_back({is_vector, registers, lut, host_.vram()});
        if (!uses_ring_ || chance_.one_in(4))
            start(registers, is_vector);
        else
            start_by_ring(registers, is_vector);
        if (!chance_.one_in(4))
            feed(registers);
        for (const Register offset : {kBltStatus, kCmdRead, kCmdWrite, kLutIndex, kIntCntrl})
            host_.read(offset);
    }

    // ---- The LUT ----

    /* Loads the LUT entries that the operation may read. */
    GeodeLut load_lut(const GeodeRegisters& registers) {
        const uint32_t mode = registers[kCh3ModeStr / 4];
        const uint32_t format = mode >> 24 & 0xF;
        if (mode & kCh3Pattern) {
            lut_words(0x100, 2 + (chance_.one_in(2) ? 0x3E : 0));
        } else if (format == 0x1) {
            lut_words(0, 0x100);
        } else if (format == 0xD) {
            lut_words(chance_.one_in(8) ? 0x1F8 : 0, 0x10);
        }
        return lut_;
    }

    void lut_words(uint32_t index, uint32_t count) {
        std::vector<uint32_t> words;
        for (uint32_t n = 0; n < count; n++) {
            const uint32_t at = (index + n) & 0x1FF;
            const bool mask = at == 0x101 && count == 2; /* a dash has one bit per pixel */
            words.push_back(mask ? uint32_t(0xFFFFFFFFull >> chance_.below(33)) : chance_.word());
        }
        const bool by_ring = uses_ring_ && !(host_.status() & kPb) && chance_.one_in(2);
        if (by_ring && lut_packet(index, words)) {
            ring_.doorbell();
        } else {
            host_.write(kLutIndex, index | (chance_.word() & ~0x1FFu));
            for (const uint32_t word : words)
                host_.write(kLutData, word);
        }
        for (uint32_t n = 0; n < count; n++)
            lut_[(index + n) & 0x1FF] = words[n];
    }

    bool lut_packet(uint32_t index, std::vector<uint32_t> words) {
        if (words.size() > 64)
            return false;
        words.insert(words.begin(), {index | (chance_.word() & ~0x1FFu),
                                     kToLut << 29 | static_cast<uint32_t>(words.size())});
        case_.events["LUT packet"]++;
        return ring_.packet(kLutPacket | 3, words);
    }

    // ---- Registers ----

    void start(const GeodeRegisters& registers, bool is_vector) {
        for (const Register offset : kParameters) {
            if (host_.peek(offset) != registers[offset / 4] || chance_.one_in(8))
                host_.write_in_parts(offset, registers[offset / 4]);
        }
        const bool full = (host_.status() & (kPb | kPp)) == (kPb | kPp);
        case_.events["third operation"] += full;
        const Register mode = is_vector ? kVectorMode : kBltMode;
        host_.write_in_parts(mode, registers[mode / 4]);
    }

    std::span<const Register> packet_of(bool is_vector) const {
        if (is_vector)
            return kVectorPacket;
        return kBltPacket;
    }

    /* Returns the values of the enabled registers, and random words for the others. */
    std::vector<uint32_t> register_words(const GeodeRegisters& registers, bool is_vector,
                                         uint32_t enables) {
        std::vector<uint32_t> words;
        for (const Register offset : packet_of(is_vector)) {
            const bool enabled = enables >> words.size() & 1;
            words.push_back(enabled ? registers[offset / 4] : chance_.word());
        }
        return words;
    }

    void start_by_ring(const GeodeRegisters& registers, bool is_vector) {
        const uint32_t header = (is_vector ? 0x20000000 : 0) | (chance_.word() & 0x0FFC0000);
        const auto registers_of_packet = static_cast<uint32_t>(packet_of(is_vector).size());
        const uint32_t mode = 1u << (registers_of_packet - 1);
        uint32_t enables = (mode << 1) - 1;
        patterns_by_ring(registers);
        if (chance_.one_in(4)) {
            const uint32_t early = chance_.word() & (mode - 1);
            if (!ring_.packet(header | early, register_words(registers, is_vector, early)))
                return;
            enables &= ~early;
            case_.events["prepared by a packet"]++;
            if (chance_.one_in(2))
                ring_.doorbell();
        }
        std::vector<uint32_t> words = register_words(registers, is_vector, enables);
        if (!is_vector && chance_.one_in(5)) {
            enables |= 1 << 16;
            data(words, registers);
            case_.events["data in a BLT's packet"]++;
        }
        if (ring_.packet(header | enables, words) && !chance_.one_in(12))
            ring_.doorbell();
    }

    void patterns_by_ring(const GeodeRegisters& registers) {
        std::vector<uint32_t> words{kToPatterns << 29 | 4};
        for (const Register offset : {kPatColor2, kPatColor3, kPatColor4, kPatColor5})
            words.push_back(registers[offset / 4]);
        if (chance_.one_in(8)) {
            words.push_back(chance_.word());
            words[0]++;
        }
        if (chance_.one_in(2))
            case_.events["pattern packet"] += ring_.packet(kDataPacket | 1, words);
    }

    // ---- Host words ----

    bool wants_source(const GeodeRegisters& r) { return (r[kBltMode / 4] & 3) == 2; }
    bool wants_channel_3(const GeodeRegisters& r) {
        return (r[kCh3ModeStr / 4] & (kCh3On | kCh3Pattern | kCh3Host)) == (kCh3On | kCh3Host);
    }
    bool to_channel_3(const GeodeRegisters& registers) {
        if (chance_.one_in(20) || wants_source(registers) == wants_channel_3(registers))
            return chance_.one_in(2);
        return wants_channel_3(registers);
    }

    /* Appends a count word and random data words for a packet. */
    void data(std::vector<uint32_t>& words, const GeodeRegisters& registers) {
        const uint32_t count = chance_.below(24);
        uint32_t type = to_channel_3(registers) ? kToCh3Hsrc : kToHstSrc;
        if (chance_.one_in(10))
            type = chance_.below(8);
        words.push_back(type << 29 | (chance_.word() & 0x1FFE0000) | count);
        for (uint32_t n = 0; n < count; n++)
            words.push_back(chance_.word());
    }

    /* Sends host words until the operation has enough; sometimes sends a few more. */
    void feed(const GeodeRegisters& registers) {
        uint32_t surplus = chance_.one_in(5) ? chance_.below(4) : 0;
        for (uint32_t n = 0; n < 400; n++) {
            if (!(host_.status() & kEh) && surplus-- == 0)
                return;
            if (uses_ring_ && !ring_.lags() && chance_.one_in(3))
                feed_by_ring(registers);
            else
                feed_by_register(to_channel_3(registers));
            if (chance_.one_in(16))
                host_.read(kBltStatus);
        }
    }

    void feed_by_ring(const GeodeRegisters& registers) {
        std::vector<uint32_t> words;
        data(words, registers);
        const bool enabled = !chance_.one_in(8);
        if (ring_.packet(kDataPacket | (enabled ? 1 : 0), words))
            ring_.doorbell();
        case_.events["data packet"]++;
    }

    void feed_by_register(bool to_channel_3) {
        uint32_t offset = to_channel_3 ? kCh3Hsrc : kHstSrc;
        if (chance_.one_in(2))
            offset = to_channel_3 ? 0x400 + chance_.below(0xC00) : 0x100 + chance_.below(0x300);
        const uint32_t size = chance_.one_in(10) ? 1 + chance_.below(2) : 4;
        host_.write(offset & ~(size - 1), chance_.word(), size);
    }

    GeodeCase& case_;
    Chance chance_;
    Host host_;
    RingWriter ring_;
    bool uses_ring_ = false;
    GeodeLut lut_{};
};

} // namespace

std::vector<uint8_t> geode_case_memory(const GeodeCase& c) {
    std::mt19937 random(c.memory_seed);
    std::vector<uint8_t> vram(kGeodeCaseVram);
    for (uint32_t n = 0; n < kGeodeCaseRing; n++)
        vram[n] = static_cast<uint8_t>(random());
    return vram;
}

GeodeCase random_geode_case(uint64_t seed, uint64_t number) {
    Chance chance(seed << 32 ^ number);
    GeodeCase c{};
    /* VRAM lies within one base or extends across two */
    c.vram_base = chance.one_in(3) ? 0x013F8000 : 0x01000000;
    c.memory_seed = chance.word();
    CaseMaker(c, chance.word()).make();
    return c;
}

} // namespace pixmill::test
