// SPDX-License-Identifier: MIT
#include "judge/source_functions.hpp"

#include <algorithm>
#include <utility>

namespace judge {

namespace {

using Side = SourceFunction::Side;

// Words with parentheses behind them that are not a function's name.
bool takes_parentheses(const Token& token) {
  return is_one_of(token,
                   {"__launch_bounds__", "__maxnreg__", "__cluster_dims__", "__attribute__", "__attribute",
                    "__align__", "alignas", "decltype", "noexcept", "requires", "explicit", "static_assert"});
}

// Reads declarations outside of functions, and goes over the bodies.
class FunctionReader {
 public:
  FunctionReader(const std::vector<Token>& tokens, const std::set<std::string>& macros)
      : tokens_(tokens), macros_(macros) {}

  void read() {
    for (std::size_t at = 0; at < tokens_.size(); ++at) {
      const Token& token = tokens_[at];
      if (token.is(";")) {
        note_declaration(at);
        head_ = at + 1;
      } else if (token.is("}")) {
        if (depth_ > 0) --depth_;
        head_ = at + 1;
      } else if (token.is("(") || token.is("[")) {
        at = closing(at);
      } else if (token.is("{")) {
        at = read_brace(at);
      }
    }
  }

  std::vector<SourceFunction> functions;

 private:
  std::size_t closing(std::size_t open) const {
    int depth = 0;
    for (std::size_t at = open; at < tokens_.size(); ++at) {
      if (is_one_of(tokens_[at], {"(", "[", "{"})) ++depth;
      if (is_one_of(tokens_[at], {")", "]", "}"}) && --depth == 0) return at;
    }
    return tokens_.size();
  }

  bool may_be_macro(const Token& token) const {
    return is_in_capitals(token) || (token.is_name() && macros_.contains(token.text));
  }

  // The token at which to go on: the brace itself where declarations follow, else the one that closes it.
  std::size_t read_brace(std::size_t brace) {
    const std::size_t name = name_of_function(brace);
    if (name < brace) {
      const std::size_t end = closing(brace);
      add(name, brace, end);
      head_ = end + 1;
      return end;
    }
    bool holds_declarations = false, is_value = false;
    for (std::size_t at = head_; at < brace; ++at) {
      holds_declarations |= is_one_of(tokens_[at], {"namespace", "extern", "struct", "class", "union"});
      is_value |= tokens_[at].is("=");
    }
    if (!holds_declarations || is_value) return closing(brace);
    ++depth_;
    head_ = brace + 1;
    return brace;
  }

  // The name in front of the first parentheses that can be those of parameters; `brace` if there is none.
  std::size_t name_of_function(std::size_t brace) const {
    for (std::size_t at = head_; at + 1 < brace; ++at) {
      if (tokens_[at].is("=")) return brace;
      if (!tokens_[at + 1].is("(")) continue;
      if (tokens_[at].is_name() && !takes_parentheses(tokens_[at]) && !may_be_macro(tokens_[at])) return at;
      at = closing(at + 1);
    }
    return brace;
  }

  void add(std::size_t name, std::size_t brace, std::size_t end) {
    SourceFunction function{.name = tokens_[name].text,
                            .line = tokens_[name].line,
                            .is_member = depth_ > 0,
                            .name_at = name,
                            .body = brace,
                            .body_end = end};
    bool host = false, device = false, kernel = false, unknown = declared_for_device_.contains(function.name);
    for (std::size_t at = head_; at < brace; ++at) {
      host |= tokens_[at].is("__host__");
      device |= tokens_[at].is("__device__");
      kernel |= tokens_[at].is("__global__");
      unknown |= at < name && may_be_macro(tokens_[at]);
      function.is_evaluated |= is_one_of(tokens_[at], {"constexpr", "consteval"});
    }
    function.side = kernel             ? Side::kernel
                    : device && host   ? Side::both
                    : device           ? Side::device
                    : unknown && !host ? Side::unknown
                                       : Side::host;
    functions.push_back(std::move(function));
  }

  // A function whose declaration has a qualifier may be defined without.
  void note_declaration(std::size_t end) {
    const std::size_t name = name_of_function(end);
    for (std::size_t at = head_; at < name && name < end; ++at) {
      if (is_one_of(tokens_[at], {"__device__", "__global__"}))
        declared_for_device_.insert(tokens_[name].text);
    }
  }

  const std::vector<Token>& tokens_;
  const std::set<std::string>& macros_;
  std::size_t head_ = 0;  // where the declaration begins that is under way
  int depth_ = 0;         // of namespaces and classes
  std::set<std::string> declared_for_device_;
};

}  // namespace

FunctionsOfFile::FunctionsOfFile(std::string_view text) {
  const std::vector<Token> written = tokens_of(text).all;
  for (std::size_t at = 0; at < written.size();) {
    const auto directive = directive_at(written, at);
    if (directive.empty()) tokens.push_back(written[at]);
    if (directive.size() > 2 && directive[1].is("define")) macros.insert(directive[2].text);
    at += std::max<std::size_t>(directive.size(), 1);
  }
  FunctionReader reader(tokens, macros);
  reader.read();
  all = std::move(reader.functions);
}

}  // namespace judge
