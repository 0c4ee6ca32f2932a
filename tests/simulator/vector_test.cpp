// SPDX-License-Identifier: MIT
// A vector that is loaded or stored as a whole is one access of its size, whatever its components are used
// for.
#include <type_traits>

#include "kernels.hpp"
#include "launching.hpp"

namespace {

constexpr unsigned warp_threads = 32;

uint4 numbered_vector(unsigned i) { return make_uint4(i, 100 + i, 200 + i, 300 + i); }

struct VectorCount {
  std::uint64_t requests, sectors;
};
bool operator==(const VectorCount& a, const VectorCount& b) {
  return a.requests == b.requests && a.sectors == b.sectors;
}

VectorCount vector_loads(const simulator::LaunchResult& result) {
  return {result.counters.value("global_load_requests"), result.counters.value("global_load_sectors")};
}
VectorCount vector_stores(const simulator::LaunchResult& result) {
  return {result.counters.value("global_store_requests"), result.counters.value("global_store_sectors")};
}

// Whether 32 lanes load 16 bytes each with one instruction.
void check_loads(const char* name, void (*kernel)(const uint4*, unsigned*)) {
  CAPTURE(name);
  const DeviceArray<uint4> in(filled(warp_threads, numbered_vector));
  const DeviceArray<unsigned> out(warp_threads);
  const auto result = launch({.grid = 1, .block = warp_threads}, [&] { kernel(in.data(), out.data()); });
  CHECK(result.hazards.empty());
  CHECK(vector_loads(result) == VectorCount{1, warp_threads * 16 / 32});
}

void check_copies(const char* name, void (*kernel)(const uint4*, uint4*)) {
  CAPTURE(name);
  const DeviceArray<uint4> in(filled(4 * warp_threads, numbered_vector)), out(warp_threads);
  const auto result = launch({.grid = 1, .block = warp_threads}, [&] { kernel(in.data(), out.data()); });
  CHECK(result.hazards.empty());
  CHECK(vector_loads(result) == VectorCount{1, warp_threads * 16 / 32});
  CHECK(vector_stores(result) == VectorCount{1, warp_threads * 16 / 32});
}

template <class Vector>
void check_type(const char* name) {
  CAPTURE(name);
  const DeviceArray<Vector> in(warp_threads);
  const DeviceArray<unsigned> out(warp_threads);
  const auto result =
      launch({.grid = 1, .block = warp_threads}, [&] { add_components(in.data(), out.data()); });
  CHECK(vector_loads(result) == VectorCount{1, warp_threads * sizeof(Vector) / 32});
}

}  // namespace

TEST_CASE("a vector of which components are used is one load") {
  check_loads("all components", use_components);
  check_loads("some components", use_some_components);
  check_loads("each branch its own components", use_branches);
  check_loads("an argument", pass_to_function);
  check_loads("captured in a lambda", capture_in_lambda);
  check_loads("the result of a lambda", load_in_lambda);
  check_loads("its bytes", look_at_bytes);
  check_loads("in a union", look_through_union);
  check_loads("with a cache hint", load_by_cache_hint);
}

TEST_CASE("the components of a vector are right") {
  const DeviceArray<uint4> in(filled(warp_threads, numbered_vector));
  const DeviceArray<unsigned> out(warp_threads);
  launch({.grid = 1, .block = warp_threads}, [&] { use_components(in.data(), out.data()); });
  CHECK(out.values() == filled(warp_threads, [](unsigned i) { return 600 + 4 * i; }));
  const DeviceArray<uint4> reversed(warp_threads);
  launch({.grid = 1, .block = warp_threads}, [&] { store_made(in.data(), reversed.data()); });
  CHECK(reversed[7].x == 307);
  CHECK(reversed[7].w == 7);
  launch({.grid = 1, .block = warp_threads}, [&] { store_result(in.data(), reversed.data()); });
  CHECK(reversed[31].y == 262);
}

TEST_CASE("a component that is named in memory is a load of that component") {
  const DeviceArray<uint4> in(filled(warp_threads, numbered_vector));
  const DeviceArray<unsigned> out(warp_threads);
  simulator::LaunchConfiguration configuration{.grid = 1, .block = warp_threads};
  configuration.trace = facts::TraceRequest{.blocks = {{0, 0}}};
  const auto result = launch(configuration, [&] { name_one_component(in.data(), out.data()); });
  std::vector<unsigned> sizes;
  for (const facts::TraceEvent& event : result.trace->events) {
    if (event.step == facts::TraceStep::load) sizes.push_back(event.size);
  }
  CHECK(sizes == std::vector{4u});
}

TEST_CASE("a vector that is copied, made or returned is one store") {
  check_copies("copied", copy_whole);
  check_copies("made", store_made);
  check_copies("returned", store_result);
  check_copies("hints ca and wb", copy_by_cache_hint<0>);
  check_copies("hints cg and cg", copy_by_cache_hint<1>);
  check_copies("hints cs and cs", copy_by_cache_hint<2>);
  check_copies("hints cv and wt", copy_by_cache_hint<3>);
  check_copies("hints lu and cs", copy_by_cache_hint<4>);
}

TEST_CASE("vectors in a local array are loaded one by one") {
  const DeviceArray<uint4> in(filled(4 * warp_threads, numbered_vector)), out(warp_threads);
  const auto result =
      launch({.grid = 1, .block = warp_threads}, [&] { keep_in_array(in.data(), out.data()); });
  CHECK(vector_loads(result) == VectorCount{4, 4 * warp_threads * 16 / 32});
  CHECK(vector_stores(result) == VectorCount{1, warp_threads * 16 / 32});
  CHECK(out[1].x == 1 + 33 + 65 + 97);
}

TEST_CASE("vectors in shared memory are accessed as a whole") {
  const DeviceArray<uint4> in(filled(warp_threads, numbered_vector)), out(warp_threads);
  const auto result =
      launch({.grid = 1, .block = warp_threads}, [&] { through_shared(in.data(), out.data()); });
  CHECK(result.hazards.empty());
  CHECK(result.counters.value("shared_store_requests") == 1);
  CHECK(result.counters.value("shared_load_requests") == 1);
  CHECK(result.counters.value("shared_load_wavefronts") == 4);
  CHECK(out[5].x == 4);
}

TEST_CASE("elements of shared memory that lie side by side are loaded as nvcc loads them") {
#define CHECK_ELEMENTS(T, first, count, stride, requests)                                        \
  {                                                                                              \
    CAPTURE(#T ", " #first ", " #count ", " #stride);                                            \
    const DeviceArray<T> out(warp_threads);                                                      \
    const auto result = launch({.grid = 1, .block = warp_threads},                               \
                               [&] { load_side_by_side<T, first, count, stride>(out.data()); }); \
    CHECK(result.hazards.empty());                                                               \
    CHECK(result.counters.value("shared_load_requests") == requests);                            \
  }
  FOR_EACH_ELEMENTS(CHECK_ELEMENTS);
}

TEST_CASE("a word that is used twice is loaded once, unless something may have changed it") {
#define CHECK_USE(way, loads)                                                                  \
  {                                                                                            \
    CAPTURE(way);                                                                              \
    const DeviceArray<unsigned> out(filled(128, [](unsigned i) { return i * 37 % 64; }));      \
    const auto result = launch({.grid = 1, .block = 64}, [&] { use_twice<way>(out.data()); }); \
    CHECK(result.hazards.empty());                                                             \
    CHECK(result.counters.value("shared_load_requests") == 2 * loads);                         \
  }
  FOR_EACH_USE(CHECK_USE);
}

TEST_CASE("words side by side are loaded together whatever their order, unless shared memory may change") {
#define CHECK_ORDER(way, loads)                                                                \
  {                                                                                            \
    CAPTURE(way);                                                                              \
    const DeviceArray<unsigned> words(filled(256, [](unsigned i) { return i * 37 % 64; }));    \
    const auto result =                                                                        \
        launch({.grid = 1, .block = warp_threads}, [&] { load_in_order<way>(words.data()); }); \
    CHECK(result.hazards.empty());                                                             \
    CHECK(result.counters.value("shared_load_requests") == loads);                             \
  }
  FOR_EACH_ORDER(CHECK_ORDER);
}

TEST_CASE("a word of shared memory is kept across what changes no shared memory") {
#define CHECK_KEEPING(way, loads)                                                                            \
  {                                                                                                          \
    CAPTURE(way);                                                                                            \
    const DeviceArray<unsigned> words(filled(256, [](unsigned i) { return i < 200 ? i : 8; }));              \
    const auto result = launch({.grid = 1, .block = warp_threads}, [&] { keep_across<way>(words.data()); }); \
    CHECK(result.hazards.empty());                                                                           \
    CHECK(result.counters.value("shared_load_requests") == loads);                                           \
  }
  FOR_EACH_KEEPING(CHECK_KEEPING);
}

TEST_CASE("a word of shared memory is kept across atomics on another array, not across those on its own") {
#define CHECK_ATOMIC_BETWEEN(way, loads)                                                            \
  {                                                                                                 \
    CAPTURE(way);                                                                                   \
    const DeviceArray<unsigned> words(filled(256, [](unsigned i) { return i < 200 ? i : 8; }));     \
    const auto result =                                                                             \
        launch({.grid = 1, .block = warp_threads}, [&] { keep_across_atomic<way>(words.data()); }); \
    CHECK(result.hazards.empty());                                                                  \
    CHECK(result.counters.value("shared_load_requests") == loads);                                  \
  }
  FOR_EACH_ATOMIC_BETWEEN(CHECK_ATOMIC_BETWEEN);
}

TEST_CASE("words that lie side by side once are counted apart when they do not the next time") {
  const auto loads = [](unsigned rounds) {
    const DeviceArray<unsigned> words(256);
    const auto result =
        launch({.grid = 1, .block = warp_threads}, [&] { sum_by_distances(rounds, words.data()); });
    return std::pair(result.counters.value("shared_load_requests"),
                     result.counters.value("shared_load_wavefronts"));
  };
  const auto one = loads(1), two = loads(2), three = loads(3);
  CHECK(two.first == 4);
  CHECK(two.second == 8);
  CHECK(three.first == 6);
  CHECK(one == std::pair{std::uint64_t{1}, std::uint64_t{2}});
}

TEST_CASE("a struct of vectors is copied a vector at a time") {
  const DeviceArray<unsigned char> in(32 * warp_threads), out(32 * warp_threads);
  const auto result =
      launch({.grid = 1, .block = warp_threads}, [&] { copy_members(in.data(), out.data()); });
  CHECK(vector_loads(result) == VectorCount{2, 2 * warp_threads});
  CHECK(vector_stores(result) == VectorCount{2, 2 * warp_threads});
}

TEST_CASE("memory is copied byte by byte where nvcc does not know its alignment, types in their own") {
#define CHECK_COPY(way, loads, stores, shared_loads, shared_stores)                                   \
  {                                                                                                   \
    CAPTURE(way);                                                                                     \
    const DeviceArray<unsigned char> in(16 * warp_threads), out(16 * warp_threads);                   \
    const auto result =                                                                               \
        launch({.grid = 1, .block = warp_threads}, [&] { copy_memory<way>(in.data(), out.data()); }); \
    CHECK(result.hazards.empty());                                                                    \
    CHECK(result.counters.value("global_load_requests") == loads);                                    \
    CHECK(result.counters.value("global_store_requests") == stores);                                  \
    CHECK(result.counters.value("shared_load_requests") == shared_loads);                             \
    CHECK(result.counters.value("shared_store_requests") == shared_stores);                           \
  }
  FOR_EACH_COPY(CHECK_COPY);
}

TEST_CASE("vectors of every type of 2 to 16 bytes are one access") {
#define CHECK_TYPE(vector) check_type<vector>(#vector);
  FOR_EACH_TESTED_VECTOR(CHECK_TYPE)
}

TEST_CASE("a misaligned vector is found, an aligned one is none") {
  const DeviceArray<unsigned char> bytes(256);
  const DeviceArray<unsigned> out(1);
  const auto load = [&](unsigned by) {
    return launch({.grid = 1, .block = 1}, [&] { load_misaligned(bytes.data(), by, out.data()); }).hazards;
  };
  const auto store = [&](unsigned by) {
    return launch({.grid = 1, .block = 1}, [&] { store_misaligned(bytes.data(), by); }).hazards;
  };
  CHECK(load(16).empty());
  CHECK(store(8).empty());
  REQUIRE(load(4).size() == 1);
  CHECK(load(4)[0].what ==
        "load_misaligned read 16 bytes at memory[4] at an address that is no multiple of 16");
  REQUIRE(load(8).size() == 1);
  REQUIRE(store(4).size() == 1);
  CHECK(store(4)[0].what ==
        "store_misaligned wrote 8 bytes at memory[4] at an address that is no multiple of 8");
}

TEST_CASE("vectors are written as under nvcc") {
  constexpr uint4 braces{1, 2, 3, 4}, some = {5}, none = {};
  static_assert(braces.w == 4 && some.x == 5 && some.y == 0 && none.x == 0);
  static_assert(std::is_trivially_default_constructible_v<uint4>);
  static_assert(make_float2(1, 2).y == 2);
  constexpr uint4 copy = braces;
  static_assert(copy.z == 3);
  const auto [x, y] = make_int2(6, 7);
  CHECK(x + y == 13);
}
