#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include <tenon/op/partials.hpp>

namespace tenon::op {

/// An op that folds many values into one is associative and commutative: it has an identity, it
/// combines two values, and it passes the adjoint of the result to one value among many.
struct SumFold {
  static constexpr std::string_view name = "sum";
  static constexpr std::string_view onnx = "ReduceSum";
  static constexpr bool has_ties = false;
  template <class T>
  static constexpr T identity = T(0);
  template <NumberValue V>
  static constexpr V f(V a, V b) {
    return add(a, b);
  }
  /// The share of the adjoint for `x`, where the result is `y`.
  template <class V>
  static constexpr V pull(V adjoint, V, V) {
    return adjoint;
  }
};

/// Extremes share the adjoint equally among ties: the adjoint comes divided by their number.
struct Extreme {
  static constexpr bool has_ties = true;
  template <class V>
  static constexpr V pull(V adjoint, V x, V y) {
    return select(x == y, adjoint, V(scalar_of<V>(0)));
  }
};

/// The largest; NaN if there is one; of nothing: the lowest value.
struct MaxFold : Extreme {
  static constexpr std::string_view name = "max";
  static constexpr std::string_view onnx = "ReduceMax";
  template <class T>
  static constexpr T identity =
      std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                           : std::numeric_limits<T>::lowest();
  template <RealValue V>
  static constexpr V f(V a, V b) {
    return maximum(a, b);
  }
};

/// The smallest; NaN if there is one; of nothing: the largest value.
struct MinFold : Extreme {
  static constexpr std::string_view name = "min";
  static constexpr std::string_view onnx = "ReduceMin";
  template <class T>
  static constexpr T identity =
      std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                           : std::numeric_limits<T>::max();
  template <RealValue V>
  static constexpr V f(V a, V b) {
    return minimum(a, b);
  }
};

/// Is any mask true? Of nothing: no.
struct AnyFold {
  static constexpr std::string_view name = "any";
  static constexpr bool folds_masks = true;
  template <class T>
  static constexpr T identity = false;
  template <class M>
  static constexpr M f(M a, M b) {
    return M(a | b);
  }
};

/// Are all masks true? Of nothing: yes.
struct AllFold {
  static constexpr std::string_view name = "all";
  static constexpr bool folds_masks = true;
  template <class T>
  static constexpr T identity = true;
  template <class M>
  static constexpr M f(M a, M b) {
    return M(a & b);
  }
};

/// The position of the largest; of the first NaN if there is one; the first among equals.
struct ArgmaxFold {
  static constexpr std::string_view name = "argmax";
  static constexpr std::string_view onnx = "ArgMax";
  /// Does `x` displace the best so far?
  template <class T>
  static constexpr bool better(T x, T best) {
    return x > best || (is_nan(x) && !is_nan(best));
  }
};

/// The position of the smallest; of the first NaN if there is one; the first among equals.
struct ArgminFold {
  static constexpr std::string_view name = "argmin";
  static constexpr std::string_view onnx = "ArgMin";
  template <class T>
  static constexpr bool better(T x, T best) {
    return x < best || (is_nan(x) && !is_nan(best));
  }
};

/// Folds that give a position; they run element by element, in order.
template <class F>
concept PositionFold = requires { F::better(1.0f, 2.0f); };

/// Folds of masks alone; all others are of numbers alone.
template <class F>
concept MaskFold = requires { requires F::folds_masks; };

/// Folds whose result has a derivative.
template <class F>
concept SmoothFold = requires { F::pull(1.0f, 1.0f, 1.0f); };

/// What is no fold itself: a fold and what follows it.
struct MeanReduction {
  static constexpr std::string_view name = "mean";
};
struct VarianceReduction {
  static constexpr std::string_view name = "var";
};
struct NoReduction {
  static constexpr std::string_view name = "none";
};

// As they are written in `reduce` and in the losses: `reduce<"b h w c -> b c", op::mean>(x)`.
using sum = SumFold;
using max = MaxFold;
using min = MinFold;
using mean = MeanReduction;
using none = NoReduction;

}  // namespace tenon::op
