/*
 * A rig for the IRQ crossbars of the machine `pixmill-test`; it watches the lines of one bank.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_QTEST_CROSSBAR_RIG_HPP
#define PIXMILL_TESTS_QTEST_CROSSBAR_RIG_HPP

#include <cstdint>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "../qtest_client.hpp"

namespace pixmill::qtest {

/* A bank of a crossbar, as described by the manual (tests/data) or by the machine's source. */
struct CrossbarBank {
    struct Line {
        std::optional<uint64_t> address = {}; /* address of its selector */
        uint32_t reset = 0;
        std::optional<uint32_t> bypass = {}; /* source that always drives the line */
    };

    std::string crossbar; /* QOM path */
    std::string name;
    uint32_t sources = 0;
    uint64_t base = 0;
    uint32_t window = 0;
    uint32_t reg_size = 2;
    uint32_t mask = 0x1FF;
    std::map<uint32_t, Line> lines = {};

    [[nodiscard]] std::string path() const { return crossbar + "/" + name; }
};

std::ostream& operator<<(std::ostream& out, const CrossbarBank& bank);

/* Returns all banks of the machine. */
const std::vector<CrossbarBank>& crossbar_banks();
const CrossbarBank& crossbar_bank(const std::string& name);

using Lines = std::set<unsigned>;

class CrossbarRig {
public:
    explicit CrossbarRig(const CrossbarBank& bank, std::vector<std::string> arguments = {});
    explicit CrossbarRig(const std::string& bank, std::vector<std::string> arguments = {})
        : CrossbarRig(crossbar_bank(bank), std::move(arguments)) {}
    /* Ends QEMU; fails the running test unless QEMU exits with status 0 and an empty stderr. */
    ~CrossbarRig();
    CrossbarRig(const CrossbarRig&) = delete;
    CrossbarRig& operator=(const CrossbarRig&) = delete;

    Qemu& qemu() { return qemu_; }
    void set(unsigned source, bool level) {
        qemu_.set_input(bank_.crossbar, "source", source, level);
    }
    void raise(unsigned source) { set(source, true); }
    void lower(unsigned source) { set(source, false); }
    /* Returns the lines of the watched bank that are high. */
    Lines high() { return qemu_.interrupts(); }
    /* Returns the log lines that contain @text and are new since the last call with @text. */
    std::vector<std::string> take_log(const std::string& text);
    size_t guest_errors() { return take_log("there is no source").size(); }
    /* Return the number of raises that the whole crossbar, or the watched bank, did not route. */
    uint64_t unrouted() { return qemu_.get_counter(bank_.crossbar, "unrouted-raises"); }
    uint64_t unrouted_by_bank() { return qemu_.get_counter(bank_.path(), "unrouted-raises"); }

private:
    CrossbarBank bank_;
    Qemu qemu_;
    std::map<std::string, size_t> log_seen_;
};

} // namespace pixmill::qtest

#endif
