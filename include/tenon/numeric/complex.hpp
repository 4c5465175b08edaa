#pragma once

#include <cmath>

#include <tenon/eval/evaluate.hpp>
#include <tenon/expr/map/functions.hpp>
#include <tenon/op/complex.hpp>
#include <tenon/random/normal.hpp>
#include <tenon/tensor/complex.hpp>

/// Draws of complex numbers.
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

}  // namespace tenon::internal

namespace tenon {

using internal::normal;

}  // namespace tenon
