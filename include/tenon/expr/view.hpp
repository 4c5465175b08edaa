#pragma once

#include <algorithm>
#include <array>

#include <tenon/expr/create/create.hpp>
#include <tenon/tensor/view.hpp>

namespace tenon::error {

/// The operation, the spec, its number of axes, and the number of strides given.
template <Spec Operation, Spec Shape, int Expected, int Got>
struct wrong_number_of_strides;

}  // namespace tenon::error

namespace tenon::internal {

/// Strides for a view, one for each axis, in elements. 0 repeats an element, a negative one walks
/// backward.
template <std::size_t N>
struct ViewStrides {
  std::array<std::int64_t, N> steps{};

  template <std::integral... I>
  explicit constexpr ViewStrides(I... elements) : steps{static_cast<std::int64_t>(elements)...} {}
};
template <std::integral... I>
ViewStrides(I...) -> ViewStrides<sizeof...(I)>;

template <class A>
inline constexpr int strides_in = 0;
template <std::size_t N>
inline constexpr int strides_in<ViewStrides<N>> = static_cast<int>(N);

/// The layout of an `R`, from the sizes of its run-time axes and strides, if any.
template <TensorType R>
class ViewLayout {
 public:
  Sizes sizes = static_sizes(R::shape);
  Sizes strides{};

  template <class... A>
  explicit constexpr ViewLayout(A const&... arguments) {
    (take(arguments), ...);
    if (!strided_) strides = row_major(sizes, R::rank);
  }

 private:
  constexpr void take(std::integral auto size) {
    while (R::shape[axis_].is_static()) ++axis_;
    at(sizes, axis_++) = static_cast<std::int64_t>(size);
  }
  template <std::size_t N>
  constexpr void take(ViewStrides<N> const& given) {
    std::copy(given.steps.begin(), given.steps.end(), strides.begin());
    strided_ = true;
  }

  int axis_ = 0;
  bool strided_ = false;
};

/// Whether the arguments after a pointer determine the offsets of all elements.
template <class R, class... A>
concept LaysOut = TensorType<R> && ((std::integral<A> || strides_in<A> == R::rank) && ...) &&
                  (int{std::integral<A>} + ... + 0) == dynamic_axes(R::shape) &&
                  (int{!std::integral<A>} + ... + 0) <= 1;

struct ViewName {
  static constexpr std::string_view name = "view";
};

/// Names the error in the arguments after a pointer.
template <TensorType R, class... A>
constexpr auto layout_mistake() {
  constexpr int sizes = (int{std::integral<A>} + ... + 0), strides = (strides_in<A> + ... + 0);
  if constexpr (sizes != dynamic_axes(R::shape) || strides == 0)
    return std::type_identity<error::wrong_number_of_sizes<spec_of_name<ViewName>, R::spec,
                                                           dynamic_axes(R::shape), sizes>>{};
  else
    return std::type_identity<
        error::wrong_number_of_strides<spec_of_name<ViewName>, R::spec, R::rank, strides>>{};
}

/// A view of the memory at a pointer: `view<Float32<"n 3">>(numbers, n)`. The sizes of the run-time
/// axes in order, then strides unless it is row-major: `view<R>(numbers, n, ViewStrides(1, n))`.
/// From a pointer to non-const a view that `assign` may write. Throws `ShapeError`. PyTorch:
/// `from_blob`.
template <TensorType R, class... A>
  requires LaysOut<R, A...>
constexpr auto view(typename R::value_type const* data, A... sizes_and_strides) {
  ViewLayout<R> const layout(sizes_and_strides...);
  return View<typename R::value_type, R::spec, typename R::device>(data, layout.sizes,
                                                                   layout.strides);
}
template <TensorType R, class... A>
  requires LaysOut<R, A...>
constexpr auto view(typename R::value_type* data, A... sizes_and_strides) {
  ViewLayout<R> const layout(sizes_and_strides...);
  return MutableView<typename R::value_type, R::spec, typename R::device>(data, layout.sizes,
                                                                          layout.strides);
}
template <TensorType R, class... A>
  requires(!LaysOut<R, A...>)
constexpr auto view(typename R::value_type const* data, A... sizes_and_strides) ->
    typename decltype(layout_mistake<R, A...>())::type;

}  // namespace tenon::internal

namespace tenon {

using internal::view;
using internal::ViewStrides;

}  // namespace tenon
