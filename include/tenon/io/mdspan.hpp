#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <version>

#include <tenon/core/rules/agree.hpp>
#include <tenon/expr/create/create.hpp>
#include <tenon/tensor/borrowed.hpp>

/// Interchange with `std::mdspan`, without copies: `view` of an mdspan, `as_mdspan` of a tensor.
/// Where the standard library has none (before C++23), with that of Kokkos' reference
/// implementation, `<mdspan/mdspan.hpp>` or `<experimental/mdspan>`.
#if defined(__cpp_lib_mdspan)
#include <mdspan>
namespace tenon::internal {
namespace mdspan_library = ::std;
}
#elif __has_include(<mdspan/mdspan.hpp>)
#include <mdspan/mdspan.hpp>
namespace tenon::internal {
namespace mdspan_library = ::MDSPAN_IMPL_STANDARD_NAMESPACE;
}
#elif __has_include(<experimental/mdspan>)
#include <experimental/mdspan>
namespace tenon::internal {
namespace mdspan_library = ::std::experimental;
}
#else
#error \
    "tenon/io/mdspan.hpp: expected <mdspan> (C++23), or <mdspan/mdspan.hpp> of github.com/kokkos/mdspan"
#endif

namespace tenon::compile_error {

/// The layout of an mdspan is no function of strides.
template <Spec Operation, class Layout>
struct layout_has_no_strides;

/// The elements of an mdspan are not at a pointer, or are computed when they are read.
template <Spec Operation, class Accessor>
struct accessor_has_no_elements;

}  // namespace tenon::compile_error

namespace tenon::internal {

template <class M>
inline constexpr bool is_mdspan = false;
template <class T, class E, class L, class A>
inline constexpr bool is_mdspan<mdspan_library::mdspan<T, E, L, A>> = true;

template <class M>
concept MdspanType = is_mdspan<M>;

/// The extents of an mdspan as a shape.
template <class M>
struct MdspanShape {
  static constexpr Shape shape = [] {
    Shape own{};
    own.rank = static_cast<int>(M::rank());
    for (std::size_t i = 0; i < M::rank(); ++i) {
      std::size_t const extent = M::static_extent(i);
      own[static_cast<int>(i)] =
          axis_of_size(extent == std::dynamic_extent ? dynamic : static_cast<std::int64_t>(extent));
    }
    return own;
  }();
};

/// Names the reason why an mdspan has no view with this spec; `void` if it has one.
template <Spec S, MdspanType M>
constexpr auto mdspan_view_mistake() {
  using T = typename M::element_type;
  if constexpr (!ValidSpec<S>) return std::type_identity<ReadSpec<S>>{};
  else if constexpr (!is_dtype<std::remove_cv_t<T>>)
    return std::type_identity<error::scalar_is_no_dtype<"view", std::remove_cv_t<T>>>{};
  else if constexpr (!M::is_always_strided())
    return std::type_identity<error::layout_has_no_strides<"view", typename M::layout_type>>{};
  else if constexpr (!std::convertible_to<typename M::accessor_type,
                                          mdspan_library::default_accessor<T>>)
    return std::type_identity<error::accessor_has_no_elements<"view", typename M::accessor_type>>{};
  else if constexpr (M::rank() > std::size_t{max_rank})
    return std::type_identity<error::wrong_number_of_axes<"view", S, ShapeOf<S>::shape.rank,
                                                          static_cast<int>(M::rank())>>{};
  else return unfit_view<ShapeOf<S>, MdspanShape<M>>();
}

template <Spec S, class M>
using MdspanViewMistake = typename decltype(mdspan_view_mistake<S, M>())::type;

/// A view of the elements of an mdspan without a copy, `view<"row column">(m)`: with
/// `layout_right`, `layout_left`, `layout_stride` or any other layout of strides. Static extents
/// are static in the view and checked by the compiler; the others are checked against the spec:
/// throws `ShapeError`. `assign` may write it unless the elements are const. The memory must
/// outlive the view; the mdspan need not.
template <Spec S, class M>
  requires MdspanType<Unqualified<M>> && std::is_void_v<MdspanViewMistake<S, Unqualified<M>>>
auto view(M&& m) {
  using X = Unqualified<M>;
  using T = std::remove_const_t<typename X::element_type>;
  using Sized = SizedBy<ReadSpec<S>::canonical, MdspanShape<X>>;
  Sizes sizes = unit_sizes(), strides{};
  if constexpr (X::rank() > 0) {  // (of no axes a mapping has no `stride`)
    for (std::size_t i = 0; i < X::rank(); ++i) {
      sizes[i] = static_cast<std::int64_t>(m.extent(i));
      strides[i] = static_cast<std::int64_t>(m.mapping().stride(i));
    }
  }
  if constexpr (std::is_const_v<typename X::element_type>)
    return View<T, spec_of<Sized>>(m.data_handle(), sizes, strides);
  else return MutableView<T, spec_of<Sized>>(m.data_handle(), sizes, strides);
}
template <Spec S, class M>
  requires MdspanType<Unqualified<M>> && (!std::is_void_v<MdspanViewMistake<S, Unqualified<M>>>)
auto view(M&& m) -> MdspanViewMistake<S, Unqualified<M>>;

constexpr std::size_t mdspan_extent(Axis const& axis) {
  return axis.is_static() ? static_cast<std::size_t>(axis.size) : std::dynamic_extent;
}

/// The extents of a tensor's type: static where its sizes are.
template <class E, class Axes = std::make_index_sequence<std::size_t{E::shape.rank}>>
struct MdspanExtents;
template <class E, std::size_t... I>
struct MdspanExtents<E, std::index_sequence<I...>> {
  using type = mdspan_library::extents<std::int64_t, mdspan_extent(E::shape[int{I}])...>;
};

/// Strides for `layout_stride`, which are positive and never lead to one element twice. Throws
/// `ValueError` where a view repeats elements or walks backward.
template <std::size_t rank>
std::array<std::int64_t, rank> unique_strides(std::string_view who, Sizes const& sizes,
                                              Sizes const& strides) {
  std::array<std::int64_t, rank> result{};
  std::array<std::pair<std::int64_t, std::int64_t>, rank> by_stride{};
  bool const is_empty = count(sizes, static_cast<int>(rank)) == 0;
  for (std::size_t i = 0; i < rank; ++i) {
    result[i] = is_empty || sizes[i] == 1 ? 1 : strides[i];
    by_stride[i] = {result[i], is_empty ? 1 : sizes[i]};
  }
  std::ranges::sort(by_stride);
  std::int64_t least = 1;
  for (auto const& [stride, size] : by_stride) {
    if (stride < least)
      fail<ValueError>({.who = who,
                        .expected = "a view that has each element once",
                        .got = "one with a stride of " + std::to_string(stride)});
    least = stride * size;
  }
  return result;
}

/// An mdspan of the elements at `data`: row-major of a tensor, of a view with its strides.
template <class Name, class E, class T>
auto mdspan_of(E const& x, T* data) {
  using Extents = typename MdspanExtents<E>::type;
  constexpr auto rank = std::size_t{E::shape.rank};
  std::array<std::int64_t, rank> sizes{};
  std::copy_n(x.sizes().begin(), rank, sizes.begin());
  if constexpr (TensorType<E>) {
    return mdspan_library::mdspan<T, Extents>(data, Extents(sizes));
  } else {
    using Layout = mdspan_library::layout_stride;
    typename Layout::template mapping<Extents> const mapping(
        Extents(sizes), unique_strides<rank>(Name::name, x.sizes(), x.strides()));
    return mdspan_library::mdspan<T, Extents, Layout>(data, mapping);
  }
}

/// An mdspan that may write a tensor's elements as long as it exists.
template <class M>
struct WritingMdspan : M {
  WritingMdspan(M const& span, BufferWriter const& own) : M(span), writer(own) {}

  BufferWriter writer;
};
template <class M>
inline constexpr bool is_mdspan<WritingMdspan<M>> = true;

struct AsMdspanName {
  static constexpr std::string_view name = "as_mdspan";
  static constexpr bool with_strides = true;
};
struct AsMutableMdspanName {
  static constexpr std::string_view name = "as_mutable_mdspan";
  static constexpr bool with_strides = true;
  static constexpr Spec for_constants = "use as_mdspan";
};

/// A tensor or a view as an mdspan of const elements, without a copy: static extents where its
/// sizes are static, `layout_right` of a tensor, `layout_stride` of a view, `std::int64_t` indices.
/// The tensor must outlive it and not move; an expression and a temporary do not compile. Throws
/// `Error` for a recorded tensor, `ValueError` for a view that repeats elements or walks backward.
template <Expression E>
  requires std::is_void_v<LendingMistake<AsMdspanName, E>>
auto as_mdspan(E&& x) {
  if constexpr (TensorType<Unqualified<E>>) refuse_recorded(AsMdspanName::name, x.mark());
  return mdspan_of<AsMdspanName>(x, std::as_const(x).data());
}
template <Expression E>
  requires(!std::is_void_v<LendingMistake<AsMdspanName, E>>)
auto as_mdspan(E&& x) -> LendingMistake<AsMdspanName, E>;

/// The same with elements that may be written. Shared elements are copied first, and as long as it
/// exists copies of the tensor copy the elements, as with a `mutable_view`. Keep it as long as a
/// `submdspan` of it writes.
template <Expression E>
  requires std::is_void_v<LendingMistake<AsMutableMdspanName, E>>
auto as_mutable_mdspan(E&& x) {
  if constexpr (TensorType<Unqualified<E>>) refuse_recorded(AsMutableMdspanName::name, x.mark());
  auto const span = mdspan_of<AsMutableMdspanName>(x, x.mutable_data());
  if constexpr (requires { x.storage().buffer; })
    return WritingMdspan(span, BufferWriter(x.storage().buffer));
  else return span;
}
template <Expression E>
  requires(!std::is_void_v<LendingMistake<AsMutableMdspanName, E>>)
auto as_mutable_mdspan(E&& x) -> LendingMistake<AsMutableMdspanName, E>;

}  // namespace tenon::internal

namespace tenon {

using internal::as_mdspan;
using internal::as_mutable_mdspan;
using internal::view;

}  // namespace tenon
