// The fragment processor of the NEMA|GFX. Each 64-bit instruction combines a color operation, an
// alpha operation, a memory operation and a comparison.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <cmath>

#include "parts.hpp"

namespace reference::nema {

namespace {

constexpr uint32_t reg_tex_color = 0x01C;
constexpr uint32_t reg_code_pointer = 0x11C;
constexpr uint32_t reg_c0 = 0x200;

enum RgbOp : uint32_t { rgb_nop, rgb_mad, rgb_mov, rgb_add, rgb_tx, rgb_msb, rgb_min, rgb_max };
enum AlphaOp : uint32_t { alpha_nop, alpha_mov, alpha_mad, alpha_mul };
enum MemoryOp : uint32_t { mem_nop, mem_read_if, mem_write, mem_read };
enum Compare : uint32_t { compare_none, compare_equal, compare_differs, compare_less };
enum TxOp : uint32_t { tx_and = 9, tx_yuv = 16 };

struct Instruction {
    explicit Instruction(uint64_t word) : h(uint32_t(word >> 32)), l(uint32_t(word)) {}
    uint32_t h;
    uint32_t l;

    bool end() const { return h >> 31; }
    bool is_tx() const { return bits(h, 30, 28) == 1; }
    uint32_t alpha_to() const { return bits(h, 27, 26); }
    uint32_t rgb_to() const { return bits(h, 25, 24); }
    uint32_t a2() const { return bits(h, 23, 21); }
    uint32_t a0() const { return bits(h, 20, 19); }
    uint32_t r1() const { return bits(h, 18, 14); }
    uint32_t r2() const { return bits(h, 13, 11); }
    uint32_t r0() const { return bits(h, 10, 9); }
    uint32_t a1() const { return bits(h, 8, 5); }
    uint32_t rgb_op() const { return bits(h, 4, 2); }
    uint32_t alpha_op() const { return bits(h, 1, 0); }
    uint32_t tx_op() const { return bits(h, 4, 0); }

    uint32_t read_to() const { return bits(l, 28, 27); }
    bool compare_alpha() const { return bits(l, 25, 25); }
    uint32_t compare_a() const { return bits(l, 24, 22) & 3; }
    uint32_t compare() const { return bits(l, 21, 20); }
    uint32_t compare_b() const { return bits(l, 19, 17); }
    uint32_t image() const { return bits(l, 8, 7); }
    uint32_t step() const { return bits(l, 6, 4); }
    bool by_texture() const { return bits(l, 3, 3); }
    uint32_t memory_op() const { return bits(l, 2, 0); }
};

/// One run of the program for a pixel.
class Fragment {
public:
    Fragment(const Registers& registers, Bus& bus, Output& output, int x, int y, Coordinate texture,
             const Color& color, int coverage)
        : reg_(registers), bus_(bus), output_(output), x_(x), y_(y), texture_(texture),
          coverage_(coverage) {
        t_[0] = color;
        for (uint32_t i = 0; i < 4; i++)
            c_[i] = color_of(reg_[reg_c0 + 4 * i]);
    }

    void prefetch(uint32_t pointer) {
        static constexpr uint32_t images[] = {1, 0, 2, 3};
        if (bits(pointer, 15, 15))
            set(bits(pointer, 14, 13), read(images[bits(pointer, 11, 10)], !bits(pointer, 12, 12)));
    }

    void execute(const Instruction& in) {
        /* all parts of the instruction read registers before any part writes one */
        const Color rgb = rgb_result(in);
        const int a = alpha_result(in);
        const bool reads = in.memory_op() == mem_read ||
                           (in.memory_op() == mem_read_if && read_condition(in.step()));
        const Color texel = reads ? read(in.image(), in.by_texture()) : Color{};
        const Coordinate target = texture_;
        killed_ = killed_ || kills(in);

        if (in.is_tx()) {
            write_tx(in, rgb);
        } else {
            if (in.rgb_op() != rgb_nop && in.rgb_op() != rgb_tx)
                set_rgb(in.rgb_to(), rgb);
            if (in.alpha_op() != alpha_nop)
                set_alpha(in.alpha_to(), a);
        }
        if (reads)
            set(in.read_to(), texel);
        if (in.memory_op() == mem_write && !killed_)
            write(in, target);
        if (in.memory_op() == mem_nop || in.memory_op() == mem_read)
            step(in);
    }

private:
    /* ---- Registers ---- */

    /// Updates the texture coordinate after a write to T1, which holds it as two numbers with 4
    /// fraction bits each.
    void wrote(uint32_t n) {
        const Color& t1 = t_[1];
        if (n == 1)
            texture_ = {(t1[green] << 8 | t1[red]) / 16.0, (t1[alpha] << 8 | t1[blue]) / 16.0};
    }
    void set(uint32_t n, const Color& value) {
        t_[n] = value;
        wrote(n);
    }
    void set_rgb(uint32_t n, const Color& value) {
        std::copy_n(value.begin(), 3, t_[n].begin());
        wrote(n);
    }
    void set_alpha(uint32_t n, int value) {
        t_[n][alpha] = value;
        wrote(n);
    }

    /// Returns one of T0 to T3 (0 to 3) or C0 to C3 (4 to 7).
    const Color& either(uint32_t n) const { return n < 4 ? t_[n] : c_[n - 4]; }

    /* ---- Operands ---- */

    static Color all(int value) { return {value, value, value, value}; }
    static Color inverse(const Color& c) {
        return {255 - c[0], 255 - c[1], 255 - c[2], 255 - c[3]};
    }

    Color r1(uint32_t code) const {
        const size_t n = code & 3;
        switch (code >> 2) {
        case 0:
            return t_[n];
        case 1:
            return all(t_[n][alpha]);
        case 2:
            return inverse(t_[n]);
        case 3:
            return all(255 - t_[n][alpha]);
        case 4:
            return c_[n];
        case 5:
            return all(c_[n][alpha]);
        default:
            return r1_special(code);
        }
    }
    Color r1_special(uint32_t code) const {
        const Color& t3 = t_[3];
        switch (code) {
        case 24:
        case 25:
        case 26:
            return all(t3[code - 24]);
        case 27:
            return {t3[green], t3[blue], t3[red], t3[alpha]};
        case 28:
            return {t3[blue], t3[red], t3[green], t3[alpha]};
        case 29:
            return all(255);
        default:
            return all(0);
        }
    }

    int a1(uint32_t code) const {
        static constexpr Channel channels[] = {blue, green, red};
        if (code < 4)
            return t_[code][alpha];
        if (code < 8)
            return 255 - t_[code - 4][alpha];
        if (code < 11)
            return t_[0][channels[code - 8]];
        if (code < 14)
            return c_[code - 11][alpha];
        return code == 14 ? 255 : 0;
    }

    /* ---- Operations ---- */

    static int rgb_channel(uint32_t op, int a, int b, int c) {
        switch (op) {
        case rgb_mad:
            return saturate(product(a, b) + c);
        case rgb_mov:
            return b;
        case rgb_add:
            return saturate(b + c);
        case rgb_msb:
            return std::max(0, product(a, b) - c);
        case rgb_min:
            return std::min(b, c);
        case rgb_max:
            return std::max(b, c);
        default:
            return 0;
        }
    }

    Color rgb_result(const Instruction& in) const {
        const Color a = t_[in.r0()];
        const Color b = r1(in.r1());
        if (in.is_tx() && in.tx_op() == tx_and)
            return {a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]};
        if (in.is_tx())
            return yuv_to_rgb(t_[0]);
        Color result{};
        for (size_t i = 0; i < 3; i++)
            result[i] = rgb_channel(in.rgb_op(), a[i], b[i], either(in.r2())[i]);
        return result;
    }

    int alpha_result(const Instruction& in) const {
        const int a = a1(in.a1());
        const int addend = either(in.a2())[alpha];
        switch (in.alpha_op()) {
        case alpha_mad:
            return saturate(product(t_[in.a0()][alpha], a) + addend);
        case alpha_mul:
            return product(a, addend);
        default:
            return a;
        }
    }

    /// Writes the result of a Tx operation. Operations other than AND and YUVCMD have no effect.
    void write_tx(const Instruction& in, const Color& result) {
        if (in.tx_op() == tx_and)
            set(in.rgb_to(), result);
        else if (in.tx_op() == tx_yuv)
            set_rgb(in.rgb_to(), result);
    }

    bool kills(const Instruction& in) const {
        const Color& a = t_[in.compare_a()];
        const Color& b = either(in.compare_b());
        const size_t first = in.compare_alpha() ? alpha : red;
        const size_t last = in.compare_alpha() ? alpha : blue;
        bool equal = true, less = true;
        for (size_t c = first; c <= last; c++) {
            equal = equal && a[c] == b[c];
            less = less && a[c] < b[c];
        }
        switch (in.compare()) {
        case compare_equal:
            return equal;
        case compare_differs:
            return !equal;
        case compare_less:
            return less;
        default:
            return false;
        }
    }

    /* ---- Memory ---- */

    bool read_condition(uint32_t code) const {
        const int a = t_[0][alpha];
        switch (code) {
        case 1:
            return a != 255;
        case 2:
            return a != 0;
        case 3:
            return a != 0 && a != 255;
        case 4:
            return false; /* selects background pixels, for which no program runs */
        default:
            return true;
        }
    }

    Color read(uint32_t image, bool by_texture) {
        const Surface surface = reg_.surface(image);
        const Color alpha_color = color_of(reg_[reg_tex_color]);
        return by_texture ? sample_texture(bus_, surface, alpha_color, texture_)
                          : sample_pixel(bus_, surface, alpha_color, x_, y_);
    }

    void write(const Instruction& in, Coordinate texture) {
        const Color& rgb = t_[in.rgb_to()];
        const Color color{rgb[red], rgb[green], rgb[blue], t_[in.alpha_to()][alpha]};
        constexpr double limit = 1 << 24;
        const auto whole = [limit](double v) {
            return static_cast<int64_t>(std::floor(std::clamp(v, -limit, limit)));
        };
        if (in.by_texture())
            output_.write(in.image(), whole(texture.x), whole(texture.y), color, coverage_);
        else
            output_.write(in.image(), x_, y_, color, coverage_);
    }

    void step(const Instruction& in) {
        static constexpr int moves[][2] = {{0, 0}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}, {-3, 1}};
        const uint32_t code = in.step();
        if (code < 6 && in.by_texture()) {
            texture_.x += moves[code][0];
            texture_.y += moves[code][1];
        } else if (code < 6) {
            x_ += moves[code][0];
            y_ += moves[code][1];
        } else if (in.by_texture()) {
            texture_.x /= 2;
            texture_.y /= code == 6 ? 2 : 1;
        } else {
            x_ >>= 1;
            y_ >>= code == 6 ? 1 : 0;
        }
    }

    const Registers& reg_;
    Bus& bus_;
    Output& output_;
    int64_t x_, y_;
    Coordinate texture_;
    int coverage_;
    std::array<Color, 4> t_{};
    std::array<Color, 4> c_{};
    bool killed_ = false;
};

} // namespace

Shader::Shader(const Registers& registers, Bus& bus, Output& output)
    : reg_(registers), bus_(bus), output_(output), matrix_(registers.matrix()) {
    for (const uint64_t word : reg_.instructions)
        ends_ = ends_ || Instruction(word).end();
}

void Shader::run(int x, int y, const Color& color, int coverage) {
    /*
     * A program without an end flag loops, since there are no jumps.  It is stopped after 64
     * instructions and writes no pixel.
     */
    if (!ends_)
        return;
    const uint32_t pointer = reg_[reg_code_pointer];
    Fragment fragment(reg_, bus_, output_, x, y, matrix_.at(x, y), color, coverage);
    fragment.prefetch(pointer);
    for (uint32_t slot = bits(pointer, 4, 0);; slot = (slot + 1) % 32) {
        const Instruction instruction(reg_.instructions[slot]);
        fragment.execute(instruction);
        if (instruction.end())
            return;
    }
}

} // namespace reference::nema
