// SPDX-License-Identifier: MIT
// doctest reports success when its filter matches no test case; here that is a failure, as is a test that was
// meant and did not run. What `lab` keeps between its runs is kept in a folder of the test program: never in
// the student's.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace {

unsigned selected = 0;

struct CountSelected final : doctest::IReporter {
  explicit CountSelected(const doctest::ContextOptions&) {}
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats& run) override { selected = run.numTestCasesPassingFilters; }
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};

char state[] = "/tmp/workbook-state-XXXXXX";

// Before any other constructor: some of them ask where the workbook is.
[[gnu::constructor(101)]] void keep_state_apart() {
  if (mkdtemp(state)) setenv("WORKBOOK_STATE", state, 1);
}

DOCTEST_REGISTER_LISTENER("selected", 1, CountSelected);

}  // namespace

int main(int argument_count, char** arguments) {
  doctest::Context context(argument_count, arguments);
  const int result = context.run();
  std::filesystem::remove_all(state);
  if (context.shouldExit()) return result;  // it was asked for a list or for help
  if (selected > 0) return result;
  std::fprintf(stderr, "no test case matches the filter\n");
  return 1;
}
