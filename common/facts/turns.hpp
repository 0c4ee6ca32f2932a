// SPDX-License-Identifier: MIT
// How the threads of a launch take turns in lockstep (simulator/lockstep.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace facts {

// Who mostly makes the next step: a thread that is about to read or to begin, or else to change shared
// memory, so that all have read before any changes global memory; or a thread of the block with the lowest,
// or the highest, number.
enum class Preferred { readers, first_blocks, last_blocks };

inline constexpr std::array<std::pair<Preferred, std::string_view>, 3> preferred_names{
    {{Preferred::readers, "readers"},
     {Preferred::first_blocks, "first_blocks"},
     {Preferred::last_blocks, "last_blocks"}}};

constexpr std::string_view name_of(Preferred preferred) {
  return preferred_names[static_cast<std::size_t>(preferred)].second;
}

constexpr std::optional<Preferred> find_preferred(std::string_view name) {
  for (const auto& [preferred, its_name] : preferred_names) {
    if (its_name == name) return preferred;
  }
  return std::nullopt;
}

// The role of a place where a compare-and-swap failed and was not repeated, which a launch with preferred
// threads notes (facts/verdict.hpp).
inline constexpr std::string_view unrepeated_swap = "fails";

struct Turns {
  Preferred preferred = Preferred::readers;
  std::uint64_t most_steps = 0;  // the launch is given up when it has made so many

  bool operator==(const Turns&) const = default;
};
// For facts/json_fields.hpp.
template <class Archive>
void fields(Archive& archive, Turns& turns) {
  const auto name = [](Preferred preferred) { return name_of(preferred); };
  archive.named("preferred", turns.preferred, name, find_preferred, "preferred threads");
  archive("most_steps", turns.most_steps);
}

}  // namespace facts
