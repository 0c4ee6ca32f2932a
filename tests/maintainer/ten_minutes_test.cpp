// SPDX-License-Identifier: MIT
// docs/ten-minutes.md, ten-minutes-02.md and ten-minutes-x1.md are transcripts, and this replays them in a
// tree of their own: every line that a document shows after a command is what that command prints. What the
// steps are made of:
//   ```console        lines "$ COMMAND", each with what it prints below
//   <!-- below TEXT of FILE -->  the ```cpp block that follows is put below the line with TEXT
//   <!-- sh           shell commands up to -->, which a reader does not see; they print nothing
// To record it anew: WORKBOOK_RECORD=1 meson test -C build --suite maintainer 'fresh tree'
#include <algorithm>
#include <cstdlib>
#include <regex>
#include <sstream>
#include <vector>

#include "fresh_tree.hpp"

namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// What differs from run to run: seeds, and which of the random inputs' bytes showed a mistake first. And from
// compiler to compiler: its words, and how it shows the place.
std::string without_chance(std::string text) {
  for (const auto& [what, instead] :
       {std::pair{R"(--seed \d+)", "--seed N"},
        {R"((histo|values)\[\d+\])", "$1[N]"},
        {R"((thread|block) \(\d+,)", "$1 (N,"},
        {R"(; [\d,]+ such pairs, the first is shown)", ""},
        {R"(  \d+ more (was|were) found; all of .*\n)", ""},
        {R"(with [\d,]+ (byte|element)s? of .*)", "with N $1s"},
        {R"([\d,]+ loads of warps for [\d,]+ bytes of data touch .*)", "N loads"},
        {R"((  (bytes|elements) +)[\d,]+ +[\d,]+\n)", "$1N N\n"},
        {R"(( \w+ +)[\d,]+ +[\d,]+ ( [\d.]+ times fewer))", "$1N N $2"},
        {R"(lengths 0 to [\d,]+)", "lengths 0 to N"},
        {R"(counted [\d,]+( against [\d,]+, so [\d.]+)?)", "counted N"},
        {R"((\.cpp:\d+):\d+: error: .*)", "$1: error"},
        {R"( *\d* \|.*\n)", ""}}) {
    text = std::regex_replace(text, std::regex(what), instead);
  }
  return text;
}

// Goes through the document and writes it down as it should be.
class Replay {
 public:
  Replay(const FreshTree& tree, Lines document) : tree_(tree), document_(std::move(document)) {}

  std::string all() {
    while (at_ < document_.size()) {
      const std::string line = take();
      if (line == "```console") {
        commands();
      } else if (line == "<!-- sh") {
        hidden_commands();
      } else if (line.starts_with("<!-- below ")) {
        edit(line);
      }
    }
    return joined(written_);
  }

  unsigned steps() const { return steps_; }

 private:
  // The next line, which is the same in what is written.
  const std::string& take() {
    written_.push_back(document_.at(at_++));
    return written_.back();
  }

  Lines take_until(const std::string& end) {
    Lines taken;
    while (document_.at(at_) != end) taken.push_back(take());
    take();
    return taken;
  }

  void commands() {
    while (document_.at(at_) != "```") {
      const std::string line = document_.at(at_++);
      if (!line.starts_with("$ ")) continue;  // what it printed when it was recorded
      written_.push_back(line);
      for (const std::string& printed : lines_of(tree_.run(line.substr(2)).text)) written_.push_back(printed);
      ++steps_;
    }
    take();
  }

  void hidden_commands() {
    const FreshTree::Output output = tree_.run(joined(take_until("-->")));
    CHECK(output.code == 0);
    CHECK(output.text == "");
    ++steps_;
  }

  void edit(const std::string& comment) {
    std::smatch parts;
    REQUIRE(std::regex_match(comment, parts, std::regex("<!-- below (.*) of (.*) -->")));
    REQUIRE(take() == "```cpp");
    const Lines code = take_until("```");
    Lines text = lines_of(tree_.read(parts[2]));
    const auto place = std::find_if(text.begin(), text.end(), [&](const std::string& l) {
      return l.find(parts[1]) != std::string::npos;
    });
    REQUIRE(place != text.end());
    text.insert(place + 1, code.begin(), code.end());
    tree_.write(parts[2], joined(text));
    ++steps_;
  }

  const FreshTree& tree_;
  Lines document_, written_;
  std::size_t at_ = 0;
  unsigned steps_ = 0;
};

}  // namespace

TEST_CASE("ten minutes: every message in the transcripts is what the program says") {
  for (const std::string name : {"ten-minutes.md", "ten-minutes-02.md", "ten-minutes-x1.md"}) {
    CAPTURE(name);
    const std::string path = workbook::here().source_root + "/docs/" + name;
    std::ifstream file(path);
    const std::string document{std::istreambuf_iterator<char>(file), {}};
    FreshTree::here().start_again();
    Replay replay(FreshTree::here(), lines_of(document));
    const std::string now = replay.all();
    CHECK(replay.steps() > 10);
    if (std::getenv("WORKBOOK_RECORD")) {
      std::ofstream(path) << now;
    } else {
      CHECK(without_chance(now) == without_chance(document));
    }
  }
}
