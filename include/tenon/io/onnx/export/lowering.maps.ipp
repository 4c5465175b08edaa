#pragma once

#include <algorithm>
#include <bit>
#include <limits>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/export/integers.hpp>
#include <tenon/io/onnx/export/lowering.hpp>
#include <tenon/op/shifted.hpp>
#include <tenon/op/symbolic.hpp>

namespace tenon::internal::onnx {

namespace maps {

/// The ops of one map, added to the graph of a file.
class MapGraph final : public symbolic::Graph {
 public:
  MapGraph(GraphBuilder& build, std::set<std::string>& domains, std::string_view dtype)
      : build_(&build), domains_(&domains), dtype_(dtype) {}

  int keep(Value value) {
    values_.push_back(std::move(value));
    return static_cast<int>(values_.size()) - 1;
  }
  Value const& value(int place) const { return values_[static_cast<std::size_t>(place)]; }

  int number(double value) override { return keep(build_->number(dtype_, value)); }

  int apply(symbolic::OpRecord const& op, int const* x, int count) override {
    if (op.symbolic == nullptr)
      return keep(named(op, std::span(x, static_cast<std::size_t>(count))));
    std::vector<symbolic::Value> values;
    values.reserve(static_cast<std::size_t>(count));
    for (int k = 0; k < count; ++k) values.emplace_back(*this, x[k]);
    return op.symbolic(values.data()).place;
  }

  int apply(op::OnnxOperator const& one, int x) override {
    if (build_->opset < one.opset || (!one.dtype.empty() && one.dtype != dtype_)) return -1;
    std::vector<Attribute> attributes;
    if (!one.approximate.empty())
      attributes.push_back(attribute("approximate", std::string(one.approximate)));
    return keep(build_->add(one.name, {value(x)}, std::move(attributes)));
  }

 private:
  /// By the operator that the op names, of ONNX or of another domain.
  Value named(symbolic::OpRecord const& op, std::span<int const> x) {
    if (op.onnx.empty()) fail_without_form(op.name);
    std::vector<Value> operands;
    for (int const place : x) operands.push_back(value(place));
    std::size_t const dot = op.onnx.rfind('.');
    if (dot == op.onnx.npos) return build_->add(op.onnx, operands);
    std::string const domain(op.onnx.substr(0, dot));
    domains_->insert(domain);
    return build_->add(op.onnx.substr(dot + 1), operands, {}, domain);
  }

  GraphBuilder* build_;
  std::set<std::string>* domains_;
  std::string_view dtype_;  ///< Of the numbers.
  std::vector<Value> values_{};
};

}  // namespace maps

TENON_RUNTIME Lowering::Value Lowering::aligned(Step const& step, std::size_t k) {
  AxisMap const& map = step.type->axes_of[k];
  int const rank = operand(step, k).rank;
  std::vector<std::int64_t> dropped, added;
  int next = -1;
  for (int i = 0; i < rank; ++i) {
    int const to = map[static_cast<std::size_t>(i)];
    if (to < 0) dropped.push_back(i);
    else if (next < 0) next = to;
  }
  if (next < 0) return build_.squeeze(value(step, k), dropped);
  int const first = next;
  for (; next < step.rank; ++next)
    if (position_of(map, next) < 0) added.push_back(next - first);
  if (rank == step.rank && dropped == added && first == 0) return value(step, k);
  return build_.unsqueeze(build_.squeeze(value(step, k), dropped), added);
}

TENON_RUNTIME Lowering::Value Lowering::softmax(Step const& step) {
  auto const op = [](Step const& one, std::string_view name) {
    return one.kind == StepKind::node && one.type->name == name;
  };
  if (!op(step, "div") || !op(operand(step, 0), "exp") || !op(operand(step, 1), "sum")) return {};
  Step const &exponential = operand(step, 0), &sum = operand(step, 1);
  Step const& shifted = operand(exponential, 0);
  if (sum.operands[0] != step.operands[0] || !op(shifted, "sub")) return {};
  Step const& constant = operand(shifted, 1);
  Step const& shift = op(constant, "stop_gradient") ? operand(constant, 0) : constant;
  if (!op(shift, "max") || shift.operands[0] != shifted.operands[0]) return {};
  int const axis = std::countr_zero(static_cast<unsigned>(sum.type->axes));
  bool const is_along_one = std::has_single_bit(static_cast<unsigned>(sum.type->axes)) &&
                            shift.type->axes == sum.type->axes;
  if (!is_along_one) return {};
  return build_.add("Softmax", {value(shifted, 0)}, {attribute("axis", std::int64_t{axis})});
}

TENON_RUNTIME Lowering::Value Lowering::shifted(Step const& step) {
  bool const is_log = step.type->name == op::LogOfSum::name;
  if (!is_log && step.type->name != op::ExpMinus::name) return {};
  Step const& constant = operand(step, is_log ? 0 : 1);
  maps::MapGraph graph(build_, domains, constant.dtype);
  symbolic::Value const x(graph, graph.keep(value(step, is_log ? 1 : 0)));
  symbolic::Value const c(graph, graph.keep(value(step, is_log ? 0 : 1)));
  bool const is_one = !constant.size && constant.number() == 1;
  auto const log = [&] { return is_one ? op::Log1p::symbolic(x) : op::applied<op::Log>(c + x); };
  auto const exp = [&] { return is_one ? op::Expm1::symbolic(x) : op::applied<op::Exp>(x) - c; };
  return graph.value((is_log ? log() : exp()).place);
}

TENON_RUNTIME Lowering::Value Lowering::map(Step const& step) {
  if (Value y = softmax(step); !y.empty()) return y;
  if (Value y = shifted(step); !y.empty()) return y;
  if (Value y = normalised(step); !y.empty()) return y;
  std::vector<Value> x;
  for (std::size_t k = 0; k < step.operands.size(); ++k) x.push_back(aligned(step, k));
  bool const compares = step.dtype == "bool" && x.size() == 2;
  if (compares && operand(step, 0).dtype != operand(step, 1).dtype) make_comparable(step, x);
  return map_of(step, x);
}

TENON_RUNTIME void Lowering::make_comparable(Step const& step, std::vector<Value>& x) {
  for (Value& one : x) one = build_.cast(one, "int64");
  for (std::size_t k = 0; k < 2; ++k) {
    if (operand(step, k).dtype != "uint64") continue;
    Value const is_large = build_.add("Less", {x[k], build_.integer(0)});
    x[k] = build_.add("Where", {is_large, build_.integer(1), x[k]});
    x[1 - k] = build_.add("Where", {is_large, build_.integer(0), x[1 - k]});
  }
}

TENON_RUNTIME Lowering::Value Lowering::map_of(Step const& step, std::vector<Value> const& x) {
  std::string_view const dtype = operand(step, 0).dtype;
  if (Value y = maps::by_rule(step.type->name, {build_, x, dtype, step.dtype}); !y.empty())
    return y;
  maps::MapGraph graph(build_, domains, dtype);
  std::vector<int> places;
  places.reserve(x.size());
  for (Value const& one : x) places.push_back(graph.keep(one));
  return graph.value(graph.apply(*step.type->op, places.data(), static_cast<int>(places.size())));
}

TENON_RUNTIME Lowering::Value Lowering::has_nan(Step const& step, Value const& x,
                                                std::vector<std::int64_t> const& axes) {
  Value const nans = build_.cast(build_.add("IsNaN", {x}), "int32");
  return build_.cast(build_.reduce("ReduceSum", nans, axes, step.type->keeps), "bool");
}

TENON_RUNTIME Lowering::Value Lowering::position(Step const& step, Value const& x,
                                                 std::vector<std::int64_t> const& axes) {
  bool const is_of_all = axes.size() == static_cast<std::size_t>(operand(step, 0).rank);
  if (axes.size() > 1 && is_of_all && !step.type->keeps)
    return position(step, build_.reshape(x, std::vector<Extent>{{-1}}), {0});
  if (axes.size() != 1) fail_without_form(step.type->name, "over several axes");
  auto const first = [&](std::string_view op, Value const& of) {
    return build_.add(
        op, {of},
        {attribute("axis", axes[0]), attribute("keepdims", std::int64_t{step.type->keeps})});
  };
  Value found = first(step.type->op->onnx, ordered(x, operand(step, 0).dtype));
  if (operand(step, 0).dtype.starts_with("float")) {
    Value const nans = build_.cast(build_.add("IsNaN", {x}), "int32");
    found = build_.add("Where", {has_nan(step, x, axes), first("ArgMax", nans), found});
  }
  return build_.cast(found, step.dtype);
}

/// Whether runtimes order and add the elements of a dtype along axes.
TENON_RUNTIME bool is_reduced_as_it_is(std::string_view dtype) {
  return dtype.starts_with("float") || dtype == "int32" || dtype == "int64";
}

TENON_RUNTIME Lowering::Value Lowering::with_other_sign(Value const& x) {
  return build_.add("Add", {x, build_.number("int64", -0x1p63)});
}

TENON_RUNTIME Lowering::Value Lowering::ordered(Value const& x, std::string_view dtype) {
  if (is_reduced_as_it_is(dtype)) return x;
  Value const wide = build_.cast(x, "int64");
  return dtype == "uint64" ? with_other_sign(wide) : wide;
}

TENON_RUNTIME Lowering::Value Lowering::extreme(Step const& step, std::string_view op,
                                                std::vector<std::int64_t> const& axes) {
  Value const& x = value(step, 0);
  std::string_view const dtype = operand(step, 0).dtype;
  Value y = build_.reduce(op, ordered(x, dtype), axes, step.type->keeps);
  if (dtype.starts_with("float")) {
    Value const nan = build_.number(dtype, std::numeric_limits<double>::quiet_NaN());
    return build_.add("Where", {has_nan(step, x, axes), nan, y});
  }
  if (is_reduced_as_it_is(dtype)) return y;
  return build_.cast(dtype == "uint64" ? with_other_sign(y) : y, step.dtype);
}

TENON_RUNTIME Lowering::Value Lowering::reduction(Step const& step) {
  std::vector<std::int64_t> axes;
  for (int i = 0; i < operand(step, 0).rank; ++i)
    if (has_axis(step.type->axes, i)) axes.push_back(i);
  Value const& x = value(step, 0);
  std::string_view const name = step.type->name, op = step.type->op->onnx;
  if (name.starts_with("arg")) return position(step, x, axes);
  if (name == "any") return extreme(step, "ReduceMax", axes);
  if (name == "all") return extreme(step, "ReduceMin", axes);
  if (op.empty()) fail_without_form(name);
  if (op == "ReduceMax" || op == "ReduceMin") return extreme(step, op, axes);
  std::string_view const dtype = operand(step, 0).dtype;
  std::string_view const wide = is_reduced_as_it_is(dtype) ? dtype : "int64";
  Value const y =
      build_.reduce(op, wide == dtype ? x : build_.cast(x, wide), axes, step.type->keeps);
  return wide == step.dtype ? y : build_.cast(y, step.dtype);
}

}  // namespace tenon::internal::onnx
