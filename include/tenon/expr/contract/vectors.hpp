#pragma once

#include <tenon/expr/contract/matmul.hpp>
#include <tenon/expr/create/create.hpp>
#include <tenon/expr/view/diagonal.hpp>

/// Inner and outer products of two vectors.
namespace tenon::internal {

struct DotName {
  static constexpr std::string_view name = "dot";
};
struct OuterName {
  static constexpr std::string_view name = "outer";
};

template <class A, class B>
struct DotRule {
  static constexpr std::string_view name = "dot";
  static constexpr Contraction contraction = matmul_rule(A::shape, B::shape);
};

template <class A, class B>
struct OuterRule {
  static constexpr Broadcast<2> aligned =
      broadcast_shapes(LineRule<A, 0>::shape, LineRule<B, 1>::shape);
};

/// Names the operand that is not a vector, or the reason why two cannot be multiplied; else `void`.
template <class Name, class A, class B>
constexpr auto vectors_mistake() {
  if constexpr (A::shape.rank != 1) return rank_mistake<Name, A, 1>();
  else if constexpr (B::shape.rank != 1) return rank_mistake<Name, B, 1>();
  else return product_mistake<Name, A, B>();
}

template <class A, class B>
constexpr auto dot_type() {
  using mistake = typename decltype(vectors_mistake<DotName, A, B>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else if constexpr (DotRule<A, B>::contraction.fits)
    return std::type_identity<Contract<A, B, DotRule<A, B>>>{};
  else return contraction_mistake<DotName, DotRule<A, B>, A, B>();
}
template <Expression X, Expression Y>
using DotResult =
    typename decltype(dot_type<StoredForContraction<X>, StoredForContraction<Y>>())::type;

/// The inner product of two vectors of one dtype whose axes agree: a scalar tensor. NumPy, PyTorch:
/// `dot`.
template <Expression X, Expression Y, WellFormed Result = DotResult<X&&, Y&&>>
constexpr auto dot(X&& x, Y&& y) -> Result {
  return Result(keep_product_operand<StoredForContraction<X&&>>(std::forward<X>(x)),
                keep_product_operand<StoredForContraction<Y&&>>(std::forward<Y>(y)));
}
template <Expression X, Expression Y, IllFormed Result = DotResult<X&&, Y&&>>
auto dot(X&& x, Y&& y) -> Result;
template <class... X, class R = Refused<DotName, X...>>
auto dot(X const&...) -> R;

template <class A, class B>
constexpr auto outer_mistake() {
  using mistake = typename decltype(vectors_mistake<OuterName, A, B>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else if constexpr (OuterRule<A, B>::aligned.fits) return std::type_identity<void>{};
  else return shapes_differ<OuterName, A, B>();
}
template <Expression X, Expression Y>
using OuterMistake = typename decltype(outer_mistake<StoredOperand<X>, StoredOperand<Y>>())::type;

/// The outer product of two vectors of one dtype: "i" and "j" give "i j". Lazy. NumPy, PyTorch:
/// `outer`.
template <Expression X, Expression Y>
  requires std::is_void_v<OuterMistake<X&&, Y&&>>
constexpr auto outer(X&& x, Y&& y) {
  return line<0>(std::forward<X>(x)) * line<1>(std::forward<Y>(y));
}
template <Expression X, Expression Y, class R = OuterMistake<X&&, Y&&>>
  requires(!std::is_void_v<R>)
auto outer(X&& x, Y&& y) -> R;
template <class... X, class R = Refused<OuterName, X...>>
auto outer(X const&...) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::dot;
using internal::outer;

}  // namespace tenon
