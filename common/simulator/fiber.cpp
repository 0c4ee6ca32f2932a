// SPDX-License-Identifier: MIT
#include "simulator/fiber.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <new>
#include <utility>

namespace simulator {

namespace context = boost::context::detail;

namespace {

// Where leave() goes. One launch runs on one thread of the operating system, so one place is enough; it must
// not be thread-local, for such variables are the kernel's shared memory.
context::fcontext_t caller = nullptr;

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

}  // namespace

FiberStack::FiberStack()
    : mapping_(mmap(nullptr, guard_bytes + bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
  if (mapping_ == MAP_FAILED) throw std::bad_alloc();
  mprotect(mapping_, guard_bytes, PROT_NONE);
  // All mappings lie at the same place within a page, so that without an offset the stacks of a block's
  // threads would compete for the same few sets of the processor's caches.
  constexpr std::uintptr_t line_bytes = 64, colours = colour_bytes / line_bytes - 3;
  const std::uintptr_t colour = reinterpret_cast<std::uintptr_t>(mapping_) / page_bytes() % colours;
  top_ = static_cast<char*>(end()) - colour * line_bytes;
}

FiberStack::~FiberStack() {
  if (mapping_) munmap(mapping_, guard_bytes + bytes);
}

FiberStack::FiberStack(FiberStack&& other) noexcept
    : mapping_(std::exchange(other.mapping_, nullptr)), top_(other.top_) {}

void* FiberStack::end() const { return static_cast<char*>(mapping_) + guard_bytes + bytes; }

bool FiberStack::overflows_at(std::uintptr_t address) const {
  return address - reinterpret_cast<std::uintptr_t>(mapping_) < guard_bytes;
}

void Fiber::enter(Body body) {
  if (!context_) {
    context_ = context::make_fcontext(stack_.top(), FiberStack::usable_bytes, [](context::transfer_t from) {
      caller = from.fctx;
      reinterpret_cast<Body>(from.data)();
    });
  }
  const context::transfer_t back = context::jump_fcontext(context_, reinterpret_cast<void*>(body));
  context_ = back.fctx;
}

void Fiber::leave() {
  const context::transfer_t again = context::jump_fcontext(caller, nullptr);
  caller = again.fctx;
}

}  // namespace simulator
