// SPDX-License-Identifier: MIT
#include "judge/library_functions.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <string_view>

namespace judge {

namespace {

// Lists are words with blanks around each.
bool is_in(std::string_view name, std::string_view words) {
  return !name.empty() && words.find(" " + std::string(name) + " ") != std::string_view::npos;
}

// <math.h>, as for double; float's end in 'f', those of long double in 'l'.
constexpr std::string_view mathematics =
    " acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp10 exp2 expm1 fabs "
    "fdim floor fma fmax fmin fmod frexp hypot ilogb j0 j1 jn ldexp lgamma lgamma_r llrint llround log log10 "
    "log1p log2 logb lrint lround modf nan nearbyint nextafter nexttoward pow pow10 remainder remquo rint "
    "round roundeven scalb scalbln scalbn significand sin sincos sinh sqrt tan tanh tgamma trunc y0 y1 yn "
    "cospi cyl_bessel_i0 cyl_bessel_i1 erfcinv erfcx erfinv norm3d norm4d normcdf normcdfinv rcbrt rhypot "
    "rnorm3d rnorm4d rsqrt sinpi cabs cacos cacosh carg casin casinh catan catanh ccos ccosh cexp cimag "
    "clog conj cpow cproj creal csin "
    "csinh csqrt ctan ctanh finite fpclassify isinf isnan signbit ";

// Of the C library, without effects but on what they are given; and what compilers call by themselves.
constexpr std::string_view of_kernels =
    " abort abs clock div isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace "
    "isupper isxdigit labs ldiv llabs lldiv memcpy memmove memset printf putchar puts tolower toupper "
    // memory, which the simulator refuses to kernels by itself
    "aligned_alloc calloc free malloc realloc "
    // error exits, the guards of static variables, and what exceptions bring
    "__assert __assert_fail __stack_chk_fail __stack_chk_guard _Unwind_Resume __gcc_personality_v0 "
    "__gxx_personality_v0 __cxa_atexit __cxa_begin_catch __cxa_deleted_virtual __cxa_end_catch "
    "__cxa_guard_abort __cxa_guard_acquire __cxa_guard_release __cxa_pure_virtual __cxa_rethrow "
    "__cxa_throw_bad_array_new_length __clang_call_terminate "
    "__dso_handle __tls_get_addr _GLOBAL_OFFSET_TABLE_ ";

constexpr std::string_view of_host =
    " bcmp fflush memchr memcmp rand srand strcmp strlen strncmp stdout __libc_single_threaded ";

constexpr std::string_view of_functions =
    " atof atoi atol atoll bsearch clock_gettime difftime fprintf fputc fputs frexpf128 frexpl fwrite "
    "lgamma_r lgammaf_r lgammal_r modff128 modfl remquof128 remquol sincosf128 sincosl "
    "memrchr putc qsort snprintf sprintf stderr strcat strchr "
    "strchrnul strcpy strcspn strncat strncpy strnlen strpbrk strrchr strspn strstr strtod strtof strtol "
    "strtold strtoll strtoul strtoull time vfprintf vprintf vsnprintf vsprintf "
    "__cxa_allocate_exception __cxa_bad_cast __cxa_bad_typeid __cxa_free_exception __cxa_get_exception_ptr "
    "__cxa_init_primary_exception __cxa_throw __cxa_thread_atexit __cxa_vec_ctor __cxa_vec_dtor "
    "__ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc __dynamic_cast __errno_location "
    "__pthread_key_create ";

// Of namespace std, by the first name there; '*' stands for any end.
constexpr std::array std_of_kernels{
    "__throw_*", "__glibcxx_assert_fail", "__replacement_assert", "terminate", "__terminate", "nothrow",
};
constexpr std::array std_of_host{"steady_clock", "system_clock", "high_resolution_clock"};
constexpr std::array std_of_functions{
    "_Fnv_hash_bytes",    "_Hash_bytes",         "_Rb_tree_*",     "__detail",
    "__exception_ptr",    "allocator",           "bad_*",          "basic_string",
    "char_traits",        "current_exception",   "domain_error",   "exception",
    "from_chars",         "invalid_argument",    "length_error",   "logic_error",
    "nested_exception",   "out_of_range",        "overflow_error", "range_error",
    "rethrow_exception",  "runtime_error",       "to_chars",       "type_info",
    "uncaught_exception", "uncaught_exceptions", "underflow_error"};

bool matches(std::string_view name, std::span<const char* const> patterns) {
  return std::any_of(patterns.begin(), patterns.end(), [&](std::string_view pattern) {
    if (!pattern.ends_with('*')) return name == pattern;
    pattern.remove_suffix(1);
    return name.starts_with(pattern);
  });
}

// Arithmetic that a processor lacks, of the compiler's own library: __popcountdi2, __udivti3, __muldc3. An
// operation and the types that it is for.
bool is_arithmetic(std::string_view name) {
  if (!name.starts_with("__")) return false;
  name.remove_prefix(2);
  constexpr std::string_view operations =
      " absv add addv ashl ashr bswap clrsb clz cmp ctz div divmod eq extend ffs fix fixuns float floatun ge "
      "gt "
      "le lshr lt mod mul mulv ne neg negv parity popcount powi sub subv trunc ucmp udiv udivmod umod unord ";
  constexpr std::string_view types = " qi hi si di ti hf bf sf df xf tf hc sc dc xc tc ";
  if (!name.empty() && std::isdigit(static_cast<unsigned char>(name.back()))) name.remove_suffix(1);
  int found = 0;
  while (name.size() > 2 && found < 2 && is_in(name.substr(name.size() - 2), types) &&
         !(found > 0 && is_in(name, operations))) {
    name.remove_suffix(2);
    ++found;
  }
  return found > 0 && is_in(name, operations);
}

bool is_mathematics(std::string_view name) {
  if (name.starts_with("__")) name.remove_prefix(2);
  if (name.ends_with("_finite")) name.remove_suffix(7);
  if (is_in(name, mathematics)) return true;
  for (const std::string_view type : {"f", "l", "f_r", "l_r", "f128"}) {
    if (!name.ends_with(type)) continue;
    std::string plain(name.substr(0, name.size() - type.size()));
    if (type.ends_with("_r")) plain += "_r";
    if (is_in(plain, mathematics)) return true;
  }
  return false;
}

// The name that a header stands for: with checks of sizes, or of a later standard of C.
std::string_view plain_name(std::string_view name) {
  for (const std::string_view begin : {"__isoc23_", "__isoc99_"}) {
    if (name.starts_with(begin)) return name.substr(begin.size());
  }
  if (name.starts_with("__") && name.ends_with("_chk")) return name.substr(2, name.size() - 6);
  return name;
}

bool is_operator_new_or_delete(std::string_view name) {
  return name.starts_with("_Znw") || name.starts_with("_Zna") || name.starts_with("_Zdl") ||
         name.starts_with("_Zda");
}

// Reads the names of a linker's name, one after another.
class NameParts {
 public:
  explicit NameParts(std::string_view rest) : rest_(rest) {}

  std::vector<std::string> all() {
    if (!take("_Z")) return {std::string(rest_)};
    // tables of a class, and thunks
    if (rest_.starts_with("T") && rest_.size() > 1) rest_.remove_prefix(2);
    const bool nested = take("N");
    while (nested && (take("K") || take("V") || take("R") || take("O"))) {
    }
    while (next() && (nested || parts_.back() == "std")) {
    }
    return std::move(parts_);
  }

 private:
  bool take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  bool next() {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> known{{{"Sa", "allocator"},
                                                                                  {"Ss", "basic_string"},
                                                                                  {"Sb", "basic_string"},
                                                                                  {"Si", "istream"},
                                                                                  {"So", "ostream"},
                                                                                  {"Sd", "iostream"}}};
    if (take("St")) return add("std");
    for (const auto& [code, name] : known) {
      if (take(code)) return add("std"), add(name);
    }
    take("L");
    std::size_t length = 0;
    while (!rest_.empty() && std::isdigit(static_cast<unsigned char>(rest_.front()))) {
      length = std::min<std::size_t>(length * 10 + static_cast<std::size_t>(rest_.front() - '0'), 1 << 20);
      rest_.remove_prefix(1);
    }
    if (length == 0 || length > rest_.size()) return false;
    add(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return true;
  }

  bool add(std::string_view name) {
    // rooms that are open: their names are the compiler's affair
    if (name != "__cxx11" && name != "_V2") parts_.emplace_back(name);
    if (parts_.empty()) parts_.emplace_back();
    return true;
  }

  std::string_view rest_;
  std::vector<std::string> parts_;
};

}  // namespace

std::vector<std::string> parts_of_name(const std::string& linker_name) {
  return NameParts(linker_name).all();
}

OpenTo library_function(const std::string& linker_name) {
  const std::string_view name = plain_name(linker_name);
  if (is_in(name, of_functions)) return OpenTo::functions;
  if (is_in(name, of_kernels) || is_mathematics(name) || is_arithmetic(name) ||
      is_operator_new_or_delete(name))
    return OpenTo::kernels;
  if (is_in(name, of_host)) return OpenTo::host;
  // What is known of a type at run time; the tables themselves, which the compiler refers to.
  if (name.starts_with("_ZTI") || name.starts_with("_ZTS") || name.starts_with("_ZTVN10__cxxabiv1"))
    return OpenTo::kernels;
  const std::vector<std::string> parts = parts_of_name(linker_name);
  if (parts.size() < 2 || parts[0] != "std") return OpenTo::nobody;
  if (matches(parts[1], std_of_kernels)) return OpenTo::kernels;
  const std::string& part = parts[1] == "chrono" && parts.size() > 2 ? parts[2] : parts[1];
  if (parts[1] == "ios_base" && parts.size() > 2 && parts[2] == "Init") return OpenTo::host;
  if (matches(part, std_of_host)) return OpenTo::host;
  return parts[1] != "chrono" && matches(part, std_of_functions) ? OpenTo::functions : OpenTo::nobody;
}

OpenTo runtime_function(const std::string& linker_name) {
  // Of a kernel's registration and launch, which nvcc writes; and questions about the device.
  constexpr std::array open{"__cuda*",
                            "cudaDeviceGetAttribute",
                            "cudaDeviceGetLimit",
                            "cudaFuncGetAttributes",
                            "cudaFuncSetAttribute",
                            "cudaFuncSetCacheConfig",
                            "cudaFuncSetSharedMemConfig",
                            "cudaGetDevice",
                            "cudaGetDeviceCount",
                            "cudaGetDeviceProperties*",
                            "cudaGetErrorName",
                            "cudaGetErrorString",
                            "cudaGetLastError",
                            "cudaLaunchKernel*",
                            "cudaOccupancy*",
                            "cudaPeekAtLastError"};
  return matches(linker_name, open) ? OpenTo::functions : OpenTo::nobody;
}

std::string known_name(const std::string& linker_name) {
  const std::vector<std::string> parts = parts_of_name(linker_name);
  std::string name = parts.empty() ? linker_name : parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const bool own = parts[i].starts_with("__") || (parts[i].size() > 1 && parts[i][0] == '_' &&
                                                    std::isupper(static_cast<unsigned char>(parts[i][1])));
    if (own && i > 1) break;
    name += "::" + (parts[i].starts_with("basic_") ? parts[i].substr(6) : parts[i]);
  }
  // What a header makes of fopen for large files.
  if (parts.size() == 1 && name.size() > 4 && name.ends_with("64")) name.resize(name.size() - 2);
  return name == "std" ? linker_name : name;
}

}  // namespace judge
