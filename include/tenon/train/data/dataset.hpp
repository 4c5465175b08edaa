#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/train/data/sampler.hpp>

namespace tenon::compile_error {

/// The function, and an argument without `size()` or `operator[]`, or a tensor: `tensor_dataset`
/// makes a dataset of that.
template <Spec Function, class Argument>
struct is_no_dataset;

}  // namespace tenon::compile_error

namespace tenon::training {

/// Anything with `size()` and `operator[]`, a `std::vector` among them. Not a tensor, whose
/// `size()` counts all elements: `tensor_dataset` has its rows. PyTorch: `Dataset`.
template <class T>
concept Dataset = !Expression<T> && requires(T const& dataset, std::size_t index) {
  { dataset.size() } -> std::convertible_to<std::size_t>;
  dataset[index];
};

/// A dataset whose elements are `f(element)`, computed at each access.
template <Dataset Source, class Function>
class MappedDataset {
 public:
  MappedDataset(Source source, Function f) : source_(std::move(source)), f_(std::move(f)) {}
  std::size_t size() const { return static_cast<std::size_t>(source_.size()); }
  decltype(auto) operator[](std::size_t index) const { return f_(source_[index]); }

 private:
  Source source_;
  Function f_;
};

/// Some elements of a dataset, which its copies share. PyTorch: `Subset`.
template <Dataset Source>
class Subset {
 public:
  /// Throws `IndexError` for an index outside the dataset.
  Subset(std::shared_ptr<Source const> source, std::vector<std::int64_t> indices)
      : source_(std::move(source)), indices_(std::move(indices)) {
    for (std::int64_t const index : indices_) check(index);
  }
  std::size_t size() const { return indices_.size(); }
  decltype(auto) operator[](std::size_t index) const {
    return (*source_)[static_cast<std::size_t>(indices_[index])];
  }

 private:
  void check(std::int64_t index) const {
    auto const size = static_cast<std::int64_t>(source_->size());
    if (index >= 0 && index < size) return;
    std::string const expected = "a number from 0 to less than " + std::to_string(size);
    internal::fail<IndexError>({"subset", "index", expected, std::to_string(index), {}});
  }

  std::shared_ptr<Source const> source_;
  std::vector<std::int64_t> indices_;
};

}  // namespace tenon::training

namespace tenon::internal::training {

template <class T>
concept NoDataset = !tenon::training::Dataset<T>;

/// A dataset whose elements are `f(element)`, computed at each access.
template <tenon::training::Dataset Source, class Function>
auto map_dataset(Source dataset, Function f) {
  return tenon::training::MappedDataset<Source, Function>(std::move(dataset), std::move(f));
}
template <NoDataset Source, class Function>
auto map_dataset(Source const&, Function) -> error::is_no_dataset<"map_dataset", Source>;

/// The elements of a dataset with these indices, in this order. Throws `IndexError`. PyTorch:
/// `Subset`.
template <tenon::training::Dataset Source>
auto subset(Source dataset, std::vector<std::int64_t> indices) {
  return tenon::training::Subset<Source>(std::make_shared<Source const>(std::move(dataset)),
                                         std::move(indices));
}
template <NoDataset Source>
auto subset(Source const&, std::vector<std::int64_t>) -> error::is_no_dataset<"subset", Source>;

/// Two parts of a dataset without common elements, drawn with a key: the first has `fraction` of
/// the elements, rounded to the nearest number. Throws `ValueError` unless the fraction is from 0
/// to 1. PyTorch: `random_split`.
template <tenon::training::Dataset Source>
auto split_dataset(Source dataset, double fraction, Key const& key) {
  if (!(fraction >= 0 && fraction <= 1)) {
    fail<ValueError>(
        {"split_dataset", "fraction", "a number from 0 to 1", std::to_string(fraction), {}});
  }
  using Part = tenon::training::Subset<Source>;
  auto const shared = std::make_shared<Source const>(std::move(dataset));
  auto const size = static_cast<std::int64_t>(shared->size());
  tenon::training::SamplerOptions options;
  options.shuffle = true;
  options.key = key;
  auto const order = tenon::training::Sampler(size, options).order(0);
  auto const middle = order.begin() + std::llround(fraction * static_cast<double>(size));
  return std::pair(Part(shared, {order.begin(), middle}), Part(shared, {middle, order.end()}));
}
template <NoDataset Source>
auto split_dataset(Source const&, double, Key const&)
    -> error::is_no_dataset<"split_dataset", Source>;

}  // namespace tenon::internal::training

namespace tenon::training {
using internal::training::map_dataset;
using internal::training::split_dataset;
using internal::training::subset;
}  // namespace tenon::training
