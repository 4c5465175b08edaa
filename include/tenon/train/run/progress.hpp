#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/train/run/terminal.hpp>

namespace tenon::training {

/// What `Progress` shows, and where.
struct ProgressOptions {
  std::int64_t first = 0;                     ///< Steps that an earlier run has done.
  double items_per_step = 0;                  ///< For the throughput; 0: none is shown.
  std::string_view unit = "items";            ///< Of the throughput: "tokens".
  std::int64_t every = 0;                     ///< Steps per line off a terminal; 0: a tenth.
  bool is_shown = true;                       ///< Of many ranks, for one: `world.rank() == 0`.
  Terminal* terminal = nullptr;               ///< None: the console, as of the log.
  std::function<double()> seconds = nullptr;  ///< A clock; none: that of the system.
};

/// One line about the progress of training: steps, a text of the caller's, the throughput, the time
/// left. On a terminal it is updated in place ten times a second, below the lines of the log;
/// elsewhere ten lines are written in all. Of one thread. Python: `tqdm`.
class Progress {
 public:
  explicit Progress(std::int64_t steps, ProgressOptions options = {});
  Progress(Progress const&) = delete;
  Progress& operator=(Progress const&) = delete;
  ~Progress() { end(); }

  /// Called after every step with the number of steps done; `text` is called if a line is due.
  template <class Text>
    requires requires(Text const& text) { std::string(text()); }
  void step(std::int64_t done, Text const& text) {
    if (advance(done)) show(std::string(text()));
  }
  void step(std::int64_t done, std::string_view text = "") {
    if (advance(done)) show(std::string(text));
  }

  /// Ends the line: further text begins on a new one.
  void end();

  /// Since the construction.
  double seconds() const { return now() - started_; }

  /// The throughput, of all steps since the construction, as the line shows it; none without
  /// `items_per_step`, and before the first step.
  std::optional<double> items_per_second() const;

 private:
  double now() const;
  bool advance(std::int64_t done);
  bool is_due() const;
  void show(std::string const& text);
  std::string line(std::string const& text) const;

  std::int64_t steps_;
  ProgressOptions options_;
  Terminal& terminal_;
  std::int64_t every_;
  std::int64_t done_;
  std::int64_t shown_step_;
  double started_;
  double shown_ = -1e300;
};

}  // namespace tenon::training

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <utility>

#include <tenon/train/run/time_text.hpp>

namespace tenon::training {

TENON_RUNTIME Progress::Progress(std::int64_t steps, ProgressOptions options)
    : steps_(steps),
      options_(std::move(options)),
      terminal_(options_.terminal ? *options_.terminal : console()),
      every_(std::max<std::int64_t>(options_.every > 0 ? options_.every : steps / 10, 1)),
      done_(options_.first),
      shown_step_(options_.first),
      started_(now()) {}

TENON_RUNTIME void Progress::end() {
  if (options_.is_shown) terminal_.end_update();
}

TENON_RUNTIME std::optional<double> Progress::items_per_second() const {
  double const items = options_.items_per_step * static_cast<double>(done_ - options_.first);
  double const time = seconds();
  return items > 0 && time > 0 ? std::optional(items / time) : std::nullopt;
}

TENON_RUNTIME double Progress::now() const {
  if (options_.seconds) return options_.seconds();
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

/// Whether a line is due.
TENON_RUNTIME bool Progress::advance(std::int64_t done) {
  done_ = done;
  if (!options_.is_shown || !is_due()) return false;
  shown_ = now();
  shown_step_ = done;
  return true;
}

TENON_RUNTIME bool Progress::is_due() const {
  if (done_ == steps_) return true;
  if (terminal_.is_terminal()) return now() - shown_ > 0.1;
  return done_ / every_ > shown_step_ / every_;
}

TENON_RUNTIME void Progress::show(std::string const& text) {
  terminal_.update(line(text));
  if (done_ == steps_) end();
}

TENON_RUNTIME std::string Progress::line(std::string const& text) const {
  std::string all = "step " + std::to_string(done_) + " of " + std::to_string(steps_);
  if (!text.empty()) all += "   " + text;
  if (done_ <= options_.first) return all;  // no speed yet
  double const each = seconds() / static_cast<double>(done_ - options_.first);
  if (auto const throughput = items_per_second()) {
    std::array<char, 64> speed{};
    std::snprintf(speed.data(), speed.size(), "   %.0f ", *throughput);
    all.append(speed.data()).append(options_.unit).append("/s");
  }
  double const left = each * static_cast<double>(std::max<std::int64_t>(steps_ - done_, 0));
  return all + "   " + internal::training::duration_text(left) + " left";
}

}  // namespace tenon::training

#endif
