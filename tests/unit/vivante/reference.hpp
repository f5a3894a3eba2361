/*
 * A simple reference for the 2D engine, which draws one pixel at a time. It follows the register
 * descriptions (rnndb state_2d) and the expectations of X drivers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_UNIT_VIVANTE_REFERENCE_HPP
#define PIXMILL_TESTS_UNIT_VIVANTE_REFERENCE_HPP

#include <random>

#include "2d/blit.hpp"

namespace pixmill::test {

/* These convert between a stored pixel and ARGB (A 31:24, R 23:16, G 15:8, B 7:0). */
uint32_t decode_pixel(uint32_t format, uint32_t swizzle, uint32_t raw);
uint32_t encode_pixel(uint32_t format, uint32_t swizzle, uint32_t argb);
/* Returns the mask of the bits of a stored pixel that belong to no component. */
uint32_t unused_bits(uint32_t format, uint32_t swizzle);
/* Returns the result of a ROP3. Each bit is bit (dst + 2 * src + 4 * pattern) of @code. */
uint32_t rop3(uint32_t code, uint32_t dst, uint32_t src, uint32_t pattern);

struct RefSurface {
    uint32_t addr = 0;
    uint32_t stride = 0;
    uint32_t format = kA8R8G8B8;
    uint32_t swizzle = 0;
};

struct RefDraw {
    bool clear = false;
    RefSurface dst{};
    RefSurface src{};
    Rect clip{};
    std::vector<Rect> rects{};
    uint32_t code = 0xCC;
    bool rop3 = false; /* uses TYPE ROP3 instead of ROP4 */
    int origin_x = 0;
    int origin_y = 0;
    bool relative = false;
    uint32_t color = 0; /* of the clear or the solid brush, in ARGB */

    bool uses_source() const { return !clear && ((code >> 2 & 0x33) != (code & 0x33)); }
};

/* A copy of the guest RAM that starts at 0. The reference draws to this copy. */
class Shadow {
public:
    explicit Shadow(const Machine& machine);
    void paint(const RefDraw& draw);
    uint32_t load(uint64_t addr, uint32_t bytes) const;
    void store(uint64_t addr, uint32_t bytes, uint32_t value);
    /* Expects all bytes of the machine's RAM to be equal. */
    void expect_equal(const Machine& machine) const;

private:
    void paint_rect(const RefDraw& draw, const Rect& rect);
    void paint_pixel(const RefDraw& draw, int x, int y, uint32_t src_raw);
    uint32_t fetch_source(const RefDraw& draw, const Rect& rect, int x, int y) const;

    Bytes bytes_;
    uint64_t size_;
};

/* Returns the stream of @draw: pipe selection, states and DRAW_2D. */
Stream program(const RefDraw& draw);

/* Fills @len bytes with random values. */
void scribble(Machine& machine, std::mt19937& random, uint64_t addr, uint64_t len);

inline int pick(std::mt19937& random, int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
}

/* Runs @draw on the machine and on the reference, and compares all of RAM. */
void expect_same_picture(Machine& machine, const RefDraw& draw);

} // namespace pixmill::test

#endif
