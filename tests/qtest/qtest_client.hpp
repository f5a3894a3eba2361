/*
 * A QEMU process under test: its qtest channel (memory, guest clock, interrupt
 * lines), its QMP channel, its log and its end.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Everything waits with a time-out and throws QemuError, which carries what
 * QEMU wrote to stderr, when QEMU does not answer, refuses or dies.
 */
#ifndef PIXMILL_TESTS_QTEST_QTEST_CLIENT_HPP
#define PIXMILL_TESTS_QTEST_QTEST_CLIENT_HPP

#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace pixmill::qtest {

using Bytes = std::vector<uint8_t>;
using Words = std::vector<uint32_t>;
using Milliseconds = std::chrono::milliseconds;

class QemuError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/* Text of member @key of the JSON object @object. */
std::optional<std::string_view> json_member(std::string_view object, std::string_view key);

/* Text of each element of the JSON array @array. */
std::vector<std::string_view> json_elements(std::string_view array);

/* A directory that goes away with its owner. */
class TemporaryDirectory {
public:
    TemporaryDirectory();
    ~TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
    [[nodiscard]] std::string file(std::string_view name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

/* A child process; killed, if need be, with its owner. */
class Child {
public:
    Child(const std::vector<std::string>& arguments, const std::string& stderr_file);
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    [[nodiscard]] pid_t pid() const { return pid_; }
    /* How it ended ("exit 0", "signal 6 (Aborted)"), or nothing within @timeout. */
    std::optional<std::string> wait(Milliseconds timeout);

private:
    pid_t pid_ = -1;
    std::optional<std::string> end_;
};

/* The listening end of a Unix socket, and after accept() the line-wise peer. */
class LineSocket {
public:
    explicit LineSocket(const std::string& path);
    ~LineSocket();
    LineSocket(const LineSocket&) = delete;
    LineSocket& operator=(const LineSocket&) = delete;

    bool accept(Milliseconds timeout);
    [[nodiscard]] bool connected() const { return peer_ >= 0; }
    void send(std::string_view line);
    /* The next line without its newline; nothing at the time-out.  Throws when closed. */
    std::optional<std::string> receive(Milliseconds timeout);
    /* What there is, up to @most bytes; "" at the time-out and when closed. */
    std::string receive_some(size_t most, Milliseconds timeout);

private:
    int listener_ = -1;
    int peer_ = -1;
    std::string buffer_;
};

struct QemuOptions {
    std::string machine;                       /* value of -M */
    std::string accel = "qtest";               /* the guest's CPUs run under anything else */
    std::vector<std::string> arguments = {};   /* further ones */
    std::string interrupt_of = {};             /* QOM path whose outputs are watched, or "" */
    std::string interrupt_name = "sysbus-irq"; /* ... those of that name */
};

struct InterruptChange {
    unsigned output = 0;
    bool level = false;
    bool operator==(const InterruptChange&) const = default;
};

class Qemu {
public:
    /* The executable is named by the environment: PIXMILL_QEMU. */
    explicit Qemu(const QemuOptions& options);

    /* ---- Guest-physical memory and registers, as the first CPU sees them ---- */
    uint8_t read8(uint64_t address) { return static_cast<uint8_t>(get("readb", address)); }
    uint16_t read16(uint64_t address) { return static_cast<uint16_t>(get("readw", address)); }
    uint32_t read32(uint64_t address) { return static_cast<uint32_t>(get("readl", address)); }
    uint64_t read64(uint64_t address) { return get("readq", address); }
    void write8(uint64_t address, uint8_t value) { put("writeb", address, value); }
    void write16(uint64_t address, uint16_t value) { put("writew", address, value); }
    void write32(uint64_t address, uint32_t value) { put("writel", address, value); }
    void write64(uint64_t address, uint64_t value) { put("writeq", address, value); }
    Bytes read(uint64_t address, size_t length);
    void write(uint64_t address, std::span<const uint8_t> data);
    void fill(uint64_t address, uint64_t length, uint8_t value);
    Words read_words(uint64_t address, size_t count);
    void write_words(uint64_t address, std::span<const uint32_t> words);

    /* ---- I/O ports, of processors that have them ---- */
    uint8_t in8(uint16_t port) { return static_cast<uint8_t>(get("inb", port)); }
    uint16_t in16(uint16_t port) { return static_cast<uint16_t>(get("inw", port)); }
    uint32_t in32(uint16_t port) { return static_cast<uint32_t>(get("inl", port)); }
    void out8(uint16_t port, uint8_t value) { put("outb", port, value); }
    void out16(uint16_t port, uint16_t value) { put("outw", port, value); }
    void out32(uint16_t port, uint32_t value) { put("outl", port, value); }

    /* ---- Guest clock; stands still but for these (accel "qtest") ---- */
    int64_t clock_step(int64_t nanoseconds);
    int64_t clock_set(int64_t nanoseconds);
    [[nodiscard]] int64_t now() const { return now_; }

    /* ---- The watched interrupts, which are the outputs 0, 1, ... ---- */
    bool interrupt(unsigned output = 0) { return interrupts().contains(output); }
    unsigned interrupt_rises();
    /* All that are high. */
    std::set<unsigned> interrupts();
    /* What has changed since the last call, in order. */
    std::vector<InterruptChange> take_interrupt_changes();

    /* ---- Inputs of devices ---- */
    void set_input(std::string_view path, std::string_view name, unsigned number, bool level);

    /* ---- QMP ---- */
    /* Text of the result; throws when QEMU reports an error. */
    std::string qmp(std::string_view command, std::string_view arguments = "");
    /* The error's description, or "" if there was none. */
    std::string qmp_error(std::string_view command, std::string_view arguments = "");
    /* What the human monitor answers to @line. */
    std::string monitor(std::string_view line);
    std::string get_property(std::string_view path, std::string_view name);
    uint64_t get_counter(std::string_view path, std::string_view name);
    void set_property(std::string_view path, std::string_view name, std::string_view json);
    void stop() { qmp("stop"); }
    void resume() { qmp("cont"); }
    void system_reset();
    /* Writes the whole machine to @file; it is stopped afterwards. */
    void migrate_to(const std::string& file);
    /* Reads it back, in a QEMU started with "-incoming defer". */
    void migrate_from(const std::string& file);

    /* savevm and loadvm, into a disk image of its own, which the first one makes. */
    void make_snapshot_disk();
    void save_snapshot();
    void load_snapshot();
    /* Why it could not be loaded, or "". */
    std::string load_snapshot_error();
    [[nodiscard]] std::string snapshot_file() const { return directory_.file("snapshot.qcow2"); }

    /* ---- The process ---- */
    [[nodiscard]] pid_t pid() const { return child_.pid(); }
    [[nodiscard]] const TemporaryDirectory& directory() const { return directory_; }
    /* Lines that guest errors and unimplemented parts have left in the log. */
    [[nodiscard]] std::vector<std::string> log() const;
    [[nodiscard]] std::string stderr_text() const;
    /* Ends QEMU through QMP; how it ended. */
    std::string quit();
    /* ... by a signal. */
    std::string terminate();

private:
    [[noreturn]] void fail(const std::string& what);
    void connect(LineSocket& socket, const char* name);
    std::string receive(LineSocket& socket, const char* waiting_for);
    std::string command(const std::string& line);
    void note_interrupt(const std::string& line);
    uint64_t get(const char* verb, uint64_t address);
    void put(const char* verb, uint64_t address, uint64_t value);
    std::string exchange_qmp(std::string_view command, std::string_view arguments);
    void await_event(std::string_view name);
    void await_migration();
    std::string job_error(std::string_view command, const std::string& arguments);
    void run_job(std::string_view command, const std::string& arguments);

    TemporaryDirectory directory_;
    LineSocket qtest_;
    LineSocket qmp_;
    Child child_;
    int64_t now_ = 0;
    std::set<unsigned> high_;
    std::vector<InterruptChange> changes_; /* not yet taken */
    unsigned rises_ = 0;
    std::vector<std::string> events_; /* not yet awaited */
    bool has_snapshot_ = false;
};

} // namespace pixmill::qtest

#endif
