#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/tensor/tracing.hpp>
#include <tenon/train/inspect/profile_range.hpp>
#include <tenon/train/inspect/timer.hpp>

namespace tenon::training {

/// The runs of one kernel with one shape and dtype.
struct ProfileRow {
  std::string kernel;  ///< "relu(add(matmul(_, _), _))"; "backward of ..."; the name of a range.
  std::string shape;   ///< Sizes of the result: "(32, 10)".
  std::string dtype;
  std::int64_t calls = 0;
  double total = 0;        ///< Seconds.
  double mean = 0;         ///< Seconds per call.
  double max = 0;          ///< Seconds of the longest call.
  std::int64_t bytes = 0;  ///< Of all results.
};

/// The order of a table, and its length.
struct TableOptions {
  std::string_view sort_by = "total";  ///< "total", "mean", "max", "calls", "bytes" or "kernel".
  int rows = 50;
};

}  // namespace tenon::training

namespace tenon::internal::training {

/// One run of a kernel, or a range.
struct ProfileEvent {
  std::string kernel, shape, dtype;
  std::int64_t started = 0, ended = 0;
  std::int64_t bytes = 0;
  bool is_range = false;
};

}  // namespace tenon::internal::training

namespace tenon::training {

/// Records the kernels and ranges of this thread from construction to destruction. Kernels on a
/// device are timed until they are enqueued. Small tensors in registers have no kernels. PyTorch:
/// `torch.profiler.profile`.
class Profiler final : public internal::Observer, private internal::training::RangeListener {
 public:
  explicit Profiler(internal::training::ClockFunction clock = &internal::training::steady_clock);
  ~Profiler() override;

  /// The recorded events, added up by kernel, shape and dtype, sorted by these.
  std::vector<ProfileRow> rows() const;

  /// The same as a table. Throws `ValueError` for an unknown column. PyTorch:
  /// `key_averages().table(sort_by=...)`.
  std::string table(TableOptions const& options = {}) const;

  /// Writes all events to a file for chrome://tracing or ui.perfetto.dev; replaces it at once.
  /// Throws `FileError`. PyTorch: `export_chrome_trace`.
  void save_chrome_trace(std::filesystem::path const& path) const;

  /// Forgets what was recorded.
  void clear() { events_.clear(); }

  std::int64_t now() const override { return clock_(); }
  void ran(internal::ObservedKernel const& kernel) override;

 private:
  void ended(std::string_view name, std::int64_t started) override;

  internal::training::ClockFunction clock_;
  internal::training::RangeListener* around_;
  std::vector<internal::training::ProfileEvent> events_{};
};

}  // namespace tenon::training

#if TENON_DEFINES_RUNTIME

#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include <tenon/core/error.hpp>
#include <tenon/core/stable_sort.hpp>
#include <tenon/eval/tracing/text.hpp>
#include <tenon/io/atomic_file.hpp>
#include <tenon/io/json.hpp>
#include <tenon/train/inspect/columns.hpp>

namespace tenon::internal::training {

inline std::string kernel_name(ObservedKernel const& kernel) {
  std::string name =
      kernel.expression.type() == nullptr ? "" : tracing::kernel_text(kernel.expression, false);
  if (!kernel.is_backward) return name;
  return name.empty() ? "backward" : "backward of " + name;
}

inline ProfileEvent profile_event(ObservedKernel const& kernel) {
  ProfileEvent event{kernel_name(kernel), "", "", kernel.started, kernel.ended, 0, false};
  if (kernel.values.empty()) return event;
  ObservedValue const& first = kernel.values.front();
  event.shape = tracing::sizes_text(first.sizes, first.rank);
  event.dtype = first.dtype;
  for (ObservedValue const& value : kernel.values) event.bytes += value.bytes;
  return event;
}

/// The events of each kernel, shape and dtype, added up.
inline std::vector<tenon::training::ProfileRow> profile_rows(
    std::vector<ProfileEvent> const& events) {
  std::map<std::tuple<std::string, std::string, std::string>, tenon::training::ProfileRow> found;
  for (ProfileEvent const& event : events) {
    auto& row = found[{event.kernel, event.shape, event.dtype}];
    double const seconds = in_seconds(event.ended - event.started);
    ++row.calls;
    row.total += seconds;
    row.max = (std::max)(row.max, seconds);
    row.bytes += event.bytes;
  }
  std::vector<tenon::training::ProfileRow> rows;
  rows.reserve(found.size());
  for (auto& [key, row] : found) {
    std::tie(row.kernel, row.shape, row.dtype) = key;
    row.mean = row.total / static_cast<double>(row.calls);
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Sorts rows by a column, the largest first; equal ones by kernel, shape and dtype.
inline void sort_rows(std::vector<tenon::training::ProfileRow>& rows, std::string_view column) {
  using Row = tenon::training::ProfileRow;
  static std::map<std::string_view, std::function<double(Row const&)>> const columns{
      {"total", [](Row const& row) { return row.total; }},
      {"mean", [](Row const& row) { return row.mean; }},
      {"max", [](Row const& row) { return row.max; }},
      {"calls", [](Row const& row) { return static_cast<double>(row.calls); }},
      {"bytes", [](Row const& row) { return static_cast<double>(row.bytes); }},
      {"kernel", [](Row const&) { return 0.0; }}};
  auto const found = columns.find(column);
  if (found == columns.end())
    fail<ValueError>({.who = "Profiler::table",
                      .what = "sort_by",
                      .expected = "total, mean, max, calls, bytes or kernel",
                      .got = escaped(column)});
  auto const& number = found->second;
  stable_sort(rows, [&](Row const& a, Row const& b) { return number(a) > number(b); });
}

inline std::string milliseconds_text(double seconds) { return digits_text(seconds * 1e3) + " ms"; }

inline std::string profile_table(std::vector<ProfileEvent> const& events,
                                 tenon::training::TableOptions const& options) {
  auto rows = profile_rows(events);
  sort_rows(rows, options.sort_by);
  TextTable table({"kernel", "shape", "dtype", "calls", "total", "mean", "max", "bytes"}, 3);
  for (auto const& row : rows) {
    if (&row - rows.data() >= options.rows) break;
    table.add({row.kernel.substr(0, 60), row.shape, row.dtype, with_commas(row.calls),
               milliseconds_text(row.total), milliseconds_text(row.mean),
               milliseconds_text(row.max), bytes_text(row.bytes)});
  }
  return table.text();
}

/// Microseconds with three decimals.
inline std::string microseconds(std::int64_t nanoseconds) {
  std::string const rest = std::to_string(nanoseconds % 1000);
  return std::to_string(nanoseconds / 1000) + "." + std::string(3 - rest.size(), '0') + rest;
}

/// Complete events ("ph": "X") of the Trace Event Format, times from the first start.
inline std::string chrome_trace(std::vector<ProfileEvent> const& events) {
  std::int64_t first = events.empty() ? 0 : events.front().started;
  for (ProfileEvent const& event : events) first = (std::min)(first, event.started);
  std::string text = "{\"traceEvents\": [";
  for (ProfileEvent const& event : events) {
    text += &event == events.data() ? "\n" : ",\n";
    text += "{\"name\": " + json::quoted(event.kernel) + ", \"cat\": \"" +
            (event.is_range ? "range" : "kernel") + "\", \"ph\": \"X\", \"pid\": 0, \"tid\": 0" +
            ", \"ts\": " + microseconds(event.started - first) +
            ", \"dur\": " + microseconds(event.ended - event.started) +
            ", \"args\": {\"shape\": " + json::quoted(event.shape) +
            ", \"dtype\": " + json::quoted(event.dtype) + "}}";
  }
  return text + "\n], \"displayTimeUnit\": \"ms\"}\n";
}

}  // namespace tenon::internal::training

namespace tenon::training {

TENON_RUNTIME Profiler::Profiler(internal::training::ClockFunction clock)
    : clock_(clock), around_(std::exchange(current, static_cast<RangeListener*>(this))) {}
TENON_RUNTIME Profiler::~Profiler() { current = around_; }

TENON_RUNTIME std::vector<ProfileRow> Profiler::rows() const {
  return internal::training::profile_rows(events_);
}

TENON_RUNTIME std::string Profiler::table(TableOptions const& options) const {
  return internal::training::profile_table(events_, options);
}

TENON_RUNTIME void Profiler::save_chrome_trace(std::filesystem::path const& path) const {
  std::string const text = internal::training::chrome_trace(events_);
  internal::AtomicFile file(path, "save_chrome_trace");
  file.write(text);
  file.commit();
}

TENON_RUNTIME void Profiler::ran(internal::ObservedKernel const& kernel) {
  events_.push_back(internal::training::profile_event(kernel));
}

TENON_RUNTIME void Profiler::ended(std::string_view name, std::int64_t started) {
  events_.push_back({std::string(name), "", "", started, clock_(), 0, true});
  if (around_ != nullptr) around_->ended(name, started);
}

}  // namespace tenon::training

#endif
