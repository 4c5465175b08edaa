#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include <tenon/tenon.hpp>

#include "verdict.hpp"

/// The leaves and adjoints of trees.
namespace trees {

using namespace tenon;
using namespace tenon::internal;

/// Creates leaves with multiples of 1/16, which are exact in every dtype and contain ties.
struct Filler {
  Case const& of_case;
  double special = 0;  ///< If not 0, the value of one element of every floating leaf.
  std::uint64_t state = 1;

  std::uint64_t below(std::int64_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % static_cast<std::uint64_t>(n);
  }

  template <TensorType E>
  E uninitialised(std::initializer_list<std::size_t> axes) const {
    tenon::internal::Sizes sizes = tenon::internal::unit_sizes();
    std::size_t rank = 0;
    for (std::size_t axis : axes) sizes[rank++] = of_case.sizes[axis];
    return E::uninitialised(sizes);
  }

  template <TensorType E>
  E numbers(std::initializer_list<std::size_t> axes, double low, double high) {
    using T = typename E::value_type;
    E x = uninitialised<E>(axes);
    auto const steps = static_cast<std::int64_t>((high - low) * 16) + 1;
    T* const to = x.mutable_data();
    for (std::int64_t i = 0; i < x.size(); ++i)
      to[i] = static_cast<T>(low + static_cast<double>(below(steps)) / 16);
    if (special != 0 && x.size() > 0) to[below(x.size())] = static_cast<T>(special);
    return x;
  }

  /// Less than the size of an axis.
  template <TensorType E>
  E ids(std::initializer_list<std::size_t> axes, std::size_t axis) {
    E x = uninitialised<E>(axes);
    for (std::int64_t i = 0; i < x.size(); ++i) {
      std::int64_t const size = of_case.sizes[axis];
      x.mutable_data()[i] = size == 0 ? 0 : static_cast<std::int32_t>(below(size));
    }
    return x;
  }
};

template <TensorType E>
Numbers numbers(E const& x) {
  return Numbers(x.data(), x.data() + x.size());
}

/// The adjoint of a result: distinct exact numbers up to 1.
template <TensorType E>
E adjoint_like(E const& y) {
  E result = E::uninitialised(y.sizes());
  auto* const to = result.mutable_data();
  for (std::int64_t i = 0; i < y.size(); ++i)
    to[i] = static_cast<typename E::value_type>(static_cast<int>(i * 5 % 16) - 7.5) / 8;
  return result;
}

}  // namespace trees
