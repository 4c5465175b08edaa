#pragma once

#include <utility>

#include <tenon/autodiff/scan.hpp>
#include <tenon/expr/contract/matmul.hpp>
#include <tenon/expr/map/functions.hpp>
#include <tenon/expr/map/operators.hpp>
#include <tenon/expr/view/rename.hpp>
#include <tenon/expr/view/split.hpp>
#include <tenon/nn/axes.hpp>

/// Recurrent layers. The products of all inputs are one product; a scan computes the rest.
namespace tenon::internal {

/// The axes that a spec names. (A constant: g++ 12 crashes where it is a template argument in
/// place.)
template <Spec Names>
inline constexpr Axes axes_of{Names};

/// The gates of a recurrent layer side by side: "gate=64".
template <Spec Hidden, int gates>
struct GatesRule {
  static constexpr Shape shape = [] {
    Shape result{};
    result[result.rank++] = named_axis("gate", gates * LayerAxis<Hidden>::size);
    return result;
  }();
};

/// The shape of the outputs, "batch time hidden=16" of "batch time input=4".
template <class X, Spec Hidden>
struct RecurrentOutputRule {
  static constexpr Shape shape = with_axis(X::shape, X::shape.rank - 1, LayerAxis<Hidden>::axis);
};
/// That of a state, "batch hidden=16", and the place of each of its axes in the outputs.
template <class X, Spec Hidden, Spec Time>
struct RecurrentStateRule {
  static constexpr int time = Chosen<axes_of<Time>, X>::value.axis();
  static constexpr Shape shape = removed(RecurrentOutputRule<X, Hidden>::shape, time);
};

/// The outputs of all steps, "time batch hidden=16", with the time where the inputs have it.
template <class X, Spec Hidden, Spec Time>
struct TimeInPlaceRule {
  static constexpr int time = RecurrentStateRule<X, Hidden, Time>::time;
  static constexpr Shape shape = RecurrentOutputRule<X, Hidden>::shape;
  static constexpr AxisMap order = [] {
    AxisMap result = same_order(shape.rank);
    for (int i = 0; i <= time; ++i)
      result[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(i == time ? 0 : i + 1);
    return result;
  }();
};

template <class X, Spec Hidden, Spec Time>
using RecurrentState = Tensor<typename X::value_type, spec_of<RecurrentStateRule<X, Hidden, Time>>,
                              typename X::device>;

template <Spec Hidden>
struct GateToHidden {
  static constexpr FixedText text = [] {
    FixedText result("gate -> ");
    auto const name = LayerAxis<Hidden>::axis.name.view();
    return result.append(name.empty() ? "_" : name);
  }();
};
/// A gate under the name of the hidden axis.
template <Spec Hidden, Expression X>
auto as_hidden(X const& gate) {
  return rename<spec_of_text<GateToHidden<Hidden>>>(gate);
}

/// Whether `X` has the time axis, and the input axis as its last.
template <class X, Spec In, Spec Time>
concept RecurrentInput =
    EndsWith<X, In> && Chosen<axes_of<Time>, Unqualified<X>>::ok &&
    Unqualified<X>::shape.rank > 1 &&
    Chosen<axes_of<Time>, Unqualified<X>>::value.axis() + 1 < Unqualified<X>::shape.rank;

/// Names the axis that an input does not have.
template <class Layer, Expression X, Spec In, Spec Time>
constexpr auto recurrent_mistake() {
  using input = typename decltype(layer_mistake<Layer, Unqualified<X>, In, 2>())::type;
  if constexpr (!std::is_void_v<input>) return std::type_identity<input>{};
  else
    return std::type_identity<
        error::axis_is_not_found<spec_of_name<Layer>, Time, spec_of<Unqualified<X>>>>{};
}
template <class Layer, Expression X, Spec In, Spec Time>
  requires(!RecurrentInput<X, In, Time>)
using RecurrentMistake = typename decltype(recurrent_mistake<Layer, X, In, Time>())::type;

/// The types of the parameters of a recurrent layer with that number of gates.
template <class Kind, Spec In, Spec Hidden, int gates>
struct RecurrentTensors {
  using Gates = GatesRule<Hidden, gates>;
  template <Spec From>
  struct WeightRule {
    static constexpr Shape shape = inserted(Gates::shape, 0, LayerAxis<From>::axis);
  };
  using OfInput = Tensor<typename Kind::dtype, spec_of<WeightRule<In>>, typename Kind::device>;
  using OfHidden = Tensor<typename Kind::dtype, spec_of<WeightRule<Hidden>>, typename Kind::device>;
  using Bias = Tensor<typename Kind::dtype, spec_of<Gates>, typename Kind::device>;
};

/// The outputs of a layer, with the axes of its inputs, and its last state: a scan of `step`, which
/// takes the state, what one product of all inputs gives, and the parameters of the state.
template <Spec Hidden, Spec Time, class Layer, Expression X, class State, class F>
auto run_recurrent(Layer const& layer, X const& x, State const& start, F const& step) {
  using Rule = TimeInPlaceRule<X, Hidden, Time>;
  auto const of_inputs = eval(matmul(x, layer.weight_ih) + layer.bias_ih);
  auto const [last, outputs] = scan<Time>(step, start, of_inputs, layer.weight_hh, layer.bias_hh);
  Sizes const sizes = view_sizes(outputs.sizes(), Rule::order, Rule::shape.rank);
  return std::pair(eval(index_map<Rule>(outputs, sizes, ElementIndex{})), last);
}

/// A layer with weights by an initialiser, and biases of zeros.
template <class Layer, class Initializer>
Layer init_recurrent(Layer const& layer, Initializer& initializer) {
  return {initializer(layer.weight_ih), initializer(layer.weight_hh),
          initializer.zeros(layer.bias_ih), initializer.zeros(layer.bias_hh)};
}

/// A state of zeros for inputs.
template <class State, Spec Time, class X>
State zero_state(X const& x) {
  constexpr int time = Chosen<axes_of<Time>, X>::value.axis();
  Sizes sizes = view_sizes(x.sizes(), order_without(X::shape.rank, time), State::rank);
  at(sizes, State::rank - 1) = State::shape[State::rank - 1].size;
  return filled(State::uninitialised(sizes), {});
}

}  // namespace tenon::internal

namespace tenon {

/// h' = tanh(x W + b + h U + c) along the time: "… time … input=4" gives the pair of all h,
/// "… time … hidden=16", and the last one, "… hidden=16". `rnn(x)` begins with zeros, `rnn(x, h)`
/// with h. The weights have their axes as in `Linear`. PyTorch: `nn.RNN`.
template <Spec In, Spec Hidden, Spec Time = "time", class... Kind>
struct RNN {
  static constexpr std::string_view name = "RNN";
  using Tensors = internal::RecurrentTensors<internal::LayerKind<Kind...>, In, Hidden, 1>;
  template <class X>
  using State = internal::RecurrentState<internal::Unqualified<X>, Hidden, Time>;

  typename Tensors::OfInput weight_ih;
  typename Tensors::OfHidden weight_hh;
  typename Tensors::Bias bias_ih, bias_hh;

  template <Expression X>
    requires internal::RecurrentInput<X, In, Time>
  auto operator()(X const& x) const {
    return (*this)(x, internal::zero_state<State<X>, Time>(x));
  }
  template <Expression X>
    requires internal::RecurrentInput<X, In, Time>
  auto operator()(X const& x, State<X> const& start) const {
    auto const step = [](State<X> const& h, auto const& in, auto const& weight, auto const& bias) {
      State<X> const next = tanh(internal::as_hidden<Hidden>(in + eval(matmul(h, weight) + bias)));
      return std::pair(next, next);
    };
    return internal::run_recurrent<Hidden, Time>(*this, x, start, step);
  }
  template <Expression X, class R = internal::RecurrentMistake<RNN, X, In, Time>>
  auto operator()(X const& x, auto const&...) const -> R;

  template <class Initializer>
  RNN init_parameters(Initializer& initializer) const {
    return internal::init_recurrent(*this, initializer);
  }
};

/// The state of an `LSTM`: its output and its cell.
template <class H>
struct LSTMState {
  H h, c;
};

/// c' = σ(f) c + σ(i) tanh(g), h' = σ(o) tanh(c') along the time, where i f g o are the quarters of
/// x W + b + h U + c: "… time … input=4" gives the pair of all h, "… time … hidden=16", and the
/// last `LSTMState`. `lstm(x)` begins with zeros, `lstm(x, state)` with a state. Hochreiter and
/// Schmidhuber, 1997. PyTorch: `nn.LSTM`.
template <Spec In, Spec Hidden, Spec Time = "time", class... Kind>
struct LSTM {
  static constexpr std::string_view name = "LSTM";
  using Tensors = internal::RecurrentTensors<internal::LayerKind<Kind...>, In, Hidden, 4>;
  template <class X>
  using State = LSTMState<internal::RecurrentState<internal::Unqualified<X>, Hidden, Time>>;

  typename Tensors::OfInput weight_ih;
  typename Tensors::OfHidden weight_hh;
  typename Tensors::Bias bias_ih, bias_hh;

  template <Expression X>
    requires internal::RecurrentInput<X, In, Time>
  auto operator()(X const& x) const {
    auto const zeros = internal::zero_state<decltype(State<X>::h), Time>(x);
    return (*this)(x, State<X>{zeros, zeros});
  }
  template <Expression X>
    requires internal::RecurrentInput<X, In, Time>
  auto operator()(X const& x, State<X> const& start) const {
    auto const step = [](State<X> const& s, auto const& in, auto const& weight, auto const& bias) {
      State<X> const next = next_state<State<X>>(s.c, eval(in + (matmul(s.h, weight) + bias)));
      return std::pair(next, next.h);
    };
    return internal::run_recurrent<Hidden, Time>(*this, x, start, step);
  }
  template <Expression X, class R = internal::RecurrentMistake<LSTM, X, In, Time>>
  auto operator()(X const& x, auto const&...) const -> R;

  template <class Initializer>
  LSTM init_parameters(Initializer& initializer) const {
    return internal::init_recurrent(*this, initializer);
  }

 private:
  template <class S, class Gates>
  static S next_state(decltype(S::c) const& c, Gates const& gates) {
    using internal::as_hidden;
    auto const [input, forget, cell, output] = split<"gate", 4>(gates);
    decltype(S::c) const next = sigmoid(as_hidden<Hidden>(forget)) * c +
                                sigmoid(as_hidden<Hidden>(input)) * tanh(as_hidden<Hidden>(cell));
    return {sigmoid(as_hidden<Hidden>(output)) * tanh(next), next};
  }
};

/// h' = (1 - z) n + z h along the time, where z = σ(z_x + z_h), n = tanh(n_x + σ(r_x + r_h) n_h),
/// and r z n are the thirds of x W + b and of h U + c: "… time … input=4" gives the pair of all h,
/// "… time … hidden=16", and the last one. `gru(x)` begins with zeros, `gru(x, h)` with h. Cho et
/// al., 2014. PyTorch: `nn.GRU`.
template <Spec In, Spec Hidden, Spec Time = "time", class... Kind>
struct GRU {
  static constexpr std::string_view name = "GRU";
  using Tensors = internal::RecurrentTensors<internal::LayerKind<Kind...>, In, Hidden, 3>;
  template <class X>
  using State = internal::RecurrentState<internal::Unqualified<X>, Hidden, Time>;

  typename Tensors::OfInput weight_ih;
  typename Tensors::OfHidden weight_hh;
  typename Tensors::Bias bias_ih, bias_hh;

  template <Expression X>
    requires internal::RecurrentInput<X, In, Time>
  auto operator()(X const& x) const {
    return (*this)(x, internal::zero_state<State<X>, Time>(x));
  }
  template <Expression X>
    requires internal::RecurrentInput<X, In, Time>
  auto operator()(X const& x, State<X> const& start) const {
    auto const step = [](State<X> const& h, auto const& in, auto const& weight, auto const& bias) {
      State<X> const next = next_state(h, in, eval(matmul(h, weight) + bias));
      return std::pair(next, next);
    };
    return internal::run_recurrent<Hidden, Time>(*this, x, start, step);
  }
  template <Expression X, class R = internal::RecurrentMistake<GRU, X, In, Time>>
  auto operator()(X const& x, auto const&...) const -> R;

  template <class Initializer>
  GRU init_parameters(Initializer& initializer) const {
    return internal::init_recurrent(*this, initializer);
  }

 private:
  template <class H, class Gates>
  static H next_state(H const& h, Gates const& of_input, Gates const& of_hidden) {
    using internal::as_hidden;
    auto const [reset_x, update_x, new_x] = split<"gate", 3>(of_input);
    auto const [reset_h, update_h, new_h] = split<"gate", 3>(of_hidden);
    auto const update = sigmoid(as_hidden<Hidden>(update_x + update_h));
    auto const candidate = tanh(as_hidden<Hidden>(new_x + sigmoid(reset_x + reset_h) * new_h));
    return candidate + update * (h - candidate);
  }
};

}  // namespace tenon
