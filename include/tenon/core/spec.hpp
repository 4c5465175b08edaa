#pragma once

#include <cstddef>
#include <string_view>

namespace tenon {

/// A string as a template argument: `Tensor<float, "batch pixel=784">`.
/// `N` counts the terminating zero. g++ and clang print it as `Spec<16>{"batch pixel=784"}`.
template <std::size_t N>
struct Spec {
  char text[N]{};

  constexpr Spec() = default;
  constexpr Spec(char const (&literal)[N]) {
    for (std::size_t i = 0; i < N; ++i) text[i] = literal[i];
  }
  /// The zeros are written too: otherwise clang 16 prints a text of 8, 16 or 32 characters as
  /// numbers.
  explicit constexpr Spec(std::string_view source) {
    for (std::size_t i = 0; i < N; ++i) text[i] = i + 1 < N ? source[i] : '\0';
  }

  constexpr std::string_view view() const { return {text, N - 1}; }
  constexpr operator std::string_view() const { return view(); }
};

}  // namespace tenon

/// The types that compilers name in messages: declared, never defined. (The everyday word `error`
/// is left to users: `using namespace tenon` brings the names of nested namespaces too.)
namespace tenon::compile_error {}

namespace tenon::internal {

namespace error = compile_error;

/// Whether two texts are equal.
template <std::size_t N, std::size_t M>
constexpr bool operator==(Spec<N> const& a, Spec<M> const& b) {
  return a.view() == b.view();
}

}  // namespace tenon::internal

namespace tenon {

using internal::operator==;

}  // namespace tenon
