// SPDX-License-Identifier: MIT
#include <memory>

#include "checking.hpp"

TEST_CASE("a read past the end") {
  check_both("read_past_end", out_of_bounds("read_past_end read in[100]; in has 100 elements"),
             []<bool defect>() {
               const Array<unsigned> in("in", counted(100)), out("out", 1);
               auto result = launch_kernel({2, 64}, read_past_end<defect>, in.data(), 100, out.data());
               CHECK(out.values() == std::vector<unsigned>{99 * 50});
               return result;
             });
}

TEST_CASE("a write past the end") {
  check_both("write_past_end", out_of_bounds("write_past_end wrote out[100]; out has 100 elements"),
             []<bool defect>() {
               const Array<unsigned> out("out", 100);
               auto result = launch_kernel({1, 32}, write_past_end<defect>, 100, out.data());
               CHECK(out.values() == counted(100));
               return result;
             });
}

TEST_CASE("an atomic past the end") {
  check_both("count_past_end", out_of_bounds("count_past_end changed bins[10]; bins has 10 elements"),
             []<bool defect>() {
               const Array<unsigned> grades("grades", filled(33, [](unsigned i) { return i % 11; })),
                   bins("bins", 10);
               auto result = launch_kernel({1, 33}, count_past_end<defect>, grades.data(), bins.data());
               CHECK(bins.values() == filled(10, [](unsigned i) { return !defect && i == 9 ? 6u : 3u; }));
               return result;
             });
}

TEST_CASE("a read before the start") {
  check_both("read_before_start", out_of_bounds("read_before_start read in[-1]; in has 64 elements"),
             []<bool defect>() {
               const Array<int> in("in", counted<int>(64)), out("out", 64);
               auto result = launch_kernel({1, 64}, read_before_start<defect>, in.data(), out.data());
               CHECK(out.values() == filled(64, [](unsigned i) { return i == 0 ? 0 : 1; }));
               return result;
             });
}

TEST_CASE("a static shared array without room for the halo") {
  check_both("tile_too_small", out_of_bounds("tile_too_small wrote tile[33]; tile has 33 elements"),
             []<bool defect>() {
               const Array<unsigned> in("in", counted(34)), out("out", 32);
               auto result = launch_kernel({1, 32}, tile_too_small<defect>, in.data(), out.data());
               if (!defect) CHECK(out.values() == filled(32, [](unsigned i) { return 3 * i + 3; }));
               return result;
             });
}

TEST_CASE("dynamic shared memory beyond what the launch gives") {
  check_both(
      "carve_dynamic",
      out_of_bounds("carve_dynamic wrote words[128]; words is dynamic shared memory, of which launch_shape "
                    "gives 512 bytes"),
      []<bool defect>() {
        const Array<unsigned> out("out", 64);
        auto result = launch_kernel({1, 64, 128 * sizeof(unsigned)}, carve_dynamic<defect>, out.data());
        if (!defect) CHECK(out.values() == filled(64, [](unsigned i) { return i ^ 1; }));
        return result;
      });
}

TEST_CASE("pairs of words at an odd word") {
  check_both("misaligned_pairs",
             out_of_bounds("misaligned_pairs read 8 bytes at in[1] at an address that is no multiple of 8"),
             []<bool defect>() {
               const Array<unsigned> in("in", counted(66));
               const Array<uint2> out("out", 32);
               auto result = launch_kernel({1, 32}, misaligned_pairs<defect>, in.data(), out.data());
               if (!defect) CHECK(out.values()[31].y == 65);
               return result;
             });
}

TEST_CASE("a number within a record of bytes") {
  check_both(
      "misaligned_field",
      out_of_bounds("misaligned_field wrote 4 bytes at records[2] at an address that is no multiple of 4"),
      []<bool defect>() {
        const Array<unsigned char> records("records", 8 * 32);
        const Array<int> values("values", counted<int>(32));
        auto result = launch_kernel({1, 32}, misaligned_field<defect>, records.data(), values.data());
        if (!defect) CHECK(records.values()[8 * 31 + 4] == 31);
        return result;
      });
}

TEST_CASE("a 64-bit atomic at an odd word") {
  check_both(
      "misaligned_atomic",
      out_of_bounds("misaligned_atomic changed 8 bytes at header[3] at an address that is no multiple of 8"),
      []<bool defect>() {
        const Array<unsigned> header("header", 6);
        auto result = launch_kernel({1, 32}, misaligned_atomic<defect>, header.data());
        if (!defect) CHECK(header.values() == std::vector<unsigned>{0, 0, 33 * 16, 0, 0, 0});
        return result;
      });
}

TEST_CASE("sixteen bytes of which eight are past the end") {
  check_both("copy_by_sixteen", out_of_bounds("copy_by_sixteen read in[14]; in has 14 elements"),
             []<bool defect>() {
               const Array<unsigned> in("in", counted(14)), out("out", 16);
               auto result =
                   launch_kernel({1, 32}, copy_by_sixteen<defect>, reinterpret_cast<const uint4*>(in.data()),
                                 56, reinterpret_cast<uint4*>(out.data()));
               if (!defect) CHECK(out.values() == filled(16, [](unsigned i) { return i < 12 ? i ^ 3 : 0; }));
               return result;
             });
}

TEST_CASE("eight bytes of which four are past the end") {
  check_both("clear_by_eight", out_of_bounds("clear_by_eight wrote words[21]; words has 21 elements"),
             []<bool defect>() {
               const Array<unsigned> words("words", 21, 9);
               auto result = launch_kernel({1, 32}, clear_by_eight<defect>, words.data(), 21);
               CHECK(words.values() == filled(21, [](unsigned i) { return defect && i == 20 ? 9u : 0u; }));
               return result;
             });
}

TEST_CASE("a null pointer") {
  check_both("write_to_null", out_of_bounds("write_to_null wrote address 0x0, which belongs to no array"),
             []<bool defect>() {
               const Array<unsigned> in("in", counted(64)), sum("sum", 1);
               auto result = launch_kernel({1, 64}, write_to_null<defect>, in.data(), sum.data(), nullptr);
               CHECK(sum.values() == std::vector<unsigned>{63 * 32});
               return result;
             });
}

TEST_CASE("a pointer to the host's memory") {
  check_both("scale_by_pointer", out_of_bounds("scale_by_pointer read memory that belongs to no array"),
             []<bool defect>() {
               const float on_host = 3;
               const Array<float> on_device("factor", 1, 3), data("data", counted<float>(40));
               auto result = launch_kernel({1, 32}, scale_by_pointer<defect>,
                                           defect ? &on_host : on_device.data(), data.data());
               if (!defect)
                 CHECK(data.values() == filled(40, [](unsigned i) { return 3 * static_cast<float>(i); }));
               return result;
             });
}

TEST_CASE("a negative index from a signed char") {
  check_both("count_letters", out_of_bounds("count_letters changed bins[-61]; bins has 256 elements"),
             []<bool defect>() {
               const std::string words = "na\xc3\xafve sentence";
               const Array<signed char> text("text", std::vector<signed char>(words.begin(), words.end()));
               const Array<unsigned> bins("bins", 256);
               auto result = launch_kernel({1, 8}, count_letters<defect>, text.data(),
                                           static_cast<unsigned>(words.size()), bins.data());
               CHECK(bins.values()['n'] == 3);
               return result;
             });
}

TEST_CASE("a pointer of a former launch, whose memory has been freed") {
  check_both(
      "follow_table", out_of_bounds("follow_table read second[0], which has been freed"), []<bool defect>() {
        const Array<unsigned> first("first", counted(32)), out("out", 2);
        auto second = std::make_unique<Array<unsigned>>("second", counted(32));
        const Array<unsigned*> table("table", std::vector<unsigned*>{first.data(), second->data()});
        check_silent("follow_table", launch_kernel({2, 1}, follow_table<defect>, table.data(), out.data()));
        if (defect) second.reset();
        return launch_kernel({2, 1}, follow_table<defect>, table.data(), out.data());
      });
}

TEST_CASE("rows and columns mixed up") {
  check_both("invert_picture", out_of_bounds("invert_picture read pixels[1000]; pixels has 1,000 bytes"),
             []<bool defect>() {
               const Array<unsigned char> pixels("pixels", 50 * 20, 1), out("out", 50 * 20);
               auto result = launch_kernel({{4, 2}, {16, 16}}, invert_picture<defect>, pixels.data(), 50, 20,
                                           out.data());
               if (!defect) CHECK(out.values() == std::vector<unsigned char>(50 * 20, 254));
               return result;
             });
}
