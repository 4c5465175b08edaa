#pragma once

#include <tenon/tensor/tensor.hpp>

namespace tenon {

/// Borrowed memory, to be read: the elements are somebody else's, and must outlive the view. It is
/// the only thing that may dangle. An expression like any other, with strides of its own.
template <class T, Spec S, class D = Cpu>
  requires Canonical<S>
class View : public ExpressionNode<View<T, S, D>> {
 public:
  using value_type = T;
  using device = D;
  static constexpr auto spec = S;
  static constexpr Shape const& shape = ShapeOf<S>::shape;
  static constexpr int rank = shape.rank;

  /// Throws `ShapeError` for sizes that the spec does not allow.
  constexpr View(T const* data, Sizes const& sizes, Sizes const& strides)
      : data_(data), sizes_(sizes), strides_(strides) {
    check_sizes_of<ShapeOf<S>>("view", S.view(), sizes);
  }

  constexpr T const* data() const { return data_; }
  constexpr Sizes sizes() const { return sizes_; }
  constexpr Sizes strides() const { return strides_; }
  constexpr std::int64_t size() const { return count(sizes_, rank); }

 private:
  T const* data_;
  Sizes sizes_;
  Sizes strides_;
};

/// Borrowed memory that `assign` may write.
template <class T, Spec S, class D = Cpu>
class MutableView : public View<T, S, D> {
 public:
  constexpr MutableView(T* data, Sizes const& sizes, Sizes const& strides,
                        BufferWriter const& writer = {})
      : View<T, S, D>(data, sizes, strides), data_(data), writer_(writer) {}

  constexpr T* mutable_data() const { return data_; }

 private:
  T* data_;
  BufferWriter writer_;  ///< Of a tensor's buffer: it stays, and copies do not share it.
};

/// The range of memory that a view covers: from `first` elements before its first element to `last`
/// after it.
struct Reached {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

constexpr Reached reached(Sizes const& sizes, Sizes const& strides, int rank) {
  Reached result{};
  for (int i = 0; i < rank; ++i) {
    std::int64_t const far = (at(sizes, i) - 1) * at(strides, i);
    (far < 0 ? result.first : result.last) += far;
  }
  result.first = -result.first;
  return result;
}

/// Throws `Error`: the view would be a constant where its tensor is not.
void refuse_recorded(std::string_view operation, TapeMark mark);

/// A tensor's elements, without a share in them: it must stay where it is.
template <TensorType E>
constexpr auto view(E const& tensor) {
  if (!__builtin_is_constant_evaluated()) refuse_recorded("view", tensor.mark());
  Sizes const sizes = tensor.sizes();
  return View<typename E::value_type, E::spec, typename E::device>(tensor.storage().data(), sizes,
                                                                   row_major(sizes, E::rank));
}
template <TensorType E>
constexpr auto view(E const&& tensor) = delete;

/// The same to be written; what the tensor shares with others is copied first, and copies that are
/// made of the tensor while the view lives have elements of their own.
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

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/tensor/view.ipp>
#endif
