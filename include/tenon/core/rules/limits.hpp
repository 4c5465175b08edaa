#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/core/language/word.hpp>
#include <tenon/core/rules/fit.hpp>
#include <tenon/core/rules/resolve.hpp>

/// The properties of a shape for run-time checks, as numbers. (The shape itself is more than a
/// kilobyte of text, and the code that parses and prints it would be in every program.)
namespace tenon::internal {

/// The sizes that an axis may have.
struct SizeLimits {
  std::int64_t lower = 0;
  std::int64_t upper = unbounded;
};
using ShapeLimits = std::array<SizeLimits, max_rank>;

constexpr ShapeLimits limits(Shape const& shape) {
  ShapeLimits result{};
  for (int i = 0; i < shape.rank; ++i) {
    Axis const& axis = shape[i];
    result[static_cast<std::size_t>(i)] =
        axis.is_static() ? SizeLimits{axis.size, axis.size} : SizeLimits{axis.lower, axis.upper};
  }
  return result;
}

/// Whether the size of an axis follows from others: by an expression, or by a repeated name.
constexpr bool binds_axes(Shape const& shape) {
  for (int i = 0; i < shape.rank; ++i) {
    if (depends(shape, i)) return true;
  }
  return false;
}

/// The word of an axis in a canonical spec.
constexpr std::string_view word_of(std::string_view spec, int axis) {
  for (; axis > 0; --axis) next_word(spec);
  return next_word(spec);
}

/// Throws `ShapeError` for an axis whose limits do not depend on other axes.
[[noreturn, gnu::cold]] void outside_limits(std::string_view operation, std::string_view spec,
                                            int axis, std::int64_t size);

[[gnu::noinline]] constexpr void check_limits(std::string_view operation, std::string_view spec,
                                              ShapeLimits const& limits, int rank,
                                              Sizes const& sizes) {
  for (int i = 0; i < rank; ++i) {
    auto const axis = static_cast<std::size_t>(i);
    if (sizes[axis] < limits[axis].lower || sizes[axis] > limits[axis].upper)
      outside_limits(operation, spec, i, sizes[axis]);
  }
}

/// The limits of the sizes of a type with a shape.
template <class Carrier>
inline constexpr ShapeLimits limits_of = limits(Carrier::shape);

/// Checks run-time sizes against the shape of `Carrier`, whose canonical spec is `spec`. Throws
/// ShapeError.
template <class Carrier>
constexpr void check_sizes_of(std::string_view operation, std::string_view spec,
                              Sizes const& sizes) {
  if constexpr (binds_axes(Carrier::shape)) check_sizes(operation, Carrier::shape, sizes);
  else check_limits(operation, spec, limits_of<Carrier>, Carrier::shape.rank, sizes);
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

[[noreturn, gnu::cold, gnu::noinline]] TENON_RUNTIME void outside_limits(std::string_view operation,
                                                                         std::string_view spec,
                                                                         int axis,
                                                                         std::int64_t size) {
  std::string_view const word = word_of(spec, axis), name = leading_name(word);
  bool const is_named = !name.empty() && name != "_";
  bool const is_bounded = word.find("..") != word.npos;
  std::string const label = is_named ? concatenate({name}) : concatenate({"axis ", decimal(axis)});
  std::string const where = concatenate({"\"", spec, "\""});
  std::string_view const allowed = is_named && name != word ? word.substr(name.size() + 1) : word;
  fail<ShapeError>({operation, label, size < 0 && !is_bounded ? "a size of at least 0" : allowed,
                    decimal(size), where});
}

}  // namespace tenon::internal

#endif
