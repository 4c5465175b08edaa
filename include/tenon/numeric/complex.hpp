#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include <tenon/eval/evaluate.hpp>
#include <tenon/expr/gather/gather.hpp>
#include <tenon/expr/join/stack.hpp>
#include <tenon/expr/map/functions.hpp>
#include <tenon/op/complex.hpp>
#include <tenon/random/normal.hpp>
#include <tenon/tensor/complex.hpp>

/// Draws of complex numbers, and their parts as an axis.
namespace tenon::internal {

template <class R>
concept ComplexTensor = TensorType<R> && ComplexType<typename R::value_type>;

/// A complex tensor `R` whose real and imaginary parts are drawn from the normal distribution with
/// variance 1/2, so that the mean of |z|² is 1. JAX: `normal`. PyTorch: `randn`.
template <ComplexTensor R, class... I>
  requires TakesSizes<R, I...>
R normal(Key const& key, I... sizes) {
  using Part = Tensor<typename R::value_type::value_type, R::spec, typename R::device>;
  auto const [first, second] = split<2>(key);
  auto const scale = static_cast<typename Part::value_type>(std::sqrt(0.5));
  return scale * complex(normal<Part>(first, sizes...), normal<Part>(second, sizes...));
}

/// Complex numbers as real ones: the parts of each in a new last axis, "batch n" gives "batch n
/// part=2". A tensor. PyTorch: `view_as_real`.
template <ComplexExpression X, class Real = MapOf<op::Real, X const&>,
          WellFormed R = Stacked<"part", -1, Real, MapOf<op::Imag, X const&>>>
auto view_as_real(X const& x) -> R {
  return stack<"part", -1>(real(x), imag(x));
}
template <ComplexExpression X, class Real = MapOf<op::Real, X const&>,
          IllFormed R = Stacked<"part", -1, Real, MapOf<op::Imag, X const&>>>
auto view_as_real(X const& x) -> R;
template <Expression X>
  requires(!ComplexExpression<X>)
auto view_as_real(X const& x) -> typename decltype(dtype_mistake<Named<"view_as_real">, X>())::type;
template <class X, class R = Refused<Named<"view_as_real">, X>>
auto view_as_real(X const&) -> R;

/// Names the reason why the last axis of `E` is not that of two parts; `void` if it is.
template <class E>
constexpr auto parts_mistake() {
  using Name = Named<"view_as_complex">;
  if constexpr (!std::is_floating_point_v<typename E::value_type>) return dtype_mistake<Name, E>();
  else if constexpr (E::shape.rank == 0)
    return std::type_identity<
        error::shapes_do_not_align<spec_of_name<Name>, spec_of<E>, Spec("2")>>{};
  else if constexpr (!agree(E::shape[E::shape.rank - 1], named_axis("", 2)))
    return std::type_identity<
        error::axes_do_not_fit<spec_of_name<Name>, spec_of_axis<E, E::shape.rank - 1>, Spec("2"),
                               spec_of<E>, Spec("2")>>{};
  else return std::type_identity<void>{};
}
template <Expression X>
using PartsMistake = typename decltype(parts_mistake<Unqualified<X>>())::type;

/// Real numbers as complex ones: the last axis, of size 2, has the real and the imaginary part. A
/// lazy expression of the other axes, of `float` or `double`. Throws `ShapeError` for another size
/// at run time. PyTorch: `view_as_complex`.
template <Expression X>
  requires std::is_void_v<PartsMistake<X>>
auto view_as_complex(X const& x) {
  std::int64_t const parts = at(x.sizes(), X::shape.rank - 1);
  if (parts != 2) fail<ShapeError>({"view_as_complex", "last axis", "2", decimal(parts), {}});
  auto const value = eval(x);
  return complex(take<-1>(value, 0), take<-1>(value, 1));
}
template <Expression X, class R = PartsMistake<X>>
  requires(!std::is_void_v<R>)
auto view_as_complex(X const& x) -> R;
template <class X, class R = Refused<Named<"view_as_complex">, X>>
auto view_as_complex(X const&) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::normal;
using internal::view_as_complex;
using internal::view_as_real;

}  // namespace tenon
