// SPDX-License-Identifier: MIT
#include "judge/forbidden.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string_view>

#include "judge/harness_words.hpp"
#include "judge/source_text.hpp"
#include "judge/token_rules.hpp"
#include "judge/tokens.hpp"
#include "os/files.hpp"

namespace judge {

namespace {

namespace files = std::filesystem;

// Where a path leads once links are followed; empty if it leads nowhere.
std::string resolved(const std::string& path) {
  std::error_code none;
  const files::path real = files::canonical(path, none);
  return none ? "" : real.string();
}

bool is_below(const std::string& path, const std::string& folder) {
  return path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/';
}

// Of the Toolkit's headers those of which the simulator has more than lab.hpp brings.
bool is_of_nvidia(std::string_view header) {
  return header.starts_with("cuda/") || header.starts_with("cub/") ||
         header.starts_with("cooperative_groups");
}

struct OwnFile {
  std::string path;
  Tokens tokens;
};

class Inspector {
 public:
  Inspector(const workbook::Workbook& workbook, const workbook::Target& target)
      : workbook_(workbook), target_(target) {
    const std::string labs = resolved(workbook.labs_dir), source = resolved(target.source);
    const std::string folder = files::path(target.source).parent_path();
    const bool is_lab = is_below(target.source, workbook.labs_dir);
    root_ = is_lab && !labs.empty() ? labs : resolved(folder.empty() ? "." : folder);
    if (!source.empty() && !is_below(source, root_))
      refuse_unreadable(target.source, 0, "this file is a link to one outside of your labs",
                        "A lab's file holds its own text.");
  }

  Inspection inspection() {
    if (!result_.unreadable) read(target_.source);
    if (!result_.unreadable) judge_files();
    return std::move(result_);
  }

 private:
  void refuse_unreadable(const std::string& path, int line, const std::string& words,
                         const std::string& rule) {
    if (!result_.unreadable) result_.unreadable = forbidden_at(workbook_, path, line, words, rule);
  }

  void refuse(const OwnFile& file, const Violation& violation) {
    if (!result_.forbidden)
      result_.forbidden = forbidden_at(workbook_, file.path, violation.line, violation.words, violation.rule);
  }

  // Reads a file of the student's, and those that it includes where it includes them.
  void read(const std::string& path) {
    const std::string real = resolved(path);
    if (real.empty() || !known_.insert(real).second) return;
    const auto text = os::read_file(path);
    if (!text) return;
    const std::size_t index = files_.size();
    files_.push_back({path, tokens_of(*text)});
    const std::vector<Token> tokens = files_[index].tokens.all;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const std::span<const Token> directive = directive_at(tokens, i);
      if (directive.size() < 3) continue;
      if (directive[1].is("define")) note_macro(files_[index], directive);
      if (directive[1].is("include")) note_include(path, directive[2]);
    }
  }

  void note_macro(const OwnFile& file, std::span<const Token> directive) {
    Macro macro{.body = {directive.begin() + 2, directive.end()}};
    macros_[directive[2].text].push_back(macro);
    defined_.push_back({file.path, directive[2]});
  }

  static constexpr const char* include_rule =
      "A lab's file may include files of its own folder, lab.hpp, CUDA's headers and the standard library's.";

  void note_include(const std::string& path, const Token& header) {
    if (header.kind != Token::Kind::header || header.text.size() < 3) return;  // told by a token's rule
    const std::string name = header.text.substr(1, header.text.size() - 2);
    const std::string beside = files::path(path).parent_path() / name;
    const bool quoted = header.text.front() == '"';
    std::error_code none;
    const std::string meant = name.front() == '/' ? name : quoted ? beside : "";
    if (!meant.empty() && files::exists(meant, none)) {
      const std::string real = resolved(meant);
      if (!is_below(real, root_) || !files::is_regular_file(real, none)) {
        refuse_unreadable(path, header.line, "this includes a file outside of your labs", include_rule);
      } else if (!result_.unreadable) {
        read(meant);
      }
      return;
    }
    const bool is_first = headers_.insert(name).second;
    if (is_first && (name == "lab.hpp" || is_of_nvidia(name))) {
      for (const DefinedMacro& macro : defined_) early_.push_back({macro, name});
    }
    if (!is_public_header(name)) foreign_.insert({path, header.line});
  }

  void judge_files() {
    const bool on_gpu = target_.backend == facts::Backend::gpu;
    const auto& [of_lab, of_entry, of_cuda] = words_of_harness(workbook_, target_);
    OwnNames names;
    for (const OwnFile& file : files_) add_names(file.tokens.all, macros_, names);
    for (const auto& [name, definitions] : macros_) {
      for (const Macro& definition : definitions) {
        for (const Token& token : definition.body) names.pasted.insert(token.text);
      }
    }
    if (names.inlines_namespaces) names.spaces.clear();
    const bool joins = joins_names(macros_);
    for (const OwnFile& file : files_) {
      std::vector<Violation> violations = violations_in(
          file.tokens,
          {target_.exercise.problem, macros_, of_entry, on_gpu, names.spaces, joins, names.pasted});
      for (const auto& [path, line] : foreign_) {
        if (path == file.path)
          violations.push_back({line, "this header is not open to a lab's file", include_rule});
      }
      for (const auto& [macro, header] : early_) {
        const auto& [path, name] = macro;
        const bool is_lab = header == "lab.hpp";
        if (path != file.path || !(is_lab ? of_lab : of_cuda).contains(name.text)) continue;
        violations.push_back({name.line,
                              is_lab
                                  ? fmt::format("the macro {} would change the workbook's headers", name.text)
                                  : fmt::format("the macro {} would change <{}>", name.text, header),
                              fmt::format("Include {} first, or give the macro another name.",
                                          is_lab ? header : "that header")});
      }
      std::stable_sort(violations.begin(), violations.end(),
                       [](const Violation& a, const Violation& b) { return a.line < b.line; });
      if (!violations.empty()) return refuse(file, violations.front());
    }
  }

  const workbook::Workbook& workbook_;
  const workbook::Target& target_;
  std::string root_;  // the student's own files lie below
  std::vector<OwnFile> files_;
  std::set<std::string> known_;
  Macros macros_;
  struct DefinedMacro {
    std::string path;
    Token name;
  };
  std::vector<DefinedMacro> defined_;
  std::vector<std::pair<DefinedMacro, std::string>> early_;  // in front of which header
  std::set<std::string> headers_;                            // that are included, but for the student's own
  std::set<std::pair<std::string, int>> foreign_;
  Inspection result_;
};

}  // namespace

facts::Finding forbidden_at(const workbook::Workbook& workbook, const std::string& path, int line,
                            const std::string& words, const std::string& rule) {
  const std::string name = workbook.shortened(path);
  const std::string shown = line > 0 ? excerpt(os::read_file(path).value_or(""), line) : "";
  facts::Finding finding{.verdict = facts::Verdict::forbidden};
  finding.message =
      line > 0 ? fmt::format("{}:{}: {}", name, line, words) : fmt::format("{}: {}", name, words);
  if (!shown.empty()) finding.message += "\n" + shown;
  finding.message += "\n  " + rule;
  if (line > 0) finding.where.push_back({name, line});
  return finding;
}

Inspection inspect(const workbook::Workbook& workbook, const workbook::Target& target) {
  return Inspector(workbook, target).inspection();
}

}  // namespace judge
