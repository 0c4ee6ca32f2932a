// SPDX-License-Identifier: MIT
#include "measure/compiled.hpp"

#include <algorithm>
#include <vector>

#include "os/elf_file.hpp"

namespace measure {

namespace {

// Both compilers give a function the same name for the linker. A place may lie in another function than the
// kernel, which the simulator's compiler has not inlined.
std::optional<Compiled> found(const std::vector<build::CompiledKernel>& kernels,
                              const std::vector<os::ElfSymbol>& functions, const facts::Trace& trace) {
  for (const facts::TraceEvent& event : trace.events) {
    if (event.place == 0) continue;
    const auto around = std::ranges::find_if(functions, [&](const os::ElfSymbol& symbol) {
      return symbol.type == os::ElfSymbol::Type::function && symbol.value <= event.place &&
             event.place < symbol.value + symbol.size;
    });
    if (around == functions.end()) continue;
    const auto kernel = std::ranges::find(kernels, around->name, &build::CompiledKernel::name);
    if (kernel != kernels.end()) return Compiled{kernel->registers, kernel->code};
  }
  return std::nullopt;
}

}  // namespace

std::vector<build::CompiledKernel> compiled_kernels(const workbook::Workbook& workbook,
                                                    const workbook::ExerciseInfo& exercise,
                                                    workbook::Tree tree, double capability) {
  if (!workbook.has_gpu) return {};
  const auto cubin =
      build::make_cubin(workbook, workbook.target(exercise, tree, facts::accelerator), capability);
  return cubin ? build::compiled_kernels(*cubin) : std::vector<build::CompiledKernel>{};
}

std::optional<Compiled> compiled(const workbook::Workbook& workbook, const Record& run, workbook::Tree tree,
                                 double capability) {
  if (!run.trace) return std::nullopt;
  const auto kernels = compiled_kernels(workbook, run.exercise, tree, capability);
  if (kernels.empty()) return std::nullopt;
  const workbook::Target simulated = workbook.target(run.exercise, tree, facts::simulator);
  return found(kernels, os::elf_symbols(simulated.runner), *run.trace);
}

}  // namespace measure
