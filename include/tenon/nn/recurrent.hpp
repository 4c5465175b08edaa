#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include <tenon/autodiff/scan.hpp>
#include <tenon/expr/contract/matmul.hpp>
#include <tenon/expr/map/functions.hpp>
#include <tenon/expr/map/operators.hpp>
#include <tenon/expr/view/rename.hpp>
#include <tenon/expr/view/reshape.hpp>
#include <tenon/expr/view/split.hpp>
#include <tenon/nn/axes.hpp>

/// Recurrent layers. The products of all inputs are one product; a scan computes the rest.
namespace tenon::internal {

/// The gates of a recurrent layer side by side: "gate=64".
template <Spec Hidden, int gates>
struct GatesRule {
  static constexpr Shape shape =
      shape_of_axes({named_axis("gate", gates* LayerAxis<Hidden>::size)});
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
using RecurrentState = TensorUnder<RecurrentStateRule<X, Hidden, Time>, X>;

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
  requires(!RecurrentInput<X, In, Time>)
using RecurrentMistake = typename decltype(first_error(
    layer_mistake<Layer, Unqualified<X>, In, 2>(),
    std::type_identity<error::axis_is_not_found<spec_of_name<Layer>, Time, spec_of<X>>>{}))::type;

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

/// The axes of lengths: those of a state but the last, "batch".
template <class H>
struct LengthsRule {
  static constexpr Shape shape = removed(H::shape, H::shape.rank - 1);
};
/// Lengths of sequences that end at the last step, as those that are flipped.
template <class L>
struct FromEnd {
  L lengths;
};

template <class L, class H>
inline constexpr bool are_lengths = false;
template <Expression L, class H>
inline constexpr bool are_lengths<L, H> =
    IntegerType<typename L::value_type> && L::shape == LengthsRule<H>::shape;
template <class L, class H>
inline constexpr bool are_lengths<FromEnd<L>, H> = are_lengths<L, H>;
template <class L, class H>
concept RecurrentLengths = are_lengths<L, H>;

/// Names integers that are no lengths for a state.
template <class Layer, Expression L, class H>
  requires(IntegerType<typename L::value_type> && !are_lengths<L, H>)
using LengthsMistake =
    error::shapes_do_not_align<spec_of_name<Layer>, spec_of<L>, spec_of<LengthsRule<H>>>;

/// A step that outside of its sequence keeps the state, and returns zeros.
template <class Step, class Lengths>
struct StepWithin {
  Step step;
  Lengths lengths;
  std::int64_t steps;

  template <class State, class In, class... P>
  auto operator()(State const& state, std::tuple<In, std::int64_t> const& at,
                  P const&... parameters) const {
    auto const [next, y] = step(state, std::get<0>(at), parameters...);
    auto const is_within = eval(within(lengths, std::get<1>(at)));
    auto const kept = tree::map(
        [&]<class H>(H const& now, H const& before) { return H(where(is_within, now, before)); },
        next, state);
    return std::pair(kept, eval(where(is_within, y, typename decltype(y)::value_type(0))));
  }

 private:
  auto within(auto const& those, std::int64_t step_now) const { return those > step_now; }
  template <class L>
  auto within(FromEnd<L> const& those, std::int64_t step_now) const {
    return those.lengths > steps - 1 - step_now;
  }
};

/// The outputs of a layer, with the axes of its inputs, and its last state: a scan of a step, which
/// takes the state, what one product of all inputs gives, and the parameters of the state.
template <Spec Hidden, Spec Time, class Layer, Expression X, class State, class F, class... L>
auto run_recurrent(Layer const& layer, X const& x, State const& start, F const& step,
                   L const&... lengths) {
  using Rule = TimeInPlaceRule<X, Hidden, Time>;
  auto const of_inputs = eval(matmul(x, layer.weight_ih) + layer.bias_ih);
  auto const [last, outputs] = [&] {
    auto const& [weight, bias] = std::tie(layer.weight_hh, layer.bias_hh);
    if constexpr (sizeof...(L) == 0) return scan<Time>(step, start, of_inputs, weight, bias);
    else {
      std::int64_t const steps = at(x.sizes(), Rule::time);
      return scan<Time>(StepWithin<F, L...>{step, lengths..., steps}, start,
                        std::tuple(of_inputs, steps), weight, bias);
    }
  }();
  Sizes const sizes = view_sizes(outputs.sizes(), Rule::order, Rule::shape.rank);
  return std::pair(eval(index_map<Rule>(outputs, sizes, ElementIndex{})), last);
}

/// The initial values of a layer or a cell; PyTorch's bounds follow from the size of the state.
template <class Layer, class Initializer>
Layer init_recurrent(Layer const& layer, Initializer& initializer) {
  std::int64_t const hidden = layer.weight_hh.sizes()[0];
  return {initializer.weight(layer.weight_ih, hidden), initializer(layer.weight_hh),
          initializer.bias(layer.bias_ih, hidden), initializer.bias(layer.bias_hh, hidden)};
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

/// The state of an `LSTM`: its output and its cell.
template <class H>
struct LSTMState {
  H h, c;
};

}  // namespace tenon

namespace tenon::internal {

/// A state that is the output.
struct OutputIsState {
  template <class H>
  using State = H;

  static auto const& start(auto const& zeros) { return zeros; }
  static auto const& output(auto const& h) { return h; }
};

/// Of a recurrent layer: the number of its gates, its state, the first one, by zeros, the next one
/// by what the input and the state give, and the output.
struct RNNStep : OutputIsState {
  static constexpr std::string_view name = "RNN", cell_name = "RNNCell";
  static constexpr int gates = 1;

  template <Spec Hidden, class H, class Gates>
  static H next(H const&, Gates const& of_input, auto&& of_state) {
    return tanh(as_hidden<Hidden>(of_input + eval(of_state)));
  }
};

struct LSTMStep {
  static constexpr std::string_view name = "LSTM", cell_name = "LSTMCell";
  static constexpr int gates = 4;
  template <class H>
  using State = LSTMState<H>;

  template <class H>
  static State<H> start(H const& zeros) {
    return {zeros, zeros};
  }
  static auto const& output(auto const& state) { return state.h; }
  template <Spec Hidden, class H, class Gates, class OfState>
  static LSTMState<H> next(LSTMState<H> const& state, Gates const& of_input, OfState&& of_state) {
    auto const all = eval(of_input + std::forward<OfState>(of_state));
    auto const [input, forget, cell, output] = split<"gate", 4>(all);
    H const c = sigmoid(as_hidden<Hidden>(forget)) * state.c +
                sigmoid(as_hidden<Hidden>(input)) * tanh(as_hidden<Hidden>(cell));
    return {sigmoid(as_hidden<Hidden>(output)) * tanh(c), c};
  }
};

struct GRUStep : OutputIsState {
  static constexpr std::string_view name = "GRU", cell_name = "GRUCell";
  static constexpr int gates = 3;

  template <Spec Hidden, class H, class Gates>
  static H next(H const& h, Gates const& of_input, auto&& of_state) {
    auto const of_hidden = eval(of_state);
    auto const [reset_x, update_x, new_x] = split<"gate", 3>(of_input);
    auto const [reset_h, update_h, new_h] = split<"gate", 3>(of_hidden);
    auto const update = sigmoid(as_hidden<Hidden>(update_x + update_h));
    auto const candidate = tanh(as_hidden<Hidden>(new_x + sigmoid(reset_x + reset_h) * new_h));
    return candidate + update * (h - candidate);
  }
};

}  // namespace tenon::internal

namespace tenon {

/// A recurrent layer: `RNN`, `LSTM` or `GRU`. "… time … input=4" gives the pair of all outputs,
/// "… time … hidden=16", and the last state; without other axes "time input=4" is one sequence.
/// `layer(x)` begins with zeros, `layer(x, state)` with a state. An integer tensor of lengths after
/// them, "batch", ends each sequence: later outputs are zero, the last state is that of its end.
/// The weights have their axes as in `Linear`. PyTorch: `nn.RNN`, `pack_padded_sequence`.
template <class Step, Spec In, Spec Hidden, Spec Time = "time", class... Kind>
struct Recurrent {
  static constexpr std::string_view name = Step::name;
  using Tensors = internal::RecurrentTensors<internal::LayerKind<Kind...>, In, Hidden, Step::gates>;
  template <class X>
  using Output = internal::RecurrentState<internal::Unqualified<X>, Hidden, Time>;
  template <class X>
  using State = typename Step::template State<Output<X>>;

  typename Tensors::OfInput weight_ih;
  typename Tensors::OfHidden weight_hh;
  typename Tensors::Bias bias_ih, bias_hh;

  template <Expression X, internal::RecurrentLengths<Output<X>>... L>
    requires internal::RecurrentInput<X, In, Time>
  auto operator()(X const& x, L const&... lengths) const {
    State<X> const start = Step::start(internal::zero_state<Output<X>, Time>(x));
    return (*this)(x, start, lengths...);
  }
  template <Expression X, internal::RecurrentLengths<Output<X>>... L>
    requires internal::RecurrentInput<X, In, Time>
  auto operator()(X const& x, State<X> const& start, L const&... lengths) const {
    auto const step = [](State<X> const& s, auto const& in, auto const& weight, auto const& bias) {
      State<X> const next =
          Step::template next<Hidden>(s, in, matmul(Step::output(s), weight) + bias);
      return std::pair(next, Step::output(next));
    };
    return internal::run_recurrent<Hidden, Time>(*this, x, start, step, lengths...);
  }
  template <Expression X, class R = internal::RecurrentMistake<Recurrent, X, In, Time>>
  auto operator()(X const& x, auto const&...) const -> R;
  template <internal::RecurrentInput<In, Time> X, class L,
            class R = internal::LengthsMistake<Recurrent, L, Output<X>>>
  auto operator()(X const& x, L const& lengths) const -> R;
  template <internal::RecurrentInput<In, Time> X, class L,
            class R = internal::LengthsMistake<Recurrent, L, Output<X>>>
  auto operator()(X const& x, State<X> const& start, L const& lengths) const -> R;

  Recurrent init_parameters(auto& initializer) const {
    return internal::init_recurrent(*this, initializer);
  }
};

/// One step of a recurrent layer: "… input=4" and the state "… hidden=16" give the next state, by
/// `cell(x, state)`; `cell(x)` begins with zeros. `RNNCell`, `LSTMCell` and `GRUCell` have the
/// parameters of the layers. PyTorch: `nn.RNNCell`, `nn.LSTMCell`, `nn.GRUCell`.
template <class Step, Spec In, Spec Hidden, class... Kind>
struct RecurrentCell {
  static constexpr std::string_view name = Step::cell_name;
  using Tensors = internal::RecurrentTensors<internal::LayerKind<Kind...>, In, Hidden, Step::gates>;
  template <class X>
  using Output =
      internal::TensorUnder<internal::RecurrentOutputRule<internal::Unqualified<X>, Hidden>,
                            internal::Unqualified<X>>;
  template <class X>
  using State = typename Step::template State<Output<X>>;

  typename Tensors::OfInput weight_ih;
  typename Tensors::OfHidden weight_hh;
  typename Tensors::Bias bias_ih, bias_hh;

  template <internal::EndsWith<In> X>
  State<X> operator()(X const& x) const {
    internal::Sizes sizes = x.sizes();
    internal::at(sizes, X::shape.rank - 1) = internal::LayerAxis<Hidden>::size;
    State<X> const start = Step::start(internal::filled(Output<X>::uninitialised(sizes), {}));
    return (*this)(x, start);
  }
  template <internal::EndsWith<In> X>
  State<X> operator()(X const& x, std::type_identity_t<State<X>> const& state) const {
    return Step::template next<Hidden>(state, eval(matmul(x, weight_ih) + bias_ih),
                                       matmul(Step::output(state), weight_hh) + bias_hh);
  }
  template <Expression X, internal::Mistake R = internal::LayerMistake<RecurrentCell, X, In>>
  auto operator()(X const& x, auto const&...) const -> R;

  RecurrentCell init_parameters(auto& initializer) const {
    return internal::init_recurrent(*this, initializer);
  }
};

/// One step of `RNN`. PyTorch: `nn.RNNCell`.
template <Spec In, Spec Hidden, class... Kind>
using RNNCell = RecurrentCell<internal::RNNStep, In, Hidden, Kind...>;
/// One step of `LSTM`, whose state is an `LSTMState`. PyTorch: `nn.LSTMCell`.
template <Spec In, Spec Hidden, class... Kind>
using LSTMCell = RecurrentCell<internal::LSTMStep, In, Hidden, Kind...>;
/// One step of `GRU`. PyTorch: `nn.GRUCell`.
template <Spec In, Spec Hidden, class... Kind>
using GRUCell = RecurrentCell<internal::GRUStep, In, Hidden, Kind...>;

/// h' = tanh(x W + b + h U + c) along the time: `RNN<"input=4", "hidden=16">`. The state is h.
/// PyTorch: `nn.RNN`.
template <Spec In, Spec Hidden, Spec Time = "time", class... Kind>
using RNN = Recurrent<internal::RNNStep, In, Hidden, Time, Kind...>;

/// c' = σ(f) c + σ(i) tanh(g), h' = σ(o) tanh(c') along the time, where i f g o are the quarters of
/// x W + b + h U + c. The state is an `LSTMState`. Hochreiter and Schmidhuber, 1997. PyTorch:
/// `nn.LSTM`.
template <Spec In, Spec Hidden, Spec Time = "time", class... Kind>
using LSTM = Recurrent<internal::LSTMStep, In, Hidden, Time, Kind...>;

/// h' = (1 - z) n + z h along the time, where z = σ(z_x + z_h), n = tanh(n_x + σ(r_x + r_h) n_h),
/// and r z n are the thirds of x W + b and of h U + c. The state is h. Cho et al., 2014. PyTorch:
/// `nn.GRU`.
template <Spec In, Spec Hidden, Spec Time = "time", class... Kind>
using GRU = Recurrent<internal::GRUStep, In, Hidden, Time, Kind...>;

}  // namespace tenon
