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
  LeafAdjoint const adjoint = adjoint_of(reverse, e.operand);
  IndexText const index =
      strided_index(walk.indexing(), steps_of(walk, e), rank, at, e.steps.start);
  std::vector<std::int64_t> numbers{static_cast<std::int64_t>(walk.memories.find(e.operand)), -1,
                                    e.steps.start};
  numbers.insert(numbers.end(), e.steps.along.begin(), e.steps.along.end());
  Following rows{};
  if (are_apart(e.steps.along, e.sizes(), rank)) rows = following(numbers, rank, at);
  Identity const element(numbers.begin(), numbers.end());
  reverse.tear(adjoint);
  reverse.add_to_leaf(adjoint, rows, index, at_places(element, at), share, at, rank);
}

/// One of the partial derivatives of an op.
template <std::size_t k, class P>
auto slope_of(P const& partials) {
  if constexpr (k == 0) return partials.p0;
  else if constexpr (k == 1) return partials.p1;
  else return partials.p2;
}
template <class Op, std::size_t k, class... V>
using SlopeOf = decltype(slope_of<k>(Op::d(std::declval<V>()...)));

/// The partial derivative of an op for operand k: what is long is a function, as the op is.
template <class Op, std::size_t k, class... V>
auto slope(V const&... x) {
  using P = SlopeOf<Op, k, V...>;
  if constexpr (!requires { typename P::value_type; }) return P{};
  else {
    std::string const name = std::string(Op::name).append("_slope").append(k == 0 ? "" : "_of_");
    return called<typename P::value_type>(
        k == 0 ? name : name + parameter_text(k),
        [](auto const&... v) { return slope_of<k>(Op::d(v...)); }, x...);
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

template <class Op, class A, class T>
void pull_back(Reverse& reverse, Elementwise<Op, A> const& e, Places const& at,
               Symbol<T> const& adjoint) {
  using Node = Elementwise<Op, A>;
  using R = typename Node::value_type;
  if constexpr (HasSymbolDerivative<Op, R, typename A::value_type>) {
    if (!leads_back(reverse, e.a)) return;
    auto const a = operand_of<0, Node>(reverse.walk(), e.a, at);
    pull_map_operand<0, Node>(reverse, e.a, at, adjoint, a, op_of<Node>(a));
  }
}
template <class Op, class A, class B, class T>
void pull_back(Reverse& reverse, Elementwise<Op, A, B> const& e, Places const& at,
               Symbol<T> const& adjoint) {
  using Node = Elementwise<Op, A, B>;
  using R = typename Node::value_type;
  if constexpr (HasSymbolDerivative<Op, R, typename A::value_type, typename B::value_type>) {
    auto const a = operand_of<0, Node>(reverse.walk(), e.a, at);
    auto const b = operand_of<1, Node>(reverse.walk(), e.b, at);
    auto const y = op_of<Node>(a, b);
    pull_map_operand<0, Node>(reverse, e.a, at, adjoint, a, b, y);
    pull_map_operand<1, Node>(reverse, e.b, at, adjoint, a, b, y);
  }
}
template <class Op, class A, class B, class C, class T>
void pull_back(Reverse& reverse, Elementwise<Op, A, B, C> const& e, Places const& at,
               Symbol<T> const& adjoint) {
  using Node = Elementwise<Op, A, B, C>;
  using R = typename Node::value_type;
  if constexpr (HasSymbolDerivative<Op, R, typename A::value_type, typename B::value_type,
                                    typename C::value_type>) {
    auto const a = operand_of<0, Node>(reverse.walk(), e.a, at);
    auto const b = operand_of<1, Node>(reverse.walk(), e.b, at);
    auto const c = operand_of<2, Node>(reverse.walk(), e.c, at);
    auto const y = op_of<Node>(a, b, c);
    pull_map_operand<0, Node>(reverse, e.a, at, adjoint, a, b, c, y);
    pull_map_operand<1, Node>(reverse, e.b, at, adjoint, a, b, c, y);
    pull_map_operand<2, Node>(reverse, e.c, at, adjoint, a, b, c, y);
  }
}

template <class E, PackedMap order, Spec S>
void pull_back(Reverse& reverse, Moved<E, order, S> const& e, Places const& at,
               Share<E> const& share) {
  pull_back(reverse, e.operand, places_below(reverse.walk(), e, at), share);
}

/// A choice from a table adds where it was chosen.
template <class E>
  requires requires(E const& e) { e.table, e.ids; }
void pull_back(Reverse& reverse, E const& e, Places const& at, Share<E> const& share) {
  if (leads_back(reverse, e.table))
    pull_back(reverse, e.table, places_below(reverse.walk(), e, at), share);
}

}  // namespace tenon::source
