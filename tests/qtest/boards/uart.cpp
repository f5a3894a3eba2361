/*
 * A UART whose peer does not read must report that it is full, drop only bytes that the guest sends
 * after that, and not block.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "../rig.hpp"

namespace pixmill::qtest {
namespace {

struct Uart {
    const char* name;
    const char* machine;
    uint64_t base;
    uint64_t status; /* vendor register with the transmitter's state */
    uint32_t full;   /* bit that indicates a full transmitter */
    bool inverted;   /* the bit is set when there is room */
    unsigned fifo;   /* size in bytes */
};

void PrintTo(const Uart& uart, std::ostream* out) {
    *out << uart.name;
}

constexpr Uart kOmap{"Omap", "pixmill-test", 0x48020000, 0x44, 1, false, 64}; /* SSR */
constexpr Uart kDw{"DesignWare", "gr5526", 0x4000C500, 0x7C, 2, true, 16};    /* USR */

namespace lsr {
constexpr uint8_t empty_fifo = 0x20, empty = 0x40;
}
constexpr uint8_t kThrInterrupt = 0xC2; /* IIR value with FIFOs on */

/* Returns byte @i of a sequence in which gaps can be detected. */
uint8_t byte_at(size_t i) {
    return static_cast<uint8_t>(i % 251);
}

std::string sequence(size_t count) {
    std::string bytes;
    for (size_t i = 0; i < count; ++i) {
        bytes += static_cast<char>(byte_at(i));
    }
    return bytes;
}

/* A machine whose first UART is connected to a socket. */
class Line {
public:
    explicit Line(const Uart& uart, const std::vector<std::string>& arguments = {},
                  const char* accel = "qtest")
        : uart_(uart), socket_(directory_.file("line")), qemu_(options(arguments, accel)) {
        if (!socket_.accept(Milliseconds(10'000))) {
            throw QemuError("QEMU does not connect to its serial line");
        }
    }

    Qemu& qemu() { return qemu_; }
    uint8_t get(unsigned reg) { return qemu_.read8(uart_.base + uint64_t{4} * reg); }
    void set(unsigned reg, uint8_t value) { qemu_.write8(uart_.base + uint64_t{4} * reg, value); }
    void enable_fifo() { set(2, 1); }
    bool full() {
        return ((qemu_.read32(uart_.base + uart_.status) & uart_.full) != 0) != uart_.inverted;
    }

    /*
     * Sends the sequence from byte @from until the transmitter is full; returns the index of the
     * next byte.
     */
    size_t send_until_full(size_t from = 0) {
        size_t sent = from;
        while (!full() && sent < from + 1'000'000) {
            set(0, byte_at(sent++));
        }
        return sent;
    }

    /* Reads until @count bytes have arrived, or until none arrive for a while. */
    std::string read(size_t count) {
        std::string bytes;
        while (bytes.size() < count) {
            const std::string more = socket_.receive_some(count - bytes.size(), patience);
            if (more.empty()) {
                break;
            }
            bytes += more;
        }
        return bytes;
    }
    bool silent() { return socket_.receive_some(1, Milliseconds(50)).empty(); }

    const TemporaryDirectory& directory() const { return directory_; }

private:
    static constexpr Milliseconds patience{5'000};

    QemuOptions options(std::vector<std::string> arguments, const char* accel) {
        arguments.insert(arguments.end(),
                         {"-chardev", "socket,id=line,path=" + directory_.file("line"), "-serial",
                          "chardev:line"});
        return {.machine = uart_.machine, .accel = accel, .arguments = std::move(arguments)};
    }

    const Uart& uart_;
    TemporaryDirectory directory_;
    LineSocket socket_;
    Qemu qemu_;
};

class UnreadUart : public testing::TestWithParam<Uart> {};

TEST_P(UnreadUart, ReportsThatItIsFullAndKeepsItsData) {
    Line line(GetParam());
    line.enable_fifo();
    const size_t sent = line.send_until_full();
    ASSERT_TRUE(line.full());
    EXPECT_EQ(line.get(5) & (lsr::empty_fifo | lsr::empty), 0);
    line.qemu().qmp("query-status");
    EXPECT_EQ(line.read(sent), sequence(sent));
    EXPECT_TRUE(line.silent());
    EXPECT_EQ(line.get(5) & (lsr::empty_fifo | lsr::empty), lsr::empty_fifo | lsr::empty);
    EXPECT_FALSE(line.full());
    expect_clean_quit(line.qemu());
}

TEST_P(UnreadUart, DropsWhatIsSentWhenFull) {
    Line line(GetParam());
    line.enable_fifo();
    const size_t sent = line.send_until_full();
    for (size_t i = 0; i < 1000; ++i) {
        line.set(0, 0xFF);
    }
    EXPECT_EQ(line.read(sent), sequence(sent));
    EXPECT_TRUE(line.silent());
    line.set(0, 0x55);
    EXPECT_EQ(line.read(1), "\x55");
    expect_clean_quit(line.qemu());
}

TEST_P(UnreadUart, HasRoomForItsFifoWhenThatIsEmpty) {
    Line line(GetParam());
    line.enable_fifo();
    const size_t sent = line.send_until_full();
    EXPECT_EQ(line.read(sent - GetParam().fifo).size(), sent - GetParam().fifo);
    EXPECT_EQ(line.read(GetParam().fifo).size(), GetParam().fifo);
    ASSERT_NE(line.get(5) & lsr::empty_fifo, 0);
    for (size_t i = 0; i < GetParam().fifo; ++i) { /* without checking for room before each byte */
        line.set(0, byte_at(i));
    }
    EXPECT_EQ(line.read(GetParam().fifo), sequence(GetParam().fifo));
    expect_clean_quit(line.qemu());
}

TEST_P(UnreadUart, InterruptsWhenItsFifoIsEmptyAndNotBefore) {
    Line line(GetParam());
    line.enable_fifo();
    const size_t sent = line.send_until_full();
    line.set(1, 2); /* IER: transmitter empty */
    EXPECT_NE(line.get(2), kThrInterrupt);
    EXPECT_EQ(line.read(sent).size(), sent);
    EXPECT_EQ(line.get(2), kThrInterrupt);
    expect_clean_quit(line.qemu());
}

/* The contents of the FIFO must be migrated. */
TEST_P(UnreadUart, Migrates) {
    Line line(GetParam());
    line.enable_fifo();
    const size_t sent = line.send_until_full();
    const std::string file = line.directory().file("machine");
    line.qemu().migrate_to(file);
    Line copy(GetParam(), {"-incoming", "defer"});
    copy.qemu().migrate_from(file);
    EXPECT_EQ(line.qemu().quit(), "exit 0"); /* the copy now owns the unsent bytes */
    const std::string before = line.read(sent);
    const std::string after = copy.read(sent - before.size());
    EXPECT_GE(after.size(), GetParam().fifo);
    EXPECT_EQ(before + after, sequence(sent));
    EXPECT_FALSE(copy.full());
    copy.set(0, 0x55);
    EXPECT_EQ(copy.read(1), "\x55");
    expect_clean_quit(copy.qemu());
}

TEST_P(UnreadUart, IsEmptyAfterAReset) {
    Line line(GetParam());
    line.enable_fifo();
    const size_t sent = line.send_until_full();
    line.qemu().system_reset();
    EXPECT_FALSE(line.full());
    EXPECT_EQ(line.get(5) & lsr::empty_fifo, lsr::empty_fifo);
    line.set(0, 0xFF); /* follows the bytes sent before the reset */
    const std::string before = line.read(sent - GetParam().fifo);
    EXPECT_LE(before.size(), sent - GetParam().fifo);
    EXPECT_EQ(before.substr(0, before.size() - 1), sequence(before.size() - 1));
    EXPECT_EQ(before.back(), '\xFF');
    expect_clean_quit(line.qemu());
}

INSTANTIATE_TEST_SUITE_P(Of, UnreadUart, testing::Values(kOmap, kDw),
                         [](const auto& p) { return p.param.name; });

/*
 * Returns a program that enables the FIFO, sends bytes and then stores 1 at the address in r3.  r0
 * holds the UART's address; r1 holds the number of bytes, set by @mov_r1; @body is the sending
 * loop.
 */
Words sends(uint32_t mov_r1, const Words& body) {
    Words words{0xE3A00312,             /* mov r0, #0x48000000 */
                0xE2800802,             /* add r0, r0, #0x20000 */
                mov_r1,     0xE3A03601, /* mov r3, #0x00100000 */
                0xE3A02001,             /* mov r2, #1 */
                0xE5C02008,             /* strb r2, [r0, #8]: FCR */
                0xE3A02000};            /* mov r2, #0: next byte */
    words.insert(words.end(), body.begin(), body.end());
    words.insert(words.end(), {0xE3A02001,   /* mov r2, #1 */
                               0xE5832000,   /* str r2, [r3] */
                               0xE320F003,   /* wfi */
                               0xEAFFFFFD}); /* b to the wfi */
    return words;
}

constexpr uint32_t kDone = 0x00100000;
constexpr size_t kMegabyte = 1 << 20;
constexpr size_t kSome = 1 << 14;
constexpr uint32_t kMovMegabyte = 0xE3A01601, kMovSome = 0xE3A01901;

std::string counted(size_t count) {
    std::string bytes;
    for (size_t i = 0; i < count; ++i) {
        bytes += static_cast<char>(i);
    }
    return bytes;
}

/*
 * The CPU does not check for room and nobody reads; the program must still finish, and the first
 * bytes must arrive.
 */
TEST(UnreadUartOfACpu, DoesNotBlockTheCpu) {
    Line line(kOmap, {"-S"}, "tcg");
    boot(line.qemu(), sends(kMovMegabyte, {0xE5C02000,    /* strb r2, [r0]: THR */
                                           0xE2822001,    /* add r2, r2, #1 */
                                           0xE2511001,    /* subs r1, r1, #1 */
                                           0x1AFFFFFB})); /* bne to the first */
    for (int i = 0; i < 3000 && line.qemu().read32(kDone) == 0; ++i) {
        line.qemu().qmp("query-status");
        std::this_thread::sleep_for(Milliseconds(10));
    }
    EXPECT_EQ(line.qemu().read32(kDone), 1u);
    const std::string got = line.read(kMegabyte);
    EXPECT_GT(got.size(), kOmap.fifo);
    EXPECT_LT(got.size(), kMegabyte);
    EXPECT_EQ(got, counted(got.size()));
    expect_clean_quit(line.qemu());
}

/* The CPU checks for room, so it must wait until the test reads, and no byte may be lost. */
TEST(UnreadUartOfACpu, LosesNothingIfTheCpuPollsTheStatus) {
    Line line(kOmap, {"-S"}, "tcg");
    boot(line.qemu(), sends(kMovSome, {0xE5D04014,    /* ldrb r4, [r0, #0x14]: LSR */
                                       0xE3140020,    /* tst r4, #0x20 */
                                       0x0AFFFFFC,    /* beq to the first */
                                       0xE5C02000,    /* strb r2, [r0]: THR */
                                       0xE2822001,    /* add r2, r2, #1 */
                                       0xE2511001,    /* subs r1, r1, #1 */
                                       0x1AFFFFF8})); /* bne to the first */
    for (int i = 0; i < 100; ++i) {
        line.qemu().qmp("query-status");
        EXPECT_EQ(line.qemu().read32(kDone), 0u);
    }
    EXPECT_TRUE(line.read(kSome) == counted(kSome));
    for (int i = 0; i < 3000 && line.qemu().read32(kDone) == 0; ++i) {
        std::this_thread::sleep_for(Milliseconds(10));
    }
    EXPECT_EQ(line.qemu().read32(kDone), 1u);
    expect_clean_quit(line.qemu());
}

} // namespace
} // namespace pixmill::qtest
