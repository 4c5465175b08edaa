// The line of progress, on a terminal and elsewhere, with a clock and a stream of the test.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>

#include <tenon/tenon.hpp>

#include <tenon/train/run.hpp>
#include <tenon/train/run/time_text.hpp>

#include "../io/folder.hpp"

namespace run_progress_test {

using namespace tenon;
using training::Progress;
using training::Terminal;

namespace {

/// A stream, the terminal on it, and a clock.
struct Output {
  Folder folder{};
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file{
      std::fopen((folder / "output").string().c_str(), "wb"), std::fclose};
  Terminal terminal;
  double time = 0;

  explicit Output(int columns) : terminal(file.get(), columns) {}

  training::ProgressOptions options() {
    return {.terminal = &terminal, .seconds = [this] { return time; }};
  }
  std::string text() const {
    std::fflush(file.get());
    return read_bytes(folder / "output");
  }
};

/// What a terminal shows in the end: `\r` goes to the start of the line, text overwrites.
std::string shown(std::string const& text) {
  std::string all, line;
  std::size_t at = 0;
  for (char const c : text) {
    if (c == '\r') at = 0;
    else if (c == '\n')
      all += line.substr(0, line.find_last_not_of(' ') + 1) + '\n', line.clear(), at = 0;
    else line.resize(std::max(line.size(), at + 1)), line[at++] = c;
  }
  return all + line.substr(0, line.find_last_not_of(' ') + 1);
}

}  // namespace

TEST_CASE("on a terminal one line is updated in place and ended") {
  Output output(80);
  auto options = output.options();
  options.items_per_step = 100, options.unit = "tokens";
  Progress progress(20, options);
  output.time = 4;
  CHECK_FALSE(progress.items_per_second());
  progress.step(8, "loss 0.5");
  CHECK(progress.items_per_second() == 200);
  CHECK(output.text() == "\rstep 8 of 20   loss 0.5   200 tokens/s   6 s left");
  output.time = 10;
  progress.step(20);
  CHECK(shown(output.text()) == "step 20 of 20   200 tokens/s   0 s left\n");
  CHECK(progress.seconds() == 10);
}

TEST_CASE("a terminal is updated ten times a second, and at the end") {
  Output output(80);
  Progress progress(1000, output.options());
  int calls = 0;
  for (int done = 1; done <= 1000; ++done) {
    output.time = done / 1024.0;
    progress.step(done, [&] { return ++calls, std::string("x"); });
  }
  CHECK(calls == 11);
}

TEST_CASE("elsewhere ten lines are written in all") {
  Output output(0);
  Progress progress(200, output.options());
  for (int done = 1; done <= 200; ++done) {
    output.time = done;
    progress.step(done);
  }
  std::string const text = output.text();
  CHECK(std::count(text.begin(), text.end(), '\n') == 10);
  CHECK(text.starts_with("step 20 of 200   3 min 00 s left\nstep 40 of 200   2 min 40 s left\n"));
  CHECK(text.ends_with("step 200 of 200   0 s left\n"));
  CHECK(text.find('\r') == text.npos);
}

TEST_CASE("elsewhere a line is written every so many steps, however many a call does") {
  Output output(0);
  auto options = output.options();
  options.every = 50;
  Progress progress(200, options);
  for (int done = 7; done < 200; done += 7) progress.step(done);
  std::string const text = output.text();
  CHECK(std::count(text.begin(), text.end(), '\n') == 3);
  for (auto const* line : {"step 56 of", "step 105 of", "step 154 of"})
    CHECK(text.find(line) != text.npos);
}

TEST_CASE("few steps have a line each") {
  Output output(0);
  Progress progress(3, output.options());
  for (int done = 1; done <= 3; ++done) progress.step(done);
  std::string const text = output.text();
  CHECK(std::count(text.begin(), text.end(), '\n') == 3);
}

TEST_CASE("steps of an earlier run do not count for the speed") {
  Output output(80);
  auto options = output.options();
  options.first = 50, options.items_per_step = 10;
  Progress progress(100, options);
  progress.step(50, "begun");
  CHECK(shown(output.text()) == "step 50 of 100   begun");
  output.time = 10;
  progress.step(60);
  CHECK(shown(output.text()) == "step 60 of 100   10 items/s   40 s left");
}

TEST_CASE("a clock that stands shows no speed, no steps are no division by zero") {
  Output output(80);
  auto options = output.options();
  options.items_per_step = 10;
  Progress progress(10, options);
  progress.step(1);
  CHECK(shown(output.text()) == "step 1 of 10   0 s left");
  Output other(0);
  Progress none(0, other.options());
  none.step(0);
  CHECK(other.text() == "step 0 of 0\n");
}

TEST_CASE("the line is cut to the width, between characters") {
  Output output(16);
  Progress progress(10, output.options());
  progress.step(1, "\xc3\xa4\xc3\xb6\xc3\xbc");
  CHECK(output.text() == "\rstep 1 of 10   ");
  output.terminal.update("123456789012\xc3\xa4\xc3\xb6\xc3\xbc!");
  CHECK(output.text().ends_with("\r123456789012\xc3\xa4\xc3\xb6\xc3\xbc"));
}

TEST_CASE("a shorter line leaves nothing of a longer one, control characters are escaped") {
  Output output(80);
  output.terminal.update("a long line");
  output.terminal.update("short");
  CHECK(shown(output.text()) == "short");
  output.terminal.update("\x1b[2J\n");
  CHECK(shown(output.text()) == "\\x1b[2J\\x0a");
}

TEST_CASE("lines of the log stand above the line of progress") {
  Output output(80);
  training::Logger const log({std::make_shared<training::ConsoleSink>(output.terminal)});
  Progress progress(10, output.options());
  log.info("begun");
  output.time = 1;
  progress.step(1, "loss 1");
  log.info("a");
  output.time = 2;
  progress.step(2, "loss 2");
  log.warn("b");
  std::string const text = shown(output.text());
  CHECK(text.find("begun\n") != text.npos);
  CHECK(text.find("[info] [rank 0] a\n") != text.npos);
  CHECK(text.ends_with("[warn] [rank 0] b\nstep 2 of 10   loss 2   8 s left"));
  CHECK(text.find("loss 1") == text.npos);
  progress.end();
  log.info("end");
  CHECK(shown(output.text()).find("8 s left\n") != text.npos);
  CHECK(shown(output.text()).ends_with("[rank 0] end\n"));
}

TEST_CASE("a progress that is interrupted ends its line, one that is not shown writes nothing") {
  Output output(80);
  {
    Progress progress(10, output.options());
    progress.step(1, "x");
  }
  CHECK(output.text().ends_with("left\n"));
  Output other(80);
  auto options = other.options();
  options.is_shown = false;
  {
    Progress progress(10, options);
    for (int done = 1; done <= 10; ++done) progress.step(done, "x");
  }
  CHECK(other.text() == "");
}

TEST_CASE("times left are in words") {
  using internal::training::duration_text;
  CHECK(duration_text(0) == "0 s");
  CHECK(duration_text(-3) == "0 s");
  CHECK(duration_text(59.4) == "59 s");
  CHECK(duration_text(59.6) == "1 min 00 s");
  CHECK(duration_text(185) == "3 min 05 s");
  CHECK(duration_text(7620) == "2 h 07 min");
  CHECK(duration_text(1e300) == "long");
  CHECK(duration_text(std::nan("")) == "long");
}

TEST_CASE("a file is no terminal") {
  Folder const folder;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> const file(
      std::fopen((folder / "f").string().c_str(), "wb"), std::fclose);
  CHECK_FALSE(Terminal(file.get()).is_terminal());
}

}  // namespace run_progress_test
