// SPDX-License-Identifier: GPL-2.0-or-later
// The only file that contains the path of the source tree, so that the compiler cache serves all
// other tests in any clone.
#include "test_data.hpp"

namespace pixmill {

std::string test_data(const std::string& name) {
    return PIXMILL_TEST_DATA "/" + name;
}

} // namespace pixmill
