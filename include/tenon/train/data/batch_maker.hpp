#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/train/data/batch.hpp>
#include <tenon/train/data/dataset.hpp>
#include <tenon/train/data/prefetch.hpp>
#include <tenon/train/data/sampler.hpp>

namespace tenon::internal::training {

/// An element of a dataset, by value.
template <class Source>
using ElementOf = std::remove_cvref_t<decltype(std::declval<Source const&>()[std::size_t{}])>;

/// Ends the making of a batch that is no longer needed; nobody catches it by type.
struct NotWanted {};

/// The batches of an epoch. Copies share the dataset and the order.
template <class Source, class Batch>
class BatchMaker {
 public:
  BatchMaker(std::shared_ptr<Source const> source, tenon::training::Sampler const& sampler,
             std::int64_t epoch)
      : source_(std::move(source)),
        sampler_(sampler),
        order_(std::make_shared<Indices const>(sampler.order(epoch))) {}

  /// The batch of a number. Where this rank has no part of it, the sizes are those of an element of
  /// another rank. Ends between elements once `cancelled` is set.
  Batch operator()(std::int64_t number, Cancelled const& cancelled = false) const {
    Indices const indices = sampler_.batch(*order_, number);
    std::int64_t const first = indices.empty() ? sampler_.first(*order_, number) : indices[0];
    auto const count = static_cast<std::int64_t>(indices.size());
    auto const& element = at(first);
    Batch batch = new_batch<Batch>(element, count);
    if (count > 0) set_row(batch, 0, element, first);
    for (std::int64_t row = 1; row < count; ++row) {
      if (cancelled.load(std::memory_order_relaxed)) throw NotWanted();
      std::int64_t const index = indices[static_cast<std::size_t>(row)];
      set_row(batch, row, at(index), index);
    }
    return batch;
  }

 private:
  using Indices = std::vector<std::int64_t>;

  decltype(auto) at(std::int64_t index) const {
    return (*source_)[static_cast<std::size_t>(index)];
  }

  std::shared_ptr<Source const> source_;
  tenon::training::Sampler sampler_;
  std::shared_ptr<Indices const> order_;
};

}  // namespace tenon::internal::training
