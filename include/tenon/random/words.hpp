#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include <tenon/expr/create/create.hpp>
#include <tenon/op/draw.hpp>
#include <tenon/random/key.hpp>

namespace tenon::internal {

/// The elements of a tensor as a vector. A draw does not depend on axes, so that one kernel serves
/// all tensors of a dtype.
template <TensorType R>
using DrawnRow = Tensor<typename R::value_type, "n", typename R::device>;

/// The sizes of the vector for an `R`. Throws `ShapeError` for sizes that `R` cannot have.
template <TensorType R>
Sizes row_sizes(Sizes const& sizes) {
  check_sizes_of<R>("Tensor", R::spec.view(), sizes);
  Sizes row = unit_sizes();
  using T = typename R::value_type;
  row[0] = static_cast<std::int64_t>(memory::bytes_of(std::span(sizes).first(R::rank), sizeof(T)) /
                                     sizeof(T));
  return row;
}

/// The same elements with the axes of an `R`.
template <TensorType R>
R in_shape(DrawnRow<R> const& row, Sizes const& sizes) {
  if constexpr (!R::holds_elements) return R::adopt(row.storage().buffer, sizes);
  else {
    R result = R::uninitialised(sizes);
    std::copy_n(row.data(), row.size(), result.own_memory());
    return result;
  }
}

/// Random words with the axes of `R`, those of a stream from word `first` on; streams of one key
/// are independent of each other.
template <TensorType R>
auto random_words(Key const& key, std::uint32_t stream, Sizes const& sizes,
                  std::int64_t first = 0) {
  auto words = Tensor<std::uint32_t, R::spec, typename R::device>::uninitialised(sizes);
  draw_tensor(key.words(), stream, words, first);
  return words;
}

/// Numbers in [0, 1), as a vector. `double` uses the streams `stream` and `stream + 1`.
template <TensorType Row>
Row unit_row(Key const& key, std::uint32_t stream, Sizes const& sizes, std::int64_t first = 0) {
  using T = typename Row::value_type;
  auto const words = random_words<Row>(key, stream, sizes, first);
  if constexpr (std::same_as<T, double>)
    return Row(map<op::UniformDraw<T>>(words, random_words<Row>(key, stream + 1, sizes, first)));
  else return Row(map<op::UniformDraw<T>>(words));
}

}  // namespace tenon::internal
