#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/core/dtype.hpp>
#include <tenon/distributed/collectives/all_reduce.hpp>
#include <tenon/distributed/communication/collective_try.hpp>
#include <tenon/expr/create/like.hpp>
#include <tenon/optim/clip.hpp>
#include <tenon/tree/tree.hpp>

namespace tenon::internal::mpi {

template <class... T>
auto gradient_dtypes(DtypeTable<T...> const&) -> decltype(std::tuple_cat(
    std::conditional_t<InexactType<T>, std::tuple<T>, std::tuple<>>()...));

/// The dtypes that gradients may have, as a tuple: the floating and complex ones.
using GradientDtypes = decltype(gradient_dtypes(dtypes));

}  // namespace tenon::internal::mpi

/// Weighted means over ranks, for parts of a batch of different sizes.
namespace tenon::internal {

namespace mpi {

/// Throws on all ranks of a group the message of the first one whose weight is not fine.
[[gnu::cold]] inline void refuse_weight(double weight, bool is_fine, Group const& group,
                                        std::string_view operation) {
  collective_try(group, [&] {
    if (!is_fine)
      fail<ValueError>({.who = operation,
                        .what = "weight",
                        .expected = "a finite number of at least 0",
                        .got = std::to_string(weight)});
  });
}

/// A weight over the mean weight of all ranks; 0 where all are 0. Throws `ValueError` on all ranks
/// if a weight is negative or not finite.
inline double relative_weight(double weight, Group const& group, std::string_view operation,
                              SourceLocation where) {
  agree(group, {.operation = operation, .detail = "weight", .where = where});
  bool const is_fine = weight >= 0 && std::isfinite(weight);
  std::array<double, 2> sums{is_fine ? weight : 0.0, is_fine ? 0.0 : 1.0};
  if (group.size() > 1) all_reduce<op::sum>(sums.data(), 2, group);
  if (sums[1] > 0) refuse_weight(weight, is_fine, group, operation);
  return sums[0] > 0 ? weight * group.size() / sums[0] : 0.0;
}

/// Gradients times a relative weight; zeros for 0, also where they are NaN.
template <class Tree>
Tree times_weight(Tree gradients, double relative) {
  if (relative == 0) tree::for_each([](auto& leaf) { leaf = zeros_like(leaf); }, gradients);
  else if (relative != 1) scale_leaves(gradients, relative);
  return gradients;
}

}  // namespace mpi

/// Gradients whose plain mean over the ranks of a group is their mean by weight: each times its
/// weight over the mean weight. Where the weight is 0 they are zeros, even if they were NaN. For
/// `Zero`; `average_gradients` and `value_and_grad_averaged` take the weight. Throws `ValueError`
/// on all ranks if a weight is negative or not finite, `CommunicationError`.
template <class Tree>
Tree weight_gradients(Tree gradients, double weight, Group const& group,
                      mpi::SourceLocation where = mpi::SourceLocation::current()) {
  return mpi::times_weight(std::move(gradients),
                           mpi::relative_weight(weight, group, "weight_gradients", where));
}

}  // namespace tenon::internal

namespace tenon {

using internal::weight_gradients;

}  // namespace tenon
