// SPDX-License-Identifier: MIT
#include "judge/token_rules.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "judge/device_code.hpp"
#include "judge/macro_names.hpp"

namespace judge {

namespace {

using Words = std::span<const std::string_view>;

bool is_one_of(std::string_view text, Words words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

constexpr std::array<std::string_view, 3> assembler{"asm", "__asm", "__asm__"};
constexpr std::array<std::string_view, 6> rooms{"facts", "os", "problems", "runner", "simulator", "workbook"};
constexpr std::array<std::string_view, 2> attribute{"__attribute__", "__attribute"};
constexpr std::array<std::string_view, 7> of_gnu{"aligned",  "always_inline", "fallthrough", "may_alias",
                                                 "noinline", "packed",        "unused"};
constexpr std::array<std::string_view, 9> of_standard{
    "assume",    "deprecated",        "fallthrough", "likely",  "maybe_unused",
    "nodiscard", "no_unique_address", "noreturn",    "unlikely"};
constexpr std::array<std::string_view, 14> directives{"define",  "elif",   "elifdef", "elifndef", "else",
                                                      "endif",   "error",  "if",      "ifdef",    "ifndef",
                                                      "include", "pragma", "undef",   "warning"};
constexpr std::array<std::string_view, 5> pragmas{"unroll", "nounroll", "once", "region", "endregion"};
constexpr std::array<std::string_view, 4> pragmas_of_compilers{"diagnostic", "ivdep", "nounroll", "unroll"};
constexpr std::array<std::string_view, 24> builtins{
    "__builtin_assume",      "__builtin_assume_aligned",
    "__builtin_bit_cast",    "__builtin_bswap16",
    "__builtin_bswap32",     "__builtin_bswap64",
    "__builtin_choose_expr", "__builtin_clz",
    "__builtin_clzl",        "__builtin_clzll",
    "__builtin_constant_p",  "__builtin_ctz",
    "__builtin_ctzl",        "__builtin_ctzll",
    "__builtin_expect",      "__builtin_ffs",
    "__builtin_ffsll",       "__builtin_is_constant_evaluated",
    "__builtin_offsetof",    "__builtin_parity",
    "__builtin_popcount",    "__builtin_popcountl",
    "__builtin_popcountll",  "__builtin_unreachable"};

// Of those that are refused, what the checkers see if it is called by its own name.
constexpr std::array<std::string_view, 3> copying{"memcpy", "memmove", "memset"};
constexpr std::array<std::string_view, 8> machine_words{"_mm",     "__tsan",     "__asan", "__sanitizer",
                                                        "__ubsan", "simulator_", "__cxa_", "_ZN"};

// That may stand in front of `::`.
constexpr std::array<std::string_view, 38> keywords{
    "alignas",  "alignof",  "and",       "auto",      "case",     "class",   "co_await", "co_return",
    "co_yield", "const",    "constexpr", "constinit", "decltype", "delete",  "do",       "else",
    "enum",     "explicit", "extern",    "friend",    "goto",     "inline",  "mutable",  "new",
    "not",      "operator", "or",        "register",  "return",   "signed",  "sizeof",   "static",
    "struct",   "throw",    "typename",  "union",     "using",    "volatile"};

constexpr const char* attribute_rule =
    "Allowed are CUDA's qualifiers, the standard [[attributes]], and aligned, always_inline, fallthrough, "
    "may_alias, noinline, packed and unused.";
constexpr const char* assembler_rule =
    "Nobody can see what assembler does. Write it in C++; asm volatile(\"\" ::: \"memory\") is allowed.";
constexpr const char* room_rule =
    "This name belongs to the workbook's own code. Choose another one, and leave the workbook's alone.";
constexpr const char* paste_rule =
    "It could make any word, also one that is not allowed. Write the words out, or join to a part of your "
    "own.";
constexpr const char* pragma_rule =
    "Allowed are #pragma unroll, nounroll, once, GCC unroll, GCC ivdep, nv_diag... and diagnostic of GCC and "
    "clang.";

// A word that only counts with underscores around it or without: "__aligned__", "aligned".
std::string_view bare(std::string_view name) {
  if (name.size() > 4 && name.starts_with("__") && name.ends_with("__"))
    return name.substr(2, name.size() - 4);
  return name;
}

class FileRules {
 public:
  FileRules(const Tokens& tokens, const TokenRules& rules) : tokens_(tokens.all), rules_(rules) {
    for (const Oddity& oddity : tokens.oddities)
      refuse(oddity.line, oddity.words + " is not allowed here",
             "Compilers do not agree on how to read it. Write it in another way.");
  }

  std::vector<Violation> violations() {
    for (at_ = 0; at_ < tokens_.size(); ++at_) {
      if (const auto directive = directive_at(tokens_, at_); !directive.empty()) {
        judge_directive(directive);
        end_of_directive_ = at_ + directive.size();
      }
      judge_token();
      if (at_ >= end_of_directive_) device_code_.follow(tokens_[at_]);
    }
    return std::move(found_);
  }

 private:
  void refuse(int line, std::string words, std::string rule) {
    found_.push_back({line, std::move(words), std::move(rule)});
  }
  void refuse(const Token& token, std::string words, std::string rule) {
    refuse(token.line, std::move(words), std::move(rule));
  }

  bool has(std::size_t index, std::string_view text) const {
    return index < tokens_.size() && tokens_[index].is(text);
  }
  bool is_macro(const std::string& name) const { return rules_.macros.contains(name); }

  // --- directives

  void judge_directive(std::span<const Token> line) {
    if (line.size() < 2) return;
    const Token& name = line[1];
    const Token* const word = line.size() > 2 ? &line[2] : nullptr;
    if (!is_one_of(name.text, directives)) {
      refuse(name, fmt::format("#{} is not allowed", name.text),
             "Allowed are #define, #undef, #include, #pragma, #error, #warning and conditions.");
    } else if (name.is("include") && (!word || word->kind != Token::Kind::header)) {
      refuse(name, "this includes a file that a macro names",
             "Write the file's name in the #include itself.");
    } else if (name.is("pragma")) {
      judge_pragma(line.subspan(2), name.line);
    } else if ((name.is("define") || name.is("undef")) && word) {
      judge_macro_name(*word);
    }
    if (name.is("define")) judge_pastes(line.subspan(2));
  }

  void judge_macro_name(const Token& name) {
    if (const auto rule = refusal_of_macro_name(name.text, rules_.of_entry))
      refuse(name, fmt::format("a macro must not have the name {}", name.text), *rule);
  }

  void judge_pragma(std::span<const Token> words, int line) {
    const auto text = [&](std::size_t i) { return i < words.size() ? std::string_view(words[i].text) : ""; };
    const bool of_compiler = text(0) == "GCC" || text(0) == "clang";
    const bool allowed = words.empty() || is_one_of(text(0), pragmas) || text(0).starts_with("nv_diag") ||
                         text(0) == "nv_exec_check_disable" ||
                         (of_compiler && is_one_of(text(1), pragmas_of_compilers));
    const std::span<const Token> first_two = words.first(std::min<std::size_t>(words.size(), 2));
    const bool hidden = std::any_of(first_two.begin(), first_two.end(), [&](const Token& word) {
      return is_macro(word.text) && !word.is("unroll");
    });
    if (!allowed) {
      refuse(line, fmt::format("#pragma {} is not allowed", text(0)), pragma_rule);
    } else if (hidden && text(0) != "unroll") {
      refuse(line, "this #pragma is made of macros", pragma_rule);
    }
  }

  // The word that a ## makes must not be one of those that the other rules look for.
  void judge_pastes(std::span<const Token> macro) {
    const std::size_t close =
        macro.size() > 1 && macro[1].is("(") && macro[1].begin == macro[0].end
            ? std::find_if(macro.begin(), macro.end(), [](const Token& t) { return t.is(")"); }) -
                  macro.begin()
            : 0;
    const auto is_parameter = [&](const Token& token) {
      return token.is("__VA_ARGS__") || token.is("__VA_OPT__") || token.is(")") ||
             std::any_of(macro.begin() + 1, macro.begin() + static_cast<std::ptrdiff_t>(close),
                         [&](const Token& parameter) { return parameter.is(token.text); });
    };
    for (std::size_t i = close + 1; i + 1 < macro.size(); ++i) {
      if (!macro[i].is("##")) continue;
      const Token &left = macro[i - 1], &right = macro[i + 1];
      // ", ## __VA_ARGS__" takes a comma away, and makes no word
      if (left.is(",")) continue;
      const bool safe = (!is_parameter(left) && cannot_begin(left.text)) ||
                        (!is_parameter(right) && cannot_end(right.text)) || cannot_make_watched();
      if (!safe) refuse(macro[i], "this ## joins words that are not known here", paste_rule);
    }
  }

  // Whether no watched word, nor a longer one than those that count by how they begin, can be put together
  // of two parts or more that the student hands to macros or has in their bodies.
  bool cannot_make_watched() const {
    const auto all = watched();
    return std::none_of(all.begin(), all.end(), [&](std::string_view word) {
      const bool is_beginning = is_one_of(word, machine_words) || word == "__builtin_";
      std::vector<bool> reached(word.size() + 1);
      reached[0] = true;
      bool made = false;
      for (std::size_t i = 0; i < word.size(); ++i) {
        if (!reached[i]) continue;
        const std::string_view rest = word.substr(i);
        for (const std::string& part : rules_.pasted) {
          if (part.empty()) continue;
          if (i > 0 && (part == rest || (is_beginning && part.starts_with(rest)))) made = true;
          if (part.size() < rest.size() && rest.starts_with(part)) reached[i + part.size()] = true;
          // the whole beginning, and then some more
          if (i == 0 && is_beginning && part == word) made = true;
        }
      }
      return made;
    });
  }

  std::vector<std::string_view> watched() const {
    std::vector<std::string_view> all{"_Pragma",  "__declspec",   "namespace",  "main",
                                      "__thread", "thread_local", "__builtin_", rules_.problem};
    for (const Words words : {Words(assembler), Words(attribute), Words(rooms), Words(machine_words)})
      all.insert(all.end(), words.begin(), words.end());
    return all;
  }
  bool cannot_begin(std::string_view text) const {
    const auto all = watched();
    return std::none_of(all.begin(), all.end(), [&](std::string_view word) {
      return word.starts_with(text) || text.starts_with(word);
    });
  }
  // Behind any beginning: also as the middle of a word that is refused for how it begins.
  bool cannot_end(std::string_view text) const {
    const auto all = watched();
    return std::none_of(all.begin(), all.end(), [&](std::string_view word) {
      if (word.ends_with(text)) return true;
      for (std::size_t i = 1; i + 1 < word.size(); ++i) {
        if (text.starts_with(word.substr(i))) return true;
      }
      return false;
    });
  }

  // --- tokens

  void judge_token() {
    const Token& token = tokens_[at_];
    if (token.is("[") && has(at_ + 1, "[")) judge_standard_attributes();
    if (!token.is_name()) return;
    if (is_one_of(token.text, assembler)) {
      judge_assembler();
    } else if (is_one_of(token.text, attribute)) {
      judge_gnu_attributes();
    } else if (token.is("__declspec") || token.is("_Pragma")) {
      judge_operator();
    } else if (token.text.starts_with("__builtin") && !is_one_of(token.text, builtins)) {
      const std::string plain = token.text.substr(std::string_view("__builtin_").size());
      refuse(token, token.text + " is not allowed",
             is_one_of(plain, copying) ? "What it does to memory is not seen. Write " + plain + " instead."
                                       : "What it does to memory is not seen. Write it in C++.");
    } else if (std::any_of(machine_words.begin(), machine_words.end(),
                           [&](std::string_view begin) { return token.text.starts_with(begin); })) {
      refuse(token, token.text + " is not allowed", "A kernel is written in CUDA C++ alone.");
    } else if (token.is("thread_local") || token.is("__thread")) {
      refuse(
          token, token.text + " is not allowed",
          "nvcc knows no such variables in a kernel. A thread's own variables are those in its functions.");
    } else if (token.is("main") && !is_member()) {
      refuse(token, "a lab's file has no main", "The workbook has its own, which launches your kernel.");
    } else if (is_room(token.text, rules_.problem)) {
      judge_room();
    } else if (is_macro(token.text) && at_ >= end_of_directive_ && holds_room(token.text)) {
      judge_macro_for_room();
    } else if (rules_.on_gpu && !device_code_.is_here() && at_ >= end_of_directive_ &&
               holds_assembler(token.text)) {
      refuse(token, "this macro holds assembler, outside of device code", assembler_rule);
    }
  }

  bool is_member() const {
    return at_ > 0 &&
           (tokens_[at_ - 1].is(".") || (tokens_[at_ - 1].is(">") && at_ > 1 && tokens_[at_ - 2].is("-")));
  }

  // Only as part of a longer name: a variable may be called runner. A room within one of the student's own
  // namespaces is the student's.
  void judge_room() {
    const bool qualified = at_ > 0 && tokens_[at_ - 1].is("::");
    if (is_member() || (qualified && at_ > 1 && is_own_namespace(tokens_[at_ - 2]))) return;
    bool named = rules_.joins_names || qualified || has(at_ + 1, "::") ||
                 (at_ > 0 && tokens_[at_ - 1].is("namespace"));
    for (std::size_t i = at_;
         i-- > 0 && !named && !tokens_[i].is(";") && !tokens_[i].is("{") && !tokens_[i].is("}");)
      named = tokens_[i].is("namespace");
    if (named) refuse_room(tokens_[at_]);
  }

  void refuse_room(const Token& name) {
    refuse(name, fmt::format("the namespace {} is the workbook's", name.text), room_rule);
  }

  // Whether the name can be nothing else: `const ::runner::x` begins at the outermost namespace.
  bool is_own_namespace(const Token& name) const {
    return name.is_name() && !name.text.starts_with('_') && !is_macro(name.text) &&
           !is_one_of(name.text, keywords) && !is_room(name.text, rules_.problem) &&
           rules_.own_namespaces.contains(name.text);
  }

  // A macro that stands for a room, where a longer name or a namespace begins.
  void judge_macro_for_room() {
    const bool begins = has(at_ + 1, "::") || (at_ > 0 && tokens_[at_ - 1].is("namespace"));
    if (begins && holds_room(tokens_[at_].text)) refuse_room(tokens_[at_]);
  }

  bool holds_room(const std::string& name) const {
    return holds(name, Words(rooms)) || holds(name, Words(&rules_.problem, 1));
  }

  // Whether the macro, or one that it uses, has one of the words. Each macro is looked at once: there may be
  // many ways to it.
  bool holds(const std::string& name, Words words) const {
    std::set<std::string> seen{name};
    std::vector<std::string> left{name};
    while (!left.empty()) {
      const auto macro = rules_.macros.find(left.back());
      left.pop_back();
      if (macro == rules_.macros.end()) continue;
      for (const Macro& definition : macro->second) {
        for (std::size_t i = 1; i < definition.body.size(); ++i) {
          const Token& token = definition.body[i];
          if (is_one_of(token.text, words)) return true;
          if (is_macro(token.text) && seen.insert(token.text).second) left.push_back(token.text);
        }
      }
    }
    return false;
  }

  // asm volatile ( "" : : : "memory" ) does nothing but hold the compiler.
  void judge_assembler() {
    std::size_t i = at_ + 1;
    while (has(i, "volatile") || has(i, "__volatile__") || has(i, "__volatile")) ++i;
    bool empty = has(i, "(") && has(i + 1, "\"\"");
    int colons = 0;
    for (i += 2; empty && i < tokens_.size() && !tokens_[i].is(")"); ++i) {
      const Token& token = tokens_[i];
      if (token.is(":")) ++colons;
      if (token.is("::")) colons += 2;
      const bool clobber = colons == 3 && (token.is(",") || token.is("\"memory\"") || token.is("\"cc\""));
      empty = token.is(":") || token.is("::") || clobber || token.is("\"\"");
    }
    if (empty && colons <= 3) return;
    // In a macro's body it counts where the macro is used.
    if (rules_.on_gpu && (device_code_.is_here() || at_ < end_of_directive_)) return;
    refuse(tokens_[at_], "assembler is not allowed", assembler_rule);
  }

  bool holds_assembler(const std::string& name) const { return holds(name, assembler); }

  void judge_operator() {
    const bool pragma = tokens_[at_].is("_Pragma");
    const bool written = has(at_ + 1, "(") && at_ + 2 < tokens_.size() &&
                         tokens_[at_ + 2].kind == Token::Kind::string &&
                         tokens_[at_ + 2].text.front() == '"' && tokens_[at_ + 2].text.size() > 1;
    if (!pragma) return refuse(tokens_[at_], "__declspec is not allowed", attribute_rule);
    if (!written)
      return refuse(tokens_[at_], "this _Pragma is made of macros",
                    "Write its words as one string, or use #pragma.");
    std::string text;
    const std::string& literal = tokens_[at_ + 2].text;
    for (std::size_t i = 1; i + 1 < literal.size(); ++i) text += literal[i += literal[i] == '\\'];
    judge_pragma(tokens_of(text).all, tokens_[at_].line);
  }

  // [[using gnu: cold, noinline]], [[nodiscard("...")]], [[gnu::unused]]
  void judge_standard_attributes() {
    std::size_t i = at_ + 2;
    std::string prefix;
    if (has(i, "using") && i + 2 < tokens_.size()) {
      prefix = tokens_[i + 1].text;
      i += 3;
    }
    for (int depth = 0; i < tokens_.size() && !(depth == 0 && tokens_[i].is("]")); ++i) {
      const Token& token = tokens_[i];
      depth += token.is("(") || token.is("[");
      depth -= token.is(")") || token.is("]");
      if (depth > 0 && is_macro(token.text) && !is_plain(token.text)) refuse_attribute(token);
      if (depth > 0 || !token.is_name() || has(i + 1, "::")) continue;
      const std::string& space = i > 1 && tokens_[i - 1].is("::") ? tokens_[i - 2].text : prefix;
      const bool gnu = bare(space) == "gnu" || space == "_Clang";
      const bool known = space.empty() ? is_one_of(bare(token.text), of_standard)
                                       : gnu && is_one_of(bare(token.text), of_gnu);
      // A macro with parameters is none without them.
      if (!known || is_macro(token.text) || is_macro(space)) refuse_attribute(token);
    }
  }

  void judge_gnu_attributes() {
    if (!has(at_ + 1, "(") || !has(at_ + 2, "("))
      return refuse(tokens_[at_], "this __attribute__ is made of macros", attribute_rule);
    int depth = 2;
    for (std::size_t i = at_ + 3; i < tokens_.size() && depth > 0; ++i) {
      const Token& token = tokens_[i];
      depth += token.is("(");
      depth -= token.is(")");
      const bool inside = depth > 2 && !token.is("(");
      if (inside && is_macro(token.text) && !is_plain(token.text)) refuse_attribute(token);
      if (inside || depth != 2 || !token.is_name()) continue;
      if (!is_one_of(bare(token.text), of_gnu) || is_macro(token.text)) refuse_attribute(token);
    }
  }

  void refuse_attribute(const Token& token) {
    refuse(token, fmt::format("the attribute {} is not allowed", token.text), attribute_rule);
  }

  // Whether the macro stands for one value: it cannot close a parenthesis or begin another attribute.
  bool is_plain(const std::string& name) const {
    constexpr std::array<std::string_view, 5> joining{"(", ")", ",", "##", "#"};
    return !holds(name, joining);
  }

  const std::vector<Token>& tokens_;
  const TokenRules& rules_;
  std::size_t at_ = 0, end_of_directive_ = 0;
  DeviceCode device_code_;
  std::vector<Violation> found_;
};

}  // namespace

bool is_room(std::string_view name, std::string_view problem) {
  return name == problem || is_one_of(name, rooms);
}

std::vector<Violation> violations_in(const Tokens& tokens, const TokenRules& rules) {
  return FileRules(tokens, rules).violations();
}

}  // namespace judge
