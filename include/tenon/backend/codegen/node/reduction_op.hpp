#pragma once

#include <tenon/backend/codegen/symbol/value.hpp>
#include <tenon/op/fold.hpp>

namespace tenon::source {

struct FoldOp;

/// A function of a value.
using OfValue = Callback<Value(Value const&)>;
/// Another reduction over the same values.
using OverFold = Callback<Value(FoldOp const&, OfValue const&)>;
/// Receives the function that maps each value to its contribution to an adjoint.
using PassFold = Callback<void(OfValue const&)>;

/// A reduction op on elements of a dtype.
struct FoldOp {
  std::string_view name;
  Dtype const* dtype;
  bool is_position;  ///< `f(a, b)` is then whether `a` is better than `b`.
  bool is_sum;
  bool rounds;  ///< Whether the result depends on the order of elements.
  std::string (*identity)();
  Value (*f)(Value const& a, Value const& b);
  /// Null if the op has no derivative.
  void (*pull)(Value const& adjoint, Value const& y, OverFold const& over, PassFold const& pass);
};

template <class Op, class T>
struct FoldOpOf;

/// `over` as passed to the bodies of reductions.
template <class T>
struct OverSymbols {
  OverFold const& over;

  template <class Op, class Of>
  Symbol<T> operator()(Op, Of const& of) const {
    return symbol_of<T>(over(FoldOpOf<Op, T>::value, [&](Value const& x) {
      return value_of(Symbol<T>(of(symbol_of<T>(x))));
    }));
  }
};

/// Which of two is better, as one type for all call sites.
template <class Op>
struct BetterOf {
  template <class T>
  auto operator()(T const& a, T const& b) const {
    return Op::better(a, b);
  }
};

template <class Op, class T>
struct FoldOpOf {
  static constexpr bool is_position = op::PositionFold<Op>;

  static std::string identity() {
    if constexpr (is_position) return literal(T(0));
    else return literal(Op::template identity<T>);
  }
  static Value f(Value const& a, Value const& b) {
    Symbol<T> const x = symbol_of<T>(a), y = symbol_of<T>(b);
    if constexpr (is_position) return value_of(called<bool>(Op::name, BetterOf<Op>(), x, y));
    else return value_of(called<T>(Op::name, BodyOf<Op>(), x, y));
  }
  static void pull(Value const& adjoint, Value const& result, OverFold const& over,
                   PassFold const& pass) {
    Symbol<T> const y = symbol_of<T>(result);
    auto const share = Op::share(symbol_of<T>(adjoint), y, OverSymbols<T>{over});
    pass([&](Value const& x) { return value_of(Symbol<T>(Op::pull(share, symbol_of<T>(x), y))); });
  }
  static constexpr auto pull_or_null() {
    if constexpr (op::SmoothFold<Op> && std::floating_point<T>) return &pull;
    else return nullptr;
  }

  static constexpr FoldOp value{Op::name,
                                &dtype_of<T>,
                                is_position,
                                std::same_as<Op, op::SumFold>,
                                std::floating_point<T> && !std::derived_from<Op, op::Extreme>,
                                &identity,
                                &f,
                                pull_or_null()};
};

/// The sum of elements of a differentiable compute dtype.
inline FoldOp const& sum_of(Dtype const& dtype) {
  return dtype.bytes == sizeof(float) ? FoldOpOf<op::SumFold, float>::value
                                      : FoldOpOf<op::SumFold, double>::value;
}

}  // namespace tenon::source
