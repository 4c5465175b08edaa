#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/distributed/collectives/all_reduce.hpp>
#include <tenon/distributed/data_parallel/compare_leaves.hpp>
#include <tenon/distributed/data_parallel/weight_gradients.hpp>
#include <tenon/tree/tree.hpp>

/// Data parallel training: every rank has the full model and a shard of the batch.
namespace tenon::internal {

/// Tensors of one dtype, averaged in one collective. Ranks have agreed on the tree.
template <class T>
class GradientBucket {
 public:
  GradientBucket(Group const& group, std::int64_t most) : group_(group), most_(most) {}

  void add(std::span<T> elements) {
    if (size_ > 0 && size_ + static_cast<std::int64_t>(elements.size()) > most_) average();
    parts_.push_back(elements);
    size_ += static_cast<std::int64_t>(elements.size());
  }

  /// Replaces the added tensors by their mean over all ranks.
  void average() {
    if (parts_.size() == 1) average(parts_.front().data());
    else if (!parts_.empty()) average_together();
    parts_.clear();
    size_ = 0;
  }

 private:
  void average(T* elements) {
    if (group_.size() == 1) return;
    mpi::all_reduce<op::sum>(elements, size_, group_);
    mpi::divide(elements, size_, group_.size());
  }
  void average_together() {
    auto const all = mpi::room_for<T>(size_);
    T* to = all.get();
    for (auto const& part : parts_) to = std::copy(part.begin(), part.end(), to);
    average(all.get());
    T const* from = all.get();
    for (auto const& part : parts_) {
      std::copy_n(from, part.size(), part.data());
      from += part.size();
    }
  }

  Group group_;
  std::int64_t most_;
  std::vector<std::span<T>> parts_;
  std::int64_t size_ = 0;
};

/// The mean of gradients over all ranks of a group, leaf by leaf; the trees have the same structure
/// and sizes on all ranks. Small tensors are merged into buckets of `bucket` bytes. For means over
/// equal shards of a batch, the result is the gradient of the mean over the batch. Not
/// differentiable. PyTorch: `DistributedDataParallel`.
template <class Tree>
Tree average_gradients(Tree gradients, Group const& group, std::int64_t bucket = 25 << 20,
                       mpi::SourceLocation where = mpi::SourceLocation::current()) {
  if (group.size() > 1)
    mpi::agree(group, {.operation = "average_gradients", .where = where},
               mpi::in_buckets_of(mpi::leaves_of(gradients), bucket));
  auto const average = [&]<class T>(std::type_identity<T>) {
    GradientBucket<T> all(group, bucket / static_cast<std::int64_t>(sizeof(T)));
    auto const add = [&](auto& leaf) {
      using X = std::remove_reference_t<decltype(leaf)>;
      if constexpr (std::same_as<typename X::value_type, T> && X::device::is_host)
        all.add(std::span(leaf.own_memory(), static_cast<std::size_t>(leaf.size())));
      else if constexpr (std::same_as<typename X::value_type, T>)
        leaf = all_reduce<op::mean>(leaf, group, where);
    };
    tree::for_each(add, gradients);
    all.average();
  };
  std::apply([&](auto... dtype) { (average(std::type_identity<decltype(dtype)>()), ...); },
             mpi::GradientDtypes());
  return gradients;
}

/// The mean by weight, for parts of a batch of different sizes: the weight of a rank is the number
/// of elements, or of tokens, over which its loss is a mean. A rank of weight 0 contributes
/// nothing, even if its gradients are NaN; where all weights are 0, the result is zeros. Throws
/// `ValueError` on all ranks if a weight is negative or not finite.
template <class Tree>
Tree average_gradients(Tree gradients, double weight, Group const& group,
                       std::int64_t bucket = 25 << 20,
                       mpi::SourceLocation where = mpi::SourceLocation::current()) {
  double const relative = mpi::relative_weight(weight, group, "average_gradients", where);
  return average_gradients(mpi::times_weight(std::move(gradients), relative), group, bucket, where);
}

}  // namespace tenon::internal

namespace tenon {

using internal::average_gradients;

}  // namespace tenon
