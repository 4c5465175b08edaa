#pragma once

#include <cstring>
#include <utility>

#include <tenon/eval/tape/tape.hpp>
#include <tenon/tensor/print.hpp>
#include <tenon/tensor/tensor.hpp>
#include <tenon/tree/tree.hpp>

/// How trees enter a recording and their adjoints leave it.
namespace tenon::internal {

/// A copy of a tree whose parameter leaves are recorded on `tape`.
template <class Tree>
Tree tracked(Tree tree, Tape& tape) {
  tree::for_each(
      [&](auto& leaf) {
        Tape::check_outer(leaf.mark());
        leaf.set_mark(tape.new_slot());
      },
      tree);
  return tree;
}

/// The same if adjoints are not of the leaf's dtype: they are rounded here.
template <TensorType E>
  requires(!E::device::is_host)
E rounded_gradient_of(E const& leaf, Tape& tape) {
  using T = Computed<typename E::value_type>;
  using Sum = Tensor<T, E::spec, typename E::device>;
  (void)tape.gradient_of<typename E::device>(leaf.mark(), leaf.size(), sizeof(T));
  auto const bytes = static_cast<std::size_t>(leaf.size()) * sizeof(T);
  auto const sum = Sum::adopt(tape.take_gradient(leaf.mark(), bytes), leaf.sizes());
  return E(to<typename E::value_type>(sum));
}
template <TensorType E>
E rounded_gradient_of(E const& leaf, Tape& tape) {
  using T = Computed<typename E::value_type>;
  auto const* const sum =
      reinterpret_cast<T const*>(tape.gradient_of(leaf.mark(), leaf.size(), sizeof(T)));
  E gradient = E::uninitialised(leaf.sizes());
  auto* const to = gradient.own_memory();
  for (std::int64_t i = 0; i < leaf.size(); ++i)
    to[i] = static_cast<typename E::value_type>(sum[i]);
  return gradient;
}

/// The adjoint of a leaf, as a tensor of the leaf's type: zeros if no result depends on it.
template <TensorType E>
E gradient_of(E const& leaf, Tape& tape) {
  using T = typename E::value_type;
  if constexpr (HalfType<T>) {
    return rounded_gradient_of(leaf, tape);
  } else if constexpr (E::holds_elements) {
    E gradient = E::uninitialised();
    constexpr std::size_t bytes = E::static_count * sizeof(T);
    std::memcpy(gradient.own_memory(), tape.inline_gradient_of<bytes>(leaf.mark()), bytes);
    return gradient;
  } else {
    (void)tape.gradient_of<typename E::device>(leaf.mark(), leaf.size(), sizeof(T));
    auto const bytes = static_cast<std::size_t>(leaf.size()) * sizeof(T);
    return E::adopt(tape.take_gradient(leaf.mark(), bytes), leaf.sizes());
  }
}

/// A tree with the adjoints of all leaves.
template <class Tree>
Tree gradients_of(Tree leaves, Tape& tape) {
  tree::for_each([&](auto& leaf) { leaf = gradient_of(std::as_const(leaf), tape); }, leaves);
  return leaves;
}

/// A value without its mark: values that leave a recording are constants.
template <TensorType E>
E unmarked(E value) {
  value.set_mark({});
  return value;
}

/// Adds `adjoint` to that of a recorded value on its device; does nothing for a constant.
template <TensorType E, TensorType A>
  requires(!E::device::is_host)
void seed(E const& value, A const& adjoint, Tape& tape) {
  using T = Computed<typename E::value_type>;
  using Sum = Tensor<T, E::spec, typename E::device>;
  if (!tape.is_wanted(value.mark())) return;
  auto const bytes = static_cast<std::size_t>(value.size()) * sizeof(T);
  SharedBuffer const before = tape.take_gradient(value.mark(), bytes);
  Sum const share = [&] {
    if constexpr (std::same_as<typename A::value_type, T>) return Sum(adjoint);
    else return Sum(to<T>(adjoint));
  }();
  Sum const sum = before ? Sum(Sum::adopt(before, value.sizes()) + share) : share;
  (void)tape.share_gradient(value.mark(), sum.storage().buffer);
}
template <TensorType E, TensorType A>
void seed(E const& value, A const& adjoint, Tape& tape) {
  using T = Computed<typename E::value_type>;
  std::byte* to = nullptr;
  if constexpr (HalfType<typename E::value_type>) {
    to = tape.gradient_of(value.mark(), value.size(), sizeof(T));
  } else if constexpr (E::holds_elements) {
    to = tape.inline_gradient_of<E::static_count * sizeof(T)>(value.mark());
  } else {
    if (tape.share_gradient(value.mark(), adjoint.storage().buffer)) return;
    to = tape.gradient_of(value.mark(), value.size(), sizeof(T));
  }
  if (to == nullptr) return;
  T* const sum = reinterpret_cast<T*>(to);
  for (std::int64_t i = 0; i < value.size(); ++i) sum[i] += static_cast<T>(adjoint.data()[i]);
}

template <class Tree>
Tree unmarked_leaves(Tree tree) {
  tree::for_each([](auto& leaf) { leaf.set_mark({}); }, tree);
  return tree;
}

/// Adds an adjoint to those of the leaves of a tree. Throws `ShapeError` where sizes differ.
template <class Tree>
void seed_leaves(Tree const& tree, Tree const& adjoint, Tape& tape) {
  tree::zip(
      [&](auto const& leaf, auto const& share) {
        if (!leaf.shape.is_static() && leaf.sizes() != share.sizes())
          throw ShapeError("tenon::vjp: adjoint: expected " + describe_tensor(leaf) + ", got " +
                           describe_tensor(share));
        seed(leaf, share, tape);
      },
      tree, adjoint);
}

/// An adjoint as a tree of the argument's type.
template <class A, class X>
A adjoint_as(A const&, X const& adjoint) {
  if constexpr (TensorType<A>) return A(adjoint);
  else return adjoint;
}

}  // namespace tenon::internal
