// SPDX-License-Identifier: GPL-2.0-or-later
// Tests pixel transfers to textures and back: formats, alignments, sub-images, copies, compression.
#include "stage.hpp"

namespace gles2 {

namespace {

constexpr Tolerance EXPANDED = {
    1, 0, "4, 5 and 6 bits become 8 by replication or by rounding, which differ by one at most"};
constexpr Tolerance S3TC = {5, 0,
                            "EXT_texture_compression_s3tc does not define how to round to 8 bits"};

// Uploads a 32x32 image and shows it at twice its size over the whole target.
void show(Stage& stage, GLenum format, GLenum type, size_t bytes_a_texel) {
    const std::vector<uint8_t> texels = noise(32, 32, uint32_t(type));
    stage.texture();
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GLint(format), 32, 32, 0, format, type,
                 texels.data() + 4096 - 1024 * bytes_a_texel);
    stage.show_texture(0, 0, 64, 64);
}

void rgba8(Stage& stage) {
    show(stage, GL_RGBA, GL_UNSIGNED_BYTE, 4);
}
void rgb8(Stage& stage) {
    show(stage, GL_RGB, GL_UNSIGNED_BYTE, 3);
}
void rgb565(Stage& stage) {
    show(stage, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, 2);
}
void rgba4(Stage& stage) {
    show(stage, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, 2);
}
void rgb5_a1(Stage& stage) {
    show(stage, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, 2);
}
void luminance(Stage& stage) {
    show(stage, GL_LUMINANCE, GL_UNSIGNED_BYTE, 1);
}
void alpha(Stage& stage) {
    show(stage, GL_ALPHA, GL_UNSIGNED_BYTE, 1);
}
void luminance_alpha(Stage& stage) {
    show(stage, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, 2);
}
void bgra8(Stage& stage) {
    show(stage, GL_BGRA, GL_UNSIGNED_BYTE, 4);
}

// Uploads images of various widths, heights and row alignments, one per cell.
void alignments(Stage& stage) {
    const std::vector<uint8_t> texels = noise(64, 64, 7);
    stage.grid(4, 4, [&](int cell) {
        const int width = 1 + 3 * (cell % 4) + cell, height = 3 + 2 * cell;
        stage.texture();
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1 << cell % 4);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, width, height, 0, GL_RGB, GL_UNSIGNED_BYTE,
                     texels.data());
        stage.show_texture(0, 0, 64, 64);
    });
}

// Replaces parts of an image at unaligned positions, between draws that sample it.
void parts(Stage& stage) {
    stage.texture_of(64, 64, gradient(64, 64));
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    const std::vector<uint8_t> texels = noise(64, 64, 3);
    for (int i = 0; i < 6; ++i) {
        glTexSubImage2D(GL_TEXTURE_2D, 0, 3 + 9 * i, 1 + 7 * i, 5 + 3 * i % 11, 1 + 5 * i, GL_RGBA,
                        GL_UNSIGNED_BYTE, texels.data());
        if (i == 2)
            stage.show_texture(0, 0, 32, 64, 0.5f);
    }
    stage.show_texture(32, 0, 64, 64, 0.5f);
}

void copied_image(Stage& stage) {
    stage.texture_of(64, 64, gradient(64, 64));
    stage.show_texture(0, 0, 64, 64);
    stage.texture();
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 5, 9, 32, 32, 0);
    stage.show_texture(32, 32, 64, 64);
    stage.texture();
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 20, 20, 16, 16, 0);
    stage.show_texture(0, 48, 16, 64);
}

void copied_part(Stage& stage) {
    stage.texture_of(64, 64, gradient(64, 64));
    stage.show_texture(0, 0, 64, 64);
    const GLuint other = stage.texture_of(32, 32, checkers(32, 32, 4, RED, WHITE));
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 3, 5, 11, 13, 21, 19);
    stage.show_texture(32, 0, 64, 32);
    glBindTexture(GL_TEXTURE_2D, other);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 40, 8, 16, 8);
    stage.show_texture(0, 32, 32, 64);
}

// Reads the left half back in unaligned parts and draws them in the right half.
void read_back(Stage& stage) {
    stage.texture_of(32, 64, noise(32, 64, 9));
    stage.show_texture(0, 0, 32, 64);
    stage.texture_of(32, 64, checkers(32, 64, 2, BLACK, WHITE));
    for (int y = 0, height = 1; y < 64; y += height, height += 2) {
        height = height > 64 - y ? 64 - y : height;
        for (int x = 0, width = 7; x < 32; x += width) {
            width = width > 32 - x ? 32 - x : width;
            glTexSubImage2D(GL_TEXTURE_2D, 0, x, y, width, height, GL_RGBA, GL_UNSIGNED_BYTE,
                            stage.read(x, y, width, height).data());
        }
    }
    stage.show_texture(32, 0, 64, 64);
}

// Uploads 4x4 blocks of random bits, all of which are valid blocks.
void show_blocks(Stage& stage, GLenum format, size_t bytes_a_block, bool flip_free) {
    std::vector<uint8_t> blocks = noise(32, 32, uint32_t(format));
    blocks.resize(64 * bytes_a_block);
    if (flip_free) // ETC1 in differential mode: base + difference must stay within 5 bits
        for (size_t i = 0; i < blocks.size(); i += 8)
            if (blocks[i + 3] & 2)
                for (int channel = 0; channel < 3; ++channel)
                    blocks[i + channel] = uint8_t((blocks[i + channel] & 0x7F) + 0x20);
    stage.texture();
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, format, 32, 32, 0, GLsizei(blocks.size()),
                           blocks.data());
    stage.show_texture(0, 0, 64, 64);
}

constexpr GLenum ETC1_RGB8 = 0x8D64; // OES_compressed_ETC1_RGB8_texture

void etc1(Stage& stage) {
    show_blocks(stage, ETC1_RGB8, 8, true);
}
void dxt1(Stage& stage) {
    show_blocks(stage, GL_COMPRESSED_RGB_S3TC_DXT1_EXT, 8, false);
}
void dxt1_alpha(Stage& stage) {
    show_blocks(stage, GL_COMPRESSED_RGBA_S3TC_DXT1_EXT, 8, false);
}
void dxt3(Stage& stage) {
    show_blocks(stage, GL_COMPRESSED_RGBA_S3TC_DXT3_EXT, 16, false);
}
void dxt5(Stage& stage) {
    show_blocks(stage, GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, 16, false);
}

// Uploads images whose sizes are not multiples of a tile. Shows only a part of the large ones.
void sizes(Stage& stage) {
    stage.grid(4, 2, [&](int cell) {
        static constexpr int SIZES[][2] = {{1, 1},   {2, 7},   {3, 64},   {17, 5},
                                           {33, 65}, {100, 9}, {257, 31}, {1000, 3}};
        const auto [width, height] = SIZES[cell];
        stage.texture_of(width, height, noise(width, height, uint32_t(cell)));
        stage.show_texture(0, 0, 64, 64, width > 16 ? 16.f / float(width) : 1,
                           height > 32 ? 32.f / float(height) : 1);
    });
}

constexpr Scene SCENES[] = {
    {"upload_rgba8", Api::ES2, EXACT, rgba8},
    {"upload_rgb8", Api::ES2, EXACT, rgb8},
    {"upload_rgb565", Api::ES2, EXPANDED, rgb565},
    {"upload_rgba4", Api::ES2, EXACT, rgba4},
    {"upload_rgb5_a1", Api::ES2, EXPANDED, rgb5_a1},
    {"upload_luminance", Api::ES2, EXACT, luminance},
    {"upload_alpha", Api::ES2, EXACT, alpha},
    {"upload_luminance_alpha", Api::ES2, EXACT, luminance_alpha},
    {"upload_bgra8", Api::ES2, EXACT, bgra8, "GL_EXT_texture_format_BGRA8888"},
    {"upload_alignments", Api::ES2, EXACT, alignments},
    {"upload_parts", Api::ES2, EXACT, parts},
    {"upload_sizes", Api::ES2, EXACT, sizes},
    {"upload_etc1", Api::ES2, EXACT, etc1, "GL_OES_compressed_ETC1_RGB8_texture"},
    {"upload_dxt1", Api::ES2, S3TC, dxt1, "GL_EXT_texture_compression_dxt1"},
    {"upload_dxt1_alpha", Api::ES2, S3TC, dxt1_alpha, "GL_EXT_texture_compression_dxt1"},
    {"upload_dxt3", Api::ES2, S3TC, dxt3, "GL_EXT_texture_compression_s3tc"},
    {"upload_dxt5", Api::ES2, S3TC, dxt5, "GL_EXT_texture_compression_s3tc"},
    {"copy_image", Api::ES2, EXACT, copied_image},
    {"copy_part", Api::ES2, EXACT, copied_part},
    {"read_back", Api::ES2, EXACT, read_back},
};

} // namespace

std::span<const Scene> upload_scenes() {
    return SCENES;
}

} // namespace gles2
