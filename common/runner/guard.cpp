// SPDX-License-Identifier: MIT
#include "runner/guard.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "runner/executor.hpp"

namespace runner {

std::optional<std::int64_t> first_overwritten(const GuardedLayout& layout,
                                              std::span<const unsigned char> before,
                                              std::span<const unsigned char> behind, unsigned char guard) {
  const auto written = [guard](unsigned char byte) { return byte != guard; };
  const auto behind_at = std::find_if(behind.begin(), behind.end(), written);
  if (behind_at != behind.end())
    return static_cast<std::int64_t>(layout.payload) + (behind_at - behind.begin());
  // Before the payload the write that is nearest to it is the one to name.
  const auto before_at = std::find_if(before.rbegin(), before.rend(), written);
  if (before_at != before.rend()) return -1 - (before_at - before.rbegin());
  return std::nullopt;
}

namespace {

std::string written(const ArrayWords& array, std::int64_t distance, std::size_t bytes) {
  const auto size = static_cast<std::int64_t>(array.element_bytes);
  const std::int64_t index = distance >= 0 ? distance / size : -((-distance + size - 1) / size);
  return fmt::format("the kernel wrote {}[{}]; {} has {} {}", array.name, index, array.name,
                     bytes / array.element_bytes, array.elements);
}

}  // namespace

facts::Observation input_overwritten(const Exercise& exercise, std::int64_t distance, std::size_t bytes) {
  return {facts::Verdict::out_of_bounds,
          written(exercise.input, distance, bytes) + ", and they are only to be read",
          {}};
}

facts::Observation output_overrun(const Exercise& exercise, std::int64_t distance, std::size_t bytes) {
  return {facts::Verdict::out_of_bounds, written(exercise.output, distance, bytes), {}};
}

std::optional<facts::Observation> input_changed(
    const Exercise& exercise, const problems::Input& input, std::size_t bytes,
    const std::function<void(std::span<unsigned char>)>& read_back) {
  constexpr std::size_t longest = std::size_t{16} << 20;
  if (bytes > longest) return std::nullopt;
  std::vector<unsigned char> sent(bytes), found(bytes);
  input.read(0, sent);
  read_back(found);
  const auto at = std::ranges::mismatch(sent, found).in1;
  if (at == sent.end()) return std::nullopt;
  const auto index = static_cast<std::size_t>(at - sent.begin()) / exercise.input.element_bytes;
  return facts::Observation{
      facts::Verdict::out_of_bounds,
      fmt::format("the kernel wrote {}[{}], which is only to be read", exercise.input.name, index),
      {}};
}

void HostMemory::prepare(const RunLayouts& layouts, const problems::Input& input, bool same_input) {
  const bool is_there = same_input && !input_.empty() && layouts.input == layouts_.input;
  layouts_ = layouts;
  output_.resize(layouts.output.total());
  if (is_there) return;
  input_.assign(layouts.input.total(), exercise_.input_guard);
  input.read(0, std::span(input_).subspan(layouts.input.begin(), layouts.input.payload));
}

void HostMemory::clear_output() {
  std::ranges::fill(output_, output_guard);
  std::fill_n(output(), layouts_.output.payload, 0);
}

void HostMemory::collect(std::size_t result_bytes, RunAnswer& answer) const {
  const auto overwritten = [](const GuardedLayout& layout, std::span<const unsigned char> all,
                              unsigned char guard) {
    return first_overwritten(layout, all.first(layout.begin()), all.subspan(layout.end()), guard);
  };
  if (const auto at = overwritten(layouts_.input, input_, exercise_.input_guard)) {
    answer.observations.push_back(input_overwritten(exercise_, *at, layouts_.input.payload));
  }
  if (const auto at = overwritten(layouts_.output, output_, output_guard)) {
    answer.observations.push_back(output_overrun(exercise_, *at, layouts_.output.payload));
  }
  const auto first = output_.begin() + static_cast<std::ptrdiff_t>(layouts_.output.begin());
  add_output(answer, {first, first + static_cast<std::ptrdiff_t>(result_bytes)});
}

void HostMemory::compare_input(const problems::Input& input, RunAnswer& answer) const {
  auto changed = input_changed(exercise_, input, layouts_.input.payload, [&](std::span<unsigned char> found) {
    std::copy_n(input_.data() + layouts_.input.begin(), found.size(), found.data());
  });
  if (changed) answer.observations.push_back(std::move(*changed));
}

}  // namespace runner
