// SPDX-License-Identifier: MIT
// The memory that a running thread may touch, and how one ends that touches anything else: the access does
// not happen, and the report names the array, the element and the kernel.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "facts/words.hpp"
#include "simulator/guards.hpp"
#include "simulator/host_memory.hpp"
#include "simulator/machine.hpp"

namespace simulator {

namespace {

// Below it Linux maps nothing: a null pointer, with an index.
constexpr std::uintptr_t lowest_of_host = 1 << 16;

const char* verb_of(AccessKind kind) {
  return kind == AccessKind::load ? "read" : kind == AccessKind::store ? "wrote" : "changed";
}

bool is_of_library(const std::string& linker_name) {
  constexpr std::string_view beginnings[] = {"_ZSt", "_ZNSt", "_ZNKSt", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx"};
  return std::ranges::any_of(beginnings,
                             [&](std::string_view beginning) { return linker_name.starts_with(beginning); });
}

// Where the running thread is, or, in a function of the library, where the program's own code has called it.
std::uintptr_t outside_libraries(std::uintptr_t site) {
  for (const CallPlace* call = simulator_calls_end; (--call)->returns_to != 0; site = call->returns_to - 1) {
    const ProgramImage::Function* const function = ProgramImage::instance().function_at(site);
    if (!function || !is_of_library(function->linker_name)) break;
  }
  return site;
}

}  // namespace

void Machine::use_arrays_of_function(std::uintptr_t site) {
  if (const ProgramImage::Function* function = ProgramImage::instance().function_at(site))
    memory_->entered(*function);
}

std::optional<Space> Machine::locate(std::uintptr_t address, std::size_t size, AccessKind kind,
                                     std::uintptr_t site) {
  const std::optional<Space> space = space_of(address, size, kind, site);
  // Of constants only how many lanes want different ones at a time is of interest.
  if (space == Space::constant && (recording.values || configuration_.lockstep_seed)) return std::nullopt;
  if (recording.values) {
    // The array is not remembered, so that each access is recorded with its values.
    recording.forget_arrays();
  }
  if (!configuration_.lockstep_seed || !space) return space;
  // Others go first. Nothing is recorded, and the array is not remembered, so that each access comes here.
  recording.thread->site = site;
  recording.forget_arrays();
  pending_ = {kind, *space, address, site, size};
  leave();
  if (kind == AccessKind::store) note_progress();
  return std::nullopt;
}

std::optional<Space> Machine::space_of(std::uintptr_t address, std::size_t size, AccessKind kind,
                                       std::uintptr_t site) {
  const ProgramImage& program = ProgramImage::instance();
  const bool aligned = address % size == 0;
  const NamedArray* array = memory_->find(address, size);
  if (!array) array = memory_->find_inlined(address, size);
  if (!array && !configuration_.host_code) array = MemoryMap::find_variable(address, size);
  if (array && array->constant && kind == AccessKind::load && aligned) return Space::constant;
  if (array && array->read_only && kind != AccessKind::load) {
    site = outside_libraries(site);
    fault(facts::Verdict::out_of_bounds,
          fmt::format("{} {} {}, which is only to be read", function_name(site), verb_of(kind),
                      element_name(*array, address, size)),
          site);
  }
  if (array && !array->constant && (aligned || configuration_.host_code)) {
    const Range range{array->begin, array->bytes};
    if (array->read_only) {
      recording.read_only = range;
    } else if (array->space == Space::shared) {
      recording.shared = range;
    } else {
      recording.global[1] = std::exchange(recording.global[0], range);
    }
    return array->space;
  }
  const auto shared = reinterpret_cast<std::uintptr_t>(program.shared_memory().data());
  const bool in_shared = address - shared < program.shared_memory().size();
  const bool in_program = !in_shared && program.contains(address, size);
  if (!array && configuration_.own_memory) {
    const HostMemory& own = HostMemory::instance();
    if (kind == AccessKind::load && own.may_read(address, size)) return std::nullopt;
    if (own.may_write(address, size)) return in_program ? std::optional(Space::global) : std::nullopt;
  } else if (in_program && configuration_.host_code) {
    return kind == AccessKind::load ? std::nullopt : std::optional(Space::global);
  }
  // Literals, and tables that the compiler has made.
  if (!array && in_program && kind == AccessKind::load && program.is_read_only(address)) return std::nullopt;
  if (configuration_.host_code && !configuration_.own_memory && address >= lowest_of_host &&
      !memory_->nearest(address, array_gap_bytes))
    return std::nullopt;
  site = outside_libraries(site);
  const std::string who = function_name(site), verb = verb_of(kind);
  if (!array && configuration_.own_memory && address >= lowest_of_host &&
      !memory_->nearest(address, array_gap_bytes)) {
    fault(facts::Verdict::out_of_bounds,
          fmt::format("{} {} memory that is not its own: a function of the host may touch its variables and "
                      "what it has allocated",
                      who, verb),
          site);
  }
  if (array && array->constant && aligned) {
    fault(facts::Verdict::out_of_bounds,
          fmt::format("{} {} {}, which is constant memory", who, verb, name_of_element(address, size)), site);
  }
  if (array) {
    fault(facts::Verdict::out_of_bounds,
          fmt::format("{} {} {} bytes at {} at an address that is no multiple of {}", who, verb, size,
                      element_name(*array, address, size), size),
          site);
  }
  refuse_outside(address, size, kind, site);
}

// An access outside of all arrays: in the words of the array that was probably meant.
void Machine::refuse_outside(std::uintptr_t address, std::size_t size, AccessKind kind, std::uintptr_t site) {
  const ProgramImage& program = ProgramImage::instance();
  const std::string who = function_name(site), verb = verb_of(kind);
  const auto shared = reinterpret_cast<std::uintptr_t>(program.shared_memory().data());
  const bool in_program =
      address - shared >= program.shared_memory().size() && program.contains(address, size);
  const NamedArray* const freed = DeviceArrays::instance().find_freed(address);
  // In the gap of an array that is there now, that one is meant.
  if (freed && !memory_->nearest(address, 0)) {
    fault(facts::Verdict::out_of_bounds,
          fmt::format("{} {} {}, which has been freed", who, verb, element_name(*freed, address, size)),
          site);
  }
  constexpr std::uintptr_t reach_of_array = 16 << 20, reach_of_variable = 4096;
  if (const NamedArray* near = memory_->nearest(address, in_program ? reach_of_variable : reach_of_array)) {
    const std::size_t element = near->element_bytes > 0 ? near->element_bytes : size;
    // An access that begins within the array leaves it at its end.
    const std::uintptr_t outside = near->contains(address, 1) ? near->begin + near->bytes : address;
    const bool is_dynamic =
        std::ranges::any_of(program.shared_arrays(), [&](const SharedArray& shared_array) {
          return shared_array.is_dynamic && shared_array.begin == near->begin;
        });
    fault(facts::Verdict::out_of_bounds,
          is_dynamic
              ? fmt::format("{} {} {}; {} is dynamic shared memory, of which launch_shape gives {}", who,
                            verb, element_name(*near, outside, size), near->name,
                            facts::counted(near->bytes, "bytes"))
              : fmt::format("{} {} {}; {} has {}", who, verb, element_name(*near, outside, size), near->name,
                            facts::counted(near->bytes / element, element == 1 ? "bytes" : "elements")),
          site);
  }
  for (const SharedArray& shared_array : program.shared_arrays()) {
    const bool has_no_bytes = shared_array.is_dynamic && configuration_.dynamic_shared_bytes == 0;
    if (!has_no_bytes || address < shared_array.begin || address - shared_array.begin >= shared_array.bytes)
      continue;
    fault(facts::Verdict::out_of_bounds,
          fmt::format("{} {} {}[{}]; {} is dynamic shared memory, of which launch_shape gives 0 bytes", who,
                      verb, shared_array.name, (address - shared_array.begin) / size, shared_array.name),
          site);
  }
  if (const auto wrapped = memory_->wrapped_index(address, size)) {
    fault(facts::Verdict::out_of_bounds,
          fmt::format("{} {} {}[{}], whose index is {} as a signed number; {} has {}", who, verb,
                      wrapped->array->name, wrapped->index, static_cast<std::int32_t>(wrapped->index),
                      wrapped->array->name, facts::counted(wrapped->elements, "elements")),
          site);
  }
  refuse(address, kind, site);
}

void Machine::refuse(std::uintptr_t address, AccessKind kind, std::uintptr_t site) {
  site = outside_libraries(site);
  // Where memory lies differs from run to run; only close to 0 does an address say something.
  const std::string what =
      address < lowest_of_host ? fmt::format("address 0x{:x}, which", address) : std::string("memory that");
  fault(facts::Verdict::out_of_bounds,
        fmt::format("{} {} {} belongs to no array", function_name(site), verb_of(kind), what), site);
}

bool Machine::may_end_wild_access(std::uintptr_t site) const {
  if (!configuration_.host_code || failed_) return false;
  const ProgramImage::Function* const function = ProgramImage::instance().function_at(site);
  return function && !function->linker_name.starts_with("_ZN9simulator") &&
         !function->linker_name.starts_with("_ZNK9simulator");
}

void Machine::end_wild_access(const WildAccess& access, std::uintptr_t site) {
  failed_ = stopped_ = true;
  site = outside_libraries(site);
  constexpr std::size_t unknown_size = 1;
  if (access.address && access.kind) refuse_outside(*access.address, unknown_size, *access.kind, site);
  fault(facts::Verdict::out_of_bounds,
        fmt::format("{} accessed memory that belongs to no array", function_name(site)), site);
}

void Machine::refuse_space(std::uintptr_t address, std::size_t size, AccessKind kind, std::uintptr_t site) {
  fault(facts::Verdict::out_of_bounds,
        fmt::format("{} {} {}, which lies in shared memory, by a function for global memory",
                    function_name(site), verb_of(kind), name_of_element(address, size)),
        site);
}

void Machine::note_read_only_load(std::uintptr_t address, std::size_t size, std::uintptr_t site) {
  // A launch's input stays as it is.
  if (!running() || !race_checker_ || recording.read_only.contains(address, size)) return;
  read_only_loads_.note(address, size, site, {recording.thread->index(), launch_indices.block});
}

void Machine::refuse_own(std::uintptr_t site) {
  hazards_.add({.kind = facts::Verdict::out_of_bounds,
                .what = fmt::format("{} changed a variable of the thread's own atomically; atomics need "
                                    "global or shared memory",
                                    function_name(site)),
                .threads = {{recording.thread->index(), launch_indices.block}},
                .sites = {ProgramImage::instance().place_of(site)},
                .roles = {"changes atomically"}});
  end_faulty_thread();
}

void Machine::refuse_shift(unsigned bits, std::int64_t amount, std::uintptr_t site) {
  hazards_.add({.kind = facts::Verdict::out_of_bounds,
                .what = fmt::format("{} shifted a number of {} bits by {}, where 0 to {} are defined",
                                    function_name(site), bits, amount, bits - 1),
                .threads = {{recording.thread->index(), launch_indices.block}},
                .sites = {ProgramImage::instance().place_of(site)},
                .roles = {std::string(facts::undefined_shift)}});
  end_faulty_thread();
}

void Machine::refuse_index(std::int64_t index, unsigned column, const std::string& extents,
                           std::uintptr_t site) {
  hazards_.add({.kind = facts::Verdict::out_of_bounds,
                .what = fmt::format("{} used index {} at column {} of an array of {}", function_name(site),
                                    index, column, extents),
                .threads = {{recording.thread->index(), launch_indices.block}},
                .sites = {ProgramImage::instance().place_of(site)},
                .roles = {std::string(facts::outside_index)}});
  end_faulty_thread();
}

void Machine::fault(facts::Verdict kind, std::string what, std::uintptr_t site) {
  hazards_.add({.kind = kind,
                .what = std::move(what),
                .threads = {{recording.thread->index(), launch_indices.block}},
                .sites = {ProgramImage::instance().place_of(site)}});
  end_faulty_thread();
}

void Machine::end_faulty_thread() {
  settle_alike_turns();
  Thread& self = *recording.thread;
  warp_of(self).ready &= ~bit(self);
  warp_of(self).faulted |= bit(self);
  note_end();
  leave();
  std::abort();  // nobody goes on with it: its fiber begins anew in another block
}

void Machine::fail(facts::Verdict kind, const std::string& what, std::uintptr_t site) {
  // The warp's other lanes meanwhile do the same again.
  if (failed_) end_faulty_thread();
  failed_ = stopped_ = true;
  look_at_turns();
  site = outside_libraries(site);
  fault(kind, function_name(site) + " " + what, site);
}

void Machine::overflow_stack(std::uintptr_t site) {
  fail(facts::Verdict::limit,
       fmt::format("overflows the stack: it needs more than {} KiB per thread for calls and local arrays",
                   FiberStack::kernel_bytes / 1024),
       site);
}

void Machine::end_overdue(std::uintptr_t site) {
  const std::chrono::milliseconds limit = configuration_.time_limit.value();
  const double seconds = std::chrono::duration<double>(limit).count();
  if (2 * (processor_time() - block_began_) >= limit)
    fail(facts::Verdict::timeout, fmt::format("still runs after {:.3g} s", seconds), site);
  if (failed_) end_faulty_thread();
  stop_overdue_launch();
  end_faulty_thread();
}

void Machine::stop_overdue_launch() {
  const double seconds = std::chrono::duration<double>(configuration_.time_limit.value()).count();
  failed_ = stopped_ = true;
  look_at_turns();
  // Blocks come and go: it is chance which thread runs at this moment, and where it is.
  hazards_.add(
      {.kind = facts::Verdict::timeout,
       .what = fmt::format("the launch still runs after {:.3g} s: it has {} blocks of {} threads", seconds,
                           facts::separated(std::uint64_t{configuration_.grid.x} * configuration_.grid.y *
                                            configuration_.grid.z),
                           facts::separated(block_threads_))});
}

std::string Machine::function_name(std::uintptr_t site) const {
  const ProgramImage::Function* const function = ProgramImage::instance().function_at(site);
  return function ? function->name() : "the kernel";
}

}  // namespace simulator
