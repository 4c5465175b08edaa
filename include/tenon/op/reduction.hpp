#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include <tenon/op/partials.hpp>

namespace tenon::op {

/// The op of a reduction is associative and commutative: it has an identity, it combines two
/// values, and its backward has two steps. `share` is computed once from the adjoint of the result;
/// it may reduce all values `x` again, `over(Reduction{}, [](x) { ... })`. Then `backward` gives
/// the adjoint of each value from it.
struct SumReduction {
  static constexpr std::string_view name = "sum";
  static constexpr std::string_view onnx = "ReduceSum";
  static constexpr bool widens_integers = true;
  template <class T>
  static constexpr T identity = T(0);
  template <NumberValue V>
  TENON_INLINE static constexpr V f(V a, V b) {
    return add(a, b);
  }
  template <class V, class Over>
  TENON_INLINE static constexpr V share(V adjoint, V, Over const&) {
    return adjoint;
  }
  /// For the value `x` and the result `y`.
  template <class V>
  TENON_INLINE static constexpr V backward(V share, V, V) {
    return share;
  }
};

/// The product. The adjoint of a value is that of the result times the product of the other values,
/// also if some of these are zero (a product that overflows has no useful derivative).
struct ProdReduction {
  static constexpr std::string_view name = "prod";
  static constexpr std::string_view onnx = "ReduceProd";
  static constexpr bool widens_integers = true;
  template <class T>
  static constexpr T identity = T(1);
  template <NumberValue V>
  static constexpr V f(V a, V b) {
    return multiply(a, b);
  }
  /// The adjoint times all values; times the nonzero ones where one value is zero, else 0. (For
  /// higher derivatives see `graph::reduction`.)
  template <class V>
  struct Share {
    V whole, of_zero;
  };
  template <class V, class Over>
  static constexpr Share<V> share(V adjoint, V y, Over const& over) {
    V const none = V(scalar_of<V>(0)), one = V(scalar_of<V>(1));
    V const zeros = over(SumReduction{}, [=](V x) { return select(x == none, one, none); });
    V const others = over(ProdReduction{}, [=](V x) { return select(x == none, one, x); });
    return {adjoint * y, select(zeros == one, adjoint * others, none)};
  }
  template <class V>
  static constexpr V backward(Share<V> const& share, V x, V) {
    V const none = V(scalar_of<V>(0)), one = V(scalar_of<V>(1));
    return select(x == none, share.of_zero, share.whole / select(x == none, one, x));
  }
};

/// Equal maxima (or minima) split the adjoint equally. If the result is NaN, all derivatives are
/// NaN.
struct Extreme {
  template <class V, class Over>
  TENON_INLINE static constexpr V share(V adjoint, V y, Over const& over) {
    V const none = V(scalar_of<V>(0)), one = V(scalar_of<V>(1));
    V const ties = over(SumReduction{}, [=](V x) { return select(x == y, one, none); });
    return select(ties > one, adjoint / ties, adjoint);
  }
  template <class V>
  TENON_INLINE static constexpr V backward(V share, V x, V y) {
    return select(x == y, share, select(y == y, V(scalar_of<V>(0)), y));
  }
};

/// The maximum; NaN if there is one; the lowest value for no elements.
struct MaxReduction : Extreme {
  static constexpr std::string_view name = "max";
  static constexpr std::string_view onnx = "ReduceMax";
  template <class T>
  static constexpr T identity =
      std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                           : std::numeric_limits<T>::lowest();
  template <RealValue V>
  TENON_INLINE static constexpr V f(V a, V b) {
    return maximum(a, b);
  }
  /// The maximum ignoring NaN.
  template <class V>
  TENON_INLINE static constexpr auto number(V a, V b) -> decltype(maximum_number(a, b)) {
    return maximum_number(a, b);
  }
};

/// The minimum; NaN if there is one; the highest value for no elements.
struct MinReduction : Extreme {
  static constexpr std::string_view name = "min";
  static constexpr std::string_view onnx = "ReduceMin";
  template <class T>
  static constexpr T identity =
      std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                           : (std::numeric_limits<T>::max)();
  template <RealValue V>
  TENON_INLINE static constexpr V f(V a, V b) {
    return minimum(a, b);
  }
  /// The minimum ignoring NaN.
  template <class V>
  TENON_INLINE static constexpr auto number(V a, V b) -> decltype(minimum_number(a, b)) {
    return minimum_number(a, b);
  }
};

/// Whether any element is true; false for no elements.
struct AnyReduction {
  static constexpr std::string_view name = "any";
  static constexpr bool reductions_masks = true;
  template <class T>
  static constexpr T identity = false;
  template <class M>
  TENON_INLINE static constexpr M f(M a, M b) {
    return M(a | b);
  }
};

/// Whether all elements are true; true for no elements.
struct AllReduction {
  static constexpr std::string_view name = "all";
  static constexpr bool reductions_masks = true;
  template <class T>
  static constexpr T identity = true;
  template <class M>
  TENON_INLINE static constexpr M f(M a, M b) {
    return M(a & b);
  }
};

/// A better value replaces the best so far, and so does the first NaN.
template <class V>
constexpr mask_of<V> displaces(mask_of<V> is_better, V x, V best) {
  mask_of<V> const is_none = is_nan(x), was_one = !is_nan(best);
  return is_better | (is_none & was_one);
}

/// The position of the maximum; of the first NaN if there is one; the first of equal elements.
struct ArgmaxReduction {
  static constexpr std::string_view name = "argmax";
  static constexpr std::string_view onnx = "ArgMax";
  /// Whether `x` replaces the best so far.
  template <class V>
  static constexpr auto better(V x, V best) {
    return displaces(x > best, x, best);
  }
};

/// The position of the minimum; of the first NaN if there is one; the first of equal elements.
struct ArgminReduction {
  static constexpr std::string_view name = "argmin";
  static constexpr std::string_view onnx = "ArgMin";
  template <class V>
  static constexpr auto better(V x, V best) {
    return displaces(x < best, x, best);
  }
};

/// Reductions to a position; they run element by element, in order.
template <class F>
concept PositionReduction = requires { F::better(1.0f, 2.0f); };

/// Reductions that overflow narrow integers: they are computed in 64-bit integers.
template <class F>
concept WideningReduction = requires { requires F::widens_integers; };

/// Reductions of masks alone; all others are of numbers alone.
template <class F>
concept MaskReduction = requires { requires F::reductions_masks; };

/// A model of the `over` argument of `share`.
struct AnyOver {
  template <class Reduction, class Of>
  float operator()(Reduction, Of const&) const;
};

/// Reductions with a derivative.
template <class F>
concept SmoothReduction =
    requires(float x, AnyOver over) { F::backward(F::share(x, x, over), x, x); };

/// Compositions of a reduction and further ops.
struct MeanReduction {
  static constexpr std::string_view name = "mean";
};
struct VarianceReduction {
  static constexpr std::string_view name = "var";
};
struct NoReduction {
  static constexpr std::string_view name = "none";
};

// The names for `reduce` and the losses: `reduce<"b h w c -> b c", op::mean>(x)`.
using sum = SumReduction;
using max = MaxReduction;
using min = MinReduction;
using prod = ProdReduction;
using any = AnyReduction;
using all = AllReduction;
using mean = MeanReduction;
using none = NoReduction;

}  // namespace tenon::op

namespace tenon::internal {

/// Reduces a sequence in a fixed tree: blocks one after the other, the blocks pairwise, so that the
/// rounding error of a sum grows with the logarithm of its length. The tree depends on the length
/// only.
template <class M, class Op, class T>
class PairwiseReduction {
 public:
  using V = typename M::template vector<T>;
  static constexpr int block_length = 64;

  constexpr void add(V x) {
    block_ = Op::f(block_, x);
    if (++filled_ < block_length) return;
    push(block_);
    block_ = V(Op::template identity<T>);
    filled_ = 0;
  }

  /// Adds a reduced block, and propagates carries as in binary counting. With `level`: the total of
  /// 2^level blocks, the number of blocks before being a multiple of that.
  constexpr void push(V block, std::uint64_t level = 0) {
    std::uint64_t i = level;
    for (; ((blocks_ >> i) & 1) != 0; ++i) block = Op::f(levels_[i], block);
    levels_[i] = block;
    blocks_ += std::uint64_t{1} << level;
  }

  /// The total of exactly 2^level blocks.
  constexpr V total_of(std::uint64_t level) const { return levels_[level]; }

  constexpr V result() const { return result(block_); }

  /// With a last, already reduced block.
  constexpr V result(V total) const {
    for (std::uint64_t left = blocks_, i = 0; left != 0; left >>= 1, ++i) {
      if ((left & 1) != 0) total = Op::f(levels_[i], total);
    }
    return total;
  }

 private:
  V block_ = V(Op::template identity<T>);
  std::array<V, 48> levels_;
  std::uint64_t blocks_ = 0;
  int filled_ = 0;
};

}  // namespace tenon::internal
