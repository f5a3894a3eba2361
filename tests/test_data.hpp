// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string>

namespace pixmill {

/// Returns the path of a file in tests/data.
std::string test_data(const std::string& name);

} // namespace pixmill
