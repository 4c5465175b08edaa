#pragma once

#include <cmath>
#include <string>

#include <doctest/doctest.h>
#include <tenon/autodiff/higher_order.hpp>
#include <tenon/distributed/collectives/collectives.hpp>
#include <tenon/distributed/communication/world.hpp>
#include <tenon/tenon.hpp>

/// Common parts of the tests with many ranks.
namespace ranks {

using namespace tenon;

/// `count` rows from row `first` on, of a matrix that is the same on all ranks.
template <class T = double>
Tensor<T, "n d=2"> rows(std::int64_t first, std::int64_t count) {
  auto x = Tensor<T, "n d=2">::uninitialised({count, 2, 1, 1, 1, 1, 1, 1});
  for (std::int64_t i = 0; i < count; ++i)
    for (std::int64_t k = 0; k < 2; ++k)
      x(i, k) = static_cast<T>(static_cast<float>((first + i) * 2 + k + 1));
  return x;
}

/// The maximum of an error over all ranks.
inline double over_all(double own, Group const& group) {
  tenon::internal::mpi::all_reduce<op::max>(&own, 1, group);
  return own;
}

/// The error of the adjoint of each rank's `x`, compared with central differences of the loss,
/// which is the same on all ranks; relative to the derivative. One element of one rank is varied at
/// a time. `is_one`: `x` is one replicated value, varied on all ranks.
template <class Loss, class X>
double worst_gradient(Loss const& loss, X const& x, Group const& group, bool is_one = false) {
  X const found = grad(loss)(x);
  double worst = 0;
  for (int mover = 0; mover < (is_one ? 1 : group.size()); ++mover) {
    bool const moves = is_one || mover == group.rank();
    std::int64_t count = x.size();
    tenon::internal::mpi::broadcast(&count, 1, mover, group);
    for (std::int64_t i = 0; i < count; ++i) {
      double const h = 1e-5;
      auto const at_distance = [&](double by) {
        X moved = x;
        if (moves) moved.mutable_data()[i] += by;
        return double(loss(moved).item());
      };
      double const derivative = (at_distance(h) - at_distance(-h)) / (2 * h);
      if (moves)
        worst =
            std::max(worst, std::abs(derivative - found.data()[i]) / (1 + std::abs(derivative)));
    }
  }
  return over_all(worst, group);
}

}  // namespace ranks
