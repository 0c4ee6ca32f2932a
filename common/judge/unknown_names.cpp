// SPDX-License-Identifier: MIT
#include "judge/unknown_names.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "judge/source_text.hpp"

namespace judge {

namespace {

// Of the CUDA Math API, for double; float's end in 'f'.
constexpr std::array<std::string_view, 19> of_math_api{
    "cyl_bessel_i0", "cyl_bessel_i1", "erfcinv",  "erfcx",   "erfinv",     "j0",    "j1",
    "norm",          "norm3d",        "norm4d",   "normcdf", "normcdfinv", "rnorm", "remquo",
    "rnorm3d",       "rnorm4d",       "sincospi", "y0",      "y1"};

// Other functions for kernels.
constexpr std::array<std::string_view, 7> for_kernels{
    "__nanosleep", "__prof_trigger", "__pipeline_commit", "__nv_bswap", "jn", "yn", "__pipeline_wait_prior"};

bool is_in(std::string_view name, const auto& names) { return std::ranges::find(names, name) != names.end(); }

// cudaMalloc, cudaSuccess, cudaError_t.
bool is_of_runtime(std::string_view name) {
  constexpr std::string_view prefix = "cuda";
  return name.starts_with(prefix) && name.size() > prefix.size() &&
         std::isupper(static_cast<unsigned char>(name[prefix.size()]));
}

}  // namespace

std::string undeclared_name(std::string_view message) {
  message = message.substr(0, message.find('\n'));
  const auto quoted_at = [&](std::size_t quote) {
    return std::string(message.substr(quote + 1, message.find('\'', quote + 1) - quote - 1));
  };
  for (const std::string_view behind :
       {"' was not declared in this scope", "' does not name a type", "' has not been declared"}) {
    const std::size_t end = message.find(behind),
                      quote = end == std::string_view::npos ? end : message.rfind('\'', end - 1);
    if (quote != std::string_view::npos) return quoted_at(quote);
  }
  for (const std::string_view before : {"use of undeclared identifier '", "unknown type name '"}) {
    const std::size_t begin = message.find(before);
    if (begin != std::string_view::npos) return quoted_at(begin + before.size() - 1);
  }
  return {};
}

std::optional<std::string> words_of_cuda(const std::string& name) {
  if (is_of_runtime(name))
    return fmt::format("{} belongs to the CUDA runtime, which is not simulated: it needs a GPU", name);
  const std::string_view without_f = std::string_view(name).substr(0, name.size() - name.ends_with('f'));
  if (is_in(name, of_math_api) || is_in(without_f, of_math_api) || is_in(name, for_kernels))
    return fmt::format("{} is not simulated: it needs a GPU", name);
  return std::nullopt;
}

std::optional<std::string> words_of_index(std::string_view message, std::string_view line) {
  message = message.substr(0, message.find('\n'));
  const bool is_of_index = message.find("uint3") != message.npos || message.find("dim3") != message.npos;
  const bool does_not_fit = message.find("no match for 'operator") != message.npos ||
                            message.find("invalid operands to binary expression") != message.npos ||
                            message.find("cannot convert") != message.npos ||
                            message.find("no viable conversion") != message.npos;
  if (!is_of_index || !does_not_fit) return std::nullopt;
  std::size_t first = line.npos;
  std::string_view found;
  for (const std::string_view name : {"threadIdx", "blockIdx", "blockDim", "gridDim"}) {
    const std::size_t at = find_name(line, name);
    if (at >= first) continue;
    const std::size_t behind = line.find_first_not_of(" \t", at + name.size());
    if (behind != line.npos && line[behind] == '.') continue;
    first = at;
    found = name;
  }
  if (first != line.npos)
    return fmt::format("{} is no number: it has three, the components x, y and z", found);
  return std::nullopt;
}

}  // namespace judge
