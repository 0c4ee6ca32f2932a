// SPDX-License-Identifier: MIT
#include "judge/object_rules.hpp"

#include <doctest/doctest.h>

#include "judge/library_functions.hpp"

namespace {

using judge::OpenTo;
using Type = os::ElfSymbol::Type;

// An object with a kernel, which the host launches by its address, and the host's launch_shape.
class Unit {
 public:
  Unit() {
    section("", false);
    kernel = function("_Z16histogram_kernelv");
    shape = function("_Z12launch_shapem");
    const std::uint32_t data = section(".data.rel.ro", false);
    object.symbols.push_back({"_ZN6runner19exercise_under_testE", Type::object, true, 0, 64, data});
    refer(data, kernel, false);
    refer(data, shape, false);
  }

  std::uint32_t section(const std::string& name, bool is_code) {
    object.sections.push_back({name, is_code, true});
    return static_cast<std::uint32_t>(object.sections.size() - 1);
  }
  // In a section of its own; the number of its symbol.
  std::uint32_t function(const std::string& name) {
    object.symbols.push_back({name, Type::function, true, 0, 64, section(".text." + name, true)});
    return static_cast<std::uint32_t>(object.symbols.size() - 1);
  }
  std::uint32_t library(const std::string& name) {
    object.symbols.push_back({name, Type::other, false, 0, 0});
    return static_cast<std::uint32_t>(object.symbols.size() - 1);
  }
  void refer(std::uint32_t section, std::uint32_t symbol, bool is_call) {
    object.relocations.push_back({section, object.relocations.size(), symbol, 0, is_call});
  }
  void call(std::uint32_t from, std::uint32_t symbol) { refer(object.symbols[from].section, symbol, true); }
  void take_address(std::uint32_t from, std::uint32_t symbol) {
    refer(object.symbols[from].section, symbol, false);
  }

  // The words of the first violation; empty if there is none.
  std::string words() const {
    const auto violations = judge::violations_in(
        object, {.problem = "histogram", .of_harness = of_harness, .host_function = "launch_shape"});
    return violations.empty() ? "" : violations[0].words;
  }

  os::ElfObject object;
  std::set<std::string> of_harness{"simulator", "thread_index"};
  std::uint32_t kernel, shape;
};

std::string of_call_in_shape(const std::string& name) {
  Unit unit;
  unit.call(unit.shape, unit.library(name));
  return unit.words();
}

std::string of_call_in_kernel(const std::string& name) {
  Unit unit;
  unit.call(unit.kernel, unit.library(name));
  return unit.words();
}

}  // namespace

TEST_CASE("the names in a linker's name") {
  using Parts = std::vector<std::string>;
  CHECK(judge::parts_of_name("fopen") == Parts{"fopen"});
  CHECK(judge::parts_of_name("_Z12launch_shapem") == Parts{"launch_shape"});
  CHECK(judge::parts_of_name("_ZSt20__throw_length_errorPKc") == Parts{"std", "__throw_length_error"});
  CHECK(judge::parts_of_name("_ZNSt6thread4joinEv") == Parts{"std", "thread", "join"});
  CHECK(judge::parts_of_name("_ZNKSt7__cxx1112basic_stringIcE4sizeEv") == Parts{"std", "basic_string"});
  CHECK(judge::parts_of_name("_ZNSolsEi") == Parts{"std", "ostream"});
  CHECK(judge::parts_of_name("_ZTISt9exception") == Parts{"std", "exception"});
  CHECK(judge::parts_of_name("_ZN6runner8simulateERK11LaunchShape") == Parts{"runner", "simulate"});
  CHECK(judge::parts_of_name("_ZN9simulator4usedIjEET_S1_") == Parts{"simulator", "used"});
  CHECK(judge::parts_of_name("_ZN99999999999999999999short") == Parts{});
}

TEST_CASE("names are shown as students know them") {
  CHECK(judge::known_name("fopen64") == "fopen");
  CHECK(judge::known_name("_ZNSt6thread15_M_start_threadESt10unique_ptrE") == "std::thread");
  CHECK(judge::known_name("_ZNSt14basic_ofstreamIcSt11char_traitsIcEEC1Ev") == "std::ofstream");
  CHECK(judge::known_name("_ZNSt10filesystem10remove_allERKNS_7__cxx114pathE") ==
        "std::filesystem::remove_all");
}

TEST_CASE(
    "library functions that everybody may call, that the host may, that only functions of the CPU may, and "
    "that nobody may") {
  for (const char* name : {"sqrt",
                           "sqrtf",
                           "powl",
                           "__exp_finite",
                           "memcpy",
                           "__memcpy_chk",
                           "printf",
                           "__printf_chk",
                           "__popcountdi2",
                           "__udivti3",
                           "__muldc3",
                           "__floatuntidf",
                           "__extendhfsf2",
                           "__powidf2",
                           "_Znwm",
                           "_ZdaPvm",
                           "_ZSt20__throw_length_errorPKc",
                           "__assert_fail",
                           "__stack_chk_fail",
                           "_ZTIi",
                           "tolower",
                           "abs"}) {
    CAPTURE(name);
    CHECK(judge::library_function(name) == OpenTo::kernels);
  }
  for (const char* name :
       {"strlen", "memcmp", "_ZNSt8ios_base4InitC1Ev", "_ZNSt6chrono3_V212steady_clock3nowEv"}) {
    CAPTURE(name);
    CHECK(judge::library_function(name) == OpenTo::host);
  }
  for (const char* name :
       {"strcpy", "snprintf", "lgammaf_r", "frexpl", "__isoc23_strtol", "stderr",
        "_ZNSt13runtime_errorC1EPKc", "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_",
        "_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm", "_ZNSt9exceptionD2Ev"}) {
    CAPTURE(name);
    CHECK(judge::library_function(name) == OpenTo::functions);
  }
  for (const char* name : {"fopen",
                           "open",
                           "__open64_2",
                           "write",
                           "syscall",
                           "dlsym",
                           "fork",
                           "exit",
                           "_exit",
                           "getenv",
                           "environ",
                           "stdin",
                           "system",
                           "popen",
                           "mmap",
                           "mprotect",
                           "ptrace",
                           "kill",
                           "signal",
                           "longjmp",
                           "pthread_create",
                           "__libc_start_main",
                           "__clone",
                           "__cxa_thread_atexit_impl",
                           "_ZNSt6thread4joinEv",
                           "_ZSt4cout",
                           "_ZSt3cin",
                           "_ZNSt13random_device7_M_initERKNSt7__cxx1112basic_stringE",
                           "_ZNSt13basic_filebufIcE4openEPKc",
                           "_ZNSt8ios_base4setfESt13_Ios_Fmtflags",
                           "_ZNSt6chrono8get_tzdbEv",
                           "_ZSt15set_new_handlerPFvvE",
                           "_ZN3fmt2v96vprintE",
                           "_Z4evilv",
                           "__dup2",
                           "__getpid",
                           "setvbuf",
                           "fputs_unlocked",
                           "main",
                           ""}) {
    CAPTURE(name);
    CHECK(judge::library_function(name) == OpenTo::nobody);
  }
  CHECK(judge::runtime_function("__cudaRegisterFunction") == OpenTo::functions);
  CHECK(judge::runtime_function("cudaOccupancyMaxActiveBlocksPerMultiprocessor") == OpenTo::functions);
  CHECK(judge::runtime_function("cudaMemcpy") == OpenTo::nobody);
}

TEST_CASE("functions of the system are refused everywhere, those of the host in kernels") {
  CHECK(of_call_in_shape("fopen") == "fopen is not open to a lab's file");
  CHECK(of_call_in_kernel("fopen") == "fopen is not open to a lab's file");
  CHECK(of_call_in_kernel("strcpy") == "strcpy is not open to a kernel");
  CHECK(of_call_in_shape("strcpy") == "strcpy is not open to launch_shape");
  CHECK(of_call_in_kernel("strlen") == "strlen is not open to a kernel");
  CHECK(of_call_in_shape("strlen") == "");
  CHECK(of_call_in_kernel("sqrtf") == "");
}

TEST_CASE("of the harness, what its headers name is open") {
  CHECK(of_call_in_kernel("_ZN9simulator12thread_indexEv") == "");
  CHECK(of_call_in_kernel("_ZN9simulator7Machine8instanceEv") ==
        "simulator::Machine::instance is not open to a lab's file");
  CHECK(of_call_in_kernel("__tsan_read4") == "");
}

TEST_CASE("a helper is a kernel's too if a kernel calls it, or if its address is taken") {
  Unit called;
  const std::uint32_t helper = called.function("_Z6helperv");
  called.call(helper, called.library("strlen"));
  called.call(called.shape, helper);
  CHECK(called.words() == "");
  called.call(called.kernel, helper);
  CHECK(called.words() == "strlen is not open to a kernel");

  Unit kept;
  const std::uint32_t other = kept.function("_Z6helperv");
  kept.call(other, kept.library("strlen"));
  kept.take_address(kept.shape, other);
  CHECK(kept.words() == "strlen is not open to a kernel");

  Unit again;
  again.call(again.shape, again.library("strlen"));
  again.call(again.kernel, again.shape);
  CHECK(again.words() == "strlen is not open to a kernel");
}

TEST_CASE(
    "the address of a function of the host's is not handed on; that of a destructor is the compiler's "
    "affair") {
  Unit unit;
  unit.take_address(unit.shape, unit.library("sqrt"));
  CHECK(unit.words() == "");
  unit.take_address(unit.shape, unit.library("strlen"));
  CHECK(unit.words() == "this takes the address of strlen");
}

TEST_CASE("what runs before the harness is the compiler's, or a header's that only counts streams") {
  Unit unit;
  const std::uint32_t list = unit.section(".init_array", false),
                      registers = unit.function("_GLOBAL__sub_I_x");
  unit.refer(list, registers, false);
  unit.call(registers, unit.library("_ZNSt8ios_base4InitC1Ev"));
  unit.call(registers, unit.library("__cxa_atexit"));
  CHECK(unit.words() == "");
  unit.object.symbols.push_back({"table", Type::object, true, 0, 4, unit.section(".bss", false)});
  unit.take_address(registers, static_cast<std::uint32_t>(unit.object.symbols.size() - 1));
  CHECK(unit.words() == "table is initialised by code that runs before the workbook");

  // By its distance, less what follows it in the instruction: the last of one variable, and the first of the
  // next.
  Unit by_distance;
  const std::uint32_t bss = by_distance.section(".bss", false),
                      begins = by_distance.function("_GLOBAL__sub_I_x");
  by_distance.refer(by_distance.section(".init_array", false), begins, false);
  by_distance.object.symbols.push_back({"_ZStL8__ioinit", Type::object, true, 0, 8, bss});
  by_distance.object.symbols.push_back({"seen", Type::object, true, 8, 8, bss});
  by_distance.object.symbols.push_back({"", Type::section, true, 0, 0, bss});
  by_distance.object.relocations.push_back({by_distance.object.symbols[begins].section, 0,
                                            static_cast<std::uint32_t>(by_distance.object.symbols.size() - 1),
                                            4, false});
  CHECK(by_distance.words() == "seen is initialised by code that runs before the workbook");

  Unit empty;
  empty.refer(empty.section(".init_array", false), empty.function("_GLOBAL__sub_I_x"), false);
  CHECK(empty.words() == "this variable is initialised by code that runs before the workbook");
  Unit sanitizer;
  sanitizer.refer(sanitizer.section(".init_array.00099", false), sanitizer.function("_sub_I_00099_0"), false);
  CHECK(sanitizer.words() == "");
}

TEST_CASE("a function that is chosen when the program starts is refused") {
  Unit unit;
  unit.object.symbols[unit.kernel].type = Type::indirect_function;
  CHECK(unit.words() == "which function histogram_kernel is would be chosen before everything else");
}
