#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include <tenon/tensor/borrowed.hpp>

namespace tenon::internal {

/// The elements of a tensor as a `std::span` to const, row-major, without a copy. The tensor must
/// outlive the span and not move or be assigned to; an expression, a view, a temporary and a tensor
/// of a device do not compile. Throws `Error` for a recorded tensor. PyTorch: `x.numpy().ravel()`.
template <Expression E>
  requires std::is_void_v<LendingMistake<AsSpanName, E>>
auto as_span(E&& x) {
  refuse_recorded("as_span", x.mark());
  return std::span(std::as_const(x).data(), static_cast<std::size_t>(x.size()));
}
template <Expression E>
  requires(!std::is_void_v<LendingMistake<AsSpanName, E>>)
auto as_span(E&& x) -> LendingMistake<AsSpanName, E>;

}  // namespace tenon::internal

namespace tenon {

using internal::as_span;

}  // namespace tenon
