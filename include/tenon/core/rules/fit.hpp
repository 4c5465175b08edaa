#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/core/format.hpp>
#include <tenon/core/language/division.hpp>
#include <tenon/core/language/expression.hpp>
#include <tenon/core/language/extent.hpp>
#include <tenon/core/rules/resolve.hpp>
#include <tenon/core/shape.hpp>

namespace tenon::internal {

/// A number, or none where a name has no size or a division has no result.
struct SizeNumber {
  std::int64_t value = 0;
  bool known = true;
};

/// Expressions evaluated to numbers: the names are axes of a shape, with run-time sizes.
struct SizeAlgebra {
  using Value = SizeNumber;
  Shape const* shape = nullptr;
  Sizes const* sizes = nullptr;

  constexpr SizeNumber number(std::int64_t value) const { return {value, true}; }
  /// The size of the first axis that binds the name; a number takes precedence.
  constexpr SizeNumber name(std::string_view name) const {
    SizeNumber result{0, false};
    for (int i = 0; i < shape->rank; ++i) {
      Axis const& axis = (*shape)[i];
      if (!axis.binds() || !axis.name.is(name)) continue;
      if (!result.known || axis.is_static()) result = {(*sizes)[static_cast<std::size_t>(i)], true};
      if (axis.is_static()) break;
    }
    return result;
  }
  constexpr SizeNumber add(SizeNumber a, SizeNumber b) const {
    return {a.value + b.value, a.known && b.known};
  }
  constexpr SizeNumber subtract(SizeNumber a, SizeNumber b) const {
    return {a.value - b.value, a.known && b.known};
  }
  constexpr SizeNumber multiply(SizeNumber a, SizeNumber b) const {
    std::int64_t product = 0;
    bool const wide = __builtin_mul_overflow(a.value, b.value, &product);
    return {product, a.known && b.known && !wide && !is_too_large(product)};
  }
  constexpr SizeNumber divide(SizeNumber a, SizeNumber b) const {
    bool const known = a.known && b.known && b.value != 0;
    return known ? SizeNumber{floor_of(a.value, b.value), true} : SizeNumber{0, false};
  }
  constexpr SizeNumber modulo(SizeNumber a, SizeNumber b) const {
    SizeNumber const quotient = divide(a, b);
    return quotient.known ? SizeNumber{a.value - b.value * quotient.value, true} : quotient;
  }
  constexpr SizeNumber minimum(SizeNumber a, SizeNumber b) const {
    return {a.value < b.value ? a.value : b.value, a.known && b.known};
  }
  constexpr SizeNumber maximum(SizeNumber a, SizeNumber b) const {
    return {a.value < b.value ? b.value : a.value, a.known && b.known};
  }
  constexpr bool is_zero(SizeNumber) const { return false; }
};

/// The value of an expression in the axes of a shape.
constexpr SizeNumber evaluate_size(std::string_view expression, Shape const& shape,
                                   Sizes const& sizes) {
  ExpressionReader<SizeAlgebra> reader{expression, {&shape, &sizes}};
  return reader.whole();
}

/// The size that an axis must have: a number if it follows from the other axes.
constexpr SizeNumber required_size(Shape const& shape, Sizes const& sizes, int axis) {
  Axis const& wanted = shape[axis];
  if (wanted.is_static()) return {wanted.size, true};
  if (wanted.is_computed()) return evaluate_size(wanted.expression.view(), shape, sizes);
  for (int i = 0; i < axis; ++i) {
    if (have_one_size(shape[i], wanted)) return {sizes[static_cast<std::size_t>(i)], true};
  }
  return {0, false};
}

constexpr bool size_fits(Shape const& shape, Sizes const& sizes, int axis) {
  std::int64_t const size = sizes[static_cast<std::size_t>(axis)];
  SizeNumber const required = required_size(shape, sizes, axis);
  return size >= 0 && size >= shape[axis].lower && size <= shape[axis].upper &&
         (!required.known || required.value == size);
}

/// The first axis whose run-time size its shape does not allow, or -1.
constexpr int mismatch_of(Shape const& shape, Sizes const& sizes) {
  for (int i = 0; i < shape.rank; ++i) {
    if (!size_fits(shape, sizes, i)) return i;
  }
  return -1;
}

/// An axis in messages: its name, else its position.
[[gnu::cold]] std::string axis_label(Shape const& shape, int axis);

/// The text of the size that an axis must have: "3", "n+1 = 5", "1..64".
[[gnu::cold]] std::string expected_size(Shape const& shape, Sizes const& sizes, int axis);

[[noreturn, gnu::cold]] void fail_size(std::string_view operation, Shape const& shape,
                                       Sizes const& sizes, int axis);

/// Checks run-time sizes against a shape: static sizes, bounds, expressions in the other axes, and
/// one size per name. Throws ShapeError.
constexpr void check_sizes(std::string_view operation, Shape const& shape, Sizes const& sizes) {
  int const axis = mismatch_of(shape, sizes);
  if (axis >= 0) fail_size(operation, shape, sizes, axis);
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

[[gnu::cold]] TENON_RUNTIME std::string axis_label(Shape const& shape, int axis) {
  return shape[axis].is_named() ? concatenate({shape[axis].name.view()})
                                : concatenate({"axis ", decimal(axis)});
}

[[gnu::cold]] TENON_RUNTIME std::string expected_size(Shape const& shape, Sizes const& sizes,
                                                      int axis) {
  Axis const& wanted = shape[axis];
  std::int64_t const size = sizes[static_cast<std::size_t>(axis)];
  auto const text = format(wanted);
  if (size < wanted.lower || size > wanted.upper) {
    bool const bounded = wanted.lower > 0 || wanted.upper != unbounded;
    return concatenate(
        {bounded ? text.view().substr(wanted.name.length + 1) : "a size of at least 0"});
  }
  std::string const number = decimal(required_size(shape, sizes, axis).value);
  return wanted.expression.empty() ? number
                                   : concatenate({wanted.expression.view(), " = ", number});
}

[[noreturn, gnu::cold, gnu::noinline]] TENON_RUNTIME void fail_size(std::string_view operation,
                                                                    Shape const& shape,
                                                                    Sizes const& sizes, int axis) {
  std::string const what = axis_label(shape, axis);
  std::string const expected = expected_size(shape, sizes, axis);
  std::string const got = decimal(sizes[static_cast<std::size_t>(axis)]);
  std::string const where = concatenate({"\"", format(shape).view(), "\""});
  fail<ShapeError>({operation, what, expected, got, where});
}

}  // namespace tenon::internal

#endif
