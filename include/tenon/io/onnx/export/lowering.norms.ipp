#pragma once

#include <array>
#include <optional>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/export/lowering.hpp>

namespace tenon::internal::onnx {

namespace norms {

/// Rows along the last axis, divided by the root of their mean square and multiplied by a row.
struct Norm {
  Id x;
  Id scale;
  double epsilon;
  bool is_centred;  ///< The mean is subtracted before.
};

/// Finds normalisations among the steps of a program.
struct Finder {
  SymbolicProgram const& program;

  SymbolicStep const& at(Id id) const { return program.steps[id]; }
  bool is(SymbolicStep const& step, std::string_view op) const {
    return step.kind == StepKind::node && step.type->name == op;
  }

  /// Whether operand k has the axes of the result, some of them of size 1.
  bool is_in_place(SymbolicStep const& step, std::size_t k) const {
    int const rank = at(step.operands[k]).rank;
    for (int i = 0; i < rank; ++i) {
      int const to = step.type->axes_of[k][static_cast<std::size_t>(i)];
      if (to >= 0 && to != i) return false;
    }
    return rank == step.rank;
  }
  bool is_in_place(SymbolicStep const& step) const {
    return is_in_place(step, 0) && is_in_place(step, 1) &&
           at(step.operands[0]).extents == step.extents;
  }
  /// Whether operand k is a row along an axis.
  bool is_along(SymbolicStep const& step, std::size_t k, int axis) const {
    SymbolicStep const& row = at(step.operands[k]);
    return row.rank == 1 && axis < step.rank && step.type->axes_of[k][0] == axis &&
           row.extents[0] == step.extents[static_cast<std::size_t>(axis)];
  }
  bool is_row(SymbolicStep const& step, std::size_t k) const {
    return is_along(step, k, step.rank - 1);
  }

  /// Of the mean along the last axis, which is kept: its operand.
  std::optional<Id> mean_of(Id id) const {
    SymbolicStep const& quotient = at(id);
    if (!is(quotient, "div")) return {};
    SymbolicStep const &sum = at(quotient.operands[0]), &count = at(quotient.operands[1]);
    if (!is(sum, "sum") || !sum.type->keeps || !count.is(NodeKind::constant)) return {};
    SymbolicStep const& x = at(sum.operands[0]);
    if (x.rank == 0 || sum.type->axes != AxisBits(1) << (x.rank - 1)) return {};
    Extent const& size = x.extents.back();
    bool const is_count =
        count.size ? *count.size == size && !count.is_reciprocal && !count.is_root
                   : size.is_constant() && static_cast<double>(size.constant) == count.number();
    return is_count ? std::optional<Id>(sum.operands[0]) : std::nullopt;
  }

  /// Of x * rsqrt(mean(square(x)) + epsilon): x and epsilon; without a scale.
  std::optional<Norm> unscaled(Id id) const {
    SymbolicStep const& product = at(id);
    if (!is(product, "mul") || !is_in_place(product)) return {};
    auto const variance = rooted(product.operands[1]);
    auto const squares = variance ? mean_of(variance->first) : std::nullopt;
    if (!squares || !is(at(*squares), "square")) return {};
    if (at(*squares).operands[0] != product.operands[0]) return {};
    return Norm{product.operands[0], 0, variance->second, false};
  }

  /// Of rsqrt(x + epsilon): x and epsilon.
  std::optional<std::pair<Id, double>> rooted(Id id) const {
    SymbolicStep const& root = at(id);
    if (!is(root, "rsqrt") || !is(at(root.operands[0]), "add")) return {};
    SymbolicStep const& sum = at(root.operands[0]);
    SymbolicStep const& epsilon = at(sum.operands[1]);
    if (!epsilon.is(NodeKind::constant) || epsilon.size) return {};
    return std::pair(sum.operands[0], epsilon.number());
  }

  /// Whether a step is that op of a tensor and a row along axis 1.
  bool is_by_channel(SymbolicStep const& step, std::string_view op) const {
    return is(step, op) && step.dtype == "float32" && is_in_place(step, 0) && is_along(step, 1, 1);
  }
  /// Of (x - mean) * rsqrt(variance + epsilon) * scale + shift: x, scale, shift, mean, variance,
  /// and epsilon.
  std::optional<std::pair<std::array<Id, 5>, double>> batch_norm(SymbolicStep const& sum) const {
    if (!is_by_channel(sum, "add")) return {};
    SymbolicStep const& scaled = at(sum.operands[0]);
    if (!is_by_channel(scaled, "mul")) return {};
    SymbolicStep const& product = at(scaled.operands[0]);
    if (!is_by_channel(product, "mul")) return {};
    SymbolicStep const& difference = at(product.operands[0]);
    auto const variance = rooted(product.operands[1]);
    if (!variance || !is_by_channel(difference, "sub")) return {};
    return std::pair(std::array{difference.operands[0], scaled.operands[1], sum.operands[1],
                                difference.operands[1], variance->first},
                     variance->second);
  }

  /// Of `Norm::x`, where that is y - mean(y): y.
  std::optional<Id> centred(Id id) const {
    SymbolicStep const& difference = at(id);
    if (!is(difference, "sub") || !is_in_place(difference)) return {};
    auto const y = mean_of(difference.operands[1]);
    return y == difference.operands[0] ? y : std::nullopt;
  }

  std::optional<Norm> scaled(SymbolicStep const& step) const {
    if (!is(step, "mul") || step.dtype != "float32") return {};
    for (std::size_t const k : {std::size_t{0}, std::size_t{1}}) {
      auto norm = unscaled(step.operands[k]);
      if (!norm || !is_row(step, 1 - k) || !is_in_place(step, k)) continue;
      norm->scale = step.operands[1 - k];
      auto const y = centred(norm->x);
      norm->x = y.value_or(norm->x), norm->is_centred = y.has_value();
      return norm;
    }
    return {};
  }
};

}  // namespace norms

TENON_RUNTIME Lowering::Value Lowering::normalised(Step const& step) {
  norms::Finder const find{*program_};
  if (auto const batch = find.batch_norm(step)) {
    std::vector<Value> inputs;
    for (Id const id : batch->first) inputs.push_back(values_[id]);
    return build_.add("BatchNormalization", inputs,
                      {attribute("epsilon", static_cast<float>(batch->second))});
  }
  bool const adds = find.is(step, "add") && find.is_row(step, 1) && find.is_in_place(step, 0);
  auto const norm = find.scaled(adds ? operand(step, 0) : step);
  if (!norm || (adds && !norm->is_centred)) return {};
  if (!norm->is_centred && build_.opset < 23) return {};
  std::vector<Value> inputs{values_[norm->x], values_[norm->scale]};
  if (adds) inputs.push_back(value(step, 1));
  return build_.add(norm->is_centred ? "LayerNormalization" : "RMSNormalization", inputs,
                    {attribute("axis", std::int64_t{-1}),
                     attribute("epsilon", static_cast<float>(norm->epsilon))});
}

}  // namespace tenon::internal::onnx
