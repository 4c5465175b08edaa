// The part of tokenizer_reference.py in C++, called with a folder in TENON_REFERENCE.

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <tenon/io/tokenizer.hpp>

namespace tokenizer_reference_test {

using namespace tenon;

/// The bytes of a line of hexadecimal digits.
std::string bytes_of(std::string const& line) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < line.size(); i += 2)
    bytes += static_cast<char>(std::stoi(line.substr(i, 2), nullptr, 16));
  return bytes;
}

std::string hexadecimal(std::string const& bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string line;
  for (char const c : bytes) {
    auto const byte = static_cast<unsigned char>(c);
    line.append({digits[byte >> 4], digits[byte & 15u]});
  }
  return line;
}

TEST_CASE("for the reference: texts are tokenized" * doctest::skip()) {
  char const* const given = std::getenv("TENON_REFERENCE");
  REQUIRE(given != nullptr);
  std::filesystem::path const folder = given;
  Tokenizer const tokenizer(folder / "tokenizer.json");
  std::ifstream texts(folder / "texts");
  std::ofstream found(folder / "found");
  for (std::string line; std::getline(texts, line);) {
    auto const ids = tokenizer.encode(bytes_of(line));
    for (auto const id : ids) found << id << ' ';
    found << '|' << hexadecimal(tokenizer.decode(ids)) << '\n';
  }
}

}  // namespace tokenizer_reference_test
