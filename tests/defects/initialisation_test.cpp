// SPDX-License-Identifier: MIT
#include "checking.hpp"

TEST_CASE("a shared counter that nobody clears") {
  check_both("count_from_nowhere",
             uninitialised("a thread changes even[0], which no thread of its block has written"),
             []<bool defect>() {
               const Array<unsigned> in("in", counted(64)), out("out", 2);
               auto result = launch_kernel({2, 64}, count_from_nowhere<defect>, in.data(), out.data());
               if (!defect) CHECK(out.values() == std::vector<unsigned>(2, 32));
               return result;
             });
}

TEST_CASE("only as many bins are cleared as there are threads") {
  check_both("clear_a_part",
             uninitialised("a thread changes bins[64], which no thread of its block has written"),
             []<bool defect>() {
               const Array<unsigned char> text("text", counted<unsigned char>(256));
               const Array<unsigned> out("out", 64);
               auto result = launch_kernel({1, 64}, clear_a_part<defect>, text.data(), out.data());
               CHECK(out.values() == counted(64));
               return result;
             });
}

TEST_CASE("a word of which three bytes were written") {
  check_both("pack_colours",
             uninitialised("a thread reads channels[31], which no thread of its block has written"),
             []<bool defect>() {
               const Array<uchar4> pixels("pixels", 32, make_uchar4(1, 2, 3, 4));
               const Array<unsigned> out("out", 32);
               auto result = launch_kernel({1, 32}, pack_colours<defect>, pixels.data(), out.data());
               if (!defect) CHECK(out.values() == std::vector<unsigned>(32, 0xff030201));
               return result;
             });
}

TEST_CASE("sums onto fresh global memory") {
  check_both("accumulate", uninitialised("a thread reads sums[0], which no thread has written"),
             []<bool defect>() {
               const Array<unsigned> in("in", counted(3 * 64)),
                   sums("sums", std::vector<unsigned>(64), Array<unsigned>::Contents::none);
               auto result = launch_kernel({2, 32}, accumulate<defect>, in.data(), 3, sums.data());
               CHECK(sums.values() == filled(64, [](unsigned i) { return 3 * i + 192; }));
               return result;
             });
}

TEST_CASE("a halo that is not loaded at the grid's edge") {
  check_both(
      "blur_to_the_edge", uninitialised("a thread reads window[0], which no thread of its block has written"),
      []<bool defect>() {
        const Array<float> in("in", 128, 1), out("out", 128);
        auto result = launch_kernel({2, 64}, blur_to_the_edge<defect>, in.data(), out.data());
        if (!defect)
          CHECK(out.values() == filled(128, [](unsigned i) { return i == 0 || i == 127 ? 1.f : 2.f; }));
        return result;
      });
}

TEST_CASE("slots of warps that do not exist") {
  check_both("add_all_slots",
             uninitialised("a thread reads slots[2], which no thread of its block has written"),
             []<bool defect>() {
               const Array<unsigned> in("in", counted(64)), out("out", 1);
               auto result = launch_kernel({1, 64}, add_all_slots<defect>, in.data(), out.data());
               if (!defect) CHECK(out.values() == std::vector<unsigned>{60});
               return result;
             });
}

TEST_CASE("a flag that is cleared by a thread which does not exist") {
  check_both("flag_by_absent_thread",
             uninitialised("a thread reads found[0], which no thread of its block has written"),
             []<bool defect>() {
               const Array<int> in("in", std::vector<int>(64, 3)), out("out", 64, 1);
               auto result = launch_kernel({1, 64}, flag_by_absent_thread<defect>, in.data(), out.data());
               if (!defect) CHECK(out.values() == std::vector<int>(64, 1));
               return result;
             });
}

TEST_CASE("a maximum that starts from what happened to be there") {
  check_both("maximum_of_nothing", uninitialised("a thread changes largest[0], which no thread has written"),
             []<bool defect>() {
               const Array<int> in("in", filled(64, [](unsigned i) { return static_cast<int>(i) - 100; }));
               const Array<int> largest("largest", std::vector<int>(1), Array<int>::Contents::none);
               auto result = launch_kernel({1, 64}, maximum_of_nothing<defect>, in.data(), largest.data());
               if (!defect) CHECK(largest.values() == std::vector<int>{-37});
               return result;
             });
}
