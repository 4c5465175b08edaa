#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <mutex>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <tenon/io/atomic_file.hpp>

#include <tenon/train/run/json_text.hpp>

namespace tenon::training {

/// The name of a value of a span, and the value.
struct SpanAttribute {
  std::string name;
  std::variant<std::string, std::int64_t, double, bool> value;
};

}  // namespace tenon::training

namespace tenon::internal::training {

using tenon::training::SpanAttribute;

/// A span that has ended.
struct SpanRecord {
  std::string name;
  std::uint64_t id, parent;
  std::int64_t begin, end;  // nanoseconds since 1970
  std::vector<SpanAttribute> attributes;
  bool has_failed;
};

inline std::string hexadecimal(std::uint64_t number) {
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(number));
  return text.data();
}

/// `{"key": "step", "value": {"intValue": "3"}}`: protobuf's JSON has integers of 64 bits as texts.
inline std::string to_json(SpanAttribute const& attribute) {
  constexpr std::array<std::string_view, 4> kinds{"stringValue", "intValue", "doubleValue",
                                                  "boolValue"};
  std::string text = "{\"key\": " + json_string(attribute.name) + ", \"value\": {\"";
  text.append(kinds[attribute.value.index()]).append("\": ");
  if (auto const* whole = std::get_if<std::int64_t>(&attribute.value)) {
    text += "\"" + std::to_string(*whole) + "\"";
  } else {
    text += std::visit([](auto const& value) { return internal::training::to_json(value); },
                       attribute.value);
  }
  return text + "}}";
}

inline std::string to_json(std::vector<SpanAttribute> const& attributes) {
  std::string text = "[";
  for (SpanAttribute const& attribute : attributes) {
    text += (text.size() > 1 ? ", " : "") + to_json(attribute);
  }
  return text + "]";
}

}  // namespace tenon::internal::training

namespace tenon::training {

/// Collects spans: named intervals of time, nested, with attributes. `save` writes them as
/// OpenTelemetry's OTLP in JSON, which its collector reads from a file
/// (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding). Several threads may add.
class Tracer {
 public:
  explicit Tracer(std::string service = "tenon") : service_(std::move(service)) {
    std::random_device device;
    for (auto& word : trace_) word = std::uint64_t{device()} << 32 | device();
  }

  std::uint64_t new_id() {
    std::scoped_lock const lock(mutex_);
    return trace_[1] ^ (0x9e3779b97f4a7c15u * ++count_);
  }

  void add(internal::training::SpanRecord record) {
    std::scoped_lock const lock(mutex_);
    records_.push_back(std::move(record));
  }

  std::size_t size() const {
    std::scoped_lock const lock(mutex_);
    return records_.size();
  }

  /// The spans that have ended, as a JSON document.
  std::string to_json() const {
    using internal::training::json_string;
    std::scoped_lock const lock(mutex_);
    std::string text =
        "{\"resourceSpans\": [{\"resource\": {\"attributes\": [{\"key\": "
        "\"service.name\", \"value\": {\"stringValue\": " +
        json_string(service_) +
        "}}]}, \"scopeSpans\": [{\"scope\": {\"name\": \"tenon\"}, \"spans\": [";
    for (auto const& record : records_) {
      if (&record != records_.data()) text += ",\n";
      text += span_text(record);
    }
    return text + "]}]}]}\n";
  }

  /// Writes the document atomically. Throws `FileError`.
  void save(std::filesystem::path const& path) const {
    internal::AtomicFile file(path, "save");
    file.write(to_json());
    file.commit();
  }

 private:
  std::string span_text(internal::training::SpanRecord const& record) const {
    using namespace internal::training;
    std::string text = "{\"traceId\": \"" + hexadecimal(trace_[0]) + hexadecimal(trace_[1]) +
                       "\", \"spanId\": \"" + hexadecimal(record.id) + "\", ";
    if (record.parent != 0) text += "\"parentSpanId\": \"" + hexadecimal(record.parent) + "\", ";
    text += "\"name\": " + json_string(record.name) + ", \"kind\": 1, \"startTimeUnixNano\": \"" +
            std::to_string(record.begin) + "\", \"endTimeUnixNano\": \"" +
            std::to_string(record.end) + "\", \"attributes\": ";
    return text + internal::training::to_json(record.attributes) +
           ", \"status\": {\"code\": " + (record.has_failed ? "2" : "1") + "}}";
  }

  std::string service_;
  std::array<std::uint64_t, 2> trace_{};
  mutable std::mutex mutex_{};
  std::uint64_t count_ = 0;
  std::vector<internal::training::SpanRecord> records_{};
};

/// An interval of time, from construction to destruction; spans that begin meanwhile in this thread
/// are its children. Left by an exception, its status is an error. Python:
/// `tracer.start_as_current_span`.
class Span {
 public:
  Span(Tracer& tracer, std::string name, std::vector<SpanAttribute> attributes = {})
      : Span(tracer, std::move(name), std::move(attributes), current()) {}

  /// A child of another thread's span.
  Span(Tracer& tracer, std::string name, std::vector<SpanAttribute> attributes,
       std::uint64_t parent)
      : tracer_(tracer),
        exceptions_(std::uncaught_exceptions()),
        outer_(std::exchange(current(), 0)),
        record_{std::move(name), tracer.new_id(), parent, now(), 0, std::move(attributes), false} {
    current() = record_.id;
  }
  Span(Span const&) = delete;
  Span& operator=(Span const&) = delete;

  ~Span() {
    current() = outer_;
    record_.end = now();
    record_.has_failed = std::uncaught_exceptions() > exceptions_;
    tracer_.add(std::move(record_));
  }

  std::uint64_t id() const { return record_.id; }
  void set(std::string name, decltype(SpanAttribute::value) value) {
    record_.attributes.push_back({std::move(name), std::move(value)});
  }

 private:
  static std::uint64_t& current() {
    thread_local std::uint64_t id = 0;
    return id;
  }
  static std::int64_t now() {
    auto const time = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
  }

  Tracer& tracer_;
  int exceptions_;
  std::uint64_t outer_;
  internal::training::SpanRecord record_;
};

}  // namespace tenon::training
