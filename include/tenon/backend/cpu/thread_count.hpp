#pragma once

#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

#include <tenon/backend/cpu/thread.hpp>
#include <tenon/core/error.hpp>

/// The limits and the default of the number of threads.
namespace tenon::internal::thread_count {

inline constexpr int most = 1024;

constexpr bool fits(int count) { return count >= 1 && count <= most; }

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse(std::string_view who,
                                                          std::string_view what,
                                                          std::string_view got) {
  std::string const expected = concatenate({"a number of threads from 1 to ", decimal(most)});
  fail<ValueError>({.who = who, .what = what, .expected = expected, .got = got});
}

inline int parse(std::string_view text) {
  int count = 0;
  auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), count);
  bool const whole = failed == std::errc() && end == text.data() + text.size();
  if (!whole || !fits(count)) refuse("threads", "TENON_THREADS", text);
  return count;
}

/// TENON_THREADS, otherwise the number of hardware threads.
[[gnu::cold]] inline int initial() {
  if (char const* const given = std::getenv("TENON_THREADS")) return parse(given);
  long const count = Thread::hardware_threads();
  return count < 1 ? 1 : count > most ? most : static_cast<int>(count);
}

}  // namespace tenon::internal::thread_count
