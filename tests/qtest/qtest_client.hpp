/*
 * A QEMU process under test: its qtest channel (memory, guest clock, interrupt lines), QMP channel,
 * log and exit status.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * All calls have a timeout. If QEMU does not answer, refuses a command or dies, they throw
 * QemuError with QEMU's stderr.
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

/* Returns the text of member @key of the JSON object @object. */
std::optional<std::string_view> json_member(std::string_view object, std::string_view key);

/* Returns the text of each element of the JSON array @array. */
std::vector<std::string_view> json_elements(std::string_view array);

/* A directory that the destructor removes. */
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

/* A child process; the destructor kills it if it is still running. */
class Child {
public:
    Child(const std::vector<std::string>& arguments, const std::string& stderr_file);
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    [[nodiscard]] pid_t pid() const { return pid_; }
    /* Returns how the process ended ("exit 0", "signal 6 (Aborted)"), or nullopt after @timeout. */
    std::optional<std::string> wait(Milliseconds timeout);

private:
    pid_t pid_ = -1;
    std::optional<std::string> end_;
};

/* A listening Unix socket; after accept(), the connection to its one peer, read line by line. */
class LineSocket {
public:
    explicit LineSocket(const std::string& path);
    ~LineSocket();
    LineSocket(const LineSocket&) = delete;
    LineSocket& operator=(const LineSocket&) = delete;

    bool accept(Milliseconds timeout);
    [[nodiscard]] bool connected() const { return peer_ >= 0; }
    void send(std::string_view line);
    /* Returns the next line without its newline, or nullopt after @timeout.  Throws if closed. */
    std::optional<std::string> receive(Milliseconds timeout);
    /* Returns the available data, at most @most bytes; "" after @timeout or if closed. */
    std::string receive_some(size_t most, Milliseconds timeout);

private:
    int listener_ = -1;
    int peer_ = -1;
    std::string buffer_;
};

struct QemuOptions {
    std::string machine;                     /* value of -M */
    std::string accel = "qtest";             /* any other accelerator runs the guest's CPUs */
    std::vector<std::string> arguments = {}; /* appended to the command line */
    std::string interrupt_of = {}; /* QOM path of the device whose outputs are watched, or "" */
    std::string interrupt_name = "sysbus-irq"; /* name of the watched outputs */
};

struct InterruptChange {
    unsigned output = 0;
    bool level = false;
    bool operator==(const InterruptChange&) const = default;
};

class Qemu {
public:
    /* Starts the executable that PIXMILL_QEMU names. */
    explicit Qemu(const QemuOptions& options);

    /* ---- Guest-physical memory and registers, as seen by the first CPU ---- */
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

    /* ---- I/O ports (x86 only) ---- */
    uint8_t in8(uint16_t port) { return static_cast<uint8_t>(get("inb", port)); }
    uint16_t in16(uint16_t port) { return static_cast<uint16_t>(get("inw", port)); }
    uint32_t in32(uint16_t port) { return static_cast<uint32_t>(get("inl", port)); }
    void out8(uint16_t port, uint8_t value) { put("outb", port, value); }
    void out16(uint16_t port, uint16_t value) { put("outw", port, value); }
    void out32(uint16_t port, uint32_t value) { put("outl", port, value); }

    /* ---- Guest clock; with accel "qtest" only these calls advance it ---- */
    int64_t clock_step(int64_t nanoseconds);
    int64_t clock_step_to_timer(); /* to the next one that expires; there must be one */
    int64_t clock_set(int64_t nanoseconds);
    [[nodiscard]] int64_t now() const { return now_; }

    /* ---- Watched interrupts: outputs 0, 1, ... ---- */
    bool interrupt(unsigned output = 0) { return interrupts().contains(output); }
    unsigned interrupt_rises();
    /* Returns all watched outputs that are high. */
    std::set<unsigned> interrupts();
    /* Returns the output changes since the last call, in order. */
    std::vector<InterruptChange> take_interrupt_changes();

    /* ---- Inputs of devices ---- */
    void set_input(std::string_view path, std::string_view name, unsigned number, bool level);

    /* ---- QMP ---- */
    /* Returns the command's result as text; throws if QEMU reports an error. */
    std::string qmp(std::string_view command, std::string_view arguments = "");
    /* Returns the description of the command's error, or "" on success. */
    std::string qmp_error(std::string_view command, std::string_view arguments = "");
    /* Returns the output of the human monitor command @line. */
    std::string monitor(std::string_view line);
    std::string get_property(std::string_view path, std::string_view name);
    uint64_t get_counter(std::string_view path, std::string_view name);
    void set_property(std::string_view path, std::string_view name, std::string_view json);
    void stop() { qmp("stop"); }
    void resume() { qmp("cont"); }
    void system_reset();
    /* Saves the machine to @file and leaves it stopped. */
    void migrate_to(const std::string& file);
    /* Loads @file; QEMU must have been started with "-incoming defer". */
    void migrate_from(const std::string& file);

    /* These act like savevm and loadvm on a disk image, which the first save creates. */
    void make_snapshot_disk();
    void save_snapshot();
    void load_snapshot();
    /* Returns the reason why loading failed, or "". */
    std::string load_snapshot_error();
    [[nodiscard]] std::string snapshot_file() const { return directory_.file("snapshot.qcow2"); }

    /* ---- The process ---- */
    [[nodiscard]] pid_t pid() const { return child_.pid(); }
    [[nodiscard]] const TemporaryDirectory& directory() const { return directory_; }
    /* Returns the log lines of guest errors and unimplemented features. */
    [[nodiscard]] std::vector<std::string> log() const;
    [[nodiscard]] std::string stderr_text() const;
    /* Ends QEMU through QMP; returns how the process ended. */
    std::string quit();
    /* Ends QEMU with SIGTERM; returns how the process ended. */
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
    std::vector<InterruptChange> changes_; /* not yet returned by take_interrupt_changes() */
    unsigned rises_ = 0;
    std::vector<std::string> events_; /* received but not awaited */
    bool has_snapshot_ = false;
};

} // namespace pixmill::qtest

#endif
