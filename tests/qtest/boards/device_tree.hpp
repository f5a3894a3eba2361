/*
 * Flattened device trees: reads what QEMU makes, writes what QEMU is given.
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
    /* Throws QemuError for what is no tree. */
    explicit DeviceTree(const Bytes& blob);

    /* Nodes by path, "/" for the root; a deleted node is none. */
    [[nodiscard]] bool has(const std::string& node) const { return nodes_.contains(node); }
    [[nodiscard]] bool has(const std::string& node, const std::string& property) const;
    /* Empty when there is no such property. */
    [[nodiscard]] Words cells(const std::string& node, const std::string& property) const;
    [[nodiscard]] Strings strings(const std::string& node, const std::string& property) const;
    /* Paths of the nodes that begin so, in the order of the tree. */
    [[nodiscard]] Strings nodes(std::string_view prefix) const;

private:
    using Properties = std::map<std::string, Bytes>;

    [[nodiscard]] const Bytes& bytes(const std::string& node, const std::string& property) const;

    std::map<std::string, Properties> nodes_;
    Strings order_;
};

/* The tree as the guest of @qemu finds it. */
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

/* The tree that the guest finds when @tree is given by -dtb, and what QEMU says. */
struct Given {
    DeviceTree tree;
    std::string said;
};

Given give(const DeviceTreeWriter& tree, QemuOptions options);

} // namespace pixmill::qtest

#endif
