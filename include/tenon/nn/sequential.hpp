#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/core/call.hpp>
#include <tenon/eval/evaluate.hpp>
#include <tenon/expr/view/reshape.hpp>
#include <tenon/nn/activations.hpp>
#include <tenon/nn/batch_norm.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/op/activations.hpp>
#include <tenon/op/exponential.hpp>
#include <tenon/random/key.hpp>
#include <tenon/tree/fault.hpp>

namespace tenon::internal {

/// The arguments after the operand that a layer takes of those given: a key, or none.
template <class Layer, class X, class... K>
constexpr auto layer_result() {
  if constexpr (sizeof...(K) > 0 && CallableWith<Layer const&, X, K...>)
    return std::type_identity<CallResult<Layer const&, X, K...>>{};
  else return std::type_identity<CallResult<Layer const&, X>>{};
}
template <class Layer, class X, class... K>
using LayerResult = typename decltype(layer_result<Layer, X, K const&...>())::type;

template <class Layer, class X, class... K>
constexpr auto call_layer(Layer const& layer, X&& x, K const&... key) {
  if constexpr (sizeof...(K) > 0 && CallableWith<Layer const&, X, K const&...>)
    return layer(std::forward<X>(x), key...);
  else return layer(std::forward<X>(x));
}

/// The pair of the value of a layer in training, and the layer after it.
template <class Layer, class X, class... K>
auto train_layer(Layer const& layer, X&& x, K const&... key) {
  if constexpr (CallableWith<Layer const&, X, Training, K const&...>)
    return layer(std::forward<X>(x), Training{}, key...);
  else if constexpr (CallableWith<Layer const&, X, Training>)
    return layer(std::forward<X>(x), Training{});
  else return std::pair(eval(call_layer(layer, std::forward<X>(x), key...)), layer);
}

/// What layers make of `X` one after the other, or the first mistake.
template <class X, class... Layers>
struct Chain {
  using type = X;
};
template <class X, class Layer, class... Rest>
  requires(!Mistake<X>)
struct Chain<X, Layer, Rest...> : Chain<LayerResult<Layer, X>, Rest...> {};

}  // namespace tenon::internal

namespace tenon {

/// Layers one after the other: `Sequential<Linear<"pixel=784", "hidden=128">, ReLU,
/// Linear<"hidden=128", "digit=10">>`. `layers(x)` is the value of the last one, as a tensor;
/// `layers(x, key)` gives a key to the layers that take one (dropout); `layers(x, Training{})`, and
/// the same with a key, returns the pair of it and the layers after it (running statistics). The
/// parameters have the paths `0.weight`, `2.weight`. `init::normal(key, 0.02, layers)` keeps the
/// numbers of `Sequential{Linear<"pixel=784", "hidden=128">(), Dropout{0.3f}}`. PyTorch:
/// `nn.Sequential`.
template <class... Layers>
struct Sequential : std::tuple<Layers...> {
  Sequential() = default;
  Sequential(Layers... layers)
    requires(sizeof...(Layers) > 0)
      : std::tuple<Layers...>(std::move(layers)...) {}

  template <Expression X, std::same_as<Key>... K>
    requires(!internal::Mistake<typename internal::Chain<X, Layers...>::type>)
  auto operator()(X&& x, K const&... key) const {
    return eval(call_from<0>(std::forward<X>(x), key...));
  }
  template <Expression X, std::same_as<Key>... K>
    requires(!internal::Mistake<typename internal::Chain<X, Layers...>::type>)
  auto operator()(X&& x, Training, K const&... key) const {
    Sequential next = *this;
    auto y = next.template train_from<0>(std::forward<X>(x), key...);
    return std::pair(std::move(y), std::move(next));
  }
  template <class X, internal::Mistake R = typename internal::Chain<X, Layers...>::type>
  auto operator()(X&& x, auto const&...) const -> R;

 private:
  template <std::size_t i, class X, class... K>
  constexpr auto call_from(X&& x, K const&... key) const {
    if constexpr (i == sizeof...(Layers)) return internal::hold(std::forward<X>(x));
    else
      return call_from<i + 1>(
          internal::call_layer(std::get<i>(*this), std::forward<X>(x), fold_in(key, i)...), key...);
  }
  template <std::size_t i, class X, class... K>
  auto train_from(X&& x, K const&... key) {
    if constexpr (i == sizeof...(Layers)) return eval(std::forward<X>(x));
    else {
      auto& layer = std::get<i>(*this);
      auto [y, next] = internal::train_layer(layer, std::forward<X>(x), fold_in(key, i)...);
      layer = std::move(next);
      return train_from<i + 1>(std::move(y), key...);
    }
  }
};

/// A layer and its operand added: x + layer(x), with a key or in training as `Sequential`. K. He et
/// al., 2015.
template <class Layer>
struct Residual {
  Layer layer;

  template <Expression X, std::same_as<Key>... K>
    requires(!internal::Mistake<internal::LayerResult<Layer, X const&>>)
  internal::TensorOf<X> operator()(X const& x, K const&... key) const {
    return x + internal::call_layer(layer, x, key...);
  }
  template <Expression X, std::same_as<Key>... K>
    requires(!internal::Mistake<internal::LayerResult<Layer, X const&>>)
  auto operator()(X const& x, Training, K const&... key) const {
    auto [y, next] = internal::train_layer(layer, x, key...);
    return std::pair(internal::TensorOf<X>(x + y), Residual{std::move(next)});
  }
  template <class X, internal::Mistake R = internal::LayerResult<Layer, X const&>>
  auto operator()(X const& x, auto const&...) const -> R;
};

/// The operand. PyTorch: `nn.Identity`.
struct Identity {
  template <Expression X>
  constexpr internal::StoredOperand<X&&> operator()(X&& x) const {
    return internal::hold(std::forward<X>(x));
  }
  template <internal::Mistake X>
  auto operator()(X const&) const -> X;
};

/// Adjacent axes merged, as by `flatten`: `Flatten<"channel height width -> feature">`. PyTorch:
/// `nn.Flatten`.
template <internal::Axes axes>
struct Flatten {
  template <Expression X>
  constexpr auto operator()(X&& x) const -> decltype(flatten<axes>(std::forward<X>(x))) {
    return flatten<axes>(std::forward<X>(x));
  }
  template <internal::Mistake X>
  auto operator()(X const&) const -> X;
};

/// An elementwise operation as a layer; the result is lazy. `ReLU`, `GELU`, `SiLU`, `Sigmoid` and
/// `Tanh` are of this type. PyTorch: `nn.ReLU` and others.
template <class Op>
struct Activation {
  template <class X>
  constexpr auto operator()(X&& x) const -> internal::MapOf<Op, X> {
    return internal::map<Op>(std::forward<X>(x));
  }
};
/// `relu` as a layer. PyTorch: `nn.ReLU`.
using ReLU = Activation<op::Relu>;
/// `gelu` as a layer. PyTorch: `nn.GELU`.
using GELU = Activation<op::Gelu>;
/// `silu` as a layer. PyTorch: `nn.SiLU`.
using SiLU = Activation<op::Silu>;
/// `sigmoid` as a layer. PyTorch: `nn.Sigmoid`.
using Sigmoid = Activation<op::Sigmoid>;
/// `tanh` as a layer. PyTorch: `nn.Tanh`.
using Tanh = Activation<op::Tanh>;

/// `leaky_relu` as a layer; the result is lazy. PyTorch: `nn.LeakyReLU`.
struct LeakyReLU {
  double negative_slope = 0.01;

  template <class X>
  constexpr auto operator()(X&& x) const
      -> decltype(leaky_relu(std::forward<X>(x), negative_slope)) {
    return leaky_relu(std::forward<X>(x), negative_slope);
  }
};

}  // namespace tenon

namespace tenon::internal {

template <class... Layers>
inline constexpr bool tree::is_tuple<Sequential<Layers...>> = true;

template <class Layers, Spec... Axes>
struct PerceptronOf;
template <class... Layers, Spec In, Spec Out>
struct PerceptronOf<Sequential<Layers...>, In, Out> {
  using type = Sequential<Layers..., Linear<In, Out>>;
};
template <class... Layers, Spec In, Spec Out, Spec Next, Spec... Rest>
struct PerceptronOf<Sequential<Layers...>, In, Out, Next, Rest...>
    : PerceptronOf<Sequential<Layers..., Linear<In, Out>, ReLU>, Out, Next, Rest...> {};

}  // namespace tenon::internal

namespace tenon {

/// Linear maps with `relu` between them: `MLP<"pixel=784", "hidden=128", "digit=10">` is a
/// `Sequential` of two. torchvision: `ops.MLP`.
template <Spec... Axes>
using MLP = typename internal::PerceptronOf<Sequential<>, Axes...>::type;

}  // namespace tenon

template <class... Layers>
struct std::tuple_size<tenon::Sequential<Layers...>>
    : std::integral_constant<std::size_t, sizeof...(Layers)> {};
template <std::size_t i, class... Layers>
struct std::tuple_element<i, tenon::Sequential<Layers...>>
    : std::tuple_element<i, std::tuple<Layers...>> {};
