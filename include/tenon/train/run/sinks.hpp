#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include <tenon/train/run/json_text.hpp>
#include <tenon/train/run/line_file.hpp>
#include <tenon/train/run/log_record.hpp>
#include <tenon/train/run/terminal.hpp>

namespace tenon::training {

/// Where log records go. A sink of the user's derives from it; several threads may call it.
class LogSink {
 public:
  LogSink() = default;
  LogSink(LogSink const&) = delete;
  LogSink& operator=(LogSink const&) = delete;
  virtual ~LogSink() = default;
  virtual void write(LogRecord const& record) = 0;
};

}  // namespace tenon::training

namespace tenon::internal::training {

using tenon::training::LogRecord;
using tenon::training::LogSink;
using tenon::training::Terminal;

/// "2026-11-26 12:00:00 [info] [rank 0] loss 0.5"
inline std::string line_of(LogRecord const& record) {
  std::string line = time_text(record.time, "%Y-%m-%d %H:%M:%S");
  line.append(" [").append(level_name(record.level)).append("] [rank ");
  return line.append(std::to_string(record.rank)).append("] ").append(record.text);
}

}  // namespace tenon::internal::training

namespace tenon::training {

/// Lines for people, on the console.
class ConsoleSink final : public LogSink {
 public:
  explicit ConsoleSink(Terminal& terminal = console()) : terminal_(terminal) {}
  void write(LogRecord const& record) override {
    terminal_.write_line(internal::training::line_of(record));
  }

 private:
  Terminal& terminal_;
};

/// Lines for people, appended to a file; each is on the disk's cache when the call returns.
class FileSink final : public LogSink {
 public:
  explicit FileSink(std::filesystem::path const& path) : file_(path, "log") {}
  void write(LogRecord const& record) override {
    file_.write_line(internal::training::line_of(record));
  }

 private:
  internal::training::LineFile file_;
};

/// Lines of JSON for machines, appended to a file: `{"time": …, "level": "info", "rank": 0,
/// "text": "…"}`.
class JsonSink final : public LogSink {
 public:
  explicit JsonSink(std::filesystem::path const& path) : file_(path, "log") {}
  void write(LogRecord const& record) override {
    struct Line {
      double time;
      std::string_view level;
      int rank;
      std::string_view text;
    };
    using namespace internal::training;
    file_.write_line(to_json(
        Line{unix_seconds(record.time), level_name(record.level), record.rank, record.text}));
  }

 private:
  internal::training::LineFile file_;
};

}  // namespace tenon::training
