#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/backend/devices.hpp>
#include <tenon/core/call.hpp>
#include <tenon/core/dtype.hpp>
#include <tenon/core/error.hpp>

/// Benchmarks of the same work on several devices, in several dtypes.
namespace tenon::internal::benchmark {

/// Dtypes to compare.
template <class... T>
struct DtypeList {};

/// The number of runs of a step, and its amount of work.
struct Amount {
  int warm_up = 3;                  ///< Steps that are not measured: kernels are compiled in them.
  int runs = 20;                    ///< Steps that are measured.
  double items = 1;                 ///< The number of `unit` per step.
  std::string_view unit = "steps";  ///< The unit of the throughput.
};

/// The result for one device and dtype. Times are in seconds per step; all are 0 where nothing was
/// run.
struct Row {
  std::string_view device;
  std::string_view dtype;
  std::string_view remark;  ///< The reason why nothing was run.
  int runs = 0;
  double median = 0;
  double mean = 0;
  double least = 0;
  double most = 0;
  double throughput = 0;  ///< Items per second, by the median.
};

/// The text of a time: "1.25 ms".
inline std::string time_in_words(double seconds) {
  struct Unit {
    double seconds;
    char const* name;
  };
  constexpr std::array<Unit, 4> units{{{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}}};
  Unit const* unit = units.begin();
  while (unit + 1 != units.end() && seconds < unit->seconds) ++unit;
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.3g %s", seconds / unit->seconds, unit->name);
  return text.data();
}

/// A row for each device and dtype, device by device.
struct Comparison {
  std::string unit;
  std::vector<Row> rows;

  /// As a table to print: a line of headings, then one for each row.
  std::string text() const {
    std::string table =
        line("device", "dtype", "runs", {"median", "mean", "min", "max", unit + "/s"});
    for (Row const& row : rows) {
      std::array<char, 64> rate{};
      std::snprintf(rate.data(), rate.size(), "%.4g", row.throughput);
      table += !row.remark.empty()
                   ? line(row.device, row.dtype, row.remark, {})
                   : line(row.device, row.dtype, std::to_string(row.runs),
                          {time_in_words(row.median), time_in_words(row.mean),
                           time_in_words(row.least), time_in_words(row.most), rate.data()});
    }
    return table;
  }

 private:
  static std::string line(std::string_view device, std::string_view dtype, std::string_view runs,
                          std::vector<std::string> const& numbers) {
    std::string text = padded(device, 12) + padded(dtype, 10) + std::string(runs);
    if (!numbers.empty()) text = padded(text, 28);
    for (std::string const& number : numbers)
      text += std::string(number.size() < 14 ? 14 - number.size() : 1, ' ') + number;
    return text + "\n";
  }
  static std::string padded(std::string_view text, std::size_t width) {
    return std::string(text) + std::string(text.size() < width ? width - text.size() : 1, ' ');
  }
};

/// Waits until a device has completed its work.
template <Device D>
void wait_for() {
  if constexpr (requires { D::synchronise(); }) D::synchronise();
}

/// The seconds of each run of a step, in ascending order.
template <Device D, class Step>
std::vector<double> measured(Step&& step, Amount const& amount) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> seconds;
  for (int i = -amount.warm_up; i < amount.runs; ++i) {
    wait_for<D>();
    auto const started = Clock::now();
    step();
    wait_for<D>();
    std::chrono::duration<double> const passed = Clock::now() - started;
    if (i >= 0) seconds.push_back(passed.count());
  }
  std::ranges::sort(seconds);
  return seconds;
}

/// The statistics of the times of a step.
inline Row summary(Row row, std::vector<double> const& sorted, double items) {
  std::size_t const count = sorted.size();
  row.runs = static_cast<int>(count);
  row.median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
  row.mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / static_cast<double>(count);
  row.least = sorted.front();
  row.most = sorted.back();
  row.throughput = row.median > 0 ? items / row.median : 0;
  return row;
}

/// One device and dtype.
template <Device D, class T, class Prepare>
Row compared(Prepare const& prepare, Amount const& amount) {
  Row row{.device = D::name, .dtype = dtype_name<T>, .remark = {}};
  if constexpr (!CallableWith<Prepare const&, D, T>) {
    row.remark = "no such step";
    return row;
  } else {
    row.remark = available<D>() ? "" : "not on this machine";
    if (!row.remark.empty()) return row;
    return summary(row, measured<D>(prepare(D{}, T{}), amount), amount.items);
  }
}

/// Times a step on devices, in dtypes: `prepare(device, dtype)`, called with a value of each type,
/// returns the step, a function without arguments. Each run is timed from an idle device until the
/// device has completed the step. Reports the median, mean, minimum and maximum. Throws
/// `ValueError` if the number of runs is 0. PyTorch: `torch.utils.benchmark.Compare`.
template <class Prepare, Device... D, class... T>
Comparison compare_devices(Prepare const& prepare, DeviceList<D...>, DtypeList<T...>,
                           Amount const& amount = {}) {
  if (amount.runs < 1 || amount.warm_up < 0) {
    fail<ValueError>({.who = "compare_devices",
                      .expected = "at least one run",
                      .got = std::to_string(amount.runs) + " after " +
                             std::to_string(amount.warm_up) + " to warm up"});
  }
  Comparison all{std::string(amount.unit), {}};
  auto const on = [&]<class Here>(Here) {
    (all.rows.push_back(compared<Here, T>(prepare, amount)), ...);
  };
  (on(D{}), ...);
  return all;
}

}  // namespace tenon::internal::benchmark

namespace tenon::benchmark {

using internal::benchmark::Amount;
using internal::benchmark::compare_devices;
using internal::benchmark::Comparison;
using internal::benchmark::DtypeList;
using internal::benchmark::Row;

}  // namespace tenon::benchmark
