#pragma once

#include <cstdint>

#include <tenon/core/dtype.hpp>
#include <tenon/core/shape.hpp>
#include <tenon/tensor/device.hpp>

namespace tenon {

/// The heads of attention: `MultiheadAttention<"embed=64", 8>`, or with keys and values for groups
/// of heads `AttentionHeads{8, 2}`, and with another number of features than the embedding has for
/// each head `AttentionHeads{8, 2, 128}`.
struct AttentionHeads {
  int queries, keys, features = 0;

  constexpr AttentionHeads(int all) : queries(all), keys(all) {}
  constexpr AttentionHeads(int of_queries, int of_keys, int width = 0)
      : queries(of_queries), keys(of_keys), features(width) {}

  constexpr bool fit(std::int64_t embedding) const {
    return queries > 0 && keys > 0 && queries % keys == 0 && embedding > 0 &&
           (features > 0 || embedding % queries == 0);
  }
  constexpr std::int64_t features_of(std::int64_t embedding) const {
    return features > 0 ? features : embedding / queries;
  }
};

}  // namespace tenon

/// The dtype and the device of a layer, from its last template arguments.
namespace tenon::internal {

/// The last template arguments of a layer: a dtype, a device, both in this order, or neither:
/// `Linear<"embed=64", "hidden=256", bfloat16, OpenCl>`.
template <class... Kind>
struct LayerKind;
template <ShapedType T, Device D>
struct LayerKind<T, D> {
  using dtype = T;
  using device = D;
};
template <ShapedType T>
struct LayerKind<T> : LayerKind<T, Cpu> {};
template <Device D>
struct LayerKind<D> : LayerKind<float, D> {};
template <>
struct LayerKind<> : LayerKind<float, Cpu> {};

/// The kind of a layer, and the same layer of another kind; empty for what is not a layer. (The
/// parameter lists of `nn/`: a template cannot be matched by "values, then types".)
template <class Layer>
struct KindOf {};
template <template <Spec, class...> class Layer, Spec A, class... Kind>
struct KindOf<Layer<A, Kind...>> : LayerKind<Kind...> {
  template <class... Other>
  using with = Layer<A, Other...>;
};
template <template <Spec, Spec, class...> class Layer, Spec A, Spec B, class... Kind>
struct KindOf<Layer<A, B, Kind...>> : LayerKind<Kind...> {
  template <class... Other>
  using with = Layer<A, B, Other...>;
};
template <template <Spec, Spec, Spec, class...> class Layer, Spec A, Spec B, Spec C, class... Kind>
struct KindOf<Layer<A, B, C, Kind...>> : LayerKind<Kind...> {
  template <class... Other>
  using with = Layer<A, B, C, Other...>;
};
template <template <Spec, AttentionHeads, class...> class Layer, Spec A, AttentionHeads n,
          class... Kind>
struct KindOf<Layer<A, n, Kind...>> : LayerKind<Kind...> {
  template <class... Other>
  using with = Layer<A, n, Other...>;
};
template <template <Spec, int, Spec, class...> class Layer, Spec A, int n, Spec B, class... Kind>
struct KindOf<Layer<A, n, B, Kind...>> : LayerKind<Kind...> {
  template <class... Other>
  using with = Layer<A, n, B, Other...>;
};
template <template <Spec, AttentionHeads, Spec, class, class...> class Layer, Spec A,
          AttentionHeads n, Spec B, class Activation, class... Kind>
struct KindOf<Layer<A, n, B, Activation, Kind...>> : LayerKind<Kind...> {
  template <class... Other>
  using with = Layer<A, n, B, Activation, Other...>;
};
template <template <Spec, Spec, Spec, int, class...> class Layer, Spec A, Spec B, Spec C, int n,
          class... Kind>
struct KindOf<Layer<A, B, C, n, Kind...>> : LayerKind<Kind...> {
  template <class... Other>
  using with = Layer<A, B, C, n, Other...>;
};
template <template <class, Spec, Spec, Spec, class...> class Layer, class Step, Spec A, Spec B,
          Spec C, class... Kind>
struct KindOf<Layer<Step, A, B, C, Kind...>> : LayerKind<Kind...> {
  template <class... Other>
  using with = Layer<Step, A, B, C, Other...>;
};

template <class Layer>
concept LayerType = requires { typename KindOf<Layer>::dtype; };

/// A layer with another dtype and device; float and `Cpu` are not written, as in `Linear<"in",
/// "out">`.
template <LayerType Layer, class T, class D>
struct LayerOfKind {
  using type = typename KindOf<Layer>::template with<T, D>;
};
template <LayerType Layer, class T>
struct LayerOfKind<Layer, T, Cpu> {
  using type = typename KindOf<Layer>::template with<T>;
};
template <LayerType Layer, class D>
struct LayerOfKind<Layer, float, D> {
  using type = typename KindOf<Layer>::template with<D>;
};
template <LayerType Layer>
struct LayerOfKind<Layer, float, Cpu> {
  using type = typename KindOf<Layer>::template with<>;
};

}  // namespace tenon::internal
