/*
 * libFuzzer target: untrusted captures. The input is a raw file or the contents of a capture's
 * blocks, and is replayed on the toy core as far as it can be read.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <sstream>
#include <string>

#include "common/capture/block_writer.hpp"
#include "tests/toy/toy.h"
#include "tools/replay/replay.hpp"
#include "world.hpp"

using namespace pixmill;
using namespace pixmill::fuzz;
using namespace pixmill::tools;

std::span<Landmark> fuzz::landmarks() {
    static Landmark all[] = {
        {"a capture as it should be", "whole"},
        {"one that is cut off", "cut off"},
        {"one whose block cannot be decompressed", "decompressed"},
        {"a word of more than 64 bits", "more than 64 bits"},
        {"a page that is not there", "the number of a page"},
        {"fields of another core", "another version of the core"},
        {"a fill", "drawn"},
        {"a fill that writes other bytes", "leaves other bytes"},
        {"memory that is not known", "unlike the capture"},
        {"a call that is not there", "does not offer"},
    };
    return all;
}

namespace {

constexpr const PixmillCoreClass* kClasses[] = {&pixmill_toy};

PixmillSink sink_to(std::string& bytes) {
    return {&bytes, [](void* user, const void* from, size_t length) {
                static_cast<std::string*>(user)->append(static_cast<const char*>(from), length);
                return true;
            }};
}

/* Returns the header of a capture of the toy core. */
std::string toy_head() {
    World world(pixmill_toy.lines);
    const PixmillHost host = host_of(world);
    PixmillCore* core = nullptr;
    require(pixmill_toy.create(nullptr, &host, &core) == PIXMILL_OK, "create");
    std::string bytes;
    const PixmillSink sink = sink_to(bytes);
    require(pixmill_capture_start(&pixmill_toy, core, &sink) == PIXMILL_OK, "start");
    pixmill_toy.destroy(core);
    std::istringstream file(bytes);
    const capture::Bytes head = Reader(file).head().raw;
    return {reinterpret_cast<const char*>(head.data()), head.size()};
}

std::string in_blocks(const std::string& stream) {
    std::string bytes;
    capture::BlockWriter out(sink_to(bytes));
    out.begin();
    out.write(std::as_bytes(std::span(stream)));
    out.flush();
    return bytes;
}

void replay(const std::string& bytes) {
    try {
        std::istringstream file(bytes);
        Reader reader(file);
        Watcher watcher;
        watcher.difference = [](const std::string& text) { say("%s", text.c_str()); };
        Replay replay(kClasses, reader.head(), watcher);
        Record record;
        while (reader.next(record)) {
            replay.play(record);
            if (record.entry.op == capture::Op::draw && !record.entry.written.empty())
                say("drawn");
        }
        say("whole");
    } catch (const BadCapture& error) {
        say("%s", error.what());
    }
}

} // namespace

/*
 * The first byte selects what follows: a file, a stream, or records that are appended to the toy's
 * header.
 */
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const std::string head = toy_head();
    if (!size)
        return 0;
    const std::string rest(reinterpret_cast<const char*>(data + 1), size - 1);
    switch (data[0] % 3) {
    case 0:
        replay(rest);
        break;
    case 1:
        replay(in_blocks(rest));
        break;
    default:
        replay(in_blocks(head + rest));
        break;
    }
    return 0;
}
