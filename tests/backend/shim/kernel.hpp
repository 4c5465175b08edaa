// Definitions for the text of a kernel, in any language.

#pragma once

#include "member.hpp"

namespace shim {

/// The current work item. One thread runs all of them.
static Member const* here;

/// A barrier: other work items of the group run until they have reached it.
static inline void meet() {
  Member const* const own = here;
  own->barrier();
  here = own;
}

/// 0, 1 … n - 1 as a type.
template <unsigned... k>
struct Places {};
template <unsigned n, unsigned... k>
struct PlacesOf : PlacesOf<n - 1, n - 1, k...> {};
template <unsigned... k>
struct PlacesOf<0, k...> {
  using type = Places<k...>;
};

template <class T>
inline constexpr char kind_of = static_cast<char>('0' + sizeof(T));
template <class T>
inline constexpr char kind_of<T*> = 'p';
template <class T>
inline constexpr char kind_of<T&> = kind_of<T>;

/// The parameters of a kernel: 'p' for memory, '4' or '8' for a number of that many bytes.
template <class... A>
struct Kinds {
  static constexpr char text[] = {kind_of<A>..., 0};
};
template <class... A>
constexpr char const* kinds(void (*)(A...)) {
  return Kinds<A...>::text;
}

}  // namespace shim

/// The functions of a library for one of its kernels: an `Entry`, and the parameters of the kernel.
/// `shim::call(kernel, arguments)` is defined for each language.
#define SHIM_KERNEL(name)                                                           \
  extern "C" void call_##name(shim::Member const* member, void* const* arguments) { \
    shim::here = member;                                                            \
    shim::call(name, arguments);                                                    \
  }                                                                                 \
  extern "C" char const* kinds_##name() { return shim::kinds(name); }
