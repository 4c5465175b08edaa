#pragma once

#include <tenon/backend/source/reverse.hpp>

/// What a node passes back to its operands, in names: the values that its derivative asks for are
/// said anew where they are asked for.
namespace tenon::source {

/// Does a recipe lead to an adjoint that is asked for?
template <class E>
bool leads_back(Reverse const& reverse, E const& e) {
  if constexpr (!FloatType<typename E::value_type> || is_view<E>) return false;
  else if constexpr (TensorType<E>) return reverse.wants(e.mark());
  else if constexpr (is_earlier<E>) return true;
  else {
    bool leads = false;
    each_operand(e, [&](auto const& operand) { leads = leads || leads_back(reverse, operand); });
    return leads;
  }
}

/// A share of the adjoint of a recipe's element.
template <class E>
using Share = Symbol<Computed<typename E::value_type>>;

/// How many folds stand one within the other.
template <class E>
int fold_depth_of(E const& e) {
  int depth = 0;
  each_operand(e, [&](auto const& operand) { depth = std::max(depth, fold_depth_of(operand)); });
  return depth + (is_fold<E> ? 1 : 0);
}

/// The adjoint of a leaf.
template <Leaf E>
LeafAdjoint adjoint_of(Reverse& reverse, E const& leaf) {
  LeafAdjoint adjoint{reverse.walk().memories[reverse.walk().memories.find(leaf)]};
  if constexpr (TensorType<E>) adjoint.mark = leaf.mark();
  adjoint.elements = count(leaf.sizes(), E::shape.rank);
  using T = Computed<typename E::value_type>;
  adjoint.leaf.type = type_text<T>;
  adjoint.element_bytes = sizeof(T);
  return adjoint;
}

/// The leaf itself, where it does not stand for the product that its kernel would compute.
template <Leaf E>
E materialised(Reverse const& reverse, E leaf) {
  if constexpr (is_earlier<E>)
    if (is_own_product(leaf)) leaf.number = reverse.own_product;
  return leaf;
}

template <class T>
void pull_back(Reverse&, ConstantNode<T> const&, Places const&, Symbol<T> const&) {}

template <Leaf E>
void pull_back(Reverse& reverse, E const& given, Places const& at, Share<E> const& share) {
  if constexpr (!is_view<E>) {
    Walk& walk = reverse.walk();
    E const leaf = materialised(reverse, given);
    LeafAdjoint const adjoint = adjoint_of(reverse, leaf);
    std::size_t const memory = walk.memories.find(leaf);
    IndexText const index =
        row_major_index(walk.indexing(), walk.memories[memory].sizes, E::shape.rank, at);
    Following const rows = following({static_cast<std::int64_t>(memory)}, E::shape.rank, at);
    reverse.add_to_leaf(adjoint, rows, index, at_places({memory}, at), share, at, E::shape.rank);
  }
}

template <class E, Spec S, bool by_one>
void pull_back(Reverse& reverse, Stepped<E, S, by_one> const& e, Places const& at,
               Share<E> const& share) {
  constexpr int rank = Stepped<E, S, by_one>::shape.rank;
  Walk& walk = reverse.walk();
  LeafAdjoint const adjoint = adjoint_of(reverse, operand_at<0>(e));
  IndexText const index =
      strided_index(walk.indexing(), steps_of(walk, e), rank, at, e.steps.start);
  std::vector<std::int64_t> numbers{static_cast<std::int64_t>(walk.memories.find(operand_at<0>(e))),
                                    -1, e.steps.start};
  numbers.insert(numbers.end(), e.steps.along.begin(), e.steps.along.end());
  Following rows{};
  if (are_apart(e.steps.along, e.sizes(), rank)) rows = following(numbers, rank, at);
  Identity const element(numbers.begin(), numbers.end());
  reverse.tear(adjoint);
  reverse.add_to_leaf(adjoint, rows, index, at_places(element, at), share, at, rank);
}

/// One of the partial derivatives of an op.
template <class Op, std::size_t k, class... V>
using SlopeOf = decltype(op::partial_of<k>(Op::d(std::declval<V>()...)));

/// The partial derivative of an op for operand k: what is long is a function, as the op is.
template <class Op, std::size_t k, class... V>
auto slope(V const&... x) {
  using P = SlopeOf<Op, k, V...>;
  if constexpr (!requires { typename P::value_type; }) return P{};
  else {
    std::string const name = std::string(Op::name).append("_slope").append(k == 0 ? "" : "_of_");
    return called<typename P::value_type>(
        k == 0 ? name : name + parameter_text(k),
        [](auto const&... v) { return op::partial_of<k>(Op::d(v...)); }, x...);
  }
}

/// Passes the share of an adjoint on to operand k of a map, in the operand's dtype.
template <std::size_t k, class Node, class E, class P, class T>
void pull_operand(Reverse& reverse, E const& operand, Places const& at, P const& partial,
                  Symbol<T> const& adjoint) {
  using X = Computed<typename E::value_type>;
  if constexpr (std::floating_point<X> && !std::same_as<P, op::Zero>) {
    if (!leads_back(reverse, operand)) return;
    Symbol<X> const share = convert<X>(op::pulled(partial, adjoint));
    pull_back(reverse, operand, operand_places(Node::types::maps[k], E::shape.rank, at), share);
  }
}

template <class Op, class R, class... T>
concept HasSymbolDerivative =
    FloatType<R> && requires(Symbol<T>... x, Symbol<R> y) { Op::d(x..., y); };

/// Passes the adjoint of a map on to operand k, where that leads to something.
template <std::size_t k, class Node, class E, class T, class... V>
void pull_map_operand(Reverse& reverse, E const& operand, Places const& at,
                      Symbol<T> const& adjoint, V const&... x) {
  auto const partial = slope<typename Node::op, k>(x...);
  pull_operand<k, Node>(reverse, operand, at, partial, adjoint);
}

template <class Node, std::size_t... k, class T, class... X>
void pull_operands(Reverse& reverse, Node const& e, Places const& at, Symbol<T> const& adjoint,
                   std::index_sequence<k...>, X const&... x) {
  auto const y = op_of<Node>(x...);
  (pull_map_operand<k, Node>(reverse, operand_at<k>(e), at, adjoint, x..., y), ...);
}
template <class Op, class... E, class T>
void pull_back(Reverse& reverse, Elementwise<Op, E...> const& e, Places const& at,
               Symbol<T> const& adjoint) {
  using R = typename Elementwise<Op, E...>::value_type;
  if constexpr (HasSymbolDerivative<Op, R, typename E::value_type...>) {
    if (!leads_back(reverse, e)) return;
    std::apply(
        [&](auto const&... x) {
          pull_operands(reverse, e, at, adjoint, std::index_sequence_for<E...>(), x...);
        },
        operands_of(reverse.walk(), e, at));
  }
}

/// To what a move reads, or to the table of a choice, which adds where it was chosen.
template <class E>
  requires(is_move<E> || GatherNode<E>)
void pull_back(Reverse& reverse, E const& e, Places const& at, Share<E> const& share) {
  auto const& operand = operand_at<0>(e);
  if (leads_back(reverse, operand))
    pull_back(reverse, operand, places_below(reverse.walk(), e, at), share);
}

}  // namespace tenon::source
