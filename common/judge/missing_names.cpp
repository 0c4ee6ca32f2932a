// SPDX-License-Identifier: MIT
#include "judge/missing_names.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "judge/source_text.hpp"
#include "judge/tokens.hpp"

namespace judge {

namespace {

// The error's own words, without what the compiler shows or proposes, and with its quotation marks in ASCII.
std::string words_of(std::string_view message) {
  std::string words(message.substr(0, message.find('\n')));
  for (const std::string_view mark : {"‘", "’"}) {
    for (std::size_t at; (at = words.find(mark)) != std::string::npos;) words.replace(at, mark.size(), "'");
  }
  words.resize(std::min(words.find("; did you mean"), words.size()));
  return words.substr(std::min(words.find("error: "), words.size()));
}

// What stands in quotation marks.
std::vector<std::string> quoted_in(std::string_view words) {
  std::vector<std::string> all;
  for (std::size_t open = words.find('\''); open != words.npos;) {
    const std::size_t close = words.find('\'', open + 1);
    if (close == words.npos) break;
    all.emplace_back(words.substr(open + 1, close - open - 1));
    open = words.find('\'', close + 1);
  }
  return all;
}

bool has_words(std::string_view words, std::string_view part) { return words.find(part) != words.npos; }

// The namespace that a name begins with: "cg" of "cg::details::laneid".
std::string first_part(const std::string& name) { return name.substr(0, name.find("::")); }

// Whether it is a namespace of NVIDIA's, or another name that the file gives to one.
bool is_of_nvidia(const std::string& space, std::string_view text) {
  constexpr std::array<std::string_view, 4> spaces{"cooperative_groups", "cub", "cuda", "thrust"};
  if (std::ranges::find(spaces, space) != spaces.end()) return true;
  const std::vector<Token> tokens = tokens_of(text).all;
  for (std::size_t at = 0; at + 3 < tokens.size(); ++at) {
    if (!tokens[at].is("namespace") || !tokens[at + 1].is(space) || !tokens[at + 2].is("=")) continue;
    const std::size_t name = tokens[at + 3].is("::") ? at + 4 : at + 3;
    return name < tokens.size() && std::ranges::find(spaces, tokens[name].text) != spaces.end();
  }
  return false;
}

// The header that has a function of cooperative groups, if it is another one than that of the groups, and the
// file does not include it.
std::optional<std::string> header_of(const std::string& space, const std::string& function,
                                     std::string_view text) {
  if (space != "cooperative_groups" && text.find("cooperative_groups;") == text.npos) return std::nullopt;
  const bool is_scan = function == "inclusive_scan" || function == "exclusive_scan";
  if (!is_scan && function != "reduce") return std::nullopt;
  const std::string header = is_scan ? "cooperative_groups/scan.h" : "cooperative_groups/reduce.h";
  return text.find(header) == text.npos ? std::optional(header) : std::nullopt;
}

// cudaMalloc, cudaStream_t: the runtime's names, or ones like them.
bool is_of_runtime(const std::string& name) {
  return name.starts_with("cuda") && name.size() > 4 && std::isupper(static_cast<unsigned char>(name[4]));
}

// "class cub::WarpScan<int>" as cub::WarpScan.
std::string class_of(std::string name) {
  name.resize(std::min(name.find('<'), name.size()));
  const std::size_t blank = name.rfind(' ');
  return blank == std::string::npos ? name : name.substr(blank + 1);
}

// A vector of CUDA, such as uint4.
bool is_vector(std::string name) {
  name.resize(std::min(name.find('_'), name.size()));
  const bool has_count = name.size() > 3 && name.back() >= '1' && name.back() <= '4';
  if (has_count) name.pop_back();
  if (name.starts_with('u')) name.erase(0, 1);
  constexpr std::array<std::string_view, 7> types{"char",     "double", "float", "int",
                                                  "longlong", "long",   "short"};
  return has_count && std::ranges::find(types, name) != types.end();
}

// Whether the line names a component in braces: {.x = 1}.
bool has_designators(std::string_view text, int line) {
  const std::vector<Token> tokens = tokens_of(text).all;
  for (std::size_t at = 1; at < tokens.size(); ++at) {
    if (tokens[at].line == line && tokens[at].is(".") && (tokens[at - 1].is("{") || tokens[at - 1].is(",")))
      return true;
  }
  return false;
}

}  // namespace

std::optional<std::string> words_of_missing_name(std::string_view message, std::string_view text, int line) {
  const std::string words = words_of(message);
  const std::vector<std::string> quoted = quoted_in(words);
  if (quoted.empty()) return std::nullopt;
  const std::string &first = quoted.front(), &last = quoted.back();

  const bool is_undeclared =
      has_words(words, "was not declared in this scope") || has_words(words, "does not name a type") ||
      has_words(words, "undeclared identifier") || has_words(words, "unknown type name");
  if (is_undeclared && quoted.size() == 1 && is_of_runtime(first))
    return fmt::format("the CUDA runtime is not simulated: {} needs a GPU", first);

  const bool is_unknown = is_undeclared || has_words(words, "' has not been declared");
  if (is_unknown && first == "thrust") return "Thrust is not simulated: it needs a GPU";
  if (is_unknown && first == "nvcuda") return "tensor cores are not simulated: they need a GPU";

  const bool in_namespace =
      has_words(words, "' is not a member of '") || has_words(words, "' in namespace '");
  if (in_namespace && quoted.size() == 2 && is_of_nvidia(first_part(last), text)) {
    if (const auto header = header_of(last, first, text))
      return fmt::format("{}::{} needs #include <{}>", last, first, *header);
    return fmt::format("there is no {}::{} on the simulator", last, first);
  }
  if (has_words(words, "' has not been declared") && has_words(first, "::") &&
      is_of_nvidia(first_part(first), text))
    return fmt::format("there is no {} on the simulator", first);

  // g++ names the class first, and then in other words; clang names it last.
  const bool of_gcc = has_words(words, "has no member named '"),
             of_clang = has_words(words, "no member named '");
  if (of_clang && quoted.size() >= 2) {
    const std::string &member = of_gcc ? last : first, &owner = of_gcc ? quoted[quoted.size() - 2] : last,
                      name = class_of(owner);
    if (has_words(name, "::") && is_of_nvidia(first_part(name), text))
      return fmt::format("{} has no {} on the simulator", name, member);
  }

  // What __shared__ stands for with g++ (simulator/cuda/qualifiers.hpp).
  if (has_words(words, "'constinit' variable"))
    return "constructors of variables in shared memory are not simulated: they need a GPU";

  const bool is_initialised = has_words(words, "designated initializers cannot be used with") ||
                              has_words(words, "no matching constructor for initialization of");
  constexpr std::string_view constant = "const ";
  const std::string vector = last.substr(last.starts_with(constant) ? constant.size() : 0);
  if (is_initialised && is_vector(vector) && has_designators(text, line))
    return fmt::format("designated initializers of {} are not simulated: they need a GPU", vector);
  return std::nullopt;
}

}  // namespace judge
