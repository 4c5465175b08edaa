#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/train/run/line_file.hpp>

namespace tenon::internal::training {

/// A span that has ended.
struct SpanRecord {
  std::string name{};
  std::uint64_t id = 0, parent = 0;
  std::int64_t begin = 0, end = 0;  // nanoseconds since 1970
  std::string attributes{};         // as JSON
  bool has_failed = false;
};

}  // namespace tenon::internal::training

namespace tenon::training {

/// Writes spans, each when it ends, to a file of OpenTelemetry's OTLP in JSON, one document a line,
/// as the collector's receiver for such files reads it
/// (https://opentelemetry.io/docs/specs/otel/protocol/file-exporter). The file is created by the
/// first span. Several threads may add. Python: `TracerProvider`.
class Tracer {
 public:
  /// One that is off: spans cost a comparison.
  Tracer() = default;
  explicit Tracer(std::filesystem::path path, std::string_view service = "tenon");

  bool is_on() const { return !path_.empty(); }

  /// The identifier of a new span: not 0.
  std::uint64_t new_id();

  /// Throws `FileError` where the line cannot be written.
  void add(internal::training::SpanRecord const& span);

 private:
  std::filesystem::path path_{};
  std::array<std::uint64_t, 2> id_{};
  std::string trace_{}, head_{};
  std::atomic<std::uint64_t> count_ = 0;
  std::mutex mutex_{};
  std::optional<internal::training::LineFile> file_{};
};

}  // namespace tenon::training

#if TENON_DEFINES_RUNTIME

#include <cstdio>
#include <random>
#include <utility>

#include <tenon/train/run/json_text.hpp>

namespace tenon::internal::training {

inline std::string hexadecimal(std::uint64_t number) {
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(number));
  return text.data();
}

/// A span as JSON; the status is 2 for an error, otherwise 0, unset.
inline std::string span_json(SpanRecord const& span, std::string_view trace) {
  std::string text = "{\"traceId\": \"";
  text.append(trace).append("\", \"spanId\": \"").append(hexadecimal(span.id));
  if (span.parent != 0) text.append("\", \"parentSpanId\": \"").append(hexadecimal(span.parent));
  text.append("\", \"name\": ").append(json_string(span.name));
  text.append(", \"kind\": 1, \"startTimeUnixNano\": \"").append(std::to_string(span.begin));
  text.append("\", \"endTimeUnixNano\": \"").append(std::to_string(span.end));
  text.append("\", \"attributes\": [").append(span.attributes).append("], \"status\": {\"code\": ");
  return text.append(span.has_failed ? "2" : "0").append("}}");
}

}  // namespace tenon::internal::training

namespace tenon::training {

TENON_RUNTIME Tracer::Tracer(std::filesystem::path path, std::string_view service)
    : path_(std::move(path)) {
  std::random_device device;
  for (auto& word : id_) word = std::uint64_t{device()} << 32 | device();
  using namespace internal::training;
  trace_ = hexadecimal(id_[0]) + hexadecimal(id_[1]);
  head_ =
      "{\"resourceSpans\": [{\"resource\": {\"attributes\": [{\"key\": \"service.name\", "
      "\"value\": {\"stringValue\": " +
      json_string(service) + "}}]}, \"scopeSpans\": [{\"scope\": {\"name\": \"tenon\"}, " +
      "\"spans\": [";
}

TENON_RUNTIME std::uint64_t Tracer::new_id() {
  std::uint64_t const id = id_[1] ^ (0x9e3779b97f4a7c15u * ++count_);
  return id != 0 ? id : new_id();
}

TENON_RUNTIME void Tracer::add(internal::training::SpanRecord const& span) {
  std::string const line = head_ + internal::training::span_json(span, trace_) + "]}]}]}";
  std::scoped_lock const lock(mutex_);
  if (!file_) file_.emplace(path_, "Tracer");
  file_->write_line(line);
}

}  // namespace tenon::training

#endif
