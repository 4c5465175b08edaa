#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <tenon/core/config.hpp>
#include <tenon/core/dtype.hpp>

namespace tenon::internal::intrinsics {}

namespace tenon::op {

using namespace internal;
using namespace internal::intrinsics;  // ops are defined in terms of these intrinsics

}  // namespace tenon::op

/// The scalar types of the values of ops, and their binary layout.
namespace tenon::internal::intrinsics {

template <class T>
concept Scalar = std::is_arithmetic_v<T>;

template <class V>
struct ScalarOf {  // complex numbers and the 16-bit dtypes are scalars too
  using type = V;
};
template <class V>
  requires(!ComplexType<V> && requires { typename V::value_type; })
struct ScalarOf<V> {
  using type = typename V::value_type;
};

/// The scalar type of an op's value: `float` for `float` and for `Lanes<float>`.
template <class V>
using scalar_of = typename ScalarOf<V>::type;

template <class V>
concept FloatingValue = std::floating_point<scalar_of<V>>;

template <class V>
concept ComplexValue = ComplexType<scalar_of<V>>;

/// Values with adjoints: floating and complex values, those of the 16-bit and 8-bit dtypes too.
template <class V>
concept HasAdjoint = FloatingValue<V> || ComplexValue<V> || NarrowType<scalar_of<V>>;

/// Values that can be added. Masks cannot; the 16-bit dtypes are cast first.
template <class V>
concept NumberValue = !std::same_as<scalar_of<V>, bool> && requires(scalar_of<V> x) { x + x; };

/// Numbers with a quotient. (That of integers is `floor_divide`, or one of floats.)
template <class V>
concept QuotientValue = NumberValue<V> && !std::integral<scalar_of<V>>;

/// Numbers with an order.
template <class V>
concept RealValue = NumberValue<V> && Scalar<scalar_of<V>>;

/// The result of comparing two `V`.
template <class V>
using mask_of = decltype(std::declval<V>() == std::declval<V>());

template <class V>
concept MaskValue = std::same_as<V, mask_of<V>>;

/// The binary layout of a floating scalar.
template <class T>
struct Layout {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  static constexpr int mantissa_bits = std::numeric_limits<T>::digits - 1;
  static constexpr int bias = std::numeric_limits<T>::max_exponent - 1;
  static constexpr Bits sign = Bits{1} << (8 * sizeof(T) - 1);
  static constexpr Bits one = static_cast<Bits>(bias) << mantissa_bits;
  static constexpr Bits fraction = (Bits{1} << mantissa_bits) - 1;
  static constexpr T smallest_normal = (std::numeric_limits<T>::min)();
  static constexpr T largest = (std::numeric_limits<T>::max)();
  static constexpr T infinity = std::numeric_limits<T>::infinity();
  static constexpr T nan = std::numeric_limits<T>::quiet_NaN();
};

}  // namespace tenon::internal::intrinsics
