// SPDX-License-Identifier: MIT
// lab image, and grey images as inputs of lab run.
#include "lab.hpp"
#include "support/contains.hpp"
#include "temporary_folder.hpp"

TEST_CASE("an image is made, stays as it is, and its brightness is drawn") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/moon.pgm";
  LabResult made = lab({"image", file});
  CHECK(made.code == 0);
  CHECK(made.out == file +
                        ": a grey image of 320 x 240 pixels; its brightness is drawn by lab run 04 --input " +
                        file + "\n");
  made = lab({"image", file});
  CHECK(made.code == 2);
  CHECK(made.err == "lab: " + file + " is there already, and stays as it is\n");

  if (!can_simulate_solutions()) return;
  const LabResult run = lab({"run", "04", "--solution", "--on", "sim", "--input", file});
  CHECK(run.code == 0);
  CHECK(contains(run.out, ": 76,800 bytes of " + file + ", binning bytes\n"));
  CHECK(contains(run.out, "\n 96 .. 103  "));  // grey levels, where bytes of a text would be letters
  CHECK(contains(run.out, "pass: equal to the CPU's count"));
  const LabResult letters =
      lab({"run", "04", "--solution", "--on", "sim", "--input", file, "--binning", "letters4"});
  CHECK(contains(letters.out, ", binning letters4\n"));
}

TEST_CASE("what is no grey image of 8 bits is refused, and so is a name that would not say so") {
  const TemporaryFolder folder;
  const LabResult named = lab({"image", folder.path() + "/moon.png"});
  CHECK(named.code == 2);
  CHECK(named.err ==
        "lab: " + folder.path() +
            "/moon.png does not end in .pgm; by that lab run tells a grey image from other files\n");
  const std::string ascii = folder.write("ascii.pgm", "P2\n1 1\n255\n7\n");
  const LabResult refused = lab({"run", "04", "--input", ascii});
  CHECK(refused.code == 3);
  CHECK(refused.err == "lab: cannot read " + ascii +
                           ": it is an ASCII PGM file (P2); binary PGM (P5) with 8 bits a pixel is read\n");
}
