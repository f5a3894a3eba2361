/*
 * Parses flattened device trees that QEMU generates, and writes trees to pass to QEMU.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Format: Devicetree Specification 0.4, chapter 5.
 */
#ifndef PIXMILL_TESTS_QTEST_DEVICE_TREE_HPP
#define PIXMILL_TESTS_QTEST_DEVICE_TREE_HPP

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "../qtest_client.hpp"

namespace pixmill::qtest {

using Strings = std::vector<std::string>;

class DeviceTree {
public:
    /* Throws QemuError if @blob is not a device tree. */
    explicit DeviceTree(const Bytes& blob);

    /* Nodes are named by path; "/" is the root.  Nodes overwritten with NOP tags do not exist. */
    [[nodiscard]] bool has(const std::string& node) const { return nodes_.contains(node); }
    [[nodiscard]] bool has(const std::string& node, const std::string& property) const;
    /* Returns an empty vector if there is no such property. */
    [[nodiscard]] Words cells(const std::string& node, const std::string& property) const;
    [[nodiscard]] Strings strings(const std::string& node, const std::string& property) const;
    /* Returns the paths that begin with @prefix, in tree order. */
    [[nodiscard]] Strings nodes(std::string_view prefix) const;

private:
    using Properties = std::map<std::string, Bytes>;

    [[nodiscard]] const Bytes& bytes(const std::string& node, const std::string& property) const;

    std::map<std::string, Properties> nodes_;
    Strings order_;
};

/* Returns the device tree that @qemu passes to its guest. */
DeviceTree tree_of(Qemu& qemu);

class DeviceTreeWriter {
public:
    DeviceTreeWriter& node(std::string_view name); /* "" for the root */
    DeviceTreeWriter& end();
    DeviceTreeWriter& cells(std::string_view name, const Words& values);
    DeviceTreeWriter& strings(std::string_view name, const Strings& values);
    [[nodiscard]] Bytes blob() const;
    void save(const std::string& file) const;

private:
    DeviceTreeWriter& property(std::string_view name, const Bytes& value);

    Bytes structure_;
    std::string names_;
};

/* The tree that the guest receives when the user passes a tree with -dtb, and QEMU's messages. */
struct Given {
    DeviceTree tree;
    std::string said;
};

Given give(const DeviceTreeWriter& tree, QemuOptions options);

} // namespace pixmill::qtest

#endif
