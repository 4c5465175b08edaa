#pragma once

#include <tenon/core/config.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon {

/// A non-owning view of constant memory: the elements have another owner, and must outlive the
/// view. It is the only type that can dangle. An expression with arbitrary strides. Eigen:
/// `Map<Matrix const>`.
template <class T, Spec S, class D = Cpu>
  requires internal::Canonical<S>
class View : public internal::NodeBase<View<T, S, D>, S.view().empty()> {
 public:
  using value_type = T;
  using device = D;
  static constexpr auto spec = S;
  static constexpr Shape const& shape = internal::ShapeOf<S>::shape;
  static constexpr int rank = shape.rank;

  /// Throws `ShapeError` for sizes that the spec does not allow.
  constexpr View(T const* data, internal::Sizes const& sizes, internal::Sizes const& strides)
      : data_(data), sizes_(sizes), strides_(strides) {
    internal::check_sizes_of<internal::ShapeOf<S>>("view", S.view(), sizes);
  }

  constexpr T const* data() const { return data_; }
  constexpr internal::Sizes sizes() const { return sizes_; }
  constexpr internal::Sizes strides() const { return strides_; }
  constexpr std::int64_t size() const { return internal::count(sizes_, rank); }

 private:
  T const* data_;
  internal::Sizes sizes_;
  internal::Sizes strides_;
};

/// A non-owning view that `assign` may write. Eigen: `Map`.
template <class T, Spec S, class D = Cpu>
class MutableView : public View<T, S, D> {
 public:
  constexpr MutableView(T* data, internal::Sizes const& sizes, internal::Sizes const& strides,
                        internal::BufferWriter const& writer = {})
      : View<T, S, D>(data, sizes, strides), data_(data), writer_(writer) {}

  constexpr T* mutable_data() const { return data_; }

 private:
  T* data_;
  internal::BufferWriter writer_;  ///< Of a tensor's buffer: it keeps the buffer alive and exposed.
};

}  // namespace tenon

namespace tenon::internal {

/// The range of memory that a view covers: from `first` elements before its first element to `last`
/// after it; none if it is empty.
struct Reached {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

constexpr Reached reached(Sizes const& sizes, Sizes const& strides, int rank) {
  Reached result{};
  if (count(sizes, rank) == 0) return result;
  for (int i = 0; i < rank; ++i) {
    std::int64_t const farthest = (at(sizes, i) - 1) * at(strides, i);
    (farthest < 0 ? result.first : result.last) += farthest;
  }
  result.first = -result.first;
  return result;
}

/// Throws `Error`: the view would be a constant although its tensor is not.
void refuse_recorded(std::string_view operation, TapeMark mark);

/// A view of a tensor's elements without ownership: the tensor must outlive it and not move.
template <TensorType E>
constexpr auto view(E const& tensor) {
  if (!__builtin_is_constant_evaluated()) refuse_recorded("view", tensor.mark());
  Sizes const sizes = tensor.sizes();
  return View<typename E::value_type, E::spec, typename E::device>(tensor.storage().data(), sizes,
                                                                   row_major(sizes, E::rank));
}
template <TensorType E>
constexpr auto view(E const&& tensor) = delete;

/// A writable view; shared elements are copied first, and copies of the tensor made during the
/// view's lifetime do not share its elements.
template <TensorType E>
constexpr auto mutable_view(E& tensor) {
  using V = MutableView<typename E::value_type, E::spec, typename E::device>;
  Sizes const sizes = tensor.sizes(), strides = row_major(sizes, E::rank);
  auto* const data = tensor.own_memory();
  if constexpr (E::holds_elements) return V(data, sizes, strides);
  else return V(data, sizes, strides, BufferWriter(tensor.storage().buffer));
}

template <class E>
inline constexpr bool is_view = false;
template <class T, Spec S, class D>
inline constexpr bool is_view<View<T, S, D>> = true;
template <class T, Spec S, class D>
inline constexpr bool is_view<MutableView<T, S, D>> = true;

}  // namespace tenon::internal

namespace tenon {

using internal::mutable_view;
using internal::view;

}  // namespace tenon

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

TENON_RUNTIME void refuse_recorded(std::string_view operation, TapeMark mark) {
  if (!is_recorded(mark)) return;
  fail({operation, {}, "a constant", "a recorded tensor, whose gradient a view would lose", {}});
}

}  // namespace tenon::internal

#endif
