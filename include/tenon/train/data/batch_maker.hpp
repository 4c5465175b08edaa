#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/eval/evaluate.hpp>
#include <tenon/train/data/batch_fit.hpp>
#include <tenon/train/data/dataset.hpp>
#include <tenon/train/data/prefetch.hpp>
#include <tenon/train/data/sampler.hpp>

/// A batch of elements: its tensors get one row of each.
namespace tenon::internal::training {

/// The sizes of a row of a batch.
template <class Element>
Sizes row_sizes(Element const& element) {
  if constexpr (Expression<Element>) return element.sizes();
  Sizes sizes = unit_sizes();
  if constexpr (is_number_array<Element>) sizes[0] = std::int64_t{std::tuple_size_v<Element>};
  return sizes;
}

template <class Batch, class Element>
Batch new_tensor(Element const& element, std::int64_t count) {
  Sizes const row = row_sizes(element);
  Sizes sizes = unit_sizes();
  sizes[0] = count;
  std::copy_n(row.begin(), Batch::rank - 1, sizes.begin() + 1);
  return Batch::uninitialised(sizes);
}

/// A batch of `count` elements like this one; its elements are not set.
template <class Batch, class Element>
Batch new_batch(Element const& element, std::int64_t count) {
  if constexpr (is_tensor<Batch>) {
    return new_tensor<Batch>(element, count);
  } else if constexpr (tree::is_array<Batch>) {
    Batch batch{};
    for (std::size_t i = 0; i < batch.size(); ++i)
      batch[i] = new_batch<typename Batch::value_type>(element[i], count);
    return batch;
  } else {
    Batch batch{};
    auto const to = tree::parts(batch);
    auto const from = tree::parts(element);
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      ((tree::part_at<i>(to) =
            new_batch<PartIn<Batch, i>>(tree::part_at<part_for<Batch, Element, i>>(from), count)),
       ...);
    }(tree::PartIndices<Batch>());
    return batch;
  }
}

inline std::string sizes_text(Sizes const& sizes, int begin, int rank) {
  std::string text;
  for (int i = begin; i < rank; ++i)
    text.append(text.empty() ? "" : " ").append(std::to_string(at(sizes, i)));
  return '"' + text + '"';
}

/// Elements of one batch have the same sizes.
template <class Batch>
void check_row(Batch const& batch, Sizes const& row, std::int64_t index) {
  Sizes const sizes = batch.sizes();
  if (std::equal(sizes.begin() + 1, sizes.begin() + Batch::rank, row.begin())) return;
  fail<ShapeError>({.who = "DataLoader",
                    .what = "element " + std::to_string(index),
                    .expected = "the sizes of the first element of its batch, " +
                                sizes_text(sizes, 1, Batch::rank),
                    .got = sizes_text(row, 0, Batch::rank - 1)});
}

template <class Batch, class Element>
void set_tensor_row(Batch& batch, std::int64_t row, Element const& element, std::int64_t index) {
  if constexpr (is_dtype<Element>) {
    batch.own_memory()[row] = element;
  } else if constexpr (is_number_array<Element>) {
    auto const size = std::int64_t{std::tuple_size_v<Element>};
    std::copy(element.begin(), element.end(), batch.own_memory() + row * size);
  } else {
    check_row(batch, element.sizes(), index);
    TensorOf<Element> const& value = element;
    std::copy_n(value.data(), value.size(), batch.own_memory() + row * value.size());
  }
}

/// Puts an element of the dataset, that of this index, into a row of a batch.
template <class Batch, class Element>
void set_row(Batch& batch, std::int64_t row, Element const& element, std::int64_t index) {
  if constexpr (is_tensor<Batch>) {
    set_tensor_row(batch, row, element, index);
  } else if constexpr (tree::is_array<Batch>) {
    for (std::size_t i = 0; i < batch.size(); ++i) set_row(batch[i], row, element[i], index);
  } else {
    auto const to = tree::parts(batch);
    auto const from = tree::parts(element);
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      (set_row(tree::part_at<i>(to), row, tree::part_at<part_for<Batch, Element, i>>(from), index),
       ...);
    }(tree::PartIndices<Batch>());
  }
}

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
