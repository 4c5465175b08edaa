#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/train/run/json_text.hpp>
#include <tenon/tree/names.hpp>

namespace tenon::internal::training {

template <class Metrics>
inline constexpr bool has_time = []<std::size_t... i>(std::index_sequence<i...>) {
  return ((tree::field_name<Metrics, i>.view() == "time") || ...);
}(std::make_index_sequence<tree::field_count<Metrics>>());

/// `{"time": 1.8e9, "loss": 0.5}` of the members of a struct: `time` is now, in seconds since 1970.
std::string metrics_line_of(std::string const& members);

/// A line of metrics.jsonl: the time, and the fields of the struct.
template <class Metrics>
std::string metrics_line(Metrics const& metrics) {
  static_assert(std::is_aggregate_v<Metrics> && !std::is_array_v<Metrics>,
                "tenon::RunManager: expected metrics in a plain struct");
  if constexpr (std::is_aggregate_v<Metrics> && !std::is_array_v<Metrics>) {
    static_assert(!has_time<Metrics>,
                  "tenon::RunManager: 'time' is the time of the line; name the metric otherwise");
    return metrics_line_of(json_members(metrics));
  } else {
    return {};
  }
}

}  // namespace tenon::internal::training

#if TENON_DEFINES_RUNTIME

#include <chrono>

#include <tenon/train/run/time_text.hpp>

namespace tenon::internal::training {

TENON_RUNTIME std::string metrics_line_of(std::string const& members) {
  return "{\"time\": " + json_number(unix_seconds(std::chrono::system_clock::now())) +
         (members.empty() ? "" : ", ") + members + "}";
}

}  // namespace tenon::internal::training

#endif
