#pragma once

#include <tenon/eval/plan/node_layout.hpp>
#include <tenon/op/symbolic.hpp>
#include <tenon/tensor/host_elements.hpp>
#include <tenon/tensor/tracing.hpp>
#include <tenon/tensor/view.hpp>

/// The description of nodes for a trace.
namespace tenon::internal::tracing {

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

struct NodeType : NodeLayout {
  std::string_view dtype{};
  std::size_t bytes = 0;  ///< Of an element.
  int rank = 0;
  symbolic::OpRecord const* op = nullptr;  ///< Of a map or a reduction.
  Shape const* shape = nullptr;  ///< Of a view, or a contraction of run-time sizes; else null.
  std::array<NodeType const*, 3> operands{};
  LeafType const* leaf = nullptr;
};

template <class E>
constexpr NodeType make_node_type();

template <class E>
inline constexpr NodeType node_type = make_node_type<E>();

/// The op of a node; null where it has none.
template <class E>
inline constexpr symbolic::OpRecord const* op_of_node = nullptr;
template <class Op, class... E>
inline constexpr symbolic::OpRecord const* op_of_node<Elementwise<Op, E...>> =
    &symbolic::op_record<Op>;
template <class Op, class E, AxisBits axes, bool keeps>
inline constexpr symbolic::OpRecord const* op_of_node<ReductionNode<Op, E, axes, keeps>> =
    &symbolic::op_record<Op>;

template <class... E>
constexpr std::array<NodeType const*, 3> operand_types(Types<E...>) {
  return {&node_type<E>...};
}

template <class E>
constexpr NodeType make_node_type() {
  using T = typename E::value_type;
  NodeType type{node_layout<E>(), dtype_name<T>, sizeof(T), E::shape.rank};
  type.op = op_of_node<E>;
  type.operands = operand_types(OperandsOf<E>());
  if constexpr (is_constant<E>) type.dtype = dtype_name<Computed<T>>;
  if constexpr (TensorType<E> || is_view<E>) type.leaf = &LeafTypeOf<E>::value;
  constexpr bool computes_sizes = is_stepped<E> || is_contract<E>;
  if constexpr (is_index_map<E> || (computes_sizes && !E::shape.is_static()))
    type.shape = &E::shape;  // of no other node: a shape takes more memory than all the rest
  return type;
}

template <class E>
Node node_of(E const& e) {
  return {&node_type<E>, reinterpret_cast<std::byte const*>(&e)};
}

inline Node operand_of(Node node, std::size_t k) {
  return {node->operands[k], node.address + node->places[k]};
}

/// The mark of a tensor; empty for any other node.
inline TapeMark mark_of(Node node) {
  if (node->leaf == nullptr || node->leaf->mark == 0) return {};
  return *reinterpret_cast<TapeMark const*>(node.address + node->leaf->mark);
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
