#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include <tenon/train/run/json_text.hpp>
#include <tenon/train/run/time_text.hpp>

namespace tenon::internal::training {

template <class Metrics>
inline constexpr bool has_time = []<std::size_t... i>(std::index_sequence<i...>) {
  return ((tree::field_name<Metrics, i>.view() == "time") || ...);
}(std::make_index_sequence<tree::field_count<Metrics>>());

/// A line of metrics.jsonl: `time` in seconds since 1970, and the fields of the struct.
template <class Metrics>
std::string metrics_line(Metrics const& metrics, Time time) {
  static_assert(std::is_aggregate_v<Metrics> && !std::is_array_v<Metrics>,
                "tenon::RunManager: expected metrics in a plain struct");
  if constexpr (std::is_aggregate_v<Metrics> && !std::is_array_v<Metrics>) {
    static_assert(!has_time<Metrics>,
                  "tenon::RunManager: 'time' is the time of the line; name the metric otherwise");
    std::string const members = json_members(metrics);
    return "{\"time\": " + json_number(unix_seconds(time)) + (members.empty() ? "" : ", ") +
           members + "}";
  } else {
    return {};
  }
}

}  // namespace tenon::internal::training
