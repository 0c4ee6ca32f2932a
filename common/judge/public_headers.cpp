// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "judge/forbidden.hpp"

namespace judge {

namespace {

// C++20's, and the C library's in both spellings; with blanks around each.
constexpr std::string_view standard =
    " "
    "algorithm any array assert.h atomic barrier bit bits/stdc++.h bitset cassert ccomplex "
    "cctype cerrno cfenv cfloat charconv chrono cinttypes ciso646 climits clocale cmath "
    "codecvt compare complex complex.h concepts condition_variable coroutine csetjmp csignal "
    "cstdalign cstdarg cstdbool cstddef cstdint cstdio cstdlib cstring ctgmath ctime ctype.h "
    "cuchar cwchar cwctype deque errno.h exception execution expected fenv.h filesystem "
    "float.h format forward_list fstream functional future initializer_list inttypes.h "
    "iomanip ios iosfwd iostream iso646.h istream iterator latch limits limits.h list locale "
    "locale.h map math.h mdspan memory memory_resource mutex new numbers numeric optional "
    "ostream print queue random ranges ratio regex scoped_allocator semaphore set setjmp.h "
    "shared_mutex signal.h source_location span sstream stack stdalign.h stdarg.h stdbool.h "
    "stddef.h stdexcept stdint.h stdio.h stdlib.h stop_token streambuf string string.h "
    "string_view system_error thread time.h tuple type_traits typeindex typeinfo "
    "unordered_map unordered_set utility valarray vector version ";

constexpr std::string_view toolkit =
    " "
    "builtin_types.h channel_descriptor.h common_functions.h cooperative_groups.h "
    "cuComplex.h cuda.h driver_types.h host_config.h host_defines.h library_types.h math_constants.h "
    "math_functions.h mma.h surface_types.h texture_types.h vector_functions.h vector_types.h ";

constexpr std::array<std::string_view, 10> toolkit_folders{
    "cooperative_groups/", "cub/", "cuda/", "nv/", "nvtx3/", "thrust/", "cuda_", "curand", "device_", "sm_"};

}  // namespace

bool is_public_header(const std::string& name) {
  if (name.find("..") != std::string::npos || name.find_first_of("\\ ") != std::string::npos) return false;
  const auto is_one_of = [&](std::string_view names) {
    return names.find(" " + name + " ") != std::string_view::npos;
  };
  return name == "lab.hpp" || is_one_of(standard) || is_one_of(toolkit) ||
         std::any_of(toolkit_folders.begin(), toolkit_folders.end(),
                     [&](std::string_view folder) { return name.starts_with(folder); });
}

}  // namespace judge
