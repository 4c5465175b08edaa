#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

#include <tenon/core/config.hpp>
#include <tenon/train/run/logger.hpp>
#include <tenon/train/run/tracer.hpp>

namespace tenon::training {

/// The value of an attribute of a span: a number, a `bool` or a text (which must outlive the call).
class SpanValue {
 public:
  template <std::integral T>
  SpanValue(T value) : value_(static_cast<long long>(value)) {}
  SpanValue(bool value) : value_(value) {}
  SpanValue(double value) : value_(value) {}
  SpanValue(std::string_view value) : value_(value) {}
  SpanValue(std::string const& value) : value_(std::string_view(value)) {}
  SpanValue(char const* value) : value_(std::string_view(value)) {}

  /// In the JSON of OTLP: `"intValue": "3"`. (Protobuf's JSON has integers of 64 bits as strings.)
  std::string json() const;

 private:
  std::variant<bool, long long, double, std::string_view> value_;
};

/// A name, and a value: `{"epoch", 3}`.
struct SpanAttribute {
  std::string_view name;
  SpanValue value;
};

/// The attributes with which a span begins: `{{"epoch", 3}, {"split", "train"}}`.
using SpanAttributes = std::initializer_list<SpanAttribute>;

}  // namespace tenon::training

namespace tenon::internal::training {

/// Appends `{"key": "epoch", "value": {"intValue": "3"}}`.
void append_json(std::string& all, tenon::training::SpanAttribute const& attribute);

}  // namespace tenon::internal::training

namespace tenon::training {

/// An interval of time, from construction to destruction, with a name and attributes:
/// `Span span(log, "epoch", {{"epoch", 3}});`. Spans that begin meanwhile in this thread are its
/// children. Left by an exception, its status is an error. A variable of a function, destroyed by
/// the thread that constructed it. Python: `tracer.start_as_current_span`.
class Span {
 public:
  /// Goes to the tracer of a log; without one, or one that is off, nothing is recorded.
  Span(Logger const& log, std::string_view name, SpanAttributes attributes = {})
      : Span(log.tracer(), name, attributes, nullptr) {}
  Span(Tracer& tracer, std::string_view name, SpanAttributes attributes = {})
      : Span(&tracer, name, attributes, nullptr) {}
  /// A child of a span of another thread.
  Span(Span const& parent, std::string_view name, SpanAttributes attributes = {})
      : Span(parent.tracer_, name, attributes, &parent) {}
  Span(Span const&) = delete;
  Span& operator=(Span const&) = delete;

  ~Span() {
    if (tracer_) end();
  }

  /// Adds an attribute.
  void set(std::string_view name, SpanValue value);

  /// Of OpenTelemetry; 0 if nothing is recorded.
  std::uint64_t id() const { return record_.id; }

 private:
  using Clock = std::chrono::steady_clock;

  Span(Tracer* tracer, std::string_view name, SpanAttributes attributes, Span const* parent);

  std::uint64_t parent_id() const;
  void end() noexcept;

  Tracer* tracer_ = nullptr;
  Span* outer_ = nullptr;
  int exceptions_ = 0;
  Clock::time_point begun_{};
  internal::training::SpanRecord record_{};
};

}  // namespace tenon::training

#if TENON_DEFINES_RUNTIME

#include <cmath>
#include <exception>
#include <utility>

#include <tenon/train/run/json_text.hpp>

namespace tenon::internal::training {

/// Protobuf's JSON has "NaN", "Infinity" and "-Infinity".
inline std::string double_json(double value) {
  if (std::isnan(value)) return "\"NaN\"";
  if (std::isinf(value)) return value < 0 ? "\"-Infinity\"" : "\"Infinity\"";
  return json_number(value);
}

TENON_RUNTIME void append_json(std::string& all, tenon::training::SpanAttribute const& attribute) {
  if (!all.empty()) all += ", ";
  all.append("{\"key\": ").append(json_string(attribute.name));
  all.append(", \"value\": {").append(attribute.value.json()).append("}}");
}

}  // namespace tenon::internal::training

namespace tenon::training {

TENON_RUNTIME std::string SpanValue::json() const {
  using namespace internal::training;
  if (auto const* whole = std::get_if<long long>(&value_))
    return "\"intValue\": \"" + std::to_string(*whole) + "\"";
  if (auto const* number = std::get_if<double>(&value_))
    return "\"doubleValue\": " + double_json(*number);
  if (auto const* text = std::get_if<std::string_view>(&value_))
    return "\"stringValue\": " + json_string(*text);
  return std::string("\"boolValue\": ") + (std::get<bool>(value_) ? "true" : "false");
}

}  // namespace tenon::training

namespace tenon::internal::training {

/// The innermost span of this thread.
inline tenon::training::Span*& current_span() {
  thread_local tenon::training::Span* span = nullptr;
  return span;
}

template <class Duration>
std::int64_t nanoseconds(Duration duration) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count();
}

}  // namespace tenon::internal::training

namespace tenon::training {

TENON_RUNTIME void Span::set(std::string_view name, SpanValue value) {
  if (tracer_) internal::training::append_json(record_.attributes, {name, value});
}

TENON_RUNTIME Span::Span(Tracer* tracer, std::string_view name, SpanAttributes attributes,
                         Span const* parent) {
  if (!tracer || !tracer->is_on()) return;
  tracer_ = tracer;
  exceptions_ = std::uncaught_exceptions();
  outer_ = std::exchange(internal::training::current_span(), this);
  record_.name = name;
  record_.id = tracer->new_id();
  record_.parent = parent ? parent->id() : parent_id();
  for (auto const& [key, value] : attributes) set(key, value);
  auto const now = std::chrono::system_clock::now().time_since_epoch();
  record_.begin = internal::training::nanoseconds(now);
  begun_ = Clock::now();
}

/// Of the innermost span around this one that has the same tracer.
TENON_RUNTIME std::uint64_t Span::parent_id() const {
  Span const* span = outer_;
  while (span && span->tracer_ != tracer_) span = span->outer_;
  return span ? span->id() : 0;
}

/// A line that cannot be written is lost: a destructor does not throw.
TENON_RUNTIME void Span::end() noexcept {
  using namespace internal::training;
  record_.end = record_.begin + nanoseconds(Clock::now() - begun_);
  record_.has_failed = std::uncaught_exceptions() > exceptions_;
  for (Span** span = &current_span(); *span; span = &(*span)->outer_) {
    if (*span != this) continue;
    *span = outer_;
    break;
  }
  try {
    tracer_->add(record_);
  } catch (std::exception const&) {
  }
}

}  // namespace tenon::training

#endif
