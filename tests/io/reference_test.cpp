// The part of safetensors_reference.py in C++, called with a folder in TENON_REFERENCE.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "folder.hpp"

#include <tenon/io/safetensors.hpp>
#include <tenon/tensor/complex.hpp>

namespace reference_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

/// A tensor of every dtype, in a nested tree, under the names that the script uses.
struct Saved {
  struct Floats {
    Float32<"row=3 column"> float32;
    Float64<"row=3 column"> float64;
    Float16<"row=3 column"> float16;
    std::optional<BFloat16<"row=3 column">> bfloat16;  // the Python package has none for NumPy
  } floats;
  struct Integers {
    Int8<"row=3 column"> int8;
    Int16<"row=3 column"> int16;
    Int32<"row=3 column"> int32;
    Int64<"row=3 column"> int64;
    UInt8<"row=3 column"> uint8;
    UInt16<"row=3 column"> uint16;
    UInt32<"row=3 column"> uint32;
    UInt64<"row=3 column"> uint64;
  } integers;
  std::array<Mask<"row=3 column">, 2> masks;
  Complex64<"row=3 column"> complex64;
  Float32<"none column"> empty;
  float rate = 0.125f;
  std::int64_t step = 7;
  bool done = true;
};

/// Bytes that both sides compute: 37 i + 11, and every third bool true.
void fill(std::byte* bytes, std::size_t count, bool is_bool) {
  for (std::size_t i = 0; i < count; ++i) bytes[i] = std::byte(is_bool ? i % 3 == 0 : i * 37 + 11);
}

Saved saved() {
  Saved prototype;
  prototype.floats.bfloat16.emplace();
  return tenon::tree::map<tenon::internal::tree::Stored>(
      []<class Leaf>(Leaf const& leaf) -> Leaf {
        if constexpr (is_tensor<Leaf>) {
          using T = typename Leaf::value_type;
          Leaf filled =
              Leaf::uninitialised({Leaf::shape[0].is_static() ? 3 : 0, 5, 1, 1, 1, 1, 1, 1});
          fill(reinterpret_cast<std::byte*>(filled.mutable_data()),
               static_cast<std::size_t>(filled.size()) * sizeof(T), std::is_same_v<T, bool>);
          return filled;
        } else {
          return leaf;
        }
      },
      prototype);
}

void check_equal(Saved const& a, Saved const& b) {
  tenon::tree::zip<tenon::internal::tree::Stored>(
      []<class Leaf>(tenon::internal::tree::Path const& path, Leaf const& x, Leaf const& y) {
        CAPTURE(path.text());
        if constexpr (is_tensor<Leaf>) {
          REQUIRE(x.sizes() == y.sizes());
          auto const bytes = static_cast<std::size_t>(x.size()) * sizeof(typename Leaf::value_type);
          CHECK((bytes == 0 || std::memcmp(x.data(), y.data(), bytes) == 0));
        } else {
          CHECK(x == y);
        }
      },
      a, b);
}

std::filesystem::path reference_folder() {
  char const* const folder = std::getenv("TENON_REFERENCE");
  REQUIRE(folder != nullptr);
  return folder;
}

}  // namespace

TEST_CASE("for the reference: a tree of every dtype is written" * doctest::skip()) {
  save(reference_folder() / "tenon.safetensors", saved(),
       {{"format", "tenon"}, {"note", "ä\"\\\n"}});
}

TEST_CASE("for the reference: the file of the reference program is read" * doctest::skip()) {
  auto const found = load<Saved>(reference_folder() / "python.safetensors");
  Saved wanted = saved();
  if (!found.floats.bfloat16) wanted.floats.bfloat16.reset();
  check_equal(found, wanted);
  CHECK(load_metadata(reference_folder() / "python.safetensors") ==
        Metadata{{"format", "np"}, {"note", "ä\"\\\n"}});
}

TEST_CASE("for the reference: damaged files are distinguished from good ones" * doctest::skip()) {
  std::vector<std::string> good;
  for (auto const& file : std::filesystem::directory_iterator(reference_folder() / "damaged")) {
    try {
      load_contents(file.path());
      good.push_back(file.path().filename().string());
    } catch (FileError const&) {
    }
  }
  std::ofstream out(reference_folder() / "good.txt");
  for (std::string const& name : good) out << name << "\n";
}

}  // namespace reference_test
