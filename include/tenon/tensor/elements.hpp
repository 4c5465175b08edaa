#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/core/mistake.hpp>
#include <tenon/core/shape.hpp>
#include <tenon/tensor/device_storage.hpp>
#include <tenon/tensor/expression.hpp>
#include <tenon/tensor/live_recordings.hpp>
#include <tenon/tensor/nested.hpp>

namespace tenon::internal {

/// Throws `Error`: a number has no gradient, so that of the recorded value would be lost.
[[noreturn, gnu::cold]] void refuse_read();

/// Throws `Error` if a value with this mark is part of an active recording, of this or another
/// thread.
[[gnu::cold]] void check_marked_read(TapeMark mark);
constexpr void check_read(TapeMark mark) {
  if (mark.tape != 0) [[unlikely]]
    check_marked_read(mark);
}

[[noreturn, gnu::cold]] void refuse_write();

/// Throws `Error` if a value with this mark is recorded here: its gradient would be that of other
/// elements.
constexpr void check_written(TapeMark mark) {
  if (is_recorded(mark)) [[unlikely]]
    refuse_write();
}

}  // namespace tenon::internal

namespace tenon::compile_error {

/// The operation, the spec, the number of its elements, and the number of elements in memory or in
/// braces.
template <Spec Operation, Spec Shape, std::int64_t Expected, std::int64_t Got>
struct wrong_number_of_elements;

/// The rows in braces are too few, too many, or not all of this length.
template <Spec Shape, std::int64_t Rows, std::int64_t Length>
struct rows_in_braces_do_not_fit;

}  // namespace tenon::compile_error

namespace tenon::internal {

template <Spec S>
inline constexpr std::int64_t static_count =
    count(static_sizes(ShapeOf<S>::shape), ShapeOf<S>::shape.rank);

template <class T, Spec S, class D>
inline constexpr bool holds_elements = D::is_host && is_inline(ShapeOf<S>::shape, sizeof(T));

/// Whether the compiler counts the elements in braces: those of a longer vector would be as many
/// parameters of a constructor; one element would be a conversion of a number.
template <Spec S>
inline constexpr bool counts_elements =
    ShapeOf<S>::shape.rank == 1 && static_count<S> > 1 && static_count<S> <= 64;

/// Whether it counts the rows in braces, and their elements.
template <Spec S>
inline constexpr bool counts_rows = ShapeOf<S>::shape.rank == 2 && static_count<S> > 0;

template <Spec S, std::size_t... N>
concept FillsRows = counts_rows<S> && sizeof...(N) == ShapeOf<S>::shape[0].size &&
                    ((N == ShapeOf<S>::shape[1].size) && ...);

/// The error of rows in braces; none where they fit.
template <Spec S, std::size_t... N>
struct UnfitRows {};
template <Spec S, std::size_t... N>
  requires(counts_rows<S> && !FillsRows<S, N...>)
struct UnfitRows<S, N...> {
  using type =
      error::rows_in_braces_do_not_fit<S, ShapeOf<S>::shape[0].size, ShapeOf<S>::shape[1].size>;
};

/// The error of numbers `I` as elements: as many as the vector has, and none floating among
/// integers (in parentheses the compiler would convert it).
template <class T, Spec S, class... I>
struct UnfitBraces {};
template <class T, Spec S, class... I>
  requires(counts_elements<S> && sizeof...(I) > 0 && sizeof...(I) != static_count<S>)
struct UnfitBraces<T, S, I...> {
  using type =
      error::wrong_number_of_elements<"braces", S, static_count<S>, std::int64_t{sizeof...(I)}>;
};
template <std::integral T, Spec S, class... I>
  requires(counts_elements<S> && sizeof...(I) == static_count<S> &&
           (std::is_floating_point_v<I> || ...))
struct UnfitBraces<T, S, I...> {
  using type = error::floating_literal_on_integers<"braces", spec_of_dtype<T>>;
};

struct InStorage {};

template <class T, std::size_t>
using EachElement = InBraces<T>;

/// The elements of a tensor of `sizeof...(I)` elements, which are counted where they are in braces.
template <class T, class Storage, class Indices>
class CountedElements;
template <class T, class S, std::size_t... I>
class CountedElements<T, S, std::index_sequence<I...>> {
 public:
  using Storage = S;
  constexpr CountedElements() = default;
  template <class... A>
  explicit constexpr CountedElements(InStorage, A&&... arguments)
      : storage_(std::forward<A>(arguments)...) {}
  constexpr CountedElements(EachElement<T, I>... elements)
    requires(sizeof...(I) > 0)
      : storage_(std::int64_t{sizeof...(I)}) {
    storage_.set_elements(sizeof...(I), [&](T* to) { ((*to++ = elements), ...); });
  }

 protected:
  S storage_;
};

template <class T, Spec S, class D>
using ElementsOfTensor = CountedElements<
    T, typename StorageOf<T, D, holds_elements<T, S, D>, static_count<S>>::type,
    std::make_index_sequence<counts_elements<S> ? static_cast<std::size_t>(static_count<S>) : 0>>;

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <tenon/core/error.hpp>
#include <tenon/tensor/tracing.hpp>

namespace tenon::internal {

[[noreturn, gnu::cold, gnu::noinline]] TENON_RUNTIME void refuse_read() {
  throw Error(
      "tenon::Tensor: a recorded value is read as a number, which has no gradient: x[i] is a "
      "tensor and has one; stop_gradient(x)(i), stop_gradient(x).item() are numbers");
}

[[gnu::cold, gnu::noinline]] TENON_RUNTIME void check_marked_read(TapeMark mark) {
  if (tracing::is_on() && is_recorded(mark)) tracing::refuse_read();
  if (is_recorded(mark) || LiveRecordings::has(mark.tape)) refuse_read();
}

[[noreturn, gnu::cold, gnu::noinline]] TENON_RUNTIME void refuse_write() {
  throw Error(
      "tenon::Tensor: a recorded tensor cannot be written: set<axis>(x, i, v) makes another");
}

}  // namespace tenon::internal

#endif
