#pragma once

#include <cstddef>
#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>

namespace tenon::training {

/// A stream for people: complete lines, and on a terminal one more line that is updated in place
/// and stays the last. Several threads may write. All writers of one terminal share one object.
class Terminal {
 public:
  explicit Terminal(std::FILE* stream);
  /// Of a given width; 0: the stream is no terminal.
  Terminal(std::FILE* stream, int columns)
      : stream_(stream), columns_(columns), is_terminal_(columns > 0) {}

  bool is_terminal() const { return is_terminal_; }

  /// Writes a line above the one that is updated.
  void write_line(std::string_view line);

  /// Replaces the line that is updated, truncated to the width; a stream that is no terminal gets
  /// a new line for each call. Control characters are escaped.
  void update(std::string_view line);

  /// Ends the line that is updated: the next text begins on a new one.
  void end_update();

 private:
  std::size_t width() const;
  void replace_last(std::string_view line);
  void put(std::string_view text);

  std::FILE* stream_;
  int columns_ = 0;
  bool is_terminal_;
  std::mutex mutex_{};
  std::string last_{};
};

}  // namespace tenon::training

namespace tenon::internal::training {

/// The terminal of the program: the standard error stream.
tenon::training::Terminal& console();

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::console;

}  // namespace tenon::training

#if TENON_DEFINES_RUNTIME

#include <algorithm>

#if defined(_WIN32)
#include <io.h>
#else
#include <sys/ioctl.h>
#include <unistd.h>
#endif

#include <tenon/core/error.hpp>
#include <tenon/io/utf8.hpp>

namespace tenon::internal::training {

/// The width of the terminal that a stream goes to; 0 where it goes to none.
inline int columns_of(std::FILE* stream) {
#if defined(_WIN32)
  return _isatty(_fileno(stream)) != 0 ? 80 : 0;
#else
  if (isatty(fileno(stream)) == 0) return 0;
  winsize size{};
  bool const is_known = ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return is_known ? size.ws_col : 80;
#endif
}

/// The longest prefix of a text that fits into a number of columns; each character takes one. (A
/// byte that is not UTF-8 counts as a character.)
inline std::string_view fitting(std::string_view text, std::size_t columns) {
  std::size_t end = 0;
  for (; columns > 0 && end < text.size(); --columns)
    end += std::max<std::size_t>(utf8_length(text.substr(end)), 1);
  return text.substr(0, end);
}

/// The number of columns of a text.
inline std::size_t width_of(std::string_view text) {
  std::size_t columns = 0;
  for (; !text.empty(); ++columns) text.remove_prefix(std::max<std::size_t>(utf8_length(text), 1));
  return columns;
}

TENON_RUNTIME tenon::training::Terminal& console() {
  static tenon::training::Terminal terminal(stderr);
  return terminal;
}

}  // namespace tenon::internal::training

namespace tenon::training {

TENON_RUNTIME Terminal::Terminal(std::FILE* stream)
    : stream_(stream), is_terminal_(internal::training::columns_of(stream) > 0) {}

TENON_RUNTIME void Terminal::write_line(std::string_view line) {
  std::scoped_lock const lock(mutex_);
  std::string const last = last_;
  replace_last("");
  put(std::string(line) + "\n");
  if (!last.empty()) replace_last(last);
  std::fflush(stream_);
}

TENON_RUNTIME void Terminal::update(std::string_view line) {
  std::string const text = internal::escaped(line);
  if (!is_terminal()) return write_line(text);
  std::scoped_lock const lock(mutex_);
  replace_last(internal::training::fitting(text, width() - 1));
  std::fflush(stream_);
}

TENON_RUNTIME void Terminal::end_update() {
  std::scoped_lock const lock(mutex_);
  if (!last_.empty()) put("\n");
  last_.clear();
  std::fflush(stream_);
}

/// The window may have got another width.
TENON_RUNTIME std::size_t Terminal::width() const {
  int const columns = columns_ > 0 ? columns_ : internal::training::columns_of(stream_);
  return static_cast<std::size_t>((std::max)(columns, 2));
}

/// Overwrites the last line; the rest of a longer one by spaces, which every terminal knows.
TENON_RUNTIME void Terminal::replace_last(std::string_view line) {
  using internal::training::width_of;
  std::size_t const before = width_of(last_), after = width_of(line);
  if (before == 0 && after == 0) return;
  std::string text = "\r" + std::string(line);
  if (before > after) text.append(before - after, ' ');
  if (line.empty()) text += '\r';
  put(text);
  last_ = line;
}

TENON_RUNTIME void Terminal::put(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stream_);
}

}  // namespace tenon::training

#endif
