#pragma once

#include <tenon/backend/codegen/symbol/value.hpp>
#include <tenon/op/reduction.hpp>

namespace tenon::internal::codegen {

struct ReductionOp;

/// A function of a value.
using OfValue = Callback<Value(Value const&)>;
/// Another reduction over the same values.
using OverReduction = Callback<Value(ReductionOp const&, OfValue const&)>;
/// Receives the function that maps each value to its contribution to an adjoint.
using PassReduction = Callback<void(OfValue const&)>;

/// A reduction op on elements of a dtype.
struct ReductionOp {
  std::string_view name;
  Dtype const* dtype;
  bool is_position;  ///< `f(a, b)` is then whether `a` is better than `b`.
  bool is_sum;
  bool rounds;  ///< Whether the result depends on the order of elements.
  std::string (*identity)();
  Value (*f)(Value const& a, Value const& b);
  /// Null if the op has no derivative.
  void (*backward)(Value const& adjoint, Value const& y, OverReduction const& over,
                   PassReduction const& pass);
};

template <class Op, class T>
struct ReductionOpOf;

/// `over` as passed to the bodies of reductions.
template <class T>
struct OverSymbols {
  OverReduction const& over;

  template <class Op, class Of>
  Symbol<T> operator()(Op, Of const& of) const {
    return symbol_of<T>(over(ReductionOpOf<Op, T>::value, [&](Value const& x) {
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
struct ReductionOpOf {
  static constexpr bool is_position = op::PositionReduction<Op>;

  static std::string identity() {
    if constexpr (is_position) return literal(T(0));
    else return literal(Op::template identity<T>);
  }
  static Value f(Value const& a, Value const& b) {
    Symbol<T> const x = symbol_of<T>(a), y = symbol_of<T>(b);
    if constexpr (is_position) return value_of(called<bool>(Op::name, BetterOf<Op>(), x, y));
    else return value_of(called<T>(Op::name, BodyOf<Op>(), x, y));
  }
  static void backward(Value const& adjoint, Value const& result, OverReduction const& over,
                       PassReduction const& pass) {
    Symbol<T> const y = symbol_of<T>(result);
    auto const share = Op::share(symbol_of<T>(adjoint), y, OverSymbols<T>{over});
    pass([&](Value const& x) {
      return value_of(Symbol<T>(Op::backward(share, symbol_of<T>(x), y)));
    });
  }
  static constexpr auto backward_or_null() {
    if constexpr (op::SmoothReduction<Op> && std::floating_point<T>) return &backward;
    else return nullptr;
  }

  static constexpr ReductionOp value{Op::name,
                                     &dtype_of<T>,
                                     is_position,
                                     std::same_as<Op, op::SumReduction>,
                                     std::floating_point<T> && !std::derived_from<Op, op::Extreme>,
                                     &identity,
                                     &f,
                                     backward_or_null()};
};

/// The sum of elements of a differentiable compute dtype.
inline ReductionOp const& sum_of(Dtype const& dtype) {
  return dtype.bytes == sizeof(float) ? ReductionOpOf<op::SumReduction, float>::value
                                      : ReductionOpOf<op::SumReduction, double>::value;
}

}  // namespace tenon::internal::codegen
