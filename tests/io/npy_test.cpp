// Tensors, numbers and keys in npy files.

#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

#include "filled.hpp"
#include "folder.hpp"

#include <tenon/io/npy.hpp>
#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

namespace npy_test {

using namespace tenon;
namespace npy = tenon::npy;  // not that of `internal`, which other tests use

namespace {

template <class X>
bool comes_back(X const& x) {
  Folder const folder;
  npy::save(folder / "x.npy", x);
  npy::Mapped<X> const mapped(folder / "x.npy");
  X const copied = mapped.view();
  return same_bits(npy::load<X>(folder / "x.npy"), x) && same_bits(copied, x);
}

template <class T>
void check_dtype() {
  CAPTURE(dtype_name<T>);
  CHECK(comes_back(filled<Tensor<T, "row column=3">>({5, 3, 1, 1, 1, 1, 1, 1})));
  CHECK(comes_back(filled<Tensor<T, "row column=3">>({0, 3, 1, 1, 1, 1, 1, 1})));
  CHECK(comes_back(filled<Tensor<T, "5 3">>({5, 3, 1, 1, 1, 1, 1, 1})));
  CHECK(comes_back(filled<Tensor<T, "">>(unit_sizes())));
}

/// A file with the elements 0, 1, 2 in Fortran order.
void write_fortran(std::filesystem::path const& path, std::string const& shape, int count) {
  std::string text = "{'descr': '<i4', 'fortran_order': True, 'shape': " + shape + ", }";
  text.append(118 - text.size(), ' ');
  std::string file = std::string("\x93NUMPY\x01\0v\0", 10) + text;
  for (int i = 0; i < count; ++i)
    for (int shift = 0; shift < 32; shift += 8) file += static_cast<char>(i >> shift & 255);
  write_bytes(path, file);
}

}  // namespace

TEST_CASE("tensors of every dtype come back from npy files bit for bit") {
  check_dtype<float>(), check_dtype<double>(), check_dtype<float16>(), check_dtype<bfloat16>();
  check_dtype<std::int8_t>(), check_dtype<std::int16_t>();
  check_dtype<std::int32_t>(), check_dtype<std::int64_t>();
  check_dtype<std::uint8_t>(), check_dtype<std::uint16_t>();
  check_dtype<std::uint32_t>(), check_dtype<std::uint64_t>();
  check_dtype<bool>(), check_dtype<std::complex<float>>(), check_dtype<std::complex<double>>();
  CHECK(comes_back(filled<Complex128<"1 1 1 1 1 1 1 2">>({1, 1, 1, 1, 1, 1, 1, 2})));
}

TEST_CASE("an array in Fortran order is loaded in row-major order, and mapped with its strides") {
  Folder const folder;
  write_fortran(folder / "x.npy", "(2, 3)", 6);
  auto const x = npy::load<Int32<"row column">>(folder / "x.npy");
  CHECK(same_bits(x, Int32<"row column">{{0, 2, 4}, {1, 3, 5}}));
  npy::Mapped<Int32<"row column">> const mapped(folder / "x.npy");
  CHECK(mapped.view().strides()[0] == 1);
  CHECK(mapped.view().strides()[1] == 2);
  Int32<"row column"> const copied = mapped.view();
  CHECK(same_bits(copied, x));
  write_fortran(folder / "y.npy", "(0, 3)", 0);
  CHECK(npy::load<Int32<"row column">>(folder / "y.npy").size() == 0);
  write_fortran(folder / "z.npy", "(2, 3, 2)", 12);
  auto const z = npy::load<Int32<"a b c">>(folder / "z.npy");
  CHECK(z(1, 0, 0) == 1);
  CHECK(z(0, 1, 0) == 2);
  CHECK(z(0, 0, 1) == 6);
}

TEST_CASE("numbers and keys come back from npy files") {
  Folder const folder;
  auto const path = folder / "x.npy";
  npy::save(path, 0.25);
  CHECK(npy::load<double>(path) == 0.25);
  npy::save(path, true);
  CHECK(npy::load<bool>(path));
  npy::save(path, 5ll);
  CHECK(npy::load<std::int64_t>(path) == 5);
  npy::save(path, Key{7});
  CHECK(npy::load_contents(path) == "uint32 \"2\"");
  CHECK(npy::load<Key>(path) == Key{7});
}

#if !defined(_WIN32)  // where a mapped file cannot be replaced
TEST_CASE("a view keeps the elements of a file that is replaced") {
  Folder const folder;
  npy::save(folder / "x.npy", Float32<"n">{1, 2});
  npy::Mapped<Float32<"n">> old(folder / "x.npy");
  npy::save(folder / "x.npy", Float32<"n">{3, 4});
  auto const moved = std::move(old);
  Float32<"n"> const copied = moved.view();
  CHECK(copied(0) == 1);
  CHECK(npy::load<Float32<"n">>(folder / "x.npy")(0) == 3);
}
#endif

TEST_CASE("the header of an npy file is that of NumPy") {
  Folder const folder;
  npy::save(folder / "x.npy", zeros<Float32<"3 4">>());
  std::string const bytes = read_bytes(folder / "x.npy");
  std::string const text = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }";
  CHECK(bytes.size() == 128 + 48);
  CHECK(bytes.substr(0, 10) == std::string("\x93NUMPY\x01\0v\0", 10));
  CHECK(bytes.substr(10, 118) == text + std::string(117 - text.size(), ' ') + "\n");
}

}  // namespace npy_test
