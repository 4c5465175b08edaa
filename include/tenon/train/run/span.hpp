#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include <tenon/core/config.hpp>
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

#include <exception>
#include <utility>

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
