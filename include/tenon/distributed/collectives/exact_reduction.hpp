#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/distributed/collectives/along.hpp>
#include <tenon/distributed/collectives/exact_sum.hpp>
#include <tenon/distributed/collectives/replicated_value.hpp>
#include <tenon/expr/reduction/mean.hpp>

/// Sums and means over sharded axes with the same bits for any number of ranks and any partition:
/// computed exactly, and rounded once.
namespace tenon::internal {

namespace mpi {

/// Maps the elements of a tensor to the result when some axes are reduced.
struct AxesReduced {
  Sizes sizes = unit_sizes();
  int rank = 0;
  AxisChoice reduced{};

  bool has(int axis) const { return reduced[axis]; }
  /// The number of elements reduced into one.
  std::int64_t depth() const {
    std::int64_t product = 1;
    for (int i = 0; i < rank; ++i) product *= has(i) ? at(sizes, i) : 1;
    return product;
  }
  Sizes kept_sizes() const {
    Sizes kept = unit_sizes();
    for (int i = 0, k = 0; i < rank; ++i)
      if (!has(i)) at(kept, k++) = at(sizes, i);
    return kept;
  }
  /// The first of the trailing axes that are all reduced, or all kept: a contiguous row.
  int first_of_row() const {
    int axis = rank;
    while (axis > 0 && has(axis - 1) == has(rank - 1)) --axis;
    return axis;
  }

  /// Calls `use(first element, count, first target)` for each row. The elements of a row all map to
  /// one target, or to consecutive targets.
  template <class Use>
  void for_each_row(Use const& use) const {
    int const first = first_of_row();
    std::int64_t const all = count(sizes, rank), row = all == 0 ? 0 : all / count(sizes, first);
    for (std::int64_t start = 0; start < all; start += row) {
      std::int64_t target = 0, stride = rank > 0 && has(rank - 1) ? 1 : row, rest = start / row;
      for (int i = first; i-- > 0; rest /= at(sizes, i)) {
        if (has(i)) continue;
        target += rest % at(sizes, i) * stride;
        stride *= at(sizes, i);
      }
      use(start, row, target);
    }
  }
  bool reduces_rows() const { return rank > 0 && has(rank - 1); }
};

/// The exact sums over all ranks, and the number of elements in each.
template <class T>
struct ReducedSums {
  std::vector<ExactSum<T>> sums;
  std::int64_t depth = 0;
};

/// Adds the sums of the ranks of a group; no communication for a group of one.
template <class T>
void add_over_ranks(ReducedSums<T>& own, Group const& group) {
  if (group.size() == 1) return;
  constexpr std::size_t words = ExactSum<T>::words;
  std::vector<std::int64_t> sent{own.depth};
  for (auto const& sum : own.sums) {
    auto const more = sum.to_words();
    sent.insert(sent.end(), more.begin(), more.end());
  }
  all_reduce<op::sum>(sent.data(), static_cast<std::int64_t>(sent.size()), group);
  own.depth = sent[0];
  for (std::size_t i = 0; i < own.sums.size(); ++i)
    own.sums[i] = ExactSum<T>::from_words(
        std::span<std::int64_t const, words>(sent.data() + 1 + i * words, words));
}

/// The exact sums of the elements of all ranks.
template <TensorType X>
auto exact_sums(X const& x, AxesReduced const& axes, std::int64_t results, Group const& group) {
  using T = Computed<typename X::value_type>;
  ReducedSums<T> all{std::vector<ExactSum<T>>(static_cast<std::size_t>(results)), axes.depth()};
  axes.for_each_row([&](std::int64_t start, std::int64_t number, std::int64_t target) {
    auto* to = all.sums.data() + target;
    std::span const row(x.data() + start, static_cast<std::size_t>(number));
    if (axes.reduces_rows()) return to->add(row);
    for (auto const element : row) to++->add(static_cast<T>(element));
  });
  add_over_ranks(all, group);
  return all;
}

/// The adjoint of the operand: that of the result, divided by `by`.
template <TensorType X, TensorType R>
X spread(R const& dy, AxesReduced const& axes, std::int64_t by) {
  using T = typename X::value_type;
  using C = Computed<T>;
  X dx = X::uninitialised(axes.sizes);
  T* const to = dx.own_memory();
  axes.for_each_row([&](std::int64_t start, std::int64_t number, std::int64_t target) {
    for (std::int64_t i = 0; i < number; ++i) {
      C const adjoint = static_cast<C>(dy.data()[axes.reduces_rows() ? target : target + i]);
      to[start + i] = static_cast<T>(adjoint / static_cast<C>(by));
    }
  });
  return dx;
}

/// The exact reduction of axes over the ranks of a group; with `divides` the mean.
template <TensorType R, TensorType X>
R exact_fold(X const& x, AxesReduced const& axes, bool divides, Group const& group, Call call) {
  using T = typename X::value_type;
  for (int i = 0; i < axes.rank; ++i)
    if (axes.has(i)) at(call.sizes, i) = dynamic;
  agree(group, call);
  auto const depth = std::make_shared<std::int64_t>(1);
  auto const forward = [&](X const& value) {
    R result = R::uninitialised(axes.kept_sizes());
    auto const all = exact_sums(value, axes, result.size(), group);
    T* to = result.own_memory();
    for (auto const& sum : all.sums)
      *to++ = divides ? sum.template mean<T>(all.depth) : sum.template value<T>();
    if (divides) *depth = all.depth;
    return result;
  };
  auto const backward = [axes, depth](R const& dy, R const&, X const&) {
    return spread<X>(dy, axes, *depth);
  };
  return differentiable(forward, backward, x);
}

/// The parameters of an exact reduction.
struct ExactReductionOf {
  AxisChoice reduced{};
  std::string_view axes{};
  bool divides = false;
};

/// The same for an expression, or a tensor on a device.
template <TensorType R, Expression X>
R exact_reduced(X&& x, ExactReductionOf const& how, Group const& group, SourceLocation where) {
  return on_host(
      [&](auto const& value) {
        using V = Unqualified<decltype(value)>;
        using H = Tensor<typename R::value_type, R::spec>;
        auto const call = call_of(how.divides ? "exact_mean" : "exact_sum", how.axes, value, where);
        note_reduction(value, group, call);
        return exact_fold<H>(value, {value.sizes(), V::rank, how.reduced}, how.divides, group,
                             call);
      },
      std::forward<X>(x));
}

struct ExactSumName {
  static constexpr std::string_view name = "exact_sum";
};

template <Axes axes, class X>
constexpr auto exact_type() {
  using R = Reduced<op::SumReduction, axes, false, X const&>;
  if constexpr (IllFormed<R>) return std::type_identity<R>{};
  else if constexpr (!FloatType<typename X::value_type>) return dtype_mistake<ExactSumName, X>();
  else return std::type_identity<TensorOf<R>>{};
}
template <Axes axes, class X>
using ExactlyReduced = typename decltype(exact_type<axes, Unqualified<X>>())::type;

}  // namespace mpi

/// The sum over axes that are sharded among the ranks of a group, on all ranks: exact, rounded
/// once, so with the same bits for any number of ranks and any partition, including uneven and
/// empty shards. For `float`, `double` and 16-bit dtypes. Other axes are equal on all ranks. NaN
/// and infinities are those of a sum of floats; a zero is +0. Differentiable. Throws
/// `CommunicationError`. See Kulisch, "Computer Arithmetic and Validity". PyTorch:
/// `all_reduce(sum(x))`.
template <Axes axes = every, Expression X, WellFormed R = mpi::ExactlyReduced<axes, X>>
R exact_sum(X&& x, Group const& group, mpi::SourceLocation where = mpi::SourceLocation::current()) {
  constexpr AxisChoice reduced = Chosen<axes, Unqualified<X>>::value;
  mpi::ExactReductionOf const how{reduced, axes.names.view(), false};
  return mpi::exact_reduced<R>(std::forward<X>(x), how, group, where);
}
template <Axes axes = every, Expression X, IllFormed R = mpi::ExactlyReduced<axes, X>>
auto exact_sum(X&& x, Group const& group) -> R;

/// The mean over axes that are sharded among the ranks of a group, also unevenly:
/// `exact_mean(losses, group)`. As `exact_sum`, with a second rounding for the quotient. NaN for
/// zero elements.
template <Axes axes = every, Expression X, WellFormed R = mpi::ExactlyReduced<axes, X>>
R exact_mean(X&& x, Group const& group,
             mpi::SourceLocation where = mpi::SourceLocation::current()) {
  constexpr AxisChoice reduced = Chosen<axes, Unqualified<X>>::value;
  mpi::ExactReductionOf const how{reduced, axes.names.view(), true};
  return mpi::exact_reduced<R>(std::forward<X>(x), how, group, where);
}
template <Axes axes = every, Expression X, IllFormed R = mpi::ExactlyReduced<axes, X>>
auto exact_mean(X&& x, Group const& group) -> R;

/// The exact sum over all ranks of a group, on all of them.
template <class T>
ExactSum<T> all_reduce(ExactSum<T> const& own, Group const& group,
                       mpi::SourceLocation where = mpi::SourceLocation::current()) {
  mpi::agree(group, {.operation = "all_reduce of an exact sum", .where = where});
  mpi::ReducedSums<T> all{{own}, 0};
  mpi::add_over_ranks(all, group);
  return all.sums[0];
}

}  // namespace tenon::internal

namespace tenon {

using internal::all_reduce;
using internal::exact_mean;
using internal::exact_sum;

}  // namespace tenon
