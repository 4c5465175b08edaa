#pragma once

// What the tests of devices use of doctest, for a machine that does not have it. A program runs one
// case: `./test --list` prints the names of all, `./test 3` runs the third from 0, so that a kernel
// that fails, which loses the device for its process, fails one case only.

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

namespace doctest {

struct Case {
  char const* name;
  void (*run)();
};
inline std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}
struct Registered {
  Registered(char const* name, void (*run)()) { cases().push_back({name, run}); }
};

struct Abandoned {};  ///< Thrown by a requirement that does not hold.

inline int failures = 0;
inline std::vector<std::function<void(std::ostream&)>> context;

struct Scope {
  explicit Scope(std::function<void(std::ostream&)> write) { context.push_back(std::move(write)); }
  Scope(Scope const&) = delete;
  Scope& operator=(Scope const&) = delete;
  ~Scope() { context.pop_back(); }
};

/// Reports a failure, with its context; only the first ones of a case, which may check each
/// element.
inline void fail(char const* file, int line, std::string const& text) {
  constexpr int most = 20;
  if (++failures > most) return;
  std::cout << file << ":" << line << ": " << text << "\n";
  for (auto const& write : context) std::cout << "  ", write(std::cout), std::cout << "\n";
  std::cout.flush();
}
inline void check(bool holds, char const* file, int line, char const* text) {
  if (!holds) fail(file, line, std::string("does not hold: ") + text);
}
inline void require(bool holds, char const* file, int line, char const* text) {
  check(holds, file, line, text);
  if (!holds) throw Abandoned();
}

/// A number up to a relative difference, as doctest defines it.
class Approx {
 public:
  explicit Approx(double value) : value_(value) {}
  Approx& epsilon(double epsilon) { return epsilon_ = epsilon, *this; }
  friend bool operator==(double x, Approx const& y) {
    return std::fabs(x - y.value_) < y.epsilon_ * (1 + std::max(std::fabs(x), std::fabs(y.value_)));
  }

 private:
  double value_, epsilon_ = 1.2e-5;
};

/// Calls `f`, which shall throw an `E`, with these words if any are given.
template <class E, class F>
void throws(F const& f, char const* words, char const* file, int line) {
  try {
    f();
    fail(file, line, "nothing was thrown");
  } catch (E const& error) {
    bool const is_same = words == nullptr || std::strcmp(error.what(), words) == 0;
    if (!is_same) fail(file, line, std::string("thrown: ") + error.what() + "\nexpected: " + words);
  }
}

inline void run(Case const& one) {
  try {
    one.run();
  } catch (Abandoned const&) {
  } catch (std::exception const& error) {
    fail(one.name, 0, std::string("thrown: ") + error.what());
  }
}

inline int main(int count, char** words) {
  if (count != 2) return 2;
  if (std::strcmp(words[1], "--list") == 0) {
    for (Case const& one : cases()) std::cout << one.name << "\n";
    return 0;
  }
  run(cases().at(static_cast<std::size_t>(std::atoi(words[1]))));
  if (failures > 0) std::cout << failures << " checks failed\n";
  std::cout.flush();
  return failures > 0 ? 1 : 0;
}

}  // namespace doctest

#define DOCTEST_PASTED(a, b) a##b
#define DOCTEST_PASTE(a, b) DOCTEST_PASTED(a, b)
#define DOCTEST_OWN(name) DOCTEST_PASTE(name, __LINE__)
#define TEST_CASE(text)                                                                           \
  static void DOCTEST_OWN(doctest_case_)();                                                       \
  static doctest::Registered const DOCTEST_OWN(doctest_entry_)(text, DOCTEST_OWN(doctest_case_)); \
  static void DOCTEST_OWN(doctest_case_)()
#define INFO(text) \
  doctest::Scope const DOCTEST_OWN(doctest_scope_)([&](std::ostream& out) { out << text; })
#define MESSAGE(text) (void)(std::cout << text << "\n")
#define FAIL(text) doctest::fail(__FILE__, __LINE__, text)
#define CHECK(...) doctest::check(static_cast<bool>(__VA_ARGS__), __FILE__, __LINE__, #__VA_ARGS__)
#define CHECK_FALSE(...) CHECK(!(__VA_ARGS__))
#define REQUIRE(...) \
  doctest::require(static_cast<bool>(__VA_ARGS__), __FILE__, __LINE__, #__VA_ARGS__)
#define CHECK_NOTHROW(...) __VA_ARGS__
#define CHECK_THROWS_AS(call, type) \
  doctest::throws<type>([&] { (void)(call); }, nullptr, __FILE__, __LINE__)
#define CHECK_THROWS_WITH_AS(call, words, type) \
  doctest::throws<type>([&] { (void)(call); }, words, __FILE__, __LINE__)

#ifdef DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
int main(int count, char** words) { return doctest::main(count, words); }
#endif
