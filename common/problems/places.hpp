// SPDX-License-Identifier: MIT
// Which elements of an input take part in a result, and how often: found by runs, and held against the launch
// from which it may come. Nothing is claimed of single threads: a launch is told that would come to the same.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "problems/reference.hpp"

namespace problems {

// Elements from `begin` to before `end`, each of which takes part so many times, whatever its value is.
struct Stretch {
  std::uint64_t begin, end, times;
  std::uint64_t length() const { return end - begin; }
};

// How many of the elements before `end` take part, each as often as it does; nullopt if a run gave no result.
using TakenBefore = std::function<std::optional<std::uint64_t>(std::uint64_t end)>;

// Stretches one after another from the input's start, `most` of them; where these do not reach its end, the
// elements at its end that never take part come last, if there are any. Empty or shorter where a run gave no
// result.
std::vector<Stretch> find_stretches(std::uint64_t length, std::size_t most, const TakenBefore& taken_before);

// The stretches of an input of `length` elements that were found, and what the problem calls them and what is
// done with them.
struct Places {
  std::uint64_t length = 0;
  std::vector<Stretch> stretches;
  std::string_view elements = "bytes", done = "counted";

  // Those of elements that take part otherwise than once.
  std::vector<Stretch> odd() const;
  // Whether the stretches that were found are all there are.
  bool is_complete() const;
  // Whether it is known that others are odd too.
  bool has_more_odd() const;
  // "some bytes are counted more than once, others never". Precondition: there are odd ones.
  std::string headline() const;
  // "of 4,099 bytes, data[0] to data[255] are counted 17 times each, data[256] to data[4098] never".
  std::string text() const;
};

// A run whose result shows how often each element takes part.
struct PlacesSample {
  std::uint64_t length;
  LaunchSize launch;
  std::uint64_t total;                                                // how often all of them together do
  std::function<bool(std::span<const std::uint32_t> times)> is_from;  // whether its result is that of these
};

// A launch that would come to the result of each sample, told of the input in which the places were found:
// "5 blocks of 256 threads: as if each block began at data[0] and each thread took one byte". If none is
// known, the launch alone; nullopt if that is not known either.
std::optional<std::string> account_of(const Places& places, std::span<const PlacesSample> samples);

// Of elements that come again and again: "data[12] is never counted, and so on every 13 bytes"; nullopt if
// that is not the result of each sample of this length.
std::optional<std::string> rule_of(const Places& places, std::span<const PlacesSample> samples);

// A result of the first `end` elements alone.
struct Beginning {
  std::uint64_t end, length;
  LaunchSize launch;
};
// "the end of the input is missing from the result", if it is less than each thread of the grid takes at a
// time.
std::string headline_of(const Beginning& shown);
// Of such results of several launches: "that is one for each of the 512 threads"; nullopt if the numbers say
// nothing.
std::optional<std::string> account_of_beginning(std::span<const Beginning> all, const Beginning& shown,
                                                std::string_view elements);

// "5 blocks of 256 threads"
std::string words_of(const LaunchSize& launch);

}  // namespace problems
