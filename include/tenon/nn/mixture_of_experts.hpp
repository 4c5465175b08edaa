#pragma once

#include <cmath>
#include <concepts>
#include <string_view>
#include <utility>

#include <tenon/expr/contract/matmul.hpp>
#include <tenon/expr/create/create.hpp>
#include <tenon/expr/join/pad.hpp>
#include <tenon/expr/view/rearrange.hpp>
#include <tenon/nn/router.hpp>

namespace tenon::internal {

/// The hidden units of all experts: "expert slot embed" to "expert slot hidden".
struct HiddenOfExperts {
  constexpr auto operator()(auto const& x, auto const& weight, auto const& bias) const {
    return gelu(einsum<"expert slot embed, expert embed hidden -> expert slot hidden">(x, weight) +
                rearrange<"expert hidden -> expert 1 hidden">(bias));
  }
};

/// Their output: "expert slot hidden" to "expert slot embed".
struct ProductOfExperts {
  constexpr auto operator()(auto const& x, auto const& weight) const {
    return einsum<"expert slot hidden, expert hidden embed -> expert slot embed">(x, weight);
  }
};
struct BiasOfExperts {
  constexpr auto operator()(auto const& x, auto const& bias) const {
    return x + rearrange<"expert embed -> expert 1 embed">(bias);
  }
};

/// "… embed" as "token embed". Nothing is copied.
template <TensorType X>
auto rows_of_tokens(X const& x) {
  constexpr int last = X::shape.rank - 1;
  using Rows = Tensor<typename X::value_type, spec_of<AxesInOrder<"token", spec_of_axis<X, last>>>,
                      typename X::device>;
  std::int64_t const width = at(x.sizes(), last);
  return reshaped<Rows>(x, first_sizes(count(x.sizes(), last), width));
}

/// "expert slot embed" as "token embed".
template <TensorType Rows, TensorType Done>
Rows rows_of_slots(Done const& done) {
  Sizes const sizes = done.sizes();
  return reshaped<Rows>(done, first_sizes(at(sizes, 0) * at(sizes, 1), at(sizes, 2)));
}

/// Sends tokens, "token embed", to slots of experts and combines the results: `experts` maps the
/// slots, "expert slot embed", to the same shape. `are_full`: no slot is empty, and no choice is
/// without a slot; else these count as zeros.
template <bool are_full, TensorType Rows, class Routing, class Slots, class F>
Rows through_slots(Rows const& rows, Routing const& routing, Slots const& slots, F const& experts) {
  using T = typename Rows::value_type;
  auto const with_none = [](Rows const& of) -> Rows {
    if constexpr (are_full) return of;
    else return pad<0, 0, 1>(of);
  };
  auto const sent = eval(take<0>(with_none(rows), slots.tokens));
  Rows const done = with_none(rows_of_slots<Rows>(eval(experts(sent))));
  return sum<1>(rearrange<"token choice -> token choice 1">(eval(to<T>(routing.weights))) *
                take<0>(done, slots.places));
}
/// The same to the slots that a capacity leaves, zeros in empty ones.
template <Spec Experts, TensorType Rows, class Routing, class F>
Rows through_experts(Rows const& rows, Routing const& routing, ExpertRooms const& rooms,
                     F const& experts) {
  return through_slots<false>(rows, routing, slots_of<Experts>(routing.experts, rooms), experts);
}

/// The output of a mixture of experts, and auxiliary losses that balance the use of its experts, to
/// be added to the loss with small weights (0.01 and 0.001 in the papers).
template <class Y, class Loss>
struct ExpertMixture {
  Y value;
  Loss balance_loss;
  Loss z_loss;
};

}  // namespace tenon::internal

namespace tenon {

/// A feed-forward layer per expert, of which each token uses `k`: "… embed=64" to the same. The
/// router is a linear map and softmax; the `k` largest probabilities are the weights of the
/// experts' outputs. "expert" may be a run-time axis. Throws `ValueError` for a capacity that is
/// not positive. N. Shazeer et al., 2017. Megatron: `MoELayer`.
template <Spec Embed, Spec Hidden, Spec Experts, int k, class... Kind>
struct MixtureOfExperts {
  static constexpr std::string_view name = "MixtureOfExperts";
  static_assert(k > 0, "tenon::MixtureOfExperts: a token uses one expert at least");
  using Of = internal::LayerKind<Kind...>;

  internal::LayerTensor<Of, Embed, Experts> gate;
  internal::LayerTensor<Of, Experts, Embed, Hidden> up;
  internal::LayerTensor<Of, Experts, Hidden> up_bias;
  internal::LayerTensor<Of, Experts, Hidden, Embed> down;
  internal::LayerTensor<Of, Experts, Embed> down_bias;
  RouterOptions options{.renormalise = k > 1};

  /// `n` experts of zeros, where "expert" is a run-time axis.
  static MixtureOfExperts with_experts(std::int64_t n)
    requires(internal::LayerAxis<Experts>::size == internal::dynamic)
  {
    return {zeros<internal::LayerTensor<Of, Embed, Experts>>(n),
            zeros<internal::LayerTensor<Of, Experts, Embed, Hidden>>(n),
            zeros<internal::LayerTensor<Of, Experts, Hidden>>(n),
            zeros<internal::LayerTensor<Of, Experts, Hidden, Embed>>(n),
            zeros<internal::LayerTensor<Of, Experts, Embed>>(n)};
  }

  template <Expression X>
    requires internal::EndsWith<X, Embed>
  internal::TensorOf<X> operator()(X const& x) const {
    internal::TensorOf<X> const tokens = x;
    auto const routing = route(internal::rows_of_tokens(tokens));
    bool const drops = std::isfinite(options.capacity_factor);
    if constexpr (std::same_as<typename internal::TensorOf<X>::device, Cpu>)
      if (internal::tracing::is_on() && !drops)  // every expert maps all tokens
        return mix<true>(tokens, routing,
                         internal::slots_for_all<Experts>(routing.experts, number_of_experts()));
    return mix(tokens, routing, load_of(routing));
  }
  template <class X, internal::Mistake R = internal::LayerMistake<MixtureOfExperts, X, Embed>>
  auto operator()(X const& x) const -> R;

  /// The same with the losses of the router.
  template <Expression X>
    requires internal::EndsWith<X, Embed>
  auto with_losses(X const& x) const {
    internal::TensorOf<X> const tokens = x;
    auto const routing = route(internal::rows_of_tokens(tokens));
    auto const load = load_of(routing);
    auto const balance = internal::balance_loss_share(routing, load);
    return internal::ExpertMixture<internal::TensorOf<X>, internal::Unqualified<decltype(balance)>>{
        mix(tokens, routing, load), balance, internal::z_loss_share(routing, load)};
  }

  /// The routing of "token embed".
  auto route(TensorType auto const& rows) const {
    return internal::route_tokens<typename Of::dtype, Experts, k>(eval(matmul(rows, gate)),
                                                                  options.renormalise);
  }
  /// The experts' outputs for "expert slot embed".
  auto experts(TensorType auto const& x) const {
    auto const hidden = eval(internal::HiddenOfExperts()(x, up, up_bias));
    return eval(internal::BiasOfExperts()(internal::ProductOfExperts()(hidden, down), down_bias));
  }

  MixtureOfExperts init_parameters(auto& initializer) const {
    return {initializer(gate),
            initializer(up),
            initializer.zeros(up_bias),
            initializer.residual(down),
            initializer.zeros(down_bias),
            options};
  }

 private:
  std::int64_t number_of_experts() const { return internal::at(gate.sizes(), 1); }
  internal::ExpertLoad load_of(auto const& routing) const {
    return {{internal::counts_of_choices(routing.experts, number_of_experts())}, k, 0};
  }
  template <bool are_full = false, TensorType X, class R, class Slots>
  X mix(X const& x, R const& routing, Slots const& slots) const {
    auto const done =
        internal::through_slots<are_full>(internal::rows_of_tokens(x), routing, slots,
                                          [&](auto const& sent) { return experts(sent); });
    return internal::reshaped<X>(done, x.sizes());
  }
  template <TensorType X, class R>
  X mix(X const& x, R const& routing, internal::ExpertLoad const& load) const {
    auto const rooms = internal::rooms_of(load, options.capacity_factor, false);
    return mix(x, routing, internal::slots_of<Experts>(routing.experts, rooms));
  }
};

}  // namespace tenon
