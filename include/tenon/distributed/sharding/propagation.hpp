#pragma once

#include <array>
#include <string_view>
#include <utility>

#include <tenon/distributed/sharding/abstract_operand.hpp>
#include <tenon/distributed/sharding/sharding.hpp>

/// Sharding propagation: the sharding of an expression over `AbstractOperand` operands, from the
/// description of its type. Each kind of node derives, for every axis of its result, the mesh axes
/// that divide it from those of its operands.
namespace tenon::internal {

/// The reduction that combines partial values into one.
enum class Reduction { none, sum, prod, max, min, any, all };

template <Reduction reduction>
struct ReductionFold;
template <>
struct ReductionFold<Reduction::sum> : std::type_identity<op::SumReduction> {};
template <>
struct ReductionFold<Reduction::prod> : std::type_identity<op::ProdReduction> {};
template <>
struct ReductionFold<Reduction::max> : std::type_identity<op::MaxReduction> {};
template <>
struct ReductionFold<Reduction::min> : std::type_identity<op::MinReduction> {};
template <>
struct ReductionFold<Reduction::any> : std::type_identity<op::AnyReduction> {};
template <>
struct ReductionFold<Reduction::all> : std::type_identity<op::AllReduction> {};

/// Their ops, by number.
inline constexpr auto fold_records = []<int... number>(std::integer_sequence<int, number...>) {
  return std::array{static_cast<symbolic::OpRecord const*>(nullptr),
                    &symbolic::op_record<typename ReductionFold<Reduction{number + 1}>::type>...};
}(std::make_integer_sequence<int, 6>());

/// The reduction over ranks that completes a local one; none for argmax and argmin.
constexpr Reduction reduction_of(symbolic::OpRecord const& op) {
  using enum Reduction;
  for (Reduction const one : {sum, prod, max, min, any, all})
    if (fold_records[static_cast<std::size_t>(one)] == &op) return one;
  return none;
}

enum class DivisionMistake {
  none,
  axes_differ,
  is_partial,
  axis_is_divided,
  divides_twice,
  unknown
};

/// The sharding of a value, or the error.
struct PropagatedSharding {
  std::array<FixedText, max_rank> over{};
  FixedText partial{};  ///< Mesh axes over which the local values still have to be reduced.
  Reduction reduction = Reduction::none;
  DivisionMistake mistake = DivisionMistake::none;
  FixedText operation{}, first{}, second{};  ///< Of the error.

  constexpr bool fits() const { return mistake == DivisionMistake::none; }
};

constexpr PropagatedSharding propagation_error(DivisionMistake mistake, std::string_view operation,
                                               FixedText const& first = {},
                                               FixedText const& second = {}) {
  PropagatedSharding result;
  result.mistake = mistake;
  result.operation = FixedText(operation);
  result.first = first;
  result.second = second;
  return result;
}

/// An axis as written in the spec of a sharding.
constexpr FixedText divided_axis(Shape const& shape, PropagatedSharding const& propagated,
                                 int axis) {
  Sharding sharding{shape, propagated.over};
  return axis_text(sharding, axis);
}

/// Partial values are rejected by all operations but a reduction over ranks.
constexpr PropagatedSharding refuse_partial(std::string_view operation,
                                            PropagatedSharding const& operand) {
  if (!operand.fits() || operand.partial.empty()) return operand;
  return propagation_error(DivisionMistake::is_partial, operation, operand.partial);
}

/// A result in which no mesh axis divides two axes, or the error.
constexpr PropagatedSharding divided_once(std::string_view operation, Shape const& shape,
                                          PropagatedSharding const& result) {
  FixedText const twice = divided_twice(Sharding{shape, result.over});
  if (!result.fits() || twice.empty()) return result;
  return propagation_error(DivisionMistake::divides_twice, operation, twice);
}

/// Joined axes: they are sharded alike, or the first one records the mismatch.
struct JoinedAxis {
  FixedText over{};
  FixedText axis{};  ///< Of the operand that came first, as it is written; "" before one came.
  bool fits = true;
  FixedText other{};

  /// (Assigned as an aggregate: with memberwise assignment g++ 12 compared equal axes as
  /// different.)
  constexpr void add(Shape const& shape, PropagatedSharding const& propagated, int index) {
    if (!fits) return;
    JoinedAxis next{propagated.over[static_cast<std::size_t>(index)],
                    divided_axis(shape, propagated, index), true, FixedText()};
    if (axis.empty()) {
      *this = next;
    } else if (!next.over.is(over.view())) {
      other = next.axis;
      fits = false;
    }
  }
};

/// Propagation through an elementwise op: matching axes are sharded alike; axes of size 1
/// broadcast.
constexpr PropagatedSharding propagate_map(ir::NodeType const& map,
                                           PropagatedSharding const* operands) {
  std::array<JoinedAxis, max_rank> joined{};
  for (std::size_t k = 0; k < map.operand_count; ++k) {
    PropagatedSharding const operand = refuse_partial(map.name, operands[k]);
    if (!operand.fits()) return operand;
    Shape const& shape = *map.operands[k]->shape;
    for (int i = 0; i < shape.rank; ++i) {
      int const to = map.axes_of[k][static_cast<std::size_t>(i)];
      bool const stretches = to >= 0 && shape[i].is_one() && !(*map.shape)[to].is_one();
      if (to >= 0 && !stretches) joined[static_cast<std::size_t>(to)].add(shape, operand, i);
    }
  }
  PropagatedSharding result;
  for (std::size_t i = 0; i < max_rank; ++i) {
    if (!joined[i].fits)
      return propagation_error(DivisionMistake::axes_differ, map.name, joined[i].axis,
                               joined[i].other);
    result.over[i] = joined[i].over;
  }
  return divided_once(map.name, *map.shape, result);
}

/// Propagation through a reduction: over a sharded axis the local values are partial.
constexpr PropagatedSharding propagate_reduction(ir::NodeType const& node,
                                                 PropagatedSharding const& operand) {
  PropagatedSharding const from = refuse_partial(node.name, operand);
  if (!from.fits()) return from;
  Shape const& shape = *node.operands[0]->shape;
  PropagatedSharding result;
  std::size_t to = 0;
  for (int i = 0; i < shape.rank; ++i) {
    FixedText const& over = from.over[static_cast<std::size_t>(i)];
    if (!has_axis(node.axes, i)) result.over[to++] = over;
    else if (node.keeps) ++to;
    if (!has_axis(node.axes, i) || over.empty()) continue;
    result.reduction = reduction_of(*node.op);
    if (result.reduction == Reduction::none)
      return propagation_error(DivisionMistake::axis_is_divided, node.name,
                               divided_axis(shape, from, i));
    for_each_mesh_axis(over.view(), [&](std::string_view name) {
      result.partial = with_mesh_axis(result.partial, name);
    });
  }
  return result;
}

/// Whether an axis keeps all of its elements, possibly under another name.
constexpr bool keeps_extent(Axis const& from, Axis const& to) {
  if (from.is_static() || to.is_static()) return from.size == to.size;
  if (from.is_bare() || to.is_bare()) return from.is_bare() && to.is_bare();
  return from.is_computed() && from.expression == to.expression;
}

/// Propagation through a view: a sharded axis has to stay unchanged.
constexpr PropagatedSharding propagate_view(ir::NodeType const& view,
                                            PropagatedSharding const& operand) {
  Shape const &from = *view.operands[0]->shape, &to = *view.shape;
  PropagatedSharding result;
  std::array<int, max_rank> uses{};
  for (int k = 0; k < to.rank; ++k) {
    int const axis = (*view.axes_of)[static_cast<std::size_t>(k)];
    if (axis < 0) continue;
    bool const stays = keeps_extent(from[axis], to[k]);
    uses[static_cast<std::size_t>(axis)] += stays ? 1 : 2;
    result.over[static_cast<std::size_t>(k)] = operand.over[static_cast<std::size_t>(axis)];
  }
  PropagatedSharding const whole = refuse_partial("move", operand);
  if (!whole.fits()) return whole;
  for (int i = 0; i < from.rank; ++i) {
    auto const at = static_cast<std::size_t>(i);
    if (!operand.over[at].empty() && uses[at] != 1)
      return propagation_error(DivisionMistake::axis_is_divided, "move",
                               divided_axis(from, operand, i));
  }
  return result;
}

/// The labels of a contraction, joined from the axes of its operands.
constexpr std::array<JoinedAxis, max_labels> joined_labels(ir::NodeType const& product,
                                                           PropagatedSharding const* operands) {
  std::array<JoinedAxis, max_labels> joined{};
  AxisMap const* const labels[] = {&product.contraction->left, &product.contraction->right};
  for (std::size_t k = 0; k < 2; ++k) {
    Shape const& shape = *product.operands[k]->shape;
    for (int i = 0; i < shape.rank; ++i) {
      int const label = (*labels[k])[static_cast<std::size_t>(i)];
      if (label >= 0) joined[static_cast<std::size_t>(label)].add(shape, operands[k], i);
    }
  }
  return joined;
}

/// Propagation through a contraction: labels are sharded alike; the sum over a sharded one is
/// partial.
constexpr PropagatedSharding propagate_contraction(ir::NodeType const& node,
                                                   PropagatedSharding const* operands) {
  for (PropagatedSharding const& operand :
       {refuse_partial(node.name, operands[0]), refuse_partial(node.name, operands[1])})
    if (!operand.fits()) return operand;
  Contraction const& product = *node.contraction;
  auto const joined = joined_labels(node, operands);
  PropagatedSharding result;
  for (int label = 0; label < product.labels; ++label) {
    JoinedAxis const& one = joined[static_cast<std::size_t>(label)];
    if (!one.fits)
      return propagation_error(DivisionMistake::axes_differ, node.name, one.axis, one.other);
    int const to = EinsumReader::first_with(product.out, static_cast<std::size_t>(label));
    if (to >= 0) result.over[static_cast<std::size_t>(to)] = one.over;
    else if (!one.over.empty()) result.reduction = Reduction::sum;
    if (to < 0)
      for_each_mesh_axis(one.over.view(), [&](std::string_view name) {
        result.partial = with_mesh_axis(result.partial, name);
      });
  }
  return divided_once(node.name, product.shape, result);
}

/// Propagation through an expression, from the shardings of its operands by number.
constexpr PropagatedSharding propagate(ir::NodeType const& e, PropagatedSharding const* operands) {
  if (e.kind == NodeKind::abstract_operand) return operands[e.number_of_operand];
  auto const of_operand = [&](std::size_t k) {
    return k < e.operand_count ? propagate(*e.operands[k], operands) : PropagatedSharding();
  };
  PropagatedSharding const own[] = {of_operand(0), of_operand(1), of_operand(2)};
  switch (e.kind) {
    case NodeKind::constant:
      return {};
    case NodeKind::map:
      return propagate_map(e, own);
    case NodeKind::reduction:
      return propagate_reduction(e, own[0]);
    case NodeKind::index_map:
      return propagate_view(e, own[0]);
    case NodeKind::product:
      return propagate_contraction(e, own);
    default:
      return propagation_error(DivisionMistake::unknown, e.name);
  }
}

/// The columns of sharding propagation: the shapes (see `ir/describe.hpp`).
struct ShardingColumns : ir::NoColumns {
  template <class E>
  static constexpr void node(ir::NodeType& type) {
    type.shape = &E::shape;
  }
};

/// The sharding of the result of a function of abstract operands. What is not an expression has no
/// rule.
template <class E>
struct PropagateSharding {
  static constexpr PropagatedSharding of(PropagatedSharding const* operands) {
    if constexpr (Expression<E>) return propagate(ir::node_type<E, ShardingColumns>, operands);
    else return propagation_error(DivisionMistake::unknown, "expression");
  }
};

}  // namespace tenon::internal
