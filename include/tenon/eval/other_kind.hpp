#pragma once

#include <array>
#include <cstddef>

#include <tenon/core/dtype.hpp>
#include <tenon/eval/layer_kind.hpp>
#include <tenon/tensor/tensor.hpp>
#include <tenon/tree/tree.hpp>

/// The types of models on another device, and of another floating dtype.
namespace tenon::internal {

/// A type on another device: a tensor, and a struct whose template arguments name its device
/// (`Classifier<Cpu>` becomes `Classifier<OpenCl>`).
template <class T, class D>
struct OnOtherDevice {
  using type = T;
};
template <Device From, class D>
struct OnOtherDevice<From, D> {
  using type = D;
};
template <class T, Spec S, class From, class D>
struct OnOtherDevice<Tensor<T, S, From>, D> {
  using type = Tensor<T, S, D>;
};
template <template <class...> class Tree, class... A, class D>
struct OnOtherDevice<Tree<A...>, D> {
  using type = Tree<typename OnOtherDevice<A, D>::type...>;
};
template <class Layer, class D>
  requires LayerType<Layer>
struct OnOtherDevice<Layer, D> {
  using type = typename LayerOfKind<Layer, typename KindOf<Layer>::dtype, D>::type;
};
template <class T, std::size_t size, class D>
struct OnOtherDevice<std::array<T, size>, D> {
  using type = std::array<typename OnOtherDevice<T, D>::type, size>;
};
template <class T, class D>
struct OnOtherDevice<Constant<T>, D> {
  using type = Constant<T>;
};

/// The same with another floating dtype: `Classifier<float>` becomes `Classifier<double>`.
template <class T, class To>
struct OfOtherDtype {
  using type = T;
};
template <FloatType From, class To>
struct OfOtherDtype<From, To> {
  using type = To;
};
template <FloatType T, Spec S, class D, class To>
struct OfOtherDtype<Tensor<T, S, D>, To> {
  using type = Tensor<To, S, D>;
};
template <template <class...> class Tree, class... A, class To>
struct OfOtherDtype<Tree<A...>, To> {
  using type = Tree<typename OfOtherDtype<A, To>::type...>;
};
template <class Layer, class To>
  requires LayerType<Layer>
struct OfOtherDtype<Layer, To> {
  using type = typename LayerOfKind<Layer, To, typename KindOf<Layer>::device>::type;
};
template <class T, std::size_t size, class To>
struct OfOtherDtype<std::array<T, size>, To> {
  using type = std::array<typename OfOtherDtype<T, To>::type, size>;
};
template <class T, class To>
struct OfOtherDtype<Constant<T>, To> {
  using type = Constant<T>;
};

}  // namespace tenon::internal
