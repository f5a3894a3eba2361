/*
 * Endless or very long work that a hostile or careless guest may start on its machine.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_QTEST_LOADS_HPP
#define PIXMILL_TESTS_QTEST_LOADS_HPP

#include <ostream>
#include <span>
#include <string>

#include "qtest_client.hpp"

namespace pixmill::qtest {

/* These start work on the Vivante core of pixmill-test. */
void loop_idly(Qemu& qemu);          /* the WAIT and LINK loop of an idle driver */
void loop_links(Qemu& qemu);         /* a LINK to itself */
void loop_states(Qemu& qemu);        /* the same LOAD_STATEs forever */
void blit_for_hours(Qemu& qemu);     /* huge rectangles */
void draw_costly_pixels(Qemu& qemu); /* the most expensive pixels */
/* These need a core with a 3D engine. */
void draw_for_minutes_3d(Qemu& qemu);
void shade_for_hours_3d(Qemu& qemu);
void shade_vertices_for_hours_3d(Qemu& qemu);
void never_end_3d(Qemu& qemu);
/* These need a VG core. */
void draw_for_days_vg(Qemu& qemu);    /* huge images */
void fill_for_minutes_vg(Qemu& qemu); /* a path with very many edges */

struct Load {
    const char* name;
    const char* machine;
    const char* device; /* device with a "worker" property to vary, or "" */
    const char* path;   /* QOM path of the device */
    const char* work;   /* counter of the device that grows with the work, or "" */
    /* Expects a machine started with "-accel tcg -S" and lets its CPU run. */
    void (*start)(Qemu&);
    bool (*lasts)(Qemu&);
    bool ends_with_reset;
};

std::span<const Load> loads();

/*
 * Returns options for the machine of @load, whose serial console is connected to socket @console.
 */
QemuOptions machine_of(const Load& load, bool threaded, const std::string& console);

void PrintTo(const Load& load, std::ostream* out);

} // namespace pixmill::qtest

#endif
