#pragma once

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/export/lowering.hpp>

namespace tenon::internal::onnx {

namespace poolings {

/// Number i of `trace_numbers` for each pooled axis.
inline std::vector<std::int64_t> of_each_axis(SymbolicStep const& step, std::size_t i) {
  std::vector<std::int64_t> result;
  for (; i < step.numbers.size(); i += 6) result.push_back(step.numbers[i]);
  return result;
}

/// A call of pooling: the order of axes of the operators, in which the pooled ones are the last,
/// and its inverse.
struct Layout {
  std::vector<std::int64_t> order{}, back{};
  std::size_t others = 0;  ///< The number of axes that are not pooled.

  explicit Layout(SymbolicStep const& step) : back(static_cast<std::size_t>(step.rank)) {
    std::vector<std::int64_t> const pooled = of_each_axis(step, 0);
    for (std::int64_t i = 0; i < step.rank; ++i)
      if (std::ranges::find(pooled, i) == pooled.end()) order.push_back(i);
    others = order.size();
    order.insert(order.end(), pooled.begin(), pooled.end());
    for (std::size_t i = 0; i < order.size(); ++i)
      back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  }

  /// The axes of the batch and the channels that the operand lacks.
  std::vector<std::int64_t> missing() const {
    return others == 0 ? std::vector<std::int64_t>{0, 1} : std::vector<std::int64_t>{1};
  }
  std::vector<Extent> ordered(std::vector<Extent> const& extents) const {
    std::vector<Extent> result;
    result.reserve(order.size());
    for (std::int64_t const axis : order) result.push_back(extents[static_cast<std::size_t>(axis)]);
    return result;
  }
};

inline bool is_dilated(SymbolicStep const& step) {
  return std::ranges::any_of(of_each_axis(step, 4), [](std::int64_t each) { return each != 1; });
}

/// The attributes of `MaxPool` and `AveragePool`.
inline std::vector<Attribute> attributes(SymbolicStep const& step) {
  auto const padding = of_each_axis(step, 3), dilation = of_each_axis(step, 4);
  auto pads = padding;
  pads.insert(pads.end(), padding.begin(), padding.end());
  std::vector<Attribute> result{attribute("kernel_shape", of_each_axis(step, 1)),
                                attribute("strides", of_each_axis(step, 2)),
                                attribute("pads", pads)};
  if (is_dilated(step)) result.push_back(attribute("dilations", dilation));
  if (step.numbers[5] != 0) result.push_back(attribute("ceil_mode", std::int64_t{1}));
  if (step.name == "avg_pool") result.push_back(attribute("count_include_pad", std::int64_t{1}));
  return result;
}

}  // namespace poolings

TENON_RUNTIME void Lowering::check_mean(Step const& step) {
  if (step.name != "avg_pool") return;
  if (step.numbers[5] != 0) fail_without_form(step.name, "with ceil_mode");
  if (poolings::is_dilated(step) && build_.opset < 19)
    fail_without_form(step.name, "with a dilation before opset 19");
}

TENON_RUNTIME Lowering::Value Lowering::pooled(Step const& step) {
  using poolings::Layout;
  bool const is_mean = step.name == "avg_pool";
  check_mean(step);
  Layout const layout(step);
  std::string const dtype(operand(step, 0).dtype);
  Value x = build_.transpose(value(step, 0), layout.order);
  if (dtype == "bfloat16") x = build_.cast(x, "float32");
  std::vector<Extent> sizes = layout.ordered(operand(step, 0).extents);
  sizes.erase(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(layout.others));
  if (layout.others < 2) x = build_.unsqueeze(x, layout.missing());
  if (layout.others > 2) sizes.insert(sizes.begin(), {{-1}, {1}}), x = build_.reshape(x, sizes);
  std::string_view const op = is_mean ? "AveragePool" : "MaxPool";
  Value y = step.name == "max_pool_indices"
                ? pooled_positions(build_.second_output(op, {x}, poolings::attributes(step)), step)
                : build_.add(op, {x}, poolings::attributes(step));
  if (layout.others < 2) y = build_.squeeze(y, layout.missing());
  if (layout.others > 2) y = build_.reshape(y, layout.ordered(step.extents));
  if (step.dtype == "bfloat16") y = build_.cast(y, step.dtype);
  return build_.transpose(y, layout.back);
}

/// The operator's indices count the elements of all planes.
TENON_RUNTIME Lowering::Value Lowering::pooled_positions(Value const& indices, Step const& step) {
  Value plane = build_.integer(1);
  for (std::int64_t const axis : poolings::of_each_axis(step, 0)) {
    Extent const& extent = operand(step, 0).extents[static_cast<std::size_t>(axis)];
    plane = build_.add("Mul", {plane, build_.extent(extent)});
  }
  return build_.cast(build_.add("Mod", {indices, plane}), step.dtype);
}

}  // namespace tenon::internal::onnx
