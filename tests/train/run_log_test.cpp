// sanitize: thread
// The log: levels, texts with values, sinks, lines that stay whole.

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/io/json/value.hpp>
#include <tenon/train/run.hpp>

#include "../io/folder.hpp"

namespace run_log_test {

using namespace tenon;
using training::Logger;
using training::LogLevel;
using training::LogRecord;

namespace {

/// Keeps "level rank text".
struct Kept final : training::Sink {
  std::vector<std::string> lines{};

  void write(LogRecord const& record) override {
    std::string line(internal::training::level_name(record.level));
    line += ' ' + std::to_string(record.rank) + ' ';
    lines.push_back(line.append(record.text));
  }
};

/// The texts that a call logs on a level.
template <class F>
std::vector<std::string> logged(LogLevel level, F const& call) {
  auto const sink = std::make_shared<Kept>();
  Logger log({sink}, level, 3);
  call(log);
  return sink->lines;
}

/// One text that is logged.
template <class... Values>
std::string text_of(std::string_view text, Values const&... values) {
  return logged(LogLevel::info, [&](Logger const& log) { log.info(text, values...); })
      .at(0)
      .substr(7);
}

void log_all(Logger const& log) {
  log.trace("a"), log.debug("b"), log.info("c"), log.warn("d"), log.error("e");
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("records below the level are left out") {
  Lines const all{"trace 3 a", "debug 3 b", "info 3 c", "warn 3 d", "error 3 e"};
  for (int level = 0; level <= 5; ++level)
    CHECK(logged(static_cast<LogLevel>(level), log_all) == Lines(all.begin() + level, all.end()));
  CHECK(logged(LogLevel::trace, [](Logger const& log) { log.log(LogLevel::off, "x"); }).empty());
}

TEST_CASE("the level changes while a log is used") {
  auto const sink = std::make_shared<Kept>();
  Logger log({sink});
  CHECK(log.level() == LogLevel::info);
  log.set_level(LogLevel::error);
  log.info("a");
  log.set_level(LogLevel::trace);
  log.trace("b");
  CHECK(sink->lines == Lines{"trace 0 b"});
}

TEST_CASE("braces are replaced by values in order, further values are appended") {
  CHECK(text_of("epoch {}: loss {}", 3, 0.25) == "epoch 3: loss 0.25");
  CHECK(text_of("{}{}", std::string("a"), "b") == "ab");
  CHECK(text_of("loss", 0.5, true) == "loss 0.5 true");
  CHECK(text_of("{} and {}", 1) == "1 and {}");
  CHECK(text_of("{}", "{}") == "{}");
  CHECK(text_of("{} {}", "{}", 'x') == "{} x");
  CHECK(text_of("") == "");
  CHECK(text_of("{}", 1.0 / 3) == "0.333333");
  CHECK(text_of("{} {}", std::nan(""), -1e300) == "nan -1e+300");
  CHECK(text_of("{}", std::int64_t{-9'223'372'036'854'775'807}) == "-9223372036854775807");
}

TEST_CASE("control characters cannot break a line") {
  CHECK(text_of("b{}", "\r\x1b[2J\x7f") == "b\\x0d\\x1b[2J\\x7f");
  CHECK(text_of(std::string_view("a\0b", 3)) == "a\\x00b");
}

TEST_CASE("a text of several lines is a record for each") {
  auto const lines = logged(LogLevel::info, [](Logger& log) {
    log.info("a\n{}\n", "\nb\tc");
    log.info("\n");
    log.info("");
  });
  CHECK(lines == Lines{"info 3 a", "info 3 ", "info 3 b\\x09c", "info 3 ", "info 3 "});
}

TEST_CASE("lines of files have the time, the level and the rank") {
  Folder const folder;
  Logger log({std::make_shared<training::FileSink>(folder / "log")}, LogLevel::info, 12);
  log.warn("loss {}", 0.5);
  std::string const line = read_bytes(folder / "log");
  CHECK(line.substr(19) == " [warn] [rank 12] loss 0.5\n");
  CHECK(line[4] == '-');
  CHECK(line[13] == ':');
}

TEST_CASE("a file is appended to") {
  Folder const folder;
  write_bytes(folder / "log", "before\n");
  Logger({std::make_shared<training::FileSink>(folder / "log")}).info("after");
  std::string const text = read_bytes(folder / "log");
  CHECK(text.starts_with("before\n"));
  CHECK(text.ends_with("after\n"));
}

TEST_CASE("a file that cannot be opened is refused") {
  Folder const folder;
  CHECK(words_of<FileError>([&] { training::FileSink(folder / "none/log"); }) ==
        "tenon::Logger: expected a file that can be written, got No such file or directory (log)");
}

TEST_CASE("lines of JSON have the members of a record") {
  Folder const folder;
  Logger log({std::make_shared<training::JsonSink>(folder / "log.jsonl")}, LogLevel::info, 1);
  log.error("a \"{}\"\t\xff", "b");
  std::string const line = read_bytes(folder / "log.jsonl");
  CHECK(line.starts_with("{\"time\": "));
  CHECK(
      line.ends_with(", \"level\": \"error\", \"rank\": 1, \"text\": \"a \\\"b\\\"\\\\x09"
                     "\xef\xbf\xbd\"}\n"));
}

TEST_CASE("all sinks get a record, also one that is added later") {
  auto const first = std::make_shared<Kept>(), second = std::make_shared<Kept>();
  Logger log({first});
  log.info("a");
  log.add_sink(second);
  log.info("b");
  CHECK(first->lines == Lines{"info 0 a", "info 0 b"});
  CHECK(second->lines == Lines{"info 0 b"});
  Logger({}).info("nowhere");
}

TEST_CASE("every so many steps are logged, with the metrics that are given") {
  auto const lines = logged(LogLevel::info, [](Logger& log) {
    log.set_every(10);
    for (int step = 0; step <= 20; ++step) log.log_step({.step = step, .loss = 0.5});
    log.log_step({.epoch = 2, .accuracy = 0.9, .seconds = 1.5});
    log.set_every(0);
    log.log_step(
        {.step = 7, .loss = 0.25, .rate = 1e-3, .gradient_norm = 0.7, .items_per_second = 1234567});
  });
  CHECK(lines ==
        Lines{"info 3 step 0, loss 0.5", "info 3 step 10, loss 0.5", "info 3 step 20, loss 0.5",
              "info 3 epoch 2, accuracy 0.9, 1.5 s",
              "info 3 step 7, loss 0.25, rate 0.001, gradient norm 0.7, 1.23457e+06 items/s"});
  CHECK(logged(LogLevel::warn, [](Logger& log) { log.log_step({.step = 0}); }).empty());
}

TEST_CASE("threads write whole lines, in one order to all sinks") {
  Folder const folder;
  auto const kept = std::make_shared<Kept>();
  Logger log({kept, std::make_shared<training::FileSink>(folder / "log")});
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&log, t] {
      for (int i = 0; i < 100; ++i) log.info("thread {} line {} {}", t, i, std::string(200, 'x'));
    });
  for (auto& thread : threads) thread.join();
  REQUIRE(kept->lines.size() == 400);
  std::string const text = read_bytes(folder / "log");
  std::size_t at = 0;
  for (auto const& line : kept->lines) {
    std::size_t const end = text.find('\n', at);
    REQUIRE(end != std::string::npos);
    CHECK(text.substr(at + 36, end - at - 36) == line.substr(7));
    at = end + 1;
  }
  CHECK(at == text.size());
}

}  // namespace run_log_test
