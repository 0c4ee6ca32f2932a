// SPDX-License-Identifier: MIT
// What a warp has loaded and not used yet: when it waits for what.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "model/first_use.hpp"
#include "model/stream.hpp"

namespace model {

class LoadsUnderWay {
 public:
  explicit LoadsUnderWay(double begin = 0) : there_(begin) {}

  // When all is there that the warp waits for at its next use of a load.
  double there() const { return there_; }

  // Something that the next use waits for.
  void add(double done) { there_ = std::max(there_, done); }

  // A load that is there when it is `done`. The code waits for it at `use`, if that is known.
  void add(const std::optional<LoadUse>& use, double done) {
    if (use)
      later_.push_back({*use, done});
    else
      add(done);
  }

  // Of the load of global memory that comes now. Loads that stand side by side are those of the code from the
  // first one on. Where each stands alone, one after the other is the code's next one.
  std::optional<LoadUse> next_use(const UsesOfWidths& of_widths, unsigned bytes) {
    const std::vector<LoadUse>& uses = of_widths.at(width_of(bytes));
    if (uses.empty()) return std::nullopt;
    if (side_by_side_ == 0 && last_side_by_side_ > 1) next_.fill(0);
    ++side_by_side_;
    return uses[next_[width_of(bytes)]++ % uses.size()];
  }

  // From here on what is due is waited for: loads that have as many accesses behind them as the code has
  // between them and their use. Whether the code waits for one before it makes this further load.
  bool take_due(const Step& step) {
    bool waits = false;
    std::erase_if(later_, [&](const Later& load) {
      const bool loads = is_like(load, step), is_one_too_many = loads && load.use.loads == 0;
      if (!is_one_too_many && (loads || load.use.accesses > 0)) return false;
      waits |= is_one_too_many;
      add(load.done);
      return true;
    });
    return waits;
  }

  // The step has been made.
  void count(const Step& step) {
    const bool is_load = step.kind == StepKind::global_load;
    if (!is_load && side_by_side_ > 0) last_side_by_side_ = std::exchange(side_by_side_, 0);
    for (Later& load : later_) {
      if (is_like(load, step))
        --load.use.loads;
      else if (!is_load && load.use.accesses > 0 && load.use.accesses < LoadUse::next_turn)
        --load.use.accesses;
    }
  }

 private:
  struct Later {
    LoadUse use;  // what the warp has still to do until then
    double done;
  };

  static bool is_like(const Later& load, const Step& step) {
    return step.kind == StepKind::global_load && load.use.bytes == step.bytes;
  }

  double there_;
  std::vector<Later> later_;
  unsigned side_by_side_ = 0, last_side_by_side_ = 0;  // loads of global memory with nothing in between
  std::array<unsigned, widths> next_{};                // which of the code's loads comes next
};

}  // namespace model
