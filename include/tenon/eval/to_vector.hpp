#pragma once

#include <utility>
#include <vector>

#include <tenon/eval/evaluate.hpp>
#include <tenon/eval/move_to.hpp>

namespace tenon::internal {

/// The elements of a tensor or an expression as a `std::vector`, row-major: a copy, from the memory
/// of a device too. Throws `Error` for a recorded value, which would lose its gradient. PyTorch:
/// `x.flatten().tolist()`.
template <Expression E>
auto to_vector(E&& x) {
  using T = typename Unqualified<E>::value_type;
  auto const tensor = moved_to<Cpu>(eval(std::forward<E>(x)));
  T const* const first = tensor.data();
  return std::vector<T>(first, first + tensor.size());
}
template <class E, class R = Refused<Named<"to_vector">, E>>
auto to_vector(E const&) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::to_vector;

}  // namespace tenon
