#pragma once

#include <array>
#include <cstddef>

#include <tenon/core/dtype.hpp>
#include <tenon/eval/layer_kind.hpp>
#include <tenon/tensor/tensor.hpp>
#include <tenon/tree/tree.hpp>

/// The types of models on another device, and of another floating dtype.
namespace tenon::internal {

/// A type with another device or floating dtype `To`, which stands for those in a tensor, and in
/// the template arguments of a struct or a layer: of `Classifier<float, Cpu>` and `OpenCl`
/// `Classifier<float, OpenCl>`, of it and `double` `Classifier<double, Cpu>`.
template <class T, class To>
struct OtherKind {
  using type = T;
};
template <Device From, Device To>
struct OtherKind<From, To> {
  using type = To;
};
template <FloatType From, FloatType To>
struct OtherKind<From, To> {
  using type = To;
};
template <class T, Spec S, class D, class To>
struct OtherKind<Tensor<T, S, D>, To> {
  using type = Tensor<typename OtherKind<T, To>::type, S, typename OtherKind<D, To>::type>;
};
template <template <class...> class Tree, class... A, class To>
struct OtherKind<Tree<A...>, To> {
  using type = Tree<typename OtherKind<A, To>::type...>;
};
template <LayerType Layer, class To>
struct OtherKind<Layer, To> {
  using Of = KindOf<Layer>;
  using type = typename LayerOfKind<Layer, typename OtherKind<typename Of::dtype, To>::type,
                                    typename OtherKind<typename Of::device, To>::type>::type;
};
template <class T, std::size_t size, class To>
struct OtherKind<std::array<T, size>, To> {
  using type = std::array<typename OtherKind<T, To>::type, size>;
};
template <class T, class To>
struct OtherKind<Constant<T>, To> {
  using type = Constant<T>;
};

}  // namespace tenon::internal
