#pragma once

// The elements of a batch: any tree of tensors whose first axes are its elements.

#include <cstdint>
#include <optional>
#include <string>

#include <tenon/core/error.hpp>
#include <tenon/expr/view/slice.hpp>
#include <tenon/optim/leaves.hpp>
#include <tenon/tree/tree.hpp>

namespace tenon::internal::training {

/// Whether a leaf has elements of a batch: a tensor with axes.
template <class Leaf>
inline constexpr bool is_of_batch = false;
template <class T, Spec S, class D>
inline constexpr bool is_of_batch<Tensor<T, S, D>> = (Tensor<T, S, D>::rank > 0);

/// The number of elements of a batch: the size of the first axis of its first tensor; 1 where no
/// tensor has axes.
template <class Batch>
std::int64_t batch_size(Batch const& batch) {
  std::optional<std::int64_t> size;
  tree::for_each<tree::Stored>(
      [&]<class Leaf>(Leaf const& leaf) {
        if constexpr (is_of_batch<Leaf>) size = size.value_or(leaf.sizes()[0]);
      },
      batch);
  return size.value_or(1);
}

[[noreturn, gnu::cold]] inline void refuse_first_axis(tree::Path const& path,
                                                      std::string const& expected,
                                                      std::string const& got) {
  std::string const name = path.text();
  fail<ShapeError>({.who = "train_step", .what = name, .expected = expected, .got = got});
}

/// The elements of a leaf from `begin` to before `end`; its elements are contiguous.
template <class Leaf>
Leaf leaf_part(Leaf const& leaf, std::int64_t begin, std::int64_t end) {
  using Row = optim::Row<Leaf>;
  Sizes sizes = leaf.sizes();
  std::int64_t const stride = leaf.size() / sizes[0];
  sizes[0] = end - begin;
  Row const part = slice<"n">(optim::row_of(leaf), begin * stride, end * stride);
  return reshaped<Leaf>(part, sizes);
}

/// The elements of a batch from `begin` to before `end`. Scalars and keys belong to every part.
/// Throws `ShapeError` for tensors of another number of elements, and for a number that is part of
/// a type.
template <class Batch>
Batch batch_part(Batch const& batch, std::int64_t begin, std::int64_t end, std::int64_t size) {
  return tree::map<tree::Stored>(
      [&]<class Leaf>(tree::Path const& path, Leaf const& leaf) -> Leaf {
        if constexpr (is_of_batch<Leaf>) {
          if (leaf.sizes()[0] != size)
            refuse_first_axis(path, std::to_string(size) + " elements of a batch",
                              std::to_string(leaf.sizes()[0]));
          if constexpr (Leaf::shape[0].is_static())
            refuse_first_axis(path, "a first axis without a size, to accumulate over its parts",
                              std::string(Leaf::spec.view()));
          else return leaf_part(leaf, begin, end);
        }
        return leaf;
      },
      batch);
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::batch_size;

}  // namespace tenon::training
