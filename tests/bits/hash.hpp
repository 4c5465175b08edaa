#pragma once

// The hashes of a program's results, by test case and name. Without tensors: tests/main.cpp
// includes it.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>

namespace bits {

/// FNV-1a of 64 bits.
class Hash {
 public:
  void add(void const* bytes, std::size_t count) {
    auto const* const from = static_cast<unsigned char const*>(bytes);
    for (std::size_t i = 0; i < count; ++i) value_ = (value_ ^ from[i]) * 1099511628211u;
  }
  void add(std::int64_t number) { add(&number, sizeof(number)); }

  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 14695981039346656037u;
};

/// The file to which the hashes are written, from the environment; null if nothing is recorded.
inline char const* file() {
  static char const* const name = std::getenv("TENON_BITS");
  return name != nullptr && *name != '\0' ? name : nullptr;
}

struct Records {
  std::string test_case;                                   ///< The running one.
  std::map<std::pair<std::string, std::string>, Hash> of;  ///< By test case and name.
};

inline Records& records() {
  static Records all;
  return all;
}

/// The hash of a name in the running test case.
inline Hash& hash_of(std::string const& name) { return records().of[{records().test_case, name}]; }

}  // namespace bits
