// The line of the source that the message of a check contains. (Compiled with debug information.)

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/train/inspect.hpp>
#include <tenon/train/inspect/source_line.hpp>
#include <tenon/train/run/command.hpp>

namespace inspect_source_test {

using namespace tenon;
using namespace tenon::training;

namespace {

using Vector = Float32<"n">;

bool has_addr2line() { return internal::training::output_of("addr2line --version").has_value(); }

/// The message of a check that fails within `f`.
template <class F>
std::string message_of(F const& f) {
  FiniteChecks const checks;
  try {
    f();
  } catch (NotFiniteError const& error) {
    return error.what();
  }
  return "nothing thrown";
}

std::string here(int line) { return "inspect_source_test.cpp:" + std::to_string(line) + ")"; }

}  // namespace

#if defined(__ELF__) && defined(__GLIBC__)

TEST_CASE("the message of a check ends with the line that evaluates the expression") {
  if (!has_addr2line()) return;
  auto const message = message_of([] {
    Vector const x(std::vector<float>(100, 0.0f), 100);
    auto const logarithm = log(x);
    Vector const y = logarithm + 1;  // the line
  });
  CHECK_MESSAGE(message.ends_with(here(__LINE__ - 2)), message);
}

TEST_CASE("of a backward it is the line that asks for the gradient") {
  if (!has_addr2line()) return;
  Vector const x(std::vector<float>(100, 0.0f), 100);
  auto const loss = [](Vector const& v) { return sum(sqrt(v)); };
  auto const message = message_of([&] { (void)grad(loss)(x); });
  CHECK_MESSAGE(message.ends_with(here(__LINE__ - 1)), message);
}

#endif

TEST_CASE("lines of Tenon, of the system, and unknown ones are not the user's") {
  using internal::training::first_of_user;
  std::string const own(internal::training::own_sources());
  CHECK(own.ends_with("/tenon/"));
  CHECK(first_of_user("??:0\n" + own +
                      "eval/kernel.hpp:3\n/usr/include/c++/12/tuple:7\nmain.cpp:?\n" +
                      "main.cpp:12 (discriminator 3)\nmain.cpp:9\n") == "main.cpp:12");
  CHECK(first_of_user("/usr/src/app (1)/main.cpp:4\n") == "/usr/src/app (1)/main.cpp:4");
  CHECK(first_of_user("/opt/gcc/include/c++/12/tuple:4\n/usr/lib/gcc/x.h:3\n").empty());
  CHECK(first_of_user("").empty());
  CHECK(first_of_user("??:?").empty());
  CHECK(internal::training::shell_word("a'b c") == "'a'\\''b c'");
}

}  // namespace inspect_source_test
