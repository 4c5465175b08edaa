#pragma once

#include <tuple>
#include <vector>

#include <tenon/core/call.hpp>
#include <tenon/eval/graph/tensor.hpp>
#include <tenon/eval/tape/leaves.hpp>

namespace tenon::internal {

/// For each leaf of a result whether anything used it, so that it has an adjoint: that of others is
/// zero. (Not `std::vector<bool>`: its iterators take compilers as long as this whole header.)
using UsedLeaves = std::vector<unsigned char>;

}  // namespace tenon::internal

namespace tenon::internal::graph {

/// The adjoints of the arguments by a custom backward: `f(adjoint, y, x...)`, or with `used` as its
/// last argument. A backward that takes neither gets the error of the first.
template <class Backward, class Y, class... X>
auto shares_of(Backward const& f, UsedLeaves const& used, Y const& adjoint, Y const& y,
               X const&... x) {
  constexpr bool is_plain = CallableWith<Backward const&, Y const&, Y const&, X const&...>;
  if constexpr (!is_plain &&
                CallableWith<Backward const&, Y const&, Y const&, X const&..., UsedLeaves const&>)
    return f(adjoint, y, x..., used);
  else return f(adjoint, y, x...);
}

/// One of several results of a function with a custom backward: its adjoint is a part of the
/// function's.
struct PartRule : Rule {
  std::size_t part;
  explicit PartRule(std::size_t p) : part(p) {}
  [[gnu::cold]] void backward(Id self, std::span<Id const> x, Adjoints& adjoints) const override {
    adjoints.add(x[0], *adjoints.of(self), part);
  }
};

/// A custom backward, on tensors: the values it computes are in the graph.
template <class Backward, class Y, class... A>
struct CustomRule : Rule {
  Backward function;
  std::tuple<A...> arguments;
  Y value{};

  CustomRule(Backward const& b, A const&... x) : function(b), arguments(x...) {}

  [[gnu::cold]] void backward(Id self, std::span<Id const>, Adjoints& adjoints) const override {
    UsedLeaves used;
    Y const adjoint = tree::map(
        [&](auto const& leaf) {
          using E = std::remove_cvref_t<decltype(leaf)>;
          Id const* const found = adjoints.of(self, used.size());
          used.push_back(found != nullptr);
          return found ? tensor_of<E>(*found, leaf.sizes()) : repeated<E>(0, leaf.sizes());
        },
        value);
    std::apply(
        [&](A const&... x) {
          backward(shares_of(function, used, adjoint, value, x...), adjoints, x...);
        },
        arguments);
  }

 private:
  template <class Shares>
  static void backward(Shares const& shares, Adjoints& adjoints, A const&... x) {
    if constexpr (sizeof...(A) == 1) (add(x, shares, adjoints), ...);
    else {
      [&]<std::size_t... k>(std::index_sequence<k...>) {
        (add(x, std::get<k>(shares), adjoints), ...);
      }(std::index_sequence_for<A...>());
    }
  }

  template <class Argument, class Share>
  static void add(Argument const& argument, Share const& share, Adjoints& adjoints) {
    tree::zip(
        [&](auto const& leaf, auto const& part) {
          if (leaf.mark().tape == Graph::current->serial)
            adjoints.add({leaf.mark().slot}, id_of(part));
        },
        argument, adjoint_as(argument, share));
  }
};

/// A copy of a tree whose recorded leaves are values of the graph.
template <class Tree>
Tree entered(Tree const& tree) {
  return tree::map(
      [](auto leaf) {
        if (is_recorded(leaf.mark())) leaf.set_mark({Graph::current->serial, id_of(leaf).number});
        return leaf;
      },
      tree);
}

/// The value of a function with a custom backward, already computed, in the graph.
template <class Backward, class Y, class... A>
Y custom(Backward const& backward, Y const& value, A const&... arguments) {
  using Own = CustomRule<Backward, Y, A...>;
  auto* const own = new Own(backward, entered(arguments)...);
  Owner<Rule const> rule(own);
  std::vector<Id> inputs;
  auto const enter = [&](auto const& leaf) {
    if (is_recorded(leaf.mark())) inputs.push_back({leaf.mark().slot});
  };
  std::apply([&](A const&... x) { (tree::for_each(enter, x), ...); }, own->arguments);
  Id const whole = Graph::current->made({element_of<double>, {}, {}}, inputs, std::move(rule));
  std::size_t part = 0;
  own->value = tree::map(
      [&](auto const& leaf) {
        return tensor_of<std::remove_cvref_t<decltype(leaf)>>(Graph::current->made(
            elements_of(leaf), {&whole, 1}, Owner<Rule const>(new PartRule(part++))));
      },
      value);
  return own->value;
}

}  // namespace tenon::internal::graph
