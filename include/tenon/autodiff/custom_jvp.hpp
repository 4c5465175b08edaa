#pragma once

#include <tuple>
#include <utility>

#include <tenon/autodiff/grad.hpp>
#include <tenon/eval/custom.hpp>
#include <tenon/expr/create/like.hpp>

/// Functions with a custom derivative in forward mode.
namespace tenon::internal {

template <class Tree>
Tree zero_tangent(Tree const& like) {
  return tree::map([](auto const& leaf) { return zeros_like(leaf); }, unmarked_leaves(like));
}

/// The tangent of one argument, or a tuple of those of several.
template <class... A>
struct TangentsOf {
  using type = std::tuple<A...>;
};
template <class A>
struct TangentsOf<A> {
  using type = A;
};
template <class... A>
using TangentOf = typename TangentsOf<A...>::type;

/// The backward of a function whose tangent is a linear function of those of its arguments: the
/// transpose, which is the gradient of it anywhere, so at zero.
template <class Tangent>
struct TransposedTangent {
  Tangent tangent;

  template <class Y, class... A>
    requires CallableWith<Tangent const&, TangentOf<A...> const&, Y const&, A const&...>
  auto operator()(Y const& adjoint, Y const& y, A const&... x) const {
    auto const linear = [&](TangentOf<A...> const& dx) -> Y { return tangent(dx, y, x...); };
    return differentiate<false>(linear, TangentOf<A...>{zero_tangent(x)...},
                                [&](Y const&) { return adjoint; });
  }
};

/// A function with a custom derivative: `forward(x...)` gives y, and `tangent(dx, y, x...)` the
/// tangent of y, linear in dx, which is that of x, or a `std::tuple` of the tangents of several
/// arguments. `jvp` uses it, and `grad` its transpose. Arguments and y are tensors or trees; values
/// that `forward` captures must be constants. A `tangent` written in Tenon's functions is
/// differentiable again. JAX: `custom_jvp`. PyTorch: `autograd.Function.jvp`.
template <class Forward, class Tangent>
auto custom_jvp(Forward forward, Tangent tangent) {
  return custom_vjp(std::move(forward), TransposedTangent<Tangent>{std::move(tangent)});
}

}  // namespace tenon::internal

namespace tenon {

using internal::custom_jvp;

}  // namespace tenon
