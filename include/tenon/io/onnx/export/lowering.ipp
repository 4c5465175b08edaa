#pragma once

#include <algorithm>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/io/onnx/export/lowering.hpp>

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
