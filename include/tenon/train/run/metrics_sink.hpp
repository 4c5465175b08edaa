#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/train/run/json_text.hpp>
#include <tenon/tree/names.hpp>

namespace tenon::training {

/// A number among the metrics, with its name: "loss", or "validation/loss" of a struct in a struct.
struct Scalar {
  std::string name;
  double value;
};

/// Where the metrics of a run go beside metrics.jsonl. One of the user's derives from it; one
/// thread at a time calls it.
class MetricsSink {
 public:
  MetricsSink() = default;
  MetricsSink(MetricsSink const&) = delete;
  MetricsSink& operator=(MetricsSink const&) = delete;
  virtual ~MetricsSink() = default;
  virtual void write(std::int64_t step, std::span<Scalar const> scalars) = 0;

  /// What was written of later steps is computed again.
  virtual void remove_after(std::int64_t) {}
};

}  // namespace tenon::training

namespace tenon::internal::training {

using tenon::training::Scalar;

/// The numbers of a value under a name: texts have none, nor have absent optionals.
template <class T>
void add_scalars(std::vector<Scalar>& scalars, std::string const& name, T const& value) {
  if constexpr (std::is_arithmetic_v<T>) {
    scalars.push_back({name, static_cast<double>(value)});
  } else if constexpr (is_optional<T>) {
    if (value.has_value()) add_scalars(scalars, name, *value);
  } else if constexpr (std::is_aggregate_v<T> && !std::is_array_v<T>) {
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      std::string const prefix = name.empty() ? "" : name + "/";
      (add_scalars(scalars, prefix + std::string(tree::field_name<T, i>.view()),
                   tree::part_at<i>(tree::fields(value))),
       ...);
    }(std::make_index_sequence<tree::field_count<T>>());
  }
}

template <class Metrics>
std::vector<Scalar> scalars_of(Metrics const& values) {
  std::vector<Scalar> scalars;
  add_scalars(scalars, "", values);
  return scalars;
}

/// The scalars without `step` and `epoch`, and the number of the step: that of `step`, else of
/// `epoch`, else 0.
std::int64_t take_step(std::vector<Scalar>& scalars);

}  // namespace tenon::internal::training

#if TENON_DEFINES_RUNTIME

namespace tenon::internal::training {

TENON_RUNTIME std::int64_t take_step(std::vector<Scalar>& scalars) {
  std::int64_t number = 0;
  for (char const* const name : {"epoch", "step"})
    std::erase_if(scalars, [&](Scalar const& scalar) {
      if (scalar.name != name) return false;
      number = static_cast<std::int64_t>(scalar.value);
      return true;
    });
  return number;
}

}  // namespace tenon::internal::training

#endif
