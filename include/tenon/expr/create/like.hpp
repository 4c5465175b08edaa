#pragma once

#include <string_view>

#include <tenon/core/dispatch.hpp>
#include <tenon/expr/create/create.hpp>
#include <tenon/expr/stored_operand.hpp>

/// Tensors with the dtype, axes, sizes and device of another.
namespace tenon::internal {

struct FullLikeName {
  static constexpr std::string_view name = "full_like";
};
struct ZerosLikeName {
  static constexpr std::string_view name = "zeros_like";
};
struct OnesLikeName {
  static constexpr std::string_view name = "ones_like";
};

/// Every element is `value`. Throws `ValueError` for a number outside the range of an integer
/// dtype. PyTorch: `full_like`.
template <Expression X, class V>
  requires std::constructible_from<typename Unqualified<X>::value_type, V>
constexpr TensorOf<X> full_like(X const& x, V value) {
  using T = typename Unqualified<X>::value_type;
  check_number<T>(FullLikeName::name, value);
  return filled(TensorOf<X>::uninitialised(x.sizes()), static_cast<T>(value));
}
template <class X, class V>
auto full_like(X const&, V) -> Refused<FullLikeName, X>;

/// Zeros. PyTorch: `zeros_like`.
template <Expression X>
constexpr TensorOf<X> zeros_like(X const& x) {
  return full_like(x, typename Unqualified<X>::value_type{});
}
template <class X>
auto zeros_like(X const&) -> Refused<ZerosLikeName, X>;

/// Ones; of a mask: true. PyTorch: `ones_like`. JAX: `ones_like`.
template <Expression X>
constexpr TensorOf<X> ones_like(X const& x) {
  return full_like(x, static_cast<typename Unqualified<X>::value_type>(1));
}
template <class X>
auto ones_like(X const&) -> Refused<OnesLikeName, X>;

}  // namespace tenon::internal

namespace tenon {

using internal::full_like;
using internal::ones_like;
using internal::zeros_like;

}  // namespace tenon
