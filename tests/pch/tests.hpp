// SPDX-License-Identifier: GPL-2.0-or-later
// What most tests include, precompiled: two fifths of the time that they take to compile. Tests do
// not rely on it; each includes what it needs.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <iomanip>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
