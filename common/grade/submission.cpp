// SPDX-License-Identifier: MIT
#include "grade/submission.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <string_view>

#include "facts/errors.hpp"
#include "grade/sha256.hpp"
#include "os/files.hpp"

namespace grade {

namespace {

namespace files = std::filesystem;

enum class Kind { folder, file, link, other };

struct Entry {
  std::string name;
  Kind kind;
};

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return number_; }

 private:
  int number_;
};

// The entries of a folder, sorted by name; nullopt, with errno, if it cannot be read. A link to a folder is
// no folder.
std::optional<std::vector<Entry>> entries_of(const std::string& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  DIR* const stream = fdopendir(descriptor);
  if (!stream) return std::nullopt;
  std::vector<Entry> all;
  while (const dirent* entry = readdir(stream)) {
    const std::string name = entry->d_name;
    struct stat status {};
    if (name == "." || name == ".." || fstatat(descriptor, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    all.push_back({name, S_ISDIR(status.st_mode)   ? Kind::folder
                         : S_ISREG(status.st_mode) ? Kind::file
                         : S_ISLNK(status.st_mode) ? Kind::link
                                                   : Kind::other});
  }
  closedir(stream);
  std::sort(all.begin(), all.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
  return all;
}

// Beside the labs' folders lies much that is none of ours: a report, pictures.
bool is_source(const std::string& name) {
  constexpr std::array<std::string_view, 6> endings{".cu", ".cuh", ".cpp", ".hpp", ".h", ".inl"};
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view end) { return name.ends_with(end); });
}

std::string joined(const std::string& folder, const std::string& name) {
  return folder.empty() ? name : folder + "/" + name;
}

// Finds the folder with the labs, and copies what is in it.
class Snapshooter {
 public:
  Snapshooter(const std::string& submission, const std::string& copy,
              const std::vector<workbook::ExerciseInfo>& exercises)
      : submission_(submission), copy_(copy) {
    for (const workbook::ExerciseInfo& exercise : exercises) {
      labs_.insert(exercise.lab);
      wanted_.insert(exercise.lab + "/" + exercise.file);
    }
  }

  Snapshot take() {
    files::create_directories(copy_);
    if (!find_labs()) return std::move(result_);
    walk("", 0);
    return std::move(result_);
  }

 private:
  bool holds_labs(const std::string& folder) const {
    const auto entries = entries_of(joined(submission_, folder));
    return entries && std::any_of(entries->begin(), entries->end(),
                                  [&](const Entry& entry) { return labs_.contains(entry.name); });
  }

  // The folder itself or its folder `labs`; the latter wins.
  std::optional<std::string> labs_in(const std::string& folder) const {
    const std::string labs = joined(folder, "labs");
    if (holds_labs(labs)) return labs;
    return holds_labs(folder) ? std::optional(folder) : std::nullopt;
  }

  bool find_labs() {
    const auto entries = entries_of(submission_);
    if (!entries) {
      result_.note = fmt::format("the folder cannot be read: {}", std::strerror(errno));
      return false;
    }
    if (const auto own = labs_in("")) {
      result_.labs = *own;
      return true;
    }
    std::vector<std::string> found;
    for (const Entry& entry : *entries) {
      if (entry.kind != Kind::folder) continue;
      if (const auto wrapped = labs_in(entry.name)) found.push_back(*wrapped);
    }
    if (found.size() == 1) {
      result_.labs = found.front();
      return true;
    }
    if (!found.empty()) {
      result_.note = "several folders hold labs; only one may";
      return false;
    }
    result_.note = "there is no folder of a lab";
    for (const Entry& entry : *entries) {
      if (entry.name != "labs") continue;
      if (entry.kind == Kind::link) result_.note = "labs is a link";
      if (entry.kind == Kind::folder && !entries_of(joined(submission_, "labs")))
        result_.note = fmt::format("labs cannot be read: {}", std::strerror(errno));
    }
    return false;
  }

  void walk(const std::string& folder, std::size_t depth) {
    const std::string from = joined(joined(submission_, result_.labs), folder);
    const auto entries = entries_of(from);
    if (!entries) return leave_out(folder, std::strerror(errno));
    for (const Entry& entry : *entries) {
      const std::string path = joined(folder, entry.name);
      const bool wanted = wanted_.contains(path);
      // What an editor or git keeps is no part of a solution.
      if (entry.name.front() == '.' && !wanted) continue;
      if (entry.kind == Kind::folder && !wanted) {
        if (depth + 1 >= SubmissionLimits::depth) {
          leave_out(path, "it lies in too many folders");
        } else if (depth > 0 || result_.labs.ends_with("labs") || labs_.contains(entry.name)) {
          walk(path, depth + 1);
        }
        continue;
      }
      if (depth == 0 && !is_source(entry.name) && !result_.labs.ends_with("labs") &&
          !labs_.contains(entry.name))
        continue;
      if (entry.name.size() > SubmissionLimits::name_bytes) {
        leave_out(path, "its name is too long");
        continue;
      }
      if (entry.kind != Kind::file) {
        leave_out(path, entry.kind == Kind::link     ? "it is a link"
                        : entry.kind == Kind::folder ? "it is a folder"
                                                     : "it is a pipe or a device");
        result_.left_out.back().is_link = entry.kind == Kind::link;
        continue;
      }
      take_file(path, wanted);
    }
  }

  void leave_out(const std::string& path, const std::string& why) { result_.left_out.push_back({path, why}); }

  void take_file(const std::string& path, bool wanted) {
    if (!wanted && (result_.files.size() >= SubmissionLimits::files || bytes_ >= SubmissionLimits::all_bytes))
      return leave_out(path, "there are too many files");
    const std::string from = joined(joined(submission_, result_.labs), path);
    // A pipe that takes the file's place meanwhile would hold up whoever opens it.
    const Descriptor file(open(from.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status {};
    if (file < 0 || fstat(file, &status) != 0) return leave_out(path, std::strerror(errno));
    if (!S_ISREG(status.st_mode)) return leave_out(path, "it is no regular file");
    std::string text;
    std::string buffer(65536, '\0');
    while (text.size() <= SubmissionLimits::file_bytes) {
      const ssize_t got = read(file, buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return leave_out(path, std::strerror(errno));
      if (got == 0) break;
      text.append(buffer, 0, static_cast<std::size_t>(got));
    }
    if (text.size() > SubmissionLimits::file_bytes) {
      leave_out(path, fmt::format("it is larger than {} KiB", SubmissionLimits::file_bytes >> 10));
      result_.left_out.back().is_too_large = true;
      return;
    }
    bytes_ += text.size();
    const std::string to = copy_ + "/" + path;
    files::create_directories(files::path(to).parent_path());
    os::write_file(to, text);
    result_.files.push_back({path, text.size(), sha256(text)});
  }

  const std::string& submission_;
  const std::string& copy_;
  std::set<std::string> labs_, wanted_;
  std::uint64_t bytes_ = 0;
  Snapshot result_;
};

}  // namespace

bool Snapshot::holds(const std::string& path) const {
  return std::any_of(files.begin(), files.end(), [&](const SubmittedFile& f) { return f.path == path; });
}

const LeftOut* Snapshot::find_left_out(const std::string& path) const {
  // A folder that cannot be read stands for all that is in it.
  const auto found = std::find_if(left_out.begin(), left_out.end(), [&](const LeftOut& one) {
    return one.path == path || path.starts_with(one.path + "/");
  });
  return found == left_out.end() ? nullptr : &*found;
}

Listing submissions_in(const std::string& folder) {
  std::error_code none;
  // The folder itself may be named by a link.
  const files::path real = files::canonical(folder, none);
  const auto entries = none ? std::nullopt : entries_of(real.string());
  if (!entries)
    throw facts::UsageError(fmt::format("cannot read the folder \"{}\": {}", folder,
                                        none ? none.message() : std::strerror(errno)));
  Listing listing;
  for (const Entry& entry : *entries)
    (entry.kind == Kind::folder ? listing.submissions : listing.others).push_back(entry.name);
  return listing;
}

Snapshot take_snapshot(const std::string& submission, const std::string& copy,
                       const std::vector<workbook::ExerciseInfo>& exercises) {
  return Snapshooter(submission, copy, exercises).take();
}

}  // namespace grade
