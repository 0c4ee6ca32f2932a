// SPDX-License-Identifier: MIT
#include "cli/shown_estimates.hpp"

#include <doctest/doctest.h>

#include "cli/known_devices.hpp"
#include "facts/errors.hpp"
#include "support/made_records.hpp"

namespace {

const measure::Estimate on_h200{.gpu = "h200",
                                .name = "NVIDIA H200",
                                .length = 1 << 30,
                                .launch = {4096, 256},
                                .ms = 3.3251,
                                .low = 2.771,
                                .high = 3.9901,
                                .bound_by = {{"waiting", 0.871}, {"dram", 0.2}},
                                .calibrated = true};

measure::Record counted(const std::string& lab) {
  measure::Record record = read_all({made_count(lab, "histogram", {{"warps", 1}})}).front();
  record.estimate = on_h200;
  return record;
}

measure::Record timed(const std::string& lab, double ms) {
  measure::Record record = read_all({made_record(lab, "histogram", ms)}).front();
  record.estimate = on_h200;
  return record;
}

model::Device device(bool calibrated) {
  model::Device device{};
  device.id = "h200";
  device.name = "NVIDIA H200";
  device.calibrated = calibrated;
  return device;
}

}  // namespace

TEST_CASE("estimates are a table of their own, which names the GPU and says that nothing was measured") {
  measure::Record without = counted("03_privatization");
  without.estimate.reset();
  CHECK(cli::estimates_text({device(true),
                             "lab",
                             "1,024 bytes of letters, binning letters4",
                             {{"02 global_atomics", counted("02_global_atomics"), ""},
                              {"03 privatization", without, "it has compare-and-swaps"}}},
                            {}) ==
        "Estimated for an NVIDIA H200, not measured: 1,024 bytes of letters, binning letters4\n\n"
        "lab                        estimate, ms        probably  held back by\n"
        "02 global_atomics                  3.33    2.77 to 3.99  waiting for loads, 87 %\n"
        "03 privatization           no estimate: it has compare-and-swaps\n"
        "An estimate is modelled from what the simulator saw of a sample, no GPU was used; docs/estimates.md "
        "says "
        "how far it may be off.\n");
  CHECK(cli::estimates_text({device(true), "lab", "", {}}, {}).empty());
}

TEST_CASE("of a GPU that nobody has measured for the model a line says so") {
  const std::string text =
      cli::estimates_text({device(false), "", "", {{"02", counted("02_global_atomics"), ""}}}, {});
  CHECK(
      text.find(
          "\nOf this GPU the model knows only data sheets: trust the order of the estimates more than their "
          "size.\n") != std::string::npos);
}

TEST_CASE("where the GPU is there estimate and measurement stand side by side") {
  CHECK(cli::estimates_text(
            {device(true),
             "lab",
             "1,024 bytes of letters",
             {{"02", timed("02_global_atomics", 4), ""}, {"04", timed("04_shared_memory", 3), ""}}},
            {}) ==
        "Estimated for an NVIDIA H200: 1,024 bytes of letters\n\n"
        "lab                        measured, ms  estimate, ms        probably   off by\n"
        "02                                    4          3.33    2.77 to 3.99    -17 %\n"
        "04                                    3          3.33    2.77 to 3.99    +11 %\n"
        "An estimate is modelled from what the simulator saw of a sample; docs/estimates.md says how far it "
        "may be "
        "off.\n");
}

TEST_CASE("a time over another input than the estimate's is not set beside it") {
  measure::Record record = timed("02_global_atomics", 4);
  CHECK(has_both(record));
  record.estimate->length = 1 << 20;
  CHECK_FALSE(has_both(record));
}

TEST_CASE("on a terminal estimates have a colour that nothing else has") {
  report::Terminal terminal;
  terminal.colours = true;
  const std::string text =
      cli::estimates_text({device(true), "", "x", {{"02", counted("02_global_atomics"), ""}}}, terminal);
  CHECK(text.starts_with("\x1b[35mEstimated for an NVIDIA H200, not measured\x1b[0m: x\n"));
  CHECK(text.find("\x1b[35m3.33    2.77 to 3.99\x1b[0m  waiting") != std::string::npos);
}

TEST_CASE("the sentence of an estimate says what it is before the number") {
  CHECK(cli::estimate_sentence(on_h200, "1,024 bytes of letters", {}) ==
        "estimated for an NVIDIA H200, not measured: 3.33 ms (probably 2.77 to 3.99) for 1,024 bytes of "
        "letters; "
        "held back most by waiting for loads, 87 % of the time");
}

TEST_CASE("a GPU at hand is found on the list by what it calls itself") {
  const auto found = cli::device_of_gpu("NVIDIA H200");
  REQUIRE(found);
  CHECK(found->id == "h200");
  CHECK_FALSE(cli::device_of_gpu("NVIDIA GeForce GTX 980"));
}
