/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "device_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace pixmill::qtest {

namespace {

constexpr uint32_t kMagic = 0xD00DFEED;
constexpr size_t kHeaderWords = 10;
enum Token : uint32_t { kBeginNode = 1, kEndNode = 2, kProperty = 3, kNop = 4, kEnd = 9 };

uint32_t word(const Bytes& bytes, size_t at) {
    if (at + 4 > bytes.size()) {
        throw QemuError("a device tree that ends early");
    }
    return static_cast<uint32_t>(bytes[at]) << 24 | bytes[at + 1] << 16 | bytes[at + 2] << 8 |
           bytes[at + 3];
}

std::string text(const Bytes& bytes, size_t at) {
    const auto begin = bytes.begin() + static_cast<ptrdiff_t>(std::min(at, bytes.size()));
    return {begin, std::find(begin, bytes.end(), 0)};
}

size_t aligned(size_t at) {
    return (at + 3) & ~size_t{3};
}

void put(Bytes& bytes, uint32_t value) {
    for (const unsigned shift : {24, 16, 8, 0}) {
        bytes.push_back(static_cast<uint8_t>(value >> shift));
    }
}

void put(Bytes& bytes, std::string_view value) {
    bytes.insert(bytes.end(), value.begin(), value.end());
    bytes.push_back(0);
    bytes.resize(aligned(bytes.size()));
}

} // namespace

DeviceTree::DeviceTree(const Bytes& blob) {
    if (word(blob, 0) != kMagic) {
        throw QemuError("not a device tree");
    }
    size_t at = word(blob, 8);
    const size_t names = word(blob, 12);
    Strings path;
    const auto here = [&] {
        std::string joined;
        for (size_t i = 1; i < path.size(); ++i) {
            joined += "/" + path[i];
        }
        return joined.empty() ? "/" : joined;
    };
    for (uint32_t token = word(blob, at); token != kEnd; token = word(blob, at)) {
        at += 4;
        if (token == kBeginNode) {
            path.push_back(text(blob, at));
            at = aligned(at + path.back().size() + 1);
            nodes_[here()];
            order_.push_back(here());
        } else if (token == kEndNode) {
            path.pop_back();
        } else if (token == kProperty) {
            const size_t length = word(blob, at);
            const std::string name = text(blob, names + word(blob, at + 4));
            at += 8;
            const auto value = blob.begin() + static_cast<ptrdiff_t>(at);
            nodes_[here()][name] = Bytes(value, value + static_cast<ptrdiff_t>(length));
            at = aligned(at + length);
        } else if (token != kNop) {
            throw QemuError("a device tree with an unknown token");
        }
    }
}

bool DeviceTree::has(const std::string& node, const std::string& property) const {
    const auto found = nodes_.find(node);
    return found != nodes_.end() && found->second.contains(property);
}

const Bytes& DeviceTree::bytes(const std::string& node, const std::string& property) const {
    static const Bytes nothing;
    return has(node, property) ? nodes_.at(node).at(property) : nothing;
}

Words DeviceTree::cells(const std::string& node, const std::string& property) const {
    const Bytes& value = bytes(node, property);
    Words words;
    for (size_t at = 0; at + 4 <= value.size(); at += 4) {
        words.push_back(word(value, at));
    }
    return words;
}

Strings DeviceTree::strings(const std::string& node, const std::string& property) const {
    const Bytes& value = bytes(node, property);
    Strings strings;
    for (size_t at = 0; at < value.size(); at += strings.back().size() + 1) {
        strings.push_back(text(value, at));
    }
    return strings;
}

Strings DeviceTree::nodes(std::string_view prefix) const {
    Strings found;
    std::ranges::copy_if(order_, std::back_inserter(found),
                         [&](const std::string& path) { return path.starts_with(prefix); });
    return found;
}

DeviceTree tree_of(Qemu& qemu) {
    const std::string file = qemu.directory().file("dtb");
    qemu.qmp("dumpdtb", R"({"filename": ")" + file + R"("})");
    std::ifstream stream(file, std::ios::binary);
    return DeviceTree({std::istreambuf_iterator<char>(stream), {}});
}

DeviceTreeWriter& DeviceTreeWriter::node(std::string_view name) {
    put(structure_, kBeginNode);
    put(structure_, name);
    return *this;
}

DeviceTreeWriter& DeviceTreeWriter::end() {
    put(structure_, kEndNode);
    return *this;
}

DeviceTreeWriter& DeviceTreeWriter::property(std::string_view name, const Bytes& value) {
    put(structure_, kProperty);
    put(structure_, static_cast<uint32_t>(value.size()));
    put(structure_, static_cast<uint32_t>(names_.size()));
    structure_.insert(structure_.end(), value.begin(), value.end());
    structure_.resize(aligned(structure_.size()));
    names_.append(name).push_back('\0');
    return *this;
}

DeviceTreeWriter& DeviceTreeWriter::cells(std::string_view name, const Words& values) {
    Bytes bytes;
    for (const uint32_t value : values) {
        put(bytes, value);
    }
    return property(name, bytes);
}

DeviceTreeWriter& DeviceTreeWriter::strings(std::string_view name, const Strings& values) {
    Bytes bytes;
    for (const std::string& value : values) {
        bytes.insert(bytes.end(), value.begin(), value.end());
        bytes.push_back(0);
    }
    return property(name, bytes);
}

Bytes DeviceTreeWriter::blob() const {
    constexpr uint32_t reservations = 4 * kHeaderWords, structure = reservations + 16;
    const auto size = static_cast<uint32_t>(structure_.size() + 4);
    const auto names = static_cast<uint32_t>(names_.size());
    Bytes blob;
    for (const uint32_t value : {kMagic, structure + size + names, structure, structure + size,
                                 reservations, 17u, 16u, 0u, names, size}) {
        put(blob, value);
    }
    blob.resize(structure);
    blob.insert(blob.end(), structure_.begin(), structure_.end());
    put(blob, kEnd);
    blob.insert(blob.end(), names_.begin(), names_.end());
    return blob;
}

void DeviceTreeWriter::save(const std::string& file) const {
    const Bytes tree = blob();
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(tree.data()),
               static_cast<std::streamsize>(tree.size()));
}

Given give(const DeviceTreeWriter& tree, QemuOptions options) {
    const TemporaryDirectory directory;
    const std::string file = directory.file("board.dtb");
    tree.save(file);
    options.arguments.insert(options.arguments.end(), {"-dtb", file});
    Qemu qemu(options);
    DeviceTree found = tree_of(qemu);
    EXPECT_EQ(qemu.quit(), "exit 0");
    return {found, qemu.stderr_text()};
}

} // namespace pixmill::qtest
