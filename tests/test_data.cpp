// SPDX-License-Identifier: GPL-2.0-or-later
// This is the only file that contains the path of the source tree, so that the compiler cache can
// share all other files between clones.
#include "test_data.hpp"

namespace pixmill {

std::string test_data(const std::string& name) {
    return PIXMILL_TEST_DATA "/" + name;
}

} // namespace pixmill
