// SPDX-License-Identifier: MIT
#include "measure/records.hpp"

#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <thread>

#include "facts/json_fields.hpp"
#include "measure/gpu_device.hpp"
#include "os/command.hpp"
#include "os/files.hpp"

namespace measure {

namespace {

using Json = nlohmann::ordered_json;

std::string reason() { return std::strerror(errno); }

// Whether the file ends in the middle of a line: somebody was ended while writing it.
bool ends_in_a_line(int descriptor, off_t size) {
  char last = '\n';
  return size > 0 && pread(descriptor, &last, 1, size - 1) == 1 && last != '\n';
}

// Why a line is no record; empty if it is one.
std::string fault_of(const Json& json) {
  if (!json.is_object()) return "is damaged";
  const auto schema = json.find("schema");
  if (schema == json.end() || !schema->is_number_integer()) return "has no schema's number";
  if (*schema > record_schema)
    return fmt::format("was written by a newer workbook (schema {}, this one knows {})", schema->get<int>(),
                       record_schema);
  return {};
}

bool is_same(const Machine& one, const Machine& other) {
  const auto name = [](const Machine& machine) {
    return machine.gpu.contains("name") ? machine.gpu.at("name") : "";
  };
  return one.cpu == other.cpu && one.cpus == other.cpus && name(one) == name(other);
}

// The columns that every record may fill: their headings, which are paths into it. The variant, under its
// problem's own name, stands behind the verdict.
constexpr std::array columns{"time",
                             "kind",
                             "commit",
                             "command",
                             "machine/cpu",
                             "gpu/name",
                             "gpu/driver_cuda",
                             "gpu/runtime_cuda",
                             "lab",
                             "exercise",
                             "tree",
                             "backend",
                             "verdict",
                             "input",
                             "seed",
                             "length",
                             "launch/grid",
                             "launch/block",
                             "occupancy/resident_blocks",
                             "occupancy/limited_by",
                             "clock_mhz",
                             "dropped",
                             "time_ms/median",
                             "time_ms/min",
                             "time_ms/q1",
                             "time_ms/q3",
                             "time_ms/samples",
                             "throughput_gb_s",
                             "estimate/gpu",
                             "estimate/length",
                             "estimate/ms",
                             "estimate/low",
                             "estimate/high",
                             "sweep/name",
                             "sweep/value"};

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

struct Column {
  std::string heading;
  Json::json_pointer value;
};

// A column for each name that any record has in the object `key`.
void add_named(std::vector<Column>& all, const std::vector<Json>& records, const std::string& key,
               const std::string& before_heading) {
  std::set<std::string> names;
  for (const Json& record : records) {
    const auto object = record.find(key);
    if (object == record.end() || !object->is_object()) continue;
    for (const auto& [name, value] : object->items()) names.insert(name);
  }
  for (const std::string& name : names)
    all.push_back({before_heading + name, Json::json_pointer("/" + key) / name});
}

std::vector<Column> columns_of(const std::vector<Json>& records) {
  std::vector<Column> all;
  const auto add = [&](std::string_view path) {
    all.push_back({std::string(path), Json::json_pointer(fmt::format("/{}", path))});
  };
  for (const std::string_view path : columns) {
    add(path);
    if (path != "verdict") continue;
    for (const problems::Problem* problem : problems::problems()) add(problem->variant_option());
  }
  add_named(all, records, "counters", "");
  add_named(all, records, "derived", "");
  // With where they stand: a profile's `occupancy` is measured, that of the columns above is what fits.
  add_named(all, records, "figures", "figures/");
  return all;
}

std::string cell(const Json& record, const Json::json_pointer& pointer) {
  if (!record.contains(pointer) || record.at(pointer).is_null()) return {};
  const Json& value = record.at(pointer);
  return quoted(value.is_string() ? value.get<std::string>() : value.dump());
}

}  // namespace

std::string records_file(const workbook::Workbook& workbook) {
  const char* const elsewhere = std::getenv("WORKBOOK_RECORDS");
  return elsewhere && *elsewhere ? elsewhere : workbook.state_file("records.jsonl");
}

std::vector<std::string> record_files(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".jsonl") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string recorded_elsewhere(const workbook::Workbook& workbook) {
  return workbook.source_root + "/docs/records";
}

std::string append_record(const std::string& file, const Json& record) {
  const os::FileLock locked(file, O_RDWR | O_CREAT | O_APPEND);
  if (locked.descriptor() < 0) return fmt::format("cannot write {}: {}", file, reason());
  struct stat status {};
  if (fstat(locked.descriptor(), &status) != 0) return fmt::format("cannot write {}: {}", file, reason());
  std::string line = record.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  if (ends_in_a_line(locked.descriptor(), status.st_size)) line.insert(0, "\n");
  const ssize_t written = write(locked.descriptor(), line.data(), line.size());
  if (written == static_cast<ssize_t>(line.size())) return {};
  const std::string why = written < 0 ? reason() : "the disk is full";
  // Half a record is none.
  if (ftruncate(locked.descriptor(), status.st_size) != 0)
    return fmt::format("cannot write {}: {}; its last line is damaged", file, why);
  return fmt::format("cannot write {}: {}", file, why);
}

Records read_records(const std::string& file) {
  Records result;
  struct stat status {};
  if (stat(file.c_str(), &status) != 0 && errno == ENOENT) return result;
  std::ifstream lines(file);
  if (!lines) throw std::system_error(errno, std::generic_category(), "cannot read " + file);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty()) continue;
    Json json = Json::parse(line, nullptr, false);
    if (const std::string fault = fault_of(json); !fault.empty()) {
      result.warnings.push_back(fmt::format("{}:{} {} and is left out", file, number, fault));
      continue;
    }
    result.records.push_back(std::move(json));
  }
  if (lines.bad()) throw std::system_error(errno, std::generic_category(), "cannot read " + file);
  return result;
}

Selected select(const std::vector<Json>& records) {
  Selected selected;
  std::vector<Record> read;
  for (const Json& json : records) {
    try {
      read.push_back(record_of(json));
    } catch (const facts::FieldError&) {
      ++selected.misshapen;
    }
  }
  if (read.empty()) return selected;
  selected.machine = read.back().machine;
  for (Record& record : read) {
    if (is_same(record.machine, selected.machine)) {
      selected.records.push_back(std::move(record));
    } else {
      ++selected.elsewhere;
    }
  }
  return selected;
}

std::string records_csv(const std::vector<Json>& records) {
  const std::vector<Column> all = columns_of(records);
  std::string text;
  for (const Column& column : all) text += (text.empty() ? "" : ",") + quoted(column.heading);
  text += "\r\n";
  for (const Json& record : records) {
    std::string line;
    for (std::size_t i = 0; i < all.size(); ++i) line += (i == 0 ? "" : ",") + cell(record, all[i].value);
    text += line + "\r\n";
  }
  return text;
}

namespace {

// The value of the first line "key<separator>value" of a file, without quotes; empty if there is none.
std::string value_in(const std::string& path, const std::string& key, char separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(key, 0) != 0) continue;
    const std::size_t at = line.find(separator);
    if (at == std::string::npos) continue;
    const std::size_t begin = line.find_first_not_of(" \t\"", at + 1);
    const std::size_t end = line.find_last_not_of(" \t\"");
    return begin == std::string::npos ? "" : line.substr(begin, end - begin + 1);
  }
  return {};
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// The commit of the source tree, with a "+" behind it if files differ from it; empty where git knows of none.
std::string commit_of(const std::string& source_root) {
  const os::CommandResult commit =
      os::run_command({"git", "-C", source_root, "rev-parse", "--short=12", "HEAD"});
  if (commit.code != 0) return {};
  const os::CommandResult changes =
      os::run_command({"git", "-C", source_root, "status", "--porcelain", "--untracked-files=no"});
  return first_line(commit.output) + (changes.code == 0 && changes.output.empty() ? "" : "+");
}

Machine machine_here(const workbook::Workbook& workbook) {
  utsname names{};
  uname(&names);
  const GpuDevice& gpu = gpu_device(workbook);
  return {.system = value_in("/etc/os-release", "PRETTY_NAME", '='),
          .kernel = std::string(names.sysname) + " " + names.release,
          .cpu = value_in("/proc/cpuinfo", "model name", ':'),
          .cpus = std::thread::hardware_concurrency(),
          .memory_mib = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                            static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE)) >>
                        20,
          .gpu = gpu.works ? gpu.properties : std::map<std::string, std::string>{}};
}

}  // namespace

std::string time_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[sizeof "2026-11-20T17:00:00Z"];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

void add_context(Record& record, const workbook::Workbook& workbook, const std::string& command) {
  static const std::string commit = commit_of(workbook.source_root);
  static const Machine machine = machine_here(workbook);
  record.commit = commit;
  record.machine = machine;
  record.time = time_now();
  record.command = command;
}

}  // namespace measure
