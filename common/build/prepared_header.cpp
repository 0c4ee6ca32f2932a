// SPDX-License-Identifier: MIT
#include "build/prepared_header.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "build/step.hpp"
#include "os/files.hpp"

namespace build {

namespace {

namespace files = std::filesystem;

using Command = std::vector<std::string>;

// Behind white space and comments. What a backslash joins is not looked through: then the text is taken to
// begin otherwise.
std::string_view first_words(std::string_view text) {
  for (;;) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == text.npos) return {};
    text.remove_prefix(begin);
    const bool is_line = text.starts_with("//");
    if (!is_line && !text.starts_with("/*")) return text;
    const std::size_t end = is_line ? text.find('\n') : text.find("*/", 2);
    if (end == text.npos || text.substr(0, end).find('\\') != text.npos) return {};
    text.remove_prefix(end + (is_line ? 1 : 2));
  }
}

// The command that compiles the header, made of the one that compiles a unit: a compiled header serves only
// where the options are the same.
Command header_command(const Command& of_unit, const std::string& header, const std::string& compiled) {
  Command command;
  for (std::size_t i = 0; i < of_unit.size(); ++i) {
    const std::string& word = of_unit[i];
    if (word == "-S" || word == "-fsyntax-only") continue;
    if (word == "-c" && i + 1 < of_unit.size()) {
      command.insert(command.end(), {"-x", "c++-header", header});
      ++i;
    } else if ((word == "-o" || word == "-MQ" || word == "-MF") && i + 1 < of_unit.size()) {
      command.insert(command.end(), {word, word == "-MF" ? compiled + ".d" : compiled});
      ++i;
    } else {
      command.push_back(word);
    }
  }
  return command;
}

}  // namespace

bool begins_with_lab_header(std::string_view text) {
  text = first_words(text);
  for (const std::string_view word : {"#", "include", "\"lab.hpp\""}) {
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  }
  return text.empty() || text.front() == '\n' || text.front() == '\r' || text.starts_with("//");
}

std::vector<std::string> prepared_header_arguments(const workbook::Workbook& workbook,
                                                   const workbook::Target& target, const Command& command) {
  // Of the arguments of simulator/meson.build one that no other compiler has.
  const bool is_gcc = std::ranges::find(command, "--param=tsan-distinguish-volatile=1") != command.end();
  std::error_code none;
  if (!is_gcc || target.backend != facts::Backend::sim || !target.exercise.launched ||
      files::exists(files::path(target.source).parent_path() / "lab.hpp", none) ||
      !begins_with_lab_header(os::read_file(target.source).value_or("")))
    return {};
  const std::string folder = workbook.build_root + "/common/build/prepared/" + target.exercise.problem,
                    header = folder + "/prepared.hpp", compiled = header + ".gch",
                    text = "#include <lab.hpp>\n";
  Step step{.command = header_command(command, header, compiled),
            .folder = workbook.build_root,
            .record = folder + "/step",
            .depfile = compiled + ".d"};
  files::create_directories(folder, none);
  if (access(folder.c_str(), W_OK) == 0) {
    const os::FileLock lock(folder + "/lock", O_RDWR | O_CREAT);
    if (lock.descriptor() < 0) return {};
    if (os::read_file(header) != text) os::write_file(header, text);
    if (run(step)) return {};
  } else if (!is_up_to_date(step)) {
    return {};
  }
  return {"-include", header, "-fpch-deps"};
}

bool tells_the_same(std::string_view output, const workbook::Target& target) {
  const std::string beside = files::path(target.source).parent_path().string() + "/";
  bool any = false;
  while (!output.empty()) {
    const std::string_view line = output.substr(0, output.find('\n'));
    output.remove_prefix(std::min(line.size() + 1, output.size()));
    if (line.find("error: ") == line.npos) continue;
    // Lines of source are shown behind blanks.
    if (line.front() != ' ' && !line.starts_with(beside)) return false;
    any = true;
  }
  return any;
}

}  // namespace build
