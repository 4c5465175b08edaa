#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/export/lowering.hpp>

namespace tenon::internal::onnx {

namespace calls {

/// The axis along which the operands of an assembly follow one another and fill the result; -1
/// where there is none.
inline int joined_axis(SymbolicProgram const& program, SymbolicStep const& step, int first_axis) {
  std::size_t const rank = static_cast<std::size_t>(step.rank), parts = step.operands.size();
  for (std::size_t axis = 0; axis < rank; ++axis) {
    std::int64_t end = 0;
    bool fits = true;
    for (std::size_t k = 0; k < parts; ++k) {
      SymbolicStep const& part = program.steps[step.operands[k]];
      for (std::size_t i = 0; i < rank; ++i) {
        std::int64_t const start = step.numbers[1 + k * rank + i];
        bool const is_new = static_cast<int>(i) < first_axis;
        std::int64_t const size = is_new ? 1 : part.sizes[i - static_cast<std::size_t>(first_axis)];
        fits = fits && (i == axis ? start == end : start == 0 && size == step.sizes[i]);
        if (i == axis) end += size;
      }
    }
    if (fits && end == step.sizes[axis]) return static_cast<int>(axis);
  }
  return -1;
}

/// Number i of a call.
template <class T>
T number_at(SymbolicStep const& step, std::size_t i) {
  T number;
  std::memcpy(&number, &step.value[i * sizeof(T)], sizeof(T));
  return number;
}

}  // namespace calls

TENON_RUNTIME Lowering::Value Lowering::call(Step const& step) {
  if (step.name == "full") return full(step);
  if (step.name == "iota") return iota(step);
  if (step.name == "eye") return eye(step);
  if (step.name == "linspace") return linspace(step);
  if (step.name == "assemble") return assemble(step);
  if (step.name == "set") return set(step);
  if (step.name == "attention") return attention(step);
  if (step.name == "cumsum")
    return build_.add("CumSum", {value(step, 0), build_.integer(step.numbers[0])},
                      {attribute("reverse", step.numbers[1])});
  if (step.name == "argsort") return argsort(step);
  if (is_pooling(step)) return pooled(step);
  fail_without_form(step.name);
}

TENON_RUNTIME Lowering::Value Lowering::argsort(Step const& step) {
  auto const axis = static_cast<std::size_t>(step.numbers[0]);
  Value const places = build_.second_output(
      "TopK", {ordered(value(step, 0), operand(step, 0).dtype), build_.extent(step.extents[axis])},
      {attribute("axis", step.numbers[0]), attribute("largest", step.numbers[1])});
  return build_.cast(places, step.dtype);
}

TENON_RUNTIME Lowering::Value Lowering::full(Step const& step) {
  TensorData data{};
  FileDtype const& dtype = *file_dtype_of(data_type_for(step.dtype));
  data.dtype = dtype.code, data.dims = {1};
  data.bytes = {std::span(step.value).first(static_cast<std::size_t>(dtype.bits) / 8), {}};
  return build_.add("ConstantOfShape", {build_.extents(step.extents)},
                    {attribute("value", std::move(data))});
}

TENON_RUNTIME Lowering::Value Lowering::iota(Step const& step) {
  Value count;
  for (Extent const& extent : step.extents)
    count =
        count.empty() ? build_.extent(extent) : build_.add("Mul", {count, build_.extent(extent)});
  Value numbers =
      build_.add("Range", {build_.integer(0), build_.squeeze(count, {0}), build_.integer(1)});
  if (step.dtype != "int64") numbers = build_.cast(numbers, step.dtype);
  return step.rank == 1 ? numbers : build_.reshape(numbers, step.extents);
}

TENON_RUNTIME Lowering::Value Lowering::eye(Step const& step) {
  Value const zeros = build_.add("ConstantOfShape", {build_.extents(step.extents)});
  Value const ones = build_.add("EyeLike", {zeros});
  return step.dtype == "float32" ? ones : build_.cast(ones, step.dtype);
}

/// (1 - i / (n - 1)) * first + i / (n - 1) * last, in double.
TENON_RUNTIME Lowering::Value Lowering::linspace(Step const& step) {
  auto const number = [&](std::size_t i) {
    if (step.dtype == "float64") return calls::number_at<double>(step, i);
    return static_cast<double>(calls::number_at<float>(step, i));
  };
  auto const real = [&](double value) { return build_.number("float64", value); };
  Value const steps = build_.add("Sub", {build_.extent(step.extents[0]), build_.integers({1})});
  Value const divisor = build_.cast(build_.add("Max", {steps, build_.integers({1})}), "float64");
  Value const places = build_.cast(counted(step.extents[0]), "float64");
  Value const share = build_.add("Div", {places, divisor});
  Value const rest = build_.add("Sub", {real(1), share});
  Value const y = build_.add("Add", {build_.add("Mul", {rest, real(number(0))}),
                                     build_.add("Mul", {share, real(number(1))})});
  return step.dtype == "float64" ? y : build_.cast(y, step.dtype);
}

TENON_RUNTIME Lowering::Value Lowering::assemble(Step const& step) {
  int const first_axis = static_cast<int>(step.numbers[0]);
  int const axis = calls::joined_axis(*program_, step, first_axis);
  if (axis < 0) return padded(step);
  std::vector<Value> parts;
  for (std::size_t k = 0; k < step.operands.size(); ++k)
    parts.push_back(first_axis == 0 ? value(step, k) : build_.unsqueeze(value(step, k), {0}));
  return parts.size() == 1 ? parts[0]
                           : build_.add("Concat", parts, {attribute("axis", std::int64_t{axis})});
}

/// One part of an assembly, with `fill` where the others are.
TENON_RUNTIME Lowering::Value Lowering::padded_part(Step const& step, std::size_t k) {
  Step const& part = operand(step, k);
  auto const rank = static_cast<std::size_t>(step.rank), first = 1 + k * rank;
  auto const starts = std::span(step.values).subspan(first, rank);
  std::vector<Extent> pads(starts.begin(), starts.end());
  for (std::size_t i = 0; i < rank; ++i)
    pads.push_back({step.sizes[i] - step.numbers[first + i] - part.sizes[i]});
  TensorData fill{};
  FileDtype const& dtype = *file_dtype_of(data_type_for(step.dtype));
  fill.dtype = dtype.code,
  fill.bytes = {std::span(step.value).first(static_cast<std::size_t>(dtype.bits) / 8), {}};
  return build_.add("Pad",
                    {value(step, k), build_.extents(pads), build_.constant(std::move(fill))});
}

/// Whether two parts of an assembly have an element in common.
TENON_RUNTIME bool Lowering::parts_overlap(Step const& step, std::size_t k, std::size_t l) const {
  auto const rank = static_cast<std::size_t>(step.rank);
  for (std::size_t i = 0; i < rank; ++i) {
    std::int64_t const a = step.numbers[1 + k * rank + i], b = step.numbers[1 + l * rank + i];
    if (a + operand(step, k).sizes[i] <= b || b + operand(step, l).sizes[i] <= a) return false;
  }
  return true;
}

/// Several parts are added, each among zeros.
TENON_RUNTIME Lowering::Value Lowering::padded(Step const& step) {
  std::size_t const count = step.operands.size();
  auto const is_zero = [](std::byte b) { return b == std::byte{}; };
  bool const adds = step.numbers[0] == 0 && std::ranges::all_of(step.value, is_zero);
  if (count != 1 && !adds) fail_without_form(step.name);
  Value sum = padded_part(step, 0);
  for (std::size_t k = 1; k < count; ++k) {
    for (std::size_t l = 0; l < k; ++l)
      if (parts_overlap(step, l, k)) fail_without_form(step.name);
    sum = build_.add("Add", {sum, padded_part(step, k)});
  }
  return sum;
}

TENON_RUNTIME Lowering::Value Lowering::set(Step const& step) {
  std::int64_t const axis = step.numbers[0];
  Step const& positions = operand(step, 1);
  std::vector<std::int64_t> order{axis};
  for (std::int64_t i = 0; i < step.rank; ++i)
    if (i != axis) order.push_back(i);
  std::vector<std::int64_t> back(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  std::vector<Extent> slices = step.extents;
  slices[static_cast<std::size_t>(axis)] = positions.rank == 0 ? Extent{1} : positions.extents[0];
  if (positions.rank > 1) fail_without_form(step.name, "at positions of several axes");
  Value const one = operand(step, 2).rank == 0
                        ? build_.add("Expand", {value(step, 2), build_.extents(slices)})
                        : build_.reshape(value(step, 2), slices);
  Value const ids =
      build_.reshape(build_.cast(value(step, 1), "int64"), std::vector<Extent>{{-1}, {1}});
  Value const put = build_.add(
      "ScatterND", {build_.transpose(value(step, 0), order), ids, build_.transpose(one, order)});
  return build_.transpose(put, back);
}

TENON_RUNTIME Lowering::Value Lowering::attention_operator(Step const& step) {
  std::vector<Value> inputs;
  for (std::size_t k = 0; k < 3; ++k)
    inputs.push_back(build_.transpose(value(step, k), {0, 2, 1, 3}));
  Value const y = build_.add("Attention", inputs, {attribute("is_causal", step.numbers[0])});
  return build_.transpose(y, {0, 2, 1, 3});
}

TENON_RUNTIME Lowering::Value Lowering::attention(Step const& step) {
  if (build_.opset >= 23 && step.dtype == "float32") return attention_operator(step);
  Step const &q = operand(step, 0), &k = operand(step, 1);
  if (!q.extents[3].is_constant()) fail_without_form(step.name, "with features known at run time");
  double const scale = 1 / std::sqrt(static_cast<double>(q.sizes[3]));
  Value const queries = build_.transpose(value(step, 0), {0, 2, 1, 3});
  Value const keys = build_.transpose(value(step, 1), {0, 2, 3, 1});
  Value const values = build_.transpose(value(step, 2), {0, 2, 1, 3});
  Value scores =
      build_.add("Mul", {build_.add("MatMul", {queries, keys}), build_.number(step.dtype, scale)});
  if (step.numbers[0] != 0) {
    Value const seen = build_.add(
        "LessOrEqual", {counted(k.extents[1]), build_.unsqueeze(counted(q.extents[1]), {1})});
    Value const hidden = build_.number(step.dtype, -std::numeric_limits<double>::infinity());
    scores = build_.add("Where", {seen, scores, hidden});
  }
  Value const weights = build_.add("Softmax", {scores}, {attribute("axis", std::int64_t{-1})});
  return build_.transpose(build_.add("MatMul", {weights, values}), {0, 2, 1, 3});
}

}  // namespace tenon::internal::onnx
