/*
 * The picture of a console, read with QMP's screendump.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_QTEST_SCREEN_HPP
#define PIXMILL_TESTS_QTEST_SCREEN_HPP

#include "qtest_client.hpp"

namespace pixmill::qtest {

/* The width must be a multiple of 4: QEMU 10.0 pads other rows, which corrupts its PPM files. */
struct Screen {
    uint32_t width = 0, height = 0;
    Words pixels; /* R8G8B8 */
};

/* @device: ID of the device whose console it is; "": the first console. */
Screen screendump(Qemu& qemu, const std::string& device = "");

} // namespace pixmill::qtest

#endif
