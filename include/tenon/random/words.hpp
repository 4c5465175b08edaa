#pragma once

#include <tenon/expr/create/create.hpp>
#include <tenon/op/draw.hpp>
#include <tenon/random/key.hpp>

namespace tenon {

/// Random words with the axes of `R`; streams of one key are independent of each other.
template <TensorType R>
auto random_words(Key const& key, std::uint32_t stream, Sizes const& sizes) {
  auto words = Tensor<std::uint32_t, R::spec, typename R::device>::uninitialised(sizes);
  draw_words(typename R::device{}, key.words(), stream, words.mutable_data(), words.size());
  return words;
}

/// Numbers in [0, 1) with the axes of `R`. `double` takes the streams `stream` and `stream + 1`.
template <TensorType R>
R unit_draw(Key const& key, std::uint32_t stream, Sizes const& sizes) {
  using T = typename R::value_type;
  auto const words = random_words<R>(key, stream, sizes);
  if constexpr (std::same_as<T, double>)
    return R(map<op::UniformDraw<T>>(words, random_words<R>(key, stream + 1, sizes)));
  else return R(map<op::UniformDraw<T>>(words));
}

}  // namespace tenon
