#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/expr/create/create.hpp>
#include <tenon/tensor/borrowed.hpp>

/// Where the elements of a view are: sizes and strides from the arguments after its memory.
namespace tenon::compile_error {

/// The operation, the spec, its number of axes, and the number of strides given.
template <Spec Operation, Spec Shape, int Expected, int Got>
struct wrong_number_of_strides;

}  // namespace tenon::compile_error

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

/// Padded rows of a view: the bytes from the beginning of one row to that of the next, where a row
/// is an index of the first axis; within it the elements are contiguous. Negative where the rows
/// are stored bottom up. `RowPitch(image.step)` of an OpenCV matrix; CUDA: pitch.
struct RowPitch {
  std::int64_t bytes = 0;

  template <std::integral I>
  explicit constexpr RowPitch(I given) : bytes(static_cast<std::int64_t>(given)) {}
};

/// The number of strides that an argument gives; -1 of any other argument.
template <class A>
inline constexpr int strides_in = -1;
template <std::size_t N>
inline constexpr int strides_in<ViewStrides<N>> = static_cast<int>(N);
template <>
inline constexpr int strides_in<RowPitch> = 1;

/// Whether `A` determines the strides of a view of `rank` axes.
template <class A, int rank>
concept GivesStrides = strides_in<A> == rank || (std::same_as<A, RowPitch> && rank > 0);

/// Whether the arguments after a view's memory determine the offsets of all elements.
template <class R, class... A>
concept LaysOut = TensorType<R> && ((std::integral<A> || GivesStrides<A, R::rank>)&&...) &&
                  (int{std::integral<A>} + ... + 0) == dynamic_axes(R::shape) &&
                  (int{!std::integral<A>} + ... + 0) <= 1;

/// Names the error in the arguments after a view's memory.
template <TensorType R, class... A>
constexpr auto layout_mistake() {
  constexpr int sizes = (int{std::integral<A>} + ... + 0),
                strides = ((std::max)(strides_in<A>, 0) + ... + 0);
  if constexpr (sizes != dynamic_axes(R::shape) || strides == 0)
    return std::type_identity<error::wrong_number_of_sizes<spec_of_name<ViewName>, R::spec,
                                                           dynamic_axes(R::shape), sizes>>{};
  else
    return std::type_identity<
        error::wrong_number_of_strides<spec_of_name<ViewName>, R::spec, R::rank, strides>>{};
}

/// Throws `ValueError` for a pitch that is no multiple of an element or less than a row.
[[noreturn, gnu::cold]] void refuse_pitch(std::int64_t bytes, std::int64_t element_bytes,
                                          std::int64_t row_bytes);

/// The stride of rows of `row` elements.
constexpr std::int64_t row_stride(RowPitch pitch, std::int64_t element_bytes, std::int64_t row) {
  std::int64_t const stride = pitch.bytes / element_bytes;
  if (stride * element_bytes != pitch.bytes || (stride < 0 ? -stride : stride) < row)
    refuse_pitch(pitch.bytes, element_bytes, row * element_bytes);
  return stride;
}

/// The number of elements of a view. Throws `ShapeError` for a negative size or on overflow.
std::int64_t checked_count(Sizes const& sizes, int rank);

/// The layout of an `R`, from the sizes of its run-time axes and strides, if any.
template <TensorType R>
class ViewLayout {
 public:
  Sizes sizes = static_sizes(R::shape);
  Sizes strides{};
  bool is_strided = false;

  template <class... A>
  explicit constexpr ViewLayout(A const&... arguments) {
    (take_size(arguments), ...);
    check_sizes_of<R>("view", R::spec.view(), sizes);
    if (!__builtin_is_constant_evaluated()) (void)checked_count(sizes, R::rank);
    strides = row_major(sizes, R::rank);
    (take_strides(arguments), ...);
  }

 private:
  template <class A>
  constexpr void take_size(A const& given) {
    if constexpr (std::integral<A>) {
      while (R::shape[axis_].is_static()) ++axis_;
      at(sizes, axis_++) = static_cast<std::int64_t>(given);
    }
  }
  template <class A>
  constexpr void take_strides(A const& given) {
    if constexpr (std::same_as<A, RowPitch>)
      strides[0] = row_stride(given, sizeof(typename R::value_type), strides[0]);
    else if constexpr (!std::integral<A>)
      std::copy(given.steps.begin(), given.steps.end(), strides.begin());
    is_strided = is_strided || !std::integral<A>;
  }

  int axis_ = 0;
};

/// All sizes of a spec with one run-time axis, from the number of elements. Throws `ShapeError`.
Sizes sizes_from_count(std::string_view spec, Sizes sizes, int rank, int axis, std::int64_t count);

/// Throws `ShapeError` unless memory of `elements` elements is exactly that of a row-major view.
void check_elements(std::string_view spec, Sizes const& sizes, int rank, std::int64_t elements);

/// Throws `ShapeError` unless a view with these strides stays within `elements` elements.
void check_elements(std::string_view spec, Sizes const& sizes, Sizes const& strides, int rank,
                    std::int64_t elements);

}  // namespace tenon::internal

namespace tenon {

using internal::RowPitch;
using internal::ViewStrides;

}  // namespace tenon

#if TENON_DEFINES_RUNTIME

#include <span>
#include <string>

#include <tenon/core/error.hpp>

namespace tenon::internal {

[[noreturn, gnu::cold]] TENON_RUNTIME void refuse_pitch(std::int64_t bytes,
                                                        std::int64_t element_bytes,
                                                        std::int64_t row_bytes) {
  bool const is_multiple = bytes % element_bytes == 0;
  fail<ValueError>({.who = "view",
                    .what = "row pitch",
                    .expected = is_multiple
                                    ? "at least " + std::to_string(row_bytes) + " bytes, a row"
                                    : "a multiple of " + std::to_string(element_bytes) + " bytes",
                    .got = std::to_string(bytes)});
}

/// Throws `ShapeError`: the memory has another number of elements.
[[noreturn, gnu::cold]] TENON_RUNTIME void refuse_count(std::string_view spec,
                                                        std::string const& expected,
                                                        std::int64_t elements) {
  fail<ShapeError>({.who = "view",
                    .what = spec,
                    .expected = expected + " elements",
                    .got = std::to_string(elements)});
}

TENON_RUNTIME std::int64_t checked_count(Sizes const& sizes, int rank) {
  return static_cast<std::int64_t>(
      memory::bytes_of(std::span(sizes).first(static_cast<std::size_t>(rank)), 1));
}

TENON_RUNTIME Sizes sizes_from_count(std::string_view spec, Sizes sizes, int rank, int axis,
                                     std::int64_t count) {
  at(sizes, axis) = 1;
  std::int64_t const others = checked_count(sizes, rank);
  if (others == 0 ? count != 0 : count % others != 0)
    refuse_count(spec, "a multiple of " + std::to_string(others), count);
  at(sizes, axis) = others == 0 ? 0 : count / others;
  return sizes;
}

TENON_RUNTIME void check_elements(std::string_view spec, Sizes const& sizes, int rank,
                                  std::int64_t elements) {
  std::int64_t const expected = checked_count(sizes, rank);
  if (expected != elements) refuse_count(spec, std::to_string(expected), elements);
}

TENON_RUNTIME void check_elements(std::string_view spec, Sizes const& sizes, Sizes const& strides,
                                  int rank, std::int64_t elements) {
  if (checked_count(sizes, rank) == 0) return;
  std::int64_t needed = 1;
  bool overflows = false;
  for (int i = 0; i < rank; ++i) {
    std::int64_t const steps = at(sizes, i) - 1, stride = at(strides, i);
    if (steps > 0 && stride < 0)
      fail<ShapeError>({.who = "view",
                        .what = spec,
                        .expected = "strides that are not negative, from the first element on",
                        .got = std::to_string(stride)});
    std::int64_t reach = 0;
    overflows = overflows || __builtin_mul_overflow(steps, stride, &reach) ||
                __builtin_add_overflow(needed, reach, &needed);
  }
  if (overflows || needed > elements)
    refuse_count(spec, "at least " + (overflows ? "2^63" : std::to_string(needed)), elements);
}

}  // namespace tenon::internal

#endif
