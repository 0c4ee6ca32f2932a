// SPDX-License-Identifier: MIT
#include "judge/tokens.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace judge {

namespace {

bool continues_name(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) || c == '_' || c == '$' || byte >= 0x80;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r'; }

// Where a joined line goes on, if there is a backslash at `at` that ends a line; `at` itself otherwise. As
// compilers do, blanks between the two are passed over.
std::size_t behind_joint(std::string_view text, std::size_t at) {
  if (text[at] != '\\') return at;
  std::size_t end = at + 1;
  while (end < text.size() && is_blank(text[end])) ++end;
  return end < text.size() && text[end] == '\n' ? end + 1 : at;
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    const std::size_t begin = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
    int line = 1;
    for (std::size_t i = begin; i < text.size();) {
      if (const std::size_t next = behind_joint(text, i); next != i) {
        i = next;
        ++line;
        continue;
      }
      note_oddity(i, line);
      joined_ += text[i];
      origin_.push_back(i);
      lines_.push_back(line);
      line += text[i++] == '\n';
    }
    origin_.push_back(text.size());
    lines_.push_back(line);
  }

  Tokens tokens() {
    while (at_ < joined_.size()) next();
    return std::move(result_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < joined_.size() ? joined_[at_ + ahead] : '\0';
  }

  void note_oddity(std::size_t at, int line) {
    const auto c = static_cast<unsigned char>(text_[at]);
    if (c == '\r' && at + 1 < text_.size() && text_[at + 1] == '\n') return;
    if (c == '\r') result_.oddities.push_back({line, "a carriage return inside a line"});
    if ((c < ' ' && !std::isspace(c)) || c == 0x7f) result_.oddities.push_back({line, "a control character"});
    if (text_.substr(at, 3) == "?\?/") result_.oddities.push_back({line, "the trigraph ?\?/"});
  }

  void add(Token::Kind kind, std::size_t begin, std::string text) {
    result_.all.push_back({kind, std::move(text), lines_[begin], starts_line_, origin_[begin], origin_[at_]});
    starts_line_ = false;
  }
  void add(Token::Kind kind, std::size_t begin) { add(kind, begin, joined_.substr(begin, at_ - begin)); }

  void next() {
    const char c = peek();
    if (c == '\n') starts_line_ = true;
    if (c == '\n' || is_blank(c)) {
      ++at_;
    } else if (c == '/' && peek(1) == '/') {
      at_ = std::min(joined_.find('\n', at_), joined_.size());
    } else if (c == '/' && peek(1) == '*') {
      const std::size_t end = joined_.find("*/", at_ + 2);
      at_ = end == std::string::npos ? joined_.size() : end + 2;
    } else if ((c == '<' || c == '"') && expects_header()) {
      header();
    } else if (std::isdigit(static_cast<unsigned char>(c)) ||
               (c == '.' && std::isdigit(static_cast<unsigned char>(peek(1))))) {
      number();
    } else if (continues_name(c)) {
      name();
    } else if (c == '"' || c == '\'') {
      literal(at_);
    } else {
      punctuator();
    }
  }

  // Behind #include and its like, and in __has_include( ).
  bool expects_header() const {
    const std::vector<Token>& all = result_.all;
    if (starts_line_ || all.size() < 2) return false;
    const Token &last = all.back(), &before = all[all.size() - 2];
    if (last.is("(") && before.text.starts_with("__has_")) return true;
    constexpr std::array<std::string_view, 4> directives{"include", "include_next", "import", "embed"};
    return before.is("#") && before.starts_line &&
           std::find(directives.begin(), directives.end(), last.text) != directives.end();
  }

  // Nothing in it is escaped.
  void header() {
    const std::size_t begin = at_;
    const char close = peek() == '<' ? '>' : '"';
    const std::size_t end = joined_.find_first_of({close, '\n', '\0'}, at_ + 1);
    at_ = end == std::string::npos ? joined_.size() : end + (joined_[end] == close);
    add(Token::Kind::header, begin);
  }

  void number() {
    const std::size_t begin = at_;
    while (true) {
      const char c = peek();
      const bool exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
      if (exponent && (peek(1) == '+' || peek(1) == '-')) {
        at_ += 2;
      } else if (continues_name(c) || c == '.' || (c == '\'' && continues_name(peek(1)))) {
        ++at_;
      } else {
        break;
      }
    }
    add(Token::Kind::number, begin);
  }

  void name() {
    const std::size_t begin = at_;
    while (continues_name(peek())) ++at_;
    const std::string_view name = std::string_view(joined_).substr(begin, at_ - begin);
    constexpr std::array<std::string_view, 5> raw{"R", "LR", "uR", "UR", "u8R"};
    constexpr std::array<std::string_view, 4> plain{"L", "u", "U", "u8"};
    const auto is_one_of = [&](const auto& names) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    if (peek() == '"' && is_one_of(raw)) return raw_string(begin);
    if ((peek() == '"' || peek() == '\'') && is_one_of(plain)) return literal(begin);
    add(Token::Kind::identifier, begin);
  }

  // at_ is at the quote.
  void literal(std::size_t begin) {
    const char quote = joined_[at_++];
    while (at_ < joined_.size() && peek() != quote && peek() != '\n') at_ += peek() == '\\' ? 2 : 1;
    at_ = std::min(at_ + (at_ < joined_.size() && peek() == quote), joined_.size());
    add(quote == '"' ? Token::Kind::string : Token::Kind::character, begin);
  }

  // In a raw string lines are not joined: it is read from the file's own text. at_ is at the quote.
  void raw_string(std::size_t begin) {
    if (origin_[at_] - origin_[begin] != at_ - begin)
      result_.oddities.push_back({lines_[begin], "a raw string whose beginning is spread over two lines"});
    const std::size_t quote = origin_[at_], open = text_.find('(', quote);
    const std::string_view delimiter = text_.substr(quote + 1, std::min(open, text_.size()) - quote - 1);
    if (open == std::string_view::npos || delimiter.size() > 16 ||
        delimiter.find_first_of(" \t\v\f\r\n\\)\"") != std::string_view::npos) {
      result_.oddities.push_back({lines_[begin], "a raw string without a beginning"});
      return literal(begin);
    }
    const std::string close = ")" + std::string(delimiter) + "\"";
    const std::size_t found = text_.find(close, open);
    const std::size_t end = found == std::string_view::npos ? text_.size() : found + close.size();
    at_ = static_cast<std::size_t>(std::lower_bound(origin_.begin(), origin_.end(), end) - origin_.begin());
    add(Token::Kind::string, begin, std::string(text_.substr(origin_[begin], end - origin_[begin])));
  }

  void punctuator() {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 8> spellings{{{"%:%:", "##"},
                                                                                      {"##", "##"},
                                                                                      {"::", "::"},
                                                                                      {"%:", "#"},
                                                                                      {"<%", "{"},
                                                                                      {"%>", "}"},
                                                                                      {"<:", "["},
                                                                                      {":>", "]"}}};
    const std::size_t begin = at_;
    for (const auto& [written, meant] : spellings) {
      if (joined_.compare(at_, written.size(), written) != 0) continue;
      // "<::" is "<" and "::", unless a third ':' or a '>' follows
      if (written == "<:" && peek(2) == ':' && peek(3) != ':' && peek(3) != '>') continue;
      at_ += written.size();
      return add(Token::Kind::punctuator, begin, std::string(meant));
    }
    if (peek() == '\\') result_.oddities.push_back({lines_[at_], "a backslash outside of strings"});
    ++at_;
    add(Token::Kind::punctuator, begin);
  }

  std::string_view text_;
  std::string joined_;               // with all lines joined that are to be
  std::vector<std::size_t> origin_;  // of each character there, in the text
  std::vector<int> lines_;
  std::size_t at_ = 0;
  bool starts_line_ = true;
  Tokens result_;
};

}  // namespace

Tokens tokens_of(std::string_view text) { return Lexer(text).tokens(); }

bool is_in_capitals(const Token& token) {
  return token.is_name() && token.text.size() > 1 &&
         std::ranges::none_of(token.text, [](unsigned char c) { return std::islower(c); }) &&
         std::ranges::any_of(token.text, [](unsigned char c) { return std::isupper(c); });
}

std::span<const Token> directive_at(std::span<const Token> tokens, std::size_t at) {
  if (!tokens[at].is("#") || !tokens[at].starts_line) return {};
  std::size_t end = at + 1;
  while (end < tokens.size() && !tokens[end].starts_line) ++end;
  return tokens.subspan(at, end - at);
}

}  // namespace judge
