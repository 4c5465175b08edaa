#pragma once

#include <tenon/op/intrinsics.hpp>

namespace tenon::op {

/// A partial derivative that is one everywhere: the adjoint passes unchanged.
struct One {};
/// A partial derivative that is zero everywhere: nothing passes.
struct Zero {};

/// The derivative of the complex conjugate: the conjugate of the adjoint passes.
struct Conjugate {};

/// The partial derivatives of an op, one per argument: a value (the adjoint is multiplied by it),
/// a mask (the adjoint passes where it is true), `One`, `Zero` or `Conjugate`.
///
/// The adjoint of a complex z = x + iy is dL/dx - i dL/dy, JAX's convention and the conjugate of
/// PyTorch's: the partial derivative of an analytic function is its derivative, as for real ones.
template <class... P>
struct Partials;

template <class P0>
struct Partials<P0> {
  P0 p0;
};
template <class P0, class P1>
struct Partials<P0, P1> {
  P0 p0;
  P1 p1;
};
template <class P0, class P1, class P2>
struct Partials<P0, P1, P2> {
  P0 p0;
  P1 p1;
  P2 p2;
};

template <class... P>
constexpr auto partials(P... p) {
  return Partials<P...>{p...};
}

/// The partial derivative by argument k.
template <std::size_t k, class... P>
TENON_INLINE constexpr auto partial_of(Partials<P...> const& partials) {
  if constexpr (k == 0) return partials.p0;
  else if constexpr (k == 1) return partials.p1;
  else return partials.p2;
}

/// The contribution of an adjoint through a partial derivative.
template <class V>
TENON_INLINE constexpr V backward_of(One, V adjoint) {
  return adjoint;
}
template <class V>
TENON_INLINE constexpr V backward_of(Zero, V) {
  return V(scalar_of<V>(0));
}
template <class V>
TENON_INLINE constexpr V backward_of(Conjugate, V adjoint) {
  return by_element([](auto z) { return decltype(z)(z.real(), -z.imag()); }, adjoint);
}
/// Of a real function of a complex number.
template <ComplexValue P, FloatingValue V>
TENON_INLINE constexpr P backward_of(P partial, V adjoint) {
  return partial * convert<scalar_of<P>>(adjoint);
}
template <class P, class V>
TENON_INLINE constexpr V backward_of(P partial, V adjoint) {
  if constexpr (std::same_as<P, V>) return partial * adjoint;
  else return select(partial, adjoint, V(scalar_of<V>(0)));
}

/// The value of another op inside a derivative. Not by its `f`, so that a higher derivative can use
/// the other op's own derivative.
template <class Op, class... V>
constexpr auto applied(V... x) {
  return Op::f(x...);
}

/// A list of ops; `Joined` is the concatenation of several.
template <class... Ops>
struct List {};

template <class... Lists>
struct Join;
template <class... A>
struct Join<List<A...>> {
  using type = List<A...>;
};
template <class... A, class... B, class... Rest>
struct Join<List<A...>, List<B...>, Rest...> : Join<List<A..., B...>, Rest...> {};

template <class... Lists>
using Joined = typename Join<Lists...>::type;

}  // namespace tenon::op
