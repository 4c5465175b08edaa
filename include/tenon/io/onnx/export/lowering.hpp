#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/export/graph_builder.hpp>
#include <tenon/io/onnx/export/symbolic.hpp>

namespace tenon::internal::onnx {

namespace convolutions {
struct Layout;
}

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
  Value in_place(Value const& y, std::vector<int> const& axes);
  Value grouped_convolution(Step const& step, convolutions::Layout const& layout,
                            std::vector<Attribute> attributes);
  /// The operator `Softmax`; empty where the quotient is no softmax.
  Value softmax(Step const& step);
  /// log(c + x) and exp(x) - c, by the number c; empty for another op.
  Value shifted(Step const& step);
  /// `LayerNormalization`, `RMSNormalization`, `BatchNormalization`; empty where there is none.
  Value normalised(Step const& step);

  Value full(Step const& step);
  Value iota(Step const& step);
  Value eye(Step const& step);
  Value linspace(Step const& step);
  Value assemble(Step const& step);
  Value padded(Step const& step);
  Value padded_part(Step const& step, std::size_t k);
  bool parts_overlap(Step const& step, std::size_t k, std::size_t l) const;
  Value set(Step const& step);
  Value argsort(Step const& step);
  void check_mean(Step const& step);
  Value pooled(Step const& step);
  Value pooled_positions(Value const& indices, Step const& step);
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

/// Throws `Error`: an operation has no form in ONNX.
[[noreturn]] void fail_without_form(std::string_view operation, std::string_view reason = {});

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME

#include <iterator>

#include <tenon/core/error.hpp>

namespace tenon::internal::onnx {

TENON_RUNTIME void fail_without_form(std::string_view operation, std::string_view reason) {
  std::string message = "tenon::onnx::save: '" + std::string(operation) + "' has no form in ONNX";
  if (!reason.empty()) message.append(": ").append(reason);
  throw Error(message);
}

namespace lowering {

/// For each run-time axis, an input that has it.
inline std::vector<AxisSource> sources_of(SymbolicProgram const& program) {
  std::vector<AxisSource> sources;
  sources.reserve(program.axes.size());
  for (RunTimeAxis const& axis : program.axes) sources.push_back({axis.name, {}, 0});
  for (SymbolicStep const& step : program.steps) {
    for (std::size_t i = 0; i < step.axes.size(); ++i) {
      auto const source = std::ranges::find(sources, step.axes[i], &AxisSource::name);
      if (source != sources.end() && source->input.empty())
        *source = {step.axes[i], step.name, static_cast<std::int64_t>(i)};
    }
  }
  return sources;
}

}  // namespace lowering

TENON_RUNTIME Lowering::Lowering(SymbolicProgram const& program, Graph& graph, std::int64_t opset)
    : program_(&program), graph_(&graph), build_(graph, opset, lowering::sources_of(program)) {}

TENON_RUNTIME ValueInfo Lowering::info(std::string name, Step const& step) const {
  ValueInfo info{std::move(name), data_type_for(step.dtype), std::vector<Dimension>{}};
  for (Extent const& extent : step.extents) {
    if (extent.is_constant()) info.dims->push_back(extent.constant);
    else info.dims->push_back(extent.text(program_->axes));
  }
  return info;
}

TENON_RUNTIME void Lowering::run(std::vector<std::string> const& results) {
  for (Step const& step : program_->steps) values_.push_back(lowered(step));
  for (std::size_t i = 0; i < results.size(); ++i) {
    Step const& step = program_->steps[program_->results[i]];
    Node node{};
    node.op_type = "Identity", node.name = "output_" + std::to_string(i);
    node.inputs = {values_[program_->results[i]]}, node.outputs = {results[i]};
    graph_->nodes.push_back(std::move(node));
    graph_->outputs.push_back(info(results[i], step));
  }
  remove_unused();
}

TENON_RUNTIME void Lowering::remove_unused() {
  std::set<std::string> used;
  for (ValueInfo const& output : graph_->outputs) used.insert(output.name);
  std::vector<Node> kept;
  for (auto node = graph_->nodes.rbegin(); node != graph_->nodes.rend(); ++node) {
    if (std::ranges::none_of(node->outputs, [&](auto const& y) { return used.contains(y); }))
      continue;
    used.insert(node->inputs.begin(), node->inputs.end());
    kept.push_back(std::move(*node));
  }
  graph_->nodes.assign(std::move_iterator(kept.rbegin()), std::move_iterator(kept.rend()));
}

TENON_RUNTIME Lowering::Value Lowering::lowered(Step const& step) {
  switch (step.kind) {
    case StepKind::input:
      return input(step);
    case StepKind::weight:
      return build_.weight(elements_of(step));
    case StepKind::constant:
      return build_.constant(elements_of(step));
    case StepKind::node:
      return node(step);
    case StepKind::call:
      return call(step);
    default:
      return build_.reshape(value(step, 0), step.extents);
  }
}

TENON_RUNTIME Lowering::Value Lowering::input(Step const& step) {
  graph_->inputs.push_back(info(step.name, step));
  return step.name;
}

TENON_RUNTIME TensorData Lowering::elements_of(Step const& step) const {
  TensorData data{};
  data.name = step.name, data.dtype = data_type_for(step.dtype);
  for (Extent const& extent : step.extents) {
    if (!extent.is_constant())
      throw Error("tenon::onnx::save: expected constants of constant sizes, got one of size " +
                  extent.text(program_->axes) + ": create it by zeros, full or iota");
    data.dims.push_back(extent.constant);
  }
  data.bytes = step.elements;
  return data;
}

TENON_RUNTIME Lowering::Value Lowering::number(Step const& step) {
  if (step.size) {
    Value size = build_.cast(build_.squeeze(build_.extent(*step.size), {0}), step.dtype);
    if (step.is_root) size = build_.add("Sqrt", {size});
    return step.is_reciprocal ? build_.add("Reciprocal", {size}) : size;
  }
  TensorData data{};
  data.dtype = data_type_for(step.dtype);
  data.bytes = {std::span(step.value).first(step.type->bytes), {}};
  return build_.constant(std::move(data));
}

TENON_RUNTIME Lowering::Value Lowering::node(Step const& step) {
  switch (step.type->kind) {
    case NodeKind::constant:
      return number(step);
    case NodeKind::map:
      return map(step);
    case NodeKind::reduction:
      return reduction(step);
    case NodeKind::index_map:
    case NodeKind::step:
      return view(step);
    case NodeKind::product:
      return contraction(step);
    default:
      return gather(step);
  }
}

TENON_RUNTIME Lowering::Value Lowering::counted(Extent const& count) {
  return build_.add(
      "Range", {build_.integer(0), build_.squeeze(build_.extent(count), {0}), build_.integer(1)});
}

}  // namespace tenon::internal::onnx

#include <tenon/io/onnx/export/lowering.calls.ipp>
#include <tenon/io/onnx/export/lowering.contraction.ipp>
#include <tenon/io/onnx/export/lowering.maps.ipp>
#include <tenon/io/onnx/export/lowering.norms.ipp>
#include <tenon/io/onnx/export/lowering.pooling.ipp>
#include <tenon/io/onnx/export/lowering.views.ipp>

#endif
