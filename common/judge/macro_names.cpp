// SPDX-License-Identifier: MIT
#include "judge/macro_names.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace judge {

namespace {

constexpr std::array<std::string_view, 11> cuda_qualifiers{
    "__constant__",      "__device__",  "__forceinline__", "__global__",   "__grid_constant__", "__host__",
    "__launch_bounds__", "__managed__", "__noinline__",    "__restrict__", "__shared__"};

// C++20's, and the names that are words of the language in some places.
constexpr std::array<std::string_view, 84> language_words{"alignas",
                                                          "alignof",
                                                          "asm",
                                                          "auto",
                                                          "bool",
                                                          "break",
                                                          "case",
                                                          "catch",
                                                          "char",
                                                          "char16_t",
                                                          "char32_t",
                                                          "char8_t",
                                                          "class",
                                                          "co_await",
                                                          "co_return",
                                                          "co_yield",
                                                          "concept",
                                                          "const",
                                                          "const_cast",
                                                          "consteval",
                                                          "constexpr",
                                                          "constinit",
                                                          "continue",
                                                          "decltype",
                                                          "default",
                                                          "delete",
                                                          "do",
                                                          "double",
                                                          "dynamic_cast",
                                                          "else",
                                                          "enum",
                                                          "explicit",
                                                          "export",
                                                          "extern",
                                                          "false",
                                                          "final",
                                                          "float",
                                                          "for",
                                                          "friend",
                                                          "goto",
                                                          "if",
                                                          "import",
                                                          "inline",
                                                          "int",
                                                          "long",
                                                          "module",
                                                          "mutable",
                                                          "namespace",
                                                          "new",
                                                          "noexcept",
                                                          "nullptr",
                                                          "operator",
                                                          "override",
                                                          "private",
                                                          "protected",
                                                          "public",
                                                          "register",
                                                          "reinterpret_cast",
                                                          "requires",
                                                          "return",
                                                          "short",
                                                          "signed",
                                                          "sizeof",
                                                          "static",
                                                          "static_assert",
                                                          "static_cast",
                                                          "struct",
                                                          "switch",
                                                          "template",
                                                          "this",
                                                          "thread_local",
                                                          "throw",
                                                          "true",
                                                          "try",
                                                          "typedef",
                                                          "typeid",
                                                          "typename",
                                                          "union",
                                                          "unsigned",
                                                          "using",
                                                          "virtual",
                                                          "void",
                                                          "volatile",
                                                          "while"};

constexpr std::array<std::string_view, 7> names_of_compilers{
    "__asm", "__asm__", "__attribute__", "__attribute", "_Pragma", "__CUDACC__", "__CUDA_ARCH__"};

constexpr std::array<std::string_view, 3> reserved_beginnings{"WORKBOOK_", "SIMULATOR_", "__builtin"};

bool is_among(std::string_view name, auto&& names) { return std::ranges::find(names, name) != names.end(); }

}  // namespace

std::optional<std::string> refusal_of_macro_name(const std::string& name,
                                                 const std::set<std::string>& of_entry) {
  // Such as a __global__ that means nothing: nvcc would not launch the kernel.
  if (is_among(name, cuda_qualifiers))
    return "It is a qualifier of CUDA's, and what stands behind it would be taken for something else.";
  // They would change every header behind them: C++ forbids it, too.
  if (is_among(name, language_words))
    return "It is a word of C++ itself, which headers and the workbook's own code use. Choose another name.";
  const bool of_compiler = is_among(name, names_of_compilers) ||
                           std::ranges::any_of(reserved_beginnings, [&](std::string_view begin) {
                             return name.starts_with(begin);
                           });
  if (of_compiler || of_entry.contains(name))
    return "The workbook's own code behind your file uses it. Choose another name.";
  return std::nullopt;
}

}  // namespace judge
