// SPDX-License-Identifier: MIT
#include "measure/source_profile.hpp"

#include <filesystem>
#include <vector>

#include "judge/source_lines.hpp"

namespace measure {

SourceProfile source_profile(const std::string& program, const std::string& file,
                             const std::map<std::uint64_t, facts::Counters>& places) {
  std::vector<std::uint64_t> wanted;
  for (const auto& [place, counters] : places) wanted.push_back(place);
  const std::vector<std::optional<facts::Location>> found = judge::line_of_each(program, wanted);
  SourceProfile profile;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    // The compiler may have written the path in another way.
    std::error_code ignored;
    const bool in_file =
        found[i] && (found[i]->file == file || std::filesystem::equivalent(found[i]->file, file, ignored));
    facts::Counters& sum = in_file ? profile.lines[found[i]->line] : profile.elsewhere;
    sum += places.at(wanted[i]);
  }
  return profile;
}

}  // namespace measure
