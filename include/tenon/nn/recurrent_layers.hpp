#pragma once

#include <cstddef>
#include <tuple>
#include <utility>

#include <tenon/expr/join/join.hpp>
#include <tenon/expr/view/flip.hpp>
#include <tenon/nn/recurrent.hpp>

namespace tenon {

/// A recurrent layer along the time and one against it: `Bidirectional<GRU<"input=4",
/// "hidden=16">>` gives the outputs side by side, "… time hidden=32", and the pair of the last
/// states. Called as the layer is, with lengths too; a start is the pair of two states. PyTorch:
/// `bidirectional=True`.
template <class Layer>
struct Bidirectional;
template <class Step, Spec In, Spec Hidden, Spec Time, class... Kind>
struct Bidirectional<Recurrent<Step, In, Hidden, Time, Kind...>> {
  using Layer = Recurrent<Step, In, Hidden, Time, Kind...>;

  Layer forward, reverse;

  template <Expression X, class... L>
  auto operator()(X const& x, L const&... lengths) const {
    return join_directions(forward(x, lengths...),
                           reverse(eval(flip<Time>(x)), internal::FromEnd<L>{lengths}...));
  }
  template <Expression X, class State, class... L>
  auto operator()(X const& x, std::pair<State, State> const& start, L const&... lengths) const {
    return join_directions(
        forward(x, start.first, lengths...),
        reverse(eval(flip<Time>(x)), start.second, internal::FromEnd<L>{lengths}...));
  }

 private:
  template <class Result>
  static auto join_directions(Result const& ahead, Result const& back) {
    return std::pair(eval(concat<-1>(ahead.first, eval(flip<Time>(back.first)))),
                     std::pair(ahead.second, back.second));
  }
};

/// Recurrent layers, each of which takes the outputs of the one before.
/// `RecurrentLayers<LSTM<"input=4", "hidden=16">, LSTM<"hidden=16", "hidden=16">>` gives the
/// outputs of the last layer and the tuple of all last states. A start is the tuple of all states;
/// lengths follow as for one layer. Layers may be `Bidirectional`. PyTorch: `num_layers`.
template <class... Layers>
struct RecurrentLayers {
  std::tuple<Layers...> layers;

  template <Expression X, class... L>
  auto operator()(X const& x, L const&... lengths) const {
    return run<0>(x, std::tuple<>(), std::tuple<>(), lengths...);
  }
  template <Expression X, class... State, class... L>
  auto operator()(X const& x, std::tuple<State...> const& start, L const&... lengths) const {
    return run<0>(x, std::tuple<>(), start, lengths...);
  }

 private:
  template <std::size_t i, class X, class... Last, class... State, class... L>
  auto run(X const& x, std::tuple<Last...> const& last, std::tuple<State...> const& start,
           L const&... lengths) const {
    if constexpr (i == sizeof...(Layers)) return std::pair(x, last);
    else {
      auto const [y, state] = [&] {
        if constexpr (sizeof...(State) == 0) return std::get<i>(layers)(x, lengths...);
        else return std::get<i>(layers)(x, std::get<i>(start), lengths...);
      }();
      return run<i + 1>(y, std::tuple_cat(last, std::make_tuple(state)), start, lengths...);
    }
  }
};

}  // namespace tenon
