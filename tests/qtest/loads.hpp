/*
 * Work that a hostile guest, or a careless one, gives its machine: none of it comes to an end.
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

/* On the Vivante core of a pixmill-test. */
void loop_idly(Qemu& qemu);      /* WAIT and LINK, as drivers do */
void loop_links(Qemu& qemu);     /* a LINK to itself */
void loop_states(Qemu& qemu);    /* the same states again and again */
void blit_for_hours(Qemu& qemu); /* large rectangles */
void draw_dearly(Qemu& qemu);    /* the same where each pixel costs most */
/* On one that has a 3D engine. */
void draw_for_minutes_3d(Qemu& qemu);
void shade_for_hours_3d(Qemu& qemu);
void shade_vertices_for_hours_3d(Qemu& qemu);
void never_end_3d(Qemu& qemu);
/* On a VG core. */
void draw_for_days_vg(Qemu& qemu);    /* large images */
void fill_for_minutes_vg(Qemu& qemu); /* a path of very many edges */

struct Load {
    const char* name;
    const char* machine;
    const char* device; /* whose property "worker" matters; "" if none does */
    const char* path;   /* QOM path of that device */
    const char* work;   /* its counter that grows while it works; "" if none must */
    /* On a machine whose CPU waits for it ("-accel tcg -S"), which then runs. */
    void (*start)(Qemu&);
    bool (*lasts)(Qemu&);
    bool ends_with_reset;
};

std::span<const Load> loads();

/* The options of its machine; what it sends to its console goes to the socket @console. */
QemuOptions machine_of(const Load& load, bool threaded, const std::string& console);

void PrintTo(const Load& load, std::ostream* out);

} // namespace pixmill::qtest

#endif
