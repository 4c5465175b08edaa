#pragma once

#include <cstddef>

#include <tenon/core/shape.hpp>

/// Concatenation of specs: `constexpr Spec image = "height width channel";` and
/// `Float<"batch" + image>`, `Float32<"batch" + image>`.
namespace tenon::internal {

/// The length of a joined text with its zero: a space stands between two texts that are not empty.
template <std::size_t N, std::size_t M>
inline constexpr std::size_t joined_length = N == 1   ? M
                                             : M == 1 ? N
                                                      : N + M;

/// (Every character is written: clang 16 prints a text with default ones as numbers.)
template <std::size_t N, std::size_t M>
constexpr auto join_specs(Spec<N> const& a, Spec<M> const& b) {
  Spec<joined_length<N, M>> result{};
  std::size_t length = 0;
  for (char const c : a.view()) result.text[length++] = c;
  if (N > 1 && M > 1) result.text[length++] = ' ';
  for (char const c : b.view()) result.text[length++] = c;
  result.text[length] = '\0';
  return result;
}

template <std::size_t N>
using SpecLiteral = char const (&)[N];

}  // namespace tenon::internal

namespace tenon {

/// The axes of two specs in order, as a spec: with `constexpr Spec image = "height width"` is
/// `"batch" + image` the spec "batch height width". A part that is empty adds nothing; words and
/// sizes are checked where the result is used. jaxtyping: `Float[Image, "batch"]`.
template <std::size_t N, std::size_t M>
constexpr auto operator+(Spec<N> const& a, Spec<M> const& b) {
  return internal::join_specs(a, b);
}
template <std::size_t N, std::size_t M>
constexpr auto operator+(internal::SpecLiteral<N> a, Spec<M> const& b) {
  return internal::join_specs(Spec<N>(a), b);
}
template <std::size_t N, std::size_t M>
constexpr auto operator+(Spec<N> const& a, internal::SpecLiteral<M> b) {
  return internal::join_specs(a, Spec<M>(b));
}

}  // namespace tenon
