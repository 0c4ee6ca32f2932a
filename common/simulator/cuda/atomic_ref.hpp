// SPDX-License-Identifier: MIT
// <cuda/atomic>: cuda::atomic_ref and cuda::atomic, made of CUDA's atomic functions and fences. Loads and
// stores are volatile, which to the checkers is what relaxed ones are; a stronger order adds a release before
// the access, an acquire behind it, or both. As in libcu++, a sequentially consistent operation has a fence
// for all words in front.
#pragma once

#include "simulator/cuda/cuda.hpp"

#define SIMULATOR_INLINE __attribute__((always_inline)) inline

namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

namespace std {

enum class memory_order { relaxed, consume, acquire, release, acq_rel, seq_cst };
inline constexpr memory_order memory_order_relaxed = memory_order::relaxed;
inline constexpr memory_order memory_order_consume = memory_order::consume;
inline constexpr memory_order memory_order_acquire = memory_order::acquire;
inline constexpr memory_order memory_order_release = memory_order::release;
inline constexpr memory_order memory_order_acq_rel = memory_order::acq_rel;
inline constexpr memory_order memory_order_seq_cst = memory_order::seq_cst;

}  // namespace std

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

namespace simulated {

constexpr bool releases(memory_order order) { return order >= memory_order_release; }
constexpr bool acquires(memory_order order) {
  return order != memory_order_relaxed && order != memory_order_release;
}

// Of all accesses, or of an operation on a word.
SIMULATOR_INLINE void fence(memory_order order, thread_scope scope, const volatile void* word) {
  using Scope = ::simulator::FenceScope;
  using Order = ::simulator::FenceOrder;
  if (order == memory_order_relaxed || scope == thread_scope_thread) return;
  ::simulator::fence(scope == thread_scope_block    ? Scope::block
                     : scope == thread_scope_device ? Scope::device
                                                    : Scope::system,
                     !releases(order)                ? Order::acquire
                     : !acquires(order)              ? Order::release
                     : order == memory_order_seq_cst ? Order::sequential
                                                     : Order::both,
                     word);
}

}  // namespace simulated

SIMULATOR_INLINE void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
  simulated::fence(order, scope, nullptr);
}
// Between a thread and what interrupts it: nothing does here.
SIMULATOR_INLINE void atomic_signal_fence(memory_order) {}

namespace simulated {

template <int bytes>
struct BitsOf;
template <>
struct BitsOf<1> {
  using type = unsigned char;
};
template <>
struct BitsOf<2> {
  using type = unsigned short;
};
template <>
struct BitsOf<4> {
  using type = unsigned int;
};
template <>
struct BitsOf<8> {
  using type = unsigned long long;
};

// One of CUDA's atomic functions in the variant for a scope. <cuda/atomic> hands the hardware a generic
// address.
template <thread_scope scope, class T>
SIMULATOR_INLINE T scoped(::simulator::AtomicOperation operation, T* address, T operand, T compare) {
  constexpr bool for_block = scope == thread_scope_block || scope == thread_scope_thread;
  return ::simulator::perform_atomic<T>(
      ::simulator::choice_of(operation, ::simulator::AtomicForm::generic,
                             for_block ? ::simulator::AtomicScope::block : ::simulator::AtomicScope::device),
      address, operand, compare);
}
#define SIMULATOR_SCOPED(name, operation)                                                                    \
  template <thread_scope scope, class T>                                                                     \
  SIMULATOR_INLINE T scoped_##name(T* address, T operand) {                                                  \
    return ::simulator::used(scoped<scope>(::simulator::AtomicOperation::operation, address, operand, T{})); \
  }
SIMULATOR_SCOPED(atomicAdd, add)
SIMULATOR_SCOPED(atomicMin, min)
SIMULATOR_SCOPED(atomicMax, max)
SIMULATOR_SCOPED(atomicExch, exchange)
SIMULATOR_SCOPED(atomicAnd, bitwise_and)
SIMULATOR_SCOPED(atomicOr, bitwise_or)
SIMULATOR_SCOPED(atomicXor, bitwise_xor)
#undef SIMULATOR_SCOPED
template <thread_scope scope, class T>
SIMULATOR_INLINE T scoped_atomicCAS(T* address, T compare, T value) {
  return scoped<scope>(::simulator::AtomicOperation::compare_and_swap, address, value, compare);
}

// The operations on a word at an address.
template <class T, thread_scope scope>
class Operations {
  static_assert(
      sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
      "cuda::atomic_ref of a type that has not 1, 2, 4 or 8 bytes is not simulated: it needs a GPU");
  // A vector is copied by a constructor here (types.hpp), which nvcc's does not have.
  static constexpr bool is_vector = ::simulator::is_one_of<T, char2, uchar2, char4, uchar4, short2, ushort2,
                                                           short4, ushort4, int2, uint2, float2>;
  static_assert(::std::is_trivially_copyable_v<T> || is_vector,
                "cuda::atomic_ref takes trivially copyable types");

  typedef typename BitsOf<sizeof(T)>::type Bits __attribute__((may_alias));
  typedef unsigned int Word __attribute__((may_alias));

  using Step = ::std::conditional_t<::std::is_pointer_v<T>, ::std::ptrdiff_t, T>;

  static constexpr bool is_wide = ::std::is_integral_v<T> && sizeof(T) == 8;

 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;
  static constexpr ::std::size_t required_alignment = sizeof(T);

  SIMULATOR_INLINE bool is_lock_free() const { return true; }

  SIMULATOR_INLINE T load(memory_order order = memory_order_seq_cst) const {
    if (order == memory_order_seq_cst) atomic_thread_fence(order, scope);
    const T value = from_bits(*static_cast<const volatile Bits*>(bits()));
    if (acquires(order)) acquire();
    return value;
  }
  SIMULATOR_INLINE void store(T value, memory_order order = memory_order_seq_cst) const {
    if (releases(order)) release(order);
    *static_cast<volatile Bits*>(bits()) = to_bits(value);
  }
  SIMULATOR_INLINE operator T() const { return load(); }

  // Until there is another value. Nobody sleeps here, so that nobody has to be told.
  SIMULATOR_INLINE void wait(T old, memory_order order = memory_order_seq_cst) const {
    while (to_bits(load(order)) == to_bits(old)) {
    }
  }
  SIMULATOR_INLINE void notify_one() const {}
  SIMULATOR_INLINE void notify_all() const {}

  SIMULATOR_INLINE T exchange(T value, memory_order order = memory_order_seq_cst) const {
    if constexpr (sizeof(T) < 4)
      return changed([=](T) { return value; }, order);
    else
      return ordered(order,
                     [&] { return from_bits(scoped_atomicExch<scope>(plain(bits()), to_bits(value))); });
  }

  SIMULATOR_INLINE bool compare_exchange_strong(T& expected, T value,
                                                memory_order order = memory_order_seq_cst) const {
    const T old = ordered(order, [&] { return swapped_if(expected, value); });
    const bool is_equal = to_bits(old) == to_bits(expected);
    if (!is_equal) expected = old;
    return is_equal;
  }
  // libcu++ takes the stronger of both orders.
  SIMULATOR_INLINE bool compare_exchange_strong(T& expected, T value, memory_order order,
                                                memory_order failure) const {
    return compare_exchange_strong(expected, value, stronger(order, failure));
  }
  SIMULATOR_INLINE bool compare_exchange_weak(T& expected, T value,
                                              memory_order order = memory_order_seq_cst) const {
    return compare_exchange_strong(expected, value, order);
  }
  SIMULATOR_INLINE bool compare_exchange_weak(T& expected, T value, memory_order order,
                                              memory_order failure) const {
    return compare_exchange_strong(expected, value, order, failure);
  }

  SIMULATOR_INLINE T fetch_add(Step operand, memory_order order = memory_order_seq_cst) const {
    static_assert(!::std::is_pointer_v<T>, "fetch_add of a pointer is not simulated: it needs a GPU");
    if constexpr (::std::is_pointer_v<T>)
      return {};
    else if constexpr (sizeof(T) < 4)
      return changed([=](T old) { return static_cast<T>(old + operand); }, order);
    else if constexpr (is_wide)
      return ordered(order,
                     [&] { return from_bits(scoped_atomicAdd<scope>(plain(bits()), to_bits(operand))); });
    else
      return ordered(order, [&] { return scoped_atomicAdd<scope>(address_, operand); });
  }
  SIMULATOR_INLINE T fetch_sub(Step operand, memory_order order = memory_order_seq_cst) const {
    return fetch_add(static_cast<Step>(Step{} - operand), order);
  }

#define SIMULATOR_EXTREME(name, function, comparison)                                                    \
  SIMULATOR_INLINE T name(T operand, memory_order order = memory_order_seq_cst) const {                  \
    if constexpr (::std::is_floating_point_v<T> || sizeof(T) < 4) {                                      \
      return changed([=](T old) { return operand comparison old ? operand : old; }, order);              \
    } else if constexpr (is_wide) {                                                                      \
      using Wide = ::std::conditional_t<::std::is_signed_v<T>, long long, unsigned long long>;           \
      typedef Wide Aliased __attribute__((may_alias));                                                   \
      return ordered(order, [&] {                                                                        \
        return static_cast<T>(scoped_##function<scope>(                                                  \
            reinterpret_cast<Wide*>(reinterpret_cast<Aliased*>(address_)), static_cast<Wide>(operand))); \
      });                                                                                                \
    } else {                                                                                             \
      return ordered(order, [&] { return scoped_##function<scope>(address_, operand); });                \
    }                                                                                                    \
  }
  SIMULATOR_EXTREME(fetch_min, atomicMin, <)
  SIMULATOR_EXTREME(fetch_max, atomicMax, >)
#undef SIMULATOR_EXTREME

#define SIMULATOR_BITWISE(name, function, operation)                                                        \
  SIMULATOR_INLINE T name(T operand, memory_order order = memory_order_seq_cst) const {                     \
    static_assert(::std::is_integral_v<T>, #name " is there for integers");                                 \
    if constexpr (sizeof(T) < 4)                                                                            \
      return changed([=](T old) { return static_cast<T>(old operation operand); }, order);                  \
    else                                                                                                    \
      return ordered(order,                                                                                 \
                     [&] { return from_bits(scoped_##function<scope>(plain(bits()), to_bits(operand))); }); \
  }
  SIMULATOR_BITWISE(fetch_and, atomicAnd, &)
  SIMULATOR_BITWISE(fetch_or, atomicOr, |)
  SIMULATOR_BITWISE(fetch_xor, atomicXor, ^)
#undef SIMULATOR_BITWISE

  SIMULATOR_INLINE T operator=(T value) const {
    store(value);
    return value;
  }
  SIMULATOR_INLINE T operator++() const { return static_cast<T>(fetch_add(T{1}) + T{1}); }
  SIMULATOR_INLINE T operator++(int) const { return fetch_add(T{1}); }
  SIMULATOR_INLINE T operator--() const { return static_cast<T>(fetch_sub(T{1}) - T{1}); }
  SIMULATOR_INLINE T operator--(int) const { return fetch_sub(T{1}); }
  SIMULATOR_INLINE T operator+=(T operand) const { return static_cast<T>(fetch_add(operand) + operand); }
  SIMULATOR_INLINE T operator-=(T operand) const { return static_cast<T>(fetch_sub(operand) - operand); }
  SIMULATOR_INLINE T operator&=(T operand) const { return static_cast<T>(fetch_and(operand) & operand); }
  SIMULATOR_INLINE T operator|=(T operand) const { return static_cast<T>(fetch_or(operand) | operand); }
  SIMULATOR_INLINE T operator^=(T operand) const { return static_cast<T>(fetch_xor(operand) ^ operand); }

 protected:
  explicit constexpr Operations(T* address) : address_(address) {}
  Operations(const Operations&) = default;

 private:
  using PlainBits = typename BitsOf<sizeof(T)>::type;

  SIMULATOR_INLINE Bits* bits() const {
    return reinterpret_cast<Bits*>(const_cast<::std::remove_cv_t<T>*>(address_));
  }
  static SIMULATOR_INLINE PlainBits* plain(Bits* address) { return reinterpret_cast<PlainBits*>(address); }
  static SIMULATOR_INLINE PlainBits to_bits(T value) {
    if constexpr (is_vector) {
      PlainBits result;
      __builtin_memcpy(&result, static_cast<void*>(&value), sizeof(T));
      return result;
    } else {
      return __builtin_bit_cast(PlainBits, value);
    }
  }
  static SIMULATOR_INLINE T from_bits(PlainBits value) {
    if constexpr (is_vector) {
      T result;
      __builtin_memcpy(static_cast<void*>(&result), &value, sizeof(T));
      return result;
    } else {
      return __builtin_bit_cast(T, value);
    }
  }

  SIMULATOR_INLINE void release(memory_order order) const {
    if (order == memory_order_seq_cst) return atomic_thread_fence(order, scope);
    simulated::fence(memory_order_release, scope, address_);
  }
  SIMULATOR_INLINE void acquire() const { simulated::fence(memory_order_acquire, scope, address_); }
  static constexpr memory_order stronger(memory_order a, memory_order b) {
    const bool is_both =
        (a == memory_order_release && acquires(b)) || (b == memory_order_release && acquires(a));
    const memory_order greater = a > b ? a : b;
    return is_both && greater < memory_order_acq_rel ? memory_order_acq_rel : greater;
  }

  // An operation between what its order adds.
  template <class Operation>
  SIMULATOR_INLINE T ordered(memory_order order, const Operation& operation) const {
    if (releases(order)) release(order);
    if (!acquires(order)) return operation();
    const T old = operation();
    acquire();
    return old;
  }

  // Less than a word is changed by exchanging the word that it is in, as on a GPU.
  SIMULATOR_INLINE T swapped_if(T expected, T value) const {
    if constexpr (sizeof(T) >= 4) {
      return from_bits(scoped_atomicCAS<scope>(plain(bits()), to_bits(expected), to_bits(value)));
    } else {
      const auto at = reinterpret_cast<::std::uintptr_t>(address_);
      const unsigned shift = static_cast<unsigned>(at % 4) * 8, mask = ((1u << sizeof(T) * 8) - 1) << shift;
      Word* const word = reinterpret_cast<Word*>(at - at % 4);
      unsigned seen = *static_cast<volatile Word*>(word);
      while (true) {
        const auto old = static_cast<PlainBits>(seen >> shift);
        if (old != to_bits(expected)) return from_bits(old);
        const unsigned wanted = (seen & ~mask) | static_cast<unsigned>(to_bits(value)) << shift;
        const unsigned before = scoped_atomicCAS<scope>(reinterpret_cast<unsigned*>(word), seen, wanted);
        if (before == seen) return from_bits(old);
        seen = before;
      }
    }
  }

  // For what the hardware has no instruction.
  template <class Change>
  SIMULATOR_INLINE T changed(const Change& change, memory_order order) const {
    return ordered(order, [&] {
      T old = load(memory_order_relaxed);
      while (true) {
        const T before = swapped_if(old, change(old));
        if (to_bits(before) == to_bits(old)) return old;
        old = before;
      }
    });
  }

  T* address_;
};

}  // namespace simulated

template <class T, thread_scope scope = thread_scope_system>
class atomic_ref : public simulated::Operations<T, scope> {
 public:
  explicit constexpr atomic_ref(T& object) : simulated::Operations<T, scope>(&object) {}
  constexpr atomic_ref(const atomic_ref&) = default;
  atomic_ref& operator=(const atomic_ref&) = delete;
  using simulated::Operations<T, scope>::operator=;
};

template <class T, thread_scope scope = thread_scope_system>
class atomic {
 public:
  atomic() noexcept = default;
  constexpr atomic(T value) noexcept : value_(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  using Reference = atomic_ref<T, scope>;
#define SIMULATOR_FORWARDED(name)                                          \
  template <class... Arguments>                                            \
  SIMULATOR_INLINE decltype(auto) name(Arguments&&... arguments) {         \
    return Reference(value_).name(static_cast<Arguments&&>(arguments)...); \
  }
  SIMULATOR_FORWARDED(load)
  SIMULATOR_FORWARDED(store)
  SIMULATOR_FORWARDED(exchange)
  SIMULATOR_FORWARDED(compare_exchange_weak)
  SIMULATOR_FORWARDED(compare_exchange_strong)
  SIMULATOR_FORWARDED(fetch_add)
  SIMULATOR_FORWARDED(fetch_sub)
  SIMULATOR_FORWARDED(fetch_min)
  SIMULATOR_FORWARDED(fetch_max)
  SIMULATOR_FORWARDED(fetch_and)
  SIMULATOR_FORWARDED(fetch_or)
  SIMULATOR_FORWARDED(fetch_xor)
  SIMULATOR_FORWARDED(is_lock_free)
  SIMULATOR_FORWARDED(wait)
  SIMULATOR_FORWARDED(notify_one)
  SIMULATOR_FORWARDED(notify_all)
#undef SIMULATOR_FORWARDED
  SIMULATOR_INLINE operator T() { return Reference(value_).load(); }
  SIMULATOR_INLINE T operator=(T value) { return Reference(value_) = value; }
  SIMULATOR_INLINE T operator++() { return ++Reference(value_); }
  SIMULATOR_INLINE T operator++(int) { return Reference(value_)++; }
  SIMULATOR_INLINE T operator--() { return --Reference(value_); }
  SIMULATOR_INLINE T operator--(int) { return Reference(value_)--; }
  SIMULATOR_INLINE T operator+=(T operand) { return Reference(value_) += operand; }
  SIMULATOR_INLINE T operator-=(T operand) { return Reference(value_) -= operand; }
  SIMULATOR_INLINE T operator&=(T operand) { return Reference(value_) &= operand; }
  SIMULATOR_INLINE T operator|=(T operand) { return Reference(value_) |= operand; }
  SIMULATOR_INLINE T operator^=(T operand) { return Reference(value_) ^= operand; }

 private:
  alignas(sizeof(T)) T value_;
};

namespace std {

template <class T>
using atomic_ref = ::cuda::atomic_ref<T>;
template <class T>
using atomic = ::cuda::atomic<T>;
using ::cuda::atomic_signal_fence;
SIMULATOR_INLINE void atomic_thread_fence(memory_order order) { ::cuda::atomic_thread_fence(order); }

using atomic_bool = atomic<bool>;
using atomic_char = atomic<char>;
using atomic_uchar = atomic<unsigned char>;
using atomic_short = atomic<short>;
using atomic_ushort = atomic<unsigned short>;
using atomic_int = atomic<int>;
using atomic_uint = atomic<unsigned>;
using atomic_long = atomic<long>;
using atomic_ulong = atomic<unsigned long>;
using atomic_llong = atomic<long long>;
using atomic_ullong = atomic<unsigned long long>;
using atomic_int32_t = atomic<::std::int32_t>;
using atomic_uint32_t = atomic<::std::uint32_t>;
using atomic_int64_t = atomic<::std::int64_t>;
using atomic_uint64_t = atomic<::std::uint64_t>;
using atomic_size_t = atomic<::std::size_t>;

class atomic_flag {
 public:
  atomic_flag() noexcept = default;
  constexpr atomic_flag(bool value) noexcept : word_(value) {}
  atomic_flag(const atomic_flag&) = delete;
  atomic_flag& operator=(const atomic_flag&) = delete;
  SIMULATOR_INLINE bool test_and_set(memory_order order = memory_order_seq_cst) {
    return word_.exchange(1, order) != 0;
  }
  SIMULATOR_INLINE void clear(memory_order order = memory_order_seq_cst) { word_.store(0, order); }
  SIMULATOR_INLINE bool test(memory_order order = memory_order_seq_cst) { return word_.load(order) != 0; }
  SIMULATOR_INLINE void wait(bool old, memory_order order = memory_order_seq_cst) { word_.wait(old, order); }
  SIMULATOR_INLINE void notify_one() {}
  SIMULATOR_INLINE void notify_all() {}

 private:
  atomic<int> word_;
};

}  // namespace std

}  // namespace cuda

#undef SIMULATOR_INLINE
