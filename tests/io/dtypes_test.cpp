// Every dtype, as tensors and as numbers, saved and loaded.

#include <doctest/doctest.h>

#include <complex>
#include <cstdint>
#include <limits>
#include <tuple>

#include "filled.hpp"
#include "folder.hpp"

#include <tenon/io/safetensors.hpp>
#include <tenon/tensor/complex.hpp>

namespace dtypes_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

struct Numbers {
  float f = 1.5f;
  double d = -2.5;
  float16 h{0.25f};
  bfloat16 b{3.0f};
  std::int8_t i8 = -8;
  std::int16_t i16 = -16;
  std::int32_t i32 = -32;
  std::int64_t i64 = std::numeric_limits<std::int64_t>::min();
  std::uint8_t u8 = 8;
  std::uint16_t u16 = 16;
  std::uint32_t u32 = 32;
  std::uint64_t u64 = std::numeric_limits<std::uint64_t>::max();
  bool yes = true;
  std::complex<float> c{1, 2};
  std::complex<double> z{3, -4};
  long long other = -5;
  unsigned long long more = 6;
  char letter = 'x';

  bool operator==(Numbers const& o) const {
    auto const all = [](Numbers const& n) {
      return std::tuple(n.f, n.d, n.h.bits, n.b.bits, n.i8, n.i16, n.i32, n.i64, n.u8, n.u16, n.u32,
                        n.u64, n.yes, n.c, n.z, n.other, n.more, n.letter);
    };
    return all(*this) == all(o);
  }
};

template <class T>
bool comes_back(T const& tensor) {
  Folder const folder;
  save(folder / "x.safetensors", tensor);
  return same_bits(load<T>(folder / "x.safetensors"), tensor);
}

template <class T>
void check_dtype() {
  CAPTURE(dtype_name<T>);
  Sizes const small{5, 3, 1, 1, 1, 1, 1, 1}, none{0, 3, 1, 1, 1, 1, 1, 1};
  Sizes const large{999, 3, 1, 1, 1, 1, 1, 1};
  CHECK(comes_back(filled<Tensor<T, "row column=3">>(small)));
  CHECK(comes_back(filled<Tensor<T, "row column=3">>(large)));
  CHECK(comes_back(filled<Tensor<T, "row column=3">>(none)));
  CHECK(comes_back(filled<Tensor<T, "5 3">>(small)));
  CHECK(comes_back(filled<Tensor<T, "">>(unit_sizes())));
}

}  // namespace

TEST_CASE("tensors of every dtype are loaded bit for bit") {
  check_dtype<float>(), check_dtype<double>(), check_dtype<float16>(), check_dtype<bfloat16>();
  check_dtype<std::int8_t>(), check_dtype<std::int16_t>();
  check_dtype<std::int32_t>(), check_dtype<std::int64_t>();
  check_dtype<std::uint8_t>(), check_dtype<std::uint16_t>();
  check_dtype<std::uint32_t>(), check_dtype<std::uint64_t>();
  check_dtype<bool>(), check_dtype<std::complex<float>>(), check_dtype<std::complex<double>>();
}

TEST_CASE("numbers of a tree are loaded, whatever their type") {
  Folder const folder;
  Numbers numbers;
  save(folder / "n.safetensors", numbers);
  Numbers none{.f = 0, .d = 0, .i64 = 0, .u64 = 0, .yes = false, .letter = ' '};
  CHECK_FALSE(none == numbers);
  CHECK(load(folder / "n.safetensors", none) == numbers);
}

}  // namespace dtypes_test
