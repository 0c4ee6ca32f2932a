// SPDX-License-Identifier: MIT
// metric-names: asks CUPTI, which needs no GPU for it, whether every chip that it knows counts what
// measure/ncu/metrics.cpp names. Exits 0, 1 for a name that a chip does not know, 77 (a skip, with its
// reason) where there is no CUPTI of CUDA 12.6 or newer.
#include <cstddef>
#include <cstdio>
#ifdef WORKBOOK_CUPTI
#include <cuda.h>
#include <cupti_profiler_host.h>
#endif

#include "measure/ncu/metrics.hpp"

#ifdef WORKBOOK_CUPTI
namespace {

// What CUPTI knows of one chip; valid() is false for those that its host side cannot describe.
class Chip {
 public:
  explicit Chip(const char* name) {
    CUpti_Profiler_Host_Initialize_Params begin{CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE};
    begin.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    begin.pChipName = name;
    if (cuptiProfilerHostInitialize(&begin) == CUPTI_SUCCESS) host_ = begin.pHostObject;
  }
  ~Chip() {
    CUpti_Profiler_Host_Deinitialize_Params end{CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE};
    end.pHostObject = host_;
    if (host_) cuptiProfilerHostDeinitialize(&end);
  }
  Chip(const Chip&) = delete;
  Chip& operator=(const Chip&) = delete;

  bool valid() const { return host_ != nullptr; }

  bool knows(std::string_view metric) const {
    const std::string name(metric);
    CUpti_Profiler_Host_GetMetricProperties_Params ask{
        CUpti_Profiler_Host_GetMetricProperties_Params_STRUCT_SIZE};
    ask.pHostObject = host_;
    ask.pMetricName = name.c_str();
    return cuptiProfilerHostGetMetricProperties(&ask) == CUPTI_SUCCESS;
  }

 private:
  CUpti_Profiler_Host_Object* host_ = nullptr;
};

// Prints each metric of which the table and the chip disagree; returns how many.
int disagreements(const char* name, const Chip& chip, const facts::Quantity& quantity) {
  int count = 0;
  for (const facts::Metric& metric : quantity.sum) {
    const bool expected =
        metric.source == facts::MetricSource::hardware && measure::has_metric(name, metric.name);
    if (chip.knows(metric.name) == expected) continue;
    std::printf("%s: %s is %s\n", name, std::string(metric.name).c_str(),
                expected ? "unknown" : "known, but the table says it is not");
    ++count;
  }
  return count;
}

}  // namespace

int main() {
  CUpti_Profiler_Host_GetSupportedChips_Params chips{
      CUpti_Profiler_Host_GetSupportedChips_Params_STRUCT_SIZE};
  if (cuptiProfilerHostGetSupportedChips(&chips) != CUPTI_SUCCESS) {
    std::printf("skipped: CUPTI names no chips; is libnvperf_host beside libcupti?\n");
    return 77;
  }
  int asked = 0, wrong = 0;
  for (std::size_t i = 0; i < chips.numChips; ++i) {
    const char* const name = chips.ppChipNames[i];
    const Chip chip(name);
    if (!chip.valid()) {
      std::printf("%s: CUPTI cannot describe it here\n", name);
      continue;
    }
    ++asked;
    // The control: a name that no chip has.
    if (chip.knows("smsp__instructions_executed.sum")) ++wrong;
    for (const facts::CounterRow& row : measure::measured_counters())
      wrong += disagreements(name, chip, row.quantity);
    for (const facts::Quantity& figure : measure::measured_figures())
      wrong += disagreements(name, chip, figure);
  }
  std::printf("%d chips asked, %d disagreements\n", asked, wrong);
  return asked > 0 && wrong == 0 ? 0 : 1;
}
#else
int main() {
  std::printf(
      "skipped: no <cupti_profiler_host.h> and libcupti; they come with the CUDA Toolkit from 12.6 on\n");
  return 77;
}
#endif
