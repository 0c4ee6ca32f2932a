// SPDX-License-Identifier: MIT
// docs/coverage.md says which of CUDA's features are simulated. Its lines are compiled: all that are
// simulated in one file, and linked; all that are refused in another, whose errors are those that the table
// gives; and what nvcc takes, by nvcc where it is (suite maintainer).
#include <doctest/doctest.h>

#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "compiled_lab.hpp"
#include "judge/forbidden.hpp"
#include "os/files.hpp"

namespace {

struct Line {
  std::string code, status, remark;
  int number;  // in the document
};

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

// The table's lines of code: those in backquotes in the first column of three.
const std::vector<Line>& table() {
  static const std::vector<Line> lines = [] {
    std::vector<Line> all;
    std::istringstream document(os::read_file(DOCUMENTS_FOLDER "/coverage.md").value());
    int number = 0;
    for (std::string row; std::getline(document, row);) {
      ++number;
      if (row.rfind("| `", 0) != 0) continue;
      const std::size_t last_code = row.find("` |"), status = last_code + 3, remark = row.find('|', status);
      for (std::size_t at = row.find('`'); at <= last_code;) {
        const std::size_t end = row.find('`', at + 1);
        all.push_back({row.substr(at + 1, end - at - 1), trimmed(row.substr(status, remark - status)),
                       trimmed(row.substr(remark + 1, row.rfind('|') - remark - 1)), number});
        at = row.find('`', end + 1);
      }
    }
    return all;
  }();
  return lines;
}

bool is_include(const std::string& code) { return code.rfind("#include", 0) == 0; }
bool is_declaration(const std::string& code) { return code.back() == ';' || code.back() == '}'; }

// A lab's file with these lines, each alone on a line of the file: which one is kept in `places`.
std::string file_with(const std::vector<Line>& lines, std::map<int, const Line*>& places) {
  std::string text;
  int next = 1;
  const auto add = [&](const std::string& line, const Line* of = nullptr) {
    if (of) places[next] = of;
    text += line + "\n";
    ++next;
  };
  add("#include \"lab.hpp\"");
  for (const char* header : {"cooperative_groups.h", "cooperative_groups/reduce.h",
                             "cooperative_groups/scan.h", "cub/cub.cuh", "cuda/atomic", "cuda/functional"})
    add("#include <" + std::string(header) + ">");
  for (const Line& line : lines) {
    if (is_include(line.code)) add(line.code, &line);
  }
  add("namespace cg = cooperative_groups;");
  for (const Line& line : lines) {
    if (!is_include(line.code) && is_declaration(line.code)) add(line.code, &line);
  }
  add("__global__ void features(unsigned* words, int* ints, unsigned long long* longs, float* floats, "
      "unsigned char* "
      "bytes, int i, int j, unsigned u, unsigned v, long long l, long long m, unsigned long long w, unsigned "
      "long "
      "long x, float f, float g, float h, double d, double e, bool flag, char4 c4, uchar4 uc4, short2 s2, "
      "ushort2 "
      "us2) {");
  add("auto block = cg::this_thread_block(); auto tile = cg::tiled_partition<16>(block);");
  add("auto warp = cg::tiled_partition<32>(block); auto together = cg::coalesced_threads();");
  for (const Line& line : lines) {
    if (!is_include(line.code) && !is_declaration(line.code)) add("{ " + line.code + "; }", &line);
  }
  add("}");
  add("template <class Binning> __global__ void histogram_kernel(const unsigned char*, std::size_t, "
      "unsigned*) {}");
  add("LaunchShape launch_shape(std::size_t) { return {1, 1}; }");
  return text;
}

std::vector<Line> with_status(const std::set<std::string>& statuses) {
  std::vector<Line> lines;
  for (const Line& line : table()) {
    if (statuses.count(line.status)) lines.push_back(line);
  }
  return lines;
}

// A lab's file in a folder of its own, and the commands that make a runner of it.
struct CompiledFile {
  TemporaryFolder folder;
  std::string source;
  workbook::Target target;
  std::vector<build::Command> commands;

  CompiledFile(const std::string& text, facts::Backend backend)
      : source(folder.write("labs/02_global_atomics/histogram.cu", text)) {
    const workbook::ExerciseInfo exercise{"02_global_atomics", "histogram", "histogram.cu", true,
                                          "histogram"};
    const std::string runner = backend == facts::Backend::sim ? "histogram.sim" : "histogram.gpu";
    target = {.exercise = exercise,
              .tree = workbook::Tree::student,
              .backend = backend,
              .name = "02",
              .source = source,
              .runner = folder.path() + "/" + runner};
    folder.write(runner + ".p/unit.cpp", build::text_of(target));
    commands = build::commands_of(workbook::here(), target);
  }
  os::CommandResult run(const build::Command& command) const {
    return os::run_command(command, workbook::here().build_root);
  }
};

// The first error at each line of the student's file.
std::map<int, std::string> errors_by_line(const std::string& output, const std::string& source) {
  std::map<int, std::string> errors;
  std::vector<std::string> lines;
  std::istringstream printed(output);
  for (std::string line; std::getline(printed, line);) lines.push_back(line);
  std::size_t begin = 0;  // behind the error before: what led to this one may stand in front of it
  for (std::size_t at = 0; at < lines.size(); ++at) {
    if (lines[at].find("error: ") == std::string::npos) continue;
    std::string one;
    for (std::size_t i = begin;
         i < lines.size() && (i <= at || lines[i].find("error: ") == std::string::npos); ++i)
      one += lines[i] + "\n";
    begin = at + 1;
    const auto error = judge::first_compiler_error(one, source);
    if (!error || error->where.line == 0) continue;
    std::string words = error->message.substr(0, error->message.find('\n'));
    words.erase(0, words.find("error: ") + 7);
    errors.emplace(error->where.line, words);
  }
  return errors;
}

}  // namespace

TEST_CASE("each line of the table has one of three answers") {
  REQUIRE(table().size() > 300);
  for (const Line& line : table()) {
    CAPTURE(line.number);
    CAPTURE(line.code);
    CHECK((line.status == "simulated" || line.status == "only on a GPU" || line.status == "refused"));
    // what needs a GPU is what nvcc takes
    const bool needs_gpu =
        line.remark.find(" a GPU") != std::string::npos && line.remark.find("need") != std::string::npos;
    CHECK(needs_gpu == (line.status == "only on a GPU"));
  }
}

TEST_CASE("what the table calls simulated compiles and links, and nothing of it is forbidden") {
  std::map<int, const Line*> places;
  const std::vector<Line> lines = with_status({"simulated"});
  const CompiledFile file(file_with(lines, places), facts::Backend::sim);
  for (const build::Command& command : file.commands) {
    const os::CommandResult result = file.run(command);
    for (const auto& [line, words] : errors_by_line(result.output, file.source)) {
      const std::string code = places.count(line) ? places[line]->code : "";
      FAIL_CHECK(code << ": " << words);
    }
    REQUIRE_MESSAGE(result.code == 0, result.output);
  }
  const auto forbidden = judge::inspect_object(workbook::here(), file.target);
  CHECK_MESSAGE(!forbidden, forbidden->message);
}

TEST_CASE("what needs a GPU by the table is refused in its words") {
  std::map<int, const Line*> places;
  const std::vector<Line> lines = with_status({"only on a GPU"});
  const CompiledFile file(file_with(lines, places), facts::Backend::sim);
  build::Command command = file.commands.front();
  command.push_back("-fsyntax-only");
  command.push_back(std::string(SIMULATOR_COMPILER_ID) == "gcc" ? "-fmax-errors=0" : "-ferror-limit=0");
  auto errors = errors_by_line(file.run(command).output, file.source);
  for (const auto& place : places) {
    const Line& line = *place.second;
    CAPTURE(line.code);
    CHECK(errors[place.first] == line.remark);
  }
}

// In a file of its own: a header that is not there ends the compiler's work.
void check_refused(const Line& line) {
  CAPTURE(line.code);
  std::map<int, const Line*> place;
  const auto finding = built(file_with({line}, place));
  REQUIRE(finding);
  const std::string first = finding->message.substr(0, finding->message.find('\n'));
  CHECK(first.substr(std::min(first.find("error: "), first.size())) == "error: " + line.remark);
  REQUIRE(finding->where.size() == 1);
  CHECK(finding->where[0].line == place.begin()->first);
}

TEST_CASE("the first line that the table calls refused is, in its words") {
  check_refused(with_status({"refused"}).front());
}

TEST_CASE("every line that the table calls refused is, in its words" * doctest::test_suite("long")) {
  for (const Line& line : with_status({"refused"})) check_refused(line);
}

// By nvcc, for the compute capability that the simulator stands for.
os::CommandResult compiled_by_nvcc(const CompiledFile& file) {
  build::Command command = file.commands.front();
  std::erase_if(command, [](const std::string& word) { return word.rfind("-gencode", 0) == 0; });
  command.insert(command.end(), {"-arch=sm_90", "-w"});
  return file.run(command);
}

TEST_CASE("nvcc: it takes all that is simulated, and all that needs a GPU" * doctest::skip()) {
  std::map<int, const Line*> places;
  const std::vector<Line> lines = with_status({"simulated", "only on a GPU"});
  const CompiledFile file(file_with(lines, places), facts::Backend::gpu);
  const os::CommandResult result = compiled_by_nvcc(file);
  for (const auto& [line, words] : errors_by_line(result.output, file.source)) {
    const std::string code = places.count(line) ? places[line]->code : "";
    FAIL_CHECK(code << ": " << words);
  }
  CHECK_MESSAGE(result.code == 0, result.output);
}

TEST_CASE("nvcc: it takes nothing that is refused" * doctest::skip()) {
  for (const Line& line : with_status({"refused"})) {
    CAPTURE(line.code);
    std::map<int, const Line*> place;
    const CompiledFile file(file_with({line}, place), facts::Backend::gpu);
    CHECK(errors_by_line(compiled_by_nvcc(file).output, file.source).count(place.begin()->first) == 1);
  }
}
