#pragma once

#include <limits>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/export/lowering.hpp>

namespace tenon::internal::onnx {

namespace views {

inline ViewWalk walk_of(SymbolicStep const& step, int operand_rank) {
  auto const rank = static_cast<std::size_t>(operand_rank);
  ViewWalk walk{{step.values.begin(), step.values.begin() + operand_rank}, {}, {}};
  std::vector<int> walkers(rank);
  for (std::size_t k = 0; k < static_cast<std::size_t>(step.rank); ++k) {
    walk.axis_of.push_back(-1), walk.steps.push_back(0);
    for (std::size_t i = 0; i < rank; ++i) {
      Extent const& along = step.values[rank * (k + 1) + i];
      if (along.is(0)) continue;
      if (!along.is_constant()) fail_without_form(step.type->name, "its steps depend on sizes");
      walk.is_simple = walk.is_simple && walk.axis_of[k] < 0 && walkers[i]++ == 0;
      walk.axis_of[k] = static_cast<int>(i), walk.steps[k] = along.constant;
    }
  }
  return walk;
}

/// start + step * (count - 1) + 1, the end of a slice; both are linear in the sizes.
inline Extent end_of(Extent const& start, Extent const& count, std::int64_t step) {
  Extent end{start.constant + step * (count.constant - 1) + 1, count.factors};
  end.factors.resize((std::max)(start.factors.size(), count.factors.size()));
  for (std::int64_t& factor : end.factors) factor *= step;
  for (std::size_t k = 0; k < start.factors.size(); ++k) end.factors[k] += start.factors[k];
  auto const is_zero = [](std::int64_t factor) { return factor == 0; };
  if (std::ranges::all_of(end.factors, is_zero)) end.factors.clear();
  return end;
}

}  // namespace views

TENON_RUNTIME Lowering::Value Lowering::slice_end(Extent const& start, Extent const& count,
                                                  std::int64_t step) {
  if (step < 0) return build_.integers({(std::numeric_limits<std::int64_t>::min)()});
  if (start.is_linear() && count.is_linear())
    return build_.extent(views::end_of(start, count, step));
  Value const steps = build_.add("Mul", {build_.extent(count), build_.integers({step})});
  return build_.add(
      "Add", {steps, build_.add("Add", {build_.extent(start), build_.integers({1 - step})})});
}

/// The elements that a view reads; axes of the operand along which it does not walk have size 1.
TENON_RUNTIME Lowering::Value Lowering::sliced(Step const& step, ViewWalk const& walk) {
  Step const& from = operand(step, 0);
  std::vector<Extent> starts;
  std::vector<Value> ends;
  std::vector<std::int64_t> axes, steps;
  for (std::size_t axis = 0; axis < walk.starts.size(); ++axis) {
    int const k = walk.walker_of(axis);
    Extent const count = k < 0 ? Extent{1} : step.extents[static_cast<std::size_t>(k)];
    std::int64_t const by = k < 0 ? 1 : walk.steps[static_cast<std::size_t>(k)];
    if (walk.starts[axis].is(0) && by == 1 && from.extents[axis] == count) continue;
    axes.push_back(static_cast<std::int64_t>(axis)), steps.push_back(by);
    starts.push_back(walk.starts[axis]);
    ends.push_back(slice_end(walk.starts[axis], count, by));
  }
  if (axes.empty()) return value(step, 0);
  return build_.add("Slice", {value(step, 0), build_.extents(starts), build_.concat(ends),
                              build_.integers(axes), build_.integers(steps)});
}

TENON_RUNTIME Lowering::Value Lowering::view(Step const& step) {
  ViewWalk const walk = views::walk_of(step, operand(step, 0).rank);
  if (!walk.is_simple) return indexed_view(step);
  std::vector<std::int64_t> dropped, order, added;
  for (std::size_t axis = 0; axis < walk.starts.size(); ++axis)
    if (walk.walker_of(axis) < 0) dropped.push_back(static_cast<std::int64_t>(axis));
  bool repeats = false;
  for (std::size_t k = 0; k < walk.axis_of.size(); ++k) {
    int const axis = walk.axis_of[k];
    if (axis < 0) added.push_back(static_cast<std::int64_t>(k));
    else order.push_back(axis - std::ranges::count_if(dropped, [&](auto i) { return i < axis; }));
    repeats = repeats || (axis < 0 && !step.extents[k].is(1));
  }
  Value const kept = build_.squeeze(sliced(step, walk), dropped);
  Value const x = build_.unsqueeze(build_.transpose(kept, order), added);
  return repeats ? build_.add("Expand", {x, build_.extents(step.extents)}) : x;
}

/// The index along axis i of the operand, for all elements of a view.
TENON_RUNTIME Lowering::Value Lowering::index_along(Step const& step, std::size_t i) {
  std::size_t const rank = step.values.size() / (static_cast<std::size_t>(step.rank) + 1);
  Value index = build_.extent(step.values[i]);
  for (std::size_t k = 0; k < static_cast<std::size_t>(step.rank); ++k) {
    Extent const& by = step.values[rank * (k + 1) + i];
    if (by.is(0)) continue;
    std::vector<std::int64_t> others;
    for (std::int64_t other = 1; other < step.rank - static_cast<std::int64_t>(k); ++other)
      others.push_back(other);
    Value const places = build_.unsqueeze(counted(step.extents[k]), others);
    index = build_.add("Add", {index, build_.add("Mul", {places, build_.extent(by)})});
  }
  return index;
}

TENON_RUNTIME Lowering::Value Lowering::indexed_view(Step const& step) {
  Step const& from = operand(step, 0);
  Value index, stride;
  for (auto i = static_cast<std::size_t>(from.rank); i-- > 0;) {
    Value along = index_along(step, i);
    if (!stride.empty()) along = build_.add("Mul", {along, stride});
    index = index.empty() ? along : build_.add("Add", {index, along});
    Value const size = build_.extent(from.extents[i]);
    stride = stride.empty() ? size : build_.add("Mul", {stride, size});
  }
  Value const flat = build_.reshape(value(step, 0), std::vector<Extent>{{-1}});
  Value const whole = build_.add("Expand", {index, build_.extents(step.extents)});
  return build_.add("Gather", {flat, whole}, {attribute("axis", std::int64_t{0})});
}

TENON_RUNTIME Lowering::Value Lowering::gather(Step const& step) {
  Value const& table = value(step, 0);
  std::string_view const dtype = operand(step, 1).dtype;
  bool const is_plain = dtype == "int32" || dtype == "int64";
  Value const ids = is_plain ? value(step, 1) : build_.cast(value(step, 1), "int64");
  std::int64_t const axis = step.type->axis;
  if (step.is(NodeKind::take)) return build_.add("Gather", {table, ids}, {attribute("axis", axis)});
  if (step.is(NodeKind::take_along))
    return build_.add("GatherElements", {table, ids}, {attribute("axis", axis)});
  Value const column = build_.unsqueeze(ids, {axis});
  return build_.squeeze(build_.add("GatherElements", {table, column}, {attribute("axis", axis)}),
                        {axis});
}

}  // namespace tenon::internal::onnx
