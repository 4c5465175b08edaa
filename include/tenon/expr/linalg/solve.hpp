#pragma once

#include <tenon/expr/linalg/matrix.hpp>

namespace tenon::internal::linalg {

struct SolveName {
  static constexpr std::string_view name = "solve";
};
struct InverseName {
  static constexpr std::string_view name = "inverse";
};

/// The axes of a matrix and its right-hand sides.
template <class A, class B>
struct SolveRule {
  static constexpr Solving solving = solve_rule(A::shape, B::shape);
  static constexpr Shape shape = solving.shape;
};

/// An operand of `solve` with all axes of the batch: side 0 is the matrix.
template <class Rule, std::size_t side, class E>
struct StretchRule {
  static constexpr int own = side == 0 || !Rule::solving.vectors ? 2 : 1;
  static constexpr Stretch stretch = stretch_rule(Rule::solving.batch, side, E::shape, own);
  static constexpr Shape shape = stretch.shape;
  static constexpr AxisMap order = stretch.order;
};

template <class Name, class A, class B>
constexpr auto solve_type() {
  using matrix = typename decltype(square_mistake<Name, A>())::type;
  using Rule = SolveRule<A, B>;
  if constexpr (!DevicesMeet<A, B>) return device_mistake<Name, A, B>();
  else if constexpr (!SameDtype<A, B>) return dtype_mistake<Name, A, B>();
  else if constexpr (!std::is_void_v<matrix>) return std::type_identity<matrix>{};
  else if constexpr (Rule::solving.fits) return std::type_identity<TensorLike<A, Rule>>{};
  else return axes_differ<Name, A, Rule::solving.left_axis, B, Rule::solving.right_axis>();
}
template <Expression A, Expression B, class Name = SolveName>
using Solution = typename decltype(solve_type<Name, TensorOf<A>, TensorOf<B>>())::type;

template <class E>
struct InverseRule {
  static constexpr Shape shape = inverse_shape(E::shape);
};

template <class E>
constexpr auto inverse_type() {
  using mistake = typename decltype(square_mistake<InverseName, E>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else return std::type_identity<TensorLike<E, InverseRule<E>>>{};
}
template <Expression X>
using Inverse = typename decltype(inverse_type<TensorOf<X>>())::type;

/// An operand broadcast to the batch axes of `other`.
template <class Rule, std::size_t side, TensorType E, TensorType Other>
auto stretched(E const& operand, Other const& other) {
  using Stretching = StretchRule<Rule, side, E>;
  if constexpr (!Stretching::stretch.needed) return operand;
  else {
    Sizes const own = operand.sizes(), others = other.sizes();
    Sizes sizes = view_sizes(own, Stretching::order, Stretching::shape.rank);
    auto const& map = Rule::solving.batch.maps[1 - side];
    for (std::size_t i = 0; i < map.size(); ++i) {
      if (map[i] >= 0) at(sizes, map[i]) = others[i];
    }
    return evaluate_expression(index_map<Stretching>(operand, sizes));
  }
}

/// X of A X = B: "n m" and "n" give "m", "n m" and "n k" give "m k"; the axes before them
/// broadcast. B is a vector if it has one axis, or as many axes as A has before its last one and
/// does not fit as a matrix. Throws `ValueError` for a singular matrix. Same dtype. JAX, PyTorch:
/// `linalg.solve`.
template <Expression A, Expression B, WellFormed Result = Solution<A&&, B&&>>
auto solve(A&& a, B&& b) -> Result {
  using Rule = SolveRule<TensorOf<A>, TensorOf<B>>;
  auto const matrix = keep_value(std::forward<A>(a));
  auto const right = keep_value(std::forward<B>(b));
  return solved(std::type_identity<Result>{}, stretched<Rule, 0>(matrix, right),
                stretched<Rule, 1>(right, matrix));
}
template <Expression A, Expression B, IllFormed Result = Solution<A&&, B&&>>
auto solve(A&& a, B&& b) -> Result;
template <class... X, class R = Refused<SolveName, X...>>
auto solve(X const&...) -> R;

/// The inverse of a square matrix: "n m" gives "m n". For equations, `solve` is faster and more
/// accurate. Throws `ValueError` for a singular matrix. JAX, PyTorch: `linalg.inv`.
template <Expression X, WellFormed Result = Inverse<X&&>>
auto inverse(X&& a) -> Result {
  return inverted(std::type_identity<Result>{}, keep_value(std::forward<X>(a)));
}
template <Expression X, IllFormed Result = Inverse<X&&>>
auto inverse(X&& a) -> Result;
template <class... X, class R = Refused<InverseName, X...>>
auto inverse(X const&...) -> R;

}  // namespace tenon::internal::linalg

namespace tenon::linalg {

using internal::linalg::inverse;
using internal::linalg::solve;

}  // namespace tenon::linalg
