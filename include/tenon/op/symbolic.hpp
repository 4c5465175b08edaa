#pragma once

#include <initializer_list>
#include <string_view>

#include <tenon/op/arithmetic.hpp>
#include <tenon/op/compare.hpp>
#include <tenon/op/extremes.hpp>
#include <tenon/op/rounding.hpp>
#include <tenon/op/select.hpp>

/// Ops in a language of graphs: ONNX. An op has, beside its definition, one of
///   onnx         the name of ONNX's operator of the same meaning ("domain.Name" for an own one);
///   symbolic(x)  its value by other ops, where there is no such operator.
/// `symbolic` is a template: it computes with numbers of a graph, and in tests with float and
/// double. It uses + - * / and comparisons, abs, sqrt, floor, minimum, maximum and select; `X(0.5)`
/// is a number, and `applied<Exp>(x)` any other op.
namespace tenon::op {

/// An operator of ONNX that has the meaning of a formula, where there are versions or dtypes
/// without it.
struct OnnxOperator {
  std::string_view name;
  int opset = 0;                   ///< The first version with it.
  std::string_view dtype{};        ///< The only dtype in which it is used; empty: all.
  std::string_view approximate{};  ///< Its attribute of this name, if it has one.
};

/// f(x), or one operator with this meaning, in a graph whose language has it.
template <class X, class F>
constexpr X operator_or(OnnxOperator const&, X x, F f) {
  return f(x);
}

}  // namespace tenon::op

namespace tenon::internal::symbolic {

class Graph;
template <class G>
struct ValueIn;
using Value = ValueIn<Graph>;

/// An op as data.
struct OpRecord {
  std::string_view name;
  std::string_view onnx{};                      ///< Empty: no operator.
  Value (*symbolic)(Value const* x) = nullptr;  ///< Null: no formula.
};

/// A graph to which ops are added. Its values are numbered.
class Graph {
 public:
  virtual int number(double value) = 0;
  virtual int apply(OpRecord const& op, int const* x, int count) = 0;
  /// Negative where the language of the graph lacks the operator.
  virtual int apply(op::OnnxOperator const& one, int x) = 0;

 protected:
  ~Graph() = default;
};

template <class Op>
Value applied(Value x);
template <class Op>
Value applied(Value a, Value b);
template <class Op>
Value applied(Value a, Value b, Value c);

/// A value in a graph: numbers or masks. Without a graph it is a number, which takes the dtype of
/// the values with which it is combined. (A template: only the operations in use are compiled.)
template <class G>
struct ValueIn {
  using V = ValueIn;
  using value_type = double;  ///< Of the coefficients where the body of an op is its formula.

  G* graph;
  int place;
  double number = 0;

  ValueIn(G& of, int at) : graph(&of), place(at) {}
  explicit constexpr ValueIn(double x) : graph(nullptr), place(0), number(x) {}

  friend V operator+(V a, V b) { return applied<op::Add>(a, b); }
  friend V operator-(V a, V b) { return applied<op::Sub>(a, b); }
  friend V operator*(V a, V b) {
    if (a.graph == nullptr && b.graph == nullptr) return V(a.number * b.number);
    return applied<op::Mul>(a, b);
  }
  friend V operator/(V a, V b) { return applied<op::Div>(a, b); }
  friend V operator-(V x) { return applied<op::Neg>(x); }

  friend V operator==(V a, V b) { return applied<op::Equal>(a, b); }
  friend V operator!=(V a, V b) { return applied<op::NotEqual>(a, b); }
  friend V operator<(V a, V b) { return applied<op::Less>(a, b); }
  friend V operator<=(V a, V b) { return applied<op::LessEqual>(a, b); }
  friend V operator>(V a, V b) { return applied<op::Greater>(a, b); }
  friend V operator>=(V a, V b) { return applied<op::GreaterEqual>(a, b); }
  friend V operator&(V a, V b) { return applied<op::And>(a, b); }
  friend V operator|(V a, V b) { return applied<op::Or>(a, b); }
  friend V operator!(V x) { return applied<op::Not>(x); }

  friend V abs(V x) { return applied<op::Abs>(x); }
  friend V sqrt(V x) { return applied<op::Sqrt>(x); }
  friend V floor(V x) { return applied<op::Floor>(x); }
  friend V maximum(V a, V b) { return applied<op::Maximum>(a, b); }
  friend V minimum(V a, V b) { return applied<op::Minimum>(a, b); }
  friend V select(V mask, V yes, V no) { return applied<op::Where>(mask, yes, no); }
  friend V fma(V a, V b, V c) { return a * b + c; }
  friend V round_even(V x) { return applied<op::Round>(x); }
  friend V copysign(V a, V b) {  // of -0 too
    return abs(a) * select((b < V(0)) | (V(1) / b < V(0)), V(-1), V(1));
  }
  template <class F>
  friend V rarely(V mask, V x, F const& f, V usual) {
    return select(mask, f(x), usual);
  }
};

template <class Op>
Value formula_of(Value const* x) {
  if constexpr (requires { Op::symbolic(x[0]); }) return Op::symbolic(x[0]);
  else if constexpr (requires { Op::symbolic(x[0], x[0]); }) return Op::symbolic(x[0], x[1]);
  else return Op::symbolic(x[0], x[1], x[2]);
}

template <class Op>
constexpr OpRecord make_op_record() {
  OpRecord record{Op::name};
  if constexpr (requires { Op::onnx; }) record.onnx = Op::onnx;
  if constexpr (requires { &Op::template symbolic<Value>; }) record.symbolic = &formula_of<Op>;
  return record;
}

template <class Op>
inline constexpr OpRecord op_record = make_op_record<Op>();

/// The value of an op; one of the operands is in a graph.
Value apply(OpRecord const& op, std::initializer_list<Value> x);

template <class Op>
Value applied(Value x) {
  return apply(op_record<Op>, {x});
}
template <class Op>
Value applied(Value a, Value b) {
  return apply(op_record<Op>, {a, b});
}
template <class Op>
Value applied(Value a, Value b, Value c) {
  return apply(op_record<Op>, {a, b, c});
}

template <class F>
Value operator_or(op::OnnxOperator const& one, Value x, F f) {
  int const place = x.graph->apply(one, x.place);
  return place < 0 ? f(x) : Value(*x.graph, place);
}

}  // namespace tenon::internal::symbolic

namespace tenon::op {

using symbolic::applied;
using symbolic::operator_or;

}  // namespace tenon::op

#if TENON_DEFINES_RUNTIME

namespace tenon::internal::symbolic {

TENON_RUNTIME Value apply(OpRecord const& op, std::initializer_list<Value> x) {
  Graph* graph = nullptr;
  for (Value const& one : x)
    if (one.graph != nullptr) graph = one.graph;
  int places[3], count = 0;
  for (Value const& one : x)
    places[count++] = one.graph != nullptr ? one.place : graph->number(one.number);
  return {*graph, graph->apply(op, places, count)};
}

}  // namespace tenon::internal::symbolic

#endif
