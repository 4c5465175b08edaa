#pragma once

#include <cstdint>
#include <functional>

#include "torch_found.hpp"

/// libtorch's functions of rows, behind plain pointers: only `torch_rows.cpp` includes its headers.
namespace torch_rows {

/// A matrix, weights of its shape, and the address of the result.
struct Numbers {
  float const* x;
  float const* weight;
  float* out;
  std::int64_t rows, width;

  template <class X, class R>
  Numbers(X const& matrix, X const& weights, R& result)
      : x(matrix.data()),
        weight(weights.data()),
        out(result.own_memory()),
        rows(matrix.sizes()[0]),
        width(matrix.sizes()[1]) {}
};

using torch_peers::found;

using Work = std::function<void()>;
Work sum(Numbers const&);
Work max(Numbers const&);
Work add(Numbers const&, float const* row);
Work softmax(Numbers const&);
Work log_sum_exp(Numbers const&);
Work layer_norm(Numbers const&);
Work softmax_gradient(Numbers const&);
Work layer_norm_gradient(Numbers const&);
Work cross_entropy_gradient(Numbers const&, std::int32_t const* labels);

}  // namespace torch_rows
