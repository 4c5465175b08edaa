#pragma once

#include <filesystem>

#include <tenon/core/config.hpp>
#include <tenon/train/run/line_file.hpp>
#include <tenon/train/run/sink.hpp>
#include <tenon/train/run/terminal.hpp>

namespace tenon::training {

/// Lines for people, on the standard error stream: `2026-11-26 12:00:00 [info] [rank 0] text`.
class ConsoleSink final : public Sink {
 public:
  explicit ConsoleSink(Terminal& terminal = console()) : terminal_(terminal) {}
  void write(LogRecord const& record) override;

 private:
  Terminal& terminal_;
};

/// The same lines, appended to a file. Throws `FileError` where it cannot be written.
class FileSink final : public Sink {
 public:
  explicit FileSink(std::filesystem::path const& path) : file_(path, "Logger") {}
  void write(LogRecord const& record) override;

 private:
  internal::training::LineFile file_;
};

/// Lines of JSON for machines, appended to a file: `{"time": 1.8e9, "level": "info", "rank": 0,
/// "text": "loss 0.5"}`. Throws `FileError` where it cannot be written.
class JsonSink final : public Sink {
 public:
  explicit JsonSink(std::filesystem::path const& path) : file_(path, "Logger") {}
  void write(LogRecord const& record) override;

 private:
  internal::training::LineFile file_;
};

}  // namespace tenon::training

#if TENON_DEFINES_RUNTIME

#include <string>
#include <string_view>

#include <tenon/train/run/json_text.hpp>
#include <tenon/train/run/time_text.hpp>

namespace tenon::internal::training {

/// "2026-11-26 12:00:00 [info] [rank 0] loss 0.5"
inline std::string line_of(tenon::training::LogRecord const& record) {
  std::string line = time_text(record.time, "%Y-%m-%d %H:%M:%S");
  line.append(" [").append(level_name(record.level)).append("] [rank ");
  return line.append(std::to_string(record.rank)).append("] ").append(record.text);
}

/// The members of a line of JSON.
struct JsonRecord {
  double time;  // seconds since 1970
  std::string_view level;
  int rank;
  std::string_view text;
};

}  // namespace tenon::internal::training

namespace tenon::training {

TENON_RUNTIME void ConsoleSink::write(LogRecord const& record) {
  terminal_.write_line(internal::training::line_of(record));
}

TENON_RUNTIME void FileSink::write(LogRecord const& record) {
  file_.write_line(internal::training::line_of(record));
}

TENON_RUNTIME void JsonSink::write(LogRecord const& record) {
  using namespace internal::training;
  file_.write_line(to_json(
      JsonRecord{unix_seconds(record.time), level_name(record.level), record.rank, record.text}));
}

}  // namespace tenon::training

#endif
