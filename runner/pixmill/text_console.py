# SPDX-License-Identifier: GPL-2.0-or-later
"""Computes the picture of Linux's text console from its characters and its font, both of which the guest reads from the kernel."""

from pixmill.picture import Picture, console_color

GLYPH = 32  # bytes of a character in a font (linux kd.h, KDFONTOP), a byte for each row of eight pixels
HEADER = 4  # bytes at the start of /dev/vcsa1: rows, columns, and the cursor's place


def draw(width, height, area, bits, text, font):
    """Returns the picture of a screen whose upper left part is the console's frame buffer; the rest is black.

    area   width and height of the frame buffer in pixels
    bits   bits per pixel of the frame buffer
    text   content of /dev/vcsa1: a character and an attribute for each cell (vcs(4))
    font   GLYPH bytes for each character"""
    if len(text) < HEADER or not font or len(font) % GLYPH:
        raise ValueError("the guest left no text or no font")
    rows, columns = text[0], text[1]
    cells = text[HEADER:]
    if len(cells) != 2 * rows * columns or not rows or not columns:
        raise ValueError(f"{len(cells)} bytes are not the text of {rows} rows with {columns} columns")
    cell_height = area[1] // rows
    words = [0] * (width * height)
    for row in range(rows):
        for y in range(cell_height):
            line = []
            for column in range(columns):
                code, attribute = cells[2 * (row * columns + column):][:2]
                line += glyph_row(font[GLYPH * code + y], attribute)
            at = width * (row * cell_height + y)
            line = line[:min(width, area[0])]
            if row * cell_height + y < height:
                words[at:at + len(line)] = line
    picture = Picture(width, height, words)
    return picture.narrowed() if bits == 16 else picture


def glyph_row(bits, attribute):
    """Returns eight pixels. The attribute has four bits for each color, as on a PC: intensity, red, green, blue."""
    colors = console_color(attribute >> 4), console_color(attribute & 15)
    return [colors[bits >> 7 - x & 1] for x in range(8)]
