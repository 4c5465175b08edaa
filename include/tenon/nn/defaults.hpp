#pragma once

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

#include <tenon/eval/move_to.hpp>
#include <tenon/tree/tree.hpp>

namespace tenon::internal::init {

/// Whether a default-constructed struct gives this tensor a value: it differs from a
/// default-constructed tensor, which has zeros, or size 0 for a run-time axis.
template <TensorType R>
bool has_default(R const& tensor) {
  if constexpr (!R::shape.is_static()) {
    return tensor.size() > 0;
  } else {
    auto const host = moved_to<Cpu>(tensor);
    using T = typename R::value_type;
    return std::any_of(host.data(), host.data() + host.size(), [](T x) { return !(x == T{}); });
  }
}

/// Builds a tree from the results of `fill(part, fallback)` for every part that `Walk` visits,
/// where `fallback` is the same part of a default-constructed tree. (A vector may be longer than
/// that of the default, and an optional have a value: their elements have the defaults of their own
/// type.)
template <class Walk, class Fill>
struct BesideDefaults {
  Fill const& fill;

  template <class T>
  T operator()(T const& part, T const& fallback) const {
    using tree::Node;
    constexpr Node node = tree::node_of<Walk, T>;
    if constexpr (node == Node::leaf) return fill(part, fallback);
    else if constexpr (node == Node::frozen) return T((*this)(part.value, fallback.value));
    else if constexpr (node == Node::record) return record(tree::PartIndices<T>(), part, fallback);
    else if constexpr (node == Node::array)
      return array(std::make_index_sequence<std::tuple_size_v<T>>(), part, fallback);
    else if constexpr (node == Node::vector) return vector(part, fallback);
    else if constexpr (node == Node::optional) return optional(part, fallback);
    else return part;
  }

 private:
  // Braces guarantee that the parts are built in order.
  template <std::size_t... i, class T>
  T record(std::index_sequence<i...>, T const& part, T const& fallback) const {
    auto const parts = tree::parts(part), fallbacks = tree::parts(fallback);
    return T{(*this)(tree::part_at<i>(parts), tree::part_at<i>(fallbacks))...};
  }
  template <std::size_t... i, class T>
  T array(std::index_sequence<i...>, T const& part, T const& fallback) const {
    return T{{(*this)(part[i], fallback[i])...}};
  }
  template <class T>
  T vector(T const& part, T const& fallback) const {
    using Element = typename T::value_type;
    T built(part.get_allocator());
    built.reserve(part.size());
    for (std::size_t i = 0; i < part.size(); ++i)
      built.push_back((*this)(part[i], i < fallback.size() ? fallback[i] : Element()));
    return built;
  }
  template <class T>
  T optional(T const& part, T const& fallback) const {
    if (!part) return {};
    return T((*this)(*part, fallback ? *fallback : typename T::value_type()));
  }
};

}  // namespace tenon::internal::init
