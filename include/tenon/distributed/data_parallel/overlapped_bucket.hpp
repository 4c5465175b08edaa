#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/distributed/collectives/pending.hpp>
#include <tenon/distributed/data_parallel/compare_leaves.hpp>

namespace tenon::internal::mpi {

/// Gradients of one dtype that are averaged in one collective.
template <class T>
class OverlappedBucket {
 public:
  using Flat = Tensor<T, "n">;

  /// Adds an adjoint; returns its offset in the bucket.
  template <TensorType X>
  std::int64_t add(std::int64_t leaf, X adjoint) {
    std::int64_t const begin = size_;
    auto const kept = std::make_shared<X const>(std::move(adjoint));
    parts_.push_back({kept,
                      {kept->data(), static_cast<std::size_t>(kept->size())},
                      leaf,
                      X::spec.view(),
                      kept->sizes(),
                      X::rank});
    size_ += kept->size();
    return begin;
  }
  std::int64_t bytes() const { return size_ * static_cast<std::int64_t>(sizeof(T)); }

  /// Starts the all_reduce.
  void begin(Group const& group, SourceLocation where) {
    Flat flat = Flat::uninitialised(Flat::with_run_time_sizes({size_}));
    T* to = flat.own_memory();
    for (auto const& part : parts_) to = std::copy(part.elements.begin(), part.elements.end(), to);
    auto const call = call_of("value_and_grad_averaged", {}, flat, where);
    agree(group, call, leaves());
    parts_.clear();
    going_.emplace(std::move(flat), group, call);
    going_->template begin<op::mean>();
  }
  /// Polls the running all-reduce, which lets MPI make progress.
  void look() {
    if (going_) (void)going_->is_done();
  }
  /// Waits; returns the means.
  T const* wait() {
    if (going_) mean_ = going_->wait(), going_.reset();
    return mean_.data();
  }

 private:
  struct Part {
    std::shared_ptr<void const> kept;
    std::span<T const> elements;
    std::int64_t leaf;  ///< Its index in the tree.
    std::string_view spec;
    Sizes sizes;
    int rank;
  };

  /// The leaves in the bucket.
  Details leaves() const {
    Fingerprint print;
    for (auto const& part : parts_) {
      print.add(part.leaf);
      print.add(part.spec);
      for (int i = 0; i < part.rank; ++i) print.add(at(part.sizes, i));
    }
    return {print.value, [this] {
              std::string text;
              for (auto const& part : parts_) {
                text.append(text.empty() ? "leaf " : "\nleaf ").append(std::to_string(part.leaf));
                text.append(" \"").append(part.spec).append("\"");
                for (int i = 0; i < part.rank; ++i)
                  text.append(i == 0 ? " of " : " ").append(std::to_string(at(part.sizes, i)));
              }
              return text;
            }};
  }
  std::vector<Part> parts_;
  std::int64_t size_ = 0;
  std::optional<Pending<Flat>> going_;
  Flat mean_;
};

}  // namespace tenon::internal::mpi
