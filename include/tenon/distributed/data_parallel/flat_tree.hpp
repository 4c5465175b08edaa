#pragma once

#include <algorithm>
#include <complex>
#include <concepts>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <vector>

#include <tenon/eval/move_to.hpp>
#include <tenon/tree/tree.hpp>

namespace tenon::internal {

/// All learned elements of a pytree as flat host vectors, one per compute dtype: 16-bit elements
/// are stored as float.
class FlatTree {
  template <class T>
  using Flat = Tensor<T, "n">;
  template <class T>
  using C = Computed<T>;

 public:
  FlatTree() = default;
  template <class Tree>
  explicit FlatTree(Tree const& tree) {
    for_each_dtype([&]<class T>(Flat<T>& flat) {
      std::int64_t size = 0;
      each_leaf<T>(tree, [&](auto const& leaf) { size += leaf.size(); });
      flat = Flat<T>::uninitialised(Flat<T>::with_run_time_sizes({size}));
      T* to = flat.own_memory();
      each_leaf<T>(tree, [&](auto const& leaf) {
        auto const host = moved_to<Cpu>(leaf);
        to = std::transform(host.data(), host.data() + host.size(), to,
                            [](auto x) { return static_cast<T>(x); });
      });
    });
  }

  /// Calls `f(flat)` with the vector of each dtype.
  template <class F>
  void for_each_dtype(F const& f) {
    std::apply([&](auto&... flat) { (f(flat), ...); }, flats_);
  }
  /// The elements of a dtype.
  template <class T>
  Flat<T>& of() {
    return std::get<Flat<T>>(flats_);
  }

  /// The number of elements of each dtype.
  std::vector<std::int64_t> sizes() {
    std::vector<std::int64_t> all;
    for_each_dtype([&](auto const& flat) { all.push_back(flat.size()); });
    return all;
  }

  FlatTree& operator+=(FlatTree& other) {
    if (sizes() != other.sizes()) fail<ShapeError>({"FlatTree", {}, "equal trees"});
    for_each_dtype([&]<class T>(Flat<T>& flat) {
      T* const to = flat.own_memory();
      T const* const from = other.of<T>().data();
      for (std::int64_t i = 0; i < flat.size(); ++i) to[i] += from[i];
    });
    return *this;
  }

  /// A tree with these elements in place of its own.
  template <class Tree>
  Tree as(Tree tree) {
    for_each_dtype([&]<class T>(Flat<T>& flat) {
      T const* from = flat.data();
      each_leaf<T>(tree, [&]<class X>(X& leaf) {
        using H = OnDevice<X, Cpu>;
        H host = H::uninitialised(leaf.sizes());
        std::transform(from, from + host.size(), host.own_memory(),
                       [](T x) { return static_cast<typename X::value_type>(x); });
        from += host.size();
        leaf = moved_to<typename X::device>(host);
      });
    });
    return tree;
  }

 private:
  /// Calls `f` for the leaves with a compute dtype.
  template <class T, class Tree, class F>
  static void each_leaf(Tree& tree, F const& f) {
    tree::for_each(
        [&](auto& leaf) {
          using X = std::remove_reference_t<decltype(leaf)>;
          if constexpr (std::same_as<C<typename X::value_type>, T>) f(leaf);
        },
        tree);
  }

  std::tuple<Flat<float>, Flat<double>, Flat<std::complex<float>>, Flat<std::complex<double>>>
      flats_;
};

}  // namespace tenon::internal
