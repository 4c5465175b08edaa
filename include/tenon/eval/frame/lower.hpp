#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <tenon/core/config.hpp>
#include <tenon/eval/frame/parts.hpp>
#include <tenon/eval/tape/tape.hpp>
#include <tenon/ir/describe.hpp>
#include <tenon/ir/node.hpp>

/// From an expression to the inputs of the formulas of its kernel. What happens is known at compile
/// time: a list of steps, made from the descriptions of the formula and of the expression, and run
/// by one function.
namespace tenon::internal {

enum class LowerKind : std::uint8_t {
  tensor,    ///< Sets the leaf of a tensor on the host,
  number,    ///< a constant of 4 bytes, as it is stored in the expression,
  constant,  ///< any other constant,
  leaf,      ///< any other leaf,
  gather,
  lift,       ///< From the axes of an operand to those of its map.
  move,       ///< From the axes of an operand to those of its view.
  reduction,  ///< Finishes a reduction, whose operand is lowered;
  column,     ///< one over columns,
  short_reduction,
  check  ///< That a node was not moved from.
};

/// A step. Places are offsets in bytes.
struct LowerStep {
  LowerKind kind = LowerKind::check;
  std::int8_t rank = 0;          ///< Of the operand of a lift,
  AxisMap const* map = nullptr;  ///< and the axes of the map.
  std::uint32_t place = 0;       ///< Of the input, in the formula of the kernel.
  std::uint32_t node = 0;        ///< Of the node, in the expression; of the number of a constant.
  std::int32_t before = -1;  ///< Of the last access before those of the operands of the node; -1:
                             ///< it has the first ones.
  ir::NodeType const* type = nullptr;
  FramePart const* part = nullptr;
  ir::LeafType const* leaf = nullptr;  ///< Of a tensor.
};

/// Lists the steps, or counts them where `to` is null.
struct LowerSteps {
  LowerStep* to = nullptr;
  std::size_t count = 0;
  std::int32_t last = -1;  ///< The access that was added last.

  constexpr void formula(FormulaTable const& f, std::size_t node, std::uint32_t base,
                         ir::NodeType const& type, std::uint32_t place, bool checked) {
    if (type.kind == NodeKind::index_map) return index_map(f, node, base, type, place, checked);
    FramePart const& part = f.parts[node];
    std::uint32_t const at = base + part.place;
    switch (part.kind) {
      case PartKind::map:
        return map(f, node, base, type, place, checked);
      case PartKind::once_a_row:
        return formula(*part.inner, part.inner->size - 1, at + part.inner_place, type, place,
                       checked);
      case PartKind::leaf:
      case PartKind::constant:
      case PartKind::gather:
        return input(part, at, type, place);
      default:
        return over(part, at, type, place);
    }
  }

 private:
  constexpr void add(LowerStep const& step) {
    if (to != nullptr) to[count] = step;
    ++count;
  }

  constexpr void index_map(FormulaTable const& f, std::size_t node, std::uint32_t base,
                           ir::NodeType const& type, std::uint32_t place, bool checked) {
    std::int32_t const before = last;
    formula(f, node, base, *type.operands[0], place + type.places[0], checked);
    std::int8_t const overlapping = overlaps(*type.axes_of, type.rank) ? 1 : 0;
    add({LowerKind::move, overlapping, type.axes_of, 0, place, before, &type, nullptr});
  }

  /// A map inside one that moves as bytes is not moved from alone.
  constexpr void map(FormulaTable const& f, std::size_t node, std::uint32_t base,
                     ir::NodeType const& type, std::uint32_t place, bool checked) {
    if (type.moves_as_bytes && !checked)
      add({LowerKind::check, 0, nullptr, 0, place, -1, &type, nullptr});
    for (std::size_t k = 0; k < type.operand_count; ++k)
      operand(f, node, k, base, type, place, checked || type.moves_as_bytes);
  }
  constexpr void operand(FormulaTable const& f, std::size_t node, std::size_t k, std::uint32_t base,
                         ir::NodeType const& type, std::uint32_t place, bool checked) {
    std::int32_t const before = last;
    std::size_t const at = f.nodes[node].operand[k];
    ir::NodeType const& own = *type.operands[k];
    bool const is_inverse =
        k == 1 && f.parts[node].is_mul && type.op == &symbolic::op_record<op::Div>;
    if (is_inverse) inverse(f.parts[at], base + f.parts[at].place, own, place + type.places[k]);
    else formula(f, at, base, own, place + type.places[k], checked);
    if (!keeps_places(type.axes_of[k], own.rank))
      add({LowerKind::lift, static_cast<std::int8_t>(own.rank), type.axes_of + k, 0, 0, before,
           &type, nullptr});
  }
  /// The operand of the reciprocal by which a row is multiplied instead of a division.
  constexpr void inverse(FramePart const& part, std::uint32_t at, ir::NodeType const& type,
                         std::uint32_t place) {
    formula(*part.inner, part.inner->root().operand[0], at + part.inner_place, type, place, false);
  }

  constexpr void input(FramePart const& part, std::uint32_t at, ir::NodeType const& type,
                       std::uint32_t place) {
    if (part.kind == PartKind::constant) {
      auto const number = place + static_cast<std::uint32_t>(type.number);
      bool const is_copied = type.bytes == 4 && part.bytes == 4;
      add({is_copied ? LowerKind::number : LowerKind::constant, 0, nullptr, at, number, -1, &type,
           &part});
    } else {
      LowerKind const leaf = type.kind == NodeKind::tensor ? LowerKind::tensor : LowerKind::leaf;
      add({part.kind == PartKind::gather ? LowerKind::gather : leaf, 0, nullptr, at, place, -1,
           &type, &part, type.leaf});
      last = static_cast<std::int32_t>(at + part.ids);
    }
  }
  static constexpr LowerKind kind_over(PartKind kind) {
    return kind == PartKind::reduction ? LowerKind::reduction
           : kind == PartKind::column  ? LowerKind::column
                                       : LowerKind::short_reduction;
  }
  constexpr void over(FramePart const& part, std::uint32_t at, ir::NodeType const& type,
                      std::uint32_t place) {
    std::int32_t const before = last;
    formula(*part.inner, part.inner->size - 1, at + part.inner_place, *type.operands[0],
            place + type.places[0], false);
    add({kind_over(part.kind), 0, nullptr, at, place, before, &type, &part});
  }
};

template <class F, class E>
constexpr LowerSteps lower_steps_at(LowerStep* to) {
  LowerSteps list{to};
  list.formula(FormulaTableOf<F>::value, NodesOf<F>::size - 1, 0, node_type<E>, 0, false);
  return list;
}
template <class F, class E>
inline constexpr auto lower_steps = [] {
  std::array<LowerStep, lower_steps_at<F, E>(nullptr).count> list{};
  lower_steps_at<F, E>(list.data());
  return list;
}();

/// The memory of a view, from its lowest element on.
MemoryAccess access_to_view(std::byte const* elements, Sizes const& sizes, Sizes const& strides,
                            int rank, std::size_t element_bytes);

/// The memory that the nodes of a lowered expression read, and the adjoints that are accumulated.
class Lowering {
 public:
  Accesses accesses;

  /// `tape` is null where nothing is differentiated; `others` are the accesses of other formulas of
  /// the kernel.
  Lowering(Tape* tape, void* formula, void const* expression, Accesses const& others = {})
      : accesses(others),
        before_(others.last()),
        tape_(tape),
        formula_(static_cast<std::byte*>(formula)),
        expression_(static_cast<std::byte const*>(expression)) {}

  void run(LowerStep const* steps, std::size_t count);

 private:
  template <class T>
  T& part(std::size_t place) const {
    return *reinterpret_cast<T*>(formula_ + place);
  }
  ir::Node node(LowerStep const& step) const { return {*step.type, expression_ + step.node}; }
  Accesses since(LowerStep const& step) const;
  Sizes operand_sizes(LowerStep const& step) const {
    return step.type->operand_sizes(expression_ + step.node);
  }

  void run(LowerStep const& step);
  void set_leaf(MemoryAccess& access, ir::Node leaf, FramePart const& part);
  void set_tensor(MemoryAccess& access, ir::LeafType const& leaf, std::byte const* tensor,
                  FramePart const& part);
  void set_view(MemoryAccess& access, ir::Node view);
  void set_gather(LowerStep const& step);
  void finish_reduction(LowerStep const& step);
  void finish_column(LowerStep const& step);

  MemoryAccess* before_;
  Tape* tape_;
  std::byte* formula_;
  std::byte const* expression_;
};

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <cstring>
#include <string>
#include <utility>

#include <tenon/tensor/view.hpp>

namespace tenon::internal {

/// (Strides are written in place: loading a vector of strides that were just stored one by one
/// stalls store forwarding.)
TENON_INLINE inline void Lowering::set_tensor(MemoryAccess& access, ir::LeafType const& leaf,
                                              std::byte const* tensor, FramePart const& part) {
  access = MemoryAccess{};
  access.data = static_cast<std::byte const*>(leaf.elements(tensor, access.stride, access.count));
  access.element_bytes = part.bytes;
  accesses.add(access);
  access.add = part.add;
  if (part.add == nullptr || tape_ == nullptr) return;
  auto const mark = *reinterpret_cast<TapeMark const*>(tensor + leaf.mark);
  access.gradient =
      tape_->gradient_of(mark, access.count, part.adjoint_bytes, access.gradient_is_new);
  access.element_bytes = part.adjoint_bytes;  // in a backward sweep they are those of adjoints
}

[[gnu::noinline]] TENON_RUNTIME void Lowering::run(LowerStep const* steps, std::size_t count) {
  for (LowerStep const* step = steps; step != steps + count; ++step) {
    if (step->kind == LowerKind::tensor)
      set_tensor(part<MemoryAccess>(step->place), *step->leaf, expression_ + step->node,
                 *step->part);
    else if (step->kind == LowerKind::number)
      std::memcpy(formula_ + step->place, expression_ + step->node, 4);
    else if (step->kind == LowerKind::reduction) finish_reduction(*step);
    else if (step->kind == LowerKind::lift) since(*step).lift(*step->map, step->rank);
    else run(*step);
  }
}

TENON_RUNTIME Accesses Lowering::since(LowerStep const& step) const {
  auto const before = static_cast<std::size_t>(step.before);
  return accesses.since(step.before < 0 ? before_ : &part<MemoryAccess>(before));
}

[[gnu::noinline]] TENON_RUNTIME void Lowering::run(LowerStep const& step) {
  ir::NodeType const& type = *step.type;
  switch (step.kind) {
    case LowerKind::constant:
      return step.part->set(formula_ + step.place, expression_ + step.node);
    case LowerKind::gather:
      return set_gather(step);
    case LowerKind::move:
      return since(step).move(*step.map, type.rank, type.operands[0]->rank, node(step).start(),
                              step.rank != 0);
    case LowerKind::column:
      return finish_column(step);
    case LowerKind::short_reduction:
      return since(step).enter_positions(operand_sizes(step), type.operands[0]->rank,
                                         count_axes(type.axes));
    case LowerKind::check:
      return check_not_gone(
          *reinterpret_cast<std::int64_t const*>(node(step).address() + type.sizes));
    default:
      return set_leaf(part<MemoryAccess>(step.place), node(step), *step.part);
  }
}

TENON_RUNTIME MemoryAccess access_to_view(std::byte const* elements, Sizes const& sizes,
                                          Sizes const& strides, int rank,
                                          std::size_t element_bytes) {
  Reached const around = reached(sizes, strides, rank);
  MemoryAccess access{};
  access.element_bytes = static_cast<std::int64_t>(element_bytes);
  access.data = elements - around.first * access.element_bytes;
  access.start = around.first;
  access.stride = strides;
  access.count = count(sizes, rank) == 0 ? 0 : around.first + around.last + 1;
  return access;
}

[[gnu::noinline]] TENON_RUNTIME void Lowering::set_view(MemoryAccess& access, ir::Node view) {
  Sizes strides{};
  std::int64_t count = 0;
  auto const* const elements = view->leaf->elements(view.address(), strides, count);
  access = access_to_view(static_cast<std::byte const*>(elements), view.sizes(), strides,
                          view.rank(), view->bytes);
  accesses.add(access);
}

[[gnu::noinline]] TENON_RUNTIME void Lowering::set_leaf(MemoryAccess& access, ir::Node leaf,
                                                        FramePart const& part) {
  if (leaf.is(NodeKind::tensor)) return set_tensor(access, *leaf->leaf, leaf.address(), part);
  if (leaf.is(NodeKind::view)) return set_view(access, leaf);
  set_leaf(access, leaf.operand_at(0), part);
  access.stride = leaf.steps().along;
  access.start = leaf.steps().start;
  access.shares_gradient = leaf.steps().overlaps;
}

/// The strides of a table on the axes of the result: zero along the gathered axis; the axes after
/// it shift by `moved`.
TENON_RUNTIME Sizes table_strides(Sizes const& strides, int rank, int axis, int moved) {
  Sizes result{};
  for (int i = 0; i < rank; ++i) {
    if (i != axis) at(result, i < axis ? i : i + moved) = at(strides, i);
  }
  return result;
}

/// The axes of the ids are those of the result from the gathered one on, or from the first.
[[gnu::noinline]] TENON_RUNTIME void Lowering::set_gather(LowerStep const& step) {
  ir::Node const e = node(step), table = e.operand_at(0), ids = e.operand_at(1);
  auto& access = part<MemoryAccess>(step.place);
  auto& own = part<MemoryAccess>(step.place + step.part->ids);
  set_leaf(access, table, *step.part);
  access.gathered = at(access.stride, e->axis);
  part<std::int64_t>(step.place + step.part->stride) = access.gathered;
  access.stride = table_strides(access.stride, table.rank(), e->axis, e.rank() - table.rank());
  FramePart constant{PartKind::leaf};
  constant.bytes = static_cast<std::uint32_t>(ids->bytes);
  set_leaf(own, ids, constant);
  Sizes const strides = std::exchange(own.stride, Sizes{});
  int const first = e.is(NodeKind::take) ? e->axis : 0;
  for (int i = 0; i < ids.rank(); ++i) at(own.stride, first + i) = at(strides, i);
}

/// A reduction over the whole row along which its operand is computed.
TENON_RUNTIME void Lowering::finish_reduction(LowerStep const& step) {
  int const rank = step.type->operands[0]->rank, axes = count_axes(step.type->axes);
  auto& row = part<ScratchRow>(step.place + step.part->row);
  Sizes const sizes = operand_sizes(step);
  row.sizes = unit_sizes();  // in place, as the strides above
  row.rank = axes > 0 ? axes : 1;
  for (int i = 0; i < axes; ++i) at(row.sizes, i) = at(sizes, rank - axes + i);
  part<OwnAccesses>(step.place + step.part->walking) =
      materialized_row(since(step), rank, axes, row);
  if (step.part->enter_row != nullptr) step.part->enter_row(formula_ + step.place);
  if (step.part->refuses_empty && row.size() == 0)
    throw ValueError(concatenate({"tenon::", step.type->name, ": an empty axis"}));
}

[[gnu::noinline]] TENON_RUNTIME void Lowering::finish_column(LowerStep const& step) {
  int const rank = step.type->operands[0]->rank;
  AxisBits const axes = step.type->axes;
  accesses.enter_columns(axes, rank, step.type->keeps);
  part<OwnAccesses>(step.place + step.part->walking) = accesses;
  part<int>(step.place + step.part->rank) = count_axes(axes);
  Sizes const sizes = operand_sizes(step);
  Sizes& reduced = part<Sizes>(step.place + step.part->sizes) = unit_sizes();
  for (int i = 0, down = 0; i < rank; ++i) {
    if (has_axis(axes, i)) at(reduced, down++) = at(sizes, i);
  }
}

}  // namespace tenon::internal

#endif
