// SPDX-License-Identifier: MIT
#include "checking.hpp"

TEST_CASE("a neighbour's value is read before it is there") {
  check_both("shift_in_block", race(lacks_barrier, "one thread writes values[1] while another reads it"),
             []<bool defect>() {
               const Array<unsigned> in("in", counted(64)), out("out", 64);
               auto result = launch_kernel({1, 64}, shift_in_block<defect>, in.data(), out.data());
               if (!defect) CHECK(out.values() == filled(64, [](unsigned i) { return (i + 1) % 64; }));
               return result;
             });
}

TEST_CASE("a sum by halving needs a barrier in each round") {
  check_both("sum_by_halving", race(lacks_barrier, "one thread writes sums[16] while another reads it"),
             []<bool defect>() {
               const Array<unsigned> in("in", counted(256)), out("out", 2);
               auto result = launch_kernel({2, 128}, sum_by_halving<defect>, in.data(), out.data());
               if (!defect) CHECK(out.values() == std::vector<unsigned>{127 * 64, 127 * 64 + 128 * 128});
               return result;
             });
}

TEST_CASE("a tile is overwritten while others still read it") {
  check_both("sum_over_tiles", race(lacks_barrier, "one thread reads tile[0] while another writes it"),
             []<bool defect>() {
               const Array<unsigned> in("in", counted(192)), out("out", 64);
               auto result = launch_kernel({1, 64}, sum_over_tiles<defect>, in.data(), 3, out.data());
               if (!defect) CHECK(out.values() == std::vector<unsigned>(64, 191 * 96));
               return result;
             });
}

TEST_CASE("two buffers that are one") {
  check_both("double_buffer", race(lacks_barrier, "one thread reads buffers[32] while another writes it"),
             []<bool defect>() {
               const Array<unsigned> in("in", counted(192)), out("out", 64);
               auto result = launch_kernel({1, 64}, double_buffer<defect>, in.data(), 3, out.data());
               if (!defect) CHECK(out.values() == filled(64, [](unsigned i) { return 191 - i; }));
               return result;
             });
}

TEST_CASE("prefix sums in place read and write in one interval") {
  check_both("prefix_sums", race(lacks_barrier, "one thread reads sums[1] while another writes it"),
             []<bool defect>() {
               const Array<unsigned> data("data", counted(64));
               auto result = launch_kernel({1, 64}, prefix_sums<defect>, data.data());
               if (!defect) CHECK(data.values() == filled(64, [](unsigned i) { return i * (i + 1) / 2; }));
               return result;
             });
}

TEST_CASE("a halo that is loaded after the barrier") {
  check_both("stencil_tile", race(lacks_barrier, "one thread writes cells[65] while another reads it"),
             []<bool defect>() {
               const Array<unsigned> in("in", std::vector<unsigned>(128, 9)), out("out", 128);
               auto result = launch_kernel({2, 64}, stencil_tile<defect>, in.data(), 128, out.data());
               if (!defect)
                 CHECK(out.values() == filled(128, [](unsigned i) { return i == 0 || i == 127 ? 6u : 9u; }));
               return result;
             });
}

TEST_CASE("a transposed tile is read across before it is complete") {
  check_both("transpose_tile", race(lacks_barrier, "one thread writes square[17] while another reads it"),
             []<bool defect>() {
               const Array<float> in("in", counted<float>(32 * 48)), out("out", 32 * 48);
               auto result = launch_kernel({{2, 3}, {16, 16}}, transpose_tile<defect>, in.data(), out.data());
               if (!defect) {
                 CHECK(out.values() ==
                       filled(32 * 48, [](unsigned i) { return static_cast<float>(i % 48 * 32 + i / 48); }));
               }
               return result;
             });
}

TEST_CASE("bins are counted in before they are cleared") {
  check_both("clear_and_count",
             race(lacks_barrier, "one thread changes bins[32] atomically while another writes it"),
             []<bool defect>() {
               const Array<unsigned char> text("text", counted<unsigned char>(512));
               const Array<unsigned> out("out", 256);
               auto result = launch_kernel({1, 96}, clear_and_count<defect>, text.data(), 512, out.data());
               if (!defect) CHECK(out.values() == std::vector<unsigned>(256, 2));
               return result;
             });
}

TEST_CASE("a maximum is committed too early") {
  check_both("commit_maximum",
             race(lacks_barrier, "one thread changes best[0] atomically while another reads it"),
             []<bool defect>() {
               const Array<unsigned> in("in", counted(256)), maximum("maximum", 1);
               auto result = launch_kernel({2, 128}, commit_maximum<defect>, in.data(), maximum.data());
               if (!defect) CHECK(maximum.values() == std::vector<unsigned>{255});
               return result;
             });
}

TEST_CASE("only one of two paths of the whole block has a barrier") {
  const auto version = []<bool defect>(bool doubled) {
    const Array<unsigned> in("in", counted(64)), out("out", 64);
    auto result = launch_kernel({1, 64}, barrier_on_one_path<defect>, in.data(), doubled, out.data());
    if (!defect || !doubled)
      CHECK(out.values() == filled(64, [=](unsigned i) { return (i ^ 32) * (doubled ? 2 : 1); }));
    return result;
  };
  check_both("barrier_on_one_path",
             race(lacks_barrier, "one thread reads staged[32] while another writes it"),
             [=]<bool defect>() { return version.template operator()<defect>(true); });
  check_unreached("barrier_on_one_path",
                  [=]<bool defect>() { return version.template operator()<defect>(false); });
}

TEST_CASE("a shared word is counted in without an atomic") {
  check_both("count_in_shared_word",
             race({.read_modify_write = true}, "two threads change positive[0] without an atomic"),
             []<bool defect>() {
               const Array<int> in("in", filled(64, [](unsigned i) { return static_cast<int>(i) - 10; })),
                   out("out", 1);
               auto result = launch_kernel({1, 64}, count_in_shared_word<defect>, in.data(), out.data());
               if (!defect) CHECK(out.values() == std::vector<int>{53});
               return result;
             });
}

TEST_CASE("one thread's word is read before it has written it; a fence is no barrier") {
  check_both("broadcast_offset", race(lacks_barrier, "one thread reads offset[0] while another writes it"),
             []<bool defect>() {
               const Array<unsigned> offsets("offsets", std::vector<unsigned>{500, 700}), out("out", 128);
               auto result = launch_kernel({2, 64}, broadcast_offset<defect>, offsets.data(), out.data());
               if (!defect)
                 CHECK(out.values() == filled(128, [](unsigned i) { return (i < 64 ? 500 : 700) + i % 64; }));
               return result;
             });
}

TEST_CASE("the next chunk is drawn while others still look at this one") {
  check_both("draw_chunks", race(lacks_barrier, "one thread reads chunk[0] while another writes it"),
             []<bool defect>() {
               const Array<unsigned> queue("queue", 1), done("done", 6);
               auto result = launch_kernel({2, 64}, draw_chunks<defect>, queue.data(), 3, done.data());
               if (!defect) CHECK(done.values() == std::vector<unsigned>(6, 63 * 32));
               return result;
             });
}

TEST_CASE("the sums of warps are added before they are there") {
  check_both("sum_of_warps", race(lacks_barrier, "one thread reads partial[1] while another writes it"),
             []<bool defect>() {
               const Array<unsigned> in("in", counted(128)), out("out", 1);
               auto result = launch_kernel({1, 128}, sum_of_warps<defect>, in.data(), out.data());
               if (!defect) CHECK(out.values() == std::vector<unsigned>{127 * 64});
               return result;
             });
}

TEST_CASE("one of four bytes that four threads have written to a word") {
  check_both("look_at_one_byte", race(lacks_barrier, "one thread writes flags[1] while another reads it"),
             []<bool defect>() {
               const Array<unsigned char> in("in", counted<unsigned char>(64));
               const Array<unsigned> out("out", 1);
               auto result = launch_kernel({1, 64}, look_at_one_byte<defect>, in.data(), out.data());
               if (!defect) CHECK(out.values() == std::vector<unsigned>{1});
               return result;
             });
}

TEST_CASE("a number is read while others still count") {
  check_both("compact", race(lacks_barrier, "one thread changes kept[0] atomically while another reads it"),
             []<bool defect>() {
               const Array<int> in("in", filled(64, [](unsigned i) { return static_cast<int>(i % 2); })),
                   out("out", 64, 5);
               const Array<unsigned> length("length", 1);
               auto result = launch_kernel({1, 64}, compact<defect>, in.data(), out.data(), length.data());
               if (!defect) CHECK(out.values() == filled(64, [](unsigned i) { return i < 32 ? 1 : 5; }));
               if (!defect) CHECK(length.values() == std::vector<unsigned>{32});
               return result;
             });
}

TEST_CASE("a counter is taken back while others still count") {
  const auto version = []<bool defect>() {
    const Array<unsigned> out("out", 1);
    auto result = launch_kernel({1, 128}, count_twice<defect>, out.data());
    if (!defect) CHECK(out.values() == std::vector<unsigned>{128});
    return result;
  };
  check_both("count_twice",
             race(lacks_barrier, "one thread changes votes[0] atomically while another writes it"), version);
  // At the second place, the lanes of the last warp that did not write, when they count again.
  check_occurrences("count_twice", {1, 31}, version);
}
