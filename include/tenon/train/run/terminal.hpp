#pragma once

#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#if defined(_WIN32)
#include <io.h>
#else
#include <sys/ioctl.h>
#include <unistd.h>
#endif

namespace tenon::training {

/// A stream for people: complete lines, and on a terminal one more line that is updated in place
/// and stays the last. Several threads may write.
class Terminal {
 public:
  /// `columns` is the width of the terminal; 0: the stream is none.
  explicit Terminal(std::FILE* stream) : Terminal(stream, columns_of(stream)) {}
  Terminal(std::FILE* stream, int columns) : stream_(stream), columns_(columns) {}

  bool is_terminal() const { return columns_ > 0; }

  /// Writes a line above the one that is updated.
  void write_line(std::string_view line) {
    std::scoped_lock const lock(mutex_);
    if (!last_.empty()) put("\r\x1b[K");
    put(line);
    put("\n");
    if (!last_.empty()) put(last_);
    std::fflush(stream_);
  }

  /// Replaces the line that is updated; a stream that is no terminal gets a line of its own.
  void update(std::string_view line) {
    if (!is_terminal()) return write_line(line);
    std::scoped_lock const lock(mutex_);
    last_ = line.substr(0, static_cast<std::size_t>(columns_ - 1));
    put("\r");
    put(last_);
    put("\x1b[K");
    std::fflush(stream_);
  }

  /// Ends the line that is updated: the next text begins on a new one.
  void end_update() {
    std::scoped_lock const lock(mutex_);
    if (!last_.empty()) put("\n");
    last_.clear();
    std::fflush(stream_);
  }

 private:
  static int columns_of(std::FILE* stream) {
#if defined(_WIN32)
    return _isatty(_fileno(stream)) != 0 ? 80 : 0;
#else
    if (isatty(fileno(stream)) == 0) return 0;
    winsize size{};
    bool const is_known = ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    return is_known ? size.ws_col : 80;
#endif
  }

  void put(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stream_); }

  std::FILE* stream_;
  int columns_;
  std::mutex mutex_{};
  std::string last_{};
};

/// The terminal of the program: the standard error stream.
inline Terminal& console() {
  static Terminal terminal(stderr);
  return terminal;
}

}  // namespace tenon::training
