#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/graph/linear_rule.hpp>
#include <tenon/eval/graph/values.hpp>
#include <tenon/ir/axis_sets.hpp>

/// Values computed by ops, and constants and leaves.
namespace tenon::internal::graph {

TENON_RUNTIME Id Values::add(Value value, std::span<Id const> inputs, Owner<Rule const> rule) {
  bool varies = false;
  for (Id const input : inputs) varies = varies || (*this)[input].varies;
  if (varies && rule && value.element.may_vary()) {
    value.varies = true;
    value.inputs.assign(inputs.begin(), inputs.end());
    value.rule = std::move(rule);
  }
  return add(std::move(value));
}

TENON_RUNTIME Id Values::number(Element element, void const* number) {
  Value value = new_value(element, {});
  std::memcpy(value.data(), number, element.bytes);
  return add(std::move(value));
}

TENON_RUNTIME Id Values::as_leaf(Id before) {
  Value leaf;
  Value const& same = (*this)[before];
  leaf.extent = same.extent;
  leaf.strides = same.strides;
  leaf.start = same.start;
  leaf.element = same.element;
  leaf.memory = same.memory;
  leaf.varies = true;
  leaf.inputs = {before};
  leaf.rule = rule([](Id adjoint, Id, std::span<Id const> in, Adjoints& adjoints) {
    adjoints.add(in[0], adjoint);
  });
  return add(std::move(leaf));
}

TENON_RUNTIME Id Values::of_tensor(TapeMark mark, Elements elements, Surroundings const& around) {
  if (!is_recorded(mark)) return constant(std::move(elements));
  if (mark.tape == serial) return {mark.slot};
  for (Around const& known : leaves_around_) {
    if (known.mark == mark) return known.id;
  }
  leaves_around_.push_back({mark, as_leaf(constant(std::move(elements))), &around});
  return leaves_around_.back().id;
}

TENON_RUNTIME Id Values::map(MapOp const& op, std::span<Id> x) {
  constexpr std::int64_t at_once = 512;
  Extent widest = (*this)[x[0]].extent;
  for (Id const operand : x) {
    if ((*this)[operand].extent.rank > widest.rank) widest = (*this)[operand].extent;
  }
  for (Id& operand : x) operand = expanded(operand, widest);
  Value value = new_value(op.result, widest);
  constexpr std::size_t most_bytes = at_once * most_element_bytes;
  std::vector<std::byte> scratch(x.size() * most_bytes);
  for (std::int64_t begin = 0; begin < widest.count(); begin += at_once) {
    std::int64_t const count = (std::min)(at_once, widest.count() - begin);
    MapOp::Operands from{};
    for (std::size_t k = 0; k < x.size(); ++k)
      from[k] = some_elements((*this)[x[k]], begin, count, scratch.data() + k * most_bytes);
    op.run(value.data() + begin * op.result.bytes, from, count);
  }
  if (op.backward == nullptr) return add(std::move(value));
  return add(std::move(value), x,
             rule([f = op.backward](Id adjoint, Id self, std::span<Id const> in,
                                    Adjoints& adjoints) { f(self, in, adjoint, adjoints); }));
}

TENON_RUNTIME Id Values::map(MapOp const& op, std::span<Id> x, AxisMap const* maps,
                             Extent const& extent) {
  for (std::size_t k = 0; k < x.size(); ++k) {
    int const rank = (*this)[x[k]].extent.rank;
    if (rank == 0) continue;
    Reordering repeated{extent, {}};
    for (std::size_t i = 0; i < max_rank; ++i)
      repeated.order[i] =
          static_cast<std::int8_t>(operand_axis(maps[k], rank, static_cast<int>(i)));
    x[k] = view(x[k], repeated);
  }
  return map(op, x);
}

TENON_RUNTIME Id Values::reduction(ReductionOp const& op, Id operand, ReducedAxes const& folding) {
  Id const x = expanded(operand, folding.back.extent);
  Value const& from = (*this)[x];
  Value to = new_value(from.element, folding.result);
  op.fill(to.data(), folding.result.count());
  Sizes const strides = folding.back.strides(to.strides);
  std::int64_t const bytes = from.element.bytes;
  each_row(from.extent, [&](ElementIndex const& index) {
    op.run(to.data() + offset(strides, index, from.extent.rank) * bytes,
           row_step(from.extent, strides),
           from.data() + offset(from.strides, index, from.extent.rank) * bytes,
           row_step(from.extent, from.strides), row_length(from.extent));
  });
  return add(std::move(to), {&x, 1},
             rule([f = op.backward, folding](Id adjoint, Id self, std::span<Id const> in,
                                             Adjoints& adjoints) {
               f(self, in[0], adjoint, folding, adjoints);
             }));
}

}  // namespace tenon::internal::graph
