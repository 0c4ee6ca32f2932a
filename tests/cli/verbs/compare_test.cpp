// SPDX-License-Identifier: MIT
#include "lab.hpp"
#include "state_file.hpp"
#include "workbook/skeleton.hpp"

namespace {

const std::string reference = "solutions/04_shared_memory/histogram.cu";

// Whether the student has not begun, as in a tree that is fresh.
bool is_untouched(const std::string& file) {
  const workbook::Workbook& workbook = workbook::here();
  return text_of(file) == workbook.skeleton(workbook.find("04").at(0));
}

}  // namespace

TEST_CASE("the solution is shown once a lab has passed, or where that is asked for") {
  const workbook::Workbook& workbook = workbook::here();
  const std::string file = workbook.source_file(workbook.find("04").at(0), workbook::Tree::student);
  if (!workbook.has_solutions) {
    CHECK(lab({"compare", "04"}).err == "lab: this tree has no solutions/\n");
    CHECK(lab({"compare", "04"}).code == 3);
    return;
  }
  if (!is_untouched(file)) return;
  const LabResult refused = lab({"compare", "04"});
  CHECK(refused.code == 1);
  CHECK(refused.out ==
        "lab 04 is not started; its solution is shown once it has passed, or with --anyway\n"
        "  next: lab check 04\n");
  const LabResult shown = lab({"compare", "04", "--anyway"});
  CHECK(shown.code == 0);
  // Where the output is no terminal there is no room for two columns.
  CHECK(shown.out == "==== " + workbook.shortened(file) + "\n" + text_of(file) + "==== " + reference + "\n" +
                         workbook::without_markers(text_of(workbook.source_root + "/" + reference)));
}

TEST_CASE("a lab of two exercises is compared exercise by exercise") {
  const workbook::Workbook& workbook = workbook::here();
  if (!workbook.has_solutions) return;
  const LabResult both = lab({"compare", "05", "--anyway"});
  CHECK(both.code == 0);
  CHECK(both.out.find("==== solutions/05_coarsening/contiguous.cu\n") != std::string::npos);
  CHECK(both.out.find("==== solutions/05_coarsening/interleaved.cu\n") != std::string::npos);
}
