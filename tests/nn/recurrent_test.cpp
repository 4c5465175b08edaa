#include <doctest/doctest.h>

#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/nn.hpp>
#include <tenon/nn/recurrent.hpp>

#include "cases.hpp"

namespace recurrent_test {

using namespace tenon;

namespace {

using Inputs = Float64<"batch time input=3">;
using State = Float64<"batch hidden=4">;
using Vector = Float64<"n">;

template <class X>
Vector flat(X const& x) {
  return reshape<"n">(x);
}

/// Outputs and last states, one after the other.
Vector values(std::pair<Float64<"batch time hidden=4">, State> const& y) {
  return concat<0>(flat(y.first), flat(y.second));
}
Vector values(std::pair<Float64<"batch time hidden=4">, LSTMState<State>> const& y) {
  return concat<0>(concat<0>(flat(y.first), flat(y.second.h)), flat(y.second.c));
}

void check_near(cases::Case const& c, std::string const& key, auto const& got) {
  CAPTURE(c.name);
  CAPTURE(key);
  auto const expected = c.tensor<std::remove_cvref_t<decltype(got)>>(key);
  CHECK(allclose(got, expected, {.relative = 1e-12, .absolute = 1e-13}));
}

template <class Layer, class Start>
struct Arguments {
  Layer layer;
  Inputs x;
  Start start;
};

/// Compares values and gradients with those of PyTorch.
template <class Layer, class Start, class F>
void check_layer(cases::Case const& c, Start const& start, F const& f) {
  Layer const layer{c.tensor<decltype(Layer::weight_ih)>("weight_ih"),
                    c.tensor<decltype(Layer::weight_hh)>("weight_hh"),
                    c.tensor<decltype(Layer::bias_ih)>("bias_ih"),
                    c.tensor<decltype(Layer::bias_hh)>("bias_hh")};
  Arguments<Layer, Start> const at{layer, c.tensor<Inputs>("x"), start};
  check_near(c, "value", values(f(at)));
  auto const loss = [&](auto const& a) {
    Vector const value = values(f(a));
    return sum(value * (1.0 + 0.5 * iota<Vector>(static_cast<int>(value.size()))));
  };
  auto const gradient = grad(loss)(at);
  check_near(c, "grad x", gradient.x);
  check_near(c, "grad weight_ih", gradient.layer.weight_ih);
  check_near(c, "grad weight_hh", gradient.layer.weight_hh);
  check_near(c, "grad bias_ih", gradient.layer.bias_ih);
  check_near(c, "grad bias_hh", gradient.layer.bias_hh);
  if constexpr (std::is_same_v<Start, State>) check_near(c, "grad h", gradient.start);
  else if constexpr (std::is_same_v<Start, LSTMState<State>>) {
    check_near(c, "grad h", gradient.start.h);
    check_near(c, "grad c", gradient.start.c);
  }
}

template <class Layer>
void check_case(cases::Case const& c) {
  constexpr bool is_lstm = std::is_same_v<Layer, LSTM<"input=3", "hidden=4", "time", double>>;
  if (c.option("start", 0) == 0)
    return check_layer<Layer>(c, std::tuple<>(), [](auto const& a) { return a.layer(a.x); });
  auto const f = [](auto const& a) { return a.layer(a.x, a.start); };
  State const h = c.tensor<State>("h");
  if constexpr (is_lstm) check_layer<Layer>(c, LSTMState<State>{h, c.tensor<State>("c")}, f);
  else check_layer<Layer>(c, h, f);
}

template <class Layer>
Layer layer_of(cases::Case const& c, std::string const& suffix) {
  return {c.tensor<decltype(Layer::weight_ih)>("weight_ih" + suffix),
          c.tensor<decltype(Layer::weight_hh)>("weight_hh" + suffix),
          c.tensor<decltype(Layer::bias_ih)>("bias_ih" + suffix),
          c.tensor<decltype(Layer::bias_hh)>("bias_hh" + suffix)};
}
template <class Layer>
Bidirectional<Layer> both_of(cases::Case const& c, std::string const& suffix) {
  return {layer_of<Layer>(c, suffix), layer_of<Layer>(c, suffix + "_reverse")};
}
template <class Layer>
void check_gradient(cases::Case const& c, Layer const& gradient, std::string const& suffix) {
  check_near(c, "grad weight_ih" + suffix, gradient.weight_ih);
  check_near(c, "grad weight_hh" + suffix, gradient.weight_hh);
  check_near(c, "grad bias_ih" + suffix, gradient.bias_ih);
  check_near(c, "grad bias_hh" + suffix, gradient.bias_hh);
}

/// Two bidirectional layers over sequences of different lengths.
template <template <Spec, Spec, Spec, class...> class Kind>
void check_deep(cases::Case const& c) {
  using First = Kind<"input=2", "hidden=2", "time", double>;
  using Second = Kind<"hidden=4", "hidden=2", "time", double>;
  using Sequences = Float64<"batch time input=2">;
  using Deep = RecurrentLayers<Bidirectional<First>, Bidirectional<Second>>;
  auto const lengths = c.tensor<Int32<"batch">>("lengths");
  auto const h = [](auto const& state) {
    if constexpr (requires { state.h; }) return flat(state.h);
    else return flat(state);
  };
  auto const value = [&](std::pair<Deep, Sequences> const& at) -> Vector {
    auto const [y, last] = at.first(at.second, lengths);
    auto const& [first, second] = last;
    return concat<0>(concat<0>(flat(y), concat<0>(h(first.first), h(first.second))),
                     concat<0>(h(second.first), h(second.second)));
  };
  std::pair<Deep, Sequences> const at{{{both_of<First>(c, "_l0"), both_of<Second>(c, "_l1")}},
                                      c.tensor<Sequences>("x")};
  check_near(c, "value", value(at));
  auto const [deep, x] = grad([&](std::pair<Deep, Sequences> const& recorded) {
    Vector const y = value(recorded);
    return sum(y * (1.0 + 0.5 * iota<Vector>(static_cast<int>(y.size()))));
  })(at);
  check_near(c, "grad x", x);
  check_gradient(c, std::get<0>(deep.layers).forward, "_l0");
  check_gradient(c, std::get<0>(deep.layers).reverse, "_l0_reverse");
  check_gradient(c, std::get<1>(deep.layers).forward, "_l1");
  check_gradient(c, std::get<1>(deep.layers).reverse, "_l1_reverse");
}

}  // namespace

TEST_CASE("recurrent layers have the values and gradients of PyTorch's") {
  int number = 0;
  for (cases::Case const& c : cases::read("recurrent.txt")) {
    ++number;
    if (c.name == "RNN") check_case<RNN<"input=3", "hidden=4", "time", double>>(c);
    if (c.name == "LSTM") check_case<LSTM<"input=3", "hidden=4", "time", double>>(c);
    if (c.name == "GRU") check_case<GRU<"input=3", "hidden=4", "time", double>>(c);
    if (c.name == "deepGRU") check_deep<GRU>(c);
    if (c.name == "deepLSTM") check_deep<LSTM>(c);
  }
  CHECK(number == 8);
}

namespace {

/// A cell along the time, beside the layer with the same parameters.
template <class Layer, class Cell>
void check_cell() {
  auto const layer = init::reset_parameters<Layer>(Key(1));
  Cell const cell{layer.weight_ih, layer.weight_hh, layer.bias_ih, layer.bias_hh};
  auto const x = normal<Inputs>(Key(2), 2, 3);
  auto const first = [](auto const& state) {
    if constexpr (requires { state.h; }) return state.h;
    else return state;
  };
  auto state = cell(eval(take<"time">(x, 0)));
  for (int t = 1; t < 3; ++t) state = cell(eval(take<"time">(x, t)), state);
  CHECK(allclose(first(state), first(layer(x).second), {.relative = 1e-12}));
  CHECK(max(abs(layer.weight_ih)).item() <= 0.5);  // 1 / sqrt(hidden)
  CHECK(max(abs(layer.bias_hh)).item() > 0);
  auto const gradient = grad(
      [&](Cell const& c) { return sum(square(first(c(eval(take<"time">(x, 0)), state)))); })(cell);
  CHECK(any(gradient.weight_hh != 0).item());
}

}  // namespace

TEST_CASE("a cell is one step of a recurrent layer") {
  check_cell<RNN<"input=3", "hidden=4", "time", double>, RNNCell<"input=3", "hidden=4", double>>();
  check_cell<LSTM<"input=3", "hidden=4", "time", double>,
             LSTMCell<"input=3", "hidden=4", double>>();
  check_cell<GRU<"input=3", "hidden=4", "time", double>, GRUCell<"input=3", "hidden=4", double>>();
}

TEST_CASE("starts of several layers; a length of 0 keeps the start") {
  using Layer = GRU<"input=3", "hidden=3", "t">;
  using Both = Bidirectional<GRU<"hidden=3", "hidden=2", "t">>;
  auto const layers = init::normal<RecurrentLayers<Layer, Both>>(Key(1), 0.4);
  auto const x = normal<Float32<"batch t input=3">>(Key(2), 2, 3);
  auto const h = normal<Float32<"batch hidden=3">>(Key(3), 2);
  auto const g = normal<Float32<"batch hidden=2">>(Key(4), 2);
  auto const [y, last] = layers(x, std::tuple(h, std::pair(g, g)), Int32<"batch">{0, 2});
  static_assert(shape_of<decltype(y)> == "batch t hidden=4");
  auto const [first, second] = last;
  CHECK(all(first[0] == h[0]).item());
  CHECK(all(second.second[0] == g[0]).item());
  CHECK(all(y[0] == 0.0f).item());
  CHECK(all(take<"t">(y, 2) == 0.0f).item());
  auto const shorter = eval(slice<"t", 0, 2>(x));
  auto const [of_shorter, last_of_shorter] = layers(shorter, std::tuple(h, std::pair(g, g)));
  CHECK(allclose(of_shorter[1], eval(slice<"t", 0, 2>(y[1])), {.relative = 1e-6}));
  CHECK(allclose(std::get<1>(last_of_shorter).first[1], second.first[1], {.relative = 1e-6}));
}

TEST_CASE("the time is any axis but the last, under any name") {
  auto const gru = init::normal<GRU<"input=3", "unit=4", "t">>(Key(1), 0.3f);
  auto const x = normal<Float32<"t=5 batch input=3">>(Key(2), 2);
  auto const [all, last] = gru(x);
  static_assert(shape_of<decltype(all)> == "t=5 batch unit=4");
  CHECK(tenon::all(take<"t">(all, -1) == last).item());
  auto const [of_one, last_of_one] = gru(eval(take<"batch">(x, 1)));
  static_assert(shape_of<decltype(of_one)> == "t=5 unit=4");
  CHECK(allclose(of_one, take<"batch">(all, 1), {.relative = 1e-6, .absolute = 1e-7}));
}

}  // namespace recurrent_test
