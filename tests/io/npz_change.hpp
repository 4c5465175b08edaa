#pragma once

// Malformed npz files are changes of a file with one member of four bytes, and the expected
// message.

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

#include "npz_builder.hpp"

struct MalformedNpz {
  std::function<void(npz_builder::Zip&, npz_builder::Member&)> change;
  std::string_view words;
  bool compressed = false;
};

namespace npz_malformed {

using npz_builder::Member;
using npz_builder::MemberFields;
using npz_builder::RecordText;
using npz_builder::Zip;

/// A zip64 extra field with these numbers.
inline std::string numbers64(std::initializer_list<std::uint64_t> numbers) {
  RecordText text;
  text.two(1).two(8 * numbers.size());
  for (std::uint64_t const number : numbers) text.eight(number);
  return text.all();
}

}  // namespace npz_malformed
