#pragma once

// The elements of a batch: any tree of tensors whose first axes are its elements. Those of a tensor
// sharded over ranks are the ones of all ranks, so that all count, and decide, alike.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/core/error.hpp>
#include <tenon/expr/view/slice.hpp>
#include <tenon/optim/clip.hpp>
#include <tenon/optim/leaves.hpp>
#include <tenon/tree/tree.hpp>

namespace tenon::internal::training {

template <class Leaf>
inline constexpr bool is_sharded = DividedOverRanks::visits<Leaf>;

/// A traversal of all that is stored, which does not open a sharded tensor.
struct BatchLeaves : tree::Stored {
  template <class T>
  static constexpr bool visits = tree::Stored::visits<T> || is_sharded<T>;
};

/// The axes of a leaf, of all ranks if it is sharded.
template <class Leaf>
inline constexpr Shape axes_of{};
template <class T, Spec S, class D>
inline constexpr Shape axes_of<Tensor<T, S, D>> = Tensor<T, S, D>::shape;
template <class Leaf>
  requires is_sharded<Leaf>
inline constexpr Shape axes_of<Leaf> = Leaf::sharding.shape;

/// The axis of a leaf along which a batch has its elements: that of a name, or without one the
/// first; -1 for a leaf without it.
template <Spec name, class Leaf>
inline constexpr int batch_axis = [] {
  constexpr Shape const& axes = axes_of<Leaf>;
  if (name.view().empty()) return axes.rank > 0 ? 0 : -1;
  for (int i = 0; i < axes.rank; ++i)
    if (axes[i].name.view() == name.view()) return i;
  return -1;
}();

/// The first axis that the tensors of a batch have in common, so far.
struct BatchAxis {
  std::string_view name{};
  std::optional<std::int64_t> size{};

  /// Whether an axis agrees with those before: the same size, and the same name or none.
  bool admits(std::string_view other, std::int64_t other_size) {
    bool const agrees =
        size.value_or(other_size) == other_size && (name.empty() || other.empty() || name == other);
    if (name.empty()) name = other;
    if (!size) size = other_size;
    return agrees;
  }

  std::string text() const {
    return (name.empty() ? "" : std::string(name) + "=") + std::to_string(size.value_or(1));
  }
};

/// The number of elements of a batch: the size of the first axis of its tensors, 1 where none has
/// axes; none if first axes do not agree.
template <class Batch>
std::optional<std::int64_t> find_batch_size(Batch const& batch) {
  BatchAxis axis;
  bool agrees = true;
  tree::for_each<BatchLeaves>(
      [&]<class Leaf>(Leaf const& leaf) {
        if constexpr (batch_axis<"", Leaf> == 0)
          agrees = axis.admits(axes_of<Leaf>[0].name.view(), leaf.sizes()[0]) && agrees;
      },
      batch);
  return agrees ? std::optional(axis.size.value_or(1)) : std::nullopt;
}

[[noreturn, gnu::cold]] inline void refuse_batch_axis(std::string const& what,
                                                      std::string const& expected,
                                                      std::string const& got) {
  fail<ShapeError>({.who = "batch_size", .what = what, .expected = expected, .got = got});
}

/// The number of elements of a batch: the size of the first axis, which all its tensors with axes
/// have in common (1 where none has axes), or that of the axis `name`, for example
/// `batch_size<"batch">(batch)`, in those that have it. A sharded tensor has its global sizes.
/// Throws `ShapeError` if first axes differ in name or size, and where no tensor has the named
/// axis.
template <Spec name = "", class Batch>
std::int64_t batch_size(Batch const& batch) {
  BatchAxis axis;
  std::string first;
  tree::for_each<BatchLeaves>(
      [&]<class Leaf>(tree::Path const& path, Leaf const& leaf) {
        if constexpr (constexpr int i = batch_axis<name, Leaf>; i >= 0) {
          BatchAxis const before = axis, own{axes_of<Leaf>[i].name.view(), leaf.sizes()[i]};
          if (!before.size) first = path.text();
          if (axis.admits(own.name, *own.size)) return;
          std::string const which = name.view().empty() ? "the first axis " : "the axis ";
          refuse_batch_axis(path.text(), which + before.text() + " of '" + first + "'", own.text());
        }
      },
      batch);
  if (!axis.size && !name.view().empty())
    refuse_batch_axis({}, "a tensor with the axis " + std::string(name.view()), "none");
  return axis.size.value_or(1);
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
/// Throws `ShapeError` for a number of elements that is part of a type, and for a sharded tensor.
template <class Batch>
Batch batch_part(Batch const& batch, std::int64_t begin, std::int64_t end) {
  return tree::map<BatchLeaves>(
      [&]<class Leaf>(tree::Path const& path, Leaf const& leaf) -> Leaf {
        if constexpr (batch_axis<"", Leaf> == 0) {
          if constexpr (is_sharded<Leaf>)
            refuse_first_axis(path, "a tensor that is not sharded, to accumulate over its parts",
                              std::string(Leaf::spec.view()));
          else if constexpr (Leaf::shape[0].is_static())
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
