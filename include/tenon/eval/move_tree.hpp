#pragma once

#include <type_traits>
#include <utility>

#include <tenon/eval/move_to.hpp>
#include <tenon/tree/tree.hpp>

/// Models from one device to another.
namespace tenon {

/// A type on another device: a tensor, and a struct whose template arguments say where it lives
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

template <class To, class From>
To moved_tree(From const& from);

/// How a node of a tree is made of the same node on another device.
template <class To>
struct MovedNode {
  template <std::size_t... i, class From>
  static To record(std::index_sequence<i...>, From const& from) {
    auto const of = tree::parts(from);
    using Places = tree::Parts<To>;
    return To{moved_tree<Unqualified<std::tuple_element_t<i, Places>>>(std::get<i>(of))...};
  }
  template <std::size_t... i, class From>
  static To array(std::index_sequence<i...>, From const& from) {
    return To{{moved_tree<typename To::value_type>(from[i])...}};
  }
  template <class From>
  static To vector(From const& from) {
    To all;
    all.reserve(from.size());
    for (auto const& element : from) all.push_back(moved_tree<typename To::value_type>(element));
    return all;
  }
};

/// The tree with its tensors on other devices, those that `To` names: a struct of the same fields.
template <class To, class From>
To moved_tree(From const& from) {
  if constexpr (std::same_as<To, From>) return from;
  else if constexpr (TensorType<To>) return to<typename To::device>(from);
  else if constexpr (is_frozen<To>)
    return To(moved_tree<Unqualified<decltype(To::value)>>(from.value));
  else if constexpr (tree::is_array<To>)
    return MovedNode<To>::array(std::make_index_sequence<std::tuple_size_v<To>>(), from);
  else if constexpr (tree::is_vector<To>) return MovedNode<To>::vector(from);
  else if constexpr (tree::is_optional<To>)
    return from ? To(moved_tree<typename To::value_type>(*from)) : To();
  else {
    constexpr std::size_t count = std::tuple_size_v<tree::Parts<To>>;
    return MovedNode<To>::record(std::make_index_sequence<count>(), from);
  }
}

/// A model on the device `D`: `to<OpenCl>(model)` of a `Classifier<Cpu>` is a `Classifier<OpenCl>`.
/// PyTorch: `module.to(device)`.
template <Device D, class Tree>
  requires(!Expression<Tree> && !Mistake<Tree> && tree::reaches<tree::Stored, Tree>())
auto to(Tree const& tree) {
  return moved_tree<typename OnOtherDevice<Tree, D>::type>(tree);
}

}  // namespace tenon
