// The body of a program: exceptions and signals as an exit code and a line.

#include <doctest/doctest.h>

#if !defined(_WIN32)

#include <csignal>

#include <tenon/tenon.hpp>

#include <tenon/train/config/words.hpp>
#include <tenon/train/main.hpp>
#include <tenon/train/stop.hpp>

#include "child_process.hpp"

namespace main_test {

using namespace tenon;

TEST_CASE("the body of a program turns exceptions and signals into a code and a line") {
  using child_process::ended;
  char program[] = "folder/train", last[] = "--x";
  char* arguments[] = {program, last, nullptr};
  auto const run = [&](auto const& f) {
    return ended([&] { return training::main(2, arguments, f); });
  };
  struct {
    child_process::Ended is;
    int code;
    char const* errors;
  } const cases[] = {
      {run([] { throw ValueError("tenon::fit: \x1b[2J"); }), 1, "train: tenon::fit: \\x1b[2J\n"},
      {run([] { throw training::ConfigError("rate: expected a number"); }), 2,
       "train: rate: expected a number\n"},
      {run([] { throw 3; }), 1, "train: an exception that is no std::exception\n"},
      {run([](int count, char** all) { return count == 2 && all[1][2] == 'x'; }), 0, ""},
      {run([] {}), 0, ""},
      {run([] { return 7; }), 7, ""},
      {run([] { return false; }), 1, ""},
      {run([] {
         training::StopRequest const stop;
         std::raise(SIGTERM);
         return !stop;
       }),
       128 + SIGTERM, ""},
  };
  for (auto const& [is, code, errors] : cases) {
    CHECK(is.code == code);
    CHECK(is.errors == errors);
  }
}

}  // namespace main_test

#endif
