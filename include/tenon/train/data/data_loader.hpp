#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <tenon/core/error.hpp>
#include <tenon/train/data/batch_maker.hpp>
#include <tenon/train/data/prefetch.hpp>

namespace tenon::training {

/// How a dataset is visited. PyTorch: the arguments of `DataLoader` and `DistributedSampler`.
struct DataLoaderOptions {
  std::int64_t batch_size = 1;  ///< Elements of a batch over all ranks.
  bool shuffle = false;         ///< Each epoch has another order, from `fold_in(key, epoch)`.
  Key key{};
  bool drop_last = false;     ///< Leaves out the last batch of an epoch if it is shorter.
  std::int64_t prefetch = 0;  ///< Batches that a thread makes ahead.
  std::int64_t rank = 0;
  std::int64_t ranks = 1;
};

/// The batches of a dataset, epoch after epoch, from `data_loader`. A loop over it has the batches
/// of the current epoch that are still to come; its end begins the next epoch. What an element
/// throws, the loop throws at its batch. PyTorch: `DataLoader`.
template <Dataset Source, class Batch>
class DataLoader {
  class Cursor;

 public:
  /// Throws `ValueError` for options out of range.
  DataLoader(Source source, DataLoaderOptions const& options)
      : source_(std::make_shared<Source const>(std::move(source))),
        sampler_(static_cast<std::int64_t>(source_->size()),
                 {options.batch_size, options.shuffle, options.key, options.drop_last, options.rank,
                  options.ranks}),
        prefetch_(options.prefetch) {
    if (prefetch_ >= 0) return;
    std::string const got = std::to_string(prefetch_);
    internal::fail<ValueError>({"DataLoader", "prefetch", "at least 0", got, {}});
  }

  /// The number of batches of an epoch. PyTorch: `len(loader)`.
  std::int64_t batches() const { return sampler_.batches(); }

  /// The current epoch, from 0.
  std::int64_t epoch() const { return epoch_; }

  /// The place after the last batch that was handed out; in a loop over batches that is the one
  /// after the current. Prefetched batches are still to come.
  DataState state() const { return sampler_.state(epoch_, batch_); }

  /// Continues from a state. Throws `ValueError` for that of other data or another order.
  void restore(DataState const& state) {
    sampler_.check(state);
    go_to(state.epoch, state.batch);
  }

  /// The next batch; after the last of an epoch the first of the next. Throws `ValueError` where an
  /// epoch has no batches. PyTorch: `next(iterator)`.
  Batch next() {
    if (batches() == 0)
      internal::fail<ValueError>({"DataLoader", {}, "data with a batch", "none", {}});
    if (batch_ == batches()) go_to(epoch_ + 1, 0);
    Batch batch = load();
    ++batch_;
    return batch;
  }

  /// Loads the next batch.
  Cursor begin() { return Cursor(*this); }
  std::default_sentinel_t end() const { return {}; }

 private:
  using Maker = internal::training::BatchMaker<Source, Batch>;
  using Prefetcher = internal::training::Prefetcher<Batch>;

  void go_to(std::int64_t epoch, std::int64_t batch) {
    ahead_.reset();
    if (epoch != epoch_) maker_.reset();
    epoch_ = epoch;
    batch_ = batch;
  }

  Batch load() {
    if (!maker_) maker_.emplace(source_, sampler_, epoch_);
    if (prefetch_ == 0) return (*maker_)(batch_);
    if (!ahead_) ahead_ = std::make_unique<Prefetcher>(*maker_, batch_, batches(), prefetch_);
    try {
      return ahead_->take();
    } catch (...) {
      ahead_.reset();
      throw;
    }
  }

  std::shared_ptr<Source const> source_;
  Sampler sampler_;
  std::int64_t prefetch_;
  std::int64_t epoch_ = 0, batch_ = 0;
  std::optional<Maker> maker_{};  // of the epoch
  std::unique_ptr<Prefetcher> ahead_{};
};

/// The batches of the rest of an epoch.
template <Dataset Source, class Batch>
class DataLoader<Source, Batch>::Cursor {
 public:
  using value_type = Batch;
  using difference_type = std::ptrdiff_t;

  explicit Cursor(DataLoader& loader) : loader_(&loader) { load(); }
  Batch const& operator*() const { return *batch_; }
  Cursor& operator++() {
    batch_.reset();
    load();
    return *this;
  }
  void operator++(int) { ++*this; }
  friend bool operator==(Cursor const& cursor, std::default_sentinel_t) { return !cursor.batch_; }

 private:
  void load() {
    if (loader_->batch_ < loader_->batches()) batch_ = loader_->next();
    else loader_->go_to(loader_->epoch_ + 1, 0);
  }

  DataLoader* loader_;
  std::optional<Batch> batch_{};
};

}  // namespace tenon::training

namespace tenon::internal::training {

using tenon::training::DataLoader;
using tenon::training::DataLoaderOptions;
using tenon::training::Dataset;

/// A type with the batches of a dataset, or with an error type.
template <Spec axis, class Source>
consteval auto find_batch_of_dataset() {
  if constexpr (Expression<Source>) return NoBatch<Source, "is a tensor: use tensor_dataset">();
  else if constexpr (!Dataset<Source>) return NoBatch<Source, "is no dataset">();
  else return typename FindBatch<axis, ElementOf<Source>>::found();
}
template <Spec axis, class Source>
using FoundBatch = decltype(find_batch_of_dataset<axis, Source>());

/// The batches of a dataset: of tensors, numbers and bools those with a new first axis, of
/// `std::array<float, 3>` "batch 3", of pairs and tuples a tuple of batches. Elements are evaluated
/// on the host. PyTorch: `DataLoader`.
template <Spec axis, Dataset Source>
  requires(!has_no_batch<FoundBatch<axis, Source>>)
auto data_loader(Source dataset, DataLoaderOptions const& options = {}) {
  return DataLoader<Source, typename FoundBatch<axis, Source>::type>(std::move(dataset), options);
}
template <Spec axis, class Source, class Found = FoundBatch<axis, Source>,
          class M = typename Found::type>
  requires has_no_batch<Found>
auto data_loader(Source, DataLoaderOptions const& = {}) -> M;

/// The same with a type of batches, for elements that are structs: a struct whose fields are the
/// batches of the fields of the same names; of a pair or a tuple those of its parts, in order.
template <Spec axis, class Batch, Dataset Source>
  requires(std::is_void_v<BatchFault<axis, Batch, ElementOf<Source>>>)
auto data_loader(Source dataset, DataLoaderOptions const& options = {}) {
  return DataLoader<Source, Batch>(std::move(dataset), options);
}
template <Spec axis, class Batch, Dataset Source,
          class M = BatchFault<axis, Batch, ElementOf<Source>>>
  requires(!std::is_void_v<M>)
auto data_loader(Source, DataLoaderOptions const& = {}) -> M;

}  // namespace tenon::internal::training

namespace tenon::training {
using internal::training::data_loader;
}  // namespace tenon::training
