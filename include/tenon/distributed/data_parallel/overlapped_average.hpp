#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <tenon/autodiff/grad.hpp>
#include <tenon/core/call.hpp>
#include <tenon/distributed/data_parallel/compare_leaves.hpp>
#include <tenon/distributed/data_parallel/overlapped_bucket.hpp>
#include <tenon/distributed/data_parallel/weight_gradients.hpp>
#include <tenon/eval/custom.hpp>
#include <tenon/tree/tree.hpp>

/// Gradient averaging overlapped with the backward pass.
namespace tenon::internal {

namespace mpi {

/// The averages of one backward pass: adjoints of leaves are added to buckets in the order in which
/// they are computed, and full buckets are all-reduced.
class OverlappedAverages {
 public:
  /// For a tree with `leaves` leaves; buckets hold `bucket` bytes; adjoints of a rank without
  /// weight are not added.
  OverlappedAverages(Group group, std::int64_t bucket, std::int64_t leaves, bool has_weight,
                     SourceLocation where)
      : group_(std::move(group)),
        bucket_(bucket),
        leaves_(leaves),
        has_weight_(has_weight),
        where_(where) {}

  /// Adds the adjoint of a leaf, which is later replaced by the mean.
  template <TensorType X>
  void add(X const& leaf, X adjoint, Tape& tape) {
    using T = typename X::value_type;
    taken_.insert(leaf.mark().slot);
    if (!has_weight_) adjoint = zeros_like(adjoint);
    auto& buckets = std::get<Buckets<T>>(buckets_);
    if (buckets.empty() || is_full(*buckets.back()))
      buckets.push_back(std::make_shared<OverlappedBucket<T>>());
    auto const bucket = buckets.back();
    std::int64_t const begin = bucket->add(place_of(leaf.mark()), std::move(adjoint));
    if (is_full(*bucket)) bucket->begin(group_, where_);
    for (auto const& one : buckets) one->look();
    finish_.push_back([bucket, begin, leaf, &tape] {
      X mean = X::uninitialised(leaf.sizes());
      std::copy_n(bucket->wait() + begin, mean.size(), mean.own_memory());
      seed(leaf, mean, tape);
    });
  }

  /// Adds the leaves that were not passed to `later`, or that were also used directly.
  template <class Tree>
  void add_rest(Tree const& leaves, Tape& tape) {
    auto const again = used_again(leaves, tape);
    auto next = again.begin();
    auto const look = [&]<class X>(X const& leaf) {
      if (*next++ == 0 && taken_.contains(leaf.mark().slot)) return;
      X adjoint = gradient_of(leaf, tape);
      using C = Computed<typename X::value_type>;
      (void)tape.take_gradient(leaf.mark(), static_cast<std::size_t>(leaf.size()) * sizeof(C));
      if constexpr (X::device::is_host) {
        add(leaf, std::move(adjoint), tape);
      } else {
        if (!has_weight_) adjoint = zeros_like(adjoint);
        seed(leaf, all_reduce<op::mean>(adjoint, group_, where_), tape);
      }
    };
    tree::for_each(look, leaves);
  }

  /// Starts the remaining all_reduces, waits, and stores the means as adjoints of the leaves.
  void finish() {
    auto const begin = [&](auto const& buckets) {
      if (!buckets.empty() && !is_full(*buckets.back())) buckets.back()->begin(group_, where_);
    };
    std::apply([&](auto const&... of_dtype) { (begin(of_dtype), ...); }, buckets_);
    for (auto const& one : finish_) one();
  }

 private:
  /// The leaves with an additional adjoint, from direct use, on any rank.
  template <class Tree>
  std::vector<std::int32_t> used_again(Tree const& leaves, Tape const& tape) const {
    std::vector<std::int32_t> flags;
    tree::for_each([&](auto const& leaf) { flags.push_back(tape.has_gradient(leaf.mark())); },
                   leaves);
    all_reduce<op::max>(flags.data(), static_cast<std::int64_t>(flags.size()), group_);
    return flags;
  }

  template <class T>
  using Buckets = std::vector<std::shared_ptr<OverlappedBucket<T>>>;
  template <class... T>
  static std::tuple<Buckets<T>...> buckets_of(std::tuple<T...> const&);

  /// The index of a leaf in the tree; values that are not leaves get the index past the last. (A
  /// tape numbers leaves first.)
  std::int64_t place_of(TapeMark mark) const { return std::min<std::int64_t>(mark.slot, leaves_); }

  template <class T>
  bool is_full(OverlappedBucket<T> const& bucket) const {
    return bucket.bytes() >= bucket_;
  }

  Group group_;
  std::int64_t bucket_, leaves_;
  bool has_weight_;
  SourceLocation where_;
  decltype(buckets_of(GradientDtypes())) buckets_;
  std::set<std::uint32_t> taken_;
  std::vector<std::function<void()>> finish_;
};

/// The tape entry of a part of a model passed to `later`: its adjoints are complete when the
/// backward sweep reaches it, since all its uses were recorded afterwards. Present on all ranks,
/// even without an adjoint, since other ranks wait.
template <class Tree>
struct LaterStep {
  std::shared_ptr<OverlappedAverages> averages;
  Tree part;
  Tree used;

  void operator()(Tape& tape, std::byte const*) const {
    auto const hand_over = [&](auto const& leaf, auto const& copy) {
      if (leaf.mark() != copy.mark()) averages->add(leaf, gradient_of(copy, tape), tape);
    };
    tree::zip(hand_over, part, used);
  }
};

}  // namespace mpi

}  // namespace tenon::internal

namespace tenon {

/// Marks a part of a model at its use: `later(model.first)` returns the part, and its gradients are
/// all-reduced as soon as the backward pass has left it. See `value_and_grad_averaged`.
class OverlappedAverage {
 public:
  OverlappedAverage(std::shared_ptr<internal::mpi::OverlappedAverages> averages,
                    internal::Tape const& outer)
      : averages_(std::move(averages)), outer_(&outer) {}

  template <class Tree>
  Tree operator()(Tree const& part) const {
    if (!internal::any_recorded(part) || internal::Tape::current() != outer_)
      return part;  // (of a checkpoint: later)
    internal::Tape& tape = *internal::Tape::current();
    auto const copied = [&]<class X>(X leaf) {
      if (X::device::is_host && internal::is_recorded(leaf.mark())) leaf.set_mark(tape.new_slot());
      return leaf;
    };
    Tree const used = internal::tree::map(copied, part);
    tape.record_joint(internal::mpi::LaterStep<Tree>{averages_, part, used});
    return used;
  }

 private:
  std::shared_ptr<internal::mpi::OverlappedAverages> averages_;
  internal::Tape const* outer_;
};

}  // namespace tenon

namespace tenon::internal {

/// A scalar function with its gradient averaged over ranks.
template <class F>
struct AveragedValueAndGrad {
  F f;
  std::optional<double> weight;
  Group group;
  std::int64_t bucket;
  mpi::SourceLocation where;

  template <Learns Tree, class... Args>
  auto operator()(Tree const& at, Args const&... args) const {
    if (recording != 0)
      throw Error("tenon::value_and_grad_averaged: expected no other recording around it, got one");
    if (group.size() > 1)
      mpi::agree(group, {.operation = "value_and_grad_averaged", .where = where},
                 mpi::in_buckets_of(mpi::leaves_of(at), bucket));
    double const relative =
        weight ? mpi::relative_weight(*weight, group, "value_and_grad_averaged", where) : 1;
    auto const averages = std::make_shared<mpi::OverlappedAverages>(group, bucket, tree::count(at),
                                                                    relative != 0, where);
    Tape tape;
    Tree const leaves = tracked(at, tape);
    auto const value = called(leaves, OverlappedAverage(averages, tape), args...);
    using Loss = Unqualified<decltype(value)>;
    seed_leaves(value, Loss(static_cast<typename Loss::value_type>(relative)), tape);
    tape.backward();
    averages->add_rest(leaves, tape);
    averages->finish();
    return std::pair(unmarked(value), gradients_of(leaves, tape));
  }

 private:
  template <class Tree, class... Args>
  auto called(Tree const& leaves, OverlappedAverage const& later, Args const&... args) const {
    if constexpr (CallableWith<F const&, Tree const&, OverlappedAverage const&, Args const&...>)
      return eval(f(leaves, later, args...));
    else return eval(f(leaves, args...));
  }
};

/// `value_and_grad` with gradients averaged over a group as by `average_gradients`, overlapped with
/// the backward pass. `f(model, later, args...)` marks the parts: `later(model.first)` at the
/// single use of a part; the rest is averaged at the end. The value is local. All ranks use the
/// parts in the same order. PyTorch: `DistributedDataParallel`.
template <class F>
AveragedValueAndGrad<F> value_and_grad_averaged(
    F f, Group group, std::int64_t bucket = 25 << 20,
    mpi::SourceLocation where = mpi::SourceLocation::current()) {
  return {std::move(f), {}, std::move(group), bucket, where};
}

/// With the mean by weight, as by `average_gradients` with a weight.
template <class F>
AveragedValueAndGrad<F> value_and_grad_averaged(
    F f, double weight, Group group, std::int64_t bucket = 25 << 20,
    mpi::SourceLocation where = mpi::SourceLocation::current()) {
  return {std::move(f), weight, std::move(group), bucket, where};
}

}  // namespace tenon::internal

namespace tenon {

using internal::value_and_grad_averaged;

}  // namespace tenon
