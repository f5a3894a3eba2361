// SPDX-License-Identifier: GPL-2.0-or-later
// Alone knows where the tree is: all other tests come from the compiler's cache in any clone.
#include "test_data.hpp"

namespace pixmill {

std::string test_data(const std::string& name) {
    return PIXMILL_TEST_DATA "/" + name;
}

} // namespace pixmill
