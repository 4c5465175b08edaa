// Signals as a flag: recorded, restored, ignored; the second ends the program.

#include <doctest/doctest.h>

#include <array>
#include <csignal>

#include <tenon/train/stop.hpp>

#if !defined(_WIN32)
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace stop_test {

using tenon::training::StopRequest;

namespace {

volatile std::sig_atomic_t heard = 0;

void hear(int signal) { heard = signal; }

/// A handler for the duration of one test.
class Former {
 public:
  explicit Former(int signal, void (*handler)(int) = hear)
      : signal_(signal), before_(std::signal(signal, handler)) {
    heard = 0;
  }
  Former(Former const&) = delete;
  Former& operator=(Former const&) = delete;
  ~Former() { std::signal(signal_, before_); }

 private:
  int signal_;
  void (*before_)(int);
};

}  // namespace

TEST_CASE("a signal is recorded, with its number") {
  for (int const signal : {SIGINT, SIGTERM}) {
    Former const former(signal);
    StopRequest const stop;
    CHECK_FALSE(stop);
    CHECK(stop.signal() == 0);
    std::raise(signal);
    CHECK(stop);
    CHECK(stop.signal() == signal);
    CHECK(heard == 0);
  }
}

TEST_CASE("former handlers are restored, and a new request has no signal") {
  Former const former(SIGINT);
  {
    StopRequest const stop;
    std::raise(SIGINT);
  }
  std::raise(SIGINT);
  CHECK(heard == SIGINT);
  StopRequest const next;
  CHECK_FALSE(next);
}

TEST_CASE("an ignored signal remains ignored") {
  Former const former(SIGINT, SIG_IGN);
  {
    StopRequest const stop;
    std::raise(SIGINT);
    CHECK_FALSE(stop);
  }
  std::raise(SIGINT);  // would end the program
}

TEST_CASE("several requests share the flag") {
  Former const former(SIGINT);
  StopRequest const outer;
  {
    StopRequest const inner;
    std::raise(SIGINT);
    CHECK(inner);
  }
  CHECK(outer);
  StopRequest const later;
  CHECK(later);
}

#if !defined(_WIN32)

TEST_CASE("the second signal ends the program, of whichever kind it is") {
  for (auto const& [first, second] :
       {std::array{SIGINT, SIGINT}, {SIGINT, SIGTERM}, {SIGTERM, SIGINT}}) {
    pid_t const child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      std::signal(SIGINT, SIG_DFL);
      std::signal(SIGTERM, SIG_DFL);
      StopRequest const stop;
      std::raise(first);
      if (!stop) _exit(3);
      std::raise(second);
      _exit(4);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == second);
  }
}

#endif

}  // namespace stop_test
