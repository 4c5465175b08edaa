// Dtypes that a program reads as words.

#include <doctest/doctest.h>

#include <complex>
#include <cstdint>
#include <string>

#include <tenon/core/dtype_from_string.hpp>
#include <tenon/tensor/complex.hpp>

namespace dtype_from_string_test {

using namespace tenon;

TEST_CASE("a dtype has the names of PyTorch and safetensors") {
  for (auto const* name : {"bfloat16", "bf16"})
    CHECK(dtype_from_string(name) == AnyDtype::of<bfloat16>());
  for (auto const* name : {"float16", "fp16", "f16", "half"})
    CHECK(dtype_from_string(name) == AnyDtype::of<float16>());
  for (auto const* name : {"float32", "fp32", "f32", "float"})
    CHECK(dtype_from_string(name) == AnyDtype::of<float>());
  for (auto const* name : {"float64", "fp64", "f64", "double"})
    CHECK(dtype_from_string(name) == AnyDtype::of<double>());
  CHECK(dtype_from_string("i64") == AnyDtype::of<std::int64_t>());
  CHECK(dtype_from_string("bool") == AnyDtype::of<bool>());
  CHECK(dtype_from_string("complex64") == AnyDtype::of<std::complex<float>>());
  CHECK(dtype_from_string("half").name() == "float16");
}

TEST_CASE("another word is refused with the dtypes there are") {
  for (auto const* name : {"", " ", "BF16", "bf16 ", "bf", "fp32 f32", "float\n"})
    CHECK_THROWS_AS((void)dtype_from_string(name), ValueError);
  CHECK_THROWS_WITH((void)dtype_from_string("int4"),
                    "tenon::dtype_from_string: expected one of these: float32, float64, float16, "
                    "bfloat16, int8, int16, int32, int64, uint8, uint16, uint32, uint64, bool, "
                    "complex64, complex128, float8_e4m3fn, float8_e5m2, got 'int4' (elements of "
                    "fewer than 8 bits have no address)");
  CHECK_THROWS_WITH((void)dtype_from_string("float8"),
                    "tenon::dtype_from_string: expected one of these: float32, float64, float16, "
                    "bfloat16, int8, int16, int32, int64, uint8, uint16, uint32, uint64, bool, "
                    "complex64, complex128, float8_e4m3fn, float8_e5m2, got 'float8'");
}

TEST_CASE("code is called with the dtype of a word") {
  auto const bytes = [](AnyDtype dtype) {
    return visit_dtype<float, double, bfloat16>(dtype, [](auto zero) { return sizeof(zero); });
  };
  CHECK(bytes(dtype_from_string("double")) == 8);
  CHECK(bytes(dtype_from_string("bf16")) == 2);
  CHECK_THROWS_WITH((void)bytes(dtype_from_string("half")),
                    "tenon::visit_dtype: 'float16': expected one of these: float32, float64, "
                    "bfloat16, got another");
}

}  // namespace dtype_from_string_test
