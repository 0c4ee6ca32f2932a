// SPDX-License-Identifier: MIT
// Hooks that lab-guard puts in place of calls. (That they record what the called functions would, each test
// of a kernel tells.)
#include "simulator/assembly/inlined_hooks.hpp"

#include <doctest/doctest.h>

#include <string>

#include "assembly.hpp"
#include "simulator/recorder.hpp"

namespace {

std::string inlined(const std::string& body) {
  return simulator::with_inlined_hooks(assembly::function("f", body));
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

bool is_inlined(const std::string& hook) {
  const std::string text = inlined("\tcall\t" + hook + "\n\tret\n");
  return !has(text, hook) && has(text, "simulator_recording");
}

}  // namespace

TEST_CASE("basic blocks and plain loads of a power of two need no call") {
  CHECK(is_inlined("__sanitizer_cov_trace_pc"));
  CHECK(is_inlined("__sanitizer_cov_trace_pc@PLT"));
  for (const std::string bytes : {"1", "2", "4", "8", "16"})
    CHECK(is_inlined("__tsan_read" + bytes + "@PLT"));
}

TEST_CASE("other hooks stay calls") {
  for (const std::string hook : {"__tsan_write4", "__tsan_read_range", "__tsan_read_write4", "__tsan_read32",
                                 "__tsan_volatile_read4", "__tsan_unaligned_read4", "__tsan_func_entry"}) {
    const std::string call = "\tcall\t" + hook + "@PLT\n\tret\n";
    CHECK(inlined(call) == assembly::function("f", call));
  }
}

TEST_CASE("what is called instead stands behind the function, and is told where the hook ends") {
  const std::string text = inlined("\tcall\t__tsan_read4@PLT\n\tmovl\t(%rdi), %eax\n\tret\n");
  const std::size_t end = text.find(".Lsimulator_hook0:\n\tmovl\t(%rdi), %eax\n\tret\n"),
                    call = text.find(
                        "leaq\t.Lsimulator_hook0(%rip), %rsi\n\tcall\tsimulator_load4@PLT\n"
                        "\tjmp\t.Lsimulator_hook0\n\t.size\tf");
  CHECK(end != std::string::npos);
  CHECK(call != std::string::npos);
  CHECK(end < call);
}

TEST_CASE("a hook without room for what is called is refused") {
  CHECK_THROWS_WITH(simulator::with_inlined_hooks("f:\n\tcall\t__tsan_read4\n\tret\n"),
                    "a function has no end");
}

TEST_CASE("a budget takes an event and a basic block at once, down to the last events that are kept back") {
  simulator::Budget budget;
  budget.begin(simulator::turn);
  CHECK(budget.left() == simulator::most_ahead);
  CHECK(budget.fuel() == simulator::turn);
  for (int i = 0; i < simulator::most_ahead - simulator::kept_behind_load; ++i)
    budget.number -= i % 2 == 0 ? simulator::Budget::block : simulator::Budget::event;
  CHECK(budget.left() == simulator::kept_behind_load);
  CHECK(budget.fuel() == simulator::turn - 60);
  CHECK(budget.number >= 0);
  CHECK(budget.number - simulator::Budget::event < 0);
  budget.number -= simulator::Budget::block;
  CHECK(budget.left() == simulator::kept_behind_load - 1);
  budget.set_fuel(1);
  CHECK(budget.fuel() == 1);
  CHECK(budget.left() == simulator::kept_behind_load - 1);
}
