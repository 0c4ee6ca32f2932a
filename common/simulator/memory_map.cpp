// SPDX-License-Identifier: MIT
#include "simulator/memory_map.hpp"

#include <fmt/core.h>
#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <utility>

namespace simulator {

namespace {

constexpr std::align_val_t alignment{256};

// Address space of which no page is there until somebody writes to it.
unsigned char* map_holes(std::size_t bytes) {
  void* const mapped =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  return static_cast<unsigned char*>(mapped);
}

}  // namespace

DeviceBuffer::DeviceBuffer(std::size_t bytes, Description description) : size_(bytes) {
  const std::size_t all = bytes + description.misalignment + 2 * description.gap_bytes;
  allocation_ =
      description.has_holes ? map_holes(all) : static_cast<unsigned char*>(::operator new(all, alignment));
  if (description.has_holes) mapped_ = all;
  data_ = allocation_ + description.gap_bytes + description.misalignment;
  DeviceArrays::instance().add({.name = std::move(description.name),
                                .begin = reinterpret_cast<std::uintptr_t>(data_),
                                .bytes = size_,
                                .element_bytes = description.element_bytes,
                                .space = Space::global,
                                .initialised = description.initialised,
                                .read_only = description.read_only,
                                .gap_bytes = description.gap_bytes});
}

DeviceBuffer::~DeviceBuffer() {
  if (!allocation_) return;
  DeviceArrays::instance().remove(reinterpret_cast<std::uintptr_t>(data_));
  if (mapped_ > 0) {
    munmap(allocation_, mapped_);
  } else {
    ::operator delete(allocation_, alignment);
  }
}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : allocation_(std::exchange(other.allocation_, nullptr)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      mapped_(std::exchange(other.mapped_, 0)) {}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
  std::swap(allocation_, other.allocation_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(mapped_, other.mapped_);
  return *this;
}

bool is_device_memory(const void* address, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  const std::span<const NamedArray> all = DeviceArrays::instance().all();
  return std::any_of(all.begin(), all.end(),
                     [&](const NamedArray& array) { return array.contains(first, bytes); });
}

DeviceArrays& DeviceArrays::instance() {
  static DeviceArrays arrays;
  return arrays;
}

void DeviceArrays::add(NamedArray array) {
  std::erase_if(freed_, [&](const NamedArray& freed) {
    return freed.begin < array.begin + array.bytes && array.begin < freed.begin + freed.bytes;
  });
  arrays_.push_back(std::move(array));
}

void DeviceArrays::remove(std::uintptr_t begin) {
  constexpr std::size_t most_freed = 64;
  const auto array =
      std::find_if(arrays_.begin(), arrays_.end(), [begin](const NamedArray& a) { return a.begin == begin; });
  if (array == arrays_.end()) return;
  if (freed_.size() == most_freed) freed_.erase(freed_.begin());
  freed_.push_back(std::move(*array));
  arrays_.erase(array);
}

const NamedArray* DeviceArrays::find_freed(std::uintptr_t address) const {
  const auto array = std::find_if(freed_.begin(), freed_.end(),
                                  [address](const NamedArray& a) { return a.contains(address, 1); });
  return array == freed_.end() ? nullptr : &*array;
}

MemoryMap::MemoryMap(std::size_t dynamic_shared_bytes) {
  if (dynamic_shared_bytes == 0) return;
  for (const SharedArray& array : ProgramImage::instance().shared_arrays()) {
    if (array.is_dynamic)
      shared_.push_back({array.name, array.begin, dynamic_shared_bytes, 0, Space::shared, false});
  }
}

void MemoryMap::use(const SharedArray& array) {
  const bool known = std::any_of(shared_.begin(), shared_.end(),
                                 [&](const NamedArray& a) { return a.begin == array.begin; });
  if (known) return;
  shared_.push_back({array.name, array.begin, array.bytes, 0, Space::shared, false});
  if (!array.is_dynamic) static_shared_bytes_ += array.bytes_on_device();
}

void MemoryMap::entered(const ProgramImage::Function& function) {
  for (const SharedArray& array : ProgramImage::instance().shared_arrays()) {
    if (function.declares(array)) use(array);
  }
}

const NamedArray* MemoryMap::find_inlined(std::uintptr_t address, std::size_t bytes) {
  for (const SharedArray& array : ProgramImage::instance().shared_arrays()) {
    const bool inside = address >= array.begin && address - array.begin < array.bytes &&
                        bytes <= array.bytes - (address - array.begin);
    if (!inside || array.is_dynamic || array.has_function) continue;
    use(array);
    return find(address, bytes);
  }
  return nullptr;
}

const NamedArray* MemoryMap::find(std::uintptr_t address, std::size_t bytes) const {
  for (const NamedArray& array : DeviceArrays::instance().all()) {
    if (array.contains(address, bytes)) return &array;
  }
  for (const NamedArray& array : shared_) {
    if (array.contains(address, bytes)) return &array;
  }
  return nullptr;
}

namespace {

// In ascending order.
const std::vector<NamedArray>& program_variables() {
  static const std::vector<NamedArray> variables = [] {
    std::vector<NamedArray> all;
    for (const ProgramVariable& variable : ProgramImage::instance().variables()) {
      all.push_back({.name = variable.name,
                     .begin = variable.begin,
                     .bytes = variable.bytes,
                     .element_bytes = 0,
                     .space = Space::global,
                     .constant = variable.is_constant});
    }
    return all;
  }();
  return variables;
}

}  // namespace

const NamedArray* MemoryMap::find_variable(std::uintptr_t address, std::size_t bytes) {
  const std::vector<NamedArray>& all = program_variables();
  const auto after =
      std::upper_bound(all.begin(), all.end(), address,
                       [](std::uintptr_t wanted, const NamedArray& array) { return wanted < array.begin; });
  if (after == all.begin() || !std::prev(after)->contains(address, bytes)) return nullptr;
  return &*std::prev(after);
}

const NamedArray* MemoryMap::nearest(std::uintptr_t address, std::uintptr_t reach) const {
  const NamedArray* best = nullptr;
  std::uintptr_t best_distance = UINTPTR_MAX;
  const auto consider = [&](const NamedArray& array) {
    const std::uintptr_t end = array.begin + array.bytes;
    const std::uintptr_t distance = address < array.begin ? array.begin - address
                                    : address >= end      ? address - end
                                                          : 0;
    if (distance >= best_distance || distance >= std::max(reach, array.gap_bytes)) return;
    best_distance = distance;
    best = &array;
  };
  // The host's heap, where device arrays are, may begin right behind the program.
  if (ProgramImage::instance().contains(address, 1)) {
    for (const NamedArray& array : program_variables()) consider(array);
    return best;
  }
  for (const NamedArray& array : DeviceArrays::instance().all()) consider(array);
  // A wild access to global memory is not an access to shared memory that happens to lie near.
  const std::span<const unsigned char> shared = ProgramImage::instance().shared_memory();
  const auto shared_begin = reinterpret_cast<std::uintptr_t>(shared.data());
  if (address + 4096 >= shared_begin && address < shared_begin + shared.size() + 4096) {
    for (const NamedArray& array : shared_) consider(array);
  }
  return best;
}

std::optional<MemoryMap::WrappedIndex> MemoryMap::wrapped_index(std::uintptr_t address,
                                                                std::size_t size) const {
  constexpr std::uint64_t range = std::uint64_t{1} << 32, most_below_zero = 1 << 16;
  const auto index_in = [&](const NamedArray& array) -> std::optional<WrappedIndex> {
    const std::size_t element = array.element_bytes > 0 ? array.element_bytes : size;
    const std::uint64_t index = (address - array.begin) / element;
    if (address < array.begin || index >= range || index < range - most_below_zero) return std::nullopt;
    return WrappedIndex{&array, static_cast<std::uint32_t>(index), array.bytes / element};
  };
  for (const NamedArray& array : shared_) {
    if (auto found = index_in(array)) return found;
  }
  for (const NamedArray& array : DeviceArrays::instance().all()) {
    if (auto found = index_in(array)) return found;
  }
  return std::nullopt;
}

std::string element_name(const NamedArray& array, std::uintptr_t address, std::size_t size) {
  const auto element = static_cast<std::int64_t>(array.element_bytes > 0 ? array.element_bytes : size);
  const auto distance = static_cast<std::int64_t>(address - array.begin);
  const std::int64_t index = distance >= 0 ? distance / element : -((-distance + element - 1) / element);
  return fmt::format("{}[{}]", array.name, index);
}

std::string name_of_element(std::uintptr_t address, std::size_t size) {
  for (const NamedArray& array : DeviceArrays::instance().all()) {
    if (array.contains(address, 1)) return element_name(array, address, size);
  }
  for (const SharedArray& array : ProgramImage::instance().shared_arrays()) {
    if (address < array.begin || address - array.begin >= array.bytes) continue;
    return element_name({array.name, array.begin, array.bytes, 0, Space::shared, false}, address, size);
  }
  if (const NamedArray* const variable = MemoryMap::find_variable(address, 1)) {
    return variable->bytes == size ? variable->name : element_name(*variable, address, size);
  }
  return "a variable of the program";
}

}  // namespace simulator
