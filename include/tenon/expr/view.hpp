#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>

#include <tenon/expr/view_layout.hpp>

namespace tenon::internal {

/// A view of the memory at a pointer: `view<Float32<"n 3">>(numbers, n)`. The sizes of the run-time
/// axes in order, then strides unless it is row-major: `view<R>(numbers, n, ViewStrides(1, n))`, or
/// `RowPitch(bytes)` for padded rows. From a pointer to non-const a view that `assign` may write.
/// Throws `ShapeError`, and `ValueError` for a pitch that is no multiple of an element. PyTorch:
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

/// Contiguous elements: a `std::vector`, a `std::array`, a `std::span`, an array.
template <class M>
concept ContiguousRange = std::ranges::contiguous_range<M> && std::ranges::sized_range<M> &&
                          !Expression<M> && !Mistake<M>;

/// Memory that a view may have: contiguous elements, or a pointer to the first one.
template <class M>
concept Memory = ContiguousRange<M> || std::is_pointer_v<Unqualified<M>>;

/// The type of its elements: const where they are.
template <class M>
struct ElementOfMemory {
  using type = std::remove_pointer_t<Unqualified<M>>;
};
template <ContiguousRange M>
struct ElementOfMemory<M> {
  using type = std::remove_reference_t<std::ranges::range_reference_t<M>>;
};

/// The number of elements of a type; `dynamic` where it is known only at run time.
template <class M>
inline constexpr std::int64_t static_elements = dynamic;
template <class T, std::size_t N>
inline constexpr std::int64_t static_elements<T[N]> = static_cast<std::int64_t>(N);
template <class T, std::size_t N>
inline constexpr std::int64_t static_elements<std::array<T, N>> = static_cast<std::int64_t>(N);
template <class T, std::size_t N>
  requires(N != std::dynamic_extent)
inline constexpr std::int64_t static_elements<std::span<T, N>> = static_cast<std::int64_t>(N);

/// Whether the size of the only run-time axis follows from the number of elements.
template <class R, class M, class... A>
concept SizedByCount =
    ContiguousRange<M> && sizeof...(A) == 0 && TensorType<R> && dynamic_axes(R::shape) == 1;

template <class R, class M>
constexpr auto static_count_mistake() {
  constexpr std::int64_t got = static_elements<Unqualified<M>>;
  if constexpr (!R::shape.is_static() || got == dynamic) return std::type_identity<void>{};
  else if constexpr (R::static_count == got) return std::type_identity<void>{};
  else
    return std::type_identity<
        error::wrong_number_of_elements<"view", R::spec, R::static_count, got>>{};
}

/// Names the reason why memory has no view with this spec and these sizes; `void` if it has one.
template <Spec S, class M, class... A>
constexpr auto memory_view_mistake() {
  using T = std::remove_const_t<typename ElementOfMemory<M>::type>;
  if constexpr (!ValidSpec<S>) return std::type_identity<ReadSpec<S>>{};
  else if constexpr (!is_dtype<T>)
    return std::type_identity<error::scalar_is_no_dtype<"view", T>>{};
  else if constexpr (ContiguousRange<M> && !std::ranges::borrowed_range<M>)
    return std::type_identity<error::temporary_has_no_lasting_elements<"view", "name it first">>{};
  else {
    using R = Tensor<T, ReadSpec<S>::canonical, Cpu>;
    if constexpr (!LaysOut<R, A...> && !SizedByCount<R, M, A...>) return layout_mistake<R, A...>();
    else if constexpr (sizeof...(A) == 0) return static_count_mistake<R, M>();
    else return std::type_identity<void>{};
  }
}
template <Spec S, class M, class... A>
using MemoryViewMistake = typename decltype(memory_view_mistake<S, M, A...>())::type;

/// The layout of an `R` in a range. Throws `ShapeError` unless its length fits.
template <TensorType R, class M, class... A>
ViewLayout<R> layout_in(M const& range, A... sizes_and_strides) {
  auto const elements = static_cast<std::int64_t>(std::ranges::size(range));
  if constexpr (SizedByCount<R, M, A...>) {
    constexpr int axis = dynamic_axes_of<R>[0];
    return ViewLayout<R>(at(
        sizes_from_count(R::spec.view(), static_sizes(R::shape), R::rank, axis, elements), axis));
  } else {
    ViewLayout<R> const layout(sizes_and_strides...);
    if (layout.is_strided)
      check_elements(R::spec.view(), layout.sizes, layout.strides, R::rank, elements);
    else check_elements(R::spec.view(), layout.sizes, R::rank, elements);
    return layout;
  }
}

/// A view of contiguous elements, without a copy: `view<"row column">(numbers, 2, 3)` of a
/// `std::vector`, `std::array`, `std::span` or array, or of memory at a pointer. The sizes of the
/// run-time axes in order, of a single one none: `view<"n">(numbers)`; then `ViewStrides` or
/// `RowPitch` unless it is row-major. Throws `ShapeError` unless the number of elements is that of
/// the sizes, or the strides stay within it; of a pointer it is not known. `assign` may write it
/// unless the elements are const. They must outlive it: a temporary `std::vector` does not compile.
/// PyTorch: `from_numpy`, `frombuffer`.
template <Spec S, Memory M, class... A>
  requires std::is_void_v<MemoryViewMistake<S, M, A...>>
auto view(M&& memory, A... sizes_and_strides) {
  using T = typename ElementOfMemory<M>::type;
  using R = Tensor<std::remove_const_t<T>, ReadSpec<S>::canonical, Cpu>;
  using V = std::conditional_t<std::is_const_v<T>, View<typename R::value_type, R::spec>,
                               MutableView<typename R::value_type, R::spec>>;
  if constexpr (ContiguousRange<M>) {
    auto const layout = layout_in<R>(memory, sizes_and_strides...);
    return V(std::ranges::data(memory), layout.sizes, layout.strides);
  } else {
    ViewLayout<R> const layout(sizes_and_strides...);
    return V(memory, layout.sizes, layout.strides);
  }
}
template <Spec S, Memory M, class... A>
  requires(!std::is_void_v<MemoryViewMistake<S, M, A...>>)
auto view(M&& memory, A... sizes_and_strides) -> MemoryViewMistake<S, M, A...>;

}  // namespace tenon::internal

namespace tenon {

using internal::view;

}  // namespace tenon
