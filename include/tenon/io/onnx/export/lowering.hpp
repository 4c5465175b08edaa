#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <tenon/io/onnx/export/graph_builder.hpp>
#include <tenon/io/onnx/export/symbolic.hpp>

namespace tenon::internal::onnx {

/// What a view does along the axes: `starts` of the operand, and for each axis of the result the
/// axis of the operand along which it walks (-1: none) and in which steps.
struct ViewWalk {
  std::vector<Extent> starts;
  std::vector<int> axis_of;
  std::vector<std::int64_t> steps;
  bool is_simple = true;  ///< No two axes share one, and none walks along two.

  /// The axis of the result that walks along an axis of the operand; -1: none.
  int walker_of(std::size_t axis) const {
    auto const walker = std::ranges::find(axis_of, static_cast<int>(axis));
    return walker == axis_of.end() ? -1 : static_cast<int>(walker - axis_of.begin());
  }
};

/// Turns the steps of a program into the nodes of a graph, one function for each kind of step.
class Lowering {
 public:
  using Value = GraphBuilder::Value;

  Lowering(SymbolicProgram const& program, Graph& graph, std::int64_t opset);

  /// Adds all nodes, the inputs, the initialisers; the results are outputs with these names.
  void run(std::vector<std::string> const& results);

  /// The domains of the operators that are not ONNX's own.
  std::set<std::string> domains{};

 private:
  using Step = SymbolicStep;

  /// Removes nodes on which no result depends; weights stay.
  void remove_unused();

  Value lowered(Step const& step);
  Value input(Step const& step);
  TensorData elements_of(Step const& step) const;
  Value number(Step const& step);
  Value node(Step const& step);
  Value call(Step const& step);

  Value map(Step const& step);
  Value map_of(Step const& step, std::vector<Value> const& x);
  /// Operand k of a map, so that NumPy's rules broadcast it to the axes of the result.
  Value aligned(Step const& step, std::size_t k);
  /// Integers of two dtypes as int64, in the same order. A uint64 that is negative as int64 is
  /// larger than every other integer: it is 1, and the other 0.
  void make_comparable(Step const& step, std::vector<Value>& x);
  Value reduction(Step const& step);
  Value extreme(Step const& step, std::string_view op, std::vector<std::int64_t> const& axes);
  /// Elements in a dtype that runtimes order along axes, in the same order.
  Value ordered(Value const& x, std::string_view dtype);
  /// int64 in the order of the uint64 with these bits, and back.
  Value with_other_sign(Value const& x);
  /// Whether there is a NaN along the axes of a reduction, which runtimes may lose.
  Value has_nan(Step const& step, Value const& x, std::vector<std::int64_t> const& axes);
  Value position(Step const& step, Value const& x, std::vector<std::int64_t> const& axes);

  Value view(Step const& step);
  Value sliced(Step const& step, ViewWalk const& walk);
  Value index_along(Step const& step, std::size_t i);
  Value slice_end(Extent const& start, Extent const& count, std::int64_t step);
  Value indexed_view(Step const& step);
  Value gather(Step const& step);
  Value contraction(Step const& step);
  /// The operator `Conv`; empty where the contraction is no such convolution.
  Value convolution(Step const& step);
  Value in_order(Value const& x, std::vector<int> const& axes);
  /// The operator `Softmax`; empty where the quotient is no softmax.
  Value softmax(Step const& step);
  /// The operators `LayerNormalization` and `RMSNormalization`; empty where there is none.
  Value normalised(Step const& step);

  Value full(Step const& step);
  Value iota(Step const& step);
  Value eye(Step const& step);
  Value linspace(Step const& step);
  Value assemble(Step const& step);
  Value padded(Step const& step);
  Value set(Step const& step);
  Value argsort(Step const& step);
  Value attention(Step const& step);
  Value attention_operator(Step const& step);

  Step const& operand(Step const& step, std::size_t k) const {
    return program_->steps[step.operands[k]];
  }
  Value const& value(Step const& step, std::size_t k) const { return values_[step.operands[k]]; }
  /// 0, 1, 2 … of an integer dtype.
  Value counted(Extent const& count);
  ValueInfo info(std::string name, Step const& step) const;

  SymbolicProgram const* program_;
  Graph* graph_;
  GraphBuilder build_;
  std::vector<Value> values_{};
};

/// Whether an op is written as a formula of several operators.
bool has_formula(std::string_view op);

/// Throws `Error`: an operation has no form in ONNX.
[[noreturn]] void fail_without_form(std::string_view operation, std::string_view reason = {});

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME
#include <tenon/io/onnx/export/lowering.calls.ipp>
#include <tenon/io/onnx/export/lowering.contraction.ipp>
#include <tenon/io/onnx/export/lowering.convolution.ipp>
#include <tenon/io/onnx/export/lowering.ipp>
#include <tenon/io/onnx/export/lowering.maps.ipp>
#include <tenon/io/onnx/export/lowering.norms.ipp>
#include <tenon/io/onnx/export/lowering.views.ipp>
#endif
