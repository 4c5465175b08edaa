#pragma once

#include <tenon/eval/plan/node_name.hpp>
#include <tenon/expr/places.hpp>
#include <tenon/tensor/host_elements.hpp>
#include <tenon/tensor/tracing.hpp>
#include <tenon/tensor/view.hpp>

/// Expressions as data: a constant for each type of node describes the node and the offsets of its
/// operands and run-time numbers.
namespace tenon::internal::tracing {

enum class NodeKind : std::uint8_t {
  tensor,
  view,
  constant,
  map,
  reduction,
  index_map,
  stepped,
  take,
  pick,
  take_along,
  contraction
};

/// The description of a leaf in addition to its dtype and rank.
struct LeafType {
  Sizes (*sizes)(void const* leaf);
  void (*copy)(void const* leaf, std::byte* to);  ///< Its elements, row-major.
  std::size_t mark = 0;                           ///< The offset of a tensor's mark.
};

template <class E>
struct LeafTypeOf {
  static Sizes sizes(void const* leaf) { return static_cast<E const*>(leaf)->sizes(); }
  [[gnu::cold]] static void copy(void const* leaf, std::byte* to) {
    E const& e = *static_cast<E const*>(leaf);
    auto* const elements = reinterpret_cast<typename E::value_type*>(to);
    if constexpr (is_view<E>) copy_view(e, elements);
    else std::copy_n(&host_elements(e)[0], e.size(), elements);
  }
  static constexpr LeafType value = [] {
    LeafType type{&sizes, &copy};
    if constexpr (TensorType<E>) type.mark = TensorPlaces::mark<E>;
    return type;
  }();

 private:
  static void copy_view(E const& e, typename E::value_type* to) {
    ElementIndex index{};
    for (std::int64_t i = 0; i < e.size(); ++i) {
      to[i] = host_element<typename E::device>(e.data(), offset(e.strides(), index, E::rank));
      next(index, e.sizes(), E::rank);
    }
  }
};

/// The name of an op as an ONNX operator; empty if it has none.
template <class Op>
constexpr std::string_view onnx_name() {
  if constexpr (requires { Op::onnx; }) return Op::onnx;
  else return {};
}

struct NodeType {
  NodeKind kind;
  std::string_view name;  ///< Of the operation.
  std::string_view onnx;  ///< The ONNX operator of the op of a map or a reduction.
  std::string_view dtype;
  std::size_t bytes;  ///< Of an element.
  int rank;
  Shape const* shape = nullptr;  ///< Of a view, or a contraction of run-time sizes; else null.
  std::array<NodeType const*, 3> operands{};
  std::uint32_t const* places = nullptr;  ///< Offsets of the operands in the node, in bytes.
  std::size_t operand_count = 0;
  LeafType const* leaf = nullptr;
  AxisMap const* axes_of = nullptr;  ///< Of the operands of a map; of the operand of a view.
  AxisBits axes = 0;                 ///< The axes of a reduction.
  bool keeps = false;
  int axis = 0;  ///< The indexed axis of a gather.
  Contraction const* contraction = nullptr;
  /// Offsets of run-time values: the number of a constant, sizes, the start and the steps of a
  /// view.
  std::size_t number = 0, sizes = 0, start = 0;
};

template <class E>
constexpr NodeType make_node_type();

template <class E>
inline constexpr NodeType node_type = make_node_type<E>();

template <class Op, class... E>
constexpr void describe(NodeType& type, std::type_identity<Elementwise<Op, E...>>) {
  type.kind = NodeKind::map;
  type.onnx = onnx_name<Op>();
  type.axes_of = Elementwise<Op, E...>::types::maps.data();
}
template <class Op, class E, AxisBits axes, bool keeps>
constexpr void describe(NodeType& type, std::type_identity<ReductionNode<Op, E, axes, keeps>>) {
  type.kind = NodeKind::reduction;
  type.onnx = onnx_name<Op>();
  type.axes = axes;
  type.keeps = keeps;
}
template <class E, PackedMap order, Spec S>
constexpr void describe(NodeType& type, std::type_identity<IndexMap<E, order, S>>) {
  using Own = IndexMap<E, order, S>;
  type.kind = NodeKind::index_map;
  type.axes_of = &Own::order;
  if constexpr (!Own::shape.is_static()) type.sizes = run_time_place<Own>;
  type.start = start_place<Own>;
}
template <class E, Spec S, bool by_one>
constexpr void describe(NodeType& type, std::type_identity<Stepped<E, S, by_one>>) {
  type.kind = NodeKind::stepped;
  type.sizes = extents_place<Stepped<E, S, by_one>>;
  type.start = steps_place<Stepped<E, S, by_one>>;
}
template <class T>
constexpr void describe(NodeType& type, std::type_identity<ConstantNode<T>>) {
  type.kind = NodeKind::constant;
  type.dtype = dtype_name<Computed<T>>;
  type.number = number_place<ConstantNode<T>>;
}
template <class Table, class Ids, int axis, template <class, class, int> class Choice>
constexpr void describe(NodeType& type, std::type_identity<Choice<Table, Ids, axis>>) {
  using Own = Choice<Table, Ids, axis>;
  type.kind = std::same_as<Own, Gather<Table, Ids, axis>>      ? NodeKind::take
              : std::same_as<Own, PickAlong<Table, Ids, axis>> ? NodeKind::pick
                                                               : NodeKind::take_along;
  type.axis = axis;
}
template <class A, class B, class Rule>
constexpr void describe(NodeType& type, std::type_identity<Contract<A, B, Rule>>) {
  type.kind = NodeKind::contraction;
  type.contraction = &Rule::contraction;
}
template <class E>
  requires(TensorType<E> || is_view<E>)
constexpr void describe(NodeType& type, std::type_identity<E>) {
  type.kind = TensorType<E> ? NodeKind::tensor : NodeKind::view;
  type.leaf = &LeafTypeOf<E>::value;
}

template <class... E>
constexpr void set_operands(NodeType& type, Types<E...>) {
  type.operands = {&node_type<E>...};
  type.operand_count = sizeof...(E);
}

template <class E>
constexpr NodeType make_node_type() {
  using T = typename E::value_type;
  NodeType type{NodeKind::tensor, node_name<E>, {}, dtype_name<T>, sizeof(T), E::shape.rank};
  constexpr bool computes_sizes = is_stepped<E> || is_contract<E>;
  if constexpr (is_index_map<E> || (computes_sizes && !E::shape.is_static()))
    type.shape = &E::shape;  // of no other node: a shape takes more memory than all the rest
  set_operands(type, OperandsOf<E>());
  if constexpr (!std::same_as<OperandsOf<E>, Types<>>)
    type.places = tenon::internal::operand_places<E>.data();
  describe(type, std::type_identity<E>());
  return type;
}

template <class E>
Node node_of(E const& e) {
  return {&node_type<E>, reinterpret_cast<std::byte const*>(&e)};
}

/// The mark of the value of an expression, whose own address does not escape.
template <class E>
[[gnu::cold, gnu::noinline]] TapeMark mark_of_copy(E e) {
  return Trace::current->evaluated(tracing::node_of(e));
}

/// Throws `Error` where an element of an expression depends on an input.
template <class E>
void check_expression_read(E const& e) {
  tracing::check_read(Trace::current->evaluated(tracing::node_of(e)));
}

/// The value of a type of call whose operands are tensors, computed by `compute`.
template <class F, class... X>
[[gnu::cold, gnu::noinline]] auto called(std::string_view name, Sizes const& sizes,
                                         std::span<std::int64_t const> numbers, F const& compute,
                                         X const&... x) {
  using R = std::remove_cvref_t<decltype(compute())>;
  std::array<Node, sizeof...(X)> const operands{tracing::node_of(x)...};
  TapeMark const mark = Trace::current->called({name, result_of<R>(sizes), operands, numbers, {}});
  Paused const paused;
  R result = compute();
  result.set_mark(mark);
  return result;
}

}  // namespace tenon::internal::tracing
