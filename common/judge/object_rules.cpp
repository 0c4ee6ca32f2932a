// SPDX-License-Identifier: MIT
#include "judge/object_rules.hpp"

#include <cxxabi.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string_view>
#include <utility>

#include "judge/library_functions.hpp"
#include "judge/token_rules.hpp"

namespace judge {

namespace {

constexpr const char* library_rule =
    "Allowed are the standard library's containers and algorithms, mathematics, memory and string functions, "
    "and printf; not files, streams, processes, threads or other parts of the system.";
constexpr const char* kernel_rule =
    "A kernel may call CUDA's functions, mathematics, memcpy, memmove, memset, printf and assert.";
constexpr const char* host_rule =
    "It may call mathematics, memcpy, memmove, memset, strlen, strcmp, printf, and the standard library's "
    "algorithms, vectors and strings.";
constexpr const char* pointer_rule = "Call it by its name: nobody can see where a pointer to it is called.";
constexpr const char* initialiser_rule =
    "Make it constexpr, initialise it with constants, or move it into the function that uses it.";
constexpr const char* indirect_rule = "Nothing of a lab's file runs before the workbook does.";

bool starts_with_one_of(std::string_view name, std::initializer_list<std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view begin) { return name.starts_with(begin); });
}

bool is_destructor(std::string_view name) {
  return name.starts_with("_ZN") &&
         (name.ends_with("D0Ev") || name.ends_with("D1Ev") || name.ends_with("D2Ev"));
}

bool is_list_of_initialisers(const os::ElfSection& section) {
  return starts_with_one_of(section.name,
                            {".init_array", ".preinit_array", ".fini_array", ".ctors", ".dtors"});
}

// A compiler's own, which tell the sanitizer's runtime that the program starts; and lab-guard's.
bool is_of_instrumentation(std::string_view name) {
  return starts_with_one_of(
      name, {"__tsan_", "__sanitizer_", "tsan.module_", "sancov.module_", "_sub_I_", "_sub_D_",
             "simulator_enter", "simulator_leave", "simulator_check_", "simulator_saved_", "simulator_target",
             "simulator_seen", "simulator_candidates", "simulator_recording", "simulator_row",
             "simulator_load", "simulator_own_stack"});
}

bool is_registration_of_kernels(std::string_view name) {
  return name.find("__sti____cudaRegisterAll") != name.npos ||
         name.find("__cudaUnregisterBinaryUtil") != name.npos;
}

// They repeat what pointers hold (guarded_assembly.cpp), or say what stands in the code (counted_blocks.cpp).
bool is_list_of_simulator(const os::ElfSection& section) {
  return starts_with_one_of(section.name,
                            {"simulator_alignments", "simulator_blocks", "simulator_calls", "simulator_jumps",
                             "simulator_type_alignments", "simulator_varying_addresses"});
}

// Sections stand for what they hold: the compiler gives each function one of its own.
class Rules {
 public:
  Rules(const os::ElfObject& object, const ObjectRules& rules) : object_(object), rules_(rules) {
    for (const os::ElfRelocation& relocation : object.relocations) {
      if (relocation.symbol >= object.symbols.size() || relocation.section >= object.sections.size())
        continue;
      const os::ElfSection& section = object.sections[relocation.section];
      if (section.is_loaded && !is_list_of_simulator(section))
        of_section_[relocation.section].push_back(&relocation);
    }
  }

  std::vector<ObjectViolation> violations() {
    if (rules_.host_function) follow_kernels();
    for (const os::ElfSymbol& symbol : object_.symbols) {
      if (symbol.type == os::ElfSymbol::Type::indirect_function)
        found_.push_back({fmt::format("which function {} is would be chosen before everything else",
                                      known_name(symbol.name)),
                          indirect_rule,
                          known_name(symbol.name),
                          {{symbol.section, symbol.value}}});
    }
    for (const auto& [section, relocations] : of_section_) {
      for (const os::ElfRelocation* relocation : relocations) judge(*relocation);
      if (is_list_of_initialisers(object_.sections[section])) judge_initialisers(relocations);
    }
    // A symbol that nothing refers to is not linked.
    return std::move(found_);
  }

 private:
  using Relocations = std::vector<const os::ElfRelocation*>;

  const os::ElfSymbol& symbol_of(const os::ElfRelocation& relocation) const {
    return object_.symbols[relocation.symbol];
  }

  // --- what others define

  // The library's name of a function that the simulator has in its place (simulator/cuda/library.hpp).
  static std::string plain_name(const std::string& name) {
    constexpr std::string_view begin = "simulator_";
    if (!name.starts_with(begin)) return name;
    const std::string plain = name.substr(begin.size());
    return library_function(plain) == OpenTo::nobody ? name : plain;
  }

  OpenTo open_to(const std::string& name) const {
    if (is_of_instrumentation(name) || name.starts_with("simulator_")) return OpenTo::kernels;
    // How clang asks whether an `extern __shared__` array has been initialised; nobody defines it.
    if (name.starts_with("_ZTH") || name.starts_with("_ZTW")) return OpenTo::kernels;
    const std::vector<std::string> parts = parts_of_name(name);
    if (parts.size() > 1 && is_room(parts[0], rules_.problem)) {
      const bool known = std::all_of(parts.begin(), parts.end(), [&](const std::string& part) {
        return rules_.of_harness.contains(part);
      });
      return known ? OpenTo::kernels : OpenTo::nobody;
    }
    // CUDA's own functions, outside of all namespaces as in its headers. Nothing else of the harness is
    // there.
    if (!rules_.on_gpu && parts.size() == 1 && name.starts_with("_Z") &&
        (parts[0].starts_with("__") || rules_.of_harness.contains(parts[0])))
      return OpenTo::kernels;
    const OpenTo of_library = library_function(name);
    if (of_library != OpenTo::nobody || !rules_.on_gpu) return of_library;
    return runtime_function(name);
  }

  void judge(const os::ElfRelocation& relocation) {
    const os::ElfSymbol& symbol = symbol_of(relocation);
    if (symbol.defined || symbol.name.empty() || symbol.type == os::ElfSymbol::Type::thread_local_object)
      return;
    // nvcc has the kernels' registration end so.
    if (symbol.name == "atexit" && is_registration_of_kernels(function_around(relocation))) return;
    const std::string linker_name = plain_name(symbol.name);
    const OpenTo open = open_to(linker_name);
    const std::string name = known_name(linker_name);
    const ObjectPlace place{relocation.section, relocation.offset};
    if (open == OpenTo::nobody) {
      add(name + " is not open to a lab's file", library_rule, name, place);
    } else if (open == OpenTo::host && linker_name != symbol.name && is_of_library(relocation)) {
      // What the standard library has in its tables of functions, as for std::make_shared; it is seen.
    } else if (open != OpenTo::kernels && of_kernels_.contains(relocation.section)) {
      add(name + " is not open to a kernel", kernel_rule, name, place);
    } else if (open == OpenTo::functions && rules_.host_function) {
      add(fmt::format("{} is not open to {}", name, *rules_.host_function), host_rule, name, place);
    } else if (open == OpenTo::host && rules_.host_function && !relocation.is_call && !is_data(linker_name) &&
               !is_destructor(linker_name)) {
      add("this takes the address of " + name, pointer_rule, name, place);
    }
  }

  static bool is_data(std::string_view name) {
    return name == "stderr" || name == "stdout" || name == "__libc_single_threaded" ||
           name == "__pthread_key_create" || starts_with_one_of(name, {"_ZTI", "_ZTV", "_ZTS"});
  }

  // Everything of which an address is taken may be called by a kernel, but for the host's function in the
  // exercise's description.
  void follow_kernels() {
    const os::ElfSymbol *description = nullptr, *host = nullptr;
    for (const os::ElfSymbol& symbol : object_.symbols) {
      if (!symbol.defined) continue;
      const std::vector<std::string> parts = parts_of_name(symbol.name);
      if (parts == std::vector<std::string>{"runner", "exercise_under_test"}) description = &symbol;
      if (parts == std::vector{*rules_.host_function} && symbol.type == os::ElfSymbol::Type::function)
        host = &symbol;
    }
    const auto is_described = [&](const os::ElfRelocation& relocation) {
      return description && host && symbol_of(relocation).section == host->section &&
             relocation.section == description->section && relocation.offset >= description->value &&
             relocation.offset - description->value < description->size;
    };
    for (const auto& [section, relocations] : of_section_) {
      if (holds_no_pointers(object_.sections[section])) continue;
      for (const os::ElfRelocation* relocation : relocations) {
        if (!relocation->is_call && !is_described(*relocation) && !is_jump_within(*relocation))
          reach(symbol_of(*relocation));
      }
    }
    while (!reached_.empty()) {
      const auto relocations = of_section_.find(reached_.back());
      reached_.pop_back();
      if (relocations == of_section_.end()) continue;
      for (const os::ElfRelocation* relocation : relocations->second) {
        if (relocation->is_call) reach(symbol_of(*relocation));
      }
    }
  }

  void reach(const os::ElfSymbol& symbol) {
    const bool is_code = symbol.defined && symbol.section < object_.sections.size() &&
                         object_.sections[symbol.section].is_code;
    if (is_code && of_kernels_.insert(symbol.section).second) reached_.push_back(symbol.section);
  }

  // What unwinds the stack knows all functions, and calls none.
  static bool holds_no_pointers(const os::ElfSection& section) {
    return is_list_of_initialisers(section) || section.name == ".eh_frame" ||
           section.name.starts_with(".gcc_except_table");
  }

  // A `switch` jumps by a table of places behind its function's beginning.
  bool is_jump_within(const os::ElfRelocation& relocation) const {
    const os::ElfSymbol& symbol = symbol_of(relocation);
    return object_.sections[relocation.section].name.starts_with(".rodata") &&
           symbol.type == os::ElfSymbol::Type::section && relocation.addend > 0;
  }

  // --- what runs before everything else

  void judge_initialisers(const Relocations& list) {
    for (const os::ElfRelocation* entry : list) {
      const os::ElfSymbol& symbol = symbol_of(*entry);
      const std::uint64_t begin = symbol.type == os::ElfSymbol::Type::section
                                      ? static_cast<std::uint64_t>(entry->addend)
                                      : symbol.value;
      const std::string name = function_at(symbol.section, begin);
      if (is_of_instrumentation(name) || is_registration_of_kernels(name)) continue;
      std::set<ObjectPlace, decltype(&before)> seen(&before);
      judge_initialiser({symbol.section, begin}, seen);
    }
  }

  static bool before(const ObjectPlace& a, const ObjectPlace& b) {
    return std::pair(a.section, a.offset) < std::pair(b.section, b.offset);
  }

  // <iostream> brings one, which does nothing but that. The parts of one, in functions of their own, are
  // looked at too.
  void judge_initialiser(ObjectPlace function, std::set<ObjectPlace, decltype(&before)>& seen) {
    if (!seen.insert(function).second) return;
    const std::uint64_t end = end_of_function(function);
    const os::ElfRelocation* foreign = nullptr;
    bool of_header = false;
    std::string variable;
    for (const os::ElfRelocation* relocation : of_section_[function.section]) {
      if (relocation->offset < function.offset || relocation->offset >= end) continue;
      const std::string name = name_at(*relocation);
      const os::ElfSymbol& symbol = symbol_of(*relocation);
      const bool is_code = symbol.defined && symbol.section < object_.sections.size() &&
                           object_.sections[symbol.section].is_code;
      if (is_of_streams(name) || is_registration_of_kernels(name)) {
        of_header = true;
      } else if (is_code &&
                 starts_with_one_of(name, {"__cxx_global_var_init", "_GLOBAL__", "_Z41__static_init"})) {
        of_header = true;
        judge_initialiser({symbol.section, symbol.value}, seen);
      } else if (!is_of_instrumentation(name) && name != "__cxa_atexit" && name != "__dso_handle" &&
                 name != "_GLOBAL_OFFSET_TABLE_") {
        if (!foreign) foreign = relocation;
        if (variable.empty() && symbol.defined && !is_code && !name.starts_with('.'))
          variable = variable_name(name);
      }
    }
    if (!foreign && of_header) return;
    const std::string last = variable.substr(variable.rfind(':') + 1);
    add(fmt::format("{} is initialised by code that runs before the workbook",
                    variable.empty() ? "this variable" : variable),
        initialiser_rule, last, foreign ? ObjectPlace{foreign->section, foreign->offset} : function);
  }

  static bool is_of_streams(const std::string& name) {
    const std::vector<std::string> parts = parts_of_name(name);
    return parts.size() > 1 && parts[0] == "std" && (parts[1] == "__ioinit" || parts[1] == "ios_base");
  }

  // "Early<int>::value"
  static std::string variable_name(const std::string& linker_name) {
    int status = 0;
    char* const text = abi::__cxa_demangle(linker_name.c_str(), nullptr, nullptr, &status);
    std::string name = status == 0 && text ? text : linker_name;
    std::free(text);
    constexpr std::string_view guard = "guard variable for ";
    return name.starts_with(guard) ? name.substr(guard.size()) : name;
  }

  std::string function_at(std::uint32_t section, std::uint64_t offset) const {
    for (const os::ElfSymbol& symbol : object_.symbols) {
      if (symbol.type == os::ElfSymbol::Type::function && symbol.section == section && symbol.value == offset)
        return symbol.name;
    }
    return {};
  }

  std::string function_around(const os::ElfRelocation& relocation) const {
    for (const os::ElfSymbol& symbol : object_.symbols) {
      if (symbol.type == os::ElfSymbol::Type::function && symbol.section == relocation.section &&
          relocation.offset >= symbol.value && relocation.offset - symbol.value < symbol.size)
        return symbol.name;
    }
    return {};
  }

  bool is_of_library(const os::ElfRelocation& relocation) const {
    const std::vector<std::string> parts = parts_of_name(function_around(relocation));
    return parts.size() > 1 && parts[0] == "std";
  }

  std::uint64_t end_of_function(ObjectPlace function) const {
    for (const os::ElfSymbol& symbol : object_.symbols) {
      if (symbol.type == os::ElfSymbol::Type::function && symbol.section == function.section &&
          symbol.value == function.offset)
        return symbol.value + symbol.size;
    }
    return UINT64_MAX;
  }

  // The symbol that a relocation means: the assembler writes a local one as a distance in its section. What
  // follows an address in an instruction counts in that distance: so one place may lie in two symbols, and is
  // the beginning of one rather than the inside of another.
  std::string name_at(const os::ElfRelocation& relocation) const {
    const os::ElfSymbol& symbol = symbol_of(relocation);
    if (symbol.type != os::ElfSymbol::Type::section) return symbol.name;
    constexpr std::int64_t longest_rest = 12;
    for (const bool at_beginning : {true, false}) {
      for (std::int64_t rest = 0; rest <= longest_rest; rest += 4) {
        for (const os::ElfSymbol& candidate : object_.symbols) {
          const std::int64_t within = relocation.addend + rest - static_cast<std::int64_t>(candidate.value);
          if (candidate.section == symbol.section && candidate.type != os::ElfSymbol::Type::section &&
              !candidate.name.empty() && within >= 0 &&
              within < (at_beginning ? 1 : static_cast<std::int64_t>(candidate.size)))
            return candidate.name;
        }
      }
    }
    return {};
  }

  void add(std::string words, const char* rule, const std::string& name, const ObjectPlace& place) {
    for (ObjectViolation& known : found_) {
      if (known.words == words) return known.places.push_back(place);
    }
    found_.push_back({std::move(words), rule, name, {place}});
  }

  const os::ElfObject& object_;
  const ObjectRules& rules_;
  std::map<std::uint32_t, Relocations> of_section_;
  std::set<std::uint32_t> of_kernels_;  // code that a kernel may run
  std::vector<std::uint32_t> reached_;  // of it, what calls has not been looked at
  std::vector<ObjectViolation> found_;
};

}  // namespace

std::vector<ObjectViolation> violations_in(const os::ElfObject& object, const ObjectRules& rules) {
  return Rules(object, rules).violations();
}

}  // namespace judge
