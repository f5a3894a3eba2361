/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "qtest_client.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>
#include <utility>

namespace pixmill::qtest {

namespace {

using Clock = std::chrono::steady_clock;

constexpr Milliseconds kStartTimeout{60'000};
constexpr Milliseconds kAnswerTimeout{60'000};
constexpr Milliseconds kMigrationTimeout{120'000};
constexpr size_t kTransferBytes = 64 * 1024;
constexpr const char* kSnapshot = R"("tag": "one", "vmstate": "disk", "devices": ["disk"])";

[[noreturn]] void fail_with_errno(const char* what) {
    throw QemuError(std::string(what) + ": " + std::strerror(errno));
}

std::string hex(uint64_t value) {
    std::array<char, 24> text{};
    std::snprintf(text.data(), text.size(), "0x%llx", static_cast<unsigned long long>(value));
    return text.data();
}

std::string read_file(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string executable() {
    const char* path = std::getenv("PIXMILL_QEMU");
    if (path == nullptr || access(path, X_OK) != 0) {
        throw QemuError("the environment's PIXMILL_QEMU names no executable");
    }
    return path;
}

std::vector<std::string> command_line(const QemuOptions& options,
                                      const TemporaryDirectory& directory) {
    std::vector<std::string> line{executable(),
                                  "-M",
                                  options.machine,
                                  "-accel",
                                  options.accel,
                                  "-display",
                                  "none",
                                  "-nic",
                                  "none",
                                  "-nodefaults",
                                  "-qtest",
                                  "unix:" + directory.file("qtest"),
                                  "-qtest-log",
                                  "/dev/null",
                                  "-chardev",
                                  "socket,id=qmp,path=" + directory.file("qmp"),
                                  "-mon",
                                  "chardev=qmp,mode=control",
                                  "-d",
                                  "guest_errors,unimp",
                                  "-D",
                                  directory.file("log")};
    line.insert(line.end(), options.arguments.begin(), options.arguments.end());
    return line;
}

/* Returns the offset after the JSON value that starts at @at. */
size_t skip_value(std::string_view text, size_t at) {
    int depth = 0;
    bool quoted = false;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (quoted) {
            if (c == '\\') {
                ++at;
            } else if (c == '"') {
                quoted = false;
            }
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            ++depth;
        } else if (c == '}' || c == ']') {
            if (depth == 0) {
                break;
            }
            --depth;
        } else if (c == ',' && depth == 0) {
            break;
        }
    }
    return at;
}

std::string_view trim(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) {
        text.remove_prefix(1);
    }
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) {
        text.remove_suffix(1);
    }
    return text;
}

/* Returns the offset after the JSON value at @at and the comma that may follow it. */
size_t skip_element(std::string_view text, size_t at) {
    const size_t end = skip_value(text, at);
    return end + (end < text.size() && text[end] == ',' ? 1 : 0);
}

} // namespace

std::vector<std::string_view> json_elements(std::string_view array) {
    array = trim(array);
    std::vector<std::string_view> elements;
    for (size_t at = 1, next; at + 1 < array.size(); at = next) {
        next = skip_element(array, at);
        elements.push_back(trim(array.substr(at, skip_value(array, at) - at)));
    }
    return elements;
}

std::optional<std::string_view> json_member(std::string_view object, std::string_view key) {
    object = trim(object);
    if (object.empty() || object.front() != '{') {
        return std::nullopt;
    }
    size_t at = 1;
    while (at < object.size() && object[at] != '}') {
        const size_t name = object.find('"', at);
        if (name == std::string_view::npos) {
            break;
        }
        const size_t name_end = object.find('"', name + 1);
        const size_t colon = object.find(':', name_end);
        if (name_end == std::string_view::npos || colon == std::string_view::npos) {
            break;
        }
        const size_t end = skip_value(object, colon + 1);
        if (object.substr(name + 1, name_end - name - 1) == key) {
            return trim(object.substr(colon + 1, end - colon - 1));
        }
        at = skip_element(object, colon + 1);
    }
    return std::nullopt;
}

/* ---- TemporaryDirectory -------------------------------------------------- */

TemporaryDirectory::TemporaryDirectory() {
    std::string name = std::filesystem::temp_directory_path() / "pixmill-qtest-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) {
        fail_with_errno("mkdtemp");
    }
    path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

/* ---- Child --------------------------------------------------------------- */

Child::Child(const std::vector<std::string>& arguments, const std::string& stderr_file) {
    std::vector<char*> argv;
    argv.reserve(arguments.size() + 1);
    for (const std::string& argument : arguments) {
        argv.push_back(const_cast<char*>(argument.c_str()));
    }
    argv.push_back(nullptr);

    pid_ = fork();
    if (pid_ < 0) {
        fail_with_errno("fork");
    }
    if (pid_ == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        const int null = open("/dev/null", O_RDWR);
        const int error = open(stderr_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(null, STDIN_FILENO);
        dup2(null, STDOUT_FILENO);
        dup2(error, STDERR_FILENO);
        execv(argv[0], argv.data());
        _exit(127);
    }
}

Child::~Child() {
    if (!end_) {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
}

std::optional<std::string> Child::wait(Milliseconds timeout) {
    const auto deadline = Clock::now() + timeout;
    while (!end_) {
        int status = 0;
        if (waitpid(pid_, &status, WNOHANG) == pid_) {
            if (WIFSIGNALED(status)) {
                const int number = WTERMSIG(status);
                end_ = "signal " + std::to_string(number) + " (" + strsignal(number) + ")";
            } else {
                end_ = "exit " + std::to_string(WEXITSTATUS(status));
            }
        } else if (Clock::now() >= deadline) {
            return std::nullopt;
        } else {
            std::this_thread::sleep_for(Milliseconds(1));
        }
    }
    return end_;
}

/* ---- LineSocket ---------------------------------------------------------- */

LineSocket::LineSocket(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof(address.sun_path)) {
        throw QemuError("socket path too long: " + path);
    }
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    listener_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener_ < 0 ||
        bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
        listen(listener_, 1) != 0) {
        fail_with_errno("socket");
    }
}

LineSocket::~LineSocket() {
    for (const int fd : {listener_, peer_}) {
        if (fd >= 0) {
            close(fd);
        }
    }
}

bool LineSocket::accept(Milliseconds timeout) {
    pollfd ready{listener_, POLLIN, 0};
    if (poll(&ready, 1, static_cast<int>(timeout.count())) == 1) {
        peer_ = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    }
    return peer_ >= 0;
}

void LineSocket::send(std::string_view line) {
    std::string text(line);
    text += '\n';
    for (size_t sent = 0; sent < text.size();) {
        const ssize_t n = ::send(peer_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
        if (n < 0) {
            if (errno == EINTR) {
                continue;
            }
            fail_with_errno("connection lost");
        }
        sent += static_cast<size_t>(n);
    }
}

std::optional<std::string> LineSocket::receive(Milliseconds timeout) {
    const auto deadline = Clock::now() + timeout;
    for (size_t searched = 0;;) {
        const size_t newline = buffer_.find('\n', searched);
        if (newline != std::string::npos) {
            std::string line = buffer_.substr(0, newline);
            buffer_.erase(0, newline + 1);
            if (!line.empty() && line.back() == '\r') {
                line.pop_back();
            }
            return line;
        }
        searched = buffer_.size();

        const auto left = std::chrono::duration_cast<Milliseconds>(deadline - Clock::now());
        pollfd ready{peer_, POLLIN, 0};
        const int n = poll(&ready, 1, left.count() > 0 ? static_cast<int>(left.count()) : 0);
        if (n == 0) {
            return std::nullopt;
        }
        std::array<char, 64 * 1024> chunk;
        const ssize_t got = n < 0 ? -1 : recv(peer_, chunk.data(), chunk.size(), 0);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            throw QemuError("connection closed");
        }
        buffer_.append(chunk.data(), static_cast<size_t>(got));
    }
}

std::string LineSocket::receive_some(size_t most, Milliseconds timeout) {
    pollfd ready{peer_, POLLIN, 0};
    std::string bytes(most, 0);
    const int n = poll(&ready, 1, static_cast<int>(timeout.count()));
    const ssize_t got = n == 1 ? recv(peer_, bytes.data(), bytes.size(), 0) : 0;
    bytes.resize(got > 0 ? static_cast<size_t>(got) : 0);
    return bytes;
}

/* ---- Qemu: process ------------------------------------------------------- */

Qemu::Qemu(const QemuOptions& options)
    : qtest_(directory_.file("qtest")), qmp_(directory_.file("qmp")),
      child_(command_line(options, directory_), directory_.file("stderr")) {
    connect(qtest_, "qtest");
    connect(qmp_, "qmp");
    receive(qmp_, "greeting");
    qmp("qmp_capabilities");
    if (!options.interrupt_of.empty()) {
        command("irq_intercept_out " + options.interrupt_of + " " + options.interrupt_name);
    }
}

void Qemu::connect(LineSocket& socket, const char* name) {
    const auto deadline = Clock::now() + kStartTimeout;
    while (!socket.accept(Milliseconds(20))) {
        if (child_.wait(Milliseconds(0)) || Clock::now() > deadline) {
            fail(std::string("QEMU does not connect to ") + name);
        }
    }
}

void Qemu::fail(const std::string& what) {
    const std::optional<std::string> end = child_.wait(Milliseconds(500));
    throw QemuError(what + "\nQEMU: " + end.value_or("still running") +
                    "\nstderr: " + stderr_text());
}

std::string Qemu::receive(LineSocket& socket, const char* waiting_for) {
    std::optional<std::string> line;
    try {
        line = socket.receive(kAnswerTimeout);
    } catch (const QemuError& error) {
        fail(std::string(error.what()) + " while waiting for: " + waiting_for);
    }
    if (!line) {
        fail(std::string("no answer to: ") + waiting_for);
    }
    return *line;
}

std::vector<std::string> Qemu::log() const {
    std::istringstream text(read_file(directory_.file("log")));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) {
        lines.push_back(line);
    }
    return lines;
}

std::string Qemu::stderr_text() const {
    return read_file(directory_.file("stderr"));
}

std::string Qemu::quit() {
    try {
        qmp_.send(R"({"execute": "quit"})");
    } catch (const QemuError&) {
        return child_.wait(kAnswerTimeout).value_or("still running");
    }
    return child_.wait(kAnswerTimeout).value_or("still running");
}

std::string Qemu::terminate() {
    kill(child_.pid(), SIGTERM);
    return child_.wait(kAnswerTimeout).value_or("still running");
}

/* ---- Qemu: qtest --------------------------------------------------------- */

/* @line is "IRQ raise 5" or "IRQ lower 5".  QEMU reports changes only. */
void Qemu::note_interrupt(const std::string& line) {
    const bool level = line.starts_with("IRQ raise");
    const auto output = static_cast<unsigned>(std::stoul(line.substr(line.rfind(' '))));
    if (level) {
        high_.insert(output);
        ++rises_;
    } else {
        high_.erase(output);
    }
    changes_.push_back({output, level});
}

std::string Qemu::command(const std::string& line) {
    try {
        qtest_.send(line);
    } catch (const QemuError& error) {
        fail(error.what());
    }
    const std::string shown = line.substr(0, 80);
    for (;;) {
        std::string answer = receive(qtest_, shown.c_str());
        if (answer.starts_with("IRQ ")) {
            note_interrupt(answer);
        } else if (answer == "OK") {
            return "";
        } else if (answer.starts_with("OK ")) {
            return answer.substr(3);
        } else {
            fail("qtest refuses: " + shown + ": " + answer);
        }
    }
}

uint64_t Qemu::get(const char* verb, uint64_t address) {
    return std::stoull(command(std::string(verb) + " " + hex(address)), nullptr, 0);
}

void Qemu::put(const char* verb, uint64_t address, uint64_t value) {
    command(std::string(verb) + " " + hex(address) + " " + hex(value));
}

Bytes Qemu::read(uint64_t address, size_t length) {
    constexpr auto nibble = [](char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; };
    Bytes data;
    data.reserve(length);
    while (data.size() < length) {
        const size_t n = std::min(kTransferBytes, length - data.size());
        const std::string text =
            command("read " + hex(address + data.size()) + " " + std::to_string(n));
        if (text.size() != 2 + 2 * n) {
            fail("short answer to a read");
        }
        for (size_t i = 2; i < text.size(); i += 2) {
            data.push_back(static_cast<uint8_t>(nibble(text[i]) << 4 | nibble(text[i + 1])));
        }
    }
    return data;
}

void Qemu::write(uint64_t address, std::span<const uint8_t> data) {
    constexpr std::string_view digits = "0123456789abcdef";
    while (!data.empty()) {
        const std::span<const uint8_t> part = data.first(std::min(kTransferBytes, data.size()));
        std::string line = "write " + hex(address) + " " + std::to_string(part.size()) + " 0x";
        for (const uint8_t byte : part) {
            line += digits[byte >> 4];
            line += digits[byte & 15];
        }
        command(line);
        address += part.size();
        data = data.subspan(part.size());
    }
}

void Qemu::fill(uint64_t address, uint64_t length, uint8_t value) {
    command("memset " + hex(address) + " " + hex(length) + " " + hex(value));
}

Words Qemu::read_words(uint64_t address, size_t count) {
    const Bytes bytes = read(address, count * 4);
    Words words(count);
    for (size_t i = 0; i < count; ++i) {
        words[i] = bytes[4 * i] | uint32_t{bytes[4 * i + 1]} << 8 |
                   uint32_t{bytes[4 * i + 2]} << 16 | uint32_t{bytes[4 * i + 3]} << 24;
    }
    return words;
}

void Qemu::write_words(uint64_t address, std::span<const uint32_t> words) {
    Bytes bytes;
    bytes.reserve(words.size() * 4);
    for (const uint32_t word : words) {
        for (unsigned shift = 0; shift < 32; shift += 8) {
            bytes.push_back(static_cast<uint8_t>(word >> shift));
        }
    }
    write(address, bytes);
}

int64_t Qemu::clock_step(int64_t nanoseconds) {
    now_ = std::stoll(command("clock_step " + std::to_string(nanoseconds)));
    return now_;
}

int64_t Qemu::clock_step_to_timer() {
    now_ = std::stoll(command("clock_step"));
    return now_;
}

int64_t Qemu::clock_set(int64_t nanoseconds) {
    now_ = std::stoll(command("clock_set " + std::to_string(nanoseconds)));
    return now_;
}

unsigned Qemu::interrupt_rises() {
    interrupts();
    return rises_;
}

std::set<unsigned> Qemu::interrupts() {
    command("endianness"); /* a round trip: all earlier messages have been read */
    return high_;
}

std::vector<InterruptChange> Qemu::take_interrupt_changes() {
    interrupts();
    return std::exchange(changes_, {});
}

void Qemu::set_input(std::string_view path, std::string_view name, unsigned number, bool level) {
    command("set_irq_in " + std::string(path) + ' ' + std::string(name) + ' ' +
            std::to_string(number) + (level ? " 1" : " 0"));
}

/* ---- Qemu: QMP ----------------------------------------------------------- */

std::string Qemu::exchange_qmp(std::string_view command, std::string_view arguments) {
    std::string line = R"({"execute": ")" + std::string(command) + '"';
    if (!arguments.empty()) {
        line += R"(, "arguments": )" + std::string(arguments);
    }
    line += '}';
    try {
        qmp_.send(line);
    } catch (const QemuError& error) {
        fail(error.what());
    }
    for (;;) {
        std::string answer = receive(qmp_, line.c_str());
        if (const auto event = json_member(answer, "event")) {
            events_.emplace_back(event->substr(1, event->size() - 2));
        } else {
            return answer;
        }
    }
}

void Qemu::await_event(std::string_view name) {
    for (;;) {
        const auto found = std::find(events_.begin(), events_.end(), name);
        if (found != events_.end()) {
            events_.erase(found);
            return;
        }
        const std::string line = receive(qmp_, "event");
        if (const auto event = json_member(line, "event")) {
            events_.emplace_back(event->substr(1, event->size() - 2));
        }
    }
}

std::string Qemu::qmp(std::string_view command, std::string_view arguments) {
    const std::string answer = exchange_qmp(command, arguments);
    const std::optional<std::string_view> result = json_member(answer, "return");
    if (!result) {
        fail("QMP " + std::string(command) + ": " + answer);
    }
    return std::string(*result);
}

std::string Qemu::qmp_error(std::string_view command, std::string_view arguments) {
    const std::string answer = exchange_qmp(command, arguments);
    const std::optional<std::string_view> error = json_member(answer, "error");
    return error ? std::string(json_member(*error, "desc").value_or("?")) : "";
}

std::string Qemu::monitor(std::string_view line) {
    return qmp("human-monitor-command", R"({"command-line": ")" + std::string(line) + R"("})");
}

std::string Qemu::get_property(std::string_view path, std::string_view name) {
    return qmp("qom-get", R"({"path": ")" + std::string(path) + R"(", "property": ")" +
                              std::string(name) + R"("})");
}

uint64_t Qemu::get_counter(std::string_view path, std::string_view name) {
    return std::stoull(get_property(path, name));
}

void Qemu::set_property(std::string_view path, std::string_view name, std::string_view json) {
    qmp("qom-set", R"({"path": ")" + std::string(path) + R"(", "property": ")" + std::string(name) +
                       R"(", "value": )" + std::string(json) + "}");
}

void Qemu::system_reset() {
    events_.clear(); /* drop earlier events that were not awaited */
    qmp("system_reset");
    await_event("RESET");
}

void Qemu::await_migration() {
    const auto deadline = Clock::now() + kMigrationTimeout;
    for (;;) {
        const std::string info = qmp("query-migrate");
        const std::string_view status = json_member(info, "status").value_or("");
        if (status == "\"completed\"") {
            return;
        }
        if (status == "\"failed\"" || status == "\"cancelled\"" || Clock::now() > deadline) {
            fail("migration: " + info);
        }
        std::this_thread::sleep_for(Milliseconds(2));
    }
}

void Qemu::migrate_to(const std::string& file) {
    qmp("migrate", R"({"uri": "file:)" + file + R"("})");
    await_migration();
}

void Qemu::migrate_from(const std::string& file) {
    qmp("migrate-incoming", R"({"uri": "file:)" + file + R"("})");
    await_migration();
}

/* Runs @command as a job, adding its "job-id" argument, and returns the job's error or "". */
std::string Qemu::job_error(std::string_view command, const std::string& arguments) {
    qmp(command, "{" + arguments + R"(, "job-id": "job"})");
    const auto deadline = Clock::now() + kMigrationTimeout;
    for (;;) {
        const std::string jobs = qmp("query-jobs");
        if (jobs.find(R"("status": "concluded")") != std::string::npos) {
            qmp("job-dismiss", R"({"id": "job"})");
            const size_t error = jobs.find(R"("error")");
            return error == std::string::npos ? "" : jobs.substr(error);
        }
        if (Clock::now() > deadline) {
            fail(std::string(command) + " does not end: " + jobs);
        }
        std::this_thread::sleep_for(Milliseconds(2));
    }
}

void Qemu::run_job(std::string_view command, const std::string& arguments) {
    const std::string error = job_error(command, arguments);
    if (!error.empty()) {
        fail(std::string(command) + ": " + error);
    }
}

/* One cluster holds all of the machine state except RAM, so a test can find it in the file. */
void Qemu::make_snapshot_disk() {
    const std::string image = snapshot_file();
    if (std::filesystem::exists(image)) {
        return;
    }
    const std::string file = R"({"driver": "file", "filename": ")" + image + '"';
    run_job("blockdev-create", R"("options": )" + file + R"(, "size": 0})");
    qmp("blockdev-add", file + R"(, "node-name": "file"})");
    run_job("blockdev-create", R"("options": {"driver": "qcow2", "file": "file", "size": 1048576,)"
                               R"( "cluster-size": 2097152})");
    qmp("blockdev-add", R"({"driver": "qcow2", "node-name": "disk", "file": "file"})");
}

void Qemu::save_snapshot() {
    make_snapshot_disk();
    if (std::exchange(has_snapshot_, true)) {
        run_job("snapshot-delete", R"("tag": "one", "devices": ["disk"])");
    }
    run_job("snapshot-save", kSnapshot);
}

void Qemu::load_snapshot() {
    run_job("snapshot-load", kSnapshot);
}

std::string Qemu::load_snapshot_error() {
    return job_error("snapshot-load", kSnapshot);
}

} // namespace pixmill::qtest
