// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "kernels.hpp"
#include "launching.hpp"
#include "simulator/model_device.hpp"
#include "simulator/program_image.hpp"

namespace {

constexpr std::size_t word = sizeof(unsigned);

}  // namespace

TEST_CASE(
    "shared memory holds the same arbitrary words when a block starts, whatever the block before left") {
  const DeviceArray<unsigned> out(4 * 64);
  launch({4, 64}, [&] { read_fresh_shared(out.data()); });
  CHECK(out[0] > 1'000'000);  // neither zero nor a plausible count
  CHECK(out.values() == std::vector<unsigned>(4 * 64, out[0]));
}

TEST_CASE("dynamic shared memory holds them too, up to its last word") {
  const DeviceArray<unsigned> fixed(1), out(4 * 64);
  launch({1, 1}, [&] { read_fresh_shared(fixed.data()); });
  launch({4, 64, 64 * word}, [&] { read_fresh_dynamic(out.data()); });
  CHECK(out.values() == std::vector<unsigned>(4 * 64, fixed[0]));
}

TEST_CASE("a static array in a template has the size of its instance") {
  const DeviceArray<unsigned> out(2);
  launch({2, 64}, [&] { sum_in_template<10>(out.data()); });
  CHECK(out.values() == std::vector<unsigned>(2, 55));
  launch({2, 64}, [&] { sum_in_template<1000>(out.data()); });
  CHECK(out.values() == std::vector<unsigned>(2, 500500));
}

TEST_CASE("a device function may have shared memory of its own") {
  const DeviceArray<unsigned> out(2 * 40);
  launch({2, 40}, [&] { share_through_function(out.data()); });
  CHECK(out.values() == filled(80, [](unsigned i) { return 10 * ((i + 1) % 40); }));
}

TEST_CASE("two names of dynamic shared memory are one address") {
  const DeviceArray<unsigned> out(48);
  launch({1, 48, 48 * word}, [&] { write_words_read_bytes(out.data()); });
  CHECK(out.values() == filled(48, [](unsigned i) { return 0x104 + i; }));  // little endian: 4 + i, and 1
}

TEST_CASE("dynamic shared memory is shared by the threads of a block, in a template too") {
  const DeviceArray<float> floats(100);
  launch({2, 50, 50 * sizeof(float)}, [&] { dynamic_in_template(floats.data()); });
  CHECK(floats.values() == filled(100, [](unsigned i) { return static_cast<float>(49 - i % 50) / 2; }));
  const DeviceArray<double> doubles(50);
  launch({1, 50, 50 * sizeof(double)}, [&] { dynamic_in_template(doubles.data()); });
  CHECK(doubles.values() == filled(50, [](unsigned i) { return (49 - i) / 2.0; }));
}

TEST_CASE("dynamic and static shared memory do not overlap") {
  const DeviceArray<unsigned> out(64);
  launch({1, 64, 64 * word}, [&] { dynamic_beside_static(out.data()); });
  CHECK(out.values() == filled(64, [](unsigned i) { return 1000 + i; }));
}

TEST_CASE("shared variables lie in the program's shared memory, each at bank 0") {
  const DeviceArray<SharedAddresses> out(1);
  launch({1, 1, 16}, [&] { shared_addresses(out.data()); });
  const auto& [first, second, words, bytes] = out[0];
  const std::span<const unsigned char> all = simulator::ProgramImage::instance().shared_memory();
  for (const void* const address : {first, second, words, bytes}) {
    CHECK(reinterpret_cast<std::uintptr_t>(address) % simulator::shared_alignment == 0);
    CHECK((address >= all.data() && address < all.data() + all.size()));
    CHECK_FALSE(simulator::is_device_memory(address, 1));
  }
  CHECK(first != second);
  CHECK(words == bytes);
  CHECK(simulator::dynamic_shared_begin() == words);
}

TEST_CASE("the program knows its shared arrays by name, function and size") {
  const auto& arrays = simulator::ProgramImage::instance().shared_arrays();
  const auto of = [&](std::string_view name, std::string_view function) {
    return std::count_if(arrays.begin(), arrays.end(), [&](const simulator::SharedArray& array) {
      return array.name == name && array.function_prefix.find(function) != std::string::npos;
    });
  };
  CHECK(of("values", "sum_in_template") >= 2);  // an array for each instance
  CHECK(of("no_such_array", "") == 0);
}

TEST_CASE("a launch says how much static shared memory a block takes on a GPU") {
  const DeviceArray<unsigned> out(64);
  CHECK(launch({1, 64}, [&] { read_fresh_shared(out.data()); }).static_shared_bytes == 64 * word);
  CHECK(launch({1, 64}, [&] { take_forty_kibi(out.data()); }).static_shared_bytes == 40 * 1024 + word);
  CHECK(launch({1, 64, 64 * word}, [&] { read_fresh_dynamic(out.data()); }).static_shared_bytes == 0);
}

TEST_CASE("resident blocks are as many as the kernel's own shared memory and registers allow") {
  const auto resident = [](auto* kernel, unsigned threads, std::size_t dynamic = 0) {
    return simulator::launch_resident_blocks(reinterpret_cast<const void*>(kernel), threads, dynamic);
  };
  CHECK(resident(&take_forty_kibi, 64) == 5);
  CHECK(resident(&take_forty_kibi, 64, 50 * 1024) == 2);
  CHECK(resident(&read_fresh_dynamic, 64) == 32);
  const auto* const image = &simulator::ProgramImage::instance();
  const auto* const function = image->function_at(reinterpret_cast<std::uintptr_t>(&read_fresh_dynamic));
  REQUIRE(function);
  simulator::launch_device.registers = {{function->linker_name, 128}};
  CHECK(resident(&read_fresh_dynamic, 64) == 8);
  CHECK(resident(&take_forty_kibi, 64) == 5);
  simulator::launch_device = {};
}

TEST_CASE("an atomic that leaves the same whatever was there initialises, unless its result is used") {
  const DeviceArray<unsigned> out(32);
  const auto told = [&](FirstDeed deed, bool uses_result) {
    const auto result =
        launch({.grid = 1, .block = 32}, [&] { overwrite_shared(deed, uses_result, out.data()); });
    return result.hazards.empty() ? std::string("none") : result.hazards[0].what;
  };
  const std::string words = "a thread changes words[0], which no thread of its block has written";
  for (const FirstDeed deed : {FirstDeed::exchange, FirstDeed::and_zero, FirstDeed::or_all,
                               FirstDeed::min_lowest, FirstDeed::max_highest}) {
    CAPTURE(static_cast<int>(deed));
    CHECK(told(deed, false) == "none");
    CHECK(told(deed, true) == words);
  }
  CHECK(told(FirstDeed::and_one, false) == words);
}

TEST_CASE("a function for global memory must not be given an address in shared memory") {
  const DeviceArray<unsigned> out(32);
  const auto told = [](const simulator::LaunchResult& result) {
    REQUIRE(result.hazards.size() == 1);
    CHECK(result.hazards[0].kind == facts::Verdict::out_of_bounds);
    return result.hazards[0].what;
  };
  CHECK(told(launch({.grid = 1, .block = 32}, [&] { load_shared_as_global(out.data()); })) ==
        "load_shared_as_global read words[0], which lies in shared memory, by a function for global memory");
  CHECK(
      told(launch({.grid = 1, .block = 32}, [&] { store_shared_as_global(out.data()); })) ==
      "store_shared_as_global wrote words[0], which lies in shared memory, by a function for global memory");
}
