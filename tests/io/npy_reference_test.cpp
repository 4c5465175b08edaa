// The part of numpy_reference.py on npy files in C++, called with a folder in TENON_REFERENCE.

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>

#include "filled.hpp"

#include <tenon/io/npy.hpp>
#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

namespace npy_reference_test {

using namespace tenon;
namespace npy = tenon::npy;  // not that of `internal`, which other tests use

namespace {

std::filesystem::path reference_folder() {
  char const* const folder = std::getenv("TENON_REFERENCE");
  REQUIRE(folder != nullptr);
  return folder;
}

/// Loads the arrays of a type, compares them with what is mapped, and saves them.
template <class X>
int pass_on() {
  int passed = 0;
  std::string const start = std::string(internal::dtype_name<typename X::value_type>) + "_" +
                            std::to_string(X::rank) + "_";
  for (auto const& file : std::filesystem::directory_iterator(reference_folder() / "in")) {
    std::string const name = file.path().filename().string();
    if (!name.starts_with(start)) continue;
    CAPTURE(name);
    X const loaded = npy::load<X>(file.path());
    npy::save(reference_folder() / "loaded" / name, loaded);
    npy::Mapped<X> const mapped(file.path());
    X const copied = mapped.view();
    CHECK(same_bits(loaded, copied));
    ++passed;
  }
  return passed;
}

template <class T>
int pass_on_all() {
  return pass_on<Tensor<T, "">>() + pass_on<Tensor<T, "a">>() + pass_on<Tensor<T, "a b">>() +
         pass_on<Tensor<T, "a b c">>() + pass_on<Tensor<T, "a b c d">>() +
         pass_on<Tensor<T, "a b c d e">>() + pass_on<Tensor<T, "a b c d e f">>();
}

}  // namespace

TEST_CASE("for the reference: arrays of NumPy are loaded or mapped and saved" * doctest::skip()) {
  int const passed = pass_on_all<float>() + pass_on_all<double>() + pass_on_all<float16>() +
                     pass_on_all<bfloat16>() + pass_on_all<bool>() + pass_on_all<std::int8_t>() +
                     pass_on_all<std::int16_t>() + pass_on_all<std::int32_t>() +
                     pass_on_all<std::int64_t>() + pass_on_all<std::uint8_t>() +
                     pass_on_all<std::uint16_t>() + pass_on_all<std::uint32_t>() +
                     pass_on_all<std::uint64_t>() + pass_on_all<std::complex<float>>() +
                     pass_on_all<std::complex<double>>();
  auto const files = std::filesystem::directory_iterator(reference_folder() / "in");
  CHECK(passed == std::distance(files, {}));
}

TEST_CASE("for the reference: damaged npy files are refused or loaded" * doctest::skip()) {
  for (auto const& file : std::filesystem::directory_iterator(reference_folder() / "in")) {
    try {
      auto const loaded = npy::load<Int16<"a b">>(file.path());
      npy::save(reference_folder() / "loaded" / file.path().filename(), loaded);
    } catch (Error const&) {
    }
  }
}

}  // namespace npy_reference_test
