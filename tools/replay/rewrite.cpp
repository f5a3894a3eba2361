// SPDX-License-Identifier: GPL-2.0-or-later
#include "rewrite.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "common/capture/block_writer.hpp"
#include "cores.hpp"
#include "replay.hpp"

namespace pixmill::tools {

using namespace capture;

Recording Recording::read(const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    if (!file)
        throw std::runtime_error("cannot read " + name);
    Reader reader(file);
    Recording recording;
    recording.head = reader.head();
    try {
        for (Record record; reader.next(record);)
            recording.records.push_back(record);
        recording.whole = true;
    } catch (const CutCapture&) {
    }
    return recording;
}

void Recording::write(const std::string& name) const {
    std::ofstream file(name, std::ios::binary);
    const PixmillSink sink{&file, [](void* user, const void* bytes, size_t length) {
                               auto& to = *static_cast<std::ofstream*>(user);
                               to.write(static_cast<const char*>(bytes), std::streamsize(length));
                               return to.good();
                           }};
    BlockWriter out(sink);
    out.begin();
    out.write(head.raw);
    for (const Record& record : records)
        out.write(record.raw);
    const std::byte end[] = {std::byte(Op::end)};
    if (whole)
        out.write(end);
    out.flush();
    file.flush();
    if (out.failed() || !file)
        throw std::runtime_error("cannot write " + name);
}

size_t Recording::entries() const {
    return size_t(std::ranges::count_if(records, &Record::is_entry));
}

size_t first_difference(const Recording& recording, Bytes* outcome) {
    Replay replay(core_classes, recording.head, {});
    for (const Record& record : recording.records) {
        replay.play(record);
        if (!replay.differences())
            continue;
        if (outcome)
            put_entry(*outcome, replay.outcome());
        return replay.entries();
    }
    return 0;
}

namespace {

Record place_record(const Replay::Unknown& unknown) {
    Record record;
    record.entry.op = Op::map;
    record.place = unknown.place;
    record.write = unknown.write;
    put_place(record.raw, record.place, record.write);
    return record;
}

} // namespace

Recording rewritten(const Recording& recording) {
    Recording result{recording.head, {}, recording.whole};
    Replay replay(core_classes, recording.head, {});
    for (const Record& record : recording.records) {
        Record own = record;
        replay.play(record);
        if (record.is_entry() && !(record.entry.flags & Flags::cancelled)) {
            own.entry = replay.outcome();
            own.raw.clear();
            put_entry(own.raw, own.entry);
            for (const Replay::Unknown& unknown : replay.unknown())
                result.records.push_back(place_record(unknown));
        }
        result.records.push_back(std::move(own));
    }
    return result;
}

namespace {

/// Returns `recording` without `count` calls, starting with call number `first`.
Recording without(const Recording& recording, size_t first, size_t count) {
    Recording less{recording.head, {}, recording.whole};
    size_t number = 0;
    for (const Record& record : recording.records)
        if (!record.is_entry() || number++ - first >= count)
            less.records.push_back(record);
    return less;
}

} // namespace

Recording minimised(Recording recording, const std::function<bool(const Recording&)>& shows) {
    for (size_t piece = std::max<size_t>(recording.entries() / 2, 1); piece; piece /= 2)
        for (size_t at = 0; at < recording.entries();) {
            Recording less = without(recording, at, piece);
            if (shows(less))
                recording = std::move(less);
            else
                at += piece;
        }
    return recording;
}

} // namespace pixmill::tools
