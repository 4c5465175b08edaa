#pragma once

#include <cstdint>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/random/choice.hpp>

namespace tenon::training {

/// How the elements of a dataset are visited. PyTorch: the arguments of `DataLoader` and
/// `DistributedSampler`.
struct SamplerOptions {
  std::int64_t batch_size = 1;  ///< Elements of a batch over all ranks.
  bool shuffle = false;         ///< Each epoch has another order, from `fold_in(key, epoch)`.
  Key key{};
  bool drop_last = false;  ///< Leaves out the last batch of an epoch if it is shorter.
  std::int64_t rank = 0;
  std::int64_t ranks = 1;
};

/// The place in a sequence of epochs, a tree that checkpoints save: the next batch, and what its
/// order depends on.
struct DataState {
  std::int64_t epoch = 0;
  std::int64_t batch = 0;
  std::int64_t size = 0;
  std::int64_t batch_size = 1;
  bool shuffle = false;
  bool drop_last = false;
  Key key{};
};

/// The indices of the batches of each epoch. Batch `b` has the same elements in the same order for
/// every number of ranks: rank r has the r-th of its contiguous parts, whose lengths differ by at
/// most 1. Throws `ValueError` for options out of range.
class Sampler {
 public:
  explicit Sampler(std::int64_t size, SamplerOptions const& options = {});

  /// The number of batches of an epoch, the same on every rank.
  std::int64_t batches() const;

  /// The indices of all elements in the order of an epoch.
  std::vector<std::int64_t> order(std::int64_t epoch) const;

  /// This rank's indices of a batch of an epoch with that order: none where the batch has fewer
  /// elements than there are ranks. Throws `IndexError`.
  std::vector<std::int64_t> batch(std::vector<std::int64_t> const& order,
                                  std::int64_t number) const;

  /// The index of the first element of a batch over all ranks.
  std::int64_t first(std::vector<std::int64_t> const& order, std::int64_t number) const;

  /// The state before a batch of an epoch.
  DataState state(std::int64_t epoch, std::int64_t batch) const {
    return {epoch,       batch, size_, options_.batch_size, options_.shuffle, options_.drop_last,
            options_.key};
  }

  /// Throws `ValueError` if the state belongs to another order: another number of elements, batch
  /// size, key, shuffle or drop_last. The number of ranks may differ.
  void check(DataState const& state) const;

 private:
  std::int64_t part_begin(std::int64_t count, std::int64_t rank) const;
  void check_number(std::int64_t number) const;

  std::int64_t size_;
  SamplerOptions options_;
};

}  // namespace tenon::training

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>

#include <tenon/backend/cpu/backend.hpp>
#include <tenon/core/error.hpp>
#include <tenon/eval/draw.hpp>
#include <tenon/eval/evaluate.hpp>
#include <tenon/tensor/aliases.hpp>

namespace tenon::internal::training::sampling {

[[noreturn]] inline void refuse(std::string const& what, std::string const& expected,
                                std::string const& got) {
  fail<ValueError>({"Sampler", what, expected, got, {}});
}
inline void check_at_least(std::string const& what, std::int64_t value, std::int64_t least) {
  if (value < least) refuse(what, "at least " + std::to_string(least), std::to_string(value));
}
inline void check_same(std::string const& what, std::int64_t mine, std::int64_t saved) {
  if (mine == saved) return;
  refuse(what, std::to_string(mine) + " as in the options",
         std::to_string(saved) + " in the state");
}

}  // namespace tenon::internal::training::sampling

namespace tenon::training {

TENON_RUNTIME Sampler::Sampler(std::int64_t size, SamplerOptions const& options)
    : size_(size), options_(options) {
  using namespace internal::training::sampling;
  check_at_least("size", size, 0);
  check_at_least("batch_size", options.batch_size, 1);
  check_at_least("ranks", options.ranks, 1);
  check_at_least("rank", options.rank, 0);
  if (options.rank < options.ranks) return;
  refuse("rank", "a number less than " + std::to_string(options.ranks),
         std::to_string(options.rank));
}

TENON_RUNTIME std::int64_t Sampler::batches() const {
  bool const has_rest = size_ % options_.batch_size != 0 && !options_.drop_last;
  return size_ / options_.batch_size + (has_rest ? 1 : 0);
}

TENON_RUNTIME std::vector<std::int64_t> Sampler::order(std::int64_t epoch) const {
  std::vector<std::int64_t> indices(static_cast<std::size_t>(size_));
  std::iota(indices.begin(), indices.end(), std::int64_t{0});
  if (!options_.shuffle || size_ == 0) return indices;
  auto const order = internal::permutation<Int64<"element">>(fold_in(options_.key, epoch), size_);
  std::copy(order.data(), order.data() + size_, indices.begin());
  return indices;
}

TENON_RUNTIME std::vector<std::int64_t> Sampler::batch(std::vector<std::int64_t> const& order,
                                                       std::int64_t number) const {
  check_number(number);
  std::int64_t const begin = number * options_.batch_size;
  std::int64_t const count = (std::min)(options_.batch_size, size_ - begin);
  return {order.begin() + begin + part_begin(count, options_.rank),
          order.begin() + begin + part_begin(count, options_.rank + 1)};
}

TENON_RUNTIME std::int64_t Sampler::first(std::vector<std::int64_t> const& order,
                                          std::int64_t number) const {
  check_number(number);
  return order[static_cast<std::size_t>(number * options_.batch_size)];
}

TENON_RUNTIME void Sampler::check(DataState const& state) const {
  using namespace internal::training::sampling;
  check_same("size", size_, state.size);
  check_same("batch_size", options_.batch_size, state.batch_size);
  check_same("shuffle", options_.shuffle, state.shuffle);
  check_same("drop_last", options_.drop_last, state.drop_last);
  if (!(options_.key == state.key)) refuse("key", "the key of the data", "another key");
  check_at_least("epoch", state.epoch, 0);
  check_at_least("batch", state.batch, 0);
  if (state.batch <= batches()) return;
  refuse("batch", "a number up to " + std::to_string(batches()), std::to_string(state.batch));
}

/// The first parts have one element more where the count is not a multiple of the ranks.
TENON_RUNTIME std::int64_t Sampler::part_begin(std::int64_t count, std::int64_t rank) const {
  return count / options_.ranks * rank + (std::min)(rank, count % options_.ranks);
}

TENON_RUNTIME void Sampler::check_number(std::int64_t number) const {
  if (number >= 0 && number < batches()) return;
  std::string const expected = "a number from 0 to less than " + std::to_string(batches());
  internal::fail<IndexError>({"Sampler", "batch", expected, std::to_string(number), {}});
}

}  // namespace tenon::training

#endif
