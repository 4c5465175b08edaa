#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include <tenon/eval/along_axis/scan.hpp>
#include <tenon/eval/evaluate.hpp>
#include <tenon/expr/create/create.hpp>
#include <tenon/expr/gather/gather.hpp>
#include <tenon/expr/join/join.hpp>
#include <tenon/expr/linalg/matrix.hpp>
#include <tenon/expr/view/flip.hpp>
#include <tenon/expr/view/slice.hpp>
#include <tenon/expr/view/window.hpp>

/// Kronecker and cross products, Toeplitz and Vandermonde matrices.
namespace tenon::internal::linalg {

/// `void`, or the name of the reason why `E` has no `rank` axes of floating numbers.
template <class Name, int rank, class E>
constexpr auto rank_mistake() {
  if constexpr (!FloatType<typename E::value_type>) return dtype_mistake<Name, E>();
  else if constexpr (E::shape.rank != rank)
    return std::type_identity<
        error::wrong_number_of_axes<spec_of_name<Name>, spec_of<E>, rank, E::shape.rank>>{};
  else return std::type_identity<void>{};
}
/// The reason why two operands of that many axes have no product, or the tensor of the axes of a
/// rule.
template <class Name, int rank, template <class, class> class Rule, class A, class B>
constexpr auto of_pair_type() {
  using left = typename decltype(rank_mistake<Name, rank, A>())::type;
  using right = typename decltype(rank_mistake<Name, rank, B>())::type;
  if constexpr (!std::is_void_v<left>) return std::type_identity<left>{};
  else if constexpr (!std::is_void_v<right>) return std::type_identity<right>{};
  else if constexpr (!DevicesMeet<A, B>) return device_mistake<Name, A, B>();
  else if constexpr (!SameDtype<A, B>) return dtype_mistake<Name, A, B>();
  else return std::type_identity<TensorLike<A, Rule<A, B>>>{};
}
template <class Name, int rank, template <class, class> class Rule, Expression X, Expression Y>
using OfPair = typename decltype(of_pair_type<Name, rank, Rule, TensorOf<X>, TensorOf<Y>>())::type;

/// An axis of the size of two, without a name.
constexpr Axis product_axis(Axis const& a, Axis const& b) {
  return a.is_static() && b.is_static() ? axis_of_size(a.size * b.size) : Axis{};
}
template <class A, class B>
struct KronRule {
  static constexpr Shape shape =
      inserted(inserted(Shape{}, 0, product_axis(A::shape[0], B::shape[0])), 1,
               product_axis(A::shape[1], B::shape[1]));
};
template <Expression X, Expression Y>
using KronOf = OfPair<Named<"kron">, 2, KronRule, X, Y>;

/// The Kronecker product of two matrices, the blocks a_ij B: "m n" and "p q" give axes of m p and n
/// q, without names. NumPy, JAX, PyTorch: `kron`.
template <Expression X, Expression Y, WellFormed Result = KronOf<X const&, Y const&>>
auto kron(X const& a, Y const& b) -> Result {
  using T = typename Result::value_type;
  using D = typename Result::device;
  auto const left = eval(a);
  auto const right = eval(b);
  std::int64_t const m = at(left.sizes(), 0), n = at(left.sizes(), 1);
  std::int64_t const p = at(right.sizes(), 0), q = at(right.sizes(), 1);
  auto const outer_left = reshaped<Tensor<T, "_ 1 _ 1", D>>(left, first_sizes(m, 1, n));
  auto const outer_right = reshaped<Tensor<T, "1 _ 1 _", D>>(right, first_sizes(1, p, 1, q));
  Tensor<T, "_ _ _ _", D> const products = outer_left * outer_right;
  return reshaped<Result>(products, first_sizes(m * p, n * q));
}
template <Expression X, Expression Y, IllFormed Result = KronOf<X const&, Y const&>>
auto kron(X const& a, Y const& b) -> Result;
template <class... X, class R = Refused<Named<"kron">, X...>>
auto kron(X const&...) -> R;

template <class A, class B>
struct ToeplitzRule {
  static constexpr Shape shape = inserted(inserted(Shape{}, 0, A::shape[0]), 1, B::shape[0]);
};
template <Expression X, Expression Y>
using ToeplitzOf = OfPair<Named<"toeplitz">, 1, ToeplitzRule, X, Y>;

/// Position i - j, counted from the last column of the first row, of each element of a matrix.
inline Tensor<std::int64_t, "_ _"> diagonal_places(std::int64_t m, std::int64_t n) {
  auto places = Tensor<std::int64_t, "_ _">::uninitialised(first_sizes(m, n));
  auto* const to = places.own_memory();
  for (std::int64_t i = 0; i < places.size(); ++i) to[i] = i / n - i % n + n - 1;
  return places;
}

/// The matrix with constant diagonals whose first column is `c`, and whose first row is `r`, of
/// which the first element is not read: "m" and "n" give "m n". SciPy, JAX: `linalg.toeplitz`.
template <Expression X, Expression Y, WellFormed Result = ToeplitzOf<X const&, Y const&>>
auto toeplitz(X const& c, Y const& r) -> Result {
  using Line = Tensor<typename Result::value_type, "_", typename Result::device>;
  auto const column = eval(c);
  auto const row = eval(r);
  std::int64_t const m = column.size(), n = row.size();
  if (m == 0 || n == 0) return Result::uninitialised(first_sizes(m, n));
  auto const down = reshaped<Line>(column, first_sizes(m));
  auto const along = reshaped<Line>(row, first_sizes(n));
  Line const left = flip<0>(slice<0>(along, 1, n));
  Line const diagonals = concat<0>(left, down);
  auto const places = to<typename Result::device>(diagonal_places(m, n));
  return reshaped<Result>(eval(take<0>(diagonals, places)), first_sizes(m, n));
}
template <Expression X, Expression Y, IllFormed Result = ToeplitzOf<X const&, Y const&>>
auto toeplitz(X const& c, Y const& r) -> Result;
/// The symmetric one: "n" gives "n n".
template <Expression X, WellFormed Result = ToeplitzOf<X const&, X const&>>
auto toeplitz(X const& c) -> Result {
  return toeplitz(c, c);
}
template <Expression X, IllFormed Result = ToeplitzOf<X const&, X const&>>
auto toeplitz(X const& c) -> Result;
template <class... X, class R = Refused<Named<"toeplitz">, X...>>
auto toeplitz(X const&...) -> R;

template <class A, class>
struct VanderRule {
  static constexpr Shape shape = inserted(inserted(Shape{}, 0, A::shape[0]), 1, Axis{});
};
template <Expression X>
using VanderOf = OfPair<Named<"vander">, 1, VanderRule, X, X>;

/// The powers of the elements of a vector from 0 to `columns` - 1, in ascending order: "n" gives "n
/// _". NumPy: `vander(x, columns, increasing=True)`. PyTorch: `vander(x, columns, True)`. Throws
/// `ValueError` for a negative number.
template <Expression X, WellFormed Result = VanderOf<X const&>>
auto vander(X const& x, std::int64_t columns) -> Result {
  using T = typename Result::value_type;
  using D = typename Result::device;
  if (columns < 0)
    fail<ValueError>({"vander", "columns", "at least 0", std::to_string(columns), {}});
  auto const points = eval(x);
  std::int64_t const n = points.size();
  Sizes const sizes = first_sizes(n, columns);
  if (n == 0 || columns == 0) return Result::uninitialised(sizes);
  auto const column = reshaped<Tensor<T, "_ 1", D>>(points, first_sizes(n));
  auto const is_first = iota<Tensor<std::int64_t, "_", D>>(columns) == 0;
  Tensor<T, "_ _", D> const factors = where(is_first, T(1), column);
  return reshaped<Result>(cumprod<1>(factors), sizes);
}
template <Expression X, IllFormed Result = VanderOf<X const&>>
auto vander(X const& x, std::int64_t columns) -> Result;
template <class X, class R = Refused<Named<"vander">, X>>
auto vander(X const&, std::int64_t) -> R;

/// `void`, or the name of the reason why two operands have no cross product along an axis.
template <Axes axis, class A, class B>
constexpr auto cross_mistake() {
  using Name = Named<"cross">;
  using left = typename decltype(axes_mistake<Name, axis, 1, A>())::type;
  using right = typename decltype(axes_mistake<Name, axis, 1, B>())::type;
  using product = MapOf<op::Mul, A const&, B const&>;
  if constexpr (!std::is_void_v<left>) return std::type_identity<left>{};
  else if constexpr (!std::is_void_v<right>) return std::type_identity<right>{};
  else if constexpr (Mistake<product>) return std::type_identity<product>{};
  else if constexpr (A::shape[Chosen<axis, A>::value.axis()].size != 3)
    return std::type_identity<error::axes_do_not_fit<
        "cross", spec_of_axis<A, Chosen<axis, A>::value.axis()>, "3", spec_of<A>, spec_of<B>>>{};
  else return std::type_identity<void>{};
}
template <Axes axis, Expression X, Expression Y>
using CrossMistake = typename decltype(cross_mistake<axis, TensorOf<X>, TensorOf<Y>>())::type;

/// The cross product of vectors of three components along an axis of static size 3, which both
/// have; the others broadcast: `linalg::cross<"xyz">(a, b)`. NumPy, PyTorch: `linalg.cross`.
template <Axes axis, Expression X, Expression Y>
  requires std::is_void_v<CrossMistake<axis, X const&, Y const&>>
auto cross(X const& a, Y const& b) {
  auto const left = eval(a);
  auto const right = eval(b);
  return eval(roll<axis>(left, -1) * roll<axis>(right, -2) -
              roll<axis>(left, -2) * roll<axis>(right, -1));
}
template <Axes axis, Expression X, Expression Y, class R = CrossMistake<axis, X const&, Y const&>>
  requires(!std::is_void_v<R>)
auto cross(X const& a, Y const& b) -> R;
template <Axes, class... X, class R = Refused<Named<"cross">, X...>>
auto cross(X const&...) -> R;

}  // namespace tenon::internal::linalg

namespace tenon::linalg {

using internal::linalg::cross;
using internal::linalg::kron;
using internal::linalg::toeplitz;
using internal::linalg::vander;

}  // namespace tenon::linalg
