#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <tenon/core/dtype.hpp>
#include <tenon/eval/layer_kind.hpp>
#include <tenon/eval/move_to.hpp>
#include <tenon/expr/map/functions.hpp>
#include <tenon/tensor/tensor.hpp>
#include <tenon/tree/tree.hpp>

/// The types of models on another device, and of another floating dtype.
namespace tenon::internal {

/// The type of a model after its conversion to `To`, a device or a floating dtype: tensors, layers
/// and the template arguments of a struct have `To` in place of their device or floating dtype.
/// `Classifier<float, Cpu>` converted to `OpenCl` is `Classifier<float, OpenCl>`, to `double`
/// `Classifier<double, Cpu>`. Types without either are unchanged.
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

/// Conversion of models to another device, and to another floating dtype.
namespace tenon::compile_error {

/// The fields of the type `Tree` name their device or dtype, so the conversion has no result type:
/// the struct must be a template, `template <class D> struct Model { Float32<"n", D> weight; };`.
template <Spec Operation, Spec Device, class Tree>
struct device_is_fixed;
template <Spec Operation, Spec Dtype, class Tree>
struct dtype_is_fixed;

}  // namespace tenon::compile_error

namespace tenon::internal {

/// Traversals that visit the tensors to convert.
template <class D>
struct TensorsElsewhere {
  template <class T>
  static consteval bool is_elsewhere() {
    if constexpr (TensorType<T>) return !std::same_as<typename T::device, D>;
    else return false;
  }
  template <class T>
  static constexpr bool visits = is_elsewhere<T>();
  static constexpr bool opens_frozen = true;
};
template <class To>
struct TensorsOfOtherDtype {
  template <class T>
  static consteval bool is_other() {
    if constexpr (!TensorType<T>) return false;
    else return FloatType<typename T::value_type> && !std::same_as<typename T::value_type, To>;
  }
  template <class T>
  static constexpr bool visits = is_other<T>();
  static constexpr bool opens_frozen = true;
};

/// A struct or a container that has tensors, and is no expression.
template <class Tree>
concept TreeOfTensors =
    !Expression<Tree> && !Mistake<Tree> && std::is_class_v<Tree> &&
    (!tree::is_well_formed<tree::Stored, Tree>() || tree::reaches<tree::Stored, Tree>());

/// The same, excluding the tensor kinds, which have one dtype and their own `to`.
template <class Tree>
concept TreeOfDtypes = TreeOfTensors<Tree> && !requires {
  typename Tree::value_type;
  typename Tree::device;
};

/// Whether the conversion of a tree has a result type, or changes nothing. `Walk` visits what
/// changes.
template <class Walk, class Tree, class Result>
concept Convertible = !std::same_as<Tree, Result> || !tree::reaches<Walk, Tree>();

/// What `to` returns for a tree that cannot be converted. (Classes: return types are substituted
/// before constraints are checked.)
template <class D, class Tree>
struct FixedDevice {};
template <Device D, class Tree>
struct FixedDevice<D, Tree> {
  using type = error::device_is_fixed<"to", spec_of_name<D>, Tree>;
};
template <class T, class Tree>
struct FixedDtype {};
template <FloatType T, class Tree>
struct FixedDtype<T, Tree> {
  using type = error::dtype_is_fixed<"to", spec_of_dtype<T>, Tree>;
};

template <class To, class From>
To move_tree(From const& from);

/// Converts a node of a tree, by its kind.
template <class To>
struct MoveNode {
  template <std::size_t... i, class From>
  static To record(std::index_sequence<i...>, From const& from) {
    auto const of = tree::parts(from);
    using Places = tree::Parts<To>;
    return To{move_tree<Unqualified<tree::PartAt<i, Places>>>(tree::part_at<i>(of))...};
  }
  template <std::size_t... i, class From>
  static To array(std::index_sequence<i...>, From const& from) {
    return To{{move_tree<typename To::value_type>(from[i])...}};
  }
  template <class From>
  static To vector(From const& from) {
    To all;
    all.reserve(from.size());
    for (auto const& element : from) all.push_back(move_tree<typename To::value_type>(element));
    return all;
  }
};

/// A tree converted to the type `To`, which has the same fields.
template <class To, class From>
To move_tree(From const& from) {
  if constexpr (std::same_as<To, From>) return from;
  else if constexpr (TensorType<To>) {
    if constexpr (std::same_as<typename To::value_type, typename From::value_type>)
      return to<typename To::device>(from);
    else return to<typename To::device>(eval(to<typename To::value_type>(from)));
  } else if constexpr (tree::is_number<To>) return static_cast<To>(from);
  else if constexpr (is_frozen<To>)
    return To(move_tree<Unqualified<decltype(To::value)>>(from.value));
  else if constexpr (tree::is_array<To>)
    return MoveNode<To>::array(std::make_index_sequence<std::tuple_size_v<To>>(), from);
  else if constexpr (tree::is_vector<To>) return MoveNode<To>::vector(from);
  else if constexpr (tree::is_optional<To>)
    return from ? To(move_tree<typename To::value_type>(*from)) : To();
  else {
    return MoveNode<To>::record(tree::PartIndices<To>(), from);
  }
}

/// A model on the device `D`: `to<OpenCl>(model)` of a `Classifier<Cpu>` is a `Classifier<OpenCl>`.
/// A struct that is not a template of its device has a fixed device in its fields: a compile error.
/// PyTorch: `module.to(device)`.
template <Device D, TreeOfTensors Tree>
  requires Convertible<TensorsElsewhere<D>, Tree, typename OtherKind<Tree, D>::type>
auto to(Tree const& tree) {
  static_assert(tree::check_well_formed<tree::Stored, Tree>());
  return move_tree<typename OtherKind<Tree, D>::type>(tree);
}
template <Device D, TreeOfTensors Tree>
auto to(Tree const& tree) -> typename FixedDevice<D, Tree>::type;

/// A model with the floating dtype `T`: `to<double>(model)` of a `Classifier<float>` is a
/// `Classifier<double>`; tensors whose dtype is not a template argument keep theirs. A struct that
/// is not a template of its dtype has a fixed one in its fields: a compile error. PyTorch:
/// `module.to(dtype)`.
template <FloatType T, TreeOfDtypes Tree>
  requires Convertible<TensorsOfOtherDtype<T>, Tree, typename OtherKind<Tree, T>::type>
auto to(Tree const& tree) {
  static_assert(tree::check_well_formed<tree::Stored, Tree>());
  return move_tree<typename OtherKind<Tree, T>::type>(tree);
}
template <FloatType T, TreeOfDtypes Tree>
auto to(Tree const& tree) -> typename FixedDtype<T, Tree>::type;

}  // namespace tenon::internal

namespace tenon {

using internal::to;

}  // namespace tenon
