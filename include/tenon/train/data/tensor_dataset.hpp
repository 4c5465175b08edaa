#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include <tenon/core/error.hpp>
#include <tenon/eval/evaluate.hpp>
#include <tenon/expr/gather/gather.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::internal::training {

/// A row of a tensor: its axes without the first.
template <class X>
using RowOf = TensorOf<decltype(std::declval<X const&>()[std::int64_t{}])>;

template <class X>
RowOf<X> row_of(X const& x, std::size_t index) {
  Sizes const all = x.sizes();
  Sizes sizes = unit_sizes();
  std::copy_n(all.begin() + 1, RowOf<X>::rank, sizes.begin());
  RowOf<X> row = RowOf<X>::uninitialised(sizes);
  auto const* const from = x.data() + static_cast<std::int64_t>(index) * row.size();
  std::copy_n(from, row.size(), row.own_memory());
  return row;
}

}  // namespace tenon::internal::training

namespace tenon::training {

/// The rows of tensors along their first axes, from `tensor_dataset`. PyTorch: `TensorDataset`.
template <TensorType... X>
  requires(sizeof...(X) > 0 && ((X::rank > 0 && X::device::is_host) && ...))
class TensorDataset {
 public:
  /// Throws `ShapeError` if their first axes have different sizes.
  explicit TensorDataset(X... tensors) : tensors_(std::move(tensors)...) {
    std::apply([this](X const&... x) { (check(x.sizes()[0]), ...); }, tensors_);
  }
  std::size_t size() const { return static_cast<std::size_t>(std::get<0>(tensors_).sizes()[0]); }

  /// The row of the tensor; of several tensors a tuple.
  auto operator[](std::size_t index) const {
    if constexpr (sizeof...(X) == 1)
      return internal::training::row_of(std::get<0>(tensors_), index);
    else
      return std::apply(
          [&](X const&... x) { return std::tuple(internal::training::row_of(x, index)...); },
          tensors_);
  }

 private:
  void check(std::int64_t rows) const {
    if (rows == static_cast<std::int64_t>(size())) return;
    internal::fail<ShapeError>({.who = "tensor_dataset",
                                .what = "first axis",
                                .expected = std::to_string(size()) + " as in the first tensor",
                                .got = std::to_string(rows)});
  }

  std::tuple<X...> tensors_;
};

}  // namespace tenon::training

namespace tenon::internal::training {

/// A dataset of the rows of tensors of the host (of expressions, as slices are, `eval` makes
/// tensors): of one tensor they are tensors, of several tuples.
/// Throws `ShapeError` if the first axes have different sizes. PyTorch: `TensorDataset`.
template <TensorType... X>
auto tensor_dataset(X... tensors) {
  return tenon::training::TensorDataset<X...>(std::move(tensors)...);
}

}  // namespace tenon::internal::training

namespace tenon::training {
using internal::training::tensor_dataset;
}  // namespace tenon::training
