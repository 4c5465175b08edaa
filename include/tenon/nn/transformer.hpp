#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include <tenon/nn/layer_norm.hpp>
#include <tenon/nn/multihead_attention.hpp>

/// PyTorch's layers of a transformer.
namespace tenon::internal {

/// A function object or an op, applied.
template <class Activation, class X>
auto activate(X&& x) {
  if constexpr (requires { Activation()(x); }) return Activation()(std::forward<X>(x));
  else return map<Activation>(std::forward<X>(x));
}

/// The option for sublayer number `part`: a key is folded with that number.
template <class O>
decltype(auto) option_of_part(O const& option, std::int64_t part) {
  if constexpr (std::same_as<O, Key>) return fold_in(option, part);
  else return (option);
}

/// A mask of the memory of a decoder: `MemoryMask{mask}`.
template <class M>
struct MemoryMask {
  M mask;
};
template <class M>
MemoryMask(M) -> MemoryMask<M>;  // clang 16 deduces no aggregate

template <class O>
struct MemoryMaskOf {
  using type = NoMask;
};
template <class M>
struct MemoryMaskOf<MemoryMask<M>> {
  using type = M;
};
template <class O>
inline constexpr bool is_memory_mask = !std::same_as<typename MemoryMaskOf<O>::type, NoMask>;

/// The first error of the operands of a decoder; `void` for none.
template <class Layer, Spec Embed, std::int64_t heads, class X, class M, class... Options>
constexpr auto decoder_mistake() {
  return first_error(attention_layer_mistake<Layer, Embed, heads, X, X, X, Options...>(),
                     attention_layer_mistake<Layer, Embed, heads, X, M, M,
                                             typename MemoryMaskOf<Options>::type...>());
}

/// `x` with dropout where a key is an option.
template <class Layer, class X, class... Options>
auto drop_in(Layer const& layer, X&& x, std::int64_t part, Options const&... options) {
  if constexpr (has_option<Key, Options...>)
    return layer.dropout(std::forward<X>(x), fold_in(option_or<Key>(Key(0), options...), part));
  else return hold(std::forward<X>(x));
}

/// Two linear layers with an activation and dropout between them.
template <class Activation, class Layer, class X, class... Options>
auto feed_forward(Layer const& layer, X const& x, Options const&... options) {
  return layer.linear2(drop_in(layer, activate<Activation>(layer.linear1(x)), 1, options...));
}

/// norm(x + f(x)), or with `norm_first` x + f(norm(x)), with dropout of f's result.
template <class Layer, class Norm, TensorType X, class F, class... Options>
X residual(Layer const& layer, Norm const& norm, X const& x, std::int64_t part, F const& f,
           Options const&... options) {
  auto const sum_with = [&]<class Y>(Y&& y) -> X {
    return x + drop_in(layer, std::forward<Y>(y), part, options...);
  };
  if (layer.norm_first) return sum_with(f(norm(x)));
  return norm(sum_with(f(x)));
}

/// An argument of several layers: an expression is computed once.
template <class A>
auto shared_argument(A const& argument) {
  if constexpr (Expression<A>) return evaluate_expression(argument);
  else return argument;
}

/// Layers one after the other, then a norm, if there is one. Arguments are those of each layer.
template <class Layer, std::size_t depth>
struct TransformerStack {
  std::array<Layer, depth> layers;
  std::optional<typename Layer::Norm> norm;

  template <Expression X, class... A>
    requires std::is_void_v<typename Layer::template Mistake<X, A...>>
  TensorOf<X> operator()(X const& x, A const&... arguments) const {
    return run(TensorOf<X>(x), shared_argument(arguments)...);
  }
  template <class X, class... A, Mistake R = typename Layer::template Mistake<X, A...>>
  auto operator()(X const&, A const&...) const -> R;

 private:
  template <TensorType X, class... A>
  X run(X x, A const&... arguments) const {
    std::int64_t number = 0;
    for (Layer const& layer : layers) {
      x = layer(x, option_of_part(arguments, number)...);
      ++number;
    }
    return norm ? X((*norm)(x)) : x;
  }
};

}  // namespace tenon::internal

namespace tenon {

using internal::MemoryMask;

/// Self-attention, then two linear layers with an activation between them, each with a residual
/// connection and a layer normalisation: after the sum, or with `norm_first` before: "… t embed=64"
/// to the same, through "… hidden=256". The activation is an op, `op::Gelu`, or a function object.
/// Options follow as for `MultiheadAttention`: a mask, `is_causal`, `RotaryPositions`; with a `Key`
/// it drops elements (those of the weights by `self_attn.dropout`). A. Vaswani et al., "Attention
/// is all you need", 2017. PyTorch: `nn.TransformerEncoderLayer` with `batch_first`.
template <Spec Embed, AttentionHeads heads, Spec Hidden, class Activation = op::Relu, class... Kind>
struct TransformerEncoderLayer {
  static constexpr std::string_view name = "TransformerEncoderLayer";
  using Norm = LayerNorm<Embed, Kind...>;

  MultiheadAttention<Embed, heads, Kind...> self_attn;
  Linear<Embed, Hidden, Kind...> linear1;
  Linear<Hidden, Embed, Kind...> linear2;
  Norm norm1, norm2;
  Dropout dropout;
  bool norm_first = false;

  template <internal::LayerOperand X, class... Options>
  using Mistake =
      typename decltype(internal::attention_layer_mistake<
                        TransformerEncoderLayer, Embed, heads.queries, internal::Unqualified<X>,
                        internal::Unqualified<X>, internal::Unqualified<X>, Options...>())::type;

  template <Expression X, class... Options>
    requires std::is_void_v<Mistake<X, Options...>>
  internal::TensorOf<X> operator()(X const& x, Options const&... options) const {
    auto const attend = [&](auto const& rows) {
      return self_attn(rows, internal::option_of_part(options, 0)...);
    };
    auto const feed = [&](auto const& rows) {
      return internal::feed_forward<Activation>(*this, rows, options...);
    };
    internal::TensorOf<X> const rows = x;
    return internal::residual(*this, norm2,
                              internal::residual(*this, norm1, rows, 2, attend, options...), 3,
                              feed, options...);
  }
  template <class X, class... Options, internal::Mistake R = Mistake<X, Options...>>
  auto operator()(X const&, Options const&...) const -> R;

  TransformerEncoderLayer init_parameters(auto& initializer) const {
    return {initializer(self_attn),
            initializer(linear1),
            initializer.residual(linear2),
            initializer(norm1),
            initializer(norm2),
            dropout,
            norm_first};
  }
};

/// Self-attention, attention to a memory "… s embed=64", then two linear layers, as in
/// `TransformerEncoderLayer`: `layer(x, memory)`. Options follow for the self-attention, such as
/// `is_causal`, and `MemoryMask{mask}`. PyTorch: `nn.TransformerDecoderLayer` with `batch_first`.
template <Spec Embed, AttentionHeads heads, Spec Hidden, class Activation = op::Relu, class... Kind>
struct TransformerDecoderLayer {
  static constexpr std::string_view name = "TransformerDecoderLayer";
  using Norm = LayerNorm<Embed, Kind...>;

  MultiheadAttention<Embed, heads, Kind...> self_attn, multihead_attn;
  Linear<Embed, Hidden, Kind...> linear1;
  Linear<Hidden, Embed, Kind...> linear2;
  Norm norm1, norm2, norm3;
  Dropout dropout;
  bool norm_first = false;

  // Of the rows, the memory and the options.
  template <class... A>
  using Mistake =
      typename decltype(internal::decoder_mistake<TransformerDecoderLayer, Embed, heads.queries,
                                                  internal::Unqualified<A>...>())::type;

  template <Expression X, Expression M, class... Options>
    requires std::is_void_v<Mistake<X, M, Options...>>
  internal::TensorOf<X> operator()(X const& x, M const& memory, Options const&... options) const {
    internal::TensorOf<M> const others = memory;
    auto const feed = [&](auto const& rows) {
      return internal::feed_forward<Activation>(*this, rows, options...);
    };
    auto const recall = [&](auto const& rows) {
      return call_without<true>(
          [&](auto const&... o) {
            return multihead_attn(rows, others, others, internal::option_of_part(o, 5)...);
          },
          options...);
    };
    auto const attend = [&](auto const& rows) {
      return call_without<false>(
          [&](auto const&... o) { return self_attn(rows, internal::option_of_part(o, 0)...); },
          options...);
    };
    internal::TensorOf<X> y = x;
    y = internal::residual(*this, norm1, y, 2, attend, options...);
    y = internal::residual(*this, norm2, y, 4, recall, options...);
    return internal::residual(*this, norm3, y, 3, feed, options...);
  }
  template <class X, class M, class... Options, internal::Mistake R = Mistake<X, M, Options...>>
  auto operator()(X const&, M const&, Options const&...) const -> R;

  TransformerDecoderLayer init_parameters(auto& initializer) const {
    return {initializer(self_attn),
            initializer(multihead_attn),
            initializer(linear1),
            initializer.residual(linear2),
            initializer(norm1),
            initializer(norm2),
            initializer(norm3),
            dropout,
            norm_first};
  }

 private:
  /// f of the options for the memory: its mask and the key; or of those for the self-attention.
  template <bool of_memory, class F>
  static auto call_without(F const& f) {
    return f();
  }
  template <bool of_memory, class F, class First, class... Rest>
  static auto call_without(F const& f, First const& first, Rest const&... rest) {
    auto const with = [&](auto const& own) {
      return call_without<of_memory>([&](auto const&... o) { return f(own, o...); }, rest...);
    };
    if constexpr (internal::is_memory_mask<First> && of_memory) return with(first.mask);
    else if constexpr (internal::is_memory_mask<First> || (of_memory && !std::same_as<First, Key>))
      return call_without<of_memory>(f, rest...);
    else return with(first);
  }
};

/// Layers one after the other, `TransformerEncoder<TransformerEncoderLayer<"embed=64", 8,
/// "hidden=256">, 6>`, then a norm, if there is one: `layers` and `norm`. Options are those of each
/// layer. PyTorch: `nn.TransformerEncoder`.
template <class Layer, std::size_t depth>
using TransformerEncoder = internal::TransformerStack<Layer, depth>;

/// The same of a `TransformerDecoderLayer`: `decoder(x, memory, is_causal)`. PyTorch:
/// `nn.TransformerDecoder`.
template <class Layer, std::size_t depth>
using TransformerDecoder = internal::TransformerStack<Layer, depth>;

}  // namespace tenon
