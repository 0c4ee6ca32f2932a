// SPDX-License-Identifier: MIT
#include "runner/host_memory.hpp"

#include <algorithm>

#include "runner/backend.hpp"

namespace runner {

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

void HostMemory::collect(const Variant& variant, RunAnswer& answer) const {
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
  add_output(answer, {first, first + static_cast<std::ptrdiff_t>(variant.output_bytes)});
}

}  // namespace runner
