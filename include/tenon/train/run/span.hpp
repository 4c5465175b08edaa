#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tenon/train/run/logger.hpp>
#include <tenon/train/run/span_attribute.hpp>
#include <tenon/train/run/tracer.hpp>

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
  void set(std::string_view name, SpanValue value) {
    if (tracer_) internal::training::append_json(record_.attributes, {name, value});
  }

  /// Of OpenTelemetry; 0 if nothing is recorded.
  std::uint64_t id() const { return record_.id; }

 private:
  using Clock = std::chrono::steady_clock;

  Span(Tracer* tracer, std::string_view name, SpanAttributes attributes, Span const* parent) {
    if (!tracer || !tracer->is_on()) return;
    tracer_ = tracer;
    exceptions_ = std::uncaught_exceptions();
    outer_ = std::exchange(current(), this);
    record_.name = name;
    record_.id = tracer->new_id();
    record_.parent = parent ? parent->id() : parent_id();
    for (auto const& [key, value] : attributes) set(key, value);
    record_.begin = nanoseconds(std::chrono::system_clock::now().time_since_epoch());
    begun_ = Clock::now();
  }

  /// The innermost span of this thread.
  static Span*& current() {
    thread_local Span* span = nullptr;
    return span;
  }

  /// Of the innermost span around this one that has the same tracer.
  std::uint64_t parent_id() const {
    Span const* span = outer_;
    while (span && span->tracer_ != tracer_) span = span->outer_;
    return span ? span->id() : 0;
  }

  template <class Duration>
  static std::int64_t nanoseconds(Duration duration) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count();
  }

  /// A line that cannot be written is lost: a destructor does not throw.
  void end() noexcept {
    record_.end = record_.begin + nanoseconds(Clock::now() - begun_);
    record_.has_failed = std::uncaught_exceptions() > exceptions_;
    for (Span** span = &current(); *span; span = &(*span)->outer_) {
      if (*span != this) continue;
      *span = outer_;
      break;
    }
    try {
      tracer_->add(record_);
    } catch (std::exception const&) {
    }
  }

  Tracer* tracer_ = nullptr;
  Span* outer_ = nullptr;
  int exceptions_ = 0;
  Clock::time_point begun_{};
  internal::training::SpanRecord record_{};
};

}  // namespace tenon::training
